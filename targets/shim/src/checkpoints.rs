//! The directory of checkpoints, as far as a program's files tell: what is there, whether it has advanced, and what is
//! incomplete.
mod bundle;
mod list;
mod message;
mod names;
mod orbax;
mod series;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod written;

use crate::state::OURS;
use series::Folder;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fs::{DirEntry, Metadata, read_dir};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many entries are looked at at most, and how deep: a folder of data must not hold up a restart.
const MOST: usize = 100_000;
const DEEPEST: u32 = 6;

/// Names of files that hold the state of a program of another format end so.
const MODELS: [&str; 15] = [
    ".keras",
    ".h5",
    ".hdf5",
    ".pt",
    ".pth",
    ".ckpt",
    ".pkl",
    ".pickle",
    ".safetensors",
    ".npz",
    ".npy",
    ".joblib",
    ".bin",
    ".msgpack",
    ".onnx",
];

/// A complete checkpoint of a format that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// TensorFlow or Orbax.
    pub format: &'static str,
    /// Its name in its directory.
    pub name: String,
    /// That directory.
    pub folder: PathBuf,
    /// The step at which it was written, where that is known.
    pub step: Option<u64>,
    /// When its last file was written.
    pub written: Option<SystemTime>,
}

impl Saved {
    /// Whether it is newer than another. One that a program writes again at the step from which it has resumed is not.
    fn is_newer(&self, before: &Self) -> bool {
        let same = self.step.is_some()
            && (self.step, &self.name, &self.folder) == (before.step, &before.name, &before.folder);
        !same && (self.written > before.written || (before.step.is_some() && self.step > before.step))
    }
}

/// A directory of checkpoints at one moment.
#[derive(Debug, Default)]
pub struct Mark {
    saved: Option<Saved>,
    /// Files of no known format: a hash of the path of each, and one of its length and time.
    files: Vec<(u64, u64)>,
    /// Whether more is there than was seen.
    partial: bool,
}

impl Mark {
    /// Whether the program has advanced since then: by a newer checkpoint of a known format, or by any new or changed file
    /// of another. Where not everything can be seen, it counts as advanced: only what is sure ends a job.
    pub fn is_progress(&self, before: &Self) -> bool {
        let newer = match (&self.saved, &before.saved) {
            (Some(saved), Some(before)) => saved.is_newer(before),
            (saved, before) => saved.is_some() && before.is_none(),
        };
        let known = |file: &(u64, u64)| before.files.binary_search(file).is_ok();
        self.partial || newer || !self.files.iter().all(known)
    }
}

/// Checkpoints that are not whole, by the path of their prefix: each file of theirs, its length and when it was written.
pub type Torn = BTreeMap<PathBuf, Vec<(String, u64, Option<SystemTime>)>>;

/// What is in the folder.
#[derive(Debug, Default)]
pub struct Survey {
    /// The newest whole checkpoint of TensorFlow or Orbax.
    pub saved: Option<Saved>,
    /// Whether there is any of theirs, complete or not.
    pub known: bool,
    /// Files of no known format. A heap sorts in less code than `sort`.
    files: BinaryHeap<(u64, u64)>,
    /// When the newest checkpoint of another format was written.
    other: Option<SystemTime>,
    /// Whether the directory itself cannot be read.
    blind: bool,
    /// What was done about torn ones.
    pub said: Vec<String>,
    /// What is torn, or being written.
    pub torn: Torn,
    /// Whether a list names what is not there.
    pub stale: bool,
    /// Whether it cannot be told what a program goes on from.
    pub undecided: bool,
    left: usize,
    cut: bool,
}

impl Survey {
    /// Looks at all of it, or until `over` says that nobody needs it any more. What is clearly torn, and still as it is in `settled`, is set aside, so that a program goes on
    /// from what is whole: what another task is writing right now changes.
    ///
    /// Not looked at: what begins with a dot, logs and files that are still being written, since a program that fails at
    /// once leaves those too; empty files, symbolic links, and what is no regular file.
    pub fn of(folder: &Path, settled: Option<&Torn>, over: &dyn Fn() -> bool) -> Self {
        Self::within(MOST, folder, settled, over)
    }

    fn within(most: usize, folder: &Path, settled: Option<&Torn>, over: &dyn Fn() -> bool) -> Self {
        let mut survey = Self { left: most, ..Self::default() };
        survey.blind = read_dir(folder).is_err_and(|fault| fault.kind() != ErrorKind::NotFound);
        survey.look(folder, DEEPEST, settled, over);
        survey
    }

    /// Whether there was more than is looked at.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// Whether there are files of other formats.
    pub fn has_others(&self) -> bool {
        !self.files.is_empty()
    }

    /// The step of the newest checkpoint; `None` where that has another format.
    pub fn step(&self) -> Option<u64> {
        self.saved.as_ref().filter(|saved| saved.written >= self.other)?.step
    }

    /// What tells later whether the program has advanced.
    pub fn mark(self) -> Mark {
        Mark { saved: self.saved, files: self.files.into_sorted_vec(), partial: self.cut || self.blind }
    }

    fn look(&mut self, path: &Path, deeper: u32, settled: Option<&Torn>, over: &dyn Fn() -> bool) {
        let Ok(entries) = read_dir(path) else { return };
        let mut folder =
            Folder { path: path.to_owned(), names: BTreeSet::new(), listed: false, linked: false };
        let (mut inner, mut theirs) = (Vec::new(), Vec::new());
        for entry in entries.flatten() {
            let Some(fewer) = self.left.checked_sub(1).filter(|_| !over()) else {
                self.cut = true;
                break;
            };
            self.left = fewer;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !passing(&name) {
                self.entry(&entry, name, &mut folder, &mut inner, &mut theirs);
            }
        }
        // On a slow disk, each further file and directory takes its time.
        if over() {
            self.cut = true;
            return;
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
            self.undecided |= series.is_undecided();
            self.newer(series.newest);
        } else {
            self.files.extend(theirs);
        }
        for name in inner.iter().filter(|_| deeper > 0) {
            if over() {
                self.cut = true;
                return;
            }
            self.look(&path.join(name), deeper - 1, settled, over);
        }
    }

    /// Takes an entry. `theirs` are files that have the form of TensorFlow's.
    fn entry(
        &mut self,
        entry: &DirEntry,
        name: String,
        folder: &mut Folder,
        inner: &mut Vec<String>,
        theirs: &mut Vec<(u64, u64)>,
    ) {
        let Ok(about) = entry.metadata() else { return };
        if about.is_symlink() && (name.ends_with(".index") || name.contains(".data-")) {
            folder.linked = true;
        }
        if about.is_file() {
            folder.listed |= name == list::NAME;
            let form = name.ends_with(".index") || name.contains(".data-");
            let of_form = form || name == list::NAME || name.ends_with(".meta");
            if about.len() > 0 {
                let file = (hash(&entry.path()), hash(&(about.len(), about.modified().ok())));
                if of_form {
                    theirs.push(file)
                } else {
                    self.files.push(file)
                }
                self.other = self.other.max(model(&name, &about));
            }
            if form {
                folder.names.insert(name);
            }
        } else if about.is_dir() && orbax::is_unfinished(&name) {
            self.known = true;
        } else if about.is_dir() {
            if let Some(step) = orbax::step(&entry.path(), &name) {
                self.known = true;
                let (written, folder) = (about.modified().ok(), folder.path.clone());
                let step = Some(step);
                self.newer(Some(Saved { format: "Orbax", name, folder, step, written }));
            } else {
                inner.push(name);
            }
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
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    name.starts_with('.')
        || name.starts_with(OURS)
        || name.starts_with("workertemp_")
        || ends(&[".tmp", "_temp", ".part", ".partial", ".incomplete", ".lock", ".log", ".err", "~"])
        || name.contains(".log.")
        || name.contains("tfevents")
        || name.contains(".tempstate")
        || name == "graph.pbtxt"
}

/// When the state of a program was written, if this is a file of it.
fn model(name: &str, about: &Metadata) -> Option<SystemTime> {
    MODELS.iter().any(|end| name.ends_with(end)).then(|| about.modified().ok()).flatten()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The first thing that somebody has left there. What begins with a dot, and a file system's own folder, is nobody's.
pub fn occupied(folder: &Path) -> Option<String> {
    let names =
        read_dir(folder).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.') && name != "lost+found").min()
}
