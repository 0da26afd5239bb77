//! From paths to findings: reads each spec, has it analysed and put to its targets, and keeps the order of the paths.
use crate::files::{self, Content, Found, WorkTree};
use crate::outcome::Failure;
use crate::render::Batch;
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tfjob_lang::Loaded;
use tfjob_lang::cluster::{self, ClusterFile};
use tfjob_lang::codes::{FEATURE_REFUSED, FORBIDDEN_CHARACTER, OF_FRAMEWORK, TOO_LARGE};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::{Sources, Span};
use tfjob_lang::target::AnyTarget;
use tfjob_lang::tree::Tree;

/// More threads gain nothing on files that take a millisecond each.
const MOST_THREADS: usize = 8;

/// A platform that jobs are put to.
pub type Target = &'static dyn AnyTarget;

/// What is asked of each spec.
#[derive(Clone, Default)]
pub struct Request {
    /// The targets it is put to; none: those that it configures.
    pub targets: Vec<Target>,
    /// `KEY=VALUE` of each `--set`.
    pub sets: Vec<String>,
    /// Whether artefacts are wanted, and not only findings.
    pub artefacts: bool,
    /// The cluster that each spec is put to, read once.
    pub cluster: Option<Arc<Cluster>>,
}

/// A cluster file by its path.
pub struct Cluster {
    path: PathBuf,
    file: ClusterFile,
}

impl Request {
    /// What the command line asks. The cluster file says which target it is for.
    ///
    /// # Errors
    /// Where the cluster file cannot be read, or is for another target than those asked.
    pub fn new(targets: &[Target], sets: &[String], cluster: Option<&Path>) -> Result<Self, Failure> {
        let mut request = Self { targets: targets.to_vec(), sets: sets.to_vec(), ..Self::default() };
        let Some(path) = cluster else { return Ok(request) };
        let file = cluster_file(path)?;
        if let Some(own) = file.target() {
            if let Some(other) = targets.iter().find(|target| target.name() != own) {
                let (path, other) = (path.display(), other.name());
                return Err(Failure::new(format!(
                    "`{path}` is a cluster for `{own}`, so no job can be put to it for `{other}`"
                )));
            }
            request.targets = target(own).into_iter().collect();
        }
        request.cluster = Some(Arc::new(Cluster { path: path.to_path_buf(), file }));
        Ok(request)
    }

    /// The cluster file, if it has errors: no job can be put to the target.
    #[must_use]
    pub fn faulty_cluster(&self) -> Option<&Path> {
        let cluster = self.cluster.as_ref().filter(|cluster| cluster.file.target().is_none())?;
        Some(&cluster.path)
    }

    /// What is wrong with the cluster file itself.
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
        Ok(text) => cluster::read(
            &Loaded { format: files::format_in(&name, &text), name, text },
            &tfjob_targets::CLUSTER_SHAPE,
            &tfjob_targets::SHAPE,
            tfjob_targets::ALL,
        ),
        Err(batch) => ClusterFile::unread(batch.sources, batch.diagnostics),
    })
}

/// What came of one spec.
#[derive(Default)]
pub struct Checked {
    /// The file.
    pub path: PathBuf,
    /// Its texts, and all that is wrong with them.
    pub batch: Batch,
    /// The plan, where the language finds no error.
    pub plan: Option<Plan>,
    /// The spec as written, its bases merged in.
    pub tree: Option<Tree>,
    /// What each target made of it, in the order asked; nothing where it refuses or no artefacts are wanted.
    pub compiled: Vec<(Target, Option<Lowered>)>,
}

/// The target of that name.
#[must_use]
pub fn target(name: &str) -> Option<Target> {
    tfjob_targets::ALL.iter().copied().find(|target| target.name() == name)
}

/// Analyses every spec, several at a time; the results stand in the order of `specs`. What was only met in a folder
/// and is the base of another spec counts as a part of that one, since alone it may be a fragment: such files are named.
pub fn all(specs: &[Found], request: &Request) -> (Vec<Result<Checked, Failure>>, Vec<Part>) {
    // The cluster file has its own report.
    let own = |spec: &&Found| request.cluster.as_ref().is_none_or(|cluster| cluster.path != spec.path);
    let specs: Vec<Found> = specs.iter().filter(own).cloned().collect();
    let results = each(&specs, request);
    let names: Vec<Vec<String>> = results.iter().map(|result| texts(result, request)).collect();
    let parts: Vec<Option<Part>> =
        names.iter().zip(&specs).map(|(own, spec)| part(own, &names).filter(|_| !spec.named)).collect();
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    for (result, part) in results.into_iter().zip(parts) {
        match part {
            Some(part) => left.push(part),
            None => kept.push(result),
        }
    }
    (kept, left)
}

/// A file of a folder that is left out as the base of another spec.
pub struct Part {
    base: String,
    of: String,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base, of } = self;
        write!(f, "left out: `{base}`, which `{of}` extends; name it to have it too")
    }
}

/// The spec among `all` that extends the spec of these texts, if not the other way round too.
fn part(own: &[String], all: &[Vec<String>]) -> Option<Part> {
    let extends = |one: &[String], base: &str| one.iter().skip(1).any(|name| name == base);
    let base = own.first()?;
    let mut others = all.iter().filter(|other| extends(other, base)).filter_map(|other| other.first());
    let of = others.find(|first| !extends(own, first))?;
    Some(Part { base: base.clone(), of: of.clone() })
}

/// The names of the texts of one spec, its own first.
fn texts(result: &Result<Checked, Failure>, request: &Request) -> Vec<String> {
    let cluster = request.cluster.as_ref().map(|cluster| cluster.path.to_string_lossy());
    let all = result.iter().flat_map(|one| one.batch.sources.iter()).map(|source| source.name.clone());
    all.filter(|name| cluster.as_ref().is_none_or(|cluster| cluster != name)).collect()
}

fn each(specs: &[Found], request: &Request) -> Vec<Result<Checked, Failure>> {
    // The system is asked of its cores only where more than one could work.
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
        // This thread works too: the system may have no other.
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

/// Analyses one spec, or one cluster file by itself.
///
/// # Errors
/// Where the disk says no.
pub fn one(path: &Path, request: &Request) -> Result<Checked, Failure> {
    if files::is_cluster(path) {
        let batch = batch(&cluster_file(path)?);
        return Ok(Checked { path: path.to_path_buf(), batch, ..Checked::default() });
    }
    let mut checked = match text(path)? {
        Ok(text) => analyse(&path.to_string_lossy(), &text, &WorkTree::around(path)?, request),
        Err(batch) => Checked { batch, ..Checked::default() },
    };
    checked.path = path.to_path_buf();
    Ok(checked)
}

/// The text of a spec, or why what stands there is none.
///
/// # Errors
/// Where the disk says no.
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
                "the text is not UTF-8 here",
            )
            .help("a spec is written in UTF-8")
        })),
    })
}

/// Analyses a text, then puts it to its targets: all errors of both in one pass.
fn analyse(name: &str, text: &str, tree: &WorkTree, request: &Request) -> Checked {
    let load = |from: &str, wanted: &str| tree.open(from, wanted);
    let request_of = |one_machine| tfjob_lang::Request {
        name,
        text,
        format: files::format_in(name, text),
        set: &request.sets,
        load: &load,
        targets: tfjob_targets::ALL,
        shape: &tfjob_targets::SHAPE,
        cluster: request.cluster.as_ref().map(|cluster| &cluster.file),
        one_machine,
    };
    let alone = |targets: &[Target]| !targets.is_empty() && targets.iter().all(|target| target.one_machine());
    let mut analysis = tfjob_lang::analyse(&request_of(alone(&request.targets)));
    let configured: Vec<Target> = match &analysis.plan {
        Some(plan) => {
            tfjob_targets::ALL.iter().copied().filter(|target| plan.configures(target.name())).collect()
        }
        None => Vec::new(),
    };
    if request.targets.is_empty() && alone(&configured) {
        analysis = tfjob_lang::analyse(&request_of(true));
    }
    let faulty = request.faulty_cluster().is_some();
    let mut targets: Vec<Target> = match request.targets.as_slice() {
        // What a target says hangs on the cluster, and nobody knows it.
        _ if faulty => Vec::new(),
        [] => configured,
        asked => asked.to_vec(),
    };
    let mut named = BTreeSet::new();
    targets.retain(|target| named.insert(target.name()));
    let mut compiled = Vec::new();
    let mut found = Vec::new();
    let mut possible = targets.is_empty();
    for target in targets {
        let done = if request.artefacts { analysis.compile(target) } else { analysis.check(target) };
        found.extend(done.diagnostics);
        possible |= !done.decisive;
        compiled.push((target, done.lowered));
    }
    let plan = if analysis.accepted() { analysis.plan.take() } else { None };
    let mut diagnostics = analysis.diagnostics;
    // Where no target can run the framework, its rules for roles are of no use.
    diagnostics.retain(|d| possible || !OF_FRAMEWORK.contains(&d.code));
    diagnostics.extend(found);
    let batch = Batch { sources: analysis.sources, diagnostics };
    Checked { path: PathBuf::new(), batch, plan, tree: Some(analysis.tree), compiled }
}

/// A file that holds no text to analyse.
fn unread(name: &str, text: String, diagnostic: impl FnOnce(u32) -> Diagnostic) -> Batch {
    let mut sources = Sources::default();
    let number = sources.add(name, files::format_of(name), text);
    let diagnostics = vec![diagnostic(sources.get(number).base())];
    Batch { sources, diagnostics }
}

/// What the targets would say to the plan of a spec that was put to none.
#[derive(Debug)]
pub struct Outlook<'s> {
    spec: &'s Path,
    errors: Vec<(&'static str, usize)>,
}

impl<'s> Outlook<'s> {
    /// Asks every target.
    #[must_use]
    pub fn of(spec: &'s Path, plan: &Plan) -> Self {
        let errors = |target: Target| {
            let wrong = target.check(plan).diagnostics.into_iter().filter(Diagnostic::is_error);
            (target.name(), wrong.count())
        };
        Self { spec, errors: tfjob_targets::ALL.iter().copied().map(errors).collect() }
    }

    /// Returns an error at the name of the job if no target accepts it.
    #[must_use]
    pub fn refusal(&self, plan: &Plan) -> Option<Diagnostic> {
        let (near, _) = self.errors.iter().copied().min_by_key(|(_, errors)| *errors)?;
        if self.errors.iter().any(|(_, errors)| *errors == 0) {
            return None;
        }
        let count = |(name, errors): &(&str, usize)| {
            format!("{name}: {errors} error{}", if *errors == 1 { "" } else { "s" })
        };
        let counts: Vec<_> = self.errors.iter().map(count).collect();
        Some(
            Diagnostic::new(&FEATURE_REFUSED, plan.name.span, "no target accepts this job")
                .here(counts.join(", "))
                .help(format!("list the errors of one target: `{}`", self.command(near))),
        )
    }

    /// The command that checks the spec for a target.
    fn command(&self, target: &str) -> String {
        let path = self.spec.display().to_string();
        // A path that a shell would cut in two is left to the reader.
        let path = if path.contains(char::is_whitespace) { String::new() } else { format!(" {path}") };
        format!("tfjob check --target {target}{path}")
    }
}

/// `compiles for yarn; not for dcos (2 reasons), spark (1): tfjob check --target dcos a.tfjob.kdl`.
impl fmt::Display for Outlook<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (good, bad): (Vec<_>, Vec<_>) = self.errors.iter().copied().partition(|(_, errors)| *errors == 0);
        let good: Vec<_> = good.into_iter().map(|(name, _)| name).collect();
        if good.is_empty() {
            f.write_str("compiles for no target")?;
        } else {
            write!(f, "compiles for {}", good.join(", "))?;
        }
        let Some((first, _)) = bad.first() else { return Ok(()) };
        let reasons = |(i, (name, errors)): (usize, &(&str, usize))| match (i, errors) {
            (0, 1) => format!("{name} (1 reason)"),
            (0, n) => format!("{name} ({n} reasons)"),
            (_, n) => format!("{name} ({n})"),
        };
        let words: Vec<_> = bad.iter().enumerate().map(reasons).collect();
        write!(f, "; not for {}: {}", words.join(", "), self.command(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outlook_is_one_line() {
        let line = |spec: &str, errors: &[(&'static str, usize)]| {
            Outlook { spec: Path::new(spec), errors: errors.to_vec() }.to_string()
        };
        assert_eq!(
            line("a.tfjob.kdl", &[("yarn", 0), ("kubernetes", 0), ("dcos", 2), ("spark", 1)]),
            "compiles for yarn, kubernetes; not for dcos (2 reasons), spark (1): \
             tfjob check --target dcos a.tfjob.kdl"
        );
        assert_eq!(line("a.tfjob.kdl", &[("yarn", 0)]), "compiles for yarn");
        assert_eq!(
            line("a b.tfjob.kdl", &[("yarn", 1)]),
            "compiles for no target; not for yarn (1 reason): tfjob check --target yarn"
        );
    }
}
