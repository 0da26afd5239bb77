//! The queue of a job, and what it never has enough of.
use super::demand::{Crew, Demand, Queues, Resource, Shift};
use super::{Cluster, Queue};
use crate::at::At;
use crate::codes::{DUPLICATE_NAME, QUEUE_CAPACITY_EXCEEDED, UNDETERMINED_PLACEMENT, UNKNOWN_QUEUE};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::plan::Plan;
use crate::sources::Span;

/// What names the queue of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The option of the target.
    Option,
    /// A label or a patch.
    Elsewhere,
    /// Nothing: the platform puts the job into it.
    Nothing,
}

/// The queue of a job, which the cluster has.
#[derive(Debug)]
pub(super) struct Found<'c> {
    /// Its name in the cluster file.
    pub name: &'c str,
    queue: &'c Queue,
    at: Span,
    by: By,
}

/// The queue of the job, if the cluster has it.
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
    let elsewhere = demand.queue.as_ref().map(|queue| (queue.name.as_deref(), queue.at, By::Elsewhere));
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

/// The queue of that name: written like it, or the same below the root, or the only one whose path ends in it. Otherwise
/// those that end in it.
fn named<'c>(cluster: &'c Cluster, queues: Queues, name: &str) -> Result<&'c Entry, Vec<&'c str>> {
    let all = &cluster.queue.0;
    if let Some(written) = all.iter().find(|(known, _)| known.value.as_str() == name) {
        return Ok(written);
    }
    let ending: Vec<&Entry> =
        all.iter().filter(|(known, _)| queues.is_last(known.value.as_str(), name)).collect();
    match ending[..] {
        [] => {
            let one = |entry: &&Entry| queues.is_one(entry.0.value.as_str(), name);
            let found = all.iter().find(one).filter(|_| !queues.is_rootless(name));
            found.ok_or_else(Vec::new)
        }
        [one] => Ok(one),
        _ => Err(ending.iter().map(|(known, _)| known.value.as_str()).collect()),
    }
}

/// The queue of a job that names none. Where the file does not have it, the site may still choose another one for the job.
fn unnamed<'c>(
    cluster: &'c Cluster,
    queues: Queues,
    at: Span,
    out: &mut Vec<Diagnostic>,
) -> Option<Found<'c>> {
    let default = queues.default;
    let found = cluster.queue.0.iter().find(|(known, _)| queues.is_one(known.value.as_str(), default.name));
    if let Some((known, queue)) = found {
        let found = Found { name: known.value.as_str(), queue: &queue.value, at, by: By::Nothing };
        return default.sure.then_some(found);
    }
    let (first, _) = cluster.queue.0.first()?;
    let all: Vec<&str> = cluster.queue.names().collect();
    out.push(
        Diagnostic::new(&UNDETERMINED_PLACEMENT, at, default.fact)
            .here("names no queue")
            .label(first.span, "a queue that is there")
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

/// A name that no queue has, or several.
fn unknown(
    cluster: &Cluster,
    queues: Queues,
    (name, at, by): (&str, Span, By),
    several: &[&str],
) -> Diagnostic {
    let escaped = name.escape_debug();
    if !several.is_empty() {
        let fact = format!("{} queues of the cluster end in `{escaped}`", several.len());
        let told = Diagnostic::new(&UNKNOWN_QUEUE, at, fact).here("ambiguous");
        return told.help(format!("write the path of one: `{}`", several.join("`, `")));
    }
    let fact = format!("the cluster has no queue `{escaped}`");
    let mut told = Diagnostic::new(&UNKNOWN_QUEUE, at, fact).here("unknown");
    if let Some((first, _)) = cluster.queue.0.first() {
        told = told.label(first.span, "a queue that is there");
    }
    let near = cluster.queue.names().find(|known| queues.is_one(known, name));
    match near.or_else(|| nearest(name, cluster.queue.names())) {
        Some(near) => {
            let told = told.help(format!("did you mean `{near}`?"));
            // What else names a queue says more than its name.
            if by == By::Option { told.suggest(Fix::replace(at, format!("{near:?}"))) } else { told }
        }
        None => {
            let all: Vec<&str> = cluster.queue.names().collect();
            told.help(format!("queues are `{}`", all.join("`, `")))
        }
    }
}

/// Two names of a cluster file that are one queue.
pub(super) fn repeated(cluster: &Cluster, queues: Queues) -> Vec<Diagnostic> {
    let names: Vec<_> = cluster.queue.0.iter().map(|(name, _)| name).collect();
    let earlier = |number: usize| {
        names[..number].iter().find(|one| queues.is_one(one.value.as_str(), names[number].value.as_str()))
    };
    let twice = (0..names.len()).filter_map(|number| Some((names[number], earlier(number)?)));
    let told = twice.map(|(name, first)| {
        let fact = format!("`{}` and `{}` are one queue", first.value.as_str(), name.value.as_str());
        Diagnostic::new(&DUPLICATE_NAME, name.span, fact)
            .here("the same queue")
            .label(first.span, "the first")
            .help("keep one of them, with all that the queue has")
    });
    told.collect()
}

/// A queue that never has enough for all tasks that must run at once.
pub(super) fn full(found: &Found<'_>, demand: &Demand, shifts: &[Shift], out: &mut Vec<Diagnostic>) {
    let queue = found.queue;
    let rooms = [
        (Resource::Cpus, queue.cpus.as_ref().map(|c| (u128::from(c.value) * 1000, c.span))),
        (Resource::Memory, queue.memory.as_ref().map(|m| (u128::from(m.value.bytes()), m.span))),
        (Resource::Gpus, queue.gpus.as_ref().map(|g| (u128::from(g.value), g.span))),
    ];
    for (resource, room) in rooms {
        let Some((room, stated)) = room else { continue };
        let sets = shifts.iter().flat_map(|shift| &shift.sure);
        let sums = sets
            .map(|set| (set.iter().map(|crew| wanted(&demand.crews[*crew], &resource)).sum::<u128>(), set));
        let Some((need, set)) = sums.max_by_key(|sum| sum.0).filter(|sum| sum.0 > room) else { continue };
        // Nobody wrote these down.
        let own = set.iter().map(|crew| &demand.crews[*crew]).filter(|crew| !crew.name.starts_with('`'));
        let own = own.filter(|crew| wanted(crew, &resource) > 0);
        let help = own.fold("ask for less, or for a larger queue".to_owned(), |help, crew| {
            format!("{help}; this counts {} for {}", resource.amount(wanted(crew, &resource)), crew.name)
        });
        let option = demand.queues.map_or("queue", |queues| queues.option);
        let help = match found.by {
            By::Nothing => format!(
                "{help}; jobs without `{option}` run in `{}`; set `{option} \"NAME\"` if the cluster maps the user to another queue",
                found.name.escape_debug()
            ),
            By::Option | By::Elsewhere => help,
        };
        let name = found.name.escape_debug();
        out.push(
            Diagnostic::new(
                &QUEUE_CAPACITY_EXCEEDED,
                found.at,
                format!(
                    "the tasks need {} at once, and `{name}` has {}",
                    resource.amount(need),
                    resource.amount(room)
                ),
            )
            .here("never enough for this job")
            .label(stated, "all that it has")
            .help(demand.help(&help, resource == Resource::Memory)),
        );
    }
}

/// What the tasks that a crew starts with need of a resource of the queue.
fn wanted(crew: &Crew, resource: &Resource) -> u128 {
    if !crew.queued {
        return 0;
    }
    let each =
        crew.needs.iter().filter(|(other, ..)| other == resource).map(|(_, need, _)| u128::from(*need));
    each.sum::<u128>() * u128::from(crew.min)
}
