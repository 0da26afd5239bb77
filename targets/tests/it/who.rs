//! Which task a container is, and whom it meets: the contract that each target writes, with the whole environment that a
//! real engine set. Paths, names of users and hosts in the captures are ours; every variable and its form is the engine's.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::request::{analyze, request};
use std::collections::BTreeMap;
use tfjob_contract::{Contract, PlaceholderMachine, Source, render};
use tfjob_driver::Loaded;
use tfjob_lang::sources::Format;
use tfjob_targets::ALL;

const BASE: &str = include_str!("../../conformance/e2e.d/proof.tfjob.kdl");
/// What every row is.
const TASK: (&str, u32) = ("worker", 1);

/// One engine: the spec that its target compiled, and all that worker 1 of it found.
struct Row {
    target: &'static str,
    spec: &'static str,
    found: &'static str,
    /// Where a task of a role is, as the program was told.
    at: fn(&str, u32) -> String,
}

fn rows() -> Vec<Row> {
    vec![
        // The shim's own environment in a container of Hadoop 3.3.6's node manager: `conformance/e2e yarn`.
        Row {
            target: "yarn",
            spec: include_str!("../../conformance/e2e.d/yarn.tfjob.kdl"),
            found: include_str!("who/yarn.env"),
            at: |role, index| format!("{role}-{index}.proof.ada.ycluster:2222"),
        },
        // The same in a Pod that training-operator 1.9 made: `conformance/e2e kubernetes`.
        Row {
            target: "kubernetes",
            spec: include_str!("../../conformance/e2e.d/kubernetes.tfjob.kdl"),
            found: include_str!("who/kubernetes.env"),
            at: |role, index| format!("proof-{role}-{index}.default.svc:2222"),
        },
        // What an agent of DC/OS 1.8 (Mesos 1.0.1, Marathon) says that it sets, in public logs of its `docker run -e …`.
        Row {
            target: "dcos",
            spec: include_str!("../../conformance/e2e.d/dcos.tfjob.kdl"),
            found: include_str!("who/dcos.env"),
            at: |role, index| format!("{role}-{index}-proof.marathon.autoip.dcos.thisdcos.directory:2222"),
        },
        // What Spark 3.5.9, TensorFlowOnSpark 2.2.5 and the job's own node code set: `conformance/e2e spark`.
        Row {
            target: "spark",
            spec: include_str!("../../conformance/e2e.d/spark.tfjob.kdl"),
            found: include_str!("who/spark.env"),
            at: |role, index| match (role, index) {
                ("chief", _) => "127.0.0.1:38341".to_owned(),
                ("ps", _) => "127.0.0.1:45075".to_owned(),
                (_, index) => format!("127.0.0.1:{}", [34345, 36119][index as usize]),
            },
        },
        // What `tfjob run` sets, seen by a program at its parent's environment.
        Row {
            target: "local",
            spec: BASE,
            found: include_str!("who/local.env"),
            at: |role, index| match (role, index) {
                ("chief", _) => "127.0.0.1:33635".to_owned(),
                ("ps", _) => "127.0.0.1:43379".to_owned(),
                (_, index) => format!("127.0.0.1:{}", [39457, 46653][index as usize]),
            },
        },
    ]
}

#[test]
fn the_contract_of_every_target_finds_its_task_in_what_the_engine_set() {
    let rows = rows();
    let names: Vec<_> = rows.iter().map(|row| row.target).collect();
    let missing: Vec<_> =
        ALL.iter().map(|target| target.name()).filter(|name| !names.contains(name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
    for row in rows {
        let (contract, env) = (contract(&row), env(row.found));
        let me = contract.task(&env).unwrap_or_else(|fault| panic!("{}: {fault}", row.target));
        assert_eq!((me.role.as_str(), me.index), TASK, "{}", row.target);
        let rendered = render(&contract, &me, &env, &mut PlaceholderMachine).unwrap();
        let told = rendered.env.iter().find(|(name, _)| name == "TF_CONFIG").map(|(_, value)| value.as_str());
        let all = |role: &str, count: u32| {
            let each: Vec<_> = (0..count).map(|index| format!("\"{}\"", (row.at)(role, index))).collect();
            format!("\"{role}\":[{}]", each.join(","))
        };
        let expected = format!(
            "{{\"cluster\":{{{},{},{}}},\"task\":{{\"type\":\"worker\",\"index\":1}}}}",
            all("chief", 1),
            all("ps", 1),
            all("worker", 2)
        );
        assert_eq!(told, Some(expected.as_str()), "{}", row.target);
    }
}

#[test]
fn every_target_hears_that_the_work_is_done() {
    let shell = ("run \"python3\" \"/opt/proof/task.py\"", "shell \"python3 task.py && touch $TFJOB_DONE\"");
    for row in rows() {
        let hearing = |base: &str| {
            let contract = contract_of(&row, base);
            let heard =
                contract.roles.iter().filter(|role| role.duties.as_ref().is_some_and(|duties| duties.done));
            heard.map(|role| role.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(hearing(BASE), ["chief"], "{}", row.target);
        let all = hearing(&BASE.replace(shell.0, shell.1));
        assert_eq!(all, ["chief", "worker", "ps"], "{}", row.target);
    }
}

/// `TonY` is no target yet: what it sets is read by its own two names, and by the words of its `TF_CONFIG`.
#[test]
fn what_tony_sets_names_its_task_twice() {
    // A container of TonY 0.4.7 on Hadoop 2.10.0: two workers and a ps, as worker 1 saw it.
    let env = env(include_str!("who/tony.env"));
    let any = Row { target: "local", spec: BASE, found: "", at: |_, _| String::new() };
    let named = |name: &str| Source::Env(name.to_owned());
    let json = |pointer: &str| Source::EnvJson { env: "TF_CONFIG".to_owned(), pointer: pointer.to_owned() };
    let pairs = [(named("JOB_NAME"), named("TASK_INDEX")), (json("/task/type"), json("/task/index"))];
    for (role, index) in pairs {
        let me = Contract { role, index, ..contract(&any) }.task(&env).unwrap();
        assert_eq!((me.role.as_str(), me.index), TASK);
    }
}

/// The lines of a capture.
fn env(found: &str) -> BTreeMap<String, String> {
    let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    found.lines().filter_map(pair).collect()
}

/// The contract that the shim of a row's task reads, wherever the target puts it.
fn contract(row: &Row) -> Contract {
    contract_of(row, BASE)
}

/// The same of another job below it.
fn contract_of(row: &Row, base: &str) -> Contract {
    let load =
        |_: &str, to: &str| Ok(Loaded { name: to.to_owned(), text: base.to_owned(), format: Format::Kdl });
    let text = if row.spec == BASE { base } else { row.spec };
    let analysis = analyze(&request(text).load(&load));
    let target = *ALL.iter().find(|target| target.name() == row.target).unwrap();
    let compiled = analysis.compile(target);
    let told: Vec<_> = compiled.diagnostics.iter().filter(|d| d.is_error()).map(|d| &d.message).collect();
    let lowered = compiled.lowered.unwrap_or_else(|| panic!("{}: {told:?}", row.target));
    let file = |path: &str| lowered.artifacts.iter().find(|a| a.path == path).unwrap().text.as_str();
    let json = |path: &str| serde_json::from_str::<serde_json::Value>(file(path)).unwrap();
    match row.target {
        "yarn" => {
            let service = json("Yarnfile.json");
            let files = service["configuration"]["files"].as_array().unwrap();
            let carried = files.iter().find(|file| file["dest_file"] == "tfjob-contract.json").unwrap();
            Contract::read(carried["properties"]["content"].as_str().unwrap()).unwrap()
        }
        "kubernetes" => {
            let around: serde_json::Value = serde_saphyr::from_str(file("around.yaml")).unwrap();
            Contract::read(around["data"]["contract.json"].as_str().unwrap()).unwrap()
        }
        "dcos" => {
            let group = json("marathon.json");
            let apps = group["apps"].as_array().unwrap();
            let app = apps.iter().find(|app| app["id"] == "/proof/worker-1").unwrap();
            Contract::read_encoded(app["env"]["TFJOB_CONTRACT_TEXT"].as_str().unwrap()).unwrap()
        }
        _ => Contract::read(file("contract.json")).unwrap(),
    }
}
