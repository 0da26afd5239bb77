//! Rejects texts that would make a parser overflow its stack or run indefinitely. The check takes linear time and uses no
//! recursion.
use super::lexer::{Kind, Lexer, Token};
use crate::codes::{FORBIDDEN_CHARACTER, SYNTAX, TOO_DEEP, TOO_LARGE};
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Source, Span};
use crate::tree::{Tree, Value};

/// Maximum size of a text: 1 MiB.
pub const MAX_BYTES: usize = 1 << 20;
/// Maximum nesting depth of blocks.
pub const MAX_DEPTH: usize = 32;
/// Maximum nesting depth of blocks disabled by `/-`. Each level doubles the time that the kdl crate needs.
pub const MAX_HIDDEN: usize = 3;
/// Maximum nesting depth of block comments.
pub const MAX_COMMENTS: usize = 16;

/// Maximum number of problems reported per text.
pub const MAX_TOLD: usize = 500;

/// Adds a problem, and returns whether it was added. After [`MAX_TOLD`] problems, adds one that says that the rest are not
/// shown.
pub(super) fn tell(told: &mut Vec<Diagnostic>, problem: Diagnostic) -> bool {
    if told.len() < MAX_TOLD {
        told.push(problem);
        return true;
    }
    if told.len() == MAX_TOLD {
        let message = format!("more than {MAX_TOLD} problems; the rest are not shown");
        told.push(Diagnostic::new(&SYNTAX, problem.span(), message));
    }
    false
}

/// Returns the first [`MAX_TOLD`] problems. If there are more, adds one that says that the rest are not shown.
#[must_use]
pub(crate) fn limited(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut told = Vec::with_capacity(all.len().min(MAX_TOLD + 1));
    for problem in all {
        tell(&mut told, problem);
    }
    told
}

/// Returns an error if a text of any format is too large to parse, or contains NUL.
#[must_use]
pub fn guard_text(source: &Source) -> Option<Diagnostic> {
    let text = &source.text;
    if text.len() > MAX_BYTES {
        let start = source.base();
        let message = format!("the file has {} bytes; the limit is 1 MiB", text.len());
        return Some(Diagnostic::new(&TOO_LARGE, Span::new(start, start), message));
    }
    let nul = text.find('\0')?;
    let message = "unexpected NUL character";
    Some(
        Diagnostic::new(&FORBIDDEN_CHARACTER, span(source, nul, nul + 1), message)
            .help("save the spec as UTF-8 text; this file seems to be binary or UTF-16"),
    )
}

/// Returns the error for a text with the markers of a merge conflict. Other errors of such a text are only consequences. A string of
/// several lines may contain the markers, so a text without errors is not judged, and markers in such a string of KDL do not count.
pub(super) fn conflict(source: &Source) -> Option<Diagnostic> {
    let is_string = |token: &Token| token.kind == Kind::Text && source.text[token.range()].contains('\n');
    let strings: Vec<Token> = match source.format {
        Format::Kdl => Lexer::new(&source.text).filter(is_string).collect(),
        Format::Json | Format::Yaml | Format::Set => Vec::new(),
    };
    let is_in_string = |at: usize| strings.iter().any(|token| token.range().contains(&at));
    let (mut markers, mut at, mut first) = (["<<<<<<<", "=======", ">>>>>>>"].iter().peekable(), 0, None);
    for line in source.text.split_inclusive('\n') {
        let shown = line.trim_end();
        let is_marker = |marker: &&str| {
            shown.strip_prefix(*marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        if markers.next_if(|marker| is_marker(marker) && !is_in_string(at)).is_some() {
            first.get_or_insert(span(source, at, at + shown.len()));
        }
        at += line.len();
    }
    let first = first.filter(|_| markers.peek().is_none())?;
    Some(
        Diagnostic::new(&SYNTAX, first, "unresolved merge conflict")
            .help("keep one of the versions, and remove the lines `<<<<<<<`, `=======`, and `>>>>>>>`"),
    )
}

/// Returns an error if parsing the KDL text could overflow the stack or take too long. `tokens`: all tokens of the text.
pub(super) fn nesting(source: &Source, tokens: &[Token]) -> Option<Diagnostic> {
    let text = source.text.as_str();
    let mut depth = 0_usize;
    for &token in tokens {
        if token.kind == Kind::Open {
            depth += 1;
            if depth > MAX_DEPTH {
                return Some(too_deep(
                    source,
                    token,
                    format!("blocks are nested more than {MAX_DEPTH} levels deep"),
                ));
            }
        } else if token.kind == Kind::Close {
            depth = depth.saturating_sub(1);
        } else if matches!(token.kind, Kind::BlockComment | Kind::OpenComment)
            && comment_depth(&text[token.range()]) > MAX_COMMENTS
        {
            let start = Token { end: token.start + 2, ..token };
            return Some(too_deep(
                source,
                start,
                format!("comments are nested more than {MAX_COMMENTS} levels deep"),
            ));
        }
    }
    None
}

fn comment_depth(comment: &str) -> usize {
    let (mut depth, mut most, mut rest) = (0_usize, 0, comment.as_bytes());
    loop {
        rest = match rest {
            [b'/', b'*', rest @ ..] => {
                depth += 1;
                most = most.max(depth);
                rest
            }
            [b'*', b'/', rest @ ..] => {
                depth = depth.saturating_sub(1);
                rest
            }
            [_, rest @ ..] => rest,
            [] => return most,
        }
    }
}

fn too_deep(source: &Source, token: Token, message: String) -> Diagnostic {
    Diagnostic::new(&TOO_DEEP, span(source, token.start, token.end), message)
}

/// Converts a byte range of the text to a span.
pub(crate) fn span(source: &Source, start: usize, end: usize) -> Span {
    let at = |byte: usize| source.base() + u32::try_from(byte).unwrap_or(u32::MAX);
    Span::new(at(start), at(end))
}

/// Returns the help for a duplicate key. `second`: the value at its second occurrence.
pub(super) const fn keep_one(second: &Tree) -> &'static str {
    match second.value {
        Value::Map(_) => "merge both into one object, or remove one of them",
        Value::Null
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Hole => "remove one of them",
    }
}

#[cfg(test)]
mod tests {
    use super::Format;
    use crate::sources::Sources;
    use crate::syntax::{read_json, read_kdl, read_yaml};

    /// Returns the messages about a text.
    fn told(format: Format, text: &str) -> Vec<String> {
        let mut all = Sources::default();
        let number = all.add("a", format, text.to_owned());
        let source = all.get(number);
        let told = match format {
            Format::Json => read_json(source).1,
            Format::Yaml => read_yaml(source).1,
            Format::Kdl | Format::Set => read_kdl(source).1,
        };
        told.into_iter()
            .map(|one| format!("{}: {}", source.position(one.span().start).line, one.message))
            .collect()
    }

    #[test]
    fn a_merge_conflict_is_one_error() {
        let conflict = |one: &str, other: &str, marker: &str| {
            format!("<<<<<<< HEAD\n{one}{marker}=======\n{other}>>>>>>> a/b\n")
        };
        for marker in ["", "||||||| 1f\nx\n"] {
            let kdl = format!("job \"a\" {{\n{}}}\n", conflict("image \"b\"\n", "image \"c\" {\n", marker));
            assert_eq!(told(Format::Kdl, &kdl), ["2: unresolved merge conflict"]);
            let json = format!("{{\n{}}}\n", conflict("\"a\": 1\n", "\"a\": 2\n", marker));
            assert_eq!(told(Format::Json, &json), ["2: unresolved merge conflict"]);
            let yaml = format!("a:\n{}", conflict("  b: 1\n", "  b: 2\n", marker));
            assert_eq!(told(Format::Yaml, &yaml), ["2: unresolved merge conflict"]);
        }
        let windows = "a {\r\n<<<<<<< HEAD\r\n=======\r\n>>>>>>> b\r\n}\r\n";
        assert_eq!(told(Format::Kdl, windows), ["2: unresolved merge conflict"]);
        // The text of a string, and a part of the markers.
        assert!(told(Format::Kdl, "a \"\"\"\n<<<<<<< a\n=======\n>>>>>>> b\n\"\"\"\n").is_empty());
        let other = "a \"\"\"\n<<<<<<< a\n=======\n>>>>>>> b\n\"\"\"\nb memory=1GiB\n";
        let told_of_other = told(Format::Kdl, other);
        assert!(!told_of_other.is_empty() && !told_of_other[0].contains("conflict"), "{told_of_other:?}");
        assert_ne!(told(Format::Kdl, "=======\n>>>>>>> b\n"), ["1: unresolved merge conflict"]);
    }
}
