//! Checks of the ports of a patched Pod.
use super::word;
use crate::patch::Merged;
use serde_json::Value;
use std::collections::BTreeSet;

/// Host ports of a Pod, each as protocol, IP address, and number.
pub type HostPorts = BTreeSet<(String, String, i64)>;

/// Checks the ports of a container. `hosts`: the host ports of earlier containers. This function adds the host ports of this
/// container.
pub fn judge(container: &str, hosts: &mut HostPorts, merged: &mut Merged<'_>) {
    let (mut names, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    for (at, port) in merged.items(&format!("{container}/ports")) {
        let (name, number) = (word(port, "name"), port["containerPort"].as_i64().unwrap_or_default());
        if !name.is_empty() && !names.insert(name) {
            merged.fault(&[&at], &format!("two ports have the name `{name}`"));
        }
        // A second port with the same number is reported here only if it has no explicit `protocol`. If it has one, `Merged::typed`
        // reports two list items with the same keys.
        let twice = !numbers.insert((number, protocol(port)));
        if twice && port["protocol"].is_null() {
            merged.fault(&[&at], &format!("two ports have the number {number}"));
        }
        let host = port["hostPort"].as_i64().unwrap_or_default();
        if host != 0 && !hosts.insert((protocol(port), word(port, "hostIP").to_owned(), host)) {
            merged.fault(&[&at], &format!("two ports have the `hostPort` {host}"));
        }
    }
}

/// Returns the protocol of a port. Default: `TCP`.
pub fn protocol(port: &Value) -> String {
    port["protocol"].as_str().unwrap_or("TCP").to_owned()
}
