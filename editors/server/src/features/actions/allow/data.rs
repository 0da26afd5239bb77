//! Adds an `allow`, or another entry, to a job in JSON or YAML.
use crate::documents::Document;
use crate::features::lines::{indent, line_start};
use lsp_types::TextEdit;
use std::ops::Range;
use tfjob_lang::sources::{Format, Source, Sources};
use tfjob_lang::syntax::{read_json, read_yaml};
use tfjob_lang::tree::{Tree, Value};

/// Returns the edit that adds an object with these fields to `allow` of the job. `None` if the text has syntax errors, or the job
/// is written in a form to which nothing can be added.
pub fn added(document: &Document, format: Format, fields: &[(&str, &str)]) -> Option<TextEdit> {
    in_job(document, format, |source, job| match job.get("allow") {
        Some(list) => to_list(source, list, &object(format, fields)).map(inserted),
        None => {
            let key = if format == Format::Json { "\"allow\"" } else { "allow" };
            to_job(source, job, &format!("{key}: [{}]", object(format, fields))).map(inserted)
        }
    })
}

/// Returns the edit that adds an entry, such as `target: { yarn: {} }` with the key `target`, to the job, or replaces an empty object
/// with this key. `None` as for [`added`], and if the job has another value with this key.
pub fn with_entry(document: &Document, format: Format, key: &str, entry: &str) -> Option<TextEdit> {
    in_job(document, format, |source, job| {
        let Some(present) = job.entries().iter().find(|one| one.key == key) else {
            return to_job(source, job, entry).map(inserted);
        };
        let is_empty = matches!(&present.tree.value, Value::Map(entries) if entries.is_empty());
        let bytes = source.local(present.key_span).start..source.local(present.tree.span).end;
        is_empty.then(|| (bytes, entry.to_owned()))
    })
}

fn inserted((byte, text): (usize, String)) -> (Range<usize>, String) {
    (byte..byte, text)
}

/// Returns the edit that a function finds for the job of a document.
fn in_job(
    document: &Document,
    format: Format,
    edit: impl Fn(&Source, &Tree) -> Option<(Range<usize>, String)>,
) -> Option<TextEdit> {
    let mut sources = Sources::default();
    let number = sources.add("document", format, document.text.as_str());
    let source = sources.get(number);
    let (tree, _) = if format == Format::Json { read_json(source) } else { read_yaml(source) };
    let tree = tree?;
    let (bytes, text) = edit(source, tree.get("job")?)?;
    Some(TextEdit { range: document.range(bytes), new_text: text })
}

fn object(format: Format, fields: &[(&str, &str)]) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let key = |name: &str| if format == Format::Json { quoted(name) } else { name.to_owned() };
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}: {}", key(name), quoted(value))).collect();
    format!("{{ {} }}", fields.join(", "))
}

/// Adds an object before the first object of a list.
fn to_list(source: &Source, list: &Tree, object: &str) -> Option<(usize, String)> {
    let Value::List(items) = &list.value else { return None };
    let start = source.local(list.span).start;
    if source.text[start..].starts_with('[') {
        let separator = if items.is_empty() { "" } else { ", " };
        return Some((start + 1, format!("{object}{separator}")));
    }
    // A list of YAML with a line per item: the dash is before the item in its line.
    let item = source.local(items.first()?.span).start;
    let from = line_start(&source.text, item);
    let dash = source.text[from..item].find('-')?;
    Some((from, format!("{}- {object}\n", " ".repeat(dash))))
}

/// Adds an entry before the first field of the job.
fn to_job(source: &Source, job: &Tree, entry: &str) -> Option<(usize, String)> {
    let first = source.local(job.entries().first()?.key_span).start;
    let from = line_start(&source.text, first);
    let begins_line = source.text[from..first].trim().is_empty();
    // A block of YAML has a line per field, without separators.
    let before = source.local(job.span).start.min(first);
    let separator = if source.text[before..first].contains('{') { "," } else { "" };
    let indent = indent(&source.text, first);
    // If the first field does not begin its line, it is on the line of the opening brace.
    Some(match begins_line {
        true => (from, format!("{indent}{entry}{separator}\n")),
        false => (first, format!("{entry}, ")),
    })
}
