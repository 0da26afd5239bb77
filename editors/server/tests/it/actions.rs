//! Code actions.
use crate::editor::Editor;
use crate::editor::texts::edited;
use lsp_types::Range;
use serde_json::{Value, json};

pub const JOB: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    resources cpus=1 memory=\"1GiB\"
    image \"registry/team/a:1\"
    role \"worker\" count=2 {
        run \"python\" \"/a.py\"
    }
    target \"kubernetes\" {}
}
";

/// Returns the actions at the mark of a text.
pub fn at(editor: &Editor, name: &str, marked: &str, only: Option<&str>) -> Vec<Value> {
    let position = editor.open(name, marked);
    let mut context = json!({"diagnostics": []});
    if let Some(only) = only {
        context["only"] = json!([only]);
    }
    let params = json!({
        "textDocument": {"uri": Editor::uri(name)},
        "range": Range::new(position, position),
        "context": context,
    });
    let actions = editor.request("textDocument/codeAction", &params).expect("actions");
    actions.as_array().cloned().unwrap_or_default()
}

pub fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().filter_map(|action| action["title"].as_str()).collect()
}

/// Returns the text after an action with this start of its title.
fn after(editor: &Editor, marked: &str, title: &str) -> String {
    let actions = at(editor, "a.tfjob.kdl", marked, None);
    let action =
        actions.iter().find(|action| action["title"].as_str().is_some_and(|one| one.starts_with(title)));
    let Some(action) = action else { panic!("{title}: {:?}", titles(&actions)) };
    let edits = &action["edit"]["changes"][Editor::uri("a.tfjob.kdl")];
    edited(&marked.replace("$0", ""), edits)
}

#[test]
fn fixes_are_found_by_their_place() {
    let editor = Editor::new(&[]);
    let wrong = JOB.replace("count=2", "cu$0nt=2");
    assert_eq!(after(&editor, &wrong, "Replace `cunt` with `count`"), JOB);
    // Outside of the finding, there are none.
    let other = at(
        &editor,
        "a.tfjob.kdl",
        &JOB.replace("count=2", "cunt=2").replace("image", "ima$0ge"),
        Some("quickfix"),
    );
    assert_eq!(titles(&other), [] as [&str; 0]);
}

#[test]
fn fix_all_applies_only_automatic_fixes() {
    let editor = Editor::new(&[]);
    let wrong = JOB.replace("count=2", "cunt=2").replace("image", "imag");
    let actions = at(&editor, "a.tfjob.kdl", &wrong, Some("source.fixAll"));
    assert_eq!(titles(&actions), ["Apply all automatic fixes"]);
    let edits = &actions[0]["edit"]["changes"][Editor::uri("a.tfjob.kdl")];
    assert_eq!(edited(&wrong, edits), JOB);
    assert_eq!(titles(&at(&editor, "a.tfjob.kdl", JOB, Some("source.fixAll"))), [] as [&str; 0]);
}

#[test]
fn edits_name_the_version_if_the_editor_supports_it() {
    let params = json!({"capabilities": {"workspace": {"workspaceEdit": {"documentChanges": true}}}});
    let editor = Editor::with(&[], &params);
    let actions = at(&editor, "a.tfjob.kdl", &JOB.replace("count=2", "cu$0nt=2"), Some("quickfix"));
    assert_eq!(actions[0]["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
}

#[test]
fn a_secret_that_a_target_does_not_support_is_left_out() {
    let editor = Editor::new(&[]);
    let job = JOB.replace(
        "    target \"kubernetes\"",
        "    secret \"TOK$0EN\" from=\"hf\" key=\"t\"\n    target \"yarn\"",
    );
    let new = after(&editor, &job, "Compile without the secret on yarn (adds `allow \"secret-env\"`)");
    assert!(new.contains("allow \"secret-env\" on=\"yarn\""), "{new}");
}

#[test]
fn a_loss_is_accepted_with_a_reason() {
    let editor = Editor::new(&[]);
    let job = JOB.replace("    target \"kub", "    restart \"on-failure\" limit=3\n    target \"kub");
    let marked = job.replace("\"on-failure\" limit", "\"on-failure\" li$0mit");
    let new = after(&editor, &marked, "Accept incomplete support for `limit` on kubernetes");
    let line = "    allow \"restart\" on=\"kubernetes\" because=\"TODO: say why the job can run without it\"\n    target \"kubernetes\" {}";
    assert!(new.contains(line), "{new}");
    editor.replace("a.tfjob.kdl", &new);
    let told = editor.told("a.tfjob.kdl");
    assert!(!told.iter().any(|one| one.contains("unsupported-feature")), "{told:?}");
    let reason = told.iter().find(|one| one.contains("unexplained-allow"));
    assert!(reason.is_some_and(|one| one.starts_with("9:45 ")), "the reason is a placeholder: {told:?}");
    // The edit that the help names comes first.
    at(&editor, "b.tfjob.kdl", &marked, None);
    editor.settled("b.tfjob.kdl");
    let all = at(&editor, "b.tfjob.kdl", &marked, Some("quickfix"));
    let accept = "Accept incomplete support for `limit` on kubernetes (adds `allow \"restart\"`)";
    assert_eq!(titles(&all), ["Remove `limit`", accept]);
    assert_eq!(all[1]["diagnostics"].as_array().map(Vec::len), Some(1));
    let new =
        after(&editor, &marked.replace('\n', "\r\n"), "Accept incomplete support for `limit` on kubernetes");
    assert!(!new.replace("\r\n", "").contains('\n'), "the lines end as in the document: {new:?}");
    let new = new.replace("\r\n", "\n");
    // The feature is accepted, so the action is gone.
    let accepted = new.replace("\"on-failure\" limit", "\"on-failure\" li$0mit");
    let again = at(&editor, "a.tfjob.kdl", &accepted, Some("quickfix"));
    assert!(!titles(&again).iter().any(|title| title.starts_with("Accept")), "{again:?}");
}

#[test]
fn a_field_moves_to_the_role_and_back() {
    let editor = Editor::new(&[]);
    let moved = after(&editor, &JOB.replace("resources", "resou$0rces"), "Move `resources` to role `worker`");
    let wanted = JOB
        .replace("    resources cpus=1 memory=\"1GiB\"\n", "")
        .replace("count=2 {\n", "count=2 {\n        resources cpus=1 memory=\"1GiB\"\n");
    assert_eq!(moved, wanted);
    let back = after(&editor, &moved.replace("resources", "resou$0rces"), "Move `resources` to the job");
    assert!(back.contains("\n    resources cpus=1 memory=\"1GiB\"\n    role \"worker\""), "{back}");
    // A role without a block gets one.
    let job = JOB.replace(" {\n        run \"python\" \"/a.py\"\n    }", "\n    run \"python\" \"/a.py\"");
    let moved = after(&editor, &job.replace("run \"py", "ru$0n \"py"), "Move `run` to role `worker`");
    assert!(
        moved.contains("role \"worker\" count=2 {\n        run \"python\" \"/a.py\"\n    }\n"),
        "{moved}"
    );
    // And loses it with its only field.
    let back = after(&editor, &moved.replace("run \"py", "ru$0n \"py"), "Move `run` to the job");
    assert!(back.contains("    run \"python\" \"/a.py\"\n    role \"worker\" count=2\n"), "{back}");
}

#[test]
fn a_move_that_changes_the_job_is_not_offered() {
    let editor = Editor::new(&[]);
    let two = JOB.replace(
        "    target",
        "    role \"chief\" {\n        run \"python\" \"/a.py\"\n        resources cpus=2 memory=\"2GiB\"\n    }\n    target",
    );
    // The other role has other resources.
    let marked = two.replace("resources cpus=2", "resou$0rces cpus=2");
    let found = at(&editor, "a.tfjob.kdl", &marked, Some("refactor"));
    assert_eq!(titles(&found), [] as [&str; 0]);
    // The same program in both roles.
    let marked = two.replacen("run \"py", "ru$0n \"py", 1);
    let moved = after(&editor, &marked, "Move `run` to the job, as default of all roles");
    assert_eq!(moved.matches("run \"python\"").count(), 1, "{moved}");
    // A block without a value would only be copied.
    let named = JOB
        .replace("target \"kubernetes\" {}", "target \"kubernetes\" {\n        service-account \"a\"\n    }");
    for (job, mark, is_offered) in [
        (JOB, "targ$0et \"kub", false),
        (&JOB.replace("target \"kubernetes\" {}", "target \"kubernetes\""), "targ$0et \"kub", false),
        (&named, "targ$0et \"kub", true),
        (&JOB.replace("    target", "    env {\n    }\n    target"), "e$0nv {", false),
        (&JOB.replace("    target", "    restart \"never\"\n    target"), "rest$0art", true),
    ] {
        let plain = mark.replace("$0", "");
        assert!(job.contains(&plain), "{job}");
        let found = at(&editor, "a.tfjob.kdl", &job.replacen(&plain, mark, 1), Some("refactor"));
        assert_eq!(
            titles(&found).iter().any(|title| title.starts_with("Move `")),
            is_offered,
            "{job}: {found:?}"
        );
    }
    // A field that roles do not inherit.
    let found = at(&editor, "a.tfjob.kdl", &JOB.replace("framework", "frame$0work"), Some("refactor"));
    assert_eq!(titles(&found), [] as [&str; 0]);
}

#[test]
fn a_move_is_offered_only_at_the_field_of_a_job_without_errors() {
    let editor = Editor::new(&[]);
    let job = JOB.replace("    target", "    env {\n        A \"1\"\n    }\n    target");
    let offered = |marked: &str| !at(&editor, "a.tfjob.kdl", marked, Some("refactor")).is_empty();
    assert!(offered(&job.replace("env {", "e$0nv {")));
    assert!(!offered(&job.replace("A \"1\"", "A \"$01\"")), "a variable of the field");
    // Such a job has a plan, but no artifacts.
    let refused = job.replace("    target", "    restart \"on-failure\" limit=3\n    target");
    assert!(!offered(&refused.replace("env {", "e$0nv {")));
    // No target is configured, so those that accept the job are compared.
    let open = job.replace("    target \"kubernetes\" {}\n", "");
    assert!(offered(&open.replace("env {", "e$0nv {")));
}

/// The roles of the other spec need the field too.
#[test]
fn a_field_of_a_base_of_another_spec_is_not_moved() {
    let over = "extends \"base.tfjob.kdl\"\njob \"o\" {\n    role \"ps\" { run \"python\" \"/a.py\"; }\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", JOB), ("over.tfjob.kdl", over)]);
    let marked = JOB.replace("resources", "resou$0rces");
    let found = at(&editor, "base.tfjob.kdl", &marked, Some("refactor"));
    assert_eq!(titles(&found), [] as [&str; 0]);
}

/// An editor may not report that a file has changed on disk, so the file is checked again.
#[test]
fn a_fix_edits_a_file_as_it_is_on_disk() {
    let base = JOB.replace("role \"worker\"", "role \"wor$0kr\"");
    let over = "extends \"base.tfjob.kdl\"\njob \"o\" {\n    helper \"log\" { run \"x\"; }\n    role \"chief\" { run \"x\"; after \"workr\"; }\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", &base.replace("$0", "")), ("over.tfjob.kdl", over)]);
    let line = || {
        let found = at(&editor, "base.tfjob.kdl", &base, Some("quickfix"));
        let other = Editor::uri("over.tfjob.kdl");
        let edits = found.iter().find_map(|action| action["edit"]["changes"].get(&other));
        edits.and_then(|edits| edits[0]["range"]["start"]["line"].as_u64())
    };
    line();
    editor.findings("base.tfjob.kdl");
    assert_eq!(line(), Some(3));
    editor.write("over.tfjob.kdl", &over.replace("extends", "// One.\nextends"));
    assert_eq!(line(), Some(4));
}

#[test]
fn a_loss_is_accepted_in_json_and_yaml() {
    let editor = Editor::new(&[]);
    let yaml = "job:
  name: a
  framework: { name: tensorflow, version: \"2.15\", strategy: multi-worker-mirrored }
  image: registry/team/a:1
  resources: { cpus: 1, memory: 1GiB }
  restart: { policy: on-failure, li$0mit: 3 }
  role: { worker: { count: 2, run: [python, /a.py] } }
  target: { kubernetes: {} }
";
    let allowed = yaml.replace("  role:", "  allow:\n    - { feature: gang, because: x }\n  role:");
    let json = "{\"job\": {
    \"name\": \"a\", \"framework\": { \"name\": \"tensorflow\", \"version\": \"2.15\", \"strategy\": \"multi-worker-mirrored\" }, \"image\": \"registry/team/a:1\",
    \"resources\": { \"cpus\": 1, \"memory\": \"1GiB\" }, \"restart\": { \"policy\": \"on-failure\", \"li$0mit\": 3 },
    \"role\": { \"worker\": { \"count\": 2, \"run\": [\"python\", \"/a.py\"] } }, \"target\": { \"kubernetes\": {} }
}}
";
    // In braces over several lines, fields need commas in YAML too.
    let lines: Vec<&str> = yaml.lines().collect();
    let braces = format!("job: {{\n{},\n}}\n", lines[1..].join(",\n"));
    for (name, marked) in [
        ("a.tfjob.yaml", yaml.to_owned()),
        ("c.tfjob.yaml", braces),
        ("b.tfjob.yaml", allowed),
        ("a.tfjob.json", json.to_owned()),
        ("b.tfjob.json", json.replace("\"role\"", "\"allow\": [], \"role\"")),
    ] {
        let actions = at(&editor, name, &marked, Some("quickfix"));
        let action = actions
            .iter()
            .find(|one| one["title"].as_str().is_some_and(|one| one.starts_with("Accept incomplete")));
        let action = action.unwrap_or_else(|| panic!("{name}: {:?}", titles(&actions)));
        let new = edited(&marked.replace("$0", ""), &action["edit"]["changes"][Editor::uri(name)]);
        editor.replace(name, &new);
        let told = editor.told(name);
        assert!(
            !told.iter().any(|one| one.contains("unsupported-feature") || one.contains("syntax")),
            "{new}: {told:?}"
        );
        assert!(told.iter().any(|one| one.contains("allowed-feature")), "{new}: {told:?}");
    }
}

/// In each format, the action leaves a job for this target.
#[test]
fn a_target_is_added_to_a_job_without_one() {
    let editor = Editor::new(&[]);
    let json = "{\"job\": {\"na$0me\": \"a\", \"framework\": {\"name\": \"custom\"}, \"run\": [\"x\"], \"resources\": {\"cpus\": 1, \"memory\": \"1GiB\"}, \"image\": \"r/a:1\", \"role\": {\"worker\": {}}}}\n";
    let yaml = "job:\n  name: $0a\n  framework: { name: custom }\n  run: [x]\n  image: r/a:1\n  resources: { cpus: 1, memory: 1GiB }\n  role: { worker: {} }\n";
    let kdl = JOB.replace("    target \"kubernetes\" {}\n", "").replace("\"a\"", "\"$0a\"");
    let line = kdl.replace('\n', ";").replace("{;", "{").replace(";}", "}");
    let empty_json = json.replace("\"role\"", "\"target\": { }, \"role\"");
    let empty_yaml = yaml.replace("  role", "  target: {} # none\n  role");
    let empty_last = format!("{yaml}  target: {{\n  }}\n");
    for (name, marked) in [
        ("a.tfjob.json", json),
        ("b.tfjob.json", &empty_json),
        ("a.tfjob.yaml", yaml),
        ("b.tfjob.yaml", &empty_yaml),
        ("c.tfjob.yaml", &empty_last),
        ("a.tfjob.kdl", &kdl),
        ("b.tfjob.kdl", &line),
    ] {
        let actions = at(&editor, name, &marked.replace("na$0me\": \"", "name\": \"$0"), Some("quickfix"));
        let targets = tfjob_targets::ALL;
        assert_eq!(actions.len(), targets.len(), "{name}: {:?}", titles(&actions));
        for (action, target) in actions.iter().zip(targets) {
            let edits = &action["edit"]["changes"][Editor::uri(name)];
            let new = edited(&marked.replace("$0", ""), edits);
            editor.replace(name, &new);
            let told = editor.told(name);
            let is_wrong = |one: &String| {
                ["syntax", "unknown", "duplicate-key", "no `target`"].iter().any(|part| one.contains(part))
            };
            assert!(!told.iter().any(is_wrong), "{new}\n{told:?}");
            assert!(new.contains(target.name()), "{new}");
        }
    }
}

/// Two properties that belong to one block have the same fix, which is listed once.
#[test]
fn a_fix_of_two_findings_is_listed_once() {
    let editor = Editor::new(&[]);
    let wrong =
        "    role \"worker\" count=2 cpus=1 memory=\"1GiB\" {\n        run \"python\" \"/a.py\"\n    }\n";
    let right = "    role \"worker\" count=2 {\n        resources cpus=1 memory=\"1GiB\"\n        run \"python\" \"/a.py\"\n    }\n";
    let start = JOB.find("    role").expect("a role");
    let end = JOB.find("    target").expect("a target");
    let job = |role: &str| format!("{}{role}{}", &JOB[..start], &JOB[end..]);
    editor.open("a.tfjob.kdl", &job(wrong));
    let line = json!({"line": 4, "character": 0});
    let params = json!({
        "textDocument": {"uri": Editor::uri("a.tfjob.kdl")},
        "range": {"start": line, "end": {"line": 5, "character": 0}},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    });
    editor.settled("a.tfjob.kdl");
    let actions = editor.request("textDocument/codeAction", &params).expect("actions");
    let actions = actions.as_array().expect("a list");
    let [only] = actions.as_slice() else { panic!("{:?}", titles(actions)) };
    assert_eq!(only["diagnostics"].as_array().map(Vec::len), Some(2), "{only}");
    let edits = &only["edit"]["changes"][Editor::uri("a.tfjob.kdl")];
    assert_eq!(edited(&job(wrong), edits), job(right));
}
