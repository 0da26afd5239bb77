//! Compiles the job of a `TFJobSpec` for Kubernetes.
use super::config::{Config, Job, NAME, Shim};
use crate::analysis::{DRIVER, Request, Unsaved};
use crate::commands::compile::documents::{self, Documents};
use crate::files::{self, Found};
use crate::outcome::Failure;
use crate::project::{self, Options, Run};
use crate::selection::{is_in_environment, without_environment};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tfjob_driver::{Batch, Target};
use tfjob_lang::at::At;
use tfjob_lang::codes::BAD_VALUE;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;

/// Name of the target.
const TARGET: &str = "kubernetes";

/// Name of an inline spec in reports.
pub const INLINE: &str = "spec.inline";

impl Job {
    /// Returns the span of the field.
    pub const fn at(&self) -> Span {
        match self {
            Self::Path(at) | Self::Inline(at) => at.span,
        }
    }
}

/// The job, the findings of the project file, and the directory of this file.
type Selection = (Run, Vec<Batch>, Option<PathBuf>);

/// Returns the documents of the job, and prints the report to standard error. Without documents, returns the text of the
/// configuration with the error.
///
/// # Errors
/// Returns an error if standard error cannot be written.
pub fn documents(
    config: &Config,
    batch: Batch,
    quiet: bool,
    err: &mut dyn Write,
) -> Result<Result<Documents, Batch>, Failure> {
    let spec = match spec(&config.job) {
        Ok(spec) => spec,
        Err(why) => return Ok(Err(fault(config.job.at(), batch, &why))),
    };
    let (run, project, directory) = match selection(config, spec) {
        Ok(selection) => selection,
        Err((at, failure)) => return Ok(Err(fault(at, batch, &failure.to_string()))),
    };
    let is_alone = config.environment.is_none() && config.cluster.is_none();
    let is_known = |spec: &Found| is_in_environment(Path::new("."), &spec.path);
    if !quiet && is_alone && run.specs.iter().any(is_known) {
        writeln!(err, "note: {}", without_environment("spec.environment"))?;
    }
    let shim = match config.shim {
        Shim::Include => true,
        Shim::Omit => false,
    };
    // The text of the configuration is among the batches, so that its credentials are masked in all messages.
    let before = std::iter::once(batch.clone()).chain(project).collect();
    // A spec or a shim that cannot be read is reported at the job. The other errors are those of a stream, and have no text to point at.
    Ok(documents::of(&run, (directory.as_deref(), before), (shim, quiet), err)
        .map_err(|failure| fault(config.job.at(), batch, &failure.to_string())))
}

/// Returns the text of the configuration with an error.
pub fn fault(at: Span, mut batch: Batch, why: &str) -> Batch {
    batch.diagnostics.push(Diagnostic::new(&BAD_VALUE, at, why));
    batch
}

/// Returns the path of the spec.
///
/// # Errors
/// Returns a message if the path is not that of a spec, or leads out of the work tree.
fn spec(job: &Job) -> Result<PathBuf, String> {
    let text = match job {
        Job::Path(path) => path.value.as_str(),
        Job::Inline(_) => return Ok(PathBuf::from(INLINE)),
    };
    let path = Path::new(text);
    within(path, "spec.path")?;
    if files::is_cluster(path) {
        return Err(format!("`{text}` is a cluster file, not a job: set it in `spec.cluster`"));
    }
    if files::is_project(path) {
        return Err(format!("`{text}` is a project file, not a job: set `spec.path` to the path of a spec"));
    }
    Ok(path.to_path_buf())
}

/// Refuses a path that is not that of a regular file in the work tree. The configuration may come from a repository that nobody has
/// reviewed, and reports show parts of the file.
fn within(path: &Path, field: &str) -> Result<(), String> {
    let shown = path.display();
    if path == Path::new(files::STDIN) {
        return Err(format!("`{field}` must be the path of a file: standard input is the ResourceList"));
    }
    if !files::exists(path) {
        return Err(format!(
            "no such file: `{shown}`; the path is relative to the directory of the kustomization"
        ));
    }
    if files::is_special(path) {
        return Err(format!("`{shown}` is not a regular file: `{field}` must be the path of one file"));
    }
    files::refuse_file_outside(Path::new("."), path).map_err(|_| {
        format!(
            "`{shown}` is outside of the Git repository of the kustomization (without a repository: outside of its directory): move \
             the file into it"
        )
    })
}

fn selection(config: &Config, spec: PathBuf) -> Result<Selection, (Span, Failure)> {
    let targets: Vec<Target> = DRIVER.registry().target(TARGET).into_iter().collect();
    let mut unsaved = BTreeMap::new();
    if let Job::Inline(text) = &config.job {
        unsaved.insert(spec.clone(), Arc::from(text.value.as_str()));
    }
    let unsaved: Unsaved = Arc::new(unsaved);
    let specs = vec![Found { path: spec, named: true }];
    let Some(environment) = &config.environment else {
        let request = request(&targets, config, unsaved)?;
        return Ok((Run { environment: None, specs, request }, Vec::new(), None));
    };
    let at = |failure| (environment.span, failure);
    let (run, batch, directory) = of_environment(environment, &targets, config, unsaved).map_err(at)?;
    let request = Request { settings_file: Some(NAME), ..run.request };
    Ok((Run { specs, request, ..run }, vec![batch], Some(directory)))
}

/// Returns the options without a project file.
fn request(targets: &[Target], config: &Config, unsaved: Unsaved) -> Result<Request, (Span, Failure)> {
    let own = Request {
        targets: targets.to_vec(),
        sets: config.sets.clone(),
        artifacts: true,
        settings_file: Some(NAME),
        unsaved,
        ..Request::default()
    };
    let Some(At { value: path, span }) = &config.cluster else { return Ok(own) };
    let path = Path::new(path);
    within(path, "spec.cluster").map_err(|why| (*span, Failure::new(why)))?;
    own.in_cluster(Some(path)).map_err(|failure| (*span, failure))
}

/// Returns an environment of the project file, the findings of this file, and its directory.
fn of_environment(
    environment: &At<String>,
    targets: &[Target],
    config: &Config,
    unsaved: Unsaved,
) -> Result<(Run, Batch, PathBuf), Failure> {
    let name = &environment.value;
    let environments = std::slice::from_ref(name);
    let options = Options { unsaved, ..Options::artifacts(environments, targets, &config.sets) };
    let project = project::open(None, &options)?.ok_or_else(|| project::without(name))?;
    // A project file with errors has no environments. Its findings are reported with those of the job.
    let run = project.runs.into_iter().next().unwrap_or_else(|| Run {
        environment: Some(name.clone()),
        specs: Vec::new(),
        request: Request::default(),
    });
    Ok((run, project.batch, project.directory))
}
