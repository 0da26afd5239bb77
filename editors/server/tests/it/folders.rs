//! Folders of the workspace that are added and removed while the server runs.
use crate::editor::Editor;
use serde_json::{Value, json};

const SPEC: &str = "job \"a\" {\n    param \"lr\" 0.1\n    cuont 1\n}\n";

fn folder(name: &str) -> Value {
    json!({"uri": Editor::uri(name), "name": name})
}

fn editor(files: &[(&str, &str)], folders: &[&str]) -> Editor {
    let folders: Vec<Value> = folders.iter().map(|name| folder(name)).collect();
    Editor::with(files, &json!({"capabilities": {}, "workspaceFolders": folders}))
}

fn change(editor: &Editor, added: &[&str], removed: &[&str]) {
    let all = |names: &[&str]| names.iter().map(|name| folder(name)).collect::<Vec<_>>();
    let event = json!({"added": all(added), "removed": all(removed)});
    editor.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
}

/// Returns the names of the specs in the symbols of the workspace.
fn known(editor: &Editor) -> Vec<String> {
    let found = editor.request("workspace/symbol", &json!({"query": ""})).expect("symbols");
    let mut known: Vec<String> = found
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| {
            Some(one["location"]["uri"].as_str()?.trim_start_matches(&Editor::uri("")).to_owned())
        })
        .collect();
    known.dedup();
    known
}

#[test]
fn changes_of_the_folders_are_offered() {
    let editor = editor(&[], &["a"]);
    let offered = &editor.offered["capabilities"]["workspace"]["workspaceFolders"];
    assert_eq!(offered, &json!({"supported": true, "changeNotifications": true}));
}

#[test]
fn the_specs_of_a_folder_are_those_of_the_workspace() {
    let files = [("a/x.tfjob.kdl", SPEC), ("b/y.tfjob.kdl", SPEC), ("b/z.tfjob.kdl", SPEC)];
    let editor = editor(&files, &["a", "b"]);
    let has_findings = |name: &str| !editor.findings(name).is_empty();
    assert!(has_findings("b/y.tfjob.kdl"));
    assert_eq!(known(&editor), ["a/x.tfjob.kdl", "b/y.tfjob.kdl", "b/z.tfjob.kdl"]);
    // An open document stays known.
    editor.open("b/z.tfjob.kdl", SPEC);
    editor.findings("b/z.tfjob.kdl");
    change(&editor, &[], &["b"]);
    assert!(!has_findings("b/y.tfjob.kdl"));
    assert!(has_findings("a/x.tfjob.kdl") && has_findings("b/z.tfjob.kdl"));
    assert_eq!(known(&editor), ["a/x.tfjob.kdl", "b/z.tfjob.kdl"]);
    change(&editor, &["b"], &["a"]);
    assert!(has_findings("b/y.tfjob.kdl"));
    assert!(!has_findings("a/x.tfjob.kdl"));
    assert_eq!(known(&editor), ["b/y.tfjob.kdl", "b/z.tfjob.kdl"]);
}
