//! Refuses, in linear time and without recursion, what would make a parser overflow its stack or run for ever.
use super::lexer::{Kind, Lexer, Token};
use crate::codes::{FORBIDDEN_CHARACTER, SYNTAX, TOO_DEEP, TOO_LARGE};
use crate::diagnostic::Diagnostic;
use crate::sources::{Source, Span};
use crate::tree::{Tree, Value};

/// Bytes of the largest text that is read: 1 MiB.
pub const MAX_BYTES: usize = 1 << 20;
/// Blocks within blocks.
pub const MAX_DEPTH: usize = 32;
/// Blocks that `/-` hides, within one another: with more of them kdl takes twice as long for each.
pub const MAX_HIDDEN: usize = 3;
/// Comments within comments.
pub const MAX_COMMENTS: usize = 16;

/// Problems that are told of one text.
pub const MAX_TOLD: usize = 500;

/// Adds a problem to those of a text. After [`MAX_TOLD`] of them one more says that the rest is not shown.
pub(super) fn tell(told: &mut Vec<Diagnostic>, problem: Diagnostic) -> bool {
    if told.len() < MAX_TOLD {
        told.push(problem);
        return true;
    }
    if told.len() == MAX_TOLD {
        let message = format!("more than {MAX_TOLD} problems; the rest of them is not shown");
        told.push(Diagnostic::new(&SYNTAX, problem.span(), message));
    }
    false
}

/// The first [`MAX_TOLD`] problems of a text, and one that says that the rest is not shown.
#[must_use]
pub(crate) fn limited(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut told = Vec::with_capacity(all.len().min(MAX_TOLD + 1));
    for problem in all {
        tell(&mut told, problem);
    }
    told
}

/// The first reason not to read this KDL text at all, if there is one.
#[must_use]
pub fn guard_kdl(source: &Source) -> Option<Diagnostic> {
    guard_text(source).or_else(|| nesting(source))
}

/// The first reason not to read a text in any format: its size, or a NUL in it.
#[must_use]
pub fn guard_text(source: &Source) -> Option<Diagnostic> {
    let text = &source.text;
    if text.len() > MAX_BYTES {
        let start = source.base();
        let message = format!("the text has {} bytes, more than 1 MiB", text.len());
        return Some(Diagnostic::new(&TOO_LARGE, Span::new(start, start), message));
    }
    let nul = text.find('\0')?;
    let message = "a NUL character";
    Some(
        Diagnostic::new(&FORBIDDEN_CHARACTER, span(source, nul, nul + 1), message)
            .help("a spec is a text; this looks like a binary file or one in UTF-16"),
    )
}

fn nesting(source: &Source) -> Option<Diagnostic> {
    let text = source.text.as_str();
    let mut depth = 0_usize;
    for token in Lexer::new(text) {
        if token.kind == Kind::Open {
            depth += 1;
            if depth > MAX_DEPTH {
                return Some(too_deep(
                    source,
                    token,
                    format!("blocks are nested more than {MAX_DEPTH} deep"),
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
                format!("comments are nested more than {MAX_COMMENTS} deep"),
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

/// Bytes of the text as a span of the offset space.
pub(crate) fn span(source: &Source, start: usize, end: usize) -> Span {
    let at = |byte: usize| source.base() + u32::try_from(byte).unwrap_or(u32::MAX);
    Span::new(at(start), at(end))
}

/// What to do about a key that is there twice, by what it holds the second time.
pub(super) const fn keep_one(second: &Tree) -> &'static str {
    match second.value {
        Value::Map(_) => "put both into one object, or remove one of the two",
        Value::Null
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Hole => "remove one of the two",
    }
}
