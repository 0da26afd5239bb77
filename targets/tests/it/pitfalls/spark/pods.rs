//! Pitfalls of settings that become part of a pod, of settings that the Spark version does not have, of uploads, and of fed rows.
use super::compiled::{SMALL, one};
use super::settings::{UNKNOWN, VALUE};
use super::table::K8S;
use crate::pitfalls::{In, Pitfall, Seen, rows};

const SPARK: Seen = In("jobs run by hand on Spark 3.5.9 and 3.2.4");
const RUN: Seen = In("a job run by hand on a standalone Spark 3.5.9");
const UPLOAD: Seen = In("`KubernetesUtils.uploadFileUri` of Spark 3.5.9, called by hand");
const API: Seen = In("objects that Spark 3.5.9 generated, checked with the validation code of Kubernetes");

/// Returns a job with parameter servers and fed workers, for one strategy.
fn served(strategy: &str) -> String {
    fed("\"worker\" when=\"started\"")
        .replace("\"custom\"", &format!("{strategy:?}"))
        .replace("role \"worker\"", "role \"ps\"; role \"worker\"")
}

/// Returns a job with a chief that starts after the workers; Spark feeds rows to both.
fn fed(after: &str) -> String {
    format!(
        r#"job "feed" {{
    framework "tensorflow" version="2.15" strategy="custom"
    data "rows" "hdfs://default/r"
    run "python" "train.py"
    resources cpus=1 memory="2GiB"
    role "worker" count=2
    role "chief" {{ after {after} }}
    target "spark" {{ master "spark://h:7077"; input "spark"; feed "rows" format="csv"; }}
}}
"#
    )
}

/// Returns a job with this `timeout` of its feed.
fn timed(timeout: &str) -> String {
    fed("\"worker\" when=\"started\"").replace("\"csv\"", &format!("\"csv\" timeout={timeout:?}"))
}

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table: one line a row")]
pub fn pitfalls() -> Vec<Pitfall> {
    let of = |spark: &str, job: &str, conf: &str| one(&format!("image \"a/b:1\"; {job}"), SMALL, &format!("{K8S}; spark \"{spark}\"; conf {{ {conf} }}"));
    let on = |spark: &str, conf: &str| of(spark, "", conf);
    let kube = |job: &str, conf: &str| of("3.5", job, conf);
    let pod = |conf: &str| kube("", conf);
    let release = |spark: &str, conf: &str| one("", SMALL, &format!("{spark} conf {{ {conf} }}"));
    let data = "data \"d\" \"pvc://c/x\" at=\"/data\"";
    let plain = pod("spark.eventLog.dir \"hdfs:///l\"");
    let listens = |port: &str| one("", "cpus=1 memory=\"2GiB\"; port \"web\" 36000", &format!("master \"spark://h:7077\"; conf {{ spark.blockManager.port \"{port}\" }}"));
    let upload = |to: &str| one("image \"a/b:1\"", SMALL, &K8S.replace("s3a://b/tmp", to));
    let mut all = rows(VALUE, vec![
        ("a task port that its executor already uses", "", RUN,
            "the task cannot bind the port, because the Java process of its executor already uses it, and the job fails",
            listens("36000"), "\"36000\"", "the Java process of each executor binds port", listens("36100")),
        ("a pod template path with a space", "", SPARK,
            "`spark-submit` fails: `URISyntaxException: Illegal character in path`",
            pod("spark.kubernetes.driver.podTemplateFile \"/x y/t.yaml\""), "\"/x y/t.yaml\"", "for `spark.kubernetes.driver.podTemplateFile`", pod("spark.kubernetes.driver.podTemplateFile \"/x/t.yaml\"")),
        ("a bind address for the driver's pod", "", SPARK,
            "`spark-submit` refuses the setting: `spark.driver.bindAddress is not supported in Kubernetes mode`",
            pod("spark.driver.bindAddress \"0.0.0.0\""), "\"0.0.0.0\"", "spark-submit refuses", plain.clone()),
        ("a fixed driver address in cluster mode", "", SPARK,
            "a driver that starts on another node fails, because it cannot bind to the address",
            release("", "spark.driver.bindAddress \"10.1.2.3\""), "\"10.1.2.3\"", "in cluster mode, the cluster chooses the node of the driver,",
            release("deploy-mode \"client\";", "spark.driver.bindAddress \"10.1.2.3\"")),
        ("Spark's local directories (`spark.local.dir`) at a mount path of the job", "", API,
            "Kubernetes refuses the executor pods: `mountPath: must be unique`; Spark requests executors again and again",
            kube(data, "spark.local.dir \"/tmp/a,/data/\""), "\"/tmp/a,/data/\"", "`, and Kubernetes refuses a second mount at the same path", kube(data, "spark.local.dir \"/tmp/a,/data2\"")),
        ("Spark's local directories (`spark.local.dir`) at the path of its configuration", "", API,
            "Kubernetes refuses the pods: `mountPath: must be unique`",
            pod("spark.local.dir \"/opt/spark/conf\""), "\"/opt/spark/conf\"", "Spark mounts its configuration at `/opt/spark/conf`, and", pod("spark.local.dir \"/opt/spark/confs\"")),
        ("Spark's local directories (`spark.local.dir`) at the mount path of a secret", "", API,
            "Kubernetes refuses the pods: `mountPath: must be unique`",
            kube("secret \"T\" from=\"s\" key=\"k\" at=\"/s/k\"", "spark.local.dir \"/s\""), "\"/s\"", "`, and Kubernetes refuses a second mount at the same path",
            kube("secret \"T\" from=\"s\" key=\"k\" at=\"/s/k\"", "spark.local.dir \"/t\"")),
        ("port 0 for the web UI of the driver", "", API,
            "Kubernetes refuses the driver's pod: `containerPort: Required value`",
            pod("spark.ui.port \"0\""), "\"0\"", "` becomes a port of the driver's pod", pod("spark.ui.port \"4050\"")),
        ("port 0 for the block manager of the driver", "", API,
            "Kubernetes refuses the driver's pod: `containerPort: Required value`",
            pod("spark.blockManager.port \"0\""), "\"0\"", "` becomes a port of the driver's pod", pod("spark.blockManager.port \"7080\"")),
        ("two equal ports of the driver's Service", "", API,
            "Kubernetes refuses the driver's Service: `spec.ports[1]: Duplicate value`",
            pod("spark.driver.port \"7079\""), "\"7079\"", "Kubernetes refuses the Service of the driver, which would have",
            pod("spark.driver.port \"7079\"; spark.driver.blockManager.port \"7080\"")),
        ("a `param` reference in a setting", "", SPARK,
            "Spark gets the reference unchanged and writes into a directory named `{param.bucket}`",
            kube("param \"bucket\" \"logs\"; env { B \"{param.bucket}\"; }", "spark.eventLog.dir \"hdfs:///{param.bucket}\""), "\"hdfs:///{param.bucket}\"", "is not expanded",
            kube("param \"bucket\" \"logs\"; env { B \"{param.bucket}\"; }", "spark.eventLog.dir \"hdfs:///logs\"")),
    ]);
    all.extend(rows(UNKNOWN, vec![
        ("a log level setting before Spark 3.5", "", SPARK,
            "Spark 3.2 ignores the setting, so the log level does not change",
            release("spark \"3.2\";", "spark.log.level \"ERROR\""), "spark.log.level", "before Spark 3.5", release("spark \"3.5\";", "spark.log.level \"ERROR\"")),
        ("a memory overhead factor of the driver before Spark 3.3", "", SPARK,
            "Spark 3.2 ignores the setting: the memory overhead stays at 10%, and the container is killed if the driver needs more",
            release("", "spark.driver.memoryOverheadFactor \"0.3\""), "spark.driver.memoryOverheadFactor", "before Spark 3.3", release("spark \"3.3\";", "spark.driver.memoryOverheadFactor \"0.3\"")),
        ("a node selector of the driver before Spark 3.3", "", In("SPARK-36075, which added the setting in Spark 3.3.0"),
            "Spark 3.2 ignores the setting, so the driver may run on any node",
            on("3.2", "spark.kubernetes.driver.node.selector.pool \"ml\""), "spark.kubernetes.driver.node.selector.pool", "before Spark 3.3", on("3.3", "spark.kubernetes.driver.node.selector.pool \"ml\"")),
    ]));
    all.extend(rows("bad-option", vec![
        ("an upload to a web server", "", UPLOAD,
            "`spark-submit` fails: `AbstractHttpFileSystem.create` throws `UnsupportedOperationException`",
            upload("https://x/y"), "\"https://x/y\"", "cannot upload to a web server", upload("hdfs://n/y")),
        ("a relative upload directory", "", UPLOAD,
            "the driver's pod looks for the uploaded file below its own working directory and does not find it",
            upload("./x"), "\"./x\"", "a relative path", upload("gs://b/x")),
    ]));
    all.extend(rows("spark-feed", vec![
        ("a `feed` to a role that waits for another role with the same feed", "", RUN,
            "Spark feeds both roles at the same time, but the waiting task reads no rows, so the job fails after the `timeout` of the feed",
            fed("\"worker\" when=\"done\""), "\"worker\"", "at the same time", fed("\"worker\" when=\"started\"")),
        ("a `feed` with a timeout of zero", "", RUN,
            "the driver fails, because no task reads the rows of a partition within 0 s",
            timed("0s"), "\"0s\"", "with a timeout of 0 s, no task can read its rows in time, so the", timed("1s")),
        ("a `feed` to workers that run only a TensorFlow server", "", RUN,
            "each worker blocks in `Server.join()` and never reads its rows, so the job fails after the `timeout` of the feed",
            served("parameter-server"), "\"spark\"", "Spark feeds rows to chief and workers, but with strategy `", served("custom")),
    ]));
    all
}
