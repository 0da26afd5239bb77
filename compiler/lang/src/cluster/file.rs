//! Reads a cluster file: its texts, its faults, and what it gives to every job.
use super::demand::Demand;
use super::words::{self, Word};
use super::{Cluster, File, contradicted, queues};
use crate::analysis::{self, Loaded};
use crate::at::At;
use crate::codes::{
    BAD_OPTION, BAD_VALUE, GPUS_WITHOUT_COUNT, MISSING_FIELD, TARGET_MISMATCH, UNKNOWN_KEY, UNKNOWN_NODE,
    UNSUPPORTED_URI,
};
use crate::diagnostic::{Diagnostic, Fix};
use crate::merge;
use crate::shape::{self, Shape, literal};
use crate::sources::{Format, Sources, Span};
use crate::spec::values::{Image, Scheme};
use crate::target::{AnyTarget, Registry};
use crate::tree::{self, Entry, Tree};

/// A cluster file, read once and put to every job.
#[derive(Debug, Clone)]
pub struct ClusterFile {
    /// Its text. It stands first in the texts of each job that is put to it, so its spans hold there too.
    pub sources: Sources,
    /// Every fault of its own, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    known: Option<Known>,
}

/// What a file without errors says.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// The file as it was read.
    pub cluster: At<Cluster>,
    /// The fields of a job that it gives to every job.
    job: Tree,
    /// The text.
    pub span: Span,
    /// The words that stand for options of the target, which judges them itself.
    pub options: Vec<(Word, &'static str)>,
}

impl ClusterFile {
    /// A file that holds no text to read.
    #[must_use]
    pub const fn unread(sources: Sources, diagnostics: Vec<Diagnostic>) -> Self {
        Self { sources, diagnostics, known: None }
    }

    /// The target that the cluster is for; `None` where the file has errors.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.known.as_ref().map(|known| known.cluster.value.target.value.as_str())
    }

    /// The same file with what its target says of it, whatever the job is: `found` is what the target says of the least
    /// that is a job, `demand` what it reserves for that job.
    #[must_use]
    pub fn judged_by(self, found: Vec<Diagnostic>, demand: Option<&Demand>, registry: &Registry) -> Self {
        let Some(known) = &self.known else { return self };
        let queues = demand.and_then(|demand| demand.queues).into_iter();
        let queues = queues.flat_map(|queues| queues::repeated(&known.cluster.value, queues));
        let own = found.into_iter().filter(|d| d.code == &BAD_OPTION && known.span.contains(d.span()));
        let told = own.chain(queues).collect();
        self.telling(told, (registry.clusters)())
    }

    /// The same file with further faults. Of one with errors nothing is known.
    fn telling(mut self, mut found: Vec<Diagnostic>, shape: &Shape) -> Self {
        let format = self.sources.get(0).format;
        shape::restate(&mut found, &self.sources, format, shape);
        self.diagnostics.extend(found);
        self.diagnostics.sort_by_key(|d| (d.span(), d.code.name));
        self.known = self.known.filter(|_| !self.diagnostics.iter().any(Diagnostic::is_error));
        self
    }

    /// What it says; `None` where it has errors, for then nothing can be concluded from it.
    pub(crate) fn known(&self) -> Option<&Known> {
        self.known.as_ref()
    }
}

impl Known {
    /// The job's tree over what the cluster gives to every job.
    pub(crate) fn under(&self, job: Tree, shape: &Shape) -> Tree {
        let holds = |tree: &Tree| !self.job.entries().is_empty() && !tree.entries().is_empty();
        if !job.get("job").is_some_and(holds) {
            return job;
        }
        let entry = Entry { key: "job".to_owned(), key_span: self.span, tree: self.job.clone() };
        merge::merge(Tree::map(self.span, vec![entry]), job, shape)
    }
}

/// Reads a cluster file. Never fails: what is wrong is in `diagnostics`. What the target says of its options in it is
/// [`ClusterFile::judged_by`]'s.
#[must_use]
pub fn read(text: &Loaded, registry: &Registry) -> ClusterFile {
    let (shape, targets) = ((registry.clusters)(), registry.targets);
    let mut sources = Sources::default();
    let mut out = Vec::new();
    let tree = analysis::text(text, shape, &mut sources, &mut out);
    out.extend(shape::require(&tree, shape, &sources));
    if tree.get("cluster").is_none() {
        job_instead(&mut out, &sources);
    }
    analysis::tell_nicknames(&mut out, targets, &sources);
    let known = if out.iter().any(Diagnostic::is_error) {
        None
    } else {
        let file: Result<File, _> = tree::decode(&tree, &sources);
        debug_assert!(file.is_ok(), "a tree without faults can be read: {:?}", file.as_ref().err());
        file.ok().zip(tree.get("cluster")).map(|(file, tree)| {
            judge(&file.cluster.value, tree, targets, text.format, &mut out);
            known(file.cluster, tree, sources.get(0).span(), targets, &mut out)
        })
    };
    ClusterFile { sources, diagnostics: Vec::new(), known }.telling(out, shape)
}

/// The file of a job in the place of a cluster's: one error says so.
fn job_instead(out: &mut Vec<Diagnostic>, sources: &Sources) {
    let unknown = |d: &Diagnostic| d.code == &UNKNOWN_NODE || d.code == &UNKNOWN_KEY;
    let is_job = |d: &Diagnostic| unknown(d) && sources.slice(d.span()).trim_matches(['"', '\'']) == "job";
    let Some(at) = out.iter().find(|d| is_job(d)).map(Diagnostic::span) else { return };
    out.retain(|d| !d.is_error());
    let told = Diagnostic::new(&MISSING_FIELD, at, "this is a job, not a cluster").here("a job");
    out.push(told.help("name a cluster file, which has `cluster NAME target=… { … }`"));
}

/// Rules of the file itself.
fn judge(
    cluster: &Cluster,
    tree: &Tree,
    targets: &[&dyn AnyTarget],
    format: Format,
    out: &mut Vec<Diagnostic>,
) {
    let own = cluster.target.value.as_str();
    let named = |entry: &&Entry| targets.iter().any(|t| t.name() == entry.key && t.name() != own);
    for block in tree.entries().iter().filter(named) {
        out.push(
            Diagnostic::new(
                &TARGET_MISMATCH,
                block.key_span,
                format!("words of `{}` in a cluster for `{own}`", block.key),
            )
            .here("never read")
            .label(cluster.target.span, "the cluster is for this target")
            .help(format!("write `{own} {{ … }}`, or a cluster file for `{}`", block.key)),
        );
    }
    for (_, nodes) in &cluster.nodes {
        let nodes = &nodes.value;
        let without = nodes.gpus.as_ref().is_none_or(|g| g.value == 0);
        let model = nodes.gpu_model.as_ref().map(|m| (m.span, "gpu-model"));
        let memory = nodes.gpu_memory.as_ref().map(|m| (m.span, "gpu-memory"));
        for (at, word) in [model, memory].into_iter().flatten().filter(|_| without) {
            out.push(
                Diagnostic::new(&GPUS_WITHOUT_COUNT, at, format!("`{word}`, and no GPU is there"))
                    .here("of no GPU")
                    .help("say how many: `gpus=8`"),
            );
        }
    }
    for registry in &cluster.registry {
        let text = registry.value.as_str();
        let host = text.split_once("://").map_or(text, |(_, host)| host).trim_end_matches('/');
        let is_registry = |text: &str| Image::parse(&format!("{text}/x")).is_ok();
        if is_registry(text.trim_end_matches('/')) {
            continue;
        }
        let fact = format!("`{}` is not a registry as an image names it", text.escape_debug());
        let found = Diagnostic::new(&BAD_VALUE, registry.span, fact).here("not the begin of an image's name");
        let fix = is_registry(host).then(|| Fix::replace(registry.span, literal::text(format, host)));
        let found =
            found.help("a host name, maybe with `:port` and a path, such as `registry.example.com:5000/ml`");
        out.push(fix.into_iter().fold(found, Diagnostic::fix));
    }
    for uri in cluster.shared.iter().filter(|uri| uri.value.scheme() != Scheme::File) {
        out.push(
            Diagnostic::new(
                &UNSUPPORTED_URI,
                uri.span,
                "only a folder of the nodes can be private, so only that need be called shared",
            )
            .here("not for this")
            .help("write the path that every node has, such as `file:///mnt/nfs`"),
        );
    }
}

/// What is known, with the words that the target takes as options of its own.
fn known(
    cluster: At<Cluster>,
    tree: &Tree,
    span: Span,
    targets: &[&dyn AnyTarget],
    out: &mut Vec<Diagnostic>,
) -> Known {
    let own = cluster.value.target.value.as_str();
    let target = targets.iter().find(|t| t.name() == own);
    let block = tree.entries().iter().find(|entry| entry.key == own);
    let stated = block.map(|block| &block.tree);
    let words = target.map_or_else(Vec::new, |target| words::options(*target, stated));
    let mut options: Vec<Entry> = block.map_or(&[][..], |b| b.tree.entries()).to_vec();
    for (word, option) in &words {
        let said = tree.entries().iter().find(|entry| entry.key == word.name());
        if let Some(said) = said.filter(|_| options.iter().all(|entry| entry.key != *option)) {
            options.push(Entry { key: (*option).to_owned(), ..said.clone() });
        }
    }
    contradicted::by_file(&cluster.value, stated, &words, out);
    out.extend(target.map_or_else(Vec::new, |target| words::idle(&cluster.value, *target, stated)));
    let key_span = block.map_or(cluster.value.target.span, |block| block.key_span);
    let entry = |key: &str, tree: Tree| vec![Entry { key: key.to_owned(), key_span, tree }];
    let job = match options.is_empty() {
        true => Vec::new(),
        false => entry("target", Tree::map(key_span, entry(own, Tree::map(key_span, options)))),
    };
    Known { options: words, job: Tree::map(span, job), span, cluster }
}
