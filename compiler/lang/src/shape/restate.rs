//! Help texts are written once, in KDL. This module rewrites their KDL snippets in the format of the spec:
//! `deadline "1h"` is `deadline: 1h` in YAML and `"deadline": "1h"` in JSON.
use super::read::within;
use super::{Object, Place, Shape, keys, literal};
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Sources, Span};
use crate::syntax::yaml::is_plain_text;
use crate::syntax::{Kdl, Node, NodeEntry, Scalar, read_kdl};
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeMap;

/// Character that replaces an ellipsis outside of quotes while a snippet is parsed.
const ELLIPSIS: &str = "\u{e000}";

/// Maximum number of different snippets to rewrite. It limits the time for malicious texts.
const MANY: usize = 1000;

/// Rewrites help texts and fix titles for YAML and JSON. `spec`: the format of the job file, which applies to diagnostics
/// about `--set`.
pub fn restate(diagnostics: &mut [Diagnostic], sources: &Sources, spec: Format, shape: &Shape) {
    let mut restater: Option<Restater> = None;
    for told in diagnostics {
        let format = match sources.find(told.span()).map_or(Format::Kdl, |source| source.format) {
            Format::Set => spec,
            format => format,
        };
        if matches!(format, Format::Kdl | Format::Set) {
            continue;
        }
        let restater = restater.get_or_insert_with(|| Restater::new(shape));
        if let Some(help) = &mut told.help {
            *help = restater.text(help, format);
        }
        for fix in &mut told.fixes {
            fix.title = restater.text(&fix.title, format);
        }
    }
}

struct Restater {
    /// The shapes of all blocks that a spec can have, outermost first.
    blocks: Vec<&'static Object>,
    /// Cache of rewritten snippets.
    known: BTreeMap<(bool, String), Option<String>>,
}

impl Restater {
    fn new(shape: &Shape) -> Self {
        let mut blocks: Vec<&'static Object> = shape.object().into_iter().collect();
        let mut next = 0;
        while let Some(block) = blocks.get(next) {
            next += 1;
            for field in block.fields {
                let inner = match field.shape {
                    Shape::Keyed(keyed) => keyed.item.object(),
                    Shape::List(list) => list.item.object(),
                    shape => shape.object(),
                };
                blocks.extend(inner.filter(|inner| !blocks.iter().any(|block| std::ptr::eq(*block, *inner))));
            }
        }
        Self { blocks, known: BTreeMap::new() }
    }

    /// Returns a text with its snippets in backticks rewritten.
    fn text(&mut self, text: &str, format: Format) -> String {
        let mut out = String::with_capacity(text.len());
        for (number, part) in text.split('`').enumerate() {
            if number > 0 {
                out.push('`');
            }
            match (number % 2 == 1).then(|| self.snippet(part, format)).flatten() {
                Some(restated) => out.push_str(&restated),
                None => out.push_str(part),
            }
        }
        out
    }

    fn snippet(&mut self, snippet: &str, format: Format) -> Option<String> {
        match snippet {
            "#true" => return Some("true".to_owned()),
            "#false" => return Some("false".to_owned()),
            _ if format == Format::Yaml && quoted_keyword(snippet).is_some() => {
                return quoted_keyword(snippet).map(str::to_owned);
            }
            _ if !snippet.contains(['"', '=', '{', '#', ' ']) => return None,
            _ => {}
        }
        let key = (format == Format::Yaml, snippet.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.known.len() >= MANY {
            return None;
        }
        let restated = self.entries(snippet).map(|(tree, elided)| {
            let writer = Writer { format, elided: &elided };
            let entries = tree.entries().iter().map(|entry| writer.entry(entry));
            entries.collect::<Vec<_>>().join("` and `")
        });
        self.known.insert(key, restated.clone());
        restated
    }

    /// Parses a snippet. Returns its tree, and the spans of the nodes that have omitted parts. `None` if it is not a snippet of a
    /// spec.
    fn entries(&self, snippet: &str) -> Option<(Tree, Vec<Span>)> {
        let snippet = marked(snippet);
        let properties =
            snippet.find(|c: char| !is_name(c)).is_some_and(|end| snippet[end..].starts_with('='));
        let text = if properties { format!("_ {snippet}") } else { snippet };
        let mut sources = Sources::default();
        let number = sources.add("", Format::Kdl, text);
        let source = sources.get(number);
        let (kdl, told) = read_kdl(source);
        if !told.is_empty() || kdl.nodes.is_empty() {
            return None;
        }
        if properties {
            return self.properties(&kdl).map(|tree| (tree, Vec::new()));
        }
        if kdl.nodes.iter().any(|node| node.entries.is_empty() && node.children.is_none()) {
            return None;
        }
        for attempt in [Node::without_ellipsis, Node::named, Node::with_value] {
            let (mut kdl, mut elided) = (kdl.clone(), Vec::new());
            kdl.nodes.iter_mut().for_each(|node| attempt(node, &mut elided));
            let fits = |block: &&&Object| kdl.nodes.iter().all(|node| block.field(&node.name).is_some());
            let mut blocks = self.blocks.iter().filter(fits);
            if let Some(tree) = blocks.find_map(|block| within(&kdl, source, block)) {
                return Some((tree, elided));
            }
        }
        None
    }

    /// Parses properties that have no entry name: `limit=3 backoff="10s"`.
    fn properties(&self, kdl: &Kdl) -> Option<Tree> {
        let [node] = kdl.nodes.as_slice() else { return None };
        let property = |entry: &NodeEntry| {
            let (key, at) = entry.key.clone()?;
            Some(Entry { key, key_span: at, tree: super::entries::scalar(entry) })
        };
        let entries: Option<Vec<Entry>> = node.entries.iter().map(property).collect();
        let entries = entries.filter(|_| node.children.is_none())?;
        let has = |block: &Object, key: &str| block.at(Place::Prop).any(|field| field.name == key);
        let known = |block: &&Object| entries.iter().all(|entry| has(block, &entry.key));
        self.blocks.iter().copied().any(|block| known(&block)).then(|| Tree::map(node.span, entries))
    }
}

/// Returns a keyword without its quotes. Other strings may need them, for example in a shell.
fn quoted_keyword(snippet: &str) -> Option<&str> {
    let word = snippet.strip_prefix('"')?.strip_suffix('"')?;
    let is_keyword = word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(is_name);
    (is_keyword && is_plain_text(word)).then_some(word)
}

const fn is_name(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'
}

/// Returns a snippet that KDL can parse: ellipses and placeholders such as `NAME` are quoted, and omitted values are
/// inserted.
fn marked(snippet: &str) -> String {
    let (mut out, mut quoted, mut escaped) = (String::with_capacity(snippet.len() + 8), false, false);
    let mut rest = snippet.chars().peekable();
    while let Some(c) = rest.next() {
        let begins = out.ends_with([' ', '=']);
        match c {
            '"' if !escaped => quoted = !quoted,
            '…' if !quoted => {
                out.push_str(&format!("\"{ELLIPSIS}\""));
                continue;
            }
            'A'..='Z' if !quoted && begins => {
                let more =
                    std::iter::from_fn(|| rest.next_if(|c| c.is_ascii_uppercase() || "-_".contains(*c)));
                let word: String = std::iter::once(c).chain(more).collect();
                out.push_str(&format!("\"{word}\""));
                continue;
            }
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
        out.push(c);
        if c == '=' && !quoted && rest.peek().is_none_or(|next| *next == ' ') {
            out.push_str(&format!("\"{ELLIPSIS}\""));
        }
    }
    out
}

fn is_ellipsis(entry: &NodeEntry) -> bool {
    entry.key.is_none() && entry.value == Scalar::Text(ELLIPSIS.to_owned())
}

impl Node {
    /// Removes ellipses, and records the spans of their nodes.
    fn without_ellipsis(&mut self, elided: &mut Vec<Span>) {
        let (entries, children) = (self.entries.len(), self.children.as_ref().map_or(0, Vec::len));
        self.entries.retain(|entry| !is_ellipsis(entry));
        if let Some(nodes) = &mut self.children {
            nodes.retain(|node| node.name != ELLIPSIS);
            nodes.iter_mut().for_each(|node| node.without_ellipsis(elided));
        }
        let left = (self.entries.len(), self.children.as_ref().map_or(0, Vec::len));
        if left != (entries, children) {
            elided.push(self.span);
        }
    }

    /// Inserts a placeholder for an omitted name.
    fn named(&mut self, elided: &mut Vec<Span>) {
        if let Some(first) = self.entries.first_mut().filter(|entry| is_ellipsis(entry)) {
            first.value = Scalar::Text("NAME".to_owned());
        }
        let rename = |nodes: &mut Vec<Self>| nodes.iter_mut().for_each(|node| node.named(elided));
        self.children.iter_mut().for_each(rename);
        self.without_ellipsis(elided);
    }

    /// Inserts a placeholder for an omitted value, as in `port "web"`.
    fn with_value(&mut self, elided: &mut Vec<Span>) {
        self.without_ellipsis(elided);
        let value = Scalar::Text(ELLIPSIS.to_owned());
        self.entries.push(NodeEntry { key: None, value, span: self.span, bare: false });
    }
}

struct Writer<'a> {
    format: Format,
    elided: &'a [Span],
}

impl Writer<'_> {
    fn entry(&self, entry: &Entry) -> String {
        let value = match entry.tree.entries() {
            [only] if only.is_plain() && !self.elided.contains(&entry.tree.span) => &only.tree,
            _ => &entry.tree,
        };
        format!("{}: {}", keys::key(&entry.key, self.format), self.value(value))
    }

    fn value(&self, tree: &Tree) -> String {
        match &tree.value {
            Value::Null => "null".to_owned(),
            Value::Bool(flag) => flag.to_string(),
            Value::Int(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Text(text) if text == ELLIPSIS => "…".to_owned(),
            Value::Text(text) if self.format == Format::Yaml && is_plain_text(text) => text.clone(),
            Value::Text(text) => literal::text(Format::Json, text),
            Value::List(items) => {
                let shown = items.iter().map(|item| self.value(item)).collect();
                format!("[{}]", self.listed(tree, items.iter(), shown))
            }
            Value::Map(entries) => {
                let shown = entries.iter().map(|entry| self.entry(entry)).collect();
                format!("{{ {} }}", self.listed(tree, entries.iter().map(|entry| &entry.tree), shown))
            }
            Value::Hole => "…".to_owned(),
        }
    }

    /// Joins the parts of a list or object. If parts were omitted, the innermost list or object ends with an ellipsis.
    fn listed<'t>(
        &self,
        tree: &Tree,
        mut inner: impl Iterator<Item = &'t Tree>,
        mut shown: Vec<String>,
    ) -> String {
        let outer = inner.any(|inner| inner.span == tree.span);
        if shown.is_empty() || !outer && self.elided.contains(&tree.span) {
            shown.push("…".to_owned());
        }
        shown.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::tests::job;

    /// Snippets in KDL, YAML, and JSON.
    const RESTATED: [(&str, &str, &str); 24] = [
        ("deadline \"1h\"", "deadline: 1h", "\"deadline\": \"1h\""),
        ("user \"1000\"", "user: \"1000\"", "\"user\": \"1000\""),
        ("run \"a\" \"{x}\"", "run: [a, \"{x}\"]", "\"run\": [\"a\", \"{x}\"]"),
        (
            "restart \"on-failure\" limit=3",
            "restart: { policy: on-failure, limit: 3 }",
            "\"restart\": { \"policy\": \"on-failure\", \"limit\": 3 }",
        ),
        ("role \"x\" { … }", "role: { x: { … } }", "\"role\": { \"x\": { … } }"),
        ("role \"x\"", "role: { x: { … } }", "\"role\": { \"x\": { … } }"),
        ("role \"x\" count=…", "role: { x: { count: … } }", "\"role\": { \"x\": { \"count\": … } }"),
        ("limit=3", "limit: 3", "\"limit\": 3"),
        ("at=", "at: …", "\"at\": …"),
        ("data … at=", "data: { NAME: { at: … } }", "\"data\": { \"NAME\": { \"at\": … } }"),
        ("port \"web\"", "port: { web: { … } }", "\"port\": { \"web\": { … } }"),
        (
            "port \"web\" 80; ready tcp=\"web\"",
            "port: { web: 80 }` and `ready: { tcp: web }",
            "\"port\": { \"web\": 80 }` and `\"ready\": { \"tcp\": \"web\" }",
        ),
        (
            "target \"site\" { queue \"…\" }",
            "target: { site: { queue: \"…\" } }",
            "\"target\": { \"site\": { \"queue\": \"…\" } }",
        ),
        (
            "secret \"X\" … at=\"/…\"",
            "secret: { X: { at: \"/…\", … } }",
            "\"secret\": { \"X\": { \"at\": \"/…\", … } }",
        ),
        (
            "placement { node \"a\" \"yes\" }",
            "placement: { node: { a: \"yes\" } }",
            "\"placement\": { \"node\": { \"a\": \"yes\" } }",
        ),
        (
            "code PATH at=PATH",
            "code: { uri: PATH, at: PATH }",
            "\"code\": { \"uri\": \"PATH\", \"at\": \"PATH\" }",
        ),
        ("env { LOG_LEVEL \"info\" }", "env: { LOG_LEVEL: info }", "\"env\": { \"LOG_LEVEL\": \"info\" }"),
        ("#true", "true", "true"),
        ("\"parameter-server\"", "parameter-server", "\"parameter-server\""),
        ("\"no\"", "\"no\"", "\"no\""),
        ("export A=\"x\"", "export A=\"x\"", "export A=\"x\""),
        ("A=1", "A=1", "A=1"),
        ("kinit -k", "kinit -k", "kinit -k"),
        ("run", "run", "run"),
    ];

    #[test]
    fn a_help_is_written_in_the_format_of_the_spec() {
        let mut restater = Restater::new(job());
        for (kdl, yaml, json) in RESTATED {
            restates(&mut restater, kdl, [(Format::Yaml, yaml), (Format::Json, json)]);
        }
    }

    fn restates(restater: &mut Restater, kdl: &str, all: [(Format, &str); 2]) {
        for (format, restated) in all {
            let sentence = restater.text(&format!("write `{kdl}`, or not"), format);
            assert_eq!(sentence, format!("write `{restated}`, or not"));
            assert_eq!(restater.text(&sentence, format), sentence);
        }
    }
}
