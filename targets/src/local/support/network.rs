//! Ports and networks.
use super::Support;
use crate::ports;
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::{Plan, Role, RoleId};
use tfjob_lang::requirement::{self, Job, Requirement};
use tfjob_lang::spec::PortNumber;

/// Returns the support of one requirement about ports and networks.
pub fn support(requirement: &requirement::Network, plan: &Plan) -> Support {
    match requirement {
        requirement::Network::Port { role, name, number } => port(plan, *role, (name, *number), requirement),
        requirement::Network::PortLink { .. } => {
            Support::Ignored("`link` is ignored, because `tfjob run` shows no web page".to_owned())
        }
        requirement::Network::Host => {
            Support::inherent("tasks are processes on this machine and use its network")
        }
        requirement::Network::Container(_) => Support::Ignored(
            "`network` is ignored, because all tasks use the network of this machine".to_owned(),
        ),
        requirement::Network::Protocol(_) => {
            Support::inherent("the program passes the protocol to its TensorFlow server")
        }
    }
}

/// Returns the support of a port. `tfjob run` picks free ports for the rendezvous.
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
        PortNumber::Auto if name == RENDEZVOUS => {
            Support::inherent("`tfjob run` picks a free port for each task")
        }
        PortNumber::Fixed(_) if name == RENDEZVOUS && default() => {
            Support::inherent("`tfjob run` picks a free port for each task")
        }
        PortNumber::Fixed(_) if name == RENDEZVOUS => {
            let how = "`tfjob run` picks a free port for each task, because all tasks share this machine";
            Support::inherent_but(how, how)
        }
        PortNumber::Auto => Support::inherent("the shim picks a free port"),
        PortNumber::Fixed(number) => taken(plan, role, number.0, || ports::unshared(plan, role, name))
            .unwrap_or_else(|| Support::inherent("only one task uses this port, and the program opens it")),
    }
}

/// Refuses a fixed port that two tasks would bind: two tasks of this role, or a task of this role and a task of an earlier role.
/// TensorBoard counts as the last role. `help`: function that returns the help of the refusal.
pub fn taken(plan: &Plan, role: RoleId, number: u16, help: impl Fn() -> String) -> Option<Support> {
    let users = |id: RoleId, role: &Role| {
        let ports = role.ports.iter().filter(|port| port.name.value != RENDEZVOUS);
        let own = ports.filter(|port| port.number == Some(number)).count();
        (id, own as u64 * u64::from(role.count.value))
    };
    let board = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(board)) if board.port == number);
    let boards = plan.requirements.iter().filter(|required| board(&required.requirement)).count() as u64;
    let all = plan.roles.iter().enumerate().map(|(id, role)| users(id, role));
    let all: Vec<_> = all.chain([(plan.roles.len(), boards)]).collect();
    let up_to: u64 = all.iter().filter(|(id, _)| *id <= role).map(|(_, tasks)| tasks).sum();
    let tasks: u64 = all.iter().map(|(_, tasks)| tasks).sum();
    (up_to > 1).then(|| {
        Support::unsupported(
            format!("a local run starts all tasks on this machine, but only one of the {tasks} tasks that use port {number} can open it"),
            help(),
            "bind(2): `EADDRINUSE` if another process already uses the port",
        )
    })
}
