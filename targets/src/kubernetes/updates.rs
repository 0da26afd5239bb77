//! What Kubernetes and the training operator do if a manifest of a submitted job changes.
//!
//! `targets/conformance/live` applies each kind of change to a running job, on Kubernetes 1.36.3 with training-operator 1.9.4, and
//! lists the rules that it cannot prove.
mod known;

use super::rules::argocd::{FLUX_FORCE, SYNC_OPTIONS};
use crate::pod::context::without_digest;
use crate::pod::lower::{HOOK, WAVE};
use crate::pod::quantity::Quantity;
use crate::pod::shim;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::digest;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::target::{Change, Effect, Lack, Staying, UpdateRule, Updates, is_equal};

/// The updates of this target.
pub const UPDATES: Updates = Updates {
    rules: RULES,
    removed: Some(&REMOVED),
    tools: TOOLS,
    replacement,
    evidence: "Observed on Kubernetes 1.36.3 with training-operator 1.9.4 (`targets/conformance/live`), except what Kueue and gang schedulers do.",
    digests: &["/metadata/annotations/tfjob~1spec-digest", TASK_DIGEST],
    object,
    owner,
    is_deleted,
    identity: &["/metadata/name", "/metadata/namespace"],
    reported,
    added: known::ADDED,
    omitted: known::OMITTED,
    equal,
    lacking,
    unreported: |_, _| None,
    staying: Some(Staying { rule: &STAYING, stays }),
};

/// The annotation with the digest of the tasks.
const TASK_DIGEST: &str = "/metadata/annotations/tfjob~1task-digest";

/// An artifact of which the new version has no file.
const REMOVED: UpdateRule = UpdateRule::new(
    "*",
    "**",
    Effect::InPlace,
    "the objects of this file stay until somebody deletes them, or a GitOps tool that prunes",
);

/// What Argo CD does with a job whose name has a digest, with a hook, and with a job whose option `argocd` changes; what Flux and Argo CD
/// do with a job that an annotation lets them replace.
const TOOLS: &[UpdateRule] = &[REPLACED, HOOKED, OVERLAPPED, FORCED_BY_FLUX, FORCED_BY_ARGO_CD];

const REPLACED: UpdateRule = UpdateRule::by_tool(
    "with `argocd`, the name of the job ends with a digest of its spec: Argo CD creates another job, and deletes the old one",
    "Argo CD replaces the job, if the application prunes",
)
.implying(&["/metadata/name"]);

const HOOKED: UpdateRule = UpdateRule::by_tool(
    "with `argocd hook=…`, Argo CD deletes the old job before it creates the new one",
    "Argo CD replaces the job at each synchronization",
);

/// `targets/conformance/argocd/scenarios` shows this for an added `argocd`, a lower `wave`, and an added `PreSync` hook or a removed one.
/// Not observed: other hooks, and a removed `argocd`, after which no earlier wave waits for the deletion of the old job.
const OVERLAPPED: UpdateRule = UpdateRule::by_tool(
    "after this change of `argocd`, Argo CD creates the new job before the Pods of the old one are gone",
    "delete the old job before you merge the change: Argo CD would run both",
);

/// `replaced_with_annotation`, `replaced_for_its_configmap`, and `changed_without_policy` in `targets/conformance/flux/scenarios` show this.
const FORCED_BY_FLUX: UpdateRule = UpdateRule::by_tool(
    "with `kustomize.toolkit.fluxcd.io/force`, Flux deletes a job whose change the API server rejects, and creates it again; without \
     `immutable-jobs.yaml`, the API server accepts the change, but running Pods keep the old value",
    "Flux deletes the job and creates it again, if the cluster has the policy `immutable-jobs.yaml`",
);

/// `policy` in `targets/conformance/argocd/scenarios` shows this.
const FORCED_BY_ARGO_CD: UpdateRule = UpdateRule::by_tool(
    "with `Force=true`, Argo CD deletes a job whose change the API server rejects, and creates it again; without \
     `immutable-jobs.yaml`, the API server accepts the change, but running Pods keep the old value",
    "Argo CD deletes the job and creates it again, if the cluster has the policy `immutable-jobs.yaml`",
);

/// A value that somebody has set in the cluster. `applied` in `targets/conformance/live_runs/kubernetes_changes.py` shows this.
const STAYING: UpdateRule = UpdateRule::by_tool(
    "the manifest that was applied last does not contain this value, so `kubectl apply` and Argo CD leave it",
    "remove the value in the cluster, or write it in the spec",
)
.with(Effect::InPlace);

/// The annotation with the manifest that `kubectl apply` and Argo CD have applied last.
const APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

/// Returns whether the last applied manifest does not contain a value. A list is replaced as a whole, so its values do not stay.
fn stays(live: &Value, pointer: &str) -> bool {
    let applied = || serde_json::from_str::<Value>(live.pointer(APPLIED)?.as_str()?).ok();
    let Some(applied) = applied() else { return false };
    let is_same = applied.pointer("/metadata/name") == live.pointer("/metadata/name");
    let is_in_list = pointer.split('/').any(|step| step.parse::<usize>().is_ok());
    is_same && !is_in_list && applied.pointer(pointer).is_none()
}

/// Returns what a tool does with the TFJob or the ConfigMap of a job whose TFJob has an annotation for it. The policy rejects another
/// digest of the tasks, and other replicas.
fn forced(job: &Lowered, old: &Value, new: &Value) -> Option<&'static UpdateRule> {
    const TASKS: [&str; 2] = [TASK_DIGEST, "/spec/tfReplicaSpecs"];
    let kind = |document: &Value| document.get("kind").and_then(Value::as_str).map(str::to_owned);
    match kind(new)?.as_str() {
        "TFJob" if TASKS.iter().all(|tasks| old.pointer(tasks) == new.pointer(tasks)) => return None,
        "TFJob" | "ConfigMap" => {}
        _ => return None,
    }
    let mut files = job.artifacts.iter().flat_map(|artifact| &artifact.documents);
    let tfjob = files.find(|file| kind(&file.value).is_some_and(|kind| kind == "TFJob"))?;
    let annotation = |key: &str| tfjob.value.pointer("/metadata/annotations")?.get(key)?.as_str();
    let is_option = |options: &str| options.split(',').any(|option| option.trim() == "Force=true");
    if annotation(SYNC_OPTIONS).is_some_and(is_option) {
        return Some(&FORCED_BY_ARGO_CD);
    }
    (annotation(FLUX_FORCE) == Some("enabled")).then_some(&FORCED_BY_FLUX)
}

/// Returns what a tool does with an object of the old version.
fn replacement(job: &Lowered, old: &Value, new: &Value) -> Option<&'static UpdateRule> {
    let text =
        |document: &Value, key: &str| Some(document.pointer("/metadata")?.get(key)?.as_str()?.to_owned());
    let annotation = |document: &Value, key: &str| {
        Some(document.pointer("/metadata/annotations")?.get(key)?.as_str()?.to_owned())
    };
    if text(old, "namespace") != text(new, "namespace") {
        return None;
    }
    let (old_name, new_name) = (text(old, "name")?, text(new, "name")?);
    let job_of = |name: &str| without_digest(name).map(|(job, rest)| format!("{job}{rest}"));
    let (old_job, new_job) = (job_of(&old_name), job_of(&new_name));
    let is_same_job = old_job.as_ref().unwrap_or(&old_name) == new_job.as_ref().unwrap_or(&new_name);
    match (annotation(old, HOOK), annotation(new, HOOK)) {
        (Some(_), Some(_)) => return (old_name == new_name).then_some(&HOOKED),
        (Some(_), None) | (None, Some(_)) => return is_same_job.then_some(&OVERLAPPED),
        (None, None) => {}
    }
    if old_name == new_name {
        return forced(job, old, new);
    }
    if is_same_job && new_job.is_none() && has_digest(old) {
        return Some(&OVERLAPPED);
    }
    if !is_same_job || !is_in_wave(job) {
        return None;
    }
    new_job?;
    let wave =
        |document: &Value| annotation(document, WAVE).and_then(|wave| wave.parse().ok()).unwrap_or(0_i64);
    let is_overlapped = old_job.is_none() || wave(new) < wave(old);
    Some(if is_overlapped { &OVERLAPPED } else { &REPLACED })
}

/// Returns whether the name of a TFJob ends with its digest: that of another job may end like one.
fn has_digest(tfjob: &Value) -> bool {
    let name = tfjob.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let digest = tfjob.pointer(TASK_DIGEST).and_then(Value::as_str);
    digest.is_some_and(|digest| name.ends_with(&format!("-{}", digest::short(digest))))
}

/// Returns whether the ConfigMap of a job is in a sync wave, as that of each job with `argocd` without a hook.
fn is_in_wave(job: &Lowered) -> bool {
    let mut files = job.artifacts.iter().flat_map(|artifact| &artifact.documents);
    files.any(|file| {
        let annotations = file.value.pointer("/metadata/annotations");
        object(&file.value).is_some_and(|name| name.starts_with("ConfigMap "))
            && annotations.is_some_and(|all| all.get(WAVE).is_some())
    })
}

/// The rules. The first one that matches decides.
const RULES: &[UpdateRule] = &[
    // `kubectl replace` of another name answers "not found", and `kubectl apply` creates a second object.
    UpdateRule::new(
        "*",
        "/metadata/name",
        Effect::Recreate,
        "another name is another object: the old one stays until it is deleted",
    ),
    UpdateRule::new(
        "*",
        "/metadata/namespace",
        Effect::Recreate,
        "another namespace means another object: the old one stays until it is deleted",
    ),
    // Not observed: Kueue does not run in the tests.
    UpdateRule::new(
        "tfjob.yaml",
        "/metadata/labels/kueue.x-k8s.io~1queue-name",
        Effect::Rejected,
        "Kueue rejects another queue unless the job is suspended",
    ),
    UpdateRule::new(
        "tfjob.yaml",
        "/metadata/**",
        Effect::InPlace,
        "only the TFJob object changes; its Pods keep their labels and annotations",
    ),
    // The rule of the CRD compares the old value with the new one. It does not apply if one of them is unset.
    UpdateRule::new(
        "tfjob.yaml",
        "/spec/runPolicy/schedulingPolicy/queue",
        Effect::Rejected,
        "the API server rejects the change: the field is immutable",
    )
    .only(Change::Replaced),
    // The webhook of the operator answers 403.
    UpdateRule::new(
        "tfjob.yaml",
        "/spec/runPolicy/managedBy",
        Effect::Rejected,
        "the webhook of the operator rejects the change: the field is immutable",
    ),
    UpdateRule::new(
        "tfjob.yaml",
        "/spec/runPolicy/schedulingPolicy/**",
        Effect::Recreate,
        "the API server accepts the change, but the pod group of the running job was created from the old value",
    ),
    UpdateRule::new(
        "tfjob.yaml",
        "/spec/runPolicy/suspend",
        Effect::Restart,
        "the operator deletes the Pods of a suspended job, and creates new ones when the job is resumed",
    ),
    UpdateRule::new(
        "tfjob.yaml",
        "/spec/runPolicy/**",
        Effect::InPlace,
        "the operator reads the run policy at the next event of the job",
    ),
    UpdateRule::new(
        "tfjob.yaml",
        "/spec/successPolicy",
        Effect::InPlace,
        "the operator reads the success policy whenever a Pod ends",
    ),
    // With each restart policy, the operator counts the Pod that it deletes as failed.
    UpdateRule::new(
        "tfjob.yaml",
        "/spec/tfReplicaSpecs/*/replicas",
        Effect::Recreate,
        "running Pods keep the old list of peers if the operator adds Pods, and the job fails if it removes a running Pod",
    ),
    UpdateRule::new(
        "tfjob.yaml",
        "/spec/**",
        Effect::Recreate,
        "the API server accepts the change, also from a GitOps tool, but running Pods keep the old value",
    ),
    UpdateRule::new(
        "configmap.yaml",
        "/metadata/**",
        Effect::InPlace,
        "only the metadata of the ConfigMap changes",
    ),
    UpdateRule::new(
        "configmap.yaml",
        "/**",
        Effect::Recreate,
        "Pods read their files when a task starts, so running and restarted tasks would differ",
    ),
    UpdateRule::new(
        "tensorboard.yaml",
        "/metadata/**",
        Effect::InPlace,
        "only the metadata of the object changes",
    ),
    UpdateRule::new(
        "tensorboard.yaml",
        "/spec/selector/matchLabels/**",
        Effect::Rejected,
        "the API server rejects another selector of a Deployment: the field is immutable",
    ),
    UpdateRule::new(
        "tensorboard.yaml",
        "/spec/template/**",
        Effect::Restart,
        "Kubernetes replaces the Pod of TensorBoard; the tasks of the job are not affected",
    ),
    UpdateRule::new(
        "tensorboard.yaml",
        "**",
        Effect::InPlace,
        "Kubernetes creates, updates, or deletes TensorBoard; the tasks of the job are not affected",
    ),
    UpdateRule::new("*", "**", Effect::Recreate, "the file is created, changed, or deleted with the job"),
];

/// Returns whether the API server is deleting an object.
fn is_deleted(object: &Value) -> bool {
    object.pointer(known::DELETED).is_some_and(|time| !time.is_null())
}

/// Returns the items of a list, or the object itself.
///
/// # Errors
/// Returns the message of a `Status`, with which the API server refuses a request, or why a list is not complete.
fn reported(answer: &Value) -> Result<Vec<Value>, String> {
    if answer.get("kind").and_then(Value::as_str) == Some("Status") {
        let message = answer.get("message").and_then(Value::as_str).unwrap_or("no message");
        return Err(format!("the API server reports an error: {message}"));
    }
    // Other versions of the job may be on another page.
    if answer.pointer("/metadata/continue").and_then(Value::as_str).is_some_and(|token| !token.is_empty()) {
        return Err(
            "it is one page of a list, with `metadata.continue`: remove `limit` from the request".to_owned()
        );
    }
    let Some(items) = answer.get("items").unwrap_or(answer).as_array() else {
        return Ok(vec![answer.clone()]);
    };
    // The API server omits the kind of the items of a list such as `TFJobList`.
    let list = answer.get("kind").and_then(Value::as_str).unwrap_or_default();
    let kind = list.strip_suffix("List").filter(|kind| !kind.is_empty());
    let typed = |item: &Value| {
        let mut item = item.clone();
        for (key, value) in [("kind", kind), ("apiVersion", answer.get("apiVersion").and_then(Value::as_str))]
        {
            if let (Some(value), Value::Object(fields), true) = (value, &mut item, kind.is_some()) {
                fields.entry(key).or_insert_with(|| value.into());
            }
        }
        item
    };
    Ok(items.iter().map(typed).collect())
}

/// Returns whether two values are equal, in a resource list also as quantities, such as `0.5` and `500m`.
fn equal(pointer: &str, live: &Value, wanted: &Value) -> bool {
    let is_quantity = pointer.split('/').any(|step| matches!(step, "resources" | "sizeLimit"));
    is_equal(live, wanted)
        || is_quantity && Quantity::of(live).is_some_and(|live| Some(live) == Quantity::of(wanted))
}

/// Returns the ConfigMap with the shim, if the job needs it, and it is being deleted, or the answer has all other ConfigMaps of the
/// namespace. An answer that a label or a name selects has no ConfigMap without labels. Kubernetes writes one to each namespace:
/// `kube-root-ca.crt`.
fn lacking(job: &Lowered, objects: &[Value]) -> Vec<Lack> {
    if job.shared.is_empty() {
        return Vec::new();
    }
    let own = job.artifacts.iter().flat_map(|file| &file.documents);
    let spaces: BTreeSet<&str> = own.map(|document| namespace(&document.value)).collect();
    let maps = || {
        let is_map = |object: &Value| object.get("kind").is_some_and(|kind| kind == "ConfigMap");
        objects
            .iter()
            .filter(move |object| is_map(object))
            .filter(|object| spaces.contains(namespace(object)))
    };
    let is_complete = || maps().any(|map| map.pointer("/metadata/labels").is_none());
    let shim = maps().find(|map| map.pointer("/metadata/name").is_some_and(|name| name == shim::NAME));
    let is_deleted = shim.is_some_and(is_deleted);
    let lacks = is_deleted || shim.is_none() && is_complete();
    lacks.then(|| Lack { object: format!("ConfigMap {}", shim::NAME), is_deleted }).into_iter().collect()
}

fn namespace(object: &Value) -> &str {
    object.pointer("/metadata/namespace").and_then(Value::as_str).unwrap_or("default")
}

/// Returns the name and the namespace of the job that a label of the object names. The operator labels the objects that a TFJob owns.
fn owner(document: &Value) -> Option<[String; 2]> {
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str);
    if text("/metadata/labels/app.kubernetes.io~1managed-by") != Some("tfjob")
        || document.pointer("/metadata/ownerReferences").is_some()
    {
        return None;
    }
    let name = text("/metadata/labels/app.kubernetes.io~1part-of")?;
    Some([name.to_owned(), namespace(document).to_owned()])
}

/// Returns the kind and the name of an object, such as `TFJob mnist`.
fn object(document: &Value) -> Option<String> {
    let kind = document.get("kind")?.as_str()?;
    let name = document.pointer("/metadata/name")?.as_str()?;
    Some(format!("{kind} {name}"))
}
