//! `tfjob check`: every error of every spec, each once. The report is the product, so it goes to standard output.
use crate::args::Check;
use crate::files::{self, Output, STDIN};
use crate::outcome::{Failure, Outcome};
use crate::render::{Batch, Format, Report};
use crate::terminal::Look;
use crate::{analysis, fixes};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A fix may uncover the next; more rounds than this mean that two of them undo each other.
const ROUNDS: usize = 4;

/// Runs the command.
///
/// # Errors
/// Where a spec cannot be read or the report not be written. What could be read is reported all the same.
pub fn run(args: &Check, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let here = [PathBuf::from(".")];
    let paths = files::find(if args.paths.is_empty() { &here } else { &args.paths })?;
    if args.fix {
        mend(&paths, err)?;
    }
    let (batches, failures) = analysed(&paths);
    let report = Report::new(&batches);
    report.print(args.format, Look::of(&io::stdout()), out)?;
    if let Some(path) = &args.sarif {
        save(&report, path)?;
    }
    match Failure::all(failures) {
        Some(failure) => {
            out.flush()?;
            Err(failure)
        }
        None => Ok(Outcome::faulty_if(report.summary.errors > 0)),
    }
}

fn analysed(paths: &[PathBuf]) -> (Vec<Batch>, Vec<Failure>) {
    let (mut batches, mut failures) = (Vec::new(), Vec::new());
    for result in analysis::all(paths) {
        match result {
            Ok(batch) => batches.push(batch),
            Err(failure) => failures.push(failure),
        }
    }
    (batches, failures)
}

/// Makes the fixes of all specs until none is left to make.
fn mend(paths: &[PathBuf], err: &mut dyn Write) -> Result<(), Failure> {
    if paths.iter().any(|path| path == Path::new(STDIN)) {
        return Err(Failure::new("standard input cannot be mended in place"));
    }
    for _ in 0..ROUNDS {
        let (batches, _) = analysed(paths);
        let changed = fixes::apply(&batches);
        if changed.is_empty() {
            break;
        }
        for (name, text) in changed {
            files::replace(Path::new(&name), &text)?;
            writeln!(err, "mended {name}")?;
        }
    }
    Ok(())
}

fn save(report: &Report, path: &Path) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    report.print(Format::Sarif, Look::PLAIN, &mut bytes)?;
    let name = path.file_name().ok_or_else(|| Failure::new("`--sarif` names no file"))?;
    let file = Output { path: name.to_string_lossy().into_owned(), bytes, executable: false };
    files::write_all(path.parent().unwrap_or_else(|| Path::new("")), &[file])
}
