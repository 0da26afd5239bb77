//! Random edits and requests: the server never panics, and its findings are those of a server that has seen only the last texts.
//!
//! `TFJOB_LSP_EDITS=100000` sets the number of edits, `TFJOB_LSP_SEED` the first state of the generator.
use crate::editor::{Editor, ROOT};
use crate::memory::check;
use crate::requests::{methods, params};
use lsp_types::Position;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tfjob_driver::{Checked, bases, conflicts};
use tfjob_lang::secrets;
use tfjob_server::Options;

/// Texts to insert.
const FRAGMENTS: &[&str] = &[
    "\"",
    "{",
    "}",
    "\\",
    "😀",
    "é",
    "\r",
    "\r\n",
    "\n",
    "\t",
    " ",
    "/-",
    "/*",
    "*/",
    "//",
    "#",
    "=",
    ";",
    "\"\"\"",
    "#\"",
    "{data.",
    "{{",
    "}}",
    "{param.lr}",
    "{addresses.worker}",
    "$TFJOB_DATA_TRAIN",
    "role \"worker\" {",
    "target \"",
    "count=",
    "count=-1",
    "extends \"base.tfjob.kdl\"\n",
    "extends \"overlay.tfjob.kdl\"\n",
    "after \"ps\"\n",
    "data \"train\" \"gs://b/t\"\n",
    "#true",
    "null",
    "0x",
    "1e999",
    "\u{feff}",
    "\u{202e}",
    "\u{0}",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    "\u{85}",
    // Programs with a credential among their arguments.
    "curl",
    "mysql -p",
    "redis-cli AUTH",
    "sshpass",
    "[",
    "]",
    ":",
    ",",
    "- ",
    "'",
    "ready tcp=\"web\"\n",
    "memory=\"16GB\"",
];

const BASE: &str = "job {\n    image \"registry/team/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n    data \"train\" \"gs://b/t\"\n}\n";
const OVERLAY: &str = "extends \"base.tfjob.kdl\"\njob \"o\" {\n    framework \"tensorflow\" version=\"2.15\"\n    role \"worker\" count=2 { run \"x\" \"{data.train}\"; }\n    target \"kubernetes\" {}\n}\n";
const JSON: &str = "{\"job\": {\"name\": \"a\", \"framework\": {\"name\": \"tensorflow\", \"version\": \"2.15\"}, \"data\": {\"train\": \"gs://b/t\"}, \"role\": {\"worker\": {\"run\": [\"x\", \"{data.train}\"]}}}}\n";
const YAML: &str = "job:\n  name: a\n  framework: {name: tensorflow, version: '2.15'}\n  data:\n    train: gs://b/t\n  role:\n    worker:\n      count: 2\n      run: [x, '{data.train}']\n";
/// A job without targets, which each target refuses.
const NOWHERE: &str = "job \"n\" {\n    framework \"tensorflow\" version=\"2.15\"\n    image \"registry/team/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n    checkpoints \"pvc://claim\" at=\"/state\" every=\"10m\"\n    restart \"on-failure\" limit=3 backoff=\"10s\"\n    role \"worker\" { run \"x\"; }\n}\n";
const CLUSTER: &str = "cluster \"c\" target=\"yarn\" {\n    nodes \"a\" count=2 cpus=8 memory=\"32GiB\"\n}\n";

/// A generator of random numbers (xorshift), so that a run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn pick<'t, T: ?Sized>(&mut self, all: &[&'t T]) -> &'t T {
        all[self.below(all.len())]
    }
}

/// A user who types at random.
struct User {
    random: Random,
    editor: Editor,
    methods: Vec<&'static str>,
    /// The documents: their first texts, and their texts now.
    first: BTreeMap<String, String>,
    texts: BTreeMap<String, String>,
    /// What was sent last, to be shown if the server panics.
    last: String,
}

impl Drop for User {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("last: {}\ntexts: {:#?}", self.last, self.texts);
        }
    }
}

fn examples() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = [
        ("base.tfjob.kdl", BASE),
        ("overlay.tfjob.kdl", OVERLAY),
        ("j.tfjob.json", JSON),
        ("y.tfjob.yaml", YAML),
        ("c.cluster.kdl", CLUSTER),
        ("nowhere.tfjob.kdl", NOWHERE),
    ];
    let mut all: BTreeMap<String, String> =
        named.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    for name in ["tony-mnist", "start-order", "restart"] {
        let text =
            std::fs::read_to_string(root.join(format!("examples/{name}.tfjob.kdl"))).expect("an example");
        all.insert(format!("{name}.tfjob.kdl"), text);
    }
    all
}

/// Returns the position of a byte offset, counted as in LSP: a line ends with `\n`, `\r\n`, or `\r`.
fn position(text: &str, byte: usize) -> Position {
    let before = &text[..byte];
    let line = before
        .match_indices(['\n', '\r'])
        .filter(|(at, end)| *end == "\n" || !text[at + 1..].starts_with('\n'))
        .count();
    let column = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    Position::new(line as u32, column.encode_utf16().count() as u32)
}

impl User {
    fn new(seed: u64) -> Self {
        let first = examples();
        let list: Vec<(&str, &str)> =
            first.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let editor = Editor::new(&list);
        for (name, text) in &list {
            editor.open(name, text);
        }
        let methods = methods(&editor.offered);
        let texts = first.clone();
        Self { random: Random(seed.max(1)), editor, methods, first, texts, last: String::new() }
    }

    /// Returns a random offset of a text that LSP has a position for.
    fn offset(&mut self, text: &str) -> usize {
        let byte = text.floor_char_boundary(self.random.below(text.len() + 1));
        let splits = text[..byte].ends_with('\r') && text[byte..].starts_with('\n');
        if splits { byte + 1 } else { byte }
    }

    fn name(&mut self) -> String {
        let number = self.random.below(self.texts.len());
        self.texts.keys().nth(number).expect("a document").clone()
    }

    fn inserted(&mut self) -> String {
        match self.random.below(4) {
            0 => {
                let from = self.name();
                let lines: Vec<&str> = self.first[&from].split_inclusive('\n').collect();
                let start = self.random.below(lines.len());
                let count = 1 + self.random.below(3);
                lines[start..(start + count).min(lines.len())].concat()
            }
            1 => String::new(),
            _ => self.random.pick(FRAGMENTS).to_owned(),
        }
    }

    fn edit(&mut self) {
        let name = self.name();
        let text = self.texts[&name].clone();
        if self.random.below(10) == 0 || text.len() > 6_000 {
            // The user undoes everything.
            let first = self.first[&name].clone();
            self.last = format!("undo of {name}");
            self.editor.change(&name, json!([{"text": first}]));
            self.texts.insert(name, first);
            return;
        }
        let start = self.offset(&text);
        let length = [0, 0, 1, 2, 5, 40][self.random.below(6)];
        let mut end = text.floor_char_boundary((start + length).min(text.len())).max(start);
        if text[..end].ends_with('\r') && text[end..].starts_with('\n') {
            end += 1;
        }
        let new = self.inserted();
        let range = json!({"start": position(&text, start), "end": position(&text, end)});
        self.last = format!("{name}: {start}..{end} becomes {new:?}");
        self.editor.change(&name, json!([{"range": range, "text": new}]));
        let mut text = text;
        text.replace_range(start..end, &new);
        self.texts.insert(name, text);
    }

    fn request(&mut self) {
        let name = self.name();
        let text = self.texts[&name].clone();
        let method = self.methods[self.random.below(self.methods.len())];
        let (one, other) = (self.offset(&text), self.offset(&text));
        let (start, end) = (position(&text, one.min(other)), position(&text, one.max(other)));
        let new = self.random.pick(&["other", "Ä", "", "a b", "OTHER", "worker", "true"]);
        let target = self.random.pick(&["yarn", "kubernetes", "dcos", "spark", "local", "nope"]);
        let params = params(&name, (start, end), new, target, one % 2 == 0);
        self.last = format!("{method} {params}");
        // Errors, such as those of invalid names, are answers too.
        if let Err(text) = self.editor.request(method, &params) {
            assert!(!text.starts_with("unknown method"), "{text}");
        }
    }

    fn other(&mut self) {
        let name = self.name();
        self.last = format!("{name} is closed and opened");
        let document = json!({"textDocument": {"uri": Editor::uri(&name)}});
        match self.random.below(3) {
            0 => {
                self.editor.notify("textDocument/didClose", document);
                let text = self.texts[&name].replace("$0", "");
                self.editor.open(&name, &text);
                self.texts.insert(name, text);
            }
            1 => self.editor.notify("textDocument/didSave", document),
            _ => self
                .editor
                .notify("workspace/didChangeConfiguration", json!({"settings": {"tfjob": {"targets": []}}})),
        }
    }

    /// Returns the findings of `tfjob check` in all documents: file, code, and message.
    fn reported(&self) -> BTreeSet<String> {
        let read = |path: &Path| self.texts.get(path.file_name()?.to_str()?).cloned();
        let paths: Vec<PathBuf> = self.texts.keys().map(|name| Path::new(ROOT).join(name)).collect();
        let mut checks: Vec<Checked> =
            paths.iter().filter_map(|path| check(path, &Options::default(), &read)).collect();
        let sources = |one: &Checked| one.batch.sources.iter().map(|source| source.name.clone()).collect();
        let bases = bases::parts(&checks.iter().map(sources).collect::<Vec<_>>());
        let is_job: Vec<bool> = bases.iter().map(Option::is_none).collect();
        let jobs = paths.iter().zip(&mut checks).zip(&is_job).filter(|(_, is_job)| **is_job);
        conflicts::report(jobs.map(|((path, checked), _)| (path.to_str().unwrap_or_default(), checked)));
        let mut all = BTreeSet::new();
        for (path, checked) in
            paths.iter().zip(&checks).zip(&is_job).filter(|(_, is_job)| **is_job).map(|it| it.0)
        {
            let sources = &checked.batch.sources;
            let scrubber = secrets::scrubber(std::iter::once(sources));
            for one in &checked.batch.diagnostics {
                let file = sources
                    .find(one.span())
                    .map_or_else(|| path.to_string_lossy().into_owned(), |source| source.name.clone());
                // The server names specs by their paths in the opened directory.
                let message =
                    one.message.replace(&format!("`{ROOT}/"), "`").replace(&format!(" {ROOT}/"), " ");
                all.insert(format!("{file} {} {}", one.code.name, scrubber.scrub(&message)));
            }
        }
        all
    }

    /// Returns the published findings of all documents, as [`Self::reported`] does.
    fn published(&self) -> BTreeSet<String> {
        let shown = self.editor.shown.borrow();
        let line = |(uri, found): (&String, &Vec<lsp_types::Diagnostic>)| {
            let file = uri.trim_start_matches("file://").to_owned();
            let code = |one: &lsp_types::Diagnostic| match &one.code {
                Some(lsp_types::NumberOrString::String(code)) => code.clone(),
                other => format!("{other:?}"),
            };
            let message = |one: &lsp_types::Diagnostic| {
                one.message.split("\nhelp: ").next().unwrap_or_default().to_owned()
            };
            // `tfjob check` prints in another line which targets accept a job.
            let is_summary = |one: &&lsp_types::Diagnostic| one.message.starts_with("no `target`: ");
            let found = found.iter().filter(|one| !is_summary(one));
            found.map(|one| format!("{file} {} {}", code(one), message(one))).collect::<Vec<_>>()
        };
        shown.iter().flat_map(line).collect()
    }

    /// Compares the published findings with those of a new server, and with those of `tfjob check`.
    fn compare(&self) {
        let list: Vec<(&str, &str)> =
            self.first.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let fresh = Editor::new(&list);
        for (name, text) in &self.texts {
            fresh.open(name, &format!("$0{text}"));
        }
        for name in self.texts.keys() {
            let sorted = |editor: &Editor| {
                let mut all: Vec<String> =
                    editor.settled(name).iter().map(|one| format!("{one:?}")).collect();
                all.sort();
                all
            };
            let (mut own, mut wanted) = (sorted(&self.editor), sorted(&fresh));
            // On a busy machine, findings may come late.
            for _ in 0..20 {
                if own == wanted {
                    break;
                }
                self.editor.findings(name);
                fresh.findings(name);
                (own, wanted) = (sorted(&self.editor), sorted(&fresh));
            }
            assert_eq!(own, wanted, "{name}:\n{}", self.texts[name]);
        }
        assert_eq!(self.published(), self.reported());
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_edits_and_requests_cause_no_panic_and_no_stale_findings() {
    let edits = number("TFJOB_LSP_EDITS", 500);
    let mut user = User::new(number("TFJOB_LSP_SEED", 88_172_645_463_325_252));
    for edit in 1..=edits {
        user.edit();
        for _ in 0..user.random.below(3) {
            user.request();
        }
        if user.random.below(40) == 0 {
            user.other();
        }
        if edit % 250 == 0 {
            user.compare();
        }
    }
}
