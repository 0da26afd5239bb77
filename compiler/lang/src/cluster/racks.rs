//! Placement of tasks in different racks: a node attribute names the rack, and each rack has one slot per role.
use super::Cluster;
use super::demand::{self, Resource};
use super::packing::{Demand, Kind, UNLIMITED};
use super::place::NodeKind;
use crate::codes::UNDETERMINED_PLACEMENT;
use crate::diagnostic::Diagnostic;
use crate::escape::Escaped;
use std::collections::BTreeSet;

/// Each rack has one slot per role, which limits the role to one task in this rack. Assigns the slot of each rack to one node of
/// the rack, and makes this node a separate kind in `kinds`. Any placement on these kinds keeps the tasks in different racks. The
/// bounds of [`super::packing`] stay valid: there are as many slots as racks, and the other capacities do not change. A node
/// without the attribute is in no rack and takes any number of tasks (`satisfyPodAntiAffinity`: a term applies only if the node has
/// its `topologyKey`).
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
            of.room[*resource] = if rack_of(kind).is_some() { 0 } else { UNLIMITED };
        }
    }
    // For each kind, the index in `nodes` of the block that it comes from.
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

/// Warns of tasks that require different racks, if no node in the cluster file has the attribute that names the rack.
pub(super) fn check_attribute(cluster: &Cluster, demand: &demand::Demand, out: &mut Vec<Diagnostic>) {
    let Some(label) = &demand.rack else { return };
    if cluster.nodes.is_empty()
        || cluster.nodes.iter().any(|(_, nodes)| nodes.value.node.get(label).is_some())
    {
        return;
    }
    let apart = demand.groups.iter().filter(|group| group.count > 1).find_map(|group| {
        let need = group.needs.iter().find(|(resource, ..)| matches!(resource, Resource::Rack(_)))?;
        Some((group, need.2))
    });
    let Some((group, at)) = apart else { return };
    let label = label.escaped();
    let fact = format!(
        "cannot determine whether the {} tasks of {} can run in different racks: no node in the cluster file has the attribute `{label}`",
        group.count, group.name
    );
    out.push(Diagnostic::new(&UNDETERMINED_PLACEMENT, at, fact).here("racks of the nodes are unknown").help(
        format!(
            "in the cluster file, write one `nodes` block per rack, each with `node \"{label}\" \"RACK\"`"
        ),
    ));
}
