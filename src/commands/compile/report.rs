//! The report of `--check`, and its last lines: what to do.
use super::super::check;
use super::compare::{Remedy, Stale};
use super::obsolete::Scope;
use crate::args::Compile;
use crate::outcome::{Failure, Outcome};
use crate::project;
use crate::render::context::Context;
use crate::render::legible::Legible;
use crate::render::{Format, Report};
use crate::terminal::{TextStyle, plain};
use std::collections::BTreeSet;
use std::io::Write;
use tfjob_driver::Batch;
use tfjob_targets::shell;

/// Prints the report of `--check`. In the human format, the differences are already printed. Formats with a help for each finding
/// do not repeat it at the end.
///
/// # Errors
/// Returns an error if the report cannot be written.
pub fn print(
    stale: &[Stale],
    args: &Compile,
    scope: &Scope,
    contexts: &[Context],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Failure> {
    if args.format != Format::Human {
        let found: Vec<Batch> = stale.iter().map(Stale::batch).collect();
        let all: BTreeSet<&str> = contexts.iter().filter_map(|one| one.environment.as_deref()).collect();
        let environments: Vec<Vec<String>> = stale.iter().map(|one| one.environments(&all)).collect();
        let legible = Legible::of(&found).in_environments(&environments);
        let mut report = Report::new(&legible);
        project::count(&mut report.summary, contexts);
        report.print(args.format, TextStyle::PLAIN, out)?;
        check::summarize(&report, args.format, err)?;
    }
    let todo = todo(stale, args, scope);
    let to: Option<&mut dyn Write> = match args.format {
        Format::Human => Some(out),
        // Each line of standard output is a finding.
        Format::Short => Some(err),
        Format::Json | Format::Sarif | Format::Github | Format::Gitlab => None,
    };
    if let Some(to) = to {
        todo.iter().try_for_each(|line| writeln!(to, "{}", plain(line)))?;
    }
    Ok(Outcome::faulty_if(!stale.is_empty()))
}

/// Returns what to do about all files together, each thing once.
fn todo(stale: &[Stale], args: &Compile, scope: &Scope) -> Vec<String> {
    let needs = |remedy: &Remedy| stale.iter().any(|one| one.remedy == *remedy);
    let paths: Vec<_> = args.paths.iter().map(|path| path.to_string_lossy()).collect();
    let paths = || paths.iter().map(AsRef::as_ref);
    let whole = matches!(scope, Scope::Project(_));
    let is_plain = whole && args.out.is_none() && args.sets.is_empty();
    let same = if is_plain { "" } else { " with the same options" };
    let (write, delete) = (needs(&Remedy::Write), needs(&Remedy::Delete));
    let command = |more: &[&'static str]| {
        let words = ["tfjob", "compile"].into_iter().chain(more.iter().copied());
        format!("`{}`{same}", shell::join(words.chain(paths())))
    };
    let commit = "and commit the changes";
    let mut lines = Vec::new();
    match (write, delete) {
        (true, false) => lines.push(format!("run {}, {commit}", command(&[]))),
        (_, true) if whole => {
            lines.push(format!(
                "run {}, which also deletes the obsolete files, {commit}",
                command(&["--prune"])
            ));
        }
        (true, true) => lines.push(format!("run {}, delete the obsolete files, {commit}", command(&[]))),
        (false, true) => lines.push(format!("delete the obsolete files, {commit}")),
        (false, false) => {}
    }
    if needs(&Remedy::Move) {
        lines.push(
            "delete the files that tfjob has not generated, or move them out of the directory of the environment; `--prune` keeps them"
                .to_owned(),
        );
    }
    lines
}
