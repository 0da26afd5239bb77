//! Start order, restarts and completion.
use super::Context;
use super::end;
use super::start;
use crate::kubernetes::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What a TFJob does with one requirement: start order, restarts and completion.
pub fn answer(ask: &ask::Lifecycle, case: &Context<'_>) -> Answer<Means> {
    match ask {
        ask::Lifecycle::Restart { role, after, restart } => end::restart(case, *role, *after, restart),
        ask::Lifecycle::After { role, first, when } => start::after(case.plan, *role, *first, *when),
        ask::Lifecycle::Ready { role, probe } => start::ready(case, *role, probe),
        ask::Lifecycle::Done { role } => start::done(*role),
        ask::Lifecycle::StartTimeout { seconds } => start::timeout(case, *seconds),
        ask::Lifecycle::Gang => start::gang(case),
        ask::Lifecycle::StopGrace { seconds } => end::grace(*seconds),
        ask::Lifecycle::Deadline { seconds } => end::deadline(case, *seconds),
        ask::Lifecycle::Success(success) => end::success(case, *success),
        ask::Lifecycle::EndOfJob => Answer::Native(Means::Stop),
        ask::Lifecycle::Keep { what, seconds } => end::keep(case, *what, *seconds),
    }
}
