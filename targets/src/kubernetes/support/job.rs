//! What the job is.
use super::Context;
use super::board;
use super::framework;
use crate::kubernetes::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What a TFJob does with one requirement: what the job is.
pub fn answer(ask: &ask::Job, case: &Context<'_>) -> Answer<Means> {
    match ask {
        ask::Job::Name(name) => framework::job_name(case, name),
        ask::Job::Description(words) => framework::description(words),
        ask::Job::Label { key, value } => framework::label(key, value),
        ask::Job::Framework { name, version: _, strategy: _ } => framework::framework(case, *name),
        ask::Job::Role { role, count } => framework::role(case, *role, *count),
        ask::Job::Evaluator { role } => Answer::Native(Means::Replicas { role: *role, count: 1 }),
        ask::Job::Helper { role, count } => framework::helper(case, *role, *count),
        ask::Job::Min { role, min } => framework::min(case, *role, *min),
        ask::Job::Tensorboard(board) => board::tensorboard(case, board),
        ask::Job::Patch { target: _, role, text } => {
            Answer::Native(Means::Patch { role: *role, text: text.clone() })
        }
    }
}
