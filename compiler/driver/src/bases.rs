//! Finds base files among several specs. A base file may be incomplete without the spec that extends it.
use std::fmt;

/// A base file, and the spec that extends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    base: String,
    of: String,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base, of } = self;
        write!(
            f,
            "skipped: `{base}`, because it is the base of `{of}`; to check it too, name it on the command line"
        )
    }
}

/// Returns `own` and the first spec of `all` that extends it; `None` if no spec extends it, or if the two extend each other.
/// `own` and each element of `all` list the file names of one spec: first the spec, then its base files.
#[must_use]
pub fn part(own: &[String], all: &[Vec<String>]) -> Option<Part> {
    let extends = |one: &[String], base: &str| one.iter().skip(1).any(|name| name == base);
    let base = own.first()?;
    let mut others = all.iter().filter(|other| extends(other, base)).filter_map(|other| other.first());
    let of = others.find(|first| !extends(own, first))?;
    Some(Part { base: base.clone(), of: of.clone() })
}
