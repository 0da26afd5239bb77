//! Checks of patched values beyond their types. These checks report values that YARN refuses, values that it ignores, and values
//! with which the service fails later.
use super::support::resources::is_type;
use super::variables::{INDEX, ROLE, USER, exported, of_bash};
use serde_json::Value;

/// Units that a resource may have (`UnitsConversionUtil`). With another unit, the service master crashes.
const UNITS: [&str; 15] = ["", "p", "n", "u", "m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi"];

/// Maximum of a Java `Integer`.
const INT: u32 = 2_147_483_647;
/// Maximum memory in MiB. YARN converts it to bytes in a `Long`.
const MEMORY: u64 = 1 << 43;
/// Maximum lifetime in seconds, about 32,000 years. YARN converts it to milliseconds in a `Long`, which this value does not exceed.
const LIFETIME: u64 = 1_000_000_000_000;

/// Returns why a patch cannot set a value, or `None` if it can. In the message, the returned text follows the path of the value.
#[must_use]
pub fn fits(path: &str, value: &Value) -> Option<&'static str> {
    let key = path.rsplit('.').next().unwrap_or_default();
    let text = value.as_str().unwrap_or_default();
    let number = value.as_u64().unwrap_or(1);
    if path.starts_with("dependencies") {
        return Some(
            "cannot be patched: YARN refuses an unknown component, and waits indefinitely for an unknown service; use `after`",
        );
    }
    if path == "components" && value.is_array() {
        return Some("cannot be empty: YARN refuses a service without components");
    }
    if value.is_null() {
        return None;
    }
    if let Some((_, name)) = path.split_once("configuration.env.") {
        return variable(name, text);
    }
    if path.ends_with("configuration.properties.yarn.service.am.java.opts") {
        let bad = |c: char| "!~#?@*&%${}()<>[]|\",`;".contains(c);
        return text.contains(bad).then_some("contains a character that YARN refuses in Java options");
    }
    if let Some((_, name)) = path.split_once("configuration.properties.") {
        return property(name, text);
    }
    if let Some(why) = path.split_once("resource.additional.").and_then(|(_, rest)| resource(rest)) {
        return Some(why);
    }
    by_key(path, value, (key, text, number))
}

/// Returns why a patch cannot set a value, by the rule for its key. `None` if it can. `text` and `number`: the value as a string
/// and as a number.
fn by_key(path: &str, value: &Value, (key, text, number): (&str, &str, u64)) -> Option<&'static str> {
    match key {
        "number_of_containers" => {
            Some("is generated from `count`, which also determines the peers of each task: change `count`")
        }
        "restart_policy" => {
            Some("is generated from `restart`, and the end of the service depends on it: change `restart`")
        }
        "queue" if path == "queue" => (!is_queue(text)).then_some("must be a valid queue name"),
        "version" if text.is_empty() => Some("cannot be empty: YARN refuses it"),
        "launch_command" => Some(
            "is generated from `run` or `shell` with the quoting that YARN needs: change `run` or `shell`",
        ),
        "principal_name" if !text.contains('/') => {
            Some("contains no host: a secure cluster requires `name/_HOST@REALM`")
        }
        "keytab" if !text.contains(":/") => Some("must be a URI, such as `hdfs:///keytabs/a.keytab`"),
        "docker_client_config" if text.starts_with("http") => {
            Some("must be on the default file system, such as `hdfs:///docker/config.json`")
        }
        "name" if path == "name" => {
            Some("is generated from the name of the job, and tasks find each other by it: rename the job")
        }
        "memory" if path.ends_with("resource.memory") => {
            let number = if value.is_string() { text.to_owned() } else { value.to_string() };
            let digits = number.bytes().all(|b| b.is_ascii_digit());
            let whole =
                digits && number.parse::<u64>().is_ok_and(|mebibytes| (1..=MEMORY).contains(&mebibytes));
            (!whole).then_some("must be an integer in MiB without a unit, such as 4096")
        }
        "cpus" | "lifetime" if number == 0 => Some("must be at least 1"),
        "cpus" | "min_cardinality" | "max_cardinality" if number > u64::from(INT) => {
            Some("must be at most 2147483647: YARN reads an `Integer`")
        }
        "lifetime" if number > LIFETIME => {
            Some("must be at most 1000000000000 seconds: YARN stores milliseconds in a `Long`")
        }
        "unit" if path.contains("additional.") => (!UNITS.contains(&text))
            .then_some("must be a valid unit of a resource, or empty: the service master would crash"),
        "dest_file" => {
            let plain =
                !text.is_empty() && !text.contains(['/', '$']) && !["conf", ".", ".."].contains(&text);
            (!plain).then_some("must be a single file name other than `conf`, without `/` and `$`")
        }
        _ => None,
    }
}

fn is_queue(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

/// Returns why a patch cannot set an additional resource type, or `None` if it can. `path`: path of the type below
/// `resource.additional`.
fn resource(path: &str) -> Option<&'static str> {
    let name = path.rsplit_once('.').map_or(path, |(name, _)| name);
    if ["memory-mb", "memory", "vcores", "cpus"].contains(&name) {
        return Some("is ignored as an additional resource: set `resource.memory` or `resource.cpus`");
    }
    (!is_type(name)).then_some("contains an invalid resource type: the service master would crash")
}

/// Properties that the service master reads as an `Integer` (callers of `YarnServiceConf.getInt` in Hadoop 3.3.6 and 3.4.2).
const INTEGERS: [&str; 7] = [
    "yarn.service.container-failure-per-component.threshold",
    "yarn.service.node-blacklist.threshold",
    "yarn.service.container-failure.retry.max",
    "yarn.service.container-failure.retry-interval-ms",
    "yarn.service.am-restart.max-attempts",
    "yarn.service.container-recovery.timeout.ms",
    "yarn.service.container-health-threshold.percent",
];
/// Properties that the service master reads as a `Long` (callers of `getLong`).
const LONGS: [&str; 8] = [
    "yarn.service.am-failure.validity-interval-ms",
    "yarn.service.container-failure.validity-interval-ms",
    "yarn.service.am-resource.memory",
    "yarn.service.failure-count-reset.window",
    "yarn.service.readiness-check-interval.seconds",
    "yarn.service.container-health-threshold.poll-frequency-secs",
    "yarn.service.container-health-threshold.window-secs",
    "yarn.service.container-health-threshold.init-delay-secs",
];
/// Properties that YARN reads when the service is submitted, before the service master starts (`ServiceClient.submitApp`).
const SUBMITTED: [&str; 3] = [
    "yarn.service.am-restart.max-attempts",
    "yarn.service.am-failure.validity-interval-ms",
    "yarn.service.am-resource.memory",
];
/// Properties in `LONGS` that YARN passes to `scheduleAtFixedRate` as a period, so that 0 is invalid.
const PERIODS: [&str; 2] =
    ["yarn.service.failure-count-reset.window", "yarn.service.readiness-check-interval.seconds"];

/// Returns the error in a property of the service or a component, if any.
fn property(name: &str, text: &str) -> Option<&'static str> {
    let wrong = INTEGERS.contains(&name) && text.parse::<i32>().is_err()
        || LONGS.contains(&name) && text.parse::<i64>().is_err();
    if wrong && SUBMITTED.contains(&name) {
        return Some("must be an integer: YARN would refuse the service (`NumberFormatException`)");
    }
    if wrong {
        return Some("must be an integer: the service master would crash (`NumberFormatException`)");
    }
    let below = |least: i64| text.parse::<i64>().is_ok_and(|number| number < least);
    if PERIODS.contains(&name) && below(1) {
        return Some("must be at least 1: the service master would crash (`IllegalArgumentException`)");
    }
    if name == "yarn.service.am-resource.memory" && below(0) {
        return Some("must be at least 0: YARN would refuse the service (`Invalid resource request`)");
    }
    if name == "yarn.service.am.client.port-range" && !text.split(',').all(is_range) {
        return Some("must be a list of port ranges, such as `40000-40010`: the service master would crash");
    }
    (name == "docker.network" && !is_network(text)).then_some(BAD_NETWORK)
}

/// Error for an invalid name of a Docker network.
const BAD_NETWORK: &str = "is not a valid Docker network name: use letters, digits, `_`, `.`, and `-`";

/// Returns whether a text is a valid name of a Docker network.
#[must_use]
pub fn is_network(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.bytes().all(plain)
}

/// Returns whether a text is a range as `Configuration.IntegerRanges` reads it: one number, or `FIRST-LAST` in ascending order.
/// `FIRST` and `LAST` may be empty.
fn is_range(text: &str) -> bool {
    let number = |text: &str, otherwise| match text.trim() {
        "" => Some(otherwise),
        text => text.parse::<i32>().ok(),
    };
    match text.split_once('-') {
        None => number(text, 0).is_some(),
        Some((first, last)) => {
            number(first, 0).zip(number(last, i32::MAX)).is_some_and(|(first, last)| first <= last)
        }
    }
}

/// Environment variable with the Docker network of a container. YARN reads it if the property `docker.network` is not set.
pub const NETWORK: &str = "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK";

/// Environment variables that YARN sets itself, or with which YARN's container launcher fails.
const RUNTIME: [&str; 4] = [
    "YARN_CONTAINER_RUNTIME_TYPE",
    "YARN_CONTAINER_RUNTIME_DOCKER_IMAGE",
    "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_HOSTNAME",
    "YARN_CONTAINER_RUNTIME_DOCKER_RUN_OVERRIDE_DISABLE",
];

/// Returns why a patch cannot set an environment variable, or `None` if it can. YARN writes the name and the value into the launch
/// script without escaping them.
fn variable(name: &str, text: &str) -> Option<&'static str> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if [ROLE, INDEX, USER].contains(&name) {
        return Some("is generated per task: the shim finds its task by it");
    }
    if exported(name) {
        return Some("is set by YARN, or changes its launch script: use `env`, which sets the variable last");
    }
    if of_bash(name) {
        return Some("is set by bash, which starts the task: the program does not see this value");
    }
    if name == NETWORK && !text.contains('$') {
        return (!is_network(text)).then_some(BAD_NETWORK);
    }
    if RUNTIME.contains(&name) {
        return Some("is set by YARN, or breaks its launcher: use `image` instead");
    }
    if name == "TF_CONFIG" {
        return Some("is generated per task: with one value, all tasks would have the same index");
    }
    if !name.bytes().all(word) || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Some("is not a valid variable name, and the launch script would execute it as shell code");
    }
    let shell =
        text.contains(['$', '`', '"', '\\']) || ["{{", "}}", "<"].iter().any(|mark| text.contains(mark));
    shell.then_some("would be expanded by the shell of the launch script: use `env`, which quotes the value")
}
