//! Completion in a project file: settings, and paths of specs.
use crate::completion::{accept, items, labels};
use crate::editor::Editor;

const SPEC: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    image \"ml/a:1\"
    run \"python\" \"/a.py\"
    param \"lr\" 0.1
    secret \"TOKEN\" from=\"store\" key=\"token\"
    env { API_TOKEN \"ghp_0123456789abcdefghijklmnopqrstuvwxyz\"; }
    role \"worker\" count=4 { resources cpus=1 memory=\"1GiB\"; }
}
";

fn project(marked: &str) -> String {
    format!("project {{\n    environment \"prod\" {{ {marked}; }}\n}}\n")
}

fn found(editor: &Editor, marked: &str) -> Vec<String> {
    labels(&items(editor, "tfjob.kdl", &project(marked)))
}

#[test]
fn a_setting_is_completed_to_its_value() {
    let editor = Editor::new(&[("jobs/a.tfjob.kdl", SPEC)]);
    let first = found(&editor, "set \"$0\"");
    for wanted in ["role.", "image=", "param.", "env."] {
        assert!(first.contains(&wanted.to_owned()), "{wanted}: {first:?}");
    }
    assert_eq!(found(&editor, "set \"role.$0\""), ["role.worker."]);
    assert_eq!(found(&editor, "set \"role.wo$0\""), ["role.worker."]);
    let fields = found(&editor, "set \"role.worker.$0\"");
    assert!(fields.contains(&"role.worker.count=".to_owned()), "{fields:?}");
    assert_eq!(found(&editor, "set \"role.worker.count=$0\""), ["role.worker.count=4"]);
    assert_eq!(found(&editor, "set \"param.lr=$0\""), ["param.lr=0.1"]);
    let policies = found(&editor, "set \"restart=$0\"");
    assert!(policies.contains(&"restart=on-failure".to_owned()), "{policies:?}");
    assert_eq!(found(&editor, "set \"start.gang=$0\""), ["start.gang=true", "start.gang=false"]);
    assert!(found(&editor, "set \"role.nobody.$0\"").iter().all(|one| !one.contains("count=")));
    let secret = found(&editor, "set \"env.API_TOKEN=$0\"");
    assert!(!secret.iter().any(|one| one.contains("ghp_")), "{secret:?}");
}

#[test]
fn a_typed_dot_or_sign_opens_the_list_of_a_setting() {
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC)]);
    for (marked, character) in [("set \"role.$0\"", "."), ("set \"role.worker.count=$0\"", "=")] {
        let position = editor.open("tfjob.kdl", &project(marked));
        let context = serde_json::json!({"triggerKind": 2, "triggerCharacter": character});
        let params = serde_json::json!({"textDocument": {"uri": Editor::uri("tfjob.kdl")}, "position": position, "context": context});
        let list = editor.request("textDocument/completion", &params).expect("a list");
        assert_eq!(list["items"].as_array().map(Vec::len), Some(1), "{marked}");
    }
}

#[test]
fn an_accepted_part_of_a_setting_continues() {
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC)]);
    let continues = |marked: &str, label: &str| {
        let all = items(&editor, "tfjob.kdl", marked);
        let item = all.iter().find(|item| item["label"] == label);
        let item = item.unwrap_or_else(|| panic!("{label}: {:?}", labels(&all)));
        (accept(&marked.replacen("$0", "", 1), item), item["data"]["continues"] == true)
    };
    let (text, is_continued) = continues(&project("set \"ro$0\""), "role.");
    assert!(text.contains("set \"role.\"") && is_continued, "{text}");
    let (_, is_continued) = continues(&project("set \"role.worker.count=$0\""), "role.worker.count=4");
    assert!(!is_continued);
    // What follows in the string is kept, unless it does not fit.
    for (marked, label, wanted) in [
        ("\"ro$0le.worker.count=4\"", "role.", "\"role.worker.count=4\""),
        ("\"ro$0.worker.count=4\"", "role.", "\"role.worker.count=4\""),
        ("\"role.wo$0.count=4\"", "role.worker.", "\"role.worker.count=4\""),
        ("\"role.worker.co$0unt=4\"", "role.worker.count=", "\"role.worker.count=4\""),
        ("\"im$0age.x\"", "image=", "\"image=\""),
        ("\"ro$0le\"", "role.", "\"role.\""),
    ] {
        let (text, is_continued) = continues(&project(&format!("set {marked}")), label);
        assert!(text.contains(&format!("set {wanted};")) && is_continued, "{marked}: {text}");
    }
}

/// A base is listed with the number of its specs.
#[test]
fn the_specs_of_a_base_are_counted() {
    let overlay = |base: &str| format!("extends \"{base}\"\njob \"b\" {{ count 1; }}\n");
    let editor = Editor::new(&[
        ("base.tfjob.kdl", SPEC),
        ("middle.tfjob.kdl", &overlay("base.tfjob.kdl")),
        ("x.tfjob.kdl", &overlay("middle.tfjob.kdl")),
    ]);
    for name in ["middle.tfjob.kdl", "x.tfjob.kdl"] {
        editor.findings(name);
    }
    let all = items(&editor, "c.tfjob.kdl", "extends \"$0\"\n");
    let told: Vec<_> = all.iter().map(|item| (item["label"].as_str(), item["detail"].as_str())).collect();
    let wanted = [
        (Some("base.tfjob.kdl"), Some("base of 2 specs")),
        (Some("middle.tfjob.kdl"), Some("base of 1 spec")),
        (Some("x.tfjob.kdl"), None),
    ];
    assert_eq!(told, wanted);
}

#[test]
fn directories_come_before_specs_and_bases_come_last() {
    let overlay = "extends \"base.tfjob.kdl\"\njob \"b\" { cuont 1; }\n";
    let files = [
        ("jobs/base.tfjob.kdl", SPEC),
        ("jobs/overlay.tfjob.kdl", overlay),
        ("mnist.tfjob.kdl", SPEC),
        ("../other.tfjob.kdl", SPEC),
    ];
    let editor = Editor::new(&files);
    assert_eq!(editor.findings("jobs/overlay.tfjob.kdl").len(), 1);
    let all = labels(&items(&editor, "tfjob.kdl", "project { specs \"$0\"; }\n"));
    assert_eq!(all, ["jobs", "mnist.tfjob.kdl", "jobs/overlay.tfjob.kdl", "jobs/base.tfjob.kdl"]);
    let all = labels(&items(&editor, "tfjob.kdl", "project { specs \"jobs\" \"$0\"; }\n"));
    assert!(!all.contains(&"jobs".to_owned()), "{all:?}");
    // A base is what `extends` needs.
    let all = labels(&items(&editor, "jobs/c.tfjob.kdl", "extends \"$0\"\n"));
    assert_eq!(all.first().map(String::as_str), Some("base.tfjob.kdl"), "{all:?}");
}

/// An editor compares the text before the cursor with the filter text, also the start of a raw string.
#[test]
fn raw_strings_and_exclusions_are_completed() {
    let cluster = "cluster \"east\" target=\"yarn\" {\n}\n";
    let editor = Editor::new(&[("jobs/a.tfjob.kdl", SPEC), ("clusters/east.cluster.kdl", cluster)]);
    for (marked, typed, wanted) in [
        ("cluster #\"clu$0\"#", "#\"clu", "cluster \"clusters/east.cluster.kdl\""),
        ("cluster ##\"clu$0\"##", "##\"clu", "cluster \"clusters/east.cluster.kdl\""),
        ("specs \"!jo$0\"", "!jo", "specs \"!jobs\""),
        ("specs \"jo$0\"", "jo", "specs \"jobs\""),
    ] {
        let marked = project(marked);
        let all = items(&editor, "tfjob.kdl", &marked);
        let filter = |item: &serde_json::Value| {
            item["filterText"].as_str().or(item["label"].as_str()).unwrap_or_default().to_owned()
        };
        let item = all
            .iter()
            .find(|item| filter(item).trim_start_matches('"').starts_with(typed.trim_start_matches('"')));
        let item = item.unwrap_or_else(|| panic!("{marked}: {all:?}"));
        let text = accept(&marked.replace("$0", ""), item);
        assert!(text.contains(wanted), "{text}");
    }
}
