//! Whether the ports that the job's tasks listen on are free, told before any of them starts: whoever else listens there would
//! be taken for the task.
use super::Ground;
use crate::outcome::Failure;
use std::collections::BTreeMap;
use tfjob_contract::Contract;
use tfjob_shim::is_taken;
use tfjob_targets::local::Job;

/// A failure for each port that is taken, with the roles that declare it.
pub fn taken(job: &Job, contract: &Contract, ground: &Ground) -> Vec<Failure> {
    let mut declared: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for (id, role) in job.roles.iter().enumerate() {
        let chosen = ground.chosen.iter().any(|(chosen, _)| *chosen == id);
        let Some(role) = contract.role_named(&role.name.0).filter(|_| chosen) else { continue };
        for (name, number) in role.ports.iter().filter(|(_, number)| **number > 0) {
            declared.entry(*number).or_default().push(format!("`{name}` of `{}`", role.name));
        }
    }
    let taken = declared.iter().filter(|(number, _)| is_taken(**number));
    let told = taken.map(|(number, by)| {
        let (port, by) = (if by.len() == 1 { "port" } else { "ports" }, by.join(", "));
        Failure::new(format!(
            "another process of this machine listens on port {number}, which is the {port} {by}: stop it, or change the number"
        ))
    });
    told.collect()
}
