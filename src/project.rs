//! The project that a command uses: its file `tfjob.kdl`, its environments, and the specs of each environment.
mod absent;

use crate::analysis::{self, DRIVER, Request, Spec, Unsaved};
use crate::files::{self, Found, Globs};
use crate::outcome::Failure;
use crate::render::Summary;
use crate::render::context::Context;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tfjob_driver::files::PROJECT;
use tfjob_driver::{Batch, Loaded, Project as Declared, Target};
use tfjob_lang::at::At;
use tfjob_lang::codes::{BAD_VALUE, TARGET_MISMATCH};
use tfjob_lang::diagnostic::{Diagnostic, Fix, nearest};
use tfjob_lang::escape::Escaped;
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

impl Run {
    /// Takes the findings of a spec of this run.
    pub fn findings(&self, spec: &mut Spec) -> (Batch, Context) {
        (std::mem::take(&mut spec.checked.batch), self.context(&spec.path))
    }

    /// Returns the findings of the cluster file itself.
    #[must_use]
    pub fn of_cluster(&self) -> Option<(Batch, Context)> {
        let path = self.request.cluster_path()?;
        Some((self.request.of_cluster()?, self.context(path)))
    }

    /// Returns the context of the findings of a file: the file, the cluster file, and the environment.
    pub fn context(&self, file: &Path) -> Context {
        let name = |path: &Path| path.to_string_lossy().into_owned();
        let cluster = self.request.cluster_path().map(name);
        Context { file: Some(name(file)), cluster, environment: self.environment.clone() }
    }
}

/// Counts the checked specs and the environments. A spec that several environments use is counted once. Cluster files are not
/// counted.
pub fn count(summary: &mut Summary, contexts: &[Context]) {
    let files: BTreeSet<&str> = contexts.iter().filter_map(|context| context.file.as_deref()).collect();
    let names: BTreeSet<&str> =
        contexts.iter().filter_map(|context| context.environment.as_deref()).collect();
    summary.files = files.iter().filter(|file| !files::is_cluster(Path::new(file))).count();
    summary.environments = names.len();
}

/// Returns the error for an environment without a project file.
#[must_use]
pub fn without(environment: &str) -> Failure {
    Failure::new(format!("no project file `tfjob.kdl` has the environment `{environment}`"))
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
    /// The value of `out` in the project file.
    pub declared_out: Option<At<Text>>,
}

impl Project {
    /// Returns a project whose file has errors.
    fn faulty(batch: Batch) -> Self {
        Self { batch, runs: Vec::new(), directory: PathBuf::new(), out: PathBuf::new(), declared_out: None }
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
    /// Unsaved texts, which are used instead of the files.
    pub unsaved: Unsaved,
}

impl<'a> Options<'a> {
    /// Returns the options of a command that compiles artifacts.
    #[must_use]
    pub fn artifacts(environments: &'a [String], targets: &'a [Target], sets: &'a [String]) -> Self {
        Self { environments, targets, sets, artifacts: true, unsaved: Unsaved::default() }
    }
}

/// Returns an error if one of these targets cannot submit a job from the output directory.
#[must_use]
pub fn refused_out(out: &At<Text>, mut targets: impl Iterator<Item = Target>) -> Option<Diagnostic> {
    let (text, span) = (out.value.as_str(), out.span);
    let refused = |target: Target| Some((target.name(), tfjob_targets::refused_in_directory(target, text)?));
    let (target, culprit) = targets.find_map(refused)?;
    let fact = format!(
        "{target}: jobs cannot be submitted from the output directory `{}`, because spark-submit cannot handle `{}` in a path",
        text.escaped(),
        culprit.escaped()
    );
    let found = Diagnostic::new(&BAD_VALUE, span, fact).here("`submit.sh` would fail in this directory");
    Some(found.help("write a path of letters, digits, and `._-+=@~%`, such as `rendered`"))
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
    let Some(path) = path.map_or_else(above_here, |path| Ok(Some(path.to_path_buf())))? else {
        return Ok(None);
    };
    let name = path.to_string_lossy().into_owned();
    files::refuse_file_outside(files::home(&path), &path)?;
    let file = match analysis::current(&path, &options.unsaved)? {
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
    let declared_out = declared.out.clone();
    Ok(Some(Project { batch, runs: if faulty { Vec::new() } else { runs }, directory, out, declared_out }))
}

/// Returns the path of the project file, relative to the current directory.
fn above_here() -> Result<Option<PathBuf>, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::at("cannot read", Path::new("."), &error))?;
    Ok(above(&here).map(|levels| std::iter::repeat_n("..", levels).collect::<PathBuf>().join(PROJECT)))
}

/// Returns how many levels above a directory the project file of its Git repository is; `None` if there is none.
#[must_use]
pub fn above(directory: &Path) -> Option<usize> {
    for (level, folder) in directory.ancestors().enumerate() {
        if folder.join(PROJECT).is_file() {
            return Some(level);
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    None
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
        let request = Request {
            artifacts: options.artifacts,
            unsaved: options.unsaved.clone(),
            ..Request::new(options.targets, options.sets, None)?
        };
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
        found.push(no_cluster(at, folder));
        return Ok(None);
    }
    if let Some((_, path)) = &cluster {
        files::refuse_file_outside(folder, path)?;
    }
    let own = environment.set.iter().map(|set| placed(set, source));
    let sets: Vec<String> = own.chain(options.sets.iter().cloned()).collect();
    let request = Request {
        targets: options.targets.to_vec(),
        sets,
        artifacts: options.artifacts,
        project: Some((source.name.clone(), environment.set.len())),
        unsaved: options.unsaved.clone(),
        ..Request::default()
    };
    let mut request = request.in_cluster(cluster.as_ref().map(|(_, path)| path.as_path()))?;
    if options.targets.is_empty() {
        if let Some(told) =
            cluster.and_then(|(cluster, _)| mismatch(environment, cluster, request.cluster_target()?))
        {
            found.push(told);
            return Ok(None);
        }
        let own = environment.target.iter().filter_map(|target| DRIVER.registry().target(&target.value));
        request.targets = own.collect();
    }
    Ok(Some(request))
}

/// Returns the error for an environment with another target than that of its cluster file (`own`).
fn mismatch(environment: &Environment, cluster: &At<Text>, own: &str) -> Option<Diagnostic> {
    let other = environment.target.iter().find(|target| target.value.as_str() != own)?;
    let name = other.value.as_str().escaped();
    let fact = format!("the cluster file of this environment is for `{own}`, not for `{name}`");
    let told = Diagnostic::new(&TARGET_MISMATCH, other.span, fact).here("other target");
    let told = told.label(cluster.span, "cluster file of this environment");
    Some(told.help(format!("write `target \"{own}\"`, or the path of a cluster file for `{name}`")))
}

/// Returns the text of a setting with white space in front of it, so that the text has the same line, column, and offset as in the
/// project file. Errors then show the position in the project file.
fn placed(set: &At<Text>, source: &Source) -> String {
    // After the quotes, also those of a raw string. Offsets after an escape are too small.
    let quotes = source.slice(set.span).find(set.value.as_str()).unwrap_or(1);
    let before = source.text.get(..source.local(set.span).start + quotes).unwrap_or_default();
    blank(before) + set.value.as_str()
}

/// Returns white space with the lines, columns, and offsets of a text.
#[must_use]
pub fn blank(text: &str) -> String {
    text.chars().map(space).collect()
}

/// Returns white space of the same length in bytes as a character. There is no blank of four bytes, so the columns after a character
/// such as an emoji are one too large.
const fn space(c: char) -> &'static str {
    match (c, c.len_utf8()) {
        ('\n', _) => "\n",
        (_, 1) => " ",
        (_, 2) => "\u{a0}",
        (_, 3) => "\u{2003}",
        (_, _) => "\u{a0}\u{a0}",
    }
}

/// Returns the specs that match the globs. Adds a diagnostic for each glob that matches no spec.
fn specs(folder: &Path, globs: &[At<Text>], found: &mut Vec<Diagnostic>) -> Result<Vec<Found>, Failure> {
    let texts: Vec<&str> = globs.iter().map(|glob| glob.value.as_str()).collect();
    let Globs { specs, unused, invalid } = files::matching(folder, &texts)?;
    let help = "write a path, a directory, or a glob such as `jobs/**/*.tfjob.kdl`";
    let unused_help =
        format!("{help}; after the last job, delete the project file and its output directory, too");
    let faulty = !unused.is_empty() || !invalid.is_empty();
    for number in unused {
        let linked = files::linked_directory(folder, texts[number]).map(|link| {
            let link = link.escaped();
            format!("`{link}` is a link to a directory, which `specs` does not follow: write the path of the directory itself")
        });
        let absent = || absent::help(folder, texts[number]);
        let help = linked.or_else(absent);
        found.push(missing(&globs[number], "no spec matches", help.as_deref().unwrap_or(&unused_help)));
    }
    for (number, why) in invalid {
        found.push(missing(&globs[number], &format!("invalid glob, {why}:"), help));
    }
    if !faulty && !specs.iter().any(|spec| !files::is_cluster(&spec.path)) {
        found.extend(jobless(globs));
    }
    if globs.is_empty() && specs.is_empty() {
        return Err(Failure::new(format!(
            "no spec (`*.tfjob.kdl`, `.json`, or `.yaml`) in the project directory `{}`",
            if folder == Path::new("") { Path::new(".") } else { folder }.display()
        )));
    }
    Ok(specs)
}

/// Returns the error for globs that match only cluster files, or whose exclusions leave no job. `None` without globs.
fn jobless(globs: &[At<Text>]) -> Option<Diagnostic> {
    let exclusion = globs.iter().rev().find(|glob| glob.value.as_str().starts_with('!'));
    let (at, fact, here, help) = match exclusion {
        Some(at) => (
            at,
            "no job is left: the globs that begin with `!` exclude all of them",
            "excludes jobs",
            "remove this glob, or write one that excludes fewer jobs",
        ),
        None => (
            globs.last()?,
            "`specs` has no job, only cluster files",
            "only cluster files",
            "add the path of a job, or of a directory with jobs",
        ),
    };
    Some(Diagnostic::new(&BAD_VALUE, at.span, fact).here(here).help(help))
}

fn missing(at: &At<Text>, fact: &str, help: &str) -> Diagnostic {
    let fact = format!("{fact} `{}`", at.value.as_str().escaped());
    Diagnostic::new(&BAD_VALUE, at.span, fact).here("nothing found").help(help)
}

/// Returns the error for a cluster file that does not exist, with the file of a similar name.
fn no_cluster(at: &At<Text>, folder: &Path) -> Diagnostic {
    const MANY: usize = 1000;
    let path = at.value.as_str();
    let (below, name) = path.rsplit_once('/').map_or(("", path), |(below, name)| (below, name));
    let names = files::names(&joined(folder, below), MANY);
    let clusters = names.iter().map(String::as_str).filter(|name| files::is_cluster(Path::new(name)));
    let Some(near) = nearest(name, clusters) else {
        let help = absent::help(folder, path);
        let help = help.as_deref().unwrap_or("write the path of a `*.cluster.kdl` file");
        return missing(at, "there is no cluster file", help);
    };
    let told = missing(at, "there is no cluster file", "");
    let meant = if below.is_empty() { near.to_owned() } else { format!("{below}/{near}") };
    let is_plain = !meant.contains(|c: char| c.is_control() || "\"\\".contains(c));
    let fix = is_plain.then(|| Fix::replace(at.span, format!("\"{meant}\"")));
    let told = told.help(format!("did you mean `{}`?", meant.escaped()));
    fix.into_iter().fold(told, Diagnostic::suggest)
}

/// Returns a path of the project file, relative to the current directory. `.` for the current directory itself.
fn joined(folder: &Path, path: &str) -> PathBuf {
    let joined = folder.join(path);
    match joined.strip_prefix(".") {
        Ok(rest) if rest.as_os_str().is_empty() => PathBuf::from("."),
        Ok(rest) => rest.to_path_buf(),
        Err(_) => joined,
    }
}
