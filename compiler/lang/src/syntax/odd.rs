//! How far words reach that KDL does not know, so that what follows them is read as the writer meant it.
use super::lexer::{Kind, block_comment, is_blank, is_newline, is_word, run};

/// Bytes that are looked through for the end of such a word or its quotes: keeps the lexer linear.
const FAR: usize = 1024;

/// The words that begin a reference, `{data.train}` or `{gpus}`.
const REFERENCES: [&str; 15] = [
    "address",
    "addresses",
    "checkpoints",
    "code",
    "count",
    "data",
    "env",
    "gpus",
    "index",
    "job",
    "param",
    "port",
    "role",
    "scratch",
    "stage",
];

/// Bytes of the odd word at the start of `rest`; never 0 where `rest` begins with a word's character, `/`, `\` or a
/// reference.
pub(super) fn odd_length(rest: &str) -> usize {
    let (mut at, mut uri, mut parens, mut brackets) = (0, false, 0_usize, 0_usize);
    while let Some(c) = rest[at..].chars().next() {
        let tail = &rest[at..];
        let step = match c {
            c if is_word(c) => run(tail, is_word),
            '/' if tail.starts_with("//") => {
                uri |= rest[..at].ends_with(':');
                if uri { 2 } else { 0 }
            }
            '/' if tail.starts_with("/*") && closes_on_line(tail) => 0,
            '/' if tail.starts_with("/-{") => 0,
            '/' => 1,
            '\\' if !joins_lines(tail) => 1,
            '=' if uri => 1,
            '{' => group_length(tail, rest[..at].ends_with('$')),
            '#' if at > 0 => {
                let hashes = run(tail, |c| c == '#');
                if tail[hashes..].starts_with('"') { 0 } else { hashes }
            }
            '(' if at > 0 => {
                parens += 1;
                1
            }
            ')' if parens > 0 => {
                parens -= 1;
                1
            }
            '[' if at > 0 => {
                brackets += 1;
                1
            }
            ']' if brackets > 0 => {
                brackets -= 1;
                1
            }
            _ => 0,
        };
        if step == 0 {
            break;
        }
        at += step;
    }
    at
}

/// Whether `rest`, which begins with `\`, has only blanks and comments before the end of the line.
pub(super) fn joins_lines(rest: &str) -> bool {
    let mut after = within(&rest[1..], FAR);
    loop {
        after = after.trim_start_matches(is_blank);
        if !after.starts_with("/*") {
            return after.chars().next().is_none_or(is_newline) || after.starts_with("//");
        }
        let (kind, length) = block_comment(after);
        if kind == Kind::OpenComment {
            return false;
        }
        after = &after[length..];
    }
}

/// Whether `rest` begins with a reference: `{`, a known word, maybe a dot and a name, `}`, without a blank.
pub(super) fn is_reference(rest: &str) -> bool {
    group_length(rest, false) > 0
}

/// Bytes of `{data.train}`, or of any `{NAME…}` after a dollar; 0 if `rest` begins with neither.
fn group_length(rest: &str, dollar: bool) -> usize {
    let inner = &rest[1..];
    let name = run(inner, |c| c.is_ascii_alphanumeric() || c == '_');
    let part = run(&inner[name..], |c| {
        is_word(c) && (dollar || c == '.' || c == '-' || c == '_' || c.is_ascii_alphanumeric())
    });
    let known = dollar && name > 0 || REFERENCES.contains(&&inner[..name]);
    let dotted = dollar || part == 0 || inner[name..].starts_with('.');
    if known && dotted && inner[name + part..].starts_with('}') { name + part + 2 } else { 0 }
}

/// The first bytes of `rest`, `far` at most.
fn within(rest: &str, far: usize) -> &str {
    let mut end = rest.len().min(far);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    &rest[..end]
}

fn near(rest: &str) -> &str {
    let near = within(rest, FAR);
    &near[..run(near, |c| !is_newline(c))]
}

fn closes_on_line(rest: &str) -> bool {
    near(rest)[2..].contains("*/")
}

/// Bytes of a text in the quotes of another language, if one begins `rest` and ends on its line.
pub(super) fn foreign_length(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    let close = match first {
        '\'' | '`' => first,
        '\u{2018}' => '\u{2019}',
        '\u{201c}' | '\u{201e}' => '\u{201d}',
        '\u{ab}' => '\u{bb}',
        _ => return None,
    };
    let line = near(rest);
    let ends = |at: usize| {
        let next = rest[at..].chars().next();
        next.is_none_or(|c| is_newline(c) || is_blank(c) || matches!(c, ';' | '{' | '}' | ',' | ']' | '='))
    };
    line.char_indices()
        .skip(1)
        .filter(|(_, c)| *c == close)
        .map(|(at, c)| at + c.len_utf8())
        .find(|end| ends(*end))
}

/// Bytes of a raw text of KDL 1, `r"…"` or `r#"…"#`, if one begins `rest`. It may span lines.
pub(super) fn old_raw_length(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = run(after, |c| c == '#');
    let body = after[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = within(body, 8 * FAR).find(&close)?;
    Some(1 + hashes + 1 + end + close.len())
}

/// Bytes of a text that its line does not close, `rest` up to the end of the line: braces at the very end of the line
/// were meant as braces, unless one within the text says otherwise.
pub(super) fn open_text_length(rest: &str, opening: usize) -> usize {
    let body = &rest[opening..];
    let words = body.trim_end_matches(|c| is_blank(c) || matches!(c, '{' | '}' | ';'));
    let tail = &body[words.len()..];
    if tail.contains(['{', '}']) && !words.contains('{') { opening + words.len() } else { rest.len() }
}
