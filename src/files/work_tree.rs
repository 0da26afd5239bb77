//! Base files of a spec: they must be in the work tree of the spec.
use super::{Content, read};
use crate::outcome::Failure;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use tfjob_driver::Loaded;
use tfjob_driver::files::{format_of, is_spec};

/// The directory that must contain all files which a spec extends. This prevents a spec from showing the contents of other files.
#[derive(Debug)]
pub struct WorkTree {
    root: PathBuf,
}

impl WorkTree {
    /// Returns the work tree of `spec`: its Git repository; otherwise the current directory, if the spec is in it; otherwise the
    /// directory of the spec.
    ///
    /// # Errors
    /// Returns an error if the directory of the spec cannot be read.
    pub fn around(spec: &Path) -> Result<Self, Failure> {
        let real = |path: &Path| fs::canonicalize(path).map_err(|e| Failure::at("cannot read", path, &e));
        let folder = real(super::home(spec))?;
        if let Some(root) = folder.ancestors().find(|dir| dir.join(".git").exists()) {
            return Ok(Self { root: root.to_path_buf() });
        }
        // The current directory may have been removed; absolute paths can still be read.
        let here = real(Path::new(".")).ok().filter(|here| folder.starts_with(here));
        Ok(Self { root: here.unwrap_or(folder) })
    }

    /// Reads the base file `wanted` of the spec `from`. Returns the text with the name of the file for reports.
    ///
    /// # Errors
    /// Returns an error if the file is outside the work tree or cannot be read. The error is part of the message at the `extends`
    /// line.
    pub fn open(&self, from: &str, wanted: &str) -> Result<Loaded, String> {
        let folder = Path::new(from).parent().unwrap_or_else(|| Path::new(""));
        if !is_spec(wanted) {
            let named = ["kdl", "yaml", "json"].map(|end| format!("{wanted}.tfjob.{end}"));
            let near = named.iter().find(|name| self.open(from, name).is_ok());
            let near = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
            return Err(format!(
                "`{wanted}` is not the name of a spec (`*.kdl`, `*.yaml`, `*.yml`, or `*.json`){near}"
            ));
        }
        let path = folder.join(wanted);
        let cannot = |error: io::Error| match error.kind() {
            // The message of the diagnostic already contains `wanted`, so the path is not repeated.
            io::ErrorKind::NotFound if path == Path::new(wanted) => "no such file".to_owned(),
            io::ErrorKind::NotFound => format!("no such file: `{}`", path.display()),
            _ => format!("`{}`: {error}", path.display()),
        };
        let real = fs::canonicalize(&path).map_err(cannot)?;
        if !real.starts_with(&self.root) {
            return Err(format!("`{}` is outside the project directory", path.display()));
        }
        if !fs::metadata(&real).map_err(cannot)?.is_file() {
            return Err(format!("`{}` is not a regular file", path.display()));
        }
        let short = without_dots(&path);
        let shown =
            if fs::canonicalize(&short).is_ok_and(|same| same == real) { short } else { path.clone() };
        match read(&real).map_err(|failure| failure.to_string())? {
            Content::Text(text) => {
                let name = shown.to_string_lossy().into_owned();
                Ok(Loaded { format: format_of(&name), name, text })
            }
            Content::TooLarge => Err(format!("`{}` has more than 1 MiB", path.display())),
            Content::NotUtf8 { at, .. } => Err(format!("`{}` is not UTF-8 at byte {at}", path.display())),
        }
    }
}

/// Removes `.` and `a/..` from a path, without access to the file system.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            Component::ParentDir | Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                out.push(part)
            }
        }
    }
    out
}
