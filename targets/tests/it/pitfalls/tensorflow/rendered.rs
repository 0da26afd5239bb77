//! Pitfalls of TF_CONFIG that no spec can contain, because tfjob generates TF_CONFIG.
use super::{BOTH, MAIN, NEW, SERVED, job, served, step};
use crate::pitfalls::{Built, analyzed, built};
use serde_json::{Value, json};
use tfjob_targets::ALL;

/// Returns all rows.
#[rustfmt::skip]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("an evaluator in the `cluster` field of the chief's TF_CONFIG", "", BOTH, "with ParameterServerStrategy, the chief waits for the evaluator forever",
            "on every target, only the TF_CONFIG of the evaluator lists the evaluator", only_the_evaluator_s_own_cluster_holds_it),
        ("an evaluator that is missing from the `cluster` field of its own TF_CONFIG", "", BOTH, "the evaluator raises `KeyError: 'evaluator'`",
            "on every target, the TF_CONFIG of the evaluator lists the evaluator", only_the_evaluator_s_own_cluster_holds_it),
        ("a TF_CONFIG without the task type or the task index", "", MAIN, "TensorFlow raises `you must also specify task_type and task_id`",
            "the compiler or the shim sets the role and the index of each task", every_task_is_itself),
        ("a task index beyond the task list", "", MAIN, "TensorFlow raises `The task_id 2 exceeds the maximum id of worker`",
            "tfjob generates the task list and the index from the same `count`", every_task_is_itself),
        ("a TF_CONFIG that does not list all workers", "", NEW, "a strategy counts only the workers in TF_CONFIG; if one is missing, the index of another worker exceeds that count",
            "each TF_CONFIG lists all tasks of the cluster", every_task_is_itself),
        ("a task address without a port or with a scheme", "", NEW, "the TensorFlow server does not start: `Could not interpret … as a host-port pair`",
            "tfjob generates addresses as `HOST:PORT` from validated names and port numbers", every_address_is_a_host_and_a_port),
        ("two tasks with the same address", "", NEW, "both tasks wait for each other, without a message",
            "all addresses of a cluster are different", every_address_is_a_host_and_a_port),
        ("a string in place of a list of tasks in TF_CONFIG", "", NEW, "TensorFlow raises `The tasks for job 'worker' must be a list`",
            "each role in TF_CONFIG has a list, even with one task", every_address_is_a_host_and_a_port),
        ("an empty TF_CONFIG", "", MAIN, "TensorFlow raises `JSONDecodeError`; a job without peers must leave TF_CONFIG unset",
            "a job with a single task has no TF_CONFIG", a_task_by_itself_has_none),
        ("a single worker with TF_CONFIG", "", NEW, "the worker starts a TensorFlow server, and SIGTERM has no effect on the worker",
            "a job with a single task has no TF_CONFIG", a_task_by_itself_has_none),
    ])
}

/// Returns target, role, index, and TF_CONFIG of the first and last task of each role, on each target that supports the job.
fn configs(text: &str) -> Vec<(&'static str, String, u32, Value)> {
    let analysis = analyzed(text);
    let plan = analysis.plan.as_ref().expect("a plan");
    let mut all = Vec::new();
    for target in ALL {
        for (number, role) in plan.roles.iter().enumerate() {
            for index in [0, role.count.value - 1] {
                let Some(view) = target.view(plan, number, index) else { continue };
                let Some(text) = view.env.get("TF_CONFIG") else { continue };
                let config = serde_json::from_str(text).expect("JSON");
                all.push((target.name(), role.name.value.clone(), index, config));
            }
        }
    }
    all
}

/// Returns jobs with several strategies, and with the DNS domain that one of the targets needs.
fn together() -> [String; 3] {
    let site = "target \"yarn\" { dns-domain \"c\" }; network \"overlay\"";
    let evaluated = [SERVED.as_slice(), &["\"evaluator\""]].concat();
    [served(site), step(site), job("parameter-server", site, &evaluated)]
}

fn only_the_evaluator_s_own_cluster_holds_it() {
    let [.., text] = together();
    let all = configs(&text);
    let targets: std::collections::BTreeSet<_> = all.iter().map(|(target, ..)| *target).collect();
    assert!(targets.len() >= 3, "{targets:?}");
    for (target, role, _, config) in all {
        assert_eq!(
            config["cluster"].get("evaluator").is_some(),
            role == "evaluator",
            "{target} {role}: {config}"
        );
    }
}

fn every_task_is_itself() {
    for text in together() {
        for (target, role, index, config) in configs(&text) {
            assert_eq!(config["task"], json!({ "type": role, "index": index }), "{target}");
            let peers = config["cluster"][&role].as_array().expect("a list").len();
            assert!((index as usize) < peers, "{target} {role}: {config}");
            let workers = config["cluster"]["worker"].as_array().expect("a list").len();
            assert_eq!(workers, 2, "{target} {role}: {config}");
        }
    }
}

fn every_address_is_a_host_and_a_port() {
    for text in together() {
        for (target, role, _, config) in configs(&text) {
            let lists = config["cluster"].as_object().expect("a cluster").values();
            let all: Vec<&str> = lists
                .flat_map(|l| l.as_array().expect("a list"))
                .map(|a| a.as_str().expect("text"))
                .collect();
            let distinct: std::collections::BTreeSet<_> = all.iter().collect();
            assert_eq!(distinct.len(), all.len(), "{target} {role}: {config}");
            for address in all {
                let (host, port) = address.split_once(':').expect("a port");
                // On Spark, tasks exchange their addresses when they start; a local run chooses the ports when it starts.
                let later = target == "spark" && port == "<port>"
                    || target == "local" && port.starts_with("<port of ");
                assert!(
                    later || !host.is_empty() && port.chars().all(|c| c.is_ascii_digit()),
                    "{target}: {address}"
                );
            }
        }
    }
}

fn a_task_by_itself_has_none() {
    let alone = [
        job("single", "", &["\"worker\""]),
        job("mirrored", "", &["\"chief\""]),
        job("multi-worker-mirrored", "", &["\"worker\""]),
    ];
    for text in alone {
        assert_eq!(configs(&text), Vec::new(), "{text}");
    }
}
