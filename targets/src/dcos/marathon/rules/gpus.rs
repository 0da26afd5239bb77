//! Tasks without GPUs on agents with GPUs: Marathon places only tasks with GPUs on an agent that has free GPUs.
use crate::dcos::Dcos;
use crate::dcos::marathon::reserve::{KEEPS_GPUS, is_open, is_opened};
use crate::dcos::marathon::support::job::agents;
use tfjob_lang::codes::UNDETERMINED_PLACEMENT;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Job, Required, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Site, Target};

/// Warns of the first task without GPUs that is pinned to the same agent as a task with GPUs. Marathon starts the task without GPUs
/// only when no GPU of the agent is free.
pub fn unplaced(plan: &Plan, site: &Site<Dcos>) -> Option<Diagnostic> {
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
            Some((format!("`{}`", name.value.escaped()), name.span, host(id)?.0))
        })
        .collect();
    without.extend(plan.requirements.iter().find_map(|required| board(required, plan)));
    without.into_iter().find_map(|(name, at, agent)| {
        let other = ids.clone().find(|id| has(*id) && host(*id).is_some_and(|(named, _)| named == agent))?;
        let fact = format!(
            "dcos: Marathon in DC/OS 1.13 and later places no task without GPUs on an agent with free GPUs, so {name} does not start on `{}` while a GPU is free there",
            agent.escaped(),
        );
        let (_, place) = host(other)?;
        Some(
            Diagnostic::new(&UNDETERMINED_PLACEMENT, at, fact)
                .here("needs no GPU")
                .label(place, format!("the agent of `{}`, which has GPUs", plan.roles[other].name.value))
                .help("add `labels { GPU_SCHEDULING_BEHAVIOR \"unrestricted\"; }` to the job, unless its tasks take all GPUs of this agent"),
        )
    })
}

/// Returns the name, the span, and the agent of TensorBoard, if it is pinned to an agent.
fn board<'p>(required: &'p Required, plan: &'p Plan) -> Option<(String, Span, &'p str)> {
    let Requirement::Job(Job::Tensorboard(board)) = &required.requirement else { return None };
    let place = agents(board, plan);
    let (_, agent, _) = place.into_iter().find(|(key, ..)| Dcos::is_host(key))?;
    Some(("TensorBoard".to_owned(), required.at, agent))
}
