//! Start order: what waits for what, and the cycles in it, each shown as a path.
use super::roles;
use crate::at::At;
use crate::codes::{START_CYCLE, TOO_LARGE, UNKNOWN_ROLE_AFTER, WAITS_FOREVER};
use crate::diagnostic::{Diagnostic, Fix, Premise, nearest, only_near};
use crate::plan::{Plan, Role, RoleId, RoleKind};
use crate::requirement::{Lifecycle, Requirement};
use crate::sources::Span;
use crate::spec::{self, Success, When};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, VecDeque};

/// Waits that a start order may stand for: a role that waits for one without a port of the rendezvous waits for all that
/// this one waits for.
const MOST_WAITS: usize = 50_000;

/// Reports faults of the start order, and drops an order that would stand for too many waits.
pub(super) fn judge(spec: &spec::Job, plan: &mut Plan, out: &mut Vec<Diagnostic>) {
    let graph = graph(spec, plan, out);
    for group in tarjan_scc(&graph) {
        let ids: Vec<RoleId> = group.iter().map(|n| graph[*n]).collect();
        let own = ids.len() == 1 && graph.find_edge(group[0], group[0]).is_some();
        if ids.len() > 1 || own {
            let cycle = cycle(plan, &graph, &ids);
            out.push(ids.iter().fold(cycle, |cycle, id| cycle.from_role(plan.roles[*id].name.span)));
        }
    }
    if let Some(found) = too_many(plan, &graph) {
        plan.requirements.retain(|required| {
            !matches!(required.requirement, Requirement::Lifecycle(Lifecycle::After { .. }))
        });
        out.push(found);
    }
}

/// Which role waits for which, each edge with the line that says so.
fn graph(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) -> DiGraph<RoleId, Span> {
    let mut graph: DiGraph<RoleId, Span> = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..plan.roles.len()).map(|id| graph.add_node(id)).collect();
    let written = spec.role.0.iter().chain(&spec.helper.0);
    for (id, (_, role)) in written.enumerate() {
        let (success, before) = (spec.success.as_ref().map(|s| s.value), out.len());
        let mut strange = Vec::new();
        for (first, after) in &role.value.after.0 {
            match named(plan, &first.value) {
                Some(first_id) => {
                    graph.add_edge(nodes[id], nodes[first_id], first.span);
                    endless(plan, (id, first_id), first, &after.value, success, out);
                }
                None => strange.push(unknown(plan, first, spec.tensorboard.is_some())),
            }
        }
        if out.len() == before {
            out.extend(endless_together(plan, id, &role.value, success));
        }
        out[before..]
            .iter_mut()
            .for_each(|found| found.premises.push(Premise::Role(plan.roles[id].name.span)));
        out.append(&mut strange);
    }
    graph
}

/// Refuses an order of more than [`MOST_WAITS`] waits, without counting much further.
fn too_many(plan: &Plan, graph: &DiGraph<RoleId, Span>) -> Option<Diagnostic> {
    let mute = |role: RoleId| plan.roles[role].ports.iter().all(|port| port.name.value != "rendezvous");
    let mut waits = 0;
    for id in 0..plan.roles.len() {
        let (mut met, mut open) = (vec![false; plan.roles.len()], vec![id]);
        while let Some(from) = open.pop() {
            for first in graph.neighbors(NodeIndex::new(from)).map(|node| graph[node]) {
                if !std::mem::replace(&mut met[first], true) {
                    waits += 1;
                    open.extend(mute(first).then_some(first));
                }
            }
        }
        if waits > MOST_WAITS {
            let at = graph
                .edges(NodeIndex::new(id))
                .next()
                .map_or(plan.roles[id].name.span, |edge| *edge.weight());
            let fact =
                format!("the roles of this job wait for more than {MOST_WAITS} others, one behind the other");
            let found = Diagnostic::new(&TOO_LARGE, at, fact).here("the first one beyond the limit");
            return Some(found.help("start fewer roles one after the other"));
        }
    }
    None
}

/// The role of that name, or the misspelt one that was meant to have it.
fn named(plan: &Plan, name: &str) -> Option<RoleId> {
    let framework = plan.framework.name.value;
    let meant =
        |role: &Role| role.kind.joins_rendezvous() && roles::meant(framework, &role.name.value) == Some(name);
    plan.roles.iter().position(|r| r.name.value == name).or_else(|| plan.roles.iter().position(meant))
}

/// `done` of a role that is never done before the one that waits for it is.
fn endless(
    plan: &Plan,
    (id, first_id): (RoleId, RoleId),
    first: &At<String>,
    after: &spec::After,
    success: Option<Success>,
    out: &mut Vec<Diagnostic>,
) {
    let Some(when) = after.when.as_ref().filter(|w| w.value == When::Done) else { return };
    let (waits, waited) = (&plan.roles[id], &plan.roles[first_id]);
    let name = &first.value;
    if waited.kind == RoleKind::Helper && id != first_id {
        out.push(helper(plan, when.span, waited));
        return;
    }
    let (fact, label) = if plan.never_exits(first_id) {
        (format!("`{name}` serves until the job ends, so it is never done"), "this role")
    } else if id != first_id && meet(plan, waits, waited) {
        (format!("`{name}` and `{}` wait for each other: they train together", waits.name.value), "one peer")
    } else if waits.kind == RoleKind::Evaluator && ends_job(plan, waited, success) {
        (format!("when `{name}` is done so is the job, and its evaluator never starts"), "ends the job")
    } else if waits.kind == RoleKind::Helper && ends_job(plan, waited, success) {
        (format!("when `{name}` is done so is the job, and its helpers are stopped"), "ends the job")
    } else if id != first_id && ends_job(plan, waited, success) {
        let fact = format!("when `{name}` is done so is the job, and `{}` never starts", waits.name.value);
        let found = Diagnostic::new(&WAITS_FOREVER, when.span, fact).here("never");
        let found = found.label(waited.name.span, "ends the job");
        out.push(found.help("write `success \"all\"`: then the job is done when every task is"));
        return;
    } else {
        return;
    };
    out.push(
        Diagnostic::new(&WAITS_FOREVER, when.span, fact)
            .here("never")
            .label(waited.name.span, label)
            .help("write `when=\"ready\"`")
            .suggest(Fix::replace(when.span, "\"ready\"")),
    );
}

/// `done` of several roles that are done together only when the job is.
fn endless_together(
    plan: &Plan,
    id: RoleId,
    role: &spec::Role,
    success: Option<Success>,
) -> Option<Diagnostic> {
    let done = |after: &spec::After| after.when.as_ref().filter(|w| w.value == When::Done).map(|w| w.span);
    let all: Vec<(RoleId, Span)> = role
        .after
        .0
        .iter()
        .filter_map(|(first, after)| Some((named(plan, &first.value)?, done(&after.value)?)))
        .collect();
    let first: Vec<&Role> = all.iter().map(|(first, _)| &plan.roles[*first]).collect();
    if all.len() < 2 || !end_job(plan, &first, success) {
        return None;
    }
    let names: Vec<String> = first.iter().map(|role| format!("`{}`", role.name.value)).collect();
    let waits = &plan.roles[id].name.value;
    let fact = format!("when {} are done so is the job, and `{waits}` never starts", names.join(" and "));
    let at = all.last()?.1;
    let mut found = Diagnostic::new(&WAITS_FOREVER, at, fact).here("never");
    for role in first {
        found = found.label(role.name.span, "ends the job with the others");
    }
    Some(found.help("write `when=\"ready\"`"))
}

/// The end of a helper is the job's, so nothing in the job can come after it.
fn helper(plan: &Plan, at: Span, waited: &Role) -> Diagnostic {
    let (name, framework) = (&waited.name.value, plan.framework.name.value);
    let help = match framework.takes_any_role() {
        true => format!("make it a role, `role \"{name}\"`; or write `when=\"ready\"`"),
        false => format!(
            "a step before the training is a job of its own, or stands before the program in its `shell`: {} has no role \
             for it. What serves beside the job is waited for by `when=\"ready\"`",
            framework.keyword()
        ),
    };
    let fact = format!("`{name}` is a helper: it runs as long as the job, so it is never done");
    Diagnostic::new(&WAITS_FOREVER, at, fact).here("never").label(waited.name.span, "this helper").help(help)
}

/// Whether tasks of both roles must run at one time: those of one rendezvous block until all of them have come.
/// Programs of a strategy of their own may know better, and so may those of `custom` and `caffe`.
fn meet(plan: &Plan, a: &Role, b: &Role) -> bool {
    let known = |role: &Role| role.kind.is_peer() && role.kind != RoleKind::Own;
    plan.framework.of_contract().pace().is_together() && known(a) && known(b)
}

/// Whether the job is done when this role is.
fn ends_job(plan: &Plan, role: &Role, success: Option<Success>) -> bool {
    end_job(plan, &[role], success)
}

/// Whether the job is done when these roles are.
fn end_job(plan: &Plan, roles: &[&Role], success: Option<Success>) -> bool {
    let done = |role: &Role| roles.iter().any(|one| one.name.value == role.name.value);
    // Whatever `success` counts is among the roles of the rendezvous.
    if plan.roles.iter().filter(|role| role.kind.joins_rendezvous()).all(done) {
        return true;
    }
    let success = success.unwrap_or_else(|| plan.framework.of_contract().default_success());
    // Who waits for all tasks of the role that leads waits for its first, which ends the job.
    let mut deciding = plan.deciding(success).peekable();
    deciding.peek().is_some() && deciding.all(|id| done(&plan.roles[id]))
}

fn unknown(plan: &Plan, first: &At<String>, board: bool) -> Diagnostic {
    let names: Vec<_> = plan.roles.iter().map(|r| r.name.value.as_str()).collect();
    let found =
        Diagnostic::new(&UNKNOWN_ROLE_AFTER, first.span, format!("this job has no role `{}`", first.value))
            .blocks_targets(format!("after {:?}", first.value))
            .from_absent(&["job", "role", &first.value])
            .from_absent(&["job", "helper", &first.value])
            .here("not declared");
    if board && first.value == "tensorboard" {
        return found.help(
            "nobody waits for the job's `tensorboard`; what is waited for is a helper: `helper \"tensorboard\" { … }`",
        );
    }
    match nearest(&first.value, names.iter().copied()) {
        Some(near) => {
            let fix = Fix::replace(first.span, format!("\"{near}\""));
            let sure = only_near(&first.value, names.iter().copied());
            found.help(format!("did you mean `{near}`?")).fix(fix.if_sure(sure))
        }
        None => found.help(format!("roles are {}", names.join(", "))),
    }
}

/// The shortest way round, from the role that the spec names first.
fn cycle(plan: &Plan, graph: &DiGraph<RoleId, Span>, ids: &[RoleId]) -> Diagnostic {
    let start = ids.iter().copied().min().unwrap_or_default();
    let edges = |from: RoleId| {
        let mut out: Vec<(RoleId, Span)> = graph
            .edges(NodeIndex::new(from))
            .map(|e| (graph[petgraph::visit::EdgeRef::target(&e)], *e.weight()))
            .filter(|(to, _)| ids.contains(to))
            .collect();
        out.sort_unstable();
        out
    };
    let mut before: BTreeMap<RoleId, (RoleId, Span)> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    let mut last = None;
    while let (Some(from), None) = (queue.pop_front(), last) {
        for (to, span) in edges(from) {
            if to == start {
                last = Some((from, span));
                break;
            }
            if let std::collections::btree_map::Entry::Vacant(first) = before.entry(to) {
                first.insert((from, span));
                queue.push_back(to);
            }
        }
    }
    let mut path: Vec<(RoleId, Span, RoleId)> = Vec::new();
    let mut step = last.map(|(from, span)| (from, span, start));
    while let Some((from, span, to)) = step {
        path.push((from, span, to));
        step = before.get(&from).filter(|_| from != start).map(|(previous, span)| (*previous, *span, from));
    }
    path.reverse();
    let name = |id: RoleId| plan.roles[id].name.value.as_str();
    let words: Vec<_> = path.iter().map(|(from, ..)| name(*from)).chain([name(start)]).collect();
    let place = path.first().map_or(plan.roles[start].name.span, |(_, span, _)| *span);
    let mut found =
        Diagnostic::new(&START_CYCLE, place, format!("no role can start first: {}", words.join(" → ")));
    for (i, (from, span, to)) in path.iter().enumerate() {
        let label = format!("`{}` waits for `{}`", name(*from), name(*to));
        found = if i == 0 { found.here(label) } else { found.label(*span, label) };
    }
    found.help("remove one of these `after` lines")
}
