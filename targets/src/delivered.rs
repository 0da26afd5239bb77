//! Programs that nothing puts into the directory in which a task starts: a relative path in `run` or `shell`.
mod alone;
mod board;
mod started;

pub use alone::alone;
pub use board::{Files, board};

use crate::codes::UNDELIVERED_FILE;
use std::collections::BTreeSet;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Part, Plan, Role, Template};
use tfjob_lang::requirement::{Job, Program, Required, Requirement};
use tfjob_lang::sources::Span;

/// Where a task starts that has an image and says no `workdir`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// In the image's own directory, its `WORKDIR`.
    Image,
    /// In the container's own directory, as without an image; and why.
    Container(&'static str),
}

/// Warns of each program that a task would look for in its own empty directory. `settings` are texts of the target's own
/// options, which can deliver files too; `code` is an address that the target fetches from.
pub fn judge(target: &str, plan: &Plan, start: Start, settings: &[&str], code: &str) -> Vec<Diagnostic> {
    if plan.storage.code.is_some() {
        return Vec::new();
    }
    let mut told = BTreeSet::new();
    let one = |required: &Required| {
        let (role, path, at) = started(plan, required)?;
        let why = match (&role.image, start) {
            (Some(_), Start::Image) => return None,
            (Some(_), Start::Container(why)) => Some(why),
            (None, _) => None,
        };
        let lost = role.workdir.is_none() && !staged(plan, path) && !named(target, plan, settings, path);
        (lost && told.insert(at)).then(|| undelivered(target, why, path, code, at))
    };
    plan.requirements.iter().filter_map(one).collect()
}

fn undelivered(target: &str, why: Option<&str>, path: &str, code: &str, at: Span) -> Diagnostic {
    let path = path.escape_debug();
    let (fact, help) = if let Some(why) = why {
        let inside = path.to_string();
        let inside = inside.trim_start_matches("./");
        (
            format!("{target}: `{path}` is looked for in the container's own directory: {why}"),
            format!(
                "write its absolute path in the image, such as `/app/{inside}`; or add `workdir \"/app\"`, the folder of the image that has it"
            ),
        )
    } else {
        (
            format!(
                "{target}: nothing delivers `{path}` to the tasks: the job has no `image`, `code` or `files` with it"
            ),
            format!(
                "add `code \"{code}\"` to the job, an archive with this file; or write the absolute path that it has on every node"
            ),
        )
    };
    Diagnostic::new(&UNDELIVERED_FILE, at, fact).here("not in the task's directory").help(help)
}

/// The file that a task starts from its directory, with the words that say so.
fn started<'p>(plan: &'p Plan, required: &'p Required) -> Option<(&'p Role, &'p str, Span)> {
    if let Requirement::Program(Program::Run { role, argv }) = &required.requirement {
        let words: Vec<&str> = argv.iter().map(|word| plain(word).unwrap_or("$")).collect();
        let (number, path) = started::by_words(&words)?;
        return Some((&plan.roles[*role], path, argv[number].span));
    }
    if let Requirement::Program(Program::Shell { role, text }) = &required.requirement {
        return Some((&plan.roles[*role], started::by_script(text)?, required.at));
    }
    None
}

/// Whether the path is that of `files`, which stand in the task's directory by their own name.
fn staged(plan: &Plan, path: &str) -> bool {
    let path = path.trim_start_matches("./");
    plan.storage.stage.iter().any(|stage| {
        let file = stage.uri.value.path().rsplit('/').next().unwrap_or_default();
        let name = stage.name.value.as_str();
        let first = path.split('/').next().unwrap_or_default();
        path == file || first == name || first.strip_prefix("files-") == Some(name)
    })
}

/// Whether the job's own words for this platform name the file: a patch or a setting may deliver it.
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
