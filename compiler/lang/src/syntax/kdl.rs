//! KDL text to nodes: whatever is wrong with some lines, the rest is read, and each fault is told once.
use super::guard::{guard_kdl, span};
use super::{Node, NodeEntry, Scalar};
use crate::codes::SYNTAX;
use crate::diagnostic::Diagnostic;
use crate::sources::{Source, Span};
use std::ops::Range;

/// What a KDL text holds, as far as it can be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kdl {
    /// The nodes of the file.
    pub nodes: Vec<Node>,
    /// Words that could not be read and are in no node. What seems to be missing from the block (or the node's own
    /// line) that holds one of them may stand there: see [`Kdl::is_whole`].
    pub broken: Vec<Span>,
}

impl Kdl {
    /// Whether nothing was lost directly in `block`: the span of a node, or of the whole text, and its `children`.
    /// What was lost inside a child counts for that child alone.
    #[must_use]
    pub fn is_whole(&self, block: Span, children: &[Node]) -> bool {
        !self
            .broken
            .iter()
            .any(|lost| block.contains(*lost) && !children.iter().any(|child| child.span.contains(*lost)))
    }
}

/// Reads a KDL text. Never fails: what cannot be read is in the diagnostics and in [`Kdl::broken`].
#[must_use]
pub fn read_kdl(source: &Source) -> (Kdl, Vec<Diagnostic>) {
    if let Some(refusal) = guard_kdl(source) {
        return (Kdl { nodes: Vec::new(), broken: vec![source.span()] }, vec![refusal]);
    }
    let mut text = source.text.clone();
    let (mut broken, mut diagnostics) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        match kdl::KdlDocument::parse_v2(&text) {
            Ok(document) => {
                let nodes = document.nodes().iter().map(|node| convert(source, node)).collect();
                return (Kdl { nodes, broken }, diagnostics);
            }
            Err(error) => {
                let Some(line) = first_bad_line(&text, &error) else { break };
                let at = span(source, line.start, line.end);
                diagnostics.push(Diagnostic::new(&SYNTAX, at, "not KDL"));
                broken.push(at);
                blank(&mut text, line);
            }
        }
    }
    (Kdl { nodes: Vec::new(), broken: vec![source.span()] }, diagnostics)
}

fn first_bad_line(text: &str, error: &kdl::KdlError) -> Option<Range<usize>> {
    let place = |d: &kdl::KdlDiagnostic| {
        let start = d.span.offset().min(text.len());
        let end = (start + d.span.len()).min(text.len());
        if text[start..end].trim_end().contains('\n') { end.saturating_sub(1).max(start) } else { start }
    };
    let cascade = |d: &kdl::KdlDiagnostic| {
        d.message.as_deref().is_some_and(|m| m.starts_with("No closing") || m.starts_with("Closing"))
    };
    let all = || error.diagnostics.iter();
    let at = all().filter(|d| !cascade(d)).map(place).min().or_else(|| all().map(place).next())?;
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    (!text[start..end].trim().is_empty()).then_some(start..end)
}

fn blank(text: &mut String, line: Range<usize>) {
    let words = &text[line.clone()];
    let opens = words.matches('{').count() > words.matches('}').count();
    let mut spaces = " ".repeat(line.len());
    if opens && line.len() >= 3 {
        spaces.replace_range(line.len() - 3.., "_ {");
    }
    text.replace_range(line, &spaces);
}

fn convert(source: &Source, node: &kdl::KdlNode) -> Node {
    let name = node.name();
    let range = |at: miette::SourceSpan| at.offset()..at.offset() + at.len();
    let name_range = range(name.span());
    let whole = range(node.span());
    let end = whole.start + source.text[whole.clone()].trim_end().len();
    Node {
        name: name.value().to_owned(),
        name_span: span(source, name_range.start, name_range.end),
        span: span(source, name_range.start, end),
        entries: node.entries().iter().filter_map(|entry| convert_entry(source, entry)).collect(),
        children: node.children().map(|c| c.nodes().iter().map(|n| convert(source, n)).collect()),
    }
}

fn convert_entry(source: &Source, entry: &kdl::KdlEntry) -> Option<NodeEntry> {
    let end = entry.span().offset() + entry.span().len();
    let words = entry.format().map_or("", |f| f.value_repr.as_str());
    let at = end.checked_sub(words.len())?;
    let key = entry.name().map(|name| {
        let start = name.span().offset();
        (name.value().to_owned(), span(source, start, start + name.span().len()))
    });
    let value = match entry.value() {
        kdl::KdlValue::String(text) => Scalar::Text(text.clone()),
        kdl::KdlValue::Integer(number) => Scalar::Int(*number),
        kdl::KdlValue::Float(number) => Scalar::Float(*number),
        kdl::KdlValue::Bool(flag) => Scalar::Bool(*flag),
        kdl::KdlValue::Null => Scalar::Null,
    };
    let bare = matches!(value, Scalar::Text(_)) && !words.contains('"');
    Some(NodeEntry { key, value, span: span(source, at, end), bare })
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
