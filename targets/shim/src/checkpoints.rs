//! The folder of checkpoints, as far as a program's files tell: what is there, how new it is, and what is torn.
mod bundle;
mod list;
mod orbax;
mod series;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod written;

use crate::state::OURS;
use series::Folder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{DirEntry, read_dir};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many entries are looked at at most, and how deep: a folder of data must not hold up a restart.
const MOST: usize = 100_000;
const DEEPEST: u32 = 6;

/// A whole checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Its name in its folder.
    pub name: String,
    /// The step at which it was written, where that is known.
    pub step: Option<u64>,
    /// When its last file was written.
    pub written: Option<SystemTime>,
}

/// Checkpoints that are not whole, by the path of their prefix: each file of theirs, its length and when it was written.
pub type Torn = BTreeMap<PathBuf, Vec<(String, u64, Option<SystemTime>)>>;

/// What is in the folder.
#[derive(Debug, Default)]
pub struct Survey {
    /// The newest whole checkpoint of TensorFlow or Orbax.
    pub saved: Option<Saved>,
    /// Whether there is any of theirs, whole or not.
    known: bool,
    /// When the newest file of any kind was written.
    file: Option<SystemTime>,
    /// What was done about torn ones.
    pub said: Vec<String>,
    /// What is torn, or being written.
    pub torn: Torn,
    /// Whether a list names what is not there.
    pub stale: bool,
    left: usize,
    cut: bool,
}

impl Survey {
    /// Looks at all of it. What is clearly torn, and still as it is in `settled`, is set aside, so that a program goes on
    /// from what is whole: what another task is writing right now changes.
    ///
    /// Not looked at: what begins with a dot, TensorFlow's event logs and files that are still being written, since a
    /// program that fails at once leaves those too.
    pub fn of(folder: &Path, settled: Option<&Torn>) -> Self {
        Self::within(MOST, folder, settled)
    }

    fn within(most: usize, folder: &Path, settled: Option<&Torn>) -> Self {
        let mut survey = Self { left: most, ..Self::default() };
        survey.look(folder, DEEPEST, settled);
        survey
    }

    /// Whether there was more than is looked at.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// How new the state of the job is: its newest whole checkpoint, else the newest file of whatever program.
    pub fn newest(&self) -> Option<SystemTime> {
        if self.known { self.saved.as_ref().and_then(|saved| saved.written) } else { self.file }
    }

    fn look(&mut self, path: &Path, deeper: u32, settled: Option<&Torn>) {
        let Ok(entries) = read_dir(path) else { return };
        let mut folder = Folder { path: path.to_owned(), names: BTreeSet::new(), listed: false };
        let mut inner = Vec::new();
        for entry in entries.flatten() {
            let Some(fewer) = self.left.checked_sub(1) else {
                self.cut = true;
                break;
            };
            self.left = fewer;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !passing(&name) {
                self.entry(&entry, name, &mut folder, &mut inner);
            }
        }
        if let Some(series) = folder.series() {
            self.known = true;
            // A map that is collected brings a sort of its own into the program, here and elsewhere: it stays small.
            let mut torn = Torn::new();
            for (name, _) in &series.torn {
                let (prefix, files) = folder.seen(name);
                torn.insert(prefix, files);
            }
            // What is half seen may name what was not seen.
            if let Some(settled) = settled.filter(|_| !self.cut) {
                let still = |(prefix, files): (&PathBuf, _)| settled.get(prefix) == Some(files);
                if torn.iter().all(still) {
                    self.said.extend(series.mend(&folder));
                } else {
                    self.said.push(format!("in {} a checkpoint is being written", path.display()));
                }
            }
            self.torn.extend(torn);
            self.stale |= series.is_stale();
            self.newer(series.newest);
        }
        for name in inner.iter().filter(|_| deeper > 0) {
            self.look(&path.join(name), deeper - 1, settled);
        }
    }

    fn entry(&mut self, entry: &DirEntry, name: String, folder: &mut Folder, inner: &mut Vec<String>) {
        let Ok(about) = entry.metadata() else { return };
        if about.is_file() {
            self.file = self.file.max(about.modified().ok());
            folder.listed |= name == list::NAME;
            if name.ends_with(".index") || name.contains(".data-") {
                folder.names.insert(name);
            }
        } else if about.is_dir() && orbax::is_unfinished(&name) {
            self.known = true;
        } else if about.is_dir() {
            if let Some(step) = orbax::step(&entry.path(), &name) {
                self.known = true;
                let written = about.modified().ok();
                self.newer(Some(Saved { name: name.clone(), step: Some(step), written }));
            }
            inner.push(name);
        }
    }

    fn newer(&mut self, saved: Option<Saved>) {
        let time = |saved: &Option<Saved>| saved.as_ref().and_then(|saved| saved.written);
        if saved.is_some() && (self.saved.is_none() || time(&saved) > time(&self.saved)) {
            self.saved = saved;
        }
    }
}

/// What is no checkpoint, or none yet: a worker of a collective strategy that does not lead writes beside, and drops it.
fn passing(name: &str) -> bool {
    name.starts_with('.')
        || name.starts_with(OURS)
        || name.starts_with("workertemp_")
        || name.ends_with(".tmp")
        || name.ends_with("_temp")
        || name.contains("tfevents")
        || name.contains(".tempstate")
}

/// The first thing that somebody has left there. What begins with a dot, and a file system's own folder, is nobody's.
pub fn occupied(folder: &Path) -> Option<String> {
    let names =
        read_dir(folder).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.') && name != "lost+found").min()
}
