//! Directories of processes that were killed. Anybody may create a directory of such a name, so each one is examined first.
use super::PREFIX;
use crate::files::revision::TREE;
use rustix::fs::OFlags;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// File that the process locks while it uses the directory.
const LOCK: &str = "lock";

/// Text of this file. It is written after the file is locked.
const TEXT: &[u8] = b"This directory belongs to tfjob diff. It is deleted when no process locks this file.\n";

/// Creates the lock file of a directory.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn lock(directory: &Path) -> io::Result<File> {
    let mut lock = File::create_new(directory.join(LOCK))?;
    // Some file systems have no locks. There, the directory of a killed process is never deleted.
    let _ = lock.try_lock();
    lock.write_all(TEXT)?;
    Ok(lock)
}

/// Deletes the directories of processes that were killed.
pub fn remove_all(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let has_name = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if has_name && let Some(_lock) = locked(&entry.path()) {
            remove(&entry.path());
        }
    }
}

/// Deletes what tfjob has created in a directory, and the directory if nothing else is left. Another process may have deleted it
/// already.
pub fn remove(directory: &Path) {
    let _ = fs::remove_dir_all(directory.join(TREE));
    // After the tree: without its lock file, the directory would not be recognized.
    let _ = fs::remove_file(directory.join(LOCK));
    let _ = fs::remove_dir(directory);
}

/// Locks a directory of this user that `tfjob` has created. `None` for another one, and for one that a process uses.
fn locked(directory: &Path) -> Option<File> {
    let is_own = |about: &Metadata| about.uid() == rustix::process::geteuid().as_raw();
    // Nobody else can have changed anything in a directory with this mode.
    let about = fs::symlink_metadata(directory).ok()?;
    if !about.is_dir() || !is_own(&about) || about.mode() & 0o077 != 0 {
        return None;
    }
    // Opening a pipe would block, and a link may lead to a file that another process has locked.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let lock = File::options().read(true).custom_flags(flags).open(directory.join(LOCK)).ok()?;
    let is_file = lock.metadata().is_ok_and(|about| about.is_file() && is_own(&about));
    let mut text = Vec::new();
    let is_whole = is_file && (&lock).take(TEXT.len() as u64 + 1).read_to_end(&mut text).is_ok();
    (is_whole && text == TEXT && lock.try_lock().is_ok()).then_some(lock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::PathBuf;
    use std::process::Command;
    use std::sync::mpsc;
    use std::time::Duration;

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Creates a directory of a killed process, with a spec.
    fn create(parent: &Path, name: &str) -> PathBuf {
        let path = parent.join(format!("{PREFIX}{name}"));
        fs::create_dir_all(path.join(TREE)).unwrap();
        fs::write(path.join(TREE).join("a"), "").unwrap();
        set_mode(&path, 0o700);
        // Closing is not enough: a process that another test starts has a copy of the open file until it runs its program.
        lock(&path).unwrap().unlock().unwrap();
        path
    }

    /// Fails instead of waiting for a pipe.
    fn sweep(parent: &Path) {
        let (done, end) = mpsc::channel();
        let parent = parent.to_path_buf();
        std::thread::spawn(move || {
            remove_all(&parent);
            done.send(()).unwrap();
        });
        end.recv_timeout(Duration::from_secs(20)).unwrap();
    }

    #[test]
    fn only_directories_of_killed_processes_are_deleted() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| create(parent.path(), name);
        let (left, used) = (at("left"), at("used"));
        let process = File::open(used.join(LOCK)).unwrap();
        process.lock().unwrap();
        // The process was killed before it had written the text.
        let partial = at("partial");
        fs::write(partial.join(LOCK), &TEXT[..5]).unwrap();
        sweep(parent.path());
        assert!(!left.exists(), "no process has locked it");
        assert!(used.join(TREE).join("a").exists() && partial.exists());
        process.unlock().unwrap();
        sweep(parent.path());
        assert!(!used.exists());
    }

    #[test]
    fn directories_of_others_are_kept() {
        let parent = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let file = outside.path().join("file");
        fs::write(&file, TEXT).unwrap();
        let edit = |name: &str, edit: &dyn Fn(&Path)| {
            let path = create(parent.path(), name);
            edit(&path);
            path
        };
        // What was created by another program in place of the lock file.
        let instead = |name: &str, make: &dyn Fn(&Path)| {
            edit(name, &|path| {
                fs::remove_file(path.join(LOCK)).unwrap();
                make(&path.join(LOCK));
            })
        };
        let kept = [
            instead("none", &|_| ()),
            instead("empty", &|lock| fs::write(lock, "").unwrap()),
            instead("longer", &|lock| fs::write(lock, [TEXT, b"x"].concat()).unwrap()),
            instead("directory", &|lock| fs::create_dir(lock).unwrap()),
            instead("link", &|lock| symlink(&file, lock).unwrap()),
            instead("pipe", &|lock| assert!(Command::new("mkfifo").arg(lock).status().unwrap().success())),
            edit("readable", &|path| set_mode(path, 0o755)),
        ];
        // Only root can give a directory to another user.
        let given = edit("given", &|_| ());
        let is_given = std::os::unix::fs::chown(&given, Some(12345), None).is_ok();
        let linked = parent.path().join(format!("{PREFIX}linked"));
        let target = create(outside.path(), "target");
        symlink(&target, &linked).unwrap();
        sweep(parent.path());
        for path in kept.iter().chain([&target]).chain(is_given.then_some(&given)) {
            assert!(path.join(TREE).join("a").exists(), "{}", path.display());
        }
        assert!(linked.is_symlink());
    }

    #[test]
    fn links_are_not_followed_and_other_files_are_kept() {
        let parent = tempfile::tempdir().unwrap();
        let outside = create(parent.path(), "outside");
        let process = File::open(outside.join(LOCK)).unwrap();
        process.lock().unwrap();
        let linked = create(parent.path(), "linked");
        fs::remove_dir_all(linked.join(TREE)).unwrap();
        symlink(outside.join(TREE), linked.join(TREE)).unwrap();
        let below = create(parent.path(), "below");
        symlink(outside.join(TREE), below.join(TREE).join("link")).unwrap();
        let more = create(parent.path(), "more");
        fs::write(more.join("other"), "").unwrap();
        sweep(parent.path());
        assert!(outside.join(TREE).join("a").exists());
        assert!(!below.exists());
        assert!(more.join("other").exists());
    }
}
