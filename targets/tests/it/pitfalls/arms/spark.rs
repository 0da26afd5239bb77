//! Specs for texts about Spark.
use super::Arm;
use crate::pitfalls::spark::compiled::{SMALL, many, one};

const STANDALONE: &str = "master \"spark://h:7077\"";
const PODS: &str = "master \"k8s://https://h:6443\"\n upload \"s3a://bucket/tmp\"";
const IMAGE: &str = "image \"ml/a:1\"";

/// Returns a job with one worker on YARN and these entries of the job.
fn job(words: &str) -> String {
    one(words, SMALL, "")
}

/// Returns a job with one worker on Kubernetes and these entries of the job.
fn pod(words: &str) -> String {
    one(&format!("{IMAGE}\n {words}"), SMALL, PODS)
}

/// Returns a job with these entries of the `target` block.
fn block(words: &str) -> String {
    one("", SMALL, words)
}

/// Returns a job with two roles that set their images differently.
fn differing(words: &str) -> String {
    many(IMAGE, "").replace("count=2", &format!("count=2 {{ image \"ml/a:1\" {words}; }}"))
}

/// Specs about start, end, and identity of tasks.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn tasks() -> Vec<Arm> {
    let http = "port \"web\" 8080\n ready http=\"web/a[b]\"";
    let two = "secret \"A\" from=\"s\" key=\"a\" at=\"/x/a\"\n secret \"B\" from=\"s\" key=\"b\" at=\"/y/b\"";
    vec![
        ("with `restart \"always\"`, `worker` never finishes, so the job never completes", job("restart \"always\"")),
        ("write `restart \"on-failure\" scope=\"job\"`, or let another role decide job success", job("restart \"always\"")),
        ("only the program uses this Java; the Java of the executors is set by `target \"spark\" { conf { spark.executorEnv.JAVA_HOME", job("env { JAVA_HOME \"/j\"; }")),
        ("`YARN_CONTAINER_RUNTIME_DOCKER_PRIVILEGED_CONTAINER` in `env` is ignored (YARN reads it before the container starts): write `target", job("env { YARN_CONTAINER_RUNTIME_DOCKER_PRIVILEGED_CONTAINER \"true\"; }")),
        ("`YARN_CONTAINER_RUNTIME_TYPE` in `env` is ignored (YARN reads it before the container starts): write `image`", job("env { YARN_CONTAINER_RUNTIME_TYPE \"docker\"; }")),
        ("is generated from `port`", block("conf { spark.executorEnv.TENSORFLOW_PORT \"2222\"; }")),
        ("is generated from `data`, `checkpoints`, and `files`", block("conf { spark.executorEnv.YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS \"/d:/d:ro\"; }")),
        ("`PATH` may find a Python in this directory, but Spark does not",
            job("files \"tf\" \"hdfs://default/v.tar.gz\"; env { PATH \"{files.tf}/bin:{env.PATH}\"; }")),
        ("the job continues if the program of a helper fails, but fails", job("helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"1GiB\"; }")),
        ("YARN's application master", block("deploy-mode \"client\"")),
        ("executors in Docker's `bridge` network have no address that other nodes can reach", job(&format!("{IMAGE}\n network \"bridge\""))),
        ("the grace period does not apply if the application is killed: the", one("stop grace=\"60s\"", SMALL, STANDALONE)),
        ("add `at=\"/…\"`, so that the executor pods mount it", pod("data \"d\" \"pvc://c/x\"")),
        ("`a..b` is not a valid name of a Kubernetes Secret", one("image \"ml/a:1\" pull-secret=\"a..b\"", SMALL, PODS)),
        ("copy the files to `hdfs:` or `gs:`, and remove `at`, so that the program opens the URI", job("data \"d\" \"./d\" at=\"/d\"")),
        ("Spark cannot unpack `.tar.xz` (only zip, tar, and gzip)", job("code \"hdfs:///c.tar.xz\"")),
        ("because Spark on a standalone master unpacks archives in Java", one("code \"hdfs:///c.tar\"", SMALL, STANDALONE)),
        ("the job starts a file of this `.zip` archive, but its files lose their executable bits, because Spark on Kubernetes",
            pod("code \"hdfs:///c.zip\"").replace("\"python\" \"t.py\"", "\"./t.sh\"")),
        ("a setup step packs `./t.py` as a file, because it has a file extension", job("code \"./t.py\"")),
        ("the driver restarts the whole job after a failure, but not after success", job("restart \"always\" scope=\"job\"")),
        ("write `restart \"on-failure\" limit=3 scope=\"job\"`, without `no-progress-limit`, so that the driver restarts all tasks",
            job("checkpoints \"file:///mnt/c\" at=\"/mnt/c\"\n restart \"on-failure\" scope=\"task\" no-progress-limit=3 limit=3")),
        ("write `ready tcp=\"rendezvous\"`, because TensorFlow listens on a different rendezvous port in each task; or set an `image`, so that each container has its own files",
            many("helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"4GiB\"; after \"worker\"; }", "").replace("count=2", "count=2 { ready file=\"/tmp/r\"; }")),
        ("remove `restart` from the helper: the job continues if the",
            job("helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"4GiB\"; restart \"on-failure\" scope=\"task\"; }")),
        ("restarts without progress cannot be counted, because the driver",
            job("checkpoints \"file:///mnt/c\" at=\"/mnt/c\"\n restart \"on-failure\" scope=\"job\" no-progress-limit=3")),
        ("the probe would fail: `/a[b]` contains a character that is not valid in a URL", job(http)),
        ("the executor probes a fixed port number, but an `auto` port gets its", job("port \"web\" \"auto\"\n ready tcp=\"web\"")),
        ("only Docker containers can use the network `overlay`, but this job has no `image`", job("network \"overlay\"")),
        ("a named network needs Docker containers on YARN, but this job runs on a standalone master", one("network \"overlay\"", SMALL, STANDALONE)),
        ("`a b` is not a valid Docker network name", job(&format!("{IMAGE}\n network \"a b\""))),
        ("label `a b` is ignored (`a b` is not a valid key of a Kubernetes label)", pod("labels { \"a b\" \"x\"; }")),
        ("label `team` is ignored (`a b` is not a valid value of a Kubernetes label)", pod("labels { team \"a b\"; }")),
        ("a YARN tag has at most 100 printable ASCII characters, without", job("labels { team \"a,b\"; }")),
        ("YARN allows at most 10 tags per application",
            job(&format!("labels {{ {} }}", (0..11).map(|n| format!("l{n} \"x\"; ")).collect::<String>()))),
        ("a standalone master does not support labels or tags", one("labels { team \"ml\"; }", SMALL, STANDALONE)),
        ("so `pull` must be the same for all roles", differing("pull=\"missing\"")),
        ("so `pull-secret` must be the same for all roles", differing("pull-secret=\"registry\"")),
        ("an executor uses the `/dev/shm` of its node, and shares it with all", one("", &format!("{SMALL} shared-memory=\"1GiB\""), "")),
        ("and a node may have no more memory than this task requests", one("", &format!("{SMALL} shared-memory=\"3GiB\""), "")),
        ("Spark on YARN cannot set the size of /dev/shm in a Docker container", one(IMAGE, &format!("{SMALL} shared-memory=\"1GiB\""), "")),
        ("Spark mounts a whole Secret as a directory, but no directory can be mounted at `/tmp`: programs could no longer write to `/tmp`", pod("secret \"TOKEN\" from=\"store\" key=\"key\" at=\"/tmp/key\"")),
        ("Spark and Kubernetes mount their own directories below it", pod("secret \"TOKEN\" from=\"store\" key=\"key\" at=\"/var/key\"")),
        ("executor pods get the secret, but the driver does not: it runs on the",
            one(&format!("{IMAGE}\n checkpoints \"s3a://b/c\" if-exists=\"fail\"\n secret \"TOKEN\" from=\"store\" key=\"key\""), SMALL,
                "master \"k8s://https://h:6443\"; deploy-mode \"client\"")),
        ("` can have several entries, but `key` does not select one of them", pod("secret \"TOKEN\" from=\"store\"")),
        ("`A_B` is not a valid name of a Kubernetes Secret", pod("secret \"TOKEN\" from=\"A_B\" key=\"key\"")),
        ("a Secret can be mounted at only one path, but `s` is requested at both `/x` and `/y`", pod(two)),
        ("the Secrets `s` and `t` cannot both be mounted at `/x`", pod(&two.replace("from=\"s\" key=\"b\" at=\"/y/b\"", "from=\"t\" key=\"b\" at=\"/x/b\""))),
        ("the root directory cannot be replaced", pod("secret \"TOKEN\" from=\"store\" key=\"key\" at=\"/key\"")),
        (": `/a b` is not a valid mount path", pod("secret \"TOKEN\" from=\"store\" key=\"key\" at=\"/a b/key\"")),
        ("`a b` is not a valid key of a Kubernetes Secret", pod("secret \"TOKEN\" from=\"store\" key=\"a b\"")),
        ("executor pods cannot be kept for a limited time, because Spark never", pod("keep \"all\" for=\"1h\"")),
        ("the failed executor pods cannot be kept separately, because Spark", pod("keep \"failed\"")),
        ("no Spark setting keeps the executors of a standalone master", one("keep \"all\"", SMALL, STANDALONE)),
        ("so it pulls no images", one("image \"ml/a:1\" pull=\"missing\"", SMALL, STANDALONE)),
        ("`é@EXAMPLE.COM` cannot be passed to Spark: only printable ASCII", job("kerberos principal=\"é@EXAMPLE.COM\" keytab=\"file:///etc/e.keytab\"")),
    ]
}

/// Specs about resources and storage of tasks.
#[rustfmt::skip]
pub fn places() -> Vec<Arm> {
    let node = |words: &str| one(IMAGE, &format!("{SMALL}; placement {{ node {words}; }}"), PODS);
    vec![
        ("the device `fpga` is not supported: Spark has its own setting for FPGAs", one("", &format!("{SMALL} {{ device \"fpga\" 1; }}"), "")),
        ("GPUs cannot be requested as the device `yarn.io/gpu`", one("", &format!("{SMALL} {{ device \"yarn.io/gpu\" 1; }}"), "")),
        ("the device `nic` cannot be requested: Spark on a standalone master supports only", one("", &format!("{SMALL} {{ device \"nic\" 1; }}"), STANDALONE)),
        ("`a,b` is not a valid YARN resource type", one("", &format!("{SMALL} {{ device \"a,b\" 1; }}"), "")),
        ("all executors get the same rendezvous port (`TENSORFLOW_PORT`),",
            many("", "").replace("role \"chief\"", "role \"chief\" { port \"rendezvous\" 2300; }").replace("count=2", "count=2 { port \"rendezvous\" \"auto\"; }")),
        ("`a b` is not a valid key of a Kubernetes label, so it matches no node", node("\"a b\" \"x\"")),
        ("each executor checks for the file; a file from before the start", one("ready file=\"/tmp/r\"", SMALL, "")),
        ("a node selector also applies to the pod of the driver (the version is unset: 3.1 is assumed)", node("\"gpu\" \"a100\"")),
        ("remove `node`, or run on Kubernetes", one("", &format!("{SMALL}; placement {{ node \"gpu\" \"a100\"; }}"), STANDALONE)),
        ("select nodes by a label: `placement { node", one(IMAGE, &format!("{SMALL}; placement {{ partition \"gpu\"; }}"), PODS)),
        ("`a.b` is not a valid YARN node label", one("", &format!("{SMALL}; placement {{ partition \"a.b\"; }}"), "")),
        ("`partition` selects a node label of YARN, but this job runs on a standalone master", one("", &format!("{SMALL}; placement {{ partition \"gpu\"; }}"), STANDALONE)),
        ("spark-submit reads the archive on the submitting host and sends", job("code \"file:///opt/code.zip\"")),
        ("`{code}` expands to the directory that contains the file `file:///opt/t.py`", job("code \"file:///opt/t.py\"")),
        ("run without containers, so they see this directory of the node only",
            one("data \"d\" \"file:///mnt/d\" at=\"/d\"", SMALL, STANDALONE)),
        ("executors on YARN cannot mount files in the directory of the spec", job("data \"d\" \"./d\" at=\"/d\"")),
        ("without `at`, the program gets the URI `nfs://filer/d`, which programs cannot open", job("data \"d\" \"nfs://filer/d\"")),
        ("nothing can be mounted at `/proc/d`: a mount there would hide system files of the container", pod("data \"d\" \"pvc://claim/d\" at=\"/proc/d\"")),
        ("nothing can be mounted at `/opt/spark`: a mount there would hide the files of Spark", pod("data \"d\" \"pvc://claim/d\" at=\"/opt/spark\"")),
        ("`/mnt/a,b` cannot be used: Spark and YARN write the path into lists and scripts", pod("data \"d\" \"file:///mnt/a,b\" at=\"/d\"")),
    ]
}

/// Specs about options of the `target` block.
#[rustfmt::skip]
pub fn options() -> Vec<Arm> {
    let gpu = "cpus=1 memory=\"4GiB\" gpus=1";
    let long = "a".repeat(140_000);
    let feed = "data \"d\" \"hdfs://default/d\"";
    vec![
        ("Spark starts its executors without an init container", block("shim image=\"ml/tfjob-shim:1\"")),
        ("`shim` names no source", block("shim")),
        ("`shim` has both `path` and `url`", block("shim path=\"/opt/s\" url=\"https://h/s\"")),
        ("executors cannot download the shim from", block("shim url=\"pvc://tools/s\"")),
        ("write `shim url=\"s3a://b/s\"`", block("shim url=\"s3://b/s\"")),
        ("spark: the variable TF_CONFIG would be", many("", "").replace("count=2", "count=6000")),
        ("spark: the variable A would be 140002 bytes long", one(&format!("env {{ A \"{long}\"; }}"), SMALL, "")),
        ("spark: an argument would be 140000 bytes long", one("", SMALL, "").replace("\"t.py\"", &format!("\"{long}\""))),
        ("master `local[4]` is not supported: it runs Spark on one machine without a", block("master \"local[4]\"")),
        ("master `local-cluster[2,1,1024]` is not supported: it runs Spark on one machine", block("master \"local-cluster[2,1,1024]\"")),
        ("`localhost:7077` is not a valid Spark master", block("master \"localhost:7077\"")),
        ("master `mesos://h:5050` is not supported: Spark 4 has removed Mesos", block("master \"mesos://h:5050\"")),
        ("to run the job on one machine, use the target `local`", block("master \"local[4]\"")),
        ("write `yarn`, `spark://HOST:PORT`, or `k8s://https://HOST:PORT`", block("master \"mesos://h:5050\"")),
        ("`gpu-discovery` has no effect in a job without GPUs", block("gpu-discovery \"/opt/gpus.sh\"")),
        ("`gpu-discovery` has no effect: a standalone worker finds its", one("", gpu, &format!("{STANDALONE}\n gpu-discovery \"/opt/gpus.sh\""))),
        ("`upload` has no effect in client mode: the driver sends its", one(IMAGE, SMALL, &format!("{PODS}\n deploy-mode \"client\""))),
        ("`feed` has no effect without `input \"spark\"`", one(feed, SMALL, "feed \"d\" format=\"csv\"")),
        ("`header` applies only to format `csv`, but the format is `json`", one(feed, SMALL, "input \"spark\"\n feed \"d\" format=\"json\" header=#true")),
        ("Spark skips a file with a name that ends in `._COPYING_`",
            one("data \"d\" \"hdfs://default/d._COPYING_\"", SMALL, "input \"spark\"\n feed \"d\" format=\"csv\"")),
        ("feed from `hdfs:`, `viewfs:`, `s3a:`, `gs:`, or `abfs:`, without `at`: the driver cannot mount directories of a node",
            one(&format!("{IMAGE}\n data \"d\" \"file:///mnt/d\""), SMALL, "input \"spark\"\n feed \"d\" format=\"csv\"")),
        ("feed from `hdfs:`, `viewfs:`, `s3a:`, `gs:`, `abfs:`, or `file:`, without `at`",
            one("data \"d\" \"file:///mnt/d\" at=\"/mnt/d\"", SMALL, "input \"spark\"\n feed \"d\" format=\"csv\"")),
        ("use the name of a `data` block of the job", one(feed, SMALL, "input \"spark\"\n feed \"something\" format=\"csv\"")),
        ("`service-account` has no effect in client mode: the driver does",
            one(IMAGE, SMALL, "master \"k8s://https://h:6443\"\n deploy-mode \"client\"\n service-account \"spark\"")),
        ("`AMD.com` is not a valid domain, so `AMD.com/gpu` is not a valid Kubernetes resource name", one(IMAGE, gpu, &format!("{PODS}\n gpu-vendor \"AMD.com\""))),
        ("a file that tfjob generates is also named `tfjob_node.py`", job("files \"s\" \"./tfjob_node.py\"")),
        ("Spark cannot run the discovery script `/opt/a,b.sh`: only letters", one("", gpu, "gpu-discovery \"/opt/a,b.sh\"")),
        ("Spark cannot fetch files from `nfs:`", one(IMAGE, SMALL, "master \"k8s://https://h:6443\"\n upload \"nfs://filer/tmp\"")),
    ]
}

/// Specs about Java options in Spark settings.
#[rustfmt::skip]
pub fn java() -> Vec<Arm> {
    let conf = |says, pair: &str| (says, block(&format!("conf {{ {pair}; }}")));
    vec![
        conf("write the literal value", "spark.driver.extraJavaOptions \"-Da={index}\""),
        conf("takes no value", "spark.executor.extraJavaOptions \"-XX:+UseG1GC=true\""),
        conf("takes a number from 0 to 100", "spark.executor.extraJavaOptions \"-XX:MaxRAMPercentage=half\""),
        conf("takes a value instead of `+` or `-`", "spark.executor.extraJavaOptions \"-XX:+MaxGCPauseMillis=200\""),
        conf("the stack size is not a valid size", "spark.executor.extraJavaOptions \"-Xss1q\""),
        conf("write a size such as `-Xss4m`", "spark.executor.extraJavaOptions \"-Xss1q\""),
        conf("the value of `-Xms` is not a valid size", "spark.executor.extraJavaOptions \"-Xmsx\""),
        conf("takes a size in bytes, which may end in `k`, `m`, or `g`", "spark.executor.extraJavaOptions \"-XX:MaxDirectMemorySize=1gb\""),
        conf("Spark refuses its settings (`-Dspark.…`) in Java options", "spark.executor.extraJavaOptions \"-Dspark.ui.enabled=false\""),
        conf("write a size such as `-Xms256m`", "spark.executor.extraJavaOptions \"-Xmsx\""),
    ]
}

/// Specs about Spark settings.
#[rustfmt::skip]
pub fn settings() -> Vec<Arm> {
    let conf = |says, pair: &str| {
        let conf = format!("conf {{ {pair}; }}");
        let pods = pair.contains(".kubernetes.");
        (says, if pods { one(IMAGE, SMALL, &format!("{PODS}\n {conf}")) } else { block(&conf) })
    };
    vec![
        conf("reads `\\` as an escape", "spark.executor.extraJavaOptions \"-Da=\\\\b\""),
        conf("remove the backslash; quote an option that contains spaces with", "spark.executor.extraJavaOptions \"-Da=\\\\b\""),
        conf("reads `\\` as an escape", "spark.executor.extraClassPath \"a\\\\b\""),
        conf("remove the backslash", "spark.executor.extraClassPath \"a\\\\b\""),
        conf("ends the value at `\"`", "spark.executor.extraClassPath \"a\\\"b\""),
        conf("remove the double quotes", "spark.executor.extraClassPath \"a\\\"b\""),
        conf("YARN writes the value into a shell script, in which `$` must be", "spark.hadoop.yarn.application.classpath \"$(id)\""),
        conf("write variables as `$NAME`", "spark.hadoop.yarn.application.classpath \"$(id)\""),
        ("write `master \"yarn\"` and `deploy-mode \"client\"`", block("").replace("target \"spark\" {", "target \"spark\" { master \"yarn-client\";")),
        ("the file name would be `a#b.txt`, and Spark misreads `#` in a name", block("").replace("role \"worker\"", "files \"w\" \"https://h/a%23b.txt\"\n role \"worker\"")),
        conf("bytes, the limit of Linux for an argument of spark-submit", &format!("spark.hadoop.x \"{}\"", "x".repeat(140_000))),
        conf("shorten the value, or move it into a file on the submitting host", &format!("spark.hadoop.x \"{}\"", "x".repeat(140_000))),
        conf("`true` or `false`", "spark.ssl.enabled \"yes\""),
        conf("use a value that Kubernetes accepts", "spark.kubernetes.driver.label.team \"a b\""),
        conf("`hunter2` is not a reference to an entry of a Secret, `SECRET:KEY`", "spark.kubernetes.driver.secretKeyRef.TOKEN \"hunter2\""),
        conf("Spark sets the label `spark-role` of its pods itself", "spark.kubernetes.driver.label.spark-role \"x\""),
        conf("`spark.kubernetes.driver.label` sets labels, and `team-` is not a valid key of a Kubernetes label", "\"spark.kubernetes.driver.label.team-\" \"x\""),
        conf("`team-` is not a valid key of a Kubernetes annotation", "\"spark.kubernetes.driver.annotation.team-\" \"x\""),
        conf("a number from 0 to 1, such as `0.8`", "spark.scheduler.minRegisteredResourcesRatio \"2\""),
        ("`daily`, `hourly`, `minutely` or a number of seconds",
            block(&format!("{STANDALONE}\n conf {{ spark.executor.logs.rolling.time.interval \"yearly\"; }}"))),
        conf("`spark.yarn.am.cores` is read only by the application master in client mode", "spark.yarn.am.cores \"2\""),
        ("remove it, and set `queue` in `target \"spark\"`", block("conf { spark.yarn.queue \"ml\"; }")),
        ("`spark.yarn.am.waitTime` is read only by the application master in cluster mode", block("deploy-mode \"client\"\n conf { spark.yarn.am.waitTime \"90s\"; }")),
        ("`spark.driver.cores` is read only by a driver in cluster mode, but this job runs on YARN in client mode", block("deploy-mode \"client\"\n conf { spark.driver.cores \"2\"; }")),
        ("`spark.kubernetes.driverEnv.A` is read only by the driver's pod in cluster mode",
            one(IMAGE, SMALL, "master \"k8s://https://h:6443\"\n deploy-mode \"client\"\n conf { spark.kubernetes.driverEnv.A \"b\"; }")),
        ("the directories of the worker (`SPARK_EXECUTOR_DIRS`)", block(&format!("{STANDALONE}\n conf {{ spark.local.dir \"/x\"; }}"))),
        conf("port 0, so that drivers on one node do not conflict", "spark.ui.port \"4050\""),
        conf("the address of the node or pod that runs the driver", "spark.driver.host \"h\""),
        conf("tfjob does not know the time zone `Asia/Nowhere`", "spark.sql.session.timeZone \"Asia/Nowhere\""),
        conf("compare it with the time zones of Java on the cluster", "spark.sql.session.timeZone \"Asia/Nowhere\""),
        ("requests 2000m of CPU, which exceeds its limit of 500m", one(IMAGE, SMALL,
            &format!("{PODS}\n conf {{ spark.kubernetes.driver.limit.cores \"500m\"; spark.driver.cores \"2\"; }}"))),
        ("set a limit of at least 2000m", one(IMAGE, SMALL,
            &format!("{PODS}\n conf {{ spark.kubernetes.driver.limit.cores \"500m\"; spark.driver.cores \"2\"; }}"))),
        ("the same port", one(IMAGE, SMALL,
            &format!("{PODS}\n conf {{ spark.driver.port \"5000\"; spark.ui.port \"5000\"; }}"))),
        conf("class names such as `org.example.Listener`, separated by commas", "spark.extraListeners \"a b\""),
        conf("a name with `a` to `z`, digits, and inner `-` and `.`", "spark.kubernetes.hadoop.configMapName \"A\""),
        conf("a number of cores such as `2`, `0.5`, or `500m`", "spark.kubernetes.driver.limit.cores \"two\""),
        conf("`job \"NAME\"`", "spark.app.name \"x\""),
        conf("the job and `deploy-mode`", "spark.submit.deployMode \"client\""),
        conf("`count` and `resources cpus` of the roles", "spark.cores.max \"2\""),
        conf("`resources gpus`", "spark.driver.resource.gpu.amount \"1\""),
        conf("`resources { device … }`", "spark.yarn.executor.resource.fpga.amount \"1\""),
        conf("the target", "spark.python.profile \"true\""),
        conf("`code` and `files`", "spark.archives \"a.zip\""),
        conf("the target, which starts each job once", "spark.yarn.maxAppAttempts \"2\""),
        conf("the target, which waits until the job has completed", "spark.yarn.submit.waitAppCompletion \"false\""),
        conf("`data`, `checkpoints`, and `resources`", "spark.kubernetes.executor.volumes.emptyDir.a.mount.path \"/a\""),
    ]
}
