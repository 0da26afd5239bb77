//! Links to files: the base file of `extends`, local files of a job, and the cluster files of a project.
use crate::documents::{normal, uri_of};
use crate::outline::{Node, Word};
use crate::session::Session;
use lsp_types::{DocumentLink, Uri};
use std::path::{Path, PathBuf};
use tfjob_lang::shape::{Field, Object, Place};
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::{read_json, read_yaml};
use tfjob_lang::tree::{Tree, Value};

/// Answers `textDocument/documentLink`.
pub fn links(session: &Session<'_>, uri: &Uri) -> Option<Vec<DocumentLink>> {
    let document = session.document(uri)?;
    let folder = document.path.parent()?;
    let root = session.shape(document).object();
    let mut found: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    match document.format() {
        Format::Kdl | Format::Set => in_nodes(&document.outline().nodes, root, &mut found),
        format @ (Format::Json | Format::Yaml) => in_data(&document.text, format, root, &mut found),
    }
    let link = |(bytes, text): (std::ops::Range<usize>, String)| {
        let path = joined(folder, &text)?;
        let range = document.range(bytes);
        Some(DocumentLink { range, target: Some(uri_of(&path)?), tooltip: None, data: None })
    };
    Some(found.into_iter().filter_map(link).collect())
}

/// Finds the paths of KDL nodes. `object`: the shape of the block that contains them, if known.
fn in_nodes(nodes: &[Node], object: Option<&Object>, found: &mut Vec<(std::ops::Range<usize>, String)>) {
    for node in nodes.iter().filter(|node| !node.disabled) {
        let field = object.and_then(|object| object.field(&node.name.text));
        let is_named = has_paths(field);
        let values = node.entries.iter().filter_map(|entry| entry.value.as_ref());
        let is_link = |word: &&Word| if is_named { !word.text.is_empty() } else { is_local(&word.text) };
        found.extend(values.filter(is_link).map(inside));
        in_nodes(node.nodes(), field.and_then(|field| field.block(node.key())), found);
    }
}

/// Returns the bytes and the text of a word without its quotes.
fn inside(word: &Word) -> (std::ops::Range<usize>, String) {
    // A string that is still being typed has no closing quote.
    let (open, close) = (word.quoted, word.quoted && word.bytes.len() >= word.text.len() + 2);
    (word.bytes.start + usize::from(open)..word.bytes.end - usize::from(close), word.text.clone())
}

/// Finds the paths of a JSON or YAML text. Empty if it has syntax errors.
fn in_data(
    text: &str,
    format: Format,
    object: Option<&Object>,
    found: &mut Vec<(std::ops::Range<usize>, String)>,
) {
    let mut sources = Sources::default();
    let number = sources.add("document", format, text);
    let source = sources.get(number);
    let (tree, _) = if format == Format::Json { read_json(source) } else { read_yaml(source) };
    let Some(tree) = tree else { return };
    walk(&tree, None, object, &mut |tree, text| {
        let bytes = source.local(tree.span);
        let quoted = source.text[bytes.clone()].starts_with(['"', '\'']);
        let quote = usize::from(quoted && bytes.len() >= 2);
        found.push((bytes.start + quote..bytes.end - quote, text.to_owned()));
    });
}

/// Finds the paths of a value. `field`: the field of the value; `object`: the shape of its block; both if known.
fn walk(tree: &Tree, field: Option<&Field>, object: Option<&Object>, find: &mut dyn FnMut(&Tree, &str)) {
    match &tree.value {
        Value::Map(entries) => {
            let is_named = field.is_some_and(|field| matches!(field.place, Place::Named | Place::Targets));
            for entry in entries {
                // The keys of named entries, such as those of `role`, are no fields.
                let inner = if is_named { None } else { object.and_then(|object| object.field(&entry.key)) };
                let block = if is_named {
                    field.and_then(|field| field.block(Some(&entry.key)))
                } else {
                    inner.and_then(|inner| inner.block(None))
                };
                walk(&entry.tree, inner, block, find);
            }
        }
        Value::List(items) => items.iter().for_each(|item| walk(item, field, object, find)),
        Value::Text(text) if has_paths(field) || is_local(text) => find(tree, text),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::Hole => {}
    }
}

/// Returns whether the strings of a field are paths of other files of the project.
fn has_paths(field: Option<&Field>) -> bool {
    field.is_some_and(|field| field.paths().is_some())
}

/// Returns whether a value is a path relative to the file.
fn is_local(text: &str) -> bool {
    (text.starts_with("./") || text.starts_with("../")) && !text.contains(['*', '{', '\n', ' '])
}

/// Returns the path of an exclusion of a project file: of `!jobs/a.tfjob.kdl`, `jobs/a.tfjob.kdl`.
fn included(text: &str) -> &str {
    text.strip_prefix('!').unwrap_or(text)
}

/// Joins a relative path to a directory, without `.` and `..`. `None` for a URI and a glob.
fn joined(folder: &Path, text: &str) -> Option<PathBuf> {
    if text.contains("://") || text.contains(['*', '{', '\n']) {
        return None;
    }
    Some(normal(&folder.join(included(text))))
}
