//! Editors that do not read what the server writes.
use crate::program::{folder, tfjob};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Child, ChildStdin, Stdio};
use std::time::{Duration, Instant};

/// Starts a server, and sends the text of a document with more findings than a pipe holds. Nobody reads its messages.
fn started() -> (tempfile::TempDir, Child, ChildStdin) {
    let dir = folder();
    let mut command = tfjob(dir.path(), &["lsp"]);
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let entries: String = (0..1_000).map(|number| format!("    unknown-{number} 1\n")).collect();
    let uri = format!("file://{}/a.tfjob.kdl", dir.path().display());
    let text = format!("job \"a\" {{\n{entries}}}\n");
    let document = json!({"uri": uri, "languageId": "tfjob", "version": 1, "text": text});
    send(&mut input, &json!({"id": 0, "method": "initialize", "params": {"capabilities": {}}}));
    send(&mut input, &json!({"method": "initialized", "params": {}}));
    send(&mut input, &json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
    for id in 1..50 {
        let params = json!({"textDocument": {"uri": uri}});
        send(&mut input, &json!({"id": id, "method": "textDocument/documentSymbol", "params": params}));
    }
    // The server fills the pipe.
    std::thread::sleep(Duration::from_secs(2));
    (dir, server, input)
}

fn send(input: &mut ChildStdin, message: &Value) {
    let mut message = message.clone();
    message["jsonrpc"] = json!("2.0");
    let text = message.to_string();
    write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    input.flush().unwrap();
}

/// Returns the exit code, if the server ends in time.
fn ended(mut server: Child) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        if let Some(status) = server.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    server.kill().unwrap();
    server.wait().unwrap();
    None
}

#[test]
fn exit_ends_the_server() {
    let (_dir, server, mut input) = started();
    send(&mut input, &json!({"id": 99, "method": "shutdown"}));
    send(&mut input, &json!({"method": "exit"}));
    assert_eq!(ended(server), Some(0));
}

#[test]
fn the_end_of_the_input_ends_the_server() {
    let (_dir, server, input) = started();
    drop(input);
    assert_eq!(ended(server), Some(0));
}

#[test]
fn the_end_of_both_pipes_ends_the_server() {
    let (_dir, mut server, input) = started();
    drop(server.stdout.take());
    drop(input);
    assert!(ended(server).is_some());
}
