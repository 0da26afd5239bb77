//! The file that a program's name stands for: its path, or the first of PATH's directories that has it.
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What the file system says of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// This file is started: the first that may be executed.
    Found(PathBuf),
    /// A file of that name is there, and none that may be executed.
    NotExecutable,
    /// No file of that name is there.
    NotFound,
}

/// Whether a program is named by its path, and not looked for in PATH.
#[must_use]
pub fn is_path(program: &OsStr) -> bool {
    program.as_encoded_bytes().contains(&b'/')
}

/// Looks up a program that starts in the directory `from`; `path` is its PATH. What is relative is looked up from there.
#[must_use]
pub fn find_program(program: &OsStr, path: &OsStr, from: &Path) -> Lookup {
    let mut lookup = Lookup::NotFound;
    let files: Vec<PathBuf> = match is_path(program) {
        true => vec![from.join(program)],
        false => std::env::split_paths(path).map(|directory| from.join(directory).join(program)).collect(),
    };
    for file in files {
        let Some(about) = std::fs::metadata(&file).ok().filter(|about| !about.is_dir()) else { continue };
        if about.permissions().mode() & 0o111 != 0 {
            return Lookup::Found(file);
        }
        lookup = Lookup::NotExecutable;
    }
    lookup
}
