//! A TFJob with the user's patches in it: what the API server says of its Pods as a whole, only once they are made.
mod objects;

use super::quantity::Quantity;
use super::{life, published};
use crate::patch::Merged;
use crate::patch::published::Kind;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::plan::Plan;

/// Judges the Pods of every role.
pub fn judge(plan: &Plan, merged: &mut Merged<'_>) {
    merged.lost(&["volumes", "volumeMounts", "initContainers", "env", "ports"]);
    merged.typed("", Kind::Object(&published::TF_JOB), &mut objects::judge);
    for id in 0..plan.roles.len() {
        pod(&format!("/spec/tfReplicaSpecs/{}/template/spec", life::key(plan, id)), merged);
    }
}

fn pod(spec: &str, merged: &mut Merged<'_>) {
    let place = format!("{spec}/volumes");
    let mut volumes = BTreeSet::new();
    for (at, volume) in merged.items(&place) {
        let name = word(volume, "name");
        volumes.insert(name);
        let sources = volume.as_object().map_or(0, |keys| keys.len().saturating_sub(1));
        if sources != 1 {
            merged.fault(&[&at], &format!("the volume `{name}` has {sources} sources, and takes one"));
        }
    }
    let mut names = BTreeSet::new();
    host(spec, merged);
    for list in ["initContainers", "containers"] {
        let above = names.clone();
        for (at, container) in merged.items(&format!("{spec}/{list}")) {
            let name = word(container, "name");
            names.insert(name);
            if above.contains(name) {
                merged.fault(&[&at], &format!("two containers are called `{name}`"));
            }
            if word(container, "image").is_empty() {
                merged.fault(&[&at], &format!("the container `{name}` has no image"));
            }
            mounts(&at, name, &volumes, &place, merged);
            amounts(&at, name, merged);
            variables(&at, merged);
            if list == "initContainers" {
                early(&at, name, merged);
            }
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
        paths.insert(path);
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
        let domain = resource.split_once('/').map(|(domain, _)| domain);
        let device = domain.is_some_and(|domain| !domain.ends_with("kubernetes.io"));
        match (Quantity::of(amount), Quantity::of(limit)) {
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

/// Namespaces of the node that exclude each other, and what a Pod's own resolver needs.
fn host(spec: &str, merged: &mut Merged<'_>) {
    let is = |key: &str, value: bool| merged.at(&format!("{spec}/{key}")) == value;
    let (pid, ipc, network) = (is("hostPID", true), is("hostIPC", true), is("hostNetwork", true));
    let (shared, own) = (is("shareProcessNamespace", true), is("hostUsers", false));
    let fqdn = is("setHostnameAsFQDN", true);
    let named = !merged.at(&format!("{spec}/hostnameOverride")).is_null();
    let servers = merged.at(&format!("{spec}/dnsConfig/nameservers")).as_array().map_or(0, Vec::len);
    let none = merged.at(&format!("{spec}/dnsPolicy")) == "None";
    for (wrong, keys, fact) in [
        (pid && shared, ["hostPID", "shareProcessNamespace"], "`hostPID` excludes `shareProcessNamespace`"),
        (own && pid, ["hostPID", "hostUsers"], "`hostUsers: false` excludes `hostPID`"),
        (own && ipc, ["hostIPC", "hostUsers"], "`hostUsers: false` excludes `hostIPC`"),
        (own && network, ["hostNetwork", "hostUsers"], "`hostUsers: false` excludes `hostNetwork`"),
        (
            named && fqdn,
            ["hostnameOverride", "setHostnameAsFQDN"],
            "`hostnameOverride` excludes `setHostnameAsFQDN`",
        ),
        (named && network, ["hostnameOverride", "hostNetwork"], "`hostnameOverride` excludes `hostNetwork`"),
        (none && servers == 0, ["dnsPolicy", "dnsConfig"], "`dnsPolicy: None` needs `dnsConfig.nameservers`"),
        (servers > 3, ["dnsConfig/nameservers", "dnsConfig"], "`dnsConfig` takes at most 3 `nameservers`"),
    ] {
        if wrong {
            let places = keys.map(|key| format!("{spec}/{key}"));
            merged.fault(&[&places[0], &places[1]], fact);
        }
    }
}

/// A container that ends before the others start has no probes and no hooks; one that restarts always has.
fn early(container: &str, name: &str, merged: &mut Merged<'_>) {
    if merged.at(&format!("{container}/restartPolicy")) == "Always" {
        return;
    }
    for key in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
        let at = format!("{container}/{key}");
        if !merged.at(&at).is_null() {
            let fact =
                format!("the init container `{name}` has `{key}`, which needs `restartPolicy: Always`");
            merged.fault(&[&at], &fact);
        }
    }
}

fn variables(container: &str, merged: &mut Merged<'_>) {
    for (at, variable) in merged.items(&format!("{container}/env")) {
        let name = word(variable, "name");
        if variable["valueFrom"].is_object() && !word(variable, "value").is_empty() {
            let fact = format!("`{name}` has both `value` and `valueFrom`");
            merged.fault(&[&at, &format!("{at}/valueFrom")], &fact);
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
    // The operator adds its own only where no port has the name.
    let rendezvous =
        merged.items(&format!("{container}/ports")).any(|(_, port)| port["name"] == "tfjob-port");
    for (at, port) in merged.items(&format!("{container}/ports")) {
        let number = port["containerPort"].as_i64().unwrap_or_default();
        let protocol = port["protocol"].as_str().unwrap_or("TCP");
        let name = word(port, "name");
        if name.is_empty() {
            merged.fault(&[&at], &format!("port {number} has no name, which the operator's Service needs"));
        } else if !names.insert(name) {
            merged.fault(&[&at], &format!("two ports are called `{name}`"));
        }
        if number == i64::from(life::DEFAULT_PORT) && name != "tfjob-port" && !rendezvous {
            let fact =
                format!("port {number} of `{name}` is the port of the rendezvous, which the operator adds");
            merged.fault(&[&at], &fact);
        }
        if !numbers.insert((number, protocol)) {
            merged.fault(&[&at], &format!("two ports have the number {number}: the Service is refused"));
        }
    }
}
