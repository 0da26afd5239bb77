//! Traps that a spec can walk into: each is diagnosed at its own words, and its nearest neighbour compiles.
use super::compiled::{SMALL, compile, many, one};

/// Name, where it was seen, a pair of `conf` that falls in, the code, its words, a pair that does not.
type Setting = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

const MEMORY: &str = "spark.driver.memory \"4g\"";
const UNKNOWN: &str = "spark-setting-unknown";
const VALUE: &str = "spark-setting-value";
const OWNED: &str = "spark-setting-owned";

#[rustfmt::skip]
const SETTINGS: &[Setting] = &[
    ("a misspelt key is silent", "spark-dcos §5.7", "spark.driver.memroy \"4g\"", UNKNOWN, "spark.driver.memroy", MEMORY),
    ("a key without `spark.` is left out", "spark-dcos §2.2", "executor.memory \"4g\"", UNKNOWN, "executor.memory", MEMORY),
    ("a blank before the equals sign", "spark-dcos §2.2", "\"spark.driver.memory \" \"4g\"", UNKNOWN, "\"spark.driver.memory \"", MEMORY),
    ("4GB kills the driver's Java machine", "spark-dcos §5.9", "spark.driver.memory \"4GB\"", VALUE, "\"4GB\"", MEMORY),
    ("4Gi is another version's", "spark-dcos §5.9", "spark.driver.maxResultSize \"4Gi\"", VALUE, "\"4Gi\"", "spark.driver.maxResultSize \"4g\""),
    ("1024 is read as bytes", "spark-dcos-observed §2", "spark.driver.memory \"1024\"", VALUE, "\"1024\"", MEMORY),
    ("a boolean is true or false", "spark-dcos-observed §2", "spark.eventLog.enabled \"yes\"", VALUE, "\"yes\"", "spark.eventLog.enabled \"true\""),
    ("2 minutes is no time", "spark-dcos-observed §2", "spark.network.timeout \"2 minutes\"", VALUE, "\"2 minutes\"", "spark.network.timeout \"2min\""),
    ("a reference is replaced", "spark-dcos-observed §2", "spark.eventLog.dir \"hdfs:///l/${env:USER}\"", VALUE, "\"hdfs:///l/${env:USER}\"", "spark.eventLog.dir \"hdfs:///l\""),
    ("a carriage return is deleted", "spark-dcos-observed §3", "spark.eventLog.dir \"a\\rb\"", VALUE, "\"a\\rb\"", "spark.eventLog.dir \"a\""),
    ("beyond ASCII the locale decides", "spark-dcos-observed §3", "spark.eventLog.dir \"é\"", VALUE, "\"é\"", "spark.eventLog.dir \"e\""),
    ("a heap among Java's options", "spark-dcos-observed §2", "spark.driver.extraJavaOptions \"-Xmx4g\"", VALUE, "\"-Xmx4g\"", "spark.driver.extraJavaOptions \"-XX:+UseG1GC\""),
    ("a quote that does not close", "spark-dcos-observed §2", "spark.driver.extraJavaOptions \"-Da='b c\"", VALUE, "\"-Da='b c\"", "spark.driver.extraJavaOptions \"-Da='b c'\""),
    ("a container's variable is shell text", "spark-dcos §2.5", "spark.yarn.appMasterEnv.A \"`id`\"", VALUE, "\"`id`\"", "spark.yarn.appMasterEnv.A \"id\""),
    ("a task more often than once", "spark-dcos §5.5", "spark.task.maxFailures \"4\"", OWNED, "spark.task.maxFailures", MEMORY),
    ("several tasks in one executor", "spark-dcos §5.4", "spark.executor.cores \"4\"", OWNED, "spark.executor.cores", MEMORY),
    ("executors that come and go", "spark-dcos §1.4", "spark.dynamicAllocation.enabled \"true\"", OWNED, "spark.dynamicAllocation.enabled", MEMORY),
    ("TF_CONFIG in the container's environment", "spark-dcos §5.8", "spark.executorEnv.TF_CONFIG \"x\"", OWNED, "spark.executorEnv.TF_CONFIG", MEMORY),
    ("a driver variable of Kubernetes on YARN", "spark-dcos §5.13", "spark.kubernetes.driverEnv.A \"b\"", "idle-option", "spark.kubernetes.driverEnv.A", "spark.yarn.appMasterEnv.A \"b\""),
];

/// Name, where it was seen, a `target` block that falls in, the code, its words, one that does not.
type Words = Setting;

#[rustfmt::skip]
const TARGETS: &[Words] = &[
    ("an old master", "spark-dcos §2.2", "master \"yarn-cluster\"", "bad-option", "\"yarn-cluster\"", "master \"yarn\""),
    ("a queue on a standalone master", "spark-dcos-observed §2", "master \"spark://h:7077\"; queue \"ml\"", "idle-option", "\"ml\"", "queue \"ml\""),
    ("a Python driver in a standalone cluster", "spark-dcos-observed §2", "master \"spark://h:7077\"; deploy-mode \"cluster\"", "idle-option", "\"cluster\"", "master \"spark://h:7077\"; deploy-mode \"client\""),
    ("a queue that is replaced", "spark-dcos-observed §2", "queue \"${env:HOME}\"", "bad-option", "\"${env:HOME}\"", "queue \"home\""),
    ("a shim behind a comma", "spark-dcos-observed §3", "shim \"/a,b/tfjob-shim\"", "bad-option", "\"/a,b/tfjob-shim\"", "shim \"/a/tfjob-shim\""),
    ("feeding without words", "spark-dcos §1.2", "input \"spark\"", "missing-option", "\"spark\"", "input \"tensorflow\""),
];

const YARN: &str = "";
const ALONE: &str = "master \"spark://h:7077\"";
const K8S: &str = "master \"k8s://https://h:6443\"; upload \"s3a://b/tmp\"";
const CODE: &str = "code \"hdfs://default/a.zip\"";
const IMAGE: &str = "image \"a/b:1\"";
const ADDRESSES: &str = "spark-dcos-observed §3";

/// Name, where it was seen, words of the job that fall in, their own words, words that do not, the `target` block.
type Refused = Setting;

#[rustfmt::skip]
const REFUSED: &[Refused] = &[
    ("a comma cuts the list of files", ADDRESSES, "code \"hdfs://default/a,b.zip\"", "\"hdfs://default/a,b.zip\"", CODE, YARN),
    ("braces are a glob that matches nothing", ADDRESSES, "code \"hdfs://default/a{b}.zip\"", "\"hdfs://default/a{b}.zip\"", CODE, YARN),
    ("a star is a glob", ADDRESSES, "code \"hdfs://default/a*.zip\"", "\"hdfs://default/a*.zip\"", CODE, YARN),
    ("a question mark ends the path", ADDRESSES, "code \"hdfs://default/a?b.zip\"", "\"hdfs://default/a?b.zip\"", CODE, YARN),
    ("brackets are no part of a uri", ADDRESSES, "code \"hdfs://default/a[1].zip\"", "\"hdfs://default/a[1].zip\"", CODE, YARN),
    ("a colon breaks the path", ADDRESSES, "code \"hdfs://default/a:b.zip\"", "\"hdfs://default/a:b.zip\"", CODE, YARN),
    ("a hash is the alias", ADDRESSES, "code \"hdfs://default/a#b.zip\"", "\"hdfs://default/a#b.zip\"", CODE, YARN),
    ("a percent sign is decoded", ADDRESSES, "code \"hdfs://default/a%20b.zip\"", "\"hdfs://default/a%20b.zip\"", CODE, YARN),
    ("a folder is no archive", "spark-dcos §2.1", "code \"hdfs://default/code\"", "\"hdfs://default/code\"", CODE, YARN),
    ("the bare s3 scheme has no client", "spark-dcos §2.1", "code \"s3://b/a.zip\"", "\"s3://b/a.zip\"", "code \"s3a://b/a.zip\"", YARN),
    ("git is not fetched", "spark-dcos §2.1", "code \"git+https://h/a\" ref=\"v1\"", "\"git+https://h/a\"", CODE, YARN),
    ("an absolute place for the program", "spark-dcos §2.1", "code \"hdfs://default/a.zip\" at=\"/opt/a\"", "\"hdfs://default/a.zip\"", CODE, YARN),
    ("two files of one name shadow each other", "spark-dcos-observed §2", "stage \"a\" \"hdfs://default/x/v.txt\"; stage \"b\" \"hdfs://default/y/v.txt\"", "\"hdfs://default/x/v.txt\"", "stage \"a\" \"hdfs://default/x/v.txt\"; stage \"b\" \"hdfs://default/y/w.txt\"", YARN),
    ("a claim on YARN", "spark-dcos §2.3", "data \"d\" \"pvc://c/x\" at=\"/d\"", "\"/d\"", "data \"d\" \"file:///d\" at=\"/d\"", YARN),
    ("an address that is to be a folder", "spark-dcos §2.4", "image \"a/b:1\"; data \"d\" \"hdfs://default/x\" at=\"/d\"", "\"/d\"", "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/d\"", K8S),
    ("a node's folder in a container", "spark-dcos §2.3", "image \"a/b:1\"; data \"d\" \"file:///x\"", "\"file:///x\"", "image \"a/b:1\"; data \"d\" \"file:///x\" at=\"/d\"", YARN),
    ("a secret in clear text", "spark-dcos §2.4", "secret \"TOKEN\" from=\"s\" key=\"k\"", "\"TOKEN\"", "", YARN),
    ("a secret's file of another name", "spark-dcos §2.3", "image \"a/b:1\"; secret \"TOKEN\" from=\"s\" key=\"k\" at=\"/s/t\"", "\"TOKEN\"", "image \"a/b:1\"; secret \"TOKEN\" from=\"s\" key=\"k\" at=\"/s/k\"", K8S),
    ("an image without containers", "spark-dcos §2.3", IMAGE, "\"a/b:1\"", "", ALONE),
    ("a TensorBoard that nobody reaches", "spark-dcos §5.25", "tensorboard logs=\"hdfs://default/c\"", "tensorboard logs=\"hdfs://default/c\"", "", YARN),
    ("time to stop that YARN does not give", "yarn-observed §7", "stop grace=\"60s\"", "\"60s\"", "allow \"stop-grace\" on=\"spark\" because=\"it saves often\"; stop grace=\"60s\"", YARN),
    ("tokens that only Java sees", "spark-dcos §2.3", "kerberos principal=\"a@B\" keytab=\"file:///k\"", "kerberos principal=\"a@B\" keytab=\"file:///k\"", "", ALONE),
    ("a keytab that the submitting host lacks", "spark-dcos-observed §2", "kerberos principal=\"a@B\" keytab=\"hdfs://default/k\"", "kerberos principal=\"a@B\" keytab=\"hdfs://default/k\"", "kerberos principal=\"a@B\" keytab=\"file:///k\"", YARN),
    ("a pod on the node's network", "spark-dcos §2.3", "image \"a/b:1\"; network \"host\"", "\"host\"", IMAGE, K8S),
];

/// Name, where it was seen, a spec that falls in, the code, its words, one that does not.
type Whole = (&'static str, &'static str, String, &'static str, &'static str, String);

#[rustfmt::skip]
fn whole() -> Vec<Whole> {
    let feed = format!("{K8S}; input \"spark\"; feed \"d\" format=\"csv\"");
    let fed = |data: &str| one(&format!("{data}; {IMAGE}"), SMALL, &feed);
    let small = |memory: &str| one("", &format!("cpus=1 memory=\"{memory}\""), "");
    let refused = "feature-refused";
    vec![
        ("nowhere to put files for Kubernetes", "spark-dcos §2.4", one(IMAGE, SMALL, "master \"k8s://https://h:6443\""), "missing-option", "\"k8s://https://h:6443\"", one(IMAGE, SMALL, K8S)),
        ("no image in Kubernetes", "spark-dcos §2.4", one("", SMALL, K8S), "spark-missing-image", "\"worker\"", one(IMAGE, SMALL, K8S)),
        ("an executor too small for a Java machine", "spark-dcos §2.2", small("900MiB"), refused, "\"900MiB\"", small("1GiB")),
        ("TensorFlow 1", "spark-dcos §0", one("", SMALL, "").replace("2.15", "1.15"), refused, "\"tensorflow\"", one("", SMALL, "")),
        ("two executors of one host and one port", "spark-dcos §1.3", many("port \"cluster\" 2222", ""), refused, "2222", many("port \"cluster\" \"auto\"", "")),
        ("a lost executor is not replaced", "spark-dcos §1.8", many("restart \"on-failure\" limit=3", ""), refused, "\"on-failure\"", many("restart \"on-failure\" limit=3 scope=\"job\"", "")),
        ("rows that Spark cannot read", "spark-dcos §1.2", fed("data \"d\" \"pvc://c\" at=\"/d\""), "spark-feed", "\"d\"", fed("data \"d\" \"s3a://b/d\"")),
    ]
}

/// Every trap as two whole specs.
fn all() -> Vec<Whole> {
    let settings = SETTINGS.iter().map(|(name, fact, falls, code, words, near)| {
        let spec = |pair: &str| one("", SMALL, &format!("conf {{ {pair} }}"));
        (*name, *fact, spec(falls), *code, *words, spec(near))
    });
    let targets = TARGETS.iter().map(|(name, fact, falls, code, words, near)| {
        (*name, *fact, one("", SMALL, falls), *code, *words, one("", SMALL, near))
    });
    let refused = REFUSED.iter().map(|(name, fact, falls, words, near, target)| {
        (*name, *fact, one(falls, SMALL, target), "feature-refused", *words, one(near, SMALL, target))
    });
    settings.chain(targets).chain(refused).chain(whole()).collect()
}

#[test]
fn every_trap_is_diagnosed_and_its_neighbour_compiles() {
    for (name, fact, falls, code, words, neighbour) in all() {
        let outcome = compile(&falls);
        let here = outcome.found.iter().any(|found| found.0 == code && found.1 == words);
        assert!(here, "{name} ({fact}): {:#?}\n{falls}", outcome.found);
        assert!(outcome.lowered.is_none(), "{name}: compiled");
        let near = compile(&neighbour);
        assert!(near.lowered.is_some(), "{name}: {:#?}\n{neighbour}", near.found);
    }
}
