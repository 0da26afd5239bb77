//! Start order, restarts and completion.
use super::Context;
use super::life;
use crate::spark::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Spark does with one requirement: start order, restarts and completion.
pub fn answer(ask: &ask::Lifecycle, case: &Context<'_>) -> Answer<Means> {
    let ground = &case.ground;
    match ask {
        ask::Lifecycle::Restart { role, after, restart } => life::restart(ground, *role, *after, restart),
        ask::Lifecycle::After { role, first, when } => life::after(*role, *first, *when),
        ask::Lifecycle::Ready { role, probe } => life::ready(ground, *role, probe),
        ask::Lifecycle::Done { role } => life::done(*role),
        ask::Lifecycle::StartTimeout { seconds } => life::wait(ground, *seconds),
        ask::Lifecycle::Gang => {
            Answer::Native(Means::Inherent("TensorFlowOnSpark starts nothing before all executors are there"))
        }
        ask::Lifecycle::StopGrace { .. } => life::stop_grace(ground),
        ask::Lifecycle::Deadline { seconds } => life::deadline(*seconds),
        ask::Lifecycle::Success(success) => Answer::Native(Means::Success(*success)),
        ask::Lifecycle::EndOfJob => life::end_of_job(),
        ask::Lifecycle::Keep { what, seconds } => life::keep(ground, *what, *seconds),
    }
}
