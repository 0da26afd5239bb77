//! Who waits for whom: for tasks that are still there, and for all that stands behind one that says nothing of itself.
use super::Carry;
use tfjob_contract::{After, Role, Sign, When};
use tfjob_lang::ask::{Ask, Probe};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::spec::RestartOn;

/// Whether a role's tasks are there as long as the job, so that whoever starts late still finds them: a helper's program
/// may end at any time, unless it serves a port or is started again without a limit. A task that has ended has no name.
#[must_use]
pub fn stays(plan: &Plan, role: RoleId) -> bool {
    plan.roles[role].kind != RoleKind::Helper
        || plan.asks.iter().any(|asked| match &asked.ask {
            Ask::Ready { role: of, probe: Probe::Tcp(_) | Probe::Http(..) } => *of == role,
            Ask::Restart { role: of, restart, .. } => {
                *of == role && restart.on == RestartOn::Always && restart.limit.is_none()
            }
            _ => false,
        })
}

impl Carry {
    /// Lets a role that waits for the start of one without a port wait for all that it waits for: only at a port of the
    /// rendezvous a task says that it still waits, and a name alone does not show whether the program was started.
    pub(super) fn follow(&mut self) {
        let roles = &self.contract.roles;
        let of = |role: &Role| role.duties.iter().flat_map(|duties| &duties.after).cloned().collect();
        let mute = |after: &After| {
            let role = roles.iter().find(|role| role.name == after.role)?;
            let shown = after.when == When::Ready && matches!(self.contract.sign(role), Sign::Answers { .. });
            (role.port == 0 && !shown).then(|| -> Vec<After> { of(role) })
        };
        let mut added: Vec<(usize, Vec<After>, Vec<usize>)> = Vec::new();
        for (id, role) in roles.iter().enumerate() {
            let mut all: Vec<After> = of(role);
            // Which of the role's own lines brought each.
            let mut source: Vec<usize> = (0..all.len()).collect();
            let mut next = 0;
            while next < all.len() {
                for after in mute(&all[next]).into_iter().flatten() {
                    if after.role != role.name && !all.contains(&after) {
                        all.push(after);
                        source.push(source[next]);
                    }
                }
                next += 1;
            }
            if roles[id].duties.as_ref().is_some_and(|duties| duties.after.len() < all.len()) {
                added.push((id, all, source));
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
