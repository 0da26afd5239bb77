//! Whose end is the job's, and who is stopped then.
use tfjob_lang::ask::{Ask, Lifecycle};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::Success;

/// Whether the end of the job hangs on tasks of a role. The others are stopped when it is done.
///
/// The rule is the contract's, but for `all`: a program that never exits on its own is waited for by nobody.
pub fn decides(plan: &Plan, success: Success, id: RoleId) -> bool {
    plan.decides(success, id) && !plan.roles[id].kind.never_exits()
}

/// Whose success is the job's, as the job or the language says.
pub fn success(plan: &Plan) -> Success {
    let said =
        |ask: &Ask| if let Ask::Lifecycle(Lifecycle::Success(success)) = ask { Some(*success) } else { None };
    plan.asks.iter().find_map(|asked| said(&asked.ask)).unwrap_or(Success::Workers)
}
