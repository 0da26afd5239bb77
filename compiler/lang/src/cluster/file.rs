//! Reads a cluster file: reports its errors, and provides its defaults to every job.
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
use crate::escape::Escaped;
use crate::merge;
use crate::shape::{self, Shape, literal};
use crate::sources::{Format, Sources, Span};
use crate::spec::values::{Image, Scheme};
use crate::target::{AnyTarget, Registry};
use crate::tree::{self, Entry, Tree};

/// A parsed cluster file, used to validate every job of a run.
#[derive(Debug, Clone)]
pub struct ClusterFile {
    /// Text of the file. It is the first source of each job that is checked against the file, so its spans are also valid in the
    /// diagnostics of these jobs.
    pub sources: Sources,
    /// Diagnostics of the file itself, in source order.
    pub diagnostics: Vec<Diagnostic>,
    known: Option<Known>,
}

/// The content of a file without errors.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// The decoded cluster.
    pub cluster: At<Cluster>,
    /// Defaults for the fields of every job.
    job: Tree,
    /// Span of the whole file.
    pub span: Span,
    /// Fields that set an option of the target, each with the name of the option. The target validates their values as options.
    pub options: Vec<(Word, &'static str)>,
    /// Option of the target with the namespace of a job.
    namespace: Option<&'static str>,
    /// Options of the target that a job cannot turn off.
    kept: &'static [&'static str],
}

impl ClusterFile {
    /// Returns a cluster file without content, for a text that could not be read.
    #[must_use]
    pub const fn unread(sources: Sources, diagnostics: Vec<Diagnostic>) -> Self {
        Self { sources, diagnostics, known: None }
    }

    /// Returns the target of the cluster; `None` if the file has errors.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.known.as_ref().map(|known| known.cluster.value.target.value.as_str())
    }

    /// Adds the diagnostics of the target that do not depend on the job. `found` and `demand`: the target's diagnostics and demand
    /// for a minimal job.
    #[must_use]
    pub fn judged_by(self, found: Vec<Diagnostic>, demand: Option<&Demand>, registry: &Registry) -> Self {
        let Some(known) = &self.known else { return self };
        let queues = demand.and_then(|demand| demand.queues).into_iter();
        let queues = queues.flat_map(|queues| queues::repeated(&known.cluster.value, queues));
        let own = found.into_iter().filter(|d| d.code == &BAD_OPTION && known.span.contains(d.span()));
        let told = own.chain(queues).collect();
        self.with_diagnostics(told, (registry.clusters)())
    }

    /// Adds diagnostics. If any is an error, the content of the file is discarded.
    fn with_diagnostics(mut self, mut found: Vec<Diagnostic>, shape: &Shape) -> Self {
        let format = self.sources.get(0).format;
        analysis::suggest_edits(&mut found, &self.sources, shape, &analysis::Nodes::default());
        shape::restate(&mut found, &self.sources, format, shape);
        self.diagnostics.extend(found);
        self.diagnostics.sort_by_key(|d| (d.span(), d.code.name));
        self.known = self.known.filter(|_| !self.diagnostics.iter().any(Diagnostic::is_error));
        self
    }

    /// Merges a spec over the defaults of the cluster: the value of the spec wins. Returns the spec if the file has errors.
    #[must_use]
    pub fn under(&self, spec: Tree, jobs: &Shape) -> Tree {
        match &self.known {
            Some(known) => known.under(spec, jobs),
            None => spec,
        }
    }

    /// Returns the content; `None` if the file has errors.
    pub(crate) fn known(&self) -> Option<&Known> {
        self.known.as_ref()
    }
}

impl Known {
    /// Returns the option with the namespace of a job, and the value that the file sets for it.
    pub(super) fn namespace(&self) -> Option<(&'static str, &Tree)> {
        Some((self.namespace?, self.option(self.namespace?)?))
    }

    /// Returns the options that a job cannot turn off, and the values that the file sets for them.
    pub(super) fn kept(&self) -> impl Iterator<Item = (&'static str, &Tree)> {
        self.kept.iter().filter_map(|option| Some((*option, self.option(option)?)))
    }

    /// Returns the value that the file sets for an option of the target.
    fn option(&self, option: &str) -> Option<&Tree> {
        let own = self.cluster.value.target.value.as_str();
        self.job.get("target")?.get(own)?.get(option)
    }

    /// Merges the tree of a job over the defaults of the cluster: the value of the job wins.
    pub(crate) fn under(&self, job: Tree, shape: &Shape) -> Tree {
        let holds = |tree: &Tree| !self.job.entries().is_empty() && !tree.entries().is_empty();
        if !job.get("job").is_some_and(holds) {
            return job;
        }
        let entry = Entry { key: "job".to_owned(), key_span: self.span, tree: self.job.clone() };
        merge::merge(Tree::map(self.span, vec![entry]), job, shape)
    }
}

/// Parses a cluster file. Never fails: errors are in `diagnostics`. [`ClusterFile::judged_by`] adds what the target reports about
/// its options in this file.
#[must_use]
pub fn read(text: &Loaded, registry: &Registry) -> ClusterFile {
    let (shape, targets) = ((registry.clusters)(), registry.targets);
    let mut sources = Sources::default();
    let mut out = Vec::new();
    let tree = analysis::text(text, shape, &mut sources, &analysis::Nodes::default(), &mut out);
    out.extend(shape::require(&tree, shape, &sources));
    if tree.get("cluster").is_none() {
        job_instead(&mut out, &sources);
    }
    analysis::credentials_of_cluster(&tree, &sources, &mut out);
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
    ClusterFile { sources, diagnostics: Vec::new(), known }.with_diagnostics(out, shape)
}

/// Replaces all errors by a single one if the file has a `job` block, because it is then a spec and not a cluster file.
fn job_instead(out: &mut Vec<Diagnostic>, sources: &Sources) {
    let unknown = |d: &Diagnostic| d.code == &UNKNOWN_NODE || d.code == &UNKNOWN_KEY;
    let is_job = |d: &Diagnostic| unknown(d) && sources.slice(d.span()).trim_matches(['"', '\'']) == "job";
    let Some(at) = out.iter().find(|d| is_job(d)).map(Diagnostic::span) else { return };
    out.retain(|d| !d.is_error());
    let told = Diagnostic::new(&MISSING_FIELD, at, "expected a cluster file, but this is a job spec")
        .here("job spec");
    out.push(told.help("use a cluster file; it contains `cluster \"NAME\" target=\"TARGET\" { … }`"));
}

/// Checks the fields of the file: blocks of targets other than that of the cluster, GPU properties, registries, and shared
/// directories.
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
                format!(
                    "options of target `{}` have no effect in a cluster file for target `{own}`",
                    block.key
                ),
            )
            .here("ignored")
            .label(cluster.target.span, "target of this cluster")
            .help(format!("rename the block to `{own}`, or move it to a cluster file for `{}`", block.key)),
        );
    }
    gpus_without_count(cluster, out);
    invalid_registries(cluster, format, out);
    for uri in cluster.shared.iter().filter(|uri| uri.value.scheme() != Scheme::File) {
        out.push(
            Diagnostic::new(
                &UNSUPPORTED_URI,
                uri.span,
                "`shared` accepts only `file:` URIs, because all other storage is the same on every node",
            )
            .here("not a `file:` URI")
            .help("write the mount path on the nodes, such as `file:///mnt/nfs`, or remove it"),
        );
    }
}

/// Reports `nodes` blocks with properties of GPUs but without GPUs.
fn gpus_without_count(cluster: &Cluster, out: &mut Vec<Diagnostic>) {
    for (_, nodes) in &cluster.nodes {
        let nodes = &nodes.value;
        let without = nodes.gpus.as_ref().is_none_or(|g| g.value == 0);
        let model = nodes.gpu_model.as_ref().map(|m| (m.span, "gpu-model"));
        let memory = nodes.gpu_memory.as_ref().map(|m| (m.span, "gpu-memory"));
        for (at, word) in [model, memory].into_iter().flatten().filter(|_| without) {
            out.push(
                Diagnostic::new(
                    &GPUS_WITHOUT_COUNT,
                    at,
                    format!("`{word}` is set, but these nodes have no GPUs"),
                )
                .here("no GPUs")
                .help(format!("add the number of GPUs per node, such as `gpus=8`, or remove `{word}`")),
            );
        }
    }
}

/// Reports values of `registry` that cannot begin an image name.
fn invalid_registries(cluster: &Cluster, format: Format, out: &mut Vec<Diagnostic>) {
    for registry in &cluster.registry {
        let text = registry.value.as_str();
        let host = text.split_once("://").map_or(text, |(_, host)| host).trim_end_matches('/');
        let is_registry = |text: &str| Image::parse(&format!("{text}/x")).is_ok();
        if is_registry(text.trim_end_matches('/')) {
            continue;
        }
        let fact = format!("`{}` is not a valid container registry", text.escaped());
        let found = Diagnostic::new(&BAD_VALUE, registry.span, fact).here("invalid registry");
        let fix = is_registry(host).then(|| Fix::replace(registry.span, literal::text(format, host)));
        let found =
            found.help("write it as in an image name: a host with an optional port and path, such as `registry.example.com:5000/ml`");
        out.push(fix.into_iter().fold(found, Diagnostic::fix));
    }
}

/// Returns the content of the file. Fields that set an option of the target are moved into the block of the target.
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
    let namespace = target.and_then(|target| target.namespace());
    let kept = target.map_or(&[][..], |target| target.kept());
    Known { options: words, job: Tree::map(span, job), namespace, kept, span, cluster }
}
