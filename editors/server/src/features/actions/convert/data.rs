//! Writes a tree as JSON or YAML.
use super::number;
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::Source;
use tfjob_lang::syntax::yaml::is_plain_text;
use tfjob_lang::tree::{Tree, Value};

/// Maximum length of a list or an object in one line, in characters. A longer one becomes a block.
const MAX_LINE: usize = 90;

/// A value to write: scalars in the notation of the format.
enum Node {
    Scalar(String),
    /// A text with several lines, for a block scalar of YAML.
    Block(String),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
}

/// Writes a tree as JSON. `None` if it has a value that could not be read.
pub fn json(source: &Source, tree: &Tree, shape: &Shape) -> Option<String> {
    let node = Reader { source, yaml: false }.node(tree, Some(shape))?;
    let mut out = String::new();
    write_json(&node, 0, &mut out);
    out.push('\n');
    Some(out)
}

/// Writes a tree as YAML. `None` if it has a value that could not be read.
pub fn yaml(source: &Source, tree: &Tree, shape: &Shape) -> Option<String> {
    let node = Reader { source, yaml: true }.node(tree, Some(shape))?;
    let Node::Map(entries) = node else { return None };
    let mut out = String::new();
    write_map(&entries, 0, &mut out);
    // A document without entries is the empty object, not null.
    Some(if out.is_empty() { "{}\n".to_owned() } else { out })
}

/// Reads a tree in the notation of a format.
struct Reader<'s> {
    source: &'s Source,
    yaml: bool,
}

impl Reader<'_> {
    fn node(&self, tree: &Tree, shape: Option<&Shape>) -> Option<Node> {
        Some(match &tree.value {
            Value::Null => Node::Scalar("null".to_owned()),
            Value::Bool(flag) => Node::Scalar(flag.to_string()),
            Value::Int(_) | Value::Float(_) => Node::Scalar(number(self.source, tree)?),
            Value::Text(text) => self.string(text),
            Value::List(items) => {
                let item = if let Some(Shape::List(list)) = shape { Some(&list.item) } else { None };
                Node::List(items.iter().map(|one| self.node(one, item)).collect::<Option<_>>()?)
            }
            Value::Map(entries) => {
                // An object with only the field of its argument is written as a plain value.
                if let (Some(Shape::Object(object)), [only]) = (shape, entries.as_slice())
                    && object.is_plain()
                    && object.plain().is_some_and(|field| field.name == only.key)
                {
                    return self.node(&only.tree, None);
                }
                let entry = |entry: &tfjob_lang::tree::Entry| {
                    Some((self.key(&entry.key), self.node(&entry.tree, child(shape, &entry.key))?))
                };
                Node::Map(entries.iter().map(entry).collect::<Option<_>>()?)
            }
            Value::Hole => return None,
        })
    }

    fn string(&self, text: &str) -> Node {
        let printable = |line: &str| line.bytes().all(|b| matches!(b, b' '..=b'~')) && !line.ends_with(' ');
        let is_block = text.strip_suffix('\n').unwrap_or(text).contains('\n')
            && !text.starts_with([' ', '\n'])
            && !text.ends_with("\n\n")
            && text.split('\n').all(printable);
        match self.yaml {
            true if is_plain_text(text) => Node::Scalar(text.to_owned()),
            true if is_block => Node::Block(text.to_owned()),
            true | false => Node::Scalar(quoted(text)),
        }
    }

    fn key(&self, name: &str) -> String {
        if self.yaml && is_plain_text(name) { name.to_owned() } else { quoted(name) }
    }
}

/// Returns the shape of an entry.
fn child<'s>(shape: Option<&'s Shape>, key: &str) -> Option<&'s Shape> {
    match shape? {
        Shape::Object(object) => object.field(key).map(|field| &field.shape),
        Shape::Keyed(keyed) => Some(&keyed.item),
        Shape::List(_)
        | Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => None,
    }
}

/// Quotes a string for JSON, which is also a double-quoted string of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a value in one line, in a form that is JSON and YAML. `None` if it is long, has several lines in YAML, or has an object
/// in an object.
fn short(node: &Node, nested: bool) -> Option<String> {
    let text = match node {
        Node::Scalar(text) => return Some(text.clone()),
        Node::Block(_) => return None,
        Node::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(|item| short(item, false)).collect();
            format!("[{}]", items?.join(", "))
        }
        Node::Map(entries) if entries.is_empty() => "{}".to_owned(),
        Node::Map(_) if !nested => return None,
        Node::Map(entries) => {
            let entry = |(key, value): &(String, Node)| Some(format!("{key}: {}", short(value, false)?));
            let entries: Option<Vec<String>> = entries.iter().map(entry).collect();
            format!("{{ {} }}", entries?.join(", "))
        }
    };
    (text.chars().count() <= MAX_LINE).then_some(text)
}

fn write_json(node: &Node, depth: usize, out: &mut String) {
    let (outer, inner) = ("    ".repeat(depth), "    ".repeat(depth + 1));
    // The root and the job are always blocks.
    if let Some(text) = short(node, depth > 1).filter(|_| depth > 1 || matches!(node, Node::Scalar(_))) {
        out.push_str(&text);
        return;
    }
    match node {
        Node::Scalar(text) => out.push_str(text),
        Node::Block(text) => out.push_str(&quoted(text)),
        Node::List(items) => {
            out.push_str("[\n");
            for (number, item) in items.iter().enumerate() {
                out.push_str(&inner);
                write_json(item, depth + 1, out);
                out.push_str(if number + 1 < items.len() { ",\n" } else { "\n" });
            }
            out.push_str(&format!("{outer}]"));
        }
        Node::Map(entries) => {
            out.push_str("{\n");
            for (number, (key, value)) in entries.iter().enumerate() {
                out.push_str(&format!("{inner}{key}: "));
                write_json(value, depth + 1, out);
                out.push_str(if number + 1 < entries.len() { ",\n" } else { "\n" });
            }
            out.push_str(&format!("{outer}}}"));
        }
    }
}

fn write_map(entries: &[(String, Node)], depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for (key, value) in entries {
        out.push_str(&format!("{indent}{key}:"));
        write_value(value, depth, out);
    }
}

/// Writes the value after a key or a dash, with its line break.
fn write_value(value: &Node, depth: usize, out: &mut String) {
    if let Some(text) = short(value, depth > 0) {
        out.push_str(&format!(" {text}\n"));
        return;
    }
    let indent = "  ".repeat(depth + 1);
    match value {
        Node::Scalar(text) => out.push_str(&format!(" {text}\n")),
        Node::Block(text) => {
            out.push_str(if text.ends_with('\n') { " |\n" } else { " |-\n" });
            for line in text.lines() {
                let indent = if line.is_empty() { "" } else { indent.as_str() };
                out.push_str(&format!("{indent}{line}\n"));
            }
        }
        Node::List(items) => {
            out.push('\n');
            for item in items {
                out.push_str(&format!("{indent}-"));
                match item {
                    // The first entry follows the dash.
                    Node::Map(entries) if short(item, true).is_none() => {
                        let mut block = String::new();
                        write_map(entries, depth + 2, &mut block);
                        out.push_str(&format!(" {}", block.trim_start()));
                    }
                    Node::Scalar(_) | Node::Block(_) | Node::List(_) | Node::Map(_) => {
                        write_value(item, depth + 1, out);
                    }
                }
            }
        }
        Node::Map(entries) => {
            out.push('\n');
            write_map(entries, depth + 1, out);
        }
    }
}
