//! Where credentials stand in the texts of a spec, from what is written alone: no other fault hides one.
mod items;
mod judge;
mod lex;
pub(crate) mod names;
mod scrub;
mod setting;

pub use scrub::Scrubber;

use crate::sources::{Format, Source};
use lex::Manner;
use std::ops::Range;

/// Finds the credentials in a text of any format, whether it can be read or not: in bytes of the text, in order, none
/// within another.
///
/// All words of a `secret` count but its name and where the value is kept; elsewhere the name of a variable, a param or
/// a flag decides, and the value itself where its kind is well known.
#[must_use]
pub fn find(source: &Source) -> Vec<Range<usize>> {
    let found = match source.format {
        Format::Set => setting::judge(&source.text),
        format @ (Format::Kdl | Format::Json | Format::Yaml) => {
            judge::judge(&source.text, Manner::Of(format), 0)
        }
    };
    merged(found)
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
