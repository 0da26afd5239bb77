//! Drops `unused-allow` if another environment of the project needs the same `allow`. The spec cannot satisfy both environments
//! otherwise: one requires the line, and the other one says to remove it.
use super::{Context, Findings};
use std::ops::Range;
use tfjob_lang::codes::{ALLOWED_FEATURE, UNUSED_ALLOW};
use tfjob_lang::sources::{Format, Source, Sources, Span};

/// An `allow` that an environment needs: the name of the file, and a place inside of the entry.
type Needed = (String, Range<usize>);

/// Drops the findings about each `allow` that another environment needs.
pub fn drop_needed(all: &mut [Findings<'_>], contexts: &[Context]) {
    let in_project = |(_, context): &(&Findings<'_>, &Context)| context.environment.is_some();
    let found = all.iter().zip(contexts).filter(in_project).map(|(one, _)| one);
    let needed: Vec<Needed> = found.flat_map(needed_in).collect();
    if needed.is_empty() {
        return;
    }
    for one in all.iter_mut() {
        let sources = one.sources;
        let is_needed = |at: Span| {
            let source = sources.find(at);
            source.is_some_and(|source| needed.iter().any(|other| is_same_entry(source, at, other)))
        };
        one.diagnostics.retain(|d| d.code != &UNUSED_ALLOW || !is_needed(d.span()));
        // The lists are still empty.
        one.environments.truncate(one.diagnostics.len());
    }
}

fn needed_in(one: &Findings<'_>) -> Vec<Needed> {
    let place = |sources: &Sources, at: Span| {
        let source = sources.find(at)?;
        Some((source.name.clone(), source.local(at)))
    };
    let accepted = one.diagnostics.iter().filter(|d| d.code == &ALLOWED_FEATURE);
    // The last label is at the reason in the `allow`.
    accepted.filter_map(|d| place(one.sources, d.labels.last()?.span)).collect()
}

/// Returns whether two places are in one entry: there is no end of an entry between them.
fn is_same_entry(source: &Source, at: Span, (name, other): &Needed) -> bool {
    let at = source.local(at);
    let Some(between) = source.text.get(at.end.min(other.end)..at.start.max(other.start)) else {
        return false;
    };
    let ends = match source.format {
        Format::Kdl | Format::Set => between.contains(['\n', ';', '}']),
        Format::Json => between.contains('}'),
        Format::Yaml => {
            between.contains('}') || between.lines().skip(1).any(|line| line.trim_start().starts_with('-'))
        }
    };
    source.name == *name && !ends
}
