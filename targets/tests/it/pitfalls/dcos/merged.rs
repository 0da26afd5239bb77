//! Patches with valid fields that result in an app that Marathon refuses.
use super::{SCHEMA, marathon};
use crate::pitfalls::{Pitfall, Row, Seen, analyzed, compiled, rows};

const PAGE: Seen = Seen::In("the DC/OS page on secrets and spaces");
const SOURCE: Seen = Seen::In("Marathon, AppDefinition's validation");

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table: one line a row")]
pub fn pitfalls() -> Vec<Pitfall> {
    let row = |name, seen, does, falls: &str, says, neighbour: &str| {
        let spec = |text: &str| marathon("", &format!("target \"dcos\" {{ patch \"{text}\" }}"));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(falls), words, says, spec(neighbour))
    };
    // The correct spec has additional entries in the job.
    let with = |name, seen, does, falls: &str, says, neighbour: &str, block: &str| {
        let (name, fact, seen, does, falls, words, says, near): Row = row(name, seen, does, falls, says, neighbour);
        let block = format!("target \"dcos\" {{ {block} }}\n    role");
        (name, fact, seen, does, falls, words, says, near.replacen("role", &block, 1))
    };
    // Both specs set the DC/OS version that introduced the fields.
    let new = |name, does, falls: &str, says, neighbour: &str| {
        let (name, fact, seen, does, falls, words, says, near): Row = row(name, SOURCE, does, falls, says, neighbour);
        let block = "target \"dcos\" { version \"2.1\" }\n    role";
        (name, fact, seen, does, falls.replacen("role", block, 1), words, says, near.replacen("role", block, 1))
    };
    // Both specs have a secret store.
    let ent = |name, seen, does, falls: &str, says, neighbour: &str| {
        let (name, fact, seen, does, falls, words, says, near): Row = row(name, seen, does, falls, says, neighbour);
        let block = "target \"dcos\" { enterprise #true }\n    role";
        (name, fact, seen, does, falls.replacen("role", block, 1), words, says, near.replacen("role", block, 1))
    };
    rows("bad-patch", vec![
        row("a patch with an unknown port protocol", SCHEMA, "Marathon refuses the app, because the protocol must be one of three values",
            "portDefinitions: [{name: a, protocol: sctp}]", "cannot be", "portDefinitions: [{name: a, port: 0, protocol: udp, labels: {VIP_0: '/a:80'}}]"),
        row("a patched port above 65535", SCHEMA, "Marathon refuses the app, because the port must be at most 65535",
            "portDefinitions: [{name: a, port: 70000}]", "must be from 0 to 65535", "portDefinitions: [{name: a, port: 7000}]"),
        row("a patched persistent volume without a size", SCHEMA, "Marathon refuses the app, because the key `size` is missing",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {type: root}}]}, unreachableStrategy: disabled}", "has no `size`",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {type: root, size: 100}}]}, unreachableStrategy: disabled}"),
        row("a patched persistent volume at a path with a slash", SOURCE, "Marathon refuses the app: `value must not contain a slash`",
            "{container: {volumes: [{containerPath: /data, mode: RW, persistent: {size: 100}}]}, unreachableStrategy: disabled}", "is persistent, so `containerPath` must be one file name in the sandbox",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {size: 100}}]}, unreachableStrategy: disabled}"),
        row("a patched persistent volume in an app with an unreachableStrategy", SOURCE, "Marathon refuses the app: `unreachableStrategy must be disabled for resident tasks`",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {size: 100}}]}, unreachableStrategy: {inactiveAfterSeconds: 0, expungeAfterSeconds: 0}}",
            "`unreachableStrategy: disabled`",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {size: 100}}]}, unreachableStrategy: disabled}"),
        row("a patched volume with two sources", SOURCE, "Marathon uses one of the two sources and ignores the other without a message",
            "container: {volumes: [{containerPath: data, mode: RW, hostPath: /d, external: {name: a, provider: dvdi}}]}", "must have exactly one of",
            "container: {volumes: [{containerPath: data, mode: RW, external: {name: a, provider: dvdi, options: {dvdi/driver: rexray}}}]}"),
        row("patched Docker parameters with the Mesos runtime", SOURCE, "Marathon refuses the app: with the Mesos runtime, `parameters` must be empty",
            "container: {docker: {parameters: [{key: ipc, value: host}]}}", "is for the Docker runtime", "container: {docker: {parameters: []}}"),
        row("patched privileged mode with the Mesos runtime", SOURCE, "with the Mesos runtime, Marathon drops the field `privileged` without a message",
            "container: {docker: {privileged: true}}", "Marathon drops it", "container: {docker: {privileged: false}}"),
        row("a patch that adds args to cmd", SCHEMA, "Marathon refuses the app, because `cmd` and `args` exclude each other",
            "args: [a]", "excludes `cmd`", "tty: true"),
        row("a patch of the deprecated field ports", SOURCE, "Marathon refuses the app: `cannot specify both ports and port definitions`",
            "ports: [0]", "excludes `portDefinitions`", "portDefinitions: [{port: 0}]"),
        row("a patch of the deprecated field ipAddress", SOURCE, "Marathon refuses the app: `must not specify both networks and ipAddress`",
            "ipAddress: {networkName: a}", "excludes `networks`", "networks: [{mode: host}]"),
        row("a patch with an invalid executor path", SCHEMA, "Marathon refuses the app, because the path does not match the pattern in its schema",
            "executor: a//b", "must be `//cmd` or the path of a program on the agent", "executor: //cmd"),
        row("a patch of the field check before DC/OS 1.13", SOURCE, "Marathon drops the field `check` without a message",
            "check: {exec: {command: {shell: 'true'}}}", "`check` needs DC/OS 1.13", "killSelection: YOUNGEST_FIRST"),
        new("a patched check with two protocols", "Marathon uses one of the two protocols and ignores the other without a message",
            "check: {http: {port: 80}, tcp: {port: 80}}", "must have exactly one of `exec`, `http`, and `tcp`", "check: {exec: {command: {shell: 'true'}}}"),
        new("a patched ipcInfo without a mode", "Marathon refuses the app, because the mode of the IPC namespace is missing",
            "container: {linuxInfo: {ipcInfo: {shmSize: 9}}}", "has no `mode`", "container: {linuxInfo: {seccomp: {profileName: default}}}"),
        row("a patched readiness check with a timeout above its interval", SOURCE, "Marathon refuses the app, because the timeout must be below the interval",
            "readinessChecks: [{portName: http-api, intervalSeconds: 5}]", "must have a `timeoutSeconds` below `intervalSeconds`",
            "readinessChecks: [{portName: http-api, intervalSeconds: 15}]"),
        row("a patch with labels of the host network", SOURCE, "Marathon refuses the app: `Host networks may not have names or labels`",
            "networks: [{mode: host, labels: {a: b}}]", "cannot have labels", "networks: [{mode: host}]"),
        row("patched migration labels that are incomplete", SOURCE, "Marathon refuses the app: `DCOS_PACKAGE_FRAMEWORK_NAME and DCOS_MIGRATION_API_PATH must be defined`",
            "labels: {DCOS_MIGRATION_API_VERSION: v1}", "the label `DCOS_MIGRATION_API_VERSION` needs the labels",
            "labels: {DCOS_MIGRATION_API_VERSION: v1, DCOS_MIGRATION_API_PATH: /v1, DCOS_PACKAGE_FRAMEWORK_NAME: tf}"),
        row("a patch that requests GPUs without the property gpus", SOURCE, "the agent provides the GPU, but an empty CUDA_VISIBLE_DEVICES of the app hides it from the program",
            "gpus: 1", "the app requests GPUs, but `CUDA_VISIBLE_DEVICES` is empty and hides them: use `resources gpus=1` instead of the patch", "gpus: 0"),
        row("a patch of the app version", SCHEMA, "Marathon accepts the value, but replaces it with a value of its own",
            "version: '2020-01-01T00:00:00Z'", "is set by Marathon", "secrets: {}"),
        new("a patched resource limit below the request", "Marathon refuses the app: `resource limit must be greater than or equal to requested resource`",
            "resourceLimits: {cpus: 0.5}", "is below `cpus`, the request of the app", "resourceLimits: {cpus: 2, mem: unlimited}"),
        new("a patched resource limit that is not a number", "Marathon refuses the app: `It must be 'unlimited' or a number`",
            "resourceLimits: {cpus: lots}", "must be a number or `unlimited`", "resourceLimits: {cpus: unlimited}"),
        new("a patch of acceptedResourceRoles with a role that the app does not have", "Marathon refuses the app: `acceptedResourceRoles can only contain * and ml`",
            "{acceptedResourceRoles: [gpu], role: ml}", "can accept only `*` and `ml`", "{acceptedResourceRoles: ['*', ml], role: ml}"),
        row("a patched expungeAfterSeconds below inactiveAfterSeconds", SOURCE, "Marathon refuses the app, because `inactiveAfterSeconds` can be at most `expungeAfterSeconds`",
            "unreachableStrategy: {inactiveAfterSeconds: 9, expungeAfterSeconds: 3}", "is above `expungeAfterSeconds`",
            "unreachableStrategy: {inactiveAfterSeconds: 3, expungeAfterSeconds: 9}"),
        row("a patch of the app ID", SOURCE, "the app replaces another app, or is no longer in the group of the job",
            "id: /mnist/ps-0", "renames the app of a task", "labels: {a: b}"),
        row("a patch with an unknown constraint operator", SCHEMA, "Marathon refuses the app, because it knows only seven constraint operators",
            "constraints: [[a, IS_NOT, b]]", "`IS_NOT` is not a valid constraint operator", "constraints: [[a, UNLIKE, b]]"),
        row("a patched constraint without an operator", SCHEMA, "Marathon refuses the app, because a constraint has two or three items",
            "constraints: [[hostname]]", "has no operator", "constraints: [[hostname, UNIQUE]]"),
        row("a patched constraint LIKE without a value", SOURCE, "Marathon refuses the app, because the operator LIKE needs a pattern",
            "constraints: [[rack, LIKE]]", "needs a value", "constraints: [[rack, LIKE, 'r[12]']]"),
        row("a patched dependency on a missing app", SOURCE, "the app waits forever for its dependency",
            "dependencies: [/nosuch]", "cannot be patched, because Marathon waits forever for a missing app: use `after`", "labels: {a: c}"),
        with("a patched reference to an undefined secret", SOURCE, "Marathon refuses the app, because its `secrets` do not define this secret",
            "env: {A: {secret: key}}", "is not a key of `secrets` of the app", "{env: {A: {secret: key}}, secrets: {key: {source: mnist/key}}}", "enterprise #true"),
        with("a patched reference to an undefined registry secret", SOURCE, "Marathon refuses the app: `pullConfig.secret must refer to an existing secret`",
            "container: {docker: {pullConfig: {secret: key}}}", "is not a key of `secrets` of the app",
            "{container: {docker: {pullConfig: {secret: key}}}, secrets: {key: {source: mnist/key}}}", "enterprise #true"),
        ent("a patched secret at a path of another service", PAGE, "only services below the path of a secret can read it, so the task does not start",
            "{env: {A: {secret: key}}, secrets: {key: {source: hdfs/key}}}", "only services below `/hdfs` can read the secret `hdfs/key`",
            "{env: {A: {secret: key}}, secrets: {key: {source: mnist/worker-0/key}}}"),
        ent("a patched secret with an empty path", PAGE, "no secret can have an empty path, so the task does not start",
            "{env: {A: {secret: key}}, secrets: {key: {source: /}}}", "`/` is not a valid path of a secret",
            "{env: {A: {secret: key}}, secrets: {key: {source: key}}}"),
        with("a patch that uses secrets without DC/OS Enterprise", SOURCE, "Marathon refuses the app, because the feature `secrets` is not enabled",
            "{env: {A: {secret: key}}, secrets: {key: {source: mnist/key}}}", "add `enterprise #true`",
            "{env: {A: {secret: key}}, secrets: {key: {source: mnist/key}}}", "enterprise #true"),
        with("patched shared memory before DC/OS 2.1", SCHEMA, "Marathon refuses the app, because its schema 1.7 does not have the field",
            "container: {linuxInfo: {ipcInfo: {mode: PRIVATE, shmSize: 99}}}", "needs DC/OS 2.1",
            "container: {linuxInfo: {ipcInfo: {mode: PRIVATE, shmSize: 99}}}", "version \"2.1\""),
        with("a patched Marathon role before DC/OS 2.0", SOURCE, "Marathon before 1.9 refuses the app, because it does not support roles of services",
            "role: ml", "needs DC/OS 2.0", "role: ml", "version \"2.1\""),
        row("a patch with an unknown killSelection", SCHEMA, "Marathon refuses the app, because only two values are valid",
            "killSelection: RANDOM", "cannot be", "killSelection: OLDEST_FIRST"),
        new("patched executor resources that are negative", "Marathon refuses the app, because the amounts must not be negative",
            "executorResources: {cpus: -1}", "must be at least 0.1", "executorResources: {cpus: 0.2, mem: 64}"),
        row("a patch of requirePorts", SCHEMA, "with `requirePorts: false`, Marathon selects another port for the task than the one that its peers use",
            "requirePorts: false", "must be true: otherwise tasks get other ports than those that their peers connect to", "labels: {a: d}"),
        row("a patched volume with an empty host path", SCHEMA, "Marathon refuses the app, because the string is empty",
            "container: {volumes: [{containerPath: data, hostPath: '', mode: RW}]}", "cannot be empty",
            "container: {volumes: [{containerPath: data, hostPath: /d, mode: RW}]}"),
        row("a patch of an app with an empty image name", SCHEMA, "Marathon refuses the app, because the string is empty",
            "container: {docker: {image: ''}}", "cannot be empty", "container: {docker: {image: a}}"),
        row("a patched environment variable name with an equals sign", SOURCE, "the agent cannot set an environment variable with this name",
            "env: {'A=B': z}", "is not a valid name of a variable", "env: {A_B: z}"),
        row("a patched grace period above the range of 32 bits", SOURCE, "Marathon refuses the app, because the number does not fit into 32 bits",
            "taskKillGracePeriodSeconds: 99999999999", "does not fit in a 32-bit integer", "taskKillGracePeriodSeconds: 60"),
        row("a patch that names the host network", SOURCE, "Marathon refuses the app, because only a container network can have a name",
            "networks: [{mode: host, name: a}]", "cannot have a name", "networks: [{mode: host}]"),
        row("a patch that empties acceptedResourceRoles", SOURCE, "Marathon refuses the app, because the list needs at least one role",
            "acceptedResourceRoles: []", "at least one role", "acceptedResourceRoles: [slave_public, '*']"),
        row("a patched minimumHealthCapacity above 1", SCHEMA, "Marathon refuses the app, because the value must be at most 1",
            "upgradeStrategy: {minimumHealthCapacity: 3}", "from 0 to 1", "upgradeStrategy: {minimumHealthCapacity: 1}"),
    ])
}

/// An error in the patch of a role is reported once for all tasks, with the path in the patch.
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
