//! `tfjob lsp` over standard input and output, as editors start it.
#![expect(clippy::unwrap_used, reason = "a test may")]
mod broken;
mod client;
mod unread;

use crate::program::{folder, out, run};
use broken::{BROKEN, Case};
use client::Client;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[test]
fn the_server_answers_and_ends() {
    let dir = folder();
    let (mut client, answer) = Client::start(dir.path());
    assert_eq!(answer["serverInfo"]["name"], "tfjob", "{answer}");
    let page = client.request("tfjob/explain", json!({"topic": "unsupported-feature"}));
    assert!(page["markdown"].as_str().is_some_and(|text| text.contains("# unsupported-feature")), "{page}");
    assert!(client.stop());
}

/// Each finding is at the same place, with the same code and message, in both.
#[test]
fn the_server_reports_what_check_reports() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let (mut client, _) = Client::start(&root);
    let mut wrong = Vec::new();
    for Case { name, files, open } in BROKEN {
        let folder = root.join(name);
        for (file, text) in *files {
            fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
            fs::write(folder.join(file), text).unwrap();
        }
        // The repository ends the search for a project file.
        fs::create_dir_all(folder.join(".git")).unwrap();
        let is_project = files.iter().any(|(file, _)| *file == "tfjob.kdl");
        let path = folder.join(open);
        let name = path.to_string_lossy();
        let mut args = vec!["check", "--format", "json"];
        args.extend(Some(&*name).filter(|_| !is_project));
        let report: Value = serde_json::from_str(out(&run(&folder, &args))).unwrap();
        let wanted = reported(&folder, &report);
        assert!(!wanted.is_empty(), "{name}: no finding");
        client.open(&path);
        let published = client.findings(&path);
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": client::uri(&path)}}));
        // Only the server has these findings: it also checks a spec of a faulty project, and counts the errors of all targets.
        let is_shared = |found: &&Value| {
            let own = ["is only partly checked", "no `target`: compiles for"];
            !found["message"].as_str().is_some_and(|text| own.iter().any(|part| text.contains(part)))
        };
        let all = published
            .iter()
            .flat_map(|(file, found)| found.iter().filter(is_shared).map(|one| shown(file, one)));
        let mut found: Vec<String> = all.collect();
        found.sort();
        if found != wanted {
            wrong.push(format!("{name}: the server reports\n{found:#?}\ninstead of\n{wanted:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(client.stop());
}

/// The server reads the project again if a spec is opened that it has not checked before.
#[test]
fn a_spec_that_is_created_later_is_checked_with_its_project() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let spec = "job \"a\" {\n    framework \"custom\"\n    image \"registry/a:1\"\n    resources cpus=8 memory=\"1GiB\"\n    \
                role \"worker\" { run \"x\"; }\n}\n";
    let cluster =
        "cluster \"east\" target=\"kubernetes\" {\n    nodes \"cpu\" count=1 cpus=4 memory=\"8GiB\"\n}\n";
    let project = "project {\n    environment \"x\" {\n        cluster \"east.cluster.kdl\"\n    }\n}\n";
    for (file, text) in [("a.tfjob.kdl", spec), ("east.cluster.kdl", cluster), ("tfjob.kdl", project)] {
        fs::write(root.join(file), text).unwrap();
    }
    let (mut client, _) = Client::start(&root);
    let mut codes = |path: &Path| -> Vec<String> {
        client.open(path);
        let found = client.findings(path);
        found.iter().flat_map(|(_, found)| found).map(|one| one["code"].to_string()).collect()
    };
    let wanted = codes(&root.join("a.tfjob.kdl"));
    assert!(!wanted.is_empty());
    fs::write(root.join("b.tfjob.kdl"), spec.replace("job \"a\"", "job \"b\"")).unwrap();
    assert_eq!(codes(&root.join("b.tfjob.kdl")), wanted);
    assert!(client.stop());
}

/// The server reads further messages while it handles a request.
#[test]
fn a_request_is_cancelled_while_others_are_handled() {
    let dir = folder();
    let (mut client, _) = Client::start(dir.path());
    let role = |number: usize| format!("    role \"r-{number}\" {{ run \"x\" \"{{param.lr}}\"; }}\n");
    let roles: String = (0..200).map(role).collect();
    let path = dir.path().join("a.tfjob.kdl");
    fs::write(&path, format!("job \"a\" {{\n    framework \"custom\"\n    param \"lr\" 1\n{roles}}}\n"))
        .unwrap();
    client.open(&path);
    let document = json!({"uri": client::uri(&path)});
    let mut messages = Vec::new();
    for id in 1..=20 {
        let params = json!({"textDocument": document});
        messages.push(json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/semanticTokens/full", "params": params}));
    }
    messages.push(json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 20}}));
    client.send_all(&messages);
    let answer = client.wait(|message| message["id"] == 20);
    assert_eq!(answer["error"]["code"], -32800, "{answer}");
    assert!(client.stop());
}

/// A notification can name any file. What the server reads, it shows.
#[cfg(unix)]
#[test]
fn a_file_outside_of_the_opened_directory_is_not_read() {
    let (dir, outside) = (folder(), tempfile::tempdir().unwrap());
    let root = dir.path().canonicalize().unwrap();
    let spec = "job \"a\" {\n    framework \"custom\"\n    param \"hidden-outside\" 1\n    role \"worker\" { run \"x\"; }\n}\n";
    let inside = root.join("a.tfjob.kdl");
    fs::write(&inside, spec.replace("hidden-outside", "own")).unwrap();
    let (mut client, _) = Client::start(&root);
    client.open(&inside);
    client.findings(&inside);
    let foreign = outside.path().join("b.tfjob.kdl");
    fs::write(&foreign, spec).unwrap();
    let link = root.join("link.tfjob.kdl");
    std::os::unix::fs::symlink(&foreign, &link).unwrap();
    // A file that became a link, and a pipe, which would block.
    let pipe = root.join("pipe.tfjob.kdl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for kind in [1, 2] {
        let changes: Vec<_> = [&foreign, &link, &pipe]
            .iter()
            .map(|path| json!({"uri": client::uri(path), "type": kind}))
            .collect();
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    }
    let found = client.request("workspace/symbol", json!({"query": ""})).to_string();
    assert!(found.contains("own") && !found.contains("hidden-outside"), "{found}");
    // The names in a directory outside, through a link of the directory itself, and of one above.
    fs::create_dir_all(outside.path().join("inner/hidden-outside")).unwrap();
    std::os::unix::fs::symlink(outside.path(), root.join("linked")).unwrap();
    fs::create_dir(root.join("real")).unwrap();
    fs::write(root.join("real/own.py"), "").unwrap();
    std::os::unix::fs::symlink(root.join("real"), root.join("within")).unwrap();
    let spec = |path: &str| format!("job \"a\" {{\n    code \"{path}\"\n}}\n");
    for (path, shows) in
        [("./linked/", false), ("./linked/inner/", false), ("./real/", true), ("./within/", true)]
    {
        fs::write(&inside, spec(path)).unwrap();
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": client::uri(&inside)}}));
        client.open(&inside);
        let at = json!({"line": 1, "character": 10 + path.len()});
        let params = json!({"textDocument": {"uri": client::uri(&inside)}, "position": at});
        let found = client.request("textDocument/completion", params).to_string();
        assert!(!found.contains("b.tfjob.kdl") && !found.contains("hidden-outside"), "{path}: {found}");
        assert_eq!(found.contains("own.py"), shows, "{path}: {found}");
    }
    assert!(client.stop());
}

/// The answer, the log, and standard error contain nothing of the message.
#[test]
fn an_invalid_message_does_not_end_the_server() {
    let dir = folder();
    let (mut client, _) = Client::start(dir.path());
    let invalid: [&[u8]; 5] = [
        b"Content-Length: 8\r\n\r\n{\"hidden",
        b"Content-Length: 10\r\n\r\n{\"hidden\xff\"",
        b"Content-Length: 12\r\n\r\n[\"hidden\", 1",
        b"Content-Length: 10\r\n\r\n[\"hidden\"]",
        b"Content-Length: 999999999999\r\n\r\nhidden",
    ];
    for bytes in invalid {
        client.send_bytes(bytes);
        let answer = client.wait(|message| message.get("error").is_some());
        assert!(answer["id"].is_null() && !answer.to_string().contains("hidden"), "{answer}");
        let log = client.wait(|message| message["method"] == "window/logMessage");
        assert!(!log.to_string().contains("hidden"), "{log}");
        let page = client.request("tfjob/explain", json!({"topic": "unsupported-feature"}));
        assert!(page["markdown"].is_string(), "{page}");
    }
    assert!(client.stop());
}

/// The findings of a file that is not open are published too, also those of the project file.
/// Without the settings of the project, other findings may be wrong.
#[test]
fn a_spec_of_a_faulty_project_has_the_errors_of_its_text() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let job = "job \"a\" {\n    framework \"custom\"\n    bogus 1\n    role \"w\" { run \"a\"; }\n";
    fs::write(root.join("a.tfjob.kdl"), job).unwrap();
    fs::write(root.join("tfjob.kdl"), "project { environment \"x\" { cluster \"none.cluster.kdl\"; }; }\n")
        .unwrap();
    let (mut client, _) = Client::with(&root, json!({"rootUri": client::uri(&root)}));
    let uri = client::uri(&root.join("a.tfjob.kdl"));
    let message = client.wait(|message| message["params"]["uri"] == uri);
    let found = message["params"]["diagnostics"].as_array().unwrap();
    let codes: Vec<_> = found.iter().filter_map(|one| one["code"].as_str()).collect();
    // The role has no resources.
    assert!(codes.contains(&"unbalanced-braces") && codes.contains(&"unknown-node"), "{codes:?}");
    assert!(!codes.contains(&"missing-field"), "{codes:?}");
    assert!(client.stop());
}

/// A spec without findings may have errors that the server cannot know before the project file is correct.
#[test]
fn an_open_spec_of_a_faulty_project_is_marked_as_partly_checked() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let spec = root.join("jobs/a.tfjob.kdl");
    fs::create_dir(root.join("jobs")).unwrap();
    let job = "job \"a\" {\n    framework \"custom\"\n    image \"registry/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n    \
               role \"worker\" { run \"x\" \"{param.l}\"; }\n    target \"kubernetes\"\n}\n";
    fs::write(&spec, job).unwrap();
    for (project, is_faulty) in [
        ("project {\n    specs \"jobs\"\n    environment \"x\" {}\n}\n", false),
        ("project {\n    specs \"jobs\"\n    ot \"rendered\"\n    environment \"x\" {}\n}\n", true),
        ("project {\n    specs \"job\"\n    environment \"x\" {}\n}\n", true),
        ("project {\n    specs \"jobs\"\n    environment \"x\" { target \"mesos\"; }\n}\n", true),
        ("project {\n    specs \"jobs\" \"more/*.tfjob.kdl\"\n    environment \"x\" {}\n}\n", true),
    ] {
        fs::write(root.join("tfjob.kdl"), project).unwrap();
        let (mut client, _) = Client::start(&root);
        client.open(&spec);
        let published: BTreeMap<String, Vec<Value>> = client.findings(&spec).into_iter().collect();
        let found = &published[&*spec.to_string_lossy()];
        let partly = |one: &Value| one["message"].as_str().unwrap().contains("only partly checked");
        assert_eq!(found.iter().any(partly), is_faulty, "{project}: {found:?}");
        assert!(is_faulty || found.iter().any(|one| one["code"] == "unknown-reference"), "{found:?}");
        assert!(client.stop());
    }
}

#[test]
fn a_project_in_the_opened_directory_has_its_findings() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let project = root.join("tfjob.kdl");
    fs::write(root.join("a.tfjob.kdl"), "job \"a\" {\n    framework \"custom\"\n").unwrap();
    fs::write(
        root.join("c.cluster.kdl"),
        "cluster \"c\" target=\"yarn\" {\n    nodes \"a\" count=2 cpus=8 memory=\"32GiB\"\n}\n",
    )
    .unwrap();
    for (entries, wanted) in [
        (
            "environment \"x\" { cluster \"c.cluster.kdl\"; target \"spark\"; }",
            "the cluster file of this environment is for `yarn`, not for `spark`",
        ),
        ("environment \"x\" { cluster \"none.cluster.kdl\"; }", "there is no cluster file"),
        (
            "out \"a,b\"; environment \"x\" { target \"spark\"; }",
            "cannot be submitted from the output directory `a,b`",
        ),
    ] {
        fs::write(&project, format!("project {{ {entries}; }}\n")).unwrap();
        let told = run(&root, &["check"]);
        let told = format!("{}{}", out(&told), String::from_utf8_lossy(&told.stderr));
        assert!(told.contains(wanted), "{told}");
        let (mut client, _) = Client::with(&root, json!({"rootUri": client::uri(&root)}));
        let uri = client::uri(&project);
        let message = client.wait(|message| message["params"]["uri"] == uri);
        let found = &message["params"]["diagnostics"];
        assert!(found[0]["message"].as_str().is_some_and(|text| text.contains(wanted)), "{found}");
        assert!(client.stop());
    }
}

#[test]
fn exit_without_shutdown_fails() {
    let dir = folder();
    let (client, _) = Client::start(dir.path());
    assert_eq!(client.exit().code(), Some(1));
}

/// A path in a document without a file is not relative to the working directory of the server.
#[test]
fn a_document_without_a_file_has_no_base() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("base.tfjob.kdl"), "job {\n    image 1\n}\n").unwrap();
    let (mut client, _) = Client::start(dir.path());
    let uri = "untitled:Untitled-1";
    let text = "extends \"base.tfjob.kdl\"\njob \"a\" {\n}\n";
    let document = json!({"uri": uri, "languageId": "tfjob", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    let mut message = client.wait(|message| message["method"] == "textDocument/publishDiagnostics");
    assert_eq!(message["params"]["uri"], uri);
    let found = message["params"]["diagnostics"].take().to_string();
    assert!(found.contains("save it first"), "{found}");
    assert!(client.stop());
}

/// Returns the findings of a report of `check`, as [`shown`] does.
fn reported(folder: &Path, report: &Value) -> Vec<String> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut all = Vec::new();
    for one in report["diagnostics"].as_array().unwrap() {
        let path = folder.join(one["file"].as_str().unwrap());
        let path = path.to_string_lossy().into_owned();
        let text = texts.entry(path.clone()).or_insert_with_key(|path| fs::read_to_string(path).unwrap());
        let place = |end: &str| position(text, &one[end]);
        let (code, severity) = (&one["code"], one["severity"].as_str().unwrap());
        let help = one["help"].as_str().map_or_else(String::new, |help| format!("\nhelp: {help}"));
        let message = one["message"].as_str().unwrap();
        all.push(format!("{path} {}-{} {severity}[{code}] {message}{help}", place("start"), place("end")));
    }
    all.sort();
    all
}

/// Returns a position of a report as in LSP: the line from 0, and the column in bytes.
fn position(text: &str, position: &Value) -> String {
    let number = |name: &str| position[name].as_u64().unwrap() as usize;
    let line = text.lines().nth(number("line") - 1).unwrap_or_default();
    let column = line.char_indices().nth(number("column") - 1).map_or(line.len(), |(byte, _)| byte);
    format!("{}:{column}", number("line") - 1)
}

/// Returns a published finding in one line.
fn shown(file: &str, one: &Value) -> String {
    let place = |end: &str| format!("{}:{}", one["range"][end]["line"], one["range"][end]["character"]);
    let severity = match one["severity"].as_u64() {
        Some(1) => "error",
        Some(2) => "warning",
        _ => "note",
    };
    let message = one["message"].as_str().unwrap();
    format!("{file} {}-{} {severity}[{}] {message}", place("start"), place("end"), one["code"])
}

/// Findings about several specs of a project are those of the command line, also in specs that are not open.
#[test]
fn the_server_reports_conflicts_of_a_project_as_check_does() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let job = "job \"a\" {\n    framework \"custom\"\n    image \"registry/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n    \
               role \"worker\" { run \"x\"; }\n    target \"kubernetes\"\n}\n";
    let project = "project {\n    specs \"jobs\"\n    environment \"one\" {}\n    environment \"two\" { specs \"jobs/a.tfjob.kdl\"; }\n}\n";
    fs::create_dir(root.join("jobs")).unwrap();
    let files =
        [("jobs/a.tfjob.kdl", job), ("jobs/b.tfjob.kdl", job), ("c.tfjob.kdl", job), ("tfjob.kdl", project)];
    for (file, text) in files {
        fs::write(root.join(file), text).unwrap();
    }
    let report: Value = serde_json::from_str(out(&run(&root, &["check", "--format", "json"]))).unwrap();
    let wanted = reported(&root, &report);
    assert_eq!(wanted.iter().filter(|one| one.contains("duplicate-name")).count(), 1, "{wanted:#?}");
    let (mut client, _) = Client::start(&root);
    client.open(&root.join("jobs/a.tfjob.kdl"));
    let path = root.join("jobs/b.tfjob.kdl");
    client.open(&path);
    let published: BTreeMap<String, Vec<Value>> = client.findings(&path).into_iter().collect();
    let found = published.iter().flat_map(|(file, found)| found.iter().map(|one| shown(file, one)));
    // The editor names files by their whole paths.
    let short = |one: String| one.replace(&format!("`{}/", root.display()), "`");
    let mut found: Vec<String> = found.filter(|one| !one.contains(" note[")).map(short).collect();
    found.sort();
    assert_eq!(found, wanted);
    assert!(client.stop());
}
