//! `tfjob fmt`: every spec in the one layout. A file with errors is left as it is.
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
/// For a file that is not KDL, and where the disk says no.
pub fn run(args: &Fmt, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let here = [PathBuf::from(".")];
    let specs = files::find(if args.paths.is_empty() { &here } else { &args.paths })?;
    let mut wrong = Vec::new();
    let (mut untidy, mut failures) = (false, Vec::new());
    for Found { path, named } in specs {
        let name = path.to_string_lossy();
        if files::format_of(&name) != sources::Format::Kdl {
            if named {
                return Err(Failure::new(format!("`{name}` is not KDL, and only KDL is laid out")));
            }
            continue;
        }
        let laid_out = match laid_out(&path) {
            Ok(laid_out) => laid_out,
            Err(failure) => {
                failures.push(failure);
                continue;
            }
        };
        match laid_out {
            Err(batch) => wrong.push(batch),
            Ok((_, new)) if path == Path::new(STDIN) && !args.check => out.write_all(new.as_bytes())?,
            Ok((old, new)) if old == new => {}
            Ok((old, _)) if path != Path::new(STDIN) && !is_ours(&path, old.clone()) => {
                let fact = format!("`{}` is not a job description: it has no `job`", plain(&name));
                failures.push(Failure::new(fact));
            }
            Ok((old, new)) if args.check => {
                untidy = true;
                writeln!(out, "not laid out: {}", plain(&name))?;
                let [old, new] = legible(&old, &new);
                difference(&old, &new, out)?;
            }
            Ok((old, new)) => match files::replace(&path, &old, &new) {
                Ok(true) => writeln!(err, "laid out {}", plain(&name))?,
                Ok(false) => failures.push(Failure::new(format!(
                    "`{}` was changed meanwhile and stays as it is: run the command again",
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

/// Whether the text may be written over.
fn is_ours(path: &Path, text: String) -> bool {
    let mut sources = Sources::default();
    let number = sources.add(path.to_string_lossy(), sources::Format::Kdl, text);
    files::is_ours(sources.get(number))
}

/// Both texts without their credentials: what the new layout says of a value is not what the old one said.
fn legible(old: &str, new: &str) -> [String; 2] {
    let mut sources = Sources::default();
    sources.add("", sources::Format::Kdl, old);
    let values = scrubber(&sources);
    [old, new].map(|text| masked(&values.scrub(text), Some(sources::Format::Kdl)))
}

/// The text before and after, or what is wrong with it.
fn laid_out(path: &Path) -> Result<Result<(String, String), Batch>, Failure> {
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
