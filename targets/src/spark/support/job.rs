//! What the job is.
use super::Context;
use super::life;
use super::program;
use super::resources;
use crate::spark::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Spark does with one requirement: what the job is.
pub fn answer(ask: &ask::Job, case: &Context<'_>) -> Answer<Means> {
    let ground = &case.ground;
    match ask {
        ask::Job::Name(name) => Answer::Native(Means::Name(name.clone())),
        ask::Job::Description(_) => Answer::Ignored("has no place for a description".to_owned()),
        ask::Job::Label { key, value } => program::label(ground, key, value),
        ask::Job::Framework { name, version, strategy: _ } => {
            program::framework(ground.plan, *name, version.as_ref())
        }
        ask::Job::Role { role, .. } | ask::Job::Evaluator { role } => resources::tasks(ground, *role),
        ask::Job::Helper { role, .. } => life::helper(resources::tasks(ground, *role)),
        ask::Job::Min { .. } => life::min(),
        ask::Job::Tensorboard(_) => life::tensorboard(),
        ask::Job::Patch { .. } => Answer::impossible(
            "is given a script, which has no object to merge into",
            "write Spark's own settings: `conf { spark.driver.memory \"4g\" }`",
            "spark-dcos §2.1",
        ),
    }
}
