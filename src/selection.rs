//! Which specs and which project file a command line means.
use crate::analysis::Request;
use crate::files::{self, Found};
use crate::outcome::Failure;
use crate::project::{self, Options, Project, Run};
use std::path::{Path, PathBuf};
use tfjob_driver::files::PROJECT;

/// What a command line selects.
pub struct Wanted<'a> {
    /// The directory whose specs or project are used without paths.
    pub directory: &'a Path,
    /// The specs and directories, or the project file.
    pub paths: &'a [PathBuf],
    /// What the paths mean.
    pub meaning: Meaning,
    /// Whether to select cluster files, too.
    pub clusters: bool,
    /// The cluster file of the command line.
    pub cluster: Option<&'a Path>,
    /// Options for each environment.
    pub options: Options<'a>,
}

/// What paths mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// These specs, without the project file unless an environment is selected.
    Specs,
    /// Specs of the project, each in the environments that have it.
    PartOfProject,
}

/// The specs to compile or check.
pub struct Selection {
    /// The project file, if one is used, without its environments.
    pub project: Option<Project>,
    /// The environments with their specs.
    pub runs: Vec<Run>,
    /// Whether the specs are named on the command line.
    pub is_named: bool,
}

/// Returns the specs of the paths; without paths, those of the project or of the directory.
///
/// # Errors
/// Returns an error if the arguments exclude each other, or a file cannot be read.
pub fn select(wanted: &Wanted<'_>) -> Result<Selection, Failure> {
    let Wanted { paths, options, .. } = wanted;
    let file = project::named(paths);
    let is_named = !paths.is_empty() && file.is_none();
    let is_ignored = is_named && options.environments.is_empty() && wanted.meaning == Meaning::Specs;
    let project = if is_ignored { None } else { open(wanted, file)? };
    let find = |paths: &[PathBuf]| if wanted.clusters { files::find(paths) } else { files::find_jobs(paths) };
    let Some(mut project) = project else {
        if let Some(name) = options.environments.first() {
            return Err(project::without(name));
        }
        let all = [wanted.directory.to_path_buf()];
        let specs = find(if is_named { paths } else { &all })?;
        let request = Request {
            artifacts: options.artifacts,
            unsaved: options.unsaved.clone(),
            ..Request::new(options.targets, options.sets, wanted.cluster)?
        };
        return Ok(Selection {
            project: None,
            runs: vec![Run { environment: None, specs, request }],
            is_named,
        });
    };
    if wanted.cluster.is_some() {
        return Err(Failure::new(project::CLUSTER));
    }
    let mut runs = std::mem::take(&mut project.runs);
    if is_named {
        restrict(&mut runs, &find(paths)?, options.environments.is_empty());
    } else if !wanted.clusters {
        runs.iter_mut().for_each(|run| run.specs.retain(|spec| !files::is_cluster(&spec.path)));
    }
    Ok(Selection { project: Some(project), runs, is_named })
}

/// Opens the project file `file`; by default, that of the directory or of one of its parents.
fn open(wanted: &Wanted<'_>, file: Option<&Path>) -> Result<Option<Project>, Failure> {
    if file.is_some() || wanted.directory == Path::new(".") {
        return project::open(file, &wanted.options);
    }
    let directory = wanted.directory;
    let whole =
        std::path::absolute(directory).map_err(|error| Failure::at("cannot read", directory, &error))?;
    let Some(levels) = project::above(&whole) else { return Ok(None) };
    // Without `..`, if the path has enough parts.
    let home = if levels == 0 { Some(directory) } else { whole.ancestors().nth(levels) };
    home.map_or(Ok(None), |home| project::open(Some(&home.join(PROJECT)), &wanted.options))
}

/// Replaces the specs of each environment. `own`: an environment keeps only those that it has, unless no environment has any of them.
fn restrict(runs: &mut [Run], specs: &[Found], own: bool) {
    let has =
        |run: &Run, spec: &Found| run.specs.iter().any(|other| files::same_file(&other.path, &spec.path));
    let is_known = |spec: &&Found| runs.iter().any(|run| has(run, spec));
    let is_restricted = own && specs.iter().any(|spec| is_known(&spec));
    for run in runs {
        let kept = specs.iter().filter(|spec| !is_restricted || has(run, spec));
        run.specs = kept.cloned().collect();
    }
}
