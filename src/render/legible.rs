//! What a report may show: a report is read by more people than the spec, so no credential of a text is in it.
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use tfjob_driver::Batch;
use tfjob_lang::codes::SECRET_VALUE;
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_lang::secrets::{self, Credentials, Scrubber};
use tfjob_lang::sources::{Format, Source, Sources};

/// Diagnostics without credentials, and where the snippets have to hide some. Every report is made of this.
#[derive(Debug)]
pub struct Legible<'a>(Vec<Shown<'a>>);

/// One analysis.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    pub sources: &'a Sources,
    pub diagnostics: Vec<Diagnostic>,
    pub hidden: Hidden,
}

impl<'a> Legible<'a> {
    /// Takes the credentials out of all messages, and finds them in the texts.
    #[must_use]
    pub fn of(batches: &'a [Batch]) -> Self {
        Self(batches.iter().map(Shown::of).collect())
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Shown<'a>> {
        self.0.iter()
    }
}

impl<'a> Shown<'a> {
    fn of(batch: &'a Batch) -> Self {
        let sources = &batch.sources;
        if batch.diagnostics.is_empty() {
            return Self { sources, diagnostics: Vec::new(), hidden: Hidden::default() };
        }
        let found = sources.credentials();
        let mut scrubber = found.scrubber(sources);
        let mut hidden = Hidden { found: found.clone(), told: BTreeMap::new() };
        // That error is for a value whatever it looks like.
        for told in batch.diagnostics.iter().filter(|told| told.code.name == SECRET_VALUE.name) {
            let Some(source) = sources.find(told.span()) else { continue };
            let at = source.local(told.span());
            if hidden.found.first_in(source, told.span()).is_none() {
                scrubber.add(source.slice(told.span()).trim_matches(['"', '#', '\'']));
            }
            hidden.told.entry(source.base()).or_default().push(at);
        }
        let diagnostics = batch.diagnostics.iter().map(|told| scrubbed(told, &scrubber)).collect();
        Self { sources, diagnostics, hidden }
    }
}

/// The diagnostic without the values. A fix that would write one keeps its title alone.
fn scrubbed(told: &Diagnostic, scrubber: &Scrubber) -> Diagnostic {
    let mut told = told.clone();
    let clean = |text: &mut String| {
        if let Cow::Owned(new) = scrubber.scrub(text) {
            *text = new;
        }
    };
    clean(&mut told.message);
    told.labels.iter_mut().for_each(|label| clean(&mut label.text));
    told.help.iter_mut().for_each(clean);
    for Fix { title, edits, applicability: _ } in &mut told.fixes {
        clean(title);
        if edits.iter().any(|edit| matches!(scrubber.scrub(&edit.text), Cow::Owned(_))) {
            edits.clear();
        }
    }
    told
}

/// Where values stand in the texts of one analysis, by the first offset of each.
#[derive(Debug, Default)]
pub struct Hidden {
    found: Credentials,
    /// Whole words that a rule of the language told of.
    told: BTreeMap<u32, Vec<Range<usize>>>,
}

impl Hidden {
    /// Makes the values of a text illegible; `shown` has its length.
    pub fn mask<'t>(&self, source: &Source, mut shown: Cow<'t, str>) -> Cow<'t, str> {
        let told = self.told.get(&source.base()).cloned().unwrap_or_default();
        let found = self.found.within(source).to_vec();
        for (ranges, mask) in [(told, but_name as fn(&str) -> String), (found, stars)] {
            if !ranges.is_empty() {
                shown = Cow::Owned(replaced(&shown, ranges, mask));
            }
        }
        shown
    }
}

fn replaced(text: &str, mut ranges: Vec<Range<usize>>, mask: fn(&str) -> String) -> String {
    ranges.sort_by_key(|range| range.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for range in ranges.into_iter() {
        let start = range.start.max(at);
        if let (Some(before), Some(value)) = (text.get(at..start), text.get(start..range.end)) {
            out.push_str(before);
            out.push_str(&mask(value));
            at = range.end;
        }
    }
    out.push_str(&text[at..]);
    out
}

/// As many bytes that say nothing.
fn stars(words: &str) -> String {
    let star = |c: char| match c {
        '\n' | '\r' | '\t' => c.to_string(),
        other => "*".repeat(other.len_utf8()),
    };
    words.chars().map(star).collect()
}

/// As many bytes that say nothing; quotes, blanks and the name with its `=` are kept.
fn but_name(words: &str) -> String {
    let name = words.find('=').filter(|end| !words[..*end].contains(char::is_whitespace));
    let name = name.map_or(0, |end| end + 1);
    let star = |c: char| match c {
        '"' | '\'' | '#' | '\n' | '\r' | '\t' | ' ' => c.to_string(),
        other => "*".repeat(other.len_utf8()),
    };
    let rest = words[name..].chars().map(star);
    std::iter::once(words[..name].to_owned()).chain(rest).collect()
}

/// What takes the credentials of these texts out of another.
#[must_use]
pub fn scrubber(sources: &Sources) -> Scrubber {
    sources.credentials().scrubber(sources)
}

/// A file or, where it has no format, a script with its credentials made illegible.
#[must_use]
pub fn masked(text: &str, format: Option<Format>) -> String {
    replaced(text, secrets::in_output(text, format), stars)
}

/// The value of a variable or of the argument behind a flag, with its credentials made illegible.
#[must_use]
pub fn masked_value(name: &str, value: &str) -> String {
    replaced(value, secrets::in_value(name, value), |_| "***".to_owned())
}
