//! Values that differ between the environments of a project.
use crate::editor::Editor;
use serde_json::{Value, json};

const PROJECT: &str = "project {
    environment \"dev\" {
        target \"kubernetes\"
    }
    environment \"prod\" {
        target \"kubernetes\"
        set \"param.lr=9\"
        set \"role.worker.count=7\"
        set \"resources.gpus=2\"
    }
}
";

const JOB: &str = "job \"a\" {
    framework \"custom\"
    image \"a:1\"
    param \"lr\" 0.1
    param \"same\" 5
    data \"train\" \"gs://b/t\"
    resources cpus=1 memory=\"1GiB\"
    run \"x\" \"{param.lr}\" \"{param.same}\" \"{count}\" \"{data.train}\"
    role \"worker\" count=4
}
";

/// Starts an editor with the environments in both orders.
fn editors() -> [Editor; 2] {
    let (head, rest) = PROJECT.split_once("    environment \"prod\"").expect("two environments");
    let (first, second) = (head.trim_start_matches("project {\n"), rest.trim_end_matches("}\n"));
    let reversed = format!("project {{\n    environment \"prod\"{second}    }}\n{first}}}\n");
    let markdown = json!({"capabilities": {"textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {"snippetSupport": true}},
    }}});
    [PROJECT, &reversed].map(|project| Editor::with(&[("tfjob.kdl", project)], &markdown))
}

fn hover(editor: &Editor, mark: &str) -> String {
    let plain = mark.replace("$0", "");
    assert!(JOB.contains(&plain), "{mark}");
    let position = editor.open("a.tfjob.kdl", &JOB.replacen(&plain, mark, 1));
    let hover = editor.at("textDocument/hover", "a.tfjob.kdl", position);
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_hover_shows_the_values_of_all_environments() {
    for editor in editors() {
        for (mark, wanted) in [
            ("{param.l$0r}", ["- kubernetes (dev): `0.1`", "- kubernetes (prod): `9`"]),
            ("{cou$0nt}", ["- kubernetes (dev): `4`", "- kubernetes (prod): `7`"]),
            ("{param.l$0r}", ["`param \"lr\" 0.1` ([line 4]", "`param.lr=9` ("]),
        ] {
            let found = hover(&editor, mark);
            assert!(wanted.iter().all(|one| found.contains(one)), "{mark}: {found}");
            assert!(!found.contains("Value: "), "{mark}: {found}");
        }
        let role = hover(&editor, "role \"wor$0ker\"");
        assert_eq!(role.matches("`image \"a:1\"`").count(), 1, "{role}");
        assert!(role.contains("- prod: `role.worker.count=7` ("), "{role}");
        let count = hover(&editor, "count$0=4");
        assert!(count.contains("- kubernetes: native"), "{count}");
        assert!(count.contains("- prod: `role.worker.count=7` ([tfjob.kdl:"), "{count}");
        for (mark, wanted) in [("{param.sa$0me}", "Value: `5`"), ("{data.tr$0ain}", "Value: `gs://b/t`")] {
            let found = hover(&editor, mark);
            assert!(found.contains(wanted) && !found.contains("prod"), "{mark}: {found}");
        }
    }
}

/// An environment with errors has no value, so that of the other one is shown with its name.
#[test]
fn a_value_of_only_some_environments_has_their_names() {
    let faulty = PROJECT.replace("count=7", "count=0");
    let markdown = json!({"capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}});
    let editor = Editor::with(&[("tfjob.kdl", &faulty)], &markdown);
    let found = hover(&editor, "{cou$0nt}");
    assert!(found.contains("- kubernetes (dev): `4`") && !found.contains("Value: "), "{found}");
}

/// Returns the parts of the hints of the job, sorted.
fn hints(editor: &Editor) -> Vec<String> {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    editor.open("a.tfjob.kdl", JOB);
    let params = json!({"textDocument": {"uri": Editor::uri("a.tfjob.kdl")}, "range": range});
    let hints = editor.request("textDocument/inlayHint", &params).expect("hints");
    let all = hints.as_array().expect("a list");
    let labels = all.iter().filter_map(|hint| hint["label"].as_str());
    for (label, hint) in labels.clone().zip(all).filter(|(label, _)| label.starts_with("dev: 4 tasks")) {
        // A long hint is cut.
        assert_eq!(hint["tooltip"].as_str(), Some(label.replace("; ", "\n\n").as_str()), "{hint}");
    }
    let mut parts: Vec<String> = labels.flat_map(|label| label.split("; ")).map(str::to_owned).collect();
    parts.sort_unstable();
    parts
}

#[test]
fn a_hint_shows_the_values_of_all_environments() {
    for editor in editors() {
        let wanted = [
            "dev: 1 CPU, 1GiB",
            "dev: 4 tasks, restart never",
            "prod: 1 CPU, 1GiB, 2 GPUs",
            "prod: 7 tasks, 14 GPUs, restart never",
        ];
        assert_eq!(hints(&editor), wanted);
    }
}

/// The values of the only environment are not those in the text, so each place names it.
#[test]
fn the_only_environment_is_named_where_it_changes_values() {
    let (_, rest) = PROJECT.split_once("    environment \"prod\"").expect("two environments");
    let only = format!("project {{\n    environment \"prod\"{rest}");
    let markdown = json!({"capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}});
    let editor = Editor::with(&[("tfjob.kdl", &only)], &markdown);
    assert_eq!(hints(&editor), ["prod: 1 CPU, 1GiB, 2 GPUs", "prod: 7 tasks, 14 GPUs, restart never"]);
    for (mark, wanted) in [
        ("count$0=4", "- prod: `role.worker.count=7` ([tfjob.kdl:5]("),
        ("count=$04", "- prod: `role.worker.count=7` ([tfjob.kdl:5]("),
        ("param \"lr\" 0$0.1", "- prod: `param.lr=9` ([tfjob.kdl:4]("),
        ("res$0ources cpus=1", "- prod: `resources.gpus=2` ([tfjob.kdl:6]("),
        ("{cou$0nt}", "- kubernetes (prod): `7`"),
    ] {
        let found = hover(&editor, mark);
        assert!(found.contains(wanted), "{mark}: {found}");
    }
    for mark in ["cpu$0s=1", "image \"a$0:1\"", "j$0ob \"a\"", "role \"wor$0ker\""] {
        let found = hover(&editor, mark);
        assert!(!found.contains("Set in environments"), "{mark}: {found}");
    }
    // Without settings, the values are those in the text.
    let plain: String =
        only.lines().filter(|line| !line.contains("set ")).map(|line| format!("{line}\n")).collect();
    let editor = Editor::new(&[("tfjob.kdl", &plain)]);
    assert_eq!(hints(&editor), ["1 CPU, 1GiB", "4 tasks, restart never"]);
}

/// Each place in the spec leads to the value of the shown environment.
#[test]
fn the_preview_shows_the_values_of_settings() {
    for (number, editor) in editors().into_iter().enumerate() {
        for (mark, wanted) in [
            ("coun$0t=4", "replicas: 7"),
            ("count=$04", "replicas: 7"),
            ("res$0ources cpus", "nvidia.com/gpu: \"2\""),
        ] {
            let position = editor.open("a.tfjob.kdl", &JOB.replacen(&mark.replace("$0", ""), mark, 1));
            let mut params =
                json!({"uri": Editor::uri("a.tfjob.kdl"), "target": "kubernetes", "position": position});
            params["environment"] = json!(1 - number);
            let files = editor.request("tfjob/compiled", &params).expect("files")["files"].clone();
            let places = editor.request("tfjob/locate", &params).expect("places");
            let file =
                files.as_array().and_then(|all| all.iter().find(|file| file["path"] == places[0]["path"]));
            let text = file.and_then(|file| file["text"].as_str()).unwrap_or_default();
            let line = places[0]["range"]["start"]["line"].as_u64().unwrap_or_default();
            let line = text.lines().nth(line as usize).unwrap_or_default();
            assert!(line.contains(wanted), "{mark}: {places}\n{text}");
        }
    }
}

#[test]
fn a_completion_shows_the_values_of_all_environments() {
    for editor in editors() {
        let position = editor.open("a.tfjob.kdl", &JOB.replace("{param.lr}", "{$0}"));
        let list = editor.at("textDocument/completion", "a.tfjob.kdl", position);
        let detail = |label: &str| -> String {
            let found =
                list["items"].as_array().and_then(|all| all.iter().find(|item| item["label"] == label));
            found.map_or(&Value::Null, |item| &item["detail"]).as_str().unwrap_or_default().to_owned()
        };
        let mut parts: Vec<String> = detail("param.lr").split("; ").map(str::to_owned).collect();
        parts.sort_unstable();
        assert_eq!(parts, ["dev: 0.1", "prod: 9"], "{list}");
        assert_eq!(detail("param.same"), "5");
    }
}

/// A wrong number must not show another environment.
#[test]
fn a_preview_has_only_environments_of_the_spec() {
    let [editor, _] = editors();
    editor.open("a.tfjob.kdl", JOB);
    editor.open("tfjob.kdl", PROJECT);
    let told = |name: &str, environment: Value| {
        let params = json!({"uri": Editor::uri(name), "target": "kubernetes", "environment": environment});
        editor.request("tfjob/compiled", &params).err()
    };
    for valid in [json!(0), json!(1), Value::Null] {
        assert_eq!(told("a.tfjob.kdl", valid), None);
    }
    for wrong in [json!(2), json!(-1), json!(1.5), json!("prod"), json!(u64::MAX)] {
        let told = told("a.tfjob.kdl", wrong).unwrap_or_default();
        assert!(told.contains("environment"), "{told}");
    }
    assert_eq!(told("tfjob.kdl", json!(0)).as_deref(), Some("the document is not a job spec"));
}
