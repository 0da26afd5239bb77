//! Whose end is the job's, and who is stopped then.
use tfjob_lang::ask::Ask;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::spec::Success;

/// Whether the end of the job hangs on tasks of a role. The others are stopped when it is done.
///
/// The rule is the contract's `deciding`, but for `all`: servers never end, so nobody waits for them.
pub fn decides(plan: &Plan, success: Success, id: RoleId) -> bool {
    let kind = plan.roles[id].kind;
    match success {
        Success::Chief => leader(plan) == Some(id),
        Success::Workers => trains(kind),
        Success::All => !kind.serves(),
    }
}

/// Whose success is the job's, as the job or the language says.
pub fn success(plan: &Plan) -> Success {
    let said = |ask: &Ask| if let Ask::Success(success) = ask { Some(*success) } else { None };
    plan.asks.iter().find_map(|asked| said(&asked.ask)).unwrap_or(Success::Workers)
}

/// The role of the chief; where there is none, the first that trains: its first task stands for it.
fn leader(plan: &Plan) -> Option<RoleId> {
    let find = |wanted: fn(RoleKind) -> bool| plan.roles.iter().position(|role| wanted(role.kind));
    find(|kind| matches!(kind, RoleKind::Chief | RoleKind::Master)).or_else(|| find(trains))
}

const fn trains(kind: RoleKind) -> bool {
    match kind {
        RoleKind::Chief | RoleKind::Worker | RoleKind::Master | RoleKind::Own => true,
        RoleKind::Ps | RoleKind::Evaluator | RoleKind::Scheduler | RoleKind::Server | RoleKind::Helper => {
            false
        }
    }
}
