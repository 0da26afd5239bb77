//! The report as Markdown, for a comment on a pull request.
use super::groups::{self, Same};
use super::human::summary;
use super::{Compared, Comparison, Kind, values};
use crate::terminal::plain;
use std::io::{self, Write};
use tfjob_driver::difference::{State, TargetDifference};

/// Maximum number of changes per target: a comment has a maximum size.
const MOST: usize = 40;

/// Prints a heading, and a section for each job that differs.
pub fn print(all: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### {}\n", summary(all))?;
    for job in &all.jobs {
        print_job(job, out)?;
    }
    Ok(())
}

fn print_job(job: &Compared<'_>, out: &mut dyn Write) -> io::Result<()> {
    let one = job.job();
    let environment = one.environment.as_ref().map(|name| format!(" in {}", code(name))).unwrap_or_default();
    let what = match job.kind() {
        Kind::Added => "New job",
        Kind::Removed => "Removed job",
        Kind::Changed => "Job",
    };
    writeln!(out, "#### {what} {}{environment}, {}\n", code(&one.name), code(&one.spec))?;
    if job.kind() == Kind::Removed {
        writeln!(out, "If the job was submitted, it keeps running until it is deleted.\n")?;
    }
    for object in &job.missing {
        writeln!(out, "Not submitted: {}\n", code(object))?;
    }
    if !job.difference.fields.is_empty() {
        writeln!(out, "| field | old | new |\n|---|---|---|")?;
        for change in &job.difference.fields {
            let text = |side: &Option<(String, _)>| side.as_ref().map(|(text, _)| text.clone());
            let (old, new) = values::cut(text(&change.old).as_deref(), text(&change.new).as_deref());
            writeln!(
                out,
                "| {} | {} | {} |",
                cell(Some(&change.path)),
                cell(old.as_deref()),
                cell(new.as_deref())
            )?;
        }
        writeln!(out)?;
    }
    job.difference.targets.iter().try_for_each(|target| print_target(target, out))
}

fn print_target(target: &TargetDifference, out: &mut dyn Write) -> io::Result<()> {
    let name = target.target.name();
    let line = match (&target.state, target.effect()) {
        (State::Added, _) => "new target",
        (State::Removed, _) => {
            "no longer a target; if the job was submitted, it keeps running until it is deleted"
        }
        (State::Changed(_), None) => "no change",
        (State::Changed(_), Some(effect)) => values::action(effect),
    };
    writeln!(out, "**{name}**: {line}\n")?;
    let groups = groups::of(target);
    let rows: Vec<_> = groups
        .iter()
        .flat_map(|group| group.changes.iter().map(move |change| (group.effect.name(), group.reason, change)))
        .collect();
    let count = rows.len();
    if count == 0 {
        return Ok(());
    }
    writeln!(out, "<details><summary>Changes of the artifacts</summary>\n")?;
    writeln!(out, "| object | value | old | new | effect |\n|---|---|---|---|---|")?;
    for (effect, reason, change) in rows.iter().take(MOST) {
        writeln!(out, "{} {effect}: {} |", row(change), reason.replace('|', "\\|"))?;
    }
    if count > MOST {
        writeln!(out, "\n… and {} more", count - MOST)?;
    }
    writeln!(out, "\n</details>\n")
}

/// Returns the first cells of a row: the object, the value, the old and the new value.
fn row(same: &Same<'_>) -> String {
    let change = same.first;
    let (old, new) = (change.old.as_ref().map(values::text), change.new.as_ref().map(values::text));
    let (old, new) = values::cut(old.as_deref(), new.as_deref());
    let path = values::path(&change.path);
    let path = if path.is_empty() { "the whole file".to_owned() } else { cell(Some(&path)) };
    let more = if same.more == 0 { String::new() } else { format!(" and {} more", same.more) };
    let (object, old, new) = (cell(Some(&change.object)), cell(old.as_deref()), cell(new.as_deref()));
    format!("| {object} | {path}{more} | {old} | {new} |")
}

/// Returns a cell of a table. A missing value is an empty cell.
fn cell(text: Option<&str>) -> String {
    text.map(|text| code(text).replace('|', "\\|")).unwrap_or_default()
}

/// Returns a text as code, with a fence of more backticks than the text contains in a row.
fn code(text: &str) -> String {
    let text = plain(text).replace('\n', " ");
    let (mut longest, mut row) = (0, 0);
    for c in text.chars() {
        row = if c == '`' { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_leave_its_cell() {
        assert_eq!(cell(Some("a|b")), "`a\\|b`");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code("a\nb"), "`a b`");
        assert_eq!(cell(None), "");
    }
}
