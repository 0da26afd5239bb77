//! Ports and networks.
use super::Answer;
use super::Context;
use crate::kubernetes::means::Means;
use crate::kubernetes::operator::DEFAULT_PORT;
use crate::pod::grammar::is_port_name;
use crate::pod::support::network;
use tfjob_lang::ask;
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::PortNumber;

/// Answers one requirement: ports and networks.
pub fn answer(ask: &ask::Network, case: &Context<'_>) -> Answer {
    match ask {
        ask::Network::Port { role, name, number } => port(case, *role, name, *number),
        ask::Network::PortLink { role: _, name, link: _ } => network::port_link(name).map(Means::Pod),
        ask::Network::Host => network::host(&case.pod).map(Means::Pod),
        ask::Network::Container(_) => network::container().map(Means::Pod),
        ask::Network::Protocol(protocol) => network::protocol(*protocol).map(Means::Pod),
    }
}

fn port(case: &Context<'_>, role: RoleId, name: &str, number: PortNumber) -> Answer {
    match (name, number) {
        ("cluster", PortNumber::Fixed(port)) => Answer::Native(Means::ClusterPort { role, number: port.0 }),
        ("cluster", PortNumber::Auto) => Answer::impossible(
            "gives each Pod an address of its own, with a port that the operator writes before the Pod starts",
            "a number; no two Pods share an address, so every task may have the same",
            "kubernetes §1.5",
        ),
        ("tfjob-port", PortNumber::Fixed(_)) => Answer::impossible(
            "calls the rendezvous `tfjob-port`",
            "the rendezvous is the port named `cluster`; give this one another name",
            "kubernetes-observed §4, port-unnamed",
        ),
        // A role of the rendezvous has its own; a helper gets it all the same.
        (name, PortNumber::Fixed(port))
            if is_port_name(name)
                && port.0 == DEFAULT_PORT
                && case.plan.roles[role].ports.iter().all(|p| p.name.value != "cluster") =>
        {
            Answer::impossible(
                format!("adds the port {DEFAULT_PORT} to every Pod of a TFJob, for the rendezvous"),
                "another number",
                "kubernetes-observed §4, port-other-name",
            )
        }
        (name, PortNumber::Auto | PortNumber::Fixed(_)) => network::port(role, name, number).map(Means::Pod),
    }
}
