//! Tests that the parser agrees with the kdl crate on random documents.
use super::random::{Random, document, slipped};
use super::{Node, Scalar, read_kdl};
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Source, Sources};

fn source(text: &str) -> Source {
    let mut all = Sources::default();
    let number = all.add("a", Format::Kdl, text);
    all.get(number).clone()
}

/// Returns the number of random documents for a test: `usual`, multiplied by the environment variable `TFJOB_ROUNDS`.
#[allow(clippy::disallowed_methods, reason = "a test may be told to work longer")]
pub(crate) fn rounds(usual: u64) -> u64 {
    usual * std::env::var("TFJOB_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Returns the content of a node and its children without spans, for comparison.
pub(crate) fn meaning(node: &Node) -> String {
    let entries: Vec<_> = node.entries.iter().map(|e| (e.key.as_ref().map(|k| &k.0), &e.value)).collect();
    let children: Option<Vec<_>> = node.children.as_ref().map(|c| c.iter().map(meaning).collect());
    format!("{:?} {entries:?} {children:?}", node.name)
}

fn kdl_meaning(node: &kdl::KdlNode) -> String {
    let entries: Vec<_> =
        node.entries().iter().map(|e| (e.name().map(|n| n.value().to_owned()), scalar(e.value()))).collect();
    let children: Option<Vec<_>> = node.children().map(|c| c.nodes().iter().map(kdl_meaning).collect());
    format!("{:?} {entries:?} {children:?}", node.name().value())
}

fn scalar(value: &kdl::KdlValue) -> Scalar {
    match value {
        kdl::KdlValue::String(text) => Scalar::Text(text.clone()),
        kdl::KdlValue::Integer(number) => Scalar::Int(*number),
        kdl::KdlValue::Float(number) => Scalar::Float(*number),
        kdl::KdlValue::Bool(flag) => Scalar::Bool(*flag),
        kdl::KdlValue::Null => Scalar::Null,
    }
}

#[test]
fn valid_documents_parse_as_with_the_kdl_crate() {
    for seed in 0..rounds(3_000) {
        let text = document(&mut Random::new(seed));
        let source = source(&text);
        let (read, diagnostics) = read_kdl(&source);
        if diagnostics.iter().any(|d| d.code.name == "too-deep") {
            continue;
        }
        assert!(diagnostics.is_empty(), "{text:?}: {diagnostics:?}");
        if is_known_refusal(&text) {
            continue;
        }
        let own: Vec<_> = read.nodes.iter().map(meaning).collect();
        let kdl =
            kdl::KdlDocument::parse_v2(&text).unwrap_or_else(|e| panic!("{text:?}: {:?}", e.diagnostics));
        let theirs: Vec<_> = kdl.nodes().iter().map(kdl_meaning).collect();
        assert_eq!(own, theirs, "{text:?}");
    }
}

/// Returns whether a text may contain `;` after a node disabled by `/-`. This is valid KDL, but kdl 6.7.1 rejects it.
fn is_known_refusal(text: &str) -> bool {
    text.contains("/-") && text.contains(';')
}

#[test]
fn what_is_accepted_is_kdl_and_what_is_not_is_told_in_our_words() {
    for seed in 0..rounds(6_000) {
        let text = slipped(&mut Random::new(seed));
        let source = source(&text);
        let (read, diagnostics) = read_kdl(&source);
        for diagnostic in &diagnostics {
            assert!(source.span().contains(diagnostic.span()), "{text:?}: {diagnostic:?}");
            assert!(!diagnostic.message.starts_with("this is not KDL"), "{text:?}: {diagnostics:?}");
        }
        if diagnostics.is_empty() && !is_known_refusal(&text) {
            let kdl =
                kdl::KdlDocument::parse_v2(&text).unwrap_or_else(|e| panic!("{text:?}: {:?}", e.diagnostics));
            let own: Vec<_> = read.nodes.iter().map(meaning).collect();
            let theirs: Vec<_> = kdl.nodes().iter().map(kdl_meaning).collect();
            assert_eq!(own, theirs, "{text:?}");
        }
    }
}

/// Returns the text after all fixes. `None` if a problem has no fix, or if two fixes overlap.
fn fixed(source: &Source, diagnostics: &[Diagnostic]) -> Option<String> {
    let mut edits = Vec::new();
    for diagnostic in diagnostics {
        edits.extend(diagnostic.fixes.first()?.edits.clone());
    }
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    if edits.windows(2).any(|two| two[1].span.start < two[0].span.end || two[1].span == two[0].span) {
        return None;
    }
    let mut text = source.text.clone();
    for edit in edits.iter().rev() {
        text.replace_range(source.local(edit.span), &edit.text);
    }
    Some(text)
}

#[test]
fn a_fixed_text_is_clean_and_says_what_the_mended_one_was_taken_to_say() {
    let mut tried = 0;
    for seed in 0..rounds(6_000) {
        let text = slipped(&mut Random::new(seed));
        let before = source(&text);
        let (read, diagnostics) = read_kdl(&before);
        let Some(repaired) = fixed(&before, &diagnostics).filter(|_| !diagnostics.is_empty()) else {
            continue;
        };
        let after = source(&repaired);
        let (again, left) = read_kdl(&after);
        tried += 1;
        assert!(left.is_empty(), "{text:?} -> {repaired:?}: {left:?}");
        let own: Vec<_> = read.nodes.iter().map(meaning).collect();
        let theirs: Vec<_> = again.nodes.iter().map(meaning).collect();
        assert_eq!(own, theirs, "{text:?} -> {repaired:?}");
    }
    assert!(tried > 100, "{tried}");
}

/// `check --fix` applies fixes until none is left. A second call then changes nothing.
#[test]
fn automatic_fixes_come_to_an_end() {
    const MOST: usize = 60;
    for seed in 0..rounds(6_000) {
        let first = match seed {
            0 => "a k=/-\"x\"\n".to_owned(),
            1 => "a k= /* c */ /-1\n".to_owned(),
            _ => slipped(&mut Random::new(seed)),
        };
        let mut text = first.clone();
        for round in 0.. {
            let before = source(&text);
            let (_, diagnostics) = read_kdl(&before);
            let only = |d: &&Diagnostic| matches!(d.fixes.as_slice(), [fix] if fix.is_automatic());
            let Some(found) = diagnostics.iter().find(only) else { break };
            assert!(round < MOST, "{first:?} -> {text:?}: {}", found.message);
            let Some(after) = fixed(&before, std::slice::from_ref(found)) else { break };
            assert_ne!(after, text, "{first:?}: {}", found.message);
            text = after;
        }
    }
}
