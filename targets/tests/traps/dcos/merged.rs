//! Patches that fit word by word, and make an app that Marathon refuses.
use super::{SCHEMA, marathon};
use crate::{Row, Seen, Trap, rows};

const SOURCE: Seen = Seen::In("Marathon, AppDefinition's validation");

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table: one line a row")]
pub fn traps() -> Vec<Trap> {
    let row = |name, seen, does, falls: &str, says, neighbour: &str| {
        let spec = |text: &str| marathon("", &format!("target \"dcos\" {{ patch \"{text}\" }}"));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "spark-dcos §3.6", seen, does, spec(falls), words, says, spec(neighbour))
    };
    // The same with other words in the job of the neighbour.
    let with = |name, seen, does, falls: &str, says, neighbour: &str, block: &str| {
        let (name, fact, seen, does, falls, words, says, near): Row = row(name, seen, does, falls, says, neighbour);
        let block = format!("target \"dcos\" {{ {block} }}\n    role");
        (name, fact, seen, does, falls, words, says, near.replacen("role", &block, 1))
    };
    // Both with the version in which the fields came.
    let new = |name, does, falls: &str, says, neighbour: &str| {
        let (name, fact, seen, does, falls, words, says, near): Row = row(name, SOURCE, does, falls, says, neighbour);
        let block = "target \"dcos\" { version \"2.1\" }\n    role";
        (name, fact, seen, does, falls.replacen("role", block, 1), words, says, near.replacen("role", block, 1))
    };
    rows("bad-patch", vec![
        new("a limit below the request", "refused: `resource limit must be greater than or equal to requested resource`",
            "resourceLimits: {cpus: 0.5}", "is below the `cpus` that the app requests", "resourceLimits: {cpus: 2, mem: unlimited}"),
        new("a limit that is a word", "refused: `It must be 'unlimited' or a number`",
            "resourceLimits: {cpus: lots}", "is a number or `unlimited`", "resourceLimits: {cpus: unlimited}"),
        new("offers of another role", "refused: `acceptedResourceRoles can only contain * and ml`",
            "{acceptedResourceRoles: [gpu], role: ml}", "accepts `*` and `ml`", "{acceptedResourceRoles: ['*', ml], role: ml}"),
        row("an end before its beginning", SOURCE, "refused: inactiveAfterSeconds is at most expungeAfterSeconds",
            "unreachableStrategy: {inactiveAfterSeconds: 9, expungeAfterSeconds: 3}", "is above `expungeAfterSeconds`",
            "unreachableStrategy: {inactiveAfterSeconds: 3, expungeAfterSeconds: 9}"),
        row("the id of another app", SOURCE, "the app takes the other's place, or lies outside its group",
            "id: /mnist/ps-0", "is not the app of its task", "labels: {a: b}"),
        row("an operator that does not exist", SCHEMA, "refused: constraints have seven operators",
            "constraints: [[a, IS_NOT, b]]", "`IS_NOT` is no operator", "constraints: [[a, UNLIKE, b]]"),
        row("a constraint of one word", SCHEMA, "refused: a constraint has two or three words",
            "constraints: [[hostname]]", "has no operator", "constraints: [[hostname, UNIQUE]]"),
        row("a likeness to nothing", SOURCE, "refused: LIKE takes a pattern",
            "constraints: [[rack, LIKE]]", "has no value", "constraints: [[rack, LIKE, 'r[12]']]"),
        row("a dependency on nobody", SOURCE, "the app waits for ever",
            "dependencies: [/nosuch]", "is what `after` says", "labels: {a: c}"),
        with("a secret that is not there", SOURCE, "refused: the secret is not defined",
            "env: {A: {secret: key}}", "no secret of the app", "{env: {A: {secret: key}}, secrets: {key: {source: ml/key}}}", "enterprise #true"),
        with("a registry's secret that is not there", SOURCE, "refused: `pullConfig.secret must refer to an existing secret`",
            "container: {docker: {pullConfig: {secret: key}}}", "no secret of the app",
            "{container: {docker: {pullConfig: {secret: key}}}, secrets: {key: {source: ml/key}}}", "enterprise #true"),
        with("secrets without a store", SOURCE, "refused: the feature `secrets` is not enabled",
            "{env: {A: {secret: key}}, secrets: {key: {source: ml/key}}}", "add `enterprise #true`",
            "{env: {A: {secret: key}}, secrets: {key: {source: ml/key}}}", "enterprise #true"),
        with("shared memory before its version", SCHEMA, "refused: the schema of Marathon 1.7 has no such property",
            "container: {linuxInfo: {ipcInfo: {mode: PRIVATE, shmSize: 99}}}", "needs DC/OS 2.1",
            "container: {linuxInfo: {ipcInfo: {mode: PRIVATE, shmSize: 99}}}", "version \"2.1\""),
        with("a role before its version", SOURCE, "refused: roles of services came with Marathon 1.9",
            "role: ml", "needs DC/OS 2.0", "role: ml", "version \"2.1\""),
        row("an order of kills that does not exist", SCHEMA, "refused: it is one of two words",
            "killSelection: RANDOM", "cannot be", "killSelection: OLDEST_FIRST"),
        row("an executor of negative size", SCHEMA, "refused: a share is 0 or more",
            "executorResources: {cpus: -1}", "cannot be", "executorResources: {cpus: 0.2, mem: 64}"),
        row("ports that are not required", SCHEMA, "the number becomes a service port: the task listens on another port than its peers connect to",
            "requirePorts: false", "other ports than their peers", "labels: {a: d}"),
        row("a folder without a path", SCHEMA, "refused: the text is shorter than 1",
            "container: {volumes: [{containerPath: data, hostPath: '', mode: RW}]}", "cannot be empty",
            "container: {volumes: [{containerPath: data, hostPath: /d, mode: RW}]}"),
        row("an image without a name", SCHEMA, "refused: the text is shorter than 1",
            "container: {docker: {image: ''}}", "cannot be empty", "container: {docker: {image: a}}"),
        row("a variable that no process can have", SOURCE, "the agent cannot set it",
            "env: {'A=B': z}", "no name of a variable", "env: {A_B: z}"),
        row("a grace of 3000 years", SOURCE, "refused: the number does not fit in 32 bits",
            "taskKillGracePeriodSeconds: 99999999999", "at most 2147483647", "taskKillGracePeriodSeconds: 60"),
        row("a name for the host's network", SOURCE, "refused: only a network of containers has a name",
            "networks: [{mode: host, name: a}]", "has no name", "networks: [{mode: host}]"),
        row("offers of no role", SOURCE, "refused: the list has at least one role",
            "acceptedResourceRoles: []", "at least one role", "acceptedResourceRoles: [slave_public, '*']"),
        row("more health than whole", SCHEMA, "refused: a share of the tasks is no more than all of them",
            "upgradeStrategy: {minimumHealthCapacity: 3}", "from 0 to 1", "upgradeStrategy: {minimumHealthCapacity: 1}"),
    ])
}
