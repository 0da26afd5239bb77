//! Ports of the containers of a patched Pod.
use super::word;
use crate::kubernetes::operator;
use crate::patch::Merged;
use serde_json::Value;
use std::collections::BTreeSet;

/// Ports of the node: protocol, address and number.
pub type HostPorts = BTreeSet<(String, String, i64)>;

/// Judges the ports of a container. The operator makes a Service of those of the program.
pub fn judge(container: &str, program: bool, hosts: &mut HostPorts, merged: &mut Merged<'_>) {
    let (mut names, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    for (at, port) in merged.items(&format!("{container}/ports")) {
        let (name, number) = (word(port, "name"), port["containerPort"].as_i64().unwrap_or_default());
        if !name.is_empty() && !names.insert(name) {
            merged.fault(&[&at], &format!("two ports are called `{name}`"));
        }
        // With both protocols set, the types tell of it.
        let twice = !numbers.insert((number, protocol(port)));
        if twice && port["protocol"].is_null() {
            merged.fault(&[&at], &format!("two ports have the number {number}"));
        }
        let host = port["hostPort"].as_i64().unwrap_or_default();
        if host != 0 && !hosts.insert((protocol(port), word(port, "hostIP").to_owned(), host)) {
            merged.fault(&[&at], &format!("two ports have the `hostPort` {host}"));
        }
    }
    if program {
        service(container, merged);
    }
}

fn protocol(port: &Value) -> String {
    port["protocol"].as_str().unwrap_or("TCP").to_owned()
}

/// All ports of the Service are TCP, and the operator adds that of the rendezvous: each needs a name and a number of its
/// own.
fn service(container: &str, merged: &mut Merged<'_>) {
    let mut numbers = std::collections::BTreeMap::new();
    // The operator adds its own only where no port has the name.
    let rendezvous =
        merged.items(&format!("{container}/ports")).any(|(_, port)| port["name"] == "tfjob-port");
    for (at, port) in merged.items(&format!("{container}/ports")) {
        let (name, number) = (word(port, "name"), port["containerPort"].as_i64().unwrap_or_default());
        if name.is_empty() {
            merged.fault(&[&at], &format!("port {number} has no name, which the operator's Service needs"));
        }
        if number == i64::from(operator::DEFAULT_PORT) && name != "tfjob-port" && !rendezvous {
            let fact =
                format!("port {number} of `{name}` is the port of the rendezvous, which the operator adds");
            merged.fault(&[&at], &fact);
        }
        let before = numbers.insert(number, protocol(port));
        if before.is_some_and(|before| before != protocol(port)) {
            let fact = format!(
                "two ports have the number {number}, and all ports of the operator's Service are TCP"
            );
            merged.fault(&[&at], &fact);
        }
    }
}
