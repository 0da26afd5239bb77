//! Start order: which role waits for which other role, and cycles in this order.
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

/// Maximum number of waits in a start order. Each pair of a waiting role and a role that it waits for counts as one wait. If role A
/// waits for B, and B has no `rendezvous` port, A also waits for each role that B waits for.
const MOST_WAITS: usize = 50_000;

/// Reports errors in the start order. If the order has too many waits, removes it from the plan.
pub(super) fn check(spec: &spec::Job, plan: &mut Plan, out: &mut Vec<Diagnostic>) {
    let graph = graph(spec, plan, out);
    for group in tarjan_scc(&graph) {
        let ids: Vec<RoleId> = group.iter().map(|n| graph[*n]).collect();
        let waits_for_itself = ids.len() == 1 && graph.find_edge(group[0], group[0]).is_some();
        if ids.len() > 1 || waits_for_itself {
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

/// Returns the graph of the start order: one edge for each `after`, with its span.
fn graph(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) -> DiGraph<RoleId, Span> {
    let mut graph: DiGraph<RoleId, Span> = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..plan.roles.len()).map(|id| graph.add_node(id)).collect();
    let written = spec.role.0.iter().chain(&spec.helper.0);
    for (id, (_, role)) in written.enumerate() {
        let (success, before) = (spec.success.as_ref().map(|s| s.value), out.len());
        let mut unknown_roles = Vec::new();
        for (first, after) in &role.value.after.0 {
            match find_role(plan, &first.value) {
                Some(first_id) => {
                    graph.add_edge(nodes[id], nodes[first_id], first.span);
                    check_done(plan, (id, first_id), first, &after.value, success, out);
                }
                None => unknown_roles.push(unknown(plan, first, spec.tensorboard.is_some())),
            }
        }
        if out.len() == before {
            out.extend(check_done_together(plan, id, &role.value, success));
        }
        out[before..]
            .iter_mut()
            .for_each(|found| found.premises.push(Premise::Role(plan.roles[id].name.span)));
        out.append(&mut unknown_roles);
    }
    graph
}

/// Reports a start order with more than [`MOST_WAITS`] waits. Stops counting soon after this limit.
fn too_many(plan: &Plan, graph: &DiGraph<RoleId, Span>) -> Option<Diagnostic> {
    let without_port =
        |role: RoleId| plan.roles[role].ports.iter().all(|port| port.name.value != "rendezvous");
    let mut waits = 0;
    for id in 0..plan.roles.len() {
        let (mut visited, mut open) = (vec![false; plan.roles.len()], vec![id]);
        while let Some(from) = open.pop() {
            for first in graph.neighbors(NodeIndex::new(from)).map(|node| graph[node]) {
                if !std::mem::replace(&mut visited[first], true) {
                    waits += 1;
                    open.extend(without_port(first).then_some(first));
                }
            }
        }
        if waits > MOST_WAITS {
            let at = graph
                .edges(NodeIndex::new(id))
                .next()
                .map_or(plan.roles[id].name.span, |edge| *edge.weight());
            let fact = format!("the start order of this job has more than {MOST_WAITS} waits between roles");
            let found = Diagnostic::new(&TOO_LARGE, at, fact).here("first `after` beyond the limit");
            return Some(found.help("remove some `after` lines, or merge roles"));
        }
    }
    None
}

/// Returns the role with this name. If there is none, returns a role with a wrong name that most likely means this name, such as
/// `master` for `chief`.
fn find_role(plan: &Plan, name: &str) -> Option<RoleId> {
    let framework = plan.framework.name.value;
    let meant = |role: &Role| {
        role.kind.joins_rendezvous() && roles::corrected_name(framework, &role.name.value) == Some(name)
    };
    plan.roles.iter().position(|r| r.name.value == name).or_else(|| plan.roles.iter().position(meant))
}

/// Reports `when="done"` for a role that cannot finish before the waiting role starts.
fn check_done(
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
        out.push(after_helper(plan, when.span, waited));
        return;
    }
    let waiting = &waits.name.value;
    let after_job_end = || {
        format!(
            "`{waiting}` waits until `{name}` has finished, but the job ends then, so `{waiting}` never starts"
        )
    };
    let (fact, label) = if plan.never_exits(first_id) {
        let fact = format!(
            "`{name}` never exits on its own, so a role with `after \"{name}\" when=\"done\"` never starts"
        );
        (fact, "never exits on its own".to_owned())
    } else if id != first_id && meet(plan, waits, waited) {
        let fact = format!(
            "`{waiting}` waits until `{name}` has finished, but `{name}` cannot finish without its peer `{waiting}`"
        );
        (fact, format!("cannot train without `{waiting}`"))
    } else if matches!(waits.kind, RoleKind::Evaluator | RoleKind::Helper) && ends_job(plan, waited, success)
    {
        (after_job_end(), ENDS_JOB.to_owned())
    } else if id != first_id && ends_job(plan, waited, success) {
        let found = Diagnostic::new(&WAITS_FOREVER, when.span, after_job_end()).here(FOREVER);
        let found = found.label(waited.name.span, ENDS_JOB);
        out.push(
            found.help("write `success \"all\"`, so that the job ends only when all tasks have finished"),
        );
        return;
    } else {
        return;
    };
    out.push(
        Diagnostic::new(&WAITS_FOREVER, when.span, fact)
            .here(FOREVER)
            .label(waited.name.span, label)
            .help(format!("write `when=\"ready\"` to start `{waiting}` when `{name}` is ready"))
            .suggest(Fix::replace(when.span, "\"ready\"")),
    );
}

/// Reports a role that waits by `when="done"` for several roles, if the job ends as soon as all of them have finished: the waiting
/// role would never start.
fn check_done_together(
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
        .filter_map(|(first, after)| Some((find_role(plan, &first.value)?, done(&after.value)?)))
        .collect();
    let first: Vec<&Role> = all.iter().map(|(first, _)| &plan.roles[*first]).collect();
    if all.len() < 2 || !end_job(plan, &first, success) {
        return None;
    }
    let names: Vec<String> = first.iter().map(|role| format!("`{}`", role.name.value)).collect();
    let waits = &plan.roles[id].name.value;
    let fact = format!(
        "`{waits}` waits until {} have finished, but the job ends then, so `{waits}` never starts",
        names.join(" and ")
    );
    let at = all.last()?.1;
    let mut found = Diagnostic::new(&WAITS_FOREVER, at, fact).here(FOREVER);
    for role in first {
        found = found.label(role.name.span, "ends the job together with the other roles");
    }
    Some(found.help("write `when=\"ready\"`"))
}

/// Label of a `when="done"` condition that never becomes true.
const FOREVER: &str = "waits forever";
/// Label of a role that decides job completion.
const ENDS_JOB: &str = "the job ends when this role finishes";

/// Reports `when="done"` for a helper. A helper runs until the job ends, so nothing in the job can start after it.
fn after_helper(plan: &Plan, at: Span, waited: &Role) -> Diagnostic {
    let (name, framework) = (&waited.name.value, plan.framework.name.value);
    let help = match framework.takes_any_role() {
        true => format!("declare it as `role \"{name}\"`, or write `when=\"ready\"`"),
        false => format!(
            "if `{name}` is a service, write `when=\"ready\"`; if it prepares the training, run it as a separate job"
        ),
    };
    let fact = format!(
        "helper `{name}` runs until the job ends, so a role with `after \"{name}\" when=\"done\"` never starts"
    );
    Diagnostic::new(&WAITS_FOREVER, at, fact).here(FOREVER).label(waited.name.span, "helper").help(help)
}

/// Returns whether tasks of both roles must run at the same time. Peers of a rendezvous block until all have started.
/// A custom strategy and the frameworks `custom` and `caffe` are excluded, because their programs may work differently.
fn meet(plan: &Plan, a: &Role, b: &Role) -> bool {
    let known = |role: &Role| role.kind.is_peer() && role.kind != RoleKind::Own;
    plan.framework.of_contract().pace().is_together() && known(a) && known(b)
}

/// Returns whether the job ends when this role finishes.
fn ends_job(plan: &Plan, role: &Role, success: Option<Success>) -> bool {
    end_job(plan, &[role], success)
}

/// Returns whether the job ends when these roles have finished.
fn end_job(plan: &Plan, roles: &[&Role], success: Option<Success>) -> bool {
    let done = |role: &Role| roles.iter().any(|other| other.name.value == role.name.value);
    // Helpers do not decide job success, so the job ends when all other roles have finished, whatever `success` is.
    if plan.roles.iter().filter(|role| role.kind.joins_rendezvous()).all(done) {
        return true;
    }
    let success = success.unwrap_or_else(|| plan.framework.of_contract().default_success());
    // If `success` is `chief`, only the first task of the leading role decides. If all tasks of this role have finished, this task
    // has finished too.
    let mut deciding = plan.deciding(success).peekable();
    deciding.peek().is_some() && deciding.all(|id| done(&plan.roles[id]))
}

fn unknown(plan: &Plan, first: &At<String>, board: bool) -> Diagnostic {
    let names: Vec<_> = plan.roles.iter().map(|r| r.name.value.as_str()).collect();
    let found = Diagnostic::new(
        &UNKNOWN_ROLE_AFTER,
        first.span,
        format!("this job has no role or helper `{}`", first.value),
    )
    .blocks_targets(format!("after {:?}", first.value))
    .from_absent(&["job", "role", &first.value])
    .from_absent(&["job", "helper", &first.value])
    .here("not declared");
    if board && first.value == "tensorboard" {
        return found.help(
            "roles cannot wait for the `tensorboard` block; declare TensorBoard as `helper \"tensorboard\" { … }` instead",
        );
    }
    match nearest(&first.value, names.iter().copied()) {
        Some(near) => {
            let fix = Fix::replace(first.span, format!("\"{near}\""));
            let sure = only_near(&first.value, names.iter().copied());
            found.help(format!("did you mean `{near}`?")).fix(fix.if_sure(sure))
        }
        None => found.help(format!("roles and helpers of this job: {}", names.join(", "))),
    }
}

/// Reports the shortest cycle, starting at the role that comes first in the spec.
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
    let names: Vec<_> = path.iter().map(|(from, ..)| name(*from)).chain([name(start)]).collect();
    let place = path.first().map_or(plan.roles[start].name.span, |(_, span, _)| *span);
    let fact = format!("`after` forms a cycle, so none of its roles can start: {}", names.join(" → "));
    let mut found = Diagnostic::new(&START_CYCLE, place, fact);
    for (i, (from, span, to)) in path.iter().enumerate() {
        let label = format!("`{}` waits for `{}`", name(*from), name(*to));
        found = if i == 0 { found.here(label) } else { found.label(*span, label) };
    }
    found.help("remove one of these `after` lines")
}
