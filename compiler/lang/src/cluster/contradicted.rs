//! Reports `target` blocks that contradict the cluster file. A job cannot change a fixed property of the cluster, such as its
//! DNS domain, so a different value is an error.
use super::Cluster;
use super::file::Known;
use super::words::Word;
use crate::codes::{BAD_OPTION, OTHER_NAMESPACE};
use crate::diagnostic::Diagnostic;
use crate::escape::Escaped;
use crate::plan::Plan;
use crate::sources::Span;
use crate::spec::values::Duration;
use crate::tree::{Tree, Value};

/// A value of the cluster file that is also an option of the target.
#[derive(Debug, Clone, Copy)]
enum Fact<'c> {
    /// DNS domain of the tasks.
    Domain(&'c str),
    /// Time between SIGTERM and SIGKILL.
    Grace(Duration),
}

impl Fact<'_> {
    /// Returns whether the option of the target has the same value as this field of the cluster file. A value of a wrong type
    /// counts as equal, because it is reported elsewhere.
    fn matches(self, option: &Tree) -> bool {
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
            Self::Domain(domain) => domain.escaped(),
            Self::Grace(grace) => grace.to_string(),
        }
    }
}

/// Returns the top-level values of the cluster file that are also options of the target. Each element has the name of the field,
/// the name of the option, the value, and the span of the value. `words`: the fields that set an option of the target, each with
/// the name of the option.
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

/// Reports options of a job that conflict with the cluster file.
pub(super) fn by_job(known: &Known, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let cluster = &known.cluster.value;
    let Some(options) = plan.targets.get(cluster.target.value.as_str()) else { return };
    for (word, option, fact, at) in facts(cluster, &known.options) {
        let stated = options.get(option).filter(|tree| !plan.is_of_cluster(tree.span));
        if let Some(stated) = stated.filter(|tree| !fact.matches(tree)) {
            out.push(different(option, word, &fact.text(), stated.span, at));
        }
    }
}

fn different(option: &str, word: &str, value: &str, stated: Span, at: Span) -> Diagnostic {
    let message = if word == option {
        format!("`{option}` must be the same as in the cluster file, where it is `{value}`")
    } else {
        format!(
            "`{option}` must be equal to `{word}` in the cluster file, which is `{value}`: both set the same delay"
        )
    };
    Diagnostic::new(&BAD_OPTION, stated, message).here("different value").label(at, "value of the cluster").help(format!(
        "remove `{option}` from the job: the job then uses `{word}` of the cluster file; or correct `{word}` there"
    ))
}

/// Reports an option that the cluster file turns on, such as the restrictions that a namespace enforces, and that a job turns off.
pub(super) fn turned_off(known: &Known, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let options = plan.targets.get(known.cluster.value.target.value.as_str());
    for (option, of_cluster) in known.kept() {
        let stated = options.and_then(|options| options.get(option)).map(|tree| (&tree.value, tree.span));
        if let (Value::Bool(true), Some((Value::Bool(false), at))) = (&of_cluster.value, stated) {
            out.push(different(option, option, "#true", at, of_cluster.span));
        }
    }
}

/// Warns if a job sets another namespace than the cluster file. For example, the job is meant for staging, but the cluster file
/// describes production.
pub(super) fn namespace(known: &Known, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let Some((option, of_cluster)) = known.namespace() else { return };
    let options = plan.targets.get(known.cluster.value.target.value.as_str());
    let stated =
        options.and_then(|options| options.get(option)).filter(|tree| !plan.is_of_cluster(tree.span));
    let Some((stated, own, other)) = stated.and_then(|tree| Some((tree, tree.text()?, of_cluster.text()?)))
    else {
        return;
    };
    if own == other {
        return;
    }
    let fact = format!(
        "the job runs in the namespace `{}`, but the cluster file sets `{}`",
        own.escaped(),
        other.escaped()
    );
    out.push(
        Diagnostic::new(&OTHER_NAMESPACE, stated.span, fact)
            .here("other namespace")
            .label(of_cluster.span, "namespace of the cluster file")
            .help(format!(
                "remove `{option}` from the job; or, if jobs of this cluster choose their namespace, remove the option from the cluster file"
            )),
    );
}

/// Reports options in the target block of the cluster file that conflict with its top-level fields.
pub(super) fn by_file(
    cluster: &Cluster,
    block: Option<&Tree>,
    words: &[(Word, &'static str)],
    out: &mut Vec<Diagnostic>,
) {
    for (word, option, fact, at) in facts(cluster, words) {
        let stated = block.and_then(|block| block.get(option));
        if let Some(stated) = stated.filter(|tree| !fact.matches(tree)) {
            let value = fact.text();
            let message = if word == option {
                format!(
                    "`{option}` of the target block conflicts with the top-level field `{word}`, which is `{value}`"
                )
            } else {
                format!(
                    "`{option}` of the target block must be equal to the top-level field `{word}`, which is `{value}`: both set the same delay"
                )
            };
            out.push(
                Diagnostic::new(&BAD_OPTION, stated.span, message)
                    .here("different value")
                    .label(at, "top-level field")
                    .help(if word == option {
                        format!("remove `{option}` from the target block, or remove the top-level `{word}`")
                    } else {
                        format!("remove `{option}` or `{word}`")
                    }),
            );
        }
    }
}
