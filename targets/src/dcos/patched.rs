//! What Marathon and the package ask of a patch's values beyond their types.
use serde_json::Value;

/// The longest variable that Linux passes to a process, with its closing NUL (`MAX_ARG_STRLEN`).
const LONGEST: usize = 131_071;

/// What is wrong with a value of an app or of the group.
#[must_use]
pub fn marathon(path: &str, value: &Value) -> Option<&'static str> {
    let small = |least: f64| value.as_f64().is_some_and(|number| number < least);
    if path.starts_with("apps") {
        return Some("is the job's own list, which a patch would replace as a whole: patch the role instead");
    }
    if path.starts_with("dependencies") {
        return Some("is what `after` says: Marathon waits for ever for an app that is not there");
    }
    if path == "env.TF_CONFIG" {
        return Some("is each task's own: one text for all would give them one place in the job");
    }
    if let Some(name) = path.strip_prefix("env.")
        && (name.is_empty() || name.contains('='))
    {
        return Some("is no name of a variable: no process can have it");
    }
    if path.len() + value.as_str().map_or(0, str::len) > LONGEST {
        return Some(
            "is longer than Linux passes to a process: at most 131071 bytes in a variable or a command",
        );
    }
    if path.starts_with("resourceLimits.") && value.as_str().is_some_and(|word| word != "unlimited") {
        return Some("is a number or `unlimited`");
    }
    match path.rsplit('.').next().unwrap_or_default() {
        "requirePorts" if value != true => {
            Some("follows from `port`: without it tasks listen on other ports than their peers connect to")
        }
        "hostPath" | "containerPath" | "image" | "source" | "secret" if value == "" => {
            Some("cannot be empty")
        }
        "taskKillGracePeriodSeconds" | "backoffSeconds" | "maxLaunchDelaySeconds"
            if value.as_f64().is_some_and(|seconds| seconds > f64::from(i32::MAX)) =>
        {
            Some("is at most 2147483647: Marathon reads 32 bits")
        }
        "instances" => Some("is 1: each task is an app of its own"),
        "cmd" => Some("is what `run` or `shell` says, quoted for the shell"),
        "acceptedResourceRoles" => value.is_array().then_some("names at least one role, such as `*`"),
        "cpus" => small(0.001).then_some("is at least 0.001"),
        "minimumHealthCapacity" | "maximumOverCapacity" => {
            value.as_f64().is_some_and(|share| !(0.0..=1.0).contains(&share)).then_some("is from 0 to 1")
        }
        "backoffFactor" => small(1.0).then_some("is at least 1"),
        _ => None,
    }
}

/// What is wrong with a value of the package's options.
#[must_use]
pub fn package(path: &str, value: &Value) -> Option<&'static str> {
    if value.is_null() {
        return None;
    }
    let text = value.as_str().unwrap_or_default();
    if path == "service.name" {
        return Some("is the job's name, by which the printed steps uninstall the service: rename the job");
    }
    match path.rsplit('.').next().unwrap_or_default() {
        "count" => Some("is the role's `count`"),
        "job_context" => serde_json::from_str::<Value>(text)
            .is_err()
            .then_some("is JSON in a text: the module would get nothing of it"),
        "cpus" => value
            .as_f64()
            .is_some_and(|number| number < 0.001)
            .then_some("is at least 0.001: less is rendered as `1.0E-5`"),
        _ => None,
    }
}
