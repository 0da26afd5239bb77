//! Ports that tasks reserve on their agents: the rendezvous port only if a process listens on it.
use super::{apps, marathon, workers};
use serde_json::{Value, json};

/// A framework, the role that listens, and a role with tasks that only connect to it.
const CALLERS: &[(&str, &str, &str)] = &[
    ("framework \"pytorch\" version=\"2.1\"", "master", "worker"),
    ("framework \"xgboost\" version=\"1.7\"", "master", "worker"),
    ("framework \"mxnet\" version=\"1.6\"", "scheduler", "worker"),
    ("framework \"mxnet\" version=\"1.6\"", "scheduler", "server"),
];

/// Returns the ports of each app of such a job, with these entries in the job and in the role.
fn taken(framework: &str, first: &str, job: &str, words: &str, caller: &str) -> Vec<(String, Value)> {
    let run = "run \"python\" \"t.py\"\n resources cpus=1 memory=\"1GiB\"";
    let mut roles = vec![first];
    roles.extend((first == "scheduler").then_some("server"));
    let others: String = roles
        .into_iter()
        .map(|name| {
            let words = if name == caller { words } else { "" };
            format!("role \"{name}\" {{\n {run}\n {words}\n }}\n")
        })
        .collect();
    let own = if caller == "worker" { words } else { "" };
    let spec = marathon(&format!("{job}\n{others}"), own)
        .replace("role \"worker\"", "role \"worker\" count=2")
        .replace("{addresses.ROLE}", &format!("{{addresses.{caller}}}"))
        .replace("framework \"tensorflow\" version=\"2.15\"", framework);
    apps(&spec)
        .iter()
        .map(|app| {
            let ports = app["portDefinitions"].as_array().into_iter().flatten();
            (app["id"].as_str().unwrap().to_owned(), ports.map(|port| port["port"].clone()).collect())
        })
        .collect()
}

pub fn tasks_that_only_call_take_no_port_of_their_agents() {
    let shim = "start timeout=\"5m\"; target \"dcos\" { shim url=\"https://f.example.com/shim\"; }";
    for (framework, first, caller) in CALLERS {
        for (job, words, port) in [
            ("", "", json!([])),
            ("", "port \"rendezvous\" 2300", json!([2300])),
            ("", "port \"web\" 8888", json!([8888])),
            ("", "env { PEERS \"{addresses.ROLE}\"; }", json!([2222])),
            ("", "env { PORT_OF_MINE \"{port.rendezvous}\"; }", json!([2222])),
            (shim, "", json!([2222])),
        ] {
            for (id, ports) in taken(framework, first, job, words, caller) {
                let told = format!("{framework}: {id}, {job} {words}");
                if id.starts_with(&format!("/mnist/{caller}-")) {
                    assert_eq!(ports, port, "{told}");
                } else if id.starts_with(&format!("/mnist/{first}-")) {
                    assert_eq!(ports, json!([2222]), "{told}");
                }
            }
        }
    }
}

/// A single task has no peers, but a helper or an argument of the task may use its port.
#[test]
fn a_single_task_takes_the_port_that_a_text_names() {
    let lone = |server: &str, client: &str| {
        let role = |entry: &str, run: &str| {
            format!("{entry} {{ run \"/a\" {run}; resources cpus=1 memory=\"1GiB\"; }}\n")
        };
        let spec = format!(
            "job \"lone\" {{\nframework \"custom\"\nimage \"a/b:1\"\n{}{}}}\n",
            role("role \"server\"", server),
            role("helper \"client\"", client)
        );
        let app = apps(&spec).into_iter().find(|app| app["id"] == "/lone/server-0").expect("the role's app");
        app["portDefinitions"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|port| port["port"].clone())
            .collect::<Value>()
    };
    assert_eq!(lone("", ""), json!([]));
    assert_eq!(lone("", "\"{addresses.server}\""), json!([2222]));
    assert_eq!(lone("\"{address}\"", ""), json!([2222]));
    assert_eq!(lone("\"--port={port.rendezvous}\"", ""), json!([2222]));
}

pub fn an_evaluator_takes_no_port_of_its_agent() {
    let taken = |job: &str, evaluator: &str, id: &str| {
        let role = |name: &str, more: &str| {
            format!(
                "role \"{name}\" {{\n run \"python\" \"t.py\"\n resources cpus=1 memory=\"1GiB\"\n {more}\n }}\n"
            )
        };
        let roles = format!("{job}\n{}{}{}", role("chief", ""), role("ps", ""), role("evaluator", evaluator));
        let spec = marathon(&roles, "")
            .replace("version=\"2.15\"", "version=\"2.15\" strategy=\"parameter-server\"");
        let apps = apps(&spec);
        let app = apps.iter().find(|app| app["id"] == id).unwrap();
        app["portDefinitions"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|port| port["port"].clone())
            .collect::<Vec<_>>()
    };
    let (shim, evaluator) = (
        "start timeout=\"5m\"; target \"dcos\" { shim url=\"https://f.example.com/shim\"; }",
        "/mnist/evaluator-0",
    );
    assert!(taken("", "", evaluator).is_empty());
    for (job, words, id, port) in [
        ("", "", "/mnist/ps-0", 2222),
        ("", "port \"rendezvous\" 2300", evaluator, 2300),
        ("", "port \"web\" 8888", evaluator, 8888),
        ("", "env { PORT \"{port.rendezvous}\"; }", evaluator, 2222),
        (shim, "", evaluator, 2222),
    ] {
        assert_eq!(taken(job, words, id), [json!(port)], "{job} {words} {id}");
    }
}

pub fn tasks_on_the_host_s_network_hold_the_very_port() {
    for app in apps(&workers("", "")) {
        assert_eq!((&app["requirePorts"], &app["portDefinitions"][0]["port"]), (&true.into(), &2222.into()));
    }
    for app in apps(&workers("network \"dcos\"", "")) {
        assert_eq!((app.get("portDefinitions"), app.get("requirePorts")), (None, None));
        let mapping = &app["container"]["portMappings"][0];
        assert_eq!((&mapping["containerPort"], mapping.get("hostPort")), (&2222.into(), None));
    }
}

pub fn a_port_that_marathon_picks_is_told_by_marathon() {
    let spec = marathon("", "port \"web\" \"auto\"\n ready tcp=\"web\"")
        .replace("\"train.py\"", "\"train.py\" \"--web={port.web}\"");
    let app = &apps(&spec)[0];
    let command = app["cmd"].as_str().unwrap();
    assert!(command.contains("set -- python train.py '--web='\"${PORT0-}\"\n"), "{command}");
    assert!(command.contains("export TFJOB_PORT_WEB=\"${PORT0-}\"\n"), "{command}");
    assert_eq!(app["env"].get("TFJOB_PORT_WEB"), None);
    assert_eq!(
        (&app["portDefinitions"][0]["port"], &app["healthChecks"][0]["portIndex"]),
        (&0.into(), &0.into())
    );
}
