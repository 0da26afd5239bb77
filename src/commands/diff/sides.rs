//! The two versions that `tfjob diff` compares: specs, directories, or Git revisions, compiled in memory.
use super::job::Job;
use super::place::{self, Place};
use super::{moved, scope, sparse, unread};
use crate::analysis;
use crate::args::Diff;
use crate::files::{self, Revision, Uncompared, Unread};
use crate::outcome::Failure;
use crate::project::{self, Run};
use crate::render::context::Context;
use crate::render::legible::Legible;
use crate::render::{Format, Report};
use crate::selection::{self, Meaning, Selection, Wanted};
use crate::terminal::TextStyle;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tfjob_driver::Batch;
use tfjob_lang::codes::UNREADABLE_BASE;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;

/// One of the two versions.
pub struct Side {
    /// The version, as the user has written it.
    pub name: String,
    /// The jobs, in the order of the environments and specs.
    pub jobs: Vec<Job>,
    /// The environments of the project file, or the selected ones.
    pub environments: Vec<String>,
    /// The specs with errors, relative to the root of the version: they have no job.
    pub faulty: Vec<String>,
    /// The environments whose cluster file has errors: their jobs have no artifacts.
    pub faulty_environments: Vec<String>,
    /// Whether the project file has errors, or the version could not be read: there are no jobs.
    pub is_faulty: bool,
    /// Project files of subdirectories, which are not used.
    pub unused: Vec<String>,
    /// Whether a spec is compared with a submitted job without the environments that its project file has.
    pub ignores_environments: bool,
    /// Specs with errors that are not named. The job of a named spec may be in one of them, before or after a move.
    pub maybe_moved: Vec<String>,
    /// Submodules that cannot be read, and other repositories in the work tree. Their specs, if any, are not compared.
    pub uncompared: Vec<Uncompared>,
    /// Specs that the sparse checkout excludes, as paths below the root of the repository. They are not compared.
    pub excluded: Vec<String>,
    /// Root directories of the other repositories of the specs.
    pub repositories: BTreeSet<PathBuf>,
    /// Whether a base file, or a file that the project file names, cannot be read.
    pub lacks_file: bool,
    /// The first submodule of the revision that cannot be read, with the reason.
    pub unread: Option<(String, Unread)>,
    /// Number of errors in the specs, cluster files, and the project file.
    pub errors: usize,
    /// Whether the user has named the only spec. Two such specs are compared even if they have different names.
    pub is_one_spec: bool,
    /// Root of the version: names of files are shown relative to it.
    pub root: PathBuf,
    /// Why the version could not be read. It then has no jobs.
    pub failure: Option<String>,
}

/// Returns the two versions of the command line. Prints the errors of the new version, and of an old file. Otherwise, errors of the old
/// version only mean that nothing is compared with the faulty specs.
///
/// # Errors
/// Returns an error if the arguments are invalid, or a file cannot be read.
pub fn read(args: &Diff, err: &mut dyn Write) -> Result<(Side, Side), Failure> {
    let (old, new) = place::places(args)?;
    place::known(&old, &new)?;
    let mut sink = io::sink();
    // The errors of an old file that the user names are errors of the comparison.
    let is_file = matches!(&old, Place::Path(path) if !files::is_directory(path));
    let mut before = match selected(args, &old, old.paths(), if is_file { &mut *err } else { &mut sink }) {
        // An older version may have no specs yet.
        Err(failure) if matches!(old, Place::Revision(..)) => {
            let failure = Some(old.renamed(&failure.to_string()));
            Side { failure, is_faulty: !old.is_empty(), ..Side::named(old.name()) }
        }
        // The first job of a directory.
        Err(_) if !is_file && old.is_empty() => Side::named(old.name()),
        other => other?,
    };
    let mut after = match selected(args, &new, new.paths(), err) {
        // The last spec may be removed. In a directory that never had one, this error is the result.
        Err(_) if before.has_specs() && new.is_empty() => Side::named(new.name()),
        other => other.map_err(|failure| Failure::new(new.renamed(&failure.to_string())))?,
    };
    if let Some(revision) = old.revision() {
        moved::add(args, [&old, &new], [&mut before, &mut after], err)?;
        after.uncompared = revision.uncompared(new.revision(), &after.repositories)?;
        unread::exclude(revision, &new, &mut before, &mut after);
        if let Place::Here(..) = new {
            sparse::exclude(revision, &old.paths(), &mut before, &mut after)?;
        }
    }
    let is_known = |name: &&String| [&before, &after].iter().any(|side| side.environments.contains(name));
    let is_faulty = before.failure.is_some() || before.errors + after.errors > 0;
    if let Some(unknown) = args.environments.iter().find(|name| !is_faulty && !is_known(name)) {
        return Err(Failure::new(format!(
            "neither {} nor {} has the environment `{unknown}`",
            before.name, after.name
        )));
    }
    if !new.paths().is_empty() && before.is_empty() && after.is_empty() && after.compares_all() {
        return Err(Failure::new(
            "no environment of the project file has these specs: add one to `specs`, or set `--env`",
        ));
    }
    Ok((before, after))
}

/// Returns the version of one spec, and prints its errors.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn read_spec(args: &Diff, spec: &Path, err: &mut dyn Write) -> Result<Side, Failure> {
    let place = Place::Path(spec.to_path_buf());
    compiled(args, &args.environments, &place, place.paths(), err)
}

/// Returns a version of the selected environments, with these specs. An environment may exist in only one of the versions.
///
/// # Errors
/// Returns an error if a file cannot be read, or no version has one of the environments.
pub fn selected(
    args: &Diff,
    place: &Place,
    specs: Vec<PathBuf>,
    err: &mut dyn Write,
) -> Result<Side, Failure> {
    let failure = match compiled(args, &args.environments, place, specs.clone(), err) {
        Err(failure) if !args.environments.is_empty() => failure,
        other => return other,
    };
    let Ok(all) = compiled(args, &[], place, specs.clone(), &mut io::sink()) else { return Err(failure) };
    let known: Vec<String> =
        args.environments.iter().filter(|name| all.environments.contains(name)).cloned().collect();
    match known.len() {
        all if all == args.environments.len() => Err(failure),
        0 => Ok(Side::named(place.name())),
        _ => compiled(args, &known, place, specs, err),
    }
}

/// Returns the version with these specs. Without specs, with all of them.
fn compiled(
    args: &Diff,
    environments: &[String],
    place: &Place,
    specs: Vec<PathBuf>,
    err: &mut dyn Write,
) -> Result<Side, Failure> {
    let root = place.root();
    let is_restricted = !specs.is_empty();
    // A spec may exist in only one of the versions.
    let (specs, meaning): (Vec<PathBuf>, _) = match place {
        Place::Path(_) => (specs, Meaning::Specs),
        Place::Here(..) | Place::Revision(..) => {
            (specs.into_iter().filter(|path| files::exists(path)).collect(), Meaning::PartOfProject)
        }
    };
    if is_restricted && specs.is_empty() {
        return Ok(Side::named(place.name()));
    }
    let wanted = Wanted {
        directory: &root,
        paths: &specs,
        meaning,
        clusters: false,
        cluster: args.cluster.as_deref(),
        options: project::Options::artifacts(environments, &args.targets, &args.sets),
    };
    let Selection { project, mut runs, .. } = selection::select(&wanted)?;
    let mut repositories = BTreeSet::new();
    if let Place::Here(_, submodules) = place {
        // A revision has the files of submodules, but not those of other repositories.
        let mut is_own = |path: &Path| match files::other_repository(path) {
            Some(root) if !submodules.contains(&root) => {
                repositories.insert(root);
                false
            }
            Some(_) | None => true,
        };
        runs.iter_mut().for_each(|run| run.specs.retain(|spec| is_own(&spec.path)));
    }
    let (project, findings) = project.map(|project| (project.directory, project.batch)).unzip();
    let is_one_spec = matches!(place, Place::Path(path) if !files::is_directory(path));
    let is_faulty = findings.as_ref().is_some_and(|batch| batch.diagnostics.iter().any(Diagnostic::is_error));
    let has_project = project.is_some();
    let root = project.unwrap_or(root);
    let unread = place.revision().and_then(Revision::unread);
    let mut side = Side { is_one_spec, is_faulty, root, repositories, unread, ..Side::named(place.name()) };
    if !is_one_spec && !has_project {
        let unused = scope::unused(&runs, &side.root);
        side.unused = unused.iter().map(|file| side.shown(file)).collect();
    }
    let mut all: Vec<(Batch, Context)> =
        findings.into_iter().map(|batch| (batch, Context::default())).collect();
    side.environments = runs.iter().filter_map(|run| run.environment.clone()).collect();
    for run in &runs {
        side.add(run, &mut all)?;
    }
    side.report(all, place, err)?;
    Ok(side)
}

impl Side {
    /// Returns a version without jobs.
    pub const fn named(name: String) -> Self {
        Self {
            name,
            jobs: Vec::new(),
            environments: Vec::new(),
            faulty: Vec::new(),
            faulty_environments: Vec::new(),
            is_faulty: false,
            unused: Vec::new(),
            ignores_environments: false,
            maybe_moved: Vec::new(),
            uncompared: Vec::new(),
            excluded: Vec::new(),
            repositories: BTreeSet::new(),
            lacks_file: false,
            unread: None,
            errors: 0,
            is_one_spec: false,
            root: PathBuf::new(),
            failure: None,
        }
    }

    /// Returns whether the version has a spec, also one with errors.
    const fn has_specs(&self) -> bool {
        !self.jobs.is_empty() || !self.faulty.is_empty()
    }

    /// Returns whether the version has neither a job nor an error.
    fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.errors == 0 && self.failure.is_none()
    }

    /// Returns whether nothing of the version is left out of the comparison.
    const fn compares_all(&self) -> bool {
        self.uncompared.is_empty() && self.excluded.is_empty()
    }

    /// Keeps only the specs for whose path `is_kept` is `true`, and their jobs.
    pub fn retain(&mut self, is_kept: &mut dyn FnMut(&Path) -> bool) {
        let root = &self.root;
        self.jobs.retain(|job| is_kept(&root.join(&job.spec)));
        self.faulty.retain(|spec| is_kept(&root.join(spec)));
    }

    /// Compiles the specs of an environment.
    fn add(&mut self, run: &Run, all: &mut Vec<(Batch, Context)>) -> Result<(), Failure> {
        let cluster = run.of_cluster();
        let is_error = |(batch, _): &(Batch, Context)| batch.diagnostics.iter().any(Diagnostic::is_error);
        let has_faulty_cluster = cluster.as_ref().is_some_and(is_error);
        if has_faulty_cluster {
            self.faulty_environments.extend(run.environment.clone());
        }
        all.extend(cluster);
        let (specs, _) = analysis::all(&run.specs, &run.request);
        for spec in specs {
            let mut spec = spec?;
            let shown = self.shown(&spec.path);
            match &spec.checked.plan {
                Some(plan) if !spec.checked.batch.diagnostics.iter().any(Diagnostic::is_error) => {
                    let name = plan.name.value.to_string();
                    let mut checked = std::mem::take(&mut spec.checked);
                    checked.tree = checked.tree.map(|tree| run.request.with_cluster(tree));
                    let environment = run.environment.clone();
                    self.jobs.push(Job { environment, spec: shown, name, checked, has_faulty_cluster });
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
    fn report(
        &mut self,
        all: Vec<(Batch, Context)>,
        place: &Place,
        err: &mut dyn Write,
    ) -> Result<(), Failure> {
        let (batches, contexts): (Vec<Batch>, Vec<Context>) = all.into_iter().unzip();
        let legible = Legible::of(&batches).within(&contexts);
        let mut report = Report::new(&legible);
        report.keep_errors();
        self.errors = report.summary.errors;
        let found = batches.iter().flat_map(|batch| &batch.diagnostics);
        self.lacks_file = self.is_faulty || found.map(|one| one.code).any(|code| code == &UNREADABLE_BASE);
        if self.errors == 0 {
            return Ok(());
        }
        let mut text = Vec::new();
        report.print(Format::Human, TextStyle::of(&io::stderr()), &mut text)?;
        err.write_all(place.renamed(&String::from_utf8_lossy(&text)).as_bytes())?;
        Ok(())
    }

    /// Returns the path of a file relative to the root of the version.
    fn shown(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        let below = below.strip_prefix(".").unwrap_or(below);
        let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        match below.has_root() {
            true if self.is_one_spec => below.display().to_string(),
            true => files::path_between(&self.root, below),
            false => parts.join("/"),
        }
    }

    /// Returns the file and the line of a span of a job, such as `jobs/a.tfjob.kdl` and 12.
    pub fn place(&self, job: &Job, span: Span) -> Option<(String, u32)> {
        let source = job.checked.batch.sources.find(span)?;
        Some((self.shown(Path::new(&source.name)), source.position(span.start).line))
    }
}
