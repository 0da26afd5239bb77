//! Checks of a TFJob after the patches are merged, by the rules of the API server and the operator.
mod ports;

use super::context::Context;
use super::rules::argocd;
use super::support::lifecycle::outlived;
use super::{Kubernetes, operator, published, view};
use crate::patch::Merged;
use crate::patch::published::Kind;
use crate::pod::merged::{self as pods, Role, metadata, objects, undone};
use crate::pod::support::lifecycle::Peers;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::origin::pointer_step;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Lifecycle, Loss, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::Kept;
use tfjob_lang::spec::values::Duration;
use tfjob_lang::target::{Site, Target};

/// Returns the errors in the TFJob after all patches are merged.
pub fn faults(plan: &Plan, site: &Site<Kubernetes>, lowered: &Lowered) -> Vec<Diagnostic> {
    let Some(document) = lowered.artifacts.first().and_then(|a| a.documents.first()) else {
        return Vec::new();
    };
    let mut document = Merged::sparing(Kubernetes::NAME, plan, document, pods::spared);
    judge(&Context::new(plan, site), lowered, &mut document);
    document.done()
}

/// Checks the TFJob and the Pods of every role.
fn judge(context: &Context<'_>, lowered: &Lowered, merged: &mut Merged<'_>) {
    pods::lost("/spec/tfReplicaSpecs/*/template", merged);
    merged.typed("", Kind::Object(&published::TF_JOB), &mut objects::judge);
    metadata::sized("/metadata", "the TFJob", merged);
    kept(context, merged);
    annotated(context, merged);
    policies(context.plan, merged);
    for id in 0..context.plan.roles.len() {
        let name = operator::key(context.plan, id);
        let template = format!("/spec/tfReplicaSpecs/{name}/template");
        gang(&format!("{template}/spec"), context, merged);
        let role = Role {
            id,
            name: &name,
            template: &template,
            who: &view::who(context.plan, merged.at(""), id, 0),
            meets: context.meets(id),
            peers: Peers { need_name: context.needs_name(id), await_end: outlived(context, id) },
            ends: operator::replica_type(context.plan, id).is_some(),
            ports: ports::service,
        };
        pods::judge(&context.pod, lowered, &role, merged);
    }
}

/// Warns if a patch limits how long finished Pods are kept, although `keep` sets no limit. With `argocd`, a limit is an error.
fn kept(context: &Context<'_>, merged: &mut Merged<'_>) {
    const TTL: &str = "/spec/runPolicy/ttlSecondsAfterFinished";
    let plan = context.plan;
    if context.options.replaced_in_wave().is_some() && !merged.at(TTL).is_null() {
        let fact = "`ttlSecondsAfterFinished` deletes the finished TFJob, and with `argocd`, Argo CD creates it again";
        merged.fault(&[TTL], fact);
        return;
    }
    let stays = |requirement: &Requirement| {
        matches!(
            requirement,
            Requirement::Lifecycle(Lifecycle::Keep { what: Kept::Failed | Kept::All, seconds: None })
        )
    };
    let Some(required) = plan.requirements.iter().find(|required| stays(&required.requirement)) else {
        return;
    };
    if let Some(seconds) = merged.at(TTL).as_i64() {
        let fact = "the patch sets `ttlSecondsAfterFinished`, so the operator deletes the pods and logs that `keep` retains";
        let help = match seconds {
            1.. => format!(
                "set the time in `keep`, with `for=\"{}\"`, or remove `ttlSecondsAfterFinished` from the patch",
                Duration::from_seconds(u32::try_from(seconds).unwrap_or(u32::MAX))
            ),
            _ => "remove `ttlSecondsAfterFinished` from the patch, or remove `keep`".to_owned(),
        };
        merged.contrary(TTL, required.at, fact, &help);
    }
}

/// Refuses a patch of an annotation that `argocd` sets, or that contradicts `argocd`.
fn annotated(context: &Context<'_>, merged: &mut Merged<'_>) {
    let Some(argocd) = &context.options.argocd else { return };
    let is_hook = argocd.value.hook.is_some();
    for key in argocd::KEYS {
        let pointer = format!("/metadata/annotations/{}", pointer_step(key));
        let value = merged.at(&pointer).as_str().unwrap_or_default();
        if let Some(fault) = argocd::fault(key, value, is_hook)
            && merged.changed_below(&pointer).is_some()
        {
            merged.fault_in_patch(&[&pointer], &format!("`{key}` {}", fault.why));
        }
    }
}

/// Checks `runPolicy`.
fn policies(plan: &Plan, merged: &mut Merged<'_>) {
    const DEADLINE: &str = "/spec/runPolicy/activeDeadlineSeconds";
    const BACKOFF: &str = "/spec/runPolicy/backoffLimit";
    let mut reported = None;
    for required in &plan.requirements {
        if let (Requirement::Lifecycle(Lifecycle::Deadline { seconds }), Some(set)) =
            (&required.requirement, merged.at(DEADLINE).as_u64())
            && operator::final_pods(plan)
            && set < *seconds
        {
            let fact = format!(
                "the patch sets `activeDeadlineSeconds: {set}`, which stops the job before `deadline`"
            );
            merged.contrary(
                DEADLINE,
                required.at,
                &fact,
                "remove `activeDeadlineSeconds` from the patch, and set the time in `deadline`",
            );
        }
        if let Requirement::Lifecycle(Lifecycle::Restart { role, after: Loss::Process, restart }) =
            &required.requirement
            && let Some(limit) = merged.at(BACKOFF).as_u64()
            && operator::native_policy(plan, *role, restart).is_some()
            && reported.replace(required.at) != Some(required.at)
        {
            let fact = format!(
                "`restart` has no `limit`, but the patch sets `backoffLimit: {limit}`: the operator fails the job after {limit} restarts, counted over all pods"
            );
            merged.contrary(BACKOFF, required.at, &fact, "remove `backoffLimit` from the patch");
        }
    }
}

/// Checks for fields of a Pod spec that bypass the gang scheduler. `spec`: JSON pointer to the Pod spec of a role.
fn gang(spec: &str, context: &Context<'_>, merged: &mut Merged<'_>) {
    if context.options.gang.is_none() || context.plan.tasks() <= 1 {
        return;
    }
    for required in &context.plan.requirements {
        if matches!(required.requirement, Requirement::Lifecycle(Lifecycle::Gang)) {
            scheduled(spec, context, required.at, merged);
            undone::bound(spec, "start gang", required.at, merged);
        }
    }
}

/// Warns of a patch that sets a scheduler other than the gang scheduler. The operator does not overwrite a scheduler that is
/// already set (`isCustomSchedulerSet` in `common/pod.go` of 1.9.4).
fn scheduled(spec: &str, context: &Context<'_>, required: Span, merged: &mut Merged<'_>) {
    let at = format!("{spec}/schedulerName");
    let name = merged.at(&at).as_str().unwrap_or_default();
    if name.is_empty() || context.options.volcano() && name == "volcano" {
        return;
    }
    let fact = if context.options.volcano() {
        format!(
            "`start gang` may have no effect, because the patch sets `schedulerName: {name}`: unless this scheduler is Volcano, it ignores the PodGroup and schedules each pod on its own"
        )
    } else {
        format!(
            "`start gang` may have no effect, because the patch sets `schedulerName: {name}`: unless this scheduler has the coscheduling plugin, it schedules each pod on its own"
        )
    };
    merged.contrary(&at, required, &fact, "remove `schedulerName` from the patch; the operator sets it");
}
