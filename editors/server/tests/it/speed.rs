//! The time of each request grows like the length of the text, also for texts that are no specs.
use crate::editor::Editor;
use crate::random::{methods, params};
use lsp_types::Position;
use std::time::{Duration, Instant};

/// Length of the shorter text in bytes. The longer one is four times as long.
const SHORT: usize = 4_000;

/// Four times the time is linear, sixteen times is quadratic.
const MOST_GROWTH: u32 = 9;

/// Shorter times are not compared.
const LEAST: Duration = Duration::from_millis(150);

/// Number of measurements, of which the shortest counts: another process may slow down the others.
const TRIES: usize = 20;

/// Extension of the file, start, what is repeated, and end.
type Kind = (&'static str, &'static str, &'static str, &'static str);

const KINDS: &[Kind] = &[
    ("kdl", "", "\"", ""),
    ("kdl", "", "{", ""),
    ("kdl", "", "}", ""),
    ("kdl", "", ";", ""),
    ("kdl", "", "\\", ""),
    ("kdl", "", "\\\n", ""),
    ("kdl", "", "/*", ""),
    ("kdl", "", "/**/", ""),
    ("kdl", "", "/-", ""),
    ("kdl", "", "//\n", ""),
    ("kdl", "", "#", ""),
    ("kdl", "", "(", ""),
    ("kdl", "", "=", ""),
    ("kdl", "", "a;", ""),
    ("kdl", "", "é;", ""),
    ("kdl", "", "a ", ""),
    ("kdl", "", "a=1 ", ""),
    ("kdl", "", "a {", ""),
    ("kdl", "", "a\n", ""),
    ("kdl", "", "\n", ""),
    ("kdl", "", " ", ""),
    ("kdl", "job \"a\" {\n", "role \"w\" { run \"x\"; }\n", "}\n"),
    ("kdl", "job \"a\" { ", "role \"w\" { run \"x\"; }; ", "}"),
    ("kdl", "job \"a\" {\nenv {\n", "AB \"{data.train}\"\n", "}\n}\n"),
    ("kdl", "job \"a\" {\nrun ", "\"{param.lr}\" ", "\n}\n"),
    ("json", "", "\"", ""),
    ("json", "", "{", ""),
    ("json", "", "[", ""),
    ("json", "", ",", ""),
    ("json", "", "//\n", ""),
    ("json", "{", "\"a\":", ""),
    ("json", "{", "\"a\": 1, ", "}"),
    ("json", "{\"job\": {\"env\": {", "\"a\": \"b\",\n", "}}}"),
    ("json", "{\"job\": {\"run\": [", "\"{param.lr}\", ", "\"\"]}}"),
    ("yaml", "", "\"", ""),
    ("yaml", "", "'", ""),
    ("yaml", "", "[", ""),
    ("yaml", "", "{", ""),
    ("yaml", "", "- ", ""),
    ("yaml", "", "- a\n", ""),
    ("yaml", "", "a: b\n", ""),
    ("yaml", "", "a: [\n", ""),
    ("yaml", "", "a: |\n  b\n", ""),
    ("yaml", "", "# a\n", ""),
    ("yaml", "", " #", ""),
    ("yaml", "", ": ", ""),
    ("yaml", "", "\n", ""),
    ("yaml", "{job: {env: {", "a: \"b\", ", "}}}"),
    ("yaml", "job:\n  run:\n", "  - \"{param.lr}\"\n", ""),
];

/// Returns a text with a mark before its end. `AB` and `w` get a number, because a repeated name would be an error.
fn marked(kind: &Kind, length: usize) -> String {
    let (_, start, repeated, end) = kind;
    let one = |number: usize| {
        repeated.replace("AB", &format!("A{number}")).replace("\"w\"", &format!("\"w{number}\""))
    };
    let middle: String = (0..length / repeated.len()).map(one).collect();
    format!("{start}{middle}$0{end}")
}

/// An editor with a short and a long text.
struct Pair {
    editor: Editor,
    names: [String; 2],
    ends: [Position; 2],
}

impl Pair {
    fn of(kind: &Kind) -> Self {
        let editor = Editor::new(&[]);
        let open = |length: usize| {
            let name = format!("{length}.tfjob.{}", kind.0);
            let end = editor.open(&name, &marked(kind, length));
            (name, end)
        };
        let ((short, short_end), (long, long_end)) = (open(SHORT), open(4 * SHORT));
        // The check of the whole document is not a part of each request.
        editor.settled(&short);
        Self { editor, names: [short, long], ends: [short_end, long_end] }
    }

    /// Returns the time of a request about one of the texts.
    fn time(&self, method: &str, number: usize) -> Duration {
        let (end, start) = (self.ends[number], Position::new(0, 1));
        let at = if method.ends_with("completion") { end } else { start };
        let mut params = params(&self.names[number], (at, end), "x", "kubernetes", true);
        params["position"] = serde_json::json!(at);
        let start = Instant::now();
        // Errors, such as those of texts without names, are answers too.
        self.editor.request(method, &params).ok();
        start.elapsed()
    }

    /// Returns the shortest times of a request, if the longer one is too long in all measurements.
    fn too_long(&self, method: &str) -> Option<[Duration; 2]> {
        let mut least = [Duration::MAX; 2];
        for _ in 0..TRIES {
            least = [0, 1].map(|number| least[number].min(self.time(method, number)));
            if least[1] < LEAST || least[1] < least[0] * MOST_GROWTH {
                return None;
            }
        }
        Some(least)
    }
}

#[test]
fn the_time_of_a_request_grows_like_the_text() {
    let mut wrong = Vec::new();
    for kind in KINDS {
        let pair = Pair::of(kind);
        for method in methods(&pair.editor.offered) {
            if let Some([short, long]) = pair.too_long(method) {
                wrong.push(format!("{kind:?} {method}: {short:?} and {long:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
