//! What the server needs from the program around it: files, projects, and the driver.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tfjob_driver::{Checked, Driver, Target};

/// Options of a check.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Targets to check for. Empty: the targets of the project file, otherwise those that the spec configures.
    pub targets: Vec<Target>,
    /// Whether to build artifacts.
    pub artifacts: bool,
}

/// Texts of open documents, by path. They are used instead of the files.
pub type Unsaved = Arc<BTreeMap<PathBuf, Arc<str>>>;

/// The results of a check, or why a file cannot be checked.
pub type Outcome = Result<Vec<Checked>, String>;

/// The specs that `tfjob compile` compiles together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// The output directory of the project; without a project, of the directory of the spec.
    pub out: PathBuf,
    /// The environment of the project.
    pub environment: Option<String>,
}

/// The specs and cluster files in a directory and its subdirectories, and their project files.
#[derive(Debug, Clone, Default)]
pub struct Specs {
    /// The paths.
    pub paths: Vec<PathBuf>,
    /// Whether the whole directory was searched. Of a very large directory, only a part is searched.
    pub is_complete: bool,
}

/// Access to files, and the checks of `tfjob check`. The program implements it with its own functions, so the editor shows what the
/// command line reports.
pub trait Host {
    /// Returns the driver.
    fn driver(&self) -> Driver;

    /// Checks a spec, cluster file, or project file: once per environment of its project, or once without a project. In the
    /// results, the names of sources are absolute paths. `None` if the file does not exist, or may not be read.
    fn check(&self, path: &Path, options: &Options, unsaved: &Unsaved) -> Option<Outcome>;

    /// Returns the text of a file on disk. `None` if the file does not exist, may not be read, or is not a text of a spec.
    fn text(&self, path: &Path) -> Option<String>;

    /// Returns how a spec is compiled: once per environment of its project, or once without a project, in the order of the results of
    /// [`Host::check`]. Empty if its project has errors.
    fn runs(&self, path: &Path, unsaved: &Unsaved) -> Vec<Run>;

    /// Returns the names of the environments of a spec, in the order of the results of [`Host::check`]. Empty without a project.
    fn environments(&self, path: &Path, unsaved: &Unsaved) -> Vec<String> {
        self.runs(path, unsaved).into_iter().filter_map(|run| run.environment).collect()
    }

    /// Returns the scripts that `tfjob compile` writes next to the artifacts of a spec: their names and texts. `compiled`: the result of
    /// [`Host::check`] with artifacts. `environment`: the name of its environment.
    fn scripts(&self, path: &Path, compiled: &Checked, environment: Option<&str>) -> Vec<(String, String)>;

    /// Returns the page of `tfjob explain` about an error code, a keyword, a feature, or a target, in Markdown.
    ///
    /// # Errors
    /// Returns an error if the topic is unknown. The text names the most similar topic.
    fn explain(&self, topic: &str) -> Result<String, String>;

    /// Drops cached project and cluster files, because one of them changed.
    fn forget(&self);

    /// Returns whether a path is a regular file in the work tree of a directory, after links are resolved.
    fn contains(&self, directory: &Path, path: &Path) -> bool;

    /// Returns the names of the files and directories in the directory `below` of a directory, sorted; those of directories end with
    /// `/`. In a very large directory, not all. Without the names that begin with `.`. Empty if it cannot be read, or if it is
    /// outside of the work tree of `directory` after links are resolved.
    fn entries(&self, directory: &Path, below: &str) -> Vec<String>;

    /// Returns the paths of the specs and cluster files in a directory and its subdirectories, and of their project files.
    fn specs(&self, directory: &Path) -> Specs;
}
