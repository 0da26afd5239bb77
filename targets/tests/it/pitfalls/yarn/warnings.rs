//! Pitfalls that depend on the cluster: tfjob warns about them only if they are possible. Also: very long commands.
use super::{HADOOP, bare, component, lowered, many, one, yarnfile};
use crate::pitfalls::Seen::In;
use crate::pitfalls::{Pitfall, analyzed, compiled, rows};
use serde_json::Value;
use std::collections::BTreeMap;
use tfjob_contract::{Contract, PlaceholderMachine, render};
use tfjob_targets::ALL;

/// Pitfalls that tfjob warns about: fractions of a core, queue paths, and files that may be missing.
#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let cpus = |n: &str| one("", "", "").replace("cpus=1", &format!("cpus={n}"));
    let board = |n: &str| one(&format!("tensorboard logs=\"s3a://b/l\" {{ resources cpus={n} memory=\"2GiB\"; }}"), "", "hadoop \"3.3\"");
    let mut all = rows("rounded-up", vec![
        ("a fraction of a core that is cut off", "yarn#whole-cores", HADOOP, "YARN cuts off the fraction without a message: 1.9 cores become 1",
            cpus("1.9"), "1.9", "`cpus=1.9` is rounded up to 2", cpus("2")),
        ("half a core that becomes zero", "yarn#whole-cores", HADOOP, "YARN cuts 0.5 cores to 0, and refuses 0 at submission",
            cpus("0.5"), "0.5", "is rounded up to 1", cpus("1")),
        ("a fraction of a core for TensorBoard", "", HADOOP, "YARN cuts off the fraction without a message: 1.5 cores become 1",
            board("1.5"), "tensorboard logs=\"s3a://b/l\" { resources cpus=1.5 memory=\"2GiB\"; }", "`cpus=1.5` of TensorBoard is rounded up to 2", board("2")),
    ]);
    let queue = |words: &str| one("", "workdir \"/app\"", words);
    all.extend(rows("queue-path", vec![
        ("a queue path before Hadoop 3.3", "3.2.4: CapacitySchedulerQueueManager.getQueue", In("CapacitySchedulerQueueManager of 3.2.4 and CSQueueStore of 3.3.0"),
            "before Hadoop 3.3, the Capacity Scheduler finds a queue only by the last part of its path, and refuses the job: unknown queue `root.ml.ads`",
            queue("queue \"root.ml.ads\""), "\"root.ml.ads\"", "before Hadoop 3.3, the Capacity Scheduler cannot find", queue("queue \"root.ml.ads\"; hadoop \"3.3\"")),
        ("a patched queue path before Hadoop 3.3", "3.2.4: CapacitySchedulerQueueManager.getQueue", In("CapacitySchedulerQueueManager of 3.2.4 and CSQueueStore of 3.3.0"),
            "before Hadoop 3.3, the Capacity Scheduler finds a queue only by the last part of its path, and refuses the job: unknown queue `root.ads`",
            queue("hadoop \"3.2.4\"; patch \"queue: root.ads\""), "\"queue: root.ads\"", "before Hadoop 3.3, the Capacity Scheduler cannot find", queue("hadoop \"3.2.4\"; patch \"queue: ads\"")),
        ("a queue path without its root", "3.3.6: CSQueueStore.get", In("CSQueueStore of 3.3.6"),
            "the Capacity Scheduler finds a queue only by its full path or by the last part, and refuses the job: unknown queue `ml.ads`",
            queue("hadoop \"3.3.6\"; queue \"ml.ads\""), "\"ml.ads\"", "the Capacity Scheduler cannot find", queue("hadoop \"3.3.6\"; queue \"root.ml.ads\"")),
    ]));
    let shipped = "code \"hdfs://default/a.zip\"";
    let script = |job: &str, role: &str| bare(job, role, "").replace("\"python\" \"train.py\"", "\"./train.sh\"");
    let shell = |text: &str| one("", "", "").replace("run \"python\" \"train.py\"", &format!("shell \"{text}\""));
    let staged = |words: &str, job: &str| {
        let job = format!("files \"venv\" \"hdfs:///v.tgz\"; tensorboard logs=\"s3a://b/l\"; {job}");
        bare(&job, "", "hadoop \"3.3\"").replace("\"python\" \"train.py\"", words)
    };
    all.extend(rows("undelivered-file", vec![
        ("a script that the job does not deliver to its tasks", "", HADOOP, "the container exits with code 2, because the file does not exist",
            bare("", "", ""), "\"train.py\"", "yarn: `train.py` is not delivered", bare(shipped, "", "")),
        ("a program that the job does not deliver to its tasks", "", HADOOP, "the container exits with code 127, because the file does not exist",
            script("", ""), "\"./train.sh\"", "yarn: `./train.sh` is not delivered", script("", "workdir \"/opt/ml\"")),
        ("a script in the working directory of the image", "3.1.1 to 3.4.2: DockerLinuxContainerRuntime", In("DockerLinuxContainerRuntime.java"),
            "YARN passes a directory of the NodeManager to Docker as `--workdir`, so a program in the image's `WORKDIR` is not found",
            one("", "", ""), "\"train.py\"", "yarn: `train.py` is probably not found, because the task starts in a directory that the NodeManager creates", one("", "workdir \"/app\"", "")),
        ("a script in the working directory of the image, run by Python at an absolute path", "3.1.1 to 3.4.2: DockerLinuxContainerRuntime", In("DockerLinuxContainerRuntime.java"),
            "YARN starts the task in a directory of the NodeManager, so a script in the image's `WORKDIR` is not found",
            one("", "", "").replace("\"python\" \"train.py\"", "\"/usr/bin/python3.11\" \"-u\" \"train.py\""), "\"train.py\"", "yarn: `train.py` is probably not found",
            one("files \"train\" \"hdfs:///train.py\"", "", "").replace("\"python\" \"train.py\"", "\"/usr/bin/python3.11\" \"-u\" \"train.py\"")),
        ("a script in the working directory of the image, run by a shell", "3.1.1 to 3.4.2: DockerLinuxContainerRuntime", In("DockerLinuxContainerRuntime.java"),
            "YARN starts the task in a directory of the NodeManager, so a script in the image's `WORKDIR` is not found",
            shell("exec ./train.sh --fast"), "\"exec ./train.sh --fast\"", "yarn: `./train.sh` is probably not found", shell("cd /app; ./train.sh")),
        ("a script in the working directory of the image, run by a launcher", "3.1.1 to 3.4.2: DockerLinuxContainerRuntime", In("DockerLinuxContainerRuntime.java"),
            "YARN starts the launcher in a directory of the NodeManager, so a script in the image's `WORKDIR` is not found",
            one("", "", "").replace("\"python\" \"train.py\"", "\"torchrun\" \"--nproc_per_node=4\" \"train.py\""), "\"train.py\"", "yarn: `train.py` is probably not found",
            one("", "", "").replace("\"python\" \"train.py\"", "\"torchrun\" \"--nproc_per_node=4\" \"/app/train.py\"")),
        ("a script in the working directory of the image, after other commands", "3.1.1 to 3.4.2: DockerLinuxContainerRuntime", In("DockerLinuxContainerRuntime.java"),
            "YARN starts the task in a directory of the NodeManager, so a script in the image's `WORKDIR` is not found",
            shell("set -e; nvidia-smi; python train.py"), "\"set -e; nvidia-smi; python train.py\"", "yarn: `train.py` is probably not found",
            shell("set -e; cd /app; python train.py")),
        ("TensorBoard outside the Python environment of the tasks", "", In("bash(1), EXIT STATUS"),
            "if the node has no `tensorboard` in its `PATH`, the container exits with code 127 after every restart",
            staged("\"{files.venv}/bin/python\" \"/a.py\"", ""), "tensorboard logs=\"s3a://b/l\"",
            "yarn: TensorBoard may not start, because `tensorboard` comes from the node, not from `{files.venv}`",
            staged("\"python\" \"/a.py\"", "env { PATH \"{files.venv}/bin:{env.PATH}\"; }")),
    ]));
    all
}

fn said(text: &str) -> Vec<(&'static str, String)> {
    let analysis = analyzed(text);
    let found = analysis.compile(*ALL.iter().find(|t| t.name() == "yarn").unwrap());
    assert!(found.lowered.is_some(), "{:#?}", found.diagnostics);
    found.diagnostics.iter().map(|d| (d.code.name, d.message.clone())).collect()
}

/// By default, tasks use the network of the node.
#[test]
pub fn tasks_that_may_share_a_node_and_a_port_are_named() {
    let shared = |text: &str| said(text).into_iter().filter(|(code, _)| *code == "port-conflict").count();
    assert_eq!(shared(&many("", "", "").replace("network \"overlay\"", "")), 1);
    assert_eq!(shared(&many("", "", "").replace("overlay", "host")), 1);
    assert_eq!(shared(&many("", "", "")), 0);
    // A single task shares no port, and has no rendezvous.
    assert_eq!(shared(&one("", "port \"web\" 8080", "")), 0);
    let helper = "helper \"h\" { run \"x\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 8080 }";
    assert_eq!(shared(&one(helper, "port \"page\" 8080", "hadoop \"3.3\"")), 1);
}

/// The warning would be wrong for an order that YARN does not support. With `allow`, the roles start at the same time.
#[test]
pub fn a_role_that_waits_for_the_end_of_another_role_can_use_the_same_port() {
    let shared = |worker: &str, evaluator: &str, more: &str| {
        let text = format!(
            "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"custom\"\nimage \"a:1\"\nrun \"/a\"\n\
             success \"all\"\nresources cpus=1 memory=\"1GiB\"\nrole \"chief\"\nrole \"worker\" {worker}\n\
             role \"evaluator\" {{ {evaluator} }}\n{more}\ntarget \"yarn\" {{ hadoop \"3.3\"; dns-domain \"c\"; }}\n}}"
        );
        let found = crate::pitfalls::found(&analyzed(&text), "yarn").0;
        let facts = found.iter().filter(|d| d.code.name == "port-conflict").map(|d| d.message.clone());
        facts.collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    let done = "{ after \"chief\" when=\"done\"; }";
    let last = "after \"worker\" when=\"done\"";
    assert_eq!(shared(done, last, ""), none);
    let both = [
        "yarn: tasks of `worker` and `evaluator` may run on the same node, where all of them bind port 2222",
    ];
    assert_eq!(shared(done, "after \"worker\" when=\"started\"", ""), both);
    let two = ["yarn: two tasks of `worker` may run on the same node and both bind port 2222"];
    assert_eq!(shared(&format!("count=2 {done}"), last, ""), two);
    let all = [
        "yarn: tasks of `chief`, `worker`, and `evaluator` may run on the same node, where all of them bind port 2222",
    ];
    assert_eq!(shared(done, last, "allow \"after\" on=\"yarn\" because=\"x\""), all);
}

/// With framework `custom`, the rendezvous port counts only if a text of the job uses the port or an address.
#[test]
pub fn a_program_that_is_told_the_port_of_a_role_listens_there() {
    let shared = |framework: &str, learner: &str, actor: &str, more: &str| {
        let role = |name: &str, count: &str, command: &str| {
            format!("role \"{name}\" {count} {{ {command}; resources cpus=1 memory=\"1GiB\"; {more} }}\n")
        };
        let roles = role("learner", "", learner) + &role("actor", "count=16", actor);
        let text = format!(
            "job \"rl\" {{\nframework \"{framework}\"\nimage \"a:1\"\n{roles}\
             target \"yarn\" {{ hadoop \"3.3.4\"; dns-domain \"c\"; placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ml\"; }}\n}}\n"
        );
        said(&text)
            .into_iter()
            .filter(|(code, _)| *code == "port-conflict")
            .map(|(_, fact)| fact)
            .collect::<Vec<_>>()
    };
    let actors = ["yarn: two tasks of `actor` may run on the same node and both bind port 2222"];
    for (learner, actor) in [
        ("run \"/a\" \"{addresses.actor}\"", "run \"/a\""),
        ("run \"/a\"", "run \"/a\" \"--bind\" \"{address}\""),
        ("run \"/a\"", "run \"/a\" \"{port.rendezvous}\""),
        ("run \"/a\"", "run \"/a\" \"--port=2222\""),
        ("run \"/a\"", "run \"/a\"; env { PEERS \"{addresses.actor}\"; }"),
        ("shell \"/a $TFJOB_ADDRESSES_ACTOR\"", "run \"/a\""),
        ("run \"/a\"", "shell \"/a --port ${TFJOB_PORT_RENDEZVOUS}\""),
        ("run \"/a\"", "shell \"/a --bind $TFJOB_ADDRESS\""),
    ] {
        assert_eq!(shared("custom", learner, actor, ""), actors, "{learner} {actor}");
        assert!(
            shared("custom", learner, actor, "placement { spread \"host\"; }").is_empty(),
            "{learner} {actor}"
        );
    }
    for (learner, actor) in [
        ("run \"/a\"", "run \"/a\""),
        ("run \"/a\" \"{address}\"", "run \"/a\" \"{addresses.learner}\""),
        ("shell \"/a $TFJOB_ADDRESS\"", "shell \"/a $TFJOB_ADDRESSES_LEARNER\""),
        ("run \"/a\"", "run \"/a\" \"{port.web}\"; port \"web\" \"auto\""),
        ("run \"/a\"", "run \"/a\" \"12222\""),
    ] {
        assert!(shared("custom", learner, actor, "").is_empty(), "{learner} {actor}");
    }
}

/// Returns the spec with the edits of a help about ports: `` `ENTRY` in `role "NAME"` and `helper "NAME"` ``.
fn kept_apart(text: &str, help: &str) -> String {
    let mut text = text.to_owned();
    let quoted: Vec<&str> = help.split('`').collect();
    let mut entry = "";
    for (number, word) in quoted.iter().enumerate().skip(1).step_by(2) {
        let between = quoted[number - 1];
        if word.starts_with("port ") || word.starts_with("placement ") {
            entry = word;
        } else if word.starts_with("role ") || word.starts_with("helper ") {
            assert!(between == " in " || between == " and ", "{help}");
            let at = text.find(&format!("{word} ")).unwrap_or_else(|| panic!("{word}: {text}"));
            let open = at + text[at..].find('{').unwrap();
            // A port with the same name is replaced.
            let (name, _) = entry.rsplit_once(' ').unwrap();
            let block = open..open + text[open..].find('}').unwrap();
            if let Some(old) = text[block].find(name).map(|old| open + old) {
                let end = old + text[old..].find(';').unwrap();
                text.replace_range(old..=end, "");
            }
            text.insert_str(open + 1, &format!(" {entry}; "));
        } else if word.starts_with("target ") {
            let options = &word[word.find('{').unwrap() + 1..word.rfind('}').unwrap()];
            let at = text.find("target \"yarn\" {").unwrap() + "target \"yarn\" {".len();
            text.insert_str(at, &format!(" {}; ", options.trim().replace('…', "ml")));
        }
    }
    text
}

/// A job for several targets cannot select a network of YARN, so the help must also contain an edit without a network.
#[test]
pub fn the_help_of_a_shared_port_keeps_every_task_apart() {
    let job = |framework: &str, roles: &str| {
        format!(
            "job \"a\" {{\n{framework}\nimage \"a:1\"\nrun \"a\"\nresources cpus=1 memory=\"1GiB\"\n{roles}\n\
             target \"yarn\" {{ hadoop \"3.3\"; dns-domain \"cluster\"; }}\n}}"
        )
    };
    let servers = "framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"";
    let step = "framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"";
    let web = "helper \"h\" count=2 { port \"web\" 8080; }\nrole \"worker\" { port \"page\" 8080; }";
    for text in [
        job(step, "role \"chief\" { }\nrole \"worker\" { }"),
        job(step, "role \"worker\" count=2 { }"),
        job(servers, "role \"chief\" { }\nrole \"worker\" count=3 { }\nrole \"ps\" count=2 { }"),
        job(servers, "role \"chief\" { }\nrole \"worker\" count=3 { }\nrole \"ps\" { }"),
        job("framework \"tensorflow\" version=\"2.15\"", web),
        job(
            "framework \"custom\"",
            "role \"chief\" { run \"/a\" \"{addresses.worker}\"; }\nrole \"worker\" count=2 { }",
        ),
    ] {
        let told = |text: &str, target: &str| crate::pitfalls::found(&analyzed(text), target).0;
        let before = told(&text, "yarn");
        let help = before.iter().find(|d| d.code.name == "port-conflict").and_then(|d| d.help.clone());
        let after = kept_apart(&text, &help.unwrap_or_else(|| panic!("{text}\n{before:#?}")));
        for target in ["yarn", "kubernetes"] {
            let errors =
                |found: &[tfjob_lang::diagnostic::Diagnostic]| found.iter().filter(|d| d.is_error()).count();
            let now = told(&after, target);
            let shared = now.iter().any(|d| d.code.name == "port-conflict");
            assert!(!shared && errors(&now) == 0, "{target}: {after}\n{now:#?}");
        }
    }
}

/// Only Hadoop 3.3 and later support a component that decides when the service ends.
pub fn an_older_engine_leaves_the_end_of_the_job_to_the_shim() {
    let old = said(&many("", "", "hadoop \"3.2\""));
    let stops =
        |(code, text): &(&str, String)| *code == "emulated-feature" && text.contains("hadoop \"3.3\"");
    assert!(old.iter().any(stops), "{old:#?}");
    let new = said(&many("", "", "hadoop \"3.3\""));
    assert!(new.iter().all(|(_, text)| !text.contains("the shims stop")), "{new:#?}");
}

/// TensorBoard has its own contract, from which its shim learns which tasks decide job success.
pub fn a_board_ends_with_the_job_where_no_component_does() {
    let job =
        "hadoop home=\"/h\" java=\"/j\"; checkpoints \"hdfs://default/c\"; success \"workers\"; tensorboard";
    for release in ["3.1.2", "3.3"] {
        let text = many(job, "", &format!("hadoop \"{release}\"")).replace("parameter-server", "estimator");
        let board = component(&text, "tensorboard");
        assert_eq!(board["restart_policy"], "ON_FAILURE");
        let launch = board["launch_command"].as_str().unwrap();
        assert!(launch.ends_with("&& exec ./tfjob-shim --contract conf/tfjob-tensorboard.json"), "{launch}");
        let service = yarnfile(&text);
        let files = service["configuration"]["files"].as_array().unwrap();
        let file = files.iter().find(|file| file["dest_file"] == "tfjob-tensorboard.json").unwrap();
        let contract = Contract::read(file["properties"]["content"].as_str().unwrap()).unwrap();
        let me = contract.task(&BTreeMap::new()).unwrap();
        assert_eq!((me.role.as_str(), me.index), ("tensorboard", 0));
        let deciding = contract.deciding(contract.duties.as_ref().unwrap().ends_with.unwrap());
        let deciding: Vec<_> = deciding.iter().map(|task| format!("{}:{}", task.role, task.index)).collect();
        assert_eq!(deciding, ["chief:0", "worker:0", "worker:1"]);
        assert_eq!((contract.first_unsupported_duty(), contract.hadoop.as_ref()), (None, None));
        let env = BTreeMap::from([("USER".to_owned(), "ada".to_owned())]);
        let rendered = render(&contract, &me, &env, &mut PlaceholderMachine).unwrap();
        assert_eq!(rendered.argv[..4], ["/bin/sh", "-c", "exec \"$@\"", "tensorboard"]);
        assert_eq!(rendered.argv[4..6], ["tensorboard", "--logdir=hdfs://default/c"]);
        assert!(rendered.env.iter().all(|(name, _)| name != "TF_CONFIG"), "{:#?}", rendered.env);
    }
}

/// Without a rendezvous, nothing can end TensorBoard. If `allow` accepts this, the job must not need a shim that sees its completion.
#[test]
pub fn a_job_whose_board_is_accepted_as_unsupported_runs_without_it() {
    let allow = "tensorboard logs=\"gs://a/b\"; allow \"tensorboard\" on=\"yarn\" because=\"x\"";
    let service = yarnfile(&one(allow, "", ""));
    let names: Vec<&Value> =
        service["components"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["worker"]);
    assert_eq!(
        lowered(&one(allow, "", "")).contract.and_then(|(contract, _)| contract.first_unsupported_duty()),
        None
    );
}

#[test]
pub fn labels_are_left_out_with_a_word() {
    assert!(said(&one("labels { team \"ml\" }", "", "")).iter().any(|(code, _)| *code == "ignored-feature"));
}

/// The command is one argument of bash, unless the shim reads it from its contract.
#[test]
pub fn a_command_beyond_128_kib_needs_the_shim() {
    let words = |text: String, length: usize| text.replace("train.py", &"x".repeat(length));
    let told = |text: &str| {
        compiled(&analyzed(text), "yarn").0.iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    let long = told(&words(one("", "", ""), 131_000));
    assert!(
        matches!(long.as_slice(), [fact] if fact.contains(" bytes, but bash gets it as one argument, which can have at most ")),
        "{long:#?}"
    );
    assert!(told(&words(one("", "", ""), 100_000)).is_empty());
    assert!(told(&words(many("", "", "hadoop \"3.3\""), 131_000)).is_empty());
}
