//! The run's own folder: nobody else's, held by one run at a time, with the logs of earlier runs.
use super::mounts::{self, Place};
use super::{Ground, RUNS, scratch};
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The first bytes of `lock`: they tell a run's folder from another.
const MARK: &[u8] = b"tfjob run\n";
/// Where the output of earlier runs is kept.
const PREVIOUS: &str = "previous";
/// Output of a run, which the next run moves away.
const OUTPUT: [&str; 4] = ["logs", "events", "status", "contract.json"];

/// Makes the folder and holds it as long as the files are open. The first is its lock.
///
/// # Errors
/// Where the folder holds other files, where another run holds it, and where the disk says no.
pub fn hold(ground: &Ground) -> Result<Vec<File>, Failure> {
    let folder = &ground.folder;
    make(folder)
        .map_err(|fault| Failure::new(format!("{fault}: `--folder` names another directory for the run")))?;
    belongs(ground)?;
    let lock = alone(folder)?;
    // Somebody may remove the lock while a run is under way, but not what is locked here.
    let Ok(itself) = File::open(folder) else { return Ok(vec![lock]) };
    match itself.try_lock() {
        Err(TryLockError::WouldBlock) => Err(taken(folder)),
        // A file system without locks of directories keeps no other run out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(vec![lock, itself]),
    }
}

fn taken(folder: &Path) -> Failure {
    Failure::new(format!(
        "the job runs already in `{}`: `--folder` names another place for its logs",
        folder.display()
    ))
}

/// Refuses a path of the job that this run would empty or move away.
///
/// # Errors
/// The paths, all of them at once.
pub fn apart<'p>(ground: &Ground, paths: impl Iterator<Item = &'p str>) -> Result<(), Failure> {
    let folder = resolved(&ground.folder);
    let moved = OUTPUT.map(|name| (folder.join(name), "moves away"));
    let own = moved.into_iter().chain([(resolved(&ground.scratch), "empties")]);
    let own: Vec<_> = own.map(|(own, does)| (Place::of(&own), own, does)).collect();
    let faults = paths.filter_map(|path| {
        let whole = resolved(&ground.here.join(path));
        let place = Place::of(&whole);
        let mounted = |own: &Option<Place>| own.as_ref().is_some_and(|own| place.as_ref().is_some_and(|place| place.is_within(own)));
        let (_, own, does) = own.iter().find(|(place, own, _)| whole.starts_with(own) || mounted(place))?;
        let is = if whole.starts_with(own) { "is inside" } else { "is on a mount of files inside" };
        Some(Failure::new(format!(
            "the job's `{path}` {is} `{}`, which each run {does} when it starts: choose another path, or another `--folder`",
            own.display()
        )))
    });
    let faults: BTreeMap<String, Failure> = faults.map(|fault| (fault.to_string(), fault)).collect();
    Failure::all(faults.into_values().collect()).map_or(Ok(()), Err)
}

/// A path without links and `..`, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let mut rest = PathBuf::new();
    for above in path.ancestors() {
        if let Ok(whole) = fs::canonicalize(above) {
            // An empty rest would add a slash.
            return if rest.as_os_str().is_empty() { whole } else { whole.join(rest) };
        }
        let Some(name) = above.file_name() else { break };
        rest = if rest.as_os_str().is_empty() { PathBuf::from(name) } else { Path::new(name).join(rest) };
    }
    path.to_path_buf()
}

/// Moves what an earlier run wrote into `previous/N`, the highest number being the newest, and empties the scratch
/// directories of these tasks.
///
/// # Errors
/// Where the disk says no. Where a file system is mounted in a scratch directory: then nothing is moved or removed.
pub fn renew(ground: &Ground, tasks: &[String]) -> Result<(), Failure> {
    let folder = &ground.folder;
    let directories: Vec<PathBuf> = tasks.iter().map(|task| ground.scratch.join(task)).collect();
    let mounted = directories.iter().filter_map(|path| mounts::none_below(path).err()).collect();
    Failure::all(mounted).map_or(Ok(()), Err)?;
    keep(folder)?;
    for name in ["logs", "events", "status"] {
        make(&folder.join(name))?;
    }
    untracked(ground);
    directories.iter().try_for_each(|path| scratch::empty(path))
}

/// Makes a directory and those above it.
///
/// # Errors
/// Where the disk says no.
pub fn make(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|e| Failure::at("cannot create", path, &e))
}

/// Refuses a folder of somebody else: files there may have the names of ours.
fn belongs(ground: &Ground) -> Result<(), Failure> {
    let folder = &ground.folder;
    // `..` and links lead elsewhere.
    let below = fs::canonicalize(folder)
        .and_then(|folder| Ok(folder.starts_with(fs::canonicalize(ground.here.join(RUNS))?)));
    if below.unwrap_or(false) || is_marked(folder) {
        return Ok(());
    }
    let mut entries = fs::read_dir(folder).map_err(|e| Failure::at("cannot read", folder, &e))?;
    // A new volume has it.
    let is_made_by_mkfs = |entry: &fs::DirEntry| entry.file_name() == "lost+found" && entry.path().is_dir();
    if entries.all(|entry| entry.is_ok_and(|entry| is_made_by_mkfs(&entry))) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "`{}` has files that are not of a run: `--folder` needs a directory that is new or empty, or that of an earlier run",
        folder.display()
    )))
}

fn is_marked(folder: &Path) -> bool {
    let mut text = Vec::new();
    let read = File::open(folder.join("lock")).and_then(|file| file.take(64).read_to_end(&mut text));
    read.is_ok() && text.starts_with(MARK)
}

/// Holds the folder for this process.
fn alone(folder: &Path) -> Result<File, Failure> {
    let path = folder.join("lock");
    let fault = |e: &std::io::Error| Failure::at("cannot write", &path, e);
    let open = File::options().create(true).truncate(false).read(true).write(true).open(&path);
    let mut lock = open.map_err(|e| fault(&e))?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => {
            return Err(taken(folder));
        }
        // A file system without locks keeps no other run out.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    lock.write_all(MARK).map_err(|e| fault(&e))?;
    Ok(lock)
}

/// Tells whether a run's directory still belongs to this process.
#[derive(Debug, Clone, Default)]
pub struct Owner {
    lock: PathBuf,
    own: Option<(u64, u64)>,
}

impl Owner {
    /// This process, which holds the directory.
    pub fn of(ground: &Ground) -> Self {
        let own = ground.locks.first().and_then(|lock| lock.metadata().ok());
        Self { lock: ground.folder.join("lock"), own: own.map(|about| (about.dev(), about.ino())) }
    }

    /// Whether the lock is still that of this process, or removed: no other run has the directory.
    pub fn holds(&self) -> bool {
        let there = fs::metadata(&self.lock).ok().map(|about| (about.dev(), about.ino()));
        there.is_none() || there == self.own
    }
}

/// Moves what an earlier run wrote out of the way of this one.
fn keep(folder: &Path) -> Result<(), Failure> {
    let tasks = tasks(folder);
    let is_left = |name: &&str| {
        let path = folder.join(name);
        if path.is_dir() && mounts::leads_elsewhere(&path) {
            return !output(&path, &tasks).is_empty();
        }
        path.is_file() || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some())
    };
    let left: Vec<&str> = OUTPUT.into_iter().filter(is_left).collect();
    if left.is_empty() {
        return Ok(());
    }
    let previous = folder.join(PREVIOUS);
    make(&previous)?;
    let entries = fs::read_dir(&previous).map_err(|e| Failure::at("cannot read", &previous, &e))?;
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u64>().ok());
    let number = numbers.max().unwrap_or(0).saturating_add(1).to_string();
    let to = previous.join(&number);
    make(&to)?;
    for name in left {
        let from = folder.join(name);
        let moved = if from.is_dir() && mounts::leads_elsewhere(&from) {
            keep_there(&from, &tasks, (&number, &to.join(name)))
        } else {
            relocate(&from, &to.join(name))
        };
        if let Err(e) = moved {
            // Nothing was moved there.
            let _ = fs::remove_dir(&to);
            return Err(Failure::at("cannot move", &from, &e));
        }
    }
    Ok(())
}

/// Moves a file or a directory. On another disk it is copied; so is a directory of an image's lower layer, which overlayfs
/// does not rename.
fn relocate(from: &Path, to: &Path) -> std::io::Result<()> {
    match fs::rename(from, to) {
        Err(e) if e.kind() == ErrorKind::CrossesDevices => {}
        moved => return moved,
    }
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_dir() {
        fs::create_dir(to)?;
        fs::set_permissions(to, fs::symlink_metadata(from)?.permissions())?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            relocate(&entry.path(), &to.join(entry.file_name()))?;
        }
        return fs::remove_dir(from);
    }
    if kind.is_symlink() {
        std::os::unix::fs::symlink(fs::read_link(from)?, to)?;
    } else if kind.is_file() {
        // A pipe or a socket of an earlier run holds nothing, and reading from it would wait for a writer.
        fs::copy(from, to)?;
    }
    fs::remove_file(from)
}

/// The names of the earlier run's tasks: `worker-0`.
fn tasks(folder: &Path) -> BTreeSet<OsString> {
    let own = OUTPUT.into_iter().map(|name| folder.join(name)).filter(|path| !mounts::leads_elsewhere(path));
    let entries = own.filter_map(|path| fs::read_dir(path).ok()).flatten().flatten();
    entries.filter_map(|entry| Some(entry.path().file_stem()?.to_owned())).collect()
}

/// The files of these tasks in a directory that somebody has chosen for them: `worker-0.log`. Others may be there too.
fn output(folder: &Path, tasks: &BTreeSet<OsString>) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_ours = |path: &PathBuf| {
        let known =
            ["log", "jsonl", "json"].iter().any(|known| path.extension().is_some_and(|own| own == *known));
        let stem = path.file_stem().and_then(|stem| stem.to_str()?.rsplit_once('-'));
        let named = path.file_stem().is_some_and(|stem| tasks.contains(stem));
        known && named && path.is_file() && stem.is_some_and(|(_, index)| index.parse::<u32>().is_ok())
    };
    entries.filter(is_ours).collect()
}

/// The same for a link to a directory, which may be on another disk, or for a mount: the files stay on that disk, and the
/// link in its place.
fn keep_there(link: &Path, tasks: &BTreeSet<OsString>, (number, to): (&str, &Path)) -> std::io::Result<()> {
    let there = fs::canonicalize(link)?;
    let mut below = there.join(PREVIOUS).join(number);
    for more in 1.. {
        if !below.exists() {
            break;
        }
        below = there.join(PREVIOUS).join(format!("{number}.{more}"));
    }
    fs::create_dir_all(&below)?;
    for path in output(&there, tasks) {
        fs::rename(&path, below.join(path.file_name().unwrap_or_default()))?;
    }
    std::os::unix::fs::symlink(&below, to)
}

/// Keeps the folders of all runs out of version control, unless somebody has said otherwise there.
fn untracked(ground: &Ground) {
    let runs = ground.here.join(RUNS);
    let path = runs.join(".gitignore");
    if ground.folder.starts_with(&runs) && !path.exists() {
        // A run does not need it.
        let _ = fs::write(&path, "*\n");
    }
}
