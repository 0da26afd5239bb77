//! What is at an offset of a document: the blocks around it, and what may be written there.
mod data;

pub use data::{Located, locate};

use crate::documents::Document;
use crate::outline::{Entry, Node, Outline, Word};
use std::ops::Range;
use tfjob_lang::shape::{Field, Object, Place, Shape};
use tfjob_lang::sources::Format;
use tfjob_lang::tree::Tree;

/// A node on the path to an offset: its name, and its first argument, which names a role or selects a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Name of the node.
    pub name: String,
    /// First argument.
    pub key: Option<String>,
}

/// What is written at an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slot {
    /// The name of a node, or nothing yet.
    Node,
    /// An argument of the last node of the path: its number, from 0.
    Argument(usize),
    /// The name of a property, or an argument without quotes. Either may be incomplete or not typed yet. The number is that of the
    /// argument, from 0.
    Entry(usize),
    /// The value of this property of the last node of the path.
    Property(String),
}

/// What is at an offset of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The nodes around the offset, outermost first. For an argument or a property, the last one is its node.
    pub path: Vec<Step>,
    /// What is written there.
    pub slot: Slot,
    /// The bytes of the word at the offset, including quotes. Empty if there is no word.
    pub word: Range<usize>,
    /// Whether the word has an opening quote.
    pub quoted: bool,
    /// Format of the document. In JSON and YAML, [`Slot::Node`] is the key of any field: also of one that KDL writes as an argument
    /// or a property.
    pub format: Format,
}

impl Cursor {
    /// Returns what is at an offset of a document in any format. `root`: the shape of the file
    /// ([`crate::session::Session::shape`]), which tells fields and names apart in JSON and YAML. `None` in a comment, and in JSON
    /// and YAML also where no key or value can be written.
    ///
    /// Path, slot, and numbers of arguments are those of the KDL form in all formats:
    ///
    /// | JSON or YAML | path and slot |
    /// |---|---|
    /// | the key of a field: `count` in `role: {worker: {count: 2}}` | `job`, `role:worker`, [`Slot::Node`] |
    /// | the value of a property: `2` | `job`, `role:worker`, `Property("count")` |
    /// | the name of an entry: `worker` | `job`, `role:worker`, `Argument(0)` |
    /// | a plain value: `x` in `image: x`, `1d` in `deadline: 1d` | `job`, `image:x`, `Argument(0)` |
    /// | the plain value of a named entry: `0.1` in `param: {lr: 0.1}` | `job`, `param:lr`, `Argument(1)` |
    /// | a list item: `a` in `run: [python, a]` | `job`, `run`, `Argument(1)` |
    /// | a name in `env`, and its value | `job`, `env`, [`Slot::Node`]; `job`, `env`, `NAME`, `Argument(0)` |
    /// | the key of an object in a list: `on` in `allow: [{on: yarn}]` | `job`, `allow`, [`Slot::Node`] |
    ///
    /// Texts with errors are read too: a string without its closing quote ends at the end of its line, and brackets are closed
    /// where the indentation of YAML ends. A key without `:` has a path, and so does the place of a missing value.
    #[must_use]
    pub fn at(document: &Document, root: &Shape, byte: usize) -> Option<Self> {
        let text = &document.text;
        match document.format() {
            Format::Kdl | Format::Set => Self::of(text, document.outline(), byte),
            format @ (Format::Json | Format::Yaml) => {
                locate(text, format, root, byte).map(|found| found.cursor)
            }
        }
    }

    /// Returns what is at an offset of a KDL text. `None` in a comment.
    #[must_use]
    pub fn of(text: &str, outline: &Outline, byte: usize) -> Option<Self> {
        if outline.in_comment(text, byte) {
            return None;
        }
        let mut path = Vec::new();
        let mut nodes = outline.nodes.as_slice();
        loop {
            let Some(node) = nodes.iter().find(|node| node.line.start <= byte && byte <= node.line.end)
            else {
                return Some(Self {
                    path,
                    slot: Slot::Node,
                    word: byte..byte,
                    quoted: false,
                    format: Format::Kdl,
                });
            };
            if touches(&node.name, byte) {
                let name = &node.name;
                return Some(Self {
                    path,
                    slot: Slot::Node,
                    word: name.bytes.clone(),
                    quoted: name.quoted,
                    format: Format::Kdl,
                });
            }
            path.push(step(node));
            match &node.block {
                Some(block) if block.bytes.start < byte && (byte < block.bytes.end || !block.closed) => {
                    nodes = &block.nodes;
                }
                Some(_) | None => return Some(in_node(path, node, byte)),
            }
        }
    }

    /// Returns the names and keys of the path, in the form that [`Shape::block`] and [`Shape::find`] take.
    #[must_use]
    pub fn steps(&self) -> Vec<(&str, Option<&str>)> {
        self.path.iter().map(|step| (step.name.as_str(), step.key.as_deref())).collect()
    }

    /// Returns the object whose fields may be written here: the fields of the block for [`Slot::Node`], otherwise those of the last
    /// node.
    #[must_use]
    pub fn object<'s>(&self, root: &'s Shape) -> Option<&'s Object> {
        root.block(&self.steps())
    }

    /// Returns the field of the last node of the path.
    #[must_use]
    pub fn field<'s>(&self, root: &'s Shape) -> Option<&'s Field> {
        root.find(&self.steps())
    }
}

/// Returns the tree at a path ([`Cursor::path`]). `None` in a list, because the cursor may be in any of its items.
pub fn tree_at<'t>(tree: &'t Tree, root: &Object, path: &[Step]) -> Option<&'t Tree> {
    let mut object = Some(root);
    path.iter().try_fold(tree, |tree, step| {
        let field: Option<&Field> = object.and_then(|object| object.field(&step.name));
        object = field.and_then(|field| field.block(step.key.as_deref()));
        let tree = tree.get(&step.name)?;
        match field.map(|field| field.place) {
            Some(Place::Named | Place::Targets) => tree.get(step.key.as_deref()?),
            Some(Place::Arg | Place::Prop | Place::Args | Place::Child | Place::Pairs) | None => Some(tree),
            Some(Place::List) => None,
        }
    })
}

fn step(node: &Node) -> Step {
    Step { name: node.name.text.clone(), key: node.key().map(str::to_owned) }
}

fn touches(word: &Word, byte: usize) -> bool {
    word.bytes.start <= byte && byte <= word.bytes.end
}

/// Returns what is at an offset between the name of a node and its terminator.
fn in_node(path: Vec<Step>, node: &Node, byte: usize) -> Cursor {
    let mut arguments = 0;
    for Entry { name, value, bytes } in &node.entries {
        if bytes.start <= byte && byte <= bytes.end {
            return match (name, value) {
                (Some(name), _) if touches(name, byte) => {
                    let word = name.bytes.clone();
                    Cursor {
                        path,
                        slot: Slot::Entry(arguments),
                        word,
                        quoted: name.quoted,
                        format: Format::Kdl,
                    }
                }
                (Some(name), value) => {
                    let word = value.as_ref().map_or(byte..byte, |value| value.bytes.clone());
                    let quoted = value.as_ref().is_some_and(|value| value.quoted);
                    Cursor {
                        path,
                        slot: Slot::Property(name.text.clone()),
                        word,
                        quoted,
                        format: Format::Kdl,
                    }
                }
                (None, value) => {
                    let quoted = value.as_ref().is_some_and(|value| value.quoted);
                    let slot = if quoted { Slot::Argument(arguments) } else { Slot::Entry(arguments) };
                    Cursor { path, slot, word: bytes.clone(), quoted, format: Format::Kdl }
                }
            };
        }
        arguments += usize::from(name.is_none() && bytes.end < byte);
    }
    Cursor { path, slot: Slot::Entry(arguments), word: byte..byte, quoted: false, format: Format::Kdl }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is at `$0` of a text: the path, the slot, and the word.
    fn at(marked: &str) -> String {
        let byte = marked.find("$0").expect("a mark");
        let text = marked.replace("$0", "");
        let Some(cursor) = Cursor::of(&text, &Outline::of(&text), byte) else { return "none".into() };
        let step = |step: &Step| match &step.key {
            Some(key) => format!("{}:{key}", step.name),
            None => step.name.clone(),
        };
        let path: Vec<String> = cursor.path.iter().map(step).collect();
        format!("{} {:?} [{}]", path.join("/"), cursor.slot, &text[cursor.word])
    }

    /// Returns what is at `$0` of a JSON or YAML text, as [`at`] does. A key is marked with `:`.
    fn at_data(marked: &str) -> String {
        let byte = marked.find("$0").expect("a mark");
        let text = marked.replace("$0", "");
        let format = if text.starts_with('{') { Format::Json } else { Format::Yaml };
        let found = locate(&text, format, tfjob_targets::REGISTRY.jobs, byte);
        let Some(Located { cursor, key, .. }) = found else { return "none".into() };
        let step = |step: &Step| match &step.key {
            Some(key) => format!("{}:{key}", step.name),
            None => step.name.clone(),
        };
        let path: Vec<String> = cursor.path.iter().map(step).collect();
        let mark = if key { ":" } else { "" };
        format!("{} {:?} [{}]{mark}", path.join("/"), cursor.slot, &text[cursor.word])
    }

    #[test]
    fn json_and_yaml_have_the_paths_of_kdl() {
        for (marked, wanted) in [
            ("{$0}", " Node []:"),
            ("{\"jo$0\"}", " Node [\"jo\"]:"),
            ("{\"job\": {\"name\": \"a\", $0}}", "job:a Node []:"),
            ("{\"job\": {\"name\": \"$0a\"}}", "job:a Argument(0) [\"a\"]"),
            ("{\"job\": {\"role\": {\"$0\": {}}}}", "job/role: Argument(0) [\"\"]:"),
            ("{\"job\": {\"role\": {\"w\": {\"co$0unt\": 2}}}}", "job/role:w Node [\"count\"]:"),
            ("{\"job\": {\"role\": {\"w\": {\"count\": $0}}}}", "job/role:w Property(\"count\") []"),
            ("{\"job\": {\"role\": {\"w\": {\"run\": [\"a\", \"b$0", "job/role:w/run Argument(1) [\"b]"),
            ("{\"job\": {\"param\": {\"lr\": 0.1$0}}}", "job/param:lr Argument(1) [0.1]"),
            ("{\"job\": {\"image\": \"x$0\"}}", "job/image:x Argument(0) [\"x\"]"),
            ("{\"job\": {\"restart\": {\"policy\": \"$0\"}}}", "job/restart: Argument(0) [\"\"]"),
            ("{\"job\": {\"data\": {\"t\": {\"uri\": \"$0\"}}}}", "job/data:t Argument(1) [\"\"]"),
            ("{\"job\": {\"env\": {\"A\": \"$0\"}}}", "job/env/A Argument(0) [\"\"]"),
            ("{\"job\": {\"allow\": [{\"on$0\": 1}]}}", "job/allow Node [\"on\"]:"),
            ("{\"job\": {\"target\": {\"yarn\": {\"que$0", "job/target:yarn Node [\"que]:"),
            ("{\"job\": {\"target\": $0", "job/target Argument(0) []"),
            ("job:\n  $0", "job Node []:"),
            ("job:\n  name: a\n  ro$0\n  image: x\n", "job:a Node [ro]:"),
            ("job:\n  role:\n    wor$0\n", "job/role Argument(0) [wor]:"),
            ("job:\n  role:\n    worker:\n      count: $0\n", "job/role:worker Property(\"count\") []"),
            ("job:\n  role:\n    worker:\n      count:$0\n", "job/role:worker Property(\"count\") []"),
            ("job:\n  role:\n    worker:\n      $0", "job/role:worker Node []:"),
            ("job:\n  role:\n    worker:\n      count: 1\n    $0", "job/role Argument(0) []:"),
            ("job:\n  run: [a, \"$0\"]\n", "job/run Argument(1) [\"\"]"),
            ("job:\n  run:\n    - a\n    - $0\n", "job/run Argument(1) []"),
            ("job:\n  resources: { $0 }\n", "job/resources Node []:"),
            ("job:\n  resources:\n    $0\n", "job/resources Node []:"),
            ("job:\n  image:\n    $0\n", "job/image Node []:"),
            ("job:\n  allow:\n    - $0\n", "job/allow Node []:"),
            ("job:\n  allow:\n    - feature: $0\n", "job/allow Argument(0) []"),
            ("job:\n  env:\n    $0\n    A: x\n", "job/env Node []:"),
            ("job: # $0\n", "none"),
            ("$0", " Node []:"),
            ("a: \"x\" $0", "none"),
        ] {
            assert_eq!(at_data(marked), wanted, "{marked}");
        }
    }

    #[test]
    fn the_path_and_the_slot_are_found() {
        for (marked, wanted) in [
            ("$0", " Node []"),
            ("jo$0", " Node [jo]"),
            ("job \"a\" {\n  $0\n}", "job:a Node []"),
            ("job \"a\" {\n  ro$0\n}", "job:a Node [ro]"),
            ("job \"a\" { role \"w\" { $0 } }", "job:a/role:w Node []"),
            ("job \"a\" { role $0 }", "job:a/role Entry(0) []"),
            ("job \"a\" { role \"$0\" }", "job:a/role: Argument(0) [\"\"]"),
            ("job \"a\" { role \"w\" co$0 }", "job:a/role:w Entry(1) [co]"),
            ("job \"a\" { role \"w\" count=$0 }", "job:a/role:w Property(\"count\") []"),
            ("job \"a\" { role \"w\" count=2$0 }", "job:a/role:w Property(\"count\") [2]"),
            ("job \"a\" { role \"w\" cou$0nt=2 }", "job:a/role:w Entry(1) [count]"),
            ("job \"a\" {\n  // ro$0\n}", "none"),
            ("job \"a\" {\n  role \"w\n$0", "job:a Node []"),
            ("job \"a\" { target \"yarn\" { $0", "job:a/target:yarn Node []"),
            ("job \"a\" { run \"x\" \\\n   \"y$0\" }", "job:a/run:x Argument(1) [\"y\"]"),
            ("job \"a\" { restart \"on-failure\" {}$0 }", "job:a/restart:on-failure Entry(1) []"),
        ] {
            assert_eq!(at(marked), wanted, "{marked}");
        }
    }
}
