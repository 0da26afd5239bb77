//! An editor in memory: it opens texts with a mark `$0` at the cursor, and sends requests.
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::Position;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tfjob_driver::{Checked, Driver, Loaded, Request as Check, Target, files};
use tfjob_server::{Host, Options, Outcome, Specs, Unsaved, serve};

#[path = "texts.rs"]
pub mod texts;
use texts::unmarked;

/// Directory of all files.
pub const ROOT: &str = "/project";

/// Files in memory.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// The texts on disk.
    pub files: Arc<Mutex<BTreeMap<PathBuf, String>>>,
    /// How often the server has dropped cached projects.
    pub forgotten: Arc<AtomicUsize>,
}

impl Memory {
    fn current(&self, path: &Path, unsaved: &Unsaved) -> Option<String> {
        unsaved.get(path).map(|text| text.to_string()).or_else(|| self.text(path))
    }
}

/// Returns the result of `tfjob check`, with bases from the same directory.
pub fn check(path: &Path, options: &Options, read: &dyn Fn(&Path) -> Option<String>) -> Option<Checked> {
    let driver = Driver::new(tfjob_targets::REGISTRY);
    let name = path.to_string_lossy();
    let text = read(path)?;
    if files::is_cluster(path) {
        let file = driver.cluster(&Loaded { format: files::format_of(&name), name: name.into_owned(), text });
        let batch =
            tfjob_driver::Batch { sources: file.sources.clone(), diagnostics: file.diagnostics.clone() };
        return Some(Checked { batch, ..Checked::default() });
    }
    let load = |from: &str, wanted: &str| {
        let path = Path::new(from).parent().unwrap_or_else(|| Path::new("/")).join(wanted);
        let name = path.to_string_lossy().into_owned();
        let text = read(&path).ok_or("no such file")?;
        Ok(Loaded { format: files::format_of(&name), name, text })
    };
    // The cluster of all specs in a directory.
    let cluster = path.with_file_name("all.cluster.kdl");
    let cluster = read(&cluster).map(|text| {
        let name = cluster.to_string_lossy().into_owned();
        driver.cluster(&Loaded { format: files::format_of(&name), name, text })
    });
    let request = Check::new(&name, &text).load(&load).targets(&options.targets).artifacts(options.artifacts);
    let project = path.with_file_name("tfjob.kdl");
    let settings = read(&project).map(|text| settings(&text)).unwrap_or_default();
    let project = project.to_string_lossy().into_owned();
    let request = request.cluster(cluster.as_ref()).settings(&settings);
    let mut checked = driver.check(&request.project(Some((&project, settings.len()))));
    if cluster.is_none() {
        driver.summarize(&name, &mut checked);
    }
    Some(checked)
}

/// Returns the target of each environment of a project file: `environment "NAME" { target "TARGET"; }`.
fn environments(text: &str) -> Vec<Target> {
    let name = |rest: &str| rest.split_once("target \"")?.1.split_once('"').map(|(name, _)| name.to_owned());
    let names = text.split("environment ").skip(1).filter_map(name);
    names.filter_map(|name| tfjob_targets::REGISTRY.target(&name)).collect()
}

/// Returns the values of the lines `set "KEY=VALUE"` of a project file, each at its place.
fn settings(text: &str) -> Vec<String> {
    let setting = |(line, text): (usize, &str)| {
        let (before, rest) = text.split_once("set \"")?;
        let value = rest.split('"').next()?;
        Some(format!("{}{}{value}", "\n".repeat(line), " ".repeat(before.len() + "set \"".len())))
    };
    text.lines().enumerate().filter_map(setting).collect()
}

impl Host for Memory {
    fn driver(&self) -> Driver {
        Driver::new(tfjob_targets::REGISTRY)
    }

    fn check(&self, path: &Path, options: &Options, unsaved: &Unsaved) -> Option<Outcome> {
        let read = |path: &Path| self.current(path, unsaved);
        let project = read(&path.with_file_name("tfjob.kdl")).unwrap_or_default();
        let each = environments(&project);
        if each.is_empty() || !options.targets.is_empty() {
            return check(path, options, &read).map(|checked| Ok(vec![checked]));
        }
        let checked = each
            .into_iter()
            .map(|target| check(path, &Options { targets: vec![target], ..options.clone() }, &read));
        checked.collect::<Option<Vec<_>>>().map(Ok)
    }

    fn text(&self, path: &Path) -> Option<String> {
        self.files.lock().expect("no panic").get(path).cloned()
    }

    fn environments(&self, _: &Path, _: &Unsaved) -> Vec<String> {
        Vec::new()
    }

    fn scripts(&self, _: &Path, compiled: &Checked, _: Option<&str>) -> Vec<(String, String)> {
        let has_files = compiled.compiled.iter().any(|(_, lowered)| lowered.is_some());
        let script = ("submit.sh".to_owned(), "API_TOKEN=a1b2c3d4e5f6a7b8 submit\n".to_owned());
        has_files.then_some(script).into_iter().collect()
    }

    fn explain(&self, topic: &str) -> Result<String, String> {
        let known = tfjob_lang::codes::PAGES.iter().find(|(name, _)| *name == topic);
        known.map(|(_, page)| (*page).to_owned()).ok_or_else(|| format!("unknown topic `{topic}`"))
    }

    fn forget(&self) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
    }

    fn contains(&self, directory: &Path, path: &Path) -> bool {
        path.starts_with(directory) && self.files.lock().expect("no panic").contains_key(path)
    }

    fn entries(&self, directory: &Path, below: &str) -> Vec<String> {
        let files = self.files.lock().expect("no panic");
        let inner = files.keys().filter_map(|path| path.strip_prefix(directory.join(below)).ok()?.to_str());
        let names = inner.map(|path| path.find('/').map_or(path, |end| &path[..=end]).to_owned());
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn specs(&self, directory: &Path) -> Specs {
        let files = self.files.lock().expect("no panic");
        let is_spec = |path: &&PathBuf| files::is_spec(&path.to_string_lossy()) || files::is_cluster(path);
        let paths = files.keys().filter(is_spec).filter(|path| path.starts_with(directory));
        Specs { paths: paths.cloned().collect(), is_complete: true }
    }
}

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

    /// Waits until the server has published findings, and is idle. Returns the findings of a file.
    pub fn findings(&self, name: &str) -> Vec<lsp_types::Diagnostic> {
        let uri = Self::uri(name);
        let before = self.shown.borrow().contains_key(&uri);
        let first = if before { Duration::from_millis(400) } else { Duration::from_secs(30) };
        let mut wait = first;
        while self.message(wait).is_some() {
            if self.shown.borrow().contains_key(&uri) {
                wait = Duration::from_millis(200);
            }
        }
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
            self.shown.borrow_mut().insert(told.uri.as_str().to_owned(), told.diagnostics);
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
