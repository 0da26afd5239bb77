//! Each role starts exactly one thing.
use super::Job;
use crate::codes::{MISSING_COMMAND, TWO_COMMANDS};
use crate::diagnostic::Diagnostic;

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        match (&written.run, &written.shell) {
            (Some(run), Some(shell)) => out.push(
                Diagnostic::new(&TWO_COMMANDS, shell.span, format!("`{}` has both `run` and `shell`", role.name.value))
                    .here("the second command")
                    .label(run.span, "the first")
                    .help("keep one: `run` for a program and its words, `shell` for text that a shell reads"),
            ),
            (None, None) if job.lost_in(role, &["run"]) || job.lost_in(role, &["shell"]) => {}
            (None, None) => out.push(
                Diagnostic::new(&MISSING_COMMAND, role.name.span, format!("`{}` starts nothing", role.name.value))
                    .here("no `run`, no `shell`")
                    .help("add `run \"python\" \"train.py\"` here, or in the job for every role: an image's entry point is never used"),
            ),
            (Some(_), None) | (None, Some(_)) => {}
        }
    }
}
