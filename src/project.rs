//! The project that a command uses: its file `tfjob.kdl`, its environments, and the specs of each environment.
use crate::analysis::{self, DRIVER, Request};
use crate::files::{self, Found, Globs};
use crate::outcome::Failure;
use std::path::{Path, PathBuf};
use tfjob_driver::files::PROJECT;
use tfjob_driver::{Batch, Loaded, Project as Declared, Target};
use tfjob_lang::at::At;
use tfjob_lang::codes::BAD_VALUE;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::project::Environment;
use tfjob_lang::sources::Source;
use tfjob_lang::spec::values::Text;

/// Why `--cluster` is refused.
pub const CLUSTER: &str =
    "`--cluster` cannot be used with a project file: set `cluster` in its `environment`, or name the specs";

/// The specs of one environment, and the options to check them with.
pub struct Run {
    /// Name of the environment; `None` for specs that are checked without an environment.
    pub environment: Option<String>,
    /// The specs and cluster files.
    pub specs: Vec<Found>,
    /// The options.
    pub request: Request,
}

/// A project file with its environments.
pub struct Project {
    /// The text and the findings of the project file.
    pub batch: Batch,
    /// The environments. Empty if the file has errors.
    pub runs: Vec<Run>,
    /// Directory of the project file.
    pub directory: PathBuf,
    /// Output directory.
    pub out: PathBuf,
}

impl Project {
    /// Returns a project whose file has errors.
    fn faulty(batch: Batch) -> Self {
        Self { batch, runs: Vec::new(), directory: PathBuf::new(), out: PathBuf::new() }
    }
}

/// Options of the command line that apply to each environment.
pub struct Options<'a> {
    /// The environments to use. Empty: all.
    pub environments: &'a [String],
    /// Targets that replace those of the environment. Empty: the targets of the environment are used.
    pub targets: &'a [Target],
    /// `KEY=VALUE` arguments that are applied after those of the environment.
    pub sets: &'a [String],
    /// Whether to build artifacts.
    pub artifacts: bool,
}

/// Returns the path on the command line, if there is exactly one and it is the path of a project file.
#[must_use]
pub fn named(paths: &[PathBuf]) -> Option<&Path> {
    if let [path] = paths { Some(path.as_path()).filter(|path| files::is_project(path)) } else { None }
}

/// Reads the project file `path`; without a path, that of the current directory or of one of its parents, up to the root of the Git
/// repository. Returns `None` if there is no project file.
///
/// # Errors
/// Returns an error if the file, a cluster file, or a directory cannot be read, or if an environment of `options` does not exist.
pub fn open(path: Option<&Path>, options: &Options<'_>) -> Result<Option<Project>, Failure> {
    let Some(path) = path.map_or_else(above, |path| Ok(Some(path.to_path_buf())))? else { return Ok(None) };
    let name = path.to_string_lossy().into_owned();
    let file = match analysis::text(&path)? {
        Ok(text) => DRIVER.project(&Loaded { format: files::format_of(&name), name, text }),
        Err(batch) => {
            return Ok(Some(Project::faulty(batch)));
        }
    };
    let folder = files::home(&path);
    let mut batch = Batch { sources: file.sources.clone(), diagnostics: file.diagnostics.clone() };
    let Some(declared) = &file.project else {
        return Ok(Some(Project::faulty(batch)));
    };
    exist(options.environments, declared, &path)?;
    let source = batch.sources.get(0).clone();
    let runs = runs(folder, (declared, &source), options, &mut batch.diagnostics)?;
    let out = joined(folder, declared.out.as_ref().map_or("out", |out| out.value.as_str()));
    let faulty = batch.diagnostics.iter().any(Diagnostic::is_error);
    let directory = folder.to_path_buf();
    Ok(Some(Project { batch, runs: if faulty { Vec::new() } else { runs }, directory, out }))
}

/// Returns the path of the project file, relative to the current directory.
fn above() -> Result<Option<PathBuf>, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::at("cannot read", Path::new("."), &error))?;
    let mut up = PathBuf::new();
    for folder in here.ancestors() {
        if folder.join(PROJECT).is_file() {
            return Ok(Some(up.join(PROJECT)));
        }
        if folder.join(".git").exists() {
            break;
        }
        up.push("..");
    }
    Ok(None)
}

fn exist(wanted: &[String], declared: &Declared, path: &Path) -> Result<(), Failure> {
    let known: Vec<&str> = declared.environment.names().collect();
    let Some(unknown) = wanted.iter().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let known =
        if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
    Err(Failure::new(format!("`{}` has no environment `{unknown}`; {known}", path.display())))
}

/// Returns the environments. Adds a diagnostic for each path of the project file that does not exist.
fn runs(
    folder: &Path,
    (declared, source): (&Declared, &Source),
    options: &Options<'_>,
    found: &mut Vec<Diagnostic>,
) -> Result<Vec<Run>, Failure> {
    let mut runs = Vec::new();
    for (name, environment) in &declared.environment {
        if !options.environments.is_empty() && !options.environments.contains(&name.value) {
            continue;
        }
        let environment = &environment.value;
        let own = if environment.specs.is_empty() { &declared.specs } else { &environment.specs };
        let specs = specs(folder, own, found)?;
        let Some(request) = request(folder, (environment, source), options, found)? else { continue };
        runs.push(Run { environment: Some(name.value.clone()), specs, request });
    }
    if declared.environment.is_empty() {
        let specs = specs(folder, &declared.specs, found)?;
        let request =
            Request { artifacts: options.artifacts, ..Request::new(options.targets, options.sets, None)? };
        runs.push(Run { environment: None, specs, request });
    }
    Ok(runs)
}

/// Returns the options of an environment; `None` if its cluster file does not exist.
fn request(
    folder: &Path,
    (environment, source): (&Environment, &Source),
    options: &Options<'_>,
    found: &mut Vec<Diagnostic>,
) -> Result<Option<Request>, Failure> {
    let cluster = environment.cluster.as_ref().map(|cluster| (cluster, joined(folder, &cluster.value)));
    if let Some((at, path)) = &cluster
        && !path.is_file()
    {
        found.push(missing(at, "there is no cluster file", "write the path of a `*.cluster.kdl` file"));
        return Ok(None);
    }
    let own = environment.target.iter().filter_map(|target| DRIVER.registry().target(&target.value));
    let targets: Vec<Target> =
        if options.targets.is_empty() { own.collect() } else { options.targets.to_vec() };
    let own = environment.set.iter().map(|set| placed(set, source));
    let sets: Vec<String> = own.chain(options.sets.iter().cloned()).collect();
    let request = Request::new(&targets, &sets, cluster.as_ref().map(|(_, path)| path.as_path()))?;
    let project = Some((source.name.clone(), environment.set.len()));
    Ok(Some(Request { artifacts: options.artifacts, project, ..request }))
}

/// Returns a setting after as many lines and columns as in the project file, so that errors are reported at its position there.
fn placed(set: &At<Text>, source: &Source) -> String {
    let quote = u32::from(source.slice(set.span).starts_with('"'));
    let position = source.position(set.span.start + quote);
    let (lines, columns) = (position.line.saturating_sub(1), position.column.saturating_sub(1));
    format!("{}{}{}", "\n".repeat(lines as usize), " ".repeat(columns as usize), set.value.as_str())
}

/// Returns the specs that match the globs. Adds a diagnostic for each glob that matches no spec.
fn specs(folder: &Path, globs: &[At<Text>], found: &mut Vec<Diagnostic>) -> Result<Vec<Found>, Failure> {
    let texts: Vec<&str> = globs.iter().map(|glob| glob.value.as_str()).collect();
    let Globs { specs, unused, invalid } = files::matching(folder, &texts)?;
    for number in unused {
        found.push(missing(
            &globs[number],
            "no spec matches",
            "write a path, a directory, or a glob such as `jobs/**/*.tfjob.kdl`",
        ));
    }
    for (number, why) in invalid {
        let help = "write a path, a directory, or a glob such as `jobs/**/*.tfjob.kdl`";
        found.push(missing(&globs[number], &format!("invalid glob, {why}:"), help));
    }
    Ok(specs)
}

fn missing(at: &At<Text>, fact: &str, help: &str) -> Diagnostic {
    let fact = format!("{fact} `{}`", at.value.as_str().escape_debug());
    Diagnostic::new(&BAD_VALUE, at.span, fact).here("not found").help(help)
}

fn joined(folder: &Path, path: &str) -> PathBuf {
    let joined = folder.join(path);
    joined.strip_prefix(".").map_or_else(|_| joined.clone(), Path::to_path_buf)
}
