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
use tfjob_driver::{Batch, Checked, ClusterFile, Driver, Loaded, Target};
use tfjob_lang::codes::{FORBIDDEN_CHARACTER, TOO_LARGE};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::secrets;
use tfjob_lang::sources::{Sources, Span};
use tfjob_lang::target::Until;

/// Maximum number of threads. A spec takes about a millisecond, so more threads gain nothing.
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
    /// Name of the project file, and the number of its settings: the first ones in `sets`.
    pub project: Option<(String, usize)>,
    /// Whether to build artifacts, not only findings.
    pub artifacts: bool,
    /// Cluster file that the jobs are validated against.
    pub cluster: Option<Arc<Cluster>>,
    /// Texts that are used instead of the files of these names.
    pub unsaved: Arc<BTreeMap<String, String>>,
}

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
        let mut request = Self { targets: targets.to_vec(), sets: sets.to_vec(), ..Self::default() };
        let Some(path) = cluster else { return Ok(request) };
        let file = cluster_file(path)?;
        if let Some(own) = file.target()
            && let Some(other) = targets.iter().find(|target| target.name() != own)
        {
            let (path, other) = (path.display(), other.name());
            return Err(Failure::new(format!(
                "`{path}` is a cluster file for `{own}`: it cannot be used with `--target {other}`"
            )));
        }
        request.cluster = Some(Arc::new(Cluster { path: path.to_path_buf(), file }));
        Ok(request)
    }

    /// Returns the request for one text.
    fn of<'a>(&'a self, name: &'a str, text: &'a str) -> tfjob_driver::Request<'a> {
        tfjob_driver::Request::new(name, text)
            .settings(&self.sets)
            .project(self.project.as_ref().map(|(name, count)| (name.as_str(), *count)))
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

    /// Returns the findings of the cluster file itself.
    #[must_use]
    pub fn of_cluster(&self) -> Option<Batch> {
        self.cluster.as_ref().map(|cluster| batch(&cluster.file))
    }
}

fn batch(file: &ClusterFile) -> Batch {
    Batch { sources: file.sources.clone(), diagnostics: file.diagnostics.clone() }
}

fn cluster_file(path: &Path) -> Result<ClusterFile, Failure> {
    let name = path.to_string_lossy().into_owned();
    Ok(match text(path)? {
        Ok(text) => DRIVER.cluster(&Loaded { format: files::format_in(&name, &text), name, text }),
        Err(batch) => ClusterFile::unread(batch.sources, batch.diagnostics),
    })
}

/// The result of one spec.
#[derive(Default)]
pub struct Spec {
    /// The file.
    pub path: PathBuf,
    /// Findings and compiled artifacts.
    pub checked: Checked,
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
/// the base of another spec, because it may be incomplete. The second list contains the skipped files.
pub fn all(specs: &[Found], request: &Request) -> (Vec<Result<Spec, Failure>>, Vec<Part>) {
    // The cluster file is reported separately, so it is not checked as a spec.
    let own = |spec: &&Found| request.cluster.as_ref().is_none_or(|cluster| cluster.path != spec.path);
    let specs: Vec<Found> = specs.iter().filter(own).cloned().collect();
    let results = each(&specs, request);
    let names: Vec<Vec<String>> = results.iter().map(|result| texts(result, request)).collect();
    let parts: Vec<Option<Part>> = names
        .iter()
        .zip(&specs)
        .map(|(own, spec)| bases::part(own, &names).filter(|_| !spec.named))
        .collect();
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    for (result, part) in results.into_iter().zip(parts) {
        match part {
            Some(part) => left.push(part),
            None => kept.push(result),
        }
    }
    (kept, left)
}

/// Returns the file names of a spec and its bases, the spec first.
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
        Checked { batch: batch(&cluster_file(path)?), ..Checked::default() }
    } else {
        let unsaved = request.unsaved.get(name.as_ref()).cloned();
        match unsaved.map_or_else(|| text(path), |text| Ok(Ok(text)))? {
            Ok(text) => {
                let tree = WorkTree::around(path)?;
                let load = |from: &str, wanted: &str| {
                    let mut base = tree.open(from, wanted)?;
                    if let Some(text) = request.unsaved.get(&base.name) {
                        base.text.clone_from(text);
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

/// Reads the text of a spec. Returns a batch with a diagnostic if the text is too large or not UTF-8.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn text(path: &Path) -> Result<Result<String, Batch>, Failure> {
    let name = path.to_string_lossy();
    Ok(match files::read(path)? {
        Content::Text(text) => Ok(text),
        Content::TooLarge => Err(unread(&name, String::new(), |at| {
            Diagnostic::new(&TOO_LARGE, Span::new(at, at), "the text has more than 1 MiB")
        })),
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
