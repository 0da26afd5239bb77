//! The two versions that `tfjob diff` compares: specs, directories, or Git revisions, compiled in memory.
use crate::analysis::{self, Request, Unsaved};
use crate::args::Diff;
use crate::files::{self, Revision};
use crate::outcome::Failure;
use crate::project::{self, Run};
use crate::render::context::Context;
use crate::render::legible::Legible;
use crate::render::{Format, Report};
use crate::terminal::TextStyle;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tfjob_driver::files::PROJECT;
use tfjob_driver::{Batch, Checked};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;

/// A compiled job of one version.
pub struct Job {
    /// Environment of the project file.
    pub environment: Option<String>,
    /// Path of the spec, relative to the root of its version.
    pub spec: String,
    /// Name of the job.
    pub name: String,
    /// The result of the check.
    pub checked: Checked,
}

/// One of the two versions.
pub struct Side {
    /// The version, as the user has written it.
    pub name: String,
    /// The jobs, in the order of the environments and specs.
    pub jobs: Vec<Job>,
    /// The specs with errors, relative to the root of the version: they have no job.
    pub faulty: Vec<String>,
    /// Number of errors in the specs, cluster files, and the project file.
    pub errors: usize,
    /// Whether the user has named the only spec. Two such specs are compared even if they have different names.
    pub is_one_spec: bool,
    /// Root of the version: names of files are shown relative to it.
    root: PathBuf,
}

/// Where a version is.
enum Place {
    /// A spec or a directory.
    Path(PathBuf),
    /// Specs in the current directory, or all specs of its project.
    Here(Vec<PathBuf>),
    /// Specs of a Git revision, or all specs of its project.
    Revision(Revision, Vec<PathBuf>),
}

/// Returns the two versions of the command line. Prints the errors of the new version. Of the old version, errors only mean that
/// nothing is compared with the faulty specs.
///
/// # Errors
/// Returns an error if the arguments are invalid, or a file cannot be read.
pub fn of(args: &Diff, err: &mut dyn Write) -> Result<(Side, Side), Failure> {
    let (old, new) = places(args)?;
    Ok((side(args, &old, &mut io::sink())?, side(args, &new, err)?))
}

/// Returns the version of one spec, and prints its errors.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn one(args: &Diff, spec: &Path, err: &mut dyn Write) -> Result<Side, Failure> {
    side(args, &Place::Path(spec.to_path_buf()), err)
}

fn places(args: &Diff) -> Result<(Place, Place), Failure> {
    let (first, rest) = args.versions.split_first().expect("clap requires a version");
    let text = first.to_string_lossy();
    if first.exists() {
        return match rest {
            [second] => Ok((Place::Path(first.clone()), Place::Path(second.clone()))),
            [] => Err(Failure::new(format!(
                "`tfjob diff` compares two versions: add the new version, or write a Git revision before `{text}`"
            ))),
            [_, third, ..] => {
                Err(Failure::new(format!("`tfjob diff` compares two versions: remove `{}`", third.display())))
            }
        };
    }
    if args.cluster.is_some() {
        return Err(Failure::new(
            "`--cluster` cannot be used with Git revisions: set `cluster` in the project file",
        ));
    }
    let specs = rest.to_vec();
    match files::range(&text)? {
        Some([(old, old_name), (new, new_name)]) => {
            let old = Place::Revision(Revision::extract(&old, &old_name)?, specs.clone());
            Ok((old, Place::Revision(Revision::extract(&new, &new_name)?, specs)))
        }
        None => Ok((Place::Revision(Revision::extract(&text, &text)?, specs.clone()), Place::Here(specs))),
    }
}

fn side(args: &Diff, place: &Place, err: &mut dyn Write) -> Result<Side, Failure> {
    let (name, root, specs) = match place {
        Place::Path(path) if path.is_dir() => (path.display().to_string(), path.clone(), Vec::new()),
        Place::Path(path) => {
            (path.display().to_string(), files::home(path).to_path_buf(), vec![path.clone()])
        }
        Place::Here(specs) => ("the work tree".to_owned(), PathBuf::from("."), specs.clone()),
        Place::Revision(revision, specs) => {
            let below = |spec: &PathBuf| revision.directory.join(spec);
            let specs = specs.iter().map(below).filter(|path| path.exists()).collect();
            (revision.name.clone(), revision.directory.clone(), specs)
        }
    };
    let is_one_spec = matches!(place, Place::Path(path) if !path.is_dir());
    let restricted = match place {
        Place::Path(path) => !path.is_dir(),
        Place::Here(specs) | Place::Revision(_, specs) => !specs.is_empty(),
    };
    let (project, findings, runs) = runs(args, &root, restricted.then_some(specs.as_slice()))?;
    let root = project.unwrap_or(root);
    let mut side = Side { name, jobs: Vec::new(), faulty: Vec::new(), errors: 0, is_one_spec, root };
    let mut all: Vec<(Batch, Context)> =
        findings.into_iter().map(|batch| (batch, Context::default())).collect();
    for run in &runs {
        side.add(run, &mut all)?;
    }
    side.report(all, err)?;
    Ok(side)
}

/// The directory and the findings of a project file, if there is one, and the environments.
type Runs = (Option<PathBuf>, Option<Batch>, Vec<Run>);

/// Returns what to compile. `specs`: the only specs to compare, if they are restricted.
fn runs(args: &Diff, root: &Path, specs: Option<&[PathBuf]>) -> Result<Runs, Failure> {
    let options = project::Options {
        environments: &args.environments,
        targets: &args.targets,
        sets: &args.sets,
        artifacts: true,
        unsaved: Unsaved::default(),
    };
    let whole = std::path::absolute(root).map_err(|error| Failure::at("cannot read", root, &error))?;
    let file = project::above(&whole).and_then(|levels| Some(ancestor(root, &whole, levels)?.join(PROJECT)));
    let Some(mut project) = file.map_or(Ok(None), |file| project::open(Some(&file), &options))? else {
        if let Some(name) = args.environments.first() {
            return Err(project::without(name));
        }
        let all = [root.to_path_buf()];
        let specs = match specs {
            Some([]) => Vec::new(),
            specs => files::find_jobs(specs.unwrap_or(&all))?,
        };
        let request = Request::new(&args.targets, &args.sets, args.cluster.as_deref())?;
        let request = Request { artifacts: true, ..request };
        return Ok((None, None, vec![Run { environment: None, specs, request }]));
    };
    if args.cluster.is_some() {
        return Err(Failure::new(project::CLUSTER));
    }
    let specs = match specs {
        None => None,
        Some([]) => Some(Vec::new()),
        Some(specs) => Some(files::find_jobs(specs)?),
    };
    for run in &mut project.runs {
        match &specs {
            Some(specs) => run.specs.clone_from(specs),
            None => run.specs.retain(|spec| !files::is_cluster(&spec.path)),
        }
    }
    Ok((Some(project.directory), Some(project.batch), project.runs))
}

/// Returns the directory some levels above `root`: without `..`, if the path has enough parts.
fn ancestor(root: &Path, whole: &Path, levels: usize) -> Option<PathBuf> {
    if levels == 0 { Some(root.to_path_buf()) } else { whole.ancestors().nth(levels).map(Path::to_path_buf) }
}

impl Side {
    /// Returns a version without jobs.
    pub const fn named(name: String) -> Self {
        Self {
            name,
            jobs: Vec::new(),
            faulty: Vec::new(),
            errors: 0,
            is_one_spec: false,
            root: PathBuf::new(),
        }
    }

    /// Compiles the specs of an environment.
    fn add(&mut self, run: &Run, all: &mut Vec<(Batch, Context)>) -> Result<(), Failure> {
        all.extend(run.of_cluster());
        let (specs, _) = analysis::all(&run.specs, &run.request);
        for spec in specs {
            let mut spec = spec?;
            let shown = self.shown(&spec.path.to_string_lossy());
            match &spec.checked.plan {
                Some(plan) if !spec.checked.batch.diagnostics.iter().any(Diagnostic::is_error) => {
                    let name = plan.name.value.to_string();
                    let checked = std::mem::take(&mut spec.checked);
                    self.jobs.push(Job { environment: run.environment.clone(), spec: shown, name, checked });
                }
                Some(_) | None => {
                    all.push(run.findings(&mut spec));
                    if !self.faulty.contains(&shown) {
                        self.faulty.push(shown);
                    }
                }
            }
        }
        Ok(())
    }

    /// Prints the errors of the specs.
    fn report(&mut self, all: Vec<(Batch, Context)>, err: &mut dyn Write) -> Result<(), Failure> {
        let (batches, contexts): (Vec<Batch>, Vec<Context>) = all.into_iter().unzip();
        let legible = Legible::of(&batches).within(&contexts);
        let mut report = Report::new(&legible);
        report.keep_errors();
        self.errors = report.summary.errors;
        if self.errors == 0 {
            return Ok(());
        }
        let mut text = Vec::new();
        report.print(Format::Human, TextStyle::of(&io::stderr()), &mut text)?;
        err.write_all(self.shown(&String::from_utf8_lossy(&text)).as_bytes())?;
        Ok(())
    }

    /// Returns a text with the names of files relative to the root of the version.
    pub fn shown(&self, text: &str) -> String {
        let root = format!("{}/", self.root.display());
        if root == "./" || root == "/" {
            text.trim_start_matches("./").to_owned()
        } else {
            text.replace(&root, "")
        }
    }

    /// Returns the file and the line of a span of a job, such as `jobs/a.tfjob.kdl` and 12.
    pub fn place(&self, job: &Job, span: Span) -> Option<(String, u32)> {
        let source = job.checked.batch.sources.find(span)?;
        Some((self.shown(&source.name), source.position(span.start).line))
    }
}
