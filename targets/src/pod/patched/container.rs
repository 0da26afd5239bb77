//! Checks of patched values in a container.
use super::{
    Place, Quantity, Rule, amount, between, entry, filled, inner, is_variable, label, port, subdomain, text,
    word,
};
use crate::pod::grammar::{is_label, is_port_name, is_qualified};
use serde_json::Value;

/// Pod fields that an environment variable may refer to.
const VARIABLE_FIELDS: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
/// Pod fields that a file of a `downwardAPI` volume may refer to.
const FILE_FIELDS: [&str; 5] =
    ["metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid"];

/// Returns whether a patch may set a value. `None` if another module checks the field.
pub fn rule(place: &Place<'_>, value: &Value) -> Option<Rule> {
    Some(match (place.owner, place.field) {
        ("Container", field) => container(field, value),
        ("ContainerPort", field) => listens(field, value)?,
        ("EnvVar", "name") => variable(value),
        ("EnvVar", "value") => Rule::Fits,
        ("EnvFromSource", "prefix") if value == "" => Rule::Fits,
        ("EnvFromSource", "prefix") => variable(value),
        ("SecretEnvSource" | "ConfigMapEnvSource" | "SecretKeySelector" | "ConfigMapKeySelector", "name") => {
            subdomain(value)
        }
        ("SecretKeySelector" | "ConfigMapKeySelector", "key") => entry(value),
        (
            "SecretEnvSource" | "ConfigMapEnvSource" | "SecretKeySelector" | "ConfigMapKeySelector",
            "optional",
        ) => Rule::Fits,
        ("ObjectFieldSelector", "fieldPath") => field_path(place.path, value),
        ("ObjectFieldSelector", "apiVersion") => text(value, |version| version == "v1", "`v1`"),
        ("ResourceFieldSelector", field) => resource(field, place.path, value),
        ("ResourceRequirements", "limits" | "requests") => match place.key {
            Some(_) if !place.path.contains("ontainers[") => Rule::Unchecked,
            Some(name) => amount(name, value),
            None => Rule::Fits,
        },
        ("ContainerResizePolicy", "resourceName") => word(value, &["cpu", "memory"]),
        ("ContainerResizePolicy", "restartPolicy") => word(value, &["NotRequired", "RestartContainer"]),
        ("VolumeMount", field) => mount(field, value)?,
        ("VolumeDevice", "name") => label(value),
        ("VolumeDevice", "devicePath") => Rule::Unchecked,
        ("Probe", "terminationGracePeriodSeconds") => between(value, 1, i64::MAX),
        ("Probe", "initialDelaySeconds") => between(value, 0, i64::MAX),
        // The API server replaces 0 by the default value in all number fields of a probe, except in the two fields above. So 0 is
        // refused in the other fields, because it would not mean zero.
        ("Probe", _) => between(value, 1, i64::MAX),
        ("ExecAction", "command") => Rule::Fits,
        ("HTTPGetAction" | "TCPSocketAction" | "GRPCAction", "port") => port(value),
        ("HTTPGetAction", "path") => filled(value),
        ("HTTPGetAction" | "TCPSocketAction", "host" | "scheme") | ("GRPCAction", "service") => Rule::Fits,
        ("HTTPHeader", "name") => text(value, is_header, "a valid HTTP header name"),
        ("HTTPHeader", "value") => Rule::Fits,
        ("SleepAction", "seconds") => between(value, 0, i64::MAX),
        // If a feature gate of the cluster is off, the API server drops `stopSignal`.
        ("Lifecycle", "stopSignal") => Rule::Unchecked,
        _ => return None,
    })
}

fn container(field: &str, value: &Value) -> Rule {
    match field {
        "name" => label(value),
        "image" => text(
            value,
            |image| !image.is_empty() && !image.contains(char::is_whitespace),
            "a valid image name",
        ),
        "workingDir" => text(
            value,
            |path| path.is_empty() || path.starts_with('/') && !path.contains(':'),
            "an absolute path without a colon",
        ),
        "restartPolicy" => word(value, &["Always"]),
        "args"
        | "command"
        | "imagePullPolicy"
        | "stdin"
        | "stdinOnce"
        | "terminationMessagePath"
        | "terminationMessagePolicy"
        | "tty" => Rule::Fits,
        _ => Rule::Unchecked,
    }
}

fn listens(field: &str, value: &Value) -> Option<Rule> {
    Some(match field {
        // The number 0 means that there is no host port.
        "hostPort" => between(value, 0, 65_535),
        "containerPort" => between(value, 1, 65_535),
        "name" => {
            text(value, is_port_name, "a valid port name: at most 15 lowercase letters, digits, and `-`")
        }
        "protocol" => Rule::Fits,
        "hostIP" => Rule::Unchecked,
        _ => return None,
    })
}

fn variable(value: &Value) -> Rule {
    let name = value.as_str().unwrap_or_default();
    if name.starts_with("TFJOB_") {
        return Rule::Fault(
            "is reserved: the shim identifies its task by variables with the prefix `TFJOB_`".to_owned(),
        );
    }
    // Only Kubernetes 1.30 and later accept a name that begins with a digit.
    if name.starts_with(|c: char| c.is_ascii_digit()) && is_variable(&format!("_{name}")) {
        return Rule::Unchecked;
    }
    text(value, is_variable, "a valid name of an environment variable")
}

fn field_path(path: &str, value: &Value) -> Rule {
    let file = path.contains("downwardAPI");
    let known: &[&str] = if file { &FILE_FIELDS } else { &VARIABLE_FIELDS };
    let good = |text: &str| {
        let inner = |map: &str| text.strip_prefix(map)?.strip_prefix("['")?.strip_suffix("']");
        known.contains(&text)
            || inner("metadata.labels").is_some_and(is_qualified)
            || inner("metadata.annotations").is_some_and(|key| is_qualified(&key.to_lowercase()))
    };
    let known: Vec<String> = known.iter().map(|field| format!("`{field}`")).collect();
    text(
        value,
        good,
        &format!("one of {}, `metadata.labels['KEY']`, `metadata.annotations['KEY']`", known.join(", ")),
    )
}

fn resource(field: &str, path: &str, value: &Value) -> Rule {
    match field {
        "containerName" => text(
            value,
            |name| is_label(name) || name.is_empty() && !path.contains("downwardAPI"),
            "a valid container name",
        ),
        "resource" => text(value, is_resource_field, "such as `limits.memory` or `requests.cpu`"),
        // The field `divisor`. 0 and 1 are valid for every resource. Whether another divisor is valid depends on the resource.
        _ if value == "1" || value == 1 || value == "0" || value == 0 => Rule::Fits,
        _ => Quantity::of(value)
            .map_or_else(|| Rule::Fault("must be a quantity, such as `1Mi`".to_owned()), |_| Rule::Unchecked),
    }
}

fn is_resource_field(text: &str) -> bool {
    let known = ["cpu", "memory", "ephemeral-storage"];
    let name = text.strip_prefix("limits.").or_else(|| text.strip_prefix("requests."));
    name.is_some_and(|name| known.contains(&name) || name.starts_with("hugepages-"))
}

fn mount(field: &str, value: &Value) -> Option<Rule> {
    Some(match field {
        "name" => label(value),
        "mountPath" => text(
            value,
            |path| path.starts_with('/') && !path.contains(':'),
            "an absolute path without a colon",
        ),
        "subPath" | "subPathExpr" => text(value, inner, "a relative path without `..`"),
        "recursiveReadOnly" => word(value, &["Disabled", "IfPossible", "Enabled"]),
        "mountPropagation" | "readOnly" => Rule::Fits,
        _ => return None,
    })
}

fn is_header(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}
