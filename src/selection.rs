//! Which specs and which project file a command line means.
use crate::analysis::Request;
use crate::files::{self, Found};
use crate::outcome::Failure;
use crate::project::{self, Options, Project, Run};
use std::collections::{BTreeMap, BTreeSet};
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
        let own = match (options.environments.is_empty(), wanted.meaning) {
            (false, Meaning::Specs | Meaning::PartOfProject) => Own::No,
            (true, Meaning::Specs) => Own::IfKnown,
            (true, Meaning::PartOfProject) => Own::Always,
        };
        restrict(&mut runs, &find(paths)?, own, files::real);
    } else if !wanted.clusters {
        runs.iter_mut().for_each(|run| run.specs.retain(|spec| !files::is_cluster(&spec.path)));
    }
    Ok(Selection { project: Some(project), runs, is_named })
}

/// Returns whether an environment of the project file of a directory has a spec.
pub fn is_in_environment(directory: &Path, spec: &Path) -> bool {
    let wanted = Wanted {
        directory,
        paths: &[spec.to_path_buf()],
        meaning: Meaning::PartOfProject,
        clusters: false,
        cluster: None,
        options: Options::artifacts(&[], &[], &[]),
    };
    let has = |run: &Run| run.environment.is_some() && !run.specs.is_empty();
    select(&wanted).is_ok_and(|selection| selection.runs.iter().any(has))
}

/// Returns the note about a spec that is compiled without an environment, although an environment has it. `field`: what sets the
/// environment.
pub fn without_environment(field: &str) -> String {
    format!(
        "the spec is compiled without the settings and the cluster file of an environment: to use them, set `{field}`"
    )
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

/// Whether an environment gets only the named specs that it has.
#[derive(Debug, Clone, Copy)]
enum Own {
    /// It gets all.
    No,
    /// Unless no environment has any of them.
    IfKnown,
    /// Also if no environment has them. A project without environments gets all.
    Always,
}

/// Replaces the specs of each environment by the named ones. `real`: returns the absolute path of a file without symbolic links.
fn restrict(runs: &mut [Run], specs: &[Found], own: Own, mut real: impl FnMut(&Path) -> Option<PathBuf>) {
    // Environments often have the same specs, so each path is resolved once.
    let mut known: BTreeMap<PathBuf, Option<PathBuf>> = BTreeMap::new();
    let mut real = |spec: &Found| match known.get(&spec.path) {
        Some(path) => path.clone(),
        None => known.entry(spec.path.clone()).or_insert(real(&spec.path)).clone(),
    };
    let specs: Vec<_> = specs.iter().map(|spec| (spec, real(spec))).collect();
    let present: Vec<BTreeSet<PathBuf>> =
        runs.iter().map(|run| run.specs.iter().filter_map(&mut real).collect()).collect();
    let has = |present: &BTreeSet<PathBuf>, path: &Option<PathBuf>| {
        path.as_ref().is_some_and(|path| present.contains(path))
    };
    let is_known = |path: &Option<PathBuf>| present.iter().any(|present| has(present, path));
    let has_known = specs.iter().any(|(_, path)| is_known(path));
    for (run, present) in runs.iter_mut().zip(&present) {
        let is_restricted = match own {
            Own::No => false,
            Own::IfKnown => has_known,
            Own::Always => run.environment.is_some(),
        };
        let kept = specs.iter().filter(|(_, path)| !is_restricted || has(present, path));
        run.specs = kept.map(|(spec, _)| (*spec).clone()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str) -> Found {
        Found { path: PathBuf::from(name), named: false }
    }

    fn run(names: &[&str]) -> Run {
        let specs = names.iter().map(|name| found(name)).collect();
        Run { environment: Some("e".to_owned()), specs, request: Request::default() }
    }

    /// Returns the specs of each environment, and how many paths were resolved. The path of a link begins with `link/`.
    fn restricted(environments: &[&[&str]], names: &[&str], own: Own) -> (Vec<String>, usize) {
        let mut runs: Vec<Run> = environments.iter().map(|names| run(names)).collect();
        let specs: Vec<Found> = names.iter().map(|name| found(name)).collect();
        let mut count = 0;
        restrict(&mut runs, &specs, own, |path| {
            count += 1;
            let real = path.strip_prefix("link").unwrap_or(path);
            (path != Path::new("none")).then(|| real.to_path_buf())
        });
        let names = |run: &Run| {
            let names: Vec<_> = run.specs.iter().map(|spec| spec.path.to_string_lossy()).collect();
            names.join(" ")
        };
        (runs.iter().map(names).collect(), count)
    }

    #[test]
    fn an_environment_keeps_the_specs_that_it_has() {
        let all: &[&[&str]] = &[&["a", "b", "none"], &["b", "c"]];
        assert_eq!(restricted(all, &["a", "b"], Own::IfKnown).0, ["a b", "b"]);
        assert_eq!(restricted(all, &["link/c", "none"], Own::IfKnown).0, ["", "link/c"]);
        assert_eq!(restricted(all, &["x"], Own::IfKnown).0, ["x", "x"]);
        assert_eq!(restricted(all, &["a", "x"], Own::Always).0, ["a", ""]);
        assert_eq!(restricted(all, &["x"], Own::Always).0, ["", ""]);
        assert_eq!(restricted(all, &["a", "c"], Own::No).0, ["a c", "a c"]);
    }

    /// A commit hook names all files of a commit.
    #[test]
    fn each_path_is_resolved_once() {
        let names: Vec<String> = (0..200).map(|number| format!("jobs/{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(restricted(&[&names, &names, &names], &names, Own::IfKnown).1, names.len());
    }
}
