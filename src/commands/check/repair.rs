//! `--fix`: applies automatic fixes, or shows them as a diff.
use super::analyzed;
use crate::analysis::Request;
use crate::files::{self, Found, STDIN};
use crate::outcome::Failure;
use crate::project::Run;
use crate::render::legible::{masked, scrubber};
use crate::terminal::{difference, plain};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tfjob_driver::{Batch, fixes};
use tfjob_lang::secrets::Scrubber;

/// Maximum number of rounds. A fix can make another fix possible. More rounds would mean that two fixes undo each other.
const ROUNDS: usize = 4;

/// Applies the fixes of all specs to their files. Returns a failure for each file that cannot be written.
///
/// # Errors
/// Returns an error if a path is not a regular file, or `err` cannot be written.
pub fn write(
    specs: &[Found],
    request: &Request,
    quiet: bool,
    err: &mut dyn Write,
) -> Result<Vec<Failure>, Failure> {
    let mut repaired = BTreeSet::new();
    let mut failures = BTreeMap::new();
    let mut left = BTreeSet::new();
    for _ in 0..ROUNDS {
        let round = round(specs, request)?;
        left = round.left;
        let changes: Vec<_> =
            round.changed.into_iter().filter(|(name, _)| !failures.contains_key(name)).collect();
        if changes.is_empty() {
            break;
        }
        for (name, (old, new)) in changes {
            match files::replace(Path::new(&name), &old, &new) {
                Ok(true) if repaired.insert(name.clone()) && !quiet => {
                    writeln!(err, "fixed {}", plain(&name))?;
                }
                // The file is already reported as fixed (`true`), or another process has changed it (`false`). The next round reads
                // the new text.
                Ok(true | false) => {}
                Err(failure) => drop(failures.insert(name, failure)),
            }
        }
    }
    report_left(specs, left.iter().filter(|name| !failures.contains_key(*name)), err)?;
    Ok(failures.into_values().collect())
}

/// Prints the fixes of all specs as a diff, and writes no file. Returns whether there are any fixes. Afterwards, `runs` contain the
/// fixed texts as unsaved texts.
///
/// # Errors
/// Returns an error if a spec cannot be read, or a stream cannot be written.
pub fn preview(runs: &mut [Run], out: &mut dyn Write, err: &mut dyn Write) -> Result<bool, Failure> {
    let mut texts: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut scrubbers: Vec<Scrubber> = Vec::new();
    let unsaved = |texts: &BTreeMap<String, (String, String)>| {
        Arc::new(texts.iter().map(|(name, (_, new))| (name.into(), new.as_str().into())).collect())
    };
    for run in &*runs {
        let mut request = run.request.clone();
        let mut left = BTreeSet::new();
        for _ in 0..ROUNDS {
            request.unsaved = unsaved(&texts);
            let round = round(&run.specs, &request)?;
            scrubbers.extend(round.batches.iter().map(|batch| scrubber(&batch.sources)));
            left = round.left;
            if round.changed.is_empty() {
                break;
            }
            for (name, (old, new)) in round.changed {
                texts.entry(name).or_insert_with(|| (old, String::new())).1 = new;
            }
        }
        report_left(&run.specs, left.iter(), err)?;
    }
    for (name, (old, new)) in &texts {
        writeln!(out, "would fix {}", plain(name))?;
        let format = Some(files::format_of(name));
        let legible = |text: &str| {
            let text =
                scrubbers.iter().fold(text.to_owned(), |text, scrubber| scrubber.scrub(&text).into_owned());
            masked(&text, format)
        };
        difference(&legible(old), &legible(new), out)?;
    }
    runs.iter_mut().for_each(|run| run.request.unsaved = unsaved(&texts));
    Ok(!texts.is_empty())
}

/// Says that `--fix` does not change the project file, if one of its findings has a fix.
///
/// # Errors
/// Returns an error if the stream cannot be written.
pub fn report_unfixed_project(project: &Batch, err: &mut dyn Write) -> Result<(), Failure> {
    let (_, left) = fixes::apply(std::slice::from_ref(project), &|_| false);
    for name in left {
        writeln!(err, "not fixed: {} (`--fix` does not change a project file: edit it)", plain(&name))?;
    }
    Ok(())
}

/// The fixes that are possible in the current texts.
struct Round {
    batches: Vec<Batch>,
    /// Old and new text by the name of the file.
    changed: BTreeMap<String, (String, String)>,
    /// Files that have fixes, but that `--fix` must not change.
    left: BTreeSet<String>,
}

fn round(specs: &[Found], request: &Request) -> Result<Round, Failure> {
    regular(specs)?;
    let names: BTreeSet<String> = names(specs);
    let (checked, ..) = analyzed(specs, request);
    let mut batches: Vec<Batch> = checked.into_iter().map(|one| one.checked.batch).collect();
    // The cluster file is named if it has fixes and is not among the paths.
    batches.extend(request.of_cluster());
    let known = descriptions(&batches);
    let may = |name: &str| names.contains(name) && known.contains(name);
    let (changed, left) = fixes::apply(&batches, &may);
    Ok(Round { batches, changed: changed.into_iter().collect(), left: left.into_iter().collect() })
}

fn names(specs: &[Found]) -> BTreeSet<String> {
    specs.iter().map(|spec| spec.path.to_string_lossy().into_owned()).collect()
}

fn regular(specs: &[Found]) -> Result<(), Failure> {
    for spec in specs {
        if spec.path == Path::new(STDIN) {
            return Err(Failure::new("`--fix` cannot change standard input; use a file"));
        }
        if spec.named && files::is_special(&spec.path) {
            return Err(Failure::new(format!(
                "`{}` is not a regular file; `--fix` cannot change it",
                spec.path.display()
            )));
        }
    }
    Ok(())
}

fn report_left<'a>(
    specs: &[Found],
    left: impl Iterator<Item = &'a String>,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let names = names(specs);
    for name in left {
        let why = if names.contains(name) {
            "the file has no `job` or `cluster` block"
        } else {
            "the file is not among the given paths"
        };
        writeln!(err, "not fixed: {} ({why})", plain(name))?;
    }
    Ok(())
}

/// Returns the names of the files with a `job` or `cluster` block. `--fix` does not write any other file.
fn descriptions(batches: &[Batch]) -> BTreeSet<String> {
    let all = batches.iter().flat_map(|batch| batch.sources.iter());
    all.filter(|source| files::is_ours(source)).map(|source| source.name.clone()).collect()
}
