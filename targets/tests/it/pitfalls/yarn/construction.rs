//! Pitfalls that no spec can contain, because of how tfjob generates the artifacts.
use super::{HADOOP, bare, component, files, life, lowered, many, one, quoting, warnings, yarnfile};
use crate::pitfalls::{Built, In, analyzed, built, compiled};
use serde_json::{Value, json};
use tfjob_lang::lowered::Phase;

/// Returns all pitfalls that no spec can contain.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("a crash loop that the service master does not see", "", HADOOP, "by default, the NodeManager restarts a failing program every 30 seconds indefinitely, and does not notify the service master",
            "if the restart policy of a component allows restarts, the service spec sets the number of retries and their time window", a_failure_has_an_end_and_happens_once),
        ("a second attempt of a failed service", "yarn#second-master-attempts", HADOOP, "when the service master gives up, YARN starts a second attempt, which runs the whole job again",
            "if failed tasks can end the job, the service spec limits the service master to one attempt", a_failure_has_an_end_and_happens_once),
        ("a killed program that is not restarted", "", In("ContainerRetryContext.java"), "the NodeManager treats exit codes 137 and 143 as its own kill, even after an out-of-memory kill, and does not restart the program",
            "if `restart` is set, the launch command replaces both codes with another exit code", quoting::a_killed_program_ends_with_another_code),
        ("a shell that ignores SIGTERM as the first process", "pid_namespaces(7)", In("Linux: the first process of a PID namespace ignores signals that it does not handle"), "as the first process in Docker, `/bin/sh` ignores SIGTERM and does not forward it, so its program is killed without a warning",
            "in Docker with a grace period, the shim starts the shell or shell script, and forwards SIGTERM", life::a_shell_with_a_grace_hears_of_its_end),
        ("tasks that wait for each other's DNS names", "", HADOOP, "YARN creates the containers of a dependent component only when the component that it depends on is ready; that component's shim waits for the DNS names of these containers and gives up",
            "YARN creates all containers immediately, and the shims enforce the start order", life::a_role_that_looks_for_names_holds_nobody_back),
        ("a working directory that is a file", "cd(1)", HADOOP, "the launch command first changes to the directory of the code; if `code` is a single script on each node, its path is not a directory, so the command fails",
            "the directory of the script is used as the code directory", files::a_script_of_each_node_is_code_by_its_directory),
        ("files that `git archive` excludes", "gitattributes(5)", In("git archive, attributes export-ignore and export-subst"), "attributes of the repository (`.gitattributes`) can exclude files from the archive that `git archive` writes, or change their content",
            "the step that clones the repository sets attributes that override those of the repository", life::code_of_git_arrives_whole),
        ("a second SIGTERM while the program saves its state", "", In("DefaultContainerExecutor, which signals the process group, and docker stop, which signals the first process"), "if a program is still saving its state after SIGTERM, a second SIGTERM interrupts it, and the state is lost",
            "the launch command forwards SIGTERM only in Docker, where the program would not receive it otherwise", quoting::a_program_gets_sigterm_once),
        ("failures that count although no limit is set", "", HADOOP, "if a component has more than 10 failures (default threshold), the service ends, whatever the restart policy is",
            "if failures of a component must not end the job, the service spec sets the threshold to the maximum, otherwise to 0", failures_that_do_not_count_end_nothing),
        ("restart delays that do not grow", "", In("YarnServiceConf.java, retry interval"), "the NodeManager has only one fixed delay between restarts, and no list of exit codes",
            "if the restart needs growing delays or a list of exit codes, the shim restarts the program", growing_pauses_and_codes_are_the_shims),
        ("parameter servers that keep the service running", "yarn#end-of-a-service", HADOOP, "a component that never ends keeps the service running",
            "from Hadoop 3.3 on, only the component of the chief decides when the service ends", the_chiefs_end_is_the_services),
        ("parameter servers that keep the service running before Hadoop 3.3", "", In("the issue YARN-8489"), "Hadoop before 3.3 does not read the property with which one component decides the end of the service",
            "the shims stop the tasks that never exit on their own", warnings::an_older_engine_leaves_the_end_of_the_job_to_the_shim),
        ("memory with a unit", "", HADOOP, "YARN saves the definition of the service before it reads the size `4G`: the submission fails, but the name of the service stays in use",
            "memory is written as a string with an integer in MiB", memory_is_whole_mebibytes_as_text),
        ("GPUs with a unit", "", HADOOP, "YARN accepts the unit `gpus`, but the service master crashes twice; a fraction of a GPU is cut off",
            "`yarn.io/gpu` has an integer value and an empty unit", gpus_are_a_plain_count_of_the_engines_own_type),
        ("GPUs that the task did not request", "", In("the Hadoop page UsingGpus"), "without GPU isolation by the NodeManager, a program sees all GPUs of its node",
            "if a task requests no GPU, its program sees none", gpus_are_a_plain_count_of_the_engines_own_type),
        ("a token of YARN in an argument", "yarn#substitution", HADOOP, "YARN replaces tokens such as `${COMPONENT_ID}` before a shell reads the command, even if the dollar sign is escaped",
            "such text is split so that YARN does not recognize a token, and the program gets the text unchanged", no_token_stands_where_a_user_wrote_it),
        ("a dollar sign in the value of a token", "yarn#substitution", HADOOP, "if the value of a token, such as `${WORK_DIR}`, contains a dollar sign, the launch fails with `Illegal group reference`; the diagnostics of the service are empty",
            "a command contains only the tokens that tfjob itself uses", no_token_stands_where_a_user_wrote_it),
        ("an environment variable with shell code in its value", "yarn#substitution", HADOOP, "the launch script contains values unescaped: bash executes `$(…)` and backquotes, and expands `$NAME`",
            "each argument and variable reaches the program unchanged; a test checks 56 values with special characters", quoting::every_word_and_variable_arrives_as_it_was_written),
        ("a quotation mark in an environment variable", "yarn#substitution", HADOOP, "a single `\"` causes a syntax error in the launch script, and JSON loses its quotation marks without a message",
            "each argument and variable reaches the program unchanged; a test checks 56 values with special characters", quoting::every_word_and_variable_arrives_as_it_was_written),
        ("braces and angle brackets in arguments and environment variables", "", HADOOP, "YARN replaces `{{X` with `$X`, removes `}}`, and replaces `<LOG_DIR>` with a path and `<CPS>` with a colon",
            "each argument and variable reaches the program unchanged; a test checks 56 values with special characters", quoting::every_word_and_variable_arrives_as_it_was_written),
        ("output that is not redirected", "", HADOOP, "YARN appends the redirection of the output to the command: after a quote, `#`, or `&`, the redirection is lost; with several commands, only the output of the last one is redirected",
            "the launch command ends with one program that replaces the shell", quoting::a_shell_reads_its_text_as_it_stands),
        ("a service name that is already in use", "", HADOOP, "the name of a finished service stays in use until the service is destroyed",
            "a cleanup command destroys the service and so frees its name", the_name_is_freed_by_a_step),
        ("files from an earlier version of the service", "", In("ProviderUtils.java, createConfigFileAndAddLocalResource"), "if a generated file already exists, YARN does not write it again, so a changed service starts with old files",
            "each job is a new service, because the cleanup command deletes the directory of the old service", the_name_is_freed_by_a_step),
        ("a placement constraint with its `scope` in the wrong case", "yarn#placement-over-rest", HADOOP, "the client accepts the field `scope` of a constraint only in lowercase, and the server only in uppercase; both accept the tag of a component that does not exist",
            "constraints are sent to the REST API with an uppercase scope, and refer only to tasks of the same component", constraints_are_posted),
        ("environment variables that YARN overwrites", "yarn#work_dir", HADOOP, "YARN overwrites the values of `LANG`, `HOME`, and other variables; a `PATH` in the service spec breaks the launcher",
            "the launch command exports these variables itself", variables_that_the_engine_sets_are_set_by_the_command),
        ("an image in entry point mode", "", In("DockerLinuxContainerRuntime.java"), "in entry point mode, YARN splits the command at commas, and no shell reads it",
            "entry point mode is never enabled", the_images_entry_point_is_not_used),
        ("TensorBoard without the Hadoop JAR files", "", In("libhdfs, the C API of HDFS"), "the library libhdfs does not find its Java classes, so TensorBoard shows an empty page",
            "the launch command of TensorBoard sets the same Hadoop variables that the shim sets for tasks", a_board_reads_hdfs_as_the_tasks_do),
        ("TensorBoard in a job with several roles that decide its success", "yarn#end-of-a-service", HADOOP, "only one component can decide the end of a service; if several roles decide the end of the job, the service ends only after all components, but TensorBoard never exits",
            "the shim starts TensorBoard, and stops it with exit code 0 when the job has finished", warnings::a_board_ends_with_the_job_where_no_component_does),
        ("files with reserved names", "", HADOOP, "a file named `conf` is stored inside the directory `conf`; a link whose name contains a token points to no file",
            "every file of a container has a different name without tokens", files_of_a_container_have_names_of_their_own),
        ("data that is missing on one node", "", In("the NodeManager, which starts containers on any node with free resources"), "one node does not have the directory, so the program fails after the job has started",
            "if the shim starts the program, the shim first checks that the directory exists", data_of_the_nodes_is_looked_for),
    ])
}

const RETRIES: &str = "yarn.service.container-failure.retry.max";
/// Attempts of the service master: with one, the loss of its node ends all tasks; with more, a failed service runs again.
/// Seen on Hadoop 3.3.6: the second attempt takes over the running containers.
const ATTEMPTS: &str = "yarn.service.am-restart.max-attempts";
const THRESHOLD: &str = "yarn.service.container-failure-per-component.threshold";

fn properties(component: &Value) -> &Value {
    &component["configuration"]["properties"]
}

/// By default, YARN restarts a failing program indefinitely, and runs a failed service a second time.
fn a_failure_has_an_end_and_happens_once() {
    let service = yarnfile(&one("", "restart \"on-failure\" limit=3 within=\"1h\"", ""));
    assert_eq!(service["configuration"]["properties"][ATTEMPTS], "1");
    let lasting = yarnfile(&one("", "restart \"on-failure\"", ""));
    assert_eq!(lasting["configuration"]["properties"][ATTEMPTS], Value::Null);
    let worker = &service["components"][0];
    assert_eq!(worker["restart_policy"], "ON_FAILURE");
    assert_eq!(properties(worker)[RETRIES], "3");
    assert_eq!(properties(worker)["yarn.service.container-failure.validity-interval-ms"], "3600000");
    assert_eq!(properties(worker)[THRESHOLD], "0");
    assert!(worker["launch_command"].as_str().unwrap().contains("137|143"), "a killed program counts too");
    let once = component(&one("", "", ""), "worker");
    assert_eq!((&once["restart_policy"], properties(&once)), (&json!("NEVER"), &Value::Null));
}

/// With the default threshold, 11 failures of a component end the service even if they do not decide job success.
fn failures_that_do_not_count_end_nothing() {
    let service = yarnfile(&many("", "", "hadoop \"3.3\"").replace("count=2", "count=20"));
    assert_eq!(service["configuration"]["properties"][THRESHOLD], "2147483647");
}

/// The NodeManager supports one fixed delay between restarts, a Java `Integer` in ms. The shim does all other restarts.
fn growing_pauses_and_codes_are_the_shims() {
    for terms in ["limit=3 backoff=\"10s\"", "min-uptime=\"10s\"", "{ codes 42 }", "limit=1 backoff=\"597h\""]
    {
        let lowered = lowered(&one("", &format!("restart \"on-failure\" {terms}"), ""));
        let (contract, _) = lowered.contract.unwrap();
        assert!(contract.roles[0].duties.is_some(), "{terms}");
        let service: Value = serde_json::from_str(&lowered.artifacts[0].text).unwrap();
        assert_eq!(properties(&service["components"][0])[RETRIES], "0", "{terms}");
    }
    for (terms, pause) in [
        ("limit=1 backoff=\"10s\"", "10000"),
        ("backoff=\"10s\" max-backoff=\"10s\"", "10000"),
        ("limit=1 backoff=\"596h\"", "2145600000"),
    ] {
        let worker = component(&one("", &format!("restart \"on-failure\" {terms}"), ""), "worker");
        assert_eq!(properties(&worker)["yarn.service.container-failure.retry-interval-ms"], pause, "{terms}");
    }
}

fn data_of_the_nodes_is_looked_for() {
    let data = "data \"train\" \"file:///mnt/train\"\ndata \"eval\" \"file:///mnt/eval\"\ndata \"out\" \"file:///mnt/out\" writable=#true\nenv { SEEN \"{data.train}\"; OUT \"{data.out}\" }";
    let reads = |text: &str| {
        let (contract, _) = lowered(text).contract.unwrap();
        contract.roles[0].duties.as_ref().unwrap().reads.clone()
    };
    let restart = "restart \"on-failure\" min-uptime=\"10s\"";
    // The shim does not check paths that the role does not use, and paths that the role may create itself.
    assert_eq!(reads(&bare(data, restart, "")), ["/mnt/train"]);
    let shell =
        bare(data, restart, "").replace("run \"python\" \"train.py\"", "shell \"ls $TFJOB_DATA_EVAL\"");
    assert_eq!(reads(&shell), ["/mnt/train", "/mnt/eval"]);
    let mounted = "data \"train\" \"file:///mnt/train\" at=\"/train\"\nenv { SEEN \"{data.train}\" }";
    assert_eq!(reads(&one(mounted, restart, "")), [""; 0], "an image sees what is mounted");
}

fn the_chiefs_end_is_the_services() {
    let service = yarnfile(&many("", "", "hadoop \"3.3\""));
    let dominant =
        |c: &&Value| properties(c)["yarn.service.container-state-report-as-service-state"] == "true";
    let found: Vec<_> = service["components"].as_array().unwrap().iter().filter(dominant).collect();
    assert_eq!(found.iter().map(|c| &c["name"]).collect::<Vec<_>>(), ["chief"]);
}

/// Memory with a unit passes the checks of YARN, fails at submission, and blocks the name of the service.
fn memory_is_whole_mebibytes_as_text() {
    let amounts = [("4GiB", "4096"), ("512MiB", "512"), ("1025KiB", "2"), ("1TiB", "1048576")];
    for (written, sent) in amounts {
        let text = one("", "", "").replace("4GiB", written);
        assert_eq!(component(&text, "worker")["resource"]["memory"], sent);
    }
}

fn gpus_are_a_plain_count_of_the_engines_own_type() {
    let worker = component(&one("", "", "").replace("cpus=1", "cpus=1 gpus=2"), "worker");
    assert_eq!(worker["resource"]["additional"], json!({"yarn.io/gpu": {"value": 2, "unit": ""}}));
    let none = component(&one("", "", ""), "worker");
    assert_eq!(none["configuration"]["env"]["CUDA_VISIBLE_DEVICES"], "");
}

/// The Yarnfile contains only the YARN tokens that tfjob itself uses.
fn no_token_stands_where_a_user_wrote_it() {
    let hostile = "${{COMPONENT_ID}${{USER}${{DOMAIN}{{{{HOME}}<LOG_DIR>";
    let text = many(&format!("env {{ A \"{hostile}\" }}"), "", "hadoop \"3.3\"").replace("train.py", hostile);
    let sent = lowered(&text).artifacts[0].text.clone();
    let tokens: Vec<_> =
        sent.match_indices("${").map(|(at, _)| sent[at..].split_inclusive('}').next()).collect();
    let ours =
        |token: &Option<&str>| token.is_some_and(|token| ["${COMPONENT_ID}", "${USER}"].contains(&token));
    assert!(!tokens.is_empty() && tokens.iter().all(ours), "{tokens:?}");
    let plain = lowered(&one(&format!("env {{ A \"{hostile}\" }}"), "", "").replace("train.py", hostile));
    assert!(!plain.artifacts[0].text.contains("${"), "{}", plain.artifacts[0].text);
}

fn the_name_is_freed_by_a_step() {
    let steps = lowered(&one("", "", "")).steps;
    let after: Vec<_> =
        steps.iter().filter(|s| s.phase == Phase::After).map(|s| s.words("", "").join(" ")).collect();
    assert_eq!(after, ["yarn app -destroy mnist"]);
}

/// Only a service that is posted to the REST API has constraints: with an uppercase scope, and about tasks of the same component.
fn constraints_are_posted() {
    let block = "placement-constraints #true; resource-manager \"http://rm:8088/\"; user \"ada\"";
    let text = one("", "placement { spread \"rack\" }", block);
    let constraint = &component(&text, "worker")["placement_policy"]["constraints"][0];
    assert_eq!(*constraint, json!({"type": "ANTI_AFFINITY", "scope": "RACK", "target_tags": ["worker"]}));
    let steps = lowered(&text).steps;
    let submit = steps.iter().find(|s| s.phase == Phase::Submit).unwrap().words("", "").join(" ");
    assert!(submit.starts_with("curl --fail-with-body"), "{submit}");
    assert!(submit.ends_with("http://rm:8088/app/v1/services?user.name=ada"), "{submit}");
    assert_eq!(
        lowered(&one("", "", "")).steps[0].words("", "").join(" "),
        "yarn app -launch mnist Yarnfile.json"
    );
}

/// In the service spec, YARN would overwrite these variables, or they would break its launcher.
fn variables_that_the_engine_sets_are_set_by_the_command() {
    for name in ["LANG", "HOME", "PATH", "MALLOC_ARENA_MAX", "LD_LIBRARY_PATH"] {
        let worker = component(&bare(&format!("env {{ {name} \"/x y\" }}"), "", ""), "worker");
        let command = worker["launch_command"].as_str().unwrap();
        assert!(command.contains(&format!("export {name}='/x y' && exec python")), "{command}");
        assert_eq!(worker["configuration"]["env"][name], Value::Null);
    }
    let plain = component(&bare("env { TZ \"UTC\" }", "", ""), "worker");
    assert_eq!(plain["configuration"]["env"]["TZ"], "UTC");
}

/// In entry point mode, YARN would split the command at commas.
fn the_images_entry_point_is_not_used() {
    assert!(!lowered(&many("", "", "hadoop \"3.3\"")).artifacts[0].text.contains("OVERRIDE_DISABLE"));
}

/// Each source has one link, and no link is named `conf`.
fn files_of_a_container_have_names_of_their_own() {
    let files = "code \"hdfs:///c.zip\"; files \"conf\" \"hdfs:///conf.json\"";
    let service = yarnfile(&many(files, "", "hadoop \"3.3\""));
    let files = service["configuration"]["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(|f| f["dest_file"].as_str().unwrap()).collect();
    assert_eq!(names, ["code", "files-conf.json", "tfjob-contract.json", "tfjob-shim"]);
    let single = yarnfile(&one("", "", ""));
    assert_eq!(single["configuration"]["files"], Value::Null, "no shim where none is needed");
}

/// The environment of a task includes patched variables of the service and of the component; the component takes precedence.
#[test]
fn a_task_shows_the_variables_of_a_patch() {
    for words in ["", "checkpoints \"file:///c\" at=\"/c\" if-exists=\"fail\""] {
        let text = one(
            &format!("env {{ OWN \"1\" }}\n{words}"),
            "target \"yarn\" { patch \"configuration: {env: {HERS: '2', BOTH: role}}\" }",
            "hadoop \"3.3\"; patch \"configuration: {env: {ALL: '3', BOTH: job}}\"",
        );
        let analysis = analyzed(&text);
        let plan = analysis.plan.as_ref().unwrap();
        let view = tfjob_targets::ALL[0].view(plan, 0, 0).unwrap_or_else(|| panic!("{text}"));
        let seen = ["OWN", "HERS", "ALL", "BOTH"].map(|name| view.env.get(name).map(String::as_str));
        assert_eq!(seen, [Some("1"), Some("2"), Some("3"), Some("role")], "{text}");
    }
}

/// A patch can set memory as a number; the artifact contains it as a string, as the YARN API requires.
#[test]
fn a_patchs_memory_is_text_in_the_artifact() {
    let text = one("", "target \"yarn\" { patch \"resource: {memory: 4096}\" }", "");
    assert_eq!(component(&text, "worker")["resource"]["memory"], "4096");
}

#[test]
fn a_script_beside_the_spec_is_packed_by_its_folder() {
    let steps =
        |files: &str| lowered(&one(files, "", "")).steps.into_iter().map(|s| s.words("out", "").join(" "));
    let script: Vec<_> = steps("code \"./a/mnist_distributed.py\"").collect();
    assert_eq!(script[0], "tar -czf out/tfjob-code.tar.gz -C ./a ./mnist_distributed.py");
    assert_eq!(script[1..3], ["hdfs dfs -mkdir -p .tfjob", "hdfs dfs -mkdir .tfjob/mnist"]);
    assert_eq!(script[3], "hdfs dfs -put -f out/tfjob-code.tar.gz .tfjob/mnist/code.tar.gz");
    let tar = |name: &str, from: &str| {
        format!("tar -czf out/tfjob-{name}.tar.gz --exclude=tfjob-{name}.tar.gz -C {from} .")
    };
    assert!(steps("code \"./a.py/\"").any(|s| s == tar("code", "./a.py/")));
    assert!(steps("files \"v\" \"./v/\"").any(|s| s == tar("files-v", "./v/")));
    assert!(steps("files \"v\" \"./v\"").any(|s| s == tar("files-v", "./v")));
    assert!(
        steps("files \"v\" \"./v.jar\"").any(|s| s == "hdfs dfs -put -f ./v.jar .tfjob/mnist/files-v.jar")
    );
    assert!(
        steps("files \"v\" \"./V.ZIP\"").any(|s| s == "hdfs dfs -put -f ./V.ZIP .tfjob/mnist/files-v.zip")
    );
}

/// FsShell parses the name of a local file as a URI, and other sources as patterns: `-put ./a#b.txt` copies `./a`.
#[test]
fn a_step_of_hadoop_copies_the_file_of_that_name() {
    let steps = |files: &str, folder: &str| -> Vec<String> {
        lowered(&one(files, "", "")).steps.into_iter().map(|s| s.words(folder, "").join(" ")).collect()
    };
    for (uri, from) in [
        ("./a#b.txt", "./a%23b.txt"),
        ("./a?b.txt", "./a%3Fb.txt"),
        ("./a[1].txt", "./a%5B1%5D.txt"),
        ("./100%.txt", "./100%25.txt"),
        ("./é.txt", "./é.txt"),
    ] {
        let put = format!("hdfs dfs -put -f {from} .tfjob/mnist/files-v.txt");
        let all = steps(&format!("files \"v\" \"{uri}\""), "out");
        assert!(all.contains(&put), "{all:?}");
    }
    for (source, from) in
        [("run[1].zip", r"run\[1\].zip"), ("a*?.zip", r"a\*\?.zip"), ("a{{b,c}}.zip", r"a\{\{b,c\}\}.zip")]
    {
        let copy = format!("hadoop fs -cp -f hdfs://nn1/x/{from} .tfjob/mnist/code.zip");
        let all = steps(&format!("code \"hdfs://nn1/x/{source}\""), "out");
        assert!(all.contains(&copy), "{all:?}");
    }
    let all = steps("checkpoints \"hdfs:///m/run[1]\" if-exists=\"fail\"", "out");
    assert!(all.contains(&r"hdfs dfs -mkdir hdfs:///m/run\[1\]".to_owned()), "{all:?}");
    for files in ["code \"./train\"", "code \"https://h/a.zip\"", "code \"git+https://h/a\" ref=\"main\""] {
        let all = steps(files, "o:1#2 x");
        let put = all.iter().find(|s| s.starts_with("hdfs dfs -put")).unwrap();
        assert!(put.starts_with("hdfs dfs -put -f ./o:1%232%20x/tfjob-code."), "{all:?}");
        let made = all.iter().find(|s| s.contains(" ./o:1#2 x/tfjob-code.")).unwrap();
        assert!(["tar", "curl", "git"].iter().any(|program| made.starts_with(program)), "{all:?}");
    }
}

/// The compiler does not read files, so a generated step checks before the upload that a path with an ambiguous name is a file.
#[test]
fn a_name_that_may_be_a_directory_is_checked() {
    let steps = |uri: &str| -> Vec<String> {
        let steps = lowered(&one(&format!("files \"v\" \"{uri}\""), "", "")).steps;
        steps.into_iter().map(|s| s.words("", "").join(" ")).collect()
    };
    assert_eq!(steps("./model.v2")[0], "test -f ./model.v2");
    for sure in ["./vocab.txt", "./model.v2/", "./v.zip", "./vocab"] {
        assert!(steps(sure).iter().all(|s| !s.starts_with("test")), "{sure}");
    }
}

/// A spec that follows the help for a `pvc:` URI compiles.
#[test]
fn the_way_out_for_a_claim_is_no_circle() {
    for files in ["data \"d\" \"pvc://c/x\"", "data \"d\" \"pvc://c/x\" at=\"/d\""] {
        let (errors, _) = compiled(&analyzed(&one(files, "", "")), "yarn");
        let help = errors[0].help.clone().unwrap_or_default();
        assert!(help.contains("mounted { \"pvc://c/x\" \"/mnt/…\" }"), "{help}");
        assert!(!help.contains("remove `at`"), "{help}");
    }
    lowered(&one("data \"d\" \"pvc://c/x\" at=\"/d\"", "", "mounted { \"pvc://c/x\" \"/mnt/x\" }"));
}

fn a_board_reads_hdfs_as_the_tasks_do() {
    let hadoop = std::env::temp_dir().join(format!("tfjob-board-{}", std::process::id()));
    for folder in ["share/hadoop/common/lib", "share/hadoop/hdfs"] {
        std::fs::create_dir_all(hadoop.join(folder)).unwrap();
        std::fs::write(hadoop.join(folder).join("a.jar"), "").unwrap();
    }
    let home = hadoop.to_string_lossy().into_owned();
    let job = format!(
        "hadoop home=\"{home}\" java=\"/opt/java\"; env {{ A \"x y\"; OWN \"{{index}}\"; RANDOM \"1\" }}
         checkpoints \"hdfs://default/c\"; tensorboard"
    );
    let board = component(&many(&job, "", "hadoop \"3.3\""), "tensorboard");
    assert_eq!(board["configuration"]["env"], json!({"A": "x y", "CUDA_VISIBLE_DEVICES": ""}));
    let launch = board["launch_command"].as_str().unwrap();
    // Written as by the NodeManager, with a program of this name that prints its environment.
    let says = "tensorboard() { echo \"$HADOOP_CONF_DIR $JAVA_HOME $LD_LIBRARY_PATH\"; tr : ' ' <<<\"$CLASSPATH\"; }";
    let script = format!("exec bash -c \"{}\"", launch.replace("exec tensorboard", "tensorboard"));
    let shell = std::process::Command::new("bash")
        .args(["-c", &format!("{says}\nexport -f tensorboard\n{script}")])
        .env_remove("HADOOP_CONF_DIR")
        .env_remove("LD_LIBRARY_PATH")
        .env("CLASSPATH", "/own.jar")
        .output()
        .unwrap();
    std::fs::remove_dir_all(&hadoop).unwrap();
    let said = String::from_utf8(shell.stdout).unwrap();
    let expected = format!(
        "{home}/etc/hadoop /opt/java /opt/java/lib/server:/opt/java/jre/lib/amd64/server:/opt/java/lib/amd64/server:{home}/lib/native
{home}/etc/hadoop {home}/share/hadoop/common/*.jar {home}/share/hadoop/common/lib/a.jar \
         {home}/share/hadoop/hdfs/a.jar {home}/share/hadoop/hdfs/lib/*.jar /own.jar\n"
    );
    assert_eq!(said, expected, "{launch}");
    let plain =
        many("checkpoints \"s3a://b/c\"; hadoop home=\"/h\" java=\"/j\"; tensorboard", "", "hadoop \"3.3\"");
    assert_eq!(
        component(&plain, "tensorboard")["launch_command"],
        "exec tensorboard --logdir=s3a://b/c --port=6006 --bind_all"
    );
}
