//! Support of start order, restarts, and completion.
use super::Support;
use crate::dcos::context::Context;
use crate::dcos::package::support::lacks;
use tfjob_lang::requirement;

/// Returns the support of one requirement about start order, restarts, and completion.
pub fn support(requirement: &requirement::Lifecycle, _: &Context<'_>) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { .. } => lacks(
            "the scheduler of the TensorFlow package restarts tasks by fixed rules, and no option changes them",
            "dcos#package-lifecycle",
        ),
        requirement::Lifecycle::After { .. } => lacks(
            "the scheduler of the TensorFlow package decides the start order, and no option changes it",
            "dcos#package-lifecycle",
        ),
        requirement::Lifecycle::Ready { .. } => {
            lacks("the TensorFlow package has no option for health checks", "dcos#package-options")
        }
        requirement::Lifecycle::Done { .. } => lacks(
            "the TensorFlow package learns only the exit code of a program, so `{done}` has no effect",
            "dcos#package-lifecycle",
        ),
        requirement::Lifecycle::StartTimeout { .. } => lacks(
            "tasks of the TensorFlow package wait for their peers without a time limit",
            "dcos#package-lifecycle",
        ),
        requirement::Lifecycle::Gang => lacks(
            "the scheduler of the TensorFlow package places tasks one by one, as soon as an agent has free resources",
            "dcos#package-lifecycle",
        ),
        requirement::Lifecycle::StopGrace { .. } => {
            lacks("the TensorFlow package has no option for a grace period", "dcos#package-options")
        }
        requirement::Lifecycle::Deadline { .. } => {
            lacks("the TensorFlow package has no option for a deadline", "dcos#package-options")
        }
        requirement::Lifecycle::Success(_) => success(),
        requirement::Lifecycle::EndOfJob => end(),
        requirement::Lifecycle::Keep { .. } => lacks(
            "Mesos agents delete sandboxes by their own rules, and no option of the TensorFlow package changes them",
            "dcos#package-lifecycle",
        ),
    }
}

/// Returns the support of `success`. The package does not record job success: its tasks exit, but its scheduler keeps running.
fn success() -> Support {
    Support::inherent_but(
        "each task exits with its program",
        "the DC/OS package for TensorFlow does not report job success: tasks exit, but its scheduler runs until you remove the service with the cleanup command that `tfjob compile` prints",
    )
}

fn end() -> Support {
    Support::inherent_but(
        "removing the service stops all its tasks",
        "DC/OS does not stop parameter servers when the job finishes; to stop them, run the cleanup command that `tfjob compile` prints, which removes the service",
    )
}
