//! The queue of a job, and what it never has enough of.
use super::demand::{Crew, Demand, Queues, Resource, Shift};
use super::{Cluster, Queue};
use crate::codes::{FULL_QUEUE, REPEATED_NAME, UNKNOWN_QUEUE};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::plan::Plan;
use crate::sources::Span;

/// What names the queue of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The option `queue` of the target.
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
    let (first, _) = cluster.queue.0.first()?;
    let option = plan.targets.get(cluster.target.value.as_str()).and_then(|options| options.get("queue"));
    let elsewhere = demand.queue.as_ref().map(|queue| (queue.name.as_str(), queue.at, By::Elsewhere));
    let option = option.and_then(|tree| Some((tree.text()?, tree.span, By::Option)));
    let default = demand.queues.map(|queues| (queues.default, plan.name.span, By::Nothing));
    let (name, at, by) = elsewhere.or(option).or(default)?;
    let is_it = |known: &str| match demand.queues {
        Some(queues) => queues.is_one(known, name),
        None => known == name,
    };
    let found = cluster.queue.0.iter().find(|(known, _)| is_it(known.value.as_str()));
    if let Some((known, queue)) = found {
        return Some(Found { name: known.value.as_str(), queue: &queue.value, at, by });
    }
    if by == By::Nothing {
        return None;
    }
    let fact = format!("the cluster has no queue `{}`", name.escape_debug());
    let told =
        Diagnostic::new(&UNKNOWN_QUEUE, at, fact).here("unknown").label(first.span, "a queue that is there");
    out.push(match nearest(name, cluster.queue.names()) {
        Some(near) => {
            let told = told.help(format!("did you mean `{near}`?"));
            // What else names a queue says more than its name.
            if by == By::Option { told.suggest(Fix::replace(at, format!("{near:?}"))) } else { told }
        }
        None => {
            let all: Vec<&str> = cluster.queue.names().collect();
            told.help(format!("queues are `{}`", all.join("`, `")))
        }
    });
    None
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
        Diagnostic::new(&REPEATED_NAME, name.span, fact)
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
        let help = match found.by {
            By::Nothing => format!(
                "{help}; the job names no queue, and this is the one of such a job: if the cluster maps its user to another, name that"
            ),
            By::Option | By::Elsewhere => help,
        };
        let name = found.name.escape_debug();
        out.push(
            Diagnostic::new(
                &FULL_QUEUE,
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
