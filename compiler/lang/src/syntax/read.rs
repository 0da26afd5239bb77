//! Parses KDL text to nodes. After an error, parses the rest of the text, and reports each error once.
use super::braces::balance;
use super::draft::{Change, Draft};
use super::guard::{conflict, guard_text, nesting};
use super::lexer::{is_forbidden, lex};
use super::{Node, NodeEntry, Scalar, common_mistakes, foreign, plain};
use crate::codes::{FORBIDDEN_CHARACTER, SYNTAX};
use crate::diagnostic::{Diagnostic, Fix};
use crate::sources::{Source, Span};
use std::ops::Range;

/// The parsed content of a KDL text, without the unparsable parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kdl {
    /// Top-level nodes.
    pub nodes: Vec<Node>,
    /// Spans that could not be parsed and belong to no node. If a field seems to be missing from a block or line, it may be
    /// in one of these spans: see [`Kdl::is_whole`].
    pub broken: Vec<Span>,
}

impl Kdl {
    /// Returns whether `block` was parsed completely. `block`: the span of a node, or of the whole text, with these
    /// `children`. An unparsable span inside a child counts only for that child.
    #[must_use]
    pub fn is_whole(&self, block: Span, children: &[Node]) -> bool {
        // The unparsable spans and the children are in source order, and children do not overlap. So a binary search finds the
        // spans in a child.
        let first = self.broken.partition_point(|lost| lost.start < block.start);
        let in_child = |lost: &Span| {
            let after = children.partition_point(|child| child.span.start <= lost.start);
            children[..after].last().is_some_and(|child| child.span.contains(*lost))
        };
        let mut inside = self.broken[first..].iter().take_while(|lost| lost.start <= block.end);
        !inside.any(|lost| block.contains(*lost) && !in_child(lost))
    }
}

/// Parses a KDL text. Never fails: errors are in the diagnostics and in [`Kdl::broken`].
#[must_use]
pub fn read_kdl(source: &Source) -> (Kdl, Vec<Diagnostic>) {
    let (kdl, told) = read_with(source, plain::read);
    let conflict = if told.is_empty() { None } else { conflict(source) };
    match conflict {
        Some(conflict) => (nothing(source), vec![conflict]),
        None => (kdl, told),
    }
}

/// Returns the content of a text that is not parsed.
fn nothing(source: &Source) -> Kdl {
    Kdl { nodes: Vec::new(), broken: vec![source.span()] }
}

/// Parses a KDL text. First calls `plain` on the repaired text. If `plain` returns `None`, calls the kdl crate.
pub(super) fn read_with(
    source: &Source,
    plain: impl FnOnce(&Draft<'_>, &Source, &[Span]) -> Option<Vec<Node>>,
) -> (Kdl, Vec<Diagnostic>) {
    let nothing = || nothing(source);
    if let Some(refusal) = guard_text(source) {
        return (nothing(), vec![refusal]);
    }
    let tokens = lex(&source.text);
    if let Some(refusal) = nesting(source, &tokens).or_else(|| foreign::judge(source)) {
        return (nothing(), vec![refusal]);
    }
    let mut draft = Draft::new(source);
    let mut diagnostics = forbidden(&mut draft);
    let tokens = if diagnostics.is_empty() { tokens } else { lex(&draft.text) };
    let mut broken = match balance(&mut draft, tokens) {
        Ok(balance) => {
            diagnostics.extend(balance.diagnostics);
            balance.broken
        }
        Err(told) => {
            diagnostics.extend(told);
            return (nothing(), diagnostics);
        }
    };
    let common_mistakes = common_mistakes::find(&draft);
    diagnostics.extend(common_mistakes.diagnostics);
    broken.extend(common_mistakes.broken.into_iter().map(|bytes| draft.span(bytes)));
    draft.apply(common_mistakes.changes, common_mistakes.blanks);
    broken.sort();
    if let Some(nodes) = plain(&draft, source, &broken) {
        diagnostics.sort_by_key(|d| d.span().start);
        return (Kdl { nodes, broken }, diagnostics);
    }
    let document = parse(&mut draft, &mut diagnostics, &mut broken);
    diagnostics.sort_by_key(|d| d.span().start);
    broken.sort();
    let Some(document) = document else { return (nothing(), diagnostics) };
    let reader = Reader { draft: &draft, source, broken: &broken };
    let nodes = document.nodes().iter().map(|node| reader.node(node)).collect();
    (Kdl { nodes, broken }, diagnostics)
}

/// Reports characters that KDL forbids, and removes them.
fn forbidden(draft: &mut Draft) -> Vec<Diagnostic> {
    let (mut diagnostics, mut changes) = (Vec::new(), Vec::new());
    for (at, c) in
        draft.text.char_indices().filter(|(at, c)| is_forbidden(*c) && (*c != '\u{feff}' || *at > 0))
    {
        let bytes = at..at + c.len_utf8();
        if diagnostics.len() < 20 {
            let span = draft.span(bytes.clone());
            let message = format!("character U+{:04X} is not allowed in KDL", u32::from(c));
            let help =
                format!("remove this invisible character; in a string, write `\\u{{{:x}}}`", u32::from(c));
            let fix = Fix::edit("remove it", span, "");
            diagnostics.push(Diagnostic::new(&FORBIDDEN_CHARACTER, span, message).help(help).fix(fix));
        }
        changes.push(Change::new(bytes, ""));
    }
    if !changes.is_empty() {
        draft.apply(changes, Vec::new());
    }
    diagnostics
}

/// Maximum number of bytes to parse in all retries of a text with errors. It limits the time for malicious texts.
const MOST_BYTES: usize = 256 << 10;

/// Parses the repaired text with the kdl crate. If the crate rejects a line, reports the line, replaces it by spaces, and
/// retries.
fn parse(
    draft: &mut Draft,
    diagnostics: &mut Vec<Diagnostic>,
    broken: &mut Vec<Span>,
) -> Option<kdl::KdlDocument> {
    let tries = (MOST_BYTES / draft.text.len().max(1)).clamp(2, 40);
    for _ in 0..tries {
        let error = match kdl::KdlDocument::parse_v2(&draft.text) {
            Ok(document) => return Some(document),
            Err(error) => error,
        };
        let (line, words) = first_fault(&draft.text, &error)?;
        let at = draft.span(line.clone());
        if broken.contains(&at) {
            return None;
        }
        let message =
            words.map_or_else(|| "KDL syntax error".to_owned(), |w| format!("KDL syntax error: {w}"));
        diagnostics.push(Diagnostic::new(&SYNTAX, at, message));
        broken.push(at);
        let opens = draft.text[line.clone()].ends_with('{');
        let fill = if opens { vec![Change::new(line.end - 1..line.end, "_ {")] } else { Vec::new() };
        let end = if opens { line.end - 1 } else { line.end };
        draft.apply(fill, std::iter::once(line.start..end).collect());
    }
    None
}

/// Returns the range of the first line with an error, and the message of the kdl crate.
fn first_fault(text: &str, error: &kdl::KdlError) -> Option<(Range<usize>, Option<String>)> {
    let place = |d: &kdl::KdlDiagnostic| {
        let start = d.span.offset().min(text.len());
        let end = (start + d.span.len()).min(text.len());
        let over = text.get(start..end).is_some_and(|words| words.trim_end().contains('\n'));
        if over { end.saturating_sub(1).max(start) } else { start }
    };
    let follows = |d: &kdl::KdlDiagnostic| {
        d.message.as_deref().is_some_and(|m| m.starts_with("No closing") || m.starts_with("Closing"))
    };
    let first = error.diagnostics.iter().filter(|d| !follows(d)).min_by_key(|d| place(d));
    let first = first.or(error.diagnostics.first())?;
    let at = (0..=place(first)).rev().find(|at| text.is_char_boundary(*at))?;
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    let line = &text[start..end];
    let range = start + (line.len() - line.trim_start().len())..start + line.trim_end().len();
    let words = first.message.as_ref().map(|m| m.trim_end_matches('.').to_lowercase());
    (range.start < range.end).then_some((range, words))
}

struct Reader<'r> {
    draft: &'r Draft<'r>,
    source: &'r Source,
    broken: &'r [Span],
}

impl Reader<'_> {
    fn node(&self, node: &kdl::KdlNode) -> Node {
        let whole = range(node.span());
        let end = whole.start + self.draft.text[whole.clone()].trim_end().len();
        let name = self.draft.span(range(node.name().span()));
        let span = name.to(self.draft.span(whole.start..end));
        let span = with_broken(span, self.draft.span(whole), self.broken);
        Node {
            name: node.name().value().to_owned(),
            name_span: name,
            span,
            entries: node.entries().iter().filter_map(|entry| self.entry(entry)).collect(),
            children: node.children().map(|block| block.nodes().iter().map(|n| self.node(n)).collect()),
        }
    }

    fn entry(&self, entry: &kdl::KdlEntry) -> Option<NodeEntry> {
        let end = range(entry.span()).end;
        let start = end.checked_sub(entry.format().map_or(0, |f| f.value_repr.len()))?;
        let span = self.draft.span(start..end);
        let value = match entry.value() {
            kdl::KdlValue::String(text) => Scalar::Text(text.clone()),
            kdl::KdlValue::Integer(number) => Scalar::Int(*number),
            kdl::KdlValue::Float(number) => Scalar::Float(*number),
            kdl::KdlValue::Bool(flag) => Scalar::Bool(*flag),
            kdl::KdlValue::Null => Scalar::Null,
        };
        Some(NodeEntry {
            key: entry.name().map(|name| (name.value().to_owned(), self.draft.span(range(name.span())))),
            bare: matches!(value, Scalar::Text(_)) && !is_quoted(self.source, span),
            value,
            span,
        })
    }
}

/// Extends the span of a node to the last unparsable span before the end of the node. `room`: the span of the node with the spaces
/// after it. `broken`: the unparsable spans, sorted.
pub(super) fn with_broken(span: Span, room: Span, broken: &[Span]) -> Span {
    let before = broken.partition_point(|lost| lost.start < room.end);
    let last = before.checked_sub(1).map(|i| broken[i]).filter(|lost| lost.start >= span.start);
    last.map_or(span, |lost| span.to(lost))
}

/// Returns whether the string is quoted in the source.
pub(super) fn is_quoted(source: &Source, words: Span) -> bool {
    source.slice(words).trim_start_matches('#').starts_with('"')
}

fn range(span: miette::SourceSpan) -> Range<usize> {
    span.offset()..span.offset() + span.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Format, Sources};

    #[test]
    fn a_spec_becomes_nodes_with_the_spans_of_its_words() {
        let mut all = Sources::default();
        all.add("first", Format::Kdl, "x");
        let text = "job \"a\" {\n  role \"w\" count=4 { run \"x\"; } // c\n}\n";
        let number = all.add("a", Format::Kdl, text);
        let source = all.get(number);
        let (read, diagnostics) = read_kdl(source);
        assert!(diagnostics.is_empty());
        let job = &read.nodes[0];
        assert_eq!(source.slice(job.span), text.trim_end());
        let role = &job.children.as_ref().unwrap()[0];
        assert_eq!(source.slice(role.span), "role \"w\" count=4 { run \"x\"; }");
        assert_eq!(source.slice(role.entries[1].span), "4");
        assert_eq!(role.entries[1].value, Scalar::Int(4));
    }
}
