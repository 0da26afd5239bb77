//! Environment variables of executors: which ones a job can set, which ones tfjob generates from other entries, and which ones
//! have no effect in `env`, because they are read before the program starts.
use super::compiled::{SMALL, compile, good, one};

const MASTERS: [&str; 3] = [
    "master \"yarn\"",
    "master \"spark://h:7077\"",
    "master \"k8s://https://h:6443\"; upload \"s3a://b/tmp\"",
];

/// Variables that YARN, Spark, Java, or libraries read before the program starts.
const FREE: [&str; 9] = [
    "JAVA_HOME",
    "LD_LIBRARY_PATH",
    "CLASSPATH",
    "HADOOP_CONF_DIR",
    "PYTHONPATH",
    "TFOS_SERVER_PORT",
    "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_HOSTNAME",
    "YARN_CONTAINER_RUNTIME_DOCKER_PRIVILEGED_CONTAINER",
    "A_B",
];

/// Variables that the target generates: the name, the field that the help names, and entries of a job that set the variable.
#[rustfmt::skip]
const OWNED: &[(&str, &str, &str)] = &[
    ("YARN_CONTAINER_RUNTIME_TYPE", "`image`", "image \"a/b:1\""),
    ("YARN_CONTAINER_RUNTIME_DOCKER_IMAGE", "`image`", "image \"a/b:1\""),
    ("YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK", "`network`", "image \"a/b:1\"; network \"host\""),
    ("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS", "`data`", "image \"a/b:1\"; data \"d\" \"file:///d\" at=\"/d\""),
    ("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS", "`checkpoints`", "image \"a/b:1\"; checkpoints \"file:///d\" at=\"/d\""),
    ("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS", "`files`", "image \"a/b:1\"; files \"e\" \"file:///e\" at=\"/e\""),
];

/// Variables that the driver, the shim, or TensorFlowOnSpark sets in each executor, with a part of the help.
const THEIRS: [(&str, &str); 5] = [
    ("TF_CONFIG", "remove it: a job cannot change this setting"),
    ("TFJOB_TASK_ROLE", "remove it: a job cannot change this setting"),
    ("TENSORFLOW_PORT", "`port`"),
    ("CUDA_VISIBLE_DEVICES", "`resources gpus`"),
    ("PYSPARK_PYTHON", "`python`"),
];

fn spec(top: &str, master: &str, conf: &str) -> String {
    let image = if master.contains("k8s") && !top.contains("image") { "image \"a/b:1\"; " } else { "" };
    one(&format!("{image}{top}"), SMALL, &format!("{master}; conf {{ {conf} }}"))
}

#[test]
fn a_variable_of_the_executors_is_the_job_s_unless_the_target_writes_it() {
    for master in MASTERS {
        for name in FREE {
            let key = format!("spark.executorEnv.{name}");
            let outcome = compile(&spec("", master, &format!("\"{key}\" \"/opt/x\"")));
            assert!(outcome.lowered.is_some(), "{master}, {name}: {:?}", outcome.found);
            assert_eq!(outcome.setting(&key).as_deref(), Some("/opt/x"), "{master}");
        }
        let owned = OWNED.iter().map(|(name, word, _)| (*name, *word));
        for (name, word) in owned.chain(THEIRS) {
            let outcome = compile(&spec("", master, &format!("\"spark.executorEnv.{name}\" \"1\"")));
            assert!(outcome.found.iter().any(|(code, ..)| *code == "spark-setting-reserved"), "{name}");
            assert!(outcome.helps.iter().any(|help| help.contains(word)), "{name}: {:?}", outcome.helps);
        }
    }
    for (name, _, words) in OWNED {
        let outcome = good(&one(words, SMALL, ""));
        assert!(outcome.setting(&format!("spark.executorEnv.{name}")).is_some(), "{name}: {words}");
    }
}

/// A variable in `env` reaches only the program. tfjob reports this for variables that are read before the program starts.
#[test]
fn a_variable_that_comes_too_late_is_told() {
    for master in MASTERS {
        let told = |name: &str, conf: &str| {
            let outcome = compile(&spec(&format!("env {{ {name} \"/opt/x\" }}"), master, conf));
            let found = outcome.found.into_iter().map(|(_, _, says)| says);
            let all: Vec<_> = found.chain(outcome.notes.into_iter().map(|(_, says)| says)).collect();
            all.into_iter().find(|says| says.contains(&format!("spark.executorEnv.{name}")))
        };
        assert!(told("JAVA_HOME", "").is_some(), "{master}");
        assert_eq!(told("JAVA_HOME", "spark.executorEnv.JAVA_HOME \"/opt/java\""), None);
        assert_eq!(told("LD_LIBRARY_PATH", ""), None);
        let hostname = told("YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_HOSTNAME", "");
        assert_eq!(hostname.is_some(), master.contains("yarn"), "{hostname:?}");
    }
    let image = compile(&spec("env { YARN_CONTAINER_RUNTIME_TYPE \"docker\" }", "", ""));
    assert!(
        image.found.iter().any(|(_, _, says)| says.ends_with("write `image` instead")),
        "{:?}",
        image.found
    );
}
