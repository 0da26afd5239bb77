//! Tests which Python starts the driver, for each master, deploy mode, Spark version, and location of the executors' Python. Also
//! tests which programs can start, for each archive format and each way to start a file of an archive.
use super::compiled::{SMALL, compile, good, one};

/// A location of the executors' Python: its description, entries of the job and of the target, and its path without and with a
/// container.
type From = (&'static str, &'static str, &'static str, Option<&'static str>, Option<&'static str>);

const FILE: &str = "files \"env\" \"file:///opt/env\"";

#[rustfmt::skip]
const PLACES: &[From] = &[
    ("nothing is said", "", "", None, None),
    ("a path of every node or of the image", "", "python \"/usr/bin/python3.11\"", Some("/usr/bin/python3.11"), Some("/usr/bin/python3.11")),
    ("an archive", "files \"env\" \"hdfs://default/e.tar.gz\"", "python \"env\"", Some("./files-env/bin/python"), Some("./files-env/bin/python")),
    ("an archive of code", "code \"hdfs://default/c.tar.gz\"", "python \"{code}/venv/bin/python3\"", Some("./code/venv/bin/python3"), Some("./code/venv/bin/python3")),
    ("a directory of every node", FILE, "python \"env\"", Some("/opt/env/bin/python"), Some("/opt/env/bin/python")),
    ("such a directory by its path", FILE, "python \"/opt/env/bin/python\"", Some("/opt/env/bin/python"), Some("/opt/env/bin/python")),
    ("a directory that is mounted elsewhere", "files \"env\" \"file:///opt/env\" at=\"/venv\"", "python \"env\"", None, Some("/venv/bin/python")),
    ("a directory of code", "code \"file:///opt/app\"", "python \"{code}/bin/python\"", Some("/opt/app/bin/python"), Some("/opt/app/bin/python")),
    ("data", "data \"env\" \"file:///opt/env\" at=\"/opt/env\"", "python \"/opt/env/bin/python\"", Some("/opt/env/bin/python"), Some("/opt/env/bin/python")),
];

/// Entries that select a master, whether executors run in containers, and whether the driver runs on the submitting host.
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

/// `PythonRunner` of Spark 3.5.9 starts the driver with `spark.pyspark.driver.python`. If this is unset, it uses
/// `spark.pyspark.python`, and otherwise `python3`.
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
                let required =
                    format!("{:?}", steps.iter().map(|step| step.words("out", "s")).collect::<Vec<_>>());
                let runs =
                    format!("[{:?}, \"-c\", \"import tensorflowonspark\"]", expected.unwrap_or("python3"));
                assert_eq!(required.contains(&runs), *client, "{told}: {required}");
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
    let job = "image \"a/b:1\"\n files \"env\" \"file:///opt/env\" at=\"/venv\"\n data \"d\" \"file:///mnt/d\" at=\"/d\"";
    let yarn = good(&one(job, SMALL, "python \"env\""));
    assert_eq!(yarn.setting(&format!("spark.yarn.appMasterEnv.{MOUNTS}")).unwrap(), "/opt/env:/venv:ro");
    let pods = good(&one(job, SMALL, &format!("{}; python \"env\"", super::table::K8S)));
    let volume = "spark.kubernetes.driver.volumes.hostPath.tfjob-";
    let of = |name: &str, key: &str| pods.setting(&format!("{volume}{name}.{key}"));
    assert_eq!(of("files-0", "mount.path").unwrap(), "/venv");
    assert_eq!(of("files-0", "mount.readOnly").unwrap(), "true");
    assert_eq!(of("files-0", "options.path").unwrap(), "/opt/env");
    assert_eq!(of("data-0", "mount.path"), None);
    let own = "conf { spark.kubernetes.driver.volumes.hostPath.own.mount.path \"/venv\"; spark.kubernetes.driver.volumes.hostPath.own.options.path \"/x\" }";
    let pods = good(&one(job, SMALL, &format!("{}; python \"env\"\n {own}", super::table::K8S)));
    assert_eq!(pods.setting(&format!("{volume}files-0.mount.path")), None);
    let own = format!("conf {{ spark.yarn.appMasterEnv.{MOUNTS} \"/x:/venv:ro\" }}");
    let yarn = good(&one(job, SMALL, &format!("python \"env\"\n {own}")));
    assert_eq!(yarn.setting(&format!("spark.yarn.appMasterEnv.{MOUNTS}")).unwrap(), "/x:/venv:ro");
}

/// Entries of a job that has the archives `code` and `files "e"`, entries of the target, whether the job starts a file of `code`,
/// and whether it starts a file of `files "e"`.
type Starts = (&'static str, &'static str, bool, bool);

#[rustfmt::skip]
const STARTS: &[Starts] = &[
    ("run \"python\" \"t.py\"", "", false, false),
    ("run \"python\" \"{code}/t.py\"", "", false, false),
    ("run \"sh\" \"{files.e}/t.sh\"", "", false, false),
    ("run \"/opt/t.sh\"", "", false, false),
    ("run \"./t.sh\"", "", true, false),
    ("run \"bin/t\"", "", true, false),
    ("run \"{code}/t.sh\"", "", true, false),
    ("workdir \"{files.e}\"\n run \"./t.sh\"", "", false, true),
    ("workdir \"/opt\"\n run \"./t.sh\"", "", false, false),
    ("run \"{files.e}/bin/python3\" \"t.py\"", "", false, true),
    ("run \"python\" \"t.py\"", "python \"e\"", false, true),
    ("run \"python\" \"t.py\"", "python \"{code}/bin/python\"", true, false),
    ("run \"{files.e}/bin/python3\" \"t.py\"", "python \"/opt/bin/python\"", false, true),
    ("shell \"python t.py\"", "", false, false),
    ("shell \"python ./t.py\"", "", false, false),
    ("shell \"cd x && exec ./t.sh\"", "", true, false),
    ("shell \"$TFJOB_FILES_E/bin/t --to ./x\"", "", false, true),
    ("shell \"sh $TFJOB_FILES_E/bin/t\"", "", false, false),
    ("shell \". $TFJOB_FILES_E/bin/activate && python t.py\"", "", false, true),
];

#[test]
fn a_file_of_an_archive_that_is_started_is_executable() {
    for (master, contained, _) in MASTERS {
        let java = !master.contains("yarn");
        for (job, target, code, stage) in STARTS {
            for (form, [refuses_code, refuses_stage]) in [
                (".tar.gz", [false; 2]),
                (".tgz", [false; 2]),
                (".tar", [true; 2]),
                (".zip", [*code, *stage]),
            ] {
                let archives =
                    format!("code \"hdfs://default/c{form}\"\n files \"e\" \"hdfs://default/e{form}\"");
                let image = if *contained { "image \"a/b:1\"" } else { "" };
                let spec = one(&format!("{image}\n {archives}"), SMALL, &format!("{master}\n {target}"));
                let told = format!("{master}: {job}, {target}, {form}");
                let found = compile(&spec.replace("run \"python\" \"t.py\"", job)).found;
                let refused = |name: &str| {
                    let uri = format!("\"hdfs://default/{name}{form}\"");
                    found.iter().any(|(code, at, says)| {
                        *code == "unsupported-feature" && *at == uri && says.contains("in Java")
                    })
                };
                assert_eq!(refused("c"), java && refuses_code, "{told}: {found:?}");
                assert_eq!(refused("e"), java && refuses_stage, "{told}: {found:?}");
            }
        }
    }
}

/// If a job feeds rows from a directory of the node, the help suggests a form that compiles, with and without containers.
#[test]
fn the_help_of_rows_in_a_container_names_no_directory_of_the_node() {
    let feed = "input \"spark\"\n feed \"rows\" format=\"csv\"";
    for (master, contained, _) in MASTERS {
        let image = if *contained { "image \"a/b:1\"" } else { "" };
        for at in ["", "at=\"/rows\""] {
            let job = format!("{image}\n data \"rows\" \"file:///rows\" {at}");
            let outcome = compile(&one(&job, SMALL, &format!("{master}\n {feed}")));
            let helps: Vec<&str> =
                outcome.helps.iter().map(String::as_str).filter(|help| help.contains("feed from")).collect();
            let told = format!("{master}, {at}: {helps:?}");
            assert_eq!(helps.is_empty(), !contained && at.is_empty(), "{told}");
            assert!(helps.iter().all(|help| help.contains("`file:`") != *contained), "{told}");
            let mounts = outcome.helps.iter().any(|help| help.starts_with("add `at="));
            assert!(!mounts, "{told}");
        }
    }
}
