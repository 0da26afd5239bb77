//! What Spark says.
use super::Arm;
use crate::pitfalls::spark::compiled::{SMALL, many, one};

const STANDALONE: &str = "master \"spark://h:7077\"";
const PODS: &str = "master \"k8s://https://h:6443\"\n upload \"s3a://bucket/tmp\"";
const IMAGE: &str = "image \"ml/a:1\"";

/// Words in the job of one worker, on YARN.
fn job(words: &str) -> String {
    one(words, SMALL, "")
}

/// Words in the job of one worker, on Kubernetes.
fn pod(words: &str) -> String {
    one(&format!("{IMAGE}\n {words}"), SMALL, PODS)
}

/// Words in the block.
fn block(words: &str) -> String {
    one("", SMALL, words)
}

/// Of two roles that have an image in different ways.
fn differing(words: &str) -> String {
    many(IMAGE, "").replace("count=2", &format!("count=2 {{ image \"ml/a:1\" {words}; }}"))
}

/// How tasks start and end, who they are.
#[rustfmt::skip]
pub fn tasks() -> Vec<Arm> {
    let http = "port \"web\" 8080\n ready http=\"web/a[b]\"";
    let two = "secret \"A\" from=\"s\" key=\"a\" at=\"/x/a\"\n secret \"B\" from=\"s\" key=\"b\" at=\"/y/b\"";
    vec![
        ("only the program has this Java; for the one that executors run in, write `target \"spark\" { conf { spark.executorEnv.JAVA_HOME", job("env { JAVA_HOME \"/j\"; }")),
        ("after YARN has read `YARN_CONTAINER_RUNTIME_DOCKER_PRIVILEGED_CONTAINER` to start the container: write `target", job("env { YARN_CONTAINER_RUNTIME_DOCKER_PRIVILEGED_CONTAINER \"true\"; }")),
        ("after YARN has read `YARN_CONTAINER_RUNTIME_TYPE` to start the container: write `image`", job("env { YARN_CONTAINER_RUNTIME_TYPE \"docker\"; }")),
        ("follows from `port`", block("conf { spark.executorEnv.TENSORFLOW_PORT \"2222\"; }")),
        ("follows from `data`, `checkpoints` and `files`", block("conf { spark.executorEnv.YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS \"/d:/d:ro\"; }")),
        ("`PATH` may find a Python in this folder, and Spark starts its own by no `PATH` of a task",
            job("files \"tf\" \"hdfs://default/v.tar.gz\"; env { PATH \"{files.tf}/bin:{env.PATH}\"; }")),
        ("the job goes on without a helper whose program fails, and ends when the executor of a helper is lost", job("helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"1GiB\"; }")),
        ("YARN's application master", block("deploy-mode \"client\"")),
        ("gives executors in Docker's `bridge` network addresses that no other node reaches", job(&format!("{IMAGE}\n network \"bridge\""))),
        ("a standalone worker kills 10 s after SIGTERM, and sends it to Java alone", one("stop grace=\"60s\"", SMALL, STANDALONE)),
        ("add `at=\"/…\"`: the executors' pods mount it there", pod("data \"d\" \"pvc://c/x\"")),
        ("starts Pods, and no Secret is named `a..b`", one("image \"ml/a:1\" pull-secret=\"a..b\"", SMALL, PODS)),
        ("put it where the program opens it by its address: `hdfs:` or `gs:`, without `at`", job("data \"d\" \"./d\"")),
        ("cannot unpack `.tar.xz` (`Utils.unpack` reads zip, tar and gzip only)", job("code \"hdfs:///c.tar.xz\"")),
        ("unpacks `.tar` with Java on a standalone master", one("code \"hdfs:///c.tar\"", SMALL, STANDALONE)),
        ("unpacks `.zip` with Java on Kubernetes: files lose their executable bits, and the job starts one of them",
            pod("code \"hdfs:///c.zip\"").replace("\"python\" \"t.py\"", "\"./t.sh\"")),
        ("a step packs the file `./t.py`: its name ends as a file's does, a folder's would end in `/`", job("code \"./t.py\"")),
        ("starts a whole job again after a failure, not after success", job("restart \"always\" scope=\"job\"")),
        ("write `restart \"on-failure\" limit=3 scope=\"job\"`, without `no-progress-limit`: the driver then starts all tasks again",
            job("checkpoints \"file:///mnt/c\" at=\"/mnt/c\"\n restart \"on-failure\" scope=\"task\" no-progress-limit=3 limit=3")),
        ("write `ready tcp=\"rendezvous\"`: each node looks at the port of its own task; or an `image`: each container has its own files",
            many("helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"4GiB\"; after \"worker\"; }", "").replace("count=2", "count=2 { ready file=\"/tmp/r\"; }")),
        ("remove `restart` of the helper: the job goes on without a helper that fails",
            job("helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"4GiB\"; restart \"on-failure\" scope=\"task\"; }")),
        ("starts a whole job again from a driver that does not see the checkpoints",
            job("checkpoints \"file:///mnt/c\" at=\"/mnt/c\"\n restart \"on-failure\" scope=\"job\" no-progress-limit=3")),
        ("asks for the page as it is written, and `/a[b]` is none that can be asked for", job(http)),
        ("looks at ports from outside the program, and only the shim knows the one it found", job("port \"web\" \"auto\"\n ready tcp=\"web\"")),
        ("knows no network `overlay` on YARN", job("network \"overlay\"")),
        ("leaves the label out: `a b` is no key of a label of Kubernetes", pod("labels { \"a b\" \"x\"; }")),
        ("leaves the label out: `a b` is no value of a label of Kubernetes", pod("labels { team \"a b\"; }")),
        ("leaves the label out: YARN takes ten tags of at most 100 ASCII characters, without commas", job("labels { team \"a,b\"; }")),
        ("has no labels on a standalone master", one("labels { team \"ml\"; }", SMALL, STANDALONE)),
        ("has one kind of executor for all roles, so when the image is pulled cannot differ", differing("pull=\"missing\"")),
        ("has one kind of executor for all roles, so the registry's credentials cannot differ", differing("pull-secret=\"registry\"")),
        ("an executor has its node's own `/dev/shm`, which all that runs there shares", one("", &format!("{SMALL} shared-memory=\"1GiB\""), "")),
        ("has no word for the size of /dev/shm on YARN", one(IMAGE, &format!("{SMALL} shared-memory=\"1GiB\""), "")),
        ("cannot mount there: programs could not write there", pod("secret \"TOKEN\" from=\"store\" key=\"key\" at=\"/tmp/key\"")),
        ("Spark and Kubernetes mount directories of their own below it", pod("secret \"TOKEN\" from=\"store\" key=\"key\" at=\"/var/key\"")),
        ("the driver on the host that submits opens the job's addresses with that host's own variables and files",
            one(&format!("{IMAGE}\n checkpoints \"s3a://b/c\" if-exists=\"fail\"\n secret \"TOKEN\" from=\"store\" key=\"key\""), SMALL,
                "master \"k8s://https://h:6443\"; deploy-mode \"client\"")),
        ("takes one entry of a secret", pod("secret \"TOKEN\" from=\"store\"")),
        ("passes `A_B` and `key` to Kubernetes, where they name no entry of a secret", pod("secret \"TOKEN\" from=\"A_B\" key=\"key\"")),
        ("has one kind of executor for all roles, so the folder of one secret cannot differ", pod(two)),
        ("cannot pass it on: only printable ASCII", job("kerberos principal=\"é@EXAMPLE.COM\" keytab=\"file:///etc/e.keytab\"")),
    ]
}

/// What they get, read and write.
#[rustfmt::skip]
pub fn places() -> Vec<Arm> {
    let node = |words: &str| one(IMAGE, &format!("{SMALL}; placement {{ node {words}; }}"), PODS);
    vec![
        ("asks YARN for cores, memory and GPUs, and not for `fpga`", one("", &format!("{SMALL} {{ device \"fpga\" 1; }}"), "")),
        ("gives all executors one rendezvous port, and `worker` has another",
            many("", "").replace("role \"chief\"", "role \"chief\" { port \"rendezvous\" 2300; }").replace("count=2", "count=2 { port \"rendezvous\" \"auto\"; }")),
        ("passes it to Kubernetes, where `a b` is no key of a label", node("\"a b\" \"x\"")),
        ("each node looks for the file, which counts when it is written after the start", one("ready file=\"/tmp/r\"", SMALL, "")),
        ("places the driver on these nodes too before version 3.3, and an unset version counts as 3.1", node("\"gpu\" \"a100\"")),
        ("knows no partition `gpu` on a standalone master", one("", &format!("{SMALL}; placement {{ partition \"gpu\"; }}"), STANDALONE)),
        ("spark-submit reads the archive on the host that submits, and sends it to the executors", job("code \"file:///opt/code.zip\"")),
        ("`{code}` is the directory that holds the file `file:///opt/t.py`", job("code \"file:///opt/t.py\"")),
        ("mounts nothing into the processes of a standalone master: they see `/mnt/d` there",
            one("data \"d\" \"file:///mnt/d\" at=\"/d\"", SMALL, STANDALONE)),
        ("mounts no files beside the spec on YARN", job("data \"d\" \"./d\" at=\"/d\"")),
        ("gives a program no way to open `nfs://filer/d`", job("data \"d\" \"nfs://filer/d\"")),
        ("cannot mount at `/proc/d`: it would hide the container's own system", pod("data \"d\" \"pvc://claim/d\" at=\"/proc/d\"")),
        ("cannot mount at `/opt/spark`: it would hide Spark itself", pod("data \"d\" \"pvc://claim/d\" at=\"/opt/spark\"")),
        ("passes `/mnt/a,b` through readers of its own, which take no such path", pod("data \"d\" \"file:///mnt/a,b\" at=\"/d\"")),
    ]
}

/// Options of the block.
#[rustfmt::skip]
pub fn options() -> Vec<Arm> {
    let gpu = "cpus=1 memory=\"4GiB\" gpus=1";
    let long = "a".repeat(140_000);
    let feed = "data \"d\" \"hdfs://default/d\"";
    vec![
        ("`shim` names no source", block("shim")),
        ("`shim` has both `path` and `url`", block("shim path=\"/opt/s\" url=\"https://h/s\"")),
        ("executors cannot download the shim from", block("shim url=\"pvc://tools/s\"")),
        ("spark: the variable TF_CONFIG would be", many("", "").replace("count=2", "count=6000")),
        ("spark: the variable A would be 140002 bytes long", one(&format!("env {{ A \"{long}\"; }}"), SMALL, "")),
        ("spark: an argument would be 140000 bytes long", one("", SMALL, "").replace("\"t.py\"", &format!("\"{long}\""))),
        ("`local[4]` starts Spark on one machine without a cluster manager: unsupported here", block("master \"local[4]\"")),
        ("`local-cluster[2,1,1024]` starts Spark on one machine", block("master \"local-cluster[2,1,1024]\"")),
        ("`localhost:7077` is no master of Spark", block("master \"localhost:7077\"")),
        ("`mesos://h:5050` is a Mesos master: unsupported here", block("master \"mesos://h:5050\"")),
        ("a job on this machine alone is the target `local`", block("master \"local[4]\"")),
        ("this target does not submit to Mesos", block("master \"mesos://h:5050\"")),
        ("`gpu-discovery` has no use in a job without GPUs", block("gpu-discovery \"/opt/gpus.sh\"")),
        ("a standalone worker hands out its GPUs itself, by its own settings", one("", gpu, &format!("{STANDALONE}\n gpu-discovery \"/opt/gpus.sh\""))),
        ("in client mode the driver sends its files to the executors itself", one(IMAGE, SMALL, &format!("{PODS}\n deploy-mode \"client\""))),
        ("Spark feeds rows with `input \"spark\"` alone", one(feed, SMALL, "feed \"d\" format=\"csv\"")),
        ("`header` is a word of csv, not of json", one(feed, SMALL, "input \"spark\"\n feed \"d\" format=\"json\" header=#true")),
        ("Spark reads no file whose name ends in `._COPYING_`",
            one("data \"d\" \"hdfs://default/d._COPYING_\"", SMALL, "input \"spark\"\n feed \"d\" format=\"csv\"")),
        ("`abfs:`, without `at`: the driver mounts no directory of a node",
            one(&format!("{IMAGE}\n data \"d\" \"file:///mnt/d\""), SMALL, "input \"spark\"\n feed \"d\" format=\"csv\"")),
        ("`abfs:` or `file:`, without `at`",
            one("data \"d\" \"file:///mnt/d\" at=\"/mnt/d\"", SMALL, "input \"spark\"\n feed \"d\" format=\"csv\"")),
        ("name a `data` of the job", one(feed, SMALL, "input \"spark\"\n feed \"something\" format=\"csv\"")),
        ("in client mode no pod runs the driver, so nothing has the service account",
            one(IMAGE, SMALL, "master \"k8s://https://h:6443\"\n deploy-mode \"client\"\n service-account \"spark\"")),
        ("`AMD.com` is not a domain, so `AMD.com/gpu` is not a resource", one(IMAGE, gpu, &format!("{PODS}\n gpu-vendor \"AMD.com\""))),
        ("`tfjob_node.py` is already the name of a file of the job itself", job("files \"s\" \"./tfjob_node.py\"")),
        ("a program that Spark cannot start: only letters", one("", gpu, "gpu-discovery \"/opt/a,b.sh\"")),
        ("Spark fetches nothing from `nfs:`", one(IMAGE, SMALL, "master \"k8s://https://h:6443\"\n upload \"nfs://filer/tmp\"")),
    ]
}

/// Options of Java among Spark's own settings.
#[rustfmt::skip]
pub fn java() -> Vec<Arm> {
    let conf = |says, pair: &str| (says, block(&format!("conf {{ {pair}; }}")));
    vec![
        conf("takes no value", "spark.executor.extraJavaOptions \"-XX:+UseG1GC=true\""),
        conf("takes a number from 0 to 100", "spark.executor.extraJavaOptions \"-XX:MaxRAMPercentage=half\""),
        conf("takes a value, and no `+` or `-`", "spark.executor.extraJavaOptions \"-XX:+MaxGCPauseMillis=200\""),
        conf("the stack of a thread is a size", "spark.executor.extraJavaOptions \"-Xss1q\""),
        conf("write a size such as `-Xss4m`", "spark.executor.extraJavaOptions \"-Xss1q\""),
        conf("`-Xms` takes a size such as `512m`", "spark.executor.extraJavaOptions \"-Xmsx\""),
        conf("write a size such as `-Xms256m`", "spark.executor.extraJavaOptions \"-Xmsx\""),
    ]
}

/// Spark's own settings.
#[rustfmt::skip]
pub fn settings() -> Vec<Arm> {
    let conf = |says, pair: &str| {
        let conf = format!("conf {{ {pair}; }}");
        let pods = pair.contains(".kubernetes.");
        (says, if pods { one(IMAGE, SMALL, &format!("{PODS}\n {conf}")) } else { block(&conf) })
    };
    vec![
        conf("takes `\\` for an escape", "spark.executor.extraJavaOptions \"-Da=\\\\b\""),
        conf("quote an option that has blanks with `'`", "spark.executor.extraJavaOptions \"-Da=\\\\b\""),
        conf("takes `\\` for an escape", "spark.executor.extraClassPath \"a\\\\b\""),
        conf("remove the backslash", "spark.executor.extraClassPath \"a\\\\b\""),
        conf("takes `\"` for the end of the value", "spark.executor.extraClassPath \"a\\\"b\""),
        conf("remove the double quotes", "spark.executor.extraClassPath \"a\\\"b\""),
        conf("where `$` may only begin the name of a variable", "spark.hadoop.yarn.application.classpath \"$(id)\""),
        conf("write variables as `$NAME`", "spark.hadoop.yarn.application.classpath \"$(id)\""),
        ("write `master \"yarn\"` and `deploy-mode \"client\"`", block("").replace("target \"spark\" {", "target \"spark\" { master \"yarn-client\";")),
        ("would name the file `a#b.txt`, and misreads `#` in a name", block("").replace("role \"worker\"", "files \"w\" \"https://h/a%23b.txt\"\n role \"worker\"")),
        conf("Linux passes at most 131072 bytes in an argument", &format!("spark.hadoop.x \"{}\"", "x".repeat(140_000))),
        conf("write it into a file that the host of the submitter has", &format!("spark.hadoop.x \"{}\"", "x".repeat(140_000))),
        conf("`true` or `false`", "spark.ssl.enabled \"yes\""),
        conf("write a value that Kubernetes takes", "spark.kubernetes.driver.label.team \"a b\""),
        conf("`hunter2` is no entry of a secret, `SECRET:KEY`", "spark.kubernetes.driver.secretKeyRef.TOKEN \"hunter2\""),
        conf("Spark gives each pod its own label `spark-role`", "spark.kubernetes.driver.label.spark-role \"x\""),
        conf("`spark.kubernetes.driver.label` is for labels: `team-` is no key of a label", "\"spark.kubernetes.driver.label.team-\" \"x\""),
        conf("`team-` is no key of an annotation", "\"spark.kubernetes.driver.annotation.team-\" \"x\""),
        conf("a number from 0 to 1, such as `0.8`", "spark.scheduler.minRegisteredResourcesRatio \"2\""),
        ("`daily`, `hourly`, `minutely` or a number of seconds",
            block(&format!("{STANDALONE}\n conf {{ spark.executor.logs.rolling.time.interval \"yearly\"; }}"))),
        conf("only the application master in client mode reads `spark.yarn.am.cores`", "spark.yarn.am.cores \"2\""),
        ("remove it, and write `queue` in `target \"spark\"`", block("conf { spark.yarn.queue \"ml\"; }")),
        ("only the application master in cluster mode reads `spark.yarn.am.waitTime`", block("deploy-mode \"client\"\n conf { spark.yarn.am.waitTime \"90s\"; }")),
        ("only a driver in cluster mode reads `spark.driver.cores`, and this job runs on YARN in client mode", block("deploy-mode \"client\"\n conf { spark.driver.cores \"2\"; }")),
        ("only the driver's pod in cluster mode reads `spark.kubernetes.driverEnv.A`",
            one(IMAGE, SMALL, "master \"k8s://https://h:6443\"\n deploy-mode \"client\"\n conf { spark.kubernetes.driverEnv.A \"b\"; }")),
        ("the worker's own directories", block(&format!("{STANDALONE}\n conf {{ spark.local.dir \"/x\"; }}"))),
        conf("port 0, so that drivers on one node do not conflict", "spark.ui.port \"4050\""),
        conf("the address of the node or pod that runs the driver", "spark.driver.host \"h\""),
        conf("`Asia/Nowhere` is not among the time zones known here", "spark.sql.session.timeZone \"Asia/Nowhere\""),
        conf("compare it with the time zones of the cluster's Java", "spark.sql.session.timeZone \"Asia/Nowhere\""),
        ("needs 2000 thousandths of a core, and its limit is 500", one(IMAGE, SMALL,
            &format!("{PODS}\n conf {{ spark.kubernetes.driver.limit.cores \"500m\"; spark.driver.cores \"2\"; }}"))),
        ("write a limit of at least 2000m", one(IMAGE, SMALL,
            &format!("{PODS}\n conf {{ spark.kubernetes.driver.limit.cores \"500m\"; spark.driver.cores \"2\"; }}"))),
        ("and here", one(IMAGE, SMALL,
            &format!("{PODS}\n conf {{ spark.driver.port \"5000\"; spark.ui.port \"5000\"; }}"))),
        conf("names of classes, such as `org.example.Listener`", "spark.extraListeners \"a b\""),
        conf("a name of `a` to `z`, digits, and inner `-` and `.`", "spark.kubernetes.hadoop.configMapName \"A\""),
        conf("cores such as `2`, `0.5` or `500m`", "spark.kubernetes.driver.limit.cores \"two\""),
        conf("`job \"NAME\"`", "spark.app.name \"x\""),
        conf("the job and `deploy-mode`", "spark.submit.deployMode \"client\""),
        conf("`count` and `resources cpus` of the roles", "spark.cores.max \"2\""),
        conf("`resources gpus`", "spark.driver.resource.gpu.amount \"1\""),
        conf("`resources { device … }`", "spark.yarn.executor.resource.fpga.amount \"1\""),
        conf("the target", "spark.python.profile \"true\""),
        conf("`code` and `files`", "spark.archives \"a.zip\""),
        conf("the target, which starts each job once", "spark.yarn.maxAppAttempts \"2\""),
        conf("the target, which waits for the end of the job", "spark.yarn.submit.waitAppCompletion \"false\""),
        conf("`data`, `checkpoints` and `resources`", "spark.kubernetes.executor.volumes.emptyDir.a.mount.path \"/a\""),
    ]
}
