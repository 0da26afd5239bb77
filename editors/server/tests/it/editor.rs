//! An editor in memory: it opens texts with a mark `$0` at the cursor, and sends requests.
pub use crate::memory::{Memory, ROOT};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::Position;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tfjob_server::serve;

#[path = "texts.rs"]
pub mod texts;
use texts::unmarked;

/// An editor that is connected to a server.
pub struct Editor {
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    /// Directory of the thread of the server in `/proc`. `None` on other systems than Linux.
    thread: Option<PathBuf>,
    next: RefCell<i32>,
    versions: RefCell<BTreeMap<String, i32>>,
    /// Whether nothing was sent since the last published findings were awaited.
    is_settled: Cell<bool>,
    /// The findings of each file, as last published.
    pub shown: RefCell<BTreeMap<String, Vec<lsp_types::Diagnostic>>>,
    /// The version of each file for which its findings were last published.
    published: RefCell<BTreeMap<String, Option<i32>>>,
    /// The entries of the log.
    pub logged: RefCell<Vec<String>>,
    /// How often the server has dropped cached projects.
    forgotten: Arc<AtomicUsize>,
    /// The texts on disk.
    files: Arc<Mutex<BTreeMap<PathBuf, String>>>,
    /// What the server offers.
    pub offered: Value,
}

impl Editor {
    /// Starts a server with these files on disk.
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self::with(
            files,
            &json!({"capabilities": {"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}}}),
        )
    }

    /// Starts a server with these files on disk, and parameters of `initialize`.
    pub fn with(files: &[(&str, &str)], params: &Value) -> Self {
        let files =
            files.iter().map(|(name, text)| (Path::new(ROOT).join(name), (*text).to_owned())).collect();
        let files = Arc::new(Mutex::new(files));
        let host = Memory { files: Arc::clone(&files), ..Memory::default() };
        let forgotten = Arc::clone(&host.forgotten);
        let (connection, other) = Connection::memory();
        let (sender, thread) = std::sync::mpsc::channel();
        let server = std::thread::spawn(move || {
            sender.send(std::fs::read_link("/proc/thread-self").ok()).expect("the editor waits");
            serve(&other, &host, "0.0.0")
        });
        let thread = thread.recv().expect("the server starts").map(|link| Path::new("/proc").join(link));
        let mut editor = Self {
            connection,
            server: Some(server),
            thread,
            next: RefCell::new(0),
            versions: RefCell::default(),
            is_settled: Cell::default(),
            shown: RefCell::default(),
            published: RefCell::default(),
            logged: RefCell::default(),
            forgotten,
            files,
            offered: Value::Null,
        };
        let mut params = params.clone();
        if params.get("workspaceFolders").is_none() {
            params["workspaceFolders"] = json!([{"uri": format!("file://{ROOT}"), "name": "project"}]);
        }
        editor.offered = editor.request("initialize", &params).expect("an answer");
        editor.notify("initialized", json!({}));
        editor
    }

    /// Returns the URI of a file.
    pub fn uri(name: &str) -> String {
        format!("file://{ROOT}/{name}")
    }

    /// Opens a text. Returns the position of its mark `$0`, or its start.
    pub fn open(&self, name: &str, marked: &str) -> Position {
        let (text, position) = unmarked(marked);
        self.versions.borrow_mut().insert(name.to_owned(), 1);
        let document = json!({"uri": Self::uri(name), "languageId": "tfjob", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        position
    }

    /// Replaces the text of an open document. Returns the position of its mark.
    pub fn replace(&self, name: &str, marked: &str) -> Position {
        let (text, position) = unmarked(marked);
        self.change(name, json!([{"text": text}]));
        position
    }

    /// Changes an open document.
    pub fn change(&self, name: &str, changes: Value) {
        let mut versions = self.versions.borrow_mut();
        let version = versions.get_mut(name).expect("an open document");
        *version += 1;
        let document = json!({"uri": Self::uri(name), "version": *version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// Writes a file, without telling the server.
    pub fn write(&self, name: &str, text: &str) {
        self.files.lock().expect("no panic").insert(Path::new(ROOT).join(name), text.to_owned());
    }

    /// Sends a notification.
    pub fn notify(&self, method: &str, params: Value) {
        self.is_settled.set(false);
        if method == "textDocument/didClose" {
            let is_other = |name: &String, _: &mut i32| params["textDocument"]["uri"] != Self::uri(name);
            self.versions.borrow_mut().retain(is_other);
        }
        let message = Message::Notification(Notification { method: method.to_owned(), params });
        self.connection.sender.send(message).expect("the server runs");
    }

    /// Returns how often the server has dropped cached projects, as soon as it has handled all messages.
    pub fn forgotten(&self) -> usize {
        self.request("tfjob/explain", &json!({"topic": "unknown-name"})).ok();
        self.forgotten.load(Ordering::SeqCst)
    }

    /// Sends a request, and returns its result.
    ///
    /// # Errors
    /// Returns the error message of the server.
    pub fn request(&self, method: &str, params: &Value) -> Result<Value, String> {
        let id = self.ask(method, params);
        self.answer(&id)
    }

    /// Sends a request about a position of a document.
    pub fn at(&self, method: &str, name: &str, position: Position) -> Value {
        let params = json!({"textDocument": {"uri": Self::uri(name)}, "position": position});
        self.request(method, &params).expect("an answer")
    }

    /// Sends a request without waiting for the answer.
    pub fn ask(&self, method: &str, params: &Value) -> RequestId {
        self.is_settled.set(false);
        *self.next.borrow_mut() += 1;
        let id = RequestId::from(*self.next.borrow());
        let request = Request { id: id.clone(), method: method.to_owned(), params: params.clone() };
        self.connection.sender.send(Message::Request(request)).expect("the server runs");
        id
    }

    /// Waits for the answer to a request.
    ///
    /// # Errors
    /// Returns the error message of the server.
    pub fn answer(&self, wanted: &RequestId) -> Result<Value, String> {
        loop {
            match self.message(Duration::from_secs(300)).expect("an answer") {
                Message::Response(Response { id, response_result }) if id == *wanted => {
                    return response_result.map_err(|error| error.message);
                }
                Message::Response(other) => panic!("unexpected answer {other:?}"),
                Message::Request(request) => panic!("unexpected request {request:?}"),
                Message::Notification(_) => {}
            }
        }
    }

    /// Waits until the server has published the findings of the last version of a file, and is idle. Returns these findings. Some
    /// editors ignore the findings of another version.
    pub fn findings(&self, name: &str) -> Vec<lsp_types::Diagnostic> {
        let uri = Self::uri(name);
        let version = self.versions.borrow().get(name).copied();
        let is_current = || match version {
            Some(_) => self.published.borrow().get(&uri) == Some(&version),
            None => self.shown.borrow().contains_key(&uri),
        };
        let long = if version.is_none() && is_current() {
            Duration::from_millis(400)
        } else {
            Duration::from_secs(30)
        };
        let wait = || if is_current() { Duration::from_millis(200) } else { long };
        while self.message(wait()).is_some() {}
        assert!(version.is_none() || is_current(), "{name}: no findings of version {version:?}");
        self.shown.borrow().get(&uri).cloned().unwrap_or_default()
    }

    /// Returns the findings of a file as soon as the server has published those of all changes. A request is answered after the
    /// changes before it; findings are published 50 ms after the last message.
    pub fn settled(&self, name: &str) -> Vec<lsp_types::Diagnostic> {
        let uri = Self::uri(name);
        if !self.is_settled.replace(true) {
            self.findings(name);
        }
        self.shown.borrow().get(&uri).cloned().unwrap_or_default()
    }

    /// Returns the processor time of the server since its start. Other processes do not change it, unlike the time of a clock. `None` if
    /// the system does not tell it.
    pub fn processor_time(&self) -> Option<Duration> {
        // The time is counted when the thread waits again.
        std::thread::sleep(Duration::from_millis(1));
        let text = std::fs::read_to_string(self.thread.as_ref()?.join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    }

    /// Returns the findings of a file as `line:column code: first line of the message`.
    pub fn told(&self, name: &str) -> Vec<String> {
        let told = |one: &lsp_types::Diagnostic| {
            let start = one.range.start;
            let code = match &one.code {
                Some(lsp_types::NumberOrString::String(code)) => code.clone(),
                other => format!("{other:?}"),
            };
            let message = one.message.lines().next().unwrap_or_default();
            format!("{}:{} {code}: {message}", start.line + 1, start.character + 1)
        };
        self.findings(name).iter().map(told).collect()
    }

    /// Receives a message, and stores published findings.
    fn message(&self, wait: Duration) -> Option<Message> {
        let message = self.connection.receiver.recv_timeout(wait).ok()?;
        if let Message::Notification(one) = &message
            && one.method == "textDocument/publishDiagnostics"
        {
            let told: lsp_types::PublishDiagnosticsParams =
                serde_json::from_value(one.params.clone()).expect("published findings");
            let uri = told.uri.as_str().to_owned();
            self.published.borrow_mut().insert(uri.clone(), told.version);
            self.shown.borrow_mut().insert(uri, told.diagnostics);
        }
        if let Message::Notification(one) = &message
            && one.method == "window/logMessage"
        {
            self.logged.borrow_mut().push(one.params["message"].to_string());
        }
        Some(message)
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.request("shutdown", &Value::Null).expect("the server shuts down");
        self.notify("exit", Value::Null);
        let ended = self.server.take().map(|server| server.join().expect("the server does not panic"));
        assert_eq!(ended, Some(true));
    }
}
