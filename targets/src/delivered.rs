//! Warnings of programs at relative paths in `run` or `shell` that no entry of the job delivers to the working directory.
mod alone;
mod board;
mod started;

pub use alone::alone;
pub use board::{Files, board};

use crate::codes::UNDELIVERED_FILE;
use std::collections::BTreeSet;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{Part, Plan, Role, Template};
use tfjob_lang::requirement::{Job, Program, Required, Requirement};
use tfjob_lang::sources::Span;

/// The directory in which a task starts, if its role has an image and no `workdir`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The `WORKDIR` of the image.
    Image,
    /// The same directory as for a task without an image. The text says why the `WORKDIR` of the image has no effect.
    Container(&'static str),
}

/// Warns of each program that a task would look for in its working directory, although nothing delivers the program there.
/// `settings`: values of target options, which may also deliver files. `code`: an example of a URI from which the target downloads
/// files; the help shows it.
pub fn judge(target: &str, plan: &Plan, start: Start, settings: &[&str], code: &str) -> Vec<Diagnostic> {
    if plan.storage.code.is_some() {
        return Vec::new();
    }
    let mut reported = BTreeSet::new();
    let one = |required: &Required| {
        let (role, path, at) = started(plan, required)?;
        let why = match (&role.image, start) {
            (Some(_), Start::Image) => return None,
            (Some(_), Start::Container(why)) => Some(why),
            (None, _) => None,
        };
        let lost = role.workdir.is_none() && !staged(plan, path) && !named(target, plan, settings, path);
        let start = || python(required, path, at).unwrap_or_default();
        (lost && reported.insert(at)).then(|| undelivered(target, why, path, (code, &start()), at))
    };
    plan.requirements.iter().filter_map(one).collect()
}

/// Returns the end of the help for a Python file that is the program of `run`: a task finds it only as an argument of Python.
fn python(required: &Required, path: &str, at: Span) -> Option<String> {
    let Requirement::Program(Program::Run { argv, .. }) = &required.requirement else { return None };
    let is_program = argv.first().is_some_and(|word| word.span == at) && started::is_bare_script(path);
    is_program.then(|| match argv.len() {
        0 | 1 => format!(", and start it with Python: `run \"python\" \"{path}\"`"),
        _ => format!(", and start it with Python: `run \"python\" \"{path}\" …`"),
    })
}

fn undelivered(
    target: &str,
    why: Option<&str>,
    path: &str,
    (code, start): (&str, &str),
    at: Span,
) -> Diagnostic {
    let path = path.escaped();
    let (fact, help) = if let Some(why) = why {
        let inside = path.to_string();
        let inside = inside.trim_start_matches("./");
        (
            format!("{target}: `{path}` is probably not found, because {why}"),
            format!(
                "write the absolute path in the image, such as `/app/{inside}`; or set the working directory to the directory that contains this file in the image: `workdir \"/app\"`"
            ),
        )
    } else {
        (
            format!(
                "{target}: `{path}` is not delivered to the tasks: the job has no `image`, `code`, or `files` that contains it"
            ),
            format!(
                "add an archive with this file to the job, such as `code \"{code}\"`{start}; or write the absolute path that it has on every node"
            ),
        )
    };
    Diagnostic::new(&UNDELIVERED_FILE, at, fact).here("not in the working directory of the task").help(help)
}

/// Returns the role of a task, the file that the task starts from its working directory, and the span of this file. For `shell`,
/// the span is that of the script. `None` if the task starts no file there.
fn started<'p>(plan: &'p Plan, required: &'p Required) -> Option<(&'p Role, &'p str, Span)> {
    if let Requirement::Program(Program::Run { role, argv }) = &required.requirement {
        let words: Vec<&str> = argv.iter().map(|word| plain(word).unwrap_or("$")).collect();
        let role = &plan.roles[*role];
        let by_words = if role.image.is_some() { started::by_words } else { started::by_words_or_name };
        // A name with a space is usually several arguments in one string. Another check warns of such a name.
        let (number, path) = by_words(&words).filter(|(_, path)| !path.contains(' '))?;
        return Some((role, path, argv[number].span));
    }
    if let Requirement::Program(Program::Shell { role, text }) = &required.requirement {
        let role = &plan.roles[*role];
        let by_script = if role.image.is_some() { started::by_script } else { started::by_script_or_name };
        return Some((role, by_script(text)?, required.at));
    }
    None
}

/// Returns whether a `files` entry delivers the file at a path. Such an entry puts its files into the working directory of the
/// task.
fn staged(plan: &Plan, path: &str) -> bool {
    let path = path.trim_start_matches("./");
    plan.storage.stage.iter().any(|stage| {
        let file = stage.uri.value.path().rsplit('/').next().unwrap_or_default();
        let name = stage.name.value.as_str();
        let first = path.split('/').next().unwrap_or_default();
        path == file || first == name || first.strip_prefix("files-") == Some(name)
    })
}

/// Returns whether a patch or a target option contains the file name of a path. If so, the patch or the option may deliver the
/// file.
fn named(target: &str, plan: &Plan, settings: &[&str], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let patches = plan.requirements.iter().any(
        |required| matches!(&required.requirement, Requirement::Job(Job::Patch { target: of, text, .. }) if of == target && text.contains(name)),
    );
    patches || settings.iter().any(|text| text.contains(name))
}

fn plain(word: &Template) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Text(text)] => Some(text),
        _ => None,
    }
}
