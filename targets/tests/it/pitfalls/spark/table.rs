//! Traps that a spec can walk into: each is diagnosed at its own words, and its nearest neighbour compiles.
use super::compiled::{SMALL, many, one};
use super::settings::{OWNED, SETTINGS, UNKNOWN, VALUE};
use super::{HADOOP, SPARK, TFOS};
use crate::pitfalls::{In, Pitfall, Seen};

/// Name, fact, where it was seen, what Spark does; a pair of `conf` that falls in, the code, its words, a pair that does not.
pub type Setting =
    (&'static str, &'static str, Seen, &'static str, &'static str, &'static str, &'static str, &'static str);

/// The same of a `target` block that falls in, the code, its words, one that does not.
type Words = Setting;

#[rustfmt::skip]
const TARGETS: &[Words] = &[
    ("a Spark version without archives for executors", "", In("Spark's configuration page: spark.archives since 3.1"),
        "`--archives` is read on YARN alone, and executors of other masters have no code",
        "spark \"3.0\"", "bad-option", "\"3.0\"", "spark \"3.1\""),
    ("a TensorFlowOnSpark version that the driver does not support", "", In("TensorFlowOnSpark's TFCluster.run"),
        "its arguments are others: the driver fails",
        "tfos \"1.4\"", "bad-option", "\"1.4\"", "tfos \"2.2\""),
    ("a master URL of Spark 1", "", SPARK,
        "refused: the old spelling of a master is none",
        "master \"yarn-cluster\"", "bad-option", "\"yarn-cluster\"", "master \"yarn\""),
    ("a master whose host has an underscore", "", SPARK,
        "the driver fails: `Invalid master URL`",
        "master \"spark://spark_master:7077\"", "bad-option", "\"spark://spark_master:7077\"", "master \"spark://spark-master:7077\""),
    ("a driver host name that is not valid in a URL", "", SPARK,
        "the driver fails: `Invalid Spark URL`",
        "master \"spark://h:7077\"; conf { spark.driver.host \"my_host\" }", VALUE, "\"my_host\"", "master \"spark://h:7077\"; conf { spark.driver.host \"my-host\" }"),
    ("a heap size in GB", "", SPARK,
        "the submitting Java machine does not start: `Invalid maximum heap size`; in YARN's cluster mode its client reads the size",
        "deploy-mode \"client\"; conf { spark.driver.memory \"4GB\" }", VALUE, "\"4GB\"", "conf { spark.driver.memory \"4GB\" }"),
    ("a heap size without a unit", "", SPARK,
        "a number without unit is bytes: the Java machine does not start; in YARN's cluster mode it is MiB",
        "deploy-mode \"client\"; conf { spark.driver.memory \"1024\" }", VALUE, "\"1024\"", "conf { spark.driver.memory \"1024\" }"),
    ("an option of Java 8 in a Spark that needs Java 17", "", SPARK,
        "no executor starts: `Unrecognized VM option 'UseConcMarkSweepGC'`",
        "spark \"4.0\"; conf { spark.executor.extraJavaOptions \"-XX:+UseConcMarkSweepGC\" }", VALUE, "\"-XX:+UseConcMarkSweepGC\"", "spark \"3.2\"; conf { spark.executor.extraJavaOptions \"-XX:+UseConcMarkSweepGC\" }"),
    ("an option of Java 8 in a Spark that runs in Java 8 to 17", "", SPARK,
        "in Java 17 the driver does not start: `Unrecognized VM option 'PrintGCDateStamps'`",
        "spark \"3.5\"; conf { spark.driver.extraJavaOptions \"-XX:+PrintGCDateStamps\" }", "spark-setting-unchecked", "\"-XX:+PrintGCDateStamps\"", "spark \"3.5\"; conf { spark.driver.extraJavaOptions \"-XX:+IgnoreUnrecognizedVMOptions -XX:+PrintGCDateStamps\" }"),
    ("a shim that has the name of a file of the job", "", SPARK,
        "refused by YARN's client: an attempt to add one file several times",
        "shim path=\"/opt/job.json\"", "bad-option", "\"/opt/job.json\"", "shim path=\"/opt/tfjob-shim\""),
    ("a queue on a standalone master", "", SPARK,
        "accepted and never read",
        "master \"spark://h:7077\"; queue \"ml\"", "unused-option", "\"ml\"", "queue \"ml\""),
    ("a Python driver in a standalone cluster", "", SPARK,
        "refused after the arguments are read",
        "master \"spark://h:7077\"; deploy-mode \"cluster\"", "unused-option", "\"cluster\"", "master \"spark://h:7077\"; deploy-mode \"client\""),
    ("a queue name that Spark expands", "", SPARK,
        "the queue becomes the submitter's home folder",
        "queue \"${env:HOME}\"", "bad-option", "\"${env:HOME}\"", "queue \"home\""),
    ("a shim path with a comma", "", SPARK,
        "a comma cuts the list of files, percent-encoded or not",
        "shim path=\"/a,b/tfjob-shim\"", "bad-option", "\"/a,b/tfjob-shim\"", "shim path=\"/a/tfjob-shim\""),
    ("a Python in files that do not exist", "", SPARK,
        "executors do not start: there is no such file",
        "python \"{files.env}/bin/python\"", "bad-option", "\"{files.env}/bin/python\"", "python \"/opt/env/bin/python\""),
    ("a priority above the maximum", "", SPARK,
        "spark-submit lets it pass; the client on YARN cannot read it",
        "priority 2147483648", "out-of-range", "2147483648", "priority 2147483647"),
    ("authentication without a secret", "", SPARK,
        "the driver refuses to start: a standalone master needs `spark.authenticate.secret`",
        "master \"spark://h:7077\"; conf { spark.authenticate \"true\" }", VALUE, "\"true\"", "conf { spark.authenticate \"true\" }"),
    ("`input \"spark\"` without `feed`", "", TFOS,
        "rows are fed only where the program reads them in Spark's mode",
        "input \"spark\"", "missing-option", "\"spark\"", "input \"tensorflow\""),
];

const YARN: &str = "";
const ALONE: &str = "master \"spark://h:7077\"";
pub const K8S: &str = "master \"k8s://https://h:6443\"; upload \"s3a://b/tmp\"";
const CODE: &str = "code \"hdfs://default/a.zip\"";
const IMAGE: &str = "image \"a/b:1\"";
const ADDRESSES: &str = "";

/// The same of words of the job that fall in, their own words, words that do not, the `target` block.
type Refused = Setting;

#[rustfmt::skip]
const REFUSED: &[Refused] = &[
    ("a comma in a file name", ADDRESSES, SPARK,
        "the name is cut in two, and the first half is not found",
        "code \"hdfs://default/a,b.zip\"", "\"hdfs://default/a,b.zip\"", CODE, YARN),
    ("braces in a file name", ADDRESSES, SPARK,
        "the file is missing in the executor, and the job ends with code 0",
        "code \"hdfs://default/a{b}.zip\"", "\"hdfs://default/a{b}.zip\"", CODE, YARN),
    ("an asterisk in a file name", ADDRESSES, SPARK,
        "works as long as it matches itself and nothing else",
        "code \"hdfs://default/a*.zip\"", "\"hdfs://default/a*.zip\"", CODE, YARN),
    ("a question mark in a file name", ADDRESSES, SPARK,
        "the path ends there, and the file is not found",
        "code \"hdfs://default/a?b.zip\"", "\"hdfs://default/a?b.zip\"", CODE, YARN),
    ("brackets in a file name", ADDRESSES, SPARK,
        "refused as an illegal character when the job starts",
        "code \"hdfs://default/a[1].zip\"", "\"hdfs://default/a[1].zip\"", CODE, YARN),
    ("a colon in a file name", ADDRESSES, SPARK,
        "refused as a relative path when the job starts",
        "code \"hdfs://default/a:b.zip\"", "\"hdfs://default/a:b.zip\"", CODE, YARN),
    ("a hash sign in a file name", ADDRESSES, SPARK,
        "what follows is taken for the name in the executor",
        "code \"hdfs://default/a#b.zip\"", "\"hdfs://default/a#b.zip\"", CODE, YARN),
    ("a percent sign in a file name", ADDRESSES, SPARK,
        "a bare path with an alias is encoded once more, and the alias is lost",
        "code \"hdfs://default/a%20b.zip\"", "\"hdfs://default/a%20b.zip\"", CODE, YARN),
    ("a percent-encoded comma in a file name", ADDRESSES, SPARK,
        "Spark decodes the address first: `FileNotFoundException` when the job starts",
        "files \"v\" \"https://h/a%2Cb.txt\"", "\"https://h/a%2Cb.txt\"", "files \"v\" \"https://h/my%20v%2B1.txt\"", YARN),
    ("a percent-encoded comma in a query", ADDRESSES, SPARK,
        "Spark decodes the address first: `FileNotFoundException` when the job starts",
        "code \"https://h/a.zip?s=a%2Cb\"", "\"https://h/a.zip?s=a%2Cb\"", "code \"https://h/a.zip?s=a%2Fb\"", ALONE),
    ("a URI that Java does not accept", ADDRESSES, SPARK,
        "refused: `URISyntaxException`",
        "files \"v\" \"https://h/100%.txt\"", "\"https://h/100%.txt\"", "files \"v\" \"https://h/v.txt?token=a\"", YARN),
    ("a directory instead of an archive", "spark#archives", SPARK,
        "`--archives` unpacks archives; a folder is none",
        "code \"hdfs://default/code\"", "\"hdfs://default/code\"", CODE, YARN),
    ("an `s3:` URI", "", In("Hadoop's AWS module: only s3a is left"),
        "there is no file system for the scheme",
        "code \"s3://b/a.zip\"", "\"s3://b/a.zip\"", "code \"s3a://b/a.zip\"", YARN),
    ("a Git repository as code", "", In("SparkContext.addArchive"),
        "only file systems of Hadoop are read",
        "code \"git+https://h/a\" ref=\"v1\"", "\"git+https://h/a\"", CODE, YARN),
    ("code at an absolute path", "spark#archives", SPARK,
        "archives are unpacked below the executor's folder only",
        "code \"hdfs://default/a.zip\" at=\"/opt/a\"", "\"hdfs://default/a.zip\"", CODE, YARN),
    ("two files with the same name", "spark#file-names", SPARK,
        "accepted; the later one hides the first or fails at run time",
        "files \"a\" \"hdfs://default/x/v.txt\"; files \"b\" \"hdfs://default/y/v.txt\"", "\"hdfs://default/y/v.txt\"", "files \"a\" \"hdfs://default/x/v.txt\"; files \"b\" \"hdfs://default/y/w.txt\"", YARN),
    ("an archive that has the name of the archive of Spark's jars", "", SPARK,
        "refused by YARN's client: an attempt to add one file several times",
        "code \"hdfs://default/a/s.zip\"", "\"hdfs://default/a/s.zip\"", "code \"hdfs://default/a/t.zip\"", "conf { spark.yarn.archive \"hdfs:///s.zip\" }"),
    ("two archives with the same name", "spark#file-names", SPARK,
        "refused by YARN's client: an attempt to add one file several times",
        "code \"hdfs://default/a/job.zip\"; files \"b\" \"hdfs://default/b/job.zip\"", "\"hdfs://default/b/job.zip\"", "code \"hdfs://default/a/job.zip\"; files \"b\" \"hdfs://default/b/job.tar.gz\"", YARN),
    ("two local archives with the same name", "", SPARK,
        "refused when the driver's context starts: the name is registered with a different path",
        "code \"./a/job.zip\"; files \"b\" \"./b/job.zip\"", "\"./b/job.zip\"", "code \"hdfs://default/a/job.zip\"; files \"b\" \"hdfs://default/b/job.zip\"", ALONE),
    ("a file that has the keytab's name", "", SPARK,
        "refused by YARN's client: the keytab is sent under its own name too",
        "kerberos principal=\"a@B\" keytab=\"file:///etc/me.keytab\"; files \"k\" \"hdfs://default/me.keytab\"", "\"hdfs://default/me.keytab\"", "kerberos principal=\"a@B\" keytab=\"file:///etc/me.keytab\"; files \"k\" \"hdfs://default/k.keytab\"", YARN),
    ("a keytab with a hash in its path", "spark#file-addresses", SPARK,
        "what follows is taken for another name, and the file is not found",
        "kerberos principal=\"a@B\" keytab=\"file:///etc/a#b.keytab\"", "kerberos principal=\"a@B\" keytab=\"file:///etc/a#b.keytab\"", "kerberos principal=\"a@B\" keytab=\"file:///etc/a,b.keytab\"", YARN),
    ("a secret mounted over a system directory", "spark#secret-files", In("Spark's MountSecretsFeatureStep: the whole secret is a directory"),
        "the secret's directory hides `/etc`: no names, no users, no certificates",
        "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/etc/k\"", "\"T\"", "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/etc/s/k\"", K8S),
    ("a secret mounted over Spark's directory", "", In("Spark's MountSecretsFeatureStep: the whole secret is a directory"),
        "the secret's directory hides Spark itself",
        "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/opt/spark/k\"", "\"T\"", "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/opt/spark/s/k\"", K8S),
    ("a secret mounted over the program's directory", "", In("Spark's MountSecretsFeatureStep: the whole secret is a directory"),
        "the secret's directory hides the image's: the program is not found",
        "image \"a/b:1\"; workdir \"/app\"; secret \"T\" from=\"s\" key=\"k\" at=\"/app/k\"", "\"T\"", "image \"a/b:1\"; workdir \"/app\"; secret \"T\" from=\"s\" key=\"k\" at=\"/app/s/k\"", K8S),
    ("a secret mounted over the directory of an argument", "", In("Spark's MountSecretsFeatureStep: the whole secret is a directory"),
        "the secret's directory hides the image's: the file is not found",
        "image \"a/b:1\"; env { CONF \"/certs/app.toml\"; }; secret \"T\" from=\"s\" key=\"k\" at=\"/certs/k\"", "\"T\"", "image \"a/b:1\"; env { CERTS \"/certs\"; }; secret \"T\" from=\"s\" key=\"k\" at=\"/certs/k\"", K8S),
    ("a secret mounted over the image's Python", "", In("Spark's MountSecretsFeatureStep: the whole secret is a directory"),
        "the secret's directory hides `/usr/local/bin`: `python3` is not found",
        "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/usr/local/bin/k\"", "\"T\"", "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/var/s/k\"", K8S),
    ("a secret with an invalid volume name", "", In("Spark's MountSecretsFeatureStep: the volume is `NAME-volume`"),
        "the name of a volume has no dots: the executors' pods are refused",
        "image \"a/b:1\"; secret \"T\" from=\"my.s\" key=\"k\" at=\"/s/k\"", "\"T\"", "image \"a/b:1\"; secret \"T\" from=\"my.s\" key=\"k\"", K8S),
    ("data mounted over Spark's directory", "spark#mount-paths", In("the Dockerfile of Spark's images: WORKDIR /opt/spark/work-dir"),
        "executors start in the volume, or without Spark's Python",
        "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/opt/spark/python\"", "\"/opt/spark/python\"", "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/opt/spark/data\"", K8S),
    ("a volume mounted above Spark's directories", "spark#mount-paths", In("Spark's LocalDirsFeatureStep: /var/data/spark-UUID in each executor"),
        "the directory cannot be made in a volume that is read-only: no executor's container starts",
        "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/var/data\"", "\"/var/data\"", "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/var/data2\"", K8S),
    ("a volume claim on YARN", "spark#volumes", In("Spark's running-on-yarn page"),
        "executors see the node's folders only",
        "data \"d\" \"pvc://c/x\" at=\"/d\"", "\"/d\"", "data \"d\" \"file:///d\" at=\"/d\"", YARN),
    ("a volume claim without a mount path", "spark#volumes", In("Spark's running-on-yarn page"),
        "no program opens the address of a claim, and YARN mounts none",
        "data \"d\" \"pvc://c/x\"", "\"pvc://c/x\"", "data \"d\" \"file:///mnt/x\"", YARN),
    ("a URI mounted as a directory", "spark#volumes", In("Spark's running-on-kubernetes page"),
        "volumes are claims and folders; no address is mounted",
        "image \"a/b:1\"; data \"d\" \"hdfs://default/x\" at=\"/d\"", "\"/d\"", "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/d\"", K8S),
    ("a node directory in a container", "spark#volumes", In("Hadoop's DockerContainers page"),
        "a container sees no folder of the node unless it is mounted",
        "image \"a/b:1\"; data \"d\" \"file:///x\"", "\"file:///x\"", "image \"a/b:1\"; data \"d\" \"file:///x\" at=\"/d\"", YARN),
    ("a secret in plain text", "spark#settings-in-plain-text", SPARK,
        "each variable of an executor stands in clear text in Spark's settings",
        "secret \"TOKEN\" from=\"s\" key=\"k\"", "\"TOKEN\"", "", YARN),
    ("a secret file with another name than its key", "spark#secret-files", In("Spark's running-on-kubernetes page"),
        "a secret is mounted as a folder whose files are called like its entries",
        "image \"a/b:1\"; secret \"TOKEN\" from=\"s\" key=\"k\" at=\"/s/t\"", "\"TOKEN\"", "image \"a/b:1\"; secret \"TOKEN\" from=\"s\" key=\"k\" at=\"/s/k\"", K8S),
    ("an image without containers", "spark#images", In("Spark's spark-standalone page"),
        "a standalone worker starts processes; an image is ignored",
        IMAGE, "\"a/b:1\"", "", ALONE),
    ("a TensorBoard that is not reachable", "spark#tensorboard-address", TFOS,
        "TensorBoard listens on the loopback address, and its printed address is dead from elsewhere",
        "tensorboard logs=\"hdfs://default/c\"", "tensorboard logs=\"hdfs://default/c\"", "", YARN),
    ("a stop grace period on YARN", "", HADOOP,
        "KILL follows TERM after a quarter of a second",
        "stop grace=\"60s\"", "\"60s\"", "allow \"stop-grace\" on=\"spark\" because=\"it saves often\"; stop grace=\"60s\"", YARN),
    ("a stop grace period on Kubernetes", "", In("Spark's entrypoint.sh"),
        "the signal goes to the Java machine, and the container ends with it",
        "image \"a/b:1\"; stop grace=\"60s\"", "\"60s\"", "image \"a/b:1\"; allow \"stop-grace\" on=\"spark\" because=\"it saves often\"; stop grace=\"60s\"", K8S),
    ("tokens that only Java sees", "spark#kerberos-tokens", In("Spark's security page"),
        "delegation tokens are for Java; a Python program's own reads fail",
        "kerberos principal=\"a@B\" keytab=\"file:///k\"", "kerberos principal=\"a@B\" keytab=\"file:///k\"", "", ALONE),
    ("files that have the name of Spark's own Python", "", In("Spark 3.5's Client.prepareLocalResources: the later of two files of one name is left out"),
        "the containers have the job's archive instead of Spark's Python, and no executor starts",
        "files \"x\" \"hdfs://default/libs/pyspark.zip\"", "\"hdfs://default/libs/pyspark.zip\"", "files \"x\" \"hdfs://default/libs/my-pyspark.zip\"", YARN),
    ("a principal with `_HOST`", "", In("UserGroupInformation of Spark 3.5.9's Hadoop: `failure to login: for principal: me/_HOST@…`"),
        "spark-submit logs in with the text as it stands, and the login fails",
        "kerberos principal=\"a/_HOST@B\" keytab=\"file:///k\"", "kerberos principal=\"a/_HOST@B\" keytab=\"file:///k\"", "kerberos principal=\"a/gw.b@B\" keytab=\"file:///k\"", YARN),
    ("a keytab that the submitting host lacks", "spark#keytab-of-the-submitting-host", SPARK,
        "refused: the keytab must lie on the host that submits",
        "kerberos principal=\"a@B\" keytab=\"hdfs://default/k\"", "kerberos principal=\"a@B\" keytab=\"hdfs://default/k\"", "kerberos principal=\"a@B\" keytab=\"file:///k\"", YARN),
    ("old state behind the bare s3 scheme", "", SPARK,
        "the driver fails: there is no file system for the scheme",
        "checkpoints \"s3://b/ck\" if-exists=\"fail\"", "\"fail\"", "checkpoints \"s3a://b/ck\" if-exists=\"fail\"", YARN),
    ("old state in the driver's own folder", "", In("Hadoop's local file system"),
        "the driver looks at the folder of the node that it runs on, which need not be a task's",
        "checkpoints \"file:///mnt/ck\" if-exists=\"fail\"", "\"fail\"", "checkpoints \"file:///mnt/ck\" at=\"/mnt/ck\" if-exists=\"fail\"", YARN),
    ("a volume where a secret's folder is", "spark#mount-paths", In("Kubernetes' validation of pods: mount paths are unique"),
        "the executors' pods are refused",
        "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/d/k\"; data \"d\" \"pvc://c/x\" at=\"/d\" writable=#true", "\"/d\"", "image \"a/b:1\"; secret \"T\" from=\"s\" key=\"k\" at=\"/s/k\"; data \"d\" \"pvc://c/x\" at=\"/d\"", K8S),
    ("a pod on the node's network", "spark#pod-networks", In("Spark's running-on-kubernetes page"),
        "no setting puts executors on the node's network",
        "image \"a/b:1\"; network \"host\"", "\"host\"", IMAGE, K8S),
];

/// The same of a spec that falls in: the code, its words, one that does not.
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
        ("nowhere to put files for Kubernetes", "", SPARK,
            "refused when files must be sent and no upload path is set",
            one(IMAGE, SMALL, "master \"k8s://https://h:6443\""), "missing-option", "\"k8s://https://h:6443\"", one(IMAGE, SMALL, K8S)),
        ("one variable of two secrets", "spark#uniform-executors", SPARK,
            "executors are alike: every role gets the one that is written last",
            secrets("v", "d"), refused, "\"A\"", secrets("u", "c")),
        ("a label that is set twice", "", SPARK,
            "the later of the two is taken, and the executors' label is not the job's",
            one(&format!("{IMAGE}; labels {{ \"a\" \"b\" }}"), SMALL, &format!("{K8S}; conf {{ spark.kubernetes.executor.label.a \"z\" }}")), OWNED, "spark.kubernetes.executor.label.a",
            one(&format!("{IMAGE}; labels {{ \"a\" \"b\" }}"), SMALL, &format!("{K8S}; conf {{ spark.kubernetes.executor.label.c \"z\" }}"))),
        ("a label that Spark keeps", "", SPARK,
            "refused: `Label with key spark-version is not allowed as it is reserved for Spark bookkeeping operations`",
            one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.kubernetes.driver.label.spark-version \"3.5\" }}")), UNKNOWN, "spark.kubernetes.driver.label.spark-version",
            one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.kubernetes.driver.label.spark-versions \"3.5\" }}"))),
        ("a pod variable that Kubernetes expands", "", In("Kubernetes' expansion of $(NAME) in env"),
            "`$(NAME)` of a variable that the container has is replaced, and `$$` becomes `$`",
            one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.executor.extraJavaOptions \"-Da=$(HOME)\" }}")), VALUE, "\"-Da=$(HOME)\"",
            one(IMAGE, SMALL, &format!("{K8S}; conf {{ spark.executor.extraJavaOptions \"-Da=$HOME\" }}"))),
        ("two volumes at /dev/shm", "spark#mount-paths", In("Kubernetes' validation of pods: mount paths are unique"),
            "the executors' pods are refused",
            volume("/dev/shm"), refused, "\"/dev/shm\"", volume("/d")),
        ("two volumes at the scratch directory", "spark#mount-paths", In("Kubernetes' validation of pods: mount paths are unique"),
            "the executors' pods are refused",
            volume("/var/tfjob/scratch"), refused, "\"/var/tfjob/scratch\"", volume("/d")),
        ("a namespace with a dot", "", In("ValidateNamespaceName of apimachinery: an RFC 1123 label"),
            "the API server refuses the driver's pod: a namespace has no dot; it may begin with a digit",
            object("namespace", "2024.ml"), "bad-option", "\"2024.ml\"", object("namespace", "2024-ml")),
        ("a service account in capitals", "", In("ValidateServiceAccountName of apimachinery: an RFC 1123 subdomain"),
            "the API server refuses the driver's pod",
            object("service-account", "Spark"), "bad-option", "\"Spark\"", object("service-account", "2024.spark")),
        ("a secret in capitals", "spark#secret-names", In("ValidateSecretName of apimachinery: an RFC 1123 subdomain"),
            "the API server refuses the executors' pods",
            pulled("Registry"), refused, "\"Registry\"", pulled(&format!("{}.registry", "x".repeat(100)))),
        ("an invalid prefix of pod names", "", SPARK,
            "refused when the first executor is asked for",
            prefix("Bad_Name"), VALUE, "\"Bad_Name\"", prefix("good-name")),
        ("no image on Kubernetes", "", SPARK,
            "refused: Pods need an image",
            one("", SMALL, K8S), "spark-missing-image", "\"worker\"", one(IMAGE, SMALL, K8S)),
        ("an executor too small for a Java machine", "spark#executor-memory", SPARK,
            "an executor below 450 MiB is refused when it starts; the overhead comes on top",
            small("900MiB"), refused, "\"900MiB\"", small("1GiB")),
        ("TensorFlow 1", "spark#tensorflow-versions", In("the package index: no TensorFlow 1 for a Python that Spark 3.5 runs"),
            "the program's imports fail",
            one("", SMALL, "").replace("2.15", "1.15"), refused, "\"tensorflow\"", one("", SMALL, "")),
        ("two executors with one port on a host", "spark#tensorflow-port", TFOS,
            "two nodes of one host get one address, without an error",
            many("port \"rendezvous\" 2222", ""), refused, "2222", many("port \"rendezvous\" \"auto\"", "")),
        ("one JMX port for all executors", "", SPARK,
            "the second executor of a host does not start: `Port already in use`; Spark starts others for ever",
            many("", "conf { spark.executor.extraJavaOptions \"-Dcom.sun.management.jmxremote.port=9999\" }"), VALUE, "\"-Dcom.sun.management.jmxremote.port=9999\"", many("", "conf { spark.executor.extraJavaOptions \"-Dcom.sun.management.jmxremote.port=0\" }")),
        ("one debugger port for all executors", "", In("java of OpenJDK 17: `Address already in use`"),
            "the second executor of a host does not start",
            many("", "conf { spark.executor.extraJavaOptions \"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:5005\" }"), VALUE, "\"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:5005\"", many("", "conf { spark.executor.extraJavaOptions \"-agentlib:jdwp=transport=dt_socket,server=n,address=h:5005\" }")),
        ("one agent port for all executors", "", In("JavaAgent.premain of jmx_prometheus: a `BindException` ends the Java machine"),
            "the second executor of a host does not start",
            many("", "conf { spark.executor.extraJavaOptions \"-javaagent:/opt/jmx_prometheus_javaagent.jar=8090:/opt/c.yaml\" }"), VALUE, "\"-javaagent:/opt/jmx_prometheus_javaagent.jar=8090:/opt/c.yaml\"", many("", "conf { spark.executor.extraJavaOptions \"-javaagent:/opt/agent.jar=level=1\" }")),
        ("too few ports for the executors of a host", "", SPARK,
            "no executor starts: `Address already in use … failed after 0 retries`",
            many("", "conf { spark.blockManager.port \"27999\"; spark.port.maxRetries \"3\" }"), VALUE, "\"3\"", many("", "conf { spark.blockManager.port \"27999\"; spark.port.maxRetries \"4\" }")),
        ("a lost executor is not replaced", "spark#lost-executors", TFOS,
            "the cluster of nodes is broken: the job ends with an error or hangs",
            many("restart \"on-failure\" limit=3", ""), refused, "\"on-failure\"", many("restart \"on-failure\" limit=3 scope=\"job\"", "")),
        ("GPUs without a discovery script", "", In("Spark's getGpusResources.sh"),
            "executors fail to start: the discovery script of Spark's image calls `nvidia-smi`",
            one(IMAGE, &format!("{SMALL} gpus=1"), &format!("{K8S}; gpu-vendor \"amd.com\"")), "missing-option", "\"amd.com\"",
            one(IMAGE, &format!("{SMALL} gpus=1"), &format!("{K8S}; gpu-vendor \"amd.com\"; gpu-discovery \"/opt/gpus.sh\""))),
        ("reserved GPUs that a role does not use", "", TFOS,
            "executors are uniform: each of them takes GPUs from the queue",
            many("", "").replace("role \"ps\"", "role \"ps\" { resources cpus=1 memory=\"4GiB\" }").replace(SMALL, &format!("{SMALL} gpus=1")).replace("role \"ps\" { resources cpus=1 memory=\"4GiB\" gpus=1 }", "role \"ps\" { resources cpus=1 memory=\"4GiB\" }"),
            "unused-gpus", "\"ps\"", many("", "").replace(SMALL, &format!("{SMALL} gpus=1"))),
        ("rows that Spark cannot read", "", TFOS,
            "rows come from files that Spark itself reads",
            fed("data \"d\" \"pvc://c\" at=\"/d\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/d\"")),
        ("a file of rows that Spark skips", "", SPARK,
            "files whose names begin with `_` or `.` are passed over: `Unable to infer schema for CSV`, and the job fails",
            fed("data \"d\" \"s3a://b/_rows.csv\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/_rows.csv/\"")),
        ("a glob character in the path of rows", "", SPARK,
            "`run[1]` is a pattern: the rows of the folder `run1` are fed",
            fed("data \"d\" \"s3a://b/run[1]/\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/run-*/\"")),
        ("a comma-separated list of row directories", "", SPARK,
            "the driver takes them for one path, and the job fails: `PATH_NOT_FOUND`",
            fed("data \"d\" \"s3a://b/x,s3a://b/y\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/x,y\"")),
        ("a hidden file of rows", "", SPARK,
            "files whose names begin with `_` or `.` are passed over",
            fed("data \"d\" \"s3a://b/.rows.csv\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/_rows\"")),
        ("rows in an archive", "the rules of this target", SPARK,
            "no codec unpacks an archive: a zip of 200 rows becomes two rows of its bytes, and the job goes on",
            fed("data \"d\" \"s3a://b/rows.zip\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/rows.csv.gz\"")),
        ("rows in a compressed file without a codec", "", In("CompressionCodec of META-INF/services in hadoop-client-api 3.3.4"),
            "the bytes of the compressed file are the rows, and the job goes on",
            fed("data \"d\" \"s3a://b/rows.csv.xz\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/rows.csv.bz2\"")),
        ("rows in a compressed archive", "the rules of this target", In("Hadoop's CompressionCodecFactory, which goes by the last suffix"),
            "tar's headers become rows",
            fed("data \"d\" \"hdfs://default/Rows.TAR.gz\""), "spark-feed", "\"d\"", fed("data \"d\" \"hdfs://default/rows.tar.gz/\"")),
        ("rows in an archive that Spark cannot unpack", "the rules of this target", In("Hadoop's CompressionCodecFactory"),
            "the archive's bytes become rows",
            fed("data \"d\" \"hdfs://default/*.7z\""), "spark-feed", "\"d\"", fed("data \"d\" \"hdfs://default/*.csv.bz2\"")),
        ("more shared memory than executor memory", "", In("Kubernetes' EmptyDirVolumeSource, medium Memory"),
            "what a program writes there counts as its memory: the container is killed before it is full",
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
        ("a Python at a path that Spark cannot use", "", SPARK,
            "executors start the system's `python3`, which may have another TensorFlowOnSpark or none",
            python("python", "{data.d}/bin/python", ""), "missing-option", "{data.d}", python("python", "{files.a}/tf/bin/python3", "")),
        ("two Pythons for identical executors", "", SPARK,
            "one Python starts in every executor, whatever the role",
            python("{files.a}/bin/python", "{files.b}/bin/python", ""), "missing-option", "{files.b}", python("{files.a}/bin/python", "{files.b}/bin/python", "python \"{files.a}/bin/python\"")),
    ]
}

/// Every trap as two whole specs.
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
