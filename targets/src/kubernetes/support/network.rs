//! Ports and networks.
use super::Context;
use super::Support;
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator::DEFAULT_PORT;
use crate::pod::grammar::is_port_name;
use crate::pod::support::network;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::spec::PortNumber;

/// Answers one requirement: ports and networks.
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
        ("rendezvous", PortNumber::Fixed(port)) => {
            Support::Native(Mechanism::ClusterPort { role, number: port.0 })
        }
        ("rendezvous", PortNumber::Auto) => Support::impossible(
            "gives each Pod an address of its own, with a port that the operator writes before the Pod starts",
            "a number; no two Pods share an address, so every task may have the same",
            "kubernetes#rendezvous-port",
        ),
        ("tfjob-port", PortNumber::Fixed(_)) => Support::impossible(
            "calls the rendezvous `tfjob-port`",
            "the rendezvous is the port named `rendezvous`; give this one another name",
            "kubernetes#default-port",
        ),
        // A role of the rendezvous has its own; a helper gets it all the same.
        (name, PortNumber::Fixed(port))
            if is_port_name(name)
                && port.0 == DEFAULT_PORT
                && context.plan.roles[role].ports.iter().all(|p| p.name.value != "rendezvous") =>
        {
            Support::impossible(
                format!("adds the port {DEFAULT_PORT} to every Pod of a TFJob, for the rendezvous"),
                "another number",
                "kubernetes#default-port",
            )
        }
        (name, PortNumber::Auto | PortNumber::Fixed(_)) => {
            network::port(role, name, number).map(Mechanism::Pod)
        }
    }
}
