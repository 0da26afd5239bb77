//! Traps that no spec can walk into, because of how the artifacts are built.
use super::compiled::{SMALL, compile, good, many, one};
use super::{SPARK, TFOS, fed, python, quoting, template};
use crate::pitfalls::{Built, In, built};
use serde_json::json;

/// Every row.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("several nodes in one executor", "", TFOS, "with cores for two tasks both nodes share a folder: one worker gets all rows, and the job ends well",
            "an executor has the cores of one task", one_task_an_executor_and_one_attempt_a_task),
        ("the first error is hidden", "spark#one-attempt", TFOS, "a failing program is tried four times, and the last error is `TFManager already started`",
            "one attempt a task", one_task_an_executor_and_one_attempt_a_task),
        ("training from the start", "", In("Spark's running-on-yarn page"), "a second attempt of the driver runs everything again",
            "one attempt of the driver", one_task_an_executor_and_one_attempt_a_task),
        ("Python workers that are not reused", "", TFOS, "without reuse of Python workers a fed job hangs",
            "reuse is on", one_task_an_executor_and_one_attempt_a_task),
        ("a copy of a slow task", "", In("Spark's configuration page, speculation"), "a speculative copy registers as one node more",
            "speculation is off", one_task_an_executor_and_one_attempt_a_task),
        ("executors that a standalone master ignores", "", SPARK, "`--num-executors` is dropped there, and programs fall back to one node",
            "each master is told in its own words", the_number_of_executors_is_said_in_the_words_that_the_master_reads),
        ("memory outside the heap", "spark#executor-memory", In("Spark's configuration page, memoryOverhead"), "`--executor-memory` sizes the Java heap; tensors live outside, and YARN kills the container",
            "heap and overhead together are the role's memory", heap_and_overhead_are_the_memory_of_the_role),
        ("GPUs of the executor, none of the task", "spark#gpus-of-a-task", SPARK, "an amount for the executor alone is a warning, and the task sees no device",
            "both amounts are written, with a discovery script or a vendor", gpus_are_asked_for_the_executor_and_for_its_task),
        ("parameter servers that reserve GPUs", "spark#uniform-executors", TFOS, "executors are alike: a parameter server gets GPUs too",
            "it is said, and the server sees none", a_role_without_gpus_holds_them_and_sees_none),
        ("no TF_CONFIG without a chief", "", TFOS, "without `master_node` none is set: every worker trains alone, and the job ends well",
            "every task has one, written by us", every_task_has_a_tf_config_and_only_the_evaluators_own_has_the_evaluator),
        ("an evaluator in the cluster of all tasks", "", TFOS, "the chief of a parameter-server job waits for it until the shutdown's timeout",
            "only its own has it", every_task_has_a_tf_config_and_only_the_evaluators_own_has_the_evaluator),
        ("a successful job that is reported as failed", "", TFOS, "servers never leave, so shutdown waits three days and ends with code 1",
            "the driver counts those that decide", servers_do_not_decide_when_the_job_is_over),
        ("the submitter's Python", "", SPARK, "`PYSPARK_PYTHON` of the submitting host leaks into the driver's pod",
            "it is unset, and the locale is UTF-8", the_submitters_python_does_not_leak_and_the_locale_is_set),
        ("the directory of an unpacked archive", "spark#archives", SPARK, "without an alias an archive unpacks into `Python.zip/`; an alias of a file is refused off YARN",
            "archives have one, files never", an_archive_always_has_an_alias_and_a_file_never),
        ("a driver without the Python of the executors", "", SPARK, "`./env/bin/python` starts a client's driver too, where there is no such folder",
            "driver and executors are told apart", a_virtual_environment_that_the_job_runs_is_sparks_python_too),
        ("an image for executors but not for the driver", "", In("Hadoop's DockerContainers page"), "executors and the driver have families of variables of their own, and the wrong one is silent",
            "both are written", an_image_on_yarn_is_the_executors_and_the_drivers),
        ("a secret in a ConfigMap", "spark#settings-in-plain-text", SPARK, "each variable of an executor lies in clear text in the driver's ConfigMap",
            "secrets are references", a_secret_in_kubernetes_is_named_and_never_written),
        ("a secret for executors alone", "", In("Spark 3.5.9, `DataSource.checkAndGlobPathIfNecessary`, and `SparkSubmit` in the driver's pod"),
            "the driver opens and lists the rows, and downloads the job's files, without the credentials",
            "the driver's pod has each secret too", a_secret_in_kubernetes_is_named_and_never_written),
        ("another role's secret", "spark#uniform-executors", In("Spark's running-on-kubernetes page"), "executors are alike: all see every secret",
            "the others' are hidden before the program starts", another_roles_secret_is_hidden),
        ("a lost executor", "spark#lost-executors", TFOS, "nothing is repaired in place: the cluster stays broken",
            "the driver starts the job again as a whole", a_job_that_starts_again_as_a_whole_needs_no_shim_for_it),
        ("JSON that ends in two braces", "spark#paths-in-lists", In("Hadoop's ContainerLaunch, its substitutions"), "YARN cuts them from words and variables, and runs backquotes on the node",
            "words and variables travel in a file", quoting::words_and_variables_travel_in_job_json),
        ("the submitting shell", "", SPARK, "what stands unquoted in the script is expanded on the submitting host",
            "each word is quoted", quoting::words_of_the_target_are_one_word_of_the_shell),
        ("a setting that is written twice", "", SPARK, "the last of two is taken without a word",
            "no setting that the job writes can be one of `conf`", no_setting_of_the_script_can_be_set_again),
        ("a directory from an earlier attempt", "", TFOS, "executors stay when all tasks start again, and so does what the first attempt left",
            "the node empties it before each start", python::scratch_is_emptied_before_each_start),
        ("a new volume with `lost+found`", "", In("ext4: lost+found"), "a new volume holds `lost+found`, and looks used",
            "it does not count as a checkpoint", python::scratch_is_emptied_before_each_start),
        ("a task start that no node reports", "", SPARK, "the driver thinks again when a node says something, and the start of a task is the driver's own word: who waits for it never starts",
            "it thinks again after each start", python::a_task_that_waits_for_a_start_starts_with_it),
        ("a YARN limit on lost executors", "", SPARK, "after twice as many lost executors as it has the application ends, whatever restarts are left",
            "a job that starts again sets no such end", lost_executors_do_not_end_a_job_that_starts_again),
        ("rows for a task that still waits", "", TFOS, "TensorFlowOnSpark counts the feed's timeout while rows lie before a task that waits for another",
            "rows come when every fed task has started", fed::rows_come_when_every_fed_task_has_started),
        ("a Python process with a closed socket", "the driver of this target", In("a standalone Spark 3.5.9, fed jobs run by hand; PythonRunner's MonitorThread"), "a task that is cancelled has two, and the idle one goes back to the pool with a closed socket: the next attempt ends with `Socket is closed`",
            "a task that feeds rows has one", fed::a_task_that_feeds_rows_has_one_process_of_python),
        ("an executor that is lost while rows are fed", "the driver of this target", In("a standalone Spark 3.5.9, fed jobs run by hand"), "Spark says it before the node does, and the job fails with restarts left",
            "the driver restarts all tasks, with new executors for lost ones", fed::an_executor_lost_while_rows_are_fed_counts_as_lost),
        ("a permanent error that is retried", "the driver of this target", SPARK, "a node that lacks what the job needs lacks it at the next start, too",
            "the shim's refusal is the job's end, with its reason", python::what_the_shim_refuses_is_not_started_again),
        ("a reason that stays in an executor's log", "the driver of this target", SPARK, "the driver knows a number, and the reason is on a node",
            "the node passes the shim's last words on", python::the_last_words_of_the_shim_reach_the_driver),
        ("a version with a suffix of a distribution", "the driver of this target", In("Amazon EMR calls its Spark 3.5.0-amzn-1"), "a driver that compares texts refuses its own version",
            "what follows `-` is the distribution's", python::a_distribution_s_own_version_is_that_version),
        ("Java's reason below Py4J's", "", SPARK, "the first line of an error is `An error occurred while calling …`",
            "the driver says what Java or Python said", python::what_java_and_python_say_is_the_reason),
        ("a pause beyond the deadline", "the driver of this target", SPARK, "all executors are held through a pause whose end the deadline forbids",
            "such a job ends at once", python::no_start_is_awaited_that_the_deadline_forbids),
        ("a deadline while executors come up again", "the driver of this target", In("TFCluster.run of TensorFlowOnSpark 2.2.5: reservation_timeout"), "the executors that are there are held for as long as the first ones may take, a week",
            "the wait ends with the deadline", python::executors_are_awaited_until_the_deadline),
        ("an executor that is lost while others come up", "the driver of this target", In("Spark 3.5.9 and TensorFlowOnSpark 2.2.5, whose reservation.py ends the context: run on local-cluster"), "the job fails with restarts left",
            "the driver starts all tasks again, in the same context", python::an_executor_lost_while_others_come_up_counts_as_lost),
        ("a helper failure that ends the job", "the driver of this target", TFOS, "the driver ends the job, and the training with it",
            "the job goes on, unless a role waits for the helper: its peers would wait for that role without end", python::the_end_of_a_task_means_what_it_means_under_tfjob_run),
        ("a limit for each role", "the driver of this target", In("docs/reference.md: what `limit` counts with `scope=\"job\"`"), "the job starts again as often as all its roles may",
            "each start of the job counts for every role", python::restarts_of_the_job_are_counted_together),
        ("a readiness file from an earlier attempt", "", TFOS, "executors stay when all tasks start again, and so does the file: who waits for it starts at once",
            "a file counts when it is written after the start", python::a_file_of_an_earlier_start_is_no_readiness),
        ("a proxy between a node and its task", "the driver of this target", In("Python's urllib: http_proxy"), "the question goes to the node's proxy, which does not know the task",
            "the probe uses none", python::probes_go_to_the_task_itself),
        ("the Python of Spark's older releases", "the driver of this target", In("Spark 3.1's documentation: Python 3.6+; TensorFlow 2.1's wheels: up to Python 3.7"), "a driver with newer syntax ends with a SyntaxError before the job begins",
            "its programs have the syntax and the modules of Python 3.6", template::the_driver_starts_on_python_3_6),
        ("a template placeholder within quotes", "", In("the script's own template"), "a hole inside quotes or a comment can be left by what fills it",
            "every hole is a word of its own", template::no_hole_is_raw_or_inside_quotes_a_comment_or_a_document),
    ])
}

fn lost_executors_do_not_end_a_job_that_starts_again() {
    let again = "restart \"on-failure\" limit=50 scope=\"job\"";
    let (old, new) = ("spark.yarn.max.executor.failures", "spark.executor.maxNumFailures");
    let both = good(&many(again, ""));
    // Each of four roles may start the job again 50 times, and each of 201 attempts of five tasks may lose ten executors.
    assert_eq!(both.setting(old).unwrap(), "2010");
    assert_eq!(both.setting(new).unwrap(), "2010");
    let endless = good(&many(&again.replace("limit=50 ", ""), ""));
    assert_eq!(endless.setting(new).unwrap(), "2147483647");
    assert!(good(&many(again, "spark \"3.5\"")).setting(old).is_none());
    assert!(good(&many("", "")).setting(new).is_none());
    let own = good(&many(again, "conf { spark.executor.maxNumFailures \"7\" }"));
    assert_eq!((own.setting(new).unwrap().as_str(), own.setting(old)), ("7", None));
}

const MASTERS: [&str; 3] =
    ["", "master \"spark://h:7077\"", "master \"k8s://https://h:6443\"; upload \"s3a://b/tmp\""];

/// The job on each kind of master; Kubernetes needs an image, a standalone master takes none.
fn everywhere(spec: impl Fn(&str, &str) -> String) -> Vec<super::compiled::Outcome> {
    let image = |master: &str| if master.contains("k8s") { "image \"a/b:1\"" } else { "" };
    MASTERS.iter().map(|master| good(&spec(image(master), master))).collect()
}

fn one_task_an_executor_and_one_attempt_a_task() {
    for outcome in everywhere(many) {
        assert_eq!(outcome.setting("spark.executor.cores"), outcome.setting("spark.task.cpus"));
        assert_eq!(outcome.setting("spark.task.maxFailures").unwrap(), "1");
        assert_eq!(outcome.setting("spark.dynamicAllocation.enabled").unwrap(), "false");
        assert_eq!(outcome.setting("spark.speculation").unwrap(), "false");
        assert_eq!(outcome.setting("spark.python.worker.reuse").unwrap(), "true");
    }
    assert_eq!(good(&many("", "")).setting("spark.yarn.maxAppAttempts").unwrap(), "1");
}

fn the_number_of_executors_is_said_in_the_words_that_the_master_reads() {
    let [yarn, alone, kubernetes] = &everywhere(many)[..] else { panic!("three masters") };
    assert_eq!(yarn.setting("spark.executor.instances").unwrap(), "5");
    assert_eq!(kubernetes.setting("spark.executor.instances").unwrap(), "5");
    assert_eq!(alone.setting("spark.executor.instances"), None);
    assert_eq!(alone.setting("spark.cores.max").unwrap(), "5");
}

fn heap_and_overhead_are_the_memory_of_the_role() {
    let number = |text: Option<String>| text.unwrap().strip_suffix('m').unwrap().parse::<u64>().unwrap();
    for (memory, whole) in [("1GiB", 1024), ("1025MiB", 1025), ("1049600KiB", 1025), ("64GiB", 65536)] {
        let outcome = good(&one("", &format!("cpus=1 memory=\"{memory}\""), ""));
        let heap = number(outcome.setting("spark.executor.memory"));
        assert_eq!(heap + number(outcome.setting("spark.executor.memoryOverhead")), whole, "{memory}");
        let feed = "input \"spark\"; feed \"d\" format=\"csv\"";
        let top = "data \"d\" \"hdfs://default/d\"; hadoop home=\"/h\" java=\"/j\"";
        if whole >= 2048 {
            let fed = good(&one(top, &format!("cpus=1 memory=\"{memory}\""), feed));
            let heap = number(fed.setting("spark.executor.memory"));
            assert!(heap >= 1024 && heap + number(fed.setting("spark.executor.memoryOverhead")) == whole);
        }
    }
}

fn gpus_are_asked_for_the_executor_and_for_its_task() {
    let spec = |image: &str, master: &str| one(image, "cpus=1 memory=\"4GiB\" gpus=2", master);
    let [yarn, alone, kubernetes] = &everywhere(spec)[..] else { panic!("three masters") };
    for outcome in [yarn, alone, kubernetes] {
        assert_eq!(outcome.setting("spark.executor.resource.gpu.amount").unwrap(), "2");
        assert_eq!(outcome.setting("spark.task.resource.gpu.amount").unwrap(), "2");
    }
    let script = "spark.executor.resource.gpu.discoveryScript";
    assert_eq!(yarn.setting(script).unwrap(), "./gpus.sh");
    assert!(yarn.text("submit.sh").contains("add \"$here/\"gpus.sh"));
    assert_eq!(alone.setting(script), None);
    assert_eq!(kubernetes.setting("spark.executor.resource.gpu.vendor").unwrap(), "nvidia.com");
}

fn a_role_without_gpus_holds_them_and_sees_none() {
    let spec =
        many("", "").replace("role \"chief\"", "role \"chief\" { resources cpus=2 memory=\"8GiB\" gpus=1 }");
    let outcome = good(&spec);
    let said = outcome.notes.iter().any(|(words, message)| {
        words == "\"ps\""
            && message
                .ends_with("each task of `ps` reserves 2 cores, 8192MiB of memory, 1 GPU, of which it sees 0")
    });
    assert!(said, "{:#?}", outcome.notes);
    let gpus: Vec<_> = outcome.job()["roles"].as_array().unwrap().iter().map(|r| r["gpus"].clone()).collect();
    assert_eq!(gpus, [json!(1), json!(0), json!(0), json!(0)]);
    assert_eq!(outcome.views[2].env["CUDA_VISIBLE_DEVICES"], "");
}

fn every_task_has_a_tf_config_and_only_the_evaluators_own_has_the_evaluator() {
    let outcome = good(&many("", ""));
    let cluster = |role: usize| {
        let config: serde_json::Value = serde_json::from_str(&outcome.views[role].env["TF_CONFIG"]).unwrap();
        config["cluster"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(cluster(0), ["chief", "ps", "worker"]);
    assert_eq!(cluster(3), ["chief", "evaluator", "ps", "worker"]);
    assert_eq!(outcome.job()["shim"]["contract"], "contract.json");
}

fn servers_do_not_decide_when_the_job_is_over() {
    let decides = |spec: &str| {
        let job = good(&spec.replace("parameter-server", "estimator")).job();
        job["roles"].as_array().unwrap().iter().map(|r| r["decides"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(decides(&many("", "")), [1, 0, 0, 0]);
    assert_eq!(decides(&many("success \"workers\"", "")), [1, 2, 0, 0]);
    assert_eq!(decides(&many("success \"all\"", "")), [1, 2, 0, 1]);
    let alone =
        many("success \"chief\"", "").replace("role \"chief\"\n", "").replace("parameter-server", "custom");
    assert_eq!(decides(&alone), [1, 0, 0]);
}

fn the_submitters_python_does_not_leak_and_the_locale_is_set() {
    let outcome = good(&one("", SMALL, ""));
    for line in ["\nunset PYSPARK_PYTHON PYSPARK_DRIVER_PYTHON\n", "\nexport LC_ALL=C.UTF-8\n"] {
        assert!(outcome.text("submit.sh").contains(line));
    }
}

fn an_archive_always_has_an_alias_and_a_file_never() {
    let top = "code \"hdfs://default/a.zip\"; files \"venv\" \"s3a://b/v.tar.gz\"; files \"words\" \"hdfs://default/w.txt\"";
    let script = good(&one(top, SMALL, "")).text("submit.sh").to_owned();
    assert!(script.contains("--archives 'hdfs:///a.zip#code,s3a://b/v.tar.gz#files-venv'"), "{script}");
    assert!(script.contains("\nadd hdfs:///w.txt\n"), "{script}");
}

fn a_virtual_environment_that_the_job_runs_is_sparks_python_too() {
    let spec = |target: &str| {
        one("files \"venv\" \"hdfs://default/v.tar.gz\"", SMALL, target)
            .replace("\"python\"", "\"{files.venv}/bin/python\"")
    };
    let cluster = good(&spec(""));
    assert_eq!(cluster.setting("spark.pyspark.python").unwrap(), "./files-venv/bin/python");
    assert_eq!(cluster.setting("spark.pyspark.driver.python"), None);
    // A driver on the submitting host has no such folder.
    let client = good(&spec("deploy-mode \"client\""));
    assert_eq!(client.setting("spark.pyspark.driver.python").unwrap(), "python3");
    assert_eq!(cluster.job()["roles"][0]["argv"][0], json!([null, "/files-venv/bin/python"]));
}

#[test]
fn the_python_is_the_one_that_the_words_name() {
    let stage = "files \"tf\" \"hdfs://default/v.tar.gz\"; code \"hdfs://default/c.zip\"";
    let spark = |run: &str, target: &str| {
        let spec = one(stage, SMALL, target).replace("run \"python\" \"t.py\"", run);
        good(&spec).setting("spark.pyspark.python")
    };
    for (run, target, python) in [
        ("run \"{files.tf}/tf_env/bin/python\" \"t.py\"", "", "./files-tf/tf_env/bin/python"),
        ("run \"{files.tf}/bin/python3\" \"t.py\"", "", "./files-tf/bin/python3"),
        ("run \"{code}/env/bin/python3.11\" \"t.py\"", "", "./code/env/bin/python3.11"),
        ("shell \"exec $TFJOB_FILES_TF/e/bin/python t.py\"", "", "./files-tf/e/bin/python"),
        ("shell \"\\\"${TFJOB_FILES_TF}/bin/python\\\" t.py\"", "", "./files-tf/bin/python"),
        ("shell \". $TFJOB_FILES_TF/bin/activate && exec python t.py\"", "", "./files-tf/bin/python"),
        (
            "shell \"set -e; source \\\"$TFJOB_FILES_TF/e/bin/activate\\\"; python t.py\"",
            "",
            "./files-tf/e/bin/python",
        ),
        ("run \"python\" \"t.py\"", "python \"{files.tf}/e/bin/python\"", "./files-tf/e/bin/python"),
        ("run \"python\" \"t.py\"", "python \"tf\"", "./files-tf/bin/python"),
        ("run \"/opt/venv/bin/python3\" \"t.py\"", "", "/opt/venv/bin/python3"),
        ("run \"{files.tf}/bin/python\" \"t.py\"", "python \"/opt/e/bin/python\"", "/opt/e/bin/python"),
    ] {
        assert_eq!(spark(run, target).as_deref(), Some(python), "{run} {target}");
    }
    for run in
        ["run \"python\" \"t.py\"", "run \"{files.tf}/bin/train\"", "shell \"$TFJOB_FILES_TF/bin/train\""]
    {
        assert_eq!(spark(run, ""), None, "{run}");
    }
    // A folder of `PATH` may be that of an environment, or of other tools: nobody sees which.
    let path = |run: &str, target: &str| {
        let job = format!("{stage}; env {{ PATH \"{{files.tf}}/bin:{{env.PATH}}\"; }}");
        one(&job, SMALL, target).replace("run \"python\" \"t.py\"", run)
    };
    let told = compile(&path("run \"python\" \"t.py\"", "")).found;
    assert!(
        told.iter()
            .any(|(_, _, says)| says
                .contains("`PATH` may find a Python in this directory, but Spark does not")),
        "{told:?}"
    );
    let named = good(&path("run \"python\" \"t.py\"", "python \"tf\""));
    assert_eq!(named.setting("spark.pyspark.python").as_deref(), Some("./files-tf/bin/python"));
    assert_eq!(good(&path("run \"/usr/bin/train\"", "")).setting("spark.pyspark.python"), None);
}

#[test]
fn a_folder_and_a_script_beside_the_spec_are_packed_first() {
    for (code, pack) in [
        ("./train", "tar -czf out/tfjob-code.tar.gz --exclude=tfjob-code.tar.gz -C ./train ."),
        ("./a/train.py", "tar -czf out/tfjob-code.tar.gz -C ./a ./train.py"),
    ] {
        let outcome = good(&one(&format!("code \"{code}\""), SMALL, ""));
        let steps = &outcome.lowered.as_ref().unwrap().steps;
        assert_eq!(steps[0].words("out", "").join(" "), pack);
        let script = outcome.text("submit.sh");
        assert!(script.contains("archives=${archives:+$archives,}$uri/'tfjob-code.tar.gz#code'"), "{script}");
    }
}

#[test]
fn refusals_name_the_platform_that_is_meant() {
    let told = |top: &str, resources: &str, target: &str| {
        let found = compile(&one(top, resources, target)).found;
        found.into_iter().map(|(_, _, message)| message).collect::<Vec<_>>().join("\n")
    };
    let stop = "stop grace=\"60s\"";
    for (master, word) in MASTERS.iter().zip([
        "YARN kills",
        "the grace period does not apply if the application is killed: the",
        "the grace period does not apply if the pod is deleted: only Spark's",
    ]) {
        let image = if master.contains("k8s") { "image \"a/b:1\"; " } else { "" };
        let told = told(&format!("{image}{stop}"), SMALL, master);
        assert!(told.contains(word), "{told}");
    }
    let small = told("", "cpus=1 memory=\"512MiB\"", "");
    assert!(small.contains("an executor also runs a Java process and a Python process next to"), "{small}");
}

fn an_image_on_yarn_is_the_executors_and_the_drivers() {
    let outcome = good(&one("image \"r.example.com/a/b:1\"", SMALL, ""));
    for family in ["spark.executorEnv", "spark.yarn.appMasterEnv"] {
        assert_eq!(outcome.setting(&format!("{family}.YARN_CONTAINER_RUNTIME_TYPE")).unwrap(), "docker");
        let image = outcome.setting(&format!("{family}.YARN_CONTAINER_RUNTIME_DOCKER_IMAGE"));
        assert_eq!(image.unwrap(), "r.example.com/a/b:1");
    }
}

fn a_secret_in_kubernetes_is_named_and_never_written() {
    let target = MASTERS[2];
    let top = "image \"a/b:1\"; secret \"TOKEN\" from=\"store\" key=\"token\"; secret \"KEY_FILE\" from=\"keys\" key=\"k.pem\" at=\"/etc/keys/k.pem\"";
    let outcome = good(&one(top, SMALL, target));
    for pod in ["executor", "driver"] {
        let setting =
            |rest: &str| outcome.setting(&format!("spark.kubernetes.{pod}.{rest}")).unwrap().to_owned();
        assert_eq!(setting("secretKeyRef.TOKEN"), "store:token");
        assert_eq!(setting("secrets.keys"), "/etc/keys");
    }
    assert_eq!(outcome.setting("spark.kubernetes.driverEnv.KEY_FILE").unwrap(), "/etc/keys/k.pem");
    // In client mode no pod runs the driver, and it has what the host that submits has.
    let client = good(&one(top, SMALL, "master \"k8s://https://h:6443\"; deploy-mode \"client\""));
    assert!(!client.text("submit.sh").contains("spark.kubernetes.driver.secret"));
    assert_eq!(outcome.job()["roles"][0]["env"], json!([["KEY_FILE", ["/etc/keys/k.pem"]]]));
}

fn another_roles_secret_is_hidden() {
    let spec = many("image \"a/b:1\"", MASTERS[2])
        .replace("role \"chief\"", "role \"chief\" { secret \"TOKEN\" from=\"store\" key=\"token\" }");
    let roles = good(&spec).job()["roles"].clone();
    assert_eq!((&roles[0]["hide"], &roles[1]["hide"]), (&json!([]), &json!(["TOKEN"])));
}

#[test]
fn the_shim_stays_at_home_where_nothing_needs_it() {
    let plain = good(&one("code \"hdfs://default/a.zip\"", SMALL, ""));
    assert!(plain.lowered.as_ref().unwrap().contract.is_none());
    assert!(!plain.text("submit.sh").contains("tfjob-shim"));
    assert_eq!(plain.job()["roles"][0]["workdir"], json!([null, "/code"]));
    let own = good(&one("env { RANK_FILE \"/tmp/{index}\" }", SMALL, ""));
    assert!(own.lowered.as_ref().unwrap().contract.is_some());
    assert!(own.text("submit.sh").contains("tfjob-shim"));
}

#[test]
fn contracts_are_read_back_by_the_shims_own_reader() {
    for outcome in everywhere(many) {
        tfjob_contract::Contract::read(outcome.text("contract.json")).unwrap();
    }
}

fn a_job_that_starts_again_as_a_whole_needs_no_shim_for_it() {
    let terms = "restart \"on-failure\" limit=3 within=\"1h\" backoff=\"10s\" min-uptime=\"30s\" scope=\"job\" { codes 42 143 }";
    let outcome = good(&many(terms, ""));
    let wanted = json!({"limit": 3, "within": 3600, "backoff": 10, "max_backoff": null, "min_uptime": 30, "codes": [42, 143]});
    assert_eq!(outcome.job()["roles"][0]["restart"], wanted);
    assert!(!outcome.text("contract.json").contains("duties"));
}

fn no_setting_of_the_script_can_be_set_again() {
    let image = "image \"a/b:1\"; labels { \"a\" \"b\" }; data \"d\" \"file:///d\" at=\"/d\"";
    let more = "secret \"S\" from=\"s\" key=\"k\"";
    let yarn = "queue \"q\"; priority 3";
    let kubernetes = format!("{}; namespace \"n\"; service-account \"x\"", MASTERS[2]);
    let specs = [
        (image.to_owned(), yarn.to_owned()),
        (String::new(), MASTERS[1].to_owned()),
        (format!("{image}; {more}"), kubernetes),
    ];
    for (top, target) in specs {
        let gpus = format!("{SMALL} gpus=1{}", if top.contains("secret") { " disk=\"1GiB\"" } else { "" });
        let script = good(&one(&top, &gpus, &target)).text("submit.sh").to_owned();
        let keys: Vec<&str> = script
            .split(|c: char| c.is_whitespace() || c == '\'' || c == '"')
            .filter_map(|word| word.split_once('=').map(|(key, _)| key))
            .filter(|key| key.starts_with("spark."))
            .collect();
        assert!(keys.len() > 5, "{script}");
        for key in keys {
            let again = one(&top, &gpus, &format!("{target}; conf {{ \"{key}\" \"1\" }}"));
            let found = super::compiled::compile(&again).found;
            assert!(found.iter().any(|(code, ..)| *code == "spark-setting-reserved"), "{key}: {found:#?}");
        }
    }
}
