//! Notes about parts that are not compared, and about jobs that may write to the same checkpoints.
use super::job::Job;
use super::sides::Side;
use super::{Compared, Comparison, Kind};
use crate::files::{Repository, Uncompared, Unread};
use crate::selection;
use std::collections::BTreeSet;
use tfjob_driver::files::PROJECT;

impl Comparison<'_> {
    /// Returns the notes. `name`: writes the name of a file or a version, and the message of an error.
    pub fn notes(&self, name: fn(&str) -> String) -> Vec<String> {
        let name = |text: &str| name(&self.text(text));
        let mut notes = self.errors(&name);
        notes.extend(self.without_target(&name));
        notes.extend(self.shared_checkpoints(&name));
        if self.new.ignores_environments {
            notes.push(selection::without_environment("--env"));
        }
        notes.extend(self.unreported.iter().map(|text| self.text(text)));
        let unused: BTreeSet<&String> = self.old.unused.iter().chain(&self.new.unused).collect();
        notes.extend(unused.into_iter().map(|file| {
            let (file, project) = (name(file), name(file.strip_suffix(PROJECT).unwrap_or(file)));
            format!("the project file {file} is not used: run `tfjob diff` in {project}")
        }));
        notes.extend(self.new.uncompared.iter().map(|one| {
            let (fact, remedy) = uncompared(one, &name(&one.path), &name);
            format!("{fact}: {remedy}")
        }));
        let excluded = excluded(&self.new.excluded, &name);
        notes.extend(excluded.map(|fact| format!("{fact}: {CHECK_OUT}")));
        notes
    }

    /// Returns the note about changed jobs that are not compiled.
    fn without_target(&self, name: &dyn Fn(&str) -> String) -> Option<String> {
        let jobs = self.jobs.iter().filter(|job| job.lacks_target()).filter_map(|job| job.new);
        let names: BTreeSet<String> = jobs.map(|job| name(&job.name)).collect();
        let all = names.into_iter().collect::<Vec<_>>().join(", ");
        let fact = "the effects on these jobs without a target are unknown";
        (!all.is_empty()).then(|| format!("{fact}: {all}; set `--target`, or add a `target` block"))
    }

    /// Returns the notes about the errors of the old version, and those of specs of the new one that are not named.
    fn errors(&self, name: &dyn Fn(&str) -> String) -> Vec<String> {
        let Side { name: old, faulty, failure, is_faulty, faulty_environments, .. } = self.old;
        let old = name(old);
        // The submodule is the cause of some of the errors, or of all.
        let cause = self.old.unread.as_ref().filter(|_| self.old.lacks_file);
        let cause = cause.map(|(path, _)| format!(" without the files of the submodule {}", name(path)));
        let cause = cause.unwrap_or_default();
        let lost: BTreeSet<&String> = self.lost().collect();
        let spec = |spec: &String| match lost.contains(spec) {
            true => format!(
                "{} has errors in {old}{cause}, and {} does not compile it: its submitted jobs are not known",
                name(spec),
                name(&self.new.name)
            ),
            false => {
                format!("{} has errors in {old}{cause}: compared as if it did not exist there", name(spec))
            }
        };
        let environment = |environment: &String| {
            format!(
                "the cluster file of environment {} has errors in {old}: the artifacts of its jobs are not compared",
                name(environment)
            )
        };
        let maybe_moved = |spec: &String| {
            format!(
                "{} has errors in {old}{cause}, so it is not known whether it had one of the new jobs",
                name(spec)
            )
        };
        let maybe_has = |spec: &String| {
            let (spec, new) = (name(spec), name(&self.new.name));
            format!("{spec} has errors in {new}, so it is not known whether it has one of the old jobs")
        };
        let whole = match failure {
            Some(failure) if !self.old.jobs.is_empty() => {
                Some(format!("other specs of {old} are not compared: {}", name(failure)))
            }
            Some(failure) => Some(format!("compared as if {old} had no jobs: {}", name(failure))),
            None if *is_faulty => {
                Some(format!("{old} has errors in its project file{cause}: compared as if it had no jobs"))
            }
            None => None,
        };
        let specs = faulty.iter().map(spec).chain(self.old.maybe_moved.iter().map(maybe_moved));
        let specs = specs.chain(self.new.maybe_moved.iter().map(maybe_has));
        specs.chain(faulty_environments.iter().map(environment)).chain(whole).collect()
    }

    /// Returns the specs with errors in the old version of which the new version has no job.
    pub fn lost(&self) -> impl Iterator<Item = &String> {
        let is_compiled = |spec: &str| self.new.jobs.iter().any(|job| job.spec == spec);
        self.old.faulty.iter().filter(move |spec| !is_compiled(spec))
    }

    /// Returns a note for each removed job whose checkpoints another job gets, such as a renamed one.
    fn shared_checkpoints(&self, name: &dyn Fn(&str) -> String) -> Vec<String> {
        // Both jobs with the environment of the old one if it is another one, and the environments of the new one.
        let mut found: Vec<([&str; 2], Option<&str>, Vec<&str>)> = Vec::new();
        for [new, old] in self.jobs.iter().filter_map(|job| self.with_checkpoints_of(job)) {
            let names = [&*new.name, &*old.name];
            let moved = old.environment.as_deref().filter(|_| old.environment != new.environment);
            let environment = new.environment.as_deref();
            match found.iter_mut().find(|(known, from, _)| (*known, *from) == (names, moved)) {
                Some((.., environments)) => environments.extend(environment),
                None => found.push((names, moved, environment.into_iter().collect())),
            }
        }
        let place = |environments: &[&str]| match environments {
            [] => String::new(),
            names => format!(" in {}", names.iter().map(|text| name(text)).collect::<Vec<_>>().join(", ")),
        };
        let note = |([new, old], moved, environments): ([&str; 2], Option<&str>, Vec<&str>)| {
            let (new, old) = (name(new), name(old));
            let (of_new, of_old) = (place(&environments), place(moved.as_slice()));
            format!(
                "job {new}{of_new} has the checkpoints of the removed job {old}{of_old}: delete {old} first, or both may write to them"
            )
        };
        found.into_iter().map(note).collect()
    }

    /// Returns the new version of a job, and the removed job whose checkpoints it gets. Both are in the same environment, or in environments
    /// that only one version has, such as a renamed one.
    fn with_checkpoints_of<'c>(&'c self, job: &'c Compared<'_>) -> Option<[&'c Job; 2]> {
        let new = job.new?;
        let place = new.checkpoints();
        if place.is_none() || job.old.and_then(Job::checkpoints) == place {
            return None;
        }
        let has = |side: &Side, environment: &Option<String>| {
            side.jobs.iter().any(|job| job.environment == *environment)
        };
        let is_same = |old: &&Job| {
            old.checkpoints() == place
                && (old.environment == new.environment
                    || !has(self.new, &old.environment) && !has(self.old, &new.environment))
        };
        let removed = || self.jobs.iter().filter(|job| job.kind() == Kind::Removed).map(Compared::job);
        // The same environment comes first.
        let same = removed().find(|old| is_same(old) && old.environment == new.environment);
        Some([new, same.or_else(|| removed().find(is_same))?])
    }
}

/// Returns what is not compared, and the remedy. `path`: the path of the repository, as the report writes it. `name`:
/// writes the message of an error.
pub fn uncompared(one: &Uncompared, path: &str, name: &dyn Fn(&str) -> String) -> (String, String) {
    match &one.kind {
        Repository::NotCheckedOut => (
            format!("the submodule {path} is not checked out, and its specs, if any, are not compared"),
            remedy(&Unread::NotCheckedOut, name),
        ),
        Repository::Removed => (
            format!("the submodule {path} is removed, and its specs, if any, are not compared"),
            "its submitted jobs run until somebody deletes them, or a GitOps tool that prunes".to_owned(),
        ),
        Repository::Unreadable(error) => (
            format!("the specs of the submodule {path}, if any, are not compared"),
            remedy(&Unread::Failed(error.clone()), name),
        ),
        Repository::Nested => (
            format!("{path} is another repository or work tree, and its specs are not compared"),
            "run `tfjob diff` in it".to_owned(),
        ),
    }
}

/// Returns the remedy for a submodule that cannot be read. `name`: writes the message of an error.
pub fn remedy(unread: &Unread, name: &dyn Fn(&str) -> String) -> String {
    match unread {
        Unread::NotCheckedOut => "run `git submodule update --init --recursive`".to_owned(),
        Unread::Failed(error) => format!("fetch its whole history; {}", name(error)),
    }
}

/// Remedy for specs that the sparse checkout excludes.
pub const CHECK_OUT: &str = "run `git sparse-checkout disable`, or compare two commits";

/// Returns which specs the sparse checkout excludes. `None` if it excludes none. `name`: writes the name of a file.
pub fn excluded(specs: &[String], name: &dyn Fn(&str) -> String) -> Option<String> {
    let (first, rest) = specs.split_first()?;
    let first = name(first);
    Some(match rest.len() {
        0 => format!("the sparse checkout excludes {first}, which is not compared"),
        1 => format!("the sparse checkout excludes {first} and 1 more spec, which are not compared"),
        count => {
            format!("the sparse checkout excludes {first} and {count} more specs, which are not compared")
        }
    })
}
