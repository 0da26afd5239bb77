//! Traps that a spec can walk into: each is refused at its own words, and its nearest neighbour compiles.
use super::{bare, many, one};
use crate::{Trap, holds};

const REFUSED: &str = "feature-refused";

/// Name, fact, what falls in, its words, a part of the message, what does not.
type Row = (&'static str, &'static str, String, &'static str, &'static str, String);

fn hold(code: &'static str, rows: Vec<Row>) {
    let traps = rows.into_iter().map(|(name, fact, falls, words, says, neighbour)| Trap {
        name,
        fact,
        falls,
        code,
        words,
        says,
        neighbour,
    });
    holds("yarn", &traps.collect::<Vec<_>>());
}

fn job(text: &str) -> String {
    one(text, "", "")
}

fn role(text: &str) -> String {
    one("", text, "")
}

/// The resources of the one worker.
fn given(resources: &str, block: &str) -> String {
    one("", "", block).replace("cpus=1 memory=\"4GiB\"", resources)
}

fn place(text: &str, block: &str) -> String {
    one("", &format!("place {{ {text} }}"), block)
}

const PLACED: &str = "placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ada\"";
const NEW: &str =
    "hadoop \"3.4.1\"; placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ada\"";

#[test]
#[rustfmt::skip]
fn what_a_release_lacks_is_refused_by_it() {
    let ready = "after \"ps\" when=\"ready\"";
    let image = |digest: &str, block: &str| one("", "", block).replace("ml/mnist:1.0", digest);
    let digest = format!("ml/a@sha256:{}", "0".repeat(64));
    let board = "tensorboard logs=\"s3a://b/l\"";
    let shm = "cpus=1 memory=\"4GiB\" shared-memory=\"1GiB\"";
    hold(REFUSED, vec![
        ("dependents wait until the first has ended", "3.2.0: NeverRestartPolicy", many("", ready, "hadoop \"3.2\""), "\"ps\"", "wait for each other for ever", many("", ready, "hadoop \"3.2.1\"")),
        ("the same in 3.1.2", "3.1.1: NeverRestartPolicy", many("", ready, ""), "\"ps\"", "before Hadoop 3.1.3", many("", ready, "hadoop \"3.1.3\"")),
        ("a TensorBoard holds the service", "yarn-submarine-tony §5, trap 4", many(board, "", "hadoop \"3.2\""), "tensorboard logs=\"s3a://b/l\"", "never ends", many(board, "", "hadoop \"3.3\"")),
        ("a digest fails on the node", "§5, trap 19", image(&digest, ""), "\"ml/a@sha256:0000000000000000000000000000000000000000000000000000000000000000\"", "digest", image(&digest, "hadoop \"3.3\"")),
        ("a memory file system is new", "3.1.1: DockerLinuxContainerRuntime", given(shm, ""), "\"1GiB\"", "64 MiB", given(shm, "hadoop \"3.2\"")),
        ("an attribute alone is no constraint", "3.3.6: ServiceApiUtil", place("node \"rm.yarn.io/a\" \"b\"", PLACED), "\"b\"", "before Hadoop 3.4.1", place("node \"rm.yarn.io/a\" \"b\"", NEW)),
    ]);
}

#[test]
#[rustfmt::skip]
fn what_the_engine_takes_for_something_else_is_refused() {
    let cpus = |n: &str| given(&format!("cpus={n} memory=\"4GiB\""), "");
    let device = |name: &str| given(&format!("cpus=1 memory=\"4GiB\" {{ device \"{name}\" 7 }}"), "");
    let helper = |name: &str| one(&format!("helper \"{name}\" {{ run \"x\"; resources cpus=1 memory=\"1GiB\" }}"), "", "hadoop \"3.3\"").replace("image \"ml/mnist:1.0\"", "");
    let variable = |length: usize| job(&format!("env {{ LONG \"{}\" }}", "x".repeat(length)));
    let kerberos = |principal: &str, keytab: &str| job(&format!("kerberos principal=\"{principal}\" keytab=\"{keytab}\""));
    let two = |a: &str, b: &str| job(&format!("code \"hdfs:///a.zip\" at=\"{a}\"; stage \"s\" \"hdfs:///b.zip\" at=\"{b}\""));
    hold(REFUSED, vec![
        ("1.9 cores are 1", "yarn-observed §2", cpus("1.9"), "1.9", "takes 1.9 as 1", cpus("2")),
        ("memory among the other kinds is ignored", "§5, trap 7", device("memory-mb"), "7", "ignores `memory-mb`", device("yarn.io/fpga")),
        ("GPUs have a word of their own", "§5, trap 7", device("yarn.io/gpu"), "7", "ignores `yarn.io/gpu`", given("cpus=1 memory=\"4GiB\" gpus=1", "")),
        ("a resource type with a blank", "yarn-observed §4", device("rdma hca"), "7", "no resource type", device("rdma/hca")),
        ("a component called like its service", "yarn-observed §3", job("").replace("\"mnist\"", "\"worker\""), "\"worker\"", "component of the same name", job("")),
        ("a component of 45 characters", "yarn-observed §3", helper("a12345678901234567890123456789012345678901234"), "\"a12345678901234567890123456789012345678901234\"", "at most 44", helper("a1234567890123456789012345678901234567890123")),
        ("a role called like another's task", "§1.8", helper("worker-0"), "\"worker-0\"", "DNS would answer for either", helper("worker-1")),
        ("a variable beyond 128 KiB is a silent success", "yarn-observed §5", variable(131_100), "LONG", "calls it a success", variable(100_000)),
        ("a variable that steers the container", "§1.8", job("env { YARN_CONTAINER_RUNTIME_TYPE \"docker\" }"), "YARN_CONTAINER_RUNTIME_TYPE", "reads `YARN_CONTAINER_RUNTIME_TYPE` itself", job("env { CONTAINER_TYPE \"docker\" }")),
        ("the container's own folder", "yarn-observed §5", job("env { WORK_DIR \"/w\" }"), "WORK_DIR", "the container's own folder", job("env { WORKDIR \"/w\" }")),
        ("a principal without a host", "§5, trap 20", kerberos("ada@X", "hdfs:///k"), "kerberos principal=\"ada@X\" keytab=\"hdfs:///k\"", "names no host", kerberos("ada/_HOST@X", "hdfs:///k")),
        ("a keytab from nowhere", "§1.6", kerberos("ada/_HOST@X", "./k"), "kerberos principal=\"ada/_HOST@X\" keytab=\"./k\"", "has no secrets", kerberos("ada/_HOST@X", "file:///k")),
        ("two files by one last step", "§5, trap 9", two("/a/x", "/b/x"), "\"hdfs:///b.zip\"", "last step", two("/a/x", "/b/y")),
        ("one file under two names", "yarn-observed §6", job("stage \"a\" \"hdfs:///b.zip\"; stage \"s\" \"hdfs:///b.zip\""), "\"hdfs:///b.zip\"", "under one name only", job("stage \"a\" \"hdfs:///b.zip\"; stage \"s\" \"hdfs:///c.zip\"")),
        ("a folder is not copied", "yarn-observed §3", job("code \"hdfs:///src\""), "\"hdfs:///src\"", "copies files and archives", job("code \"./src\"")),
        ("a path that breaks the list of mounts", "§1.7", job("data \"d\" \"file:///a:b\" at=\"/d\""), "\"/d\"", "`/a:b` would break", job("data \"d\" \"file:///a-b\" at=\"/d\"")),
    ]);
}

#[test]
#[rustfmt::skip]
fn what_never_starts_or_never_ends_is_refused() {
    let pair = |words: &str| one("network \"overlay\"", words, "dns-domain \"c\"").replace("version=\"2.15\"", "version=\"2.15\" strategy=\"custom\"").replace("role \"worker\"", "role \"worker\" count=2");
    let then = |when: &str| one(&format!("helper \"h\" {{ run \"x\"; resources cpus=1 memory=\"1GiB\"; after \"worker\" when=\"{when}\" }}"), "", "hadoop \"3.3\"");
    let spread = "spread \"host\"";
    let claim = |block: &str| one("checkpoints \"nfs://f/e/x\" at=\"/c\"", "", block);
    hold(REFUSED, vec![
        ("peers without a domain", "§5, trap 15", many("", "", "").replace("dns-domain \"cluster\"", ""), "\"tensorflow\"", "no domain is stated", many("", "", "")),
        ("an automatic port of the rendezvous", "§1.8", pair("port \"cluster\" \"auto\""), "\"auto\"", "needs a fixed one", pair("port \"cluster\" 2223")),
        ("a bridge reaches no other node", "§1.7", many("", "", "").replace("overlay", "bridge"), "\"bridge\"", "no other node reaches", many("", "", "").replace("overlay", "host")),
        ("a component that is always started again", "yarn-observed §7", role("restart \"always\""), "\"always\"", "never ends", role("restart \"on-failure\"")),
        ("a job that waits for a parameter server", "yarn-observed §7", many("success \"all\"", "", "hadoop \"3.3\"").replace("parameter-server", "estimator"), "\"all\"", "never ends", many("success \"chief\"", "", "hadoop \"3.3\"")),
        ("a constraint without a handler", "yarn-observed §4", place(spread, ""), "\"host\"", "no handler", place(spread, PLACED)),
        ("a constraint that is launched", "yarn-observed §1", place(spread, "placement-constraints #true; user \"ada\""), "\"host\"", "yarn app -launch", place(spread, PLACED)),
        ("a post without a name", "§1.11", place(spread, "placement-constraints #true; resource-manager \"http://rm:8088\""), "\"host\"", "web user", place(spread, PLACED)),
        ("an attribute without its prefix", "seen on 3.4.2", place("node \"room\" \"b\"", NEW), "\"b\"", "finds no node by `room`", place("node \"rm.yarn.io/room\" \"b\"", NEW)),
        ("a kill after a quarter of a second", "yarn-observed §7", job("stop grace=\"30s\""), "\"30s\"", "a quarter of a second", one("stop grace=\"30s\"", "", "kill-delay \"30s\"")),
        ("a kill before the grace is over", "yarn-observed §7", one("stop grace=\"30s\"", "", "kill-delay \"10s\""), "\"30s\"", "10 seconds after", one("stop grace=\"10s\"", "", "kill-delay \"10s\"")),
        ("done is not told", "yarn-observed §7", then("done"), "\"worker\"", "another is done", then("ready")),
        ("storage that no node has", "§1.8", claim(""), "\"/c\"", "mounts no `nfs:`", claim("mounted { \"nfs://f/e\" \"/mnt\" }")),
        ("a node has its folders where they are", "§1.8", bare("data \"d\" \"file:///a\" at=\"/b\"", "", ""), "\"/b\"", "`/a` is not at `/b`", bare("data \"d\" \"file:///a\" at=\"/a\"", "", "")),
    ]);
}

#[test]
#[rustfmt::skip]
fn what_the_engine_has_no_means_for_is_refused() {
    let gpus = "cpus=1 memory=\"4GiB\" gpus=1";
    let model = "cpus=1 memory=\"4GiB\" gpus=1 gpu-model=\"a100\"";
    let shm = |amount: &str| given(&format!("cpus=1 memory=\"4GiB\" shared-memory=\"{amount}\""), "hadoop \"3.3\"");
    let secret = |block: &str| one("", "", block).replace("\"ml/mnist:1.0\"", "\"ml/mnist:1.0\" pull-secret=\"ads\"");
    let scope = |scope: &str| many("", &format!("restart \"on-failure\" scope=\"{scope}\""), "");
    hold(REFUSED, vec![
        ("a secret", "§1.4", job("secret \"KEY\" from=\"a\""), "\"KEY\"", "in the clear", job("stage \"key\" \"hdfs:///key\"")),
        ("a user", "§1.8", job("user \"ada\""), "\"ada\"", "who submits", job("")),
        ("a disk", "§1.3", given("cpus=1 memory=\"4GiB\" disk=\"1GiB\"", ""), "\"1GiB\"", "neither reserves nor limits", given("cpus=1 memory=\"4GiB\"", "")),
        ("a model", "§1.3", given(model, ""), "\"a100\"", "does not know their models", given(model, &format!("gpu-attribute \"nm.yarn.io/model\"; {NEW}"))),
        ("the memory of a GPU", "§1.3", given("cpus=1 memory=\"4GiB\" gpus=1 gpu-memory=\"40GiB\"", ""), "\"40GiB\"", "does not know their memory", given(gpus, "")),
        ("all or none", "§1.9", many("start gang=#true", "", ""), "#true", "as soon as there is room", job("start gang=#true")),
        ("a kept container", "§1.8", job("keep \"failed\""), "\"failed\"", "removes every container", job("keep \"none\"")),
        ("a file as a sign of readiness", "§1.5", role("ready file=\"/up\""), "\"/up\"", "from outside", role("port \"up\" 8080; ready tcp=\"up\"")),
        ("more shared memory than is certain", "DockerLinuxContainerRuntime", shm("3GiB"), "\"3GiB\"", "no size", shm("2GiB")),
        ("a registry's credentials", "§1.1", secret(""), "\"ads\"", "config.json", secret("docker-config \"hdfs:///c.json\"")),
        ("a job that is restarted as a whole", "yarn-observed §7", scope("job"), "\"on-failure\"", "no other task hears", scope("task")),
        ("a job of fewer tasks", "§1.9", many("", "", "").replace("count=2", "count=2 min=1"), "1", "have come", many("", "", "")),
        ("an image that is pulled each time", "§1.8", job("").replace("mnist:1.0\"", "mnist:1.0\" pull=\"always\""), "\"always\"", "only where the node", job("").replace("mnist:1.0\"", "mnist:1.0\" pull=\"missing\"")),
    ]);
}

#[test]
#[rustfmt::skip]
fn options_that_the_engine_would_not_take_are_refused() {
    let block = |text: &str| one("", "", text);
    let patch = |text: &str| one("", &format!("target \"yarn\" {{ patch \"{text}\" }}"), "");
    let named = |length: usize| one("", "", "user \"ada\"; dns-domain \"c\"").replace("\"mnist\"", &format!("\"{}\"", "m".repeat(length)));
    let links = |second: &str| one("", &format!("port \"a\" 8080 link=\"Page\"; port \"b\" 8081 link=\"{second}\""), "dns-domain \"c\"");
    hold("bad-option", vec![
        ("services without restart policies", "3.1.0: Component", block("hadoop \"3.1.0\""), "\"3.1.0\"", "no restart policies", block("hadoop \"3.1.1\"")),
        ("Hadoop without services", "§1", block("hadoop \"2.10\""), "\"2.10\"", "no YARN services", block("hadoop \"3\"")),
        ("a queue with a blank", "yarn-observed §3", block("queue \"ml jobs\""), "\"ml jobs\"", "not the name of a queue", block("queue \"root.ml\"")),
        ("a user as DNS does not write it", "§5, trap 16", block("user \"Alice_B\""), "\"Alice_B\"", "Alice_B", block("user \"alice-b\"")),
        ("a domain that is none", "§5, trap 15", block("dns-domain \"a..b\""), "\"a..b\"", "no DNS label", block("dns-domain \"a.b\"")),
        ("a shim on another file system", "yarn-observed §3", block("shim \"https://h/tfjob-shim\""), "\"https://h/tfjob-shim\"", "not there for the engine", block("shim \"hdfs:///tfjob-shim\"")),
        ("an address with a path", "§1.11", block("resource-manager \"http://rm/app\""), "\"http://rm/app\"", "no address", block("resource-manager \"http://rm:8088\"")),
        ("two links of one name", "§1.1", links("Page"), "\"Page\"", "two links", links("Other")),
    ]);
    hold("long-hostname", vec![
        ("a host name of 65 characters", "§5, trap 8", named(50), "\"worker\"", "can have 65 characters", named(49)),
    ]);
    hold("bad-patch", vec![
        ("a misspelt key is dropped", "§5, traps 1 and 2", patch("restartPolicy: NEVER"), "\"restartPolicy: NEVER\"", "restartPolicy", patch("restart_policy: NEVER")),
        ("a policy in lower case", "yarn-observed §2", patch("restart_policy: never"), "\"restart_policy: never\"", "never", patch("restart_policy: ALWAYS")),
        ("a list of variables", "yarn-observed §2", patch("configuration: {env: [{name: A}]}"), "\"configuration: {env: [{name: A}]}\"", "env", patch("configuration: {env: {A: b}}")),
    ]);
}
