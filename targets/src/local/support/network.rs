//! Ports and networks.
use super::Support;
use tfjob_lang::plan::{Plan, Role, RoleId};
use tfjob_lang::requirement::{self, Job, Requirement};
use tfjob_lang::spec::PortNumber;

/// Answers one requirement: ports and networks.
pub fn support(requirement: &requirement::Network, plan: &Plan) -> Support {
    match requirement {
        requirement::Network::Port { role, name, number } => port(plan, *role, (name, *number), requirement),
        requirement::Network::PortLink { .. } => {
            Support::Ignored("has no page that shows a task's port".to_owned())
        }
        requirement::Network::Host => Support::inherent("tasks are processes of this machine"),
        requirement::Network::Container(_) => {
            Support::Ignored("has the network of this machine alone".to_owned())
        }
        requirement::Network::Protocol(_) => {
            Support::inherent("how TensorFlow's tasks talk is their own affair")
        }
    }
}

/// A port. Those of the rendezvous are `tfjob run`'s to find.
fn port(
    plan: &Plan,
    role: RoleId,
    (name, number): (&str, PortNumber),
    requirement: &requirement::Network,
) -> Support {
    let default = || {
        plan.requirements.iter().any(|required| {
            required.default
                && matches!(&required.requirement, Requirement::Network(own) if own == requirement)
        })
    };
    match number {
        PortNumber::Auto if name == "rendezvous" => Support::inherent("each task has a free port"),
        PortNumber::Fixed(_) if name == "rendezvous" && default() => {
            Support::inherent("each task has a free port")
        }
        PortNumber::Fixed(_) if name == "rendezvous" => {
            let how = "a free port each: all tasks are on this machine";
            Support::inherent_but(how, how)
        }
        PortNumber::Auto => Support::inherent("the shim finds a free port"),
        PortNumber::Fixed(number) => taken(plan, role, number.0)
            .unwrap_or_else(|| Support::inherent("one task alone wants that port, and opens it itself")),
    }
}

/// Why a role cannot have a port: it has several tasks, or an earlier role wants it too. A TensorBoard comes after all
/// roles.
pub fn taken(plan: &Plan, role: RoleId, number: u16) -> Option<Support> {
    let wanted = |id: RoleId, role: &Role| {
        let ports = role.ports.iter().filter(|port| port.name.value != "rendezvous");
        let own = ports.filter(|port| port.number == Some(number)).count();
        (id, own as u64 * u64::from(role.count.value))
    };
    let board = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(board)) if board.port == number);
    let boards = plan.requirements.iter().filter(|required| board(&required.requirement)).count() as u64;
    let all = plan.roles.iter().enumerate().map(|(id, role)| wanted(id, role));
    let all: Vec<_> = all.chain([(plan.roles.len(), boards)]).collect();
    let up_to: u64 = all.iter().filter(|(id, _)| *id <= role).map(|(_, tasks)| tasks).sum();
    let tasks: u64 = all.iter().map(|(_, tasks)| tasks).sum();
    (up_to > 1).then(|| {
        Support::unsupported(
            format!("runs all tasks on one machine, and {tasks} of them want port {number} of it"),
            "write `port \"…\" \"auto\"`: the program reads its number from `{port.NAME}`",
            "bind(2): EADDRINUSE",
        )
    })
}
