//! The checkpoint directory: its newest complete checkpoint, progress, and incomplete checkpoints.
mod bundle;
#[cfg(test)]
mod fixtures;
mod list;
mod message;
mod orbax;
mod series;
mod series_name;
mod table;
#[cfg(test)]
mod tests;

use crate::state::OURS;
use series::Folder;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fs::{DirEntry, Metadata, read_dir};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Maximum number of entries (`MAX_ENTRIES`) and maximum depth (`MAX_DEPTH`) of a scan. Without these limits, a directory that also
/// contains training data would delay a restart.
const MAX_ENTRIES: usize = 100_000;
const MAX_DEPTH: u32 = 6;

/// Suffixes of checkpoint files that are neither of TensorFlow nor of Orbax.
const OTHER_FORMATS: [&str; 15] = [
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

/// A complete TensorFlow or Orbax checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// `TensorFlow` or `Orbax`.
    pub format: &'static str,
    /// Name in its directory.
    pub name: String,
    /// Directory that contains the checkpoint.
    pub folder: PathBuf,
    /// Training step, if known.
    pub step: Option<u64>,
    /// Modification time of its last file.
    pub written: Option<SystemTime>,
}

impl Saved {
    /// Whether this checkpoint is newer than `before`. A checkpoint that is rewritten at the step from which the program resumed is
    /// not newer.
    fn is_newer(&self, before: &Self) -> bool {
        let same = self.step.is_some()
            && (self.step, &self.name, &self.folder) == (before.step, &before.name, &before.folder);
        !same && (self.written > before.written || (before.step.is_some() && self.step > before.step))
    }
}

/// A snapshot of the checkpoint directory, for the comparison of progress.
#[derive(Debug, Default)]
pub struct Mark {
    saved: Option<Saved>,
    /// Files that belong to no TensorFlow or Orbax checkpoint: a hash of the path, and a hash of size and modification time.
    files: Vec<(u64, u64)>,
    /// Whether the scan was incomplete.
    partial: bool,
}

impl Mark {
    /// Whether there is progress since `before`: a newer TensorFlow or Orbax checkpoint, or another file that is new or changed.
    /// An incomplete scan counts as progress, so that uncertainty never ends a job.
    pub fn is_progress(&self, before: &Self) -> bool {
        let newer = match (&self.saved, &before.saved) {
            (Some(saved), Some(before)) => saved.is_newer(before),
            (saved, before) => saved.is_some() && before.is_none(),
        };
        let known = |file: &(u64, u64)| before.files.binary_search(file).is_ok();
        self.partial || newer || !self.files.iter().all(known)
    }
}

/// Incomplete checkpoints by path prefix: name, size, and modification time of each file.
pub type Incomplete = BTreeMap<PathBuf, Vec<(String, u64, Option<SystemTime>)>>;

/// The result of a scan.
#[derive(Debug, Default)]
pub struct Survey {
    /// The newest complete checkpoint of TensorFlow or Orbax.
    pub saved: Option<Saved>,
    /// Whether there is any TensorFlow or Orbax checkpoint, complete or not.
    pub known: bool,
    /// Files that belong to no TensorFlow or Orbax checkpoint, hashed as in `Mark::files`. A heap, because its code is smaller than
    /// that of `sort`.
    files: BinaryHeap<(u64, u64)>,
    /// Modification time of the newest checkpoint that is neither of TensorFlow nor of Orbax.
    other: Option<SystemTime>,
    /// Whether the directory cannot be read.
    blind: bool,
    /// Messages about repairs.
    pub said: Vec<String>,
    /// Checkpoints that are incomplete or being written.
    pub incomplete: Incomplete,
    /// Whether a `checkpoint` file lists missing checkpoints.
    pub stale: bool,
    /// Whether it is unknown from which checkpoint the program resumes.
    pub undecided: bool,
    left: usize,
    cut: bool,
}

impl Survey {
    /// Scans the directory; if `over` returns true, the scan ends early. `settled` holds the incomplete checkpoints of an earlier
    /// scan. Those that are unchanged since then are moved aside, so that the program resumes from a complete checkpoint. A changed
    /// checkpoint is being written by another task.
    ///
    /// Ignores hidden files, logs, and temporary files, because even a program that fails immediately creates them. Ignores empty
    /// files, symbolic links, and special files too.
    pub fn of(folder: &Path, settled: Option<&Incomplete>, over: &dyn Fn() -> bool) -> Self {
        Self::within(MAX_ENTRIES, folder, settled, over)
    }

    fn within(most: usize, folder: &Path, settled: Option<&Incomplete>, over: &dyn Fn() -> bool) -> Self {
        let mut survey = Self { left: most, ..Self::default() };
        survey.blind = read_dir(folder).is_err_and(|fault| fault.kind() != ErrorKind::NotFound);
        survey.scan(folder, MAX_DEPTH, settled, over);
        survey
    }

    /// Whether the scan was cut short.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// Whether there are files that belong to no TensorFlow or Orbax checkpoint.
    pub fn has_others(&self) -> bool {
        !self.files.is_empty()
    }

    /// Returns the step of the newest checkpoint. `None` if the newest checkpoint is neither of TensorFlow nor of Orbax.
    pub fn step(&self) -> Option<u64> {
        self.saved.as_ref().filter(|saved| saved.written >= self.other)?.step
    }

    /// Returns the snapshot for [`Mark::is_progress`].
    pub fn mark(self) -> Mark {
        Mark { saved: self.saved, files: self.files.into_sorted_vec(), partial: self.cut || self.blind }
    }

    fn scan(&mut self, path: &Path, deeper: u32, settled: Option<&Incomplete>, over: &dyn Fn() -> bool) {
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
            if !is_ignored(&name) {
                self.entry(&entry, name, &mut folder, &mut inner, &mut theirs);
            }
        }
        // `over` is called again here, because each file may be slow to read.
        if over() {
            self.cut = true;
            return;
        }
        if let Some(series) = folder.series() {
            self.known = true;
            // `insert` instead of `collect`, which would add another sort to the binary.
            let mut incomplete = Incomplete::new();
            for (name, _) in &series.incomplete {
                let (prefix, files) = folder.seen(name);
                incomplete.insert(prefix, files);
            }
            // An incomplete scan repairs nothing, because a listed checkpoint may only seem to be missing.
            if let Some(settled) = settled.filter(|_| !self.cut) {
                let still = |(prefix, files): (&PathBuf, _)| settled.get(prefix) == Some(files);
                if incomplete.iter().all(still) {
                    self.said.extend(series.repair(&folder));
                } else {
                    self.said.push(format!(
                        "a checkpoint in {} is incomplete, but still being written; not moved",
                        path.display()
                    ));
                }
            }
            self.incomplete.extend(incomplete);
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
            self.scan(&path.join(name), deeper - 1, settled, over);
        }
    }

    /// Records a directory entry. `theirs` collects the hashes of files with names of TensorFlow checkpoints.
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

/// Whether the name is that of a temporary file, or of a file that is not a checkpoint. With a collective strategy, workers other
/// than the leader write temporary copies.
fn is_ignored(name: &str) -> bool {
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

/// Returns the modification time of a file with a suffix of [`OTHER_FORMATS`]. `None` for any other file.
fn model(name: &str, about: &Metadata) -> Option<SystemTime> {
    OTHER_FORMATS.iter().any(|end| name.ends_with(end)).then(|| about.modified().ok()).flatten()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the name of the first entry of a directory, except hidden files and `lost+found`. `None` if there is none.
pub fn occupied(folder: &Path) -> Option<String> {
    let names =
        read_dir(folder).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.') && name != "lost+found").min()
}
