//! A fix names only findings that are gone after it.
use crate::editor::Editor;
use crate::editor::texts::edited;
use serde_json::{Value, json};

/// A job with a text in its block.
fn job(strategy: &str, rest: &str) -> String {
    let framework = format!("framework \"tensorflow\" version=\"2.15\" strategy=\"{strategy}\"");
    format!(
        "job \"a\" {{\n    {framework}\n    image \"ml/a:1\"\n    run \"x\"\n    resources cpus=1 memory=\"1GiB\"\n{rest}\n}}\n"
    )
}

/// Returns the findings of a text, and its fixes.
fn read(text: &str) -> (Vec<(String, String)>, Vec<Value>) {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", text);
    let found = editor.findings("a.tfjob.kdl");
    let fact = |message: &str| message.split("\nhelp: ").next().unwrap_or_default().to_owned();
    let found = found.iter().map(|one| (format!("{:?}", one.code), fact(&one.message))).collect();
    let params = json!({
        "textDocument": {"uri": Editor::uri("a.tfjob.kdl")},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    });
    let actions = editor.request("textDocument/codeAction", &params).expect("actions");
    (found, actions.as_array().cloned().unwrap_or_default())
}

#[test]
fn the_findings_of_a_fix_are_gone_after_it() {
    let targets = "    target \"yarn\" {}\n    target \"kubernetes\" {}\n    target \"dcos\" {}\n    target \"spark\" {}";
    let mut claimed = 0;
    for text in [
        job(
            "multi-worker-mirrored",
            &format!("    keep \"all\" for=\"1d\"\n    role \"worker\" count=2\n{targets}"),
        ),
        job(
            "multi-worker-mirrored",
            &format!("    restart \"on-failure\" limit=3\n    role \"worker\" count=2\n{targets}"),
        ),
        job("parameter-server", "    role \"ps\""),
        "job {\n".to_owned(),
        "job {\n}\n".to_owned(),
    ] {
        let (_, actions) = read(&text);
        for action in actions {
            let new = edited(&text, &action["edit"]["changes"][Editor::uri("a.tfjob.kdl")]);
            let (after, _) = read(&new);
            for finding in action["diagnostics"].as_array().into_iter().flatten() {
                let message = finding["message"].as_str().unwrap_or_default();
                let fact = message.split("\nhelp: ").next().unwrap_or_default();
                assert!(!after.iter().any(|(_, other)| other == fact), "{}: {fact}\n{new}", action["title"]);
                claimed += 1;
            }
        }
    }
    assert!(claimed > 8, "{claimed}");
}

/// Returns the titles of the fixes of a base file that a spec extends.
fn of_base(base: &str) -> Vec<String> {
    let spec = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    run \"x\"\n    target \"kubernetes\"\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", base), ("a.tfjob.kdl", spec)]);
    editor.open("base.tfjob.kdl", base);
    editor.findings("base.tfjob.kdl");
    let params = json!({
        "textDocument": {"uri": Editor::uri("base.tfjob.kdl")},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    });
    let actions = editor.request("textDocument/codeAction", &params).expect("actions");
    let all = actions.as_array().into_iter().flatten();
    all.map(|action| {
        assert!(action["diagnostics"].as_array().is_some_and(|all| !all.is_empty()), "{action}");
        action["title"].as_str().unwrap_or_default().to_owned()
    })
    .collect()
}

/// The findings of a base are those of the specs that extend it.
#[test]
fn the_fixes_of_a_base_are_those_of_its_findings() {
    let base = job(
        "multi-worker-mirrored",
        "    role \"worker\" count=2\n    restart \"on-failure\" limit=3\n    target \"kubernetes\"",
    );
    let titles = of_base(&base);
    let accepts = "Accept incomplete support for `limit` on kubernetes (adds `allow \"restart\"`)";
    assert!(titles.iter().any(|title| title == accepts), "{titles:?}");
    let incomplete = base.replace("    run \"x\"\n", "").replace("    restart \"on-failure\" limit=3\n", "");
    assert_eq!(of_base(&incomplete), [""; 0]);
}
