//! `tfjob krm`: a KRM function for Kustomize. Reads a `ResourceList`, and adds the Kubernetes objects of a job to its items.
mod config;
mod job;
mod list;
mod output;
mod walk;

use super::compile::documents::{self, Documents};
use crate::files::{self, Input};
use crate::outcome::{Failure, Outcome};
use crate::terminal::plain;
use config::Config;
use list::List;
pub use list::Object;
use std::io::Write;

/// Runs the command.
///
/// Errors go to standard error, because Kustomize shows only this, and to `results` of the list. In this list, the items are those of
/// the input: an empty list would mean that all objects are deleted. The exit code is 1. If the input is not a list, standard output is
/// empty.
///
/// # Errors
/// Returns an error if standard input is a terminal, or if a stream fails.
pub fn run(quiet: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let text = match read()? {
        Ok(text) => text,
        Err(why) => return refuse(&why, err),
    };
    let mut list = match List::read(&text) {
        Ok(list) => list,
        Err(why) => return refuse(&why, err),
    };
    let (config, batch) = config::decode(std::mem::take(&mut list.config));
    let name = config.as_ref().and_then(|config| config.name.clone());
    let documents = match &config {
        Some(config) => generate(config, batch, quiet, err)?,
        None => documents::refused(&[batch], err)?,
    };
    output::write(&list, &text, &documents, name.as_deref(), out)?;
    Ok(Outcome::faulty_if(documents.texts.is_none()))
}

/// Returns the text of standard input, or why it cannot be used.
fn read() -> Result<Result<String, String>, Failure> {
    let input = files::standard_input(list::MAX_BYTES)
        .map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
    Ok(match input {
        Input::Bytes(bytes) => String::from_utf8(bytes)
            .map_err(|error| format!("the list is not UTF-8 at byte {}", error.utf8_error().valid_up_to())),
        Input::TooLarge => Err(format!("the list has more than {} MiB", list::MAX_BYTES >> 20)),
        Input::Terminal => {
            return Err(Failure::new(
                "`tfjob krm` reads a ResourceList from standard input: Kustomize starts this command, see docs/gitops.md",
            ));
        }
    })
}

/// Reports that standard input is not a list that can be used.
fn refuse(why: &str, err: &mut dyn Write) -> Result<Outcome, Failure> {
    writeln!(err, "error: standard input: {}", plain(why))?;
    Ok(Outcome::Faulty)
}

/// Returns the documents of the job. A job without objects is an error: an empty result would mean that all objects are deleted.
fn generate(
    config: &Config,
    batch: tfjob_driver::Batch,
    quiet: bool,
    err: &mut dyn Write,
) -> Result<Documents, Failure> {
    let documents = job::documents(config, batch.clone(), quiet, err)?;
    match documents {
        Ok(documents) if documents.texts.as_ref().is_some_and(Vec::is_empty) => {
            documents::refused(&[job::fault(config.job.at(), batch, "the job has no Kubernetes object")], err)
        }
        Ok(documents) => Ok(documents),
        Err(batch) => documents::refused(&[batch], err),
    }
}
