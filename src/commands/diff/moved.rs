//! Jobs of named specs that the other version has in a spec that is not named, such as after a move.
use super::job::Job;
use super::matching;
use super::place::Place;
use super::sides::{Side, selected};
use crate::args::Diff;
use crate::files;
use crate::outcome::Failure;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Adds the other versions of the jobs of named specs. If some jobs have none, adds the errors that may be the reason.
///
/// # Errors
/// Returns an error if a file of the new version cannot be read.
pub fn add(
    args: &Diff,
    [old, new]: [&Place; 2],
    [before, after]: [&mut Side; 2],
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let (has_new, has_removed) = (lacks(before, &after.jobs), lacks(after, &before.jobs));
    if old.paths().is_empty() || after.errors > 0 || !has_new && !has_removed {
        return Ok(());
    }
    let mut told = Vec::new();
    let all_new = match whole(args, new, &mut told) {
        Err(_) if !has_removed => Side::named(new.name()),
        other => other?,
    };
    if all_new.is_faulty || !all_new.faulty_environments.is_empty() {
        // No job of the project, or of an environment, is known.
        after.errors = all_new.errors;
        err.write_all(&told)?;
        return Ok(());
    }
    let mut all_old = match whole(args, old, &mut io::sink()) {
        Ok(all) => all,
        Err(failure) => Side {
            failure: Some(old.renamed(&failure.to_string())),
            is_faulty: true,
            ..Side::named(old.name())
        },
    };
    let named = [before.jobs.len(), after.jobs.len()];
    let faulty_environments = std::mem::take(&mut all_old.faulty_environments);
    let (old_faulty, new_faulty) = (merge(before, all_old), merge(after, all_new));
    if lacks(before, &after.jobs[..named[1]]) {
        before.maybe_moved = old_faulty;
    }
    if lacks(after, &before.jobs[..named[0]]) {
        after.maybe_moved = new_faulty;
    }
    keep_named(before, after, named);
    let is_used = |name: &String| before.jobs.iter().any(|job| job.environment.as_ref() == Some(name));
    let is_new = |name: &String| is_used(name) && !before.faulty_environments.contains(name);
    let faulty: Vec<String> = faulty_environments.into_iter().filter(is_new).collect();
    before.faulty_environments.extend(faulty);
    Ok(())
}

/// Returns whether a version has no job of the environment and the name of one of these jobs.
fn lacks(side: &Side, jobs: &[Job]) -> bool {
    let key = |job: &Job| (job.environment.clone(), job.name.clone());
    let known: BTreeSet<_> = side.jobs.iter().map(key).collect();
    jobs.iter().any(|job| !known.contains(&key(job)))
}

/// Returns a version with all specs.
///
/// # Errors
/// Returns an error if a file cannot be read.
fn whole(args: &Diff, place: &Place, err: &mut dyn Write) -> Result<Side, Failure> {
    match selected(args, place, Vec::new(), err) {
        // A version may have no specs.
        Err(_) if files::has_no_spec(&place.root()) => Ok(Side::named(place.name())),
        other => other,
    }
}

/// Adds the jobs of the specs that are not named, after those of the named specs. Returns the specs with errors that are not named.
fn merge(side: &mut Side, all: Side) -> Vec<String> {
    let key = |job: &Job| (job.environment.clone(), job.spec.clone(), job.name.clone());
    let named: BTreeSet<_> = side.jobs.iter().map(key).collect();
    side.jobs.extend(all.jobs.into_iter().filter(|job| !named.contains(&key(job))));
    side.repositories.extend(all.repositories);
    side.is_faulty |= all.is_faulty;
    side.lacks_file |= all.lacks_file;
    side.unread = side.unread.take().or(all.unread);
    side.failure = side.failure.take().or(all.failure);
    if side.root == Path::new("") {
        side.root = all.root;
    }
    all.faulty.into_iter().filter(|spec| !side.faulty.contains(spec)).collect()
}

/// Keeps the jobs of named specs, which come first in both versions, and their other versions. Both versions are complete, so a job is
/// not paired with one that has another version itself.
fn keep_named(before: &mut Side, after: &mut Side, [old_count, new_count]: [usize; 2]) {
    let pairs = matching::pairs(before, after);
    let old: BTreeSet<usize> =
        (0..old_count).chain(pairs.iter().take(new_count).flatten().copied()).collect();
    let is_new =
        |(index, pair): (usize, &Option<usize>)| index < new_count || pair.is_some_and(|old| old < old_count);
    let new: Vec<bool> = pairs.iter().enumerate().map(is_new).collect();
    let mut numbers = 0..;
    before.jobs.retain(|_| numbers.next().is_some_and(|number| old.contains(&number)));
    let mut kept = new.into_iter();
    after.jobs.retain(|_| kept.next().unwrap_or_default());
}
