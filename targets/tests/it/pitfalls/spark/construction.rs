//! Pitfalls of Spark that no spec can contain, because tfjob never writes such artifacts.
use super::compiled::{SMALL, compile, good, many, one};
use super::{SPARK, TFOS, fed, python, quoting, template};
use crate::pitfalls::{Built, In, built};
use serde_json::json;

/// Returns all rows.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("several TensorFlow tasks in one executor", "", TFOS, "with cores for two Spark tasks, an executor runs two TensorFlow tasks in one directory: one worker gets all rows, and the job succeeds",
            "each executor has the cores of exactly one task", one_task_an_executor_and_one_attempt_a_task),
        ("a first error that is hidden by retries", "spark#one-attempt", TFOS, "Spark starts a failed program four times, and the last error, `TFManager already started`, hides the first one",
            "`spark.task.maxFailures` is 1, so Spark starts each task once", one_task_an_executor_and_one_attempt_a_task),
        ("a second attempt of the driver", "", In("Spark's page on YARN"), "YARN starts a failed driver again, and the new driver runs the whole job from the start",
            "`spark.yarn.maxAppAttempts` is 1, so YARN starts the driver once", one_task_an_executor_and_one_attempt_a_task),
        ("Python workers that are not reused", "", TFOS, "if Spark does not reuse its Python processes, a job with fed rows hangs",
            "`spark.python.worker.reuse` is `true`", one_task_an_executor_and_one_attempt_a_task),
        ("a speculative copy of a slow task", "", In("Spark's configuration page: `spark.speculation`"), "Spark starts a copy of a slow task, and the copy registers as an additional TensorFlow task",
            "`spark.speculation` is `false`", one_task_an_executor_and_one_attempt_a_task),
        ("a number of executors that a standalone master ignores", "", SPARK, "a standalone master ignores `--num-executors`, so a program may run as a single task",
            "`submit.sh` sets `spark.cores.max` for a standalone master, and `spark.executor.instances` for YARN and Kubernetes", the_number_of_executors_is_said_in_the_words_that_the_master_reads),
        ("memory of a task outside the Java heap", "spark#executor-memory", In("Spark's configuration page: `spark.executor.memoryOverhead`"), "`--executor-memory` sizes only the Java heap; tensors are outside the heap, so YARN kills the container when tensors exceed the overhead",
            "`spark.executor.memory` and `spark.executor.memoryOverhead` together equal the memory of the role", heap_and_overhead_are_the_memory_of_the_role),
        ("GPUs for the executor, but not for its task", "spark#gpus-of-a-task", SPARK, "if only `spark.executor.resource.gpu.amount` is set, Spark prints a warning, and the task gets no GPU",
            "`submit.sh` also sets `spark.task.resource.gpu.amount`", gpus_are_asked_for_the_executor_and_for_its_task),
        ("parameter servers that reserve GPUs", "spark#uniform-executors", TFOS, "all executors have the same size, so the executor of a parameter server reserves GPUs too",
            "tfjob reports the reserved GPUs, and `CUDA_VISIBLE_DEVICES` of the parameter server is empty", a_role_without_gpus_holds_them_and_sees_none),
        ("a job without a chief, for which TensorFlowOnSpark sets no TF_CONFIG", "", TFOS, "if no `master_node` is set, TensorFlowOnSpark writes no TF_CONFIG: every worker trains separately, and the job succeeds",
            "tfjob sets TF_CONFIG for every task", every_task_has_a_tf_config_and_only_the_evaluators_own_has_the_evaluator),
        ("an evaluator in the cluster of all tasks", "", TFOS, "the chief of a parameter-server job waits for the evaluator until the shutdown timeout",
            "only the TF_CONFIG of the evaluator lists the evaluator", every_task_has_a_tf_config_and_only_the_evaluators_own_has_the_evaluator),
        ("a successful job that is reported as failed", "", TFOS, "parameter servers never exit, so the shutdown of TensorFlowOnSpark waits three days and ends with exit code 1",
            "the driver ends the job when the tasks that decide its success have finished", servers_do_not_decide_when_the_job_is_over),
        ("`PYSPARK_PYTHON` on the submitting host", "", SPARK, "the value of the submitting host also applies to the driver's pod, which may not have this Python",
            "`submit.sh` unsets the variable", the_submitters_python_does_not_leak_and_the_locale_is_set),
        ("an unpacked archive without an alias", "spark#archives", SPARK, "without an alias, Spark unpacks an archive into a directory such as `Python.zip/`; outside YARN, Spark refuses an alias of a plain file",
            "every archive has an alias, and plain files have none", an_archive_always_has_an_alias_and_a_file_never),
        ("a driver without the Python of the executors", "", SPARK, "in client mode, Spark also starts the driver with `./env/bin/python`, which does not exist on the submitting host",
            "in client mode, `spark.pyspark.driver.python` sets a separate Python for the driver", a_virtual_environment_that_the_job_runs_is_sparks_python_too),
        ("an image for executors but not for the driver", "", In("Hadoop's page on Docker containers"), "on YARN, executors and the driver get the image from different settings, and Spark reports no error if one is missing",
            "`submit.sh` sets the image in both `spark.executorEnv` and `spark.yarn.appMasterEnv`", an_image_on_yarn_is_the_executors_and_the_drivers),
        ("a secret in a ConfigMap", "spark#settings-in-plain-text", SPARK, "Spark writes each environment variable of executors in plain text into the driver's ConfigMap",
            "the artifacts contain only references to secrets (`secretKeyRef`), not their values", a_secret_in_kubernetes_is_named_and_never_written),
        ("a secret for executors but not for the driver", "", In("`DataSource.checkAndGlobPathIfNecessary` and `SparkSubmit` of Spark 3.5.9"),
            "the driver lists the rows and downloads the job's files, but has no credentials for them",
            "the driver's pod gets each secret too", a_secret_in_kubernetes_is_named_and_never_written),
        ("a secret of another role", "spark#uniform-executors", In("Spark's page on Kubernetes"), "all executors have the same settings, so each role can read the secrets of all roles",
            "the secrets of other roles are removed from the environment before the program starts", another_roles_secret_is_hidden),
        ("a lost executor", "spark#lost-executors", TFOS, "TensorFlowOnSpark cannot replace a lost executor, so the running cluster stays incomplete",
            "with `restart scope=\"job\"`, the driver restarts all tasks", a_job_that_starts_again_as_a_whole_needs_no_shim_for_it),
        ("JSON that ends in two braces", "spark#paths-in-lists", In("the substitutions of Hadoop's `ContainerLaunch`"), "YARN removes `}}` from arguments and variables, and the shell on the node executes text between backticks",
            "arguments and variables are passed in the file `job.json`", quoting::words_and_variables_travel_in_job_json),
        ("shell expansion on the submitting host", "", SPARK, "the shell expands `$(…)` and other special characters in unquoted arguments of `spark-submit`",
            "`submit.sh` quotes each argument", quoting::words_of_the_target_are_one_word_of_the_shell),
        ("a setting that is written twice", "", SPARK, "Spark uses the last of the two values, without a message",
            "tfjob refuses a `conf` entry for a setting that `submit.sh` already contains", no_setting_of_the_script_can_be_set_again),
        ("a scratch directory from an earlier attempt", "", TFOS, "executors keep running when all tasks restart, so the files of the first attempt stay in the scratch directory",
            "tfjob's process in the executor empties the directory before each start", python::scratch_is_emptied_before_each_start),
        ("a new volume with `lost+found`", "", In("ext4, which creates `lost+found`"), "a new ext4 volume contains the directory `lost+found`, so it seems to contain checkpoints",
            "`lost+found` does not count as a checkpoint", python::scratch_is_emptied_before_each_start),
        ("a role that starts when another role has started", "", SPARK, "the driver itself starts a task, so no message from an executor wakes the driver, and a role with `when=\"started\"` would never start",
            "after each start, the driver checks again which tasks can start", python::a_task_that_waits_for_a_start_starts_with_it),
        ("a YARN limit on lost executors", "", SPARK, "on YARN, Spark fails the application after a number of lost executors, by default twice the number of executors, although restarts are left",
            "for a job that restarts as a whole, `submit.sh` raises this limit (`spark.executor.maxNumFailures`)", lost_executors_do_not_end_a_job_that_starts_again),
        ("a `feed` to a task that still waits for another task", "", TFOS, "the feed timeout of TensorFlowOnSpark also runs while a task waits for another task and reads no rows",
            "the driver feeds rows only after every fed task has started", fed::rows_come_when_every_fed_task_has_started),
        ("a Python process with a closed socket", "the driver of this target", In("jobs with fed rows, run by hand on a standalone Spark 3.5.9, and `MonitorThread` of `PythonRunner`"), "a canceled Spark task leaves an idle Python process with a closed socket in Spark's pool, so the next attempt fails: `Socket is closed`",
            "each Spark task that feeds rows has only one Python process", fed::a_task_that_feeds_rows_has_one_process_of_python),
        ("an executor that is lost while rows are fed", "the driver of this target", In("jobs with fed rows, run by hand on a standalone Spark 3.5.9"), "the feed fails before the driver knows of the lost executor, so the job would fail although restarts are left",
            "the driver restarts all tasks, and Spark replaces the lost executor", fed::an_executor_lost_while_rows_are_fed_counts_as_lost),
        ("a permanent error after which the job restarts", "the driver of this target", SPARK, "if a node lacks something that the job needs, a restart on that node fails in the same way",
            "if the shim refuses to start a program because of a permanent error, the driver ends the job with the shim's reason", python::what_the_shim_refuses_is_not_started_again),
        ("the cause of a failure that is only in the log of an executor", "the driver of this target", SPARK, "the driver gets only the exit code of a task; the reason is in the log of its executor",
            "tfjob's process in the executor sends the shim's reason to the driver", python::the_last_words_of_the_shim_reach_the_driver),
        ("a Spark version with the suffix of a distribution", "the driver of this target", In("Amazon EMR, with the Spark version 3.5.0-amzn-1"), "a driver that compares whole version strings refuses `3.5.0-amzn-1` when the job sets `3.5.0`",
            "the driver ignores `-` and the text after it in the version", python::a_distribution_s_own_version_is_that_version),
        ("a Java error below a message of Py4J", "", SPARK, "the first line of the error is `An error occurred while calling …`, which does not contain the reason",
            "the driver reports the message of the Java or Python exception", python::what_java_and_python_say_is_the_reason),
        ("a restart delay beyond the deadline", "the driver of this target", SPARK, "the job would keep all executors during a restart delay that ends only after its deadline",
            "the driver ends such a job immediately", python::no_start_is_awaited_that_the_deadline_forbids),
        ("a deadline while executors restart", "the driver of this target", In("`reservation_timeout` of `TFCluster.run` in TensorFlowOnSpark 2.2.5"), "executors that are ready keep their resources while TensorFlowOnSpark waits for the others, for up to a week",
            "the wait ends at the deadline of the job", python::executors_are_awaited_until_the_deadline),
        ("an executor that is lost while others start", "the driver of this target", In("jobs run by hand on a `local-cluster` of Spark 3.5.9, and `reservation.py` of TensorFlowOnSpark 2.2.5"), "TensorFlowOnSpark stops the SparkContext, and the job fails although restarts are left",
            "the driver keeps the SparkContext and restarts all tasks in it", python::an_executor_lost_while_others_come_up_counts_as_lost),
        ("a helper failure that ends the job", "the driver of this target", TFOS, "a helper that fails, such as TensorBoard, would end the job and its training",
            "if a role waits for the helper, the job fails, because peers of that role would wait indefinitely; otherwise, the job continues", python::the_end_of_a_task_means_what_it_means_under_tfjob_run),
        ("a restart limit for each role", "the driver of this target", In("docs/reference.md: `limit` with `scope=\"job\"`"), "if each role had its own limit, the job could restart as often as the limits of all roles together allow",
            "each restart of the job counts toward the limit of every role", python::restarts_of_the_job_are_counted_together),
        ("a readiness file from an earlier attempt", "", TFOS, "executors keep running when all tasks restart, so a role that waits for an old readiness file starts too early",
            "a readiness file counts only if it is written after the start of its task", python::a_file_of_an_earlier_start_is_no_readiness),
        ("a proxy between a probe and its task", "the driver of this target", In("Python's `urllib`, which uses `http_proxy`"), "an HTTP probe goes to the proxy of the node, which cannot reach the task",
            "the probe does not use a proxy", python::probes_go_to_the_task_itself),
        ("Python 3.6 in older Spark releases", "the driver of this target", In("the documentation of Spark 3.1 (Python 3.6 or later) and the packages of TensorFlow 2.1 (Python 3.7 or earlier)"), "Spark 3.1 supports Python 3.6, on which a driver with newer syntax fails: `SyntaxError`",
            "the generated Python files use only syntax and modules of Python 3.6", template::the_driver_starts_on_python_3_6),
        ("a template placeholder within quotes", "", In("the template of `submit.sh`"), "if a placeholder is inside quotes or a comment, the inserted value can end the quotes or the comment, and the shell would execute the rest of the value",
            "each placeholder in the template is a separate argument, and tfjob quotes its value", template::no_hole_is_raw_or_inside_quotes_a_comment_or_a_document),
    ])
}

fn lost_executors_do_not_end_a_job_that_starts_again() {
    let again = "restart \"on-failure\" limit=50 scope=\"job\"";
    let (old, new) = ("spark.yarn.max.executor.failures", "spark.executor.maxNumFailures");
    let both = good(&many(again, ""));
    // Each of four roles may restart the job 50 times. So there are at most 201 attempts, and each may lose 10 executors.
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

/// Compiles a job for each kind of master: Kubernetes needs an image, and a standalone master does not support one.
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
    // A driver on the submitting host has no such directory.
    let client = good(&spec("deploy-mode \"client\""));
    assert_eq!(client.setting("spark.pyspark.driver.python").unwrap(), "python3");
    assert_eq!(cluster.job()["roles"][0]["argv"][0], json!([null, "/files-venv/bin/python"]));
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
    // In client mode, the driver runs on the submitting host and not in a pod, so it uses the secrets of that host.
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
