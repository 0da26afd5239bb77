//! What Kubernetes and the training operator do if a manifest of a submitted job changes.
use crate::pod::quantity::Quantity;
use serde_json::Value;
use tfjob_lang::target::{AddedValue, Effect, UpdateRule, Updates, is_empty, is_equal};

/// The updates of this target.
pub const UPDATES: Updates = Updates {
    rules: RULES,
    digests: &["/metadata/annotations/tfjob~1spec-digest"],
    object,
    scopes: &["/metadata/namespace"],
    reported,
    added: ADDED,
    equal,
    omitted: is_empty,
};

/// The rules. The first one that matches decides.
const RULES: &[UpdateRule] = &[
    rule(
        "tfjob.yaml",
        "/metadata/name",
        Effect::Recreate,
        "another name is another TFJob: the old one keeps running until it is deleted",
    ),
    rule(
        "tfjob.yaml",
        "/metadata/namespace",
        Effect::Recreate,
        "another namespace means another TFJob: the old one keeps running until it is deleted",
    ),
    rule(
        "tfjob.yaml",
        "/metadata/**",
        Effect::InPlace,
        "only the TFJob object changes; its Pods keep their labels and annotations",
    ),
    rule(
        "tfjob.yaml",
        "/spec/runPolicy/schedulingPolicy/queue",
        Effect::Rejected,
        "the API server rejects the change: the field is immutable",
    ),
    rule(
        "tfjob.yaml",
        "/spec/runPolicy/managedBy",
        Effect::Rejected,
        "the API server rejects the change: the field is immutable",
    ),
    rule(
        "tfjob.yaml",
        "/spec/runPolicy/schedulingPolicy/**",
        Effect::Recreate,
        "the API server accepts the change, but the pod group of the running job was created from the old value",
    ),
    rule(
        "tfjob.yaml",
        "/spec/runPolicy/**",
        Effect::InPlace,
        "the operator reads the run policy at the next event of the job",
    ),
    rule(
        "tfjob.yaml",
        "/spec/tfReplicaSpecs/*/replicas",
        Effect::Recreate,
        "the operator adds or removes Pods, but running Pods keep the old list of peers",
    ),
    rule(
        "tfjob.yaml",
        "/spec/**",
        Effect::Recreate,
        "the API server accepts the change, but running Pods keep the old value",
    ),
    rule("configmap.yaml", "/metadata/**", Effect::InPlace, "only the metadata of the ConfigMap changes"),
    rule(
        "configmap.yaml",
        "/**",
        Effect::Recreate,
        "Pods read their files when a task starts, so running and restarted tasks would differ",
    ),
    rule("tensorboard.yaml", "/metadata/**", Effect::InPlace, "only the metadata of the object changes"),
    rule(
        "tensorboard.yaml",
        "/spec/selector/**",
        Effect::Rejected,
        "the API server rejects another selector of a Deployment: the field is immutable",
    ),
    rule(
        "tensorboard.yaml",
        "/spec/template/**",
        Effect::Restart,
        "Kubernetes replaces the Pod of TensorBoard; the tasks of the job are not affected",
    ),
    rule(
        "tensorboard.yaml",
        "/**",
        Effect::InPlace,
        "Kubernetes updates TensorBoard; the tasks of the job are not affected",
    ),
    rule("*", "**", Effect::Recreate, "the file is created, changed, or deleted with the job"),
];

const fn rule(file: &'static str, pointer: &'static str, effect: Effect, reason: &'static str) -> UpdateRule {
    UpdateRule { file, pointer, effect, reason }
}

/// Values that the API server and the operator add.
const ADDED: &[AddedValue] = &[
    any("", "/metadata/uid"),
    any("", "/metadata/resourceVersion"),
    any("", "/metadata/generation"),
    any("", "/metadata/creationTimestamp"),
    any("", "/metadata/managedFields"),
    any("", "/metadata/selfLink"),
    any("", "/metadata/finalizers"),
    any("", "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"),
    any("", "/status"),
];

const fn any(object: &'static str, pointer: &'static str) -> AddedValue {
    AddedValue { object, pointer, value: None }
}

/// Returns the items of a list, or the object itself.
fn reported(answer: &Value) -> Vec<Value> {
    match answer.get("items").and_then(Value::as_array) {
        Some(items) => items.clone(),
        None => vec![answer.clone()],
    }
}

/// Returns whether two values are equal, also as quantities such as `0.5` and `500m`.
fn equal(live: &Value, wanted: &Value) -> bool {
    is_equal(live, wanted) || Quantity::of(live).is_some_and(|live| Some(live) == Quantity::of(wanted))
}

/// Returns the kind and the name of an object, such as `TFJob mnist`.
fn object(document: &Value) -> Option<String> {
    let kind = document.get("kind")?.as_str()?;
    let name = document.pointer("/metadata/name")?.as_str()?;
    Some(format!("{kind} {name}"))
}
