//! Checks of a patch of the group or of its apps: the types of its values, and rules for single values.
pub mod published;

use crate::dcos::Dcos;
use crate::names::label_fault;
use crate::patch::{self, Place, Rule, Rules};
use serde_json::Value;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;
use tfjob_lang::target::Target;

/// The longest environment variable that Linux passes to a process, in bytes (`MAX_ARG_STRLEN` minus the closing NUL).
const LONGEST: usize = 131_071;

/// Fields for which Marathon has rules about the whole app or the cluster. tfjob cannot check these rules, so it warns of the
/// fields.
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

/// Checks a patch of the apps of a role or, if `is_of_role` is false, of the group.
pub fn judge(is_of_role: bool, text: &str, at: Span) -> Vec<Diagnostic> {
    let rules = Rules {
        target: Dcos::NAME,
        root: if is_of_role { &published::APP } else { &published::GROUP },
        rule: &rule,
        validator: ("Marathon", "compare it with the documentation of the cluster's Marathon"),
    };
    patch::check(&rules, text, at)
}

/// Checks one value of an app or of the group.
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

/// Returns why a patch cannot set a field that decides which apps the group contains: the group must contain one app for each task
/// of the job. `None` for any other field.
fn group(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    match (place.owner, place.field) {
        (_, "dependencies") => {
            Some("cannot be patched, because Marathon waits forever for a missing app: use `after`")
        }
        ("Group", "apps") => {
            Some("cannot be patched, because the patch would replace all apps: patch the role instead")
        }
        ("Group", "groups") if !value.is_null() => Some("cannot be patched: submit other groups separately"),
        ("Group", "scaleBy") if !value.is_null() => {
            Some("cannot be patched, because each task is a separate app: set `count`")
        }
        (_, "version" | "versionInfo") if !value.is_null() => Some("is set by Marathon"),
        _ => None,
    }
}

/// Returns why a patch cannot set a value: the spec has a field for it, or it conflicts with a value of the spec. `None` if neither
/// is the case.
fn not_of_a_patch(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let filled =
        |value: &Value| !matches!(value, Value::Null) && value.as_array().is_none_or(|all| !all.is_empty());
    match (place.owner, place.field, place.key) {
        ("App", "env", Some("TF_CONFIG")) => {
            Some("cannot be patched: each task needs its own value, with its own index")
        }
        ("App", "cmd", _) => Some("cannot be patched: use `run` or `shell`"),
        ("App", "args", None) if filled(value) => {
            Some("excludes `cmd`, which starts the program: use `run` or `shell`")
        }
        ("App", "instances", _) if value != 1 => {
            Some("must be 1, because each task is a separate app: set `count`")
        }
        ("App", "ports", None) if filled(value) => {
            Some("excludes `portDefinitions`, which each app has: use `port`")
        }
        ("App", "ipAddress", _) if filled(value) => {
            Some("excludes `networks`, which each app has: use `network`")
        }
        ("App", "requirePorts", _) if value != true => {
            Some("must be true: otherwise tasks get other ports than those that their peers connect to")
        }
        ("App", "acceptedResourceRoles", None) if value.as_array().is_some_and(Vec::is_empty) => {
            Some("must contain at least one role, such as `*`")
        }
        _ => None,
    }
}

/// Returns why Marathon rejects or drops a value in an app with container type `MESOS` (`AppValidation.validOldContainerAPI`).
/// `None` if it does neither.
fn other_runtime(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let filled = !matches!(value, Value::Null) && value.as_array().is_none_or(|all| !all.is_empty());
    match (place.owner, place.field) {
        ("Container", "type") if value != "MESOS" => Some(
            "must be `MESOS`: the Docker runtime does not support GPUs, registry secrets, and `linuxInfo`",
        ),
        ("Container", "appc") if filled => Some("is not supported by Marathon 1.9 and later: use `image`"),
        ("DockerContainer", "credential" | "network" | "parameters" | "portMappings") if filled => {
            Some("is for the Docker runtime: Marathon rejects it with `type: MESOS`")
        }
        ("DockerContainer", "privileged") if value == true => {
            Some("is for the Docker runtime: Marathon drops it with `type: MESOS`")
        }
        _ => None,
    }
}

/// Returns the error in a field that accepts values of two types. `None` if the value is valid, or for any other field.
fn either(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let keys = |known: &[&str]| {
        value.as_object().is_some_and(|map| map.keys().all(|key| known.contains(&key.as_str())))
    };
    match (place.owner, place.field) {
        ("App", "env") if place.key.is_some() => {
            let secret = keys(&["secret"]) && value["secret"].as_str().is_some_and(|name| !name.is_empty());
            (!value.is_string() && !value.is_null() && !secret)
                .then_some("must be a string, or `secret: NAME`")
        }
        ("ResourceLimits", _) => (!value.is_null() && !value.is_number() && value != "unlimited")
            .then_some("must be a number or `unlimited`"),
        ("App", "unreachableStrategy") => {
            let whole = |value: &Value| value.is_u64();
            let replaced = keys(&["inactiveAfterSeconds", "expungeAfterSeconds"])
                && value.as_object().is_some_and(|map| map.values().all(whole));
            (!replaced && value != "disabled" && !value.is_null()).then_some(
                "must be `disabled`, or have `inactiveAfterSeconds` and `expungeAfterSeconds`, both integers",
            )
        }
        ("CommandCheck", "command") if place.key.is_none() => {
            let shell = keys(&["shell"]) && value["shell"].as_str().is_some_and(|text| !text.is_empty());
            let argv = keys(&["argv"]) && value["argv"].as_array().is_some_and(|words| !words.is_empty());
            (!shell && !argv).then_some("must be `shell: TEXT` or `argv: [ARGUMENT]`")
        }
        _ => None,
    }
}

/// Returns the error for an empty string in a field where Marathon requires at least one character, otherwise `None`.
fn empty(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let required = matches!(
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
    (required && value == "").then_some("cannot be empty")
}

/// Returns the error in the name of a port or an environment variable, or in the path of an executor. Also returns an error for a
/// text that is too long for Linux. `None` if there is no such error.
fn named(place: &Place<'_>, value: &Value) -> Option<&'static str> {
    let text = value.as_str().unwrap_or_default();
    if place.path.len() + text.len() > LONGEST {
        return Some("is too long: Linux allows at most 131071 bytes in a variable or a command");
    }
    match (place.owner, place.field, place.key) {
        ("App", "env", Some(name)) => {
            (name.is_empty() || name.contains('=')).then_some("is not a valid name of a variable")
        }
        ("PortDefinition" | "ContainerPortMapping", "name", _) | ("ReadinessCheck", "portName", _) => {
            let letter = text.starts_with(|c: char| c.is_ascii_lowercase());
            (value.is_string() && !(letter && label_fault(text).is_none()))
                .then_some("must start with a letter and contain only `a` to `z`, digits, and inner `-`")
        }
        ("App", "executor", _) => {
            let steps = |path: &str| path.split('/').all(|step| !step.is_empty());
            (!matches!(text, "" | "//cmd") && !steps(text.strip_prefix('/').unwrap_or(text)))
                .then_some("must be `//cmd` or the path of a program on the agent")
        }
        _ => None,
    }
}

/// Returns the error for a number that is out of range, otherwise `None`. The default minimum is 0.
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
        (true, _) if most == f64::MAX => Some(format!("must be at least {least}")),
        (false, false) => None,
        _ => Some(format!("must be from {least} to {most}")),
    }
}
