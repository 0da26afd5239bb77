//! The job as a whole: name, labels, framework, roles, TensorBoard.
use super::Support;
use super::network::taken;
use crate::local::mechanism::Mechanism;
use tfjob_lang::plan::{DataRef, Part, Plan};
use tfjob_lang::requirement;

/// Returns the support of one requirement about the job as a whole.
pub fn support(requirement: &requirement::Job, plan: &Plan) -> Support {
    match requirement {
        requirement::Job::Name(name) => Support::Native(Mechanism::Name(name.clone())),
        requirement::Job::Description(text) => Support::Native(Mechanism::Description(text.clone())),
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
            "`patch` is not supported: a local run starts processes and writes no manifest",
            "remove `patch`",
            "job.json, the output for a local run, which lists processes",
        ),
    }
}

/// Role name of TensorBoard.
pub const BOARD: &str = "tensorboard";

/// Returns the refusal of `min`, the minimum number of tasks of a role.
fn min(min: u32) -> Support {
    Support::unsupported(
        format!("`min={min}` is not supported: a local run starts all tasks of a role"),
        "remove `min`",
        "source code of tfjob-shim: `TF_CONFIG` lists all tasks, and `WORLD_SIZE` counts all tasks",
    )
}

fn tensorboard(plan: &Plan, board: &requirement::Tensorboard) -> Support {
    if plan.roles.iter().any(|role| role.name.value == BOARD) {
        return Support::impossible(
            "TensorBoard runs as a task named `tensorboard`, but a role already has this name",
            "rename the role",
            "job.json, the output for a local run, which lists processes",
        );
    }
    let private = board.logs.parts.iter().find_map(|part| match part {
        Part::Task(..) => Some("TensorBoard runs as a separate task, but `logs` refers to a value of another task"),
        Part::Data(DataRef::Scratch, _) => {
            Some("TensorBoard runs as a separate task, which cannot read the `{scratch}` directory of another task")
        }
        Part::Text(_)
        | Part::Data(DataRef::Data(_) | DataRef::Checkpoints | DataRef::Code | DataRef::Stage(_), _) => None,
    });
    if let Some(why) = private {
        return Support::unsupported(
            why,
            "set `logs` to `{checkpoints}` or to another directory that all tasks share",
            "job.json, the output for a local run, which lists processes",
        );
    }
    if let Some(taken) =
        taken(plan, plan.roles.len(), board.port, || "set another `port` of `tensorboard`".to_owned())
    {
        return taken;
    }
    let how = "TensorBoard runs as a separate process: the `tensorboard` command of this machine";
    Support::Emulated(Mechanism::Tensorboard(Box::new(board.clone())), how.to_owned())
}
