//! Ports and networks of Pods.
use super::Support;
use super::{Context, placement};
use crate::pod::grammar::is_port_name;
use crate::pod::mechanism::{Duty, HOSTNAME, Mechanism};
use std::collections::BTreeSet;
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::{PortNumber, Protocol};

/// A port of the container. A kind whose rendezvous has a name or a number of its own answers for `rendezvous` before.
pub fn port(role: RoleId, name: &str, number: PortNumber) -> Support {
    match number {
        PortNumber::Auto => Support::Emulated(
            Mechanism::Shim(Duty::Port),
            "the shim finds a free port; the Pod's Service does not know it".to_owned(),
        ),
        PortNumber::Fixed(port) if is_port_name(name) => {
            Support::Native(Mechanism::Port { role, name: name.to_owned(), number: port.0 })
        }
        PortNumber::Fixed(_) => Support::impossible(
            format!("has no port named `{name}`"),
            "at most 15 of `a` to `z`, digits and `-`, with a letter among them",
            "kubernetes#port-names",
        ),
    }
}

pub fn port_link(name: &str) -> Support {
    Support::Ignored(format!("has no page that would show the port `{name}`"))
}

pub fn host(context: &Context<'_>) -> Support {
    if context.options.restricted() {
        return Support::unsupported(
            "does not give the node's network where the namespace is `restricted`",
            "leave out `network`, or `restricted`",
            "Pod Security Standards, baseline",
        );
    }
    if let Some((node, port)) = crowded(context) {
        return Support::impossible(
            format!(
                "gives a port of a node to one Pod, and two on `{node}` have port {port}: one would stay Pending"
            ),
            "remove `network \"host\"`; or do not put both on one node",
            "NodePorts of the scheduler",
        );
    }
    Support::Native(Mechanism::HostNetwork)
}

/// A port that two Pods have which are put on one node. The kind may add its own to each Pod without a `rendezvous`.
fn crowded<'c>(context: &'c Context<'_>) -> Option<(&'c str, u16)> {
    let mut taken = BTreeSet::new();
    for (id, role) in context.plan.roles.iter().enumerate() {
        let Some(node) = placement::required(context, id, HOSTNAME) else { continue };
        let mut ports: Vec<u16> = role.ports.iter().filter_map(|port| port.number).collect();
        if role.ports.iter().all(|port| port.name.value != "rendezvous") {
            ports.extend(context.kind.added_port);
        }
        if let Some(port) = ports.iter().find(|port| role.count.value > 1 || taken.contains(&(node, **port)))
        {
            return Some((node, *port));
        }
        taken.extend(ports.into_iter().map(|port| (node, port)));
    }
    None
}

pub fn container() -> Support {
    Support::unsupported(
        "has one network for all Pods, and their names lead there",
        "leave it out; a second network is an annotation of the cluster's own plugin: `annotations { \"k8s.v1.cni.cncf.io/networks\" \"…\" }`",
        "kubernetes#pod-network",
    )
}

/// The language refuses what stock TensorFlow lacks; what a program's own build has is its own business.
pub fn protocol(protocol: Protocol) -> Support {
    let why = match protocol {
        Protocol::Grpc => "what TensorFlow speaks unless told otherwise",
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => {
            "the program gives it to its server itself"
        }
    };
    Support::inherent(why)
}
