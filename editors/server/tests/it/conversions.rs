//! Conversions of specs between KDL, YAML, and JSON.
use crate::actions::{JOB, at, titles};
use crate::editor::Editor;
use serde_json::{Value, json};

fn creating() -> Value {
    json!({"capabilities": {"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}}}})
}

/// Returns the file that a conversion creates: its name and its text.
fn created(action: &Value) -> (String, String) {
    let operations = &action["edit"]["documentChanges"];
    assert_eq!(operations[0]["kind"], "create");
    let uri = operations[0]["uri"].as_str().expect("a URI");
    let text = operations[1]["edits"][0]["newText"].as_str().expect("a text");
    (uri.rsplit('/').next().unwrap_or_default().to_owned(), text.to_owned())
}

/// Returns the artifacts for all targets.
fn artifacts(editor: &Editor, name: &str) -> Vec<Value> {
    let preview = |target: &&str| {
        let params = json!({"uri": Editor::uri(name), "target": target});
        editor.request("tfjob/compiled", &params).expect("a preview")["files"].clone()
    };
    ["yarn", "kubernetes", "spark"].iter().map(preview).collect()
}

#[test]
fn a_converted_spec_compiles_to_the_same_artifacts() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<_> =
        std::fs::read_dir(root).expect("examples").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let editor = Editor::with(&[], &creating());
    let mut compared = 0;
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.ends_with(".kdl") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("an example");
        let actions = at(&editor, &name, &text, Some("source.convert"));
        assert_eq!(actions.len(), 2, "{name}: {:?}", titles(&actions));
        let old = artifacts_of(&editor, &name);
        for action in &actions {
            let (new_name, new) = created(action);
            let back = at(&editor, &new_name, &new, Some("source.convert"));
            assert_eq!(old, artifacts_of(&editor, &new_name), "{new_name}:\n{new}");
            let kdl = back
                .iter()
                .find(|action| titles(std::slice::from_ref(action))[0].starts_with("Convert to KDL"));
            let (kdl_name, kdl) =
                created(kdl.unwrap_or_else(|| panic!("{new_name} is converted back:\n{new}")));
            editor.replace(&name, &kdl);
            assert_eq!((kdl_name.as_str(), &artifacts_of(&editor, &name)), (name.as_str(), &old), "{kdl}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// Returns the artifacts of a spec; the findings of a cluster file.
fn artifacts_of(editor: &Editor, name: &str) -> Vec<Value> {
    if name.contains(".cluster.") {
        return editor.told(name).into_iter().map(Value::from).collect();
    }
    artifacts(editor, name)
}

#[test]
fn hard_texts_survive_a_conversion() {
    let editor = Editor::with(&[], &creating());
    let job = "job \"a\" {
    framework \"tensorflow\" version=\"2.10\" strategy=\"multi-worker-mirrored\"
    description \"é😀: # \\\"yes\\\" {{\"
    labels { \"x.y\" \"no\"; team \"null\"; n \"012\"; }
    resources cpus=0.5 memory=\"1GiB\" { device \"rdma/hca\" 1; }
    image \"registry/team/a:1\" pull=\"always\"
    param \"lr\" 1.5e-3
    param \"hex\" 0x10
    param \"on\" #true
    env { A \"\"; B \" x\"; \"true\" \"1\"; }
    port \"web\" \"auto\" link=\"Web\"
    role \"worker\" count=2 { shell \"set -e\\n\\n  python /a.py\\n\"; }
    allow \"gang\" because=\"a\"
    allow \"deadline\" on=\"yarn\" because=\"b\"
    target \"kubernetes\" { namespace \"ml\"; toleration \"a\"; }
}
";
    let name = "a.tfjob.kdl";
    let actions = at(&editor, name, job, Some("source.convert"));
    let old = (artifacts(&editor, name), messages(&editor, name));
    assert_eq!(actions.len(), 2, "{:?}", old.1);
    for action in &actions {
        let (new_name, new) = created(action);
        editor.open(&new_name, &new);
        // The new file is a second spec with the same job.
        let told: Vec<_> =
            messages(&editor, &new_name).into_iter().filter(|code| code != "duplicate-name").collect();
        assert_eq!(told, old.1, "{new}");
        for (one, other) in artifacts(&editor, &new_name).iter().zip(&old.0) {
            assert_eq!(one, other, "{new}");
        }
    }
}

/// Returns the codes of the findings of a file.
fn messages(editor: &Editor, name: &str) -> Vec<String> {
    let mut all: Vec<String> = editor
        .told(name)
        .iter()
        .filter_map(|one| Some(one.split_once(' ')?.1.split(':').next()?.to_owned()))
        .collect();
    all.sort();
    all
}

#[test]
fn conversions_are_offered_where_they_make_sense() {
    let editor = Editor::with(&[], &creating());
    let offered = |marked: &str| {
        let actions = at(&editor, "a.tfjob.kdl", marked, None);
        titles(&actions).iter().any(|title| title.starts_with("Convert"))
    };
    assert!(offered(&JOB.replace("job \"a\"", "job \"$0a\"")));
    assert!(!offered(&JOB.replace("image", "im$0age")));
    assert!(!offered("job \"$0a\" { role }"), "a text with errors");
    let with_comment = format!("// x\n{JOB}");
    let actions = at(&editor, "a.tfjob.kdl", &with_comment, Some("source"));
    assert_eq!(titles(&actions)[0], "Convert to YAML: create a.tfjob.yaml (without comments)");
    // Comments at the end of a line, and disabled entries, are not written either.
    for (name, text) in [
        ("a.tfjob.yaml", "job: {name: a, framework: custom} # x\n"),
        ("b.tfjob.kdl", "job \"b\" {\n    framework \"custom\"\n    /-image \"x\"\n}\n"),
        ("c.tfjob.kdl", "job \"c\" {\n    framework \"custom\" /-version=\"2.15\"\n}\n"),
    ] {
        let actions = at(&editor, name, text, Some("source"));
        assert!(titles(&actions).iter().all(|title| title.ends_with(" (without comments)")), "{actions:?}");
        assert_eq!(actions.len(), 2, "{name}");
    }
    let plain = Editor::new(&[]);
    assert_eq!(titles(&at(&plain, "a.tfjob.kdl", JOB, Some("source.convert"))), [] as [&str; 0]);
}

/// A value without a form in YAML is the reason why the action cannot be applied. Other editors do not show such actions.
#[test]
fn a_conversion_that_is_not_possible_has_a_reason() {
    let marked = JOB.replace("\"a\" {", "\"$0a\" {").replace("    image", "    param \"c\" 1E3\n    image");
    let mut client = creating();
    let yaml = |client: &Value| {
        let editor = Editor::with(&[], client);
        let all = at(&editor, "a.tfjob.kdl", &marked, Some("source.convert"));
        all.into_iter().find(|one| one["title"].as_str().is_some_and(|title| title.contains("YAML")))
    };
    assert_eq!(yaml(&client), None);
    client["capabilities"]["textDocument"] = json!({"codeAction": {"disabledSupport": true}});
    let action = yaml(&client).expect("a disabled action");
    assert_eq!(action["disabled"], json!({"reason": "YAML cannot express a value of this file"}));
    assert!(action.get("edit").is_none());
}
