//! Resources that a job reserves on a cluster, in both forms.
use super::Dcos;
use super::network::containers;
use crate::patch;
use tfjob_lang::cluster::demand::{Demand, Resource};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Target;

/// Fields that decide whether an offer of an agent fits a task, for Marathon and for the scheduler of the package.
const SCHEDULED: [&str; 13] = [
    "acceptedResourceRoles",
    "constraints",
    "count",
    "cpus",
    "disk",
    "gpus",
    "hostPort",
    "instances",
    "mem",
    "placement",
    "placement_constraint",
    "resources",
    "scaling",
];

/// Adds two things to a demand: the host ports, and the patches whose effect on the demand is unknown. `is_idle`: returns whether
/// no task of a role uses a port.
pub fn of_agents(plan: &Plan, is_idle: impl Fn(RoleId, &str) -> bool, mut demand: Demand) -> Demand {
    ports(plan, is_idle, &mut demand);
    demand.uncounted = patch::uncounted(plan, Dcos::NAME, &SCHEDULED);
    demand.images = patch::images(plan, Dcos::NAME);
    demand
}

/// Adds the fixed host ports, unless the job uses a container network. On one agent, Mesos gives each port to only one task.
/// `is_idle`: returns whether no task of a role uses a port.
fn ports(plan: &Plan, is_idle: impl Fn(RoleId, &str) -> bool, demand: &mut Demand) {
    for group in &mut demand.groups {
        group.needs.retain(|(resource, ..)| !matches!(resource, Resource::Port(_)));
    }
    if containers(plan).is_some() {
        return;
    }
    let mut reserve = |group: usize, number: u16, at: Span| {
        let Some(group) = demand.groups.get_mut(group) else { return };
        if group.need(&Resource::Port(number)).is_none() {
            group.needs.push((Resource::Port(number), 1, at));
        }
    };
    for (id, role) in plan.roles.iter().enumerate() {
        for port in role.ports.iter().filter(|port| !is_idle(id, &port.name.value)) {
            port.number.into_iter().for_each(|number| reserve(id, number, port.name.span));
        }
    }
    for required in &plan.requirements {
        if let Requirement::Job(Job::Tensorboard(board)) = &required.requirement {
            reserve(plan.roles.len(), board.port, required.at);
        }
    }
}
