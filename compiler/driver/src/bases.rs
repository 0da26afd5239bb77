//! Which files are the bases of others: alone such a file may be a fragment.
use std::fmt;

/// A file that is a part of another: a base that it extends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    base: String,
    of: String,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base, of } = self;
        write!(f, "left out: `{base}`, which `{of}` extends; name it to have it too")
    }
}

/// The spec among `all` that extends the spec of these texts, if not the other way round too. Each list has the names of
/// the texts of one spec, its own first.
#[must_use]
pub fn part(own: &[String], all: &[Vec<String>]) -> Option<Part> {
    let extends = |one: &[String], base: &str| one.iter().skip(1).any(|name| name == base);
    let base = own.first()?;
    let mut others = all.iter().filter(|other| extends(other, base)).filter_map(|other| other.first());
    let of = others.find(|first| !extends(own, first))?;
    Some(Part { base: base.clone(), of: of.clone() })
}
