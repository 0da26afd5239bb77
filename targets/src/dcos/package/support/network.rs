//! Support of ports and networks.
use super::Support;
use crate::dcos::context::Context;
use crate::dcos::network;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::support::lacks;
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec::{PortNumber, Protocol};

/// Returns the support of one requirement about ports and networks.
pub fn support(requirement: &requirement::Network, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { role, name, number } => port(*role, name, *number, plan),
        requirement::Network::PortLink { .. } => Support::Ignored(
            "`link` is ignored: the TensorFlow package has no option for links to its tasks".into(),
        ),
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
        (RENDEZVOUS, PortNumber::Fixed(number)) => network::unoffered(number.0, plan)
            .unwrap_or_else(|| Support::Native(Mechanism::Port { role, number: number.0 })),
        (RENDEZVOUS, PortNumber::Auto) => Support::impossible(
            "the options of the TensorFlow package contain the port number, so it cannot be picked at the start of a task",
            "set a number, such as `port \"rendezvous\" 2222`",
            "dcos#package-ports",
        ),
        (_, PortNumber::Fixed(_) | PortNumber::Auto) => lacks(
            "a task of the TensorFlow package has one port, which its TensorFlow server uses",
            "dcos#package-ports",
        ),
    }
}

fn protocol(protocol: Protocol) -> Support {
    match protocol {
        Protocol::Grpc => Support::inherent("the TensorFlow server of the TensorFlow package uses gRPC"),
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => lacks(
            "the TensorFlow package starts its TensorFlow servers with the protocol `grpc`, and no option changes it",
            "dcos#package-server",
        ),
    }
}
