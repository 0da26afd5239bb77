//! Patches that fit word by word, and make an app that Marathon refuses.
use super::{SCHEMA, marathon};
use crate::pitfalls::{Pitfall, Row, Seen, analyzed, compiled, rows};

const PAGE: Seen = Seen::In("DC/OS, the page on secrets and spaces");
const SOURCE: Seen = Seen::In("Marathon, AppDefinition's validation");

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table: one line a row")]
pub fn pitfalls() -> Vec<Pitfall> {
    let row = |name, seen, does, falls: &str, says, neighbour: &str| {
        let spec = |text: &str| marathon("", &format!("target \"dcos\" {{ patch \"{text}\" }}"));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(falls), words, says, spec(neighbour))
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
    // Both with a store of secrets.
    let ent = |name, seen, does, falls: &str, says, neighbour: &str| {
        let (name, fact, seen, does, falls, words, says, near): Row = row(name, seen, does, falls, says, neighbour);
        let block = "target \"dcos\" { enterprise #true }\n    role";
        (name, fact, seen, does, falls.replacen("role", block, 1), words, says, near.replacen("role", block, 1))
    };
    rows("bad-patch", vec![
        row("an unknown port protocol", SCHEMA, "refused: the protocol must be one of three values",
            "portDefinitions: [{name: a, protocol: sctp}]", "cannot be", "portDefinitions: [{name: a, port: 0, protocol: udp, labels: {VIP_0: '/a:80'}}]"),
        row("a port above 65535", SCHEMA, "refused: the port must be at most 65535",
            "portDefinitions: [{name: a, port: 70000}]", "must be from 0 to 65535", "portDefinitions: [{name: a, port: 7000}]"),
        row("a persistent volume without a size", SCHEMA, "refused: the key `size` is missing",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {type: root}}]}, unreachableStrategy: disabled}", "has no `size`",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {type: root, size: 100}}]}, unreachableStrategy: disabled}"),
        row("a persistent volume at a path with a slash", SOURCE, "refused: `value must not contain a slash`",
            "{container: {volumes: [{containerPath: /data, mode: RW, persistent: {size: 100}}]}, unreachableStrategy: disabled}", "is persistent, so `containerPath` must be one file name in the sandbox",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {size: 100}}]}, unreachableStrategy: disabled}"),
        row("a persistent volume with an unreachable strategy", SOURCE, "refused: `unreachableStrategy must be disabled for resident tasks`",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {size: 100}}]}, unreachableStrategy: {inactiveAfterSeconds: 0, expungeAfterSeconds: 0}}",
            "`unreachableStrategy: disabled`",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {size: 100}}]}, unreachableStrategy: disabled}"),
        row("a volume with two sources", SOURCE, "Marathon silently uses one of them",
            "container: {volumes: [{containerPath: data, mode: RW, hostPath: /d, external: {name: a, provider: dvdi}}]}", "must have exactly one of",
            "container: {volumes: [{containerPath: data, mode: RW, external: {name: a, provider: dvdi, options: {dvdi/driver: rexray}}}]}"),
        row("Docker parameters in the Mesos runtime", SOURCE, "refused: `must be empty` beside the runtime of Mesos",
            "container: {docker: {parameters: [{key: ipc, value: host}]}}", "is for the Docker runtime", "container: {docker: {parameters: []}}"),
        row("privileged mode in the Mesos runtime", SOURCE, "Marathon silently drops them",
            "container: {docker: {privileged: true}}", "Marathon drops it", "container: {docker: {privileged: false}}"),
        row("the field args next to cmd", SCHEMA, "refused: `cmd` and `args` exclude each other",
            "args: [a]", "excludes `cmd`", "tty: true"),
        row("the old field ports", SOURCE, "refused: `cannot specify both ports and port definitions`",
            "ports: [0]", "excludes `portDefinitions`", "portDefinitions: [{port: 0}]"),
        row("the old field ipAddress", SOURCE, "refused: `must not specify both networks and ipAddress`",
            "ipAddress: {networkName: a}", "excludes `networks`", "networks: [{mode: host}]"),
        row("an invalid executor path", SCHEMA, "refused: the string does not match the pattern",
            "executor: a//b", "must be `//cmd` or the path of a program on the agent", "executor: //cmd"),
        row("the field check before DC/OS 1.13", SOURCE, "Marathon silently drops it",
            "check: {exec: {command: {shell: 'true'}}}", "`check` needs DC/OS 1.13", "killSelection: YOUNGEST_FIRST"),
        new("a check with two protocols", "Marathon silently uses one of them",
            "check: {http: {port: 80}, tcp: {port: 80}}", "must have exactly one of `exec`, `http`, and `tcp`", "check: {exec: {command: {shell: 'true'}}}"),
        new("the field ipcInfo without mode", "refused: the mode of the IPC namespace is missing",
            "container: {linuxInfo: {ipcInfo: {shmSize: 9}}}", "has no `mode`", "container: {linuxInfo: {seccomp: {profileName: default}}}"),
        row("a readiness check with timeout above interval", SOURCE, "refused: the timeout is below the interval",
            "readinessChecks: [{portName: http-api, intervalSeconds: 5}]", "must have a `timeoutSeconds` below `intervalSeconds`",
            "readinessChecks: [{portName: http-api, intervalSeconds: 15}]"),
        row("labels of the host network", SOURCE, "refused: `Host networks may not have names or labels`",
            "networks: [{mode: host, labels: {a: b}}]", "cannot have labels", "networks: [{mode: host}]"),
        row("incomplete migration labels in a patch", SOURCE, "refused: `DCOS_PACKAGE_FRAMEWORK_NAME and DCOS_MIGRATION_API_PATH must be defined`",
            "labels: {DCOS_MIGRATION_API_VERSION: v1}", "the label `DCOS_MIGRATION_API_VERSION` needs the labels",
            "labels: {DCOS_MIGRATION_API_VERSION: v1, DCOS_MIGRATION_API_PATH: /v1, DCOS_PACKAGE_FRAMEWORK_NAME: tf}"),
        row("GPUs hidden by CUDA_VISIBLE_DEVICES", SOURCE, "the agent provides the GPU, but the variable of the app hides it",
            "gpus: 1", "the app requests GPUs, but `CUDA_VISIBLE_DEVICES` is empty and hides them: use `resources gpus=1` instead of the patch", "gpus: 0"),
        row("a patch of the app version", SCHEMA, "Marathon accepts the value and replaces it by its own",
            "version: '2020-01-01T00:00:00Z'", "is set by Marathon", "secrets: {}"),
        new("a limit below the request", "refused: `resource limit must be greater than or equal to requested resource`",
            "resourceLimits: {cpus: 0.5}", "is below `cpus`, the request of the app", "resourceLimits: {cpus: 2, mem: unlimited}"),
        new("a resource limit that is not a number", "refused: `It must be 'unlimited' or a number`",
            "resourceLimits: {cpus: lots}", "must be a number or `unlimited`", "resourceLimits: {cpus: unlimited}"),
        new("a role in acceptedResourceRoles that is not that of the app", "refused: `acceptedResourceRoles can only contain * and ml`",
            "{acceptedResourceRoles: [gpu], role: ml}", "can accept only `*` and `ml`", "{acceptedResourceRoles: ['*', ml], role: ml}"),
        row("an expungeAfterSeconds below inactiveAfterSeconds", SOURCE, "refused: inactiveAfterSeconds is at most expungeAfterSeconds",
            "unreachableStrategy: {inactiveAfterSeconds: 9, expungeAfterSeconds: 3}", "is above `expungeAfterSeconds`",
            "unreachableStrategy: {inactiveAfterSeconds: 3, expungeAfterSeconds: 9}"),
        row("a patch of an app ID", SOURCE, "the app replaces another app, or is outside its group",
            "id: /mnist/ps-0", "renames the app of a task", "labels: {a: b}"),
        row("an unknown constraint operator", SCHEMA, "refused: the operator is not one of the seven known ones",
            "constraints: [[a, IS_NOT, b]]", "`IS_NOT` is not a valid constraint operator", "constraints: [[a, UNLIKE, b]]"),
        row("a constraint without an operator", SCHEMA, "refused: a constraint has two or three items",
            "constraints: [[hostname]]", "has no operator", "constraints: [[hostname, UNIQUE]]"),
        row("the constraint LIKE without a value", SOURCE, "refused: LIKE needs a pattern",
            "constraints: [[rack, LIKE]]", "needs a value", "constraints: [[rack, LIKE, 'r[12]']]"),
        row("a dependency on a missing app", SOURCE, "the app waits forever for its dependency",
            "dependencies: [/nosuch]", "cannot be patched, because Marathon waits forever for a missing app: use `after`", "labels: {a: c}"),
        with("a reference to an undefined secret", SOURCE, "refused: the secret is not defined",
            "env: {A: {secret: key}}", "is not a key of `secrets` of the app", "{env: {A: {secret: key}}, secrets: {key: {source: mnist/key}}}", "enterprise #true"),
        with("a registry secret that is undefined", SOURCE, "refused: `pullConfig.secret must refer to an existing secret`",
            "container: {docker: {pullConfig: {secret: key}}}", "is not a key of `secrets` of the app",
            "{container: {docker: {pullConfig: {secret: key}}}, secrets: {key: {source: mnist/key}}}", "enterprise #true"),
        ent("a patch with a secret of another service", PAGE, "only services of its folder can read a secret; the task does not start",
            "{env: {A: {secret: key}}, secrets: {key: {source: hdfs/key}}}", "only services below `/hdfs` can read the secret `hdfs/key`",
            "{env: {A: {secret: key}}, secrets: {key: {source: mnist/worker-0/key}}}"),
        ent("a secret with an empty path", PAGE, "no secret has that path; the task does not start",
            "{env: {A: {secret: key}}, secrets: {key: {source: /}}}", "`/` is not a valid path of a secret",
            "{env: {A: {secret: key}}, secrets: {key: {source: key}}}"),
        with("a patch with secrets without DC/OS Enterprise", SOURCE, "refused: the feature `secrets` is not enabled",
            "{env: {A: {secret: key}}, secrets: {key: {source: mnist/key}}}", "add `enterprise #true`",
            "{env: {A: {secret: key}}, secrets: {key: {source: mnist/key}}}", "enterprise #true"),
        with("shared memory in a patch before DC/OS 2.1", SCHEMA, "refused: the schema of Marathon 1.7 has no such property",
            "container: {linuxInfo: {ipcInfo: {mode: PRIVATE, shmSize: 99}}}", "needs DC/OS 2.1",
            "container: {linuxInfo: {ipcInfo: {mode: PRIVATE, shmSize: 99}}}", "version \"2.1\""),
        with("a role in a patch before DC/OS 2.0", SOURCE, "refused: roles of services need Marathon 1.9",
            "role: ml", "needs DC/OS 2.0", "role: ml", "version \"2.1\""),
        row("an unknown kill selection", SCHEMA, "refused: the value must be one of two names",
            "killSelection: RANDOM", "cannot be", "killSelection: OLDEST_FIRST"),
        new("negative executor resources", "refused: the value must not be negative",
            "executorResources: {cpus: -1}", "must be at least 0.1", "executorResources: {cpus: 0.2, mem: 64}"),
        row("a patch of requirePorts", SCHEMA, "the number becomes a service port, so the task listens on another port than its peers use",
            "requirePorts: false", "must be true: otherwise tasks get other ports than those that their peers connect to", "labels: {a: d}"),
        row("a volume with an empty host path", SCHEMA, "refused: the string is empty",
            "container: {volumes: [{containerPath: data, hostPath: '', mode: RW}]}", "cannot be empty",
            "container: {volumes: [{containerPath: data, hostPath: /d, mode: RW}]}"),
        row("an image with an empty name", SCHEMA, "refused: the string is empty",
            "container: {docker: {image: ''}}", "cannot be empty", "container: {docker: {image: a}}"),
        row("an invalid variable name", SOURCE, "the agent cannot set it",
            "env: {'A=B': z}", "is not a valid name of a variable", "env: {A_B: z}"),
        row("a grace period above int32", SOURCE, "refused: the number does not fit in 32 bits",
            "taskKillGracePeriodSeconds: 99999999999", "does not fit in a 32-bit integer", "taskKillGracePeriodSeconds: 60"),
        row("a name of the host network", SOURCE, "refused: only a container network can have a name",
            "networks: [{mode: host, name: a}]", "cannot have a name", "networks: [{mode: host}]"),
        row("empty acceptedResourceRoles", SOURCE, "refused: the list needs at least one role",
            "acceptedResourceRoles: []", "at least one role", "acceptedResourceRoles: [slave_public, '*']"),
        row("a minimumHealthCapacity above 1", SCHEMA, "refused: the value must be at most 1",
            "upgradeStrategy: {minimumHealthCapacity: 3}", "from 0 to 1", "upgradeStrategy: {minimumHealthCapacity: 1}"),
    ])
}

/// One fault of a role's patch is told once, whatever the number of tasks, and at the path that the patch writes.
#[test]
fn a_fault_is_told_once_whatever_the_number_of_tasks() {
    let many = |spec: &str| {
        spec.replace("version=\"2.15\"", "version=\"2.15\" strategy=\"multi-worker-mirrored\"").replace(
            "role \"worker\"",
            "data \"own\" \"file:///own\" at=\"/own\"\n    role \"worker\" count=40",
        )
    };
    let of_group = |text: &str| marathon(&format!("target \"dcos\" {{ patch \"{text}\" }}"), "");
    let mut specs: Vec<_> = pitfalls().into_iter().map(|pitfall| (pitfall.name, pitfall.falls)).collect();
    specs.push(("another group", of_group("id: /other")));
    for (name, spec) in specs {
        let (errors, _) = compiled(&analyzed(&many(&spec)), "dcos");
        let told: Vec<_> = errors.iter().map(|error| &error.message).collect();
        assert_eq!(told.len(), 1, "{name}: {told:#?}");
        assert!(!told[0].contains("apps["), "{name}: {told:#?}");
    }
    let second = "target \"dcos\" { patch \"container: {volumes: [{containerPath: data, hostPath: /d}]}\" }";
    let (errors, _) = compiled(&analyzed(&many(&marathon("", second))), "dcos");
    let told: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(told, ["dcos: after the patch is merged, `container.volumes[0]` must have `mode`"]);
}
