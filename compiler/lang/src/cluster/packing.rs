//! Vector bin packing of tasks on nodes. The result is a placement, a proof that none exists, or neither (undecided).
//!
//! Requests and capacities are vectors with one element per resource. A port or an anti-affinity is also such a resource, with
//! capacity 1, because only one task per node can have it.

/// Capacity of an unlimited or unknown resource.
pub const UNLIMITED: u64 = u64::MAX;

/// A group of identical nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Number of nodes.
    pub count: u64,
    /// Capacity per node, by resource.
    pub room: Vec<u64>,
}

/// A group of identical tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// Number of tasks.
    pub count: u64,
    /// Request per task, by resource.
    pub need: Vec<u64>,
    /// For each kind of nodes, whether the tasks may run there if the capacity is sufficient.
    pub may: Vec<bool>,
}

/// Result of the search for a placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A placement.
    Fits(Vec<Group>),
    /// No placement exists.
    Impossible(Reason),
    /// Neither a placement nor a proof against one was found.
    Open,
}

/// Identical nodes with the same tasks on each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Index of the kind of nodes.
    pub kind: usize,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of tasks per node, for each demand.
    pub tasks: Vec<u64>,
}

/// Why tasks do not fit: `need` exceeds `room`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The total request for a resource exceeds the total capacity of the nodes that may run the tasks.
    Total {
        /// Indices of the demands.
        demands: Vec<usize>,
        /// Index of the resource.
        resource: usize,
        /// Total request.
        need: u128,
        /// Total capacity.
        room: u128,
    },
    /// The nodes have fewer slots of size `least` than there are tasks that request at least `least` of the resource.
    Slots {
        /// Indices of the demands.
        demands: Vec<usize>,
        /// Index of the resource.
        resource: usize,
        /// Request of the smallest of these tasks.
        least: u64,
        /// Number of tasks.
        need: u128,
        /// Number of slots of size `least` on the nodes: how many times this request fits on them.
        room: u128,
    },
    /// The nodes cannot hold all tasks of one demand, even if no other tasks run.
    Alone {
        /// Index of the demand.
        demand: usize,
        /// Number of tasks.
        need: u128,
        /// Number of tasks of this demand that fit on the nodes.
        room: u128,
    },
}

/// Returns how many tasks with the request `need` fit on a node with the free capacity `room`.
#[must_use]
pub fn holds(room: &[u64], need: &[u64]) -> u64 {
    let each = room.iter().zip(need).filter(|(room, need)| **need > 0 && **room != UNLIMITED);
    each.map(|(room, need)| room / need).min().unwrap_or(UNLIMITED)
}

/// Tries to place all tasks at the same time.
#[must_use]
pub fn pack(kinds: &[Kind], demands: &[Demand]) -> Verdict {
    if let Some(reason) = impossible(kinds, demands) {
        return Verdict::Impossible(reason);
    }
    let largest = largest(kinds);
    for key in 0..=largest.len() {
        let mut order: Vec<usize> = (0..demands.len()).collect();
        let size = |d: &usize| share(&largest, &demands[*d], (key < largest.len()).then_some(key));
        order.sort_by(|a, b| size(b).total_cmp(&size(a)));
        for even in [false, true] {
            if let Some(groups) = fill(kinds, &largest, demands, &order, even) {
                return Verdict::Fits(groups);
            }
        }
    }
    Verdict::Open
}

/// Returns the largest capacity of any node for each resource; 0 if it is unlimited on all nodes.
fn largest(kinds: &[Kind]) -> Vec<u64> {
    let resources = kinds.first().map_or(0, |kind| kind.room.len());
    let of = |r: usize| kinds.iter().map(move |kind| kind.room[r]).filter(|room| *room != UNLIMITED).max();
    (0..resources).map(|r| of(r).unwrap_or(0)).collect()
}

/// Returns the request of a task for `resource` as a fraction of the largest capacity of any node. If `resource` is `None`,
/// returns the largest of these fractions over all resources.
fn share(largest: &[u64], demand: &Demand, resource: Option<usize>) -> f64 {
    let part = |r: usize| match (demand.need[r], largest[r]) {
        (0, _) | (_, 0) => 0.0,
        (need, room) => need as f64 / room as f64,
    };
    let all = 0..demand.need.len();
    resource.map_or_else(|| all.map(part).fold(0.0, f64::max), part)
}

/// Places the demands in the order of their indices in `order`, each task on the first suitable node (first fit). Returns `None` if
/// a demand does not fit. `even`: whether the tasks of a demand are spread over all nodes; otherwise, one node after the other is
/// filled.
fn fill(
    kinds: &[Kind],
    largest: &[u64],
    demands: &[Demand],
    order: &[usize],
    even: bool,
) -> Option<Vec<Group>> {
    let mut filled: Vec<(Group, Vec<u64>)> = kinds
        .iter()
        .enumerate()
        .map(|(kind, k)| (Group { kind, nodes: k.count, tasks: vec![0; demands.len()] }, k.room.clone()))
        .collect();
    for &number in order {
        let demand = &demands[number];
        let mut left = demand.count;
        // Sorts the nodes by their free capacity of resources that the task does not request, least first. So tasks without GPUs
        // leave GPU nodes to tasks with GPUs.
        filled.sort_by(|a, b| idle(largest, demand, &a.1).total_cmp(&idle(largest, demand, &b.1)));
        let limit = if even { evenly(&filled, demand) } else { UNLIMITED };
        let mut next = Vec::with_capacity(filled.len() + 2);
        for (group, room) in filled {
            let most = holds(&room, &demand.need).min(limit).min(left);
            if most == 0 || !demand.may[group.kind] {
                next.push((group, room));
                continue;
            }
            let full = (left / most).min(group.nodes);
            left -= full * most;
            put(&mut next, &group, &room, demand, number, full, most);
            let mut rest = group.nodes - full;
            if rest > 0 && left > 0 {
                put(&mut next, &group, &room, demand, number, 1, left);
                left = 0;
                rest -= 1;
            }
            if rest > 0 {
                next.push((Group { nodes: rest, ..group }, room));
            }
        }
        filled = next;
        if left > 0 {
            return None;
        }
    }
    Some(filled.into_iter().map(|(group, _)| group).collect())
}

/// Returns the number of tasks per node if a demand is spread evenly over all nodes that can run at least one of its tasks.
fn evenly(filled: &[(Group, Vec<u64>)], demand: &Demand) -> u64 {
    let takes = |(group, room): &&(Group, Vec<u64>)| demand.may[group.kind] && holds(room, &demand.need) > 0;
    let nodes: u64 = filled.iter().filter(takes).map(|(group, _)| group.nodes).sum();
    demand.count.div_ceil(nodes.max(1))
}

/// Returns how much free capacity of a node the task cannot use. Adds up, for each resource that the task does not request at all,
/// the free capacity divided by the largest capacity of any node.
fn idle(largest: &[u64], demand: &Demand, room: &[u64]) -> f64 {
    let unused = room.iter().enumerate().filter(|(r, room)| demand.need[*r] == 0 && **room != UNLIMITED);
    unused.map(|(r, room)| *room as f64 / largest[r].max(1) as f64).sum()
}

/// Adds a part of a group to `next`: `nodes` of its nodes, with `each` more tasks of the demand on every node. `room`: free
/// capacity per node before these tasks. `number`: index of the demand.
fn put(
    next: &mut Vec<(Group, Vec<u64>)>,
    group: &Group,
    room: &[u64],
    demand: &Demand,
    number: usize,
    nodes: u64,
    each: u64,
) {
    if nodes == 0 {
        return;
    }
    let mut group = Group { nodes, ..group.clone() };
    group.tasks[number] += each;
    let take = |(room, need): (&u64, &u64)| if *room == UNLIMITED { UNLIMITED } else { room - need * each };
    next.push((group, room.iter().zip(&demand.need).map(take).collect()));
}

/// Returns a proof that no placement exists: a capacity that is too small for the tasks. Returns `None` if no such proof is found;
/// even then, it is possible that no placement exists.
fn impossible(kinds: &[Kind], demands: &[Demand]) -> Option<Reason> {
    for (demand, d) in demands.iter().enumerate() {
        let room = slots(kinds, &d.may, |room| holds(room, &d.need));
        if u128::from(d.count) > room {
            return Some(Reason::Alone { demand, need: u128::from(d.count), room });
        }
    }
    let mut areas: Vec<Vec<bool>> = vec![vec![true; kinds.len()]];
    for d in demands {
        if !areas.contains(&d.may) {
            areas.push(d.may.clone());
        }
    }
    areas.iter().find_map(|area| {
        let inside: Vec<usize> = (0..demands.len()).filter(|d| within(&demands[*d].may, area)).collect();
        let resources = kinds.first().map_or(0, |kind| kind.room.len());
        (0..resources).find_map(|r| {
            total(kinds, demands, area, &inside, r).or_else(|| sized(kinds, demands, area, &inside, r))
        })
    })
}

fn within(may: &[bool], area: &[bool]) -> bool {
    may.iter().zip(area).all(|(may, inside)| *inside || !*may)
}

/// Returns the sum of `one(capacity)` over all nodes of an area. `area`: for each kind of nodes, whether it belongs to the area.
fn slots(kinds: &[Kind], area: &[bool], one: impl Fn(&[u64]) -> u64) -> u128 {
    let each = kinds.iter().zip(area).filter(|(_, inside)| **inside);
    each.map(|(kind, _)| u128::from(one(&kind.room)) * u128::from(kind.count)).sum()
}

fn total(
    kinds: &[Kind],
    demands: &[Demand],
    area: &[bool],
    inside: &[usize],
    resource: usize,
) -> Option<Reason> {
    let room = slots(kinds, area, |room| room[resource]);
    let users: Vec<usize> = inside.iter().copied().filter(|d| demands[*d].need[resource] > 0).collect();
    let of = |d: &usize| u128::from(demands[*d].need[resource]) * u128::from(demands[*d].count);
    let need = users.iter().map(of).sum();
    (need > room).then_some(Reason::Total { demands: users, resource, need, room })
}

/// Takes the request of each demand for `resource` as a slot size (`least`). Compares two numbers: the slots of this size on the
/// nodes, and the tasks that request this size or more. Returns the first size with fewer slots than tasks.
fn sized(
    kinds: &[Kind],
    demands: &[Demand],
    area: &[bool],
    inside: &[usize],
    resource: usize,
) -> Option<Reason> {
    inside.iter().map(|d| demands[*d].need[resource]).filter(|least| *least > 0).find_map(|least| {
        let room =
            slots(
                kinds,
                area,
                |room| {
                    if room[resource] == UNLIMITED { UNLIMITED } else { room[resource] / least }
                },
            );
        let large: Vec<usize> =
            inside.iter().copied().filter(|d| demands[*d].need[resource] >= least).collect();
        let need = large.iter().map(|d| u128::from(demands[*d].count)).sum();
        (need > room).then_some(Reason::Slots { demands: large, resource, least, need, room })
    })
}

#[cfg(test)]
mod tests;
