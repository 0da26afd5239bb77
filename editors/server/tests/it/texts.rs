//! Texts with a mark `$0`, and their positions and edits.
use lsp_types::Position;
use serde_json::Value;

/// Returns a text without its mark `$0`, and the position of the mark; the start if there is none.
pub fn unmarked(marked: &str) -> (String, Position) {
    let byte = marked.find("$0").unwrap_or_default();
    let before = &marked[..byte];
    let line = before.matches('\n').count() as u32;
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count() as u32;
    (marked.replacen("$0", "", 1), Position::new(line, column))
}

/// Returns the text after edits of one document, applied from the last to the first.
pub fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<lsp_types::TextEdit> = serde_json::from_value(edits.clone()).expect("edits");
    edits.sort_by_key(|edit| edit.range.start);
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        let (start, end) = (byte(&text, edit.range.start), byte(&text, edit.range.end));
        text.replace_range(start..end, &edit.new_text);
    }
    text
}

/// Returns the byte offset of a position; lines end with `\n`.
pub fn byte(text: &str, at: Position) -> usize {
    let start = text.split_inclusive('\n').take(at.line as usize).map(str::len).sum::<usize>();
    let mut units = 0;
    let mut chars = text[start..].char_indices();
    let column = chars.find(|(_, c)| {
        let here = units == at.character;
        units += c.len_utf16() as u32;
        here
    });
    column.map_or(text.len(), |(byte, _)| start + byte)
}

/// Returns the text at a range.
pub fn slice(text: &str, range: lsp_types::Range) -> String {
    text[byte(text, range.start)..byte(text, range.end)].to_owned()
}
