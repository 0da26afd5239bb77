//! The main loop: receives messages, answers requests, and publishes findings when the user stops typing.
use crate::client::Client;
use crate::documents::{Document, parse_uri, path_of};
use crate::features;
use crate::host::Host;
use crate::params::Params;
use crate::session::Session;
use crate::stdio::Outlet;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::MessageType;
use lsp_types::notification::{self as note, Notification as _};
use lsp_types::request::{Initialize, RegisterCapability, Request as _, Shutdown};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// Time without a message after which changed documents are checked.
const PAUSE: Duration = Duration::from_millis(50);

/// Maximum number of messages before findings of checked documents are published, even if messages arrive without a pause.
const MOST_MESSAGES: usize = 32;

/// Maximum number of messages before changed documents are checked. It is larger than [`MOST_MESSAGES`], because a request may check
/// them earlier.
const MOST_UNCHECKED: usize = 64;

/// Maximum length of the texts in the queue: 64 MiB. The messages after them are received later.
const MAX_QUEUED: usize = 64 << 20;

/// The files whose changes affect findings: specs, cluster files, and project files.
const WATCHED: [&str; 2] = ["**/*.{tfjob,cluster}.{kdl,json,yaml,yml}", "**/tfjob.kdl"];

/// `FileChangeType.Changed` of LSP.
const CHANGED: u64 = 2;

/// Serves one editor until it sends `exit`, or closes the connection. Returns false if it sends `exit` without `shutdown`, or closes the
/// connection without `initialize`.
#[must_use]
pub fn serve(connection: &Connection, host: &dyn Host, version: &str) -> bool {
    serve_to(connection, connection, host, version)
}

/// Serves one editor as [`serve`], and sends the messages to an outlet.
#[must_use]
pub fn serve_to(connection: &Connection, outlet: &dyn Outlet, host: &dyn Host, version: &str) -> bool {
    let Some((id, params)) = initialize(connection, outlet) else { return false };
    let client = Client::of(&params);
    let answer = json!({
        "capabilities": client.offered(),
        "serverInfo": {"name": "tfjob", "version": version},
    });
    let session = Session::new(client, host);
    let mut server = Server {
        connection,
        outlet,
        session,
        queue: VecDeque::new(),
        queued: 0,
        handled: 0,
        is_warned: false,
    };
    server.send(Response::new_ok(id, answer));
    server.session.find_specs();
    server.run()
}

/// Waits for the request `initialize`. `None` if the editor ends before. lsp-server has this function too, but its errors contain
/// the received message, and it fails if another message than `initialized` follows.
fn initialize(connection: &Connection, outlet: &dyn Outlet) -> Option<(RequestId, Value)> {
    loop {
        match connection.receiver.recv().ok()? {
            Message::Request(Request { id, method, params }) if method == Initialize::METHOD => {
                return Some((id, params));
            }
            Message::Request(Request { id, .. }) => {
                let text = "the server is not initialized".to_owned();
                let error = Response::new_err(id, ErrorCode::ServerNotInitialized as i32, text);
                outlet.send(error.into());
            }
            Message::Notification(one) if one.method == note::Exit::METHOD => return None,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
}

struct Server<'s> {
    connection: &'s Connection,
    outlet: &'s dyn Outlet,
    session: Session<'s>,
    /// Received messages that are not handled yet.
    queue: VecDeque<Message>,
    /// Length of the texts in these messages, in bytes.
    queued: usize,
    /// Number of messages that were handled since findings are to be published.
    handled: usize,
    /// Whether the log says that some specs are not checked.
    is_warned: bool,
}

impl Server<'_> {
    /// Handles messages until the end. Returns false if the editor sends `exit` without `shutdown`.
    fn run(&mut self) -> bool {
        let mut is_shut_down = false;
        while let Some(message) = self.next() {
            match message {
                Message::Request(Request { id, .. }) if is_shut_down => {
                    let text = "the server is shut down".to_owned();
                    self.send(Response::new_err(id, ErrorCode::InvalidRequest as i32, text));
                }
                Message::Request(request) if request.method == Shutdown::METHOD => {
                    is_shut_down = true;
                    self.send(Response::new_ok(request.id, ()));
                }
                Message::Notification(one) if one.method == note::Exit::METHOD => return is_shut_down,
                // Only the messages above matter for the result.
                _ if self.outlet.is_closed() => {}
                Message::Request(request) => self.answer(request),
                Message::Notification(notification) => self.notice(notification),
                // The only request of the server is that of `watch_files`. If it is refused, the files are not watched.
                Message::Response(_) => {}
            }
        }
        true
    }

    /// Returns the next message. Publishes findings before it waits for long. `None` if the connection is closed.
    fn next(&mut self) -> Option<Message> {
        let mut pause = PAUSE;
        loop {
            self.receive();
            if let Some(message) = self.queue.pop_front() {
                if self.is_late() {
                    self.publish();
                }
                self.queued = self.queued.saturating_sub(length_of_texts(&message));
                return Some(message);
            }
            if !self.session.is_stale() || self.outlet.is_closed() {
                return self.connection.receiver.recv().ok();
            }
            match self.connection.receiver.recv_timeout(pause) {
                Ok(message) => self.push(message),
                Err(error) if error.is_timeout() => {
                    self.publish();
                    // The user does not type, so the other files are checked without a pause.
                    pause = Duration::ZERO;
                }
                Err(_) => return None,
            }
        }
    }

    /// Counts a message. Returns whether findings were to be published during many messages.
    fn is_late(&mut self) -> bool {
        self.handled = if self.session.is_stale() { self.handled + 1 } else { 0 };
        let most = if self.session.is_checked() { MOST_MESSAGES } else { MOST_UNCHECKED };
        self.handled > most
    }

    fn push(&mut self, message: Message) {
        self.queued += length_of_texts(&message);
        self.queue.push_back(message);
    }

    /// Moves the received messages to the queue, up to a limit. Answers the cancelled requests among them.
    fn receive(&mut self) {
        let before = self.queue.len();
        while self.queued < MAX_QUEUED
            && let Ok(message) = self.connection.receiver.try_recv()
        {
            self.push(message);
        }
        // The messages before were searched already: thousands may wait.
        let cancelled: BTreeSet<RequestId> = self.queue.range(before..).filter_map(cancelled).collect();
        if cancelled.is_empty() {
            return;
        }
        for message in std::mem::take(&mut self.queue) {
            match message {
                Message::Request(one) if cancelled.contains(&one.id) => {
                    let text = "cancelled by the editor".to_owned();
                    self.send(Response::new_err(one.id, ErrorCode::RequestCanceled as i32, text));
                }
                one if is_cancel(&one) => {}
                one => self.queue.push_back(one),
            }
        }
    }

    /// A panic ends the server: the released program is built with `panic = "abort"`, so it could not be caught here.
    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match features::answer(&mut self.session, &method, &Params(params)) {
            Ok(Some(value)) => Response::new_ok(id, value),
            Err(text) => Response::new_err(id, ErrorCode::InvalidParams as i32, text),
            Ok(None) => {
                let text = format!("unknown method `{method}`");
                Response::new_err(id, ErrorCode::MethodNotFound as i32, text)
            }
        };
        self.send(answer);
    }

    /// Handles a notification. The editor does not wait for an answer, so a wrong parameter is logged.
    fn notice(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if let Err(text) = self.noticed(&method, &Params(params)) {
            self.tell(note::LogMessage::METHOD, &format!("{method}: {text}"));
        }
    }

    fn noticed(&mut self, method: &str, params: &Params) -> Result<(), String> {
        let session = &mut self.session;
        match method {
            // Before this notification, some editors accept no requests.
            note::Initialized::METHOD => {
                self.watch_files();
                self.report_targets();
                self.report_unknown_specs();
            }
            note::DidOpenTextDocument::METHOD => {
                let text = params.text("/textDocument/text")?.to_owned();
                session.open(Document::new(params.uri()?, params.version()?, text, session.client.encoding));
            }
            note::DidChangeTextDocument::METHOD => {
                session.edit(&params.uri()?, params.version()?, params.changes()?);
            }
            note::DidCloseTextDocument::METHOD => {
                session.close(&params.uri()?);
                self.publish();
            }
            note::DidSaveTextDocument::METHOD => {
                session
                    .changed_on_disk(path_of(&params.uri()?).map(|path| (path, true)).into_iter().collect());
            }
            note::DidChangeWatchedFiles::METHOD => {
                let changes = params.0.get("changes").and_then(Value::as_array);
                let file = |change: &Value| {
                    let path = path_of(&parse_uri(change.get("uri")?.as_str()?).ok()?)?;
                    Some((path, change.get("type").and_then(Value::as_u64) == Some(CHANGED)))
                };
                session.changed_on_disk(changes.into_iter().flatten().filter_map(file).collect());
                self.report_unknown_specs();
            }
            note::DidChangeWorkspaceFolders::METHOD => {
                let all = |name: &str| {
                    params.0.pointer(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
                };
                session.client.change_folders(all("/event/added"), all("/event/removed"));
                session.changed_folders();
                self.report_unknown_specs();
            }
            note::DidChangeConfiguration::METHOD => {
                let before = session.client.targets.clone();
                session.client.configure(params.0.get("settings").unwrap_or(&Value::Null));
                session.changed_all();
                if self.session.client.targets != before {
                    self.report_targets();
                }
            }
            // Notifications that the server does not need, such as `$/setTrace`.
            _ => {}
        }
        Ok(())
    }

    /// Requests notifications about changed files, if the editor supports that.
    fn watch_files(&self) {
        if self.session.client.watches_files {
            let watchers = WATCHED.map(|glob| json!({"globPattern": glob}));
            let method = note::DidChangeWatchedFiles::METHOD;
            let watch = json!({"id": "files", "method": method, "registerOptions": {"watchers": watchers}});
            let method = RegisterCapability::METHOD.to_owned();
            self.send(Request::new("files".to_owned().into(), method, json!({"registrations": [watch]})));
        }
    }

    /// Reports unknown targets in the settings, which are otherwise ignored.
    fn report_targets(&self) {
        for name in &self.session.client.targets {
            if let Err(text) = features::targets::target(&self.session, name) {
                self.tell(note::ShowMessage::METHOD, &format!("setting `targets`: {text}"));
            }
        }
    }

    /// Logs once that some specs are not checked.
    fn report_unknown_specs(&mut self) {
        if let Some(why) = self.session.unknown_specs()
            && !std::mem::replace(&mut self.is_warned, true)
        {
            self.tell(note::LogMessage::METHOD, why);
        }
    }

    /// Shows or logs a warning.
    fn tell(&self, method: &str, text: &str) {
        let params = json!({"type": MessageType::WARNING, "message": text});
        self.send(Notification::new(method.to_owned(), params));
    }

    fn publish(&mut self) {
        self.handled = 0;
        for params in self.session.refresh() {
            let method = note::PublishDiagnostics::METHOD.to_owned();
            self.send(Notification::new(method, params));
        }
    }

    fn send(&self, message: impl Into<Message>) {
        self.outlet.send(message.into());
    }
}

/// Returns the ID of the request that a message cancels.
fn cancelled(message: &Message) -> Option<RequestId> {
    let Message::Notification(one) = message else { return None };
    let id = one.params.get("id").filter(|_| one.method == note::Cancel::METHOD)?;
    serde_json::from_value(id.clone()).ok()
}

/// Returns the length of the texts of a change or of an opened document, in bytes. Other messages are small.
fn length_of_texts(message: &Message) -> usize {
    let Message::Notification(one) = message else { return 0 };
    let length = |text: Option<&Value>| text.and_then(Value::as_str).map_or(0, str::len);
    let changes = one.params.get("contentChanges").and_then(Value::as_array);
    let changes = changes.into_iter().flatten().map(|change| length(change.get("text")));
    changes.sum::<usize>() + length(one.params.pointer("/textDocument/text"))
}

fn is_cancel(message: &Message) -> bool {
    matches!(message, Message::Notification(one) if one.method == note::Cancel::METHOD)
}
