//! How a container knows its task and its peers. Each contract is tested with the whole environment that a real engine has set.
//! Only paths and the names of users and hosts were changed in these files.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::request::{analyze, request};
use std::collections::BTreeMap;
use tfjob_contract::{Contract, PlaceholderMachine, Source, render};
use tfjob_driver::Loaded;
use tfjob_lang::sources::Format;
use tfjob_targets::ALL;

const BASE: &str = include_str!("../../conformance/e2e.d/proof.tfjob.kdl");
/// The task of every row.
const TASK: (&str, u32) = ("worker", 1);

/// One engine: the spec that its target has compiled, and the environment of worker 1.
struct Row {
    target: &'static str,
    spec: &'static str,
    found: &'static str,
    /// Returns the address of a task that the engine gives to the program.
    at: fn(&str, u32) -> String,
}

fn rows() -> Vec<Row> {
    vec![
        // The environment of the shim in a container of the NodeManager of Hadoop 3.3.6: `conformance/e2e yarn`.
        Row {
            target: "yarn",
            spec: include_str!("../../conformance/e2e.d/yarn.tfjob.kdl"),
            found: include_str!("who/yarn.env"),
            at: |role, index| format!("{role}-{index}.proof.ada.ycluster:2222"),
        },
        // The environment of the shim in a Pod that training-operator 1.9 created: `conformance/e2e kubernetes`.
        Row {
            target: "kubernetes",
            spec: include_str!("../../conformance/e2e.d/kubernetes.tfjob.kdl"),
            found: include_str!("who/kubernetes.env"),
            at: |role, index| format!("proof-{role}-{index}.default.svc:2222"),
        },
        // The environment that an agent of DC/OS 1.8 (Mesos 1.0.1, Marathon) sets, according to public logs of its `docker run -e
        // …`.
        Row {
            target: "dcos",
            spec: include_str!("../../conformance/e2e.d/dcos.tfjob.kdl"),
            found: include_str!("who/dcos.env"),
            at: |role, index| format!("{role}-{index}-proof.marathon.autoip.dcos.thisdcos.directory:2222"),
        },
        // The environment that Spark 3.5.9, TensorFlowOnSpark 2.2.5, and the code of the node set: `conformance/e2e spark`.
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
        // The environment that `tfjob run` sets, as a program reads it from its parent process.
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

/// tfjob has no target for `TonY`. A contract reads role and index from its variables `JOB_NAME` and `TASK_INDEX`, or from
/// `TF_CONFIG`.
#[test]
fn what_tony_sets_names_its_task_twice() {
    // The environment of worker 1 in a job of TonY 0.4.7 on Hadoop 2.10.0, with two workers and a parameter server.
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

/// Returns the variables of a recorded environment.
fn env(found: &str) -> BTreeMap<String, String> {
    let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    found.lines().filter_map(pair).collect()
}

/// Returns the contract that the shim of a row's task reads, wherever the target puts it.
fn contract(row: &Row) -> Contract {
    contract_of(row, BASE)
}

/// Returns the contract of another job for the same row. `base`: text of the spec that the row's spec extends.
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
            let around: serde_json::Value = serde_saphyr::from_str(file("configmap.yaml")).unwrap();
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
