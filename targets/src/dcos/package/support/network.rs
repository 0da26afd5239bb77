//! Ports and networks.
use super::Answer;
use crate::dcos::context::Context;
use crate::dcos::network;
use crate::dcos::package::means::Means;
use crate::dcos::package::support::lacks;
use tfjob_lang::ask;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::{PortNumber, Protocol};

/// Answers one requirement: ports and networks.
pub fn answer(ask: &ask::Network, Context { plan, site }: &Context<'_>) -> Answer {
    match ask {
        ask::Network::Port { role, name, number } => port(*role, name, *number, plan),
        ask::Network::PortLink { .. } => Answer::Ignored("shows no link to the package's tasks".into()),
        ask::Network::Host => Answer::Native(Means::Network(None)),
        ask::Network::Container(name) => {
            let own = || Answer::Native(Means::Network(Some(name.clone())));
            network::refused(name, site).unwrap_or_else(own)
        }
        ask::Network::Protocol(protocol) => self::protocol(*protocol),
    }
}

fn port(role: RoleId, name: &str, number: PortNumber, plan: &Plan) -> Answer {
    match (name, number) {
        ("cluster", PortNumber::Fixed(number)) => network::unoffered(number.0, plan)
            .unwrap_or_else(|| Answer::Native(Means::Port { role, number: number.0 })),
        ("cluster", PortNumber::Auto) => Answer::impossible(
            "needs the number of the package's ports beforehand",
            "write the number of the port",
            "spark-dcos §3.2",
        ),
        (_, PortNumber::Fixed(_) | PortNumber::Auto) => {
            lacks("gives the package's tasks one port each, for their server", "spark-dcos §3.2")
        }
    }
}

fn protocol(protocol: Protocol) -> Answer {
    match protocol {
        Protocol::Grpc => Answer::inherent("the package's server speaks grpc"),
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => {
            lacks("starts the package's servers with grpc itself", "spark-dcos §3.5")
        }
    }
}
