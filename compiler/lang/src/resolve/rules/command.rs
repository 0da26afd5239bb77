//! Rules about the command and the working directory of each role.
use super::words::shown;
use super::{Job, path_in};
use crate::at::At;
use crate::codes::{BAD_VALUE, CONFLICTING_COMMANDS, MISSING_COMMAND};
use crate::diagnostic::{Diagnostic, Fix};
use crate::escape::Escaped;
use crate::plan::{DataRef, Part, Plan, TaskRef, Template, Volume};
use crate::requirement::{self, Requirement};
use crate::sources::Format;
use crate::spec::values::{AbsolutePath, Class, Scheme, Text, Uri};

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        match (&written.run, &written.shell) {
            (Some(run), Some(shell)) => out.push(
                Diagnostic::new(
                    &CONFLICTING_COMMANDS,
                    shell.span,
                    format!("`{}` sets both `run` and `shell`", role.name.value),
                )
                .here("second command")
                .label(run.span, "first command")
                .help("keep one: `run` starts a program directly, `shell` runs a script with `/bin/sh`"),
            ),
            (None, None) => out.push(
                Diagnostic::new(
                    &MISSING_COMMAND,
                    role.name.span,
                    format!("`{}` has no command", role.name.value),
                )
                .from_role(role.name.span)
                .from_absent(&path_in(role, &["run"]))
                .from_absent(&path_in(role, &["shell"]))
                .here("neither `run` nor `shell`")
                .help(
                    "add `run \"python\" \"train.py\"` to this role, or to the job for all roles; the entry point of the \
                     image is never used",
                ),
            ),
            (Some(_), None) | (None, Some(_)) => {}
        }
        let program = written.run.as_ref().and_then(|run| run.value.0.first());
        not_empty(program, "the first argument of `run`, the program, is empty", out);
        if let Some(run) = &written.run {
            is_program(&run.value.0, out);
        }
        not_empty(written.shell.as_ref(), "the `shell` script is empty", out);
        if let Some(workdir) = &written.workdir {
            absolute(workdir, out);
        }
        if let Some(workdir) = &role.workdir {
            directory(workdir, job.plan, out);
        }
    }
    if let Some(logs) = job.spec.tensorboard.as_ref().and_then(|t| t.value.logs.as_ref()) {
        let text = logs.value.as_str();
        if !text.starts_with(['{', '/']) && text.contains('{') && is_task_uri(job.plan) {
            let fact = format!(
                "`{}` is a URI with a reference whose value is not known at compile time",
                text.escaped()
            );
            let help = "in a URI, only `{job}`, `{param.NAME}`, and other references with a fixed value are supported";
            out.push(Diagnostic::new(&BAD_VALUE, logs.span, fact).help(help));
        } else if !text.starts_with(['{', '/']) && Uri::parse(expanded(job.plan, text)).is_err() {
            let fact = format!("`{}` is not an absolute path, URI, or reference", text.escaped());
            out.push(Diagnostic::new(&BAD_VALUE, logs.span, fact).help(LOGS));
        } else if text.split('/').any(|step| step == "..") {
            // Targets compare the directory with mounts and do not resolve `..`, so such a path is an error.
            let fact = format!("`..` is not supported in the log directory `{}`", text.escaped());
            let help = "write the directory without `..`, such as `{checkpoints}/logs` or `/ckpt/logs`";
            out.push(Diagnostic::new(&BAD_VALUE, logs.span, fact).help(help));
        }
    }
}

/// Returns the parts of the log directory of TensorBoard.
fn log_parts(plan: &Plan) -> &[Part] {
    let logs = plan.requirements.iter().find_map(|required| {
        let Requirement::Job(requirement::Job::Tensorboard(board)) = &required.requirement else {
            return None;
        };
        Some(board.logs.parts.as_slice())
    });
    logs.unwrap_or_default()
}

/// Returns whether the log directory has a part with a value that only a task or a target knows.
fn is_task_uri(plan: &Plan) -> bool {
    log_parts(plan).iter().any(|part| !matches!(part, Part::Text(_)))
}

/// Returns the log directory with references to the job and its parameters replaced by their values. If other references remain,
/// returns `text`.
fn expanded<'t>(plan: &'t Plan, text: &'t str) -> &'t str {
    if let [Part::Text(expanded)] = log_parts(plan) { expanded } else { text }
}

const LOGS: &str =
    "write an absolute path such as `/ckpt/logs`, a URI, or a reference such as `{checkpoints}/logs`";

/// Reports an empty program or script.
fn not_empty(text: Option<&At<Text>>, fact: &str, out: &mut Vec<Diagnostic>) {
    if let Some(text) = text.filter(|text| text.value.as_str().trim().is_empty()) {
        let help = "write a command, such as `run \"python\" \"train.py\"`";
        out.push(Diagnostic::new(&MISSING_COMMAND, text.span, fact).here("empty").help(help));
    }
}

/// Reports a `run` that begins with an option instead of a program, such as `run "--epochs=3"`.
fn is_program(words: &[At<Text>], out: &mut Vec<Diagnostic>) {
    const MOST: usize = 60;
    let Some(first) = words.first().filter(|first| first.value.as_str().starts_with('-')) else { return };
    let quoted: Vec<String> =
        words.iter().map(|word| crate::shape::literal::text(Format::Kdl, word.value.as_str())).collect();
    let all = quoted.join(" ");
    let all = if all.len() > MOST || all.contains('`') { "\"--OPTION\"" } else { all.as_str() };
    let text = first.value.as_str();
    let short = &text[..text.floor_char_boundary(MOST)];
    let cut = if short.len() < text.len() { "…" } else { "" };
    let fact = format!("`run` starts with the option `{}{cut}`, not with a program", short.escaped());
    out.push(Diagnostic::new(&MISSING_COMMAND, first.span, fact).here("not a program").help(format!(
        "write the program first, such as `run \"python\" \"train.py\" {all}`; this `run` replaces the \
         whole `run` of the job or of the extended file"
    )));
}

/// Reports a working directory that expands to a URI, a number, an address, a file, or a relative path. The platform would
/// interpret such a value as a path below its current directory.
fn directory(workdir: &Template, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let (fact, at) = match workdir.parts.first() {
        Some(Part::Data(location, at)) if !is_path(*location, plan) => {
            let fact = "this reference expands to a URI, which cannot be a working directory";
            let help = mount(*location, plan);
            out.push(Diagnostic::new(&BAD_VALUE, *at, fact).here("not a directory").help(help));
            return;
        }
        Some(Part::Data(DataRef::Scratch, at)) => {
            let Some(Part::Text(below)) = workdir.parts.get(1) else { return };
            let below = below.trim_matches('/');
            if below.is_empty() || below == "." {
                return;
            }
            let fact = format!(
                "`{{scratch}}` is empty at the first start of a task, so it contains no directory `{}`",
                below.escaped()
            );
            let help = "write `workdir \"{scratch}\"`, and create the directory in the program or in `shell`";
            out.push(Diagnostic::new(&BAD_VALUE, *at, fact).here("empty directory").help(help));
            return;
        }
        Some(Part::Task(TaskRef::Index | TaskRef::Port(_), at)) => {
            ("this reference expands to a number, which cannot be a working directory", *at)
        }
        Some(Part::Task(TaskRef::Address | TaskRef::Addresses(_), at)) => {
            ("this reference expands to an address, which cannot be a working directory", *at)
        }
        Some(Part::Task(TaskRef::Done, at)) => {
            ("this reference expands to a file, which cannot be a working directory", *at)
        }
        Some(Part::Text(text)) if !text.starts_with('/') => {
            let fact = "`workdir` must be an absolute path";
            let label = format!("expands to a path that begins with `{}`", shown(text));
            out.push(Diagnostic::new(&BAD_VALUE, workdir.span, fact).here(label).help(WORKDIR));
            return;
        }
        Some(Part::Data(..) | Part::Task(TaskRef::Env(_), _) | Part::Text(_)) | None => return,
    };
    out.push(Diagnostic::new(&BAD_VALUE, at, fact).here("not a directory").help(WORKDIR));
}

const WORKDIR: &str =
    "write an absolute path such as `/app`, or a reference to a directory such as `{code}/src`";

/// Returns the help for a reference that expands to a URI and not to a path.
fn mount(location: DataRef, plan: &Plan) -> String {
    const PATH: &str = "write an absolute path such as `/app`";
    let (entry, volume) = match location {
        DataRef::Data(i) => {
            let Some(data) = plan.storage.data.get(i) else { return PATH.to_owned() };
            (format!("`data \"{}\"`", data.name.value), data)
        }
        DataRef::Checkpoints => {
            let Some(checkpoints) = &plan.storage.checkpoints else { return PATH.to_owned() };
            ("`checkpoints`".to_owned(), checkpoints)
        }
        DataRef::Code | DataRef::Stage(_) | DataRef::Scratch => return PATH.to_owned(),
    };
    let scheme = volume.uri.value.scheme();
    match scheme.class() {
        Class::Web | Class::Repository => PATH.to_owned(),
        Class::Hadoop | Class::Bucket => format!(
            "{PATH}; or, if the target can mount `{}:` with a CSI driver, add `at=\"/PATH\"` to {entry}",
            scheme.word()
        ),
        Class::Volume | Class::Node | Class::Spec => {
            format!("add `at=\"/PATH\"` to {entry} to mount it; or {PATH}")
        }
    }
}

/// Returns whether the reference expands to a path in every task, and not to a URI.
fn is_path(location: DataRef, plan: &Plan) -> bool {
    let mounted = |volume: &Volume| volume.at.is_some() || volume.uri.value.scheme() == Scheme::File;
    match location {
        DataRef::Code | DataRef::Stage(_) | DataRef::Scratch => true,
        DataRef::Data(i) => plan.storage.data.get(i).is_none_or(mounted),
        DataRef::Checkpoints => plan.storage.checkpoints.as_ref().is_none_or(mounted),
    }
}

/// Reports a relative working directory. Platforms start programs in different directories, so a path must be absolute.
fn absolute(workdir: &At<Text>, out: &mut Vec<Diagnostic>) {
    let text = workdir.value.as_str();
    let plain = !text.contains('{');
    if text.starts_with('{') || !plain && text.starts_with('/') {
        return;
    }
    if let Err(wrong) = AbsolutePath::parse(text) {
        let diagnostic = Diagnostic::new(&BAD_VALUE, workdir.span, wrong.message).help(WORKDIR);
        out.push(match wrong.instead {
            Some(meant) => diagnostic.fix(Fix::replace(workdir.span, format!("\"{meant}\""))),
            None => diagnostic,
        });
    }
}
