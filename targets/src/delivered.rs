//! Programs that nothing puts into a task: a relative path in `run` where there is no image, no code and no stage.
use crate::codes::UNDELIVERED_FILE;
use std::collections::BTreeSet;
use tfjob_lang::ask::{Ask, Asked};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Part, Plan, Template};

/// Options of interpreters that take no value, so that the next argument is still the script.
const FLAGS: [&str; 13] = ["-u", "-B", "-E", "-I", "-O", "-OO", "-s", "-S", "-e", "-x", "-ex", "-eu", "-eux"];

/// Warns of each program of `run` that a task would look for in its own empty directory. `settings` are texts of the
/// target's own options, which can deliver files too; `code` is an address that the target fetches from.
pub fn judge(target: &str, plan: &Plan, settings: &[&str], code: &str) -> Vec<Diagnostic> {
    if plan.storage.code.is_some() || !plan.storage.stage.is_empty() {
        return Vec::new();
    }
    let mut told = BTreeSet::new();
    let one = |asked: &Asked| {
        let Ask::Run { role, argv } = &asked.ask else { return None };
        let role = &plan.roles[*role];
        if role.image.is_some() || role.workdir.is_some() {
            return None;
        }
        let (word, path) = program(argv)?;
        (!named(target, plan, settings, path) && told.insert(word.span)).then(|| {
            let fact = format!(
                "{target}: nothing delivers `{}` to the tasks: the job has no `image`, `code` or `stage`",
                path.escape_debug()
            );
            let help = format!(
                "add `code \"{code}\"` to the job, an archive with this file; or write the absolute path that it has on every node"
            );
            Diagnostic::new(&UNDELIVERED_FILE, word.span, fact).here("not in the task's directory").help(help)
        })
    };
    plan.asks.iter().filter_map(one).collect()
}

/// Whether the job's own words for this platform name the file: a patch or a setting may deliver it.
fn named(target: &str, plan: &Plan, settings: &[&str], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let patches = plan.asks.iter().any(
        |asked| matches!(&asked.ask, Ask::Patch { target: of, text, .. } if of == target && text.contains(name)),
    );
    patches || settings.iter().any(|text| text.contains(name))
}

/// The file that a command starts from its directory: the program itself, or the script of an interpreter.
fn program(argv: &[Template]) -> Option<(&Template, &str)> {
    let [first, rest @ ..] = argv else { return None };
    let program = plain(first)?;
    if program.contains('/') {
        return relative(program).then_some((first, program));
    }
    let versions = |c: char| c.is_ascii_digit() || c == '.';
    if !matches!(program.trim_end_matches(versions), "python" | "bash" | "sh" | "Rscript" | "perl" | "node") {
        return None;
    }
    let script = rest.iter().find(|word| !plain(word).is_some_and(|word| FLAGS.contains(&word)))?;
    let path = plain(script)?;
    (relative(path) && !path.starts_with('-')).then_some((script, path))
}

/// `~` has its own warning.
fn relative(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', '~', '$'])
}

fn plain(word: &Template) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Text(text)] => Some(text),
        _ => None,
    }
}
