//! Whether the nodes have room: for each task by itself, and for all tasks that run at the same time.
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

/// Tells of each task that fits on no node; whether each fits on some. A file without nodes says nothing.
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

/// Each kind of nodes with what keeps a task of the crew from it.
fn lacking<'c>(cluster: &'c Cluster, crew: &Crew) -> Vec<(&'c NodeKind, Vec<Lack>)> {
    let named = |key: &str| cluster.nodes.iter().any(|(_, nodes)| nodes.value.node.get(key).is_some());
    cluster.nodes.iter().map(|nodes| (nodes, lacks(nodes, crew, &named))).collect()
}

/// The nearest kind: that which lacks the fewest things, and of the worst of them the least.
fn nowhere(crew: &Crew, lacking: Vec<(&NodeKind, Vec<Lack>)>, demand: &demand::Demand) -> Option<Diagnostic> {
    let worst = |lacks: &[Lack]| lacks.iter().map(|lack| lack.part).fold(1.0, f64::min);
    let (nodes, lacks) = lacking
        .into_iter()
        .min_by(|(_, a), (_, b)| a.len().cmp(&b.len()).then_with(|| worst(b).total_cmp(&worst(a))))?;
    let first = lacks.first()?;
    let name = &nodes.0.value;
    let fact = format!(
        "a task of {} asks for {}, and the nearest node, `{name}`, has {}",
        crew.name, first.fact, first.has
    );
    let mut told = Diagnostic::new(&NO_MATCHING_NODE, first.required, fact).here("on no node");
    told = told.label(first.at, format!("what a `{name}` node has"));
    for lack in &lacks[1..] {
        told = told.label(lack.required, format!("{}, and it has {}", lack.fact, lack.has));
    }
    let help = match lacks.len() {
        1 => format!("with what `{name}` has it would fit there"),
        _ => format!("with what `{name}` has of each of these it would fit there"),
    };
    let memory = lacks.iter().any(|lack| lack.resource == Some(Resource::Memory));
    Some(told.help(demand.help(&help, memory)))
}

/// Tells of tasks that do not fit together, if they must run at the same time, and warns where no placement is found.
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
            let help = "ask for less of it, or for fewer tasks: they all have to run at the same time";
            let memory = site.resources[site.about(set, &reason).1] == Resource::Memory;
            out.push(site.told(set, &reason).help(demand.help(help, memory)));
            return;
        }
    }
    for shift in shifts {
        let starts = || matches!(site.pack(&shift.likely, |crew| crew.min), Verdict::Fits(_));
        let fact = match site.pack(&shift.likely, |crew| crew.count) {
            Verdict::Fits(_) => continue,
            Verdict::Impossible(reason) => format!(
                "{}: {}",
                if starts() { "the job starts with fewer tasks" } else { "some tasks may have to wait" },
                site.fact(&shift.likely, &reason)
            ),
            Verdict::Open => {
                let tasks: u64 = shift.likely.iter().map(|crew| u64::from(crews[*crew].count)).sum();
                format!(
                    "no way was found to place all {tasks} tasks at once, and no reason why there is none"
                )
            }
        };
        let largest = shift.likely.iter().max_by_key(|crew| crews[**crew].count);
        let at = largest.map_or(Span::default(), |crew| crews[*crew].at);
        out.push(
            Diagnostic::new(&UNDETERMINED_PLACEMENT, at, fact)
                .here("most of them")
                .help(demand.help("ask for a little less, or for sizes that divide a node's", true)),
        );
        return;
    }
}

/// Warns of tasks without GPUs that have room only on nodes with GPUs, where the platform keeps those for others.
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
    let apart = Apart { kept, term: &without, here: "without GPUs", nodes };
    out.extend(apart.crowded(cluster, demand, shifts));
}

/// Warns of tasks that have room only on nodes of another partition than the queue's.
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
    let apart = Apart { kept, term: &of_queue, here: "has too little room", nodes };
    out.extend(apart.crowded(cluster, demand, shifts));
}

/// Nodes from which the platform keeps some tasks.
struct Apart<'a> {
    /// Why, and what to do.
    kept: Kept,
    /// The term that keeps a crew from them; none where it may have them.
    term: &'a dyn Fn(&Crew) -> Option<Term>,
    /// What is said at a crew that is kept from them.
    here: &'static str,
    /// Some of these nodes in the cluster file, and what is said there.
    nodes: Option<(Span, &'static str)>,
}

impl Apart<'_> {
    /// Warns where the crews have no room once those that are kept from these nodes stay away from them.
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
        if let Some((at, words)) = self.nodes {
            told = told.label(at, words);
        }
        Some(told.help(self.kept.help))
    }
}

/// Crews and nodes as vectors.
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

    /// Puts a set of crews to the nodes.
    fn pack(&self, set: &[usize], count: impl Fn(&Crew) -> u32) -> Verdict {
        let demand = |crew: &usize| Demand {
            count: u64::from(count(&self.crews[*crew])),
            ..self.demands[*crew].clone()
        };
        pack(&self.kinds, &set.iter().map(demand).collect::<Vec<_>>())
    }

    /// The resource of which a crew's tasks find the least room.
    fn scarce(&self, demand: &Demand) -> usize {
        let slots = |r: &usize| -> u128 {
            let own: Vec<u64> =
                demand.need.iter().enumerate().map(|(i, need)| if i == *r { *need } else { 0 }).collect();
            let may = self.kinds.iter().zip(&demand.may).filter(|(_, may)| **may);
            may.map(|(kind, _)| u128::from(holds(&kind.room, &own)) * u128::from(kind.count)).sum()
        };
        (0..self.resources.len()).min_by_key(slots).unwrap_or(0)
    }

    /// The crews of a reason and the resource that it is about.
    fn about(&self, set: &[usize], reason: &Reason) -> (Vec<usize>, usize) {
        let named = |demands: &[usize]| demands.iter().map(|d| set[*d]).collect();
        match reason {
            Reason::Total { demands, resource, .. } | Reason::Slots { demands, resource, .. } => {
                (named(demands), *resource)
            }
            Reason::Alone { demand, .. } => (vec![set[*demand]], self.scarce(&self.demands[set[*demand]])),
        }
    }

    /// The reason in words.
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
                format!("{need} tasks of {names} stand apart, on {}", resource.amount(room))
            }
            (Resource::Rack(_), _) => format!(
                "{need} tasks of {names} need different racks, and their nodes are in {}",
                resource.amount(room)
            ),
            (Resource::Port(port), _) => {
                format!(
                    "{need} tasks of {names} share port {port} of the hosts, and there {} {}",
                    if room == 1 { "is" } else { "are" },
                    resource.amount(room)
                )
            }
            (_, Reason::Total { .. }) => format!(
                "{names} need {} at once, and the nodes for them have {}",
                resource.amount(need),
                resource.amount(room)
            ),
            (_, Reason::Slots { least, .. }) => format!(
                "{need} tasks of {names} need {} or more each, and the nodes for them hold {room} of that size",
                resource.amount(u128::from(*least))
            ),
            (_, Reason::Alone { .. }) => format!("of the {need} tasks of {names} the nodes hold {room}"),
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
                told = told.label(name.span, format!("{} of these nodes", nodes.value.count.value));
            }
        }
        told
    }
}
