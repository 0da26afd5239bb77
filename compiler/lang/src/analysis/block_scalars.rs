//! Edits of YAML block scalars, such as `>-`: a quoted value replaces the text of the scalar and its header.
use crate::diagnostic::{Edit, Fix};
use crate::sources::{Format, Sources, Span};

/// Extends the edits that replace the text of a block scalar by a value, so that they also replace the header.
pub(super) fn include_headers(fix: &mut Fix, sources: &Sources) {
    for edit in fix.edits.iter_mut().filter(|edit| writes_value(edit)) {
        let Some(source) = sources.find(edit.span).filter(|source| source.format == Format::Yaml) else {
            continue;
        };
        if let Some(start) = header(&source.text[..source.local(edit.span).start]) {
            edit.span = Span::new(source.base() + start as u32, edit.span.end);
        }
    }
}

/// Returns whether the edit replaces a text by a string in quotes, a list, or an object. A reference such as `{env.USER}` is part of a text.
fn writes_value(edit: &Edit) -> bool {
    let is_object = edit.text.starts_with('{') && edit.text.contains(": ");
    edit.span.start < edit.span.end && (edit.text.starts_with(['"', '\'', '[']) || is_object)
}

/// Returns the offset of the header of the block scalar that begins at the end of this text. `None` if no block scalar begins there.
fn header(before: &str) -> Option<usize> {
    let above = before.trim_end();
    before[above.len()..].contains('\n').then_some(())?;
    let line = above.rfind('\n').map_or(0, |newline| newline + 1);
    let words = above[line..].split(" #").next().unwrap_or_default().trim_end();
    let at = words.rfind(['|', '>'])?;
    let has_only_marks = words[at + 1..].bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-'));
    (has_only_marks && words[..at].ends_with([' ', '\t'])).then_some(line + at)
}
