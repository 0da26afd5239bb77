//! Start order, restarts and completion.
use super::inherent;
use super::life;
use crate::local::means::Means;
use tfjob_lang::ask;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Answer;

/// What this machine does with one requirement: start order, restarts and completion.
pub fn answer(ask: &ask::Lifecycle, plan: &Plan) -> Answer<Means> {
    match ask {
        ask::Lifecycle::Restart { role, after, restart } => life::restart(plan, *role, *after, restart),
        ask::Lifecycle::After { role, first, when } => Answer::Native(Means::After(*role, *first, *when)),
        ask::Lifecycle::Ready { role, probe } => life::ready(plan, *role, probe),
        ask::Lifecycle::Done { role } => life::done(*role),
        ask::Lifecycle::StartTimeout { seconds } => life::wait(*seconds),
        ask::Lifecycle::Gang => inherent("a job whose ports or GPUs this machine does not have is not begun"),
        ask::Lifecycle::StopGrace { seconds } => life::grace(*seconds),
        ask::Lifecycle::Deadline { seconds } => life::deadline(*seconds),
        ask::Lifecycle::Success(success) => Answer::Native(Means::Success(*success)),
        ask::Lifecycle::EndOfJob => Answer::Native(Means::EndOfJob),
        ask::Lifecycle::Keep { .. } => inherent("folders of this machine stay as the tasks leave them"),
    }
}
