//! Reports each `}}` that is used as an escape, and each reference in double braces, such as `{{index}}`.
use super::piece::{Piece, split};
use super::{Scope, part};
use crate::at::At;
use crate::codes::UNEXPANDED_SYNTAX;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::sources::Span;
use std::ops::Range;

/// Reports each reference in double braces. One further finding reports all other `}}` that are used as escapes. `place` returns
/// the span of a range of the text.
pub(super) fn check(
    text: &At<String>,
    scope: &Scope<'_>,
    mut place: impl FnMut(Range<usize>) -> Span,
    out: &mut Vec<Diagnostic>,
) {
    let mut ends = Vec::new();
    for end in escaped_ends(&text.value) {
        match doubled(&text.value, &end, scope) {
            Some((whole, name)) => {
                let at = place(whole.clone());
                out.push(doubled_braces(&text.value[whole], name, at, scope));
            }
            None => ends.push(place(end)),
        }
    }
    if !ends.is_empty() {
        out.push(escaped_end(&ends, scope));
    }
}

/// Returns the ranges of all `}}`, if each `{{` is closed by a `}}`, as in Python format strings; otherwise, returns no ranges. In
/// a spec, only `{{` is an escape.
fn escaped_ends(text: &str) -> Vec<Range<usize>> {
    if !text.contains("{{") || !text.contains("}}") {
        return Vec::new();
    }
    let references: Vec<Range<usize>> = split(text)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Reference(range) => Some(range),
            Piece::Text(_) | Piece::Open(_) => None,
        })
        .collect();
    let (mut ends, mut opened, mut at) = (Vec::new(), 0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(reference) = references.iter().find(|reference| reference.start == at) {
            at = reference.end;
        } else if rest.starts_with("{{") {
            opened += 1;
            at += 2;
        } else if rest.starts_with("}}") {
            ends.push(at..at + 2);
            at += 2;
        } else if rest.starts_with('}') {
            return Vec::new();
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    if ends.len() == opened { ends } else { Vec::new() }
}

/// Returns the range and the name of a reference in double braces, such as `{{index}}`. `None` if the braces contain no reference.
/// `end`: the range of the `}}`.
fn doubled<'t>(text: &'t str, end: &Range<usize>, scope: &Scope<'_>) -> Option<(Range<usize>, &'t str)> {
    let start = text[..end.start].rfind("{{")?;
    let name = text[start + 2..end.start].trim();
    part(name, Span::default(), scope).ok().map(|_| (start..end.end, name))
}

/// Reports a reference in double braces, as in templates of other tools.
fn doubled_braces(whole: &str, name: &str, at: Span, scope: &Scope<'_>) -> Diagnostic {
    let fact = format!("`{whole}` is not a reference: `{{{{` stands for a literal brace");
    let told = Diagnostic::new(&UNEXPANDED_SYNTAX, at, fact)
        .here("passed literally")
        .help(format!("did you mean `{{{name}}}`?"));
    // The fix needs the exact position, so there is no fix in a string with escapes, in which the position may be wrong.
    match scope.sources.find(at).is_some_and(|source| source.slice(at) == whole) {
        true => told.suggest(Fix::replace(at, format!("{{{name}}}"))),
        false => told,
    }
}

/// Reports `}}` that is used as an escape, because a spec does not support this escape.
fn escaped_end(ends: &[Span], scope: &Scope<'_>) -> Diagnostic {
    let first = ends.first().copied().unwrap_or_default();
    let diagnostic = Diagnostic::new(
        &UNEXPANDED_SYNTAX,
        first,
        "`}}` is not an escape: only `{{` stands for a literal brace",
    )
    .here("passed as two braces")
    .help("write `}` instead of `}}`");
    // The fix needs the exact position of each `}}`, so there is no fix in a string with escapes, in which the positions may be
    // wrong.
    let plain = |at: &Span| scope.sources.find(*at).is_some_and(|source| source.slice(*at) == "}}");
    if !ends.iter().all(plain) {
        return diagnostic;
    }
    let edits = ends.iter().map(|at| Edit { span: *at, text: "}".to_owned() });
    diagnostic.suggest(Fix::of("replace `}}` with `}`", edits.collect()))
}
