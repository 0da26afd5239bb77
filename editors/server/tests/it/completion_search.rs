//! The fields that an editor finds by a typed word.
use crate::completion::{items, labels};
use crate::editor::Editor;
use serde_json::Value;

/// Returns the labels of the items that an editor shows after a word is typed: the letters of the word occur in the compared text in
/// this order.
fn found(marked: &str) -> Vec<String> {
    let word = marked.split("$0").next().unwrap_or_default().rsplit([' ', '\n']).next().unwrap_or_default();
    let is_shown = |item: &Value| {
        let text = item["filterText"].as_str().or(item["label"].as_str()).unwrap_or_default();
        assert!(!text.contains(' '), "the list stays open after a space: {text}");
        let mut letters = text.chars();
        word.chars().all(|c| letters.any(|other| other == c))
    };
    let all = items(&Editor::new(&[]), "a.tfjob.kdl", marked);
    let shown: Vec<Value> = all.into_iter().filter(is_shown).collect();
    let mut labels = labels(&shown);
    labels.sort();
    labels
}

#[test]
fn words_of_users_find_only_their_fields() {
    for (word, wanted) in [
        ("bucket", &["checkpoints", "data"][..]),
        ("volum", &["checkpoints", "data"]),
        ("toler", &["target"]),
        ("replic", &["helper", "role"]),
        ("mem", &["resources"]),
        ("wait", &["after", "start"]),
        ("role", &["role"]),
        ("fra", &["framework"]),
        ("queue", &["target"]),
        ("cpus", &["resources"]),
        ("node-selector", &["placement"]),
        ("entrypoint", &["run"]),
        ("passw", &["secret"]),
        ("credential", &["secret"]),
        ("zzz", &[]),
    ] {
        assert_eq!(found(&format!("job \"a\" {{\n    {word}$0\n}}\n")), wanted, "{word}");
    }
    for (word, wanted) in [("mem", &["resources"][..]), ("wait", &["after"]), ("toler", &["target"])] {
        let text = format!("job \"a\" {{\n    role \"worker\" {{\n        {word}$0\n    }}\n}}\n");
        assert_eq!(found(&text), wanted, "{word}");
    }
}
