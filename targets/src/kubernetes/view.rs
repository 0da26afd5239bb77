//! Environment, command, and working directory of one task, as the operator and the kubelet set them for the compiled TFJob.
use super::operator;
use crate::pod;
use crate::pod::view::{Own, Who};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use tfjob_lang::lowered::{Lowered, TaskView};
use tfjob_lang::plan::{Plan, RoleId};

/// The TF_CONFIG that the operator writes: compact JSON with sorted roles, as Go formats it.
#[derive(Serialize)]
struct Config {
    cluster: BTreeMap<String, Vec<String>>,
    task: Task,
    environment: &'static str,
}

/// The field `task` of TF_CONFIG.
#[derive(Serialize)]
struct Task {
    r#type: String,
    index: u32,
}

/// The sparse TF_CONFIG that the operator writes with `enableDynamicWorker`. For a worker, it contains the worker itself and all
/// parameter servers. For a parameter server, it contains only the server itself.
#[derive(Serialize)]
struct SparseConfig {
    cluster: SparseCluster,
    task: Task,
}

/// The field `cluster` of a sparse TF_CONFIG.
#[derive(Serialize)]
struct SparseCluster {
    worker: BTreeMap<String, String>,
    ps: Option<Vec<String>>,
}

/// Returns environment, command, and working directory of one task.
pub fn view(plan: &Plan, lowered: &Lowered, role: RoleId, index: u32) -> TaskView {
    let tfjob =
        lowered.artifacts.first().and_then(|a| a.documents.first()).map_or(&Value::Null, |d| &d.value);
    let name = plan.roles[role].name.value.as_str();
    let config = tf_config(tfjob, name, index);
    let rendezvous = if config.is_some() { "the operator" } else { "none (single task)" };
    let own = Own { variable: config.map(|config| ("TF_CONFIG".to_owned(), config)), rendezvous };
    let who = who(plan, tfjob, role, index);
    pod::view::view(lowered, operator::PODS.container, &who, own, (name, index))
}

/// Returns the Pod template of a task, and the fields of its Pod that are known before the Pod runs.
pub fn who<'j>(plan: &Plan, tfjob: &'j Value, role: RoleId, index: u32) -> Who<'j> {
    let name = |key: &str| tfjob["metadata"][key].as_str().unwrap_or_default();
    let own = format!("{}-{}-{index}", name("name"), plan.roles[role].name.value);
    Who {
        template: &tfjob["spec"]["tfReplicaSpecs"][operator::key(plan, role)]["template"],
        fields: BTreeMap::from([
            (operator::PODS.index, index.to_string()),
            ("metadata.name", own),
            ("metadata.namespace", name("namespace").to_owned()),
        ]),
    }
}

/// Returns the TF_CONFIG that the operator adds to the container `tensorflow`. `None` if all roles with a replica type have one
/// replica in total.
fn tf_config(tfjob: &Value, role: &str, index: u32) -> Option<String> {
    let specs = tfjob["spec"]["tfReplicaSpecs"].as_object()?;
    let replicas = |spec: &Value| spec["replicas"].as_u64().unwrap_or(1);
    let known = specs.iter().filter(|(key, _)| operator::known_type(key).is_some());
    if known.map(|(_, spec)| replicas(spec)).sum::<u64>() == 1 {
        return None;
    }
    let name = |key: &str| tfjob["metadata"][key].as_str().unwrap_or_default();
    let host = |role: &str, i: u64, port: u64| {
        format!("{}-{role}-{i}.{}.svc:{port}", name("name"), name("namespace"))
    };
    let all = |role: &str, spec: &Value| -> Vec<String> {
        (0..replicas(spec)).map(|i| host(role, i, port(spec))).collect()
    };
    let task = Task { r#type: role.to_owned(), index };
    if tfjob["spec"]["enableDynamicWorker"] == true {
        return Some(sparse(specs, task, all));
    }
    let cluster =
        specs.iter().map(|(key, spec)| (key.to_lowercase(), all(&key.to_lowercase(), spec))).collect();
    Some(json(&Config { cluster, task, environment: "cloud" }))
}

fn sparse(
    specs: &serde_json::Map<String, Value>,
    task: Task,
    all: impl Fn(&str, &Value) -> Vec<String>,
) -> String {
    let listed = |key: &str| specs.get(key).map(|spec| all(&key.to_lowercase(), spec));
    let own = |key: &str| listed(key).and_then(|list| list.get(task.index as usize).cloned());
    let mut cluster = SparseCluster { worker: BTreeMap::new(), ps: Some(Vec::new()) };
    match task.r#type.as_str() {
        "worker" => {
            cluster.worker.extend(own("Worker").map(|host| (task.index.to_string(), host)));
            cluster.ps = listed("PS");
        }
        "ps" => cluster.ps = Some(own("PS").into_iter().collect()),
        _ => {}
    }
    json(&SparseConfig { cluster, task })
}

/// Returns the rendezvous port of a role: the port named `tfjob-port` or, without one, the port that the operator adds.
fn port(spec: &Value) -> u64 {
    let containers = spec["template"]["spec"]["containers"].as_array();
    let ports = containers.into_iter().flatten().filter(|c| c["name"] == "tensorflow");
    let mut ports = ports.flat_map(|c| c["ports"].as_array().into_iter().flatten());
    let named = ports.find(|p| p["name"] == "tfjob-port").and_then(|p| p["containerPort"].as_u64());
    named.unwrap_or_else(|| u64::from(operator::DEFAULT_PORT))
}

fn json(config: &impl Serialize) -> String {
    serde_json::to_string(config).expect("strings, numbers, and lists are JSON")
}

#[cfg(test)]
mod tests;
