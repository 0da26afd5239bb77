//! Checks the capacity of the nodes: for each task alone, and for all tasks that run at the same time.
use super::Cluster;
use super::demand::{self, Crew, Kept, Resource, Shift, Term};
use super::packing::{Demand, Kind, Reason, Verdict, holds, pack};
use super::place::{self, Lack, NodeKind, lacks};
use super::racks;
use crate::at::At;
use crate::codes::{INSUFFICIENT_CAPACITY, NO_MATCHING_NODE, UNDETERMINED_PLACEMENT};
use crate::diagnostic::Diagnostic;
use crate::sources::Span;
use crate::spec::values::Text;
use std::collections::BTreeSet;

/// Reports tasks that fit on no node. Returns whether every task fits on some node; true if the file has no nodes.
pub(super) fn each(cluster: &Cluster, demand: &demand::Demand, out: &mut Vec<Diagnostic>) -> bool {
    let mut fit = true;
    let mut told = BTreeSet::new();
    for crew in demand.crews.iter().filter(|_| !cluster.nodes.is_empty()) {
        let lacking = lacking(cluster, crew);
        if lacking.iter().any(|(_, lacks)| lacks.is_empty()) {
            continue;
        }
        fit = false;
        if let Some(found) = nowhere(crew, lacking, demand).filter(|found| told.insert(found.span())) {
            out.push(found);
        }
    }
    fit
}

/// Returns each kind of nodes with the unmet requests of a task.
fn lacking<'c>(cluster: &'c Cluster, crew: &Crew) -> Vec<(&'c NodeKind, Vec<Lack>)> {
    let named = |key: &str| cluster.nodes.iter().any(|(_, nodes)| nodes.value.node.get(key).is_some());
    cluster.nodes.iter().map(|nodes| (nodes, lacks(nodes, crew, &named))).collect()
}

/// Reports a task that fits on no node, against the closest kind: fewest unmet requests, then the smallest shortage.
fn nowhere(crew: &Crew, lacking: Vec<(&NodeKind, Vec<Lack>)>, demand: &demand::Demand) -> Option<Diagnostic> {
    let worst = |lacks: &[Lack]| lacks.iter().map(|lack| lack.part).fold(1.0, f64::min);
    let (nodes, lacks) = lacking
        .into_iter()
        .min_by(|(_, a), (_, b)| a.len().cmp(&b.len()).then_with(|| worst(b).total_cmp(&worst(a))))?;
    let first = lacks.first()?;
    let name = &nodes.0.value;
    let task = if crew.name.starts_with('`') { "a task of " } else { "" };
    let fact = format!(
        "{task}{} requests {}, but the closest match, node `{name}`, has {}",
        crew.name, first.fact, first.has
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

/// Reports tasks that must run at the same time and do not fit, and warns if no placement of all tasks is found.
pub(super) fn together(
    cluster: &Cluster,
    demand: &demand::Demand,
    shifts: &[Shift],
    out: &mut Vec<Diagnostic>,
) {
    if cluster.nodes.is_empty() {
        return;
    }
    let crews = &demand.crews;
    let site = Site::new(cluster, crews, demand.rack.as_deref());
    for set in shifts.iter().flat_map(|shift| &shift.sure) {
        if let Verdict::Impossible(reason) = site.pack(set, |crew| crew.min) {
            let help =
                "request less per task, or use fewer tasks; all of these tasks must run at the same time";
            let memory = site.resources[site.about(set, &reason).1] == Resource::Memory;
            out.push(site.told(set, &reason).help(demand.help(help, memory)));
            return;
        }
    }
    for shift in shifts {
        let starts = || matches!(site.pack(&shift.likely, |crew| crew.min), Verdict::Fits(_));
        let (fact, help) = match site.pack(&shift.likely, |crew| crew.count) {
            Verdict::Fits(_) => continue,
            Verdict::Impossible(reason) => (
                format!(
                    "{}: {}",
                    if starts() {
                        "the job starts with fewer tasks"
                    } else {
                        "some tasks may have to wait for free nodes"
                    },
                    site.fact(&shift.likely, &reason)
                ),
                "request less per task, or use fewer tasks",
            ),
            Verdict::Open => {
                let tasks: u64 = shift.likely.iter().map(|crew| u64::from(crews[*crew].count)).sum();
                (
                    format!("cannot determine whether all {tasks} tasks fit at the same time"),
                    "request less per task, or amounts that evenly divide the capacity of a node",
                )
            }
        };
        let largest = shift.likely.iter().max_by_key(|crew| crews[**crew].count);
        let (at, count) = largest.map_or((Span::default(), 0), |crew| (crews[*crew].at, crews[*crew].count));
        out.push(
            Diagnostic::new(&UNDETERMINED_PLACEMENT, at, fact)
                .here(if count == 1 {
                    "1 of these tasks".to_owned()
                } else {
                    format!("{count} of these tasks")
                })
                .help(demand.help(help, true)),
        );
        return;
    }
}

/// Warns of tasks without GPUs that fit only on GPU nodes, if the platform reserves those for tasks with GPUs.
pub(super) fn beside_gpus(
    cluster: &Cluster,
    demand: &demand::Demand,
    shifts: &[Shift],
    out: &mut Vec<Diagnostic>,
) {
    let Some(kept) = demand.keeps_gpus else { return };
    let without = |crew: &Crew| crew.need(&Resource::Gpus).is_none().then_some(Term::NoGpus);
    let gpus = cluster.nodes.iter().find_map(|(_, nodes)| nodes.value.gpus.as_ref().filter(|g| g.value > 0));
    let nodes = gpus.map(|gpus| (gpus.span, "nodes with GPUs"));
    let apart = Apart { kept, term: &without, here: "requests no GPUs", nodes };
    out.extend(apart.crowded(cluster, demand, shifts));
}

/// Warns of tasks that fit only on nodes outside the partition of their queue.
pub(super) fn beside_partitions(
    cluster: &Cluster,
    queue: Option<&str>,
    demand: &demand::Demand,
    shifts: &[Shift],
    out: &mut Vec<Diagnostic>,
) {
    let Some(kept) = demand.keeps_partitions else { return };
    let own = queue.and_then(|name| cluster.queue.get(name)?.value.partition.as_ref());
    let own = own.map(|own| own.value.as_str().to_owned());
    let names_one = |crew: &Crew| crew.terms.iter().any(|(term, _)| matches!(term, Term::Partition(_)));
    let of_queue = |crew: &Crew| (!names_one(crew)).then(|| Term::OfPartition(own.clone()));
    let other = |name: &&At<Text>| Some(name.value.as_str()) != own.as_deref();
    let another = cluster.nodes.iter().filter_map(|(_, nodes)| nodes.value.partition.as_ref()).find(other);
    let nodes = another.map(|partition| (partition.span, "nodes of another partition"));
    let apart = Apart { kept, term: &of_queue, here: "does not fit in the partition of its queue", nodes };
    out.extend(apart.crowded(cluster, demand, shifts));
}

/// Nodes that the platform reserves for other tasks.
struct Apart<'a> {
    /// The policy of the platform.
    kept: Kept,
    /// The node property that excludes a crew from these nodes; `None` if the crew may use them.
    term: &'a dyn Fn(&Crew) -> Option<Term>,
    /// Label at an excluded crew.
    here: &'static str,
    /// Place of one of these nodes in the cluster file, and its label.
    nodes: Option<(Span, &'static str)>,
}

impl Apart<'_> {
    /// Returns a warning if the crews do not fit when the excluded ones avoid these nodes.
    fn crowded(&self, cluster: &Cluster, demand: &demand::Demand, shifts: &[Shift]) -> Option<Diagnostic> {
        if cluster.nodes.is_empty() {
            return None;
        }
        let mut crews = demand.crews.clone();
        for crew in &mut crews {
            let term = (self.term)(crew).map(|term| (term, crew.at));
            crew.terms.extend(term);
        }
        let site = Site::new(cluster, &crews, demand.rack.as_deref());
        let full = |shift: &&Shift| !matches!(site.pack(&shift.likely, |crew| crew.min), Verdict::Fits(_));
        let shift = shifts.iter().find(full)?;
        let away: Vec<&Crew> = shift
            .likely
            .iter()
            .map(|crew| &demand.crews[*crew])
            .filter(|crew| (self.term)(crew).is_some())
            .collect();
        let first = away.first()?;
        let names: Vec<&str> = away.iter().map(|crew| crew.name.as_str()).collect();
        let fact = format!("{}, and {} {}", self.kept.fact, self.kept.rest, names.join(", "));
        let mut told = Diagnostic::new(&UNDETERMINED_PLACEMENT, first.at, fact).here(self.here);
        if let Some((at, text)) = self.nodes {
            told = told.label(at, text);
        }
        Some(told.help(self.kept.help))
    }
}

/// Crews and nodes as vectors for [`pack`].
struct Site<'a> {
    nodes: &'a [NodeKind],
    crews: &'a [Crew],
    resources: Vec<Resource>,
    kinds: Vec<Kind>,
    demands: Vec<Demand>,
}

impl<'a> Site<'a> {
    fn new(cluster: &'a Cluster, crews: &'a [Crew], rack: Option<&str>) -> Self {
        let all: BTreeSet<&Resource> = crews.iter().flat_map(|c| c.needs.iter().map(|(r, ..)| r)).collect();
        let resources: Vec<Resource> = all.into_iter().cloned().collect();
        let mut kinds = cluster.nodes.iter().map(|nodes| place::kind(nodes, &resources)).collect();
        let need = |crew: &Crew, resource: &Resource| {
            crew.needs.iter().filter(|(other, ..)| other == resource).map(|(_, need, _)| need).sum()
        };
        let demand = |crew: &Crew| Demand {
            count: u64::from(crew.count),
            need: resources.iter().map(|resource| need(crew, resource)).collect(),
            may: lacking(cluster, crew).iter().map(|(_, lacks)| lacks.is_empty()).collect(),
        };
        let mut demands: Vec<Demand> = crews.iter().map(demand).collect();
        if let Some(rack) = rack {
            racks::split(&cluster.nodes.0, rack, &resources, &mut kinds, &mut demands);
        }
        Self { nodes: &cluster.nodes.0, crews, kinds, demands, resources }
    }

    /// Tries to place a set of crews.
    fn pack(&self, set: &[usize], count: impl Fn(&Crew) -> u32) -> Verdict {
        let demand = |crew: &usize| Demand {
            count: u64::from(count(&self.crews[*crew])),
            ..self.demands[*crew].clone()
        };
        pack(&self.kinds, &set.iter().map(demand).collect::<Vec<_>>())
    }

    /// Returns the resource that limits the number of tasks of a crew the most.
    fn scarce(&self, demand: &Demand) -> usize {
        let slots = |r: &usize| -> u128 {
            let own: Vec<u64> =
                demand.need.iter().enumerate().map(|(i, need)| if i == *r { *need } else { 0 }).collect();
            let may = self.kinds.iter().zip(&demand.may).filter(|(_, may)| **may);
            may.map(|(kind, _)| u128::from(holds(&kind.room, &own)) * u128::from(kind.count)).sum()
        };
        (0..self.resources.len()).min_by_key(slots).unwrap_or(0)
    }

    /// Returns the crews and the resource of a reason.
    fn about(&self, set: &[usize], reason: &Reason) -> (Vec<usize>, usize) {
        let named = |demands: &[usize]| demands.iter().map(|d| set[*d]).collect();
        match reason {
            Reason::Total { demands, resource, .. } | Reason::Slots { demands, resource, .. } => {
                (named(demands), *resource)
            }
            Reason::Alone { demand, .. } => (vec![set[*demand]], self.scarce(&self.demands[set[*demand]])),
        }
    }

    /// Describes the reason.
    fn fact(&self, set: &[usize], reason: &Reason) -> String {
        let (crews, resource) = self.about(set, reason);
        let names: Vec<&str> = crews.iter().map(|crew| self.crews[*crew].name.as_str()).collect();
        let names = names.join(", ");
        let resource = &self.resources[resource];
        let (need, room) = match reason {
            Reason::Total { need, room, .. }
            | Reason::Slots { need, room, .. }
            | Reason::Alone { need, room, .. } => (*need, *room),
        };
        match (resource, reason) {
            (Resource::Apart(_), _) => {
                format!(
                    "{need} tasks of {names} need different hosts, but they can run on only {}",
                    resource.amount(room)
                )
            }
            (Resource::Rack(_), _) => format!(
                "{need} tasks of {names} need different racks, but their nodes are in only {}",
                resource.amount(room)
            ),
            (Resource::Port(port), _) => {
                format!(
                    "{need} tasks of {names} bind host port {port}, but they can run on only {}",
                    resource.amount(room)
                )
            }
            (_, Reason::Total { .. }) => format!(
                "{names} need {} at the same time, but the nodes that can run them have {}",
                resource.amount(need),
                resource.amount(room)
            ),
            (_, Reason::Slots { least, .. }) => format!(
                "{need} tasks of {names} need {} or more each, but the nodes have room for only {room} of that size",
                resource.amount(u128::from(*least))
            ),
            (_, Reason::Alone { .. }) => {
                format!("the nodes have room for only {room} of the {need} tasks of {names}")
            }
        }
    }

    fn told(&self, set: &[usize], reason: &Reason) -> Diagnostic {
        let (mut crews, resource) = self.about(set, reason);
        let amount = |crew: usize| self.demands[crew].need[resource].saturating_mul(self.demands[crew].count);
        crews.sort_by_key(|crew| std::cmp::Reverse(amount(*crew)));
        let resource = &self.resources[resource];
        let mut told = Diagnostic::new(&INSUFFICIENT_CAPACITY, Span::default(), self.fact(set, reason));
        told.labels.clear();
        for crew in crews.iter().map(|crew| &self.crews[*crew]) {
            let at = crew.needs.iter().find(|(other, ..)| other == resource).map_or(crew.at, |(.., at)| *at);
            let many = if crew.min == 1 { "1 task".to_owned() } else { format!("{} tasks", crew.min) };
            match told.labels.iter_mut().find(|label| label.span == at) {
                Some(same) => same.text.push_str(&format!(", {many} of {}", crew.name)),
                None => told = told.label(at, format!("{many} of {}", crew.name)),
            }
        }
        for (number, (name, nodes)) in self.nodes.iter().enumerate() {
            if crews.iter().any(|crew| self.demands[*crew].may[number]) {
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
