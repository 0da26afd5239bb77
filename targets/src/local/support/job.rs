//! What the job is.
use super::Support;
use super::network::taken;
use crate::local::mechanism::Mechanism;
use tfjob_lang::plan::{DataRef, Part, Plan};
use tfjob_lang::requirement;

/// Answers one requirement: what the job is.
pub fn support(requirement: &requirement::Job, plan: &Plan) -> Support {
    match requirement {
        requirement::Job::Name(name) => Support::Native(Mechanism::Name(name.clone())),
        requirement::Job::Description(words) => Support::Native(Mechanism::Description(words.clone())),
        requirement::Job::Label { key, value } => {
            Support::Native(Mechanism::Label { key: key.clone(), value: value.clone() })
        }
        requirement::Job::Framework { .. } => Support::Native(Mechanism::Words),
        requirement::Job::Role { role, .. }
        | requirement::Job::Helper { role, .. }
        | requirement::Job::Evaluator { role } => Support::Native(Mechanism::Tasks(*role)),
        requirement::Job::Min { min, .. } => self::min(*min),
        requirement::Job::Tensorboard(board) => tensorboard(plan, board),
        requirement::Job::Patch { .. } => Support::impossible(
            "starts processes, and has no object to merge into",
            "remove `patch`",
            "the job.json of this target",
        ),
    }
}

/// The role of a TensorBoard.
pub const BOARD: &str = "tensorboard";

/// A job that goes on with fewer tasks.
fn min(min: u32) -> Support {
    Support::unsupported(
        format!("starts every task, and tells none that {min} of its role would do"),
        "remove `min`",
        "the shim: all tasks stand in every rendezvous",
    )
}

/// A TensorBoard.
fn tensorboard(plan: &Plan, board: &requirement::Tensorboard) -> Support {
    if plan.roles.iter().any(|role| role.name.value == BOARD) {
        return Support::impossible(
            "runs the TensorBoard as a task called `tensorboard`, and a role has that name",
            "give the role another name",
            "the job.json of this target",
        );
    }
    let own = board.logs.parts.iter().any(|part| match part {
        Part::Task(..) | Part::Data(DataRef::Scratch, _) => true,
        Part::Text(_)
        | Part::Data(DataRef::Data(_) | DataRef::Checkpoints | DataRef::Code | DataRef::Stage(_), _) => false,
    });
    if own {
        return Support::unsupported(
            "runs the TensorBoard as a task of its own, which knows no other task's folder",
            "let it read `{checkpoints}`, or another folder that every task sees",
            "the job.json of this target",
        );
    }
    if let Some(taken) = taken(plan, plan.roles.len(), board.port) {
        return taken;
    }
    let how = "a process of its own, the `tensorboard` of this machine";
    Support::Emulated(Mechanism::Tensorboard(Box::new(board.clone())), how.to_owned())
}
