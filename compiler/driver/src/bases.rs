//! Detection of base files, which may be incomplete without the file that extends them.
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
        write!(f, "skipped: `{base}`, because `{of}` extends it; to include it, name the file")
    }
}

/// Returns the spec of `all` that extends the spec `own`, unless they extend each other. Each list has the names of the texts of one
/// spec, the spec first.
#[must_use]
pub fn part(own: &[String], all: &[Vec<String>]) -> Option<Part> {
    let extends = |one: &[String], base: &str| one.iter().skip(1).any(|name| name == base);
    let base = own.first()?;
    let mut others = all.iter().filter(|other| extends(other, base)).filter_map(|other| other.first());
    let of = others.find(|first| !extends(own, first))?;
    Some(Part { base: base.clone(), of: of.clone() })
}
