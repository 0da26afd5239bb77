//! Ports and networks of Pods.
use super::Support;
use super::{Context, placement};
use crate::pod::grammar::is_port_name;
use crate::pod::mechanism::{Duty, HOSTNAME, Mechanism};
use std::collections::BTreeSet;
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::{PortNumber, Protocol};

/// Returns the support of a container port. The rendezvous port is not handled here if the kind of job fixes its name or its
/// number.
pub fn port(role: RoleId, name: &str, number: PortNumber) -> Support {
    match number {
        PortNumber::Auto => Support::Emulated(
            Mechanism::Shim(Duty::Port),
            "the shim picks a free port at startup, so the Service of the pod does not list the port"
                .to_owned(),
        ),
        PortNumber::Fixed(port) if is_port_name(name) => {
            Support::Native(Mechanism::Port { role, name: name.to_owned(), number: port.0 })
        }
        PortNumber::Fixed(_) => Support::impossible(
            format!("`{name}` is not a valid container port name"),
            "use at most 15 lowercase letters, digits, and `-`, with at least one letter",
            "kubernetes#port-names",
        ),
    }
}

/// Returns the support of a link to a port.
pub fn port_link(name: &str) -> Support {
    Support::Ignored(format!("`link` of port `{name}` is ignored, because a pod spec cannot hold links"))
}

/// Returns the support of `hostNetwork`.
pub fn host(context: &Context<'_>) -> Support {
    if context.options.restricted() {
        return Support::unsupported(
            "`hostNetwork` is forbidden in a `restricted` namespace (Pod Security Standards)",
            "remove `network`; or remove `restricted` if the namespace does not enforce it",
            "Pod Security Standards, baseline",
        );
    }
    if let Some((node, port)) = port_conflict(context) {
        return Support::impossible(
            format!(
                "with `hostNetwork`, only one pod per node can use a port, but two pods on `{node}` need port {port}: one of them would stay Pending"
            ),
            "remove `network \"host\"`, or place the two pods on different nodes",
            "NodePorts of the scheduler",
        );
    }
    Support::Native(Mechanism::HostNetwork)
}

/// Returns a node and a port, if two Pods on that node need the port. The port may be one that the spec does not contain: the
/// operator of some kinds of jobs adds a port to each Pod without a port `rendezvous`.
fn port_conflict<'c>(context: &'c Context<'_>) -> Option<(&'c str, u16)> {
    let mut taken = BTreeSet::new();
    for (id, role) in context.plan.roles.iter().enumerate() {
        let Some(node) = placement::required(context, id, HOSTNAME) else { continue };
        let mut ports: Vec<u16> = role.ports.iter().filter_map(|port| port.number).collect();
        if role.ports.iter().all(|port| port.name.value != RENDEZVOUS) {
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

/// Returns the support of a named container network.
pub fn container() -> Support {
    Support::unsupported(
        "a named network is not supported: a pod spec has no field for it, and peers always connect on the pod network",
        "remove `network`; to attach a second network by a plugin such as Multus, write `target \"kubernetes\" { annotations { \"k8s.v1.cni.cncf.io/networks\" \"…\" } }` (peers still connect on the pod network)",
        "kubernetes#pod-network",
    )
}

/// Returns the support of the protocol between TensorFlow tasks. Protocols that stock TensorFlow lacks need no check here, because
/// the language reports them.
pub fn protocol(protocol: Protocol) -> Support {
    let why = match protocol {
        Protocol::Grpc => "gRPC is the default protocol of TensorFlow",
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => {
            "the program passes the protocol to its TensorFlow server"
        }
    };
    Support::inherent(why)
}
