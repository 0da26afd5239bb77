//! Writes output files atomically: all of them, or none.
use super::held::held;
use super::temporary;
use crate::outcome::Failure;
use crate::terminal::plain;
use ignore::WalkBuilder;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use tempfile::NamedTempFile;

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Path below the output directory, separated by `/`.
    pub path: String,
    /// Contents.
    pub bytes: Vec<u8>,
    /// Whether the file is executable.
    pub executable: bool,
}

/// Writes all files below `folder`, or none. All files are first written to temporary files, which are renamed once all are on
/// disk. A file that exists with the same contents and mode stays unchanged.
///
/// # Errors
/// Returns an error if a file cannot be written. Files that were already replaced are restored.
pub fn write_all(folder: &Path, files: &[Output]) -> Result<(), Failure> {
    held(|| {
        let mut staged = Vec::new();
        let mut folders = Vec::new();
        let result = stage(folder, files, &mut folders, &mut staged).and_then(|()| commit(staged));
        if result.is_err() {
            // The deepest directory is removed first. A directory in which another process has created files is not empty, so it
            // stays.
            folders.iter().rev().for_each(|made| drop(fs::remove_dir(made)));
        }
        result
    })
}

fn stage(
    folder: &Path,
    files: &[Output],
    made: &mut Vec<PathBuf>,
    staged: &mut Vec<(NamedTempFile, PathBuf)>,
) -> Result<(), Failure> {
    let mut cleaned = BTreeSet::new();
    for file in files {
        let inside = Path::new(&file.path).components().all(|part| matches!(part, Component::Normal(_)));
        let path = folder.join(&file.path);
        if !inside || path.is_dir() {
            return Err(Failure::new(format!(
                "cannot write `{}`: the path is a directory or outside of the output directory",
                path.display()
            )));
        }
        // Renaming would replace a device, pipe, or link, and reading a device or pipe could block forever.
        if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
            let what = if path.is_symlink() { "a symbolic link" } else { "not a regular file" };
            return Err(Failure::new(format!(
                "cannot write `{}`: the path is {what}; delete it, and run the command again",
                path.display()
            )));
        }
        if let Some(link) = linked_parent(folder, &file.path) {
            return Err(Failure::new(format!(
                "cannot write below a symbolic link: `{}`; delete it, and run the command again",
                link.display()
            )));
        }
        if same(&path, file) {
            continue;
        }
        let parent = path.parent().unwrap_or(folder);
        make_folder(parent, made)?;
        if cleaned.insert(parent.to_path_buf()) {
            temporary::remove_stale(parent);
        }
        let temp = temporary::create(parent, file).map_err(|e| Failure::at("cannot write", &path, &e))?;
        staged.push((temp, path));
    }
    let files: Vec<&fs::File> = staged.iter().map(|(temp, _)| temp.as_file()).collect();
    temporary::sync(&files).map_err(|e| Failure::at("cannot write", folder, &e))
}

/// Returns the first parent directory of a file, below `folder`, that is a symbolic link.
fn linked_parent(folder: &Path, file: &str) -> Option<PathBuf> {
    let parents = Path::new(file).parent()?;
    let steps = parents.components().scan(folder.to_path_buf(), |at, step| {
        at.push(step);
        Some(at.clone())
    });
    steps.into_iter().find(|at| at.is_symlink())
}

/// Returns the first symbolic link on the path of a file below `folder`: a parent directory, or the file itself.
#[must_use]
pub fn link(folder: &Path, file: &str) -> Option<PathBuf> {
    linked_parent(folder, file).or_else(|| Some(folder.join(file)).filter(|path| path.is_symlink()))
}

/// Returns whether the file at `path` already has these contents and this mode. False for a symbolic link.
#[must_use]
pub fn same(path: &Path, file: &Output) -> bool {
    #[cfg(unix)]
    let runs =
        |meta: &fs::Metadata| std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = |_: &fs::Metadata| file.executable;
    fs::symlink_metadata(path).is_ok_and(|meta| {
        meta.is_file() && meta.len() == file.bytes.len() as u64 && runs(&meta) == file.executable
    }) && fs::read(path).is_ok_and(|bytes| bytes == file.bytes)
}

/// Creates a directory and its parents, and appends the created ones to `made`.
fn make_folder(folder: &Path, made: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let missing: Vec<_> =
        folder.ancestors().take_while(|dir| *dir != Path::new("") && !dir.exists()).collect();
    for dir in missing.into_iter().rev() {
        match fs::create_dir(dir) {
            Ok(()) => made.push(dir.to_path_buf()),
            // Not an error: another process has created the directory meanwhile.
            Err(_) if dir.is_dir() => {}
            Err(error) => return Err(Failure::at("cannot create directory", dir, &error)),
        }
    }
    Ok(())
}

/// Renames all temporary files, or restores the old files.
fn commit(staged: Vec<(NamedTempFile, PathBuf)>) -> Result<(), Failure> {
    let mut before: Vec<(PathBuf, Option<Vec<u8>>)> = Vec::new();
    for (temp, path) in staged {
        let old = fs::read(&path).ok();
        if let Err(error) = temp.persist(&path) {
            for (path, old) in before.into_iter().rev() {
                // If restoring fails too, only the first failure is reported.
                drop(old.map_or_else(|| fs::remove_file(&path), |bytes| fs::write(&path, bytes)));
            }
            return Err(Failure::at("cannot write", &path, &error.error));
        }
        before.push((path, old));
    }
    Ok(())
}

/// Writes a new file.
///
/// # Errors
/// Returns an error if the file exists or cannot be written.
pub fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let make = || -> io::Result<()> {
        let file = Output { path: String::new(), bytes: text.as_bytes().to_vec(), executable: false };
        let temp = temporary::create(path.parent().unwrap_or_else(|| Path::new("")), &file)?;
        temporary::sync(&[temp.as_file()])?;
        temp.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    };
    make().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let name = plain(&path.to_string_lossy()).into_owned();
            Failure::new(format!("`{name}` already exists: use another name, or remove the file first"))
        }
        _ => Failure::at("cannot create", path, &error),
    })
}

/// Returns all files and symbolic links in the directory `below` of `folder`, as sorted paths separated by `/`. Links are not
/// followed. Empty if the directory does not exist or is reached through a symbolic link.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn list(folder: &Path, below: &str) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let elsewhere = linked_parent(folder, &format!("{below}/x")).is_some();
    let folder = &folder.join(below);
    if elsewhere || !folder.exists() {
        return Ok(names);
    }
    // The output directory may be the root of a Git repository.
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false).filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
    for entry in walk.build() {
        let entry = entry.map_err(|error| Failure::new(format!("cannot read a directory: {error}")))?;
        if entry.depth() > 0 && entry.file_type().is_some_and(|kind| kind.is_file() || kind.is_symlink()) {
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            names.push(parts.join("/"));
        }
    }
    names.sort();
    Ok(names)
}

/// Deletes a file or a symbolic link (not its target) below `folder`. Also deletes parent directories that are then empty, up to
/// `folder`.
///
/// # Errors
/// Returns an error if the file cannot be deleted, or is reached through a symbolic link.
pub fn remove(folder: &Path, name: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    if let Some(link) = linked_parent(folder, name) {
        return Err(Failure::new(format!("cannot delete below a symbolic link: `{}`", link.display())));
    }
    fs::remove_file(&path).map_err(|error| Failure::at("cannot delete", &path, &error))?;
    for above in path.ancestors().skip(1).take_while(|above| *above != folder) {
        // A directory with other files stays.
        if fs::remove_dir(above).is_err() {
            break;
        }
    }
    Ok(())
}

fn is_regular(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|about| about.is_file())
}

/// Returns the contents of a regular file; `None` if there is none, or if it cannot be read. A symbolic link is not followed.
#[must_use]
pub fn bytes(path: &Path) -> Option<Vec<u8>> {
    readable(path).ok().flatten()
}

/// Returns the contents of a regular file; `None` if there is none. A symbolic link is not followed.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn readable(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if !is_regular(path) {
        return Ok(None);
    }
    fs::read(path).map(Some).map_err(|error| Failure::at("cannot read", path, &error))
}

/// Returns at most `count` bytes of the start of a regular file as text. Empty for a missing file or a symbolic link.
#[must_use]
pub fn head(path: &Path, count: u64) -> String {
    let mut bytes = Vec::new();
    if is_regular(path) {
        // An error is ignored: the text is then empty, as for a missing file.
        let _ = fs::File::open(path).and_then(|file| file.take(count).read_to_end(&mut bytes));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(path: &str, text: &str) -> Output {
        Output { path: path.into(), bytes: text.into(), executable: path.ends_with(".sh") }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = WalkBuilder::new(folder).standard_filters(false).build().map(Result::unwrap);
        let mut names: Vec<_> = entries
            .skip(1)
            .map(|e| e.path().strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn all_files_are_written_and_can_be_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let files = [output("a/b.json", "{}"), output("a/c.sh", "exit")];
        for _ in 0..2 {
            write_all(&dir.path().join("new"), &files).unwrap();
            assert_eq!(names(dir.path()), ["new", "new/a", "new/a/b.json", "new/a/c.sh"]);
        }
        #[cfg(unix)]
        {
            let mode = |name| {
                let meta = fs::metadata(dir.path().join(name)).unwrap();
                std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111
            };
            assert_eq!(mode("new/a/b.json"), 0);
            assert_ne!(mode("new/a/c.sh"), 0);
        }
    }

    #[test]
    fn a_directory_that_another_process_creates_meanwhile_is_used() {
        let dir = tempfile::tempdir().unwrap();
        let start = std::sync::Barrier::new(8);
        let make = || {
            let rounds = (0..100).map(|round| {
                start.wait();
                make_folder(&dir.path().join(format!("{round}/a/b/c/d")), &mut Vec::new())
            });
            rounds.filter_map(Result::err).collect::<Vec<_>>()
        };
        let failures = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(failures.is_empty(), "{failures:?}");
        // `file` is not a directory, so `file/a` cannot be created.
        fs::write(dir.path().join("file"), "").unwrap();
        assert!(make_folder(&dir.path().join("file/a"), &mut Vec::new()).is_err());
    }

    #[test]
    fn if_one_file_cannot_be_written_none_is() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("out/taken")).unwrap();
        let files = [output("deep/first", "1"), output("taken", "2")];
        assert!(write_all(&dir.path().join("out"), &files).is_err());
        assert_eq!(names(dir.path()), ["out", "out/taken"]);
    }

    #[test]
    fn a_name_cannot_leave_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["../x", "/x", "a/../../x", "./x"] {
            assert!(write_all(&dir.path().join("out"), &[output(path, "")]).is_err(), "{path}");
        }
        assert_eq!(names(dir.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_neither_replaced_nor_read() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("target"), "precious").unwrap();
        std::os::unix::fs::symlink("target", dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("dangling")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(dir.path().join("fifo")).status().unwrap();
        assert!(made.success());
        let before = names(dir.path());
        for name in ["link", "dangling", "socket", "fifo"] {
            let files = [output("first", "1"), output(name, "2")];
            let said = write_all(dir.path(), &files).unwrap_err().to_string();
            assert!(said.contains(&format!("{name}`: the path is ")), "{said}");
            assert_eq!(names(dir.path()), before, "{name}");
        }
        assert_eq!(fs::read_to_string(dir.path().join("target")).unwrap(), "precious");
        let text = |name| bytes(&dir.path().join(name));
        assert_eq!(
            (text("fifo"), text("link"), head(&dir.path().join("link"), 9)),
            (None, None, String::new())
        );
        assert!(!same(&dir.path().join("link"), &output("link", "precious")));
        assert!(!same(&dir.path().join("fifo"), &output("fifo", "")));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("out")).unwrap();
        fs::create_dir_all(dir.path().join("elsewhere/yarn")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", dir.path().join("out/job")).unwrap();
        let before = names(dir.path());
        assert!(write_all(&dir.path().join("out"), &[output("job/yarn/a.json", "{}")]).is_err());
        assert_eq!(names(dir.path()), before);
        let out = dir.path().join("out");
        assert_eq!((list(&out, "job").unwrap(), list(&out, "").unwrap()), (vec![], vec!["job".to_owned()]));
        assert_eq!(link(&out, "job/yarn/a.json"), Some(out.join("job")));
        remove(&out, "job").unwrap();
        assert_eq!(names(dir.path()), ["elsewhere", "elsewhere/yarn", "out"]);
    }

    #[test]
    fn a_failed_commit_restores_the_old_files() {
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old");
        fs::write(&old, "before").unwrap();
        let temp = |text| temporary::create(dir.path(), &output("x", text)).unwrap();
        let gone = dir.path().join("no such folder/x");
        let staged = vec![(temp("1"), old.clone()), (temp("2"), dir.path().join("new")), (temp("3"), gone)];
        assert!(commit(staged).is_err());
        assert_eq!(names(dir.path()), ["old"]);
        assert_eq!(fs::read_to_string(old).unwrap(), "before");
    }
}
