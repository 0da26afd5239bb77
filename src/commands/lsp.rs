//! `tfjob lsp`: the language server, with the files and projects of the command line.
use crate::analysis::{self, DRIVER, Request, Spec, Unsaved};
use crate::commands::{compile, explain};
use crate::files;
use crate::outcome::{Failure, Outcome};
use crate::project::{self, Options, Project};
use crate::render::context::{self, Context, Findings};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tfjob_driver::files::{PROJECT, is_project, is_spec};
use tfjob_driver::{Batch, Checked, Driver, Loaded};
use tfjob_lang::analysis::read_file;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Sources;
use tfjob_server::{Host, Run, Specs};

/// Runs the command until the editor closes the connection.
///
/// # Errors
/// Returns an error if standard input or output fails.
pub fn run() -> Result<Outcome, Failure> {
    let start = |work: Box<dyn FnOnce() + Send>| {
        std::thread::Builder::new().spawn(work).map(drop).map_err(|error| error.to_string())
    };
    let served = tfjob_server::serve_stdio(&Files::default(), env!("CARGO_PKG_VERSION"), &start);
    let is_shut_down = served.map_err(|error| Failure::new(format!("language server: {error}")))?;
    // LSP: the exit code is 1 if the editor sends `exit` without `shutdown`.
    Ok(Outcome::faulty_if(!is_shut_down))
}

/// Maximum number of files and directories that are searched for specs: the editor may open a home directory, and gets no answer
/// before the end of the search.
const MAX_ENTRIES: usize = 100_000;

/// Maximum number of names of a directory in a completion.
const MAX_NAMES: usize = 500;

/// The files of this machine.
#[derive(Default)]
struct Files {
    /// The project of each project file.
    projects: RefCell<BTreeMap<PathBuf, Cached>>,
}

/// A project that was read.
struct Cached {
    /// The environments.
    runs: Vec<project::Run>,
    /// The output directory.
    out: PathBuf,
    /// The errors of the project file. Empty if the project cannot be read for another reason. `None` if the project is valid.
    faults: Option<Batch>,
}

impl Cached {
    /// Reads a project.
    fn read(file: &Path, unsaved: &Unsaved) -> Self {
        let (runs, out, batch) = match opened(file, unsaved) {
            Ok(Some(project)) => (project.runs, project.out, project.batch),
            Ok(None) | Err(_) => (Vec::new(), PathBuf::new(), Batch::default()),
        };
        let faults = runs.is_empty().then_some(batch);
        Self { runs, out, faults }
    }
}

/// Returns the directory of the project that contains a file. `None` without a project.
fn root(path: &Path) -> Option<&Path> {
    if path.is_absolute() { root_of(files::home(path)) } else { None }
}

/// Returns the directory of the project that contains a directory.
fn root_of(directory: &Path) -> Option<&Path> {
    directory.ancestors().nth(project::above(directory)?)
}

impl Files {
    /// Returns the requests to check a file: one for each environment of its project that contains the file. If the project is faulty,
    /// also returns its errors.
    fn requests(&self, path: &Path, unsaved: &Unsaved) -> (Vec<(Request, Context)>, Option<Batch>) {
        let alone = vec![(Request::default(), Context::default())];
        let Some(root) = root(path) else { return (alone, None) };
        let mut projects = self.projects.borrow_mut();
        let project =
            projects.entry(root.join(PROJECT)).or_insert_with_key(|file| Cached::read(file, unsaved));
        let own = project.runs.iter().filter(|run| run.specs.iter().any(|spec| spec.path == path));
        let own: Vec<_> = own.map(|run| (run.request.clone(), run.context(path))).collect();
        (if own.is_empty() { alone } else { own }, project.faults.clone())
    }

    /// Returns the output directory of the project that contains a file, if the project was read.
    fn out(&self, path: &Path) -> Option<PathBuf> {
        Some(self.projects.borrow().get(&root(path)?.join(PROJECT))?.out.clone())
    }
}

/// Reads a project file with the specs of its environments. `None` if there is no such file.
fn opened(file: &Path, unsaved: &Unsaved) -> Result<Option<Project>, Failure> {
    let options =
        Options { environments: &[], targets: &[], sets: &[], artifacts: false, unsaved: unsaved.clone() };
    project::open(Some(file), &options)
}

/// Returns the findings of a project file, as `tfjob check` reports them.
fn of_project(file: &Path, unsaved: &Unsaved) -> Option<tfjob_server::Outcome> {
    let Project { mut batch, runs, declared_out, .. } = match opened(file, unsaved) {
        Ok(project) => project?,
        Err(failure) => return Some(Err(failure.to_string())),
    };
    if let Some(out) = declared_out {
        // The targets of the specs matter only if some target cannot submit jobs from this directory.
        let known = DRIVER.registry().targets.iter().copied();
        if project::refused_out(&out, known).is_some() {
            let specs = runs.iter().flat_map(|run| analysis::all(&run.specs, &run.request).0).flatten();
            let specs: Vec<Spec> = specs.collect();
            batch.diagnostics.extend(project::refused_out(&out, specs.iter().flat_map(Spec::targets)));
        }
    }
    Some(Ok(vec![Checked { batch, ..Checked::default() }]))
}

/// Checks a document without a file, such as `untitled:Untitled-1`. A path in it is relative to no directory, so it has no base.
fn without_file(path: &Path, options: &tfjob_server::Options, unsaved: &Unsaved) -> Option<Checked> {
    let name = path.to_string_lossy();
    let load = |_: &str, _: &str| Err("this document has no file: save it first".to_owned());
    let request = tfjob_driver::Request::new(&name, unsaved.get(path)?).load(&load);
    let mut checked = DRIVER.check(&request.targets(&options.targets).artifacts(options.artifacts));
    DRIVER.summarize(&name, &mut checked);
    Some(checked)
}

/// Drops the findings that need more than the text of a file, such as its settings, its base files, and its targets.
fn keep_errors_of_text(name: &str, checked: &mut Checked) {
    let Batch { sources, diagnostics, .. } = &mut checked.batch;
    let Some(source) = sources.iter().find(|source| source.name == name) else { return diagnostics.clear() };
    let file = Loaded { name: name.to_owned(), text: source.text.clone(), format: source.format };
    let (alone, _, found) = read_file(&file, DRIVER.registry().jobs);
    let place = |one: &Diagnostic, sources: &Sources| {
        Some((one.code.name, sources.find(one.span()).map(|source| source.local(one.span()))?))
    };
    let kept: Vec<_> = found.iter().filter_map(|one| place(one, &alone)).collect();
    let span = source.span();
    diagnostics.retain(|one| {
        span.contains(one.span()) && place(one, sources).is_some_and(|place| kept.contains(&place))
    });
}

impl Host for Files {
    fn driver(&self) -> Driver {
        DRIVER
    }

    fn check(
        &self,
        path: &Path,
        options: &tfjob_server::Options,
        unsaved: &Unsaved,
    ) -> Option<tfjob_server::Outcome> {
        let is_open = unsaved.contains_key(path);
        if path.is_absolute() && !is_open && !self.contains(files::home(path), path) {
            return None;
        }
        if is_project(path) {
            return of_project(path, unsaved);
        }
        if !path.is_absolute() && !files::is_cluster(path) {
            return Some(Ok(vec![without_file(path, options, unsaved)?]));
        }
        let (mut requests, faults) = self.requests(path, unsaved);
        if let Some(batch) = faults.as_ref().filter(|_| options.artifacts) {
            return Some(Ok(vec![Checked { batch: batch.clone(), ..Checked::default() }]));
        }
        let name = path.to_string_lossy();
        let checks = requests.iter_mut().filter_map(|(request, context)| {
            request.unsaved = unsaved.clone();
            request.artifacts = options.artifacts;
            if !options.targets.is_empty() {
                request.targets.clone_from(&options.targets);
            }
            let mut checked = analysis::one(path, request).ok()?.checked;
            if request.cluster.is_none() {
                DRIVER.summarize(&name, &mut checked);
            }
            Some((checked, context.clone()))
        });
        let (mut checks, contexts): (Vec<Checked>, Vec<Context>) = checks.unzip();
        let mut environments = vec![Vec::new(); checks.len()];
        let findings = checks.iter_mut().zip(&mut environments).map(|(checked, environments)| Findings {
            sources: &checked.batch.sources,
            diagnostics: &mut checked.batch.diagnostics,
            environments,
        });
        context::add(&mut findings.collect::<Vec<_>>(), &contexts);
        // If a cluster file has errors, targets are not checked, so these errors are shown even if the file is not open. If
        // artifacts are requested, these errors are not added, because each result must then belong to one environment.
        if !options.artifacts {
            let faulty = requests.iter().filter(|(request, _)| request.faulty_cluster().is_some());
            let batches = faulty.filter_map(|(request, _)| request.of_cluster());
            checks.extend(batches.map(|batch| Checked { batch, ..Checked::default() }));
        }
        // `tfjob check` checks no specs of a faulty project: without their settings and targets, they have other errors. The errors of
        // the text alone stay, so that the spec that is being edited does not look correct.
        if let Some(batch) = faults {
            checks.iter_mut().for_each(|checked| keep_errors_of_text(&name, checked));
            checks.push(Checked { batch, ..Checked::default() });
        }
        Some(Ok(checks)).filter(|checks| checks.as_ref().is_ok_and(|checks| !checks.is_empty()))
    }

    fn text(&self, path: &Path) -> Option<String> {
        if !self.contains(files::home(path), path) {
            return None;
        }
        analysis::text(path).ok()?.ok()
    }

    fn runs(&self, path: &Path, unsaved: &Unsaved) -> Vec<Run> {
        let (requests, faults) = self.requests(path, unsaved);
        if faults.is_some() {
            return Vec::new();
        }
        let run = |(_, Context { file, environment, .. }): (Request, Context)| {
            // Without a file in its context, the spec belongs to no project.
            let out = file.and_then(|_| self.out(path)).unwrap_or_else(|| files::home(path).join("out"));
            Run { out, environment }
        };
        requests.into_iter().map(run).collect()
    }

    fn scripts(&self, path: &Path, compiled: &Checked, environment: Option<&str>) -> Vec<(String, String)> {
        let root = root(path);
        let projects = self.projects.borrow();
        let project = root.and_then(|root| projects.get(&root.join(PROJECT)));
        let out = project.map_or_else(|| files::home(path).join("out"), |project| project.out.clone());
        let runs = project.into_iter().flat_map(|project| &project.runs);
        let mut own = runs.filter(|run| run.environment.as_deref() == environment);
        let cluster = own.find_map(|run| run.request.cluster_path());
        compile::of_spec((path, cluster), compiled, environment, root, &out)
    }

    fn explain(&self, topic: &str) -> Result<String, String> {
        explain::topic(topic).map_err(|failure| failure.to_string())
    }

    fn forget(&self) {
        self.projects.borrow_mut().clear();
    }

    fn contains(&self, directory: &Path, path: &Path) -> bool {
        path.is_file() && files::refuse_file_outside(directory, path).is_ok()
    }

    fn entries(&self, directory: &Path, below: &str) -> Vec<String> {
        let path = directory.join(below);
        if files::refuse_file_outside(directory, &path).is_err() {
            return Vec::new();
        }
        files::names(&path, MAX_NAMES)
    }

    fn specs(&self, directory: &Path) -> Specs {
        let named = |path: &PathBuf| is_spec(&path.to_string_lossy()) || files::is_cluster(path);
        let (found, is_complete) = files::first_specs(directory, MAX_ENTRIES);
        let specs: Vec<PathBuf> = found.into_iter().filter(named).collect();
        let homes: BTreeSet<&Path> = specs.iter().map(|spec| files::home(spec)).collect();
        let roots: BTreeSet<&Path> = homes.into_iter().filter_map(root_of).collect();
        // A project above the opened directory is not opened.
        let roots = roots.into_iter().filter(|root| root.starts_with(directory));
        let paths = roots.map(|root| root.join(PROJECT)).chain(specs.iter().cloned()).collect();
        Specs { paths, is_complete }
    }
}
