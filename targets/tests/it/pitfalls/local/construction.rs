//! Pitfalls of a local run that no spec can contain, because tfjob never writes such artifacts.
use super::compiled::{good, many, one};
use crate::pitfalls::{Built, In, built};
use serde_json::json;
use tfjob_contract::{RoleKind, Success, When};

/// Returns all rows.
#[rustfmt::skip]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("the same rendezvous port for all tasks", "bind(2)", In("the man page bind(2): `EADDRINUSE`"), "all tasks run on the same machine, so only one of them can open the port, and the others fail",
            "each task gets a free port", every_task_finds_its_peers_in_a_variable),
        ("parameter servers that never exit", "", In("TensorFlow's `Server.join`"), "a parameter server never exits, so a job that waits for it never finishes",
            "the job does not wait for long-running roles: `tfjob run` stops them when the job ends", who_serves_is_stopped_and_not_waited_for),
        ("a missing checkpoint directory", "the shim's checkpoints.rs", In("the man page mkdir(2)"), "the program fails when it writes its first checkpoint, for example after the first epoch",
            "before the start, `tfjob run` creates checkpoint directories and checks that input files exist", what_is_read_must_be_there_and_state_is_made),
        ("GPUs shared by all tasks", "CUDA Programming Guide", In("the CUDA Programming Guide: `CUDA_VISIBLE_DEVICES`"), "each process allocates memory on every visible GPU, so several tasks compete for the memory of the same GPUs",
            "`CUDA_VISIBLE_DEVICES` of each task contains only its own GPUs, or is empty", gpus_are_counted_out),
        ("a path relative to the current directory", "path_resolution(7)", In("the man page path_resolution(7)"), "the system resolves a relative path against the current directory, not against the directory of the spec",
            "relative paths of the spec begin with a variable that contains the directory of the spec", paths_beside_the_spec_are_absolute_to_the_program),
        ("a program that has finished and does not exit", "", In("TensorFlow's `ClusterCoordinator`"), "after the loss of a worker, a chief finishes all steps, but its Python interpreter hangs when it exits",
            "a program can report its completion with a file (`{done}`); `tfjob run` then stops the program", who_says_that_it_is_done_is_heard),
    ])
}

fn every_task_finds_its_peers_in_a_variable() {
    let outcome = good(&many("", ""));
    let contract = outcome.json();
    assert_eq!(contract["peers"], json!({"given": {"env": "TFJOB_PEERS", "pointer": ""}}));
    assert_eq!(contract["role"], json!({"env": "TFJOB_TASK_ROLE"}));
    assert_eq!(contract["index"], json!({"env": "TFJOB_TASK_INDEX"}));
    assert_eq!(outcome.step, ["tfjob", "run", "t.tfjob.kdl"]);
}

fn who_serves_is_stopped_and_not_waited_for() {
    let serving = |text: &str| -> (Success, Vec<String>) {
        let job = good(text).job;
        let serving = job.roles.iter().filter(|role| role.serves.0);
        (job.success.0, serving.map(|role| role.name.0.clone()).collect())
    };
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    assert_eq!(serving(&many("", "")), (Success::Chief, words(&["worker", "ps", "evaluator"])));
    let estimator = |success: &str| many(success, "").replace("parameter-server", "estimator");
    assert_eq!(serving(&estimator("success \"workers\"")), (Success::Workers, words(&["ps", "evaluator"])));
    assert_eq!(serving(&estimator("success \"all\"")), (Success::All, words(&["ps"])));
    assert_eq!(serving(&one("", "")), (Success::Workers, Vec::new()));
}

fn what_is_read_must_be_there_and_state_is_made() {
    let top = "code \"./src/\"\n files \"conf\" \"file:///etc/c.json\"\n data \"d\" \"./d\"\n checkpoints \"./state\" every=\"10m\"\n stop grace=\"90s\"";
    let outcome = good(&one(top, ""));
    let words =
        |list: &[tfjob_lang::origin::Traced<String>]| list.iter().map(|w| w.0.clone()).collect::<Vec<_>>();
    assert_eq!(words(&outcome.job.needs), ["./src", "/etc/c.json", "./d"]);
    assert_eq!(words(&outcome.job.makes), ["./state"]);
    assert_eq!(outcome.job.grace.0, 90);
    let duties = &outcome.json()["duties"];
    assert_eq!(duties["checkpoints"], json!({"path": "./state", "every": 600}));
    assert_eq!(duties["grace"], 90);
    assert_eq!(good(&one("", "")).job.grace.0, 30);
    let addresses = "data \"d\" \"s3a://b/d\"\n checkpoints \"s3a://b/c\"";
    let outcome = good(&one(addresses, ""));
    assert!(outcome.job.needs.is_empty() && outcome.job.makes.is_empty());
    assert_eq!(outcome.contract.duties, None);
}

fn gpus_are_counted_out() {
    let job = many("", "").replacen("count=2 {\n", "count=2 {\n GPUS\n", 1);
    let job = job.replace(
        "GPUS\n run \"python\" \"t.py\"\n resources cpus=1",
        "run \"python\" \"t.py\"\n resources gpus=2 cpus=1",
    );
    let outcome = good(&job);
    let gpus: Vec<_> = outcome.job.roles.iter().map(|role| role.gpus.0).collect();
    assert_eq!(gpus, [0, 2, 0, 0]);
    let shown: Vec<_> = outcome.contract.roles.iter().map(|role| role.gpus).collect();
    assert_eq!(shown, [Some(0), Some(2), Some(0), Some(0)]);
}

fn who_says_that_it_is_done_is_heard() {
    let words = good(&many("", "run \"python\" \"t.py\" \"--done={done}\""));
    let roles = &words.json()["roles"];
    assert_eq!(roles[1]["run"]["argv"][2], json!([{"text": "--done="}, "done"]));
    assert_eq!((&roles[1]["duties"]["done"], &roles[0]["duties"]["done"]), (&json!(true), &json!(null)));
    let shell = good(&one("", "shell \"python t.py && touch $TFJOB_DONE\""));
    assert_eq!(shell.json()["roles"][0]["duties"]["done"], true);
    assert_eq!(good(&one("", "shell \"python t.py\"")).contract.roles[0].duties, None);
}

fn paths_beside_the_spec_are_absolute_to_the_program() {
    let run = "run \"python\" \"{code}/t.py\" \"{data.d}\" \"{checkpoints}\" \"{scratch}\"";
    let outcome = good(&one("code \"./src\"\n data \"d\" \"./d\"\n checkpoints \"./c\"", run));
    let role = &outcome.json()["roles"][0];
    let here = |path: &str| json!([{"env": "TFJOB_HERE"}, {"text": path}]);
    assert_eq!(role["run"]["argv"][1], here("/src/t.py"));
    assert_eq!(role["run"]["argv"][2], here("/d"));
    assert_eq!(role["run"]["argv"][3], here("/c"));
    assert_eq!(role["run"]["argv"][4][0], json!({"env": "TFJOB_SCRATCH"}));
    assert_eq!(role["workdir"], here("/src"));
}

#[test]
fn a_file_of_code_is_run_in_its_folder() {
    for (code, folder) in [("./a/t.py", "/a"), ("./t.py", ""), ("./", "")] {
        let outcome = good(&one(&format!("code \"{code}\""), "run \"python\" \"{code}\""));
        let workdir = &outcome.json()["roles"][0]["workdir"];
        assert_eq!(workdir, &json!([{"env": "TFJOB_HERE"}, {"text": folder}]), "{code}");
    }
    let outcome = good(&one("code \"file:///opt/t.py\"", ""));
    assert_eq!(outcome.json()["roles"][0]["workdir"], json!([{"text": "/opt"}]));
    assert_eq!(outcome.job.needs[0].0, "/opt/t.py");
}

#[test]
fn order_and_readiness_are_told_apart() {
    let text = many("", "after \"ps\" when=\"ready\"\n after \"chief\" when=\"started\"")
        .replace("role \"ps\" {", "role \"ps\" { ready tcp=\"rendezvous\";");
    let outcome = good(&text);
    let after: Vec<_> =
        outcome.job.roles[1].after.iter().map(|after| (after.0.role.as_str(), after.0.when)).collect();
    assert_eq!(after, [("ps", When::Ready), ("chief", When::Started)]);
    let contract = outcome.json();
    assert_eq!(contract["roles"][2]["duties"], json!({"ready": {"tcp": "rendezvous"}}));
    assert_eq!(contract["roles"][1].get("duties"), None);
}

#[test]
fn a_tensorboard_is_one_more_role() {
    let top = "checkpoints \"./c\"\n env { LEVEL \"1\"; }\n secret \"TOKEN\" from=\"store\"\n secret \"OTHER\" from=\"store\"\n tensorboard port=6007 { secrets \"TOKEN\"; }";
    let outcome = good(&one(top, ""));
    let board = outcome.job.roles.last().unwrap();
    assert_eq!((board.name.0.as_str(), board.kind, board.serves.0), ("tensorboard", RoleKind::Helper, true));
    let secrets: Vec<&str> = board.secrets.iter().map(|secret| secret.0.as_str()).collect();
    assert_eq!(secrets, ["TOKEN"]);
    let role = &outcome.json()["roles"][1];
    let argv = json!([[{"text": "tensorboard"}], [{"text": "--logdir="}, {"env": "TFJOB_HERE"}, {"text": "/c"}],
        [{"text": "--host=127.0.0.1"}], [{"text": "--port=6007"}]]);
    assert_eq!(role["run"]["argv"], argv);
    assert_eq!(role["env"], json!([["LEVEL", [{"text": "1"}]]]));
}

#[test]
fn a_contract_can_be_rendered_for_every_task() {
    let outcome = good(&many("checkpoints \"s3a://b/c\"\n tensorboard", ""));
    let peers = json!({"chief": ["127.0.0.1:1"], "worker": ["127.0.0.1:2", "127.0.0.1:3"], "ps": ["127.0.0.1:4"], "evaluator": ["127.0.0.1:5"]});
    for task in outcome.contract.tasks() {
        let env = [("TFJOB_PEERS", peers.to_string()), ("TFJOB_HERE", "/h".to_owned())];
        let env = env.map(|(name, value)| (name.to_owned(), value)).into();
        let rendered =
            tfjob_contract::render(&outcome.contract, &task, &env, &mut tfjob_contract::PlaceholderMachine)
                .unwrap();
        let config = rendered.env.iter().find(|(name, _)| name == "TF_CONFIG");
        assert_eq!(config.is_some(), task.role != "tensorboard", "{task:?}");
    }
}
