//! Time per keystroke and memory of the server: `cargo bench -p tfjob-server`. With an argument, that many edits, all of them
//! measured: for callgrind.
//!
//! A user types in a spec of 1,000 lines. Each keystroke is followed by a request, which is answered after the check of the new text;
//! so the time of a keystroke is that of its edit, its check for all configured targets, and the highlights of one name.
#![expect(clippy::print_stdout, reason = "the measurements are the output")]
#[path = "../tests/it/editor.rs"]
#[expect(dead_code, reason = "shared with the tests")]
mod editor;
#[path = "../tests/it/memory.rs"]
mod memory;

use editor::Editor;
use lsp_types::Position;
use serde_json::json;
use std::time::{Duration, Instant};

/// The allocator of tfjob.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of edits without an argument.
const EDITS: usize = 10_000;

/// Of this many edits, one is measured, besides the one with the most errors. Each kind of edit is measured, because this number has no
/// common divisor with the number of kinds.
const EACH: usize = 7;

const NAME: &str = "a.tfjob.kdl";

/// What is typed, and deleted again.
const TYPED: [&str; 5] = ["x", "y", "\"", "{", "1"];

/// Returns a spec with at least 1,000 lines.
fn spec() -> String {
    let mut text = String::from(
        "job \"long\" {\n    framework \"custom\"\n    image \"registry/team/a:1\"\n    data \"train\" \"gs://bucket/train\"\n    param \"lr\" 0.1\n",
    );
    for number in 0..62 {
        text.push_str(&format!(
            "\n    // Role {number}.\n    role \"role-{number}\" count=2 {{\n        run \"python\" \"train.py\" \"{{data.train}}\" \"--lr={{param.lr}}\"\n        \
             resources cpus=2 memory=\"4GiB\"\n        env {{\n            LEVEL \"info\"\n            STEPS \"{number}\"\n            \
             PLACE \"{{data.train}}/{number}\"\n        }}\n        port \"web\" {}\n        ready http=\"web/health\"\n        \
             restart \"on-failure\" limit=3 {{\n            codes 42 143\n        }}\n    }}\n",
            2_300 + number
        ));
    }
    text.push_str("    target \"kubernetes\" {}\n    target \"yarn\" {\n        hadoop \"3.4\"\n        dns-domain \"y\"\n    }\n}\n");
    text
}

/// Returns the resident memory of this process in MiB, which contains the server and the editor.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    let number = line.split_whitespace().nth(1).and_then(|number| number.parse::<f64>().ok());
    number.unwrap_or_default() / 1024.0
}

fn main() {
    let text = spec();
    let lines = text.lines().count() as u32;
    assert!(lines >= 1_000, "{lines} lines");
    let editor = Editor::new(&[]);
    editor.open(NAME, &text);
    let first = editor.findings(NAME).len();
    println!("{lines} lines, {} bytes, {first} findings", text.len());
    println!("memory at the start: {:.1} MiB", resident());
    let row = text.lines().position(|line| line.contains("\"role-31\"")).unwrap_or_default() as u32 + 1;
    let at = Position::new(row, 8);
    let mut times = Vec::new();
    // Cargo adds `--bench`.
    let wanted = std::env::args().skip(1).find_map(|argument| argument.parse::<usize>().ok());
    let (edits, each) = wanted.map_or((EDITS, EACH), |edits| (edits, 1));
    for number in 0..edits {
        // Types a comment, and deletes it again: as many errors come and go as while a user types.
        let step = number % 10;
        let end = Position::new(row, 8 + u32::from(step >= 5));
        let change = match step {
            0..5 => json!([{"range": {"start": at, "end": at}, "text": TYPED[step]}]),
            _ => json!([{"range": {"start": at, "end": end}, "text": ""}]),
        };
        let start = Instant::now();
        editor.change(NAME, change);
        if number % each == 0 || number % 10 == 3 {
            let position = Position::new(3, 11);
            editor.at("textDocument/documentHighlight", NAME, position);
            times.push(start.elapsed());
        }
    }
    editor.findings(NAME);
    println!("memory after {edits} edits: {:.1} MiB", resident());
    times.sort();
    let share = |percent: usize| milliseconds(times[(times.len() - 1) * percent / 100]);
    println!(
        "keystroke ({} measured): median {:.2} ms, p99 {:.2} ms, maximum {:.2} ms",
        times.len(),
        share(50),
        share(99),
        share(100)
    );
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
