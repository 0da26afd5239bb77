//! What the operator and the kubelet make of our own TFJob, so that `show` prints what the process sees.
use super::operator;
use crate::carry;
use crate::pod::expand::expand;
use crate::pod::quantity::Quantity;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use tfjob_contract::MOST_BYTES;
use tfjob_lang::lowered::{Lowered, TaskView};
use tfjob_lang::plan::{Plan, RoleId};

/// The operator's TF_CONFIG: Go's compact JSON, the roles sorted.
#[derive(Serialize)]
struct Config {
    cluster: BTreeMap<String, Vec<String>>,
    task: Task,
    environment: &'static str,
}

/// Whose it is.
#[derive(Serialize)]
struct Task {
    r#type: String,
    index: u32,
}

/// The sparse form for jobs whose workers come back: a worker sees itself and all servers, a server itself.
#[derive(Serialize)]
struct SparseConfig {
    cluster: SparseCluster,
    task: Task,
}

/// Its cluster.
#[derive(Serialize)]
struct SparseCluster {
    worker: BTreeMap<String, String>,
    ps: Option<Vec<String>>,
}

/// What one task sees.
pub fn view(plan: &Plan, lowered: &Lowered, role: RoleId, index: u32) -> TaskView {
    let tfjob =
        lowered.artefacts.first().and_then(|a| a.documents.first()).map_or(&Value::Null, |d| &d.value);
    let spec = &tfjob["spec"]["tfReplicaSpecs"][operator::key(plan, role)]["template"]["spec"];
    let containers = spec["containers"].as_array().map_or(&[][..], Vec::as_slice);
    let container = containers.iter().find(|c| c["name"] == "tensorflow").unwrap_or(&Value::Null);
    let mut env = environment(container, &Who::new(plan, tfjob, role, index));
    let config = tf_config(tfjob, &plan.roles[role].name.value, index);
    let rendezvous = if config.is_some() { "the operator" } else { "nobody: the task is alone" };
    env.extend(config.map(|config| ("TF_CONFIG".to_owned(), config)));
    if let Some((contract, _)) = &lowered.contract {
        return carry::view(contract, env, &plan.roles[role].name.value, index);
    }
    let words =
        ["command", "args"].into_iter().flat_map(|key| container[key].as_array().into_iter().flatten());
    let argv = words.filter_map(Value::as_str).map(|word| expand(word, &env)).collect();
    let workdir = container["workingDir"].as_str().map(str::to_owned);
    TaskView { env, argv, workdir, rendezvous: rendezvous.to_owned(), fault: None }
}

/// What the API knows of a task's Pod before it runs.
pub struct Who<'j> {
    tfjob: &'j Value,
    template: &'j Value,
    role: &'j str,
    index: u32,
}

impl<'j> Who<'j> {
    /// Of one task.
    pub fn new(plan: &'j Plan, tfjob: &'j Value, role: RoleId, index: u32) -> Self {
        let template = &tfjob["spec"]["tfReplicaSpecs"][operator::key(plan, role)]["template"];
        Self { tfjob, template, role: &plan.roles[role].name.value, index }
    }

    /// The value of a variable from another source: known where the TFJob tells it, else the name of the source.
    fn value(&self, source: &Value, container: &Value) -> String {
        let text = |kind: &str, key: &str| source[kind][key].as_str().unwrap_or_default();
        if let Some(path) = source["fieldRef"]["fieldPath"].as_str() {
            return self.field(path).unwrap_or_else(|| format!("<field {path}>"));
        }
        if source.get("resourceFieldRef").is_some() {
            let name = text("resourceFieldRef", "resource");
            let amount = amount(name, &source["resourceFieldRef"], container);
            return amount.unwrap_or_else(|| format!("<resource {name}>"));
        }
        let [(kind, name, key), ..] = [
            ("secret", text("secretKeyRef", "name"), text("secretKeyRef", "key")),
            ("configmap", text("configMapKeyRef", "name"), text("configMapKeyRef", "key")),
            ("file", text("fileKeyRef", "path"), text("fileKeyRef", "key")),
        ]
        .into_iter()
        .filter(|(_, name, _)| !name.is_empty())
        .collect::<Vec<_>>()[..] else {
            return String::new();
        };
        format!("<{kind} {name} {key}>")
    }

    fn field(&self, path: &str) -> Option<String> {
        let name = |key: &str| self.tfjob["metadata"][key].as_str().unwrap_or_default();
        let account = &self.template["spec"]["serviceAccountName"];
        match path {
            "metadata.labels['training.kubeflow.org/replica-index']" => return Some(self.index.to_string()),
            "metadata.name" => return Some(format!("{}-{}-{}", name("name"), self.role, self.index)),
            "metadata.namespace" => return Some(name("namespace").to_owned()),
            "spec.serviceAccountName" => return Some(account.as_str().unwrap_or("default").to_owned()),
            _ => {}
        }
        let (map, key) = path.strip_prefix("metadata.")?.split_once("['")?;
        let value = &self.template["metadata"][map][key.strip_suffix("']")?];
        value.as_str().map(str::to_owned)
    }
}

/// A limit or a request of a container in units of a divisor, rounded up.
fn amount(name: &str, source: &Value, container: &Value) -> Option<String> {
    let (side, resource) = name.split_once('.')?;
    let value = Quantity::of(&container["resources"][side][resource])?;
    let divisor = Quantity::of(&source["divisor"]).filter(|divisor| !divisor.is_zero());
    let divisor = divisor.or_else(|| Quantity::parse("1"))?;
    let foreign = source["containerName"].as_str().is_some_and(|name| container["name"] != name);
    (!foreign).then(|| value.in_units_of(divisor).to_string())
}

/// The variables of a container in their order: each sees those above it. What a Secret holds is named, not known. More than
/// a process can be given are cut off.
pub fn environment(container: &Value, who: &Who<'_>) -> BTreeMap<String, String> {
    let mut env = BTreeMap::new();
    let mut room = 2 * MOST_BYTES;
    for variable in container["env"].as_array().into_iter().flatten() {
        let Some(name) = variable["name"].as_str() else { continue };
        let source = &variable["valueFrom"];
        let value = if source.is_null() {
            expand(variable["value"].as_str().unwrap_or_default(), &env)
        } else {
            who.value(source, container)
        };
        room = room.saturating_sub(name.len() + value.len());
        env.insert(name.to_owned(), value);
        if room == 0 {
            break;
        }
    }
    env
}

/// What the operator adds to the container `tensorflow`, if the job has more than one Pod in its five roles.
fn tf_config(tfjob: &Value, role: &str, index: u32) -> Option<String> {
    let specs = tfjob["spec"]["tfReplicaSpecs"].as_object()?;
    let replicas = |spec: &Value| spec["replicas"].as_u64().unwrap_or(1);
    let known = specs.iter().filter(|(key, _)| operator::known(key).is_some());
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

/// A role's port: the one that is named `tfjob-port`, else the one that the operator adds.
fn port(spec: &Value) -> u64 {
    let containers = spec["template"]["spec"]["containers"].as_array();
    let ports = containers.into_iter().flatten().filter(|c| c["name"] == "tensorflow");
    let mut ports = ports.flat_map(|c| c["ports"].as_array().into_iter().flatten());
    let named = ports.find(|p| p["name"] == "tfjob-port").and_then(|p| p["containerPort"].as_u64());
    named.unwrap_or_else(|| u64::from(operator::DEFAULT_PORT))
}

fn json(config: &impl Serialize) -> String {
    serde_json::to_string(config).expect("texts, numbers and lists are JSON")
}

#[cfg(test)]
mod tests;
