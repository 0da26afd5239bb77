//! Compares a job with the limits of the cluster per job and per task.
use super::Cluster;
use super::demand::{Demand, Resource, TaskGroup, bytes};
use crate::at::At;
use crate::codes::{LIMIT_EXCEEDED, UNDETERMINED_PLACEMENT};
use crate::diagnostic::Diagnostic;
use crate::escape::Escaped;
use crate::plan::Plan;
use crate::sources::Span;
use std::collections::BTreeSet;

/// Default limit of the platform per container.
#[derive(Debug, Clone)]
pub struct Largest {
    /// The limited resource.
    pub resource: Resource,
    /// The limit, in the unit of the resource.
    pub amount: u64,
    /// The limit and the platform setting that changes it, as a clause.
    pub fact: &'static str,
}

/// Reports a job with more tasks than `max-tasks`.
pub(super) fn check_job(cluster: &Cluster, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let most = cluster.limits.as_ref().and_then(|limits| limits.value.max_tasks.as_ref());
    let Some(most) = most.filter(|most| plan.tasks() > most.value) else { return };
    let Some(largest) = plan.roles.iter().max_by_key(|role| role.count.value) else { return };
    let fact =
        format!("the job has {} tasks, but the cluster allows at most {} per job", plan.tasks(), most.value);
    out.push(
        Diagnostic::new(&LIMIT_EXCEEDED, largest.count.span, fact)
            .here(format!("largest role: {} tasks", largest.count.value))
            .label(most.span, "limit of the cluster")
            .help("use fewer tasks with larger requests, or split the job"),
    );
}

/// Reports tasks above the limit of the cluster, and warns of tasks above a default limit of the platform. The requests must
/// not be rounded yet, because a platform never rounds memory up beyond its limit.
pub(super) fn check_tasks(
    cluster: &Cluster,
    queue: Option<&str>,
    demand: &Demand,
    out: &mut Vec<Diagnostic>,
) {
    let mut told = BTreeSet::new();
    for group in &demand.groups {
        for (resource, need, at) in &group.needs {
            let most = most(cluster, queue_of(group, queue), resource);
            let over = most.filter(|most| most.amount < *need && told.insert((*at, resource)));
            out.extend(over.map(|most| {
                let limit = resource.amount(u128::from(most.amount));
                let fact = format!(
                    "{}, but {} allows at most {limit} per task",
                    request(group, resource, *need),
                    most.owner,
                );
                let help = match most.amount {
                    0 => format!("remove this request: {} allows none", most.owner),
                    _ => format!("request at most {limit}, or use more tasks with smaller requests"),
                };
                Diagnostic::new(&LIMIT_EXCEEDED, *at, fact)
                    .here("exceeds the limit per task")
                    .label(most.at, "limit per task")
                    .help(demand.help(&help, *resource == Resource::Memory))
            }));
        }
    }
    out.extend(demand.largest.iter().filter_map(|largest| unstated(cluster, queue, demand, largest)));
}

/// Returns a warning if the largest task exceeds a default limit of the platform, and the cluster file sets no such limit.
fn unstated(
    cluster: &Cluster,
    queue: Option<&str>,
    demand: &Demand,
    largest: &Largest,
) -> Option<Diagnostic> {
    let field = match largest.resource {
        Resource::Cpus => "task-cpus",
        Resource::Memory => "task-memory",
        Resource::Gpus => "task-gpus",
        Resource::Disk | Resource::Device(_) | Resource::Apart(_) | Resource::Rack(_) | Resource::Port(_) => {
            return None;
        }
    };
    let unknown = |group: &&TaskGroup| most(cluster, queue_of(group, queue), &largest.resource).is_none();
    let needs = demand.groups.iter().filter(unknown).filter_map(|group| {
        group.need(&largest.resource).filter(|need| need.0 > largest.amount).map(|need| (group, need))
    });
    // `max_by_key` returns the last of equal elements. The order is reversed, so that the first of equal
    // requests is reported.
    let (group, (need, at)) = needs.rev().max_by_key(|(_, need)| need.0)?;
    let fact = format!("{}, but {}", request(group, &largest.resource, need), largest.fact);
    let value = match largest.resource {
        Resource::Cpus => need.div_ceil(1000).to_string(),
        Resource::Memory => format!("\"{}\"", bytes(u128::from(need))),
        _ => need.to_string(),
    };
    let help = format!(
        "if the cluster allows this, set its limit per task in the cluster file, such as `limits {field}={value}`"
    );
    Some(
        Diagnostic::new(&UNDETERMINED_PLACEMENT, at, fact)
            .here(format!("the cluster file does not set `{field}`"))
            .help(demand.help(&help, largest.resource == Resource::Memory)),
    )
}

/// A limit per task and its place in the cluster file.
struct Most {
    amount: u64,
    at: Span,
    /// Who sets the limit, as a noun phrase: the cluster or a queue.
    owner: String,
}

/// Returns the limit per task for a resource: the lower of the limits of the cluster and the queue. `None` if neither sets a
/// limit.
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
    let site = site.map(|(amount, at)| Most { amount, at, owner: "the cluster".to_owned() });
    let own = own.zip(queue).map(|((amount, at), (name, _))| Most {
        amount,
        at,
        owner: format!("queue `{}`", name.escaped()),
    });
    [site, own].into_iter().flatten().min_by_key(|most| most.amount)
}

/// Returns `queue` if the tasks of the group count against the quota of the queue; otherwise `None`.
fn queue_of<'q>(group: &TaskGroup, queue: Option<&'q str>) -> Option<&'q str> {
    queue.filter(|_| group.queued)
}

/// Formats the request of a task, such as ``a task of `worker` requests 4 cores``.
fn request(group: &TaskGroup, resource: &Resource, need: u64) -> String {
    let amount = resource.amount(u128::from(need));
    match group.name.starts_with('`') {
        true => format!("a task of {} requests {amount}", group.name),
        // A group with a name that is not in backticks, such as TensorBoard, has a single task.
        false => format!("{} requests {amount}", group.name),
    }
}
