//! Messages on standard input and output.
//!
//! The reader of lsp-server ends at the first message that it cannot read, and prints this message, which may contain credentials.
//! This reader refuses such a message without showing it, and continues with the next one.
mod output;

pub use output::Outlet;

use crate::host::Host;
use crate::server::serve_to;
use lsp_server::{Connection, ErrorCode, Message, Notification};
use lsp_types::MessageType;
use lsp_types::notification::{Exit, LogMessage, Notification as _};
use output::Output;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{self, BufRead, PipeWriter, Read, Write};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// Starts a thread.
pub type Start = dyn Fn(Box<dyn FnOnce() + Send>) -> Result<(), String>;

/// Serves one editor on standard input and output. Returns false if it sends `exit` without `shutdown`. `start`: starts the threads
/// that receive and send messages while a request is handled. After `exit`, or the end of the input, the server ends also if the editor
/// does not read the rest of the messages.
///
/// # Errors
/// Returns an error if standard input or output fails. The text is for the log of the editor.
pub fn serve_stdio(host: &dyn Host, version: &str, start: &Start) -> Result<bool, String> {
    // Messages behind a long request, such as its cancellation, are received too, up to the limit of `Waiting`.
    let (connection, Connection { sender, .. }) = Connection::memory();
    let (ended, received) = mpsc::channel();
    let output = Arc::new(Output::default());
    let (written, refused) = (Arc::clone(&output), Arc::clone(&output));
    let mut stdout = standard_output().map_err(|error| error.to_string())?;
    start(Box::new(move || written.write_to(&mut stdout)))?;
    start(Box::new(move || {
        let mut waiting = Waiting::default();
        let mut take = |message: Message, size| {
            if is_exit(&message) {
                refused.exit();
            }
            while waiting.is_full(sender.len()) {
                std::thread::sleep(WAIT);
            }
            waiting.add(size);
            sender.send(message).is_ok()
        };
        let mut refuse = |one: &Refused| {
            let mut bytes = Vec::new();
            one.write(&mut bytes)?;
            refused.offer(bytes);
            Ok(())
        };
        let result = receive(&mut io::stdin().lock(), &mut take, &mut refuse);
        refused.end_of_input();
        drop(ended.send(result));
    }))?;
    let is_shut_down = serve_to(&connection, &*output, host, version);
    drop(connection);
    let result = output.finish().and_then(|()| received.try_recv().unwrap_or(Ok(())));
    result.map_err(|error| error.to_string())?;
    Ok(is_shut_down)
}

/// Returns standard output without its lock: the program may end while a write waits for the editor.
fn standard_output() -> io::Result<PipeWriter> {
    #[cfg(unix)]
    let own = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    #[cfg(windows)]
    let own = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
    Ok(own.into())
}

fn is_exit(message: &Message) -> bool {
    matches!(message, Message::Notification(one) if one.method == Exit::METHOD)
}

/// Maximum size of a message: 16 MiB. A document may have 1 MiB, of which JSON can make six.
const MAX_MESSAGE: u64 = 16 << 20;

/// Maximum size of the messages that the server has not taken yet: 64 MiB. While there are more, no message is received.
const MAX_WAITING: u64 = 64 << 20;

/// Time until the reader looks again whether the server has taken a message.
const WAIT: Duration = Duration::from_millis(5);

/// The sizes of the messages that the reader sent to the server, without those that the server has taken.
#[derive(Default)]
struct Waiting {
    sizes: VecDeque<u64>,
    bytes: u64,
}

impl Waiting {
    fn add(&mut self, size: u64) {
        self.sizes.push_back(size);
        self.bytes += size;
    }

    /// Returns whether no further message may be sent. `count`: number of messages that the server has not taken.
    fn is_full(&mut self, count: usize) -> bool {
        while self.sizes.len() > count {
            self.bytes -= self.sizes.pop_front().unwrap_or_default();
        }
        self.bytes > MAX_WAITING
    }
}

/// Maximum length of a line of a header. Only the end of a longer line is kept.
const MAX_LINE: u64 = 4 << 10;

/// Name of the header with the size of the message.
const LENGTH: &[u8] = b"content-length:";

/// Why a message is refused. Contains no text of the message.
#[derive(Debug)]
struct Refused {
    code: ErrorCode,
    text: String,
    /// The ID of the request; null if it is unknown.
    id: Value,
}

impl Refused {
    fn new(code: ErrorCode, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), id: Value::Null }
    }

    /// Sends an error response, and an entry for the log of the editor.
    ///
    /// # Errors
    /// Returns an error if the output fails.
    fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let error = json!({"code": self.code as i32, "message": self.text});
        // `Message` has no response without an ID.
        let answer = json!({"jsonrpc": "2.0", "id": self.id, "error": error}).to_string();
        write!(output, "Content-Length: {}\r\n\r\n{answer}", answer.len())?;
        let log = json!({"type": MessageType::ERROR, "message": format!("message refused: {}", self.text)});
        send(&Notification::new(LogMessage::METHOD.to_owned(), log).into(), output)
    }
}

/// Sends a message.
///
/// # Errors
/// Returns an error if the output fails.
fn send(message: &Message, mut output: &mut dyn Write) -> io::Result<()> {
    message.write(&mut output)
}

/// Receives messages up to `exit`, or to the end of the input. `take` gets a message and its size, and returns whether it takes further
/// messages.
///
/// # Errors
/// Returns an error if the input fails, or the first error of `refuse`.
fn receive(
    input: &mut dyn BufRead,
    take: &mut dyn FnMut(Message, u64) -> bool,
    refuse: &mut dyn FnMut(&Refused) -> io::Result<()>,
) -> io::Result<()> {
    while let Some((size, message)) = read(input)? {
        match message {
            Err(refused) => refuse(&refused)?,
            Ok(message) => {
                let is_last = is_exit(&message);
                if !take(message, size) || is_last {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Reads the next message, with its size. `None` at the end of the input.
fn read(input: &mut dyn BufRead) -> io::Result<Option<(u64, Result<Message, Refused>)>> {
    let size = match header(input)? {
        None => return Ok(None),
        Some(Err(refused)) => return Ok(Some((0, Err(refused)))),
        Some(Ok(size)) => size,
    };
    // The buffer grows with the bytes that arrive: the header may be wrong.
    let mut bytes = Vec::new();
    if Read::take(&mut *input, size).read_to_end(&mut bytes)? as u64 != size {
        return Ok(None);
    }
    Ok(Some((size, parsed(&bytes))))
}

/// Reads the header of a message, and returns the size of the message. `None` at the end of the input.
///
/// The message of a refused header is not skipped, because its size may be wrong. Its lines are ignored here like unknown
/// headers. A line break in JSON is never in a string, so no line of a message ends with a header.
fn header(input: &mut dyn BufRead) -> io::Result<Option<Result<u64, Refused>>> {
    let mut size = None;
    let mut line = Vec::new();
    loop {
        if !read_line(input, &mut line)? {
            return Ok(None);
        }
        let text = line.trim_ascii();
        let at = text.windows(LENGTH.len()).rposition(|part| part.eq_ignore_ascii_case(LENGTH));
        match (at, size) {
            (Some(at), _) => {
                let number = str::from_utf8(&text[at + LENGTH.len()..]).ok();
                let Some(number) = number.and_then(|number| number.trim().parse().ok()) else {
                    let text = "the header `Content-Length` is not a number";
                    return Ok(Some(Err(Refused::new(ErrorCode::ParseError, text))));
                };
                if number > MAX_MESSAGE {
                    let text = format!("it has {number} bytes; the limit is {MAX_MESSAGE} bytes");
                    return Ok(Some(Err(Refused::new(ErrorCode::InvalidRequest, text))));
                }
                size = Some(number);
            }
            (None, Some(size)) if text.is_empty() => return Ok(Some(Ok(size))),
            // Other headers, such as `Content-Type`, and the rest of a refused message.
            (None, _) => {}
        }
    }
}

/// Reads a line with its newline. Returns false at the end of the input.
fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    loop {
        let length = Read::take(&mut *input, MAX_LINE).read_until(b'\n', line)?;
        if length == 0 || line.ends_with(b"\n") {
            return Ok(length > 0);
        }
        // The header of the next message may follow in the same line.
        let kept = line.len().saturating_sub(MAX_LINE as usize / 2);
        line.drain(..kept);
    }
}

fn parsed(bytes: &[u8]) -> Result<Message, Refused> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Refused::new(ErrorCode::ParseError, format!("it is not valid JSON at line {line}, column {column}"))
    })?;
    if value.is_array() {
        return Err(Refused::new(ErrorCode::InvalidRequest, "batches of messages are not supported"));
    }
    let id = value.get("id").filter(|id| id.is_number() || id.is_string()).cloned();
    let wrong = || Refused {
        id: id.clone().unwrap_or_default(),
        ..Refused::new(ErrorCode::InvalidRequest, "it is not a message of JSON-RPC")
    };
    let message = serde_json::from_value(value).map_err(|_| wrong())?;
    // A request with an ID that LSP does not allow, such as 1.5, would be read as a notification, and get no answer.
    if id.is_some() && matches!(message, Message::Notification(_)) {
        return Err(wrong());
    }
    Ok(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the methods of the messages in an input, and for a refused message its error response.
    fn received(input: &[u8]) -> Vec<String> {
        let (mut all, mut input) = (std::cell::RefCell::new(Vec::new()), input);
        let mut take = |message: Message, _| {
            let value = serde_json::to_value(message).expect("JSON");
            all.borrow_mut().push(value["method"].as_str().unwrap_or("response").to_owned());
            true
        };
        let mut refuse = |refused: &Refused| {
            let mut out = Vec::new();
            refused.write(&mut out)?;
            let out = String::from_utf8_lossy(&out).into_owned();
            assert!(!out.contains("hidden") && out.contains("window/logMessage"), "{out}");
            let answer = out.lines().nth(2).and_then(|line| line.split("Content-Length").next());
            all.borrow_mut().push(answer.unwrap_or_default().to_owned());
            Ok(())
        };
        receive(&mut input, &mut take, &mut refuse).expect("a result");
        all.get_mut().clone()
    }

    fn framed(text: impl AsRef<[u8]>) -> Vec<u8> {
        let text = text.as_ref();
        [format!("Content-Length: {}\r\n\r\n", text.len()).as_bytes(), text].concat()
    }

    const NEXT: &str = r#"{"jsonrpc": "2.0", "method": "next"}"#;

    /// Each invalid message is refused, with an ID if it has one, and the next message is read.
    #[test]
    fn the_reader_continues_after_an_invalid_message() {
        let long = vec![b' '; 9_000];
        let cases: &[(&[u8], &str)] = &[
            (b"{\"method\": \"hidden\"", "null -32700"),
            (b"", "null -32700"),
            (b"hidden", "null -32700"),
            (b"{\"method\": \"hidden\xff\"}", "null -32700"),
            (b"{\"method\": \"hidden\\ud800\"}", "null -32700"),
            (b"[{\"method\": \"hidden\"}]", "null -32600"),
            (b"[1, \"hidden\"]", "null -32600"),
            (b"\"hidden\"", "null -32600"),
            (b"{\"hidden\": 1}", "null -32600"),
            (b"{\"id\": 7, \"hidden\": 1}", "7 -32600"),
            (b"{\"id\": \"a\", \"method\": [\"hidden\"]}", "\"a\" -32600"),
            (b"{\"id\": 1.5, \"method\": \"hidden\"}", "1.5 -32600"),
            (&long, "null -32700"),
        ];
        for (text, wanted) in cases {
            let found = received(&[framed(text), framed(NEXT)].concat());
            let [answer, next] = found.as_slice() else { panic!("{wanted}: {found:?}") };
            let answer: Value = serde_json::from_str(answer).expect("an answer");
            assert_eq!(format!("{} {}", answer["id"], answer["error"]["code"]), *wanted, "{answer}");
            assert_eq!((next.as_str(), &answer["jsonrpc"]), ("next", &json!("2.0")));
        }
        let deep = "[".repeat(100_000);
        assert_eq!(received(&[framed(deep), framed(NEXT)].concat()).len(), 2);
    }

    #[test]
    fn the_reader_continues_after_an_invalid_header() {
        let body = "{\"hidden\": \"Content-Length: 3\\r\\n\"}".repeat(300);
        for (header, refused) in [
            ("Content-Length: 999999999999\r\n\r\n", 1),
            ("Content-Length: 99999999999999999999999\r\n\r\n", 1),
            ("Content-Length: -1\r\n\r\n", 1),
            ("Content-Length: hidden\r\n\r\n", 1),
            ("Content-Length:\r\n\r\n", 1),
            ("hidden\r\n\r\n", 0),
            ("\r\n\r\n", 0),
        ] {
            for body in ["", &body] {
                let found = received(&[header.as_bytes(), body.as_bytes(), &framed(NEXT)].concat());
                assert_eq!(found.len(), refused + 1, "{header:?} {found:?}");
                assert_eq!(found.last().map(String::as_str), Some("next"), "{header:?}");
            }
        }
        let typed = format!("content-type: x\r\nCONTENT-LENGTH:{}\r\n\r\n{NEXT}", NEXT.len());
        assert_eq!(received(typed.as_bytes()), ["next"]);
    }

    /// A wrong header allocates no memory.
    #[test]
    fn the_input_may_end_in_a_message() {
        for text in ["", "Content-Length: 16777216\r\n\r\n{", "Content-Length: 5\r\n", "Content"] {
            assert_eq!(received(text.as_bytes()), [] as [&str; 0], "{text:?}");
        }
    }

    /// An editor that sends many edits during a long request does not fill the memory.
    #[test]
    fn the_messages_that_wait_have_a_limit() {
        let mut waiting = Waiting::default();
        let mut sent = 0;
        while !waiting.is_full(sent) {
            waiting.add(1 << 20);
            sent += 1;
        }
        assert_eq!(sent, 65);
        assert!(!waiting.is_full(sent - 1), "the server has taken a message");
        waiting.add(0);
        assert!(!waiting.is_full(0) && waiting.sizes.is_empty() && waiting.bytes == 0);
    }

    #[test]
    fn nothing_is_read_after_exit() {
        let exit = framed(r#"{"jsonrpc": "2.0", "method": "exit"}"#);
        assert_eq!(received(&[exit, framed(NEXT)].concat()), ["exit"]);
    }
}
