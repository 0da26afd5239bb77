//! What the job is.
use super::life;
use crate::local::means::Means;
use tfjob_lang::ask;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Answer;

/// What this machine does with one requirement: what the job is.
pub fn answer(ask: &ask::Job, plan: &Plan) -> Answer<Means> {
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
        ask::Job::Min { min, .. } => life::min(*min),
        ask::Job::Tensorboard(board) => life::tensorboard(plan, board),
        ask::Job::Patch { .. } => Answer::impossible(
            "starts processes, and has no object to merge into",
            "remove `patch`",
            "the job.json of this target",
        ),
    }
}
