//! Checks that the base files of a spec are in its work tree, and that no symbolic link leads the output directory out of the work
//! tree.
use super::{Content, read};
use crate::outcome::Failure;
use crate::terminal::plain;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use tfjob_driver::Loaded;
use tfjob_driver::files::{PROJECT, format_of, is_spec};

/// The directory that must contain all files which a spec extends. Otherwise, a spec could extend any file of the machine, and
/// reports would show parts of that file.
#[derive(Debug)]
pub struct WorkTree {
    root: PathBuf,
}

impl WorkTree {
    /// Returns the work tree of `spec`: its Git repository; otherwise the current directory, if the spec is in it, or the directory of
    /// its project file, if that contains the current directory; otherwise the directory of the spec.
    ///
    /// # Errors
    /// Returns an error if the directory of the spec cannot be read.
    pub fn around(spec: &Path) -> Result<Self, Failure> {
        Self::of(super::home(spec))
    }

    /// Returns the work tree of a directory.
    fn of(folder: &Path) -> Result<Self, Failure> {
        let folder = real(folder)?;
        if let Some(root) = folder.ancestors().find(|dir| dir.join(".git").exists()) {
            return Ok(Self { root: root.to_path_buf() });
        }
        // The current directory may have been removed; absolute paths can still be read.
        let here = real(Path::new(".")).ok();
        let root = here.and_then(|here| without_git(&folder, &here));
        Ok(Self { root: root.unwrap_or(folder) })
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
                "`{wanted}` is not the name of a spec (`*.tfjob.kdl`, `*.tfjob.yaml`, `*.tfjob.yml`, or `*.tfjob.json`){near}"
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

/// Returns the root of the repository of a file if it is another one than that of the current directory, such as a submodule. `None` also
/// for a file that cannot be read.
pub fn other_repository(file: &Path) -> Option<PathBuf> {
    let end = fs::canonicalize(file).ok()?;
    let other = WorkTree::around(&end).ok()?.root;
    WorkTree::of(Path::new(".")).is_ok_and(|own| own.root != other).then_some(other)
}

/// Returns the work tree of a directory outside of Git repositories, if the current directory `here` decides it. A project file above
/// another directory may be that of somebody else, such as one in the directory for temporary files.
fn without_git(folder: &Path, here: &Path) -> Option<PathBuf> {
    let project = folder.ancestors().find(|dir| dir.join(PROJECT).is_file());
    let project = project.filter(|project| here.starts_with(project));
    let here = Some(here).filter(|here| folder.starts_with(here));
    // The outer one of both: one of them contains the other.
    here.into_iter().chain(project).min_by_key(|dir| dir.components().count()).map(Path::to_path_buf)
}

/// Returns the absolute path without symbolic links.
fn real(path: &Path) -> Result<PathBuf, Failure> {
    fs::canonicalize(path).map_err(|error| Failure::at("cannot read", path, &error))
}

/// Refuses the output directory `out` if its path is in the work tree of the directory `home`, but a symbolic link leads out of
/// the work tree. The link may come from a repository that nobody has reviewed, and `--prune` deletes files there.
///
/// # Errors
/// Returns an error if a link leads out of the work tree or to a missing directory, or if a directory cannot be read.
pub fn refuse_link_outside(home: &Path, out: &Path) -> Result<(), Failure> {
    // The current directory may have been removed; absolute paths can still be written.
    let Ok(tree) = WorkTree::of(home) else { return Ok(()) };
    let whole = match out.strip_prefix(home) {
        Ok(rest) => real(home)?.join(rest),
        Err(_) => std::path::absolute(out).map_err(|error| Failure::at("cannot read", out, &error))?,
    };
    // The user has named a directory outside of the work tree, so no link leads there.
    if !without_dots(&whole).starts_with(&tree.root) {
        return Ok(());
    }
    let Some(at) = whole.ancestors().find(|at| at.symlink_metadata().is_ok()) else { return Ok(()) };
    let refused = |why: String| {
        Err(Failure::new(format!(
            "cannot use the output directory `{}`: a symbolic link leads to {why}",
            plain(&out.to_string_lossy())
        )))
    };
    match fs::canonicalize(at) {
        Ok(end) if end.starts_with(&tree.root) => Ok(()),
        Ok(end) => refused(format!(
            "`{0}`, outside of the project directory `{1}`: replace the link with a directory, or set \
             `--out {0}`",
            plain(&end.to_string_lossy()),
            plain(&tree.root.to_string_lossy())
        )),
        Err(_) if at.is_symlink() => {
            refused("a missing directory: delete the link, or create the directory".to_owned())
        }
        Err(error) => Err(Failure::at("cannot read", at, &error)),
    }
}

/// Refuses an output directory in or below a directory `.git`, also if a symbolic link leads there.
///
/// # Errors
/// Returns an error for such a directory.
pub fn refuse_git(out: &Path) -> Result<(), Failure> {
    let Ok(whole) = std::path::absolute(out) else { return Ok(()) };
    let end = whole.ancestors().find_map(|at| fs::canonicalize(at).ok());
    // File systems that ignore the case find the same directory.
    let is_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
    let inside = |path: &Path| path.components().any(is_git);
    if inside(&without_dots(&whole)) || end.is_some_and(|end| inside(&end)) {
        return Err(Failure::new(format!(
            "cannot use the output directory `{}`: it is inside the directory `.git`, where Git runs or reads files; set another \
             one with `--out`, or in the project file",
            plain(&out.to_string_lossy())
        )));
    }
    Ok(())
}

/// Refuses a file of a project or of a directory if a symbolic link leads out of the work tree of the directory `home`. The link
/// may come from a repository that nobody has reviewed, and reports show parts of the file.
///
/// # Errors
/// Returns an error if such a link exists.
pub fn refuse_file_outside(home: &Path, file: &Path) -> Result<(), Failure> {
    // Reading the file reports other errors.
    let (Ok(tree), Ok(end)) = (WorkTree::of(home), fs::canonicalize(file)) else { return Ok(()) };
    if end.starts_with(&tree.root) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "cannot read `{}`: a symbolic link leads to `{}`, outside of the project directory `{}`: replace the link with a copy of the file",
        plain(&file.to_string_lossy()),
        plain(&end.to_string_lossy()),
        plain(&tree.root.to_string_lossy())
    )))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_project_around_the_current_directory_is_a_work_tree() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["shared/x/jobs", "shared/y", "elsewhere"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        fs::write(at("shared/tfjob.kdl"), "").unwrap();
        for (spec, here, root) in [
            ("shared/x/jobs", "elsewhere", None),
            ("shared/x/jobs", "shared/y", Some("shared")),
            ("shared/x/jobs", "shared/x", Some("shared")),
            ("shared/x/jobs", "shared", Some("shared")),
            ("shared/x/jobs", "", Some("")),
            ("elsewhere", "elsewhere", Some("elsewhere")),
            ("elsewhere", "shared", None),
        ] {
            let (spec, here) = (at(spec), at(here));
            assert_eq!(without_git(&spec, &here), root.map(at), "{} {}", spec.display(), here.display());
        }
    }
}
