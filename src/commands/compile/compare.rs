//! `--check`: compares the files in the output directory with those that would be written now.
use super::kept::{self, Kept};
use super::obsolete::{self, Scope};
use super::reasons::{self, GONE, Unused};
use super::{Made, attributes, foreign, outputs, shim};
use crate::files::{self, Output};
use crate::outcome::Failure;
use crate::render::legible::masked;
use crate::terminal::{difference, plain};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tfjob_driver::Batch;
use tfjob_lang::codes::OUTDATED_OUTPUT;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::secrets::{Scrubber, scrubber_of};
use tfjob_lang::sources::{self, Sources, Span};

/// Masks credentials in the old and the new text of an artifact: those of the specs, and those found in the two texts.
fn legible(path: &Path, texts: [String; 2], scrubbers: &[Scrubber]) -> [String; 2] {
    let format = match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => Some(sources::Format::Json),
        Some("yaml" | "yml") => Some(sources::Format::Yaml),
        Some(_) | None => None,
    };
    let own: Vec<Scrubber> = texts.iter().map(|text| scrubber_of(text, format)).collect();
    texts.map(|text| {
        let all = own.iter().chain(scrubbers);
        masked(&all.fold(text, |text, scrubber| scrubber.scrub(&text).into_owned()), format)
    })
}

/// A file that `tfjob compile` without `--check` would write, delete, or refuse.
pub struct Stale {
    path: PathBuf,
    /// Path below the output directory.
    name: String,
    /// What is wrong with the file.
    fact: String,
    /// What the user does about the file.
    pub remedy: Remedy,
    /// The part of the file before the first line that differs, with each character replaced by a blank. The finding is at its end.
    before: String,
}

/// What the user does about a stale file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Run `compile`.
    Write,
    /// Delete the file, or run `compile --prune`.
    Delete,
    /// Delete the file or directory, or move it.
    Move,
    /// Do what this help says. It is also printed next to the file.
    Help(String),
}

impl Remedy {
    fn help(&self) -> &str {
        match self {
            Self::Write => "run `tfjob compile`, and commit the changes",
            Self::Delete => "delete the file, or run `tfjob compile --prune` for the whole project",
            Self::Move => {
                "delete it, or move it out of the directory of the environment; `tfjob compile --prune` keeps it"
            }
            Self::Help(help) => help,
        }
    }
}

/// Prints the changes that `tfjob compile` without `--check` would make, and returns the files that would change.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn compare(
    folder: &Path,
    (made, unused): (&[Made], &Unused),
    scrubbers: &[Scrubber],
    scope: &Scope,
    out: &mut dyn Write,
) -> Result<Vec<Stale>, Failure> {
    let outputs = outputs::of(folder, made, scope)?;
    let shared: BTreeSet<String> = made.iter().flat_map(Made::shared_paths).collect();
    let (mut stale, mut links) = (Vec::new(), BTreeSet::new());
    for output in outputs {
        let path = folder.join(&output.path);
        // A link may lead to any file of the machine, so it is never read.
        if let Some(link) = files::link(folder, &output.path) {
            if links.insert(link.clone()) {
                let name = link.strip_prefix(folder).unwrap_or(&link).to_string_lossy().into_owned();
                stale.push(of_link(link, name, out)?);
            }
        } else if !files::same(&path, &output) {
            stale.push(match files::readable(&path)? {
                None if files::is_directory(&path) => of_directory(path, output.path, out)?,
                None => {
                    writeln!(out, "missing: {}", path.display())?;
                    Stale::new(path, output.path, "the output file is missing", Remedy::Write)
                }
                Some(old) => outdated(path, &output, &old, shared.contains(&output.path), scrubbers, out)?,
            });
        }
    }
    for name in attributes::foreign(folder, made, scope) {
        stale.push(of_attributes(folder, name, out)?);
    }
    let mut obsolete = obsolete::all(folder, made, scope)?;
    let foreign = foreign::all(folder, made, scope, &obsolete)?;
    let kept = kept::split(folder, unused.project.as_deref(), &mut obsolete);
    let reasons = unused.reasons(folder, made, &obsolete);
    for name in obsolete {
        let path = folder.join(&name);
        writeln!(out, "obsolete: {}", path.display())?;
        let fact = reasons::of(&reasons, &name).map_or(GONE, |reason| reason.fact.as_str());
        stale.push(Stale::new(path, name, fact, Remedy::Delete));
    }
    let reasons: BTreeSet<&str> = reasons.values().map(|reason| reason.line.as_str()).collect();
    reasons.into_iter().try_for_each(|reason| writeln!(out, "{}", plain(reason)))?;
    not_compiled(folder, kept, &mut stale, out)?;
    for (unit, first) in foreign {
        let shown = folder.join(&unit);
        writeln!(out, "not generated by tfjob: {}", shown.display())?;
        let fact = format!(
            "`{}` is not generated by tfjob, but a tool that deploys the environment may use it",
            shown.display()
        );
        stale.push(Stale::new(folder.join(&first), first, fact, Remedy::Move));
    }
    Ok(stale)
}

/// Reports the files of specs that are not checked out.
fn not_compiled(folder: &Path, kept: Kept, stale: &mut Vec<Stale>, out: &mut dyn Write) -> io::Result<()> {
    let help = kept.reasons.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
    for name in kept.names {
        let path = folder.join(&name);
        writeln!(out, "not compiled: {}", path.display())?;
        stale.push(Stale::new(path, name, kept.fact, Remedy::Help(help.clone())));
    }
    kept.reasons.iter().try_for_each(|reason| writeln!(out, "{}", plain(reason)))
}

/// Reports attributes that a user has written, if they may hide manifests from a review.
fn of_attributes(folder: &Path, name: String, out: &mut dyn Write) -> io::Result<Stale> {
    let (path, lines) = (folder.join(&name), attributes::LINES.trim_end());
    let first = folder.join(attributes::NAME);
    writeln!(out, "outdated: {}", path.display())?;
    let (fact, help) = if path == first {
        let fact = "the file may hide manifests in a review, because it does not end with the lines of tfjob";
        writeln!(out, "{fact}; end it with these lines:\n{lines}")?;
        let help = format!("end the file with the lines `{}`", lines.replace('\n', "` and `"));
        (fact.to_owned(), help)
    } else {
        let first = first.display();
        let fact = format!("the file may hide manifests in a review, because Git prefers it to `{first}`");
        let help = format!("delete it, or move its lines to the start of `{first}`");
        writeln!(out, "{fact}; {help}")?;
        (fact, help)
    };
    Ok(Stale::new(path, name, fact, Remedy::Help(help)))
}

/// Reports a symbolic link in the place of an output file or of its directory.
fn of_link(path: PathBuf, name: String, out: &mut dyn Write) -> io::Result<Stale> {
    writeln!(out, "outdated: {}", path.display())?;
    writeln!(out, "a symbolic link, which tfjob neither follows nor replaces; delete the link")?;
    let fact = "the output path is a symbolic link, which tfjob neither follows nor replaces";
    let help = "delete the link, run `tfjob compile`, and commit the changes";
    Ok(Stale::new(path, name, fact, Remedy::Help(help.to_owned())))
}

/// Reports a directory in the place of an output file.
fn of_directory(path: PathBuf, name: String, out: &mut dyn Write) -> io::Result<Stale> {
    writeln!(out, "outdated: {}", path.display())?;
    writeln!(out, "a directory, which tfjob does not replace; delete the directory")?;
    let help = "delete the directory, run `tfjob compile`, and commit the changes";
    let fact = "the output path is a directory, which tfjob does not replace";
    Ok(Stale::new(path, name, fact, Remedy::Help(help.to_owned())))
}

/// Reports an output file with other contents or another mode. `is_shared`: whether it may contain the shim.
fn outdated(
    path: PathBuf,
    output: &Output,
    old: &[u8],
    is_shared: bool,
    scrubbers: &[Scrubber],
    out: &mut dyn Write,
) -> io::Result<Stale> {
    writeln!(out, "outdated: {}", path.display())?;
    let name = output.path.clone();
    if old == output.bytes {
        let fact = "only the permission to execute the file differs";
        writeln!(out, "{fact}")?;
        return Ok(Stale::new(path, name, fact, Remedy::Write));
    }
    let files = [old, &output.bytes];
    let (texts, because) = if is_shared {
        (shim::texts(files), shim::cause(old, &output.bytes))
    } else {
        (files.map(|bytes| String::from_utf8_lossy(bytes).into_owned()), None)
    };
    because.map_or(Ok(()), |because| writeln!(out, "{because}"))?;
    let is_other_build = because == Some(shim::OTHER_BUILD);
    if is_other_build {
        writeln!(out, "to keep the file, {}", shim::KEEP)?;
    }
    if texts[0] != texts[1] || because.is_none() {
        let [before, after] = legible(&path, texts, scrubbers);
        if before == after {
            writeln!(out, "only credentials differ; they are not shown")?;
        } else {
            difference(&before, &after, out)?;
        }
    }
    let (is, should) = (old.split(|b| *b == b'\n'), output.bytes.split(|b| *b == b'\n'));
    let same = is.zip(should).take_while(|(is, should)| is == should);
    let start = same.map(|(line, _)| line.len() + 1).sum::<usize>().min(old.len());
    let blank = old[..start].iter().map(|b| if *b == b'\n' { '\n' } else { ' ' }).collect();
    let differs = "the output file differs from the output of the spec";
    let fact = because.map_or_else(|| differs.to_owned(), |because| format!("{differs}: {because}"));
    let remedy = if is_other_build { Remedy::Help(shim::KEEP.to_owned()) } else { Remedy::Write };
    Ok(Stale { before: blank, ..Stale::new(path, name, fact, remedy) })
}

impl Stale {
    fn new(path: PathBuf, name: String, fact: impl Into<String>, remedy: Remedy) -> Self {
        Self { path, name, fact: fact.into(), remedy, before: String::new() }
    }

    /// Returns the environment of the file, if the command compares several environments. `all`: the names of these environments.
    pub fn environments(&self, all: &BTreeSet<&str>) -> Vec<String> {
        let first = self.name.split('/').next().filter(|first| all.len() > 1 && all.contains(first));
        first.map(str::to_owned).into_iter().collect()
    }

    /// Returns the finding about the file. The finding does not contain the text of the file.
    pub fn batch(&self) -> Batch {
        let mut sources = Sources::default();
        let number = sources.add(self.path.to_string_lossy(), sources::Format::Kdl, self.before.clone());
        let at = sources.get(number).span().end;
        let found =
            Diagnostic::new(&OUTDATED_OUTPUT, Span::new(at, at), self.fact.as_str()).help(self.remedy.help());
        Batch { sources, diagnostics: vec![found] }
    }
}
