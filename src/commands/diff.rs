//! `tfjob diff`: what changes between two versions of the jobs of a project, and what each platform does with the change.
mod groups;
mod human;
mod json;
mod live;
mod markdown;
mod sides;
mod values;

use crate::args::{Diff, DiffFormat, LeastEffect};
use crate::outcome::{Failure, Outcome};
use crate::terminal::{TextStyle, plain};
use sides::{Job, Side};
use std::io::{self, Write};
use tfjob_driver::difference::{JobDifference, TargetDifference, Version};
use tfjob_lang::secrets;
use tfjob_lang::sources::{Sources, Span};
use tfjob_lang::target::Effect;

/// Both versions, and the jobs that differ.
struct Comparison<'s> {
    old: &'s Side,
    new: &'s Side,
    jobs: Vec<Compared<'s>>,
}

/// A job that differs.
struct Compared<'s> {
    old: Option<&'s Job>,
    new: Option<&'s Job>,
    /// The differences. Empty for a job that only one version has.
    difference: JobDifference,
    /// Objects of the job that the platform did not report. Empty without `--live`.
    missing: Vec<String>,
}

/// What happens to a job as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Added,
    Removed,
    Changed,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the arguments are invalid, a file cannot be read, or a spec of the new version has errors.
pub fn run(args: &Diff, quiet: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let (old, new) = match &args.live {
        Some(file) => live::sides(args, file, err)?,
        None => sides::of(args, err)?,
    };
    if new.errors > 0 {
        return Err(Failure::new(format!("cannot compare: fix the errors in {} first", new.name)));
    }
    let comparison = match &args.live {
        Some(file) => live::compare(file, &old, &new)?,
        None => Comparison::of(&old, &new),
    };
    let mut text = Vec::new();
    match args.format {
        DiffFormat::Human => human::print(&comparison, TextStyle::of(&io::stdout()), &mut text)?,
        DiffFormat::Json => json::print(&comparison, &mut text)?,
        DiffFormat::Markdown => markdown::print(&comparison, &mut text)?,
    }
    let text = String::from_utf8_lossy(&text);
    out.write_all(secrets::scrubber(comparison.sources()).scrub(&text).as_bytes())?;
    if !quiet {
        let name = plain(&old.name);
        for spec in &old.faulty {
            let spec = plain(spec);
            writeln!(err, "note: {spec} has errors in {name}: compared as if it did not exist there")?;
        }
        if old.errors > 0 && old.faulty.is_empty() {
            writeln!(
                err,
                "note: {name} has errors in its project file or cluster files: compared as if it had no jobs"
            )?;
        }
    }
    Ok(Outcome::faulty_if(match args.fail_on {
        None => !comparison.jobs.is_empty(),
        Some(least) => comparison.effect() >= Some(effect(least)),
    }))
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
        let mut left: Vec<&Job> = old.jobs.iter().collect();
        let mut jobs = Vec::new();
        for job in &new.jobs {
            // A renamed spec has the same job name; a renamed job is in the same spec.
            let same_environment = |other: &&&Job| other.environment == job.environment;
            let found = left.iter().filter(same_environment);
            let single = old.is_one_spec && new.is_one_spec;
            let by_spec = found.clone().find(|other| other.spec == job.spec || single);
            let before = by_spec.or_else(|| found.clone().find(|other| other.name == job.name)).copied();
            left.retain(|other| before.is_none_or(|before| !std::ptr::eq(*other, before)));
            let difference =
                before.map(|before| JobDifference::of(&before.checked, &job.checked)).unwrap_or_default();
            if before.is_none() || !difference.is_empty() {
                jobs.push(Compared { old: before, new: Some(job), difference, missing: Vec::new() });
            }
        }
        let removed = |job| Compared {
            old: Some(job),
            new: None,
            difference: JobDifference::default(),
            missing: Vec::new(),
        };
        jobs.extend(left.into_iter().map(removed));
        Self { old, new, jobs }
    }

    /// Returns the greatest effect of all changes.
    fn effect(&self) -> Option<Effect> {
        self.jobs.iter().filter_map(Compared::effect).max()
    }

    fn sources(&self) -> impl Iterator<Item = &Sources> + Clone {
        let jobs = self.old.jobs.iter().chain(&self.new.jobs);
        jobs.map(|job| &job.checked.batch.sources)
    }

    /// Returns the place that a value or field comes from.
    fn place(&self, job: &Compared<'_>, (version, span): (Version, Span)) -> Option<(String, u32)> {
        match version {
            Version::Old => self.old.place(job.old?, span),
            Version::New => self.new.place(job.new?, span),
        }
    }
}

impl<'s> Compared<'s> {
    /// Returns the job, in the new version if it has the job.
    fn job(&self) -> &'s Job {
        self.new.or(self.old).expect("a version has the job")
    }

    /// Returns the greatest effect of the changes. `None` if no artifact changes, or only one version has the job.
    fn effect(&self) -> Option<Effect> {
        self.difference.targets.iter().filter_map(TargetDifference::effect).max()
    }

    const fn kind(&self) -> Kind {
        match (self.old, self.new) {
            (Some(_), Some(_)) => Kind::Changed,
            (None, _) => Kind::Added,
            (Some(_), None) => Kind::Removed,
        }
    }
}
