//! Completion in a job that extends another one, and in a role that inherits from its job.
use crate::completion::{accept, items, labels};
use crate::editor::Editor;
use serde_json::Value;

const BASE: &str = "job \"base\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"
    image \"ml/a:1\" pull-secret=\"registry\"
    run \"python\" \"/a.py\"
    env { A \"1\"; }
    role \"chief\"
    role \"worker\" count=4 {
        resources cpus=8 memory=\"32GiB\" gpus=2 { device \"rdma/hca\" 1; }
    }
    role \"ps\"
    helper \"log\" { run \"x\"; }
    secret \"TOKEN\" from=\"store\"
    restart \"on-failure\" limit=3
}
";

fn editor() -> Editor {
    Editor::new(&[("base.tfjob.kdl", BASE)])
}

fn item(editor: &Editor, name: &str, marked: &str, label: &str) -> Value {
    let all = items(editor, name, marked);
    let found = all.iter().find(|item| item["label"] == label);
    found.unwrap_or_else(|| panic!("{label} at {marked}: {:?}", labels(&all))).clone()
}

/// Returns the lines that an item adds to a text.
fn added(editor: &Editor, name: &str, marked: &str, label: &str) -> String {
    let text = marked.replacen("$0", "", 1);
    let new = accept(&text, &item(editor, name, marked, label));
    let old: Vec<&str> = text.lines().collect();
    new.lines()
        .filter(|line| !old.contains(line))
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn an_entry_that_replaces_another_repeats_its_values() {
    let editor = editor();
    let role = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    role \"worker\" {\n        $0\n    }\n}\n";
    let job = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    $0\n}\n";
    let yaml = "extends: base.tfjob.kdl\njob:\n  name: a\n  role:\n    worker:\n      $0\n";
    let plain = "job \"a\" {\n    framework \"pytorch\"\n    resources cpus=2 memory=\"3GiB\" gpus=1\n    role \"worker\" {\n        $0\n    }\n}\n";
    for (name, marked, label, wanted) in [
        (
            "a.tfjob.kdl",
            role,
            "resources",
            "resources cpus=8 memory=\"32GiB\" gpus=2 { device \"rdma/hca\" 1 }",
        ),
        ("b.tfjob.kdl", role, "image", "image \"ml/a:1\" pull-secret=\"registry\""),
        ("c.tfjob.kdl", job, "image", "image \"ml/a:1\" pull-secret=\"registry\""),
        ("d.tfjob.kdl", job, "run", "run \"python\" \"/a.py\""),
        ("e.tfjob.kdl", job, "restart", "restart \"on-failure\" limit=3"),
        ("f.tfjob.yaml", yaml, "resources", "resources: { cpus: 8, memory: 32GiB, gpus: 2 }"),
        ("g.tfjob.yaml", yaml, "image", "image: { name: \"ml/a:1\", pull-secret: registry }"),
        ("h.tfjob.kdl", plain, "resources", "resources cpus=2 memory=\"3GiB\" gpus=1"),
    ] {
        assert_eq!(added(&editor, name, marked, label), wanted, "{marked}");
    }
    let about =
        |marked: &str, label: &str| item(&editor, "i.tfjob.kdl", marked, label)["documentation"].to_string();
    assert!(about(role, "resources").contains("Entirely replaces the resources of base.tfjob.kdl."));
    assert!(about(role, "image").contains("Entirely replaces the image of the job."));
    assert!(about(job, "env").contains("Is merged with the entries of base.tfjob.kdl"));
    assert!(!about(job, "labels").contains("base.tfjob.kdl"));
}

#[test]
fn roles_of_the_base_come_first_and_keep_their_count() {
    let editor = editor();
    let job = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    $0\n}\n";
    assert_eq!(added(&editor, "a.tfjob.kdl", job, "role"), "role \"chief\" { }");
    assert_eq!(added(&editor, "a.tfjob.kdl", job, "helper"), "helper \"log\" { }");
    let named = |text: &str| {
        labels(&items(
            &editor,
            "b.tfjob.kdl",
            &format!("extends \"base.tfjob.kdl\"\njob \"a\" {{\n{text}\n}}\n"),
        ))
    };
    assert_eq!(named("role \"$0\""), ["chief", "worker", "ps", "evaluator"]);
    assert_eq!(named("role \"worker\" {}\nrole \"$0\""), ["chief", "ps", "evaluator"]);
    let yaml = "extends: base.tfjob.kdl\njob:\n  name: a\n  role:\n    $0\n";
    assert_eq!(labels(&items(&editor, "c.tfjob.yaml", yaml)), ["chief", "worker", "ps", "evaluator"]);
}

#[test]
fn only_roles_that_the_strategy_accepts_are_offered() {
    let editor = editor();
    for (framework, roles, wanted) in [
        ("\"tensorflow\" strategy=\"single\"", "role \"worker\" {}", "evaluator"),
        ("\"tensorflow\" strategy=\"mirrored\"", "", "chief worker evaluator"),
        ("\"tensorflow\" strategy=\"multi-worker-mirrored\"", "role \"worker\" {}", "chief evaluator"),
        ("\"tensorflow\" strategy=\"parameter-server\"", "role \"worker\" {}", "chief ps evaluator"),
        ("\"pytorch\"", "", "master worker"),
        ("\"horovod\"", "", "worker"),
    ] {
        let kdl = format!("job \"a\" {{\n    framework {framework}\n    {roles}\n    role \"$0\"\n}}\n");
        let offered = |name: &str, text: &str| labels(&items(&editor, name, text)).join(" ");
        assert_eq!(offered("a.tfjob.kdl", &kdl), wanted, "{framework}");
        let (name, strategy) = framework.split_once(" strategy=").unwrap_or((framework, "null"));
        let roles = if roles.is_empty() { "" } else { "worker: {}, " };
        let yaml =
            format!("job:\n  framework: {{ name: {name}, strategy: {strategy} }}\n  role: {{ {roles}$0 }}\n");
        assert_eq!(offered("b.tfjob.yaml", &yaml), wanted, "{yaml}");
        let roles = roles.replace("worker: {}", "\"worker\": {}");
        let json = format!(
            "{{\"job\": {{\"framework\": {{\"name\": {name}, \"strategy\": {strategy}}}, \"role\": {{{roles}\"$0\"}}}}}}"
        );
        assert_eq!(offered("c.tfjob.json", &json), wanted, "{json}");
    }
}

/// Returns the text that an item replaces.
fn replaced(marked: &str, item: &Value) -> String {
    let text = marked.replacen("$0", "", 1);
    let range = &item["textEdit"]["range"];
    let line =
        text.split('\n').nth(range["start"]["line"].as_u64().expect("a line") as usize).unwrap_or_default();
    let at = |end: &str| range[end]["character"].as_u64().expect("a column") as usize;
    line[at("start")..at("end")].to_owned()
}

/// VS Code ends the session of a snippet if an item replaces more than the placeholder.
#[test]
fn an_item_in_a_string_does_not_replace_its_quotes() {
    let editor = editor();
    for (name, marked, label, wanted) in [
        ("a.tfjob.kdl", "job \"a\" { restart \"on$0-x\" limit=1; }", "on-failure", "on-x"),
        ("a.tfjob.kdl", "job \"a\" { resources memory=\"16$0\"; }", "16GiB", "16"),
        ("a.tfjob.kdl", "job \"a\" { role \"$0\" count=1; }", "chief", ""),
        ("a.tfjob.kdl", "job \"a\" { restart \"on$0 }", "on-failure", "\"on"),
        ("a.tfjob.kdl", "job \"a\" { start gang=\"t$0\"; }", "#true", "\"t\""),
        ("a.tfjob.json", "{\"job\": {\"restart\": \"on$0\"}}", "on-failure", "on"),
        ("a.tfjob.yaml", "job:\n  restart: 'on$0'\n", "on-failure", "on"),
        ("a.tfjob.yaml", "job:\n  restart: \"on$0\"\n", "on-failure", "on"),
        ("a.tfjob.yaml", "job:\n  start: { gang: \"t$0\" }\n", "true", "\"t\""),
    ] {
        assert_eq!(replaced(marked, &item(&editor, name, marked, label)), wanted, "{marked}");
    }
}

#[test]
fn a_plain_value_becomes_an_object() {
    let editor = editor();
    for (name, marked, wanted) in [
        ("a.tfjob.yaml", "job:\n  framework: tens$0\n", "framework: { name: tens }"),
        ("b.tfjob.yaml", "job:\n  framework: $0\n", "framework: { name: tensorflow }"),
        (
            "c.tfjob.json",
            "{\"job\": {\n\"restart\": \"never$0\"\n}}",
            "\"restart\": { \"policy\": \"never\" }",
        ),
    ] {
        assert_eq!(added(&editor, name, marked, "{ … }"), wanted, "{marked}");
    }
}
