//! The report as Markdown, for a comment on a pull request.
use super::groups::{self, Equal};
use super::human::{summary, target_line};
use super::{Compared, Comparison, Kind, NOT_DELETED, line, masks, values};
use std::fmt::Write as _;
use std::io::{self, Write};
use tfjob_driver::difference::TargetDifference;

/// Maximum number of changes per target.
const MAX_CHANGES: usize = 40;

/// Maximum length in bytes. A comment on GitHub has at most 65,536 characters.
const MAX_LENGTH: usize = 60_000;

/// The section of a job, and the environments that have it.
struct Section {
    title: String,
    spec: String,
    environments: Vec<String>,
    body: String,
}

/// Prints a heading, the notes, and a section for each job that differs. Equal sections of several environments are printed once.
pub fn print(all: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut text = format!("### {}\n\n", summary(all));
    for note in all.notes(code) {
        let _ = writeln!(text, "Note: {}\n", line(&note));
    }
    let sections = sections(all);
    for (number, section) in sections.iter().enumerate() {
        let shown = section.shown();
        if text.len() + shown.len() > MAX_LENGTH {
            let left = sections.len() - number;
            let _ = writeln!(text, "… and {left} more sections, which `tfjob diff` prints\n");
            break;
        }
        text.push_str(&shown);
    }
    out.write_all(text.as_bytes())
}

fn sections(all: &Comparison<'_>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for job in &all.jobs {
        let one = job.job();
        let title = format!("{} {}", capitalized(job.kind().names().1), code(&all.text(&one.name)));
        let spec = code(&all.text(&one.spec));
        let body = body(all, job);
        let environment = one.environment.as_ref().map(|name| code(&all.text(name)));
        match sections
            .iter_mut()
            .find(|known| (&known.title, &known.spec, &known.body) == (&title, &spec, &body))
        {
            Some(known) => known.environments.extend(environment),
            None => {
                sections.push(Section { title, spec, environments: environment.into_iter().collect(), body })
            }
        }
    }
    sections
}

impl Section {
    fn shown(&self) -> String {
        let environments = match self.environments.join(", ") {
            none if none.is_empty() => none,
            names => format!(" in {names}"),
        };
        format!("#### {}{environments} ({})\n\n{}", self.title, self.spec, self.body)
    }
}

fn body(all: &Comparison<'_>, job: &Compared<'_>) -> String {
    let mut out = String::new();
    if job.kind() == Kind::Removed {
        let _ = writeln!(out, "{}.\n", capitalized(NOT_DELETED));
    }
    for objects in all.objects(job) {
        let _ = writeln!(out, "{}\n", code(&objects));
    }
    if !job.difference.fields.is_empty() {
        out.push_str("| field | old | new |\n|---|---|---|\n");
        for change in &job.difference.fields {
            let (old, new) = masks::field(all, change);
            let (old, new) = values::cut(old.as_deref(), new.as_deref());
            let path = cell(Some(&all.text(&change.path)));
            let _ = writeln!(out, "| {path} | {} | {} |", cell(old.as_deref()), cell(new.as_deref()));
        }
        out.push('\n');
    }
    for target in &job.difference.targets {
        write_target(all, target, &mut out);
    }
    out
}

fn write_target(all: &Comparison<'_>, target: &TargetDifference, out: &mut String) {
    let _ = writeln!(out, "**{}**: {}\n", target.target.name(), target_line(target));
    let groups = groups::of(target);
    let rows: Vec<_> = groups
        .iter()
        .flat_map(|group| group.changes.iter().map(move |change| (group.effect.name(), group.reason, change)))
        .collect();
    if rows.is_empty() {
        return;
    }
    out.push_str("<details><summary>Changes of the artifacts</summary>\n\n");
    out.push_str("| object | value | old | new | effect |\n|---|---|---|---|---|\n");
    for (effect, reason, change) in rows.iter().take(MAX_CHANGES) {
        let _ = writeln!(out, "{} {effect}: {} |", row(all, change), reason.replace('|', "\\|"));
    }
    if rows.len() > MAX_CHANGES {
        let _ = writeln!(out, "\n… and {} more", rows.len() - MAX_CHANGES);
    }
    out.push_str("\n</details>\n\n");
}

/// Returns the first cells of a row: the object, the value, the old and the new value.
fn row(all: &Comparison<'_>, same: &Equal<'_>) -> String {
    let change = same.first;
    let (old, new) = masks::value(all, change);
    let (old, new) = values::cut(old.as_deref(), new.as_deref());
    let path = all.text(&values::path(&change.path));
    let path = if path.is_empty() { "the whole file".to_owned() } else { cell(Some(&path)) };
    let more = if same.more == 0 { String::new() } else { format!(" and {} more", same.more) };
    let object = cell(Some(&all.text(&change.object)));
    format!("| {object} | {path}{more} | {} | {} |", cell(old.as_deref()), cell(new.as_deref()))
}

fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// Returns a cell of a table. A missing value is an empty cell.
fn cell(text: Option<&str>) -> String {
    text.map(|text| code(text).replace('|', "\\|")).unwrap_or_default()
}

/// Returns a text as code, with a fence of more backticks than the text contains in a row.
fn code(text: &str) -> String {
    let text = line(text);
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
        assert_eq!(code("a\nb"), "`a?b`");
        assert_eq!(cell(None), "");
    }
}
