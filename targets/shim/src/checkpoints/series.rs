//! The TensorFlow checkpoints of one directory: the one from which a program resumes, and the incomplete ones.
use super::Saved;
use super::bundle::{self, State};
use super::list::{Found, LONGEST, List, NAME};
use super::series_name::follows;
use crate::atomic_write;
use crate::state::OURS;
use std::collections::BTreeSet;
use std::fs::{create_dir, rename};
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Maximum number of checkpoints that are checked per directory.
const MOST: usize = 1000;

/// A directory, and the names of its checkpoint files.
#[derive(Debug)]
pub struct Folder {
    /// Path of the directory.
    pub path: PathBuf,
    /// Names of index and data files.
    pub names: BTreeSet<String>,
    /// Whether a file `checkpoint` exists.
    pub listed: bool,
    /// Whether a checkpoint file is a symbolic link. Then nothing in the directory is checked or moved.
    pub linked: bool,
}

/// The checkpoints of one series, such as `ckpt-3` and `ckpt-12`.
#[derive(Debug, Default)]
pub struct Series {
    /// The newest complete checkpoint.
    pub newest: Option<Saved>,
    /// Names of incomplete checkpoints, each with the reason.
    pub incomplete: Vec<(String, String)>,
    /// The change that the `checkpoint` file needs.
    list: Option<Next>,
    /// Whether the `checkpoint` file was truncated.
    cut: bool,
    /// A complete checkpoint outside the series, if the series has no complete one left. A program that starts fresh might
    /// overwrite it, so the shim changes no file in the directory.
    other: Option<String>,
}

/// A change of the `checkpoint` file.
#[derive(Debug)]
enum Next {
    /// Write this content.
    Write(Vec<u8>),
    /// Move the file aside: none of the listed checkpoints is left.
    Aside,
}

impl Folder {
    /// Returns the series from which TensorFlow resumes: the checkpoints in the `checkpoint` file, and later ones that the file
    /// does not list. `None` without a `checkpoint` file: the files then belong to a model, a cache, or another program.
    pub fn series(&self) -> Option<Series> {
        if !self.listed || self.linked {
            return None;
        }
        let (list, cut) = match self.list()? {
            Found::List(list) => (Some(list), false),
            Found::Cut(list) => (list, true),
        };
        let listed = match &list {
            // Only the newest checkpoint of a truncated list is used, because other entries may be lost.
            Some(list) if cut => self.local(vec![list.newest()])?,
            Some(list) => self.local(list.all())?,
            None => Vec::new(),
        };
        let mut others = self.prefixes();
        if listed.is_empty() && others.is_empty() {
            return None;
        }
        let mut series = Series { cut, ..Series::default() };
        let mut gone = BTreeSet::new();
        for name in listed.iter().take(MOST) {
            if series.take(self, name) {
                break;
            }
            gone.insert(name.clone());
        }
        others.retain(|name| !listed.contains(name));
        let (of_series, rest): (Vec<String>, Vec<String>) = others.into_iter().partition(|name| {
            listed.first().is_none_or(|first| follows(name, first, series.newest.is_none()))
        });
        series.beyond(self, &of_series, listed.len());
        if series.newest.is_none() && !series.incomplete.is_empty() {
            series.other = rest.into_iter().take(MOST).find(|name| self.is_complete(name));
        }
        series.settle(list.as_ref(), gone);
        Some(series)
    }

    /// Returns the path prefix of a checkpoint, and the name, size, and modification time of each of its files.
    pub fn seen(&self, prefix: &str) -> (PathBuf, Vec<(String, u64, Option<SystemTime>)>) {
        let index = format!("{prefix}.index");
        let names = self.names.get(&index).into_iter().chain(self.data(prefix));
        let file = |name: &String| {
            let about = self.path.join(name).metadata().ok()?;
            Some((name.clone(), about.len(), about.modified().ok()))
        };
        (self.path.join(prefix), names.filter_map(file).collect())
    }

    /// Reads the `checkpoint` file. `None` if the file is too large or is not a list.
    fn list(&self) -> Option<Found> {
        let mut bytes = Vec::new();
        let length = bundle::open(&self.path.join(NAME)).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
        Found::of(&bytes).filter(|_| u64::try_from(length) != Ok(LONGEST))
    }

    /// Returns the file names of listed checkpoints. `None` if one of them is in another directory: the list is then left
    /// unchanged.
    fn local(&self, names: Vec<&str>) -> Option<Vec<String>> {
        let local = |name: &str| {
            let path = Path::new(name);
            let file = path.file_name()?.to_str()?.to_owned();
            let here = || Some(path.parent()?.canonicalize().ok()? == self.path.canonicalize().ok()?);
            (file == name || path.is_absolute() && here() == Some(true)).then_some(file)
        };
        names.into_iter().map(local).collect()
    }

    /// Returns checkpoint prefixes that have index and data files, newest first. Skips `variables`, a part of a SavedModel.
    fn prefixes(&self) -> Vec<String> {
        let prefix = |name: &String| Some(name.strip_suffix(".index")?.to_owned());
        let mut found = BTreeSet::new();
        for name in
            self.names.iter().filter_map(prefix).filter(|name| name != "variables" && self.has_data(name))
        {
            let written =
                self.path.join(format!("{name}.index")).metadata().and_then(|about| about.modified());
            found.insert((written.ok(), bundle::number(Path::new(&name)), name));
        }
        found.into_iter().rev().map(|(.., name)| name).collect()
    }

    fn is_complete(&self, name: &str) -> bool {
        matches!(bundle::judge(&self.path.join(name), self.has_data(name)), State::Complete(_))
    }

    fn has_data(&self, prefix: &str) -> bool {
        self.data(prefix).next().is_some()
    }

    fn data(&self, prefix: &str) -> impl Iterator<Item = &String> {
        let begin = format!("{prefix}.data-");
        self.names.range(begin.clone()..).take_while(move |name| name.starts_with(&begin))
    }

    /// Moves an incomplete checkpoint to a hidden directory, the index file first.
    fn set_aside(&self, prefix: &str) -> Result<String, Error> {
        let index = format!("{prefix}.index");
        let to = self.new_folder(prefix)?;
        for name in self.names.get(&index).into_iter().chain(self.data(prefix)) {
            rename(self.path.join(name), to.join(name))?;
        }
        Ok(to.file_name().unwrap_or_default().to_string_lossy().into_owned())
    }

    fn new_folder(&self, what: &str) -> Result<PathBuf, Error> {
        let mut again = 1;
        loop {
            let end = if again == 1 { String::new() } else { format!("-{again}") };
            let path = self.path.join(format!("{OURS}incomplete-{what}{end}"));
            match create_dir(&path) {
                Err(e) if e.kind() == ErrorKind::AlreadyExists && again < MOST => again += 1,
                Err(e) => return Err(e),
                Ok(()) => return Ok(path),
            }
        }
    }
}

impl Series {
    /// Checks a checkpoint. Returns whether the program can resume from it.
    fn take(&mut self, folder: &Folder, name: &str) -> bool {
        let prefix = folder.path.join(name);
        let step = match bundle::judge(&prefix, folder.has_data(name)) {
            State::Complete(step) => step,
            State::Unknown => None,
            State::Incomplete(how) => {
                self.incomplete.push((name.to_owned(), how));
                return false;
            }
            State::Absent => return false,
        };
        let index = folder.path.join(format!("{name}.index"));
        let written = index.metadata().or_else(|_| prefix.metadata()).and_then(|about| about.modified());
        let (name, folder) = (name.to_owned(), folder.path.clone());
        self.newest = Some(Saved { format: "TensorFlow", name, folder, step, written: written.ok() });
        true
    }

    /// Checks the checkpoints that the file `checkpoint` does not list. If a listed one is complete, the program resumes from it,
    /// and the unlisted ones are checked only to find incomplete ones.
    fn beyond(&mut self, folder: &Folder, others: &[String], listed: usize) {
        let known = self.newest.take();
        for name in others.iter().take(MOST.saturating_sub(listed)) {
            if self.take(folder, name) {
                break;
            }
        }
        self.newest = known.or_else(|| self.newest.take());
    }

    /// Determines the change that the `checkpoint` file needs. `gone`: listed checkpoints that are removed from it.
    fn settle(&mut self, list: Option<&List>, gone: BTreeSet<String>) {
        if self.other.is_some() {
            return;
        }
        self.list = match (&self.newest, list) {
            (Some(newest), None) if self.cut => Some(Next::Write(List::of(&newest.name).text())),
            (Some(newest), Some(list)) if !gone.is_empty() || self.cut => {
                let path = |name: &str| list.path_like(name);
                let mut paths = BTreeSet::new();
                for name in &gone {
                    paths.insert(path(name));
                }
                Some(Next::Write(list.without(&paths, &path(&newest.name)).text()))
            }
            (None, Some(_)) if !self.incomplete.is_empty() => Some(Next::Aside),
            (Some(_) | None, Some(_) | None) => None,
        };
    }

    /// Whether it is unknown from which checkpoint the program resumes.
    pub const fn is_undecided(&self) -> bool {
        self.other.is_some()
    }

    /// Whether the `checkpoint` file must be rewritten or moved aside.
    pub const fn is_stale(&self) -> bool {
        self.list.is_some()
    }

    /// Repairs the directory and returns messages. The `checkpoint` file is repaired first, because programs read the checkpoints
    /// that it lists.
    pub fn repair(&self, folder: &Folder) -> Vec<String> {
        let mut said = Vec::new();
        let path = folder.path.join(NAME);
        if let Some(other) = &self.other {
            let left = |(name, how): &(String, String)| {
                format!(
                    "checkpoint {name} is incomplete ({how}); tfjob-shim leaves it in place: without {name}, the program may start fresh and overwrite {other}, a complete checkpoint with another name prefix; delete {name} only if you know that the program then resumes from {other}"
                )
            };
            return self.incomplete.iter().map(left).collect();
        }
        let listed = match &self.list {
            Some(Next::Write(text)) => {
                atomic_write::write(&path, &folder.path.join(format!("{OURS}{NAME}.new")), text)
            }
            Some(Next::Aside) => folder.new_folder(NAME).and_then(|to| rename(&path, to.join(NAME))),
            None => Ok(()),
        };
        if let Err(e) = listed {
            return vec![format!(
                "cannot repair {}: {e}; the program may resume from an incomplete checkpoint",
                path.display()
            )];
        }
        for (name, how) in &self.incomplete {
            said.push(match folder.set_aside(name) {
                Ok(to) => format!("checkpoint {name} is incomplete ({how}); moved to {to}"),
                Err(e) => format!("checkpoint {name} is incomplete ({how}), and cannot be moved: {e}; the program may fail to resume"),
            });
        }
        if self.incomplete.is_empty() && self.list.is_some() {
            // No checkpoint is incomplete here, so the list was rewritten, not moved aside.
            let what = if self.cut { "was truncated" } else { "contained a checkpoint that does not exist" };
            said.push(format!(
                "the checkpoint list {} {what}, so tfjob-shim rewrote the list",
                path.display()
            ));
        }
        said
    }
}
