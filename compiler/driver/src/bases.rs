//! Finds base files among several specs. A base file may be incomplete without the spec that extends it.
use std::collections::BTreeMap;
use std::fmt;

/// A base file, and the spec that extends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    base: String,
    of: String,
}

impl Part {
    /// Returns the path of the base file.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns why a base file has no output: the spec that extends it.
    #[must_use]
    pub fn no_job(&self) -> String {
        let Self { base, of } = self;
        format!("`{base}` is now the base of `{of}`, so it is no longer compiled as a job")
    }
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

/// Returns the base files among several specs, each with the first spec that extends it. Each element of `all` lists the files of one
/// spec: first the spec, then its base files. Specs that extend each other are not among the results.
#[must_use]
pub fn extended<T: Ord>(all: &[Vec<T>]) -> BTreeMap<&T, &T> {
    let split = || all.iter().filter_map(|files| files.split_first());
    let bases_of: BTreeMap<&T, &[T]> = split().collect();
    let mut found = BTreeMap::new();
    for (of, bases) in split() {
        let extends_back = |base: &&T| bases_of.get(base).is_some_and(|bases| bases.contains(of));
        for base in bases.iter().filter(|base| !extends_back(base)) {
            found.entry(base).or_insert(of);
        }
    }
    found
}

/// Returns, for each element of `all`, its first file if that is the base of another spec. See [`extended`].
#[must_use]
pub fn parts(all: &[Vec<String>]) -> Vec<Option<Part>> {
    let extended = extended(all);
    let part = |own: &Vec<String>| {
        let (base, of) = extended.get_key_value(own.first()?)?;
        Some(Part { base: (*base).clone(), of: (*of).clone() })
    };
    all.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::extended;

    #[test]
    fn specs_that_extend_each_other_are_no_bases() {
        let all = [vec!["a", "b"], vec!["c", "d", "b"], vec!["b"], vec!["x", "y"], vec!["y", "x"], vec![]];
        let found: Vec<_> = extended(&all).into_iter().map(|(base, of)| (*base, *of)).collect();
        assert_eq!(found, [("b", "a"), ("d", "c")]);
    }
}
