//! Start order: which roles run as long as the job, so that other roles can wait for them, and for which indirect dependencies a
//! role must wait.
use super::ContractBuilder;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::{After, Readiness, Role, When};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{Lifecycle, Probe, Requirement};
use tfjob_lang::spec::RestartOn;

/// Returns whether the tasks of a role run as long as the job, so that a task that starts late still finds them. A task that has
/// finished has no address. Helpers, and roles that the framework does not define, may exit at any time. For such a role, the
/// result is `true` only with a TCP or HTTP probe, or with `restart "always"` without `limit`.
#[must_use]
pub fn stays(plan: &Plan, role: RoleId) -> bool {
    let serves = |requirement: &Requirement| {
        let Requirement::Lifecycle(Lifecycle::Ready { role: of, probe }) = requirement else { return false };
        match probe {
            Probe::Tcp(_) | Probe::Http(..) => *of == role,
            Probe::File(_) => false,
        }
    };
    let restarts = |requirement: &Requirement| {
        let Requirement::Lifecycle(Lifecycle::Restart { role: of, restart, .. }) = requirement else {
            return false;
        };
        *of == role && restart.on == RestartOn::Always && restart.limit.is_none()
    };
    match plan.roles[role].kind {
        RoleKind::Chief
        | RoleKind::Worker
        | RoleKind::Ps
        | RoleKind::Evaluator
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Server => true,
        RoleKind::Own | RoleKind::Helper => plan
            .requirements
            .iter()
            .any(|required| serves(&required.requirement) || restarts(&required.requirement)),
    }
}

impl ContractBuilder {
    /// Adds indirect dependencies. Suppose `a` waits for `b`, and `b` waits for `c`. The tasks of `a` can detect that the program
    /// of `b` has not started yet in two ways: by the rendezvous port of `b` or, if `a` waits until `b` is ready, by the readiness
    /// probe of `b`. If `b` has neither, `a` must wait for `c` as well as for `b`.
    pub(super) fn follow(&mut self) {
        let roles = &self.contract.roles;
        let ids: BTreeMap<&str, usize> =
            roles.iter().enumerate().map(|(id, role)| (role.name.as_str(), id)).collect();
        let of = |role: &Role| -> Vec<(usize, When)> {
            let lines = role.duties.iter().flat_map(|duties| &duties.after);
            lines.filter_map(|after| Some((*ids.get(after.role.as_str())?, after.when))).collect()
        };
        let own: Vec<Vec<(usize, When)>> = roles.iter().map(of).collect();
        let mute = |(id, when): (usize, When)| {
            let shown = when == When::Ready
                && matches!(self.contract.readiness(&roles[id]), Readiness::Answers { .. });
            roles[id].port == 0 && !shown
        };
        let mut added: Vec<(usize, Vec<After>, Vec<usize>)> = Vec::new();
        for (id, first) in own.iter().enumerate() {
            let key = |(id, when): (usize, When)| (id, when as u8);
            let mut met: BTreeSet<(usize, u8)> = first.iter().copied().map(key).collect();
            let mut all = first.clone();
            // For each entry of `all`: the index of the direct dependency in `first` that leads to this entry.
            let mut source: Vec<usize> = (0..all.len()).collect();
            let mut next = 0;
            while next < all.len() {
                let indirect = if mute(all[next]) { own[all[next].0].as_slice() } else { &[] };
                for after in indirect {
                    if after.0 != id && met.insert(key(*after)) {
                        all.push(*after);
                        source.push(source[next]);
                    }
                }
                next += 1;
            }
            if first.len() < all.len() {
                let after =
                    |(first, when): &(usize, When)| After { role: roles[*first].name.clone(), when: *when };
                added.push((id, all.iter().map(after).collect(), source));
            }
        }
        for (id, all, source) in added {
            let base = format!("/roles/{id}/duties/after");
            for (line, own) in source.iter().enumerate() {
                if let Some(at) = self.origins.get(&format!("{base}/{own}")).copied() {
                    self.trace(&format!("{base}/{line}"), at);
                }
            }
            self.role_duties(id).after = all;
        }
    }
}

/// Returns the last part of the note on `start timeout`. It says that a task with `restart` restarts after the timeout, and then
/// waits for another `start timeout`. Empty if no role restarts without a limit.
#[must_use]
pub fn waits_again(plan: &Plan) -> &'static str {
    let endless = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::Restart { restart, .. }) if !restart.is_finite());
    if plan.requirements.iter().any(|required| endless(&required.requirement)) {
        "; a task with `restart` then restarts and waits again"
    } else {
        ""
    }
}
