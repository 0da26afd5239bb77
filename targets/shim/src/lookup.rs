//! Lookup of a program by path or in PATH.
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The result of a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The first executable file.
    Found(PathBuf),
    /// The file exists, but is not executable.
    NotExecutable,
    /// The file does not exist.
    NotFound,
}

/// Whether the program is a path, and not looked up in PATH.
#[must_use]
pub fn is_path(program: &OsStr) -> bool {
    program.as_encoded_bytes().contains(&b'/')
}

/// Looks up a program that starts in the directory `from`, with this PATH. Relative paths are relative to `from`.
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
