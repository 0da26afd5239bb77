//! Ports, links of the page, and the network of the containers.
use super::Answer;
use super::SAY_DOMAIN;
use crate::yarn::context::Context;
use crate::yarn::means::{Duty, Means};
use crate::yarn::patched::is_network;
use tfjob_lang::ask::{self, Ask, Job, Storage};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::PortNumber;

/// Answers one requirement: ports and networks.
pub fn answer(ask: &ask::Network, case: &Context<'_>) -> Answer {
    match ask {
        ask::Network::Port { role: _, name, number } => port(name, *number),
        ask::Network::PortLink { role, name, link } => self::link(case, *role, name, link),
        ask::Network::Host => host(case),
        ask::Network::Container(name) => network(case, name),
        ask::Network::Protocol(_) => protocol(),
    }
}

/// The engine knows no ports: a task listens where it wants.
fn port(name: &str, number: PortNumber) -> Answer {
    match number {
        PortNumber::Fixed(_) => {
            Answer::inherent("a task listens where it wants: the engine reserves no port")
        }
        PortNumber::Auto if name == "cluster" => Answer::impossible(
            "tells no task on which port another listens, so the rendezvous needs a fixed one",
            "give `port \"cluster\"` a number, or leave it out for 2222",
            "yarn-submarine-tony §1.8",
        ),
        PortNumber::Auto => Answer::Emulated(
            Means::Duty(Duty::FreePort),
            "the shim finds a free port when the task starts".to_owned(),
        ),
    }
}

/// The page shows links with global tokens only, so the port must be known here.
fn link(case: &Context<'_>, role: RoleId, name: &str, words: &str) -> Answer {
    let port = case.role(role).ports.iter().find(|p| p.name.value == name).and_then(|p| p.number);
    let Some(port) = port else {
        return Answer::refused(
            "shows links that are known when the job is submitted, and this port is found later",
            "give the port a number",
            "yarn-submarine-tony §1.8",
        );
    };
    let Some(domain) = case.domain() else {
        return Answer::refused(
            "knows no address of a task before it runs but its DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn-submarine-tony §1.8",
        );
    };
    Answer::Native(Means::Link {
        role,
        words: words.to_owned(),
        port,
        user: case.user_token(),
        domain: domain.to_owned(),
    })
}

fn host(case: &Context<'_>) -> Answer {
    if (0..case.plan.roles.len()).any(|role| case.docker(role)) {
        return Answer::Native(Means::Network("host".to_owned()));
    }
    Answer::inherent("a program without an image is on the node's network")
}

/// Whether a network of Docker keeps tasks of the job from each other, their pages from people, or programs from their
/// storage: a bridge is a node's own, and `none` has nobody.
pub fn is_lonely(case: &Context<'_>, network: &str) -> bool {
    let page = |ask: &Ask| {
        matches!(ask, Ask::Job(Job::Tensorboard(_)) | Ask::Network(ask::Network::PortLink { .. }))
    };
    let storage =
        |ask: &Ask| matches!(ask, Ask::Storage(Storage::DataUri { .. } | Storage::CheckpointsUri { .. }));
    match network {
        "bridge" => case.plan.tasks() > 1 || case.asks(page),
        "none" => case.plan.tasks() > 1 || case.asks(page) || case.asks(storage),
        _ => false,
    }
}

/// A network of Docker. Two of its own reach no other node.
fn network(case: &Context<'_>, name: &str) -> Answer {
    if let Some(bare) = case.plan.roles.iter().find(|r| r.image.is_none()) {
        return Answer::refused(
            format!("leaves `{}` on the node's network: it has no image", bare.name.value),
            "give each role an image, or write `network \"host\"`",
            "yarn-submarine-tony §1.8",
        );
    }
    if is_lonely(case, name) {
        return Answer::impossible(
            format!("gives containers in Docker's `{name}` network addresses that no other node reaches"),
            "name a network that spans the nodes, or write `network \"host\"`",
            "yarn-submarine-tony §1.7",
        );
    }
    if !is_network(name) {
        return Answer::impossible(
            format!("has no network `{name}`: Docker's networks have plain names"),
            "letters, digits, `_`, `.` and `-`",
            "yarn-submarine-tony §1.7",
        );
    }
    Answer::Native(Means::Network(name.to_owned()))
}

fn protocol() -> Answer {
    Answer::inherent("how TensorFlow's tasks talk is their own affair")
}
