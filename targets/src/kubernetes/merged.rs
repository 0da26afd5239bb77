//! A TFJob with the user's patches in it: what the API server says of its Pods as a whole, only once they are made.
use super::grammar::is_label;
use super::life;
use crate::patch::Merged;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::plan::Plan;

/// Judges the Pods of every role.
pub fn judge(plan: &Plan, merged: &mut Merged<'_>) {
    for id in 0..plan.roles.len() {
        pod(&format!("/spec/tfReplicaSpecs/{}/template/spec", life::key(plan, id)), merged);
    }
}

fn pod(spec: &str, merged: &mut Merged<'_>) {
    let place = format!("{spec}/volumes");
    let mut volumes = BTreeSet::new();
    for (at, volume) in merged.items(&place) {
        let name = word(volume, "name");
        if !volumes.insert(name) {
            merged.fault(&[&at], &format!("two volumes are called `{name}`"));
        }
        let sources = volume.as_object().map_or(0, |keys| keys.len().saturating_sub(1));
        if sources != 1 {
            merged.fault(&[&at], &format!("the volume `{name}` has {sources} sources, and takes one"));
        }
    }
    let mut names = BTreeSet::new();
    for list in ["initContainers", "containers"] {
        for (at, container) in merged.items(&format!("{spec}/{list}")) {
            let name = word(container, "name");
            if name.is_empty() {
                merged.fault(&[&at], "a container has no name");
            } else if !is_label(name) {
                merged.fault(&[&format!("{at}/name"), &at], &format!("`{name}` is no name of a container"));
            } else if !names.insert(name) {
                merged.fault(&[&at], &format!("two containers are called `{name}`"));
            }
            if word(container, "image").is_empty() {
                merged.fault(&[&at], &format!("the container `{name}` has no image"));
            }
            mounts(&at, name, &volumes, &place, merged);
            amounts(&at, name, merged);
            variables(&at, merged);
            if list == "containers" && name == "tensorflow" {
                ports(&at, merged);
                words(&at, merged);
            }
        }
    }
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn mounts(container: &str, name: &str, volumes: &BTreeSet<&str>, place: &str, merged: &mut Merged<'_>) {
    let mut paths = BTreeSet::new();
    for (at, mount) in merged.items(&format!("{container}/volumeMounts")) {
        let volume = word(mount, "name");
        if !volumes.contains(volume) {
            let fact = format!("`{name}` mounts `{volume}`, and there is no such volume");
            merged.fault(&[&at, place], &fact);
        }
        let path = word(mount, "mountPath");
        if path.is_empty() {
            merged.fault(&[&at], &format!("`{name}` mounts `{volume}` at no path"));
        } else if !paths.insert(path) {
            merged.fault(&[&at], &format!("`{name}` mounts two things at `{path}`"));
        }
    }
}

/// What is reserved is at most the ceiling, and for a counted device the same.
fn amounts(container: &str, name: &str, merged: &mut Merged<'_>) {
    let (requests, limits) =
        (format!("{container}/resources/requests"), format!("{container}/resources/limits"));
    let Some(asked) = merged.at(&requests).as_object() else { return };
    for (resource, amount) in asked {
        let limit = &merged.at(&limits)[resource.as_str()];
        let places = [requests.as_str(), limits.as_str()]
            .map(|side| format!("{side}/{}", tfjob_lang::origin::pointer_step(resource)));
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        let device = resource.contains('/');
        match (quantity(amount), quantity(limit)) {
            (Some(amount), Some(limit)) if amount > limit => {
                merged.fault(&places, &format!("`{name}` requests more `{resource}` than its limit"));
            }
            (Some(amount), Some(limit)) if device && amount < limit => {
                merged.fault(&places, &format!("`{name}` requests less `{resource}` than its limit"));
            }
            (Some(_), None) if device => {
                merged.fault(&places, &format!("`{name}` requests `{resource}` without a limit"));
            }
            _ => {}
        }
    }
}

/// A quantity as a number: what [`super::patched`] lets pass.
fn quantity(value: &Value) -> Option<f64> {
    let text = value.as_str()?;
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].iter().position(|s| *s == suffix);
    let decimal = ["k", "M", "G", "T", "P", "E"].iter().position(|s| *s == suffix);
    let factor = match (binary, decimal, suffix) {
        (Some(power), ..) => 1024f64.powi(i32::try_from(power).ok()? + 1),
        (None, Some(power), _) => 1000f64.powi(i32::try_from(power).ok()? + 1),
        (None, None, "m") => 0.001,
        (None, None, _) => 1.0,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

fn variables(container: &str, merged: &mut Merged<'_>) {
    for (at, variable) in merged.items(&format!("{container}/env")) {
        let name = word(variable, "name");
        if name.is_empty() {
            merged.fault(&[&at], "a variable has no name");
        }
        let sources = variable["valueFrom"].as_object().map(serde_json::Map::len);
        let value = !word(variable, "value").is_empty();
        if sources.is_some_and(|sources| sources != 1 || value) {
            merged.fault(&[&at, &format!("{at}/valueFrom")], &format!("`{name}` has not one value"));
        }
    }
}

/// The words of the program are the job's: where they start the shim, TF_CONFIG, restarts and deadlines hang on them.
fn words(container: &str, merged: &mut Merged<'_>) {
    for key in ["command", "args"] {
        let at = format!("{container}/{key}");
        if merged.wrote(&at) && !merged.at(&at).is_null() {
            let fact = format!(
                "`{key}` of `tensorflow` is not what `run` or `shell` says: the job would run without what starts it"
            );
            merged.fault(&[&at], &fact);
        }
    }
}

/// The operator makes a Service of the ports, and adds the rendezvous' own: each needs a name and a number of its own.
fn ports(container: &str, merged: &mut Merged<'_>) {
    let (mut names, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    for (at, port) in merged.items(&format!("{container}/ports")) {
        let number = port["containerPort"].as_i64().unwrap_or_default();
        let protocol = port["protocol"].as_str().unwrap_or("TCP");
        let name = word(port, "name");
        if name.is_empty() {
            merged.fault(&[&at], &format!("port {number} has no name, which the operator's Service needs"));
        } else if !names.insert(name) {
            merged.fault(&[&at], &format!("two ports are called `{name}`"));
        }
        if !numbers.insert((number, protocol)) {
            merged.fault(&[&at], &format!("two ports have the number {number}: the Service is refused"));
        }
    }
}
