//! Ports and networks.
use super::Context;
use super::Support;
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator::DEFAULT_PORT;
use crate::pod::grammar::is_port_name;
use crate::pod::support::network;
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::spec::PortNumber;

/// Returns the support of one requirement about ports and networks.
pub fn support(requirement: &requirement::Network, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { role, name, number } => port(context, *role, name, *number),
        requirement::Network::PortLink { role: _, name, link: _ } => {
            network::port_link(name).map(Mechanism::Pod)
        }
        requirement::Network::Host => network::host(&context.pod).map(Mechanism::Pod),
        requirement::Network::Container(_) => network::container().map(Mechanism::Pod),
        requirement::Network::Protocol(protocol) => network::protocol(*protocol).map(Mechanism::Pod),
    }
}

fn port(context: &Context<'_>, role: RoleId, name: &str, number: PortNumber) -> Support {
    match (name, number) {
        (RENDEZVOUS, PortNumber::Fixed(port)) => {
            Support::Native(Mechanism::ClusterPort { role, number: port.0 })
        }
        (RENDEZVOUS, PortNumber::Auto) => Support::impossible(
            "the operator writes the rendezvous port into TF_CONFIG before the pod starts, so the port cannot be picked at startup",
            "write a fixed number, such as `port \"rendezvous\" 2222`; all tasks can use it, because each pod has its own IP address",
            "kubernetes#rendezvous-port",
        ),
        ("tfjob-port", PortNumber::Fixed(_)) => Support::impossible(
            "the port name `tfjob-port` is reserved for the rendezvous port",
            "rename the port; if it is the rendezvous port, call it `rendezvous`",
            "kubernetes#default-port",
        ),
        // The operator adds port 2222 to every Pod without a rendezvous port, even to helpers. So in such a Pod, no other port can
        // have this number.
        (name, PortNumber::Fixed(port))
            if is_port_name(name)
                && port.0 == DEFAULT_PORT
                && context.plan.roles[role].ports.iter().all(|p| p.name.value != RENDEZVOUS) =>
        {
            Support::impossible(
                format!(
                    "port {DEFAULT_PORT} is reserved: the operator adds it to every pod as `tfjob-port`, and a second port with this number makes the Service of the pod invalid"
                ),
                format!("write another number: `port \"{name}\" {}`", DEFAULT_PORT + 1),
                "kubernetes#default-port",
            )
        }
        (name, PortNumber::Auto | PortNumber::Fixed(_)) => {
            network::port(role, name, number).map(Mechanism::Pod)
        }
    }
}
