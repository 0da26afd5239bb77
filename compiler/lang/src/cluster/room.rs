//! Checks the capacity of the nodes: for each task alone, and for all tasks that run at the same time.
use super::Cluster;
use super::demand::{self, NodePolicy, Phase, Resource, TaskGroup, Term};
use super::packing::{Demand, Kind, Reason, Verdict, holds, pack};
use super::place::{self, Lack, NodeKind, lacks};
use super::racks;
use crate::at::At;
use crate::codes::{INSUFFICIENT_CAPACITY, NO_MATCHING_NODE, UNDETERMINED_PLACEMENT};
use crate::diagnostic::Diagnostic;
use crate::sources::Span;
use crate::spec::values::Text;
use std::collections::BTreeSet;

/// Reports tasks that fit on no node. Returns whether every task fits on some node, or the file declares no nodes.
pub(super) fn check_each_task(cluster: &Cluster, demand: &demand::Demand, out: &mut Vec<Diagnostic>) -> bool {
    let mut fit = true;
    let mut told = BTreeSet::new();
    for group in demand.groups.iter().filter(|_| !cluster.nodes.is_empty()) {
        let lacking = lacking(cluster, group);
        if lacking.iter().any(|(_, lacks)| lacks.is_empty()) {
            continue;
        }
        fit = false;
        if let Some(found) =
            no_matching_node(group, lacking, demand).filter(|found| told.insert(found.span()))
        {
            out.push(found);
        }
    }
    fit
}

/// Returns each kind of nodes, with those requests of a task that these nodes do not meet.
fn lacking<'c>(cluster: &'c Cluster, group: &TaskGroup) -> Vec<(&'c NodeKind, Vec<Lack>)> {
    let named = |key: &str| cluster.nodes.iter().any(|(_, nodes)| nodes.value.node.get(key).is_some());
    cluster.nodes.iter().map(|nodes| (nodes, lacks(nodes, group, &named))).collect()
}

/// Returns the error about a task that fits on no node. It compares the task with the closest kind of nodes: the one with the
/// fewest unmet requests, and among equals with the smallest shortage.
fn no_matching_node(
    group: &TaskGroup,
    lacking: Vec<(&NodeKind, Vec<Lack>)>,
    demand: &demand::Demand,
) -> Option<Diagnostic> {
    let worst = |lacks: &[Lack]| lacks.iter().map(|lack| lack.part).fold(1.0, f64::min);
    let (nodes, lacks) = lacking
        .into_iter()
        .min_by(|(_, a), (_, b)| a.len().cmp(&b.len()).then_with(|| worst(b).total_cmp(&worst(a))))?;
    let first = lacks.first()?;
    let name = &nodes.0.value;
    let task = if group.name.starts_with('`') { "a task of " } else { "" };
    let fact = format!(
        "{task}{} requests {}, but the closest match, node `{name}`, has {}",
        group.name, first.fact, first.has
    );
    let mut told = Diagnostic::new(&NO_MATCHING_NODE, first.required, fact).here("fits on no node");
    told = told.label(first.at, format!("a `{name}` node has {}", first.has));
    for lack in &lacks[1..] {
        told = told.label(lack.required, format!("{}, but a `{name}` node has {}", lack.fact, lack.has));
    }
    let edits: Vec<&str> = lacks.iter().map(|lack| lack.edit.as_str()).collect();
    let help = match edits[..] {
        [edit] => format!("{edit} to fit on `{name}`"),
        _ => format!("to fit on `{name}`: {}", edits.join("; ")),
    };
    let memory = lacks.iter().any(|lack| lack.resource == Some(Resource::Memory));
    Some(told.help(demand.help(&help, memory)))
}

/// Reports tasks that must run at the same time, but do not all fit on the nodes. Warns if no placement is found for all tasks
/// that may run at the same time.
pub(super) fn check_all_tasks(
    cluster: &Cluster,
    demand: &demand::Demand,
    phases: &[Phase],
    out: &mut Vec<Diagnostic>,
) {
    if cluster.nodes.is_empty() {
        return;
    }
    let groups = &demand.groups;
    let site = Site::new(cluster, groups, demand.rack.as_deref());
    for set in phases.iter().flat_map(|phase| &phase.certain) {
        if let Verdict::Impossible(reason) = site.pack(set, |group| group.min) {
            let scarce = &site.resources[site.about(set, &reason).1];
            let memory = *scarce == Resource::Memory;
            out.push(site.told(set, &reason, demand).help(demand.help(&smaller(scarce), memory)));
            return;
        }
    }
    for phase in phases {
        let starts = || matches!(site.pack(&phase.possible, |group| group.min), Verdict::Fits(_));
        let (fact, help) = match site.pack(&phase.possible, |group| group.count) {
            Verdict::Fits(_) => continue,
            Verdict::Impossible(reason) => (
                format!(
                    "{}: {}",
                    if starts() {
                        "the job starts with fewer tasks than requested"
                    } else {
                        "some tasks may have to wait for free nodes"
                    },
                    site.fact(&phase.possible, &reason, false)
                ),
                smaller(&site.resources[site.about(&phase.possible, &reason).1]),
            ),
            Verdict::Open => {
                let tasks: u64 = phase.possible.iter().map(|group| u64::from(groups[*group].count)).sum();
                (
                    format!(
                        "cannot determine whether all {tasks} tasks fit at the same time: tfjob found no placement, but one may exist"
                    ),
                    "request fewer resources per task, or amounts that evenly divide the capacity of a node"
                        .to_owned(),
                )
            }
        };
        out.push(undetermined(phase, demand, fact, &help));
        return;
    }
}

/// Returns a warning about a phase, with the text `fact`. The warning is reported at the group with the most tasks.
fn undetermined(phase: &Phase, demand: &demand::Demand, fact: String, help: &str) -> Diagnostic {
    let groups = &demand.groups;
    let largest = phase.possible.iter().max_by_key(|group| groups[**group].count);
    let (at, count) = largest.map_or((Span::default(), 0), |group| (groups[*group].at, groups[*group].count));
    let tasks = if count == 1 { "1 of these tasks".to_owned() } else { format!("{count} of these tasks") };
    Diagnostic::new(&UNDETERMINED_PLACEMENT, at, fact).here(tasks).help(demand.help(help, true))
}

/// Returns the edits that make tasks fit if a resource is scarce.
fn smaller(scarce: &Resource) -> String {
    match scarce {
        Resource::Cpus => "request fewer `cpus` per task, or use fewer tasks".to_owned(),
        Resource::Memory => "request less `memory` per task, or use fewer tasks".to_owned(),
        Resource::Gpus => "request fewer `gpus` per task, or use fewer tasks".to_owned(),
        Resource::Disk => "request less `disk` per task, or use fewer tasks".to_owned(),
        Resource::Device(name) => format!("request less of `{name}` per task, or use fewer tasks"),
        Resource::Apart(_) => "use fewer tasks, or remove `spread \"host\"`".to_owned(),
        Resource::Rack(_) => "use fewer tasks, or remove `spread \"rack\"`".to_owned(),
        Resource::Port(number) => {
            format!(
                "use fewer tasks; or, if several roles use port {number}, give each role a different port"
            )
        }
    }
}

/// Warns of tasks without GPUs that fit only on GPU nodes, if the platform reserves GPU nodes for tasks with GPUs.
pub(super) fn check_gpu_nodes(
    cluster: &Cluster,
    demand: &demand::Demand,
    phases: &[Phase],
    out: &mut Vec<Diagnostic>,
) {
    let Some(kept) = demand.keeps_gpus else { return };
    let without = |group: &TaskGroup| group.need(&Resource::Gpus).is_none().then_some(Term::NoGpus);
    let gpus = cluster.nodes.iter().find_map(|(_, nodes)| nodes.value.gpus.as_ref().filter(|g| g.value > 0));
    let nodes = gpus.map(|gpus| (gpus.span, "reserved for tasks with GPUs"));
    let apart = Apart { kept, term: &without, here: "requests no GPUs", nodes };
    out.extend(apart.crowded(cluster, demand, phases));
}

/// Warns of tasks that fit only on nodes outside the partition of their queue.
pub(super) fn check_partition_nodes(
    cluster: &Cluster,
    queue: Option<&str>,
    demand: &demand::Demand,
    phases: &[Phase],
    out: &mut Vec<Diagnostic>,
) {
    let Some(kept) = demand.keeps_partitions else { return };
    let own = queue.and_then(|name| cluster.queue.get(name)?.value.partition.as_ref());
    let own = own.map(|own| own.value.as_str().to_owned());
    let names_one =
        |group: &TaskGroup| group.terms.iter().any(|(term, _)| matches!(term, Term::Partition(_)));
    let of_queue = |group: &TaskGroup| (!names_one(group)).then(|| Term::OfPartition(own.clone()));
    let other = |name: &&At<Text>| Some(name.value.as_str()) != own.as_deref();
    let another = cluster.nodes.iter().filter_map(|(_, nodes)| nodes.value.partition.as_ref()).find(other);
    let nodes = another.map(|partition| {
        (
            partition.span,
            "not the partition of the queue, so its nodes are available only while they are idle",
        )
    });
    let apart = Apart { kept, term: &of_queue, here: "does not fit in the partition of its queue", nodes };
    out.extend(apart.crowded(cluster, demand, phases));
}

/// The parts of a warning about tasks that need the nodes which the platform reserves for other tasks.
struct Apart<'a> {
    /// The rule by which the platform reserves these nodes.
    kept: NodePolicy,
    /// The node property that excludes a group from the reserved nodes; `None` if the group may use them.
    term: &'a dyn Fn(&TaskGroup) -> Option<Term>,
    /// Label at an excluded group.
    here: &'static str,
    /// Place of the reserved nodes in the cluster file, and the label of this place.
    nodes: Option<(Span, &'static str)>,
}

impl Apart<'_> {
    /// Returns a warning if all tasks fit only when the excluded groups also use the reserved nodes.
    fn crowded(&self, cluster: &Cluster, demand: &demand::Demand, phases: &[Phase]) -> Option<Diagnostic> {
        if cluster.nodes.is_empty() {
            return None;
        }
        let mut groups = demand.groups.clone();
        for group in &mut groups {
            let term = (self.term)(group).map(|term| (term, group.at));
            group.terms.extend(term);
        }
        let site = Site::new(cluster, &groups, demand.rack.as_deref());
        let full =
            |phase: &&Phase| !matches!(site.pack(&phase.possible, |group| group.min), Verdict::Fits(_));
        let phase = phases.iter().find(full)?;
        let away: Vec<&TaskGroup> = phase
            .possible
            .iter()
            .map(|group| &demand.groups[*group])
            .filter(|group| (self.term)(group).is_some())
            .collect();
        let first = away.first()?;
        let names: Vec<&str> = away.iter().map(|group| group.name.as_str()).collect();
        let fact = format!("{} may stay pending: {}", names.join(" and "), self.kept.fact);
        let mut told = Diagnostic::new(&UNDETERMINED_PLACEMENT, first.at, fact).here(self.here);
        if let Some((at, text)) = self.nodes {
            told = told.label(at, text);
        }
        Some(told.help(self.kept.help))
    }
}

/// Input of [`pack`]: the nodes of the cluster and the task groups, converted to vectors of resources.
struct Site<'a> {
    nodes: &'a [NodeKind],
    groups: &'a [TaskGroup],
    resources: Vec<Resource>,
    kinds: Vec<Kind>,
    demands: Vec<Demand>,
}

impl<'a> Site<'a> {
    fn new(cluster: &'a Cluster, groups: &'a [TaskGroup], rack: Option<&str>) -> Self {
        let all: BTreeSet<&Resource> = groups.iter().flat_map(|c| c.needs.iter().map(|(r, ..)| r)).collect();
        let resources: Vec<Resource> = all.into_iter().cloned().collect();
        let mut kinds = cluster.nodes.iter().map(|nodes| place::kind(nodes, &resources)).collect();
        let need = |group: &TaskGroup, resource: &Resource| {
            group.needs.iter().filter(|(other, ..)| other == resource).map(|(_, need, _)| need).sum()
        };
        let demand = |group: &TaskGroup| Demand {
            count: u64::from(group.count),
            need: resources.iter().map(|resource| need(group, resource)).collect(),
            may: lacking(cluster, group).iter().map(|(_, lacks)| lacks.is_empty()).collect(),
        };
        let mut demands: Vec<Demand> = groups.iter().map(demand).collect();
        if let Some(rack) = rack {
            racks::split(&cluster.nodes.0, rack, &resources, &mut kinds, &mut demands);
        }
        Self { nodes: &cluster.nodes.0, groups, kinds, demands, resources }
    }

    /// Tries to place a set of groups at the same time, each with `count` tasks.
    fn pack(&self, set: &[usize], count: impl Fn(&TaskGroup) -> u32) -> Verdict {
        let demand = |group: &usize| Demand {
            count: u64::from(count(&self.groups[*group])),
            ..self.demands[*group].clone()
        };
        pack(&self.kinds, &set.iter().map(demand).collect::<Vec<_>>())
    }

    /// Returns the index of the resource that limits the number of tasks of a group the most.
    fn scarce(&self, demand: &Demand) -> usize {
        let slots = |r: &usize| -> u128 {
            let own: Vec<u64> =
                demand.need.iter().enumerate().map(|(i, need)| if i == *r { *need } else { 0 }).collect();
            let may = self.kinds.iter().zip(&demand.may).filter(|(_, may)| **may);
            may.map(|(kind, _)| u128::from(holds(&kind.room, &own)) * u128::from(kind.count)).sum()
        };
        (0..self.resources.len()).min_by_key(slots).unwrap_or(0)
    }

    /// Returns the indices of the groups that do not fit, and the index of the resource that is not sufficient.
    fn about(&self, set: &[usize], reason: &Reason) -> (Vec<usize>, usize) {
        let named = |demands: &[usize]| demands.iter().map(|d| set[*d]).collect();
        match reason {
            Reason::Total { demands, resource, .. } | Reason::Slots { demands, resource, .. } => {
                (named(demands), *resource)
            }
            Reason::Alone { demand, .. } => (vec![set[*demand]], self.scarce(&self.demands[set[*demand]])),
        }
    }

    /// Formats the reason why the groups do not fit. `certain`: whether they certainly run at the same time.
    fn fact(&self, set: &[usize], reason: &Reason, certain: bool) -> String {
        let (groups, resource) = self.about(set, reason);
        let names: Vec<&str> = groups.iter().map(|group| self.groups[*group].name.as_str()).collect();
        let names = conjoined(&names);
        let each = groups.first().map_or(0, |group| u128::from(self.demands[*group].need[resource]));
        let resource = &self.resources[resource];
        let (need, room) = match reason {
            Reason::Total { need, room, .. }
            | Reason::Slots { need, room, .. }
            | Reason::Alone { need, room, .. } => (*need, *room),
        };
        match (resource, reason) {
            (Resource::Apart(_), _) => {
                format!(
                    "{need} tasks of {names} need different hosts at the same time, but they can run on only {}",
                    resource.amount(room)
                )
            }
            (Resource::Rack(_), _) => format!(
                "{need} tasks of {names} need different racks at the same time, but their nodes are in only {}",
                resource.amount(room)
            ),
            (Resource::Port(port), _) => {
                format!(
                    "{need} tasks of {names} need host port {port} at the same time, each on a different host, but they can run on only {}",
                    resource.amount(room)
                )
            }
            (_, Reason::Total { .. }) => format!(
                "{names} need {} at the same time, but the nodes that can run them have {}",
                resource.amount(need),
                resource.amount(room)
            ),
            (_, Reason::Slots { least, .. }) => format!(
                "{need} tasks of {names} need {} or more each, but the nodes have room for only {room} such tasks at the same time",
                resource.amount(u128::from(*least))
            ),
            (_, Reason::Alone { .. }) if certain => format!(
                "{need} tasks of {names} with {} each must run at the same time, but the nodes have room for only {room} of them",
                resource.amount(each)
            ),
            (_, Reason::Alone { .. }) => {
                format!("the nodes have room for only {room} of the {need} tasks of {names}")
            }
        }
    }

    /// Returns the error about groups that do not fit. If `demand.because` is set, the platform reserves the largest request for
    /// every task, and the label of that request says so.
    fn told(&self, set: &[usize], reason: &Reason, demand: &demand::Demand) -> Diagnostic {
        let largest = demand.because.is_some();
        let (mut groups, resource) = self.about(set, reason);
        let amount =
            |group: usize| self.demands[group].need[resource].saturating_mul(self.demands[group].count);
        groups.sort_by_key(|group| std::cmp::Reverse(amount(*group)));
        let resource = &self.resources[resource];
        let mut told = Diagnostic::new(&INSUFFICIENT_CAPACITY, Span::default(), self.fact(set, reason, true));
        told.labels.clear();
        for group in groups.iter().map(|group| &self.groups[*group]) {
            let own = group.needs.iter().find(|(other, ..)| other == resource);
            let at = own.map_or(group.at, |(.., at)| *at);
            // Only the name of a role is in backticks. A container that the platform adds, such as a driver, is not a task of the
            // job.
            let is_task = group.name.starts_with('`');
            let many = match group.min {
                1 if !is_task => group.name.clone(),
                1 => format!("1 task of {}", group.name),
                many => format!("{many} tasks of {}", group.name),
            };
            match told.labels.iter_mut().find(|label| label.span == at) {
                Some(same) => same.text.push_str(&format!(", {many}")),
                None if largest && is_task && own.is_some() => {
                    told = told.label(
                        at,
                        format!("largest request of the job, so each task reserves this much: {many}"),
                    );
                }
                None => told = told.label(at, many),
            }
        }
        for (number, (name, nodes)) in self.nodes.iter().enumerate() {
            if groups.iter().any(|group| self.demands[*group].may[number]) {
                told = told.label(
                    name.span,
                    match nodes.value.count.value {
                        1 => "1 node".to_owned(),
                        count => format!("{count} nodes"),
                    },
                );
            }
        }
        told
    }
}

/// Joins names with commas, and with `and` before the last one.
fn conjoined(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}
