//! The addresses of the tasks, `TFJOB_PEERS`.
use super::Chosen;
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use tfjob_targets::local::Job;

/// `host:port` of every task, by role.
pub type Peers = BTreeMap<String, Vec<String>>;

/// A port for each task, all free at this moment.
///
/// # Errors
/// Where there are too few.
pub fn free(job: &Job, chosen: &Chosen) -> Result<Peers, Failure> {
    let bind = |role: usize| {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|e| {
            Failure::new(format!("no free port for a task of `{}`: {e}", job.roles[role].name.0))
        })?;
        Ok::<_, Failure>((listener.local_addr()?, listener))
    };
    let mut held = Vec::new();
    let mut found: BTreeMap<(usize, u32), SocketAddr> = BTreeMap::new();
    for task in chosen {
        let (address, listener) = bind(task.0)?;
        found.insert(*task, address);
        held.push(listener);
    }
    let mut used: BTreeSet<SocketAddr> = found.values().copied().collect();
    for task in job.tasks() {
        if found.contains_key(&task) {
            continue;
        }
        // Nobody will listen there: it only has to be another one, and a thousand tasks need no thousand open files.
        let mut taken = Vec::new();
        loop {
            let (address, listener) = bind(task.0)?;
            if used.insert(address) {
                found.insert(task, address);
                break;
            }
            taken.push(listener);
        }
    }
    let mut peers = Peers::new();
    for (role, index) in job.tasks() {
        let address = found.get(&(role, index)).map(ToString::to_string).unwrap_or_default();
        peers.entry(job.roles[role].name.0.clone()).or_default().push(address);
    }
    Ok(peers)
}
