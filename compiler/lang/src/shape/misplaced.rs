//! Fields in the wrong place of an entry. Builds the help with the correct form, and the fix that moves the field.
use super::{Field, Object, Place, Shape};
use crate::diagnostic::{Edit, Fix};
use crate::sources::{Source, Span};
use crate::syntax::lexer::{Kind, Lexer};
use crate::syntax::{Node, NodeEntry};

/// Returns the help for an entry that should be an argument or property of `owner`: the corrected form, with the value of
/// the user.
pub fn form(source: &Source, owner: &Node, field: &Field, node: &Node) -> String {
    let [only] = node.entries.as_slice() else { return moved(owner, field) };
    if only.key.is_some() || node.children.is_some() {
        return moved(owner, field);
    }
    let header = source.slice(Span::new(owner.name_span.start, header_end(owner)));
    let value = source.slice(only.span);
    match field.place {
        Place::Arg => {
            // The value follows the arguments of the entry, such as its name.
            let arguments = owner.entries.iter().filter(|entry| entry.key.is_none());
            let end = arguments.map(|entry| entry.span.end).max().unwrap_or(owner.name_span.end);
            let (start, after) = (owner.name_span.start, Span::new(end, header_end(owner).max(end)));
            format!("write `{} {value}{}`", source.slice(Span::new(start, end)), source.slice(after))
        }
        _ => format!("write `{header} {}={value}`", field.name),
    }
}

/// Returns the help that shows the form of the field at its correct place: on the line of `owner`, or in the block of `owner`.
pub fn moved(owner: &Node, field: &Field) -> String {
    match field.place {
        Place::Arg if owner.entries.iter().all(|entry| entry.key.is_some()) => {
            format!("write `{} {}`", owner.name, field.form())
        }
        Place::Arg | Place::Prop => format!("write `{} … {}`", owner.name, field.form()),
        _ => format!("write `{} … {{ {} }}`", owner.name, field.form()),
    }
}

/// Returns the help for a property that should be an entry of the block of `node`: the corrected line, with the value of the user.
/// `None` if the corrected line cannot be shown in a help.
pub fn into_block(
    source: &Source,
    node: &Node,
    field: &Field,
    entry: &NodeEntry,
    key: Span,
) -> Option<String> {
    let keyed = matches!(field.shape, Shape::Object(_) | Shape::Keyed(_));
    if matches!(field.place, Place::Arg | Place::Prop) || keyed || node.children.is_some() {
        return None;
    }
    let before = source.slice(Span::new(node.name_span.start, key.start)).trim_end();
    let after = source.slice(Span::new(entry.span.end, header_end(node).max(entry.span.end)));
    let line = format!("{before}{after} {{ {} {} }}", field.name, source.slice(entry.span));
    (!line.contains(['\n', '`'])).then(|| format!("write `{line}`"))
}

/// Returns the property `key=value` as the entry `key value`.
pub fn as_node(source: &Source, key: Span, value: Span) -> String {
    format!("{} {}", source.slice(key), source.slice(value))
}

/// Returns the end of the header of an entry: the end of its last argument or property, or of its name if it has neither.
pub fn header_end(node: &Node) -> u32 {
    node.entries.iter().map(|entry| entry.span.end).max().unwrap_or(node.name_span.end)
}

/// Returns where the block of an entry without a block may begin: at the end of the entry, after its parts that `/-` disables.
pub fn block_end(source: &Source, node: &Node) -> u32 {
    let start = source.local(node.span).end;
    let (mut end, mut depth, mut is_disabled) = (0, 0_usize, false);
    for token in Lexer::new(&source.text[start..]) {
        let ends = [Kind::Close, Kind::Newline, Kind::Semicolon, Kind::LineComment, Kind::Backslash]
            .contains(&token.kind);
        if ends && depth == 0 {
            break;
        }
        is_disabled |= token.kind == Kind::Slashdash;
        if token.kind == Kind::Open {
            depth += 1;
        } else if token.kind == Kind::Close {
            depth -= 1;
        }
        if is_disabled && !matches!(token.kind, Kind::Blank | Kind::BlockComment) {
            end = token.end;
        }
    }
    node.span.end + end as u32
}

/// Extends `span` so that it includes the spaces before it.
pub fn with_blanks_before(source: &Source, span: Span) -> Span {
    let bytes = source.text.as_bytes();
    let mut start = source.local(span).start;
    while start > 0 && matches!(bytes[start - 1], b' ' | b'\t') {
        start -= 1;
    }
    Span::new(source.base() + start as u32, span.end)
}

/// Returns the fix that moves a property into the block of its entry, or to the arguments of the entry. `None` if other arguments
/// or the type of the field prevent this.
pub fn property_to(
    source: &Source,
    object: &Object,
    field: &Field,
    node: &Node,
    entry: &NodeEntry,
    key: Span,
) -> Option<Fix> {
    let whole = key.to(entry.span);
    // The braces of `image: { name: … }` are another error, whose fix comes first.
    if source.slice(Span::new(node.name_span.end, key.start.max(node.name_span.end))).contains('{') {
        return None;
    }
    if field.place == Place::Arg {
        let first = object.at(Place::Arg).next().is_some_and(|first| first.name == field.name);
        let alone = node.entries.iter().all(|entry| entry.key.is_some());
        let title = format!("write it as the argument of `{}`", node.name);
        return (first && alone).then(|| Fix::edit(title, whole, source.slice(entry.span)));
    }
    if !field.shape.is_scalar() {
        return None;
    }
    let words = as_node(source, key, entry.span);
    let title = format!("move into the block of `{}`", node.name);
    let gone = with_blanks_before(source, whole);
    let end = block_end(source, node);
    match &node.children {
        None if gone.end == end => Some(Fix::edit(title, gone, format!(" {{ {words} }}"))),
        None => {
            let end = Span::new(end, end);
            let edits = vec![
                Edit { span: gone, text: String::new() },
                Edit { span: end, text: format!(" {{ {words} }}") },
            ];
            Some(Fix::of(title, edits))
        }
        Some(children) => {
            let start = children.first()?.name_span.start;
            let insert = Edit { span: Span::new(start, start), text: format!("{words}; ") };
            Some(Fix::of(title, vec![Edit { span: gone, text: String::new() }, insert]))
        }
    }
}

/// Returns the fix that moves an entry with one value into the header of `owner`. `None` if the entry does not have exactly one
/// value, or if the header cannot take the value.
pub fn node_to_value(
    source: &Source,
    owner: &Node,
    object: &Object,
    field: &Field,
    node: &Node,
) -> Option<Fix> {
    let [only] = node.entries.as_slice() else { return None };
    if only.key.is_some() || node.children.is_some() {
        return None;
    }
    let value = source.slice(only.span);
    let (at, text) = if field.place == Place::Arg {
        let first = object.at(Place::Arg).next().is_some_and(|first| first.name == field.name);
        if !first || owner.entries.iter().any(|entry| entry.key.is_none()) {
            return None;
        }
        (owner.name_span.end, format!(" {value}"))
    } else {
        (header_end(owner), format!(" {}={value}", field.name))
    };
    // The colon of `resources: { … }` is another error, whose fix comes first.
    if source.text[source.local(Span::new(at, at)).start..].starts_with(':') {
        return None;
    }
    let title = format!("move to the line of `{}`", owner.name);
    let gone = match only_child(source, owner) {
        Some(block) if block.start == at => return Some(Fix::edit(title, block, text)),
        Some(span) => Edit { span, text: String::new() },
        None => removal(source, node.span),
    };
    Some(Fix::of(title, vec![Edit { span: Span::new(at, at), text }, gone]))
}

/// Returns the block of an entry, including the spaces before the block, if the block contains only one child and no comment.
fn only_child(source: &Source, owner: &Node) -> Option<Span> {
    let [child] = owner.children.as_deref()? else { return None };
    let block = Span::new(header_end(owner), owner.span.end);
    let before = source.slice(Span::new(block.start, child.span.start)).trim();
    let after = source.slice(Span::new(child.span.end, block.end)).replace(';', "");
    (before == "{" && after.trim() == "}").then_some(block)
}

/// Returns the fix that removes the braces of a block without entries, and keeps its comments. `None` for another block, for a block
/// with disabled entries (without the braces, `/-` disables only the next word), and if something follows a block with several lines.
pub fn without_braces(source: &Source, node: &Node) -> Option<Fix> {
    let block = Span::new(header_end(node), node.span.end);
    let text = source.slice(block);
    let open = text.len() - text.trim_start().len();
    let inner = text[open..].strip_prefix('{')?.strip_suffix('}')?;
    let after = &source.text[source.local(block).end..];
    let is_last = after.lines().next().is_none_or(|rest| rest.trim().is_empty());
    let is_empty = node.children.as_ref().is_some_and(Vec::is_empty) && !inner.contains("/-");
    if !is_empty || inner.contains('\n') && !is_last {
        return None;
    }
    let title = "remove the braces";
    if inner.trim().is_empty() {
        return Some(Fix::edit(title, block, ""));
    }
    let at = |byte: usize| block.start + byte as u32;
    let brace =
        |byte: usize, text: &str| Edit { span: Span::new(at(byte), at(byte + 1)), text: text.to_owned() };
    Some(Fix::of(title, vec![brace(open, ""), brace(text.len() - 1, "")]))
}

/// Returns the edit that removes an entry with its terminator; the whole line if nothing else is on it. Comments between the entry and
/// its `;` stay.
pub fn removal(source: &Source, node: Span) -> Edit {
    let bytes = source.text.as_bytes();
    let own = source.local(node);
    let (end, mut kept) = terminator(&source.text, own.end);
    let mut start = own.start;
    while start > 0 && matches!(bytes[start - 1], b' ' | b'\t') {
        start -= 1;
    }
    let rest = &bytes[end..];
    let is_last = rest.is_empty() || rest.starts_with(b"\n") || rest.starts_with(b"\r\n");
    let alone = kept.is_empty() && bytes[..start].ends_with(b"\n") && is_last && !rest.is_empty();
    let break_before = if bytes[..start].ends_with(b"\r\n") { 2 } else { 1 };
    let start = if alone { start - break_before } else { own.start };
    if !kept.is_empty() && !is_last {
        kept.push(' ');
    }
    Edit { span: Span::new(source.base() + start as u32, source.base() + end as u32), text: kept }
}

/// Returns the end of the terminator of an entry that ends at an offset, including the spaces around it, and the comments before its
/// `;`.
fn terminator(text: &str, entry_end: usize) -> (usize, String) {
    let past = |at: usize, set: &[char]| text.len() - text[at..].trim_start_matches(set).len();
    let (mut at, mut comments) = (past(entry_end, &[' ', '\t']), Vec::new());
    while let Some(end) = comment_end(text, at) {
        comments.push(&text[at..end]);
        at = past(end, &[' ', '\t']);
    }
    if text[at..].starts_with(';') {
        return (past(at, &[' ', '\t', ';']), comments.join(" "));
    }
    (past(entry_end, &[' ', '\t']), String::new())
}

/// Returns the end of the block comment at an offset, which may contain others. `None` if there is none.
fn comment_end(text: &str, start: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(mark) = text.as_bytes().get(at..at + 2) {
        match mark {
            b"/*" => depth += 1,
            b"*/" => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
