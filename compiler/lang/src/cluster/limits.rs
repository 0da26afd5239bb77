//! What the site grants to one job and to one task.
use super::Cluster;
use super::demand::{Crew, Demand, Resource};
use crate::at::At;
use crate::codes::{LIMIT_EXCEEDED, UNDETERMINED_PLACEMENT};
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::sources::Span;
use std::collections::BTreeSet;

/// The most that the platform gives one container, unless the site is set up otherwise.
#[derive(Debug, Clone)]
pub struct Largest {
    /// Of which resource.
    pub resource: Resource,
    /// So much of it.
    pub amount: u64,
    /// What the platform does, and which of its settings changes that.
    pub fact: &'static str,
}

/// A job with more tasks than it may have.
pub(super) fn of_job(cluster: &Cluster, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let most = cluster.limits.as_ref().and_then(|limits| limits.value.max_tasks.as_ref());
    let Some(most) = most.filter(|most| plan.tasks() > most.value) else { return };
    let Some(largest) = plan.roles.iter().max_by_key(|role| role.count.value) else { return };
    let fact = format!("the job has {} tasks, and the cluster grants a job {}", plan.tasks(), most.value);
    out.push(
        Diagnostic::new(&LIMIT_EXCEEDED, largest.count.span, fact)
            .here(format!("{} of them", largest.count.value))
            .label(most.span, "the most")
            .help("ask for fewer, larger tasks, or split the job"),
    );
}

/// Tasks that are larger than one may be, and a warning of those above a limit of the platform that the file does not state.
/// What a task asks for is compared before it is rounded: memory is rounded up to the most at last, and no further.
pub(super) fn of_task(cluster: &Cluster, queue: Option<&str>, demand: &Demand, out: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    for crew in &demand.crews {
        for (resource, need, at) in &crew.needs {
            let most = most(cluster, queue_of(crew, queue), resource);
            let over = most.filter(|most| most.amount < *need && told.insert((*at, resource)));
            out.extend(over.map(|most| {
                let fact = format!(
                    "{}, and {} a task {}",
                    requirements(crew, resource, *need),
                    most.whose,
                    resource.amount(u128::from(most.amount))
                );
                Diagnostic::new(&LIMIT_EXCEEDED, *at, fact)
                    .here("more than a task may have")
                    .label(most.at, "the most")
                    .help(
                        demand.help("ask for less of it, maybe in more tasks", *resource == Resource::Memory),
                    )
            }));
        }
    }
    out.extend(demand.largest.iter().filter_map(|largest| unstated(cluster, queue, demand, largest)));
}

/// A warning of the largest task above what the platform gives unless it is set up otherwise.
fn unstated(
    cluster: &Cluster,
    queue: Option<&str>,
    demand: &Demand,
    largest: &Largest,
) -> Option<Diagnostic> {
    let word = match largest.resource {
        Resource::Cpus => "task-cpus",
        Resource::Memory => "task-memory",
        Resource::Gpus => "task-gpus",
        Resource::Disk | Resource::Device(_) | Resource::Apart(_) | Resource::Rack(_) | Resource::Port(_) => {
            return None;
        }
    };
    let unknown = |crew: &&Crew| most(cluster, queue_of(crew, queue), &largest.resource).is_none();
    let needs = demand.crews.iter().filter(unknown).filter_map(|crew| {
        crew.need(&largest.resource).filter(|need| need.0 > largest.amount).map(|need| (crew, need))
    });
    // Of equal ones the first.
    let (crew, (need, at)) = needs.rev().max_by_key(|(_, need)| need.0)?;
    let fact = format!("{}, and {}", requirements(crew, &largest.resource, need), largest.fact);
    let help = format!("state the site's own limit in the cluster file, by `{word}` of `limits`");
    Some(
        Diagnostic::new(&UNDETERMINED_PLACEMENT, at, fact)
            .here("the cluster file does not say how large a task may be")
            .help(demand.help(&help, largest.resource == Resource::Memory)),
    )
}

/// The most that a task may have, and where that is said.
struct Most {
    amount: u64,
    at: Span,
    /// Who grants it, in words.
    whose: String,
}

/// The least of what the site and the queue grant.
fn most(cluster: &Cluster, queue: Option<&str>, resource: &Resource) -> Option<Most> {
    let site = cluster.limits.as_ref().map(|limits| &limits.value);
    let queue = queue.and_then(|name| Some((name, &cluster.queue.get(name)?.value)));
    let [site, own] = match resource {
        Resource::Cpus => {
            let of = [site.and_then(|l| l.task_cpus.as_ref()), queue.and_then(|q| q.1.task_cpus.as_ref())];
            of.map(|most| most.map(|most| (u64::from(most.value.millis()), most.span)))
        }
        Resource::Memory => {
            let of =
                [site.and_then(|l| l.task_memory.as_ref()), queue.and_then(|q| q.1.task_memory.as_ref())];
            of.map(|most| most.map(|most| (most.value.bytes(), most.span)))
        }
        Resource::Gpus => {
            let of = [site.and_then(|l| l.task_gpus.as_ref()), queue.and_then(|q| q.1.task_gpus.as_ref())];
            of.map(|most: Option<&At<u32>>| most.map(|most| (u64::from(most.value), most.span)))
        }
        Resource::Disk | Resource::Device(_) | Resource::Apart(_) | Resource::Rack(_) | Resource::Port(_) => {
            return None;
        }
    };
    let site = site.map(|(amount, at)| Most { amount, at, whose: "the cluster grants".to_owned() });
    let own = own.zip(queue).map(|((amount, at), (name, _))| Most {
        amount,
        at,
        whose: format!("`{}` grants", name.escape_debug()),
    });
    [site, own].into_iter().flatten().min_by_key(|most| most.amount)
}

/// The queue, if these tasks are in it.
fn queue_of<'q>(crew: &Crew, queue: Option<&'q str>) -> Option<&'q str> {
    queue.filter(|_| crew.queued)
}

/// What a task asks for, in words.
fn requirements(crew: &Crew, resource: &Resource, need: u64) -> String {
    let amount = resource.amount(u128::from(need));
    match crew.name.starts_with('`') {
        true => format!("a task of {} asks for {amount}", crew.name),
        // There is one of it.
        false => format!("{} asks for {amount}", crew.name),
    }
}
