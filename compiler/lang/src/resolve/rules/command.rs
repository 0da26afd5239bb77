//! Each role starts exactly one thing.
use super::{Job, path_in};
use crate::at::At;
use crate::codes::{BAD_VALUE, CONFLICTING_COMMANDS, MISSING_COMMAND};
use crate::diagnostic::{Diagnostic, Fix};
use crate::plan::{DataRef, Part, Plan, TaskRef, Template, Volume};
use crate::spec::values::{AbsolutePath, Text, Uri};

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        match (&written.run, &written.shell) {
            (Some(run), Some(shell)) => out.push(
                Diagnostic::new(
                    &CONFLICTING_COMMANDS,
                    shell.span,
                    format!("`{}` has both `run` and `shell`", role.name.value),
                )
                .here("the second command")
                .label(run.span, "the first")
                .help("keep one: `run` for a program and its words, `shell` for text that a shell reads"),
            ),
            (None, None) => out.push(
                Diagnostic::new(
                    &MISSING_COMMAND,
                    role.name.span,
                    format!("`{}` starts nothing", role.name.value),
                )
                .from_role(role.name.span)
                .from_absent(&path_in(role, &["run"]))
                .from_absent(&path_in(role, &["shell"]))
                .here("no `run`, no `shell`")
                .help(
                    "add `run \"python\" \"train.py\"` here, or in the job for every role: an image's entry point is \
                     never used",
                ),
            ),
            (Some(_), None) | (None, Some(_)) => {}
        }
        let program = written.run.as_ref().and_then(|run| run.value.0.first());
        empty(program, "an empty word is no program", out);
        empty(written.shell.as_ref(), "an empty text starts nothing", out);
        if let Some(workdir) = &written.workdir {
            rooted(workdir, out);
        }
        if let Some(workdir) = &role.workdir {
            folder(workdir, job.plan, out);
        }
    }
    if let Some(logs) = job.spec.tensorboard.as_ref().and_then(|t| t.value.logs.as_ref()) {
        let text = logs.value.as_str();
        if !text.starts_with(['{', '/']) && Uri::parse(text).is_err() {
            let fact = format!("`{}` is no place for TensorBoard to read", text.escape_debug());
            out.push(Diagnostic::new(&BAD_VALUE, logs.span, fact).help(PLACE));
        } else if text.split('/').any(|step| step == "..") {
            // What TensorBoard sees is decided by the directory, which is compared as it is written.
            let fact = format!("`{}` leaves its directory by `..`", text.escape_debug());
            let help = "write the directory that it leads to, such as `{checkpoints}/logs` or `/ckpt/logs`";
            out.push(Diagnostic::new(&BAD_VALUE, logs.span, fact).help(help));
        }
    }
}

const PLACE: &str = "a path that begins with `/`, a uri, or a reference such as `{checkpoints}/logs`";

fn empty(text: Option<&At<Text>>, fact: &str, out: &mut Vec<Diagnostic>) {
    if let Some(text) = text.filter(|text| text.value.as_str().trim().is_empty()) {
        let help = "such as `run \"python\" \"train.py\"`";
        out.push(Diagnostic::new(&MISSING_COMMAND, text.span, fact).here("empty").help(help));
    }
}

/// A folder cannot be named by what a uri, a number or an address says: a shell would look for it below the folder that
/// it happens to be in.
fn folder(workdir: &Template, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let (fact, at) = match workdir.parts.first() {
        Some(Part::Data(place, at)) if !is_folder(*place, plan) => {
            ("without `at` this is a uri, and no program can start there", *at)
        }
        Some(Part::Task(
            TaskRef::Index | TaskRef::Address | TaskRef::Addresses(_) | TaskRef::Port(_) | TaskRef::Done,
            at,
        )) => ("this is no folder, and no program can start there", *at),
        Some(Part::Text(text)) if !text.starts_with('/') => ("a folder begins with `/`", workdir.span),
        Some(Part::Data(..) | Part::Task(TaskRef::Env(_), _) | Part::Text(_)) | None => return,
    };
    let help = "a path that begins with `/`, or a reference to a folder such as `{code}/src` or `{data.NAME}` with `at`";
    out.push(Diagnostic::new(&BAD_VALUE, at, fact).here("no folder").help(help));
}

/// Whether the reference is replaced by a path in every task, and not by a uri.
fn is_folder(place: DataRef, plan: &Plan) -> bool {
    let mounted = |volume: &Volume| volume.at.is_some();
    match place {
        DataRef::Code | DataRef::Stage(_) | DataRef::Scratch => true,
        DataRef::Data(i) => plan.storage.data.get(i).is_none_or(mounted),
        DataRef::Checkpoints => plan.storage.checkpoints.as_ref().is_none_or(mounted),
    }
}

/// Platforms start a program in folders of their own, so only a whole path says where.
fn rooted(workdir: &At<Text>, out: &mut Vec<Diagnostic>) {
    let text = workdir.value.as_str();
    let plain = !text.contains('{');
    if text.starts_with('{') || !plain && text.starts_with('/') {
        return;
    }
    if let Err(wrong) = AbsolutePath::parse(text) {
        let help = "a path that begins with `/`, or a reference such as `{code}/src`";
        let told = Diagnostic::new(&BAD_VALUE, workdir.span, wrong.message).help(help);
        out.push(match wrong.instead {
            Some(meant) => told.fix(Fix::replace(workdir.span, format!("\"{meant}\""))),
            None => told,
        });
    }
}
