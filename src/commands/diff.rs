//! `tfjob diff`: what changes between two versions of the jobs of a project, and what each platform does with the change.
mod groups;
mod human;
mod job;
mod json;
mod live;
mod markdown;
mod masks;
mod matching;
mod moved;
mod notes;
mod place;
mod scope;
mod sides;
mod sparse;
mod unread;
mod values;

use crate::args::{Diff, DiffFormat, LeastEffect};
use crate::outcome::{Failure, Outcome};
use crate::terminal::{TextStyle, one_line as line};
use job::Job;
use sides::Side;
use std::collections::BTreeSet;
use std::io::{self, Write};
use tfjob_driver::difference::{JobDifference, State, TargetDifference, Version};
use tfjob_driver::files::PROJECT;
use tfjob_lang::secrets::{self, Scrubber};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Effect;

/// Both versions, and the jobs that differ.
struct Comparison<'s> {
    old: &'s Side,
    new: &'s Side,
    jobs: Vec<Compared<'s>>,
    /// Masks the credentials of both versions.
    scrubber: Scrubber,
    /// Submitted values that the platform does not report. Empty without `--live`.
    unreported: Vec<String>,
}

/// A job that differs.
struct Compared<'s> {
    old: Option<&'s Job>,
    new: Option<&'s Job>,
    /// The differences. Empty for a job that only one version has.
    difference: JobDifference,
}

/// What happens to a job as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Added,
    Removed,
    Changed,
}

impl Kind {
    /// Returns the name in JSON, and the title of a job in the other reports.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Added => ("added", "new job"),
            Self::Removed => ("removed", "removed job"),
            Self::Changed => ("changed", "job"),
        }
    }
}

/// What happens to the submitted job of a removed job or target.
const NOT_DELETED: &str =
    "if it was submitted, it runs until somebody deletes it, or a GitOps tool that prunes";

/// Runs the command.
///
/// # Errors
/// Returns an error if the arguments are invalid, a file cannot be read, or a spec of the new version has errors.
pub fn run(args: &Diff, quiet: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let (old, new) = match &args.live {
        Some(file) => live::sides(args, file, err)?,
        None => sides::read(args, err)?,
    };
    // An old file that the user names must be right, too.
    let old_file = Some(&old).filter(|old| old.is_one_spec);
    if let Some(faulty) = old_file.into_iter().chain([&new]).find(|side| side.errors > 0) {
        return Err(incomparable(faulty, &new));
    }
    if let (Some(file), Some(_)) = (old.unused.iter().chain(&new.unused).next(), args.fail_on) {
        let home = file.strip_suffix(PROJECT).unwrap_or(file);
        return Err(Failure::new(format!(
            "the project file `{file}` is not used, so `--fail-on` does not know all effects: run `tfjob diff` in `{home}`"
        )));
    }
    if let (Some(one), Some(_)) = (new.uncompared.first(), args.fail_on) {
        let path = format!("`{}`", line(&one.path));
        let (fact, remedy) = notes::uncompared(one, &path, &str::to_owned);
        return Err(Failure::new(format!("{fact}, so `--fail-on` does not know all effects: {remedy}")));
    }
    if let (Some(fact), Some(_)) =
        (notes::excluded(&new.excluded, &|path| format!("`{}`", line(path))), args.fail_on)
    {
        let remedy = notes::CHECK_OUT;
        return Err(Failure::new(format!("{fact}, so `--fail-on` does not know all effects: {remedy}")));
    }
    let comparison = match &args.live {
        Some(file) => live::compare(file, &old, &new)?,
        None => Comparison::of(&old, &new),
    };
    match args.format {
        DiffFormat::Human => human::print(&comparison, TextStyle::of(&io::stdout()), out)?,
        DiffFormat::Json => json::print(&comparison, out)?,
        DiffFormat::Markdown => markdown::print(&comparison, out)?,
    }
    if !quiet {
        comparison.notes(str::to_owned).iter().try_for_each(|note| writeln!(err, "note: {}", line(note)))?;
    }
    Ok(Outcome::faulty_if(match args.fail_on {
        None => !comparison.jobs.is_empty() || comparison.lost().next().is_some(),
        Some(least) => comparison.is_unknown() || comparison.effect() >= Some(effect(least)),
    }))
}

/// Returns the failure for a version with errors.
fn incomparable(faulty: &Side, new: &Side) -> Failure {
    let name = &faulty.name;
    let submodule = faulty.unread.as_ref().filter(|_| faulty.lacks_file);
    let repository = new.uncompared.first().filter(|_| faulty.lacks_file);
    Failure::new(match (submodule, repository, faulty.unused.first()) {
        (Some((path, unread)), _, _) => format!(
            "cannot compare {name}: it has errors, and files of the submodule `{}`, such as a base file, cannot be read: {}",
            line(path),
            notes::remedy(unread, &str::to_owned)
        ),
        (None, Some(one), _) => format!(
            "cannot compare {name}: it has errors; files of the repository `{}`, such as a base file, are not read",
            line(&one.path)
        ),
        (None, None, Some(file)) => format!(
            "cannot compare {name}: it has errors without the project file `{file}`, which is not used: run `tfjob diff` in `{}`",
            file.strip_suffix(PROJECT).unwrap_or(file)
        ),
        (None, None, None) => format!("cannot compare: fix the errors in {name} first"),
    })
}

const fn effect(least: LeastEffect) -> Effect {
    match least {
        LeastEffect::Restart => Effect::Restart,
        LeastEffect::Recreate => Effect::Recreate,
        LeastEffect::Rejected => Effect::Rejected,
    }
}

impl<'s> Comparison<'s> {
    fn of(old: &'s Side, new: &'s Side) -> Self {
        let pairs = matching::pairs(old, new);
        let mut jobs = Vec::new();
        for (job, before) in new.jobs.iter().zip(&pairs) {
            let before = before.map(|index| &old.jobs[index]);
            let difference = before.map(|before| before.difference(job)).unwrap_or_default();
            if before.is_none() || !difference.is_empty() {
                jobs.push(Compared::new(before, Some(job), difference));
            }
        }
        let kept: BTreeSet<usize> = pairs.into_iter().flatten().collect();
        let left = old.jobs.iter().enumerate().filter(|(index, _)| !kept.contains(index));
        jobs.extend(left.map(|(_, job)| Compared::new(Some(job), None, JobDifference::default())));
        Self { old, new, jobs, scrubber: scrubber(old, new), unreported: Vec::new() }
    }

    /// Returns the greatest effect of all changes. A removed job must be deleted, too.
    fn effect(&self) -> Option<Effect> {
        self.jobs.iter().filter_map(Compared::effect).max()
    }

    /// Returns whether the effect on submitted jobs is unknown, because a job has no target, or a version has errors: a new job may be
    /// submitted already, a job of the old version may be missing, and a removed job may be in another spec.
    fn is_unknown(&self) -> bool {
        let is_unknown = |job: &Compared<'_>| {
            let mut targets = job.difference.targets.iter();
            job.lacks_target() || targets.any(|target| matches!(target.state, State::Unknown))
        };
        let is_moved = [self.old, self.new].iter().any(|side| !side.maybe_moved.is_empty());
        let has_errors = self.old.is_faulty || !self.old.faulty.is_empty() || is_moved;
        has_errors || self.jobs.iter().any(is_unknown)
    }

    /// Returns the lines about objects that only the platform or only the spec has.
    fn objects(&self, job: &Compared<'_>) -> Vec<String> {
        let lines = |title: &str, objects: Vec<&String>| -> Vec<String> {
            objects.into_iter().map(|object| format!("{title}: {}", self.text(object))).collect()
        };
        [
            lines("not submitted", job.missing()),
            lines("submitted, but not in the spec", job.others()),
            lines("is being deleted", job.deleted()),
        ]
        .concat()
    }

    /// Returns a text without credentials.
    fn text(&self, text: &str) -> String {
        self.scrubber.scrub(text).into_owned()
    }

    /// Returns the place that a value or field comes from.
    fn place(&self, job: &Compared<'_>, (version, span): (Version, Span)) -> Option<(String, u32)> {
        match version {
            Version::Old => self.old.place(job.old?, span),
            Version::New => self.new.place(job.new?, span),
        }
    }
}

/// Returns the scrubber of the texts of both versions.
fn scrubber(old: &Side, new: &Side) -> Scrubber {
    let jobs = old.jobs.iter().chain(&new.jobs);
    secrets::scrubber(jobs.map(|job| &job.checked.batch.sources))
}

impl<'s> Compared<'s> {
    const fn new(old: Option<&'s Job>, new: Option<&'s Job>, difference: JobDifference) -> Self {
        Self { old, new, difference }
    }

    /// Returns the objects of the job that the platform did not report. Empty without `--live`.
    fn missing(&self) -> Vec<&String> {
        self.difference.targets.iter().flat_map(|target| &target.objects.missing).collect()
    }

    /// Returns the objects of the job that the platform reported, but that the spec does not contain. Empty without `--live`.
    fn others(&self) -> Vec<&String> {
        self.difference.targets.iter().flat_map(|target| &target.objects.others).collect()
    }

    /// Returns the objects of the job that the platform is deleting. Empty without `--live`.
    fn deleted(&self) -> Vec<&String> {
        self.difference.targets.iter().flat_map(|target| &target.objects.deleted).collect()
    }

    /// Returns whether the job has changed, and is compiled for no target.
    fn lacks_target(&self) -> bool {
        self.kind() == Kind::Changed && self.difference.targets.is_empty()
    }

    /// Returns the job, in the new version if it has the job.
    fn job(&self) -> &'s Job {
        self.new.or(self.old).expect("a version has the job")
    }

    /// Returns the greatest effect of the changes. `None` if no artifact changes, or the job is new.
    fn effect(&self) -> Option<Effect> {
        match self.kind() {
            Kind::Removed => Some(Effect::Recreate),
            Kind::Added | Kind::Changed => {
                self.difference.targets.iter().filter_map(TargetDifference::effect).max()
            }
        }
    }

    const fn kind(&self) -> Kind {
        match (self.old, self.new) {
            (Some(_), Some(_)) => Kind::Changed,
            (None, _) => Kind::Added,
            (Some(_), None) => Kind::Removed,
        }
    }
}
