//! Suggestions for findings whose help names one edit.
use crate::editor::Editor;
use crate::editor::texts::edited;
use serde_json::{Value, json};

/// A job without errors, which the tests change.
const JOB: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    image \"registry/team/a:1\"
    run \"python\" \"/a.py\"
    role \"worker\" count=2 {
        resources cpus=4 memory=\"16GiB\"
    }
}
";

/// Returns the titles of the quick fixes of a text, each with the text after it.
fn fixed(editor: &Editor, name: &str, text: &str) -> Vec<(String, String)> {
    editor.open(name, text);
    let end = json!({"line": text.lines().count(), "character": 0});
    let params = json!({
        "textDocument": {"uri": Editor::uri(name)},
        "range": {"start": {"line": 0, "character": 0}, "end": end},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    });
    let actions = editor.request("textDocument/codeAction", &params).expect("actions");
    let after = |action: &Value| {
        let title = action["title"].as_str()?.to_owned();
        Some((title, edited(text, &action["edit"]["changes"][Editor::uri(name)])))
    };
    actions.as_array().into_iter().flatten().filter_map(after).collect()
}

/// Returns faulty jobs, each with the title of the edit.
fn faulty() -> Vec<(String, &'static str)> {
    vec![
        // A missing property, and a missing entry.
        (JOB.replace(" memory=\"16GiB\"", ""), "add `memory=\"16GiB\"`"),
        (
            JOB.replace("        resources cpus=4 memory=\"16GiB\"\n", ""),
            "add `resources cpus=4 memory=\"16GiB\"`",
        ),
        (
            JOB.replace("\n        resources cpus=4 memory=\"16GiB\"\n    ", ""),
            "add `resources cpus=4 memory=\"16GiB\"`",
        ),
        // What has no effect, or is not supported.
        (JOB.replace("    role", "    param \"lr\" 0.1\n    role"), "remove it"),
        (
            JOB.replace("\"tensorflow\" version=\"2.15\"", "\"pytorch\"")
                .replace("worker\" count=2", "master\""),
            "remove `strategy`",
        ),
        (
            JOB.replace(
                "    role",
                "    role \"evaluator\" count=2 { resources cpus=4 memory=\"16GiB\"; }\n    role",
            ),
            "remove `count`",
        ),
        // Another value of a property.
        (JOB.replace("multi-worker-mirrored", "mirrored"), "write `strategy=\"multi-worker-mirrored\"`"),
        (
            JOB.replace("2.15", "2.16")
                .replace("multi-worker-mirrored", "estimator")
                .replace("    role", "    role \"chief\" { resources cpus=4 memory=\"16GiB\"; }\n    role"),
            "write `version=\"2.15\"`",
        ),
        // One of several readings of a value.
        (JOB.replace("16GiB", "8GB"), "replace `\"8GB\"` with `\"8GiB\"`"),
        (JOB.replace("16GiB", "8GB"), "replace `\"8GB\"` with `\"7630MiB\"`"),
        (JOB.replace("\"16GiB\"", "16"), "replace `16` with `\"16GiB\"`"),
        (JOB.replace("    role", "    deadline 90\n    role"), "replace `90` with `\"90m\"`"),
        // One of several roles, and names that the job declares.
        (
            JOB.replace("multi-worker-mirrored", "parameter-server")
                .replace("    role", "    resources cpus=1 memory=\"1GiB\"\n    role"),
            "add `role \"ps\"`",
        ),
        (
            JOB.replace("\"/a.py\"", "\"/a.py\" \"{dta}\"")
                .replace("    role", "    data \"train\" \"gs://bucket/train\"\n    role"),
            "write `{data.train}`",
        ),
        // Part of a feature that the target does not support.
        (
            JOB.replace(
                "\"16GiB\"",
                "\"16GiB\"\n        port \"metrics\" 9000\n        ready tcp=\"metrics\"",
            )
            .replace("    image", "    target \"kubernetes\"\n    image"),
            "write `ready tcp=\"rendezvous\"`",
        ),
        (
            JOB.replace(
                "    image",
                "    target \"kubernetes\"\n    restart \"on-failure\" limit=3 within=\"1h\"\n    image",
            ),
            "remove `limit` and `within`",
        ),
    ]
}

#[test]
fn the_edit_that_a_help_names_is_offered() {
    let editor = Editor::new(&[]);
    let number = std::cell::Cell::new(0);
    let after = |text: &str, title: &str| {
        number.set(number.get() + 1);
        let all = fixed(&editor, &format!("{}.tfjob.kdl", number.get()), text);
        let found = all.iter().find(|(one, _)| one.eq_ignore_ascii_case(title));
        found.unwrap_or_else(|| panic!("{title}: {all:?}")).1.clone()
    };
    for (wrong, title) in faulty() {
        assert_ne!(wrong, JOB);
        let new = after(&wrong, title);
        editor.open("new.tfjob.kdl", &new);
        // An accepted job may have more notes, and the job is also in the other file.
        let notes = [" emulated-feature: ", " target: ", " duplicate-name: "];
        let is_note = |one: &String| notes.iter().any(|note| one.contains(note));
        let problems = |name: &str| {
            let all = editor.told(name).into_iter().filter(|one| !is_note(one));
            all.collect::<Vec<_>>()
        };
        let before = problems(&format!("{}.tfjob.kdl", number.get()));
        let told = problems("new.tfjob.kdl");
        assert!(told.len() < before.len(), "{title}\n{new}\n{before:?}\n{told:?}");
        assert!(!told.iter().any(|one| one.contains("syntax") || one.contains("unknown")), "{new}: {told:?}");
    }
    let new = after(&JOB.replace(" memory=\"16GiB\"", ""), "add `memory=\"16GiB\"`");
    assert_eq!(new, JOB);
    let new = after(
        &JOB.replace("\n        resources cpus=4 memory=\"16GiB\"\n    ", ""),
        "add `resources cpus=4 memory=\"16GiB\"`",
    );
    assert!(new.contains("role \"worker\" count=2 { resources cpus=4 memory=\"16GiB\"; }"), "{new}");
}

/// The pages of all errors, each with faulty texts.
#[test]
fn a_suggestion_of_a_page_causes_no_syntax_error() {
    let editor = Editor::new(&[]);
    let mut applied = 0;
    for (code, page) in tfjob_lang::codes::PAGES {
        for (number, text) in
            page.split("```kdl\n").skip(1).filter_map(|rest| rest.split("```").next()).enumerate()
        {
            let text = text
                .strip_prefix("file=")
                .map_or(text, |rest| rest.split_once('\n').map_or(rest, |(_, text)| text));
            let name = format!("{code}{number}.tfjob.kdl");
            let syntax =
                |name: &str| editor.told(name).into_iter().filter(|one| one.contains("syntax")).count();
            let all = fixed(&editor, &name, text);
            let added = all.iter().filter(|(title, _)| {
                ["Add `", "Remove ", "Write `"].iter().any(|verb| title.starts_with(verb))
            });
            for (title, new) in added {
                let before = syntax(&name);
                editor.open("new.tfjob.kdl", new);
                assert!(syntax("new.tfjob.kdl") <= before, "{code} {title}:\n{new}");
                applied += 1;
            }
            for (title, new) in fixed(&editor, &format!("crlf-{name}"), &text.replace('\n', "\r\n")) {
                assert!(!new.replace("\r\n", "").contains('\n'), "{code} {title}: {new:?}");
            }
        }
    }
    assert!(applied > 20, "{applied}");
}

#[test]
fn a_setting_is_fixed_in_the_project_file() {
    let editor = Editor::new(&[("a.tfjob.kdl", JOB)]);
    let project = "project {\n    environment \"prod\" {\n        set \"role.worker.countt=3\"\n    }\n}\n";
    editor.open("a.tfjob.kdl", JOB);
    fixed(&editor, "tfjob.kdl", project);
    editor.settled("tfjob.kdl");
    let all = fixed(&editor, "tfjob.kdl", project);
    let wanted = ("Replace `countt` with `count`".to_owned(), project.replace("countt", "count"));
    assert!(all.contains(&wanted), "{all:?}");
}
