//! What the job is.
use super::Answer;
use super::board;
use super::framework;
use crate::yarn::context::Context;
use crate::yarn::means::Means;
use tfjob_lang::ask;

/// What YARN does with one requirement: what the job is.
pub fn answer(ask: &ask::Job, case: &Context<'_>) -> Answer {
    match ask {
        ask::Job::Name(name) => framework::name(case, name),
        ask::Job::Description(words) => Answer::Native(Means::Description(words.clone())),
        ask::Job::Label { key, value: _ } => framework::label(key),
        ask::Job::Framework { name, version: _, strategy: _ } => framework::framework(case, *name),
        ask::Job::Role { role, count } | ask::Job::Helper { role, count } => {
            framework::role(case, *role, *count)
        }
        ask::Job::Evaluator { role } => framework::role(case, *role, 1),
        ask::Job::Min { role: _, min } => framework::min(*min),
        ask::Job::Tensorboard(board) => board::tensorboard(case, board),
        ask::Job::Patch { target: _, role, text } => {
            Answer::Native(Means::Patch { role: *role, text: text.clone() })
        }
    }
}
