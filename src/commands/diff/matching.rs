//! Finds the old version of each job.
use super::sides::{Job, Side};

/// Ways in which two jobs are the same, the surest one first.
const WAYS: [fn(&Job, &Job) -> bool; 3] = [
    |old, new| old.spec == new.spec && old.name == new.name,
    |old, new| old.name == new.name,
    |old, new| old.spec == new.spec,
];

/// Returns the index of the old version of each new job: the job with the same name in the same spec; otherwise, with the same name,
/// or in the same spec. Both are in the same environment, unless only one version has environments.
pub fn pairs(old: &Side, new: &Side) -> Vec<Option<usize>> {
    let has_none = |side: &Side| side.jobs.iter().all(|job| job.environment.is_none());
    let is_any = has_none(old) != has_none(new);
    let single = old.is_one_spec && new.is_one_spec;
    let mut pairs: Vec<Option<usize>> = vec![None; new.jobs.len()];
    for is_same in WAYS {
        for (number, job) in new.jobs.iter().enumerate() {
            if pairs[number].is_some() {
                continue;
            }
            let found = old.jobs.iter().enumerate().find(|(index, before)| {
                // A job without an environment is the old version of that job in each environment.
                let is_free = is_any || !pairs.contains(&Some(*index));
                let same_environment = is_any || before.environment == job.environment;
                is_free && same_environment && (single || is_same(before, job))
            });
            pairs[number] = found.map(|(index, _)| index);
        }
    }
    pairs
}
