//! Facts of the site that a `target` block states too: a job cannot change them, so another value is a mistake.
use super::Cluster;
use super::file::Known;
use super::words::Word;
use crate::codes::BAD_OPTION;
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::sources::Span;
use crate::spec::values::Duration;
use crate::tree::Tree;

/// A value of the cluster file that the target takes as an option of its own.
#[derive(Debug, Clone, Copy)]
enum Fact<'c> {
    /// The domain in which tasks find each other.
    Domain(&'c str),
    /// The time between SIGTERM and the kill.
    Grace(Duration),
}

impl Fact<'_> {
    /// Whether an option says the same. What is no text or no duration is told elsewhere.
    fn is(self, option: &Tree) -> bool {
        let text = option.text();
        match self {
            Self::Domain(domain) => text.is_none_or(|text| text == domain),
            Self::Grace(grace) => {
                let stated = text.and_then(|text| Duration::parse(text).ok());
                stated.is_none_or(|stated| stated.seconds() == grace.seconds())
            }
        }
    }

    fn text(self) -> String {
        match self {
            Self::Domain(domain) => domain.escape_debug().to_string(),
            Self::Grace(grace) => grace.to_string(),
        }
    }
}

/// The values at the top of the file, each with the option of the target that stands for it.
fn facts<'c>(
    cluster: &'c Cluster,
    words: &'c [(Word, &'static str)],
) -> impl Iterator<Item = (&'static str, &'static str, Fact<'c>, Span)> {
    words.iter().filter_map(|(word, option)| {
        let (fact, at) = match word {
            Word::DnsDomain => {
                cluster.dns_domain.as_ref().map(|d| (Fact::Domain(d.value.as_str()), d.span))?
            }
            Word::Grace => cluster.grace.as_ref().map(|g| (Fact::Grace(g.value), g.span))?,
            Word::GpuModel
            | Word::GpuMemory
            | Word::Disk
            | Word::SharedMemory
            | Word::Partition
            | Word::Device
            | Word::Attribute
            | Word::Queue
            | Word::QueuePartition
            | Word::Registry
            | Word::Shared
            | Word::MemoryStep => return None,
        };
        Some((word.name(), *option, fact, at))
    })
}

/// Options of a job that say otherwise than the cluster file.
pub(super) fn by_job(known: &Known, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let cluster = &known.cluster.value;
    let Some(options) = plan.targets.get(cluster.target.value.as_str()) else { return };
    for (word, option, fact, at) in facts(cluster, &known.options) {
        let stated = options.get(option).filter(|tree| !plan.is_of_cluster(tree.span));
        if let Some(stated) = stated.filter(|tree| !fact.is(tree)) {
            out.push(
                Diagnostic::new(
                    &BAD_OPTION,
                    stated.span,
                    format!("`{word}` of this cluster is `{}`", fact.text()),
                )
                .here("another value")
                .label(at, "the cluster's own")
                .help(format!(
                    "remove `{option}` from the job: the cluster file sets it; or correct the cluster file"
                )),
            );
        }
    }
}

/// Options in the file's own block that say otherwise than its top.
pub(super) fn by_file(
    cluster: &Cluster,
    block: Option<&Tree>,
    words: &[(Word, &'static str)],
    out: &mut Vec<Diagnostic>,
) {
    for (word, option, fact, at) in facts(cluster, words) {
        let stated = block.and_then(|block| block.get(option));
        if let Some(stated) = stated.filter(|tree| !fact.is(tree)) {
            out.push(
                Diagnostic::new(
                    &BAD_OPTION,
                    stated.span,
                    format!("`{word}` of this cluster is `{}`", fact.text()),
                )
                .here("another value")
                .label(at, "the first")
                .help(if word == option {
                    format!("keep `{word}` at the top of the file, or the one in the block of the target")
                } else {
                    format!("keep `{word}` or `{option}`")
                }),
            );
        }
    }
}
