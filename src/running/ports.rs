//! Checks readiness ports with a fixed number before any task starts. If another process listens on such a port, the run would
//! take that process for the task. The shim reports other declared ports that are in use.
use super::{RunContext, folder};
use crate::outcome::Failure;
use std::net::Ipv4Addr;
use tfjob_contract::Contract;
use tfjob_shim::is_taken;
use tfjob_targets::local::Job;

/// Returns a failure for each port that is in use.
pub fn taken(job: &Job, contract: &Contract, context: &RunContext) -> Vec<Failure> {
    let chosen = |id: usize| context.chosen.iter().any(|(chosen, _)| *chosen == id);
    let roles = job.roles.iter().enumerate().filter(|(id, _)| chosen(*id));
    let told = roles.filter_map(|(_, role)| {
        let of = contract.role_named(&role.name.0)?;
        let number = contract.ready_port(of).filter(|number| is_taken(Ipv4Addr::LOCALHOST, *number))?;
        let (name, _) = of.ports.iter().find(|(_, port)| **port == number)?;
        Some(Failure::new(format!(
            "port {number} (`{name}` of `{}`) is already in use on this machine: stop the process that uses it, or change the number",
            of.name
        )))
    });
    let told: Vec<Failure> = told.collect();
    // If the job is already running, its tasks use the ports. The failure then names the active run.
    if told.is_empty() { told } else { folder::active(&context.folder).map_or(told, |active| vec![active]) }
}
