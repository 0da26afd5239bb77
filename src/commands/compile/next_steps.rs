//! The next steps: commands that the user or a pipeline runs in the directory of the spec, grouped by phase.
use super::Made;
use crate::files::{self, SHIM, Shim};
use crate::terminal::plain;
use std::io::{self, Write};
use std::path::Path;
use tfjob_lang::lowered::{Phase, Step, Word};
use tfjob_targets::shell;

/// Prints the names of the scripts, and the numbered steps under `Setup`, `Submit`, and `Clean up`. `scripts`: the scripts that
/// were written.
///
/// # Errors
/// Returns an error if standard error cannot be written.
pub fn print<'a>(
    out: &Path,
    made: &Made,
    steps: impl Iterator<Item = &'a Step> + Clone,
    scripts: &[&str],
    sets: &[String],
    err: &mut dyn Write,
) -> io::Result<()> {
    let home = files::home(made.spec);
    let folder = out.join(&made.folder);
    if !scripts.is_empty() {
        let (folder, scripts) = (folder.to_string_lossy(), scripts.join(", "));
        writeln!(err, "Scripts in {}, which run from any directory: {scripts}", plain(&folder))?;
    }
    let folder = files::relative_path(home, &folder);
    let spec = made.spec.file_name().unwrap_or_default().to_string_lossy();
    let mut all: Vec<(&str, String, String)> = Vec::new();
    if steps.clone().any(reads_shim) {
        all.extend(copy_shim(home).map(|(line, why)| (SETUP, line, why)));
    }
    let short = short(steps.clone(), scripts);
    let mut printed: Vec<&Step> =
        steps.filter(|step| short.is_none() || step.phase != Phase::After).collect();
    printed.extend(&short);
    all.extend(printed.into_iter().filter_map(|step| {
        let title = title(step.phase)?;
        let mut words = step.words(&folder.to_string_lossy(), &spec);
        // A command that reads the spec needs the `--set` arguments of this compilation.
        if step.argv.iter().any(|word| matches!(word, Word::Spec)) {
            words.extend(sets.iter().flat_map(|set| ["--set".to_owned(), set.clone()]));
        }
        Some((title, shell::join(words.iter().map(String::as_str)), step.why.clone()))
    }));
    if all.is_empty() {
        return Ok(());
    }
    let place = if home == Path::new(".") { "this directory".into() } else { home.to_string_lossy() };
    writeln!(err, "Next steps (run in {}):", plain(&place))?;
    let mut group = "";
    for (number, (title, line, why)) in (1..).zip(all) {
        if group != title {
            group = title;
            writeln!(err, "  {group}")?;
        }
        writeln!(err, "    {number}. {}  # {}", plain(&line), plain(&why))?;
    }
    Ok(())
}

/// The script with the commands of [`Phase::After`].
const DELETE: &str = "delete.sh";

/// Returns the step that runs the script with all steps of [`Phase::After`], if one of them is a program for a shell, which is
/// hard to read. `scripts`: the scripts that were written.
fn short<'a>(steps: impl Iterator<Item = &'a Step>, scripts: &[&str]) -> Option<Step> {
    let after: Vec<&Step> = steps.filter(|step| step.phase == Phase::After).collect();
    let why: Vec<&str> = after.iter().map(|step| step.why.as_str()).collect();
    let step = || Step::new(Phase::After, &[], why.join("; ")).with([Word::file(DELETE)]);
    (scripts.contains(&DELETE) && after.iter().any(|step| is_program(step))).then(step)
}

/// Returns whether a step runs a program of several commands with `sh -c`.
fn is_program(step: &Step) -> bool {
    let is = |word: Option<&Word>, text: &str| matches!(word, Some(Word::Plain(plain)) if plain == text);
    is(step.argv.first(), "sh") && is(step.argv.get(1), "-c")
}

/// The first group of steps.
const SETUP: &str = "Setup";

/// Returns the group of the steps of a phase. Steps without a group are only in scripts and in the output of `--steps json`.
const fn title(phase: Phase) -> Option<&'static str> {
    match phase {
        Phase::Before => Some(SETUP),
        Phase::Submit => Some("Submit"),
        Phase::After => Some("Clean up"),
        Phase::Status | Phase::Logs | Phase::Update => None,
    }
}

/// Returns whether a step reads the shim from the directory of the spec: as an argument, or as the value of a flag.
pub fn reads_shim(step: &Step) -> bool {
    let own = |word: &str| word == SHIM || word.starts_with("--") && word.ends_with(&format!("={SHIM}"));
    step.argv.iter().any(|word| matches!(word, Word::Plain(word) if own(word)))
}

/// Returns the command that copies the shim into the directory of the spec, with its purpose. `None` if the shim is already there.
fn copy_shim(home: &Path) -> Option<(String, String)> {
    match files::shim(home) {
        Shim::Here => None,
        Shim::At(path) => {
            let line = shell::join(["cp", &path.to_string_lossy(), SHIM]);
            Some((line, "copies the shim to this directory, where later steps read it".to_owned()))
        }
        Shim::Nowhere => Some((
            format!("test -f {SHIM}"),
            format!(
                "the shim is missing: copy it from a release of tfjob, or from the `bin` directory of a pip environment with tfjob, \
                 or build it with `cargo build --profile shim -p {SHIM} --target x86_64-unknown-linux-musl`"
            ),
        )),
    }
}
