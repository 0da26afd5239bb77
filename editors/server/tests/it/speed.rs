//! The time of each request grows like the length of the text, also for texts that are no specs, and like the number of specs.
use crate::editor::Editor;
use crate::requests::{methods, params};
use lsp_types::{Diagnostic, DiagnosticSeverity, Position};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Length of the shorter text in bytes. The longer one is four times as long.
const SHORT: usize = 16_000;

/// The same for jobs without errors, which take more time.
const SHORT_JOB: usize = 8_000;

/// The smaller number of specs. The larger one is four times as large.
const FEW: usize = 60;

/// Four times the time is linear, sixteen times is quadratic.
const MOST_GROWTH: u32 = 9;

/// Shorter times are not compared.
const LEAST: Duration = Duration::from_millis(40);

/// Number of measurements, of which the shortest counts.
const TRIES: usize = 10;

/// Extension of the file, start, what is repeated, and end. Each `%` is the number of the repetition, because a repeated name would be
/// an error. The requests are about the mark `$0`; without it, about the start of the text, and completion about the end.
type Kind = (&'static str, &'static str, &'static str, &'static str);

/// Texts with errors.
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
    ("kdl", "job \"a\" {\n", "role \"w%\" { run \"x\"; }\n", "}\n"),
    ("kdl", "job \"a\" { ", "role \"w%\" { run \"x\"; }; ", "}"),
    ("kdl", "job \"a\" {\nenv {\n", "A% \"{data.train}\"\n", "}\n}\n"),
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

/// Jobs without errors. Those with many roles are for `local`, because the rules of clusters compare the roles with each other.
const JOBS: &[Kind] = &[
    (
        "kdl",
        "job \"a\" {\n    framework \"custom\"\n    image \"r/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n    run \"x\"\n",
        "    role \"w%\" { env { A \"b\"; }; }\n",
        "    role \"last$0\" {}\n    target \"local\"\n}\n",
    ),
    (
        "kdl",
        "job \"a\" {\n    framework \"custom\"\n    image \"r/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n    run \"x\"\n    env {\n",
        "        A% \"value\"\n",
        "        LAST$0 \"value\"\n    }\n    role \"worker\" { env { LAST \"other\"; }; }\n    target \"yarn\" {}\n}\n",
    ),
    (
        "kdl",
        "job \"a\" {\n    framework \"custom\"\n    image \"r/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n    param \"lr\" 1\n    role \"worker\" {\n        run \"x\"",
        " \\\n            \"--a%={param.lr}\"",
        " \"{param.l$0r}\"\n    }\n    target \"kubernetes\" {}\n}\n",
    ),
    (
        "json",
        "{\"job\": {\"name\": \"a\", \"framework\": {\"name\": \"custom\"}, \"image\": \"r/a:1\", \"run\": [\"x\"], \"resources\": {\"cpus\": 1, \"memory\": \"1GiB\"},\n\"target\": {\"local\": {}}, \"role\": {\n",
        "\"w%\": {\"env\": {\"A\": \"b\"}},\n",
        "\"last$0\": {}}}}\n",
    ),
    (
        "yaml",
        "job:\n  name: a\n  framework: {name: custom}\n  image: r/a:1\n  run: [x]\n  resources: {cpus: 1, memory: 1GiB}\n  target: {local: {}}\n  role:\n",
        "    w%: {env: {A: b}}\n",
        "    last$0: {}\n",
    ),
];

/// Returns a text of about this length.
fn text(kind: &Kind, length: usize) -> String {
    let (_, start, repeated, end) = kind;
    let middle: String =
        (0..length / repeated.len()).map(|number| repeated.replace('%', &number.to_string())).collect();
    format!("{start}{middle}{end}")
}

/// A document in an editor, and the places of the requests about it.
struct Side {
    editor: Rc<Editor>,
    name: String,
    /// Position of all requests, and that of completion.
    at: [Position; 2],
    /// Positions of a selection with several cursors.
    cursors: Vec<Position>,
    end: Position,
}

impl Side {
    /// Opens a text.
    fn of(editor: &Rc<Editor>, name: String, text: &str) -> Self {
        let (is_marked, at) = (text.contains("$0"), editor.open(&name, text));
        let lines: Vec<&str> = text.split('\n').collect();
        let last = lines.last().map_or(0, |line| line.encode_utf16().count());
        let end = Position::new(lines.len() as u32 - 1, last as u32);
        let each = |number: u32| Position::new(number * lines.len() as u32 / 1_000, 6);
        let cursors = (0..(text.len() / 64).min(1_000) as u32).map(each).collect();
        let at = if is_marked { [at, at] } else { [Position::new(0, 1), end] };
        Self { editor: Rc::clone(editor), name, at, cursors, end }
    }

    /// Returns the time of a request.
    fn time(&self, method: &str) -> Duration {
        let at = self.at[usize::from(method.ends_with("completion"))];
        let mut params = params(&self.name, (Position::new(0, 1), self.end), "x", "kubernetes", true);
        params["position"] = serde_json::json!(at);
        params["positions"] = serde_json::json!(self.cursors);
        let (start, before) = (Instant::now(), self.editor.processor_time());
        // Errors, such as those of texts without names, are answers too.
        self.editor.request(method, &params).ok();
        let times = before.zip(self.editor.processor_time());
        times.map_or_else(|| start.elapsed(), |(before, after)| after.saturating_sub(before))
    }
}

/// Requests that check a job again for its targets or for all, or compile it. The rules of the targets compare the roles of a job with each other, so
/// for many roles their time is not that of the server.
const OF_TARGETS: [&str; 4] =
    ["textDocument/codeAction", "textDocument/hover", "tfjob/compiled", "tfjob/locate"];

/// Returns the shortest times of a request, if that of the larger side is too long in all measurements.
fn grown(sides: &[Side; 2], method: &str) -> Option<String> {
    let mut least = [Duration::MAX; 2];
    let is_wrong = (0..TRIES).all(|_| {
        least = [0, 1].map(|number: usize| least[number].min(sides[number].time(method)));
        least[1] >= LEAST && least[1] >= least[0] * MOST_GROWTH
    });
    is_wrong.then(|| format!("{method}: {:?} and {:?}", least[0], least[1]))
}

/// Returns the requests whose time grows too much.
fn too_long(sides: &[Side; 2], except: &[&str]) -> Vec<String> {
    let methods = methods(&sides[0].editor.offered).into_iter().filter(|method| !except.contains(method));
    methods.filter_map(|method| grown(sides, method)).collect()
}

/// Returns the requests about texts of a kind whose time grows too much. `is_valid`: whether the texts have no errors.
fn of_kind(kind: &Kind, is_valid: bool) -> Vec<String> {
    let editor = Rc::new(Editor::new(&[]));
    let short = if is_valid { SHORT_JOB } else { SHORT };
    let sides = [short, 4 * short]
        .map(|length| Side::of(&editor, format!("{length}.tfjob.{}", kind.0), &text(kind, length)));
    for side in &sides {
        // The check of the whole document is not a part of each request.
        let found = editor.settled(&side.name);
        // Both texts are the same job.
        let is_other = |one: &&Diagnostic| !one.message.contains("have the job name");
        let errors =
            found.iter().filter(is_other).filter(|one| one.severity == Some(DiagnosticSeverity::ERROR));
        assert!(!is_valid || errors.count() == 0, "{kind:?}: {found:?}");
    }
    let has_roles = is_valid && kind.2.contains("w%");
    let except = if has_roles { &OF_TARGETS[..] } else { &[] };
    too_long(&sides, except).into_iter().map(|text| format!("{kind:?} {text}")).collect()
}

#[test]
fn the_time_of_a_request_grows_like_the_text() {
    // CI sets the variable. Otherwise, one in four of the texts is enough.
    let each = if std::env::var_os("TFJOB_SKIP_NOTHING").is_some() { 1 } else { 4 };
    let wrong: Vec<String> = KINDS.iter().step_by(each).flat_map(|kind| of_kind(kind, false)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_time_of_a_request_grows_like_the_job() {
    let wrong: Vec<String> = JOBS.iter().flat_map(|kind| of_kind(kind, true)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Name of the base of [`derived`].
const BASE: &str = "base.tfjob.kdl";

/// Returns a base, in which `DATA` is marked, and an editor with this base and specs that extend it and use the same name in two
/// roles.
fn derived(count: usize) -> (&'static str, Rc<Editor>) {
    let base = "job {\n    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n    image \"r/a:1\"\n    \
                resources cpus=1 memory=\"1GiB\"\n    run \"x\"\n    role \"worker\" count=2 { env { DA$0TA \"x\"; }; }\n    \
                role \"ps\" { env { DATA \"x\"; }; }\n}\n";
    let overlay = "extends \"base.tfjob.kdl\"\njob \"o\" {\n    role \"worker\" { env { DATA \"y\"; }; }\n    \
                   role \"ps\" { env { DATA \"y\"; }; }\n    target \"kubernetes\" {}\n}\n";
    let names: Vec<String> = (0..count).map(|number| format!("o{number}.tfjob.kdl")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), overlay)).collect();
    let saved = base.replace("$0", "");
    files.push((BASE, &saved));
    (base, Rc::new(Editor::new(&files)))
}

#[test]
fn the_time_of_a_request_grows_like_the_number_of_specs() {
    let sides = [FEW, 4 * FEW].map(|count| {
        let (base, editor) = derived(count);
        let side = Side::of(&editor, BASE.to_owned(), base);
        side.editor.settled(BASE);
        side
    });
    let wrong = too_long(&sides, &[]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each file is offered, with the number of specs that extend it.
#[test]
fn the_time_of_a_path_grows_like_the_number_of_specs() {
    for (name, text) in [("x.tfjob.kdl", "extends \"$0\"\n"), ("tfjob.kdl", "project { specs \"$0\"; }\n")] {
        let sides = [FEW, 4 * FEW].map(|count| {
            let (_, editor) = derived(count);
            editor.settled(BASE);
            Side::of(&editor, name.to_owned(), text)
        });
        assert_eq!(grown(&sides, "textDocument/completion"), None, "{name}");
    }
}
