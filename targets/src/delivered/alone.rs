//! Warnings of commands that start a file other than `code`, if `code` is a single file.
use super::{named, started};
use crate::codes::UNDELIVERED_FILE;
use crate::pack;
use std::collections::BTreeSet;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{Command, DataRef, Part, Plan, Role, RoleId, Template, Volume};
use tfjob_lang::requirement::{Program, Required, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Archive, Class};

/// Text that stands for the code directory in the arguments of a command.
const CODE: &str = "{code}";

/// Warns of each script or module other than the file of `code`, if `code` is a single file that the target copies into an empty
/// directory. A file on a mounted disk causes no warning, because the files next to it are mounted too. `settings`: see
/// [`super::judge`].
pub fn alone(target: &str, plan: &Plan, settings: &[&str]) -> Vec<Diagnostic> {
    let Some(code) = plan.storage.code.as_ref().filter(|code| code.at.is_none() && copied(code)) else {
        return Vec::new();
    };
    if !plan.storage.stage.is_empty() {
        return Vec::new();
    }
    let file = code.uri.value.name();
    let mut reported = BTreeSet::new();
    let found = plan.requirements.iter().filter_map(|required| {
        let (shown, name, at) = script(plan, required, file).or_else(|| module(plan, required, file))?;
        let other = !named(target, plan, settings, &name) && reported.insert(at);
        other.then(|| diagnostic(code, &shown, at))
    });
    found.collect()
}

/// Returns whether `code` is certainly a single file, which a target copies without the files next to it.
fn copied(code: &Volume) -> bool {
    let uri = &code.uri.value;
    let carried = match uri.scheme().class() {
        Class::Spec | Class::Hadoop | Class::Bucket | Class::Web => true,
        Class::Node | Class::Volume | Class::Repository => false,
    };
    let packed = Archive::of(uri).is_some() || Archive::unread(uri).is_some();
    carried && !packed && pack::is_file(uri.path()) && !uri.path().contains(['?', '#', '%'])
}

/// Returns the script in the code directory that a command starts: the path as the command contains it, the path below the code
/// directory, and the span. `None` if the command starts no such script, or if the script is `file`, the file of `code`.
fn script(plan: &Plan, required: &Required, file: &str) -> Option<(String, String, Span)> {
    let (role, found, at) = started_by(required, started::by_words, started::by_script)?;
    let below = found.strip_prefix(CODE).map(|rest| rest.trim_start_matches('/'));
    if below.is_none() && !starts_in_code(&plan.roles[role]) {
        return None;
    }
    let path = below.unwrap_or(&found).trim_start_matches("./");
    let other = path != file && !path.is_empty() && path != "." && path.split('/').all(|step| step != "..");
    other.then(|| (found.clone(), path.to_owned(), at))
}

/// Returns the Python module that a command starts: the arguments `-m NAME`, the name, and the span. `None` if the command starts
/// no module. Also `None` if any role refers to the file of `code` or to the whole code directory: the job then uses `code`, and
/// the module may come from the image.
fn module(plan: &Plan, required: &Required, file: &str) -> Option<(String, String, Span)> {
    let stem = file.strip_suffix(".py")?;
    let (role, name, at) = started_by(required, started::module, started::module_of_script)?;
    let used = plan.roles.iter().any(|role| uses(role, stem));
    (!used && starts_in_code(&plan.roles[role])).then(|| (format!("-m {name}"), name, at))
}

/// Returns the role of a command, the file or module that the command starts, and the span of this file or module. `required` has
/// the arguments of `run` or the text of `shell`. `by_words` and `by_script` find the file or module in these arguments or in this
/// text.
fn started_by(
    required: &Required,
    by_words: impl for<'w> Fn(&[&'w str]) -> Option<(usize, &'w str)>,
    by_script: impl Fn(&str) -> Option<&str>,
) -> Option<(RoleId, String, Span)> {
    if let Requirement::Program(Program::Run { role, argv }) = &required.requirement {
        let words = written(argv);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (number, found) = by_words(&words)?;
        return Some((*role, found.to_owned(), argv[number].span));
    }
    if let Requirement::Program(Program::Shell { role, text }) = &required.requirement {
        return Some((*role, by_script(text)?.to_owned(), required.at));
    }
    None
}

/// Returns whether the command or the environment of a role contains a text, or refers to the code directory as a whole.
fn uses(role: &Role, text: &str) -> bool {
    let has = |template: &Template| {
        template.parts.iter().any(|part| match part {
            Part::Text(own) => own.contains(text),
            Part::Data(place, _) => *place == DataRef::Code,
            Part::Task(..) => false,
        })
    };
    let command = match &role.command {
        Command::Run(words) => words.iter().any(has),
        Command::Shell(script) => script.value.contains(text) || script.value.contains("TFJOB_CODE"),
    };
    command || role.env.iter().any(|(_, value)| has(value))
}

fn starts_in_code(role: &Role) -> bool {
    let of_code = |dir: &Template| matches!(dir.parts.as_slice(), [Part::Data(DataRef::Code, _)]);
    role.workdir.as_ref().is_none_or(of_code)
}

/// Returns the arguments of a command. [`CODE`] replaces a reference to the code directory, and `$` replaces any other reference.
fn written(argv: &[Template]) -> Vec<String> {
    let one = |word: &Template| match word.parts.as_slice() {
        [Part::Text(text)] => text.clone(),
        [Part::Data(DataRef::Code, _), Part::Text(rest)] => format!("{CODE}{rest}"),
        _ => "$".to_owned(),
    };
    argv.iter().map(one).collect()
}

fn diagnostic(code: &Volume, path: &str, at: Span) -> Diagnostic {
    let (uri, path) = (&code.uri.value, path.escaped());
    let file = uri.name().escaped();
    let fact = format!("`code` is the single file `{file}`, so `{path}` is not delivered");
    let whole = if uri.scheme().class() == Class::Spec {
        let folder = uri.path().rsplit_once('/').map_or(".", |(folder, _)| folder);
        format!("the directory that contains `{path}`, such as `code \"{folder}/\"`")
    } else {
        format!(
            "an archive that contains `{path}`, such as `code \"{}\"`",
            Archive::repacked(uri, Archive::Zip)
        )
    };
    Diagnostic::new(&UNDELIVERED_FILE, at, fact)
        .here("not in the working directory of the task")
        .label(code.uri.span, "single file")
        .help(format!("start `{file}`, or set `code` to {whole}"))
}
