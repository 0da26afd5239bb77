//! Which Python starts the driver: every master, deploy mode and release, and every place of the executors' Python.
use super::compiled::{SMALL, good, one};

/// A place of the executors' Python: words of the job and of the target, and where it is without and in a container.
type From = (&'static str, &'static str, &'static str, Option<&'static str>, Option<&'static str>);

const FILE: &str = "stage \"env\" \"file:///opt/env\"";

#[rustfmt::skip]
const PLACES: &[From] = &[
    ("nothing is said", "", "", None, None),
    ("a path of every node or of the image", "", "python \"/usr/bin/python3.11\"", Some("/usr/bin/python3.11"), Some("/usr/bin/python3.11")),
    ("an archive", "stage \"env\" \"hdfs://default/e.tar.gz\"", "python \"env\"", Some("./stage-env/bin/python"), Some("./stage-env/bin/python")),
    ("an archive of code", "code \"hdfs://default/c.tar.gz\"", "python \"{code}/venv/bin/python3\"", Some("./code/venv/bin/python3"), Some("./code/venv/bin/python3")),
    ("a directory of every node", FILE, "python \"env\"", Some("/opt/env/bin/python"), Some("/opt/env/bin/python")),
    ("such a directory by its path", FILE, "python \"/opt/env/bin/python\"", Some("/opt/env/bin/python"), Some("/opt/env/bin/python")),
    ("a directory that is mounted elsewhere", "stage \"env\" \"file:///opt/env\" at=\"/venv\"", "python \"env\"", None, Some("/venv/bin/python")),
    ("a directory of code", "code \"file:///opt/app\"", "python \"{code}/bin/python\"", Some("/opt/app/bin/python"), Some("/opt/app/bin/python")),
    ("data", "data \"env\" \"file:///opt/env\" at=\"/opt/env\"", "python \"/opt/env/bin/python\"", Some("/opt/env/bin/python"), Some("/opt/env/bin/python")),
];

/// The word of a master, and whether executors have containers and the driver runs on the host that submits.
#[rustfmt::skip]
const MASTERS: &[(&str, bool, bool)] = &[
    ("master \"yarn\"", false, false),
    ("master \"yarn\"; deploy-mode \"client\"", false, true),
    ("master \"yarn\"", true, false),
    ("master \"yarn\"; deploy-mode \"client\"", true, true),
    ("master \"spark://h:7077\"", false, true),
    ("master \"k8s://https://h:6443\"; upload \"s3a://b/tmp\"", true, false),
    ("master \"k8s://https://h:6443\"; deploy-mode \"client\"", true, true),
];

const MOUNTS: &str = "YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS";

/// `PythonRunner` of Spark 3.5.9 starts the driver by `spark.pyspark.driver.python`, else `spark.pyspark.python`, else
/// `python3`.
#[test]
fn the_driver_starts_with_a_python_that_is_there() {
    for (what, job, words, plain, image) in PLACES {
        for (master, contained, client) in MASTERS {
            let python = if *contained { image } else { plain };
            if python.is_none() && plain != image {
                continue;
            }
            for release in ["", "3.1", "3.3", "3.4", "3.5"] {
                let release = if release.is_empty() { String::new() } else { format!("spark \"{release}\"") };
                let job = format!("{}\n {job}", if *contained { "image \"a/b:1\"" } else { "" });
                let outcome = good(&one(&job, SMALL, &format!("{master}\n {words}\n {release}")));
                let told = format!("{what}: {master}, {release}");
                assert_eq!(outcome.setting("spark.pyspark.python").as_deref(), *python, "{told}");
                let own = outcome.setting("spark.pyspark.driver.python");
                let on_host = python.filter(|path| !contained && path.starts_with('/'));
                let expected = python.filter(|_| *client).map(|_| on_host.unwrap_or("python3"));
                assert_eq!(own.as_deref(), expected, "{told}");
                let steps = &outcome.lowered.as_ref().unwrap().steps;
                let asked =
                    format!("{:?}", steps.iter().map(|step| step.words("out", "s")).collect::<Vec<_>>());
                let runs =
                    format!("[{:?}, \"-c\", \"import tensorflowonspark\"]", expected.unwrap_or("python3"));
                assert_eq!(asked.contains(&runs), *client, "{told}: {asked}");
                let text = outcome.text("submit.sh");
                let sees = text.contains(&format!("spark.yarn.appMasterEnv.{MOUNTS}"))
                    || text.contains("spark.kubernetes.driver.volumes.hostPath.");
                let mounted = *contained
                    && python.is_some_and(|path| !path.starts_with(['.']) && !path.starts_with("/usr"));
                assert_eq!(sees, mounted && !client, "{told}:\n{text}");
            }
        }
    }
}

#[test]
fn only_the_directory_of_a_python_is_mounted_into_the_driver() {
    let job = "image \"a/b:1\"\n stage \"env\" \"file:///opt/env\" at=\"/venv\"\n data \"d\" \"file:///mnt/d\" at=\"/d\"";
    let yarn = good(&one(job, SMALL, "python \"env\""));
    assert_eq!(yarn.setting(&format!("spark.yarn.appMasterEnv.{MOUNTS}")).unwrap(), "/opt/env:/venv:ro");
    let pods = good(&one(job, SMALL, &format!("{}; python \"env\"", super::table::K8S)));
    let volume = "spark.kubernetes.driver.volumes.hostPath.tfjob-";
    let of = |name: &str, key: &str| pods.setting(&format!("{volume}{name}.{key}"));
    assert_eq!(of("stage-0", "mount.path").unwrap(), "/venv");
    assert_eq!(of("stage-0", "mount.readOnly").unwrap(), "true");
    assert_eq!(of("stage-0", "options.path").unwrap(), "/opt/env");
    assert_eq!(of("data-0", "mount.path"), None);
    let own = "conf { spark.kubernetes.driver.volumes.hostPath.own.mount.path \"/venv\"; spark.kubernetes.driver.volumes.hostPath.own.options.path \"/x\" }";
    let pods = good(&one(job, SMALL, &format!("{}; python \"env\"\n {own}", super::table::K8S)));
    assert_eq!(pods.setting(&format!("{volume}stage-0.mount.path")), None);
    let own = format!("conf {{ spark.yarn.appMasterEnv.{MOUNTS} \"/x:/venv:ro\" }}");
    let yarn = good(&one(job, SMALL, &format!("python \"env\"\n {own}")));
    assert_eq!(yarn.setting(&format!("spark.yarn.appMasterEnv.{MOUNTS}")).unwrap(), "/x:/venv:ro");
}
