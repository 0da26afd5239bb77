//! Agents with GPUs, which Marathon keeps for tasks with GPUs.
use super::logs;
use crate::dcos::Dcos;
use crate::patch;
use tfjob_lang::ask::{Ask, Asked, Job};
use tfjob_lang::cluster::demand::{Demand, Kept};
use tfjob_lang::codes::UNPROVEN_PLACEMENT;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Site, Target, concerns};

/// The first version of DC/OS where `marathon_gpu_scheduling_behavior` is `restricted` unless it is set (release notes of
/// 1.13).
pub(in crate::dcos) const KEEPS_GPUS: (u32, u32) = (1, 13);

/// Whether a label says that the job's tasks may have any agent.
fn is_open(plan: &Plan) -> bool {
    let open = |ask: &Ask| matches!(ask, Ask::Job(Job::Label { key, value }) if key == "GPU_SCHEDULING_BEHAVIOR" && value == "unrestricted");
    plan.asks.iter().any(|asked| open(&asked.ask))
}

/// Whether a patch of a role says so of its own tasks.
fn is_opened(plan: &Plan, id: RoleId) -> bool {
    plan.asks.iter().filter(|asked| concerns(&asked.ask, Dcos::NAME)).any(|asked| {
        let Ask::Job(Job::Patch { target: _, role: Some(role), text }) = &asked.ask else { return false };
        *role == id
            && text.contains("GPU_SCHEDULING_BEHAVIOR")
            && patch::value(text)["labels"]["GPU_SCHEDULING_BEHAVIOR"] == "unrestricted"
    })
}

/// Tasks without GPUs decline offers with free GPUs, unless a label of theirs says otherwise (Marathon's
/// `ResourceMatcher`, `checkGpuSchedulingBehaviour`).
pub(in crate::dcos) fn keep(plan: &Plan, demand: &mut Demand) {
    let waits = |id: RoleId| plan.roles[id].resources.gpus == 0 && !is_opened(plan, id);
    let board = plan.asks.iter().any(|asked| matches!(asked.ask, Ask::Job(Job::Tensorboard(_))));
    if !is_open(plan) && (board || (0..plan.roles.len()).any(waits)) {
        demand.keeps_gpus = Some(Kept {
            fact: "since DC/OS 1.13 Marathon places no task without GPUs on an agent with free GPUs, unless it is set up otherwise",
            rest: "the other nodes have no room for",
            help: "add `labels { GPU_SCHEDULING_BEHAVIOR \"unrestricted\"; }` to the job, or nodes without GPUs to the cluster file",
        });
    }
}

/// Warns of the first task without GPUs that names the agent of a task with GPUs: it waits there until no GPU is free.
pub(in crate::dcos) fn wasted(plan: &Plan, site: &Site<Dcos>) -> Option<Diagnostic> {
    let old = site.job.version.as_ref().is_some_and(|version| !version.value.at_least(KEEPS_GPUS));
    if old || is_open(plan) {
        return None;
    }
    let host = |id: RoleId| plan.node_of(id, Dcos::is_host);
    let ids = 0..plan.roles.len();
    let has = |id: RoleId| plan.roles[id].resources.gpus > 0;
    let mut without: Vec<(String, Span, &str)> = ids
        .clone()
        .filter(|id| !has(*id) && !is_opened(plan, *id))
        .filter_map(|id| {
            let name = &plan.roles[id].name;
            Some((format!("`{}`", name.value.escape_debug()), name.span, host(id)?.0))
        })
        .collect();
    without.extend(plan.asks.iter().find_map(|asked| board(asked, plan)));
    without.into_iter().find_map(|(name, at, agent)| {
        let other = ids.clone().find(|id| has(*id) && host(*id).is_some_and(|(named, _)| named == agent))?;
        let fact = format!(
            "dcos: since DC/OS 1.13 Marathon places no task without GPUs on an agent with free GPUs: {name} does not start on `{}` while one is left there",
            agent.escape_debug(),
        );
        let (_, place) = host(other)?;
        Some(
            Diagnostic::new(&UNPROVEN_PLACEMENT, at, fact)
                .here("without GPUs")
                .label(place, format!("the agent of `{}`, which has GPUs", plan.roles[other].name.value))
                .help("add `labels { GPU_SCHEDULING_BEHAVIOR \"unrestricted\"; }` to the job, unless its tasks take all GPUs of this agent"),
        )
    })
}

/// The TensorBoard, with the agent that it shares with the tasks.
fn board<'p>(asked: &'p Asked, plan: &'p Plan) -> Option<(String, Span, &'p str)> {
    let Ask::Job(Job::Tensorboard(board)) = &asked.ask else { return None };
    let place = logs::agents(board, plan);
    let (_, agent, _) = place.into_iter().find(|(key, ..)| Dcos::is_host(key))?;
    Some(("TensorBoard".to_owned(), asked.at, agent))
}
