//! Whether the numbered ports that show that tasks are ready are free, told before any task starts: whoever else listens there
//! would be taken for the task. The shim tells of other declared ports that are in use.
use super::RunContext;
use crate::outcome::Failure;
use std::net::Ipv4Addr;
use tfjob_contract::Contract;
use tfjob_shim::is_taken;
use tfjob_targets::local::Job;

/// A failure for each port that is taken.
pub fn taken(job: &Job, contract: &Contract, context: &RunContext) -> Vec<Failure> {
    let chosen = |id: usize| context.chosen.iter().any(|(chosen, _)| *chosen == id);
    let roles = job.roles.iter().enumerate().filter(|(id, _)| chosen(*id));
    let told = roles.filter_map(|(_, role)| {
        let of = contract.role_named(&role.name.0)?;
        let number = contract.ready_port(of).filter(|number| is_taken(Ipv4Addr::LOCALHOST, *number))?;
        let (name, _) = of.ports.iter().find(|(_, port)| **port == number)?;
        Some(Failure::new(format!(
            "port {number} (`{name}` of `{}`) is already in use on this machine: stop what uses it, or change the number",
            of.name
        )))
    });
    told.collect()
}
