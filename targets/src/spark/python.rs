//! The Python interpreter of the driver and the executors. The option `python` names it. If the option is unset, it is the
//! interpreter that the commands of the job run.
use super::context::Context;
use super::text;
use crate::contract_builder::{Location, Places};
use tfjob_contract::variable;
use tfjob_lang::at::At;
use tfjob_lang::plan::{Command, DataRef, Part, Plan, Role};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;

/// A Python interpreter: in `code` or `files` of the job, or at a path that exists on every node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Python {
    /// The `code` or `files` entry that contains the interpreter.
    pub place: Option<DataRef>,
    /// Path of the interpreter: relative to `place` or, without `place`, absolute.
    pub path: String,
    /// Span in the spec that names the interpreter.
    pub at: Span,
}

impl Python {
    /// Returns the path of the interpreter for Spark. The path of an interpreter in an unpacked archive is relative to the working
    /// directory of the executor, in which Spark starts the interpreter.
    pub fn word(&self, places: &Places) -> String {
        match self.place.map(|place| places.of(place)) {
            Some(Location { under: Some(_), path }) => format!(".{path}{}", self.path),
            Some(Location { under: None, path }) => format!("{path}{}", self.path),
            None => self.path.clone(),
        }
    }
}

/// Returns the interpreter that the option `python` names: by an absolute path, by a `files` entry with a virtual environment, or
/// by a path in `code` or `files`. `None` if the option has none of these forms.
pub fn named(plan: &Plan, option: &At<Text>) -> Option<Python> {
    let (word, at) = (option.value.as_str(), option.span);
    let stage = |name: &str| plan.storage.stage.iter().position(|v| v.name.value == name).map(DataRef::Stage);
    let found = |place, path: &str| {
        // A path with a trailing slash is a directory, and execve(2) fails with EACCES for a directory.
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

/// The Python interpreter of the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver<'a> {
    /// The interpreter of the executors. The driver finds this interpreter, because the driver has the same archives, image, and
    /// node paths as the executors. Since 3.1.1, `SparkSubmit` also unpacks archives in the working directory of a driver on
    /// Kubernetes (SPARK-33748, and the class file of `SparkSubmit`).
    Same,
    /// An interpreter on the submitting host. This host has none of the archives and mounts of the executors.
    Submitter(&'a str),
}

/// Returns the interpreter of the driver. `path`: the interpreter of the executors.
pub fn of_driver<'a>(context: &Context<'_>, path: &'a str) -> Driver<'a> {
    match (context.client(), path.starts_with('/') && !context.contained()) {
        (false, _) => Driver::Same,
        // An absolute path outside a container exists on every node. So it is assumed to exist on the submitting host.
        (true, true) => Driver::Submitter(path),
        (true, false) => Driver::Submitter(PYTHON),
    }
}

/// Interpreter that Spark uses if no setting names one (`PythonRunner`).
pub const PYTHON: &str = "python3";

/// The Python interpreter that the executors must have, according to the command of a role.
enum Implied {
    /// The command names no interpreter, or one that the system looks up in `PATH`.
    Nothing,
    /// The command names an interpreter by its path.
    This(Python),
    /// The command names an interpreter by a path that Spark cannot use.
    Unusable(Span),
    /// The command names no path, but the interpreter may be in a directory of `code` or `files` that `PATH` contains.
    InPath(Span),
}

/// The reason why the commands of the job do not determine one interpreter.
pub struct Unclear {
    /// Span of the interpreter in one role.
    pub at: Span,
    /// The reason, for a message.
    pub fact: String,
    /// Span of another interpreter in another role, if the roles differ.
    pub other: Option<Span>,
}

/// Returns the interpreter that the commands of the roles run. `None` if they do not name it by its path.
///
/// # Errors
/// Returns the reason in three cases: the roles run different interpreters, Spark cannot use the path, or `PATH` may contain an
/// interpreter in `code` or `files`.
pub fn of_job(context: &Context<'_>) -> Result<Option<Python>, Unclear> {
    let mut first: Option<Python> = None;
    for role in &context.plan.roles {
        let python = match implied(context.plan, role) {
            Implied::Nothing => continue,
            Implied::This(python) => python,
            Implied::InPath(at) => {
                let fact = "`PATH` may find a Python in this directory, but Spark does not use the `PATH` of a task to start Python".to_owned();
                return Err(Unclear { at, fact, other: None });
            }
            Implied::Unusable(at) => {
                let fact = "this command runs a Python at a path that Spark cannot use for its own Python"
                    .to_owned();
                return Err(Unclear { at, fact, other: None });
            }
        };
        match &first {
            None => first = Some(python),
            Some(known) if (known.place, &known.path) == (python.place, &python.path) => {}
            Some(known) => {
                let fact =
                    "roles run different Pythons, but Spark uses the same one in all executors".to_owned();
                return Err(Unclear { at: python.at, fact, other: Some(known.at) });
            }
        }
    }
    Ok(first)
}

fn implied(plan: &Plan, role: &Role) -> Implied {
    match &role.command {
        Command::Run(argv) => argv.first().map_or(Implied::Nothing, |first| match first.parts.as_slice() {
            [Part::Text(name)] if is_bare(name) => of_path(role),
            parts => of_argument(parts, first.span),
        }),
        Command::Shell(text) => of_script(plan, text),
    }
}

/// Returns whether a text is the name of an interpreter that the system looks up in `PATH`.
fn is_bare(name: &str) -> bool {
    !name.contains('/') && ends_in_python(name)
}

/// Returns what the `PATH` of a role implies for an interpreter without a path. If `PATH` contains a directory of `code` or
/// `files`, the interpreter may be there.
fn of_path(role: &Role) -> Implied {
    let path = role.env.iter().rev().find(|(variable, _)| variable.value == "PATH");
    let shipped = path.and_then(|(_, path)| {
        let mut places = path.parts.iter().filter_map(place);
        places.find(|(place, _)| matches!(place, DataRef::Code | DataRef::Stage(_)))
    });
    shipped.map_or(Implied::Nothing, |(_, at)| Implied::InPath(at))
}

/// Returns whether the last component of a path is `python`, `python3`, `python3.11`, or similar.
fn ends_in_python(path: &str) -> bool {
    let version = path.rsplit('/').next().and_then(|name| name.strip_prefix("python"));
    version.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

/// Returns the interpreter that the first argument of `run` names.
fn of_argument(parts: &[Part], at: Span) -> Implied {
    let Some(Part::Text(end)) = parts.last() else { return Implied::Nothing };
    if !end.contains('/') || !ends_in_python(end) {
        return Implied::Nothing;
    }
    match parts {
        [Part::Data(place, at), Part::Text(path)] => below(*place, path, *at),
        // An absolute path is on the node or in the image. Executors then use the Python at this path.
        [Part::Text(path)] if path.starts_with('/') && text::plain_fault(path).is_none() => {
            Implied::This(Python { place: None, path: path.clone(), at })
        }
        [Part::Text(_)] => Implied::Nothing,
        _ => parts.iter().find_map(place).map_or(Implied::Nothing, |(_, at)| Implied::Unusable(at)),
    }
}

/// Returns the first interpreter that a script runs or activates by a path in `code` or `files`.
fn of_script(plan: &Plan, text: &At<String>) -> Implied {
    let stages = plan.storage.stage.iter().enumerate();
    let stages = stages.map(|(i, v)| (DataRef::Stage(i), variable(&["files", &v.name.value])));
    let code = plan.storage.code.iter().map(|_| (DataRef::Code, variable(&["code"])));
    let first_of = |(found, name): (DataRef, String)| {
        let forms = [format!("${name}/"), format!("${{{name}}}/")];
        let starts = forms.iter().flat_map(|form| text.value.match_indices(form.as_str()));
        starts.map(|(at, form)| (at, &text.value[at + form.len() - 1..])).find_map(|(at, rest)| {
            let end = rest.find(|c: char| c.is_whitespace() || "\"';|&()<>".contains(c));
            let path = &rest[..end.unwrap_or(rest.len())];
            let before = &text.value[..at];
            // The script `activate` of `venv`, `virtualenv`, and `conda-pack` makes its own directory the first in `PATH`.
            if let (Some(bin), true) = (path.strip_suffix("/activate"), is_sourced(before)) {
                return Some((at, below(found, &format!("{bin}/python"), text.span)));
            }
            (ends_in_python(path) && begins_command(before)).then(|| (at, below(found, path, text.span)))
        })
    };
    let first = stages.chain(code).filter_map(first_of).min_by_key(|(at, _)| *at);
    first.map_or(Implied::Nothing, |(_, implied)| implied)
}

/// Returns whether a shell sources the word that follows the text `before`.
fn is_sourced(before: &str) -> bool {
    let before = before.trim_end_matches('"').trim_end_matches([' ', '\t']);
    let command = before.strip_suffix('.').or_else(|| before.strip_suffix("source"));
    command.is_some_and(begins_command)
}

/// Returns whether a shell runs the word that follows the text `before` as a command.
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

fn below(place: DataRef, path: &str, at: Span) -> Implied {
    match place {
        DataRef::Code | DataRef::Stage(_) if path.starts_with('/') && text::plain_fault(path).is_none() => {
            Implied::This(Python { place: Some(place), path: path.to_owned(), at })
        }
        DataRef::Code | DataRef::Stage(_) | DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch => {
            Implied::Unusable(at)
        }
    }
}
