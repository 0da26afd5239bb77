//! Finds the queue of a job in the cluster file, and compares its capacity with the requests of the job.
use super::demand::{Demand, Phase, Queues, Resource, TaskGroup};
use super::{Cluster, Queue};
use crate::at::At;
use crate::codes::{DUPLICATE_NAME, QUEUE_CAPACITY_EXCEEDED, UNDETERMINED_PLACEMENT, UNKNOWN_QUEUE};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::escape::Escaped;
use crate::plan::Plan;
use crate::sources::Span;

/// Where the queue of a job is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The option of the target.
    Option,
    /// A label or a patch.
    LabelOrPatch,
    /// Unset: the platform chooses this queue.
    Nothing,
}

/// The queue of a job in the cluster file.
#[derive(Debug)]
pub(super) struct Found<'c> {
    /// Name in the cluster file.
    pub name: &'c str,
    queue: &'c Queue,
    at: Span,
    by: By,
}

/// Returns the queue of the job as declared in the cluster file; `None` if the queue is unknown. Reports a queue that the file
/// does not declare.
pub(super) fn find<'c>(
    cluster: &'c Cluster,
    plan: &Plan,
    demand: &Demand,
    out: &mut Vec<Diagnostic>,
) -> Option<Found<'c>> {
    cluster.queue.0.first()?;
    let queues = demand.queues?;
    let option =
        plan.targets.get(cluster.target.value.as_str()).and_then(|options| options.get(queues.option));
    let option = option.and_then(|tree| Some((Some(tree.text()?), tree.span, By::Option)));
    let elsewhere = demand.queue.as_ref().map(|queue| (queue.name.as_deref(), queue.at, By::LabelOrPatch));
    let (name, at, by) = elsewhere.or(option).unwrap_or((None, plan.name.span, By::Nothing));
    let Some(name) = name else { return unnamed(cluster, queues, at, out) };
    match named(cluster, queues, name) {
        Ok((known, queue)) => Some(Found { name: known.value.as_str(), queue: &queue.value, at, by }),
        Err(several) => {
            out.push(unknown(cluster, queues, (name, at, by), &several));
            None
        }
    }
}

type Entry = (At<String>, At<Queue>);

/// Returns the queue that a name refers to: the queue with exactly this name, otherwise the only queue with a path that ends in the
/// name. If no path ends in the name, returns the queue that has the same name apart from the root: `root.ml` and `ml` are the same
/// queue.
///
/// # Errors
/// Returns the names of the queues that match: none, or several with a path that ends in the name.
fn named<'c>(cluster: &'c Cluster, queues: Queues, name: &str) -> Result<&'c Entry, Vec<&'c str>> {
    let all = &cluster.queue.0;
    if let Some(written) = all.iter().find(|(known, _)| known.value.as_str() == name) {
        return Ok(written);
    }
    let ending: Vec<&Entry> =
        all.iter().filter(|(known, _)| queues.is_last(known.value.as_str(), name)).collect();
    match ending[..] {
        [] => {
            let one = |entry: &&Entry| queues.is_same(entry.0.value.as_str(), name);
            let found = all.iter().find(one).filter(|_| !queues.is_rootless(name));
            found.ok_or_else(Vec::new)
        }
        [one] => Ok(one),
        _ => Err(ending.iter().map(|(known, _)| known.value.as_str()).collect()),
    }
}

/// Returns the default queue, for a job without `queue`. Returns `None` if the cluster may map the job to another queue. Warns if
/// the cluster file does not declare the default queue.
fn unnamed<'c>(
    cluster: &'c Cluster,
    queues: Queues,
    at: Span,
    out: &mut Vec<Diagnostic>,
) -> Option<Found<'c>> {
    let default = queues.default;
    let found = cluster.queue.0.iter().find(|(known, _)| queues.is_same(known.value.as_str(), default.name));
    if let Some((known, queue)) = found {
        let found = Found { name: known.value.as_str(), queue: &queue.value, at, by: By::Nothing };
        return default.sure.then_some(found);
    }
    let (first, _) = cluster.queue.0.first()?;
    let all: Vec<&str> = cluster.queue.names().collect();
    out.push(
        Diagnostic::new(&UNDETERMINED_PLACEMENT, at, default.fact)
            .here("no queue set")
            .label(first.span, "available queue")
            .help(format!(
                "add `{} \"{}\"` to `target \"{}\"` (queues of the cluster file: `{}`); {}",
                queues.option,
                first.value.as_str(),
                cluster.target.value.as_str(),
                all.join("`, `"),
                default.help
            )),
    );
    None
}

/// Reports the queue name of a job if it matches no queue of the cluster file, or several.
fn unknown(
    cluster: &Cluster,
    queues: Queues,
    (name, at, by): (&str, Span, By),
    several: &[&str],
) -> Diagnostic {
    let escaped = name.escaped();
    if !several.is_empty() {
        let fact = format!("`{escaped}` matches {} queues of the cluster file", several.len());
        let told = Diagnostic::new(&UNKNOWN_QUEUE, at, fact).here("ambiguous");
        return told.help(format!("write the full path: `{}`", several.join("`, `")));
    }
    let fact = format!("queue `{escaped}` is not in the cluster file");
    let mut told = Diagnostic::new(&UNKNOWN_QUEUE, at, fact).here("unknown queue");
    if let Some((first, _)) = cluster.queue.0.first() {
        told = told.label(first.span, "available queue");
    }
    let near = cluster.queue.names().find(|known| queues.is_same(known, name));
    match near.or_else(|| nearest(name, cluster.queue.names())) {
        Some(near) => {
            let told = told.help(format!("did you mean `{near}`?"));
            // A label or a patch contains more than the name of the queue, so a fix is suggested only for the option of the target.
            if by == By::Option { told.suggest(Fix::replace(at, format!("{near:?}"))) } else { told }
        }
        None => {
            let all: Vec<&str> = cluster.queue.names().collect();
            told.help(format!("available queues: `{}`", all.join("`, `")))
        }
    }
}

/// Reports each queue that the cluster file declares twice, such as `root.ml` and `ml`.
pub(super) fn repeated(cluster: &Cluster, queues: Queues) -> Vec<Diagnostic> {
    let names: Vec<_> = cluster.queue.0.iter().map(|(name, _)| name).collect();
    let earlier = |number: usize| {
        names[..number].iter().find(|one| queues.is_same(one.value.as_str(), names[number].value.as_str()))
    };
    let twice = (0..names.len()).filter_map(|number| Some((names[number], earlier(number)?)));
    let told = twice.map(|(name, first)| {
        let fact = format!("`{}` and `{}` are the same queue", first.value.as_str(), name.value.as_str());
        Diagnostic::new(&DUPLICATE_NAME, name.span, fact)
            .here("same queue")
            .label(first.span, "first declaration")
            .help("keep one of the two blocks, with all limits of the queue")
    });
    told.collect()
}

/// Reports a queue that is too small for all tasks that must run at the same time.
pub(super) fn check_capacity(
    found: &Found<'_>,
    demand: &Demand,
    phases: &[Phase],
    out: &mut Vec<Diagnostic>,
) {
    let queue = found.queue;
    let rooms = [
        (Resource::Cpus, queue.cpus.as_ref().map(|c| (u128::from(c.value) * 1000, c.span))),
        (Resource::Memory, queue.memory.as_ref().map(|m| (u128::from(m.value.bytes()), m.span))),
        (Resource::Gpus, queue.gpus.as_ref().map(|g| (u128::from(g.value), g.span))),
    ];
    for (resource, room) in rooms {
        let Some((room, stated)) = room else { continue };
        let sets = phases.iter().flat_map(|phase| &phase.certain);
        let sums = sets.map(|set| {
            (set.iter().map(|group| wanted(&demand.groups[*group], &resource)).sum::<u128>(), set)
        });
        let Some((need, set)) = sums.max_by_key(|sum| sum.0).filter(|sum| sum.0 > room) else { continue };
        // Groups that are not roles of the spec, such as TensorBoard. The message names them, because the user may not expect them.
        let own = set.iter().map(|group| &demand.groups[*group]).filter(|group| !group.name.starts_with('`'));
        let own = own.filter(|group| wanted(group, &resource) > 0);
        let own: Vec<String> = own
            .map(|group| format!("{} for {}", resource.amount(wanted(group, &resource)), group.name))
            .collect();
        let own = if own.is_empty() { String::new() } else { format!(", including {}", own.join(" and ")) };
        let option = demand.queues.map_or("queue", |queues| queues.option);
        let help = match found.by {
            By::Nothing => format!(
                "use fewer tasks, or request less per task; or set `{option} \"NAME\"` to a larger queue (without `{option}`, jobs run in `{}`)",
                found.name.escaped()
            ),
            By::Option | By::LabelOrPatch => {
                "use fewer tasks, request less per task, or use a larger queue".to_owned()
            }
        };
        let name = found.name.escaped();
        out.push(
            Diagnostic::new(
                &QUEUE_CAPACITY_EXCEEDED,
                found.at,
                format!(
                    "the tasks need {} at the same time{own}, but queue `{name}` is limited to {}",
                    resource.amount(need),
                    resource.amount(room)
                ),
            )
            .here("too small for this job")
            .label(stated, "limit of the queue")
            .help(demand.help(&help, resource == Resource::Memory)),
        );
    }
}

/// Returns how much of the resource the group requests with its minimum number of tasks. Returns 0 if the group does not count
/// against the queue.
fn wanted(group: &TaskGroup, resource: &Resource) -> u128 {
    if !group.queued {
        return 0;
    }
    let each =
        group.needs.iter().filter(|(other, ..)| other == resource).map(|(_, need, _)| u128::from(*need));
    each.sum::<u128>() * u128::from(group.min)
}
