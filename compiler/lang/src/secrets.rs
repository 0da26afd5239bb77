//! Where credentials stand in the texts of a spec, from what is written alone: no other fault hides one.
//!
//! This is the one place that decides it: reports, `show`, `fmt` and differences hide what is found here, and the
//! language warns of it.
mod items;
mod judge;
mod known;
mod lex;
mod names;
mod prescan;
mod scrub;
mod setting;
mod values;

pub use scrub::Scrubber;

use crate::sources::{Format, Source, Sources, Span};
use judge::Found;
use lex::Manner;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The credentials in all texts of one analysis.
///
/// All words of a `secret` count but its name and where the value is kept; elsewhere the name of a variable, a param or
/// a flag decides, and the value itself where its kind is well known. A param that is used where a credential is due
/// counts whatever its name is, in whichever text.
#[derive(Debug, Clone, Default)]
pub struct Credentials(BTreeMap<u32, Vec<Range<usize>>>);

impl Credentials {
    /// Finds them, whether the texts can be read or not. [`Sources::credentials`] keeps what this finds.
    #[must_use]
    pub(crate) fn of(sources: &Sources) -> Self {
        let find = |referred: &BTreeSet<String>| -> Vec<(u32, Found)> {
            sources.iter().map(|source| (source.base(), in_source(source, referred))).collect()
        };
        let mut found = find(&BTreeSet::new());
        let referred: BTreeSet<String> =
            found.iter().flat_map(|(_, found)| found.params.iter().cloned()).collect();
        if !referred.is_empty() {
            found = find(&referred);
        }
        Self(found.into_iter().map(|(base, found)| (base, merged(found.at))).collect())
    }

    /// Returns where they stand in a text: in bytes of it, in order, none within another.
    #[must_use]
    pub fn within(&self, source: &Source) -> &[Range<usize>] {
        self.0.get(&source.base()).map_or(&[], Vec::as_slice)
    }

    /// Returns the first that has a byte in common with a span of this text.
    #[must_use]
    pub fn first_in(&self, source: &Source, span: Span) -> Option<Range<usize>> {
        let (at, all) = (source.local(span), self.within(source));
        let next = all.partition_point(|found| found.end <= at.start);
        all.get(next).filter(|found| found.start < at.end).cloned()
    }

    /// Adds the plain words that stand elsewhere in the texts, so that a report which has them tells nothing.
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

/// Returns what takes the credentials of all texts of these analyses out of other texts, and of these where they stand
/// again.
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

fn in_source(source: &Source, referred: &BTreeSet<String>) -> Found {
    match source.format {
        Format::Set => setting::judge(&source.text, referred),
        format @ (Format::Kdl | Format::Json | Format::Yaml) => {
            judge::judge(&source.text, Manner::Of(format), referred)
        }
    }
}

/// Finds the credentials in what is made of a spec: in a file of this format, or in a script where it has none.
#[must_use]
pub fn in_output(text: &str, format: Option<Format>) -> Vec<Range<usize>> {
    let manner = format.map_or(Manner::Inner, Manner::Of);
    merged(judge::judge(text, manner, &BTreeSet::new()).at)
}

/// What takes the credentials that are found in such a file or script out of it, wherever else they stand there.
#[must_use]
pub fn scrubber_of(text: &str, format: Option<Format>) -> Scrubber {
    let mut scrubber = Scrubber::default();
    let values = in_output(text, format).into_iter().map(|at| &text[at]);
    values.filter(|value| !is_plain(value)).for_each(|value| scrubber.add(value));
    scrubber
}

/// Whether a value may be any word of a language.
fn is_plain(value: &str) -> bool {
    value.len() <= values::LONGEST_WORD && value.bytes().all(|b| b.is_ascii_lowercase())
}

/// Finds the credentials in the value of a variable or a flag.
#[must_use]
pub fn in_value(name: &str, value: &str) -> Vec<Range<usize>> {
    let behind = if name.starts_with('-') { values::Stands::Behind } else { values::Stands::Named };
    match names::says(name) {
        Some(says) if values::is_credential(says, value, behind) => std::iter::once(0..value.len()).collect(),
        Some(_) | None => in_output(value, None),
    }
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
