//! Pitfalls of Spark that a spec can contain: tfjob reports each at its position, and a similar spec compiles.
use super::compiled::{SMALL, many, one};
use super::settings::{OWNED, SETTINGS, UNKNOWN, VALUE};
use super::{HADOOP, SPARK, TFOS};
use crate::pitfalls::{In, Pitfall, Seen};

/// Name, fact, seen, does; a `conf` entry with the mistake, code, marked source text, and a `conf` entry without the mistake.
pub type Setting =
    (&'static str, &'static str, Seen, &'static str, &'static str, &'static str, &'static str, &'static str);

/// Like `Setting`, with entries of the `target` block in place of `conf` entries.
type Words = Setting;

#[rustfmt::skip]
const TARGETS: &[Words] = &[
    ("a Spark version without archives for executors", "", In("Spark's configuration page: `spark.archives` exists since 3.1"),
        "only YARN reads `--archives`, so executors of other masters do not get the code",
        "spark \"3.0\"", "bad-option", "\"3.0\"", "spark \"3.1\""),
    ("a TensorFlowOnSpark version that the driver does not support", "", In("TensorFlowOnSpark's `TFCluster.run`"),
        "`TFCluster.run` of version 1 has other arguments, so the generated driver fails",
        "tfos \"1.4\"", "bad-option", "\"1.4\"", "tfos \"2.2\""),
    ("a master URL of Spark 1", "", SPARK,
        "`spark-submit` refuses the old master URL `yarn-cluster`",
        "master \"yarn-cluster\"", "bad-option", "\"yarn-cluster\"", "master \"yarn\""),
    ("a master whose host has an underscore", "", SPARK,
        "the driver fails: `Invalid master URL`",
        "master \"spark://spark_master:7077\"", "bad-option", "\"spark://spark_master:7077\"", "master \"spark://spark-master:7077\""),
    ("a driver host name that is not valid in a URL", "", SPARK,
        "the driver fails: `Invalid Spark URL`",
        "master \"spark://h:7077\"; conf { spark.driver.host \"my_host\" }", VALUE, "\"my_host\"", "master \"spark://h:7077\"; conf { spark.driver.host \"my-host\" }"),
    ("a heap size in GB", "", SPARK,
        "in client mode, spark-submit passes `-Xmx4GB` to Java, which exits: `Invalid maximum heap size`; in cluster mode on YARN, Spark itself reads `4GB`",
        "deploy-mode \"client\"; conf { spark.driver.memory \"4GB\" }", VALUE, "\"4GB\"", "conf { spark.driver.memory \"4GB\" }"),
    ("a heap size without a unit", "", SPARK,
        "in client mode, spark-submit passes `-Xmx1024` to Java, which reads 1024 bytes and exits; in cluster mode on YARN, Spark reads 1024 MiB",
        "deploy-mode \"client\"; conf { spark.driver.memory \"1024\" }", VALUE, "\"1024\"", "conf { spark.driver.memory \"1024\" }"),
    ("a Java 8 option with a Spark version that needs Java 17", "", SPARK,
        "no executor starts: `Unrecognized VM option 'UseConcMarkSweepGC'`",
        "spark \"4.0\"; conf { spark.executor.extraJavaOptions \"-XX:+UseConcMarkSweepGC\" }", VALUE, "\"-XX:+UseConcMarkSweepGC\"", "spark \"3.2\"; conf { spark.executor.extraJavaOptions \"-XX:+UseConcMarkSweepGC\" }"),
    ("a Java 8 option with a Spark version that supports Java 8 to 17", "", SPARK,
        "on Java 17, the driver does not start: `Unrecognized VM option 'PrintGCDateStamps'`",
        "spark \"3.5\"; conf { spark.driver.extraJavaOptions \"-XX:+PrintGCDateStamps\" }", "spark-setting-unchecked", "\"-XX:+PrintGCDateStamps\"", "spark \"3.5\"; conf { spark.driver.extraJavaOptions \"-XX:+IgnoreUnrecognizedVMOptions -XX:+PrintGCDateStamps\" }"),
    ("a shim with the name of another file of the job", "", SPARK,
        "Spark's YARN client refuses to add two files with the same name to the distributed cache",
        "shim path=\"/opt/job.json\"", "bad-option", "\"/opt/job.json\"", "shim path=\"/opt/tfjob-shim\""),
    ("a queue on a standalone master", "", SPARK,
        "Spark ignores the queue: only YARN has queues",
        "master \"spark://h:7077\"; queue \"ml\"", "unused-option", "\"ml\"", "queue \"ml\""),
    ("cluster mode on a standalone master", "", SPARK,
        "`spark-submit` refuses the job: a standalone master supports cluster mode only for drivers in Java or Scala",
        "master \"spark://h:7077\"; deploy-mode \"cluster\"", "unused-option", "\"cluster\"", "master \"spark://h:7077\"; deploy-mode \"client\""),
    ("a queue name that Spark expands", "", SPARK,
        "Spark replaces `${env:HOME}`, so the queue name becomes the home directory of the submitting user",
        "queue \"${env:HOME}\"", "bad-option", "\"${env:HOME}\"", "queue \"home\""),
    ("a shim path with a comma", "", SPARK,
        "Spark splits the list of files at the comma, even if the comma is percent-encoded",
        "shim path=\"/a,b/tfjob-shim\"", "bad-option", "\"/a,b/tfjob-shim\"", "shim path=\"/a/tfjob-shim\""),
    ("a Python interpreter in an undeclared `files` entry", "", SPARK,
        "executors do not start, because the path of their Python does not exist",
        "python \"{files.env}/bin/python\"", "bad-option", "\"{files.env}/bin/python\"", "python \"/opt/env/bin/python\""),
    ("a priority above the maximum", "", SPARK,
        "`spark-submit` accepts the number, but Spark's YARN client fails: `spark.yarn.priority should be int`",
        "priority 2147483648", "out-of-range", "2147483648", "priority 2147483647"),
    ("authentication without a secret", "", SPARK,
        "the driver fails when it starts: on a standalone master, authentication needs `spark.authenticate.secret`",
        "master \"spark://h:7077\"; conf { spark.authenticate \"true\" }", VALUE, "\"true\"", "conf { spark.authenticate \"true\" }"),
    ("`input \"spark\"` without `feed`", "", TFOS,
        "in this input mode, a program reads rows that the driver feeds, but without `feed` the driver feeds none",
        "input \"spark\"", "missing-option", "\"spark\"", "input \"tensorflow\""),
];

const YARN: &str = "";
const ALONE: &str = "master \"spark://h:7077\"";
pub const K8S: &str = "master \"k8s://https://h:6443\"; upload \"s3a://b/tmp\"";
const CODE: &str = "code \"hdfs://default/a.zip\"";
const IMAGE: &str = "image \"a/b:1\"";
const ADDRESSES: &str = "";

/// Name, fact, seen, does; job entries with the mistake, marked source text, job entries without it, and `target` entries.
type Refused = Setting;

#[rustfmt::skip]
const REFUSED: &[Refused] = &[
    ("a comma in a file name", ADDRESSES, SPARK,
        "Spark splits the list of files at the comma and does not find the first half of the name",
        "code \"hdfs://default/a,b.zip\"", "\"hdfs://default/a,b.zip\"", CODE, YARN),
    ("braces in a file name", ADDRESSES, SPARK,
        "Spark reads the braces as a glob pattern: executors do not get the file, but the job ends with exit code 0",
        "code \"hdfs://default/a{b}.zip\"", "\"hdfs://default/a{b}.zip\"", CODE, YARN),
    ("an asterisk in a file name", ADDRESSES, SPARK,
        "Spark reads `*` as a glob pattern, so executors get the file only if the pattern matches no other file",
        "code \"hdfs://default/a*.zip\"", "\"hdfs://default/a*.zip\"", CODE, YARN),
    ("a question mark in a file name", ADDRESSES, SPARK,
        "Spark ends the path at the question mark and does not find the file",
        "code \"hdfs://default/a?b.zip\"", "\"hdfs://default/a?b.zip\"", CODE, YARN),
    ("brackets in a file name", ADDRESSES, SPARK,
        "Spark refuses the URI when the job starts: `Illegal character in path`",
        "code \"hdfs://default/a[1].zip\"", "\"hdfs://default/a[1].zip\"", CODE, YARN),
    ("a colon in a file name", ADDRESSES, SPARK,
        "Spark refuses the URI when the job starts: `Relative path in absolute URI`",
        "code \"hdfs://default/a:b.zip\"", "\"hdfs://default/a:b.zip\"", CODE, YARN),
    ("a hash sign in a file name", ADDRESSES, SPARK,
        "Spark reads the text after `#` as the name of the file in the executor, so the program does not find the file by its real name",
        "code \"hdfs://default/a#b.zip\"", "\"hdfs://default/a#b.zip\"", CODE, YARN),
    ("a percent sign in a file name", ADDRESSES, SPARK,
        "if a path without a scheme has an alias, Spark encodes the path again and loses the alias",
        "code \"hdfs://default/a%20b.zip\"", "\"hdfs://default/a%20b.zip\"", CODE, YARN),
    ("a percent-encoded comma in a file name", ADDRESSES, SPARK,
        "Spark decodes the URI and then splits the list of files at the comma: `FileNotFoundException` when the job starts",
        "files \"v\" \"https://h/a%2Cb.txt\"", "\"https://h/a%2Cb.txt\"", "files \"v\" \"https://h/my%20v%2B1.txt\"", YARN),
    ("a percent-encoded comma in a query", ADDRESSES, SPARK,
        "Spark decodes the URI and then splits the list of files at the comma: `FileNotFoundException` when the job starts",
        "code \"https://h/a.zip?s=a%2Cb\"", "\"https://h/a.zip?s=a%2Cb\"", "code \"https://h/a.zip?s=a%2Fb\"", ALONE),
    ("a URI that Java does not accept", ADDRESSES, SPARK,
        "Spark refuses the URI: `URISyntaxException`",
        "files \"v\" \"https://h/100%.txt\"", "\"https://h/100%.txt\"", "files \"v\" \"https://h/v.txt?token=a\"", YARN),
    ("a directory instead of an archive", "spark#archives", SPARK,
        "Spark unpacks only archive files with `--archives`, and a directory is not an archive file",
        "code \"hdfs://default/code\"", "\"hdfs://default/code\"", CODE, YARN),
    ("an `s3:` URI", "", In("Hadoop's AWS module, which supports only `s3a:`"),
        "Hadoop 3 has no file system for the scheme `s3:`, so Spark cannot read the file",
        "code \"s3://b/a.zip\"", "\"s3://b/a.zip\"", "code \"s3a://b/a.zip\"", YARN),
    ("a Git repository as code", "", In("`SparkContext.addArchive`"),
        "Spark fetches files with Hadoop's file systems, which cannot read Git repositories",
        "code \"git+https://h/a\" ref=\"v1\"", "\"git+https://h/a\"", CODE, YARN),
    ("code at an absolute path", "spark#archives", SPARK,
        "Spark unpacks archives only below the working directory of the executor",
        "code \"hdfs://default/a.zip\" at=\"/opt/a\"", "\"hdfs://default/a.zip\"", CODE, YARN),
    ("two files with the same name", "spark#file-names", SPARK,
        "Spark accepts both files: the later one hides the first one, or the job fails when it runs",
        "files \"a\" \"hdfs://default/x/v.txt\"; files \"b\" \"hdfs://default/y/v.txt\"", "\"hdfs://default/y/v.txt\"", "files \"a\" \"hdfs://default/x/v.txt\"; files \"b\" \"hdfs://default/y/w.txt\"", YARN),
    ("an archive with the file name of `spark.yarn.archive`", "", SPARK,
        "Spark's YARN client refuses to add two files with the same name to the distributed cache",
        "code \"hdfs://default/a/s.zip\"", "\"hdfs://default/a/s.zip\"", "code \"hdfs://default/a/t.zip\"", "conf { spark.yarn.archive \"hdfs:///s.zip\" }"),
    ("two archives with the same name", "spark#file-names", SPARK,
        "Spark's YARN client refuses to add two files with the same name to the distributed cache",
        "code \"hdfs://default/a/job.zip\"; files \"b\" \"hdfs://default/b/job.zip\"", "\"hdfs://default/b/job.zip\"", "code \"hdfs://default/a/job.zip\"; files \"b\" \"hdfs://default/b/job.tar.gz\"", YARN),
    ("two local archives with the same name", "", SPARK,
        "the driver fails when its SparkContext starts: the name `was already registered with a different path`",
        "code \"./a/job.zip\"; files \"b\" \"./b/job.zip\"", "\"./b/job.zip\"", "code \"hdfs://default/a/job.zip\"; files \"b\" \"hdfs://default/b/job.zip\"", ALONE),
    ("a file with the name of the keytab", "", SPARK,
        "Spark's YARN client sends the keytab under its file name and refuses a second file with this name",
        "kerberos principal=\"a@B\" keytab=\"file:///etc/me.keytab\"; files \"k\" \"hdfs://default/me.keytab\"", "\"hdfs://default/me.keytab\"", "kerberos principal=\"a@B\" keytab=\"file:///etc/me.keytab\"; files \"k\" \"hdfs://default/k.keytab\"", YARN),
    ("a keytab with a hash in its path", "spark#file-addresses", SPARK,
        "Spark reads the text after `#` as an alias and does not find the keytab",
        "kerberos principal=\"a@B\" keytab=\"file:///etc/a#b.keytab\"", "kerberos principal=\"a@B\" keytab=\"file:///etc/a#b.keytab\"", "kerberos principal=\"a@B\" keytab=\"file:///etc/a,b.keytab\"", YARN),
    ("a secret mounted over a system directory", "spark#secret-files", In("Spark's `MountSecretsFeatureStep`, which mounts a whole Secret as a directory"),
        "the directory of the Secret hides `/etc`, so host names, users, and certificates of the container are missing",
        "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/etc/k\"", "\"T\"", "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/etc/s/k\"", K8S),
    ("a secret mounted over Spark's directory", "", In("Spark's `MountSecretsFeatureStep`, which mounts a whole Secret as a directory"),
        "the directory of the Secret hides the files of Spark in `/opt/spark`",
        "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/opt/spark/k\"", "\"T\"", "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/opt/spark/s/k\"", K8S),
    ("a secret mounted over the program's directory", "", In("Spark's `MountSecretsFeatureStep`, which mounts a whole Secret as a directory"),
        "the directory of the Secret hides `/app` of the image, so the program is not found",
        "image \"a/b:1\"; workdir \"/app\"; secret \"T\" from=\"s\" key=\"k\" at=\"/app/k\"", "\"T\"", "image \"a/b:1\"; workdir \"/app\"; secret \"T\" from=\"s\" key=\"k\" at=\"/app/s/k\"", K8S),
    ("a secret mounted over the directory of a file to which an environment variable points", "", In("Spark's `MountSecretsFeatureStep`, which mounts a whole Secret as a directory"),
        "the directory of the Secret hides `/certs` of the image, so the file that the variable names is not found",
        "image \"a/b:1\"; env { CONF \"/certs/app.toml\"; }; secret \"T\" from=\"s\" key=\"k\" at=\"/certs/k\"", "\"T\"", "image \"a/b:1\"; env { CERTS \"/certs\"; }; secret \"T\" from=\"s\" key=\"k\" at=\"/certs/k\"", K8S),
    ("a secret mounted over the image's Python", "", In("Spark's `MountSecretsFeatureStep`, which mounts a whole Secret as a directory"),
        "the directory of the Secret hides `/usr/local/bin` of the image, so `python3` is not found",
        "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/usr/local/bin/k\"", "\"T\"", "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/var/s/k\"", K8S),
    ("a secret with an invalid volume name", "", In("Spark's `MountSecretsFeatureStep`, which names the volume `NAME-volume`"),
        "Spark names the volume after the Secret, but volume names cannot contain dots, so Kubernetes refuses the executor pods",
        "image \"a/b:1\"; secret \"T\" from=\"my.s\" key=\"k\" at=\"/s/k\"", "\"T\"", "image \"a/b:1\"; secret \"T\" from=\"my.s\" key=\"k\"", K8S),
    ("data mounted over Spark's directory", "spark#mount-paths", In("the Dockerfile of Spark's images, with `WORKDIR /opt/spark/work-dir`"),
        "the volume hides files of Spark, such as its working directory or its Python files, so executors fail, or do not start",
        "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/opt/spark/python\"", "\"/opt/spark/python\"", "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/opt/spark/data\"", K8S),
    ("a volume mounted above Spark's directories", "spark#mount-paths", In("Spark's `LocalDirsFeatureStep`, which mounts `/var/data/spark-UUID` in each executor"),
        "Kubernetes cannot create Spark's local directory inside a read-only volume, so no executor container starts",
        "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/var/data\"", "\"/var/data\"", "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/var/data2\"", K8S),
    ("a volume claim on YARN", "spark#volumes", In("Spark's page on YARN"),
        "executors on YARN see only directories of their nodes, and not Kubernetes volume claims",
        "data \"d\" \"pvc://c/x\" at=\"/d\"", "\"/d\"", "data \"d\" \"file:///d\" at=\"/d\"", YARN),
    ("a volume claim without a mount path", "spark#volumes", In("Spark's page on YARN"),
        "without `at`, the program gets the URI of the claim, which no program can open",
        "data \"d\" \"pvc://c/x\"", "\"pvc://c/x\"", "data \"d\" \"file:///mnt/x\"", YARN),
    ("a URI mounted as a directory", "spark#volumes", In("Spark's page on Kubernetes"),
        "Spark mounts volume claims, node directories, and NFS exports into pods, but not URIs such as `hdfs:`",
        "image \"a/b:1\"; data \"d\" \"hdfs://default/x\" at=\"/d\"", "\"/d\"", "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/d\"", K8S),
    ("a node directory in a container", "spark#volumes", In("Hadoop's page on Docker containers"),
        "a container sees a directory of its node only if the directory is mounted",
        "image \"a/b:1\"; data \"d\" \"file:///x\"", "\"file:///x\"", "image \"a/b:1\"; data \"d\" \"file:///x\" at=\"/d\"", YARN),
    ("a secret in plain text", "spark#settings-in-plain-text", SPARK,
        "Spark stores each environment variable of executors in its settings, in plain text",
        "secret \"TOKEN\" from=\"s\" key=\"k\"", "\"TOKEN\"", "", YARN),
    ("a secret file with another name than its key", "spark#secret-files", In("Spark's page on Kubernetes"),
        "Spark mounts a Secret as a directory with one file per key, and the file has the name of the key",
        "image \"a/b:1\"; secret \"TOKEN\" from=\"s\" key=\"k\" at=\"/s/t\"", "\"TOKEN\"", "image \"a/b:1\"; secret \"TOKEN\" from=\"s\" key=\"k\" at=\"/s/k\"", K8S),
    ("an image on a standalone master", "spark#images", In("Spark's page on standalone clusters"),
        "a standalone worker starts executors as processes and ignores the image",
        IMAGE, "\"a/b:1\"", "", ALONE),
    ("a TensorBoard that is not reachable", "spark#tensorboard-address", TFOS,
        "TensorBoard listens on the loopback address of its node, so the URL that TensorFlowOnSpark prints works only on this node",
        "tensorboard logs=\"hdfs://default/c\"", "tensorboard logs=\"hdfs://default/c\"", "", YARN),
    ("a stop grace period on YARN", "", HADOOP,
        "YARN sends SIGKILL 250 ms after SIGTERM, so a longer grace period has no effect",
        "stop grace=\"60s\"", "\"60s\"", "allow \"stop-grace\" on=\"spark\" because=\"it saves often\"; stop grace=\"60s\"", YARN),
    ("a stop grace period on Kubernetes", "", In("`entrypoint.sh` of Spark's images"),
        "only Spark's Java process gets SIGTERM, and the container ends as soon as this process exits",
        "image \"a/b:1\"; stop grace=\"60s\"", "\"60s\"", "image \"a/b:1\"; allow \"stop-grace\" on=\"spark\" because=\"it saves often\"; stop grace=\"60s\"", K8S),
    ("Kerberos tokens that only Java gets", "spark#kerberos-tokens", In("Spark's page on security"),
        "on a standalone master, only Spark's Java processes get delegation tokens, so a Python program cannot read Kerberos-protected files itself",
        "kerberos principal=\"a@B\" keytab=\"file:///k\"", "kerberos principal=\"a@B\" keytab=\"file:///k\"", "", ALONE),
    ("files with the name of Spark's own Python archive", "", In("`Client.prepareLocalResources` of Spark 3.5, which ignores the later of two files with the same name"),
        "containers get an archive of the job in place of Spark's `pyspark.zip`, and no executor starts",
        "files \"x\" \"hdfs://default/libs/pyspark.zip\"", "\"hdfs://default/libs/pyspark.zip\"", "files \"x\" \"hdfs://default/libs/my-pyspark.zip\"", YARN),
    ("a Kerberos principal with `_HOST`", "", In("`UserGroupInformation` of Spark 3.5.9's Hadoop: `failure to login: for principal: me/_HOST@…`"),
        "`spark-submit` does not replace `_HOST`, so the Kerberos login fails",
        "kerberos principal=\"a/_HOST@B\" keytab=\"file:///k\"", "kerberos principal=\"a/_HOST@B\" keytab=\"file:///k\"", "kerberos principal=\"a/gw.b@B\" keytab=\"file:///k\"", YARN),
    ("a keytab that is missing on the submitting host", "spark#keytab-of-the-submitting-host", SPARK,
        "`spark-submit` refuses a keytab that is not a local file of the submitting host",
        "kerberos principal=\"a@B\" keytab=\"hdfs://default/k\"", "kerberos principal=\"a@B\" keytab=\"hdfs://default/k\"", "kerberos principal=\"a@B\" keytab=\"file:///k\"", YARN),
    ("a check for existing checkpoints at an `s3:` URI", "", SPARK,
        "the driver, which checks for checkpoints before the job starts, fails: Hadoop 3 has no file system for `s3:`",
        "checkpoints \"s3://b/ck\" if-exists=\"fail\"", "\"fail\"", "checkpoints \"s3a://b/ck\" if-exists=\"fail\"", YARN),
    ("a check for existing checkpoints in a local directory", "", In("Hadoop's local file system"),
        "the driver checks the directory on its own node only, and misses checkpoints on the nodes of the tasks",
        "checkpoints \"file:///mnt/ck\" if-exists=\"fail\"", "\"fail\"", "checkpoints \"file:///mnt/ck\" at=\"/mnt/ck\" if-exists=\"fail\"", YARN),
    ("a volume at the mount path of a secret", "spark#mount-paths", In("Kubernetes' validation of pods: mount paths must be unique"),
        "Kubernetes refuses the executor pods, because two volumes cannot have the same mount path",
        "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/d/k\"; data \"d\" \"pvc://c/x\" at=\"/d\" writable=#true", "\"/d\"", "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/s/k\"; data \"d\" \"pvc://c/x\" at=\"/d\"", K8S),
    ("executor pods on the node's network", "spark#pod-networks", In("Spark's page on Kubernetes"),
        "Spark's settings cannot put executor pods on the node's network; only a pod template can set `hostNetwork`",
        "image \"a/b:1\"; network \"host\"", "\"host\"", IMAGE, K8S),
];

/// Like `Setting`, with whole specs in place of `conf` entries.
type Whole = (&'static str, &'static str, Seen, &'static str, String, &'static str, &'static str, String);

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
fn whole() -> Vec<Whole> {
    let feed = format!("{K8S}; input \"spark\"; feed \"d\" format=\"csv\"");
    let fed = |data: &str| one(&format!("{data}; {IMAGE}"), SMALL, &feed);
    let small = |memory: &str| one("", &format!("cpus=1 memory=\"{memory}\""), "");
    let refused = "unsupported-feature";
    let object = |word: &str, name: &str| one(IMAGE, SMALL, &format!("{K8S}; {word} \"{name}\""));
    let pulled = |name: &str| one(&format!("image \"a/b:1\" pull-secret=\"{name}\""), SMALL, K8S);
    let prefix = |name: &str| {
        one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.kubernetes.executor.podNamePrefix \"{name}\" }}"))
    };
    let volume = |at: &str| {
        let more = format!("{SMALL} shared-memory=\"512MiB\" disk=\"1GiB\"");
        one(&format!("{IMAGE}; data \"d\" \"pvc://c/x\" at=\"{at}\""), &more, K8S)
    };
    let secrets = |from: &str, key: &str| {
        let role = format!("role \"chief\" {{ secret \"A\" from=\"u\" key=\"c\"; resources {SMALL} }}");
        one(&format!("{IMAGE}; {role}"), SMALL, K8S)
            .replace("\"2.15\"", "\"2.15\" strategy=\"multi-worker-mirrored\"")
            .replace("role \"worker\" {", &format!("role \"worker\" {{ secret \"A\" from=\"{from}\" key=\"{key}\";"))
    };
    vec![
        ("cluster mode on Kubernetes without an upload directory", "", SPARK,
            "`spark-submit` refuses a job that sends local files in cluster mode without `spark.kubernetes.file.upload.path`",
            one(IMAGE, SMALL, "master \"k8s://https://h:6443\""), "missing-option", "\"k8s://https://h:6443\"", one(IMAGE, SMALL, K8S)),
        ("one variable from different secrets in two roles", "spark#uniform-executors", SPARK,
            "all executors have the same settings, so every role gets the secret that is written last",
            secrets("v", "d"), refused, "\"A\"", secrets("u", "c")),
        ("a label that is set twice", "", SPARK,
            "Spark uses the last value, so executor pods do not have the label that the job sets",
            one(&format!("{IMAGE}; labels {{ \"a\" \"b\" }}"), SMALL, &format!("{K8S}; conf {{ spark.kubernetes.executor.label.a \"z\" }}")), OWNED, "spark.kubernetes.executor.label.a",
            one(&format!("{IMAGE}; labels {{ \"a\" \"b\" }}"), SMALL, &format!("{K8S}; conf {{ spark.kubernetes.executor.label.c \"z\" }}"))),
        ("a label that Spark reserves", "", SPARK,
            "Spark refuses the job: `Label with key spark-version is not allowed as it is reserved for Spark bookkeeping operations`",
            one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.kubernetes.driver.label.spark-version \"3.5\" }}")), UNKNOWN, "spark.kubernetes.driver.label.spark-version",
            one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.kubernetes.driver.label.spark-versions \"3.5\" }}"))),
        ("a pod variable that Kubernetes expands", "", In("Kubernetes' expansion of `$(NAME)` in `env`"),
            "in values of environment variables, Kubernetes replaces `$(NAME)` if the container has the variable `NAME`, and `$$` with `$`",
            one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.executor.extraJavaOptions \"-Da=$(HOME)\" }}")), VALUE, "\"-Da=$(HOME)\"",
            one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.executor.extraJavaOptions \"-Da=$HOME\" }}"))),
        ("a volume at /dev/shm next to shared memory", "spark#mount-paths", In("Kubernetes' validation of pods: mount paths must be unique"),
            "Kubernetes refuses the executor pods, because two volumes cannot have the same mount path",
            volume("/dev/shm"), refused, "\"/dev/shm\"", volume("/d")),
        ("a volume at the mount path of the scratch directory", "spark#mount-paths", In("Kubernetes' validation of pods: mount paths must be unique"),
            "Kubernetes refuses the executor pods, because two volumes cannot have the same mount path",
            volume("/var/tfjob/scratch"), refused, "\"/var/tfjob/scratch\"", volume("/d")),
        ("a namespace with a dot", "", In("`ValidateNamespaceName` of apimachinery: an RFC 1123 label"),
            "the API server refuses the driver's pod, because the name of a namespace cannot contain a dot",
            object("namespace", "2024.ml"), "bad-option", "\"2024.ml\"", object("namespace", "2024-ml")),
        ("a service account name in uppercase", "", In("`ValidateServiceAccountName` of apimachinery: an RFC 1123 subdomain"),
            "the API server refuses the driver's pod, because the name of a service account must be lowercase",
            object("service-account", "Spark"), "bad-option", "\"Spark\"", object("service-account", "2024.spark")),
        ("a Secret name in uppercase", "spark#secret-names", In("`ValidateSecretName` of apimachinery: an RFC 1123 subdomain"),
            "the API server refuses the executor pods, because the name of a Secret must be lowercase",
            pulled("Registry"), refused, "\"Registry\"", pulled(&format!("{}.registry", "x".repeat(100)))),
        ("an invalid prefix of pod names", "", SPARK,
            "`spark-submit` accepts the prefix, but Spark refuses it when the driver requests the first executor",
            prefix("Bad_Name"), VALUE, "\"Bad_Name\"", prefix("good-name")),
        ("a role without an image on Kubernetes", "", SPARK,
            "`spark-submit` refuses the job, because pods need an image",
            one("", SMALL, K8S), "spark-missing-image", "\"worker\"", one(IMAGE, SMALL, K8S)),
        ("an executor with too little memory for Java", "spark#executor-memory", SPARK,
            "Spark refuses a Java heap below 450 MiB when an executor starts; the memory overhead comes on top of the heap",
            small("900MiB"), refused, "\"900MiB\"", small("1GiB")),
        ("a TensorFlow 1 program on Spark", "spark#tensorflow-versions", In("the Python package index"),
            "no package of TensorFlow 1 exists for the Python versions of Spark 3.5, so the program cannot import it",
            one("", SMALL, "").replace("2.15", "1.15"), refused, "\"tensorflow\"", one("", SMALL, "")),
        ("two executors with the same port on a host", "spark#tensorflow-port", TFOS,
            "two TensorFlow tasks on one host get the same address, without an error message",
            many("port \"rendezvous\" 2222", ""), refused, "2222", many("port \"rendezvous\" \"auto\"", "")),
        ("one JMX port for all executors", "", SPARK,
            "the second executor on a host does not start: `Port already in use`; Spark starts replacements indefinitely",
            many("", "conf { spark.executor.extraJavaOptions \"-Dcom.sun.management.jmxremote.port=9999\" }"), VALUE, "\"-Dcom.sun.management.jmxremote.port=9999\"", many("", "conf { spark.executor.extraJavaOptions \"-Dcom.sun.management.jmxremote.port=0\" }")),
        ("one Java debugger port for all executors", "", In("the `java` command of OpenJDK 17: `Address already in use`"),
            "the second executor on a host does not start, because the first one already uses the port",
            many("", "conf { spark.executor.extraJavaOptions \"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:5005\" }"), VALUE, "\"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:5005\"", many("", "conf { spark.executor.extraJavaOptions \"-agentlib:jdwp=transport=dt_socket,server=n,address=h:5005\" }")),
        ("one Java agent port for all executors", "", In("`JavaAgent.premain` of jmx_prometheus, where a `BindException` ends the Java process"),
            "the second executor on a host does not start, because the first one already uses the port",
            many("", "conf { spark.executor.extraJavaOptions \"-javaagent:/opt/jmx_prometheus_javaagent.jar=8090:/opt/c.yaml\" }"), VALUE, "\"-javaagent:/opt/jmx_prometheus_javaagent.jar=8090:/opt/c.yaml\"", many("", "conf { spark.executor.extraJavaOptions \"-javaagent:/opt/agent.jar=level=1\" }")),
        ("too few ports for the executors of a host", "", SPARK,
            "executors without a free port do not start: `Address already in use … failed after 0 retries`",
            many("", "conf { spark.blockManager.port \"27999\"; spark.port.maxRetries \"3\" }"), VALUE, "\"3\"", many("", "conf { spark.blockManager.port \"27999\"; spark.port.maxRetries \"4\" }")),
        ("a lost executor that is not replaced", "spark#lost-executors", TFOS,
            "TensorFlowOnSpark cannot add a replacement to the running cluster, so the job fails or hangs",
            many("restart \"on-failure\" limit=3", ""), refused, "\"on-failure\"", many("restart \"on-failure\" limit=3 scope=\"job\"", "")),
        ("GPUs of another vendor without a discovery script", "", In("Spark's `getGpusResources.sh`"),
            "executors fail to start, because the discovery script of Spark's image calls `nvidia-smi`, which other vendors do not provide",
            one(IMAGE, &format!("{SMALL} gpus=1"), &format!("{K8S}; gpu-vendor \"amd.com\"")), "missing-option", "\"amd.com\"",
            one(IMAGE, &format!("{SMALL} gpus=1"), &format!("{K8S}; gpu-vendor \"amd.com\"; gpu-discovery \"/opt/gpus.sh\""))),
        ("executors with GPUs for a role without GPUs", "", TFOS,
            "all executors have the same size, so executors of a role without GPUs reserve GPUs too",
            many("", "").replace("role \"ps\"", "role \"ps\" { resources cpus=1 memory=\"4GiB\" }").replace(SMALL, &format!("{SMALL} gpus=1")).replace("role \"ps\" { resources cpus=1 memory=\"4GiB\" gpus=1 }", "role \"ps\" { resources cpus=1 memory=\"4GiB\" }"),
            "unused-gpus", "\"ps\"", many("", "").replace(SMALL, &format!("{SMALL} gpus=1"))),
        ("a `feed` from a volume claim", "", TFOS,
            "Spark reads the rows itself before it feeds them, and cannot open files on a volume claim",
            fed("data \"d\" \"pvc://c\" at=\"/d\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/d\"")),
        ("a `feed` from a file with a name that begins with `_`", "", SPARK,
            "Spark skips files with names that begin with `_` or `.`, and the job fails: `Unable to infer schema for CSV`",
            fed("data \"d\" \"s3a://b/_rows.csv\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/_rows.csv/\"")),
        ("a `feed` from a path with a glob character", "", SPARK,
            "Spark reads `run[1]` as a glob pattern and feeds the rows of the directory `run1`",
            fed("data \"d\" \"s3a://b/run[1]/\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/run-*/\"")),
        ("a `feed` from a comma-separated list of directories", "", SPARK,
            "the driver reads the list as one path, and the job fails: `PATH_NOT_FOUND`",
            fed("data \"d\" \"s3a://b/x,s3a://b/y\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/x,y\"")),
        ("a `feed` from a hidden file", "", SPARK,
            "Spark skips files with names that begin with `_` or `.`, so it does not feed their rows",
            fed("data \"d\" \"s3a://b/.rows.csv\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/_rows\"")),
        ("a `feed` from a zip archive", "the rules of this target", SPARK,
            "Spark does not unpack archives: it feeds the bytes of a zip file with 200 rows as two rows, and the job continues",
            fed("data \"d\" \"s3a://b/rows.zip\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/rows.csv.gz\"")),
        ("a `feed` from a compressed file for which Spark has no codec", "", In("the list of `CompressionCodec` classes in hadoop-client-api 3.3.4"),
            "Spark feeds the bytes of the compressed file as rows, and the job continues",
            fed("data \"d\" \"s3a://b/rows.csv.xz\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/rows.csv.bz2\"")),
        ("a `feed` from a compressed tar archive", "the rules of this target", In("Hadoop's `CompressionCodecFactory`, which selects a codec by the last suffix"),
            "Spark decompresses the file but does not unpack the tar archive in it, so tar headers become rows",
            fed("data \"d\" \"hdfs://default/Rows.TAR.gz\""), "spark-feed", "\"d\"", fed("data \"d\" \"hdfs://default/rows.tar.gz/\"")),
        ("a `feed` from an archive that Spark cannot unpack", "the rules of this target", In("Hadoop's `CompressionCodecFactory`"),
            "Spark feeds the bytes of the archive as rows",
            fed("data \"d\" \"hdfs://default/*.7z\""), "spark-feed", "\"d\"", fed("data \"d\" \"hdfs://default/*.csv.bz2\"")),
        ("more shared memory than executor memory", "", In("Kubernetes' `EmptyDirVolumeSource` with `medium: Memory`"),
            "files in `/dev/shm` count toward the memory of the container, which Kubernetes kills before `/dev/shm` is full",
            one(IMAGE, &format!("{SMALL} shared-memory=\"8GiB\""), K8S), refused, "\"8GiB\"", one(IMAGE, &format!("{SMALL} shared-memory=\"4GiB\""), K8S)),
    ]
}

#[rustfmt::skip]
fn pythons() -> Vec<Whole> {
    let stages = "files \"a\" \"hdfs://default/a.zip\"; files \"b\" \"hdfs://default/b.zip\"; data \"d\" \"file:///venv\"";
    let python = |first: &str, second: &str, target: &str| {
        one(&format!("{stages}; role \"chief\" {{ run \"{first}\" \"c.py\"; resources {SMALL} }}"), SMALL, target)
            .replace("\"2.15\"", "\"2.15\" strategy=\"multi-worker-mirrored\"")
            .replace("role \"worker\" {", &format!("role \"worker\" {{ run \"{second}\" \"t.py\";"))
    };
    vec![
        ("a Python interpreter at a path that Spark cannot use", "", SPARK,
            "executors start the system's `python3`, which may have another version of TensorFlowOnSpark or none",
            python("python", "{data.d}/bin/python", ""), "missing-option", "{data.d}", python("python", "{files.a}/tf/bin/python3", "")),
        ("two roles with different Python interpreters", "", SPARK,
            "Spark starts the same Python in every executor, whatever its role",
            python("{files.a}/bin/python", "{files.b}/bin/python", ""), "missing-option", "{files.b}", python("{files.a}/bin/python", "{files.b}/bin/python", "python \"{files.a}/bin/python\"")),
    ]
}

/// Returns all rows, each with two whole specs.
pub fn pitfalls() -> Vec<Pitfall> {
    let settings = SETTINGS.iter().map(|(name, fact, seen, does, falls, code, words, near)| {
        let spec = |pair: &str| one("", SMALL, &format!("spark \"3.5\"; conf {{ {pair} }}"));
        (*name, *fact, *seen, *does, spec(falls), *code, *words, spec(near))
    });
    let targets = TARGETS.iter().map(|(name, fact, seen, does, falls, code, words, near)| {
        (*name, *fact, *seen, *does, one("", SMALL, falls), *code, *words, one("", SMALL, near))
    });
    let refused = REFUSED.iter().map(|(name, fact, seen, does, falls, words, near, target)| {
        let spec = |words| one(words, SMALL, target);
        (*name, *fact, *seen, *does, spec(falls), "unsupported-feature", *words, spec(near))
    });
    let pitfall = |(name, fact, seen, does, falls, code, words, neighbour)| Pitfall {
        name,
        fact,
        seen,
        does,
        falls,
        code,
        words,
        says: "",
        neighbour,
    };
    settings.chain(targets).chain(refused).chain(whole()).chain(pythons()).map(pitfall).collect()
}
