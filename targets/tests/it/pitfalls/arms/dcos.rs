//! What DC/OS says of Marathon's apps.
use super::Arm;
use crate::pitfalls::dcos::{marathon, package, two, workers};

const ENTERPRISE: &str = "target \"dcos\" { enterprise #true; }";
const LONG: &str = "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0";

/// Words in the job.
fn job(words: &str) -> String {
    marathon(words, "")
}

/// Words in the worker.
fn worker(words: &str) -> String {
    marathon("", words)
}

/// A chief and workers in step, whose shims wait for each other.
fn follows(chief: &str, worker: &str, more: &str) -> String {
    let chief = format!(
        "start timeout=\"5m\"\n role \"chief\" {{ run \"c\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 8888; {chief} }}\n {more}\n target \"dcos\" {{ shim url=\"https://f.example.com/shim\"; }}"
    );
    workers(&chief, worker)
}

/// Without image.
fn bare(words: &str) -> String {
    job(words).replace("    image \"ml/mnist:1.0\"\n", "")
}

/// What a task gets, reads and writes.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn arms() -> Vec<Arm> {
    let folder = format!("target \"dcos\" {{ group \"/{0}/{0}/{0}/{0}\"; }}", &LONG[..60]);
    let fetched = format!("https://files.example.com/{}.zip", "a".repeat(1024));
    vec![
        (
            "starts `worker` only when `chief` is ready, and the shim of `chief` would wait for the addresses of `worker` before: neither starts",
            follows("ready http=\"web/up\"", "after \"chief\"", ""),
        ),
        (
            "remove `start timeout`, or `ready` of `chief`",
            follows("ready http=\"web/up\"", "after \"chief\"", ""),
        ),
        (
            "starts `worker` only when `fill` is ready, and `fill` starts after `chief`, the shim of which would wait for the addresses of `worker` before: none of them starts",
            follows(
                "",
                "after \"fill\"",
                "helper \"fill\" { after \"chief\"; ready file=\"/tmp/full\"; resources cpus=1 memory=\"1GiB\"; run \"f\"; }",
            ),
        ),
        (
            "the app starts when that of `chief` does, and its shim waits until `chief` is ready",
            follows("ready tcp=\"rendezvous\"", "after \"chief\"", ""),
        ),
        (
            "the app starts when that of `chief` runs, and its shim waits until the program of `chief` has been started",
            follows("", "after \"chief\" when=\"started\"", ""),
        ),
        (
            "the shim waits for the peers and then gives up; for `chief` the time until Marathon starts `worker` counts too",
            follows("", "after \"chief\"", ""),
        ),
        (
            "Marathon starts the apps of a group in layers, and `worker` only when `db` is ready too",
            follows(
                "",
                "after \"chief\"",
                "helper \"db\" { ready file=\"/tmp/up\"; resources cpus=1 memory=\"1GiB\"; run \"f\"; }\nhelper \"nb\" { after \"db\"; resources cpus=1 memory=\"1GiB\"; run \"f\"; }",
            ),
        ),
        (
            "no `after` names this role, so its apps have no health check: with one, Marathon would start no later app before it passes",
            follows(
                "",
                "after \"chief\"",
                "helper \"nb\" { ready file=\"/tmp/up\"; resources cpus=1 memory=\"1GiB\"; run \"f\"; }",
            ),
        ),
        (
            "before version 1.13 Mesos mounts the agent's NVIDIA driver only into an image with the label",
            marathon("", "").replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1"),
        ),
        (
            "or with `NVIDIA_VISIBLE_DEVICES` in its own environment",
            marathon("target \"dcos\" { version \"1.13\"; }", "")
                .replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1"),
        ),
        (
            "a shorter name of the job, or of `group`",
            job(&folder).replace("mnist\" {", "mnist-of-the-largest-kind\" {"),
        ),
        ("let the program look; or write `checkpoints \"file:///mnt/ck\" at=\"/mnt/ck\"`, a folder", {
            bare("checkpoints \"file:///mnt/ck\" if-exists=\"fail\"")
        }),
        (
            "keeps the app of a task that has refused the folder: the other tasks cannot tell it from one that has begun",
            workers(
                "checkpoints \"file:///mnt/ck\" at=\"/ck\" if-exists=\"fail\"\n network \"dcos\"\n placement { node \"hostname\" \"10.0.0.7\"; }",
                "",
            ),
        ),
        (
            "Marathon starts each task again by itself; when one is lost, all end and meet again",
            workers("", "restart \"on-failure\""),
        ),
        (
            "all end when one is lost, and a role without `restart` stays ended",
            workers(
                "role \"chief\" { run \"c\"; resources cpus=1 memory=\"1GiB\"; }",
                "restart \"on-failure\"",
            ),
        ),
        ("cannot mount at `/proc/x`: it would hide the container's own system", {
            job("data \"d\" \"file:///mnt/d\" at=\"/proc/x\"")
        }),
        (
            "unpacks nothing at `/srv/c` for `worker`, which has no image: it would be the agent's own `/srv/c`",
            { bare("files \"c\" \"https://h/c.tar.gz\" at=\"/srv/c\"") },
        ),
        (
            "a command looks for the file on the agent, where one of an earlier start counts too",
            bare("ready file=\"/tmp/ready\""),
        ),
        ("cannot unpack at `/etc`: it would overwrite the container's own system", {
            job("files \"c\" \"https://h/c.tar.gz\" at=\"/etc\"")
        }),
        ("name an `image`, or write `at=\"/mnt/code\"`", bare("code \"file:///mnt/code\" at=\"/code\"")),
        ("name an `image`, or write `at=\"/mnt/d\"`", bare("data \"d\" \"file:///mnt/d\" at=\"/d\"")),
        ("takes uris of at most 1024 characters, and this one has 1054", job(&format!("code \"{fetched}\""))),
        ("mounts no files beside the spec into a task", job("data \"d\" \"./d\"")),
        ("knows `@zone` only since version 1.11", worker("placement { node \"@zone\" \"us-west-2a\"; }")),
        (
            "is longer than Linux passes to a process",
            worker(&format!("target \"dcos\" {{ patch \"env: {{B: {}}}\"; }}", "x".repeat(140_000))),
        ),
        (
            "reads addresses as Java does, which refuses `https://h/100%.zip`",
            job("code \"https://h/100%.zip\""),
        ),
        ("`|` stands unescaped in it: write `%7C`", job("code \"https://h/a.zip?x|y\"")),
        ("a second `#` stands in it: write `%23`", job("code \"https://h/a.zip#b#c\"")),
        ("refuses uris with `\\` or `'`", job("code \"https://files.example.com/it's.zip\"")),
        ("characters, and a host name has at most 253", job(&folder)),
        (
            "shows the job's description under this label",
            job("description \"a job\"\n labels { description \"another\"; }"),
        ),
        ("takes the label `DCOS_SERVICE_NAME` as a command", job("labels { DCOS_SERVICE_NAME \"x\"; }")),
        (
            "would name a task `",
            worker("")
                .replace("\"worker\"", &format!("\"{}\"", &LONG[..62]))
                .replace("\"tensorflow\" version=\"2.15\"", "\"custom\""),
        ),
        (
            "shows one link for each service",
            worker("port \"a\" 8300 link=\"A\"\n port \"b\" 8301 link=\"B\""),
        ),
        (
            "write `group \"/seg\"` in place of `/other`",
            marathon(
                "target \"dcos\" { enterprise #true; group \"/other\" }",
                "secret \"TOKEN\" from=\"seg/x\"",
            ),
        ),
        ("takes `seg//x` for no path of a secret", {
            marathon(ENTERPRISE, "secret \"TOKEN\" from=\"seg//x\"")
        }),
        ("write names with single `/` between them, such as `team/key`", {
            marathon(ENTERPRISE, "secret \"TOKEN\" from=\"seg/\"")
        }),
        (
            "keep the secret outside all folders: no `group` of the job is below the folders of all its secrets",
            { marathon(ENTERPRISE, "secret \"TOKEN\" from=\"seg/x\"\n secret \"KEY\" from=\"ops/y\"") },
        ),
        ("the role has one task", worker("placement { spread \"host\"; }")),
        (
            "its tasks call the first task of the job, and nobody calls them on this port",
            job("role \"master\" { run \"m\"; resources cpus=1 memory=\"1GiB\"; }")
                .replace("\"tensorflow\" version=\"2.15\"", "\"pytorch\" version=\"2.1\""),
        ),
        (
            "put it where the program opens it, such as `hdfs:` or `gs:`; or name a folder that every agent has",
            { job("checkpoints \"pvc://claim/ckpt\"") },
        ),
        (
            "starts TensorBoard in a container of its own, which has no such folder and opens no such uri",
            marathon("tensorboard logs=\"./logs\"", ""),
        ),
        (
            "runs TensorBoard as an app of its own, with a sandbox of its own",
            marathon("tensorboard logs=\"{scratch}\"", ""),
        ),
        (
            "agents keep the images they have",
            job("image \"ml/mnist:1.0\" pull=\"missing\"").replacen("    image \"ml/mnist:1.0\"\n", "", 1),
        ),
        (
            "pulls an image that the agent does not have",
            job("image \"ml/mnist:1.0\" pull=\"never\"").replacen("    image \"ml/mnist:1.0\"\n", "", 1),
        ),
        ("may be bash, and bash sets `RANDOM` itself", job("env { RANDOM \"7\" }")),
        (
            "puts a secret at a path of its own only inside an image",
            bare(&format!("secret \"KEY\" from=\"key\" at=\"/etc/key\"\n {ENTERPRISE}")),
        ),
        (
            "memory and disk are counted in MiB: it gets 1025",
            job("").replace("memory=\"1GiB\"", "memory=\"1049000KiB\""),
        ),
        ("the app itself", workers("", "")),
    ]
}

/// Options of the block, and what no single ask can see.
pub fn options() -> Vec<Arm> {
    let block = |words: &str| job(&format!("target \"dcos\" {{ {words}; }}"));
    vec![
        ("dcos: Marathon has no use for `disk-type`", worker("target \"dcos\" { disk-type \"ROOT\"; }")),
        ("agents download the shim into the sandbox of each task", block("shim path=\"/opt/tfjob-shim\"")),
        ("with a URI that agents can download", block("shim path=\"/opt/tfjob-shim\"")),
        ("`path` of `shim` is not supported", block("shim path=\"/opt/tfjob-shim\"")),
        ("write `shim url=", block("shim")),
        ("dcos: agents cannot fetch the shim from there", block("shim url=\"pvc://tools/tfjob-shim\"")),
        (
            "dcos: so many tasks find each other through the shim only",
            workers("", "").replace("count=2", "count=257"),
        ),
        ("no task of this job needs the shim", block("shim url=\"https://files.example.com/tfjob-shim\"")),
        (
            "`cmd` is what `run` or `shell` says, quoted for the shell",
            worker("target \"dcos\" { patch \"cmd: x\"; }"),
        ),
        ("`/other` does not hold the apps", block("patch \"id: /other\"")),
        (
            "`LIKE` has too many values",
            worker("target \"dcos\" { patch \"constraints: [[a, LIKE, b, c]]\"; }"),
        ),
        (
            "`MAX_PER` takes a whole number",
            worker("target \"dcos\" { patch \"constraints: [[a, MAX_PER, b]]\"; }"),
        ),
        (
            "the network is of another mode than the app's ports: write `network`",
            worker("target \"dcos\" { patch \"networks: [{mode: container, name: a}]\"; }"),
        ),
        ("the command of a task would be", {
            let word = "a".repeat(131_000);
            two("when=\"started\"").replace("\"step.sh\"", &format!("\"step.sh\" \"{word}\""))
        }),
    ]
}

/// What a patch of an app may not say.
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
            "has `uris` and `fetch`",
            marathon("code \"https://h/a.zip\"", "target \"dcos\" { patch \"uris: ['https://h/b']\"; }"),
        ),
        ("is persistent: `mode` is `RW`", stays("mode: RO, persistent: {size: 9}", "")),
        (
            "has `maxSize`, which only `type: mount` has",
            stays("mode: RW, persistent: {size: 9, maxSize: 10}", ""),
        ),
        (
            "has a `maxSize` that is not above `size`",
            stays("mode: RW, persistent: {type: mount, size: 9, maxSize: 9}", ""),
        ),
        (
            "has `constraints`, which `type: root` has not",
            stays("mode: RW, persistent: {size: 9, constraints: [[path, LIKE, a]]}", ""),
        ),
        (
            "a persistent volume is reserved for a role, which is not `*`",
            stays("mode: RW, persistent: {size: 9}", ", role: '*'"),
        ),
        ("`readinessChecks` holds more than one", patch("readinessChecks: [{name: a}, {name: b}]")),
        (
            "looks for a network of containers that is called `bridge`, and DC/OS has none",
            workers("network \"bridge\"", ""),
        ),
        ("a bridge has no name", network("", "{mode: container/bridge, name: a}")),
        ("a bridge gives tasks addresses", workers("", &bridge)),
        ("holds other services", whole("groups: [{id: a}]")),
        ("changes how often each app runs", whole("scaleBy: 2")),
        ("is `MESOS`: Docker's own runtime", patch("container: {type: DOCKER}")),
        ("is an image that Marathon no longer takes since 1.9", patch("container: {appc: {image: a}}")),
        ("is `disabled`, or has", patch("unreachableStrategy: enabled")),
        ("is `shell: TEXT` or `argv: [WORD]`", patch("check: {exec: {command: {text: a}}}")),
        (
            "is a name of `a` to `z`, digits and inner `-`, a letter first",
            patch("portDefinitions: [{name: A_b}]"),
        ),
        ("keys there are", package("", "", "patch \"worker: {qqqqqqqqqqqq: 9}\"")),
    ]
}
