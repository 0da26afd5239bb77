//! Checks of single values of a patch by the rules of the training operator. [`crate::pod::patched`] adds the rules of Pods.
//! [`crate::patch`] checks the types of the values.
use crate::patch::{Place, Rule};
use crate::pod::patched::{self, Own, between, subdomain, word};
use crate::pod::quantity::Quantity;
use serde_json::Value;

const OWN: Own = Own {
    owned,
    needed: &[
        ("TFJob", "metadata"),
        ("TFJob", "spec"),
        ("TFJobSpec", "tfReplicaSpecs"),
        ("ReplicaSpec", "template"),
        ("ReplicaSpec", "restartPolicy"),
    ],
    rule: own,
};

/// Returns whether a patch of a job or a role may set a value.
pub fn rule(place: &Place<'_>, value: &Value) -> Rule {
    patched::rule(&OWN, place, value)
}

/// Returns why a patch cannot set a field, or `None` if it can. For example, a property of the spec sets the field, or the operator
/// overwrites it.
fn owned(place: &Place<'_>) -> Option<&'static str> {
    Some(match (place.owner, place.field) {
        ("ReplicaSpec", "replicas") => "is set by `count`",
        ("ReplicaSpec", "restartPolicy") => "is set by `restart`, together with `success`",
        ("PodSpec" | "Container", "restartPolicy") if !place.path.contains("initContainers[") => {
            "is overwritten by the operator; use `restart` instead"
        }
        ("TFJobSpec", "enableDynamicWorker") => {
            "removes peers from TF_CONFIG, so the tasks would not agree on their cluster"
        }
        ("TemplateMeta", "name" | "namespace") if !place.path.contains("volumeClaimTemplate") => {
            "is overwritten by the operator"
        }
        _ => return None,
    })
}

fn own(place: &Place<'_>, value: &Value) -> Option<Rule> {
    let fault = |why: &str| Some(Rule::Fault(why.to_owned()));
    match (place.owner, place.field) {
        ("TFJobSpec", "successPolicy") => Some(word(value, &["", "AllWorkers"])),
        ("TFJob" | "TFJobSpec" | "ReplicaSpec", _) => Some(Rule::Fits),
        ("RunPolicy" | "SchedulingPolicy", _) => Some(policy(place, value)),
        ("TemplateMeta" | "JobMeta", "labels")
            if place.key.is_some_and(|key| key.starts_with("training.kubeflow.org/"))
                && place.path.contains("template.metadata.") =>
        {
            fault("is set by the operator, which overwrites it")
        }
        ("ContainerPort", "name") if value == "tfjob-port" => {
            fault("is reserved for the rendezvous port, which TF_CONFIG of every task contains")
        }
        ("EnvVar", "name") | ("EnvFromSource", "prefix") if value == "TF_CONFIG" => {
            fault("cannot be `TF_CONFIG`, because the operator appends its own value, which takes precedence")
        }
        _ => None,
    }
}

fn policy(place: &Place<'_>, value: &Value) -> Rule {
    match place.field {
        "activeDeadlineSeconds" | "backoffLimit" if value.as_i64() == Some(0) => {
            Rule::Fault("fails the job before any pod runs; the minimum is 1".to_owned())
        }
        "cleanPodPolicy" => word(value, &["Running", "All", "None"]),
        "managedBy" => word(value, &["kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue"]),
        "priorityClass" | "queue" => subdomain(value),
        "minResources" if place.key.is_some() => match Quantity::of(value) {
            Some(amount) if !amount.is_negative() => Rule::Fits,
            _ => Rule::Fault("must be a quantity, such as `1500m` or `16Gi`".to_owned()),
        },
        "suspend" => Rule::Fits,
        _ if value.is_number() => between(value, 0, i64::MAX),
        _ => Rule::Fits,
    }
}
