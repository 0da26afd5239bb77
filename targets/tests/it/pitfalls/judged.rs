//! Diagnostics of a spec and a target, computed once and shared by all tests.
use crate::pitfalls::{analyzed, found};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};
use tfjob_driver::Analysis;
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_lang::sources::{Sources, Span};

/// The diagnostics of a spec, with their positions in its text.
pub struct Judged {
    pub text: String,
    pub findings: Vec<Diagnostic>,
    /// Whether the target wrote artifacts.
    pub written: bool,
    sources: Sources,
}

/// Cached results by target and spec text.
type Known = HashMap<(String, String), &'static OnceLock<Judged>>;

impl Judged {
    /// Returns the diagnostics of the language and of one target; if `target` is empty, only those of the language.
    pub fn of(text: &str, target: &str) -> &'static Self {
        Self::known(text, target).get_or_init(|| {
            let analysis = analyzed(text);
            let (findings, lowered) = found(&analysis, target);
            Self::new(text, analysis, findings, lowered.is_some())
        })
    }

    /// Stores a result that another test has already computed.
    pub fn keep(target: &str, text: &str, analysis: Analysis, findings: Vec<Diagnostic>, written: bool) {
        Self::known(text, target).get_or_init(|| Self::new(text, analysis, findings, written));
    }

    fn new(text: &str, analysis: Analysis, findings: Vec<Diagnostic>, written: bool) -> Self {
        Self { text: text.to_owned(), findings, written, sources: analysis.sources }
    }

    fn known(text: &str, target: &str) -> &'static OnceLock<Self> {
        static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((target.to_owned(), text.to_owned())).or_insert_with(|| Box::leak(Box::default()))
    }

    /// Returns the source text at a span.
    pub fn slice(&self, span: Span) -> &str {
        self.sources.slice(span)
    }

    /// Returns the byte range of a diagnostic in the text; `None` if it belongs to another file.
    pub fn place(&self, finding: &Diagnostic) -> Option<Range<usize>> {
        self.range(finding.span())
    }

    /// Returns the byte range of a span in the text; `None` if it belongs to another file.
    pub fn range(&self, span: Span) -> Option<Range<usize>> {
        let source = self.sources.find(span).filter(|source| source.text == self.text)?;
        Some(source.local(span))
    }

    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|d| d.is_error()).count()
    }

    /// Returns the text after a fix, and the numbers of the changed lines, counted from 0.
    pub fn fixed(&self, fix: &Fix) -> Option<(String, BTreeSet<usize>)> {
        let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
        for edit in &fix.edits {
            edits.push((self.range(edit.span)?, &edit.text));
        }
        edits.sort_by_key(|(range, _)| range.start);
        let (mut text, mut at, mut lines) = (String::new(), 0, BTreeSet::new());
        for (range, with) in edits {
            text.push_str(&self.text[at..range.start]);
            let first = text.matches('\n').count();
            text.push_str(with);
            lines.extend(first..=text.matches('\n').count());
            at = range.end;
        }
        text.push_str(&self.text[at..]);
        Some((text, lines))
    }
}
