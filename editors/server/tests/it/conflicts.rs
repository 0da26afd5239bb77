//! Findings about several specs: jobs with the same name.
use crate::editor::Editor;
use serde_json::json;

const JOB: &str = "job \"a\" {
    framework \"custom\"
    image \"registry/a:1\"
    run \"x\"
    resources cpus=1 memory=\"1GiB\"
    role \"worker\"
    target \"kubernetes\" {}
}
";

const FACT: &str = "duplicate-name: `a.tfjob.kdl` and `b.tfjob.kdl` have the job name `a`, so `tfjob compile` would write both to the \
                    same directory `a/kubernetes`";

const NONE: [&str; 0] = [];

#[test]
fn two_specs_with_the_same_name_are_reported_until_one_is_renamed() {
    let editor = Editor::new(&[("a.tfjob.kdl", JOB), ("b.tfjob.kdl", JOB)]);
    // Both specs are closed.
    assert_eq!(editor.told("b.tfjob.kdl"), [format!("1:5 {FACT}")]);
    editor.open("a.tfjob.kdl", JOB);
    assert_eq!(editor.told("a.tfjob.kdl"), NONE);
    let found = editor.findings("b.tfjob.kdl");
    assert!(
        found[0].message.ends_with("\nhelp: in `b.tfjob.kdl`, write another name, such as `job \"a-2\"`"),
        "{found:?}"
    );
    let related = found[0].related_information.as_ref().expect("the first job");
    assert_eq!(related[0].location.uri.as_str(), Editor::uri("a.tfjob.kdl"));
    assert_eq!(related[0].location.range.start.character, 4);
    editor.replace("a.tfjob.kdl", &JOB.replace("\"a\"", "\"other\""));
    assert_eq!((editor.told("a.tfjob.kdl"), editor.told("b.tfjob.kdl")), (vec![], vec![]));
    // An edit causes it again, and a file that is deleted has no job.
    editor.open("b.tfjob.kdl", &JOB.replace("\"a\"", "\"other\""));
    assert_eq!(
        editor.told("b.tfjob.kdl"),
        [format!("1:5 {}", FACT.replace("`a`", "`other`").replace("`a/", "`other/"))]
    );
    editor.notify("textDocument/didClose", json!({"textDocument": {"uri": Editor::uri("b.tfjob.kdl")}}));
    assert_eq!(editor.told("b.tfjob.kdl"), NONE);
}

#[test]
fn a_place_of_the_first_name_is_current() {
    let editor = Editor::new(&[("b.tfjob.kdl", JOB)]);
    editor.open("a.tfjob.kdl", JOB);
    assert_eq!(editor.told("b.tfjob.kdl"), [format!("1:5 {FACT}")]);
    editor.replace("a.tfjob.kdl", &format!("// A comment.\n{JOB}"));
    let found = editor.findings("b.tfjob.kdl");
    let related = found[0].related_information.as_ref().expect("the first job");
    assert_eq!(related[0].location.range.start.line, 1);
}

/// Specs in other directories, with other targets, and bases are not written to the same directory.
#[test]
fn only_specs_that_are_compiled_together_conflict() {
    let other = JOB.replace("kubernetes", "local");
    let extends = format!("extends \"c.tfjob.kdl\"\n{JOB}");
    let files = [
        ("a.tfjob.kdl", JOB),
        ("b.tfjob.kdl", &other),
        ("sub/a.tfjob.kdl", &extends),
        ("sub/c.tfjob.kdl", JOB),
    ];
    let editor = Editor::new(&files);
    for (name, text) in files {
        editor.open(name, text);
        let told = editor.told(name);
        assert!(!told.iter().any(|one| one.contains("duplicate-name")), "{name}: {told:?}");
    }
}

/// The name of both jobs is in a base, and is shown there.
#[test]
fn a_name_in_a_base_is_reported_there() {
    let extends = "extends \"base.tfjob.kdl\"\n";
    let editor = Editor::new(&[("a.tfjob.kdl", extends), ("b.tfjob.kdl", extends), ("base.tfjob.kdl", JOB)]);
    assert_eq!(editor.told("base.tfjob.kdl"), [format!("1:5 {FACT}")]);
    editor.open("b.tfjob.kdl", &format!("{extends}job \"b\"\n"));
    assert_eq!(editor.told("b.tfjob.kdl"), NONE);
    assert_eq!(editor.told("base.tfjob.kdl"), NONE);
}

#[test]
fn a_conflict_names_its_environments() {
    let project = "project {\n    environment \"dev\" { target \"kubernetes\"; }\n    environment \"prod\" {\n        \
                   target \"kubernetes\"\n        set \"name=p\"\n    }\n}\n";
    for (b, wanted) in [
        (
            "b",
            "5:19 duplicate-name: in environment `prod`: `a.tfjob.kdl` and `b.tfjob.kdl` have the job name `p`",
        ),
        (
            "a",
            "1:5 duplicate-name: in environment `dev`: `a.tfjob.kdl` and `b.tfjob.kdl` have the job name `a`",
        ),
    ] {
        let b = JOB.replace("\"a\"", &format!("\"{b}\""));
        let editor = Editor::new(&[("a.tfjob.kdl", JOB), ("b.tfjob.kdl", &b), ("tfjob.kdl", project)]);
        editor.open("b.tfjob.kdl", &b);
        editor.told("b.tfjob.kdl");
        let shown = editor.shown.borrow();
        let all = shown.values().flatten().map(|one| {
            let start = one.range.start;
            format!("{}:{} duplicate-name: {}", start.line + 1, start.character + 1, one.message)
        });
        let all: Vec<String> = all.collect();
        assert!(all.iter().any(|one| one.starts_with(wanted)), "{wanted}: {all:#?}");
    }
}
