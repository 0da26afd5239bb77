//! Ports, links of the page, and the network of the containers.
use super::SAY_DOMAIN;
use super::Support;
use crate::yarn::context::Context;
use crate::yarn::mechanism::{Duty, Mechanism};
use crate::yarn::patched::is_network;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Job, Requirement, Storage};
use tfjob_lang::spec::PortNumber;

/// Answers one requirement: ports and networks.
pub fn support(requirement: &requirement::Network, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { role: _, name, number } => port(name, *number),
        requirement::Network::PortLink { role, name, link } => self::link(context, *role, name, link),
        requirement::Network::Host => host(context),
        requirement::Network::Container(name) => network(context, name),
        requirement::Network::Protocol(_) => protocol(),
    }
}

/// The engine knows no ports: a task listens where it wants.
fn port(name: &str, number: PortNumber) -> Support {
    match number {
        PortNumber::Fixed(_) => {
            Support::inherent("a task listens where it wants: the engine reserves no port")
        }
        PortNumber::Auto if name == "rendezvous" => Support::impossible(
            "tells no task on which port another listens, so the rendezvous needs a fixed one",
            "give `port \"rendezvous\"` a number, or leave it out for 2222",
            "yarn#ports",
        ),
        PortNumber::Auto => Support::Emulated(
            Mechanism::Duty(Duty::FreePort),
            "the shim finds a free port when the task starts".to_owned(),
        ),
    }
}

/// The page shows links with global tokens only, so the port must be known here.
fn link(context: &Context<'_>, role: RoleId, name: &str, words: &str) -> Support {
    let port = context.role(role).ports.iter().find(|p| p.name.value == name).and_then(|p| p.number);
    let Some(port) = port else {
        return Support::unsupported(
            "shows links that are known when the job is submitted, and this port is found later",
            "give the port a number",
            "yarn#quicklinks",
        );
    };
    let Some(domain) = context.domain() else {
        return Support::unsupported(
            "knows no address of a task before it runs but its DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn#registry-dns",
        );
    };
    Support::Native(Mechanism::Link {
        role,
        words: words.to_owned(),
        port,
        user: context.user_token(),
        domain: domain.to_owned(),
    })
}

fn host(context: &Context<'_>) -> Support {
    if (0..context.plan.roles.len()).any(|role| context.docker(role)) {
        return Support::Native(Mechanism::Network("host".to_owned()));
    }
    Support::inherent("a program without an image is on the node's network")
}

/// Whether a network of Docker keeps tasks of the job from each other, their pages from people, or programs from their
/// storage: a bridge is a node's own, and `none` has nobody.
pub fn is_lonely(context: &Context<'_>, network: &str) -> bool {
    let page = |requirement: &Requirement| {
        matches!(
            requirement,
            Requirement::Job(Job::Tensorboard(_))
                | Requirement::Network(requirement::Network::PortLink { .. })
        )
    };
    let storage = |requirement: &Requirement| {
        matches!(requirement, Requirement::Storage(Storage::DataUri { .. } | Storage::CheckpointsUri { .. }))
    };
    match network {
        "bridge" => context.plan.tasks() > 1 || context.requirements(page),
        "none" => context.plan.tasks() > 1 || context.requirements(page) || context.requirements(storage),
        _ => false,
    }
}

/// A network of Docker. Two of its own reach no other node.
fn network(context: &Context<'_>, name: &str) -> Support {
    if let Some(bare) = context.plan.roles.iter().find(|r| r.image.is_none()) {
        return Support::unsupported(
            format!("leaves `{}` on the node's network: it has no image", bare.name.value),
            "give each role an image, or write `network \"host\"`",
            "yarn#docker-networks",
        );
    }
    if is_lonely(context, name) {
        return Support::impossible(
            format!("gives containers in Docker's `{name}` network addresses that no other node reaches"),
            "name a network that spans the nodes, or write `network \"host\"`",
            "yarn#docker-networks",
        );
    }
    if !is_network(name) {
        return Support::impossible(
            format!("has no network `{name}`: Docker's networks have plain names"),
            "letters, digits, `_`, `.` and `-`",
            "yarn#docker-networks",
        );
    }
    Support::Native(Mechanism::Network(name.to_owned()))
}

fn protocol() -> Support {
    Support::inherent("how TensorFlow's tasks talk is their own affair")
}
