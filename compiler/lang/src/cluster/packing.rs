//! Tasks on nodes: a placement that can be checked, a proof that there is none, or neither. Pure arithmetic.
//!
//! Amounts are vectors, one place for each resource. Whatever two tasks cannot share on a node, such as a port, is a
//! resource of which each node has one. So tasks that must stand apart need no rule of their own.

/// A capacity that has no end, or that nobody stated.
pub const ENDLESS: u64 = u64::MAX;

/// Nodes that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// How many.
    pub count: u64,
    /// What each has of every resource.
    pub room: Vec<u64>,
}

/// Tasks that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// How many.
    pub count: u64,
    /// What each needs of every resource.
    pub need: Vec<u64>,
    /// Whether they may stand on each kind of nodes, whatever room it has.
    pub may: Vec<bool>,
}

/// What is known of tasks and nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// They fit like that.
    Fits(Vec<Group>),
    /// They cannot.
    Impossible(Reason),
    /// No placement was found, and no reason against one.
    Open,
}

/// Nodes that are filled alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Their kind.
    pub kind: usize,
    /// How many.
    pub nodes: u64,
    /// Tasks of each demand on each of them.
    pub tasks: Vec<u64>,
}

/// Why tasks do not fit: `need` is more than `room`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Tasks of these demands need more of a resource than all the nodes have that they may stand on.
    Total {
        /// The demands.
        demands: Vec<usize>,
        /// The resource.
        resource: usize,
        /// What they need.
        need: u128,
        /// What there is.
        room: u128,
    },
    /// So many tasks of these demands need at least `least` of a resource, and the nodes hold no more such tasks.
    Slots {
        /// The demands.
        demands: Vec<usize>,
        /// The resource.
        resource: usize,
        /// What each of them needs at least.
        least: u64,
        /// The tasks.
        need: u128,
        /// The tasks of that size that the nodes hold.
        room: u128,
    },
    /// Tasks of one demand, each with all that it needs, are more than the nodes hold of them.
    Alone {
        /// The demand.
        demand: usize,
        /// Its tasks.
        need: u128,
        /// The tasks that the nodes hold.
        room: u128,
    },
}

/// How many tasks of that need one such node holds.
#[must_use]
pub fn holds(room: &[u64], need: &[u64]) -> u64 {
    let each = room.iter().zip(need).filter(|(room, need)| **need > 0 && **room != ENDLESS);
    each.map(|(room, need)| room / need).min().unwrap_or(ENDLESS)
}

/// Whether the tasks fit on the nodes together.
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

/// What the largest node has of each resource; 0 where that has no end.
fn largest(kinds: &[Kind]) -> Vec<u64> {
    let resources = kinds.first().map_or(0, |kind| kind.room.len());
    let of = |r: usize| kinds.iter().map(move |kind| kind.room[r]).filter(|room| *room != ENDLESS).max();
    (0..resources).map(|r| of(r).unwrap_or(0)).collect()
}

/// What part of a node a task takes: of one resource, or of the one that it takes most of.
fn share(largest: &[u64], demand: &Demand, resource: Option<usize>) -> f64 {
    let part = |r: usize| match (demand.need[r], largest[r]) {
        (0, _) | (_, 0) => 0.0,
        (need, room) => need as f64 / room as f64,
    };
    let all = 0..demand.need.len();
    resource.map_or_else(|| all.map(part).fold(0.0, f64::max), part)
}

/// First fit in that order of demands: each node as full as it gets, or the tasks of a demand evenly over all nodes.
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
        // Nodes with little else to give come first: tasks without GPUs leave those with GPUs to others.
        filled.sort_by(|a, b| idle(largest, demand, &a.1).total_cmp(&idle(largest, demand, &b.1)));
        let limit = if even { evenly(&filled, demand) } else { ENDLESS };
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

/// Tasks of a demand for each node that can hold one, so that all of them get their part.
fn evenly(filled: &[(Group, Vec<u64>)], demand: &Demand) -> u64 {
    let takes = |(group, room): &&(Group, Vec<u64>)| demand.may[group.kind] && holds(room, &demand.need) > 0;
    let nodes: u64 = filled.iter().filter(takes).map(|(group, _)| group.nodes).sum();
    demand.count.div_ceil(nodes.max(1))
}

/// What part of a node's room is of no use to a task.
fn idle(largest: &[u64], demand: &Demand, room: &[u64]) -> f64 {
    let unused = room.iter().enumerate().filter(|(r, room)| demand.need[*r] == 0 && **room != ENDLESS);
    unused.map(|(r, room)| *room as f64 / largest[r].max(1) as f64).sum()
}

/// Puts so many tasks on each of so many nodes of a group.
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
    let take = |(room, need): (&u64, &u64)| if *room == ENDLESS { ENDLESS } else { room - need * each };
    next.push((group, room.iter().zip(&demand.need).map(take).collect()));
}

/// A reason why no placement exists. Each is exact: it counts what every placement would have to give.
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

/// How many tasks the nodes of an area hold, by what one node holds.
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

/// Tasks that need at least `least` share no part of a node that is smaller.
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
                    if room[resource] == ENDLESS { ENDLESS } else { room[resource] / least }
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
