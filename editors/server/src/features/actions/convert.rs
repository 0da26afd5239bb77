//! "Convert to YAML, JSON, or KDL": writes the same spec in another format, next to this file.
mod data;
mod kdl;

use super::{Action, CONVERT};
use crate::data::Data;
use crate::documents::Document;
use crate::features::edit;
use crate::session::Session;
use lsp_types::Range;
use std::path::PathBuf;
use tfjob_driver::files::{format_of, is_cluster, is_project, is_spec};
use tfjob_lang::Loaded;
use tfjob_lang::analysis::read_file;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::{Format, Source, Sources};
use tfjob_lang::syntax::lexer::{Kind, Token, lex};
use tfjob_lang::tree::{Tree, Value};

/// Returns one action for each other format. Empty for a file with errors, and for a project file, which has a fixed name.
#[must_use]
pub fn actions(session: &Session<'_>, document: &Document) -> Vec<Action> {
    let path = document.path.to_string_lossy();
    if is_project(&document.path) || !(is_spec(&path) || is_cluster(&document.path)) {
        return Vec::new();
    }
    let shape = session.shape(document);
    let format = format_of(&path);
    let others =
        [(Format::Kdl, "KDL", "kdl"), (Format::Yaml, "YAML", "yaml"), (Format::Json, "JSON", "json")];
    let action = |(to, name, ending): (Format, &str, &str)| {
        let new = new_path(&path, ending)?;
        let note = if has_comments(document, format) { " (without comments)" } else { "" };
        let title = format!("Convert to {name}: create {}{note}", new.file_name()?.to_string_lossy());
        if let Some(text) = converted(document, shape, to) {
            return Some(Action::new(title, CONVERT, edit::new_file(session, &new, text)?));
        }
        let is_valid = || valid(&path, format, &document.text, shape).is_some();
        let reason = || format!("{name} cannot express a value of this file");
        (session.client.disabled_actions && is_valid()).then(|| Action::disabled(title, CONVERT, reason()))
    };
    others.into_iter().filter(|(to, ..)| *to != format).filter_map(action).collect()
}

/// Returns whether a document has comments, or entries that are disabled by `/-`.
fn has_comments(document: &Document, format: Format) -> bool {
    match format {
        Format::Kdl | Format::Set => {
            let is_disabled = |token: &Token| token.kind == Kind::Slashdash;
            !document.outline().comments.is_empty() || lex(&document.text).iter().any(is_disabled)
        }
        Format::Json | Format::Yaml => !Data::of(&document.text, format).comments.is_empty(),
    }
}

/// Returns whether a range is at the first line of the root block, such as `job "a" {`; in JSON and YAML, in the first line.
#[must_use]
pub fn is_at_root(document: &Document, range: Range) -> bool {
    let byte = document.byte(range.start);
    match format_of(&document.path.to_string_lossy()) {
        Format::Kdl => document.outline().nodes.iter().any(|node| {
            let end = node.block.as_ref().map_or(node.bytes.end, |block| block.bytes.start);
            node.bytes.start <= byte && byte <= end
        }),
        Format::Json | Format::Yaml | Format::Set => range.start.line == 0,
    }
}

/// Returns the path with another ending: `a.tfjob.yaml` for `a.tfjob.kdl`.
fn new_path(path: &str, ending: &str) -> Option<PathBuf> {
    let (before, _) = path.rsplit_once('.')?;
    Some(PathBuf::from(format!("{before}.{ending}")))
}

/// Returns the text in another format. `None` if the document has errors, or a value that the format cannot express: YAML has
/// no number `1e-3` that all parsers read.
#[must_use]
pub fn converted(document: &Document, shape: &Shape, to: Format) -> Option<String> {
    let name = document.path.to_string_lossy().into_owned();
    let format = format_of(&name);
    let (sources, tree) = valid(&name, format, &document.text, shape)?;
    let text = written(&sources, &tree, shape, to)?;
    valid(&name, to, &text, shape).map(|_| text)
}

/// Reads a text without its base files. `None` if it has errors.
fn valid(name: &str, format: Format, text: &str, shape: &Shape) -> Option<(Sources, Tree)> {
    let file = Loaded { format, name: name.to_owned(), text: text.to_owned() };
    let (sources, tree, found) = read_file(&file, shape);
    (!found.iter().any(Diagnostic::is_error)).then_some((sources, tree))
}

/// Writes a tree. `None` if it has a value that could not be read.
fn written(sources: &Sources, tree: &Tree, shape: &Shape, to: Format) -> Option<String> {
    let source = sources.find(tree.span)?;
    match to {
        Format::Kdl => self::kdl::write(source, tree, shape),
        Format::Json => data::json(source, tree, shape),
        Format::Yaml => data::yaml(source, tree, shape),
        Format::Set => None,
    }
}

/// Writes the nodes in a block as KDL, without its arguments and properties. `shape`: that of the block. `None` if it has a value
/// that could not be read.
#[must_use]
pub fn nodes(source: &Source, tree: &Tree, shape: &Shape) -> Option<String> {
    self::kdl::write(source, tree, shape)
}

/// Returns a number as the file writes it, if that is a valid number in JSON, so that a parameter keeps its notation. Converts
/// an integer in another notation to a decimal one. `None` for any other notation.
fn number(source: &Source, tree: &Tree) -> Option<String> {
    let written = source.slice(tree.span);
    if serde_json::from_str::<serde_json::Number>(written).is_ok() {
        return Some(written.to_owned());
    }
    match &tree.value {
        Value::Int(number) => Some(number.to_string()),
        Value::Float(_)
        | Value::Null
        | Value::Bool(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::Hole => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::Uri;
    use std::collections::BTreeSet;
    use std::str::FromStr;
    use tfjob_targets::specimens;

    /// Returns a tree without spans.
    fn values(tree: &Tree) -> String {
        match &tree.value {
            Value::Map(entries) => {
                let mut all: Vec<String> =
                    entries.iter().map(|entry| format!("{}: {}", entry.key, values(&entry.tree))).collect();
                // The order may differ, because KDL has properties before blocks.
                all.sort();
                format!("{{{}}}", all.join(", "))
            }
            Value::List(items) => format!("{:?}", items.iter().map(values).collect::<Vec<_>>()),
            leaf @ (Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::Hole) => format!("{leaf:?}"),
        }
    }

    fn document(ending: &str, text: String) -> Document {
        let uri = Uri::from_str(&format!("file:///a.tfjob.{ending}")).expect("a valid URI");
        Document::new(uri, Some(1), text, crate::position::Encoding::Utf16)
    }

    fn tree(document: &Document) -> String {
        let name = document.path.to_string_lossy().into_owned();
        let file = Loaded { format: format_of(&name), name, text: document.text.clone() };
        let (_, tree, found) = read_file(&file, &tfjob_targets::SHAPE);
        assert!(found.is_empty(), "{}\n{:?}", file.text, found.first().map(|one| &one.message));
        values(&tree)
    }

    #[test]
    fn each_field_is_converted_to_each_format_and_back() {
        let formats = [(Format::Kdl, "kdl"), (Format::Yaml, "yaml"), (Format::Json, "json")];
        let mut count = 0;
        // These specs together contain every keyword.
        let texts: BTreeSet<String> =
            specimens::all().map(|one| specimens::text(&one, "kubernetes")).collect();
        for text in texts {
            let own = document("kdl", text);
            let wanted = tree(&own);
            for (first, ending) in formats {
                let one = converted(&own, &tfjob_targets::SHAPE, first).expect("a text");
                let one = document(ending, one);
                assert_eq!(tree(&one), wanted, "{}\n{}", own.text, one.text);
                for (second, ending) in formats {
                    let two = converted(&one, &tfjob_targets::SHAPE, second).expect("a text");
                    let two = document(ending, two);
                    assert_eq!(tree(&two), wanted, "{}\n{}", one.text, two.text);
                    count += 1;
                }
            }
        }
        assert!(count > 500, "{count}");
    }
}
