//! Start, settings, cancellation, and end. All messages are sent before the server reads the first one.
use crate::editor::{Editor, Memory};
use lsp_server::{Connection, Message};
use serde_json::{Value, json};
use tfjob_server::serve;

/// Returns the result of the server, and the messages that it sends after the answer to `initialize`.
fn served(params: &Value, messages: &[Value]) -> (bool, Vec<Value>) {
    let (editor, server) = Connection::memory();
    let first = [
        json!({"id": 0, "method": "initialize", "params": params}),
        json!({"method": "initialized", "params": {}}),
    ];
    for message in first.iter().chain(messages) {
        let message: Message = serde_json::from_value(message.clone()).expect("a message");
        editor.sender.send(message).expect("an open channel");
    }
    // An editor keeps the channel open until the server has ended.
    let ends = messages.last().is_some_and(|last| last["method"] == "exit");
    let kept = Some(editor.sender).filter(|_| ends);
    let result = serve(&server, &Memory::default(), "0.0.0");
    drop(kept);
    let sent = editor.receiver.try_iter().skip(1);
    (result, sent.map(|message| serde_json::to_value(message).expect("JSON")).collect())
}

fn open(uri: &str, text: &str) -> Value {
    let document = json!({"uri": uri, "languageId": "tfjob", "version": 1, "text": text});
    json!({"method": "textDocument/didOpen", "params": {"textDocument": document}})
}

fn request(id: i32, method: &str, uri: &str) -> Value {
    json!({"id": id, "method": method, "params": {"textDocument": {"uri": uri}}})
}

fn notification(method: &str, params: Value) -> Value {
    json!({"method": method, "params": params})
}

#[test]
fn a_request_that_is_cancelled_before_it_is_handled_has_an_error() {
    let uri = Editor::uri("a.tfjob.kdl");
    let cancel = |id: i32| notification("$/cancelRequest", json!({"id": id}));
    let symbols = |id: i32| request(id, "textDocument/documentSymbol", &uri);
    let messages = [
        open(&uri, "job \"a\" {\n}\n"),
        symbols(1),
        symbols(2),
        cancel(2),
        cancel(7),
        request(3, "tfjob/unknown", &uri),
    ];
    let (_, sent) = served(&json!({}), &messages);
    let answer = |id: i32| sent.iter().find(|one| one["id"] == id).expect("an answer");
    assert_eq!(answer(2)["error"]["code"], -32800, "{sent:?}");
    assert_eq!(answer(1)["result"].as_array().map(Vec::len), Some(1), "{sent:?}");
    assert_eq!(answer(3)["error"]["message"], "unknown method `tfjob/unknown`");
    assert_eq!(sent.iter().filter(|one| one.get("id").is_some()).count(), 3, "{sent:?}");
}

#[test]
fn exit_ends_the_server() {
    let shutdown = json!({"id": 1, "method": "shutdown"});
    let exit = json!({"method": "exit"});
    let (result, sent) = served(&json!({}), &[shutdown.clone(), exit.clone()]);
    assert!(result);
    assert_eq!(sent, [json!({"id": 1, "result": null})]);
    let late = request(2, "textDocument/documentSymbol", "file:///a.tfjob.kdl");
    let (result, sent) = served(&json!({}), &[shutdown, late, exit.clone()]);
    assert_eq!((result, &sent[1]["error"]["code"]), (true, &json!(-32600)));
    assert!(!served(&json!({}), &[exit]).0, "without `shutdown`");
}

#[test]
fn changed_files_are_watched_if_the_editor_can() {
    let capabilities =
        json!({"capabilities": {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}}});
    let answer = json!({"id": "watch", "result": null});
    let (result, sent) = served(&capabilities, &[answer]);
    assert!(result);
    assert_eq!(sent[0]["method"], "client/registerCapability", "{sent:?}");
    let registration = &sent[0]["params"]["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    let watchers = registration["registerOptions"]["watchers"].to_string();
    assert!(watchers.contains("**/tfjob.kdl") && watchers.contains("cluster"), "{watchers}");
    assert_eq!(served(&json!({}), &[]).1, [] as [Value; 0]);
}

#[test]
fn an_unknown_target_in_the_settings_is_reported_once() {
    let configure = |target: &str| {
        notification(
            "workspace/didChangeConfiguration",
            json!({"settings": {"tfjob": {"targets": [target]}}}),
        )
    };
    let options = json!({"initializationOptions": {"targets": ["kuberntes"]}});
    let (_, sent) = served(&options, &[configure("kuberntes"), configure("yran"), configure("yarn")]);
    let texts: Vec<&str> = sent
        .iter()
        .filter(|one| one["method"] == "window/showMessage")
        .filter_map(|one| one["params"]["message"].as_str())
        .collect();
    let wanted = [
        "setting `targets`: unknown target `kuberntes`; did you mean `kubernetes`?",
        "setting `targets`: unknown target `yran`; did you mean `yarn`?",
    ];
    assert_eq!(texts, wanted);
}

/// Settings that do not mention the targets have none.
#[test]
fn the_targets_of_the_settings_are_those_of_the_last_settings() {
    let changed = |settings: Value| {
        let configure =
            |settings| notification("workspace/didChangeConfiguration", json!({"settings": settings}));
        let messages = [configure(json!({"tfjob": {"targets": ["yran"]}})), configure(settings)];
        let (_, sent) = served(&json!({}), &messages);
        let text = |one: &Value| one["params"]["message"].as_str().unwrap_or_default().to_owned();
        sent.iter().filter(|one| one["method"] == "window/showMessage").map(text).collect::<Vec<_>>()
    };
    let told = |settings: Value| {
        // The same settings again are reported again only if they were removed in between.
        let before = json!({"tfjob": {"targets": ["yran"]}});
        let configure =
            |settings| notification("workspace/didChangeConfiguration", json!({"settings": settings}));
        let (_, sent) =
            served(&json!({}), &[configure(before.clone()), configure(settings), configure(before)]);
        sent.iter().filter(|one| one["method"] == "window/showMessage").count()
    };
    for (settings, wanted) in [
        (json!({"tfjob": {}}), 2),
        (json!({"tfjob": null}), 2),
        (json!({"tfjob": {"targets": []}}), 2),
        (json!({"tfjob": {"targets": null}}), 2),
        // An editor without a section of this name, such as Emacs before its user sets one.
        (json!({}), 1),
        (Value::Null, 1),
    ] {
        assert_eq!(told(settings.clone()), wanted, "{settings}");
    }
    for settings in [json!({"tfjob": {"targets": [1]}}), json!({"targets": 1})] {
        let texts = changed(settings);
        let last = texts.last().map(String::as_str).unwrap_or_default();
        assert!(last.starts_with("setting `targets`: unknown target `1`"), "{texts:?}");
    }
}

#[test]
fn a_change_that_cannot_be_applied_is_logged() {
    let uri = Editor::uri("a.tfjob.kdl");
    let change = |version: Value, changes: Value| {
        let document = json!({"uri": uri, "version": version});
        notification("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}))
    };
    // Older editors send no version.
    let job = json!([{"text": "job \"a\" {\n}\n"}]);
    let messages = [
        open(&uri, ""),
        change(Value::Null, job),
        change(json!(3), json!([{"range": {}, "text": "x"}])),
        request(1, "textDocument/documentSymbol", &uri),
    ];
    let (_, sent) = served(&json!({}), &messages);
    let answer = sent.iter().find(|one| one["id"] == 1).expect("an answer");
    assert_eq!(answer["result"][0]["name"], "job a", "{sent:?}");
    let log: Vec<&Value> = sent.iter().filter(|one| one["method"] == "window/logMessage").collect();
    let wanted = "textDocument/didChange: `contentChanges` is missing or invalid";
    assert_eq!(log.iter().map(|one| &one["params"]["message"]).collect::<Vec<_>>(), [wanted]);
}

/// The paths in a document without a file are relative to nothing.
#[test]
fn a_document_without_a_file_has_no_links() {
    let uri = "untitled:Untitled-1";
    let text = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    code \"./src\"\n}\n";
    let (_, sent) = served(&json!({}), &[open(uri, text), request(1, "textDocument/documentLink", uri)]);
    let answer = sent.iter().find(|one| one["id"] == 1).expect("an answer");
    assert!(answer["result"].as_array().is_none_or(Vec::is_empty), "{answer}");
    let published = sent.iter().filter_map(|one| one["params"]["uri"].as_str());
    assert!(published.clone().all(|one| one == uri), "{sent:?}");
}

/// Findings are published with the URI of the editor, also after the document was closed.
#[test]
fn a_closed_document_has_no_findings_under_any_uri() {
    let text = "job \"a\" {\n    unknown 1\n}\n";
    for uri in [
        "file:///other/a(1).tfjob.kdl",
        "file:///other/a%281%29.tfjob.kdl",
        "file://localhost/other/a.tfjob.kdl",
        "file:/other/a.tfjob.kdl",
        "file:///other/./a.tfjob.kdl",
        "file:///project/b(1).tfjob.kdl",
    ] {
        let close = notification("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        let is_read = request(1, "textDocument/foldingRange", uri);
        let pause = request(2, "tfjob/unknown", uri);
        let (editor, server) = Connection::memory();
        let first = [
            json!({"id": 0, "method": "initialize", "params": {"rootUri": "file:///project"}}),
            open(uri, text),
            is_read,
        ];
        let send = |message: &Value| {
            editor
                .sender
                .send(serde_json::from_value(message.clone()).expect("a message"))
                .expect("a server");
        };
        first.iter().for_each(&send);
        let is_inside = uri.starts_with("file:///project");
        let path = "/project/b(1).tfjob.kdl".into();
        let files = is_inside.then(|| (path, text.to_owned())).into_iter().collect();
        let host = Memory { files: std::sync::Arc::new(std::sync::Mutex::new(files)), ..Memory::default() };
        let running = std::thread::spawn(move || serve(&server, &host, "0.0.0"));
        let mut shown = std::collections::BTreeMap::new();
        let mut publish = |wait: u64| {
            while let Ok(message) = editor.receiver.recv_timeout(std::time::Duration::from_millis(wait)) {
                if let Message::Notification(one) = message
                    && one.method == "textDocument/publishDiagnostics"
                {
                    let uri = one.params["uri"].as_str().expect("a URI").to_owned();
                    shown.insert(uri, one.params["diagnostics"].as_array().map_or(0, Vec::len));
                }
            }
            shown.clone()
        };
        let before: Vec<(String, usize)> =
            publish(1_500).into_iter().filter(|(_, count)| *count > 0).collect();
        assert_eq!(before.len(), 1, "{uri}: {before:?}");
        assert_eq!(before[0].0, uri);
        [close, pause].iter().for_each(&send);
        let after: Vec<(String, usize)> =
            publish(1_500).into_iter().filter(|(_, count)| *count > 0).collect();
        // A file in the opened directory keeps its findings under one URI.
        assert_eq!(after.len(), usize::from(is_inside), "{uri}: {after:?}");
        drop(editor);
        assert!(running.join().expect("no panic"));
    }
}
