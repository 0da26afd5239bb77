//! A client of `tfjob lsp` over standard input and output.
#![expect(clippy::unwrap_used, reason = "a test may")]
use crate::program::tfjob;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Maximum time until the server has sent a message.
const MOST: Duration = Duration::from_secs(60);

pub struct Client {
    server: Child,
    messages: Receiver<Value>,
}

impl Drop for Client {
    fn drop(&mut self) {
        // It has ended if the test was successful.
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

impl Client {
    /// Starts a server in a directory, and initializes it. Columns are bytes.
    pub fn start(dir: &Path) -> (Self, Value) {
        Self::with(dir, json!({}))
    }

    /// Starts a server with these parameters of `initialize`.
    pub fn with(dir: &Path, mut params: Value) -> (Self, Value) {
        let mut command = tfjob(dir, &["lsp", "--stdio"]);
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(server.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || read_all(stdout, &mut |message| drop(sender.send(message))));
        let mut client = Self { server, messages };
        let capabilities = json!({"general": {"positionEncodings": ["utf-8"]}});
        params["capabilities"] = capabilities;
        let answer = client.request("initialize", params);
        client.notify("initialized", json!({}));
        (client, answer)
    }

    fn send(&mut self, message: &Value) {
        self.send_all(std::slice::from_ref(message));
    }

    /// Sends several messages in one write.
    pub fn send_all(&mut self, messages: &[Value]) {
        let framed = messages.iter().map(|message| {
            let text = message.to_string();
            format!("Content-Length: {}\r\n\r\n{text}", text.len())
        });
        self.send_bytes(framed.collect::<String>().as_bytes());
    }

    /// Sends bytes, which may be no message.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.server.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request, and returns its result. Notifications before it are lost.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        self.wait(|message| message.get("id").is_some())["result"].take()
    }

    /// Returns the next message that fulfills a condition.
    pub fn wait(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(MOST).expect("a message of the server");
            if is(&message) {
                return message;
            }
        }
    }

    /// Opens a file with its text on disk.
    pub fn open(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).unwrap();
        let document = json!({"uri": uri(path), "languageId": "tfjob", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Returns the findings that the server publishes together with those of a document, by path.
    pub fn findings(&mut self, path: &Path) -> Vec<(String, Vec<Value>)> {
        let mut all = Vec::new();
        // All files are published before the next request is answered.
        let mut is_asked = false;
        loop {
            let mut message = self.wait(|_| true);
            if is_asked && message.get("id").is_some() {
                return all;
            }
            let file = message["params"]["uri"].as_str().unwrap().to_owned();
            let Value::Array(found) = message["params"]["diagnostics"].take() else { panic!("a list") };
            if file == uri(path) {
                let params = json!({"textDocument": {"uri": file}});
                self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "textDocument/foldingRange", "params": params}));
                is_asked = true;
            }
            all.push((file.trim_start_matches("file://").to_owned(), found));
        }
    }

    /// Ends the server. Returns whether it was successful.
    pub fn stop(mut self) -> bool {
        self.request("shutdown", Value::Null);
        self.exit().success()
    }

    /// Sends `exit`. Returns how the server ended.
    pub fn exit(mut self) -> std::process::ExitStatus {
        self.notify("exit", Value::Null);
        self.server.wait().unwrap()
    }
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn read_all(mut stdout: BufReader<ChildStdout>, take: &mut dyn FnMut(Value)) {
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if stdout.read_line(&mut line).unwrap_or_default() == 0 {
                return;
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        stdout.read_exact(&mut text).unwrap();
        take(serde_json::from_slice(&text).unwrap());
    }
}
