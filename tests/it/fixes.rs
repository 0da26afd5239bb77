//! `--fix` rewrites no known name, and causes no new error.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::run;
use crate::suggestions::{errors, job};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use tfjob_lang::shape::Shape;

/// Returns the names of all fields, and in `options` those of the options of targets.
fn names(shape: &Shape, fields: &mut BTreeSet<&'static str>, options: &mut BTreeSet<&'static str>) {
    match shape {
        Shape::Object(object) => {
            for field in object.fields {
                fields.insert(field.name);
                let target = if field.name == "target" { field.shape.object() } else { None };
                for target in target.iter().flat_map(|targets| targets.fields) {
                    options.extend(target.shape.object().unwrap().fields.iter().map(|option| option.name));
                }
                names(&field.shape, fields, options);
            }
        }
        Shape::Keyed(keyed) => names(&keyed.item, fields, options),
        Shape::List(list) => names(&list.item, fields, options),
        _ => {}
    }
}

#[test]
fn fix_rewrites_no_known_name() {
    let dir = tempfile::tempdir().unwrap();
    let (mut fields, mut options) = (BTreeSet::new(), BTreeSet::new());
    names(&tfjob_targets::SHAPE, &mut fields, &mut options);
    assert!(options.contains("master") && fields.contains("gpus"), "{options:?}");
    fields.extend(options);
    let texts: Vec<String> =
        fields.iter().map(|name| job(&format!("{name} \"yarn\""), &format!("{name} \"yarn\""))).collect();
    for (number, text) in texts.iter().enumerate() {
        fs::write(dir.path().join(format!("{number}.tfjob.kdl")), text).unwrap();
    }
    run(dir.path(), &["check", ".", "--fix"]);
    for (number, name) in fields.iter().enumerate() {
        let fixed = fs::read_to_string(dir.path().join(format!("{number}.tfjob.kdl"))).unwrap();
        let word = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word == name).count()
        };
        assert!(word(&fixed) >= word(&texts[number]), "{name}: {fixed}");
    }
}

/// The details include options of targets, so the language alone cannot test them.
#[test]
fn the_details_of_repeated_entries_are_fields() {
    let (mut fields, mut options) = (BTreeSet::new(), BTreeSet::new());
    names(&tfjob_targets::SHAPE, &mut fields, &mut options);
    for name in tfjob_lang::merge::DETAILS {
        assert!(fields.contains(name), "there is no field `{name}`");
    }
}

/// Adds a text for each object among the options of the targets.
fn specs(shape: &Shape, texts: &mut Vec<String>) {
    let targets = shape.block(&[("job", None)]).unwrap().field("target").unwrap();
    for target in targets.shape.object().unwrap().fields {
        for option in target.shape.object().unwrap().fields.iter().filter(|field| !field.shape.is_scalar()) {
            for value in ["", "null", "x", "/x", "https://h/x", "3", "[]"] {
                texts.push(format!(
                    "job:\n  name: j\n  framework: custom\n  image: r/x:1\n  run: [a]\n  \
                     resources: {{ cpus: 1, memory: 1GiB }}\n  role: {{ worker: {{ count: 1 }} }}\n  \
                     target: {{ {}: {{ {}: {value} }} }}\n",
                    target.name, option.name
                ));
            }
        }
    }
}

#[test]
fn fix_causes_no_new_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut texts = Vec::new();
    specs(&tfjob_targets::SHAPE, &mut texts);
    for (number, text) in texts.iter().enumerate() {
        fs::write(dir.path().join(format!("{number}.tfjob.yaml")), text).unwrap();
    }
    // The number of errors of each code.
    let codes = |name: &str| {
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for (code, _) in errors(dir.path(), name, &[]) {
            *found.entry(code).or_default() += 1;
        }
        found
    };
    let names: Vec<String> = (0..texts.len()).map(|number| format!("{number}.tfjob.yaml")).collect();
    let before: Vec<_> = names.iter().map(|name| codes(name)).collect();
    run(dir.path(), &["check", ".", "--fix"]);
    let mut fixed_specs = 0;
    for ((name, before), text) in names.iter().zip(before).zip(&texts) {
        let fixed = fs::read_to_string(dir.path().join(name)).unwrap();
        if fixed != *text {
            let mut after = codes(name);
            // Rules about the whole job are checked only if all values are valid.
            after.remove("unused-option");
            let is_old = |(code, count): (&String, &usize)| before.get(code).is_some_and(|old| count <= old);
            assert!(after.iter().all(is_old), "{text}\n{fixed}\n{before:?}\n{after:?}");
            fixed_specs += 1;
        }
    }
    assert!(fixed_specs > 5, "{fixed_specs} specs were fixed");
}

/// Each fix is correct alone. Together, they must not add two blocks to an entry.
#[test]
fn fixes_of_several_properties_add_one_block() {
    let dir = tempfile::tempdir().unwrap();
    let job_fields = tfjob_targets::SHAPE.block(&[("job", None)]).unwrap();
    let mut entries: Vec<(String, Vec<&str>)> = Vec::new();
    let scalars = |shape: &Shape| {
        let fields = shape.object().map_or(&[][..], |object| object.fields);
        fields.iter().filter(|field| matches!(field.shape, Shape::Text(_))).map(|field| field.name).collect()
    };
    for target in job_fields.field("target").unwrap().shape.object().unwrap().fields {
        entries.push((format!("target \"{}\"", target.name), scalars(&target.shape)));
    }
    entries.push(("placement".to_owned(), scalars(&job_fields.field("placement").unwrap().shape)));
    let mut texts = Vec::new();
    for (head, names) in &entries {
        for some in names.windows(2).chain(names.windows(3)) {
            let properties: Vec<_> =
                some.iter().enumerate().map(|(n, name)| format!("{name}=\"text{n}\"")).collect();
            texts.push((job(&format!("{head} {}", properties.join(" ")), ""), some.len()));
        }
    }
    let name = |number: usize| format!("{number}.tfjob.kdl");
    for (number, (text, _)) in texts.iter().enumerate() {
        fs::write(dir.path().join(name(number)), text).unwrap();
    }
    run(dir.path(), &["check", ".", "--fix"]);
    let mut fixed_specs = 0;
    for (number, (text, count)) in texts.iter().enumerate() {
        let fixed = fs::read_to_string(dir.path().join(name(number))).unwrap();
        fixed_specs += usize::from(fixed != *text);
        let kept = (0..*count).all(|value| fixed.contains(&format!("\"text{value}\"")));
        assert!(kept, "{text}\n{fixed}");
        let syntax: Vec<_> =
            errors(dir.path(), &name(number), &[]).into_iter().filter(|(code, _)| code == "syntax").collect();
        assert!(syntax.is_empty(), "{text}\n{fixed}\n{syntax:?}");
    }
    assert!(fixed_specs > 5, "{fixed_specs} specs were fixed");
}

/// A cluster file of an environment, or of `--cluster`, is not among the paths.
#[test]
fn a_cluster_file_with_fixes_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let cluster =
        "cluster \"c\" target=\"kubernetes\" {\n    nodes \"a\" count=\"2\" cpus=8 memory=\"32GiB\"\n}\n";
    write("a.tfjob.kdl", &job("", ""));
    write("c.cluster.kdl", cluster);
    fs::create_dir(dir.path().join(".git")).unwrap();
    let line = "not fixed: c.cluster.kdl (the file is not among the given paths)";
    let err = |args: &[&str]| String::from_utf8(run(dir.path(), args).stderr).unwrap();
    let told = err(&["check", "a.tfjob.kdl", "--cluster", "c.cluster.kdl", "--fix"]);
    assert!(told.contains(line), "{told}");
    write(
        "tfjob.kdl",
        "project {\n    specs \"a.tfjob.kdl\"\n    environment \"x\" { cluster \"c.cluster.kdl\"; }\n}\n",
    );
    let told = err(&["check", "--fix"]);
    assert!(told.contains(line), "{told}");
    assert_eq!(fs::read_to_string(dir.path().join("c.cluster.kdl")).unwrap(), cluster);
    let told = err(&["check", "a.tfjob.kdl", "c.cluster.kdl", "--cluster", "c.cluster.kdl", "--fix"]);
    assert!(told.contains("fixed c.cluster.kdl") && !told.contains("not fixed"), "{told}");
}
