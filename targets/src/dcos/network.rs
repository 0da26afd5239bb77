//! Networks of containers, and the ports of the host that agents offer.
use super::Dcos;
use crate::rendezvous;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{self, Lifecycle, Required, Requirement, Storage};
use tfjob_lang::target::{Site, Support, Target};

/// The ports that agents offer unless their operator says otherwise; the gaps are DC/OS' own services.
const OFFERED: [(u16, u16); 6] =
    [(1025, 2180), (2182, 3887), (3889, 5049), (5052, 8079), (8082, 8180), (8182, 32000)];

/// The network of containers, if the job asks for one.
pub fn containers(plan: &Plan) -> Option<&str> {
    plan.requirements.iter().find_map(|required| {
        let Requirement::Network(requirement::Network::Container(name)) = &required.requirement else {
            return None;
        };
        Some(name.as_str())
    })
}

/// The refusal of a network of containers by its name. Marathon 1.5.0 and 1.5.1 refuse `_`, later versions
/// accept it again (MARATHON-7848): DC/OS 1.10 may have either.
pub fn refused<M>(name: &str, site: &Site<Dcos>) -> Option<Support<M>> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let edges = name.bytes().next().is_some_and(plain) && name.bytes().last().is_some_and(plain);
    if !edges || name.len() > 63 || !name.bytes().all(|b| plain(b) || matches!(b, b'-' | b'_')) {
        return Some(Support::impossible(
            format!("would refuse `{name}` as the name of a network"),
            "lower case, digits and inner `-` and `_`, at most 63: DC/OS' own is `dcos`",
            "stringTypes.raml of Marathon 1.7, NetworkName",
        ));
    }
    if matches!(name, "bridge" | "none" | "host") {
        return Some(Support::unsupported(
            format!("looks for a network of containers that is called `{name}`, and DC/OS has none"),
            "write the name of a network of containers: DC/OS' own is `dcos`; or remove `network`: tasks are on the host's",
            "the network/cni isolator of Mesos: Unknown CNI network",
        ));
    }
    if name.contains('_') && !site.job.is_since((1, 11)) {
        return Some(Support::unsupported(
            "takes `_` in the name of a network only since version 1.11",
            "add `version \"1.11\"` or newer to `target \"dcos\"` if the cluster is",
            "Marathon's MARATHON-7848: 1.5.0 and 1.5.1 of DC/OS 1.10 refuse it",
        ));
    }
    None
}

/// Why nobody listens on the rendezvous port of the role's tasks, by its kind: Marathon need not keep it free.
fn calls_only(kind: RoleKind, plan: &Plan) -> Option<&'static str> {
    let led = || {
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
        // torch.distributed, env://: rank 0 listens; ps-lite and Rabit pick the ports of the others.
        RoleKind::Worker | RoleKind::Server => {
            led().then_some("its tasks call the first task of the job, and nobody calls them on this port")
        }
        RoleKind::Chief
        | RoleKind::Ps
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Own
        | RoleKind::Helper => None,
    }
}

/// Whether the spec or a shim looks at the rendezvous port of a role: a shim waits on it before the program starts.
fn is_looked_at(role: RoleId, plan: &Plan) -> bool {
    let waits = |required: &Required| {
        matches!(
            required.requirement,
            Requirement::Lifecycle(Lifecycle::StartTimeout { .. })
                | Requirement::Storage(Storage::CheckpointsFresh { .. })
        ) || matches!(required.requirement, Requirement::Lifecycle(Lifecycle::Ready { role: of, .. }) if of == role)
    };
    let role = &plan.roles[role];
    // The number stands in the texts already where they refer to it.
    let mut numbers = role.ports.iter().filter_map(|port| port.number.map(|number| number.to_string()));
    plan.requirements.iter().any(waits)
        // Whose addresses they are matters little: a program that hands addresses out knows more than the framework.
        || plan.roles.iter().any(rendezvous::looks)
        || role.is_told_port()
        || numbers.any(|number| rendezvous::names(role, &number).is_some())
}

/// Why nobody uses the rendezvous port, where nobody wrote it: a single task has no peer, and some only call others.
pub fn unused(role: RoleId, name: &str, plan: &Plan) -> Option<&'static str> {
    let default = || {
        plan.requirements.iter().any(|required| {
            required.default
                && matches!(&required.requirement, Requirement::Network(requirement::Network::Port { role: r, name: n, .. }) if *r == role && n == name)
        })
    };
    let alone = (plan.rendezvous_tasks() <= 1 && !rendezvous::is_used(plan, role))
        .then_some("a single task has no peer that would look for it");
    let caller = || calls_only(plan.roles[role].kind, plan).filter(|_| !is_looked_at(role, plan));
    alone.or_else(caller).filter(|_| default())
}

/// The ports that agents offer, where this is none of them.
pub fn offered_instead(number: u16) -> Option<String> {
    let offered = OFFERED.iter().any(|(first, last)| (*first..=*last).contains(&number));
    let ranges = OFFERED.map(|(first, last)| format!("{first}-{last}")).join(", ");
    (!offered).then_some(ranges)
}

/// The refusal of a port of the host that no agent offers: the app would wait for ever.
pub fn unoffered<M>(number: u16, plan: &Plan) -> Option<Support<M>> {
    let ranges = offered_instead(number).filter(|_| containers(plan).is_none())?;
    Some(Support::unsupported(
        format!("never offers the host's port {number} to tasks"),
        format!("a port of {ranges}, or `network \"dcos\"`, where each task has its own address"),
        "DC/OS, MESOS_RESOURCES of its agents",
    ))
}

/// The refusal of a role that is pinned to one agent where it and a role before it, or two of its own tasks, need the same
/// port of that agent: Mesos gives a port to one task, and the next would wait for ever.
pub fn pinned<M>(role: RoleId, host: &str, plan: &Plan) -> Option<Support<M>> {
    if containers(plan).is_some() {
        return None;
    }
    let several = plan.roles[role].count.value > 1;
    let before = |number: u16| (0..role).any(|id| is_pinned(id, host, plan) && needs(id, number, plan));
    let numbers = plan.roles[role].ports.iter().filter_map(|port| port.number);
    let number = numbers.filter(|n| needs(role, *n, plan)).find(|number| several || before(*number))?;
    Some(lacking(number, host))
}

/// Whether a role names this one agent.
pub fn is_pinned(id: RoleId, host: &str, plan: &Plan) -> bool {
    plan.node_of(id, Dcos::is_host).is_some_and(|(named, _)| named == host)
}

/// Whether a task of the role takes this port of its agent.
pub fn needs(id: RoleId, number: u16, plan: &Plan) -> bool {
    let mut ports = plan.roles[id].ports.iter().filter(|port| unused(id, &port.name.value, plan).is_none());
    ports.any(|port| port.number == Some(number))
}

pub fn lacking<M>(number: u16, host: &str) -> Support<M> {
    Support::unsupported(
        format!(
            "gives the port {number} of the agent `{host}` to one task, and another one that needs it there waits forever"
        ),
        "write `network \"dcos\"`, where each task has its own address, or let the tasks run on several nodes",
        "Mesos, ports of an agent; `requirePorts` of Marathon",
    )
}
