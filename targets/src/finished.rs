//! Warns of jobs in which the replacement of a lost task may wait for a peer that has already finished. A replacement does not have
//! the files of the lost container. So with `start timeout`, its shim waits again for the address of every peer, but a finished
//! peer has no address.
use crate::codes::FINISHED_PEERS;
use tfjob_contract::Pace;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Lifecycle, Loss, Requirement};
use tfjob_lang::spec::Success;
use tfjob_lang::spec::values::Duration;

/// Warns of `start timeout` in a job whose lost tasks are replaced. `replaced`: whether the platform replaces lost tasks of a
/// role.
pub fn judge(target: &str, plan: &Plan, replaced: impl Fn(RoleId) -> bool) -> Option<Diagnostic> {
    let (seconds, at) = plan.requirements.iter().find_map(|required| {
        let Requirement::Lifecycle(Lifecycle::StartTimeout { seconds }) = required.requirement else {
            return None;
        };
        Some((seconds, required.at))
    })?;
    let meets = |role: RoleId| plan.roles[role].kind.is_peer();
    let back = |role: &RoleId| meets(*role) && restarts(plan, *role) && replaced(*role);
    let early = |role: RoleId, peer: &RoleId| meets(*peer) && finishes(plan, role, *peer);
    let roles = 0..plan.roles.len();
    let found =
        roles.clone().filter(back).find_map(|role| Some((role, roles.clone().find(|p| early(role, p))?)));
    let (role, peer) = found?;
    let (role, peer) = (&plan.roles[role].name.value, &plan.roles[peer].name.value);
    let limit = Duration::from_seconds(u32::try_from(seconds).unwrap_or(u32::MAX));
    let fact = format!(
        "{target}: with `start timeout`, the replacement of a lost `{role}` task waits for all peers; if a `{peer}` task has already finished, the replacement fails after {limit}"
    );
    Some(Diagnostic::new(&FINISHED_PEERS, at, fact).here("also limits how long a replacement waits").help(
        "remove `timeout` from `start`: a replacement then waits only for the peers that its program needs",
    ))
}

fn restarts(plan: &Plan, role: RoleId) -> bool {
    plan.requirements.iter().any(
        |required| matches!(&required.requirement, Requirement::Lifecycle(Lifecycle::Restart { role: of, after: Loss::Container, .. }) if *of == role),
    )
}

/// Returns whether a task of the role `peer` may finish while a task of `role` still runs. In synchronous training, no task does,
/// because all tasks finish together.
fn finishes(plan: &Plan, role: RoleId, peer: RoleId) -> bool {
    let apart = match plan.framework.of_contract().pace() {
        Pace::Served | Pace::Unknown => true,
        Pace::Alone | Pace::InStep | Pace::Led => false,
    };
    let other = role != peer || plan.roles[peer].count.value > 1;
    // Returns whether the requirement is `success "chief"`: only the chief decides job success.
    let ends = |requirement: &Requirement| {
        matches!(requirement, Requirement::Lifecycle(Lifecycle::Success(Success::Chief)))
    };
    let last = plan.leader() == Some(peer)
        && plan.roles[peer].count.value == 1
        && plan.requirements.iter().any(|required| ends(&required.requirement));
    apart && other && !last && plan.roles[peer].kind.trains()
}
