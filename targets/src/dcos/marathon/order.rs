//! Which app starts when. Marathon deploys a group in layers: an app stands in the layer of its longest chain of
//! dependencies, and no layer starts before every app of the layers before it is ready (`DeploymentPlan`,
//! `runSpecsGroupedByLongestPath`; `DeploymentActor`, `performStep`). An app with a health check is ready when the check
//! passes, any other when it runs (`ReadinessBehavior`). Inside an app the shim may wait before it starts the program.
use crate::contract_builder::{ContractBuilder, Places};
use crate::dcos::Dcos;
use crate::patch;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_contract::{Peers, Source, TaskId};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Job, Lifecycle, Probe, Requirement};
use tfjob_lang::spec::When;
use tfjob_lang::target::{Target, concerns};

/// The port of the rendezvous.
pub const CLUSTER: &str = "rendezvous";

/// What makes an app ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// It runs.
    Runs,
    /// Its rendezvous port accepts connections: that of a waiting shim does too (`beacon.rs` of the shim).
    Port,
    /// Its program answers, or writes a file.
    Program,
}

/// The layers of a job's roles.
#[derive(Debug)]
pub struct Order<'p> {
    plan: &'p Plan,
    /// The roles that each starts after.
    firsts: Vec<Vec<RoleId>>,
    /// Whether another starts after it.
    awaited: Vec<bool>,
    /// The layer of each, from 1.
    layers: Vec<usize>,
    /// The last of them.
    last: usize,
    checks: Vec<Check>,
}

/// A role that never becomes ready, since its shim waits for one that starts only later.
#[derive(Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The role with the check.
    pub role: RoleId,
    /// The one whose shim waits for addresses: the same, or one that `role` starts after.
    pub waits: RoleId,
    /// Whose addresses.
    pub peer: RoleId,
}

impl<'p> Order<'p> {
    /// Of the accepted `after` lines: Marathon knows no `done`.
    pub fn of(plan: &'p Plan) -> Self {
        let mut firsts = vec![Vec::new(); plan.roles.len()];
        let mut awaited = vec![false; plan.roles.len()];
        for required in &plan.requirements {
            if let Requirement::Lifecycle(Lifecycle::After {
                role,
                first,
                when: When::Started | When::Ready,
            }) = required.requirement
            {
                firsts[role].push(first);
                awaited[first] = true;
            }
        }
        let (layers, checks) = (layers(&firsts), vec![Check::Runs; plan.roles.len()]);
        let last = layers.iter().copied().max().unwrap_or(0);
        let order = Self { plan, firsts, awaited, layers, last, checks };
        Self { checks: order.checks(), ..order }
    }

    /// Whether the health check of a role would only hold back roles that do not wait for it.
    pub fn is_in_the_way(&self, role: RoleId) -> bool {
        !self.awaited[role] && self.layers[role] < self.last
    }

    /// Whether a health check connects to the rendezvous port of a role's tasks.
    pub fn probes_rendezvous(&self, role: RoleId) -> bool {
        self.checks[role] == Check::Port
    }

    /// The first role with a health check that holds back a role which does not wait for it.
    pub fn holds_back(&self, role: RoleId) -> Option<RoleId> {
        let mut behind = vec![false; self.layers.len()];
        let mut open = vec![role];
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut behind[next], true) {
                open.extend(&self.firsts[next]);
            }
        }
        let held = |other: &RoleId| {
            !behind[*other] && self.layers[*other] < self.layers[role] && self.checks[*other] != Check::Runs
        };
        (0..self.layers.len()).find(held)
    }

    /// The health checks of the roles' apps, after the patches.
    fn checks(&self) -> Vec<Check> {
        let mut checks = self.checks.clone();
        let mut supports = vec![false; checks.len()];
        for required in &self.plan.requirements {
            if let Requirement::Lifecycle(Lifecycle::Ready { role, probe }) = &required.requirement
                && !self.is_in_the_way(*role)
            {
                checks[*role] = match probe {
                    Probe::Tcp(port) if port == CLUSTER => Check::Port,
                    Probe::Tcp(_) | Probe::Http(..) | Probe::File(_) => Check::Program,
                };
            }
        }
        for required in
            self.plan.requirements.iter().filter(|required| concerns(&required.requirement, Dcos::NAME))
        {
            let Requirement::Job(Job::Patch { target: _, role: Some(role), text }) = &required.requirement
            else {
                continue;
            };
            // Most patches are of something else, and each role may have one.
            if !text.contains("Checks") {
                continue;
            }
            let patch = patch::value(text);
            if let Some(written) = patch.get("healthChecks") {
                checks[*role] = self.patched(*role, written);
            }
            if let Some(written) = patch.get("readinessChecks") {
                supports[*role] = written.as_array().is_some_and(|written| !written.is_empty());
            }
        }
        for (check, _) in checks.iter_mut().zip(supports).filter(|(_, supports)| *supports) {
            *check = Check::Program;
        }
        checks
    }

    /// A health check that a patch writes; of a command nobody knows what it needs.
    fn patched(&self, role: RoleId, checks: &Value) -> Check {
        let ports = &self.plan.roles[role].ports;
        let cluster = |check: &Value| {
            let number = ports.iter().find(|port| port.name.value == CLUSTER).and_then(|port| port.number);
            let index = check["portIndex"].as_u64().unwrap_or(0);
            let first = usize::try_from(index).ok().and_then(|index| ports.get(index));
            match check["port"].as_u64() {
                Some(port) => number.is_some_and(|number| u64::from(number) == port),
                None => first.is_some_and(|port| port.name.value == CLUSTER),
            }
        };
        let one = |check: &Value| match check["protocol"].as_str() {
            Some("COMMAND") => Check::Runs,
            Some("TCP" | "MESOS_TCP") if cluster(check) => Check::Port,
            Some(_) | None => Check::Program,
        };
        let all: Vec<Check> = checks.as_array().into_iter().flatten().map(one).collect();
        let has = |check| all.contains(&check);
        if has(Check::Program) {
            Check::Program
        } else if has(Check::Port) {
            Check::Port
        } else {
            Check::Runs
        }
    }

    /// What the shim of a role that starts after another has to wait for, where shims wait for their peers: Marathon takes an
    /// app with a waiting shim for one that runs, and its rendezvous port for one that listens.
    pub fn left_to_the_shim(&self, first: RoleId, when: When) -> Option<When> {
        match (self.checks[first], when) {
            (Check::Program, _) => None,
            (Check::Port, When::Ready) => Some(When::Ready),
            (Check::Port | Check::Runs, _) => Some(When::Started),
        }
    }

    /// The roles that would wait without end for the addresses of others, so that no later layer starts; none where all
    /// programs start.
    pub fn stuck(&self) -> Vec<Stuck> {
        let peers = self.peers();
        let mut checks = self.checks.clone();
        let mut found = Vec::new();
        loop {
            let (open, runs) = self.played(&checks, &peers);
            let held = |role: &RoleId| open[*role] && !runs[*role] && checks[*role] == Check::Program;
            let held: Vec<RoleId> = (0..self.layers.len()).filter(held).collect();
            if held.is_empty() {
                return found;
            }
            for role in held {
                found.extend(self.awaits(role, &open, &peers));
                // What would be next, if this one did not hold it back.
                checks[role] = Check::Runs;
            }
        }
    }

    /// A role and one that it waits for, which Marathon starts later.
    pub fn later_peer(&self) -> Option<(RoleId, RoleId)> {
        let peers = self.peers();
        (0..self.layers.len()).find_map(|role| {
            let late = |peer: &&RoleId| self.layers[**peer] > self.layers[role];
            Some((role, *peers[role].iter().find(late)?))
        })
    }

    /// Which roles Marathon starts, and which programs their shims start.
    fn played(&self, checks: &[Check], peers: &[BTreeSet<RoleId>]) -> (Vec<bool>, Vec<bool>) {
        let roles = 0..self.layers.len();
        let (mut open, mut runs) = (vec![false; roles.len()], vec![false; roles.len()]);
        loop {
            let ready = |role: RoleId| open[role] && (checks[role] != Check::Program || runs[role]);
            let unready = roles.clone().filter(|role| !ready(*role)).map(|role| self.layers[role]).min();
            let opens = |role: RoleId| unready.is_none_or(|layer| self.layers[role] <= layer);
            let opened: Vec<bool> = roles.clone().map(opens).collect();
            let starts = |role: RoleId| {
                opened[role]
                    && peers[role].iter().all(|peer| opened[*peer])
                    && self.firsts[role].iter().all(|first| runs[*first])
            };
            let started: Vec<bool> = roles.clone().map(starts).collect();
            if (&open, &runs) == (&opened, &started) {
                return (open, runs);
            }
            (open, runs) = (opened, started);
        }
    }

    /// For whose addresses a role waits, itself or by one that it starts after.
    fn awaits(&self, role: RoleId, open: &[bool], peers: &[BTreeSet<RoleId>]) -> Option<Stuck> {
        let (mut seen, mut left) = (BTreeSet::new(), vec![role]);
        while let Some(waits) = left.pop() {
            if let Some(peer) = peers[waits].iter().copied().find(|peer| !open[*peer]) {
                return Some(Stuck { role, waits, peer });
            }
            left.extend(self.firsts[waits].iter().copied().filter(|first| seen.insert(*first)));
        }
        None
    }

    /// The roles whose addresses the shim of each waits for.
    fn peers(&self) -> Vec<BTreeSet<RoleId>> {
        let nowhere = || Source::Is(String::new());
        let builder = ContractBuilder::new(self.plan, &Places::default(), nowhere(), nowhere(), Peers::Alone);
        let (contract, _) = builder.done();
        let met = |role: &tfjob_contract::Role| {
            let met = contract.rendezvous_peers(&TaskId { role: role.name.clone(), index: 0 });
            let id = |task: &TaskId| contract.roles.iter().position(|role| role.name == task.role);
            met.iter().filter_map(id).collect()
        };
        contract.roles.iter().map(met).collect()
    }
}

/// The length of each role's longest chain; those of a circle, which the language refuses, have none.
fn layers(firsts: &[Vec<RoleId>]) -> Vec<usize> {
    let mut later = vec![Vec::new(); firsts.len()];
    for (role, firsts) in firsts.iter().enumerate() {
        for first in firsts {
            later[*first].push(role);
        }
    }
    let mut layers = vec![1; firsts.len()];
    let mut left: Vec<usize> = firsts.iter().map(Vec::len).collect();
    let mut free: Vec<RoleId> = (0..firsts.len()).filter(|role| left[*role] == 0).collect();
    while let Some(role) = free.pop() {
        for after in &later[role] {
            layers[*after] = layers[*after].max(layers[role] + 1);
            left[*after] -= 1;
            if left[*after] == 0 {
                free.push(*after);
            }
        }
    }
    layers
}
