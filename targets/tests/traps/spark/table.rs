//! Traps that a spec can walk into: each is diagnosed at its own words, and its nearest neighbour compiles.
use super::compiled::{SMALL, compile, many, one};

struct Trap {
    name: &'static str,
    /// Where it was seen.
    fact: &'static str,
    falls: String,
    code: &'static str,
    words: &'static str,
    neighbour: String,
}

const K8S: &str = "master \"k8s://https://h:6443\"; upload \"s3a://b/tmp\"";
const ALONE: &str = "master \"spark://h:7077\"";

/// A trap in Spark's own settings.
fn setting(
    name: &'static str,
    fact: &'static str,
    pair: &str,
    code: &'static str,
    words: &'static str,
    good: &str,
) -> Trap {
    let spec = |pair: &str| one("", SMALL, &format!("conf {{ {pair} }}"));
    Trap { name, fact, falls: spec(pair), code, words, neighbour: spec(good) }
}

/// A trap in the words of the job, all else alike.
fn top(
    name: &'static str,
    fact: &'static str,
    falls: &str,
    words: &'static str,
    neighbour: &str,
    target: &str,
) -> Trap {
    Trap {
        name,
        fact,
        falls: one(falls, SMALL, target),
        code: "feature-refused",
        words,
        neighbour: one(neighbour, SMALL, target),
    }
}

/// A trap in the words of the target.
fn target(
    name: &'static str,
    fact: &'static str,
    falls: &str,
    code: &'static str,
    words: &'static str,
    neighbour: &str,
) -> Trap {
    Trap { name, fact, falls: one("", SMALL, falls), code, words, neighbour: one("", SMALL, neighbour) }
}

fn settings() -> Vec<Trap> {
    let memory = "spark.driver.memory \"4g\"";
    vec![
        setting(
            "a misspelt key is silent",
            "spark-dcos §5.7",
            "spark.driver.memroy \"4g\"",
            "spark-setting-unknown",
            "spark.driver.memroy",
            memory,
        ),
        setting(
            "a key without spark. is left out",
            "spark-dcos §2.2",
            "executor.memory \"4g\"",
            "spark-setting-unknown",
            "executor.memory",
            memory,
        ),
        setting(
            "a blank before the equals sign",
            "spark-dcos §2.2",
            "\"spark.driver.memory \" \"4g\"",
            "spark-setting-unknown",
            "\"spark.driver.memory \"",
            memory,
        ),
        setting(
            "4GB kills the driver's Java machine",
            "spark-dcos §5.9",
            "spark.driver.memory \"4GB\"",
            "spark-setting-value",
            "\"4GB\"",
            memory,
        ),
        setting(
            "4Gi is another version's",
            "spark-dcos §5.9",
            "spark.driver.maxResultSize \"4Gi\"",
            "spark-setting-value",
            "\"4Gi\"",
            "spark.driver.maxResultSize \"4g\"",
        ),
        setting(
            "1024 is read as bytes",
            "spark-dcos-observed §2",
            "spark.driver.memory \"1024\"",
            "spark-setting-value",
            "\"1024\"",
            memory,
        ),
        setting(
            "a boolean is true or false",
            "spark-dcos-observed §2",
            "spark.eventLog.enabled \"yes\"",
            "spark-setting-value",
            "\"yes\"",
            "spark.eventLog.enabled \"true\"",
        ),
        setting(
            "2 minutes is no time",
            "spark-dcos-observed §2",
            "spark.network.timeout \"2 minutes\"",
            "spark-setting-value",
            "\"2 minutes\"",
            "spark.network.timeout \"2min\"",
        ),
        setting(
            "a reference is replaced",
            "spark-dcos-observed §2",
            "spark.eventLog.dir \"hdfs:///l/${env:USER}\"",
            "spark-setting-value",
            "\"hdfs:///l/${env:USER}\"",
            "spark.eventLog.dir \"hdfs:///l\"",
        ),
        setting(
            "a carriage return is deleted",
            "spark-dcos-observed §3",
            "spark.eventLog.dir \"a\\rb\"",
            "spark-setting-value",
            "\"a\\rb\"",
            "spark.eventLog.dir \"a\"",
        ),
        setting(
            "beyond ASCII the locale decides",
            "spark-dcos-observed §3",
            "spark.eventLog.dir \"é\"",
            "spark-setting-value",
            "\"é\"",
            "spark.eventLog.dir \"e\"",
        ),
        setting(
            "a heap among Java's options",
            "spark-dcos-observed §2",
            "spark.driver.extraJavaOptions \"-Xmx4g\"",
            "spark-setting-value",
            "\"-Xmx4g\"",
            "spark.driver.extraJavaOptions \"-XX:+UseG1GC\"",
        ),
        setting(
            "a quote that does not close",
            "spark-dcos-observed §2",
            "spark.driver.extraJavaOptions \"-Da='b c\"",
            "spark-setting-value",
            "\"-Da='b c\"",
            "spark.driver.extraJavaOptions \"-Da='b c'\"",
        ),
        setting(
            "a task more often than once",
            "spark-dcos §5.5",
            "spark.task.maxFailures \"4\"",
            "spark-setting-owned",
            "spark.task.maxFailures",
            memory,
        ),
        setting(
            "several tasks in one executor",
            "spark-dcos §5.4",
            "spark.executor.cores \"4\"",
            "spark-setting-owned",
            "spark.executor.cores",
            memory,
        ),
        setting(
            "executors that come and go",
            "spark-dcos §1.4",
            "spark.dynamicAllocation.enabled \"true\"",
            "spark-setting-owned",
            "spark.dynamicAllocation.enabled",
            memory,
        ),
        setting(
            "TF_CONFIG in the container's environment",
            "spark-dcos §5.8",
            "spark.executorEnv.TF_CONFIG \"x\"",
            "spark-setting-owned",
            "spark.executorEnv.TF_CONFIG",
            memory,
        ),
        setting(
            "a driver variable of Kubernetes on YARN",
            "spark-dcos §5.13",
            "spark.kubernetes.driverEnv.A \"b\"",
            "spark-stray-option",
            "spark.kubernetes.driverEnv.A",
            "spark.yarn.appMasterEnv.A \"b\"",
        ),
        setting(
            "a container's variable is shell text",
            "spark-dcos §2.5",
            "spark.yarn.appMasterEnv.A \"`id`\"",
            "spark-setting-value",
            "\"`id`\"",
            "spark.yarn.appMasterEnv.A \"id\"",
        ),
    ]
}

fn targets() -> Vec<Trap> {
    let k8s = "image \"a/b:1\"";
    let mut all = vec![
        target(
            "an old master",
            "spark-dcos §2.2",
            "master \"yarn-cluster\"",
            "spark-master",
            "\"yarn-cluster\"",
            "master \"yarn\"",
        ),
        target(
            "a queue on a standalone master",
            "spark-dcos-observed §2",
            &format!("{ALONE}; queue \"ml\""),
            "spark-stray-option",
            "\"ml\"",
            "queue \"ml\"",
        ),
        target(
            "a Python driver in a standalone cluster",
            "spark-dcos-observed §2",
            &format!("{ALONE}; deploy-mode \"cluster\""),
            "spark-stray-option",
            "\"cluster\"",
            &format!("{ALONE}; deploy-mode \"client\""),
        ),
        target(
            "a queue that is replaced",
            "spark-dcos-observed §2",
            "queue \"${env:HOME}\"",
            "spark-option-value",
            "\"${env:HOME}\"",
            "queue \"home\"",
        ),
        target(
            "a shim behind a comma",
            "spark-dcos-observed §3",
            "shim \"/a,b/tfjob-shim\"",
            "spark-option-value",
            "\"/a,b/tfjob-shim\"",
            "shim \"/a/tfjob-shim\"",
        ),
        target(
            "feeding without words",
            "spark-dcos §1.2",
            "input \"spark\"",
            "spark-missing-option",
            "\"spark\"",
            "input \"tensorflow\"",
        ),
    ];
    all.push(Trap {
        name: "nowhere to put files for Kubernetes",
        fact: "spark-dcos §2.4",
        falls: one(k8s, SMALL, "master \"k8s://https://h:6443\""),
        code: "spark-missing-option",
        words: "\"k8s://https://h:6443\"",
        neighbour: one(k8s, SMALL, K8S),
    });
    all.push(Trap {
        name: "no image in Kubernetes",
        fact: "spark-dcos §2.4",
        falls: one("", SMALL, K8S),
        code: "spark-missing-image",
        words: "\"worker\"",
        neighbour: one(k8s, SMALL, K8S),
    });
    all
}

fn storage() -> Vec<Trap> {
    let code = |uri: &str| format!("code \"{uri}\"");
    let good = code("hdfs://default/a.zip");
    let file = |name: &'static str, uri: &str, words: &'static str| {
        top(name, "spark-dcos-observed §3", &code(uri), words, &good, "")
    };
    vec![
        file("a comma cuts the list of files", "hdfs://default/a,b.zip", "\"hdfs://default/a,b.zip\""),
        file(
            "braces are a glob that matches nothing",
            "hdfs://default/a{{b}}.zip",
            "\"hdfs://default/a{{b}}.zip\"",
        ),
        file("a star is a glob", "hdfs://default/a*.zip", "\"hdfs://default/a*.zip\""),
        file("a question mark ends the path", "hdfs://default/a?b.zip", "\"hdfs://default/a?b.zip\""),
        file("brackets are no part of a uri", "hdfs://default/a[1].zip", "\"hdfs://default/a[1].zip\""),
        file("a colon breaks the path", "hdfs://default/a:b.zip", "\"hdfs://default/a:b.zip\""),
        file("a hash is the alias", "hdfs://default/a#b.zip", "\"hdfs://default/a#b.zip\""),
        file("a percent sign is decoded", "hdfs://default/a%20b.zip", "\"hdfs://default/a%20b.zip\""),
        file("a folder is no archive", "hdfs://default/code", "\"hdfs://default/code\""),
        file("the bare s3 scheme has no client", "s3://b/a.zip", "\"s3://b/a.zip\""),
        top(
            "git is not fetched",
            "spark-dcos §2.1",
            "code \"git+https://h/a\" ref=\"v1\"",
            "\"git+https://h/a\"",
            &good,
            "",
        ),
        top(
            "an absolute place for the program",
            "spark-dcos §2.1",
            "code \"hdfs://default/a.zip\" at=\"/opt/a\"",
            "\"hdfs://default/a.zip\"",
            &good,
            "",
        ),
        top(
            "two files of one name shadow each other",
            "spark-dcos-observed §2",
            "stage \"a\" \"hdfs://default/x/v.txt\"; stage \"b\" \"hdfs://default/y/v.txt\"",
            "\"hdfs://default/x/v.txt\"",
            "stage \"a\" \"hdfs://default/x/v.txt\"; stage \"b\" \"hdfs://default/y/w.txt\"",
            "",
        ),
        top(
            "a claim on YARN",
            "spark-dcos §2.3",
            "data \"d\" \"pvc://c/x\" at=\"/d\"",
            "\"/d\"",
            "data \"d\" \"file:///d\" at=\"/d\"",
            "",
        ),
        top(
            "a claim in Kubernetes is mounted",
            "spark-dcos §2.4",
            "image \"a/b:1\"; data \"d\" \"hdfs://default/x\" at=\"/d\"; hadoop home=\"/h\" java=\"/j\"",
            "\"/d\"",
            "image \"a/b:1\"; data \"d\" \"pvc://c/x\" at=\"/d\"",
            K8S,
        ),
        top(
            "a node's folder in a container",
            "spark-dcos §2.3",
            "image \"a/b:1\"; data \"d\" \"file:///x\"",
            "\"file:///x\"",
            "image \"a/b:1\"; data \"d\" \"file:///x\" at=\"/d\"",
            "",
        ),
    ]
}

fn others() -> Vec<Trap> {
    let secret = "secret \"TOKEN\" from=\"s\" key=\"k\"";
    vec![
        top("a secret in clear text", "spark-dcos §2.4", secret, "\"TOKEN\"", "", ""),
        top("an image without containers", "spark-dcos §2.3", "image \"a/b:1\"", "\"a/b:1\"", "", ALONE),
        top(
            "a TensorBoard that nobody reaches",
            "spark-dcos §5.25",
            "checkpoints \"hdfs://default/c\"; hadoop home=\"/h\" java=\"/j\"; tensorboard",
            "tensorboard",
            "",
            "",
        ),
        top(
            "time to stop that YARN does not give",
            "yarn-observed",
            "stop grace=\"60s\"",
            "\"60s\"",
            "allow \"stop-grace\" on=\"spark\" because=\"it saves often\"; stop grace=\"60s\"",
            "",
        ),
        top(
            "tokens that only Java sees",
            "spark-dcos §2.3",
            "kerberos principal=\"a@B\" keytab=\"file:///k\"",
            "kerberos principal=\"a@B\" keytab=\"file:///k\"",
            "",
            ALONE,
        ),
        top(
            "a keytab that is not on the submitting host",
            "spark-dcos-observed §2",
            "kerberos principal=\"a@B\" keytab=\"hdfs://default/k\"",
            "kerberos principal=\"a@B\" keytab=\"hdfs://default/k\"",
            "kerberos principal=\"a@B\" keytab=\"file:///k\"",
            "",
        ),
        Trap {
            name: "an executor too small for a Java machine",
            fact: "spark-dcos §2.2",
            falls: one("", "cpus=1 memory=\"900MiB\"", ""),
            code: "feature-refused",
            words: "\"900MiB\"",
            neighbour: one("", "cpus=1 memory=\"1GiB\"", ""),
        },
        Trap {
            name: "TensorFlow 1",
            fact: "spark-dcos §0",
            falls: one("", SMALL, "").replace("2.15", "1.15"),
            code: "feature-refused",
            words: "\"tensorflow\"",
            neighbour: one("", SMALL, ""),
        },
        Trap {
            name: "two executors of one host and one port",
            fact: "spark-dcos §1.3",
            falls: many("port \"cluster\" 2222", ""),
            code: "feature-refused",
            words: "2222",
            neighbour: many("port \"cluster\" \"auto\"", ""),
        },
        Trap {
            name: "a lost executor is not replaced",
            fact: "spark-dcos §1.8",
            falls: many("restart \"on-failure\" limit=3", ""),
            code: "feature-refused",
            words: "\"on-failure\"",
            neighbour: many("", ""),
        },
        Trap {
            name: "an evaluator is fed no rows, and nobody else is there",
            fact: "spark-dcos §1.2",
            falls: one(
                "data \"d\" \"pvc://c\" at=\"/d\"; image \"a/b:1\"",
                SMALL,
                &format!("{K8S}; input \"spark\"; feed \"d\" format=\"csv\""),
            ),
            code: "spark-feed",
            words: "\"d\"",
            neighbour: one(
                "data \"d\" \"s3a://b/d\"; image \"a/b:1\"",
                SMALL,
                &format!("{K8S}; input \"spark\"; feed \"d\" format=\"csv\""),
            ),
        },
    ]
}

#[test]
fn every_trap_is_diagnosed_and_its_neighbour_compiles() {
    for trap in settings().into_iter().chain(targets()).chain(storage()).chain(others()) {
        let Trap { name, fact, falls, code, words, neighbour } = trap;
        let outcome = compile(&falls);
        let here = |found: &&(&str, String, String)| found.0 == code && found.1 == words;
        assert!(outcome.found.iter().any(|f| here(&f)), "{name} ({fact}): {:#?}\n{falls}", outcome.found);
        assert!(outcome.lowered.is_none(), "{name}: compiled");
        let near = compile(&neighbour);
        assert!(near.lowered.is_some(), "{name}: {:#?}\n{neighbour}", near.found);
    }
}
