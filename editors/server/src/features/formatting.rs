//! Formatting of KDL documents with the formatter of `tfjob fmt`.
mod lines;

use crate::documents::Document;
use crate::position::Lines;
use crate::session::Session;
use lines::{Change, changes};
use lsp_types::{self, TextEdit, Uri};
use std::ops::Range;
use tfjob_driver::files::{format_in, is_ours};
use tfjob_lang::format::format;
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::lexer::lex;

/// Formats a document. `None` if `tfjob fmt` refuses it.
pub fn document(session: &Session<'_>, uri: &Uri) -> Option<Vec<TextEdit>> {
    let document = session.document(uri)?;
    let new = formatted(document, &document.text)?;
    Some(edits(document, &changes(&document.text, &new)))
}

/// Formats the lines of a range. `None` if the document is not KDL, or has syntax errors. No edits if the lines cannot be formatted
/// without other lines.
pub fn range(session: &Session<'_>, uri: &Uri, range: lsp_types::Range) -> Option<Vec<TextEdit>> {
    let document = session.document(uri)?;
    let text = &document.text;
    let new = formatted(document, text)?;
    let mut bytes = document.bytes(range);
    // A selection of whole lines ends at the start of the next line, which is not selected.
    if bytes.len() > 1 && text[..bytes.end].ends_with('\n') {
        bytes.end -= 1;
    }
    let wanted = whole_tokens(text, bytes);
    let mut all = changes(text, &new);
    // An empty selection (a cursor) selects its line.
    let end = wanted.end.max(wanted.start + 1);
    all.retain(|change| change.old.start < end && wanted.start < change.old.end.max(change.old.start + 1));
    // A part of the edits may have another meaning than all of them, for example in a string over several lines.
    let safe = formatted(document, &applied(text, &all)).is_some_and(|again| again == new);
    Some(if safe { edits(document, &all) } else { Vec::new() })
}

/// Returns a text of a document as `tfjob fmt` writes it. `None` if the text is not KDL, has syntax errors, or has no block of a spec,
/// cluster file, or project file.
fn formatted(document: &Document, text: &str) -> Option<String> {
    let name = document.path.to_string_lossy();
    if format_in(&name, text) != Format::Kdl {
        return None;
    }
    let mut sources = Sources::default();
    let number = sources.add(name, Format::Kdl, text);
    let source = sources.get(number);
    if is_ours(source) { format(source).ok() } else { None }
}

/// Extends a range to the tokens of several lines that it touches, such as strings.
fn whole_tokens(text: &str, range: Range<usize>) -> Range<usize> {
    let touched = lex(text).into_iter().map(|token| token.range());
    let touched =
        touched.filter(|token| token.start < range.end.max(range.start + 1) && range.start < token.end);
    touched.fold(range.clone(), |range, token| range.start.min(token.start)..range.end.max(token.end))
}

/// Returns a text after changes.
fn applied(text: &str, changes: &[Change]) -> String {
    let mut out = text.to_owned();
    for change in changes.iter().rev() {
        out.replace_range(change.old.clone(), &change.new);
    }
    out
}

/// Returns the edits that turn the text of a document into `new`.
pub fn changed_lines(document: &Document, new: &str) -> Vec<TextEdit> {
    edits(document, &changes(&document.text, new))
}

/// Returns one edit per change, so that the editor keeps the cursor and marks outside of them.
fn edits(document: &Document, changes: &[Change]) -> Vec<TextEdit> {
    let lines = Lines::of(&document.text);
    let range = |bytes: Range<usize>| lines.range(&document.text, bytes, document.encoding);
    let edit = |change: &Change| TextEdit { range: range(change.old.clone()), new_text: change.new.clone() };
    changes.iter().map(edit).collect()
}
