//! Spark settings: those that tfjob generates, and those that it knows, with their types.
//!
//! Spark ignores a misspelled key without a message. It reports a wrong value only when it uses the value, possibly hours later
//! (spark#ignored-options, spark#setting-values). The table contains only settings that are useful for jobs.
mod amount;
#[cfg(test)]
mod entries_tests;
mod kind;
mod table;
mod zone;

pub use amount::{Size, Unit, heap};
pub use kind::{Kind, host, millicores};
pub use table::Family;
pub use zone::{Zone, near, zone};

use table::{FAMILIES, KNOWN, OWNED};

/// Returns what sets a setting that `conf` cannot contain, such as a field or an option. `None` if `conf` can contain the setting.
pub fn owner(key: &str) -> Option<&'static str> {
    let is = |name: &str| name.strip_suffix('*').map_or(name == key, |prefix| key.starts_with(prefix));
    OWNED.iter().find(|(name, _)| is(name)).map(|(_, owner)| *owner)
}

/// Returns the keys that `conf` can contain and that tfjob knows.
pub fn keys() -> Vec<&'static str> {
    KNOWN.iter().map(|(name, _)| *name).filter(|name| owner(name).is_none()).collect()
}

/// What tfjob knows about the key of a setting.
#[derive(Debug, PartialEq, Eq)]
pub enum Known {
    /// The key is known, with the type of its value.
    Typed(Kind),
    /// The key is not listed itself, but begins with the prefix of a family.
    Family(Family),
    /// The key is unknown, but similar to this known key.
    Near(&'static str),
    /// The key is unknown.
    No,
}

/// Looks up the key of a setting.
pub fn known(key: &str) -> Known {
    if let Some((_, kind)) = KNOWN.iter().find(|(name, _)| *name == key) {
        return Known::Typed(*kind);
    }
    let of = |family: &str| key.strip_prefix(family).is_some_and(|rest| !rest.is_empty());
    if let Some((_, family)) = FAMILIES.iter().find(|(family, _)| of(family)) {
        return Known::Family(*family);
    }
    let names = KNOWN.iter().map(|(name, _)| *name);
    let owned = OWNED.iter().map(|(name, _)| *name).filter(|name| !name.ends_with('*'));
    let near = names.chain(owned).filter(|name| close(key, name)).min_by_key(|name| distance(key, name));
    near.map_or(Known::No, Known::Near)
}

/// Returns whether two keys are so similar that one is probably a misspelling of the other.
fn close(key: &str, name: &str) -> bool {
    distance(key, name) <= 2
}

/// Returns the edit distance of two names, ignoring case.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut above = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let change = above + usize::from(x != y);
            above = row[j + 1];
            row[j + 1] = change.min(above + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::table::{Family, KNOWN, OWNED};
    use super::{Kind, Known, known, owner};

    #[test]
    fn a_misspelled_key_differs_from_an_unknown_one() {
        assert_eq!(known("spark.driver.memroy"), Known::Near("spark.driver.memory"));
        assert_eq!(known("spark.executr.memory"), Known::Near("spark.executor.memory"));
        assert_eq!(known("spark.shuffle.compress"), Known::No);
        assert_eq!(known("spark.sql.shufle.partitions"), Known::Near("spark.sql.shuffle.partitions"));
        assert_eq!(known("spark.hadoop.fs.s3a.endpoint"), Known::Family(Family::Any));
        assert_eq!(known("spark.yarn.appMasterEnv.A-B"), Known::Family(Family::Container));
        assert_eq!(known("spark.hadoop."), Known::No);
        assert_eq!(known("spark.driver.memory"), Known::Typed(Kind::Heap(512)));
    }

    #[test]
    fn generated_settings_have_an_owner() {
        assert_eq!(owner("spark.executorEnv.PYSPARK_PYTHON"), Some("`python`"));
        assert_eq!(owner("spark.executorEnv.JAVA_HOME"), None);
        assert_eq!(owner("spark.speculation"), Some("the target, which starts each task once"));
        assert_eq!(owner("spark.speculation.multiplier"), Some("the target, which starts each task once"));
        assert_eq!(owner("spark.executor.extraJavaOptions"), None);
        assert_eq!(owner("spark.task.cpus"), Some("`resources cpus`"));
        assert_eq!(owner("spark.task.maxFailures"), Some("the target, which starts each task once"));
        // The help says `set OWNER in the job`, so an owner that begins with a field must consist only of fields.
        let quoted = |owner: &str| owner.split('`').step_by(2).collect::<String>();
        let outside =
            OWNED.iter().filter(|(_, owner)| owner.starts_with('`')).map(|(_, owner)| quoted(owner));
        let allowed = ["", " and ", " of the roles", " and  of the roles", ",  and ", ", , and "];
        assert!(
            outside.clone().all(|text| allowed.contains(&text.as_str())),
            "{:?}",
            outside.collect::<Vec<_>>()
        );
        assert!(KNOWN.iter().all(|(name, _)| owner(name).is_none()));
    }
}
