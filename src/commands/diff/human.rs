//! The report for a terminal.
use super::groups::{self, Equal};
use super::{Compared, Comparison, Kind, NOT_DELETED, line, masks, values};
use crate::terminal::TextStyle;
use std::io::{self, Write};
use tfjob_driver::difference::{FieldChange, State, TargetDifference, Version};
use tfjob_lang::target::Effect;

/// Prints the jobs that differ; a line if none does.
pub fn print(all: &Comparison<'_>, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    for job in &all.jobs {
        let title = line(&all.text(&title(job)));
        if style.color {
            writeln!(out, "\u{1b}[1m{title}\u{1b}[0m")?
        } else {
            writeln!(out, "{title}")?
        }
        for change in &job.difference.fields {
            writeln!(out, "  {}", line(&field(all, job, change)))?;
        }
        for objects in all.objects(job) {
            writeln!(out, "  {}", line(&objects))?;
        }
        for target in &job.difference.targets {
            print_target(all, job, target, out)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(all))
}

/// Returns the job with its environment and spec.
fn title(job: &Compared<'_>) -> String {
    let one = job.job();
    let environment = one.environment.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
    let renamed = job.old.filter(|old| old.name != one.name).map(|old| format!(", before {}", old.name));
    let (_, what) = job.kind().names();
    let rest = match job.kind() {
        Kind::Removed => format!(": {NOT_DELETED}"),
        Kind::Added | Kind::Changed => String::new(),
    };
    format!("{what} {}{}{environment} ({}){rest}", one.name, renamed.unwrap_or_default(), one.spec)
}

fn field(all: &Comparison<'_>, job: &Compared<'_>, change: &FieldChange) -> String {
    let version = match (&change.old, &change.new) {
        (_, Some((_, span))) => Some((Version::New, *span)),
        (Some((_, span)), None) => Some((Version::Old, *span)),
        (None, None) => None,
    };
    let place = version.and_then(|at| all.place(job, at));
    let place = place.map(|(file, line)| format!("  ({file}:{line})")).unwrap_or_default();
    let (old, new) = masks::field(all, change);
    format!("{}: {}{place}", all.text(&change.path), between(old.as_deref(), new.as_deref()))
}

/// Returns both values, such as `2 -> 4`.
fn between(old: Option<&str>, new: Option<&str>) -> String {
    let (old, new) = values::cut(old, new);
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "(unset)".to_owned());
    format!("{} -> {}", or_none(old), or_none(new))
}

fn print_target(
    all: &Comparison<'_>,
    job: &Compared<'_>,
    target: &TargetDifference,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "  {}: {}", target.target.name(), target_line(target))?;
    for group in groups::of(target) {
        writeln!(out, "    {}: {}", group.effect.name(), group.reason)?;
        for change in &group.changes {
            writeln!(out, "      {}", line(&value(all, job, change)))?;
        }
    }
    Ok(())
}

/// Returns what happens to a submitted job of a target.
pub fn target_line(target: &TargetDifference) -> String {
    match (&target.state, target.effect()) {
        (State::Added, _) => "new target".to_owned(),
        (State::Removed, _) => format!("no longer a target; {NOT_DELETED}"),
        (State::Unknown, _) => "not compared, because the old version has errors".to_owned(),
        (State::Changed(_), None) => "no change".to_owned(),
        (State::Changed(_), Some(effect)) => {
            target.action().unwrap_or_else(|| values::action(effect)).to_owned()
        }
    }
}

fn value(all: &Comparison<'_>, job: &Compared<'_>, same: &Equal<'_>) -> String {
    let change = same.first;
    let place = change.origin.and_then(|at| all.place(job, at));
    let place = place.map(|(file, line)| format!("  ({file}:{line})")).unwrap_or_default();
    let path = all.text(&values::path(&change.path));
    let path = if path.is_empty() { String::new() } else { format!(" {path}") };
    let (old, new) = masks::value(all, change);
    let more = match same.more {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    format!("{}{path}{more}: {}{place}", all.text(&change.object), between(old.as_deref(), new.as_deref()))
}

/// Returns how many jobs differ, and what happens to them.
pub fn summary(all: &Comparison<'_>) -> String {
    let lost = match all.lost().count() {
        0 => String::new(),
        1 => "; 1 removed spec had errors".to_owned(),
        count => format!("; {count} removed specs had errors"),
    };
    format!("{}{lost}", of_jobs(all))
}

fn of_jobs(all: &Comparison<'_>) -> String {
    if all.jobs.is_empty() {
        let count = all.new.jobs.len();
        return format!("no difference in {count} job{}", if count == 1 { "" } else { "s" });
    }
    let count = all.jobs.len();
    let mut line = if count == 1 { "1 job differs".to_owned() } else { format!("{count} jobs differ") };
    let mut parts = Vec::new();
    for effect in Effect::ALL {
        let number =
            all.jobs.iter().filter(|job| job.kind() == Kind::Changed && job.effect() == Some(effect)).count();
        if number > 0 {
            parts.push(format!("{number} {}", effect.name()));
        }
    }
    for (kind, name) in [(Kind::Added, "new"), (Kind::Removed, "removed")] {
        let number = all.jobs.iter().filter(|job| job.kind() == kind).count();
        if number > 0 {
            parts.push(format!("{number} {name}"));
        }
    }
    if !parts.is_empty() {
        line.push_str(&format!(": {}", parts.join(", ")));
    }
    line
}
