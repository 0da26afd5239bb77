//! The run directory: locked by one run at a time, with the logs of earlier runs.
use super::mounts::{self, Place};
use super::previous::{self, OUTPUT};
use super::{RUNS, RunContext, scratch};
use crate::outcome::Failure;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// First bytes of `lock`, which identify a run directory.
const MARK: &[u8] = b"tfjob run\n";

/// Creates and locks the run directory. The lock lasts as long as the returned files are open. The first of them is the lock
/// file.
///
/// # Errors
/// Returns an error if the directory contains other files or belongs to an active run. Returns I/O errors.
pub fn hold(context: &RunContext) -> Result<Vec<File>, Failure> {
    let folder = &context.folder;
    require_directory(folder)?;
    make(folder)
        .map_err(|fault| Failure::new(format!("{fault}; to use another run directory, set `--directory`")))?;
    belongs(context)?;
    let lock = lock_directory(folder)?;
    // The lock file may be removed during a run, so the directory is locked too.
    let Ok(itself) = File::open(folder) else { return Ok(vec![lock]) };
    match itself.try_lock() {
        Err(TryLockError::WouldBlock) => Err(taken(folder)),
        // Some file systems cannot lock directories. Then only the lock file is locked.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(vec![lock, itself]),
    }
}

/// Checks that the path of the run directory is a directory, or does not exist. The message must not advise the user to remove a
/// file at this path, because the file may be the spec.
fn require_directory(path: &Path) -> Result<(), Failure> {
    let kind = match (fs::metadata(path), fs::symlink_metadata(path)) {
        (Ok(about), _) if about.is_dir() => return Ok(()),
        (Ok(about), _) if about.is_file() => "a file",
        (Ok(_), _) => "not a directory",
        (Err(_), Ok(_)) => "a broken symbolic link",
        (Err(_), Err(_)) => return Ok(()),
    };
    Err(Failure::new(format!("`{}` is {kind}; `--directory` requires a directory", path.display())))
}

/// Returns the failure for a run directory that another run has locked; `None` if no run is active.
pub fn active(folder: &Path) -> Option<Failure> {
    let lock = File::open(folder.join("lock")).ok()?;
    matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| taken(folder))
}

fn taken(folder: &Path) -> Failure {
    Failure::new(format!(
        "another run of this job is active in `{}`: wait for it to finish, or use another directory with `--directory`",
        folder.display()
    ))
}

/// Checks that no path of the job is in a directory that a run moves or empties at its start.
///
/// # Errors
/// Returns a message with all paths of the job in these directories.
pub fn apart<'p>(context: &RunContext, paths: impl Iterator<Item = &'p str>) -> Result<(), Failure> {
    let folder = resolved(&context.folder);
    let moved = OUTPUT.map(|name| (folder.join(name), "moves this directory to `previous`"));
    let own = moved.into_iter().chain([(resolved(&context.scratch), "empties this directory")]);
    let own: Vec<_> = own.map(|(own, does)| (Place::of(&own), own, does)).collect();
    let faults = paths.filter_map(|path| {
        let whole = resolved(&context.here.join(path));
        let place = Place::of(&whole);
        let mounted = |own: &Option<Place>| own.as_ref().is_some_and(|own| place.as_ref().is_some_and(|place| place.is_within(own)));
        let (_, own, does) = own.iter().find(|(place, own, _)| whole.starts_with(own) || mounted(place))?;
        let is = if whole.starts_with(own) { "is inside" } else { "is mounted from a directory inside" };
        Some(Failure::new(format!(
            "path `{path}` of the job {is} `{}`, and each run {does} when it starts: use another path, or another `--directory`",
            own.display()
        )))
    });
    let faults: BTreeMap<String, Failure> = faults.map(|fault| (fault.to_string(), fault)).collect();
    Failure::all(faults.into_values().collect()).map_or(Ok(()), Err)
}

/// Returns the path with symbolic links and `..` resolved, as far as the path exists.
pub fn resolved(path: &Path) -> PathBuf {
    let mut rest = PathBuf::new();
    for above in path.ancestors() {
        if let Ok(whole) = fs::canonicalize(above) {
            // Joining an empty path would append a slash.
            return if rest.as_os_str().is_empty() { whole } else { whole.join(rest) };
        }
        let Some(name) = above.file_name() else { break };
        rest = if rest.as_os_str().is_empty() { PathBuf::from(name) } else { Path::new(name).join(rest) };
    }
    path.to_path_buf()
}

/// Moves the logs, events, and status files of an earlier run to `previous/N`, where the highest number is the newest. Empties the
/// scratch directories of these tasks.
///
/// # Errors
/// Returns I/O errors. Returns an error if a file system is mounted in a scratch directory; then nothing is moved or removed.
pub fn renew(context: &RunContext, tasks: &[String]) -> Result<(), Failure> {
    let folder = &context.folder;
    let directories: Vec<PathBuf> = tasks.iter().map(|task| context.scratch.join(task)).collect();
    let mounted = directories.iter().filter_map(|path| mounts::none_below(path).err()).collect();
    Failure::all(mounted).map_or(Ok(()), Err)?;
    previous::keep(folder, tasks)?;
    for name in ["logs", "events", "status"] {
        make(&folder.join(name))?;
    }
    untracked(context);
    directories.iter().try_for_each(|path| scratch::empty(path))
}

/// Creates a directory and its parents.
///
/// # Errors
/// Returns I/O errors.
pub fn make(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => {
            let kind = fs::symlink_metadata(path).map(|about| about.file_type());
            let fault = match kind {
                Ok(kind) if kind.is_file() => "is a file: remove the file, or",
                Ok(kind) if kind.is_symlink() => "is a broken symbolic link: remove the link, or",
                Ok(_) | Err(_) => "is not a directory:",
            };
            Failure::new(format!("`{}` {fault} use another path", path.display()))
        }
        _ => Failure::at("cannot create", path, &e),
    })
}

/// Checks that the directory is empty, or was created by a run. Other directories may contain files with the same names as those of
/// a run.
fn belongs(context: &RunContext) -> Result<(), Failure> {
    let folder = &context.folder;
    // `canonicalize` resolves `..` and symbolic links, so that the two paths can be compared.
    let below = fs::canonicalize(folder)
        .and_then(|folder| Ok(folder.starts_with(fs::canonicalize(context.here.join(RUNS))?)));
    if below.unwrap_or(false) || is_marked(folder) {
        return Ok(());
    }
    let mut entries = fs::read_dir(folder).map_err(|e| Failure::at("cannot read", folder, &e))?;
    // `mkfs` creates the directory `lost+found`, so a new file system is not empty.
    let is_made_by_mkfs = |entry: &fs::DirEntry| entry.file_name() == "lost+found" && entry.path().is_dir();
    if entries.all(|entry| entry.is_ok_and(|entry| is_made_by_mkfs(&entry))) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "`{}` contains files that were not created by `tfjob run`: `--directory` requires a new directory, an empty directory, or the directory of an earlier run",
        folder.display()
    )))
}

fn is_marked(folder: &Path) -> bool {
    let mut text = Vec::new();
    let read = File::open(folder.join("lock")).and_then(|file| file.take(64).read_to_end(&mut text));
    read.is_ok() && text.starts_with(MARK)
}

/// Locks the run directory for this process.
fn lock_directory(folder: &Path) -> Result<File, Failure> {
    let path = folder.join("lock");
    let fault = |e: &std::io::Error| Failure::at("cannot write", &path, e);
    let open = File::options().create(true).truncate(false).read(true).write(true).open(&path);
    let mut lock = open.map_err(|e| fault(&e))?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => {
            return Err(taken(folder));
        }
        // Some file systems do not support locks. The run continues without a lock.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    lock.write_all(MARK).map_err(|e| fault(&e))?;
    Ok(lock)
}

/// Checks whether the run directory still belongs to this process.
#[derive(Debug, Clone, Default)]
pub struct Owner {
    lock: PathBuf,
    own: Option<(u64, u64)>,
}

impl Owner {
    /// Returns the owner for this process, which has locked the directory.
    pub fn of(context: &RunContext) -> Self {
        let own = context.locks.first().and_then(|lock| lock.metadata().ok());
        Self { lock: context.folder.join("lock"), own: own.map(|about| (about.dev(), about.ino())) }
    }

    /// Returns whether no other run has replaced the lock file of this process. A removed lock file does not count as replaced.
    pub fn holds(&self) -> bool {
        let there = fs::metadata(&self.lock).ok().map(|about| (about.dev(), about.ino()));
        there.is_none() || there == self.own
    }
}

/// Excludes the run directories from version control, unless a `.gitignore` exists.
fn untracked(context: &RunContext) {
    let runs = context.here.join(RUNS);
    let path = runs.join(".gitignore");
    if context.folder.starts_with(&runs) && !path.exists() {
        // The run works without this file, so an error is ignored.
        let _ = fs::write(&path, "*\n");
    }
}
