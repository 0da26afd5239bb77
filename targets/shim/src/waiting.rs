//! What must be true before the first start: who is waited for, how far each must have come, and who is missing.
use crate::probe::{Sight, Target};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tfjob_contract::{Contract, Failure, Role, Sign, TaskId, When};

/// How far a task must have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Its host has an address.
    Name,
    /// And its shim does not say that it still waits.
    Started,
    /// It answers.
    Ready,
    /// Its program listens, or has listened.
    Listens,
}

/// How long a task that was ready may be silent when the last one is: it may have ended well, and nobody sees the difference.
const SILENCE: Duration = Duration::from_secs(30);

/// All that is still missing.
#[derive(Debug)]
pub struct Missing {
    open: Vec<(Target, Need, Option<Sight>)>,
    /// Those that were ready while others were missing. They are looked at again when nobody else is missing.
    early: Vec<(Target, Need, Option<Sight>)>,
    /// Until when these may be silent; `None`: others are missing.
    silent: Option<Instant>,
}

impl Missing {
    /// What a task waits for before its first start. `again`: in a container after the first one, when others may have finished,
    /// and have no name any more.
    ///
    /// # Errors
    /// What the platform did not say about the others.
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
        if let Some((first, when)) = contract.calls_after(task).filter(|_| !again)
            && !looks.iter().any(|(tasks, _)| tasks.contains(&first))
        {
            looks.push((vec![first], when));
        }
        for (first, when) in looks {
            let role = contract.role_of(first.first().unwrap_or(task))?;
            let (need, port, path) = need(contract, role, when);
            for peer in contract.places(&first, env)? {
                let port = match port {
                    Port::Cluster => peer.port,
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
            // Who must have come further has an address.
            let known: Vec<TaskId> = open.iter().map(|(target, ..)| target.task.clone()).collect();
            let all = if again { contract.awaited(task, true) } else { contract.met_by(task) };
            let peers: Vec<TaskId> = all.into_iter().filter(|peer| !known.contains(peer)).collect();
            for peer in if peers.is_empty() { Vec::new() } else { contract.places(&peers, env)? } {
                let target = Target { task: peer.task, host: peer.host, port: None, path: None };
                open.push((target, Need::Name, None));
            }
        }
        Ok(Self { open, early: Vec::new(), silent: None })
    }

    /// Those for whom the program of a task would wait without end; `again`: at a later start.
    ///
    /// # Errors
    /// What the platform did not say about them.
    pub fn servers(
        contract: &Contract,
        task: &TaskId,
        env: &BTreeMap<String, String>,
        again: bool,
    ) -> Result<Self, Failure> {
        let peers = contract.awaited(task, again);
        let places = if peers.is_empty() { Vec::new() } else { contract.places(&peers, env)? };
        let with_port = places.into_iter().filter(|peer| peer.port.is_some());
        let open = with_port
            .map(|peer| Target { task: peer.task, host: peer.host, port: peer.port, path: None })
            .map(|target| (target, Need::Listens, None));
        Ok(Self { open: open.collect(), early: Vec::new(), silent: None })
    }

    /// Whom to look at.
    pub fn targets(&self) -> Vec<Target> {
        self.open.iter().map(|(target, ..)| target.clone()).collect()
    }

    /// Takes what a round over [`Missing::targets`] saw. Returns `true` if peers that were ready are to be seen once more: what
    /// this round saw of them is too old by now.
    pub fn note(&mut self, sights: &[Sight], now: Instant) -> bool {
        let mut sights = sights.iter();
        let silent = self.silent.is_some_and(|until| now < until);
        let again = self.silent.is_some();
        let mut ready = Vec::new();
        self.open.retain_mut(|(target, need, last)| {
            let Some(sight) = sights.next() else { return true };
            if *sight != Sight::Unseen {
                *last = Some(*sight);
            }
            let is_met = if again { !is_down(*sight, silent) } else { met(*need, *sight) };
            if is_met && *need == Need::Ready && *sight == Sight::Listens {
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

    /// Waits no longer for those that were ready and are silent.
    pub fn excuse(&mut self) {
        let excused = self.silent.is_some();
        self.open.retain(|(.., last)| !excused || matches!(last, Some(Sight::Waits | Sight::Failed)));
    }

    /// Whether one of the missing has failed for good: nobody waits any longer.
    pub fn is_hopeless(&self) -> bool {
        self.open.iter().any(|(.., last)| *last == Some(Sight::Failed))
    }

    /// Whether one of the missing says itself that it will come.
    pub fn promised(&self) -> bool {
        self.open.iter().any(|(.., last)| *last == Some(Sight::Waits))
    }

    /// Whether nobody is missing.
    pub fn nobody(&self) -> bool {
        self.open.is_empty()
    }

    /// Who is missing and why, in one line.
    pub fn who(&self) -> String {
        let why = |(target, need, last): &(Target, Need, Option<Sight>)| {
            let Target { task, host, port, path } = target;
            let at = port.map_or_else(String::new, |port| format!(":{port}"));
            let path = path.as_deref().unwrap_or_default();
            let why = match (last, need) {
                (None | Some(Sight::Unseen), _) => "not looked at yet".to_owned(),
                (Some(Sight::Failed), _) => format!("{host} says that it has failed"),
                (Some(Sight::Nameless), _) => format!("the name {host} has no address"),
                (Some(Sight::Doubtful), _) => {
                    format!(
                        "the name {host} has no address, and name servers fail for some of the searched domains"
                    )
                }
                (Some(Sight::Unknown), _) => {
                    format!(
                        "the name {host} has no address now: the DNS lookup failed, which may be temporary"
                    )
                }
                (Some(Sight::Waits), _) => format!("{host} is there and its program has not been started"),
                (Some(Sight::Silent | Sight::Listens | Sight::Done), _) => {
                    format!("{host}{at}{path} does not answer")
                }
            };
            format!("{}-{} ({why})", task.role, task.index)
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
    Cluster,
    Number(u16),
}

/// How to see how far a role has come; a file in another container cannot be seen.
fn need(contract: &Contract, role: &Role, when: When) -> (Need, Port, Option<String>) {
    match (when, contract.sign(role)) {
        (When::Ready | When::Done, Sign::Answers { port, path }) => {
            (Need::Ready, port.map_or(Port::Cluster, Port::Number), path.map(str::to_owned))
        }
        (When::Ready | When::Done, Sign::File(_)) if contract.all_listen(role) => {
            (Need::Ready, Port::Cluster, None)
        }
        (When::Started, _) | (When::Ready | When::Done, Sign::File(_) | Sign::Started) => {
            (Need::Started, Port::Cluster, None)
        }
    }
}

/// Whether a task that was ready is not any more. One without an address may have ended well, and so may one that is silent.
fn is_down(sight: Sight, silent: bool) -> bool {
    match sight {
        Sight::Waits | Sight::Failed | Sight::Unseen => true,
        Sight::Silent => silent,
        Sight::Nameless | Sight::Doubtful | Sight::Unknown | Sight::Listens | Sight::Done => false,
    }
}

fn met(need: Need, sight: Sight) -> bool {
    match (need, sight) {
        (_, Sight::Nameless | Sight::Doubtful | Sight::Unknown | Sight::Unseen)
        | (Need::Started | Need::Ready | Need::Listens, Sight::Failed)
        | (Need::Started | Need::Ready | Need::Listens, Sight::Waits)
        | (Need::Ready | Need::Listens, Sight::Silent) => false,
        (Need::Name, Sight::Waits)
        | (Need::Name | Need::Started, Sight::Silent)
        | (Need::Name, Sight::Failed) => true,
        (_, Sight::Listens | Sight::Done) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{Missing, Need, SILENCE};
    use crate::probe::{Sight, Target};
    use std::time::{Duration, Instant};
    use tfjob_contract::TaskId;

    fn missing() -> Missing {
        let open = ["a", "b"].map(|role| {
            let task = TaskId { role: role.to_owned(), index: 0 };
            (Target { task, host: role.to_owned(), port: Some(1), path: None }, Need::Ready, None)
        });
        Missing { open: open.into(), early: Vec::new(), silent: None }
    }

    #[test]
    fn who_was_ready_early_is_looked_at_once_more() {
        for (again, waits) in [
            (Sight::Listens, false),
            (Sight::Done, false),
            (Sight::Nameless, false),
            (Sight::Silent, true),
            (Sight::Waits, true),
            (Sight::Unseen, true),
            (Sight::Failed, true),
        ] {
            let (mut missing, now) = (missing(), Instant::now());
            missing.note(&[Sight::Listens, Sight::Silent], now);
            missing.note(&[Sight::Listens], now);
            assert_eq!(
                missing.targets().iter().map(|target| target.host.as_str()).collect::<Vec<_>>(),
                ["a"]
            );
            missing.note(&[again], now);
            assert_eq!(
                (missing.nobody(), missing.is_hopeless()),
                (!waits, again == Sight::Failed),
                "{again:?}"
            );
        }
    }

    #[test]
    fn who_was_ready_and_is_silent_for_long_may_have_ended() {
        let (mut missing, now) = (missing(), Instant::now());
        missing.note(&[Sight::Listens, Sight::Silent], now);
        missing.note(&[Sight::Listens], now);
        missing.note(&[Sight::Silent], now + SILENCE - Duration::from_secs(1));
        assert!(!missing.nobody());
        missing.note(&[Sight::Silent], now + SILENCE);
        assert!(missing.nobody());
    }

    #[test]
    fn those_that_are_ready_together_are_looked_at_once() {
        let mut missing = missing();
        missing.note(&[Sight::Listens, Sight::Listens], Instant::now());
        assert!(missing.nobody());
    }
}
