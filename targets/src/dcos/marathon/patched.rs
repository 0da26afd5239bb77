//! What a patch of the group or of its apps may set, beyond the types of its values.
pub mod published;

use crate::dcos::Dcos;
use crate::names::label_fault;
use crate::patch::{self, Place, Rule, Rules};
use serde_json::Value;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;
use tfjob_lang::target::Target;

/// The longest variable that Linux passes to a process, with its closing NUL (`MAX_ARG_STRLEN`).
const LONGEST: usize = 131_071;

/// Fields of apps that Marathon has further rules for, about the app as a whole or about the cluster.
const UNCHECKED: [&str; 12] = [
    "acceptedResourceRoles",
    "check",
    "constraints",
    "executor",
    "external",
    "fetch",
    "healthChecks",
    "readinessChecks",
    "residency",
    "role",
    "upgradeStrategy",
    "uris",
];

/// Judges a patch of the group, or of a role's apps.
pub fn judge(is_of_role: bool, text: &str, at: Span) -> Vec<Diagnostic> {
    let rules = Rules {
        target: Dcos::NAME,
        root: if is_of_role { &published::APP } else { &published::GROUP },
        rule: &rule,
        validator: ("Marathon", "compare it with the documentation of the cluster's Marathon"),
    };
    patch::check(&rules, text, at)
}

/// Verdict on one value of an app or of the group.
fn rule(place: &Place<'_>, value: &Value) -> Rule {
    let found = group(place, value)
        .or_else(|| not_of_a_patch(place, value))
        .or_else(|| other_runtime(place, value))
        .or_else(|| either(place, value))
        .or_else(|| empty(place, value))
        .or_else(|| named(place, value));
    let found = found.map(str::to_owned).or_else(|| out_of_range(place, value));
    let whole = !place.path.ends_with(']') && place.key.is_none();
    let plain = place.field == "executor" && matches!(value.as_str(), None | Some("" | "//cmd"));
    match found {
        Some(fault) => Rule::Fault(fault),
        None if whole && UNCHECKED.contains(&place.field) && !plain => Rule::Unchecked,
        None => Rule::Fits,
    }
}

/// A patch of the group: its apps are the tasks of the job, and nothing else.
fn group(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    match (place.owner, place.field) {
        (_, "dependencies") => {
            Some("is what `after` says: Marathon waits for ever for an app that is not there")
        }
        ("Group", "apps") => {
            Some("is the job's own list, which a patch would replace as a whole: patch the role instead")
        }
        ("Group", "groups") if !value.is_null() => Some("holds other services: submit them on their own"),
        ("Group", "scaleBy") if !value.is_null() => {
            Some("changes how often each app runs, and each task is an app of its own: write `count`")
        }
        (_, "version" | "versionInfo") if !value.is_null() => Some("is what Marathon says of its own state"),
        _ => None,
    }
}

/// Values that other lines of the spec set, or that would set what these have set aside.
fn not_of_a_patch(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let filled =
        |value: &Value| !matches!(value, Value::Null) && value.as_array().is_none_or(|all| !all.is_empty());
    match (place.owner, place.field, place.key) {
        ("App", "env", Some("TF_CONFIG")) => {
            Some("is each task's own: one text for all would give them one place in the job")
        }
        ("App", "cmd", _) => Some("is what `run` or `shell` says, quoted for the shell"),
        ("App", "args", None) if filled(value) => Some("excludes `cmd`, which is what `run` or `shell` says"),
        ("App", "instances", _) if value != 1 => Some("is 1: each task is an app of its own"),
        ("App", "ports", None) if filled(value) => {
            Some("excludes `portDefinitions`, which each app has: write `port`")
        }
        ("App", "ipAddress", _) if filled(value) => {
            Some("excludes `networks`, which each app has: write `network`")
        }
        ("App", "requirePorts", _) if value != true => {
            Some("follows from `port`: without it tasks listen on other ports than their peers connect to")
        }
        ("App", "acceptedResourceRoles", None) if value.as_array().is_some_and(Vec::is_empty) => {
            Some("names at least one role, such as `*`")
        }
        _ => None,
    }
}

/// What Marathon refuses or drops in an app of Mesos' own runtime (`AppValidation.validOldContainerAPI`).
fn other_runtime(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let filled = !matches!(value, Value::Null) && value.as_array().is_none_or(|all| !all.is_empty());
    match (place.owner, place.field) {
        ("Container", "type") if value != "MESOS" => {
            Some("is `MESOS`: Docker's own runtime has no GPUs, no secrets of registries and no `linuxInfo`")
        }
        ("Container", "appc") if filled => {
            Some("is an image that Marathon no longer takes since 1.9: write `image`")
        }
        ("DockerContainer", "credential" | "network" | "parameters" | "portMappings") if filled => {
            Some("belongs to Docker's own runtime: Marathon refuses it beside `type: MESOS`")
        }
        ("DockerContainer", "privileged") if value == true => {
            Some("belongs to Docker's own runtime: Marathon drops it beside `type: MESOS`")
        }
        _ => None,
    }
}

/// Values of two types.
fn either(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let keys = |known: &[&str]| {
        value.as_object().is_some_and(|map| map.keys().all(|key| known.contains(&key.as_str())))
    };
    match (place.owner, place.field) {
        ("App", "env") if place.key.is_some() => {
            let secret = keys(&["secret"]) && value["secret"].as_str().is_some_and(|name| !name.is_empty());
            (!value.is_string() && !value.is_null() && !secret).then_some("takes a string, or `secret: NAME`")
        }
        ("ResourceLimits", _) => (!value.is_null() && !value.is_number() && value != "unlimited")
            .then_some("is a number or `unlimited`"),
        ("App", "unreachableStrategy") => {
            let whole = |value: &Value| value.is_u64();
            let replaced = keys(&["inactiveAfterSeconds", "expungeAfterSeconds"])
                && value.as_object().is_some_and(|map| map.values().all(whole));
            (!replaced && value != "disabled" && !value.is_null()).then_some(
                "is `disabled`, or has `inactiveAfterSeconds` and `expungeAfterSeconds`, both whole numbers",
            )
        }
        ("CommandCheck", "command") if place.key.is_none() => {
            let shell = keys(&["shell"]) && value["shell"].as_str().is_some_and(|text| !text.is_empty());
            let argv = keys(&["argv"]) && value["argv"].as_array().is_some_and(|words| !words.is_empty());
            (!shell && !argv).then_some("is `shell: TEXT` or `argv: [WORD]`")
        }
        _ => None,
    }
}

/// Texts that are not empty.
fn empty(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let held = matches!(
        (place.owner, place.field),
        ("DockerContainer", "image")
            | ("AppVolume", "hostPath" | "containerPath" | "secret")
            | ("SecretDef", "source")
            | ("DockerPullConfig", "secret")
            | ("Artifact", "uri" | "destPath")
            | ("App", "role" | "uris")
            | ("PersistentVolumeInfo" | "ExternalVolumeInfo", "profileName" | "name" | "provider")
            | ("ReadinessCheck", "name" | "path")
    );
    (held && value == "").then_some("cannot be empty")
}

/// Names of ports, variables and executors.
fn named(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let text = value.as_str().unwrap_or_default();
    if place.path.len() + text.len() > LONGEST {
        return Some(
            "is longer than Linux passes to a process: at most 131071 bytes in a variable or a command",
        );
    }
    match (place.owner, place.field, place.key) {
        ("App", "env", Some(name)) => (name.is_empty() || name.contains('='))
            .then_some("is no name of a variable: no process can have it"),
        ("PortDefinition" | "ContainerPortMapping", "name", _) | ("ReadinessCheck", "portName", _) => {
            let letter = text.starts_with(|c: char| c.is_ascii_lowercase());
            (value.is_string() && !(letter && label_fault(text).is_none()))
                .then_some("is a name of `a` to `z`, digits and inner `-`, a letter first")
        }
        ("App", "executor", _) => {
            let steps = |path: &str| path.split('/').all(|step| !step.is_empty());
            (!matches!(text, "" | "//cmd") && !steps(text.strip_prefix('/').unwrap_or(text)))
                .then_some("is `//cmd`, or the path of a program on the agent")
        }
        _ => None,
    }
}

/// Numbers, which are 0 or more unless said.
fn out_of_range(place: &Place<'_>, value: &Value) -> Option<String> {
    let number = value.as_f64()?;
    let (least, most) = match (place.owner, place.field) {
        ("ResourceLimits", _) | ("ExternalVolumeInfo", "options") => return None,
        ("App", "cpus") => (0.001, f64::MAX),
        ("App", "backoffFactor")
        | ("PersistentVolumeInfo", "size")
        | ("ReadinessCheck", "timeoutSeconds") => (1.0, f64::MAX),
        ("IPCInfo", "shmSize") => (1.0, f64::MAX),
        ("ExecutorResources", "cpus") => (0.1, f64::MAX),
        ("ExecutorResources", "mem") => (32.0, f64::MAX),
        ("ExecutorResources", "disk") => (10.0, f64::MAX),
        ("UpgradeStrategy", _) => (0.0, 1.0),
        ("ReadinessCheck", "httpStatusCodesForReady") => (100.0, 999.0),
        (_, "port" | "portIndex" | "containerPort" | "hostPort" | "servicePort" | "ports") => (0.0, 65_535.0),
        _ => (0.0, f64::MAX),
    };
    match (number < least, number > most) {
        (true, _) if most == f64::MAX => Some(format!("is at least {least}")),
        (false, false) => None,
        _ => Some(format!("is from {least} to {most}")),
    }
}
