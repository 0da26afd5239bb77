//! Ports of the program of a patched TFJob, of which the operator makes a Service.
use crate::kubernetes::operator;
use crate::patch::Merged;
use crate::pod::merged::{protocol, word};

/// All ports of the Service are TCP, and the operator adds that of the rendezvous: each needs a name and a number of its
/// own.
pub fn service(container: &str, merged: &mut Merged<'_>) {
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
