//! Start order of the apps. Marathon deploys a group in layers: the layer of an app is the length of its longest chain of
//! dependencies. A layer starts when all apps of earlier layers are ready (`DeploymentPlan`,
//! `runSpecsGroupedByLongestPath`; `DeploymentActor`, `performStep`). An app with a health check is ready when the check
//! passes, any other app when it runs (`ReadinessBehavior`). Inside an app, the shim may wait before it starts the program.
use crate::contract_builder::{ContractBuilder, Places};
use crate::dcos::Dcos;
use crate::patch;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_contract::{Peers, RENDEZVOUS, Source, TaskId};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Job, Lifecycle, Probe, Requirement};
use tfjob_lang::spec::When;
use tfjob_lang::target::{Target, concerns};

/// The condition under which an app is ready, so that Marathon starts the apps that depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// The task of the app runs.
    Runs,
    /// The rendezvous port of the app accepts connections. A shim that waits for peers also listens on this port
    /// (`status_listener.rs` of the shim).
    Port,
    /// The program answers a probe, or has created the file that a probe looks for.
    Program,
}

/// The start order of the roles of a job.
#[derive(Debug)]
pub struct Order<'p> {
    plan: &'p Plan,
    /// For each role, the roles after which it starts.
    firsts: Vec<Vec<RoleId>>,
    /// For each role, whether another role starts after it.
    awaited: Vec<bool>,
    /// For each role, its layer, counted from 1.
    layers: Vec<usize>,
    /// The last layer.
    last: usize,
    checks: Vec<Check>,
}

/// A deadlock: `role` never becomes ready, because a shim waits for a role that starts later. The waiting shim is that of `role`
/// itself, or that of a role on which `role` depends.
#[derive(Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The role with the health check.
    pub role: RoleId,
    /// The role with the waiting shim: `role`, or a role after which `role` starts.
    pub waits: RoleId,
    /// The role for which the waiting shim waits.
    pub peer: RoleId,
}

impl<'p> Order<'p> {
    /// Returns the start order that the `after` fields set. `when="done"` is ignored, because Marathon apps do not support it.
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

    /// Returns whether a health check of this role would only delay later layers: no role starts after this role, but later layers
    /// exist.
    pub fn delays_others_only(&self, role: RoleId) -> bool {
        !self.awaited[role] && self.layers[role] < self.last
    }

    /// Returns whether Marathon's health check connects to the rendezvous port of a role's tasks.
    pub fn probes_rendezvous(&self, role: RoleId) -> bool {
        self.checks[role] == Check::Port
    }

    /// Returns the first role with a health check that delays `role`, although `role` does not depend on that role. `None` if there
    /// is no such role.
    pub fn delayed_by(&self, role: RoleId) -> Option<RoleId> {
        let mut awaited = vec![false; self.layers.len()];
        let mut open = vec![role];
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut awaited[next], true) {
                open.extend(&self.firsts[next]);
            }
        }
        let held = |other: &RoleId| {
            !awaited[*other] && self.layers[*other] < self.layers[role] && self.checks[*other] != Check::Runs
        };
        (0..self.layers.len()).find(held)
    }

    /// Returns, for each role, the condition under which its apps are ready. Health checks that patches set are included.
    fn checks(&self) -> Vec<Check> {
        let mut checks = self.checks.clone();
        let mut supports = vec![false; checks.len()];
        for required in &self.plan.requirements {
            if let Requirement::Lifecycle(Lifecycle::Ready { role, probe }) = &required.requirement
                && !self.delays_others_only(*role)
            {
                checks[*role] = match probe {
                    Probe::Tcp(port) if port == RENDEZVOUS => Check::Port,
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
            // Parsing is slow, so patches that set no health check are not parsed.
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

    /// Returns the condition under which an app is ready, if a patch sets its health checks. A `COMMAND` check counts as `Runs`,
    /// because tfjob cannot know when the command succeeds.
    fn patched(&self, role: RoleId, checks: &Value) -> Check {
        let ports = &self.plan.roles[role].ports;
        let cluster = |check: &Value| {
            let number = ports.iter().find(|port| port.name.value == RENDEZVOUS).and_then(|port| port.number);
            let index = check["portIndex"].as_u64().unwrap_or(0);
            let first = usize::try_from(index).ok().and_then(|index| ports.get(index));
            match check["port"].as_u64() {
                Some(port) => number.is_some_and(|number| u64::from(number) == port),
                None => first.is_some_and(|port| port.name.value == RENDEZVOUS),
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

    /// Returns the state of `first` for which the shim of a dependent role must wait. `None` if Marathon itself waits long enough.
    /// Marathon may count an app as ready while its shim still waits for peers, because the task runs and its rendezvous port is
    /// open.
    pub fn awaited_by_shim(&self, first: RoleId, when: When) -> Option<When> {
        match (self.checks[first], when) {
            (Check::Program, _) => None,
            (Check::Port, When::Ready) => Some(When::Ready),
            (Check::Port | Check::Runs, _) => Some(When::Started),
        }
    }

    /// Returns the deadlocks: roles whose shims wait indefinitely for addresses of peers, so that later layers never start. The
    /// result is empty if all programs start.
    pub fn stuck(&self) -> Vec<Stuck> {
        let peers = self.peers();
        let mut checks = self.checks.clone();
        let mut found = Vec::new();
        loop {
            let (open, runs) = self.simulate(&checks, &peers);
            let held = |role: &RoleId| open[*role] && !runs[*role] && checks[*role] == Check::Program;
            let held: Vec<RoleId> = (0..self.layers.len()).filter(held).collect();
            if held.is_empty() {
                return found;
            }
            for role in held {
                found.extend(self.awaits(role, &open, &peers));
                // To find the next deadlock, the simulation continues as if this health check had passed.
                checks[role] = Check::Runs;
            }
        }
    }

    /// Returns a role and one of its peers, if the role waits for the peer although Marathon starts the peer in a later layer.
    /// `None` if no role does.
    pub fn later_peer(&self) -> Option<(RoleId, RoleId)> {
        let peers = self.peers();
        (0..self.layers.len()).find_map(|role| {
            let late = |peer: &&RoleId| self.layers[**peer] > self.layers[role];
            Some((role, *peers[role].iter().find(late)?))
        })
    }

    /// Simulates the deployment. Returns, for each role, whether Marathon starts its apps, and whether the shim then starts the
    /// program. `checks`: for each role, the condition under which its apps are ready. `peers`: for each role, the peers whose
    /// addresses its shim waits for.
    fn simulate(&self, checks: &[Check], peers: &[BTreeSet<RoleId>]) -> (Vec<bool>, Vec<bool>) {
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

    /// Returns the deadlock of `role`, if any. `open`: for each role, whether Marathon has started its apps. `peers`: for each
    /// role, the peers whose addresses its shim waits for.
    fn awaits(&self, role: RoleId, open: &[bool], peers: &[BTreeSet<RoleId>]) -> Option<Stuck> {
        let (mut visited, mut left) = (BTreeSet::new(), vec![role]);
        while let Some(waits) = left.pop() {
            if let Some(peer) = peers[waits].iter().copied().find(|peer| !open[*peer]) {
                return Some(Stuck { role, waits, peer });
            }
            left.extend(self.firsts[waits].iter().copied().filter(|first| visited.insert(*first)));
        }
        None
    }

    /// Returns, for each role, the peers whose addresses its shim waits for.
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

/// Returns the length of the longest dependency chain of each role. There are no cycles, because the language refuses them.
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
