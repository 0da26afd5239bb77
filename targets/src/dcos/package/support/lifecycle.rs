//! Start order, restarts and completion.
use super::Answer;
use crate::dcos::context::Context;
use crate::dcos::package::support::lacks;
use tfjob_lang::ask;

/// Answers one requirement: start order, restarts and completion.
pub fn answer(ask: &ask::Lifecycle, _: &Context<'_>) -> Answer {
    match ask {
        ask::Lifecycle::Restart { .. } => {
            lacks("restarts the package's tasks by rules that cannot be set", "spark-dcos §3.5")
        }
        ask::Lifecycle::After { .. } => {
            lacks("starts the package's tasks in an order of its own", "spark-dcos §3.5")
        }
        ask::Lifecycle::Ready { .. } => lacks("has no health checks in the package", "spark-dcos §3.2"),
        ask::Lifecycle::Done { .. } => {
            lacks("starts the program itself, and hears nothing of it but its end", "spark-dcos §3.5")
        }
        ask::Lifecycle::StartTimeout { .. } => {
            lacks("lets the package's tasks wait for each other without end", "spark-dcos §3.5")
        }
        ask::Lifecycle::Gang => lacks("places the package's tasks one by one", "spark-dcos §3.5"),
        ask::Lifecycle::StopGrace { .. } => {
            lacks("has no grace period in the package's options", "spark-dcos §3.2")
        }
        ask::Lifecycle::Deadline { .. } => {
            lacks("has no deadline in the package's options", "spark-dcos §3.2")
        }
        ask::Lifecycle::Success(_) => success(),
        ask::Lifecycle::EndOfJob => end(),
        ask::Lifecycle::Keep { .. } => {
            lacks("keeps or drops the package's sandboxes by the agents' own rules", "spark-dcos §3.5")
        }
    }
}

/// The package keeps no record of success: its tasks end, its scheduler stays.
fn success() -> Answer {
    Answer::inherent_but(
        "the tasks end with their program",
        "the package knows no success of a job: its tasks end, and its scheduler stays until the step after the end removes it",
    )
}

fn end() -> Answer {
    Answer::inherent_but(
        "removing the service ends all its tasks",
        "parameter servers run until the step after the end removes the service",
    )
}
