//! Findings while the user types.
use crate::actions;
use crate::editor::Editor;
use crate::memory::check;
use lsp_types::{DiagnosticSeverity, Position};
use serde_json::json;
use std::path::Path;
use tfjob_server::Options;

const JOB: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\"
    resources cpus=1 memory=\"1GiB\"
    image \"registry/team/a:1\"
    role \"worker\" count=1 { run \"python\" \"/a.py\"; }
    target \"kubernetes\" {}
}
";

const WITHOUT_TARGET: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    resources cpus=1 memory=\"1GiB\"
    image \"registry/team/a:1\"
    run \"python\" \"/a.py\"
    role \"worker\" count=2 {
    }
}
";

#[test]
fn findings_follow_each_edit() {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", JOB);
    assert_eq!(editor.told("a.tfjob.kdl"), [] as [&str; 0]);
    editor.replace("a.tfjob.kdl", &JOB.replace("count=1", "cuont=1"));
    let told = editor.told("a.tfjob.kdl");
    assert_eq!(told, ["5:19 unknown-property: unknown property `cuont` in `role`"], "{told:?}");
    let range = json!({"start": {"line": 4, "character": 18}, "end": {"line": 4, "character": 23}});
    editor.change("a.tfjob.kdl", json!([{"range": range, "text": "count"}]));
    assert_eq!(editor.told("a.tfjob.kdl"), [] as [&str; 0]);
}

#[test]
fn notes_are_hints_and_labels_do_not_repeat_their_finding() {
    let editor = Editor::new(&[]);
    let text = "job \"a\" {\n    framework \"custom\"\n    role \"worker\" { run \"true\"; }\n    resources cpus=1 \
                memory=\"64MiB\"\n    target \"local\"\n}\n";
    editor.open("a.tfjob.kdl", text);
    let found = editor.findings("a.tfjob.kdl");
    assert!(!found.is_empty(), "notes");
    assert!(found.iter().all(|one| one.severity == Some(DiagnosticSeverity::HINT)), "{found:?}");
    editor.replace("a.tfjob.kdl", &text.replace("cpus=1", "cpsu=1"));
    let found = editor.findings("a.tfjob.kdl");
    let errors: Vec<_> = found.iter().filter(|one| one.severity == Some(DiagnosticSeverity::ERROR)).collect();
    assert!(!errors.is_empty(), "{found:?}");
    for one in &found {
        let more = one.related_information.iter().flatten();
        assert!(more.into_iter().all(|label| label.location.range != one.range), "{one:?}");
    }
}

/// `tfjob check` prints one line about the targets of such a job. It is no error, and no warning.
#[test]
fn a_job_without_a_target_shows_which_targets_accept_it() {
    let editor = Editor::new(&[("closed.tfjob.kdl", WITHOUT_TARGET)]);
    let text = WITHOUT_TARGET;
    editor.open("a.tfjob.kdl", text);
    let found = editor.findings("a.tfjob.kdl");
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((one.range.start, one.severity), (Position::new(0, 4), Some(DiagnosticSeverity::INFORMATION)));
    let registry = tfjob_targets::REGISTRY;
    let path = Path::new("/project/a.tfjob.kdl");
    let read = |wanted: &Path| (wanted == path).then(|| text.to_owned());
    let mut checked = check(path, &Options::default(), &read).expect("a spec");
    let printed = checked.summary.take().expect("no target").to_string();
    let (counts, command) =
        printed.split_once(": tfjob check --target ").expect("a target that refuses the job");
    let refused = command.split(' ').next().unwrap_or_default();
    let help = format!("to see the reasons of {refused}, add `target \"{refused}\"` to the job");
    assert_eq!(one.message, format!("no `target`: {counts}\nhelp: {help}"));
    assert_eq!(editor.findings("closed.tfjob.kdl"), [], "closed files may be many");
    // With a target, or with an error, there is nothing to say.
    for target in registry.targets {
        let block = format!("    target \"{}\"\n}}\n", target.name());
        editor.replace("a.tfjob.kdl", &text.replace("}\n}\n", &format!("}}\n{block}")));
        assert!(
            !editor.told("a.tfjob.kdl").iter().any(|one| one.contains("no `target`")),
            "{}",
            target.name()
        );
    }
    editor.replace("a.tfjob.kdl", &text.replace("cpus=1", "cpus=0"));
    assert_eq!(editor.told("a.tfjob.kdl").len(), 1);
    // If all targets accept it, editors do not list it as a problem.
    editor.replace("a.tfjob.kdl", &text.replace("2 {", "1 {").replace("multi-worker-", ""));
    let found = editor.findings("a.tfjob.kdl");
    assert!(matches!(found.as_slice(), [one] if one.severity == Some(DiagnosticSeverity::HINT)), "{found:?}");
    editor.notify("workspace/didChangeConfiguration", json!({"settings": {"tfjob": {"targets": ["local"]}}}));
    assert!(!editor.told("a.tfjob.kdl").iter().any(|one| one.contains("no `target`")));
}

#[test]
fn an_edit_of_a_base_changes_the_findings_of_a_spec_that_is_not_open() {
    let base = "job {\n    image \"registry/team/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n}\n";
    let spec = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    framework \"tensorflow\" version=\"2.15\"\n    \
                role \"worker\" count=1 { run \"python\" \"/a.py\"; }\n    target \"kubernetes\" {}\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", base), ("a.tfjob.kdl", spec)]);
    editor.open("base.tfjob.kdl", base);
    assert_eq!(editor.told("base.tfjob.kdl"), [] as [&str; 0], "a base need not be complete");
    editor.replace("base.tfjob.kdl", &base.replace("    image \"registry/team/a:1\"\n", ""));
    editor.findings("base.tfjob.kdl");
    let told = editor.told("a.tfjob.kdl");
    assert!(told.iter().any(|one| one.contains("image")), "{told:?}");
    editor.replace("base.tfjob.kdl", &base.replace("cpus=1", "cpus=x"));
    let told = editor.told("base.tfjob.kdl");
    assert!(told.iter().any(|one| one.starts_with("3:20 ")), "{told:?}");
}

/// The host drops its cached project if a project may contain a new file.
#[test]
fn a_file_that_is_created_is_searched_in_its_project() {
    let editor = Editor::new(&[("a.tfjob.kdl", JOB), ("b.tfjob.kdl", JOB)]);
    let told = |name: &str, change: u32| {
        let before = editor.forgotten();
        let changes = json!([{"uri": Editor::uri(name), "type": change}]);
        editor.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
        editor.forgotten() - before
    };
    editor.open("a.tfjob.kdl", JOB);
    assert_eq!(editor.forgotten(), 0, "known from the start");
    editor.open("new.tfjob.kdl", JOB);
    assert_eq!(editor.forgotten(), 1);
    editor.replace("new.tfjob.kdl", JOB);
    assert_eq!(editor.forgotten(), 1);
    for change in [1, 3] {
        assert_eq!(told("c.tfjob.kdl", change), 1, "{change}");
    }
    editor.notify("textDocument/didSave", json!({"textDocument": {"uri": Editor::uri("new.tfjob.kdl")}}));
    assert_eq!(editor.forgotten(), 4, "the first save creates the file");
}

#[test]
fn edits_of_a_cluster_file_that_are_not_saved_are_lost_when_it_is_closed() {
    let cluster = "cluster \"east\" target=\"kubernetes\" {\n}\n";
    let editor = Editor::new(&[("all.cluster.kdl", cluster), ("a.tfjob.kdl", JOB)]);
    editor.open("a.tfjob.kdl", JOB);
    let before = editor.told("a.tfjob.kdl");
    editor.open(
        "all.cluster.kdl",
        &cluster.replace("{\n", "{\n    nodes \"cpu\" count=1 cpus=1 memory=\"1MiB\"\n"),
    );
    let with_text = editor.told("a.tfjob.kdl");
    assert_ne!(with_text, before, "the text of an open cluster file is used");
    let forgotten = editor.forgotten();
    editor.notify("textDocument/didClose", json!({"textDocument": {"uri": Editor::uri("all.cluster.kdl")}}));
    assert_eq!(editor.told("a.tfjob.kdl"), before);
    assert!(editor.forgotten() > forgotten);
}

/// Outside of the directories that the user opened, nothing else refers to a closed document.
#[test]
fn a_closed_document_outside_of_the_directories_has_no_findings() {
    let editor = Editor::new(&[]);
    let uri = "file:///elsewhere/a.tfjob.kdl";
    let text = JOB.replace("count=1", "cuont=1");
    editor.write("/elsewhere/a.tfjob.kdl", &text);
    editor.open("b.tfjob.kdl", JOB);
    let document = json!({"uri": uri, "languageId": "tfjob", "version": 1, "text": text});
    editor.notify("textDocument/didOpen", json!({"textDocument": document}));
    editor.findings("b.tfjob.kdl");
    assert_eq!(editor.shown.borrow().get(uri).map(Vec::len), Some(1));
    editor.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    editor.findings("b.tfjob.kdl");
    assert_eq!(editor.shown.borrow().get(uri).map(Vec::len), Some(0));
}

/// After `git checkout`, an editor reports hundreds of files in one notification.
#[test]
fn changed_files_are_handled_together() {
    let editor = Editor::new(&[("a.tfjob.kdl", JOB)]);
    let changes = |uris: [&str; 3]| {
        let change = |uri: &&str| json!({"uri": uri, "type": 1});
        let before = editor.forgotten();
        let changes: Vec<_> = uris.iter().map(change).collect();
        editor.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
        editor.forgotten() - before
    };
    let uris = ["x", "y", "z"].map(|name| Editor::uri(&format!("{name}.tfjob.kdl")));
    assert_eq!(changes([&uris[0], &uris[1], &uris[2]]), 1);
    // A wrong URI does not hide the files after it.
    editor.write("x.tfjob.kdl", &JOB.replace("count=1", "cuont=1"));
    changes(["untitled:a", "%%", &uris[0]]);
    assert_eq!(editor.findings("x.tfjob.kdl").len(), 1);
}

/// The finding is about the whole job.
#[test]
fn a_job_that_no_target_accepts_has_an_error() {
    let editor = Editor::new(&[]);
    let nowhere = JOB.replace("    target \"kubernetes\" {}\n", "    checkpoints \"pvc://claim\" at=\"/state\" every=\"10m\"\n    restart \"on-failure\" limit=3 backoff=\"10s\"\n");
    editor.open("a.tfjob.kdl", &nowhere);
    let told = editor.told("a.tfjob.kdl");
    let [error, counts] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(error, "1:5 unsupported-feature: no target accepts this job");
    assert!(
        counts.starts_with("1:5 target: no `target`: compiles for no target; not for yarn ("),
        "{counts}"
    );
    // With a target, its errors are shown.
    let fixes = actions::at(&editor, "a.tfjob.kdl", &nowhere.replace("\"a\"", "\"$0a\""), Some("quickfix"));
    let titles = actions::titles(&fixes);
    assert!(titles.iter().any(|title| title.starts_with("Compile for kubernetes")), "{titles:?}");
}

#[test]
fn a_document_over_the_size_limit_has_only_this_finding() {
    let editor = Editor::new(&[]);
    let large = format!("{JOB}//{}\n", "x".repeat(1 << 20));
    editor.open("a.tfjob.kdl", &large);
    let told = editor.told("a.tfjob.kdl");
    assert!(told.len() == 1 && told[0].contains("too-large"), "{told:?}");
    let symbols = json!({"textDocument": {"uri": Editor::uri("a.tfjob.kdl")}});
    assert!(editor.request("textDocument/documentSymbol", &symbols).is_ok_and(|found| found.is_null()));
    // After the edit, it is not too large any more.
    let lines = JOB.lines().count();
    let range = json!({"start": {"line": lines, "character": 0}, "end": {"line": lines + 1, "character": 0}});
    editor.change("a.tfjob.kdl", json!([{"range": range, "text": ""}]));
    assert!(editor.request("textDocument/documentSymbol", &symbols).is_ok_and(|found| found.is_array()));
    // On a busy machine, findings may come late.
    let is_empty = (0..20).any(|_| editor.told("a.tfjob.kdl").is_empty());
    assert!(is_empty, "{:?}", editor.told("a.tfjob.kdl"));
}

/// A base may be correct alone: then only the spec that extends it has the finding.
#[test]
fn a_finding_in_a_base_names_the_spec() {
    let spec = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    framework \"tensorflow\" version=\"2.15\" \
                strategy=\"multi-worker-mirrored\"\n}\n";
    let base = JOB.replace("    role", "    role \"ps\" { run \"python\" \"/a.py\"; }\n    role");
    let base = base.replace("version=\"2.15\"", "version=\"2.15\" strategy=\"parameter-server\"");
    let editor = Editor::new(&[("base.tfjob.kdl", &base), ("a.tfjob.kdl", spec), ("b.tfjob.kdl", spec)]);
    editor.open("base.tfjob.kdl", &base);
    editor.settled("base.tfjob.kdl");
    let found = editor.findings("base.tfjob.kdl");
    let errors = found.iter().filter(|one| one.severity == Some(DiagnosticSeverity::ERROR));
    let named = |one: &lsp_types::Diagnostic| -> Vec<String> {
        let more = one.related_information.iter().flatten();
        more.filter(|more| more.message.starts_with("this spec has"))
            .map(|more| more.location.uri.to_string())
            .collect()
    };
    let all: Vec<_> = errors.map(named).collect();
    assert!(!all.is_empty(), "{found:?}");
    for uris in all {
        assert_eq!(uris, ["file:///project/a.tfjob.kdl", "file:///project/b.tfjob.kdl"]);
    }
}

#[test]
fn the_first_error_lists_the_targets_that_are_not_checked() {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", &JOB.replace("\"kubernetes\"", "\"k8s\""));
    let findings = editor.findings("a.tfjob.kdl");
    let more = findings.iter().flat_map(|one| one.related_information.iter().flatten());
    let unchecked: Vec<&str> =
        more.map(|one| one.message.as_str()).filter(|one| one.contains("checked until")).collect();
    assert_eq!(unchecked.len(), 1, "{findings:?}");
    assert!(unchecked[0].starts_with("kubernetes not"), "{unchecked:?}");
}

/// Some extensions send requests all the time.
#[test]
fn findings_are_published_between_requests() {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", "job");
    let begun = std::time::Instant::now();
    while editor.shown.borrow().is_empty() {
        editor.request("tfjob/strategies", &json!({})).expect("strategies");
        assert!(begun.elapsed().as_secs() < 60, "no findings");
    }
}

/// The editor shows the directory already.
#[test]
fn messages_name_files_below_the_opened_directory() {
    let extends = |name: &str| format!("extends \"{name}.tfjob.kdl\"\n{JOB}");
    let editor = Editor::new(&[("jobs/b.tfjob.kdl", &extends("a")), ("jobs/a.tfjob.kdl", &extends("b"))]);
    editor.open("jobs/a.tfjob.kdl", &extends("b"));
    editor.open("c.tfjob.kdl", &extends("nope"));
    editor.open("s.tfjob.kdl", JOB);
    editor.open("t.tfjob.kdl", JOB);
    let mut seen = 0;
    for name in ["jobs/a.tfjob.kdl", "c.tfjob.kdl", "t.tfjob.kdl"] {
        for one in editor.findings(name) {
            let more = one.related_information.iter().flatten().map(|more| more.message.clone());
            for text in more.chain([one.message.clone()]) {
                assert!(!text.contains("/project/"), "{text}");
                seen += usize::from(
                    text.contains("a.tfjob.kdl") || text.contains("nope") || text.contains("s.tfjob.kdl"),
                );
            }
        }
    }
    assert!(seen > 2, "{seen}");
}
