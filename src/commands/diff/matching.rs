//! Finds the old version of each job.
use super::job::Job;
use super::sides::Side;
use std::collections::{BTreeMap, VecDeque};

/// Which properties of two versions of a job must be equal.
#[derive(Clone, Copy)]
struct Identity {
    spec: bool,
    name: bool,
}

/// What identifies a job in both versions, the surest identity first.
const IDENTITIES: [Identity; 3] = [
    Identity { spec: true, name: true },
    Identity { spec: false, name: true },
    Identity { spec: true, name: false },
];

/// The identity of the only job of a version: it only has to be in the same environment.
const OF_ONE_SPEC: [Identity; 1] = [Identity { spec: false, name: false }];

/// What must be equal in both versions of a job: environment, spec, and name, each only if it is compared.
type Key<'j> = [Option<&'j str>; 3];

/// Returns the index of the old version of each new job: the job with the same name in the same spec; otherwise, with the same name,
/// or in the same spec. Both are in the same environment, unless only one version has environments.
pub fn pairs(old: &Side, new: &Side) -> Vec<Option<usize>> {
    let has_none = |side: &Side| side.jobs.iter().all(|job| job.environment.is_none());
    let is_any = has_none(old) != has_none(new);
    let identities: &[Identity] = if old.is_one_spec && new.is_one_spec { &OF_ONE_SPEC } else { &IDENTITIES };
    let mut pairs: Vec<Option<usize>> = vec![None; new.jobs.len()];
    let mut taken = vec![false; old.jobs.len()];
    for identity in identities {
        let key = |job| key(job, *identity, is_any);
        let mut free: BTreeMap<Key<'_>, VecDeque<usize>> = BTreeMap::new();
        for (index, job) in old.jobs.iter().enumerate().filter(|(index, _)| !taken[*index]) {
            free.entry(key(job)).or_default().push_back(index);
        }
        for (pair, job) in pairs.iter_mut().zip(&new.jobs).filter(|(pair, _)| pair.is_none()) {
            let Some(indexes) = free.get_mut(&key(job)) else { continue };
            // A job without an environment is the old version of that job in each environment.
            *pair = if is_any { indexes.front().copied() } else { indexes.pop_front() };
            if let (Some(index), false) = (*pair, is_any) {
                taken[index] = true;
            }
        }
    }
    pairs
}

fn key(job: &Job, identity: Identity, is_any: bool) -> Key<'_> {
    let environment = if is_any { None } else { job.environment.as_deref() };
    [environment, identity.spec.then_some(&*job.spec), identity.name.then_some(&*job.name)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tfjob_driver::Checked;

    /// Returns a version with these jobs: environment, spec, and name. An empty environment is none.
    fn side(jobs: &[[&str; 3]]) -> Side {
        let job = |[environment, spec, name]: &[&str; 3]| Job {
            has_faulty_cluster: false,
            environment: (!environment.is_empty()).then(|| (*environment).to_owned()),
            spec: (*spec).to_owned(),
            name: (*name).to_owned(),
            checked: Checked::default(),
        };
        let mut side = Side::named(String::new());
        side.jobs = jobs.iter().map(job).collect();
        side
    }

    #[test]
    fn the_surest_old_version_is_found() {
        let none: [Option<usize>; 0] = [];
        for (old, new, expected) in [
            (&[][..], &[][..], &none[..]),
            // The same name in the same spec comes before all others.
            (&[["", "a", "x"], ["", "a", "y"]], &[["", "a", "y"], ["", "a", "x"]], &[Some(1), Some(0)]),
            // The same name comes before the same spec.
            (&[["", "a", "x"]], &[["", "a", "y"], ["", "b", "x"]], &[None, Some(0)]),
            (&[["", "a", "x"], ["", "b", "y"]], &[["", "b", "x"], ["", "a", "z"]], &[Some(0), None]),
            (&[["", "a", "x"], ["", "b", "y"]], &[["", "b", "z"], ["", "a", "w"]], &[Some(1), Some(0)]),
            // An old version has one new version.
            (&[["", "a", "x"]], &[["", "b", "x"], ["", "c", "x"]], &[Some(0), None]),
            (&[["p", "a", "x"], ["q", "a", "x"]], &[["q", "a", "x"], ["r", "a", "x"]], &[Some(1), None]),
            // Unless only one of the versions has environments.
            (&[["", "a", "x"]], &[["p", "a", "x"], ["q", "a", "x"]], &[Some(0), Some(0)]),
            (&[["p", "a", "x"], ["q", "a", "x"]], &[["", "a", "x"]], &[Some(0)]),
        ] {
            assert_eq!(pairs(&side(old), &side(new)), expected, "{old:?} {new:?}");
        }
        let one = |jobs: &[[&str; 3]]| {
            let mut side = side(jobs);
            side.is_one_spec = true;
            side
        };
        assert_eq!(pairs(&one(&[["", "a", "x"]]), &one(&[["", "b", "y"]])), [Some(0)]);
        assert_eq!(pairs(&one(&[["p", "a", "x"]]), &one(&[["q", "a", "x"]])), [None]);
    }
}
