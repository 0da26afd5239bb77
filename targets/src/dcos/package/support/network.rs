//! Ports and networks.
use super::Support;
use crate::dcos::context::Context;
use crate::dcos::network;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::support::lacks;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec::{PortNumber, Protocol};

/// Answers one requirement: ports and networks.
pub fn support(requirement: &requirement::Network, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { role, name, number } => port(*role, name, *number, plan),
        requirement::Network::PortLink { .. } => {
            Support::Ignored("shows no link to the package's tasks".into())
        }
        requirement::Network::Host => Support::Native(Mechanism::Network(None)),
        requirement::Network::Container(name) => {
            let own = || Support::Native(Mechanism::Network(Some(name.clone())));
            network::refused(name, site).unwrap_or_else(own)
        }
        requirement::Network::Protocol(protocol) => self::protocol(*protocol),
    }
}

fn port(role: RoleId, name: &str, number: PortNumber, plan: &Plan) -> Support {
    match (name, number) {
        ("rendezvous", PortNumber::Fixed(number)) => network::unoffered(number.0, plan)
            .unwrap_or_else(|| Support::Native(Mechanism::Port { role, number: number.0 })),
        ("rendezvous", PortNumber::Auto) => Support::impossible(
            "needs the number of the package's ports beforehand",
            "write the number of the port",
            "dcos#package-ports",
        ),
        (_, PortNumber::Fixed(_) | PortNumber::Auto) => {
            lacks("gives the package's tasks one port each, for their server", "dcos#package-ports")
        }
    }
}

fn protocol(protocol: Protocol) -> Support {
    match protocol {
        Protocol::Grpc => Support::inherent("the package's server speaks grpc"),
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => {
            lacks("starts the package's servers with grpc itself", "dcos#package-server")
        }
    }
}
