//! `tfjob fmt`: formats specs. A file with errors is not changed.
use crate::analysis;
use crate::args::Fmt;
use crate::files::{self, Found, STDIN};
use crate::outcome::{Failure, Outcome};
use crate::render::legible::{Legible, masked, scrubber};
use crate::render::{Format, Report};
use crate::terminal::{TextStyle, difference, plain};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tfjob_driver::Batch;
use tfjob_lang::format::format;
use tfjob_lang::sources::{self, Sources};

/// Runs the command.
///
/// # Errors
/// Returns an error if a named file is not KDL, or a file cannot be read or written.
pub fn run(args: &Fmt, quiet: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let here = [PathBuf::from(".")];
    let specs = files::find(if args.paths.is_empty() { &here } else { &args.paths })?;
    let mut wrong = Vec::new();
    let (mut untidy, mut failures) = (false, Vec::new());
    for Found { path, named } in specs {
        let name = path.to_string_lossy();
        if files::format_of(&name) != sources::Format::Kdl {
            if named {
                return Err(Failure::new(format!("`{name}` is not KDL; `tfjob fmt` formats only KDL")));
            }
            continue;
        }
        let formatted = match formatted(&path) {
            Ok(formatted) => formatted,
            Err(failure) => {
                failures.push(failure);
                continue;
            }
        };
        match formatted {
            Err(batch) => wrong.push(batch),
            Ok((_, new)) if path == Path::new(STDIN) && !args.check => out.write_all(new.as_bytes())?,
            Ok((old, new)) if old == new => {}
            Ok((old, _)) if path != Path::new(STDIN) && !is_ours(&path, old.clone()) => {
                let fact = format!("`{}` is not a spec: it has no `job` or `cluster` block", plain(&name));
                failures.push(Failure::new(fact));
            }
            Ok((old, new)) if args.check => {
                untidy = true;
                writeln!(out, "not formatted: {}", plain(&name))?;
                let [old, new] = legible(&old, &new);
                difference(&old, &new, out)?;
            }
            Ok((old, new)) => match files::replace(&path, &old, &new) {
                Ok(true) if quiet => {}
                Ok(true) => writeln!(err, "formatted {}", plain(&name))?,
                Ok(false) => failures.push(Failure::new(format!(
                    "`{}` changed while it was being formatted and was not written: run the command again",
                    plain(&name)
                ))),
                Err(failure) => failures.push(failure),
            },
        }
    }
    Report::new(&Legible::of(&wrong)).print(Format::Human, TextStyle::of(&io::stderr()), err)?;
    match Failure::all(failures) {
        Some(failure) => Err(failure),
        None => Ok(Outcome::faulty_if(untidy || !wrong.is_empty())),
    }
}

/// Returns whether the file has a `job` or `cluster` block. Only such a file may be overwritten.
fn is_ours(path: &Path, text: String) -> bool {
    let mut sources = Sources::default();
    let number = sources.add(path.to_string_lossy(), sources::Format::Kdl, text);
    files::is_ours(sources.get(number))
}

/// Masks the credentials of the old text in both texts.
fn legible(old: &str, new: &str) -> [String; 2] {
    let mut sources = Sources::default();
    sources.add("", sources::Format::Kdl, old);
    let values = scrubber(&sources);
    [old, new].map(|text| masked(&values.scrub(text), Some(sources::Format::Kdl)))
}

/// Returns the text before and after formatting, or the diagnostics of a faulty text.
fn formatted(path: &Path) -> Result<Result<(String, String), Batch>, Failure> {
    let text = match analysis::text(path)? {
        Ok(text) => text,
        Err(batch) => return Ok(Err(batch)),
    };
    let mut sources = Sources::default();
    let number = sources.add(path.to_string_lossy(), sources::Format::Kdl, text);
    let source = sources.get(number);
    Ok(match format(source) {
        Ok(new) => Ok((source.text.clone(), new)),
        Err(diagnostics) => Err(Batch { sources, diagnostics }),
    })
}
