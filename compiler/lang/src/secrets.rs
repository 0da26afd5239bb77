//! Detects credentials in the texts of a spec. Syntax errors and other errors do not affect the detection.
//!
//! This is the only module that detects credentials. Reports, `show`, `fmt`, and diffs mask the credentials found here, and the
//! analysis warns of them.
mod items;
mod judge;
mod known;
mod lex;
mod mask;
mod names;
mod prescan;
mod scrub;
mod setting;
mod values;

pub use mask::{replaced, stars};
pub use scrub::Scrubber;

use crate::sources::{Format, Source, Sources, Span};
use judge::Found;
use lex::Manner;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The credentials in all texts of one analysis.
///
/// In a `secret`, all values except the name and the reference are credentials. Elsewhere, a value is a credential if it
/// has a well-known format, or if the name of its variable, parameter, or flag suggests one. A parameter that is used as a
/// credential counts regardless of its name.
#[derive(Debug, Clone, Default)]
pub struct Credentials(BTreeMap<u32, Vec<Range<usize>>>);

impl Credentials {
    /// Finds the credentials, even in texts with syntax errors. [`Sources::credentials`] caches the result.
    #[must_use]
    pub(crate) fn of(sources: &Sources) -> Self {
        let find = |referred: &BTreeSet<String>| -> Vec<(u32, Found)> {
            sources.iter().map(|source| (source.base(), in_source(source, sources, referred))).collect()
        };
        let mut found = find(&BTreeSet::new());
        let referred: BTreeSet<String> =
            found.iter().flat_map(|(_, found)| found.params.iter().cloned()).collect();
        if !referred.is_empty() {
            found = find(&referred);
        }
        Self(found.into_iter().map(|(base, found)| (base, merged(found.at))).collect())
    }

    /// Returns the byte ranges of the credentials in a text, sorted and without overlaps.
    #[must_use]
    pub fn within(&self, source: &Source) -> &[Range<usize>] {
        self.0.get(&source.base()).map_or(&[], Vec::as_slice)
    }

    /// Returns the first credential that overlaps a span of this text.
    #[must_use]
    pub fn first_in(&self, source: &Source, span: Span) -> Option<Range<usize>> {
        let (at, all) = (source.local(span), self.within(source));
        let next = all.partition_point(|found| found.end <= at.start);
        all.get(next).filter(|found| found.start < at.end).cloned()
    }

    /// Adds the plain words that occur outside of credentials. A credential that equals such a word is not masked,
    /// because the mask would also hide ordinary text.
    fn add_words<'s>(&self, sources: &'s Sources, words: &mut BTreeSet<&'s str>) {
        for source in sources.iter() {
            let mut found = self.within(source).iter().peekable();
            for word in source.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
                let at = word.as_ptr() as usize - source.text.as_ptr() as usize;
                while found.next_if(|found| found.end <= at).is_some() {}
                let hidden = found.peek().is_some_and(|found| found.start < at + word.len());
                if !hidden && is_plain(word) {
                    words.insert(word);
                }
            }
        }
    }
}

/// Returns a scrubber that masks the credentials of these analyses in any text.
#[must_use]
pub fn scrubber<'s>(analyses: impl Iterator<Item = &'s Sources> + Clone) -> Scrubber {
    let values: BTreeSet<&str> = analyses
        .clone()
        .flat_map(|sources| sources.iter().map(|source| (source, sources.credentials().within(source))))
        .flat_map(|(source, found)| found.iter().map(|at| &source.text[at.clone()]))
        .collect();
    let mut words = BTreeSet::new();
    if values.iter().any(|value| is_plain(value)) {
        analyses.for_each(|sources| sources.credentials().add_words(sources, &mut words));
    }
    let mut scrubber = Scrubber::default();
    values.difference(&words).for_each(|value| scrubber.add(value));
    scrubber
}

fn in_source(source: &Source, sources: &Sources, referred: &BTreeSet<String>) -> Found {
    match source.format {
        Format::Set => {
            let specs = || sources.iter().filter(|source| source.format != Format::Set);
            let occurs = |name: &str| specs().any(|spec| spec.text.contains(name));
            setting::judge(&source.text, referred, occurs)
        }
        format @ (Format::Kdl | Format::Json | Format::Yaml) => {
            judge::judge(&source.text, Manner::Of(format), referred)
        }
    }
}

/// Finds the credentials in a generated file of this format. `format`: `None` for a script.
#[must_use]
pub fn in_output(text: &str, format: Option<Format>) -> Vec<Range<usize>> {
    let manner = format.map_or(Manner::Inner, Manner::Of);
    merged(judge::judge(text, manner, &BTreeSet::new()).at)
}

/// Returns a scrubber that masks the credentials of a generated file or script wherever they occur.
#[must_use]
pub fn scrubber_of(text: &str, format: Option<Format>) -> Scrubber {
    let mut scrubber = Scrubber::default();
    let values = in_output(text, format).into_iter().map(|at| &text[at]);
    values.filter(|value| !is_plain(value)).for_each(|value| scrubber.add(value));
    scrubber
}

/// Returns whether a value may be an ordinary word.
fn is_plain(value: &str) -> bool {
    value.len() <= values::LONGEST_WORD && value.bytes().all(|b| b.is_ascii_lowercase())
}

/// Finds the credentials in the value of an environment variable or a flag.
#[must_use]
pub fn in_value(name: &str, value: &str) -> Vec<Range<usize>> {
    if is_named(name, value) {
        return std::iter::once(0..value.len()).collect();
    }
    in_output(value, None)
}

/// Returns whether a value is a credential because of the name of its environment variable or flag.
#[must_use]
pub fn is_named(name: &str, value: &str) -> bool {
    let behind = if name.starts_with('-') { values::Stands::Behind } else { values::Stands::Named };
    names::says(name).is_some_and(|says| values::is_credential(says, value, behind))
}

fn merged(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|at| at.start);
    let mut out: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for at in found.into_iter().filter(|at| !at.is_empty()) {
        match out.last_mut() {
            Some(last) if at.start < last.end => last.end = last.end.max(at.end),
            Some(_) | None => out.push(at),
        }
    }
    out
}

#[cfg(test)]
mod tests;
