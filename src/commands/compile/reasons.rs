//! Why files in the output directory are no longer generated.
use super::{Checked, Made, outputs, provenance};
use crate::files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The specs of a project that have no output.
pub struct Unused {
    bases: Vec<Base>,
    /// Directory of the project file.
    pub project: Option<PathBuf>,
}

/// A spec that is not compiled in an environment, because another spec extends it.
struct Base {
    /// Output directory of the environment, with a slash at its end; empty without an environment.
    above: String,
    /// Name of the spec in the headers of its files.
    origin: String,
    /// Why the spec has no output, and how to change this.
    why: String,
}

/// Why an obsolete file is no longer generated.
#[derive(Clone)]
pub struct Reason {
    /// Message of a finding about the file.
    pub fact: String,
    /// Line of a report for people, which is printed once for all files with this reason.
    pub line: String,
}

/// Message of a finding about an obsolete file.
pub const GONE: &str = "the output file is no longer generated";

impl Reason {
    fn new(why: String) -> Self {
        Self { fact: format!("{GONE}: {why}"), line: why }
    }

    /// Returns the reason for a shim that the user has copied to the path `shown`, and that is not the shim of tfjob, or that cannot be compared
    /// because tfjob has none.
    fn of_shim(shown: &Path) -> Self {
        let shown = shown.display();
        let line = format!(
            "`{shown}`, which `submit.sh` uploads, is not the shim of this tfjob, or this tfjob has no shim; delete the file, and run \
             `setup.sh` again, or set `TFJOB_SHIM` to the path of the shim that the job uses"
        );
        Self { fact: line.clone(), line }
    }
}

/// Returns the reason for a file.
pub fn of<'r>(reasons: &'r BTreeMap<String, Reason>, name: &str) -> Option<&'r Reason> {
    // The reason for a file is more exact than that for its directory.
    let of_directory = || reasons.iter().find(|(key, _)| key.ends_with('/') && name.starts_with(*key));
    reasons.get(name).or_else(|| of_directory().map(|(_, reason)| reason))
}

impl Unused {
    /// Returns the specs of all environments that are not compiled. `project`: the directory of the project file.
    pub fn of(checked: &[Checked], project: Option<&Path>) -> Self {
        let parts = checked.iter().flat_map(|one| one.parts.iter().map(move |part| (&one.environment, part)));
        let bases = parts.map(|(environment, part)| {
            let origin = outputs::one_line(&outputs::origin(project, Path::new(part.base())));
            let why = format!(
                "{}; to compile it too, also list its path in `specs`: `\"{origin}\"`",
                part.no_job()
            );
            Base {
                above: environment.as_ref().map(|name| format!("{name}/")).unwrap_or_default(),
                origin,
                why,
            }
        });
        Self { bases: bases.collect(), project: project.map(Path::to_path_buf) }
    }

    /// Returns why obsolete files are no longer generated. A key is the path of a file, or the directory `JOB/TARGET` of files, with a
    /// slash at the end.
    pub fn reasons(&self, folder: &Path, made: &[Made], names: &[String]) -> BTreeMap<String, Reason> {
        let shims =
            names.iter().filter(|name| made.iter().any(|one| one.copied_shim().as_ref() == Some(name)));
        let mut found: BTreeMap<String, Reason> =
            shims.map(|name| (name.clone(), Reason::of_shim(&folder.join(name)))).collect();
        for name in names {
            let Some(origin) = provenance::origin(folder, name) else { continue };
            let Some((directory, _)) = name.rsplit_once('/') else { continue };
            let base = self.bases.iter().find(|base| base.origin == origin && name.starts_with(&base.above));
            let why = base.map(|base| base.why.clone());
            if let Some(why) = why.or_else(|| self.not_selected(made, directory, &origin)) {
                found.insert(format!("{directory}/"), Reason::new(why));
            }
        }
        found
    }

    /// Returns a reason if the spec of a directory `JOB/TARGET` exists, but is not compiled in its environment.
    fn not_selected(&self, made: &[Made], directory: &str, origin: &str) -> Option<String> {
        let mut compiled = made.iter().filter(|one| above(&one.folder) == above(directory)).peekable();
        // Without a job, the environment is gone, or the directory is of no environment.
        compiled.peek()?;
        let project = self.project.as_deref()?;
        let is_there = files::is_spec(origin) && files::below(project, &project.join(origin)).is_some();
        let is_compiled = compiled.any(|one| outputs::one_line(&one.origin) == origin);
        (is_there && !is_compiled).then(|| {
            format!(
                "`{origin}` exists, but is not compiled: `specs` does not select it, or an ignore file such as `.gitignore` excludes it"
            )
        })
    }
}

/// Returns the directory above a directory `JOB/TARGET`.
fn above(directory: &str) -> Option<&str> {
    directory.rsplitn(3, '/').nth(2)
}
