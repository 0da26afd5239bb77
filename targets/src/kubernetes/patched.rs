//! What Kubernetes and the operator ask of a patch's values beyond their types: a TFJob with any of these is created, and
//! then its Pods or Services are refused at every attempt.
use super::grammar::{is_extended_resource, is_label, is_label_value, is_port_name, is_qualified};
use serde_json::Value;

/// What is wrong with a value at a path.
#[must_use]
pub fn fits(path: &str, value: &Value) -> Option<&'static str> {
    let text = value.as_str().unwrap_or_default();
    let number = value.as_i64();
    if number.is_some_and(|number| number < 0) {
        return Some("is never negative");
    }
    if value.is_null() || value.is_array() {
        return gone(path);
    }
    if let Some(fault) = keyed(path, text) {
        return fault;
    }
    let key = path.rsplit('.').next().unwrap_or_default();
    let named = |list: &str| path.rsplit('.').nth(1).is_some_and(|parent| parent.starts_with(list));
    match key {
        "activeDeadlineSeconds" | "backoffLimit" if number == Some(0) => {
            Some("fails the job before anything runs: it is at least 1")
        }
        "enableDynamicWorker" => {
            Some("leaves peers out of TF_CONFIG: the tasks would not agree on who they are")
        }
        "restartPolicy" => Some("is what `restart` says: how the job ends is written for it"),
        "managedBy" => {
            let known = ["kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue"].contains(&text);
            (!known).then_some("is `kubeflow.org/training-operator` or `kueue.x-k8s.io/multikueue`")
        }
        "image" => {
            (text.is_empty() || text.contains(char::is_whitespace)).then_some("is an image without blanks")
        }
        "mountPath" | "workingDir" => {
            let whole = text.starts_with('/') && !(key == "mountPath" && text.contains(':'));
            (!whole).then_some("is an absolute path without a colon")
        }
        "containerPort" if number == Some(2222) => {
            Some("cannot be 2222: the operator adds a port of that number, and the Service is refused")
        }
        "containerPort" | "hostPort" | "port" => {
            (!number.is_some_and(|n| (1..=65_535).contains(&n))).then_some("is a port from 1 to 65535")
        }
        "name" if named("ports[") && text == "tfjob-port" => {
            Some("is the rendezvous' own port: its number is in every task's TF_CONFIG")
        }
        "name" if named("ports[") => {
            (!is_port_name(text)).then_some("is no name of a port: at most 15 of `a` to `z`, digits and `-`")
        }
        "name" if named("volumes[") || named("volumeMounts[") => (!is_label(text))
            .then_some("is no name of a volume: `a` to `z`, digits and inner `-`, at most 63"),
        "name" if named("env[") => variable(text),
        "key" if named("tolerations[") => (!is_qualified(text)).then_some("is no key of a taint"),
        _ => None,
    }
}

/// What a job cannot be without: a role that is removed leaves a job where nothing ever happens.
fn gone(path: &str) -> Option<&'static str> {
    let mut steps = path.rsplit('.');
    let key = steps.next().unwrap_or_default();
    let role = steps.next() == Some("tfReplicaSpecs");
    let needed =
        ["spec", "template", "tfReplicaSpecs", "containers", "image", "restartPolicy"].contains(&key);
    let ours = ["volumes", "volumeMounts", "initContainers", "env"].contains(&key);
    if ours {
        return Some("cannot be removed as a whole: what the job itself needs is among it");
    }
    (role || needed).then_some("cannot be removed")
}

/// Maps whose keys have a grammar. `Some`: it is one of them, and this is what is wrong.
fn keyed(path: &str, text: &str) -> Option<Option<&'static str>> {
    let below = |map: &str| path.split_once(map).map(|(_, key)| key);
    if let Some(key) = below("labels.").or_else(|| below("nodeSelector.")).or_else(|| below("matchLabels.")) {
        let fault = !is_qualified(key) || !is_label_value(text);
        return Some(fault.then_some("is no label: letters, digits, `-`, `_` and `.`, at most 63"));
    }
    if let Some(key) = below("annotations.") {
        return Some((!is_qualified(key)).then_some("is no key of an annotation"));
    }
    let name = below("limits.").or_else(|| below("requests."))?;
    let own =
        ["cpu", "memory", "ephemeral-storage", "storage"].contains(&name) || name.starts_with("hugepages-");
    if own {
        return Some((!is_quantity(text)).then_some("is no quantity: such as \"1500m\" or \"16Gi\""));
    }
    if !is_extended_resource(name) {
        return Some(Some("is no resource: its name has a domain, such as `nvidia.com/gpu`"));
    }
    let whole = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    Some((!whole).then_some("is counted in whole numbers"))
}

/// A number with a suffix that Kubernetes knows; a thousandth of a byte is none.
fn is_quantity(text: &str) -> bool {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let known = ["", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    number.parse::<f64>().is_ok() && known.contains(&suffix)
}

fn variable(name: &str) -> Option<&'static str> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if name == "TF_CONFIG" {
        return Some("cannot be `TF_CONFIG`: the operator's own comes last and wins");
    }
    let plain = name.bytes().all(word) && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    (!plain).then_some("is no name of a variable")
}
