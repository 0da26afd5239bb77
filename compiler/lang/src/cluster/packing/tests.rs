//! Compares the results for small cases with an exhaustive search. Each returned placement must be valid. If the result is
//! `Impossible`, the search must find no placement.
use super::{Demand, Group, Kind, Reason, UNLIMITED, Verdict, pack};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn kind(count: u64, room: &[u64]) -> Kind {
    Kind { count, room: room.to_vec() }
}

fn demand(count: u64, need: &[u64]) -> Demand {
    Demand { count, need: need.to_vec(), may: vec![true] }
}

/// Returns the first reason why a placement is invalid; `None` if it is valid.
fn fault(kinds: &[Kind], demands: &[Demand], groups: &[Group]) -> Option<String> {
    for (number, kind) in kinds.iter().enumerate() {
        let used: u64 = groups.iter().filter(|g| g.kind == number).map(|g| g.nodes).sum();
        if used > kind.count {
            return Some(format!("{used} nodes of kind {number}"));
        }
    }
    for group in groups {
        for (r, room) in kinds[group.kind].room.iter().enumerate() {
            let used: u64 = group.tasks.iter().zip(demands).map(|(n, d)| n * d.need[r]).sum();
            if *room != UNLIMITED && used > *room {
                return Some(format!("{used} of resource {r} on {group:?}"));
            }
        }
    }
    demands.iter().enumerate().find_map(|(number, demand)| {
        let placed: u64 = groups.iter().map(|g| g.nodes * g.tasks[number]).sum();
        let astray = groups.iter().any(|g| g.tasks[number] > 0 && !demand.may[g.kind]);
        (placed != demand.count || astray).then(|| format!("{placed} of demand {number}, astray: {astray}"))
    })
}

/// Returns whether a placement exists, by exhaustive search.
fn exists(kinds: &[Kind], demands: &[Demand]) -> bool {
    let nodes: Vec<(usize, Vec<u64>)> =
        kinds.iter().enumerate().flat_map(|(i, k)| (0..k.count).map(move |_| (i, k.room.clone()))).collect();
    let tasks: Vec<usize> =
        demands.iter().enumerate().flat_map(|(i, d)| (0..d.count).map(move |_| i)).collect();
    place(&nodes, &tasks, demands, &mut BTreeSet::new())
}

/// A node: the index of its kind, and its free capacity by resource.
type Node = (usize, Vec<u64>);

fn place(
    nodes: &[Node],
    tasks: &[usize],
    demands: &[Demand],
    dead: &mut BTreeSet<(usize, Vec<Node>)>,
) -> bool {
    let Some((&first, rest)) = tasks.split_first() else { return true };
    let mut same = nodes.to_vec();
    same.sort();
    if dead.contains(&(tasks.len(), same.clone())) {
        return false;
    }
    let demand = &demands[first];
    for at in 0..nodes.len() {
        let (kind, room) = &nodes[at];
        if !demand.may[*kind] || room.iter().zip(&demand.need).any(|(room, need)| need > room) {
            continue;
        }
        let mut next = nodes.to_vec();
        for (room, need) in next[at].1.iter_mut().zip(&demand.need) {
            if *room != UNLIMITED {
                *room -= need;
            }
        }
        if place(&next, rest, demands, dead) {
            return true;
        }
    }
    dead.insert((tasks.len(), same));
    false
}

fn cases() -> impl Strategy<Value = (Vec<Kind>, Vec<Demand>)> {
    let room = prop_oneof![4 => 0u64..7, 1 => Just(UNLIMITED)];
    let kinds = prop::collection::vec((1u64..4, prop::collection::vec(room, 2)), 1..3);
    let demands = prop::collection::vec(
        (1u64..5, prop::collection::vec(0u64..6, 2), prop::collection::vec(any::<bool>(), 2)),
        1..4,
    );
    (kinds, demands).prop_map(|(kinds, demands)| {
        let kinds: Vec<Kind> = kinds.into_iter().map(|(count, room)| Kind { count, room }).collect();
        let demand = |(count, need, may): (u64, Vec<u64>, Vec<bool>)| {
            let mut may = may[..kinds.len()].to_vec();
            may[0] |= !may.contains(&true);
            Demand { count, need, may }
        };
        let demands = demands.into_iter().map(demand).collect();
        (kinds, demands)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_placement_is_one_and_what_is_impossible_has_none((kinds, demands) in cases()) {
        match pack(&kinds, &demands) {
            Verdict::Fits(groups) => prop_assert_eq!(fault(&kinds, &demands, &groups), None),
            Verdict::Impossible(reason) => prop_assert!(!exists(&kinds, &demands), "{:?}", reason),
            Verdict::Open => {}
        }
    }

    /// Tasks that are all identical are never left undecided ([`Verdict::Open`]).
    #[test]
    fn one_kind_of_tasks_is_always_decided(count in 1u64..20, nodes in 1u64..6, room in 0u64..9, need in 1u64..9) {
        let verdict = pack(&[kind(nodes, &[room])], &[demand(count, &[need])]);
        prop_assert_ne!(verdict, Verdict::Open);
    }
}

#[test]
fn tasks_that_stand_in_each_others_way_are_mixed() {
    // If each node were filled with tasks of the first demand, the second would get no resources.
    let kinds = [kind(10, &[8, 8])];
    let demands = [demand(10, &[4, 1]), demand(10, &[1, 6])];
    assert!(matches!(pack(&kinds, &demands), Verdict::Fits(_)));
}

#[test]
fn tasks_without_gpus_leave_the_gpus_to_others() {
    let kinds = [kind(2, &[8, 4]), kind(2, &[8, 0])];
    let demands = [
        Demand { count: 2, need: vec![8, 0], may: vec![true; 2] },
        Demand { count: 2, need: vec![2, 4], may: vec![true; 2] },
    ];
    assert!(matches!(pack(&kinds, &demands), Verdict::Fits(_)));
}

#[test]
fn each_reason_is_found() {
    let alone = pack(&[kind(3, &[7, 7])], &[demand(4, &[4, 1])]);
    assert!(matches!(alone, Verdict::Impossible(Reason::Alone { need: 4, room: 3, .. })), "{alone:?}");
    let total = pack(&[kind(2, &[8])], &[demand(3, &[3]), demand(4, &[2])]);
    assert!(matches!(total, Verdict::Impossible(Reason::Total { need: 17, room: 16, .. })), "{total:?}");
    let slots = pack(&[kind(2, &[9])], &[demand(2, &[5]), demand(1, &[6])]);
    assert!(
        matches!(slots, Verdict::Impossible(Reason::Slots { least: 5, need: 3, room: 2, .. })),
        "{slots:?}"
    );
}

#[test]
fn the_largest_job_on_the_largest_site_is_no_work() {
    let kinds: Vec<Kind> = (0..200).map(|i| kind(100_000, &[64_000, 1 << (30 + i % 10), i % 9, 1])).collect();
    let demands: Vec<Demand> = (0..300)
        .map(|i| Demand {
            count: 10_000,
            need: vec![100 + i, 1 << 28, i % 5, u64::from(i % 7 == 0)],
            may: vec![true; 200],
        })
        .collect();
    assert_ne!(pack(&kinds, &demands), Verdict::Open);
}
