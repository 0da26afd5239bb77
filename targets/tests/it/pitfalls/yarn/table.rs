//! Pitfalls that a spec can contain: tfjob refuses each at its line, and a similar correct spec compiles.
use super::HADOOP;
use super::{bare, many, one};
use crate::pitfalls::{In, Pitfall, rows};

const REFUSED: &str = "unsupported-feature";

/// Returns all pitfalls that tfjob reports.
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

/// The `resources` entry of the worker.
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
            "if a component has the policy NEVER, YARN starts dependent components only after this component has finished, so a worker and its parameter server wait for each other",
            many("", ready, "hadoop \"3.2\""), "\"ps\"", "counts as ready only when it has finished", many("", ready, "hadoop \"3.2.1\"")),
        ("a component that starts only after its dependency has finished, in Hadoop 3.1.2", "3.1.2: NeverRestartPolicy", In("NeverRestartPolicy.java of Hadoop 3.1.2"),
            "up to Hadoop 3.1.2, YARN starts a dependent component only after the other component has finished, not when it is ready",
            many("", ready, ""), "\"ps\"", "counts as ready only when it has finished", many("", ready, "hadoop \"3.1.3\"")),
        ("a TensorBoard that keeps the service running", "yarn#end-of-a-service", In("ServiceScheduler.java and the issue YARN-8489"),
            "before Hadoop 3.3.0, a service ends only after all its components have ended, and TensorBoard never exits",
            one(board, "", "hadoop \"3.2\""), "tensorboard logs=\"s3a://b/l\"", "TensorBoard, which never exits", one(board, "", "hadoop \"3.3\"")),
        ("an image digest that the NodeManager refuses", "yarn#image-digests", In("DockerLinuxContainerRuntime.java"),
            "YARN accepts the service, but the NodeManager's pattern for image names does not match a digest, so no container starts",
            image(&digest, ""), "\"ml/a@sha256:0000000000000000000000000000000000000000000000000000000000000000\"", "digest", image(&digest, "hadoop \"3.3\"")),
        ("a placement constraint on a node attribute alone", "3.3.6: ServiceApiUtil", In("ServiceApiUtil.java of Hadoop 3.3.6"),
            "YARN refuses the service at submission: a constraint on a node attribute alone has no target tags",
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
        ("memory requested as a `device`", "yarn#built-in-resource-types", In("Component.java, requestContainers"),
            "a `device` becomes an entry of `additional`, in which the service master ignores memory and cores; only its log mentions this",
            device("memory-mb"), "7", "`memory-mb` cannot be requested as a `device`", device("yarn.io/fpga")),
        ("GPUs requested as a `device`", "yarn#built-in-resource-types", In("Component.java, requestContainers"),
            "if both `gpus` and a `device` set an amount of `yarn.io/gpu`, the service master ignores one of the two amounts",
            device("yarn.io/gpu"), "7", "`yarn.io/gpu` cannot be requested as a `device`", given("cpus=1 memory=\"4GiB\" gpus=1", "")),
        ("a resource type with a space", "yarn#resource-type-names", HADOOP,
            "YARN accepts an unknown resource type, but the service master crashes in each attempt, and the error report does not name the type",
            device("rdma hca"), "7", "` is not a valid YARN resource type", device("rdma/hca")),
        ("a component with the name of its service", "yarn#component-names", HADOOP,
            "YARN refuses the service at submission, because a component cannot have the name of its service",
            job("").replace("\"mnist\"", "\"worker\""), "\"worker\"", "`, because a service and its component cannot have the same name", job("")),
        ("a component name of 45 characters", "yarn#name-lengths", HADOOP,
            "YARN refuses the name at submission if the registry DNS is enabled; otherwise, YARN does not check the name",
            helper("a12345678901234567890123456789012345678901234"), "\"a12345678901234567890123456789012345678901234\"", "at most 44", helper("a1234567890123456789012345678901234567890123")),
        ("a role with the DNS name of a task", "yarn#instance-names", In("RegistryUtils.java, DNS names of instances"),
            "instance 0 of the component `worker` and a component named `worker-0` have the same DNS name",
            helper("worker-0"), "\"worker-0\"", "` would be ambiguous, because a task of the role `", helper("worker-1")),
        ("an environment variable above 128 KiB", "", HADOOP,
            "the launcher fails with `Argument list too long`, but YARN reports exit code 0: the service succeeds although no program has run",
            variable(131_100), "LONG", "bytes, the container does not start, but the service reports", variable(100_000)),
        ("an environment variable that configures the container", "yarn#runtime-variables", In("DockerLinuxContainerRuntime.java"),
            "the NodeManager reads the image, the mounts, and the network of the container from environment variables",
            job("env { YARN_CONTAINER_RUNTIME_TYPE \"docker\" }"), "YARN_CONTAINER_RUNTIME_TYPE", "the NodeManager reads `YARN_CONTAINER_RUNTIME_TYPE`", job("env { CONTAINER_TYPE \"docker\" }")),
        ("the environment variable WORK_DIR", "yarn#work_dir", HADOOP,
            "the service master overwrites the value with the working directory of the container",
            job("env { WORK_DIR \"/w\" }"), "WORK_DIR", "the service master sets `WORK_DIR` to the working directory of", job("env { WORKDIR \"/w\" }")),
        ("a Kerberos principal without a host", "yarn#kerberos-principal", In("ServiceApiUtil.java, validateKerberosPrincipal"),
            "a cluster without Kerberos accepts the principal; a cluster with Kerberos refuses the service",
            kerberos("ada@X", "hdfs:///k"), "kerberos principal=\"ada@X\" keytab=\"hdfs:///k\"", "the principal `ada@X` contains no host", kerberos("ada/_HOST@X", "hdfs:///k")),
        ("a keytab that does not exist", "yarn#keytab-location", In("ServiceApiUtil.java, keytab of the Kerberos principal"),
            "YARN only logs a warning if the keytab does not exist; later, the service master cannot log in to Kerberos",
            kerberos("ada/_HOST@X", "./k"), "kerberos principal=\"ada/_HOST@X\" keytab=\"./k\"", "not at a supported location", kerberos("ada/_HOST@X", "viewfs://c/k")),
        ("two files with the same last path element", "yarn#destination-names", In("ProviderUtils.java"),
            "YARN links a copied file by the last element of its path, so one of the two files overwrites the other",
            two("/a/x", "/b/x"), "\"hdfs:///b.zip\"", "`code` is already linked as `x`", two("/a/x", "/b/y")),
        ("one file with two link names", "yarn#one-link-per-source", HADOOP,
            "if one source has several link names, YARN creates only one link; the other names do not exist",
            job("files \"a\" \"hdfs:///b.zip\"; files \"s\" \"hdfs:///b.zip\""), "\"hdfs:///b.zip\"", "one of two entries would be missing: a file is linked only once into", job("files \"a\" \"hdfs:///b.zip\"; files \"s\" \"hdfs:///c.zip\"")),
        ("a directory as code", "yarn#source-files", HADOOP,
            "YARN refuses the service at submission, because the source of a copied file (`src_file`) cannot be a directory",
            job("code \"hdfs:///src\""), "\"hdfs:///src\"", "`code` must be an archive that the NodeManager unpacks, but `", job("code \"./src\"")),
        ("a colon or a comma in a mounted path", "yarn#mount-lists", In("DockerLinuxContainerRuntime.java"),
            "Docker mounts are a list with colons and commas, so the NodeManager misreads the path and refuses the container",
            job("data \"d\" \"file:///a:b\" at=\"/d\""), "\"/d\"", "` cannot be mounted: Docker mounts are a list separated by `,` and", job("data \"d\" \"file:///a-b\" at=\"/d\"")),
    ])
}

/// Docker networks in which peers cannot reach a container.
#[rustfmt::skip]
fn networks() -> Vec<Pitfall> {
    rows(REFUSED, vec![
        ("several nodes with Docker's bridge network", "yarn#docker-networks", In("the Hadoop page DockerContainers"),
            "only its own node can reach the address of a container in Docker's bridge network",
            many("", "", "").replace("overlay", "bridge"), "\"bridge\"", "` network have no address that other nodes can reach", many("", "", "").replace("overlay", "host")),
        ("a web page in Docker's bridge network", "yarn#docker-networks", In("the Hadoop page DockerContainers"),
            "the link to the page contains an address that only the node of the container can reach",
            one("network \"bridge\"", "port \"web\" 8080 link=\"Page\"", "dns-domain \"c\""), "\"bridge\"", "` network have no address that other nodes can reach", one("network \"bridge\"", "", "")),
        ("remote storage without a network", "yarn#docker-networks", In("the Hadoop page DockerContainers"),
            "a container in Docker's network `none` cannot reach remote storage",
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
            "if no DNS domain is set, YARN leaves the token `${DOMAIN}` in the host names of peers, so these names do not resolve",
            many("", "", "").replace("dns-domain \"cluster\"", ""), "\"yarn\"", "tasks find their peers by registry DNS names, but the domain of these", many("", "", "")),
        ("a rendezvous port that is chosen automatically", "yarn#ports", In("ServiceApiConstants.java, tokens of a service"),
            "YARN has no token for the ports of other instances, so a task cannot learn which ports its peers have chosen",
            pair("port \"rendezvous\" \"auto\""), "\"auto\"", "tasks cannot learn ports that their peers choose at startup, so", pair("port \"rendezvous\" 2223")),
        ("a component that always restarts", "yarn#restart-policy-always", HADOOP,
            "a component with policy ALWAYS never ends, so its service never ends",
            role("restart \"always\""), "\"always\"", "restarts `worker` even after success", role("restart \"on-failure\"")),
        ("a job that waits for a parameter server", "yarn#end-of-a-service", HADOOP,
            "the service ends only after all its components have ended, and a parameter server never exits",
            many("success \"all\"", "", "hadoop \"3.3\"").replace("parameter-server", "estimator"), "\"all\"", "`ps` never exits", many("success \"chief\"", "", "hadoop \"3.3\"")),
        ("a placement constraint without a handler", "yarn#placement-handler", HADOOP,
            "YARN accepts the service, but it runs indefinitely without a container; only the log of the service master gives the reason",
            place(spread, ""), "\"host\"", "becomes a placement constraint, which needs a placement handler", place(spread, PLACED)),
        ("a placement constraint in `yarn app -launch`", "yarn#placement-over-rest", HADOOP,
            "the client accepts the field `scope` of a constraint only in lowercase, and the server only in uppercase, so `yarn app -launch` cannot start a service with a constraint",
            place(spread, "placement-constraints #true; user \"ada\""), "\"host\"", "yarn app -launch", place(spread, PLACED)),
        ("a REST submission without a user name", "yarn#rest-user", In("ApiServer.java, the REST interface"),
            "on a cluster without Kerberos, a service that is posted to the REST API without the parameter `user.name` runs as the user of the web server",
            place(spread, "placement-constraints #true; resource-manager \"http://rm:8088\""), "\"host\"", "the job would run as the user of the web server, because it is", place(spread, PLACED)),
        ("TensorBoard on another node than its logs", "yarn#tensorboard", In("the YARN service API, which places each component separately"),
            "a path of one node is a different directory on another node",
            one("checkpoints \"file:///c\" at=\"/c\"; tensorboard", "", "hadoop \"3.3\""), "tensorboard", "TensorBoard may find no logs: a `file:` directory is local to the",
            one("checkpoints \"nfs://f/e/c\" at=\"/c\"; tensorboard", "", "hadoop \"3.3\"; mounted { \"nfs://f/e\" \"/mnt\" }")),
        ("a node attribute without a prefix", "seen on 3.4.2", HADOOP,
            "a node attribute without its prefix matches no node, so the service waits indefinitely without a message",
            place("node \"room\" \"b\"", NEW), "\"b\"", "` matches no node, because the names of node attributes have a", place("node \"rm.yarn.io/room\" \"b\"", NEW)),
        ("SIGKILL 250 ms after SIGTERM", "yarn#termination-delay", HADOOP,
            "SIGKILL follows SIGTERM after about 250 ms, the default of `yarn.nodemanager.sleep-delay-before-sigkill.ms`",
            new("stop grace=\"30s\"", ""), "\"30s\"", "by default, the NodeManager sends SIGKILL 250 ms after SIGTERM; a job", new("stop grace=\"30s\"", "kill-delay \"30s\"")),
        ("SIGKILL before the end of the grace period", "yarn#termination-delay", HADOOP,
            "the NodeManager sends SIGKILL after `yarn.nodemanager.sleep-delay-before-sigkill.ms`, even if the program is still saving its state",
            new("stop grace=\"30s\"", "kill-delay \"10s\""), "\"30s\"", "SIGKILL follows SIGTERM after 10s", new("stop grace=\"10s\"", "kill-delay \"10s\"")),
        ("SIGKILL 10 seconds after SIGTERM", "class files of 3.1.4 and 3.2.0", In("DockerLinuxContainerRuntime.java"),
            "the NodeManager runs `docker stop` without a timeout, so Docker sends SIGKILL after 10 seconds, whatever delay the cluster sets",
            one("stop grace=\"30s\"", "", "kill-delay \"60s\""), "\"30s\"", "before Hadoop 3.2", new("stop grace=\"30s\"", "kill-delay \"60s\"")),
        ("a role that waits for the success of another role", "yarn#dependencies", HADOOP,
            "a dependent component starts when the other component is ready or has ended, even if it has failed",
            then("done"), "\"prepare\"", "the service master starts a component when its dependencies are", then("ready")),
        ("network storage that no node mounts", "yarn#docker-mounts", In("DockerLinuxContainerRuntime.java"),
            "containers see only directories of their node; YARN does not mount network storage",
            claim(""), "\"/c\"", "containers can mount only directories of the node, not ", claim("mounted { \"nfs://f/e\" \"/mnt\" }")),
        ("a node directory at another path without an image", "yarn#node-directories", In("DefaultContainerExecutor"),
            "without an image, a process sees the directories of the node only at their own paths, because YARN mounts nothing elsewhere",
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
        ("a secret in a service spec", "yarn#secrets", In("ConfigFile.java, JSON of a service"),
            "the service spec, including environment variables, is plain text in the file system and in the web UI",
            job("secret \"KEY\" from=\"a\""), "\"KEY\"", "a service cannot use secrets: the program does not get the variable `KEY`", job("files \"key\" \"hdfs:///key.json\"")),
        ("a container user other than the submitting user", "yarn#container-user", In("DockerLinuxContainerRuntime.java"),
            "a container runs as the user who submits the service, or as the user to which the administrator maps this user",
            job("user \"ada\""), "\"ada\"", "who submits", job("")),
        ("a request for disk space", "yarn#disk", In("Resource.java"),
            "the scheduler does not manage disk space",
            given("cpus=1 memory=\"4GiB\" disk=\"1GiB\"", ""), "\"1GiB\"", "the disk space of a container is neither reserved nor limited: the", given("cpus=1 memory=\"4GiB\"", "")),
        ("a request for a GPU model", "yarn#gpus", In("the Hadoop page UsingGpus"),
            "the scheduler counts GPUs, but does not know their models",
            given(model, ""), "\"a100\"", "tasks may get another GPU model: the scheduler only counts GPUs, and", given(model, &format!("gpu-attribute \"nm.yarn.io/model\"; {NEW}"))),
        ("a request for a minimum of GPU memory", "yarn#gpus", In("the Hadoop page UsingGpus"),
            "the scheduler counts GPUs, but does not know how much memory they have",
            given("cpus=1 memory=\"4GiB\" gpus=1 gpu-memory=\"40GiB\"", ""), "\"40GiB\"", "tasks may get GPUs with less memory, because the scheduler only counts GPUs", given(gpus, "")),
        ("a request for gang scheduling", "yarn#container-allocation", In("ServiceScheduler.java"),
            "YARN starts each container as soon as it is allocated, without waiting for the other containers",
            many("start gang=#true", "", ""), "#true", "containers start one by one, as the scheduler allocates them: if not", job("start gang=#true")),
        ("a request to keep finished containers", "yarn#container-cleanup", In("ContainerLaunch.java"),
            "the NodeManager deletes the directory of a finished container after a delay that only the administrator can set",
            job("keep \"failed\""), "\"failed\"", "by default, the NodeManager deletes the files of a container", job("keep \"none\"")),
        ("a readiness check of a file", "yarn#readiness-checks", In("MonitorUtils.java"),
            "the service master probes HTTP, a port, or an address; no probe checks a file",
            role("ready file=\"/up\""), "\"/up\"", "the service master checks readiness from another container, so it", role("port \"up\" 8080; ready tcp=\"up\"")),
        ("more shared memory than guaranteed", "DockerLinuxContainerRuntime", In("DockerLinuxContainerRuntime.java"),
            "the NodeManager mounts a tmpfs without a size, which can grow to half of the node's memory",
            shm("3GiB"), "\"3GiB\"", "the size of /dev/shm cannot be set: by default, it is half of the", shm("2GiB")),
        ("registry credentials without a Docker configuration file", "yarn#registry-credentials", In("Service.java, docker_client_config"),
            "a service reads its registry credentials from one file (`docker_client_config`) in the file system, not from any other secret",
            secret(""), "\"ads\"", "config.json", secret("docker-config \"hdfs:///c.json\"")),
        ("a restart of all tasks after the failure of one task", "yarn#restart-of-one-container", HADOOP,
            "the service master restarts only the failed component, and the other components are not notified",
            scope("job"), "\"on-failure\"", "but the service master restarts only the failed task", scope("task")),
        ("a job that starts with fewer tasks", "yarn#container-allocation", In("ServiceScheduler.java"),
            "YARN does not tell a task how many instances run, so a rendezvous cannot begin with fewer tasks",
            many("", "", "").replace("count=2", "count=2 min=1"), "1", "` is not supported: the service always requests all containers", many("", "", "")),
        ("a request to pull the image at each start", "yarn#image-pulls", In("DockerLinuxContainerRuntime.java"),
            "if the node already has the image, the NodeManager runs this image without asking the registry for a newer one",
            job("").replace("mnist:1.0\"", "mnist:1.0\" pull=\"always\""), "\"always\"", "the NodeManager pulls an image only if the node does not have it", job("").replace("mnist:1.0\"", "mnist:1.0\" pull=\"missing\"")),
    ])
}

#[rustfmt::skip]
fn options() -> Vec<Pitfall> {
    let block = |text: &str| one("", "", text);
    let links = |second: &str| one("", &format!("port \"a\" 8080 link=\"Page\"; port \"b\" 8081 link=\"{second}\""), "dns-domain \"c\"");
    rows("bad-option", vec![
        ("Hadoop 3.1.0 without restart policies", "3.1.0: Component", In("Component.java of Hadoop 3.1.0"),
            "YARN drops the unknown key `restart_policy`, so every component is restarted indefinitely",
            block("hadoop \"3.1.0\""), "\"3.1.0\"", "does not support restart policies: every task would restart", block("hadoop \"3.1.2\"")),
        ("retries under every restart policy in Hadoop 3.1.1", "seen on 3.1.1", In("AbstractProviderService.java and ServiceScheduler.java of Hadoop 3.1.1"),
            "Hadoop 3.1.1 restarts a failed program every 30 seconds, even with policy NEVER; without retries, a failed service is reported as ENDED, as after a success",
            block("hadoop \"3.1.1\""), "\"3.1.1\"", "indefinitely", block("hadoop \"3.1.2\"")),
        ("Hadoop without YARN services", "", In("the history of the module, which begins with 3.1.0"),
            "the service API was added in Hadoop 3.1.0, so earlier releases do not have it",
            block("hadoop \"2.10\""), "\"2.10\"", "does not include YARN services", block("hadoop \"3\"")),
        ("a queue name with a space", "", HADOOP,
            "no queue name contains a space; YARN refuses an unknown queue only when the service master is submitted, not when the spec is checked",
            block("queue \"ml jobs\""), "\"ml jobs\"", "is not a valid queue name", block("queue \"root.ml\"")),
        ("a user name that is not in DNS form", "", In("RegistryUtils.java"),
            "the DNS name of a user consists of lowercase letters and dashes, so an address with the unchanged user name cannot be resolved",
            block("user \"Alice_B\""), "\"Alice_B\"", "Alice_B", block("user \"alice-b\"")),
        ("an invalid DNS domain", "", In("RegistryUtils.java"),
            "an address in an invalid domain cannot be resolved",
            block("dns-domain \"a..b\""), "\"a..b\"", "has a `.` without a name before or after it", block("dns-domain \"a.b\"")),
        ("a shim on another file system", "", HADOOP,
            "YARN refuses a source outside the cluster's default file system at submission: `Wrong FS`",
            block("shim url=\"https://h/tfjob-shim\""), "\"https://h/tfjob-shim\"", "is on a web server, but the service master reads only", block("shim url=\"hdfs:///tfjob-shim\"")),
        ("a shim with a file name that HDFS refuses", "", In("DistributedFileSystem.getPathName"),
            "a path in HDFS cannot contain `:`, so this file cannot exist",
            block("shim url=\"hdfs:///v1:tfjob-shim\""), "\"hdfs:///v1:tfjob-shim\"", "HDFS refuses a file name with `:`",
            block("shim url=\"hdfs:///v1/tfjob-shim\"")),
        ("a shim that is a directory", "", HADOOP,
            "YARN refuses the service at submission, because the source of a copied file (`src_file`) cannot be a directory",
            block("shim url=\"hdfs:///tfjob-shim/\""), "\"hdfs:///tfjob-shim/\"", "is a directory", block("shim url=\"hdfs:///tfjob-shim\"")),
        ("a shim with a long file name", "", HADOOP,
            "next to each copied file, the NodeManager writes a checksum file with a name that is 5 bytes longer: `File name too long`",
            block(&format!("shim url={LONG}")), LONG, "longer than 250 bytes",
            block(&format!("shim url=\"hdfs:///{}\"", "s".repeat(250)))),
        ("a ResourceManager address with a path", "", In("ApiServer.java, the REST interface"),
            "the client posts services to one fixed path below the address of the ResourceManager, so the address itself must not contain a path",
            block("resource-manager \"http://rm/app\""), "\"http://rm/app\"", "is not a valid address", block("resource-manager \"http://rm:8088\"")),
        ("two web UI links with the same name", "", In("Service.java, quicklinks"),
            "the keys of the map `quicklinks` are the labels of the links, so the second link with the same label replaces the first",
            links("Page"), "\"Page\"", "two links", links("Other")),
    ])
}

#[rustfmt::skip]
fn hostnames() -> Vec<Pitfall> {
    let named = |length: usize| one("", "", "user \"ada\"; dns-domain \"c\"").replace("\"mnist\"", &format!("\"{}\"", "m".repeat(length)));
    rows("hostname-too-long", vec![
        ("a host name of 65 characters", "", In("DockerLinuxContainerRuntime.java"),
            "YARN accepts the service, but the NodeManager refuses a container with a host name of more than 64 characters",
            named(50), "\"worker\"", "would have 65 characters", named(49)),
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
            "if one source has several link names, YARN creates only one link; the other names do not exist",
            two("", "hdfs://default/x/v.tar.gz", "hdfs:///x/v.tar.gz"), "\"hdfs:///x/v.tar.gz\"", "one of two entries would be missing: a file is linked only once into", two("", "hdfs://default/x/v.tar.gz", "hdfs:///x/w.tar.gz")),
        ("one file with and without the name of its file system", "yarn#one-link-per-source", HADOOP,
            "if one source has several link names, YARN creates only one link; the other names do not exist",
            two("default-fs \"hdfs://nn1\"", "hdfs://nn1/x", "hdfs://default/x"), "\"hdfs://default/x\"", "one of two entries would be missing: a file is linked only once into", two("default-fs \"hdfs://nn1\"", "hdfs://nn1/y", "hdfs://default/x")),
        ("two mounts at /dev/shm", "", In("DockerLinuxContainerRuntime.java"),
            "mounts and tmpfs mounts are both passed to Docker, which accepts only one for each path",
            shared("/dev/shm"), "\"/dev/shm\"", "`: `shared-memory` mounts a tmpfs at `/dev/shm`", shared("/dev/shn")),
        ("a read-only variable of bash", "yarn#shell-variables", HADOOP,
            "the launch script of the container fails with `readonly variable`",
            env("SHELLOPTS"), "SHELLOPTS", "which sets `SHELLOPTS` itself", env("SHELLOPT")),
        ("a variable that bash computes", "yarn#shell-variables", HADOOP,
            "bash overwrites the variable with a value that it computes",
            env("RANDOM"), "RANDOM", "which sets `RANDOM` itself", env("RANDOMS")),
        ("a variable that bash sets for each program", "yarn#shell-variables", HADOOP,
            "bash sets the variable to the path of the program that it starts, whatever the spec sets",
            env("_"), "_", "which sets `_` itself", env("_A")),
        ("a node attribute with a space", "", In("NodeLabelUtil.java, checkAndThrowAttributeName"),
            "no node can have an attribute with this name, so the service waits indefinitely without a message",
            place("node \"rm.yarn.io/a b\" \"c\"", NEW), "\"c\"", "` is not a valid node attribute name, so it matches no node", place("node \"rm.yarn.io/a-b\" \"c\"", NEW)),
        ("a node attribute with two values", "", In("NodeLabelUtil.java, checkAndThrowAttributeValue"),
            "no node can have an attribute with this value, so the service waits indefinitely without a message",
            place("node \"rm.yarn.io/a\" \"a,b\"", NEW), "\"a,b\"", "` is not a valid value of a node attribute, so it matches no", place("node \"rm.yarn.io/a\" \"a.b\"", NEW)),
        ("a checkpoint check that repeats after a restart", "yarn#retried-commands", In("ContainerLaunch.java: a retry and a new container run the command again"),
            "after a failure, YARN runs the command again, and its check finds the checkpoints from the first start of the job",
            fresh("if-exists=\"fail\"", "restart \"on-failure\""), "\"fail\"", "` would fail, because it repeats the check for existing checkpoints", fresh("if-exists=\"fail\"", "")),
        ("an abbreviated commit hash", "git-fetch(1)", In("the git protocol, in which a client requests complete names"),
            "the fetch fails with `couldn't find remote ref`",
            job("code \"git+https://h/a.git\" ref=\"1a2b3c4\""), "\"git+https://h/a.git\"", "all 40 digits", job("code \"git+https://h/a.git\" ref=\"v1.0\"")),
        ("an HTTP readiness check with a YARN token in its path", "yarn#readiness-urls", In("ServiceUtils.java and HttpProbe.java"),
            "YARN replaces tokens such as `${USER}` in the URL, so the check requests another path than that of the spec",
            ready("a?x=${USER}"), "\"web/a?x=${USER}\"", "` contains a character that is not valid in a URL, and the service", ready("a?x=USER")),
    ]);
    all.extend(rows("bad-option", vec![
        ("a link with the name of the TensorBoard link", "", In("Service.java, quicklinks"),
            "the keys of the map `quicklinks` are the labels of the links, so the second link with the same label replaces the first",
            links("TensorBoard").replace("count=2", "count=1"), "\"TensorBoard\"", "two links", links("Page").replace("count=2", "count=1")),
    ]));
    all
}
