//! Environment, command, and working directory of one task, as the kubelet sets them for a compiled Pod.
use super::expand::expand;
use super::quantity::Quantity;
use crate::contract_builder;
use serde_json::Value;
use std::collections::BTreeMap;
use tfjob_contract::MOST_BYTES;
use tfjob_lang::lowered::{Lowered, TaskView};

/// The Pod template of a task, and the fields of its Pod that are known before the Pod runs.
pub struct Who<'j> {
    /// Pod template.
    pub template: &'j Value,
    /// Fields that the kind of job sets, such as `metadata.name`.
    pub fields: BTreeMap<&'static str, String>,
}

impl Who<'_> {
    /// Returns the value of an environment variable with `valueFrom`, if it is known. Otherwise returns the name of its source in
    /// `<…>`.
    pub fn value(&self, source: &Value, container: &Value) -> String {
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
        if let Some(known) = self.fields.get(path) {
            return Some(known.clone());
        }
        if path == "spec.serviceAccountName" {
            let account = self.template["spec"]["serviceAccountName"].as_str();
            return Some(account.unwrap_or("default").to_owned());
        }
        let (map, key) = path.strip_prefix("metadata.")?.split_once("['")?;
        let value = &self.template["metadata"][map][key.strip_suffix("']")?];
        value.as_str().map(str::to_owned)
    }
}

/// What the controller of a job, such as the training operator, adds to the environment of a task.
pub struct Own {
    /// Environment variable that the controller appends to those of the container: name and value.
    pub variable: Option<(String, String)>,
    /// Name of the component that sets the rendezvous variables, if the shim does not set them.
    pub rendezvous: &'static str,
}

/// Returns environment, command, and working directory of one task. `container`: name of the container in which the program runs.
pub fn view(
    lowered: &Lowered,
    container: &str,
    who: &Who<'_>,
    own: Own,
    (role, index): (&str, u32),
) -> TaskView {
    let containers = who.template["spec"]["containers"].as_array().map_or(&[][..], Vec::as_slice);
    let container = containers.iter().find(|c| c["name"] == container).unwrap_or(&Value::Null);
    let mut env = environment(container, who);
    env.extend(own.variable);
    if let Some((contract, _)) = &lowered.contract {
        return contract_builder::view(contract, env, role, index);
    }
    let words =
        ["command", "args"].into_iter().flat_map(|key| container[key].as_array().into_iter().flatten());
    let argv = words.filter_map(Value::as_str).map(|word| expand(word, &env)).collect();
    let workdir = container["workingDir"].as_str().map(str::to_owned);
    TaskView { env, argv, workdir, rendezvous: own.rendezvous.to_owned(), fault: None }
}

/// Returns a limit or a request of a container as `resourceFieldRef` shows it: divided by its `divisor`, and rounded up. `None` if
/// the container sets no such limit or request.
fn amount(name: &str, source: &Value, container: &Value) -> Option<String> {
    let (side, resource) = name.split_once('.')?;
    let value = Quantity::of(&container["resources"][side][resource])?;
    let divisor = Quantity::of(&source["divisor"]).filter(|divisor| !divisor.is_zero());
    let divisor = divisor.or_else(|| Quantity::parse("1"))?;
    let foreign = source["containerName"].as_str().is_some_and(|name| container["name"] != name);
    (!foreign).then(|| value.in_units_of(divisor).to_string())
}

/// Returns the environment variables of a container, expanded in order. For a variable from a Secret, the value is the name of its
/// source. If the variables together have more than twice the bytes that Linux allows, only the first ones are included.
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
