//! What the engine asks of a patch's values beyond their types: it takes each of these in silence, and fails later.
use super::support::resources::is_type;
use super::variables::{INDEX, ROLE, USER, exported, of_bash};
use serde_json::Value;

/// Units of a resource (`UnitsConversionUtil`): any other kills the master.
const UNITS: [&str; 15] = ["", "p", "n", "u", "m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi"];

/// The most that an `Integer` of the engine holds.
const INT: u32 = 2_147_483_647;
/// MiB that the engine counts as bytes in a `Long`.
const MEMORY: u64 = 1 << 43;
/// Seconds of a lifetime that is still a time in milliseconds.
const LIFETIME: u64 = 1_000_000_000_000;

/// What is wrong with a value at a path.
#[must_use]
pub fn fits(path: &str, value: &Value) -> Option<&'static str> {
    let key = path.rsplit('.').next().unwrap_or_default();
    let text = value.as_str().unwrap_or_default();
    let number = value.as_u64().unwrap_or(1);
    if path.starts_with("dependencies") {
        return Some("is what `after` says: the engine waits for ever for a name that is not there");
    }
    if path == "components" && value.is_array() {
        return Some("cannot be empty: the engine takes no service without components");
    }
    if value.is_null() {
        return None;
    }
    if let Some((_, name)) = path.split_once("configuration.env.") {
        return variable(name, text);
    }
    if path.ends_with("configuration.properties.yarn.service.am.java.opts") {
        let bad = |c: char| "!~#?@*&%${}()<>[]|\",`;".contains(c);
        return text.contains(bad).then_some("holds a character that the engine refuses in options of Java");
    }
    if let Some((_, name)) = path.split_once("configuration.properties.") {
        return property(name, text);
    }
    if let Some(why) = path.split_once("resource.additional.").and_then(|(_, rest)| resource(rest)) {
        return Some(why);
    }
    word(path, value, (key, text, number))
}

/// The verdict on a value by its key.
fn word(path: &str, value: &Value, (key, text, number): (&str, &str, u64)) -> Option<&'static str> {
    let none = number == 0;
    match key {
        "number_of_containers" => Some("is the role's `count`: the peers of its tasks are told the same"),
        "restart_policy" => Some("is what `restart` says: how the service ends hangs on it"),
        "queue" if path == "queue" => (!is_queue(text)).then_some("is no name of a queue"),
        "version" if text.is_empty() => Some("cannot be empty: the engine refuses it"),
        "launch_command" => Some("is what `run` or `shell` says, quoted for the engine's two shells"),
        "principal_name" if !text.contains('/') => {
            Some("names no host: a secure cluster takes `name/_HOST@REALM`")
        }
        "keytab" if !text.contains(":/") => Some("takes a URI, such as `hdfs:///keytabs/a.keytab`"),
        "docker_client_config" if text.starts_with("http") => {
            Some("is read from the default file system, such as `hdfs:///docker/config.json`")
        }
        "name" if path == "name" => Some("is the spec's own: tasks are found by it"),
        "memory" if path.ends_with("resource.memory") => {
            let number = if value.is_string() { text.to_owned() } else { value.to_string() };
            let digits = number.bytes().all(|b| b.is_ascii_digit());
            let whole =
                digits && number.parse::<u64>().is_ok_and(|mebibytes| (1..=MEMORY).contains(&mebibytes));
            (!whole).then_some("takes whole mebibytes, such as 4096; a unit is refused at submission")
        }
        "cpus" | "lifetime" if none => Some("is at least 1"),
        "cpus" | "min_cardinality" | "max_cardinality" if number > u64::from(INT) => {
            Some("is at most 2147483647: the engine reads an `Integer`")
        }
        "lifetime" if number > LIFETIME => {
            Some("is at most 1000000000000 seconds: the resource manager counts milliseconds in a `Long`")
        }
        "unit" if path.contains("additional.") => {
            (!UNITS.contains(&text)).then_some("is no unit of a resource: the master would die of it")
        }
        "dest_file" => {
            let plain =
                !text.is_empty() && !text.contains(['/', '$']) && !["conf", ".", ".."].contains(&text);
            (!plain).then_some("takes one name, which is not `conf` and holds no `/` or `$`")
        }
        _ => None,
    }
}

fn is_queue(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

/// A resource among the other kinds, by its path from there.
fn resource(path: &str) -> Option<&'static str> {
    let name = path.rsplit_once('.').map_or(path, |(name, _)| name);
    if ["memory-mb", "memory", "vcores", "cpus"].contains(&name) {
        return Some("is ignored among the other kinds: set `memory` or `cpus`");
    }
    (!is_type(name)).then_some("is not the name of a resource type: the master would die of it")
}

/// Properties that the master reads as an `Integer` (callers of `YarnServiceConf.getInt` in Hadoop 3.3.6 and 3.4.2).
const INTEGERS: [&str; 7] = [
    "yarn.service.container-failure-per-component.threshold",
    "yarn.service.node-blacklist.threshold",
    "yarn.service.container-failure.retry.max",
    "yarn.service.container-failure.retry-interval-ms",
    "yarn.service.am-restart.max-attempts",
    "yarn.service.container-recovery.timeout.ms",
    "yarn.service.container-health-threshold.percent",
];
/// Properties that it reads as a `Long` (callers of `getLong`).
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
/// Of these the periods, which `scheduleAtFixedRate` takes.
const PERIODS: [&str; 2] =
    ["yarn.service.failure-count-reset.window", "yarn.service.readiness-check-interval.seconds"];

/// A property of the service or a component.
fn property(name: &str, text: &str) -> Option<&'static str> {
    let wrong = INTEGERS.contains(&name) && text.parse::<i32>().is_err()
        || LONGS.contains(&name) && text.parse::<i64>().is_err();
    if wrong {
        return Some("is not an integer: the master dies of it (`NumberFormatException`)");
    }
    let below = |least: i64| text.parse::<i64>().is_ok_and(|number| number < least);
    if PERIODS.contains(&name) && below(1) {
        return Some("is at least 1: the master dies of less (`IllegalArgumentException`)");
    }
    if name == "yarn.service.am-resource.memory" && below(0) {
        return Some("is at least 0: YARN refuses less (`Invalid resource request`)");
    }
    if name == "yarn.service.am.client.port-range" && !text.split(',').all(is_range) {
        return Some("is ranges of ports, such as `40000-40010`: the master dies of another text");
    }
    (name == "docker.network" && !is_network(text)).then_some(NO_NETWORK)
}

/// What is wrong with a text that is no network.
const NO_NETWORK: &str = "is not the name of a Docker network: letters, digits, `_`, `.` and `-`";

/// Whether Docker can have a network of that name.
#[must_use]
pub fn is_network(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.bytes().all(plain)
}

/// One of `Configuration.IntegerRanges`: a number, or two in their order, of which each may be left out.
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

/// The network of a container in Docker, where the property `docker.network` names none.
pub const NETWORK: &str = "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK";

/// Variables that the engine sets itself, or with which its own launcher does not start.
const RUNTIME: [&str; 4] = [
    "YARN_CONTAINER_RUNTIME_TYPE",
    "YARN_CONTAINER_RUNTIME_DOCKER_IMAGE",
    "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_HOSTNAME",
    "YARN_CONTAINER_RUNTIME_DOCKER_RUN_OVERRIDE_DISABLE",
];

/// The launch script holds names and values as they are.
fn variable(name: &str, text: &str) -> Option<&'static str> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if [ROLE, INDEX, USER].contains(&name) {
        return Some("is each task's own: the shim finds its task by it");
    }
    if exported(name) {
        return Some(
            "is set by the engine, or steers its launcher: write the variable in `env`, which sets it last",
        );
    }
    if of_bash(name) {
        return Some("is kept by bash, which starts the task: the value does not arrive");
    }
    if name == NETWORK && !text.contains('$') {
        return (!is_network(text)).then_some(NO_NETWORK);
    }
    if RUNTIME.contains(&name) {
        return Some("is set by the engine, or keeps its launcher from starting: set `image` instead");
    }
    if name == "TF_CONFIG" {
        return Some("is each task's own: one text for all would give them one place in the job");
    }
    if !name.bytes().all(word) || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Some("is no name of a variable, and the launch script would run what it says");
    }
    let shell =
        text.contains(['$', '`', '"', '\\']) || ["{{", "}}", "<"].iter().any(|mark| text.contains(mark));
    shell.then_some("is shell text where it stands: write the variable in `env`, which quotes it")
}
