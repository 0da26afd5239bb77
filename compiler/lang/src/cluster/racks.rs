//! Racks: nodes that share one by an attribute, and the one place that each rack has for the tasks of a role.
use super::Cluster;
use super::demand::{self, Resource};
use super::packing::{Demand, ENDLESS, Kind};
use super::place::NodeKind;
use crate::codes::UNDETERMINED_PLACEMENT;
use crate::diagnostic::Diagnostic;
use std::collections::BTreeSet;

/// Gives one node of each rack the rack's place for a role, as a kind of its own after the others. A placement on these
/// kinds keeps the tasks apart. Each count of [`super::packing`] stays one that no placement exceeds: the places are as
/// many as the racks of the role, and the nodes have what they had. Nodes without the attribute are in no rack
/// (`satisfyPodAntiAffinity` of one scheduler: a term counts only where the node has its `topologyKey`).
pub(super) fn split(
    nodes: &[NodeKind],
    label: &str,
    resources: &[Resource],
    kinds: &mut Vec<Kind>,
    demands: &mut [Demand],
) {
    let rack_of =
        |kind: usize| nodes[kind].1.value.node.get(label).map(|rack| rack.value.value.value.as_str());
    let apart: Vec<usize> =
        (0..resources.len()).filter(|r| matches!(resources[*r], Resource::Rack(_))).collect();
    for (kind, of) in kinds.iter_mut().enumerate() {
        for resource in &apart {
            of.room[*resource] = if rack_of(kind).is_some() { 0 } else { ENDLESS };
        }
    }
    // Which kind each is a node of.
    let mut origins: Vec<usize> = (0..nodes.len()).collect();
    let racks: BTreeSet<&str> = origins.iter().filter_map(|kind| rack_of(*kind)).collect();
    for resource in apart {
        let Some(user) = demands.iter().position(|demand| demand.need[resource] > 0) else { continue };
        for rack in &racks {
            let may = |kind: &usize| rack_of(origins[*kind]) == Some(rack) && demands[user].may[*kind];
            let left = |kind: &usize| (*kind < nodes.len(), kinds[*kind].count);
            let usable = (0..kinds.len()).filter(may).filter(|kind| kinds[*kind].count > 0);
            let Some(kind) = usable.max_by_key(left) else { continue };
            if kind >= nodes.len() {
                kinds[kind].room[resource] = 1;
                continue;
            }
            kinds[kind].count -= 1;
            let mut one = Kind { count: 1, room: kinds[kind].room.clone() };
            one.room[resource] = 1;
            kinds.push(one);
            origins.push(kind);
            for demand in demands.iter_mut() {
                demand.may.push(demand.may[kind]);
            }
        }
    }
}

/// Warns of tasks that stand in different racks where the file says of no node in which rack it is.
pub(super) fn unnamed(cluster: &Cluster, demand: &demand::Demand, out: &mut Vec<Diagnostic>) {
    let Some(label) = &demand.rack else { return };
    if cluster.nodes.is_empty()
        || cluster.nodes.iter().any(|(_, nodes)| nodes.value.node.get(label).is_some())
    {
        return;
    }
    let apart = demand.crews.iter().filter(|crew| crew.count > 1).find_map(|crew| {
        let need = crew.needs.iter().find(|(resource, ..)| matches!(resource, Resource::Rack(_)))?;
        Some((crew, need.2))
    });
    let Some((crew, at)) = apart else { return };
    let label = label.escape_debug();
    let fact = format!(
        "the {} tasks of {} need different racks, and the cluster file does not set the attribute `{label}` of any node",
        crew.count, crew.name
    );
    out.push(Diagnostic::new(&UNDETERMINED_PLACEMENT, at, fact).here("unknown racks").help(format!(
        "in the cluster file, write a `nodes` block for each rack, with `node \"{label}\" \"RACK\"` in it"
    )));
}
