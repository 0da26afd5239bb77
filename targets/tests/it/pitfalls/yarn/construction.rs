//! Traps that no spec can walk into, because of how the artifacts are made.
use super::{HADOOP, bare, component, files, life, lowered, many, one, quoting, warnings, yarnfile};
use crate::pitfalls::{Built, In, analyzed, built, compiled};
use serde_json::{Value, json};
use tfjob_lang::lowered::Phase;

/// Every row.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("a crash loop that the service master does not see", "", HADOOP, "by default the node manager starts a failing program again every 30 seconds for ever, and the master hears nothing",
            "a component that restarts says how often and in what window", a_failure_has_an_end_and_happens_once),
        ("a failed service runs a second time", "yarn#second-master-attempts", HADOOP, "when the master gives up, a second master starts, which runs everything again",
            "one attempt of the master is written with every job", a_failure_has_an_end_and_happens_once),
        ("a killed program not restarted", "", In("ContainerRetryContext, exit codes 137 and 143"), "the node manager takes both codes for its own kill, an out-of-memory kill too",
            "the command turns both into another code where a restart is asked", quoting::a_killed_program_ends_with_another_code),
        ("a shell that ignores SIGTERM as the first process", "pid_namespaces(7)", In("Linux: the first process of a PID namespace ignores signals without a handler"), "in Docker `/bin/sh` ignores SIGTERM and passes none on: what it runs is killed without having heard of it",
            "where a `shell`, or a `run` of a shell or its script, in Docker has a grace, the shim starts it and passes SIGTERM on", life::a_shell_with_a_grace_hears_of_its_end),
        ("tasks that wait for each other's DNS names", "", HADOOP, "a dependent's containers are made when the first role is ready; with `start timeout` the first role looks for their names before it starts, and gives up",
            "all containers are made at once, and the shims keep the order", life::a_role_that_looks_for_names_holds_nobody_back),
        ("a working directory that is a file", "cd(1)", HADOOP, "the command goes to the code before it starts, and a script that each node has is no directory",
            "the directory of the script is the code", files::a_script_of_each_node_is_code_by_its_directory),
        ("files that `git archive` excludes", "gitattributes(5)", In("git archive: export-ignore and export-subst"), "attributes of the repository leave files out of the archive, or change them",
            "the clone has attributes that win over these", life::code_of_git_arrives_whole),
        ("a second SIGTERM", "", In("DefaultContainerExecutor signals the process group, docker stop the first process"), "a program that saves on SIGTERM is interrupted by a second one, and what it saved is lost",
            "the command passes SIGTERM on only in Docker, where the program does not get it otherwise", quoting::a_program_gets_sigterm_once),
        ("failures that count although no limit is set", "", HADOOP, "more failures of a component than the default threshold of 10 end the service, whatever its policy",
            "the threshold is lifted where failures do not count, and 0 where they do", failures_that_do_not_count_end_nothing),
        ("restart pauses that do not grow", "", In("YarnServiceConf.java, retry interval"), "there is one fixed pause, and no list of exit codes",
            "what the node manager cannot do is in the shim's contract", growing_pauses_and_codes_are_the_shims),
        ("servers that keep the service running", "yarn#end-of-a-service", HADOOP, "a component that never ends keeps the service running",
            "the chief counts alone from Hadoop 3.3 on", the_chiefs_end_is_the_services),
        ("servers that keep the service running, before 3.3", "", In("YARN-8489"), "the property that lets one component count is not read",
            "the shim stops what only serves", warnings::an_older_engine_leaves_the_end_of_the_job_to_the_shim),
        ("memory with a unit", "", HADOOP, "`4G` passes the checks, fails at submission, and what was saved blocks the name",
            "memory is written as whole mebibytes in text", memory_is_whole_mebibytes_as_text),
        ("GPUs with a unit", "", HADOOP, "the unit `gpus` passes and kills the master twice; half a GPU is cut off",
            "GPUs are a whole count of `yarn.io/gpu` with an empty unit", gpus_are_a_plain_count_of_the_engines_own_type),
        ("GPUs that the task did not request", "", In("UsingGpus, Hadoop's page"), "without the node manager's isolation a program sees every GPU of its node",
            "where no GPU is asked, none is visible", gpus_are_a_plain_count_of_the_engines_own_type),
        ("a token of YARN in an argument", "yarn#substitution", HADOOP, "`${COMPONENT_ID}` and its like are replaced before any shell reads them, whatever stands before the dollar",
            "such a text is broken up on the way and arrives whole", no_token_stands_where_a_user_wrote_it),
        ("a dollar sign in the value of a token", "yarn#substitution", HADOOP, "`${WORK_DIR}` in a command stops the launch with `Illegal group reference`: the service fails without a word",
            "no token is written but those that are meant", no_token_stands_where_a_user_wrote_it),
        ("a variable with shell code", "yarn#substitution", HADOOP, "the launch script holds values unescaped: `$(…)` and backquotes are executed, `$NAME` expanded",
            "every text arrives as it was written; 56 hostile ones are tried", quoting::every_word_and_variable_arrives_as_it_was_written),
        ("a quote in a variable", "yarn#substitution", HADOOP, "a lone `\"` ends the launch script with a syntax error, and JSON loses its quotes in silence",
            "every text arrives as it was written; 56 hostile ones are tried", quoting::every_word_and_variable_arrives_as_it_was_written),
        ("braces and angle brackets", "", HADOOP, "`{{X` becomes `$X`, `}}` nothing, `<LOG_DIR>` a path and `<CPS>` a colon",
            "every text arrives as it was written; 56 hostile ones are tried", quoting::every_word_and_variable_arrives_as_it_was_written),
        ("output that is not redirected", "", HADOOP, "behind a quote, `#` or `&` the redirection is lost; of several commands only the last one writes to the log",
            "one program takes the place of the shell", quoting::a_shell_reads_its_text_as_it_stands),
        ("a service name that is already in use", "", HADOOP, "the name of a service that has ended stays taken until it is destroyed",
            "a step after the job frees it", the_name_is_freed_by_a_step),
        ("files from an earlier version of the service", "", In("ProviderUtils.java, createConfigFileAndAddLocalResource"), "a generated file that is there is not written again: a changed service starts with old files",
            "a job is a new service: the step after it destroys the folder", the_name_is_freed_by_a_step),
        ("placement constraints in the wrong case", "yarn#placement-over-rest", HADOOP, "client and server read the scope in different cases; tags of another component are refused",
            "constraints are posted, in upper case, about the component's own tasks", constraints_are_posted),
        ("variables that YARN overwrites", "yarn#work_dir", HADOOP, "`LANG`, `HOME` and others are set over the user's; a `PATH` breaks the launcher",
            "the command exports them itself", variables_that_the_engine_sets_are_set_by_the_command),
        ("an image's entry point", "", In("DockerLinuxContainerRuntime.java"), "in entry point mode the command is cut at commas and no shell reads it",
            "the mode is never switched on", the_images_entry_point_is_not_used),
        ("a TensorBoard without Hadoop's jars", "", In("libhdfs"), "libhdfs finds no class, and the board shows an empty page",
            "its command sets what the shim sets for the job's tasks", a_board_reads_hdfs_as_the_tasks_do),
        ("a TensorBoard that outlives several workers", "yarn#end-of-a-service", HADOOP, "a service ends when all components have ended, and a component whose end is the service's waits for all its instances",
            "the shim starts the board, and ends it well when the job is done", warnings::a_board_ends_with_the_job_where_no_component_does),
        ("files with reserved names", "", HADOOP, "a file called `conf` lands in the folder of that name, and a token in a name leads nowhere",
            "every file of a container has a name of its own", files_of_a_container_have_names_of_their_own),
        ("data that one node lacks", "", In("the node manager starts a container wherever there is room"), "a path of the nodes is not there on one of them, and the program fails in the middle of a job that has started",
            "where the shim starts the program it looks before anybody does", data_of_the_nodes_is_looked_for),
    ])
}

const RETRIES: &str = "yarn.service.container-failure.retry.max";
/// Masters of a service: with one, the loss of its node ends all tasks, and with more a service that has failed runs again.
/// Seen on Hadoop 3.3.6: the second master takes the running containers over.
const ATTEMPTS: &str = "yarn.service.am-restart.max-attempts";
const THRESHOLD: &str = "yarn.service.container-failure-per-component.threshold";

fn properties(component: &Value) -> &Value {
    &component["configuration"]["properties"]
}

/// A failing program is tried again for ever, and a failed service runs a second time.
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

/// Eleven failures of a component that does not count would end the service.
fn failures_that_do_not_count_end_nothing() {
    let service = yarnfile(&many("", "", "hadoop \"3.3\"").replace("count=2", "count=20"));
    assert_eq!(service["configuration"]["properties"][THRESHOLD], "2147483647");
}

/// A node manager has one pause, an `Integer` of milliseconds, in a sliding window; what it cannot count is the shim's.
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
    // What no word of the role names is not its affair, and what it writes may be its own to make.
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

/// A unit passes the checks, fails at submission and blocks the name.
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

/// The only tokens are those that are meant.
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

/// Only a posted service holds constraints, in upper case and about its own tasks.
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

/// The engine's own value would win, or its launcher would stumble.
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

/// An image's entry point would take the command for a list.
fn the_images_entry_point_is_not_used() {
    assert!(!lowered(&many("", "", "hadoop \"3.3\"")).artifacts[0].text.contains("OVERRIDE_DISABLE"));
}

/// One source appears once, and nothing is called `conf`.
fn files_of_a_container_have_names_of_their_own() {
    let files = "code \"hdfs:///c.zip\"; files \"conf\" \"hdfs:///conf.json\"";
    let service = yarnfile(&many(files, "", "hadoop \"3.3\""));
    let files = service["configuration"]["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(|f| f["dest_file"].as_str().unwrap()).collect();
    assert_eq!(names, ["code", "files-conf.json", "tfjob-contract.json", "tfjob-shim"]);
    let single = yarnfile(&one("", "", ""));
    assert_eq!(single["configuration"]["files"], Value::Null, "no shim where none is needed");
}

/// What a patch sets is shown as the rest is: of the service, of the component, and the component's over the service's.
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

/// A patch may say memory as a number; the engine's record holds text.
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

/// FsShell reads the name of a local file as a URI, and other sources as patterns: `-put ./a#b.txt` copies `./a`.
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

/// Nothing is read when a spec is compiled: a name that may be a directory's is checked before it is uploaded.
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

/// Each help of a claim leads to a spec that compiles.
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
    // As the node manager writes it, with a program of that name that tells what it has.
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
