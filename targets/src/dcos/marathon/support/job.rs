//! What the job is.
use crate::dcos::context::Context;
use crate::dcos::marathon::Given;
use crate::dcos::marathon::Means;
use crate::dcos::marathon::job;
use crate::dcos::marathon::logs;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Marathon does with one requirement: what the job is.
pub fn answer(ask: &ask::Job, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Job::Name(name) => job::name(name, plan, site),
        ask::Job::Description(text) => {
            Answer::Native(Means::Label { key: job::DESCRIPTION.to_owned(), value: text.clone() })
        }
        ask::Job::Label { key, value } => job::label(key, value, plan),
        ask::Job::Framework { .. } => job::framework(plan, site),
        ask::Job::Role { role, count } | ask::Job::Helper { role, count } => {
            job::tasks(*role, *count, plan, site)
        }
        ask::Job::Evaluator { role } => job::tasks(*role, 1, plan, site),
        ask::Job::Min { .. } => job::min(),
        ask::Job::Tensorboard(board) => logs::tensorboard(board, plan, site),
        ask::Job::Patch { target: _, role, text } => {
            Answer::Native(Means::Patch { role: *role, text: text.clone() })
        }
    }
}
