//! Missing peers: the peers that a task waits for, the state that each of them must reach, and those that have not reached it.
use crate::probe::{ProbeResult, Target};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tfjob_contract::{Contract, Failure, Readiness, Role, TaskId, When};

/// The state that a peer must have reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// The host name of the peer resolves to an address.
    Name,
    /// The program of the peer has started: the shim of the peer does not report that the program waits.
    Started,
    /// The peer answers its readiness probe.
    Ready,
    /// The program of the peer listens on its port in `TF_CONFIG`, or has finished.
    Listens,
}

/// How long a peer that was ready may fail to answer when all peers are probed again. After this time, the wait ends without that
/// peer: it may have finished, and a finished task does not answer.
const SILENCE: Duration = Duration::from_secs(30);

/// The peers that are still missing.
#[derive(Debug)]
pub struct MissingPeers {
    open: Vec<(Target, Need, Option<ProbeResult>)>,
    /// Peers that were ready while others were missing. They are probed again when no other peer is missing.
    early: Vec<(Target, Need, Option<ProbeResult>)>,
    /// End of [`SILENCE`] for the peers that are probed again. `None`: other peers are still missing.
    silent: Option<Instant>,
}

impl MissingPeers {
    /// Returns the peers that a task waits for before its first start. `again`: whether this is a later container of the task. If
    /// so, peers may have finished and lost their DNS records.
    ///
    /// # Errors
    /// A variable with the addresses of the peers is unset or invalid.
    pub fn of(
        contract: &Contract,
        task: &TaskId,
        env: &BTreeMap<String, String>,
        again: bool,
    ) -> Result<Self, Failure> {
        let mut open = Vec::new();
        let after = contract.role_of(task)?.duties.iter().flat_map(|duties| &duties.after);
        let mut looks: Vec<(Vec<TaskId>, When)> =
            after.map(|after| (contract.tasks_of(&after.role), after.when)).collect();
        if let Some((first, when)) = contract.rendezvous_prerequisite(task).filter(|_| !again)
            && !looks.iter().any(|(tasks, _)| tasks.contains(&first))
        {
            looks.push((vec![first], when));
        }
        for (first, when) in looks {
            let role = contract.role_of(first.first().unwrap_or(task))?;
            let (need, port, path) = need(contract, role, when);
            for peer in contract.peer_addresses(&first, env)? {
                let port = match port {
                    Port::Rendezvous => peer.port,
                    Port::Number(number) => Some(number),
                };
                open.push((
                    Target { task: peer.task, host: peer.host, port, path: path.clone() },
                    need,
                    None,
                ));
            }
        }
        if contract.duties.as_ref().is_some_and(|duties| duties.wait.is_some()) {
            // The other peers only need an address. Peers that must have started or be ready are not added again, because a peer in
            // these states has an address.
            let known: Vec<TaskId> = open.iter().map(|(target, ..)| target.task.clone()).collect();
            let all =
                if again { contract.required_peers(task, true) } else { contract.rendezvous_peers(task) };
            let peers: Vec<TaskId> = all.into_iter().filter(|peer| !known.contains(peer)).collect();
            for peer in if peers.is_empty() { Vec::new() } else { contract.peer_addresses(&peers, env)? } {
                let target = Target { task: peer.task, host: peer.host, port: None, path: None };
                open.push((target, Need::Name, None));
            }
        }
        Ok(Self { open, early: Vec::new(), silent: None })
    }

    /// Returns the peers without which the program would hang. `again`: whether this is a restart.
    ///
    /// # Errors
    /// A variable with the addresses of the peers is unset or invalid.
    pub fn servers(
        contract: &Contract,
        task: &TaskId,
        env: &BTreeMap<String, String>,
        again: bool,
    ) -> Result<Self, Failure> {
        let peers = contract.required_peers(task, again);
        let places = if peers.is_empty() { Vec::new() } else { contract.peer_addresses(&peers, env)? };
        let with_port = places.into_iter().filter(|peer| peer.port.is_some());
        let open = with_port
            .map(|peer| Target { task: peer.task, host: peer.host, port: peer.port, path: None })
            .map(|target| (target, Need::Listens, None));
        Ok(Self { open: open.collect(), early: Vec::new(), silent: None })
    }

    /// Returns the targets to probe.
    pub fn targets(&self) -> Vec<Target> {
        self.open.iter().map(|(target, ..)| target.clone()).collect()
    }

    /// Records the results of a probe round over [`MissingPeers::targets`]. Returns `true` if peers that were ready must be probed
    /// again, because their last results are too old.
    pub fn note(&mut self, sights: &[ProbeResult], now: Instant) -> bool {
        let mut sights = sights.iter();
        let silent = self.silent.is_some_and(|until| now < until);
        let again = self.silent.is_some();
        let mut ready = Vec::new();
        self.open.retain_mut(|(target, need, last)| {
            let Some(sight) = sights.next() else { return true };
            if *sight != ProbeResult::NotProbed {
                *last = Some(*sight);
            }
            let is_met = if again { !is_down(*sight, silent) } else { met(*need, *sight) };
            if is_met && *need == Need::Ready && *sight == ProbeResult::Answers {
                ready.push((target.clone(), *need, None));
            }
            !is_met
        });
        if !self.open.is_empty() {
            self.early.extend(ready);
            return false;
        }
        let anew = !again && !self.early.is_empty();
        if anew {
            self.open = std::mem::take(&mut self.early);
            self.silent = Some(now + SILENCE);
        }
        anew
    }

    /// Stops waiting for peers that were ready but do not answer now.
    pub fn excuse(&mut self) {
        let excused = self.silent.is_some();
        self.open.retain(|(.., last)| {
            !excused || matches!(last, Some(ProbeResult::Waiting | ProbeResult::Failed))
        });
    }

    /// Whether a missing peer has failed permanently.
    pub fn has_failed(&self) -> bool {
        self.open.iter().any(|(.., last)| *last == Some(ProbeResult::Failed))
    }

    /// Whether a missing peer reports that its program waits for its start or restart.
    pub fn has_waiting(&self) -> bool {
        self.open.iter().any(|(.., last)| *last == Some(ProbeResult::Waiting))
    }

    /// Whether all missing peers only need an address. An address does not show whether a program runs.
    pub fn needs_only_addresses(&self) -> bool {
        self.open.iter().all(|(_, need, _)| *need == Need::Name)
    }

    /// Whether no peer is missing.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Describes the missing peers and the reasons in one line.
    pub fn describe(&self) -> String {
        let why = |(target, need, last): &(Target, Need, Option<ProbeResult>)| {
            let Target { task, host, port, path } = target;
            let at = port.map_or_else(String::new, |port| format!(":{port}"));
            let path = path.as_deref().unwrap_or_default();
            let why = match (last, need) {
                (None | Some(ProbeResult::NotProbed), _) => "not probed yet".to_owned(),
                (Some(ProbeResult::Failed), _) => {
                    format!("its tfjob-shim at {host} reports that the task has failed")
                }
                (Some(ProbeResult::NoAddress), _) => format!("no DNS record for {host}"),
                (Some(ProbeResult::PartialDns), _) => {
                    format!("no DNS record for {host}, and DNS lookups fail for some search domains")
                }
                (Some(ProbeResult::DnsFailed), _) => {
                    format!("DNS lookup of {host} failed, which may be temporary")
                }
                (Some(ProbeResult::Waiting), _) => {
                    format!("its program on {host} has not started yet, or is about to restart")
                }
                (Some(ProbeResult::NoAnswer), Need::Listens) => {
                    format!("its program does not listen on its TF_CONFIG port, {host}{at}")
                }
                (Some(ProbeResult::NoAnswer | ProbeResult::Answers | ProbeResult::Done), _) => {
                    format!("{host}{at}{path} does not answer")
                }
            };
            format!("{}:{} ({why})", task.role, task.index)
        };
        let shown: Vec<String> = self.open.iter().take(3).map(why).collect();
        let more = match self.open.len().saturating_sub(3) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", shown.join(", "))
    }
}

enum Port {
    Rendezvous,
    Number(u16),
}

/// Returns the state that peers of a role must reach, and the port and HTTP path to probe. A readiness file in another container
/// cannot be probed.
fn need(contract: &Contract, role: &Role, when: When) -> (Need, Port, Option<String>) {
    match (when, contract.readiness(role)) {
        (When::Ready | When::Done, Readiness::Answers { port, path }) => {
            (Need::Ready, port.map_or(Port::Rendezvous, Port::Number), path.map(str::to_owned))
        }
        (When::Ready | When::Done, Readiness::File(_)) if contract.all_listen(role) => {
            (Need::Ready, Port::Rendezvous, None)
        }
        (When::Started, _) | (When::Ready | When::Done, Readiness::File(_) | Readiness::Started) => {
            (Need::Started, Port::Rendezvous, None)
        }
    }
}

/// Whether a peer that was ready is no longer ready. `silent`: whether a peer that does not answer counts as not ready.
fn is_down(sight: ProbeResult, silent: bool) -> bool {
    match sight {
        ProbeResult::Waiting | ProbeResult::Failed | ProbeResult::NotProbed => true,
        ProbeResult::NoAnswer => silent,
        ProbeResult::NoAddress
        | ProbeResult::PartialDns
        | ProbeResult::DnsFailed
        | ProbeResult::Answers
        | ProbeResult::Done => false,
    }
}

fn met(need: Need, sight: ProbeResult) -> bool {
    match (need, sight) {
        (
            _,
            ProbeResult::NoAddress
            | ProbeResult::PartialDns
            | ProbeResult::DnsFailed
            | ProbeResult::NotProbed,
        )
        | (Need::Started | Need::Ready | Need::Listens, ProbeResult::Failed)
        | (Need::Started | Need::Ready | Need::Listens, ProbeResult::Waiting)
        | (Need::Ready | Need::Listens, ProbeResult::NoAnswer) => false,
        (Need::Name, ProbeResult::Waiting)
        | (Need::Name | Need::Started, ProbeResult::NoAnswer)
        | (Need::Name, ProbeResult::Failed) => true,
        (_, ProbeResult::Answers | ProbeResult::Done) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{MissingPeers, Need, SILENCE};
    use crate::probe::{ProbeResult, Target};
    use std::time::{Duration, Instant};
    use tfjob_contract::TaskId;

    fn missing() -> MissingPeers {
        let open = ["a", "b"].map(|role| {
            let task = TaskId { role: role.to_owned(), index: 0 };
            (Target { task, host: role.to_owned(), port: Some(1), path: None }, Need::Ready, None)
        });
        MissingPeers { open: open.into(), early: Vec::new(), silent: None }
    }

    #[test]
    fn who_was_ready_early_is_looked_at_once_more() {
        for (again, waits) in [
            (ProbeResult::Answers, false),
            (ProbeResult::Done, false),
            (ProbeResult::NoAddress, false),
            (ProbeResult::NoAnswer, true),
            (ProbeResult::Waiting, true),
            (ProbeResult::NotProbed, true),
            (ProbeResult::Failed, true),
        ] {
            let (mut missing, now) = (missing(), Instant::now());
            missing.note(&[ProbeResult::Answers, ProbeResult::NoAnswer], now);
            missing.note(&[ProbeResult::Answers], now);
            assert_eq!(
                missing.targets().iter().map(|target| target.host.as_str()).collect::<Vec<_>>(),
                ["a"]
            );
            missing.note(&[again], now);
            assert_eq!(
                (missing.is_empty(), missing.has_failed()),
                (!waits, again == ProbeResult::Failed),
                "{again:?}"
            );
        }
    }

    #[test]
    fn who_was_ready_and_is_silent_for_long_may_have_ended() {
        let (mut missing, now) = (missing(), Instant::now());
        missing.note(&[ProbeResult::Answers, ProbeResult::NoAnswer], now);
        missing.note(&[ProbeResult::Answers], now);
        missing.note(&[ProbeResult::NoAnswer], now + SILENCE - Duration::from_secs(1));
        assert!(!missing.is_empty());
        missing.note(&[ProbeResult::NoAnswer], now + SILENCE);
        assert!(missing.is_empty());
    }

    #[test]
    fn those_that_are_ready_together_are_looked_at_once() {
        let mut missing = missing();
        missing.note(&[ProbeResult::Answers, ProbeResult::Answers], Instant::now());
        assert!(missing.is_empty());
    }
}
