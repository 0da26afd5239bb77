//! Container networks, and the host ports that agents offer.
use super::Dcos;
use crate::rendezvous::{self, Uses};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{self, Lifecycle, Required, Requirement, Storage};
use tfjob_lang::target::{Site, Support, Target};

/// Host ports that agents offer by default, as ranges. The ports between the ranges belong to services of DC/OS.
const OFFERED: [(u16, u16); 6] =
    [(1025, 2180), (2182, 3887), (3889, 5049), (5052, 8079), (8082, 8180), (8182, 32000)];

/// Returns the container network that the job requests, if any.
pub fn containers(plan: &Plan) -> Option<&str> {
    plan.requirements.iter().find_map(|required| {
        let Requirement::Network(requirement::Network::Container(name)) = &required.requirement else {
            return None;
        };
        Some(name.as_str())
    })
}

/// Refuses an invalid name of a container network. Marathon 1.5.0 and 1.5.1 reject `_`, but later versions accept it
/// (MARATHON-7848). DC/OS 1.10 may contain any of these versions.
pub fn refused<M>(name: &str, site: &Site<Dcos>) -> Option<Support<M>> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let edges = name.bytes().next().is_some_and(plain) && name.bytes().last().is_some_and(plain);
    if !edges || name.len() > 63 || !name.bytes().all(|b| plain(b) || matches!(b, b'-' | b'_')) {
        return Some(Support::impossible(
            format!("Marathon rejects the network name `{name}`"),
            "use at most 63 characters of `a` to `z`, digits, and inner `-` and `_`; the default container network is `dcos`",
            "stringTypes.raml of Marathon 1.7, NetworkName",
        ));
    }
    if matches!(name, "bridge" | "none" | "host") {
        return Some(Support::unsupported(
            format!("Mesos finds no container network named `{name}`, so the tasks would not start"),
            "use the name of a container network, by default `dcos`; or remove `network`, so that tasks use the host network",
            "the network/cni isolator of Mesos: Unknown CNI network",
        ));
    }
    if name.contains('_') && !site.job.is_since((1, 11)) {
        return Some(Support::unsupported(
            "Marathon accepts `_` in a network name only in DC/OS 1.11 and later",
            "add `version \"1.11\"` or later to `target \"dcos\"` if the cluster runs it",
            "Marathon's MARATHON-7848: 1.5.0 and 1.5.1 of DC/OS 1.10 refuse it",
        ));
    }
    None
}

/// Returns why tasks of a role of this kind do not listen on their rendezvous port, so that Marathon need not reserve the port.
/// `None` if they listen.
fn connects_only(kind: RoleKind, plan: &Plan) -> Option<&'static str> {
    let has_leader = || {
        plan.roles.iter().any(|role| match role.kind {
            RoleKind::Master | RoleKind::Scheduler => true,
            RoleKind::Chief
            | RoleKind::Worker
            | RoleKind::Ps
            | RoleKind::Evaluator
            | RoleKind::Server
            | RoleKind::Own
            | RoleKind::Helper => false,
        })
    };
    match kind {
        RoleKind::Evaluator => Some("TensorFlow starts no server in an evaluator"),
        // With torch.distributed and `env://`, only rank 0 listens. With ps-lite and Rabit, the other tasks pick their ports
        // themselves.
        RoleKind::Worker | RoleKind::Server => {
            has_leader().then_some(
                "tasks of this role connect to the first task of the job, and no task connects to them on this port",
            )
        }
        RoleKind::Chief
        | RoleKind::Ps
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Own
        | RoleKind::Helper => None,
    }
}

/// Returns whether the spec or a shim uses the rendezvous port of a role. Before the program starts, a shim that waits for peers
/// listens on this port.
fn is_probed(role: RoleId, plan: &Plan) -> bool {
    let waits = |required: &Required| {
        matches!(
            required.requirement,
            Requirement::Lifecycle(Lifecycle::StartTimeout { .. })
                | Requirement::Storage(Storage::CheckpointsFresh { .. })
        ) || matches!(required.requirement, Requirement::Lifecycle(Lifecycle::Ready { role: of, .. }) if of == role)
    };
    let role = &plan.roles[role];
    // Arguments and environment variables may contain the number of a port as digits: references to fixed ports, except to the
    // rendezvous port, are already replaced by the number.
    let mut numbers = role.ports.iter().filter_map(|port| port.number.map(|number| number.to_string()));
    plan.requirements.iter().any(waits)
        // A reference to any address is enough, because a program may pass addresses on to another program.
        || plan.roles.iter().any(rendezvous::looks)
        || role.is_told_port()
        || numbers.any(|number| rendezvous::names(role, &number).is_some())
}

/// Returns why no task listens on a default rendezvous port, or `None` if a task listens. There are two reasons: a single task has
/// no peers, or the tasks of the role only connect to other tasks.
pub fn unused(role: RoleId, name: &str, plan: &Plan) -> Option<&'static str> {
    let default = || {
        plan.requirements.iter().any(|required| {
            required.default
                && matches!(&required.requirement, Requirement::Network(requirement::Network::Port { role: r, name: n, .. }) if *r == role && n == name)
        })
    };
    let alone = (plan.rendezvous_tasks() <= 1 && !Uses::of(plan).has(role))
        .then_some("a single task has no peers that connect to it");
    let caller = || connects_only(plan.roles[role].kind, plan).filter(|_| !is_probed(role, plan));
    alone.or_else(caller).filter(|_| default())
}

/// Returns the port ranges that agents offer, or `None` if one of the ranges contains this port.
pub fn offered_instead(number: u16) -> Option<String> {
    let offered = OFFERED.iter().any(|(first, last)| (*first..=*last).contains(&number));
    let ranges = OFFERED.map(|(first, last)| format!("{first}-{last}")).join(", ");
    (!offered).then_some(ranges)
}

/// Refuses a host port that no agent offers, because the app would wait indefinitely.
pub fn unoffered<M>(number: u16, plan: &Plan) -> Option<Support<M>> {
    let ranges = offered_instead(number).filter(|_| containers(plan).is_none())?;
    Some(Support::unsupported(
        format!("agents do not offer host port {number} to tasks, so the app would wait forever"),
        format!(
            "use a port in {ranges}; or write `network \"dcos\"`, which gives each task its own IP address"
        ),
        "DC/OS: on each agent, the variable `MESOS_RESOURCES` lists the ports that the agent offers",
    ))
}

/// Refuses to pin a role to one agent if two tasks there need the same port: two tasks of this role, or a task of this role and a
/// task of an earlier role. Mesos gives the port to only one task, so the other task would wait indefinitely.
pub fn pinned<M>(role: RoleId, host: &str, plan: &Plan) -> Option<Support<M>> {
    if containers(plan).is_some() {
        return None;
    }
    let several = plan.roles[role].count.value > 1;
    let before = |number: u16| (0..role).any(|id| is_pinned(id, host, plan) && needs(id, number, plan));
    let numbers = plan.roles[role].ports.iter().filter_map(|port| port.number);
    let number = numbers.filter(|n| needs(role, *n, plan)).find(|number| several || before(*number))?;
    Some(occupied(number, host))
}

/// Returns whether a role is pinned to this agent.
pub fn is_pinned(id: RoleId, host: &str, plan: &Plan) -> bool {
    plan.node_of(id, Dcos::is_host).is_some_and(|(named, _)| named == host)
}

/// Returns whether a task of the role needs this port on its agent.
pub fn needs(id: RoleId, number: u16, plan: &Plan) -> bool {
    let mut ports = plan.roles[id].ports.iter().filter(|port| unused(id, &port.name.value, plan).is_none());
    ports.any(|port| port.number == Some(number))
}

/// Returns the refusal to pin a role to an agent on which another task needs the same port.
pub fn occupied<M>(number: u16, host: &str) -> Support<M> {
    Support::unsupported(
        format!(
            "an agent gives a host port to one task, so another task that needs port {number} on `{host}` would wait forever"
        ),
        "use `network \"dcos\"`, where each task has its own IP address, or place the tasks on several agents",
        "Mesos, ports of an agent; `requirePorts` of Marathon",
    )
}
