//! Addresses of the tasks: the value of `TFJOB_PEERS`.
use super::Chosen;
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr};
use tfjob_contract::Contract;
use tfjob_shim::{Port, pick_port};
use tfjob_targets::local::Job;

/// `host:port` of every task, by role.
pub type Peers = BTreeMap<String, Vec<String>>;

/// Addresses of all tasks, and the port reservations of the selected tasks. The ports are reserved until this value is dropped.
#[derive(Debug)]
pub struct Held {
    /// Addresses of all tasks.
    pub peers: Peers,
    _ports: Vec<Port>,
}

/// Allocates a free port for each task, different from all declared ports.
///
/// # Errors
/// Returns an error if no port is free.
pub fn free(job: &Job, contract: &Contract, chosen: &Chosen) -> Result<Held, Failure> {
    let chosen: BTreeSet<(usize, u32)> = chosen.iter().copied().collect();
    let declared = contract.roles.iter().flat_map(|role| role.ports.values().copied());
    let mut used: BTreeSet<u16> = declared.collect();
    let mut held = Vec::new();
    let mut found = BTreeMap::new();
    // Tasks that are not selected only need distinct ports. Their ports are not reserved, to save open files.
    let others = job.tasks().filter(|task| !chosen.contains(task));
    for task in chosen.iter().copied().chain(others) {
        let is_chosen = chosen.contains(&task);
        let port = pick_port(&|number| used.contains(&number), is_chosen).map_err(|e| {
            Failure::new(format!("no free port for a task of `{}`: {e}", job.roles[task.0].name.0))
        })?;
        used.insert(port.number);
        found.insert(task, SocketAddr::from((Ipv4Addr::LOCALHOST, port.number)));
        held.extend(is_chosen.then_some(port));
    }
    let mut peers = Peers::new();
    for (role, index) in job.tasks() {
        let address = found.get(&(role, index)).map(ToString::to_string).unwrap_or_default();
        peers.entry(job.roles[role].name.0.clone()).or_default().push(address);
    }
    Ok(Held { peers, _ports: held })
}
