//! Traps that a spec can walk into: each is refused at its own words, and its nearest neighbour compiles.
use super::HADOOP;
use super::{bare, many, one};
use crate::pitfalls::{In, Pitfall, rows};

const REFUSED: &str = "unsupported-feature";

/// Every row.
pub fn pitfalls() -> Vec<Pitfall> {
    [
        releases(),
        misread(),
        endless(),
        networks(),
        meansless(),
        options(),
        hostnames(),
        lost(),
        super::patches::pitfalls(),
        super::patches::fixed(),
    ]
    .into_iter()
    .flatten()
    .chain(super::files::pitfalls())
    .chain(super::files::emptied())
    .chain(super::merged::pitfalls())
    .chain(super::merged::settings())
    .chain(super::merged::meeting())
    .chain(super::warnings::pitfalls())
    .collect()
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
    one("", &format!("placement {{ {text} }}"), block)
}

/// A file whose name has 251 bytes.
const LONG: &str = "\"hdfs:///sssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss\"";
const PLACED: &str = "placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ada\"";
const NEW: &str =
    "hadoop \"3.4.1\"; placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ada\"";

#[rustfmt::skip]
fn releases() -> Vec<Pitfall> {
    let ready = "after \"ps\" when=\"ready\"";
    let image = |digest: &str, block: &str| one("", "", block).replace("ml/mnist:1.0", digest);
    let digest = format!("ml/a@sha256:{}", "0".repeat(64));
    let board = "tensorboard logs=\"s3a://b/l\"";
    rows(REFUSED, vec![
        ("a component that starts only after its dependency has finished", "3.2.0: NeverRestartPolicy", In("NeverRestartPolicy.java of Hadoop 3.2.0"),
            "a component that waits for another with policy NEVER starts only when that one has ended, so a worker and its parameter server wait for each other",
            many("", ready, "hadoop \"3.2\""), "\"ps\"", "before Hadoop 3.1.3 and in 3.2.0, a component that can finish", many("", ready, "hadoop \"3.2.1\"")),
        ("a component that starts only after its dependency has finished, in 3.1.2", "3.1.2: NeverRestartPolicy", In("NeverRestartPolicy.java of Hadoop 3.1.2"),
            "the dependent waits for the end, not for readiness, up to 3.1.2",
            many("", ready, ""), "\"ps\"", "before Hadoop 3.1.3", many("", ready, "hadoop \"3.1.3\"")),
        ("a TensorBoard that keeps the service running", "yarn#end-of-a-service", In("ServiceScheduler.java, YARN-8489"),
            "a service ends when all components have ended; one that counts alone is known since 3.3.0",
            one(board, "", "hadoop \"3.2\""), "tensorboard logs=\"s3a://b/l\"", "TensorBoard, which never exits", one(board, "", "hadoop \"3.3\"")),
        ("an image digest that the NodeManager refuses", "yarn#image-digests", In("DockerLinuxContainerRuntime.java"),
            "the service is accepted, and the node manager's pattern for image names takes no digest",
            image(&digest, ""), "\"ml/a@sha256:0000000000000000000000000000000000000000000000000000000000000000\"", "digest", image(&digest, "hadoop \"3.3\"")),
        ("a node attribute without target tags", "3.3.6: ServiceApiUtil", In("ServiceApiUtil.java of Hadoop 3.3.6"),
            "a constraint on a node attribute alone is refused for want of target tags",
            place("node \"rm.yarn.io/a\" \"b\"", PLACED), "\"b\"", "before Hadoop 3.4.1", place("node \"rm.yarn.io/a\" \"b\"", NEW)),
    ])
}

#[rustfmt::skip]
fn misread() -> Vec<Pitfall> {
    let device = |name: &str| given(&format!("cpus=1 memory=\"4GiB\" {{ device \"{name}\" 7 }}"), "");
    let helper = |name: &str| one(&format!("helper \"{name}\" {{ run \"x\"; resources cpus=1 memory=\"1GiB\" }}"), "", "hadoop \"3.3\"").replace("image \"ml/mnist:1.0\"", "");
    let variable = |length: usize| job(&format!("env {{ LONG \"{}\" }}", "x".repeat(length)));
    let kerberos = |principal: &str, keytab: &str| job(&format!("kerberos principal=\"{principal}\" keytab=\"{keytab}\""));
    let two = |a: &str, b: &str| job(&format!("code \"hdfs:///a.zip\" at=\"{a}\"; files \"s\" \"hdfs:///b.zip\" at=\"{b}\""));
    rows(REFUSED, vec![
        ("memory as an additional resource type", "yarn#built-in-resource-types", In("Component.java, requestContainers"),
            "memory and cores under `additional` are left out with a line in the master's log",
            device("memory-mb"), "7", "`memory-mb` cannot be requested as a `device`", device("yarn.io/fpga")),
        ("GPUs as a device", "yarn#built-in-resource-types", In("Component.java, requestContainers"),
            "one of two amounts of a resource type is left out",
            device("yarn.io/gpu"), "7", "`yarn.io/gpu` cannot be requested as a `device`", given("cpus=1 memory=\"4GiB\" gpus=1", "")),
        ("a resource type with a space", "yarn#resource-type-names", HADOOP,
            "an unknown resource type is accepted; the master dies in each attempt and the report does not name it",
            device("rdma hca"), "7", "` is not a valid YARN resource type", device("rdma/hca")),
        ("a component with the name of its service", "yarn#component-names", HADOOP,
            "refused at submission: a component must not be called like its service",
            job("").replace("\"mnist\"", "\"worker\""), "\"worker\"", "`, because a service and its component cannot have the same name", job("")),
        ("a component of 45 characters", "yarn#name-lengths", HADOOP,
            "refused at submission where the registry's DNS is on; not checked at all where it is off",
            helper("a12345678901234567890123456789012345678901234"), "\"a12345678901234567890123456789012345678901234\"", "at most 44", helper("a1234567890123456789012345678901234567890123")),
        ("a role with the DNS name of a task", "yarn#instance-names", In("RegistryUtils, the DNS names of instances"),
            "instance 0 of `worker` and a component `worker-0` have one DNS name",
            helper("worker-0"), "\"worker-0\"", "` would be ambiguous, because a task of the role `", helper("worker-1")),
        ("a variable above 128 KiB", "", HADOOP,
            "the launcher fails with error 7, which is reported as exit 0: the service succeeds and nothing has run",
            variable(131_100), "LONG", "bytes, the container does not start, but the service reports", variable(100_000)),
        ("a variable that configures the container", "yarn#runtime-variables", In("DockerLinuxContainerRuntime.java"),
            "variables of this family choose image, mounts and network of the container",
            job("env { YARN_CONTAINER_RUNTIME_TYPE \"docker\" }"), "YARN_CONTAINER_RUNTIME_TYPE", "the NodeManager reads `YARN_CONTAINER_RUNTIME_TYPE`", job("env { CONTAINER_TYPE \"docker\" }")),
        ("the working directory variable", "yarn#work_dir", HADOOP,
            "the engine sets it by force over the user's value",
            job("env { WORK_DIR \"/w\" }"), "WORK_DIR", "the service master sets `WORK_DIR` to the working directory of", job("env { WORKDIR \"/w\" }")),
        ("a principal without a host", "yarn#kerberos-principal", In("ServiceApiUtil.java, validateKerberosPrincipal"),
            "accepted on an insecure cluster, refused on a secure one",
            kerberos("ada@X", "hdfs:///k"), "kerberos principal=\"ada@X\" keytab=\"hdfs:///k\"", "the principal `ada@X` contains no host", kerberos("ada/_HOST@X", "hdfs:///k")),
        ("a keytab that does not exist", "yarn#keytab-location", In("ServiceApiUtil.java, the Kerberos principal's keytab"),
            "a keytab that is not there is a warning in the log; the master cannot log in later",
            kerberos("ada/_HOST@X", "./k"), "kerberos principal=\"ada/_HOST@X\" keytab=\"./k\"", "not at a supported location", kerberos("ada/_HOST@X", "viewfs://c/k")),
        ("two files with the same last path element", "yarn#destination-names", In("ProviderUtils.java"),
            "files land by the last step of their path, and one overwrites the other",
            two("/a/x", "/b/x"), "\"hdfs:///b.zip\"", "`code` is already linked as `x`", two("/a/x", "/b/y")),
        ("one file with two link names", "yarn#one-link-per-source", HADOOP,
            "one source under several names makes one link; the other names do not exist",
            job("files \"a\" \"hdfs:///b.zip\"; files \"s\" \"hdfs:///b.zip\""), "\"hdfs:///b.zip\"", "one of two entries would be missing: a file is linked only once into", job("files \"a\" \"hdfs:///b.zip\"; files \"s\" \"hdfs:///c.zip\"")),
        ("a directory that is not copied", "yarn#source-files", HADOOP,
            "refused at submission: a source that is a directory is not supported",
            job("code \"hdfs:///src\""), "\"hdfs:///src\"", "`code` must be an archive that the NodeManager unpacks, but `", job("code \"./src\"")),
        ("a path that breaks the mount list", "yarn#mount-lists", In("DockerLinuxContainerRuntime.java"),
            "mounts are a list with colons and commas; the node manager refuses the container",
            job("data \"d\" \"file:///a:b\" at=\"/d\""), "\"/d\"", "` cannot be mounted: Docker mounts are a list separated by `,` and", job("data \"d\" \"file:///a-b\" at=\"/d\"")),
    ])
}

/// Networks of Docker that lead nowhere.
#[rustfmt::skip]
fn networks() -> Vec<Pitfall> {
    rows(REFUSED, vec![
        ("several nodes with Docker's bridge network", "yarn#docker-networks", In("DockerContainers, Hadoop's page"),
            "a container on a bridge gets an address of its own node only",
            many("", "", "").replace("overlay", "bridge"), "\"bridge\"", "` network have no address that other nodes can reach", many("", "", "").replace("overlay", "host")),
        ("a web page in Docker's bridge network", "yarn#docker-networks", In("DockerContainers, Hadoop's page"),
            "the link leads to an address of the container's own node",
            one("network \"bridge\"", "port \"web\" 8080 link=\"Page\"", "dns-domain \"c\""), "\"bridge\"", "` network have no address that other nodes can reach", one("network \"bridge\"", "", "")),
        ("remote storage without a network", "yarn#docker-networks", In("DockerContainers, Hadoop's page"),
            "a container in Docker's network `none` reaches no storage",
            one("network \"none\"; data \"d\" \"s3a://b/d\"; env { D \"{data.d}\" }", "", ""), "\"none\"", "` network have no address that other nodes can reach", one("network \"none\"", "", "")),
    ])
}

#[rustfmt::skip]
fn endless() -> Vec<Pitfall> {
    let pair = |words: &str| one("network \"overlay\"", words, "dns-domain \"c\"").replace("version=\"2.15\"", "version=\"2.15\" strategy=\"custom\"").replace("role \"worker\"", "role \"worker\" count=2");
    let new = |job: &str, block: &str| one(job, "", &format!("hadoop \"3.4\"; {block}"));
    let then = |when: &str| one("role \"prepare\" { run \"x\"; resources cpus=1 memory=\"1GiB\" }\n    success \"all\"", &format!("after \"prepare\" when=\"{when}\""), "hadoop \"3.3\"").replace("\"tensorflow\" version=\"2.15\"", "\"custom\"");
    let spread = "spread \"host\"";
    let claim = |block: &str| one("checkpoints \"nfs://f/e/x\" at=\"/c\"", "", block);
    rows(REFUSED, vec![
        ("peers without a DNS domain", "yarn#registry-dns", In("ServiceScheduler.java"),
            "an unset DNS domain stays in the text as `${DOMAIN}`, which no shell and no resolver understands",
            many("", "", "").replace("dns-domain \"cluster\"", ""), "\"tensorflow\"", "tasks find their peers by registry DNS names, but the domain of these", many("", "", "")),
        ("a rendezvous port that is chosen automatically", "yarn#ports", In("the service's tokens, ServiceApiConstants.java"),
            "nothing tells an instance the ports of the others",
            pair("port \"rendezvous\" \"auto\""), "\"auto\"", "tasks cannot learn ports that their peers choose at startup, so", pair("port \"rendezvous\" 2223")),
        ("a component that always restarts", "yarn#restart-policy-always", HADOOP,
            "a component with policy ALWAYS never ends, and neither does its service",
            role("restart \"always\""), "\"always\"", "restarts `worker` even after success", role("restart \"on-failure\"")),
        ("a job that waits for a parameter server", "yarn#end-of-a-service", HADOOP,
            "the service waits for every component, and a parameter server never ends",
            many("success \"all\"", "", "hadoop \"3.3\"").replace("parameter-server", "estimator"), "\"all\"", "`ps` never exits", many("success \"chief\"", "", "hadoop \"3.3\"")),
        ("a placement constraint without a handler", "yarn#placement-handler", HADOOP,
            "accepted; the service runs for ever without a container, and only the master's log says why",
            place(spread, ""), "\"host\"", "placement constraints need a placement handler, which is off in the", place(spread, PLACED)),
        ("a placement constraint in `yarn app -launch`", "yarn#placement-over-rest", HADOOP,
            "the client reads the scope in lower case only and the server in upper case only: `yarn app -launch` cannot start it",
            place(spread, "placement-constraints #true; user \"ada\""), "\"host\"", "yarn app -launch", place(spread, PLACED)),
        ("a REST submission without a user name", "yarn#rest-user", In("ApiServer.java, the REST interface"),
            "a posted service belongs to the web user, and an insecure cluster asks for `user.name`",
            place(spread, "placement-constraints #true; resource-manager \"http://rm:8088\""), "\"host\"", "the job would run as the user of the web server, because it is", place(spread, PLACED)),
        ("TensorBoard on another node than its logs", "yarn#tensorboard", In("each component is placed on its own"),
            "a path of a node is another directory on another node",
            one("checkpoints \"file:///c\" at=\"/c\"; tensorboard", "", "hadoop \"3.3\""), "tensorboard", "TensorBoard may find no logs: a `file:` directory is local to the",
            one("checkpoints \"nfs://f/e/c\" at=\"/c\"; tensorboard", "", "hadoop \"3.3\"; mounted { \"nfs://f/e\" \"/mnt\" }")),
        ("a node attribute without a prefix", "seen on 3.4.2", HADOOP,
            "an attribute without its prefix matches no node; the service waits without a word",
            place("node \"room\" \"b\"", NEW), "\"b\"", "` matches no node, because the names of node attributes have a", place("node \"rm.yarn.io/room\" \"b\"", NEW)),
        ("SIGKILL 250 ms after SIGTERM", "yarn#termination-delay", HADOOP,
            "KILL follows TERM after 0.21 seconds",
            new("stop grace=\"30s\"", ""), "\"30s\"", "by default, the NodeManager sends SIGKILL 250 ms after SIGTERM; a job", new("stop grace=\"30s\"", "kill-delay \"30s\"")),
        ("SIGKILL before the end of the grace period", "yarn#termination-delay", HADOOP,
            "KILL follows TERM after the node manager's own delay, whatever the program still does",
            new("stop grace=\"30s\"", "kill-delay \"10s\""), "\"30s\"", "SIGKILL follows SIGTERM after 10 seconds", new("stop grace=\"10s\"", "kill-delay \"10s\"")),
        ("a container is killed 10 seconds after SIGTERM", "class files of 3.1.4 and 3.2.0", In("DockerLinuxContainerRuntime.java"),
            "`docker stop` without a time kills after 10 seconds, whatever the node manager's own delay is",
            one("stop grace=\"30s\"", "", "kill-delay \"60s\""), "\"30s\"", "before Hadoop 3.2", new("stop grace=\"30s\"", "kill-delay \"60s\"")),
        ("a role that waits for the success of another role", "yarn#dependencies", HADOOP,
            "a dependent starts when the other is ready or has ended, even failed: it never waits for the end alone",
            then("done"), "\"prepare\"", "the service master starts a component when its dependencies are", then("ready")),
        ("network storage that no node mounts", "yarn#docker-mounts", In("DockerLinuxContainerRuntime.java"),
            "containers see the folders of their node; the engine mounts no network storage",
            claim(""), "\"/c\"", "containers can mount only directories of the node, not ", claim("mounted { \"nfs://f/e\" \"/mnt\" }")),
        ("a node directory at another path without an image", "yarn#node-directories", In("DefaultContainerExecutor"),
            "without an image a process sees the node's own folders, nothing is mounted elsewhere",
            bare("data \"d\" \"file:///a\" at=\"/b\"", "", ""), "\"/b\"", "` has no image, so its tasks see directories of the node only at", bare("data \"d\" \"file:///a\" at=\"/a\"", "", "")),
    ])
}

#[rustfmt::skip]
fn meansless() -> Vec<Pitfall> {
    let gpus = "cpus=1 memory=\"4GiB\" gpus=1";
    let model = "cpus=1 memory=\"4GiB\" gpus=1 gpu-model=\"a100\"";
    let shm = |amount: &str| given(&format!("cpus=1 memory=\"4GiB\" shared-memory=\"{amount}\""), "hadoop \"3.3\"");
    let secret = |block: &str| one("", "", block).replace("\"ml/mnist:1.0\"", "\"ml/mnist:1.0\" pull-secret=\"ads\"");
    let scope = |scope: &str| many("", &format!("restart \"on-failure\" scope=\"{scope}\""), "");
    rows(REFUSED, vec![
        ("a secret in a service spec", "yarn#secrets", In("the service's JSON, ConfigFile.java"),
            "the service's text, its variables included, lies in the file system and in the web interface",
            job("secret \"KEY\" from=\"a\""), "\"KEY\"", "` would be plain text in the service spec and in the web UI", job("files \"key\" \"hdfs:///key.json\"")),
        ("another container user", "yarn#container-user", In("DockerLinuxContainerRuntime.java"),
            "a container runs as the user who submits, or as the one the administrator maps it to",
            job("user \"ada\""), "\"ada\"", "who submits", job("")),
        ("a disk request", "yarn#disk", In("Resource.java"),
            "no amount of disk is known to the scheduler",
            given("cpus=1 memory=\"4GiB\" disk=\"1GiB\"", ""), "\"1GiB\"", "the disk space of a container is neither reserved nor limited: the", given("cpus=1 memory=\"4GiB\"", "")),
        ("a GPU model", "yarn#gpus", In("UsingGpus, Hadoop's page"),
            "GPUs are counted, their models are not known",
            given(model, ""), "\"a100\"", "tasks may get another GPU model: the scheduler only counts GPUs, and", given(model, &format!("gpu-attribute \"nm.yarn.io/model\"; {NEW}"))),
        ("GPU memory", "yarn#gpus", In("UsingGpus, Hadoop's page"),
            "GPUs are counted, their memory is not known",
            given("cpus=1 memory=\"4GiB\" gpus=1 gpu-memory=\"40GiB\"", ""), "\"40GiB\"", "tasks may get GPUs with less memory: the scheduler only counts GPUs", given(gpus, "")),
        ("gang scheduling", "yarn#container-allocation", In("ServiceScheduler.java"),
            "each container starts as soon as it is placed; nothing waits for all",
            many("start gang=#true", "", ""), "#true", "containers start one by one, as the scheduler allocates them: if not", job("start gang=#true")),
        ("finished containers that are kept", "yarn#container-cleanup", In("ContainerLaunch.java"),
            "a container's folder is removed after a delay that the administrator sets",
            job("keep \"failed\""), "\"failed\"", "by default, the NodeManager deletes the files of a container", job("keep \"none\"")),
        ("a readiness file", "yarn#readiness-checks", In("MonitorUtils.java"),
            "probes run in the master: HTTP, a port, or an address; none looks at a file",
            role("ready file=\"/up\""), "\"/up\"", "the service master checks readiness from another container, so it", role("port \"up\" 8080; ready tcp=\"up\"")),
        ("more shared memory than guaranteed", "DockerLinuxContainerRuntime", In("DockerLinuxContainerRuntime.java"),
            "a memory file system is mounted without a size, which is half of the node's memory",
            shm("3GiB"), "\"3GiB\"", "the size of /dev/shm cannot be set; by default it is half of the", shm("2GiB")),
        ("registry credentials", "yarn#registry-credentials", In("Service.java, docker_client_config"),
            "one file of credentials for the service, in the file system; no secret of another kind",
            secret(""), "\"ads\"", "config.json", secret("docker-config \"hdfs:///c.json\"")),
        ("a restart of the whole job", "yarn#restart-of-one-container", HADOOP,
            "a component is restarted by itself, and the others are not told",
            scope("job"), "\"on-failure\"", "the service master restarts only the failed task of `", scope("task")),
        ("a job that starts with fewer tasks", "yarn#container-allocation", In("ServiceScheduler.java"),
            "nothing starts a rendezvous with fewer instances, or tells how many there are",
            many("", "", "").replace("count=2", "count=2 min=1"), "1", "` would still wait for all tasks, because a task cannot learn from", many("", "", "")),
        ("an image that is always pulled", "yarn#image-pulls", In("DockerLinuxContainerRuntime.java"),
            "the node manager runs an image that its node has without asking the registry",
            job("").replace("mnist:1.0\"", "mnist:1.0\" pull=\"always\""), "\"always\"", "the NodeManager pulls an image only if the node does not have it", job("").replace("mnist:1.0\"", "mnist:1.0\" pull=\"missing\"")),
    ])
}

#[rustfmt::skip]
fn options() -> Vec<Pitfall> {
    let block = |text: &str| one("", "", text);
    let links = |second: &str| one("", &format!("port \"a\" 8080 link=\"Page\"; port \"b\" 8081 link=\"{second}\""), "dns-domain \"c\"");
    rows("bad-option", vec![
        ("Hadoop 3.1.0 without restart policies", "3.1.0: Component", In("Component.java of Hadoop 3.1.0"),
            "the key is not known and dropped: every component is started again for ever",
            block("hadoop \"3.1.0\""), "\"3.1.0\"", "does not support restart policies: every task would restart", block("hadoop \"3.1.2\"")),
        ("retries regardless of the restart policy", "seen on 3.1.1", In("AbstractProviderService.java and ServiceScheduler.java of Hadoop 3.1.1"),
            "3.1.1 starts a failed program again every 30 seconds, also with policy NEVER; without retries, its application is ENDED as one that has succeeded",
            block("hadoop \"3.1.1\""), "\"3.1.1\"", "indefinitely", block("hadoop \"3.1.2\"")),
        ("Hadoop without YARN services", "", In("the module's history, 3.1.0"),
            "there is no service API",
            block("hadoop \"2.10\""), "\"2.10\"", "does not include YARN services", block("hadoop \"3\"")),
        ("a queue name with a space", "", HADOOP,
            "an unknown queue is refused only when the master is submitted",
            block("queue \"ml jobs\""), "\"ml jobs\"", "is not a valid queue name", block("queue \"root.ml\"")),
        ("a user name that is not in DNS form", "", In("RegistryUtils.java"),
            "the DNS name of a user is in lower case with dashes; a name taken as it is resolves to nothing",
            block("user \"Alice_B\""), "\"Alice_B\"", "Alice_B", block("user \"alice-b\"")),
        ("an invalid DNS domain", "", In("RegistryUtils.java"),
            "an address of such a domain resolves to nothing",
            block("dns-domain \"a..b\""), "\"a..b\"", "not a DNS label", block("dns-domain \"a.b\"")),
        ("a shim on another file system", "", HADOOP,
            "a source on a file system that is not the cluster's default is refused at submission: `Wrong FS`",
            block("shim url=\"https://h/tfjob-shim\""), "\"https://h/tfjob-shim\"", "`: Hadoop has no client for it", block("shim url=\"hdfs:///tfjob-shim\"")),
        ("a shim with a file name that HDFS refuses", "", In("DistributedFileSystem.getPathName"),
            "a path of HDFS holds no `:`: no such file can be there",
            block("shim url=\"hdfs:///v1:tfjob-shim\""), "\"hdfs:///v1:tfjob-shim\"", "HDFS refuses a file name with `:`",
            block("shim url=\"hdfs:///v1/tfjob-shim\"")),
        ("a shim that is a directory", "", HADOOP,
            "refused at submission: a source that is a directory is not supported",
            block("shim url=\"hdfs:///tfjob-shim/\""), "\"hdfs:///tfjob-shim/\"", "is a directory", block("shim url=\"hdfs:///tfjob-shim\"")),
        ("a shim with a long file name", "", HADOOP,
            "a node manager copies a file with a checksum file next to it, whose name is longer by 5 bytes: `File name too long`",
            block(&format!("shim url={LONG}")), LONG, "longer than 250 bytes",
            block(&format!("shim url=\"hdfs:///{}\"", "s".repeat(250)))),
        ("a ResourceManager address with a path", "", In("ApiServer.java, the REST interface"),
            "services are posted at one fixed path below the address",
            block("resource-manager \"http://rm/app\""), "\"http://rm/app\"", "is not a valid address", block("resource-manager \"http://rm:8088\"")),
        ("two links with the same name", "", In("Service.java, quicklinks"),
            "links are a map by label: the second replaces the first",
            links("Page"), "\"Page\"", "two links", links("Other")),
    ])
}

#[rustfmt::skip]
fn hostnames() -> Vec<Pitfall> {
    let named = |length: usize| one("", "", "user \"ada\"; dns-domain \"c\"").replace("\"mnist\"", &format!("\"{}\"", "m".repeat(length)));
    rows("hostname-too-long", vec![
        ("a host name of 65 characters", "", In("DockerLinuxContainerRuntime.java"),
            "the service is accepted; the node manager refuses a container whose host name has more than 64 characters",
            named(50), "\"worker\"", "can have 65 characters", named(49)),
    ])
}

#[rustfmt::skip]
fn lost() -> Vec<Pitfall> {
    let two = |block: &str, a: &str, b: &str| one(&format!("files \"v\" \"{a}\"; files \"w\" \"{b}\""), "", block);
    let shared = |at: &str| given("cpus=1 memory=\"4GiB\" shared-memory=\"1GiB\"", "hadoop \"3.3\"; mounted { \"nfs://f/e\" \"/mnt\" }").replace("image \"ml", &format!("data \"d\" \"nfs://f/e/x\" at=\"{at}\"\n    image \"ml"));
    let env = |name: &str| job(&format!("env {{ {name} \"7\" }}"));
    let fresh = |fresh: &str, more: &str| one(&format!("checkpoints \"file:///mnt/ck\" at=\"/ck\" {fresh}"), more, "");
    let ready = |page: &str| role(&format!("port \"web\" 80; ready http=\"web/{page}\""));
    let links = |link: &str| many(&format!("port \"a\" 8080 link=\"{link}\"\ncheckpoints \"s3a://b/c\"; tensorboard"), "", "hadoop \"3.3\"; user \"ada\"");
    let mut all = rows(REFUSED, vec![
        ("one file with two spellings of its URI", "yarn#one-link-per-source", HADOOP,
            "one source under several names makes one link; the other names do not exist",
            two("", "hdfs://default/x/v.tar.gz", "hdfs:///x/v.tar.gz"), "\"hdfs:///x/v.tar.gz\"", "one of two entries would be missing: a file is linked only once into", two("", "hdfs://default/x/v.tar.gz", "hdfs:///x/w.tar.gz")),
        ("one file with and without the name of its file system", "yarn#one-link-per-source", HADOOP,
            "one source under several names makes one link; the other names do not exist",
            two("default-fs \"hdfs://nn1\"", "hdfs://nn1/x", "hdfs://default/x"), "\"hdfs://default/x\"", "one of two entries would be missing: a file is linked only once into", two("default-fs \"hdfs://nn1\"", "hdfs://nn1/y", "hdfs://default/x")),
        ("two mounts at /dev/shm", "", In("DockerLinuxContainerRuntime.java"),
            "mounts and tmpfs mounts are both docker's, which takes one for each path",
            shared("/dev/shm"), "\"/dev/shm\"", "`: `shared-memory` mounts a tmpfs at `/dev/shm`", shared("/dev/shn")),
        ("a read-only variable of bash", "yarn#shell-variables", HADOOP,
            "the launch script fails: readonly variable",
            env("SHELLOPTS"), "SHELLOPTS", "which sets `SHELLOPTS` itself", env("SHELLOPT")),
        ("a variable that bash computes", "yarn#shell-variables", HADOOP,
            "bash gives its own value, whatever is set",
            env("RANDOM"), "RANDOM", "which sets `RANDOM` itself", env("RANDOMS")),
        ("a variable that bash sets for each program", "yarn#shell-variables", HADOOP,
            "bash puts the path of the program there, whatever is set",
            env("_"), "_", "which sets `_` itself", env("_A")),
        ("a node attribute with a space", "", In("NodeLabelUtil.java, checkAndThrowAttributeName"),
            "no node can have such an attribute; the service waits without a word",
            place("node \"rm.yarn.io/a b\" \"c\"", NEW), "\"c\"", "` is not a valid node attribute name, so it matches no node", place("node \"rm.yarn.io/a-b\" \"c\"", NEW)),
        ("a node attribute with two values", "", In("NodeLabelUtil.java, checkAndThrowAttributeValue"),
            "no node can have such a value; the service waits without a word",
            place("node \"rm.yarn.io/a\" \"a,b\"", NEW), "\"a,b\"", "` is not a valid value of a node attribute, so it matches no", place("node \"rm.yarn.io/a\" \"a.b\"", NEW)),
        ("a checkpoint check that repeats after a restart", "yarn#retried-commands", In("ContainerLaunch: a retry and a new container run the command again"),
            "the command runs anew after a failure, and finds the state of the job's own first start",
            fresh("if-exists=\"fail\"", "restart \"on-failure\""), "\"fail\"", "` would fail, because it repeats the check for existing checkpoints", fresh("if-exists=\"fail\"", "")),
        ("an abbreviated commit hash", "git-fetch(1)", In("git's protocol: a server is asked for whole names"),
            "the fetch fails: couldn't find remote ref",
            job("code \"git+https://h/a.git\" ref=\"1a2b3c4\""), "\"git+https://h/a.git\"", "all 40 digits", job("code \"git+https://h/a.git\" ref=\"v1.0\"")),
        ("an HTTP check with a token in its path", "yarn#readiness-urls", In("ServiceUtils.java and HttpProbe.java"),
            "tokens in the address are replaced, and a blank makes no address",
            ready("a?x=${USER}"), "\"web/a?x=${USER}\"", "` contains a character that is not valid in a URL, and the service", ready("a?x=USER")),
    ]);
    all.extend(rows("bad-option", vec![
        ("a link with the name of the TensorBoard link", "", In("Service.java, quicklinks"),
            "links are a map by label: the second replaces the first",
            links("TensorBoard").replace("count=2", "count=1"), "\"TensorBoard\"", "two links", links("Page").replace("count=2", "count=1")),
    ]));
    all
}
