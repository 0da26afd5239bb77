//! What the job is.
use super::Answer;
use super::network::taken;
use crate::local::means::Means;
use tfjob_lang::ask;
use tfjob_lang::plan::{Part, Place, Plan};

/// Answers one requirement: what the job is.
pub fn answer(ask: &ask::Job, plan: &Plan) -> Answer {
    match ask {
        ask::Job::Name(name) => Answer::Native(Means::Name(name.clone())),
        ask::Job::Description(words) => Answer::Native(Means::Description(words.clone())),
        ask::Job::Label { key, value } => {
            Answer::Native(Means::Label { key: key.clone(), value: value.clone() })
        }
        ask::Job::Framework { .. } => Answer::Native(Means::Words),
        ask::Job::Role { role, .. } | ask::Job::Helper { role, .. } | ask::Job::Evaluator { role } => {
            Answer::Native(Means::Tasks(*role))
        }
        ask::Job::Min { min, .. } => self::min(*min),
        ask::Job::Tensorboard(board) => tensorboard(plan, board),
        ask::Job::Patch { .. } => Answer::impossible(
            "starts processes, and has no object to merge into",
            "remove `patch`",
            "the job.json of this target",
        ),
    }
}

/// The role of a TensorBoard.
pub const BOARD: &str = "tensorboard";

/// A job that goes on with fewer tasks.
fn min(min: u32) -> Answer {
    Answer::refused(
        format!("starts every task, and tells none that {min} of its role would do"),
        "remove `min`",
        "the shim: all tasks stand in every rendezvous",
    )
}

/// A TensorBoard.
fn tensorboard(plan: &Plan, board: &ask::Tensorboard) -> Answer {
    if plan.roles.iter().any(|role| role.name.value == BOARD) {
        return Answer::impossible(
            "runs the TensorBoard as a task called `tensorboard`, and a role has that name",
            "give the role another name",
            "the job.json of this target",
        );
    }
    let own = board.logs.parts.iter().any(|part| match part {
        Part::Own(..) | Part::Place(Place::Scratch, _) => true,
        Part::Text(_)
        | Part::Place(Place::Data(_) | Place::Checkpoints | Place::Code | Place::Stage(_), _) => false,
    });
    if own {
        return Answer::refused(
            "runs the TensorBoard as a task of its own, which knows no other task's folder",
            "let it read `{checkpoints}`, or another folder that every task sees",
            "the job.json of this target",
        );
    }
    if let Some(taken) = taken(plan, plan.roles.len(), board.port) {
        return taken;
    }
    let how = "a process of its own, the `tensorboard` of this machine";
    Answer::Emulated(Means::Tensorboard(Box::new(board.clone())), how.to_owned())
}
