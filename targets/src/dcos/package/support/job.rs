//! What the job is.
use crate::dcos::context::Context;
use crate::dcos::group;
use crate::dcos::package::Given;
use crate::dcos::package::Means;
use crate::dcos::package::lacks;
use crate::dcos::package::storage;
use crate::dcos::package::tasks;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What the package does with one requirement: what the job is.
pub fn answer(ask: &ask::Job, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Job::Name(name) => group::reserved(name).unwrap_or_else(|| tasks::service(plan, site)),
        ask::Job::Description(_) => {
            Answer::Ignored("has no place for a description in the package's options".into())
        }
        ask::Job::Label { .. } => Answer::Ignored("has no place for labels in the package's options".into()),
        ask::Job::Framework { name, version, strategy } => {
            tasks::framework(*name, version.as_ref(), *strategy, plan)
        }
        ask::Job::Role { role, count } => tasks::role(*role, *count, plan),
        ask::Job::Evaluator { .. } => lacks("has no evaluator in the package", "spark-dcos §3.2"),
        ask::Job::Helper { .. } => {
            lacks("has no role outside the rendezvous in the package", "spark-dcos §3.2")
        }
        ask::Job::Min { .. } => {
            lacks("always starts the full number of the package's tasks", "spark-dcos §3.2")
        }
        ask::Job::Tensorboard(board) => storage::tensorboard(board, plan),
        ask::Job::Patch { target: _, role, text } => {
            Answer::Native(Means::Patch { role: *role, text: text.clone() })
        }
    }
}
