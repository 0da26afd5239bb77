//! Start order, restarts and completion.
use super::Answer;
use super::end;
use super::restart;
use super::start;
use crate::yarn::context::Context;
use tfjob_lang::ask;

/// What YARN does with one requirement: start order, restarts and completion.
pub fn answer(ask: &ask::Lifecycle, case: &Context<'_>) -> Answer {
    match ask {
        ask::Lifecycle::Restart { role, after, restart: terms } => {
            restart::restart(case, *role, *after, terms)
        }
        ask::Lifecycle::After { role, first, when } => start::after(case, *role, *first, *when),
        ask::Lifecycle::Ready { role, probe } => start::ready(case, *role, probe),
        ask::Lifecycle::Done { role } => start::done(*role),
        ask::Lifecycle::StartTimeout { seconds } => start::timeout(case, *seconds),
        ask::Lifecycle::Gang => start::gang(case),
        ask::Lifecycle::StopGrace { seconds } => end::grace(case, *seconds),
        ask::Lifecycle::Deadline { seconds } => end::deadline(*seconds),
        ask::Lifecycle::Success(success) => end::success(case, *success),
        ask::Lifecycle::EndOfJob => end::end_of_job(case),
        ask::Lifecycle::Keep { what, seconds } => end::keep(case, *what, *seconds),
    }
}
