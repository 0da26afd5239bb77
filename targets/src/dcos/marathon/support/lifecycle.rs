//! Start order, restarts and completion.
use crate::dcos::context::Context;
use crate::dcos::marathon::Given;
use crate::dcos::marathon::Means;
use crate::dcos::marathon::life;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Marathon does with one requirement: start order, restarts and completion.
pub fn answer(ask: &ask::Lifecycle, Context { plan, .. }: &Context<'_>) -> Given {
    match ask {
        ask::Lifecycle::Restart { role, after, restart } => life::restart(*role, *after, restart, plan),
        ask::Lifecycle::After { role, first, when } => life::after(*role, *first, *when, plan),
        ask::Lifecycle::Ready { role, probe } => life::ready(*role, probe, plan),
        ask::Lifecycle::Done { role } => life::done(*role),
        ask::Lifecycle::StartTimeout { seconds } => life::wait(*seconds, plan),
        ask::Lifecycle::Gang => life::gang(),
        ask::Lifecycle::StopGrace { seconds } => Answer::Native(Means::Grace { seconds: *seconds }),
        ask::Lifecycle::Deadline { seconds } => life::deadline(*seconds),
        ask::Lifecycle::Success(_) => life::success(plan),
        ask::Lifecycle::EndOfJob => life::end(plan),
        ask::Lifecycle::Keep { what, seconds } => life::keep(*what, *seconds),
    }
}
