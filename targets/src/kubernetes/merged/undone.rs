//! Fields that a patch adds, and by which a line of the spec loses its effect: no value of that line is overridden.
use super::word;
use crate::kubernetes::context::Context;
use crate::kubernetes::operator;
use crate::patch::Merged;
use tfjob_lang::ask::{Ask, Lifecycle, Loss, Placement, Resources};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::sources::Span;

/// Variables by which the container runtime and CUDA hide GPUs, and the values that hide all of them.
const VISIBLE: [&str; 2] = ["CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"];
const NONE: [&str; 4] = ["", "-1", "none", "void"];

/// Judges the policies of the whole job.
pub fn policies(plan: &Plan, merged: &mut Merged<'_>) {
    const DEADLINE: &str = "/spec/runPolicy/activeDeadlineSeconds";
    const BACKOFF: &str = "/spec/runPolicy/backoffLimit";
    let mut told = None;
    for asked in &plan.asks {
        if let (Ask::Lifecycle(Lifecycle::Deadline { seconds }), Some(set)) =
            (&asked.ask, merged.at(DEADLINE).as_u64())
            && operator::final_pods(plan)
            && set < *seconds
        {
            let fact = format!(
                "the patch sets `activeDeadlineSeconds: {set}`, which ends the job before `deadline`"
            );
            merged.contrary(DEADLINE, asked.at, &fact, "write the time in `deadline` alone");
        }
        if let Ask::Lifecycle(Lifecycle::Restart { role, after: Loss::Process, restart }) = &asked.ask
            && let Some(limit) = merged.at(BACKOFF).as_u64()
            && operator::native_policy(plan, *role, restart).is_some()
            && told.replace(asked.at) != Some(asked.at)
        {
            let fact = format!(
                "the patch sets `backoffLimit: {limit}`: the operator fails the job after as many restarts of all its containers, and `restart` has no limit"
            );
            merged.contrary(BACKOFF, asked.at, &fact, "remove `backoffLimit` from the patch");
        }
    }
}

/// Judges the Pods of a role; `spec`: the pointer to what each of them is.
pub fn pods(spec: &str, case: &Context<'_>, id: RoleId, merged: &mut Merged<'_>) {
    for asked in &case.plan.asks {
        if matches!(asked.ask, Ask::Lifecycle(Lifecycle::Gang))
            && case.options.gang.is_some()
            && case.plan.tasks() > 1
        {
            scheduled(spec, case, asked.at, merged);
            bound(spec, "start gang", asked.at, merged);
        }
        if matches!(asked.ask, Ask::Placement(Placement::Spread { role, .. }) if role == id) {
            bound(spec, "spread", asked.at, merged);
        }
        if matches!(asked.ask, Ask::Resources(Resources::Gpus { role, count }) if role == id && count > 0) {
            blind(spec, asked.at, merged);
        }
    }
}

/// Another scheduler than the gang's: the operator keeps it (`isCustomSchedulerSet` in `common/pod.go` of 1.9.4).
fn scheduled(spec: &str, case: &Context<'_>, asked: Span, merged: &mut Merged<'_>) {
    let at = format!("{spec}/schedulerName");
    let name = merged.at(&at).as_str().unwrap_or_default();
    if name.is_empty() || case.options.volcano() && name == "volcano" {
        return;
    }
    let fact = if case.options.volcano() {
        format!(
            "the patch sets `schedulerName: {name}`, which the operator keeps: unless that is Volcano, it reads no PodGroup and places the Pods one by one, whatever `start gang` asks for"
        )
    } else {
        format!(
            "the patch sets `schedulerName: {name}`, which the operator keeps: unless that scheduler has the coscheduling plugin, it places the Pods one by one, whatever `start gang` asks for"
        )
    };
    merged.contrary(&at, asked, &fact, "remove `schedulerName` from the patch: the operator sets it");
}

/// A node by its name: such a Pod is never given to a scheduler.
fn bound(spec: &str, feature: &str, asked: Span, merged: &mut Merged<'_>) {
    let at = format!("{spec}/nodeName");
    if let Some(node) = merged.at(&at).as_str().filter(|name| !name.is_empty()) {
        let fact = format!(
            "the patch sets `nodeName: {node}`, which bypasses the scheduler: `{feature}` has no effect"
        );
        let help =
            "remove `nodeName` from the patch; `place { node \"KEY\" \"VALUE\" }` selects nodes by a label";
        merged.contrary(&at, asked, &fact, help);
    }
}

/// A variable that hides the GPUs that `gpus` reserves.
fn blind(spec: &str, asked: Span, merged: &mut Merged<'_>) {
    let main = merged.items(&format!("{spec}/containers")).find(|(_, c)| word(c, "name") == "tensorflow");
    let Some((main, _)) = main else { return };
    for (at, variable) in merged.items(&format!("{main}/env")) {
        let (name, value) = (word(variable, "name"), word(variable, "value"));
        if VISIBLE.contains(&name) && variable["valueFrom"].is_null() && NONE.contains(&value) {
            let fact = format!("the patch sets `{name}: \"{value}\"`, which hides the GPUs of `gpus`");
            merged.contrary(
                &format!("{at}/name"),
                asked,
                &fact,
                "remove the variable from the patch, or remove `gpus`",
            );
        }
    }
}
