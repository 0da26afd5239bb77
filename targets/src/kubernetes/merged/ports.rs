//! Ports of the training container in a patched TFJob. From these ports, the operator creates a Service.
use crate::kubernetes::operator;
use crate::patch::Merged;
use crate::pod::merged::{protocol, word};

/// Checks the ports of the training container. The operator puts them into one Service as TCP ports, together with the rendezvous
/// port. So each port needs a unique name and a unique number.
pub fn service(container: &str, merged: &mut Merged<'_>) {
    let mut numbers = std::collections::BTreeMap::new();
    // The operator adds its rendezvous port only if no port has the name `tfjob-port`.
    let rendezvous =
        merged.items(&format!("{container}/ports")).any(|(_, port)| port["name"] == "tfjob-port");
    for (at, port) in merged.items(&format!("{container}/ports")) {
        let (name, number) = (word(port, "name"), port["containerPort"].as_i64().unwrap_or_default());
        if name.is_empty() {
            merged.fault(
                &[&at],
                &format!("port {number} has no name, but the Service that the operator creates needs one for each port"),
            );
        }
        if number == i64::from(operator::DEFAULT_PORT) && name != "tfjob-port" && !rendezvous {
            let fact =
                format!("port {number} (`{name}`) is also the rendezvous port, which the operator adds");
            merged.fault(&[&at], &fact);
        }
        let before = numbers.insert(number, protocol(port));
        if before.is_some_and(|before| before != protocol(port)) {
            let fact = format!(
                "two ports have the number {number}, but the Service that the operator creates uses TCP for all ports"
            );
            merged.fault(&[&at], &fact);
        }
    }
}
