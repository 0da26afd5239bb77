//! Ports and networks.
use super::{Answered, Context, placement};
use crate::kubernetes::grammar::is_port_name;
use crate::kubernetes::means::{Duty, HOSTNAME, Means};
use crate::kubernetes::operator::DEFAULT_PORT;
use std::collections::BTreeSet;
use tfjob_lang::ask;
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::{PortNumber, Protocol};
use tfjob_lang::target::Answer;

/// What a TFJob does with one requirement: ports and networks.
pub fn answer(ask: &ask::Network, case: &Context<'_>) -> Answer<Means> {
    match ask {
        ask::Network::Port { role, name, number } => port(case, *role, name, *number),
        ask::Network::PortLink { role: _, name, link: _ } => port_link(name),
        ask::Network::Host => host_network(case),
        ask::Network::Container(_) => network(),
        ask::Network::Protocol(protocol) => self::protocol(*protocol),
    }
}

pub fn port(case: &Context<'_>, role: RoleId, name: &str, number: PortNumber) -> Answered {
    const PROOF: &str = "kubernetes-observed §4, port-unnamed";
    match (name, number) {
        ("cluster", PortNumber::Fixed(port)) => Answer::Native(Means::ClusterPort { role, number: port.0 }),
        ("cluster", PortNumber::Auto) => Answer::impossible(
            "gives each Pod an address of its own, with a port that the operator writes before the Pod starts",
            "a number; no two Pods share an address, so every task may have the same",
            "kubernetes §1.5",
        ),
        (_, PortNumber::Auto) => Answer::Emulated(
            Means::Shim(Duty::Port),
            "the shim finds a free port; the Pod's Service does not know it".to_owned(),
        ),
        ("tfjob-port", PortNumber::Fixed(_)) => Answer::impossible(
            "calls the rendezvous `tfjob-port`",
            "the rendezvous is the port named `cluster`; give this one another name",
            PROOF,
        ),
        (name, PortNumber::Fixed(port)) if is_port_name(name) => {
            // A role of the rendezvous has its own; a helper gets it all the same.
            let helper = case.plan.roles[role].ports.iter().all(|p| p.name.value != "cluster");
            if helper && port.0 == DEFAULT_PORT {
                return Answer::impossible(
                    format!("adds the port {DEFAULT_PORT} to every Pod of a TFJob, for the rendezvous"),
                    "another number",
                    "kubernetes-observed §4, port-other-name",
                );
            }
            Answer::Native(Means::Port { role, name: name.to_owned(), number: port.0 })
        }
        (name, PortNumber::Fixed(_)) => Answer::impossible(
            format!("has no port named `{name}`"),
            "at most 15 of `a` to `z`, digits and `-`, with a letter among them",
            PROOF,
        ),
    }
}

pub fn port_link(name: &str) -> Answered {
    Answer::Ignored(format!("has no page that would show the port `{name}`"))
}

pub fn host_network(case: &Context<'_>) -> Answered {
    if case.options.restricted() {
        return Answer::refused(
            "does not give the node's network where the namespace is `restricted`",
            "leave out `network`, or `restricted`",
            "Pod Security Standards, baseline",
        );
    }
    if let Some((node, port)) = crowded(case) {
        return Answer::impossible(
            format!(
                "gives a port of a node to one Pod, and two on `{node}` have port {port}: one would stay Pending"
            ),
            "remove `network \"host\"`; or do not put both on one node",
            "NodePorts of the scheduler",
        );
    }
    Answer::Native(Means::HostNetwork)
}

/// A port that two Pods have which are put on one node. The operator adds its own to each Pod without a `cluster`.
fn crowded<'c>(case: &'c Context<'_>) -> Option<(&'c str, u16)> {
    let mut taken = BTreeSet::new();
    for (id, role) in case.plan.roles.iter().enumerate() {
        let Some(node) = placement::asked(case, id, HOSTNAME) else { continue };
        let mut ports: Vec<u16> = role.ports.iter().filter_map(|port| port.number).collect();
        if role.ports.iter().all(|port| port.name.value != "cluster") {
            ports.push(DEFAULT_PORT);
        }
        if let Some(port) = ports.iter().find(|port| role.count.value > 1 || taken.contains(&(node, **port)))
        {
            return Some((node, *port));
        }
        taken.extend(ports.into_iter().map(|port| (node, port)));
    }
    None
}

pub fn network() -> Answered {
    Answer::refused(
        "has one network for all Pods, and their names lead there",
        "leave it out; a second network is an annotation of the cluster's own plugin: `annotations { \"k8s.v1.cni.cncf.io/networks\" \"…\" }`",
        "kubernetes §1.5",
    )
}

/// The language refuses what stock TensorFlow lacks; what a program's own build has is its own business.
pub fn protocol(protocol: Protocol) -> Answered {
    let why = match protocol {
        Protocol::Grpc => "what TensorFlow speaks unless told otherwise",
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => {
            "the program gives it to its server itself"
        }
    };
    Answer::Native(Means::Inherent(why.to_owned()))
}
