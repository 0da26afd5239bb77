//! Start order, restarts and completion.
use super::Support;
use crate::dcos::context::Context;
use crate::dcos::package::support::lacks;
use tfjob_lang::requirement;

/// Answers one requirement: start order, restarts and completion.
pub fn support(requirement: &requirement::Lifecycle, _: &Context<'_>) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { .. } => {
            lacks("restarts the package's tasks by rules that cannot be set", "dcos#package-lifecycle")
        }
        requirement::Lifecycle::After { .. } => {
            lacks("starts the package's tasks in an order of its own", "dcos#package-lifecycle")
        }
        requirement::Lifecycle::Ready { .. } => {
            lacks("has no health checks in the package", "dcos#package-options")
        }
        requirement::Lifecycle::Done { .. } => {
            lacks("starts the program itself, and hears nothing of it but its end", "dcos#package-lifecycle")
        }
        requirement::Lifecycle::StartTimeout { .. } => {
            lacks("lets the package's tasks wait for each other without end", "dcos#package-lifecycle")
        }
        requirement::Lifecycle::Gang => {
            lacks("places the package's tasks one by one", "dcos#package-lifecycle")
        }
        requirement::Lifecycle::StopGrace { .. } => {
            lacks("has no grace period in the package's options", "dcos#package-options")
        }
        requirement::Lifecycle::Deadline { .. } => {
            lacks("has no deadline in the package's options", "dcos#package-options")
        }
        requirement::Lifecycle::Success(_) => success(),
        requirement::Lifecycle::EndOfJob => end(),
        requirement::Lifecycle::Keep { .. } => {
            lacks("keeps or drops the package's sandboxes by the agents' own rules", "dcos#package-lifecycle")
        }
    }
}

/// The package keeps no record of success: its tasks end, its scheduler stays.
fn success() -> Support {
    Support::inherent_but(
        "the tasks end with their program",
        "the package knows no success of a job: its tasks end, and its scheduler stays until the step after the end removes it",
    )
}

fn end() -> Support {
    Support::inherent_but(
        "removing the service ends all its tasks",
        "parameter servers run until the step after the end removes the service",
    )
}
