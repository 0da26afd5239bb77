//! Pitfalls that no spec can contain, because of how tfjob generates the artifacts.
use super::{COSMOS, SCHEMA, analyzed, apps, artifact, marathon, options, package, workers, written};
use super::{hostile, ports};
use crate::pitfalls::{Built, In, built, compiled};
use serde_json::Value;

/// Returns a spec with a chief and TensorBoard, and additional entries of the job.
fn with_board(job: &str) -> String {
    workers(&format!("checkpoints \"hdfs://n/ck\"; tensorboard port=8090 {{}}\n {job}"), "").replace(
        "role \"worker\"",
        "role \"chief\" { run \"python\" \"c.py\"; resources cpus=1 memory=\"1GiB\" }\n role \"worker\"",
    )
}

#[test]
fn each_label_of_the_job_is_on_each_app() {
    for app in apps(&with_board(
        "description \"a job\"; labels { team \"ml\"; GPU_SCHEDULING_BEHAVIOR \"unrestricted\" }",
    )) {
        for (key, value) in
            [("description", "a job"), ("team", "ml"), ("GPU_SCHEDULING_BEHAVIOR", "unrestricted")]
        {
            assert_eq!(app["labels"][key], value, "{app:#}");
        }
    }
}

/// Marathon's `ResourceMatcher.checkGpuSchedulingBehaviour` reads only the labels of the app itself, so each app needs the label.
#[test]
fn what_helps_tasks_without_gpus_is_on_every_app_and_ends_the_warning() {
    let dcos = tfjob_targets::ALL.iter().find(|target| target.name() == "dcos").unwrap();
    let keeps = |text: &str| dcos.reserves(analyzed(text).plan.as_ref().unwrap()).keeps_gpus;
    let text = with_board("target \"dcos\" { version \"2.1\"; }");
    let help = keeps(&text).unwrap().help;
    let line = help.split('`').nth(1).unwrap();
    let helped = text.replace("checkpoints", &format!("{line}\n checkpoints"));
    assert!(keeps(&helped).is_none(), "{helped}");
    let apps = apps(&helped);
    assert!(
        apps.len() > 3 && apps.iter().all(|app| app["labels"]["GPU_SCHEDULING_BEHAVIOR"] == "unrestricted")
    );
}

/// Returns all pitfalls of this file.
#[rustfmt::skip]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("default counts of the TensorFlow package", "dcos#package-counts", COSMOS, "if counts are omitted, the package runs two parameter servers and three workers; the package manager also accepts an invalid count, such as -3",
            "all counts are set explicitly, as validated integers", every_count_of_the_package_is_said_for_its_own_are_two_and_three),
        ("very small fractions of a core", "dcos#small-numbers", COSMOS, "the package manager writes 0.00001 cores as `1.0E-5`, so the number in the options differs from the one in the spec",
            "the number of cores has at most three decimals", numbers_of_the_package_are_numbers_and_small_ones_have_three_decimals),
        ("a GCS key in the package options", "", In("Cosmos, DCOS_PACKAGE_OPTIONS"), "a label of the app contains the package options, including the key, and every user can read labels",
            "the options contain the name of the secret, not the key", a_key_of_a_bucket_has_no_way_into_the_options),
        ("the option `context` as an object or with HTML escapes", "", COSMOS, "the package manager refuses an object, and passes HTML-escaped text to the module without unescaping it",
            "the context is generated as a string with JSON", hostile::hostile_texts_reach_the_package_as_json_in_a_text),
        ("shell syntax in arguments", "", In("Marathon, which runs cmd as /bin/sh -c"), "Marathon runs `cmd` with a shell, which expands and executes shell syntax in the text of the user",
            "every argument is quoted; a test checks arguments with shell syntax", hostile::hostile_texts_reach_a_task_as_they_were_written),
        ("an image that runs its entry point", "", SCHEMA, "without `cmd` and `args`, the entry point of the image runs; `cmd` and `args` exclude each other",
            "each app has a `cmd`, and no app has `args`", an_app_has_a_command_of_its_own_and_never_the_image_s),
        ("GPUs with the Docker runtime", "dcos#resource-kinds", In("Marathon: GPU resources only work with the Mesos containerizer"), "the schema of Marathon accepts GPUs with the Docker runtime, but its validation code refuses them",
            "all containers use the Mesos runtime", gpus_come_with_the_runtime_that_has_them),
        ("a restart after a task has finished", "dcos#restarts-without-end", In("Marathon, docs/backoff.md"), "Marathon restarts an app after every exit of its task, even after exit code 0",
            "the app keeps running after its program has exited, until the cleanup step removes it", a_task_that_nobody_wants_again_stays_and_is_not_started_elsewhere),
        ("a task that runs twice after its agent is lost", "", In("Marathon, unreachableStrategy"), "Marathon starts a second copy of the task on another agent, while the first may still run on the unreachable agent",
            "Marathon starts a second copy only if the job requests a restart", a_restart_without_end_is_marathon_s_own),
        ("a health check that kills a task", "", In("Marathon, health checks"), "after three failed checks, Marathon kills the task, even if its program has finished and therefore no longer listens",
            "the health check is configured so that Marathon never kills a task", a_health_check_never_kills_a_task_that_has_stopped_to_listen),
        ("a fixed port without requirePorts", "", In("Marathon, ports.md"), "without `requirePorts`, a task can get another port than the fixed one",
            "`requirePorts` is set on the host network, and no port mapping has a host port", ports::tasks_on_the_host_s_network_hold_the_very_port),
        ("a rendezvous port that an evaluator reserves without need", "", In("TensorFlow, where evaluators start no server"), "an agent gives each port to one task, so an evaluator that reserves the port needs an agent without a worker",
            "an evaluator reserves its rendezvous port only if its shim answers on the port or the spec uses it", ports::an_evaluator_takes_no_port_of_its_agent),
        ("a rendezvous port that a worker reserves without need", "", In("torch.distributed (env://), where rank 0 listens on MASTER_PORT; the tracker of Rabit and the scheduler of ps-lite do the same"), "an agent gives each port to one task, so two workers that reserve the same port never share an agent",
            "a worker reserves its rendezvous port only if its shim answers on the port or the spec uses it", ports::tasks_that_only_call_take_no_port_of_their_agents),
        ("a port that Marathon selects", "dcos#picked-ports", In("Marathon, ports.md"), "Marathon replaces port 0 with a free port when the task starts",
            "the command of the task reads the port from `$PORT0`", ports::a_port_that_marathon_picks_is_told_by_marathon),
        ("an environment variable that changes directories of the job", "", In("Marathon, which runs cmd as /bin/sh -c"), "a variable such as `CDPATH`, exported before `cd`, changes the target of `cd`",
            "the command resolves directories before it sets the environment variables of the job", hostile::folders_are_where_the_platform_says),
        ("a `files` entry with the name of another directory in the sandbox", "Mesos, launcher/fetcher.cpp", In("Mesos, launcher/fetcher.cpp"), "all downloaded files, the scratch directory, and the code share one sandbox, so equal names collide",
            "the directory name of each `files` entry begins with `files-`", files_have_a_folder_that_is_nothing_else_s),
        ("an archive with a directory `scratch`", "Mesos, launcher/fetcher.cpp", In("Mesos, launcher/fetcher.cpp"), "the fetcher unpacks the archive into the sandbox, so a scratch directory with the name `scratch` would contain files of the archive",
            "the name of the scratch directory has the prefix `tfjob-`", an_archive_in_the_sandbox_has_no_folder_of_the_task_s_own),
        ("TensorBoard without the account of the job", "", In("Marathon, app.raml"), "TensorBoard is a separate app, which lacks the account, credentials, and environment variables of the job",
            "TensorBoard gets the account and the environment variables that all roles share, and the secrets that its block names", a_tensorboard_has_what_all_roles_share),
        ("environment variables that Marathon sets", "Marathon, TaskBuilder.scala", In("Marathon, TaskBuilder.commandInfo"), "Marathon sets `HOST`, `PORT`, and `PORTS` for every task, and the program may use these names for something else",
            "environment variables of the spec override those of Marathon", what_the_job_says_wins_over_marathon),
        ("a program named like a shell keyword", "", In("Marathon, which runs cmd as /bin/sh -c"), "the shell interprets a program name such as `if` or `test` as a keyword or builtin",
            "arguments are quoted, so the shell does not interpret them as syntax", hostile::a_program_may_be_called_as_the_shell_calls_its_own),
        ("an environment variable that breaks the command of the app", "", In("Marathon, which runs cmd as /bin/sh -c"), "with the `PATH` of the job, the command may not find its tools: the program does not start, or a loop without `sleep` uses a full core",
            "the command uses its own `PATH`, and sets the variables of the job only for the program", hostile::no_variable_of_the_job_breaks_the_command_around_it),
        ("an image without basic tools", "", In("Marathon, which runs cmd as /bin/sh -c"), "if the image has no `sleep`, a loop that waits with it uses a full core forever",
            "if `sleep` is missing, the shell suspends itself", hostile::a_command_without_any_tool_does_not_loop),
        ("an HDFS URI with the host name `default`", "Mesos, launcher/fetcher.cpp", In("DFSClient of Hadoop: UnknownHostException: default"), "agents download with the Hadoop client, which treats `default` as a host name and fails with `UnknownHostException`",
            "the artifacts contain HDFS URIs without a host name", an_agent_fetches_from_its_own_name_node_by_no_name),
        ("a URI that is too long", "", In("Marathon, field fetch.uri"), "Marathon refuses a URI of more than 1024 characters in `fetch`",
            "such a URI is reported before submission", a_uri_longer_than_marathon_takes_is_refused),
        ("a group that is too large", "", In("ZooKeeper, limit jute.maxbuffer"), "every app lists the addresses of all peers, so a large group exceeds the size limit of ZooKeeper, where Marathon stores it",
            "in jobs with many tasks, the shim generates the list of addresses", a_group_does_not_grow_with_the_square_of_its_tasks),
    ])
}

fn an_archive_in_the_sandbox_has_no_folder_of_the_task_s_own() {
    // The fetcher unpacks the code into the sandbox, and an archive may contain a directory with this name.
    let spec =
        marathon("code \"https://h/a.tgz\"", "").replace("\"train.py\"", "\"{code}/scratch\" \"{scratch}\"");
    let cmd = apps(&spec)[0]["cmd"].as_str().unwrap().to_owned();
    assert!(cmd.contains("\"${MESOS_SANDBOX-}\"/scratch \"${MESOS_SANDBOX-}\"/tfjob-scratch\n"), "{cmd}");
}

fn files_have_a_folder_that_is_nothing_else_s() {
    let stage = |name: &str| format!("files \"{name}\" \"https://f.example.com/{name}.txt\"");
    let spec = marathon(&format!("{}; {}; {}", stage("scratch"), stage("code"), stage("v")), "")
        .replace("\"train.py\"", "\"{scratch}\" \"{files.scratch}\" \"{files.code}\"");
    let app = &apps(&spec)[0];
    let names: Vec<_> =
        app["fetch"].as_array().unwrap().iter().map(|f| f["destPath"].as_str().unwrap()).collect();
    assert_eq!(names, ["files-scratch/scratch.txt", "files-code/code.txt", "files-v/v.txt"]);
    assert!(
        app["cmd"].as_str().unwrap().contains("mkdir -p \"${MESOS_SANDBOX-}\"/tfjob-scratch\n"),
        "{}",
        app["cmd"]
    );
}

fn a_tensorboard_has_what_all_roles_share() {
    let job = "checkpoints \"s3a://b/ck\"; tensorboard port=8090 { secrets \"AWS_KEY\" \"CERT\"; }
        secret \"OTHER\" from=\"other\"
        env { AWS_ENDPOINT \"https://s3\"; OWN \"{index}\" }
        secret \"AWS_KEY\" from=\"aws\"; secret \"CERT\" from=\"cert\" at=\"/etc/cert\"; user \"ml\"
        target \"dcos\" { enterprise #true }";
    let spec = workers(job, "")
        .replace("image \"ml/mnist:1.0\"", "image \"ml/mnist:1.0\" pull-secret=\"registry\" pull=\"always\"")
        .replace("role \"worker\"", "role \"chief\" { run \"python\" \"c.py\"; env { CHIEF \"1\" }; resources cpus=1 memory=\"1GiB\" }\n role \"worker\"");
    let apps = apps(&spec);
    let board = apps.iter().find(|app| app["id"].as_str().unwrap().ends_with("/tensorboard")).unwrap();
    assert_eq!(board["user"], "ml");
    assert_eq!(board["container"]["docker"]["pullConfig"]["secret"], "pull-secret");
    assert_eq!(board["container"]["docker"]["forcePullImage"], true);
    assert_eq!(board["secrets"]["pull-secret"]["source"], "registry");
    assert_eq!(board["secrets"]["AWS_KEY"]["source"], "aws");
    let expected = serde_json::json!({
        "AWS_ENDPOINT": "https://s3", "AWS_KEY": {"secret": "AWS_KEY"}, "CERT": "/etc/cert"
    });
    assert_eq!(board["env"], expected);
    assert_eq!(
        board["container"]["volumes"][0],
        serde_json::json!({"containerPath": "/etc/cert", "secret": "CERT"})
    );
}

fn a_uri_longer_than_marathon_takes_is_refused() {
    let code = |letters| marathon(&format!("code \"https://f.example.com/{}.zip\"", "x".repeat(letters)), "");
    assert_eq!(compiled(&analyzed(&code(999)), "dcos").0.len(), 1);
    assert_eq!(apps(&code(998))[0]["fetch"][0]["uri"].as_str().unwrap().len(), 1024);
}

fn every_count_of_the_package_is_said_for_its_own_are_two_and_three() {
    let found = options(&package("", "", ""));
    assert_eq!(found["worker"]["count"], 1);
    assert_eq!(found["parameter_server"]["count"], 0);
    assert_eq!(found["gpu_worker"]["count"], 0);
    let gpu = options(&package("", "", "").replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=2"));
    assert_eq!((&gpu["worker"]["count"], &gpu["gpu_worker"]["count"]), (&0.into(), &1.into()));
    assert_eq!((&gpu["gpu_worker"]["gpus"], &gpu["worker"]["port"]), (&2.into(), &2222.into()));
}

fn numbers_of_the_package_are_numbers_and_small_ones_have_three_decimals() {
    let found = options(&package("", "", "").replace("cpus=1", "cpus=0.1"));
    assert_eq!(found["worker"]["cpus"].to_string(), "0.1");
    assert_eq!(found["worker"]["mem"].to_string(), "1024");
}

fn a_key_of_a_bucket_has_no_way_into_the_options() {
    let text = options(&package("checkpoints \"gs://b/ckpt\"", "", "gcs-key-secret #true")).to_string();
    assert!(text.contains("\"use_gcs_key_secret\":true") && !text.contains("\"gcs_key\""), "{text}");
}

fn an_app_has_a_command_of_its_own_and_never_the_image_s() {
    for app in apps(&marathon("", "")).iter().chain(&apps(&workers("", ""))) {
        assert!(app["cmd"].as_str().unwrap().contains("exec \"$@\""));
        assert_eq!((app.get("args"), &app["instances"]), (None, &1.into()));
    }
}

fn gpus_come_with_the_runtime_that_has_them() {
    let app = &apps(&marathon("", "").replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=2"))[0];
    assert_eq!((&app["gpus"], &app["container"]["type"]), (&2.into(), &"MESOS".into()));
}

fn a_task_that_nobody_wants_again_stays_and_is_not_started_elsewhere() {
    let app = &apps(&marathon("", ""))[0];
    assert!(app["cmd"].as_str().unwrap().contains("\nwhile sleep 3600 & wait \"$!\"; do :; done\n"));
    assert_eq!(
        (&app["backoffSeconds"], &app["unreachableStrategy"]),
        (&31_536_000.into(), &"disabled".into())
    );
}

fn a_restart_without_end_is_marathon_s_own() {
    let app =
        &apps(&marathon("", "restart \"on-failure\" backoff=\"10s\" max-backoff=\"1m\" { codes 42 143 }"))[0];
    let command = app["cmd"].as_str().unwrap();
    assert!(command.contains("case $code in 42|143) exit \"$code\";; esac\nPATH="), "{command}");
    assert_eq!((&app["backoffSeconds"], &app["backoffFactor"]), (&10.into(), &2.into()));
    assert_eq!(app["maxLaunchDelaySeconds"], 60);
    assert_eq!(app["unreachableStrategy"]["inactiveAfterSeconds"], 0);
    let app = &apps(&marathon("", "restart \"always\""))[0];
    assert!(app["cmd"].as_str().unwrap().ends_with("\nexec \"$@\""));
}

fn a_health_check_never_kills_a_task_that_has_stopped_to_listen() {
    let app = &apps(&workers("", "ready tcp=\"rendezvous\""))[0];
    let check = &app["healthChecks"][0];
    assert_eq!((&check["protocol"], &check["port"]), (&"MESOS_TCP".into(), &2222.into()));
    assert_eq!(check["maxConsecutiveFailures"], i32::MAX);
}

#[test]
fn an_evaluator_stands_in_its_own_tf_config_only() {
    let role = |name: &str| {
        format!("role \"{name}\" {{\n run \"python\" \"t.py\"\n resources cpus=1 memory=\"1GiB\"\n }}\n")
    };
    let roles = ["chief", "ps", "evaluator"].map(role).join("");
    let spec =
        marathon(&roles, "").replace("version=\"2.15\"", "version=\"2.15\" strategy=\"parameter-server\"");
    for app in apps(&spec) {
        let config: Value = serde_json::from_str(app["env"]["TF_CONFIG"].as_str().unwrap()).unwrap();
        let id = app["id"].as_str().unwrap();
        assert_eq!(config["cluster"].get("evaluator").is_some(), id == "/mnist/evaluator-0", "{id}");
        let host = format!("{}-mnist.marathon.autoip.dcos.thisdcos.directory", &id["/mnist/".len()..]);
        assert_eq!(app["env"]["TFJOB_ADDRESS"], host);
    }
}

#[test]
fn a_duty_comes_with_the_shim_and_its_contract() {
    let spec =
        workers("start timeout=\"5m\"\n target \"dcos\" { shim url=\"https://f.example.com/shim\" }", "");
    let lowered = written(&spec);
    let (contract, _) = lowered.contract.as_ref().unwrap();
    for (index, app) in artifact(&lowered)["apps"].as_array().unwrap().iter().enumerate() {
        let fetch = app["fetch"].as_array().unwrap().last().unwrap();
        assert_eq!((&fetch["executable"], &fetch["destPath"]), (&true.into(), &"tfjob-shim".into()));
        assert_eq!(app["env"]["TFJOB_CONTRACT_TEXT"], contract.write_base64());
        assert_eq!(app["env"]["TFJOB_INDEX"], index.to_string());
        assert!(app["cmd"].as_str().unwrap().contains("/tfjob-shim --contract-env TFJOB_CONTRACT_TEXT"));
    }
    assert!(written(&workers("", "")).contract.is_none());
}

#[test]
fn an_option_leaves_a_trace() {
    let specs = [
        marathon("target \"dcos\" { as \"marathon\"; version \"2.1\"; enterprise #true; group \"/ml\"; shim url=\"https://f.example.com/s\"; gpu-model-attribute \"gpu\"; }", "target \"dcos\" { patch \"user: nobody\" }"),
        package(
            "kerberos principal=\"tf@EXAMPLE.COM\" keytab=\"secret:KEYTAB\"\n secret \"KEYTAB\" from=\"keytab\" at=\"/keytab\"",
            "target \"dcos\" { disk-type \"MOUNT\"; patch \"port: 2224\" }",
            "as \"package\"; version \"1.11\"; enterprise #true; job-path \"a/b\"; hdfs-config \"http://h.example.com/c\"; gcs-key-secret #true; region \"r\"; service-account \"a\" secret=\"s\"; kdc \"k.example.com\" port=88; patch \"service: { log_level: DEBUG }\"",
        ).replace("; patch \"service: { log_level: DEBUG }\"", "; patch \"service: { user: tf }\""),
    ];
    for spec in specs {
        let lowered = written(&spec);
        let traces = lowered.traces();
        let analysis = analyzed(&spec);
        let plan = analysis.plan.as_ref().unwrap();
        let blocks = plan
            .targets
            .get("dcos")
            .into_iter()
            .chain(plan.roles.iter().filter_map(|r| r.targets.get("dcos")));
        for leaf in blocks.flat_map(tfjob_lang::tree::Tree::leaves) {
            assert!(traces.contains(&leaf), "{} left nothing", analysis.sources.slice(leaf));
        }
    }
}

fn a_group_does_not_grow_with_the_square_of_its_tasks() {
    let many = |tasks: u32| {
        let spec = workers("target \"dcos\" { shim url=\"https://f.example.com/shim\" }", "");
        written(&spec.replace("count=2", &format!("count={tasks}"))).artifacts[0].text.len()
    };
    let (few, more) = (many(300), many(600));
    assert!(more < few * 21 / 10, "{few} bytes for 300 tasks, {more} for 600");
    let without = workers("", "").replace("count=2", "count=257");
    let found = compiled(&analyzed(&without), "dcos").0;
    assert_eq!(found.iter().map(|d| d.code.name).collect::<Vec<_>>(), ["missing-option"]);
}

fn what_the_job_says_wins_over_marathon() {
    let names = ["HOST", "PORT", "PORT0", "PORTS", "TASK_HOST"];
    let env: String = names.iter().map(|name| format!("{name} \"own\"; ")).collect();
    let app = apps(&marathon(&format!("env {{ {env} }}"), "port \"web\" 7000"))[0].clone();
    for name in names {
        assert_eq!(app["env"][name], "own", "{app:#}");
    }
    let reads = marathon("env { PORT0 \"own\" }", "port \"web\" \"auto\"");
    let (errors, _) = compiled(&analyzed(&reads), "dcos");
    assert!(errors.iter().any(|d| d.message.contains("`PORT0`")), "the command reads it: {errors:#?}");
}

fn an_agent_fetches_from_its_own_name_node_by_no_name() {
    let target = "target \"dcos\" { shim url=\"hdfs://default/apps/tfjob-shim\" }";
    let spec = workers(
        &format!(
            "code \"hdfs://default/a/code.tgz\"; files \"v\" \"hdfs://nn:8020/v.tgz\"; start timeout=\"5m\"; {target}"
        ),
        "",
    );
    let app = &apps(&spec)[0];
    let uris: Vec<_> = app["fetch"].as_array().unwrap().iter().map(|f| f["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, ["hdfs:///a/code.tgz", "hdfs://nn:8020/v.tgz", "hdfs:///apps/tfjob-shim"]);
}

/// Mesos downloads all URI schemes except those of web servers and local files with a Hadoop client, which it does not include.
#[test]
fn the_step_that_submits_says_what_agents_need_to_fetch() {
    for (code, needed) in [
        ("code \"hdfs://nn:8020/a/code.tgz\"; files \"v\" \"s3a://b/v.tgz\"", Some("`hdfs:` and `s3a:`")),
        ("code \"gs://b/code.tgz\"", Some("`gs:`")),
        ("code \"https://h.example.com/code.tgz\"; files \"v\" \"file:///opt/v.tgz\"", None),
        ("checkpoints \"hdfs://nn:8020/ck\"", None),
    ] {
        let (errors, lowered) = compiled(&analyzed(&workers(code, "")), "dcos");
        let lowered = lowered.unwrap_or_else(|| panic!("{code}: {errors:#?}"));
        let said: Vec<_> = lowered.steps.iter().filter(|step| step.why.contains("Hadoop client")).collect();
        assert_eq!(said.len(), usize::from(needed.is_some()), "{code}");
        assert!(said.iter().all(|step| step.why.contains(needed.unwrap_or_default())), "{code}: {said:?}");
    }
}

/// The package passes the checkpoint location to `main` as `log_dir`, and provides the files of `hdfs-config` to its tasks.
#[test]
fn the_package_uses_checkpoints_that_no_argument_names() {
    let told = |spec: &str| {
        let (all, _) = crate::pitfalls::found(&analyzed(spec), "dcos");
        let names = all.iter().map(|d| d.code.name);
        names.filter(|name| ["unused-declaration"].contains(name)).collect::<Vec<_>>()
    };
    let state = "checkpoints \"hdfs://default/ml/ckpt\"";
    assert_eq!(told(&package(state, "", "hdfs-config \"https://files.example.com/conf\"")), [""; 0]);
    assert_eq!(told(&marathon(state, "")), ["unused-declaration"]);
}
