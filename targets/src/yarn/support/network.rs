//! Support of ports, quicklinks, and container networks.
use super::Support;
use super::{SET_DOMAIN, without_domain};
use crate::yarn::context::Context;
use crate::yarn::mechanism::{Duty, Mechanism};
use crate::yarn::patched::is_network;
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Job, Requirement, Storage};
use tfjob_lang::spec::PortNumber;

/// Returns the support of one requirement about ports and networks.
pub fn support(requirement: &requirement::Network, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { role: _, name, number } => port(name, *number),
        requirement::Network::PortLink { role, name, link } => self::link(context, *role, name, link),
        requirement::Network::Host => host(context),
        requirement::Network::Container(name) => network(context, name),
        requirement::Network::Protocol(_) => protocol(),
    }
}

/// Returns the support of a port. YARN neither reserves nor publishes ports.
fn port(name: &str, number: PortNumber) -> Support {
    match number {
        PortNumber::Fixed(_) => {
            Support::inherent("the program opens the port itself: YARN does not reserve ports")
        }
        PortNumber::Auto if name == RENDEZVOUS => Support::impossible(
            "tasks cannot learn ports that their peers choose at startup, so the rendezvous port must be fixed",
            "write `port \"rendezvous\" 2222`",
            "yarn#ports",
        ),
        PortNumber::Auto => Support::Emulated(
            Mechanism::Duty(Duty::FreePort),
            "the shim finds a free port when the task starts".to_owned(),
        ),
    }
}

/// Returns the support of a link in the web UI (quicklink). All tasks have the same link pattern, so the port must be a fixed
/// number.
fn link(context: &Context<'_>, role: RoleId, name: &str, label: &str) -> Support {
    let port = context.role(role).ports.iter().find(|p| p.name.value == name).and_then(|p| p.number);
    let Some(port) = port else {
        return Support::unsupported(
            "a link in the web UI contains the port number from submission on, but this port gets its number only when the task starts",
            format!("write `port \"{name}\" 8000 link=\"{label}\"`, or another fixed number"),
            "yarn#quicklinks",
        );
    };
    let Some(domain) = context.domain() else {
        return without_domain(Support::unsupported(
            "a link in the web UI contains the registry DNS name of the task, but the domain of these names (`dns-domain`) is not set",
            SET_DOMAIN,
            "yarn#registry-dns",
        ));
    };
    Support::Native(Mechanism::Link {
        role,
        label: label.to_owned(),
        port,
        user: context.user_token(),
        domain: domain.to_owned(),
    })
}

fn host(context: &Context<'_>) -> Support {
    if (0..context.plan.roles.len()).any(|role| context.docker(role)) {
        return Support::Native(Mechanism::Network("host".to_owned()));
    }
    Support::inherent("a program without an image uses the node's network")
}

/// Returns whether a Docker network lacks a connection that the job needs: between tasks, from browsers, or to storage. The network
/// `bridge` is local to a node, and `none` has no connections.
pub fn is_isolated(context: &Context<'_>, network: &str) -> bool {
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

fn network(context: &Context<'_>, name: &str) -> Support {
    if let Some(bare) = context.plan.roles.iter().find(|r| r.image.is_none()) {
        return Support::unsupported(
            format!(
                "only Docker containers can use the network `{name}`, but `{}` has no image, so its tasks would stay on the node's network",
                bare.name.value
            ),
            "give each role an `image`, or write `network \"host\"`",
            "yarn#docker-networks",
        );
    }
    if is_isolated(context, name) {
        return Support::impossible(
            format!("containers in Docker's `{name}` network have no address that other nodes can reach"),
            "write `network \"host\"`, or the name of an overlay network that spans the nodes",
            "yarn#docker-networks",
        );
    }
    if !is_network(name) {
        return Support::impossible(
            format!("`{name}` is not a valid Docker network name"),
            "use letters, digits, `_`, `.`, and `-`; the first character is a letter or a digit",
            "yarn#docker-networks",
        );
    }
    Support::Native(Mechanism::Network(name.to_owned()))
}

fn protocol() -> Support {
    Support::inherent("the program chooses the protocol itself: YARN is not involved")
}
