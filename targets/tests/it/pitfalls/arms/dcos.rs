//! Messages about Marathon apps on DC/OS.
use super::Arm;
use crate::pitfalls::dcos::{marathon, package, two, workers};

const ENTERPRISE: &str = "target \"dcos\" { enterprise #true; }";
const LONG: &str = "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0";

/// Returns a spec with these lines in the job.
fn job(words: &str) -> String {
    marathon(words, "")
}

/// Returns a spec with these lines in the worker.
fn worker(words: &str) -> String {
    marathon("", words)
}

/// Returns a spec with a chief and workers of synchronous training, whose shims wait for each other.
fn follows(chief: &str, worker: &str, more: &str) -> String {
    let chief = format!(
        "start timeout=\"5m\"\n role \"chief\" {{ run \"c\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 8888; {chief} }}\n {more}\n target \"dcos\" {{ shim url=\"https://f.example.com/shim\"; }}"
    );
    workers(&chief, worker)
}

/// Returns a spec without an image.
fn bare(words: &str) -> String {
    job(words).replace("    image \"ml/mnist:1.0\"\n", "")
}

/// Messages about resources, storage, and other requirements of a task.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn arms() -> Vec<Arm> {
    let folder = format!("target \"dcos\" {{ group \"/{0}/{0}/{0}/{0}\"; }}", &LONG[..60]);
    let fetched = format!("https://files.example.com/{}.zip", "a".repeat(1024));
    vec![
        (
            "if Marathon replaces the container, the count continues",
            marathon("checkpoints \"nfs://h/c\" at=\"/c\"", "restart \"on-failure\" limit=3"),
        ),
        (
            "Marathon starts `worker` only when `chief` is ready, but the shim of `chief` waits for the addresses of `worker`, so neither program starts",
            follows("ready http=\"web/up\"", "after \"chief\"", ""),
        ),
        (
            "remove `timeout` from `start`, or `ready` of `chief`",
            follows("ready http=\"web/up\"", "after \"chief\"", ""),
        ),
        (
            "Marathon starts `worker` only when `fill` is ready, but `fill` starts after `chief`, and the shim of `chief` waits for the addresses of `worker`, so none of them starts",
            follows(
                "",
                "after \"fill\"",
                "helper \"fill\" { after \"chief\"; ready file=\"/tmp/full\"; resources cpus=1 memory=\"1GiB\"; run \"f\"; }",
            ),
        ),
        (
            "Marathon starts the app of this role before `chief` is ready, so the shim of this role waits until `chief` is ready",
            follows("ready tcp=\"rendezvous\"", "after \"chief\"", ""),
        ),
        (
            "Marathon starts the app of this role when the app of `chief` runs, so the shim of this role waits until the program of `chief` has started",
            follows("", "after \"chief\" when=\"started\"", ""),
        ),
        (
            "the shim waits for the peers, and stops the task when `start timeout` expires; for `chief` the time until Marathon starts `worker` also counts",
            follows("", "after \"chief\"", ""),
        ),
        (
            "Marathon starts the apps of a group in layers, so `worker` also waits until `db` is ready",
            follows(
                "",
                "after \"chief\"",
                "helper \"db\" { ready file=\"/tmp/up\"; resources cpus=1 memory=\"1GiB\"; run \"f\"; }\nhelper \"nb\" { after \"db\"; resources cpus=1 memory=\"1GiB\"; run \"f\"; }",
            ),
        ),
        (
            "this role gets no health check: no `after` refers to it, and Marathon would start later roles only after the check passes",
            follows(
                "",
                "after \"chief\"",
                "helper \"nb\" { ready file=\"/tmp/up\"; resources cpus=1 memory=\"1GiB\"; run \"f\"; }",
            ),
        ),
        (
            "before DC/OS 1.13, the program can use GPUs only if its image has the label `com.nvidia.volumes.needed`",
            marathon("", "").replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1"),
        ),
        (
            "the program can use GPUs only if its image has the label `com.nvidia.volumes.needed` or sets `NVIDIA_VISIBLE_DEVICES`",
            marathon("target \"dcos\" { version \"1.13\"; }", "")
                .replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1"),
        ),
        (
            "shorten the name of the job or of `group`",
            job(&folder).replace("mnist\" {", "mnist-of-the-largest-kind\" {"),
        ),
        (
            "remove `if-exists` and let the program check that the directory is empty; or use `checkpoints \"file:///mnt/ck\" at=\"/mnt/ck\"`",
            { bare("checkpoints \"file:///mnt/ck\" if-exists=\"fail\"") },
        ),
        (
            "if a task finds old checkpoints and fails, Marathon restarts the task again and again; its peers do not detect the failure, and resume from the old checkpoints",
            workers(
                "checkpoints \"file:///mnt/ck\" at=\"/ck\" if-exists=\"fail\"\n network \"dcos\"\n placement { node \"hostname\" \"10.0.0.7\"; }",
                "",
            ),
        ),
        (
            "Marathon restarts each task separately; when one task is lost, all others exit, restart, and rejoin",
            workers("", "restart \"on-failure\""),
        ),
        (
            "Marathon restarts only roles with `restart`; when one task is lost, all others exit, and roles without `restart` stay stopped",
            workers(
                "role \"chief\" { run \"c\"; resources cpus=1 memory=\"1GiB\"; }",
                "restart \"on-failure\"",
            ),
        ),
        ("a mount at `/proc/x` would hide a system directory of the container", {
            job("data \"d\" \"file:///mnt/d\" at=\"/proc/x\"")
        }),
        ("`worker` has no image, so unpacking at `/srv/c` would write to the file system of the agent", {
            bare("files \"c\" \"https://h/c.tar.gz\" at=\"/srv/c\"")
        }),
        (
            "a health check command tests on the agent whether the file exists: without an image, a file of an earlier start also counts",
            bare("ready file=\"/tmp/ready\""),
        ),
        ("unpacking at `/etc` would overwrite a system directory of the container", {
            job("files \"c\" \"https://h/c.tar.gz\" at=\"/etc\"")
        }),
        ("set an `image`, or use `at=\"/mnt/code\"`", bare("code \"file:///mnt/code\" at=\"/code\"")),
        ("set an `image`, or use `at=\"/mnt/d\"`", bare("data \"d\" \"file:///mnt/d\" at=\"/d\"")),
        (
            "Marathon accepts URIs of at most 1024 characters, and this one has 1054",
            job(&format!("code \"{fetched}\"")),
        ),
        (
            "files in the directory of the spec cannot be mounted into a Marathon app",
            job("data \"d\" \"./d\""),
        ),
        (
            "Marathon supports `@zone` in constraints only in DC/OS 1.11 and later",
            worker("placement { node \"@zone\" \"us-west-2a\"; }"),
        ),
        (
            "is too long: Linux allows at most 131071 bytes",
            worker(&format!("target \"dcos\" {{ patch \"env: {{B: {}}}\"; }}", "x".repeat(140_000))),
        ),
        (
            "Marathon parses URIs with Java, which rejects `https://h/100%.zip`",
            job("code \"https://h/100%.zip\""),
        ),
        ("the character `|` must be percent-encoded: `%7C`", job("code \"https://h/a.zip?x|y\"")),
        ("a second `#` must be percent-encoded: `%23`", job("code \"https://h/a.zip#b#c\"")),
        ("rejects URIs with `\\` or `'`", job("code \"https://files.example.com/it's.zip\"")),
        ("characters, but a host name has at most 253", job(&folder)),
        (
            "the label `description` is ignored: the `description` of the job is written under the same key",
            job("description \"a job\"\n labels { description \"another\"; }"),
        ),
        (
            "Admin Router uses the label `DCOS_SERVICE_NAME` to link to the service, so another value would break the link",
            job("labels { DCOS_SERVICE_NAME \"x\"; }"),
        ),
        (
            "the DNS name of a task would be `",
            worker("")
                .replace("\"worker\"", &format!("\"{}\"", &LONG[..62]))
                .replace("\"tensorflow\" version=\"2.15\"", "\"custom\""),
        ),
        (
            "Admin Router shows one link per app, but another port of this role also has `link`",
            worker("port \"a\" 8300 link=\"A\"\n port \"b\" 8301 link=\"B\""),
        ),
        (
            "use `group \"/seg\"` instead of `/other`",
            marathon(
                "target \"dcos\" { enterprise #true; group \"/other\" }",
                "secret \"TOKEN\" from=\"seg/x\"",
            ),
        ),
        ("`seg//x` is not a valid path of a secret", {
            marathon(ENTERPRISE, "secret \"TOKEN\" from=\"seg//x\"")
        }),
        ("use names separated by single `/`, such as `team/key`", {
            marathon(ENTERPRISE, "secret \"TOKEN\" from=\"seg/\"")
        }),
        (
            "store the secret at a path without `/`, which every service can read, because no `group` gives access to all secrets of the job",
            { marathon(ENTERPRISE, "secret \"TOKEN\" from=\"seg/x\"\n secret \"KEY\" from=\"ops/y\"") },
        ),
        ("the role has one task", worker("placement { spread \"host\"; }")),
        (
            "tasks of this role connect to the first task of the job, and no task connects to them on this port",
            job("role \"master\" { run \"m\"; resources cpus=1 memory=\"1GiB\"; }")
                .replace("\"tensorflow\" version=\"2.15\"", "\"pytorch\" version=\"2.1\""),
        ),
        (
            "use storage that the program can open, such as `hdfs:` or `gs:`; or use a directory that exists on every agent",
            { job("checkpoints \"pvc://claim/ckpt\"") },
        ),
        (
            "TensorBoard runs in a separate container, so it cannot read these logs",
            marathon("tensorboard logs=\"./logs\"", ""),
        ),
        (
            "TensorBoard is a separate app with its own sandbox, so it cannot read `{code}`, `{files.NAME}`, or `{scratch}` of a task",
            marathon("tensorboard logs=\"{scratch}\"", ""),
        ),
        (
            "agents pull only images that they do not have",
            job("image \"ml/mnist:1.0\" pull=\"missing\"").replacen("    image \"ml/mnist:1.0\"\n", "", 1),
        ),
        (
            "an agent always pulls an image that it does not have, and no field of an app prevents the pull",
            job("image \"ml/mnist:1.0\" pull=\"never\"").replacen("    image \"ml/mnist:1.0\"\n", "", 1),
        ),
        ("if the `sh` of the image is bash, it overwrites the variable", job("env { RANDOM \"7\" }")),
        (
            "without an image, Mesos cannot mount a secret file at the absolute path",
            bare(&format!("secret \"KEY\" from=\"key\" at=\"/etc/key\"\n {ENTERPRISE}")),
        ),
        (
            "Mesos counts memory and disk in MiB, so the amount is rounded up to 1025MiB",
            job("").replace("memory=\"1GiB\"", "memory=\"1049000KiB\""),
        ),
        ("the app", workers("", "")),
    ]
}

/// Messages about options of the `target` block, and about several requirements together.
pub fn options() -> Vec<Arm> {
    let block = |words: &str| job(&format!("target \"dcos\" {{ {words}; }}"));
    vec![
        ("dcos: Marathon apps ignore `disk-type`", worker("target \"dcos\" { disk-type \"ROOT\"; }")),
        ("agents download the shim into the sandbox of each task", block("shim path=\"/opt/tfjob-shim\"")),
        ("with a URI that agents can download", block("shim path=\"/opt/tfjob-shim\"")),
        ("`path` of `shim` is not supported", block("shim path=\"/opt/tfjob-shim\"")),
        (
            "dcos: `image` of `shim` is not supported: only a pod has an init container",
            block("shim image=\"ml/tfjob-shim:1\""),
        ),
        ("write `shim url=", block("shim")),
        (
            "dcos: agents cannot download the shim: the Mesos fetcher does not support `pvc:` storage",
            block("shim url=\"pvc://tools/tfjob-shim\""),
        ),
        (
            "a URI has at most 1024 characters, and this one has 10",
            block(&format!("shim url=\"https://h/{}\"", "a".repeat(1024))),
        ),
        (
            "the Mesos fetcher rejects URIs with `'`, which can be written as `%27`",
            block("shim url=\"https://h/it's\""),
        ),
        (
            "dcos: a job with more than 256 tasks needs `tfjob-shim`, but `shim` is not set",
            workers("", "").replace("count=2", "count=257"),
        ),
        ("no task of this job needs the shim", block("shim url=\"https://files.example.com/tfjob-shim\"")),
        ("`cmd` cannot be patched: use `run` or `shell`", worker("target \"dcos\" { patch \"cmd: x\"; }")),
        ("`/other` renames the group", block("patch \"id: /other\"")),
        (
            "the constraint operator `LIKE` has too many values",
            worker("target \"dcos\" { patch \"constraints: [[a, LIKE, b, c]]\"; }"),
        ),
        (
            "the value of `MAX_PER` must be an integer",
            worker("target \"dcos\" { patch \"constraints: [[a, MAX_PER, b]]\"; }"),
        ),
        (
            "the network mode does not match the ports of the app: set `network` in the spec instead",
            worker("target \"dcos\" { patch \"networks: [{mode: container, name: a}]\"; }"),
        ),
        ("the command of a task would be", {
            let word = "a".repeat(131_000);
            two("when=\"started\"").replace("\"step.sh\"", &format!("\"step.sh\" \"{word}\""))
        }),
    ]
}

/// Messages about values that a patch of an app cannot set.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn patches() -> Vec<Arm> {
    let patch = |text: &str| worker(&format!("target \"dcos\" {{ patch \"{text}\"; }}"));
    let stays = |volume: &str, more: &str| {
        patch(&format!(
            "{{container: {{volumes: [{{containerPath: data, {volume}}}]}}, unreachableStrategy: disabled{more}}}"
        ))
    };
    let network =
        |job: &str, mode: &str| workers(job, &format!("target \"dcos\" {{ patch \"networks: [{mode}]\"; }}"));
    let whole = |text: &str| job(&format!("target \"dcos\" {{ patch \"{text}\"; }}"));
    let none = "portDefinitions: null";
    let bridge =
        format!("target \"dcos\" {{ patch \"{{{none}, networks: [{{mode: container/bridge}}]}}\"; }}");
    vec![
        (
            "has both `uris` and `fetch`",
            marathon("code \"https://h/a.zip\"", "target \"dcos\" { patch \"uris: ['https://h/b']\"; }"),
        ),
        ("must have `mode`", stays("persistent: {size: 9}", "")),
        (
            "the label `DCOS_MIGRATION_API_VERSION` must be `v1`",
            patch("labels: {DCOS_MIGRATION_API_VERSION: v2}"),
        ),
        ("is persistent, so `mode` must be `RW`", stays("mode: RO, persistent: {size: 9}", "")),
        (
            "has `maxSize`, which is valid only with `type: mount`",
            stays("mode: RW, persistent: {size: 9, maxSize: 10}", ""),
        ),
        (
            "must have a `maxSize` above `size`",
            stays("mode: RW, persistent: {type: mount, size: 9, maxSize: 9}", ""),
        ),
        (
            "has `constraints`, which are invalid with `type: root`",
            stays("mode: RW, persistent: {size: 9, constraints: [[path, LIKE, a]]}", ""),
        ),
        (
            "a persistent volume is reserved for one role, so `role` cannot be `*`",
            stays("mode: RW, persistent: {size: 9}", ", role: '*'"),
        ),
        ("`readinessChecks` can contain only one check", patch("readinessChecks: [{name: a}, {name: b}]")),
        (
            "Mesos finds no container network named `bridge`, so the tasks would not start",
            workers("network \"bridge\"", ""),
        ),
        ("a bridge network cannot have a name", network("", "{mode: container/bridge, name: a}")),
        (
            "tasks on a bridge network cannot be reached from other agents: set `network` in the spec instead",
            workers("", &bridge),
        ),
        ("cannot be patched: submit other groups separately", whole("groups: [{id: a}]")),
        ("cannot be patched, because each task is a separate app: set `count`", whole("scaleBy: 2")),
        (
            "must be `MESOS`: the Docker runtime does not support GPUs, registry secrets, and `linuxInfo`",
            patch("container: {type: DOCKER}"),
        ),
        ("is not supported by Marathon 1.9 and later: use `image`", patch("container: {appc: {image: a}}")),
        (
            "must be `disabled`, or have `inactiveAfterSeconds` and `expungeAfterSeconds`, both integers",
            patch("unreachableStrategy: enabled"),
        ),
        ("must be `shell: TEXT` or `argv: [ARGUMENT]`", patch("check: {exec: {command: {text: a}}}")),
        (
            "must start with a letter and contain only `a` to `z`, digits, and inner `-`",
            patch("portDefinitions: [{name: A_b}]"),
        ),
        ("use one of the keys", package("", "", "patch \"worker: {qqqqqqqqqqqq: 9}\"")),
    ]
}
