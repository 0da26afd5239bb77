//! Fields in the wrong place, and entries that occur twice.
use super::{in_job, job, mends, told};
use crate::diagnostic::Fix;
use crate::shape::{Place, Shape};

#[test]
fn a_field_in_the_wrong_place_is_moved() {
    mends(" role \"w\" {\n  count 4\n  shell \"x\"\n }", " role \"w\" count=4 {\n  shell \"x\"\n }");
    mends(" role \"w\" shell=\"x\"", " role \"w\" { shell \"x\" }");
    mends(" role \"w\" shell=\"x\" count=2", " role \"w\" count=2 { shell \"x\" }");
    mends(" role \"w\" shell=\"x\" { user 1 }", " role \"w\" { shell \"x\"; user 1 }");
    mends(" image name=\"a\"", " image \"a\"");
    mends(" image { name \"a\" }", " image \"a\"");
}

#[test]
fn env_in_a_row_becomes_a_block() {
    assert_eq!(
        told(" env A=\"1\" B=\"2\""),
        ["A=\"1\" B=\"2\" | misplaced-field: `env` takes its names and values in a block"]
    );
    mends(" env A=\"1\" B=\"2\"", " env { A \"1\"; B \"2\" }");
}

#[test]
fn what_is_given_twice_shows_both_places() {
    let checked = in_job(" deadline \"1h\"\n deadline \"2h\"");
    assert_eq!(checked.told(), ["deadline | duplicate-node: duplicate `deadline`"]);
    assert_eq!(checked.all[0].labels.len(), 2);
    assert!(checked.all[0].labels[1].span < checked.all[0].span());
    assert_eq!(told(" role \"w\"; role \"w\""), ["\"w\" | duplicate-node: duplicate `role \"w\"`"]);
    assert_eq!(told(" env { A \"1\"; A \"2\" }"), ["A | duplicate-node: duplicate `A`"]);
    assert_eq!(
        told(" role \"w\" count=1 count=2"),
        ["count | duplicate-property: property `count` is set twice"]
    );
    assert_eq!(told(" allow \"a\" because=\"b\"; allow \"a\" because=\"c\""), Vec::<String>::new());
}

#[test]
fn two_blocks_of_one_node_become_one() {
    mends(" env { A \"1\" }\n env { B \"2\"; }", " env { A \"1\"; B \"2\"; }");
    mends(
        " target \"site\" {\n  queue \"a\"\n }\n target \"site\" { annotations { x \"1\" } }",
        " target \"site\" {\n  queue \"a\"\n     annotations { x \"1\" }\n }",
    );
    mends(
        " placement { spread \"host\"; }\n placement {\n  node \"a\" \"b\"\n }",
        " placement { spread \"host\"; node \"a\" \"b\" }",
    );
    // Besides the first block, the second one is validated. Fields that only the second block has are not reported as missing.
    assert_eq!(
        told(" env { A \"1\" }\n env { B 2 }"),
        ["env | duplicate-node: duplicate `env`", "2 | wrong-type: `B` must be a string, not a number"]
    );
    let help = |inside: &str| {
        let job = in_job(inside);
        (job.help().to_owned(), job.all[0].fixes.len())
    };
    let one = |help: &str, fixes| (help.to_owned(), fixes);
    assert_eq!(
        help(" target \"site\" { queue \"a\" }\n target \"site\" { queue \"b\" }"),
        one("merge both into one block: `target \"site\" { … }`", 0)
    );
    assert_eq!(help(" env { A \"1\" }\n env { A \"2\" }"), one("merge both into one block: `env { … }`", 0));
    assert_eq!(
        help(" env { A \"1\" }\n env { /- B \"2\" }"),
        one("merge both into one block: `env { … }`", 0)
    );
    assert_eq!(
        help(" resources cpus=1\n resources memory=\"1GiB\" gpus=1"),
        one("write both in one entry: `resources cpus=1 memory=\"1GiB\" gpus=1`", 1)
    );
    assert_eq!(help(" resources cpus=1\n resources cpus=2 gpus=1"), one("remove one of them", 0));
    assert_eq!(help(" deadline \"1h\"\n deadline \"2h\""), one("remove one of them", 0));
    assert_eq!(help(" env { A \"1\"; A \"2\" }"), one("remove one of them", 0));
    assert_eq!(
        help(" role \"w\"; role \"w\""),
        one("merge both into one block; `count` sets the number of tasks of the role", 0)
    );
}

/// A help to remove one of two entries would lose the properties that only one of them has.
#[test]
fn two_entries_become_one_with_all_properties() {
    let Shape::Object(file) = job() else { panic!() };
    let job = file.field("job").and_then(|field| field.block(None)).unwrap();
    let mut tried = 0;
    let whole = in_job("").tree;
    let is_set = |name: &str| whole.get("job").is_some_and(|job| job.get(name).is_some());
    for field in job.fields.iter().filter(|field| field.place == Place::Child && !is_set(field.name)) {
        let Shape::Object(object) = &field.shape else { continue };
        let properties: Vec<_> = object.at(Place::Prop).map(|property| property.name).collect();
        for pair in properties.windows(2) {
            let name = field.name;
            let (first, second) = (format!("{}=1", pair[0]), format!("{}=2", pair[1]));
            let checked = in_job(&format!(" {name} {first}\n {name} {second}"));
            let told = checked.all.iter().find(|one| one.code.name == "duplicate-node").expect("an error");
            let help = format!("write both in one entry: `{name} {first} {second}`");
            assert_eq!(told.help, Some(help), "{name}");
            assert!(matches!(told.fixes.as_slice(), [fix] if !fix.is_automatic()), "{name}");
            // The same property twice is a conflict.
            let checked = in_job(&format!(" {name} {first}\n {name} {first}"));
            let told = checked.all.iter().find(|one| one.code.name == "duplicate-node").expect("an error");
            assert_eq!(told.help.as_deref(), Some("remove one of them"), "{name}");
            tried += 1;
        }
    }
    assert!(tried > 2, "{tried}");
    let help = |inside: &str| in_job(inside).help().to_owned();
    assert_eq!(
        help(" restart \"on-failure\" { codes 42; codes 143 }"),
        "write all values in one `codes`: `codes 42 143`"
    );
    assert_eq!(help(" data \"z\" { uri \"gs://a/z\"; }"), "write `data \"z\" \"gs://a/z\"`");
    assert_eq!(
        help(" data \"z\" at=\"/z\" { uri \"gs://a/z\"; }"),
        "write `data \"z\" \"gs://a/z\" at=\"/z\"`"
    );
}

#[test]
fn a_misspelled_property_in_a_block_is_known() {
    let Shape::Object(file) = job() else { panic!() };
    let job = file.field("job").and_then(|field| field.block(None)).unwrap();
    let mut tried = 0;
    for field in job.fields.iter().filter(|field| field.place == Place::Child) {
        let Shape::Object(object) = &field.shape else { continue };
        let has_block = object.nodes().next().is_some();
        for property in object.at(Place::Prop).filter(|property| has_block && property.name.len() > 4) {
            let name = property.name;
            let short = &name[..name.len() - 1];
            let checked = in_job(&format!(" {} {{ {short} 3; }}", field.name));
            let told = checked.all.iter().find(|one| one.code.name == "unknown-node").expect("an error");
            let help = told.help.as_deref().unwrap_or_default();
            assert!(help.contains(&format!("{name}=3")), "{} {short}: {help}", field.name);
            assert!(!told.fixes.iter().any(Fix::is_automatic), "{short}");
            tried += 1;
        }
    }
    assert!(tried > 2, "{tried}");
}

/// Without the second list, a setting would be lost.
#[test]
fn two_lists_become_one_with_all_values() {
    let text = "project {\n    environment \"prod\" {\n        set \"a=1\" \"b=2\"\n        target \"site\"\n        set \"c=3\"\n    }\n}\n";
    let name = "tfjob.kdl".to_owned();
    let file = crate::Loaded { format: crate::sources::Format::Kdl, name, text: text.to_owned() };
    let shape =
        crate::shape::Shape::from_schema(&crate::shape::project_schema(&["site"])).expect("a valid schema");
    let (_, _, found) = crate::analysis::read_file(&file, &shape);
    let told = found.iter().find(|one| one.code.name == "duplicate-node").expect("an error");
    let line = "set \"a=1\" \"b=2\" \"c=3\"";
    assert_eq!(told.help, Some(format!("write all values in one `set`: `{line}`")));
    let [fix] = told.fixes.as_slice() else { panic!("{:?}", told.fixes) };
    assert!(!fix.is_automatic());
    let mut new = text.to_owned();
    for edit in fix.edits.iter().rev() {
        new.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    assert_eq!(new, text.replace("        set \"c=3\"\n", "").replace("set \"a=1\" \"b=2\"", line));
}
