//! From paths to findings: reads specs, analyzes them, and checks them for their targets, in the order of the paths.
use crate::files::{self, Content, Found, WorkTree};
use crate::outcome::Failure;
use crate::render::Unchecked;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tfjob_driver::bases::{self, Part};
use tfjob_driver::conflicts;
use tfjob_driver::{Batch, Checked, ClusterFile, Driver, Loaded, Target};
use tfjob_lang::codes::{FORBIDDEN_CHARACTER, TOO_LARGE};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::secrets;
use tfjob_lang::sources::{Sources, Span};
use tfjob_lang::syntax::guard::MAX_BYTES;
use tfjob_lang::target::Until;
use tfjob_lang::tree::Tree;

/// Maximum number of threads that analyze specs. A spec takes about a millisecond, so more threads gain nothing.
const MOST_THREADS: usize = 8;

/// The driver with all targets of this program.
pub static DRIVER: Driver = Driver::new(tfjob_targets::REGISTRY);

/// The options that apply to each spec.
#[derive(Clone, Default)]
pub struct Request {
    /// Targets to check for. Empty: the target of the cluster file, otherwise the targets that each spec configures.
    pub targets: Vec<Target>,
    /// The `KEY=VALUE` arguments of `--set`.
    pub sets: Vec<String>,
    /// Name of the project file, and how many elements at the start of `sets` come from this file.
    pub project: Option<(String, usize)>,
    /// Name of the file that the other elements of `sets` come from: each of them then sets another field.
    pub settings_file: Option<&'static str>,
    /// Whether to build artifacts, not only findings.
    pub artifacts: bool,
    /// Cluster file that the jobs are validated against.
    pub cluster: Option<Arc<Cluster>>,
    /// Unsaved texts, which are used instead of the files.
    pub unsaved: Unsaved,
}

/// Texts of files that are not saved yet, by path.
pub type Unsaved = Arc<BTreeMap<PathBuf, Arc<str>>>;

/// A cluster file and its path.
pub struct Cluster {
    path: PathBuf,
    file: ClusterFile,
}

impl Request {
    /// Creates the request of a command line.
    ///
    /// # Errors
    /// Returns an error if the cluster file cannot be read, or is for another target than `targets`.
    pub fn new(targets: &[Target], sets: &[String], cluster: Option<&Path>) -> Result<Self, Failure> {
        Self { targets: targets.to_vec(), sets: sets.to_vec(), ..Self::default() }.in_cluster(cluster)
    }

    /// Sets the cluster file, which is read from `unsaved` or from disk.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is for another target than those of the request.
    pub fn in_cluster(mut self, cluster: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = cluster else { return Ok(self) };
        let file = cluster_file(path, &self.unsaved)?;
        if let Some(own) = file.target()
            && let Some(other) = self.targets.iter().find(|target| target.name() != own)
        {
            let (path, other) = (path.display(), other.name());
            return Err(Failure::new(format!(
                "`{path}` is a cluster file for `{own}`: it cannot be used with `--target {other}`"
            )));
        }
        self.cluster = Some(Arc::new(Cluster { path: path.to_path_buf(), file }));
        Ok(self)
    }

    /// Returns the request to the driver for one text. `name`: name of the text in reports.
    fn of<'a>(&'a self, name: &'a str, text: &'a str) -> tfjob_driver::Request<'a> {
        tfjob_driver::Request::new(name, text)
            .settings(&self.sets)
            .project(self.project.as_ref().map(|(name, count)| (name.as_str(), *count)))
            .settings_file(self.settings_file)
            .targets(&self.targets)
            .cluster(self.cluster.as_ref().map(|cluster| &cluster.file))
            .artifacts(self.artifacts)
    }

    /// Returns the path of the cluster file if the file has errors. Targets are then not checked.
    #[must_use]
    pub fn faulty_cluster(&self) -> Option<&Path> {
        let cluster = self.cluster.as_ref().filter(|cluster| cluster.file.target().is_none())?;
        Some(&cluster.path)
    }

    /// Returns the target of the cluster file. `None` without a cluster file, and if the file has errors.
    #[must_use]
    pub fn cluster_target(&self) -> Option<&str> {
        self.cluster.as_ref()?.file.target()
    }

    /// Returns the path of the cluster file.
    #[must_use]
    pub fn cluster_path(&self) -> Option<&Path> {
        self.cluster.as_ref().map(|cluster| cluster.path.as_path())
    }

    /// Returns a merged spec over the defaults of the cluster file.
    #[must_use]
    pub fn with_cluster(&self, tree: Tree) -> Tree {
        match &self.cluster {
            Some(cluster) => cluster.file.under(tree, DRIVER.registry().jobs),
            None => tree,
        }
    }

    /// Returns the findings of the cluster file itself. `None` without a cluster file.
    #[must_use]
    pub fn of_cluster(&self) -> Option<Batch> {
        self.cluster.as_ref().map(|cluster| batch(&cluster.file))
    }
}

fn batch(file: &ClusterFile) -> Batch {
    Batch { sources: file.sources.clone(), diagnostics: file.diagnostics.clone() }
}

fn cluster_file(path: &Path, unsaved: &Unsaved) -> Result<ClusterFile, Failure> {
    let name = path.to_string_lossy().into_owned();
    Ok(match current(path, unsaved)? {
        Ok(text) => DRIVER.cluster(&Loaded { format: files::format_in(&name, &text), name, text }),
        Err(batch) => ClusterFile::unread(batch.sources, batch.diagnostics),
    })
}

/// The result of the analysis of one spec.
#[derive(Default)]
pub struct Spec {
    /// Path of the spec.
    pub path: PathBuf,
    /// Findings and compiled artifacts.
    pub checked: Checked,
}

impl Spec {
    /// Returns the targets that the spec was checked for.
    pub fn targets(&self) -> impl Iterator<Item = Target> {
        self.checked.compiled.iter().map(|(target, _)| *target)
    }
}

/// Returns the targets for which a spec was not checked, or not completely, and the fields that must be fixed first.
#[must_use]
pub fn unchecked(specs: &[Spec], request: &Request) -> Vec<Unchecked> {
    if specs.iter().all(|spec| spec.checked.unchecked.is_empty()) {
        return Vec::new();
    }
    let cluster = request.cluster.iter().map(|cluster| &cluster.file.sources);
    let scrubber = secrets::scrubber(cluster.chain(specs.iter().map(|spec| &spec.checked.batch.sources)));
    let legible = |text: &str| scrubber.scrub(text).into_owned();
    let all = specs.iter().flat_map(|spec| spec.checked.unchecked.iter().map(move |one| (spec, one)));
    let told = all.map(|(spec, one)| Unchecked {
        file: legible(&spec.path.to_string_lossy()),
        targets: one.targets.clone(),
        until: match &one.until {
            Until::Fixed(all) => all.iter().map(|what| legible(what)).collect(),
            Until::NoErrors => Vec::new(),
        },
        message: legible(&one.to_string()),
    });
    told.collect()
}

/// Analyzes specs in parallel and returns the results in the order of `specs`. Skips a spec that was found in a directory and is
/// the base of another spec, because a base may be incomplete. The second list contains the skipped files. If several jobs would be
/// written to the same directory, the result of each later job contains an error.
pub fn all(specs: &[Found], request: &Request) -> (Vec<Result<Spec, Failure>>, Vec<Part>) {
    // The cluster file is reported separately, so it is not checked as a spec.
    let own = |spec: &&Found| request.cluster.as_ref().is_none_or(|cluster| cluster.path != spec.path);
    let specs: Vec<Found> = specs.iter().filter(own).cloned().collect();
    let results = each(&specs, request);
    let names: Vec<Vec<String>> = results.iter().map(|result| texts(result, request)).collect();
    let parts = bases::parts(&names).into_iter().zip(&specs);
    let parts = parts.map(|(part, spec)| part.filter(|_| !spec.named));
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    for (result, part) in results.into_iter().zip(parts) {
        match part {
            Some(part) => left.push(part),
            None => kept.push(result),
        }
    }
    let paths: Vec<String> =
        kept.iter().flatten().map(|spec| spec.path.to_string_lossy().into_owned()).collect();
    let specs = kept.iter_mut().flatten().map(|spec| &mut spec.checked);
    conflicts::report(paths.iter().map(String::as_str).zip(specs));
    (kept, left)
}

/// Returns the file names of a spec and its bases, the spec first, without the cluster file. Empty if the spec was not read.
fn texts(result: &Result<Spec, Failure>, request: &Request) -> Vec<String> {
    let cluster = request.cluster.as_ref().map(|cluster| cluster.path.to_string_lossy());
    let all =
        result.iter().flat_map(|one| one.checked.batch.sources.iter()).map(|source| source.name.clone());
    all.filter(|name| cluster.as_ref().is_none_or(|cluster| cluster != name)).collect()
}

fn each(specs: &[Found], request: &Request) -> Vec<Result<Spec, Failure>> {
    // Reading the number of cores takes a system call. A single spec does not need this number.
    let threads = match specs.len() {
        0 | 1 => 1,
        many => thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS).min(many),
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let take = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            Some((number, one(&specs.get(number)?.path, request)))
        };
        std::iter::from_fn(take).collect::<Vec<_>>()
    };
    if threads <= 1 {
        return work().into_iter().map(|(_, result)| result).collect();
    }
    let mut done: Vec<_> = thread::scope(|scope| {
        // This thread also analyzes specs, in case no other thread can be started.
        let start = || thread::Builder::new().spawn_scoped(scope, work).ok();
        let workers: Vec<_> = (1..threads).map_while(|_| start()).collect();
        let mut done = work();
        for worker in workers {
            done.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Analyzes one spec, or one cluster file.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn one(path: &Path, request: &Request) -> Result<Spec, Failure> {
    let name = path.to_string_lossy();
    let checked = if files::is_cluster(path) {
        Checked { batch: batch(&cluster_file(path, &request.unsaved)?), ..Checked::default() }
    } else {
        match current(path, &request.unsaved)? {
            Ok(text) => {
                // The directory of an unsaved document may not exist yet. Then only the bases of the document cannot be read.
                let tree = WorkTree::around(path).map_err(|failure| failure.to_string());
                let load = |from: &str, wanted: &str| {
                    let mut base = tree.as_ref().map_err(String::clone)?.open(from, wanted)?;
                    if let Some(text) = request.unsaved.get(Path::new(&base.name)) {
                        base.text = text.to_string();
                    }
                    Ok(base)
                };
                DRIVER.check(&request.of(&name, &text).load(&load))
            }
            Err(batch) => Checked { batch, ..Checked::default() },
        }
    };
    Ok(Spec { path: path.to_path_buf(), checked })
}

/// Returns the text of a file: from `unsaved` if it contains the file, otherwise from disk ([`text`]).
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn current(path: &Path, unsaved: &Unsaved) -> Result<Result<String, Batch>, Failure> {
    match unsaved.get(path) {
        Some(text) if text.len() > MAX_BYTES => Ok(Err(too_large(path))),
        Some(text) => Ok(Ok(text.to_string())),
        None => text(path),
    }
}

/// Returns the error for a text that is too large.
fn too_large(path: &Path) -> Batch {
    let error = |at| Diagnostic::new(&TOO_LARGE, Span::new(at, at), "the text has more than 1 MiB");
    unread(&path.to_string_lossy(), String::new(), error)
}

/// Reads the text of a spec. Returns a batch with a diagnostic if the text is too large or not UTF-8.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn text(path: &Path) -> Result<Result<String, Batch>, Failure> {
    let name = path.to_string_lossy();
    Ok(match files::read(path)? {
        Content::Text(text) => Ok(text),
        Content::TooLarge => Err(too_large(path)),
        Content::NotUtf8 { lossy, at: byte } => Err(unread(&name, lossy, |at| {
            let start = at + byte as u32;
            let mark = char::REPLACEMENT_CHARACTER.len_utf8() as u32;
            Diagnostic::new(
                &FORBIDDEN_CHARACTER,
                Span::new(start, start + mark),
                "the text is not valid UTF-8 here",
            )
            .help("save the file as UTF-8")
        })),
    })
}

/// Returns the batch of a file whose text cannot be analyzed.
fn unread(name: &str, text: String, diagnostic: impl FnOnce(u32) -> Diagnostic) -> Batch {
    let mut sources = Sources::default();
    let number = sources.add(name, files::format_of(name), text);
    let diagnostics = vec![diagnostic(sources.get(number).base())];
    Batch { sources, diagnostics }
}
