//! `--check`: compares the output directory with the artifacts.
use super::Made;
use super::obsolete::{self, Scope};
use super::outputs;
use super::write;
use crate::files;
use crate::outcome::{Failure, Outcome};
use crate::render::legible::masked;
use crate::terminal::difference;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use tfjob_lang::secrets::{Scrubber, scrubber_of};
use tfjob_lang::sources;

/// Masks credentials in the old and the new text of an artifact: those of the specs, and those found in the two texts.
fn legible(path: &Path, texts: [&[u8]; 2], scrubbers: &[Scrubber]) -> [String; 2] {
    let format = match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => Some(sources::Format::Json),
        Some("yaml" | "yml") => Some(sources::Format::Yaml),
        Some(_) | None => None,
    };
    let texts = texts.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let own: Vec<Scrubber> = texts.iter().map(|text| scrubber_of(text, format)).collect();
    texts.map(|text| {
        let all = own.iter().chain(scrubbers);
        masked(&all.fold(text, |text, scrubber| scrubber.scrub(&text).into_owned()), format)
    })
}

/// Prints the changes that a command without `--check` would make.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn compare(
    folder: &Path,
    made: &[Made],
    scrubbers: &[Scrubber],
    scope: &Scope,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let mut outputs = outputs::all(folder, made)?;
    if matches!(scope, Scope::Project) {
        outputs.extend(write::attributes(folder));
    }
    // These files consist of the shim in base64.
    let shared: BTreeSet<String> = made.iter().flat_map(Made::shared_paths).collect();
    let mut wrong = false;
    for output in outputs {
        let path = folder.join(&output.path);
        if files::same(&path, &output) {
            continue;
        }
        wrong = true;
        match files::bytes(&path) {
            None => writeln!(out, "missing: {}", path.display())?,
            Some(old) => {
                writeln!(out, "outdated: {}", path.display())?;
                let [old, new] = legible(&path, [&old, &output.bytes], scrubbers);
                if files::bytes(&path).is_some_and(|bytes| bytes == output.bytes) {
                    writeln!(out, "only the permission to execute the file differs")?;
                } else if shared.contains(&output.path) {
                    writeln!(
                        out,
                        "it was written for another version of tfjob or of the shim; the difference is not shown"
                    )?;
                } else if old == new {
                    writeln!(out, "only credentials differ; they are not shown")?;
                } else {
                    difference(&old, &new, out)?;
                }
            }
        }
    }
    for name in obsolete::all(folder, made, scope)? {
        writeln!(out, "obsolete: {}", folder.join(name).display())?;
        wrong = true;
    }
    Ok(Outcome::faulty_if(wrong))
}
