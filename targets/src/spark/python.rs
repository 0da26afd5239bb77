//! Which Python the driver and the executors run: the one that the target names, else the one that the job's words run.
use super::context::Context;
use super::text;
use crate::contract_builder::{Location, Places};
use tfjob_contract::variable;
use tfjob_lang::at::At;
use tfjob_lang::plan::{Command, DataRef, Part, Plan, Role};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;

/// A Python: below what the job brings along, or a path of every node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Python {
    /// What it is below, if the job brings it.
    pub place: Option<DataRef>,
    /// The path, from there on.
    pub path: String,
    /// The words that say so.
    pub at: Span,
}

impl Python {
    /// As Spark is told: it starts Python in the executor's folder.
    pub fn word(&self, places: &Places) -> String {
        match self.place.map(|place| places.of(place)) {
            Some(Location { under: Some(_), path }) => format!(".{path}{}", self.path),
            Some(Location { under: None, path }) => format!("{path}{}", self.path),
            None => self.path.clone(),
        }
    }
}

/// The Python of the target's word: an absolute path, `files` that are a virtual environment, or a path below `files` or
/// the code. `None` where it is none of them.
pub fn named(plan: &Plan, option: &At<Text>) -> Option<Python> {
    let (word, at) = (option.value.as_str(), option.span);
    let stage = |name: &str| plan.storage.stage.iter().position(|v| v.name.value == name).map(DataRef::Stage);
    let found = |place, path: &str| {
        // execve(2) of a directory is EACCES.
        let file = text::plain_fault(path).is_none() && !path.ends_with('/');
        file.then(|| Python { place, path: path.to_owned(), at })
    };
    if word.starts_with('/') {
        return found(None, word);
    }
    if let Some(place) = stage(word) {
        return found(Some(place), "/bin/python");
    }
    let (name, path) = word.strip_prefix('{')?.split_once('}').filter(|(_, path)| path.starts_with('/'))?;
    match name.strip_prefix("files.") {
        Some(name) => found(Some(stage(name)?), path),
        None => {
            found(Some(plan.storage.code.as_ref().filter(|_| name == "code").map(|_| DataRef::Code)?), path)
        }
    }
}

/// The Python that starts the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver<'a> {
    /// The executors': the driver has their archives, their image and their node's paths. `SparkSubmit` of 3.1.1 unpacks
    /// archives in the working directory of a driver in Kubernetes, too (SPARK-33748; seen in its class).
    Same,
    /// This one of the host that submits, where nothing of the executors' is unpacked or mounted.
    Submitter(&'a str),
}

/// Of executors that start the Python at this path.
pub fn of_driver<'a>(context: &Context<'_>, path: &'a str) -> Driver<'a> {
    match (context.client(), path.starts_with('/') && !context.contained()) {
        (false, _) => Driver::Same,
        // A path that every node has.
        (true, true) => Driver::Submitter(path),
        (true, false) => Driver::Submitter(PYTHON),
    }
}

/// What Spark starts where nothing is said (`PythonRunner`).
pub const PYTHON: &str = "python3";

/// What a role's words say of its Python.
enum Said {
    /// Nothing: what `PATH` finds, or no Python at all.
    Nothing,
    /// This one.
    This(Python),
    /// One that Spark cannot be told.
    Unknown(Span),
    /// Maybe one of this folder of `PATH`.
    InPath(Span),
}

/// Why the job's words do not say which Python: the words, what they say, and the words that say otherwise.
pub struct Unsaid {
    /// Of one role.
    pub at: Span,
    /// What keeps it from being followed.
    pub fact: String,
    /// Of another.
    pub other: Option<Span>,
}

/// The Python that the roles run, where their words name one by its path.
pub fn of_job(context: &Context<'_>) -> Result<Option<Python>, Unsaid> {
    let mut first: Option<Python> = None;
    for role in &context.plan.roles {
        let python = match said(context.plan, role) {
            Said::Nothing => continue,
            Said::This(python) => python,
            Said::InPath(at) => {
                let fact = "`PATH` may find a Python in this folder, and Spark starts its own by no `PATH` of a task".to_owned();
                return Err(Unsaid { at, fact, other: None });
            }
            Said::Unknown(at) => {
                let fact = "these words run a Python that Spark cannot be told of".to_owned();
                return Err(Unsaid { at, fact, other: None });
            }
        };
        match &first {
            None => first = Some(python),
            Some(known) if (known.place, &known.path) == (python.place, &python.path) => {}
            Some(known) => {
                let fact = "roles run different Pythons, and Spark starts one in every executor".to_owned();
                return Err(Unsaid { at: python.at, fact, other: Some(known.at) });
            }
        }
    }
    Ok(first)
}

fn said(plan: &Plan, role: &Role) -> Said {
    match &role.command {
        Command::Run(words) => words.first().map_or(Said::Nothing, |word| match word.parts.as_slice() {
            [Part::Text(name)] if is_bare(name) => of_path(role),
            parts => of_word(parts, word.span),
        }),
        Command::Shell(text) => of_text(plan, text),
    }
}

/// Whether a word is the name of a Python that `PATH` finds.
fn is_bare(word: &str) -> bool {
    !word.contains('/') && ends_in_python(word)
}

/// Of a Python that `PATH` finds, where the role's own has a folder of what the job brings along: an environment, or tools of
/// another kind. Nobody sees which.
fn of_path(role: &Role) -> Said {
    let path = role.env.iter().rev().find(|(variable, _)| variable.value == "PATH");
    let brought = path.and_then(|(_, path)| {
        let mut places = path.parts.iter().filter_map(place);
        places.find(|(place, _)| matches!(place, DataRef::Code | DataRef::Stage(_)))
    });
    brought.map_or(Said::Nothing, |(_, at)| Said::InPath(at))
}

/// Whether a path ends in a Python: `python`, `python3`, `python3.11`.
fn ends_in_python(path: &str) -> bool {
    let version = path.rsplit('/').next().and_then(|name| name.strip_prefix("python"));
    version.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

/// Of the first word of `run`, which stands at `at`.
fn of_word(parts: &[Part], at: Span) -> Said {
    let Some(Part::Text(end)) = parts.last() else { return Said::Nothing };
    if !end.contains('/') || !ends_in_python(end) {
        return Said::Nothing;
    }
    match parts {
        [Part::Data(place, at), Part::Text(path)] => below(*place, path, *at),
        // A path of the node, or of the image: executors import TensorFlowOnSpark from what is installed there.
        [Part::Text(path)] if path.starts_with('/') && text::plain_fault(path).is_none() => {
            Said::This(Python { place: None, path: path.clone(), at })
        }
        [Part::Text(_)] => Said::Nothing,
        _ => parts.iter().find_map(place).map_or(Said::Nothing, |(_, at)| Said::Unknown(at)),
    }
}

/// Of a shell's text: the first path below a variable of what the job brings along that ends in a Python, or whose Python is
/// activated.
fn of_text(plan: &Plan, text: &At<String>) -> Said {
    let stages = plan.storage.stage.iter().enumerate();
    let stages = stages.map(|(i, v)| (DataRef::Stage(i), variable(&["files", &v.name.value])));
    let code = plan.storage.code.iter().map(|_| (DataRef::Code, variable(&["code"])));
    let one = |(found, name): (DataRef, String)| {
        let forms = [format!("${name}/"), format!("${{{name}}}/")];
        let starts = forms.iter().flat_map(|form| text.value.match_indices(form.as_str()));
        starts.map(|(at, form)| (at, &text.value[at + form.len() - 1..])).find_map(|(at, rest)| {
            let end = rest.find(|c: char| c.is_whitespace() || "\"';|&()<>".contains(c));
            let path = &rest[..end.unwrap_or(rest.len())];
            let before = &text.value[..at];
            // The script of `venv`, `virtualenv` and `conda-pack`: it puts its own directory first in `PATH`.
            if let (Some(bin), true) = (path.strip_suffix("/activate"), is_sourced(before)) {
                return Some((at, below(found, &format!("{bin}/python"), text.span)));
            }
            (ends_in_python(path) && begins_command(before)).then(|| (at, below(found, path, text.span)))
        })
    };
    let first = stages.chain(code).filter_map(one).min_by_key(|(at, _)| *at);
    first.map_or(Said::Nothing, |(_, said)| said)
}

/// Whether a shell reads a word behind these as a script of its own.
fn is_sourced(before: &str) -> bool {
    let before = before.trim_end_matches('"').trim_end_matches([' ', '\t']);
    let command = before.strip_suffix('.').or_else(|| before.strip_suffix("source"));
    command.is_some_and(begins_command)
}

/// Whether a word behind these is one that a shell starts.
pub fn begins_command(before: &str) -> bool {
    let before = before.trim_end_matches('"').trim_end_matches([' ', '\t']);
    let last = before.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
    before.is_empty()
        || before.ends_with(['\n', ';', '&', '|', '('])
        || matches!(last, "exec" | "then" | "do" | "time" | "env")
}

const fn place(part: &Part) -> Option<(DataRef, Span)> {
    match part {
        Part::Data(place, at) => Some((*place, *at)),
        Part::Text(_) | Part::Task(..) => None,
    }
}

fn below(place: DataRef, path: &str, at: Span) -> Said {
    match place {
        DataRef::Code | DataRef::Stage(_) if path.starts_with('/') && text::plain_fault(path).is_none() => {
            Said::This(Python { place: Some(place), path: path.to_owned(), at })
        }
        DataRef::Code | DataRef::Stage(_) | DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch => {
            Said::Unknown(at)
        }
    }
}
