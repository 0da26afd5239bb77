//! Code, data and checkpoints.
use crate::dcos::context::Context;
use crate::dcos::package::Given;
use crate::dcos::package::Means;
use crate::dcos::package::lacks;
use crate::dcos::package::storage;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What the package does with one requirement: code, data and checkpoints.
pub fn answer(ask: &ask::Storage, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Storage::Code { uri, reference: _, at } => storage::code(uri, at.as_deref(), site),
        ask::Storage::Stage { .. } => {
            lacks("fetches the code and nothing else for the package's tasks", "spark-dcos §3.2")
        }
        ask::Storage::DataUri { uri, .. } => storage::data(uri, plan, site),
        ask::Storage::DataMount { .. } | ask::Storage::CheckpointsMount { .. } => {
            lacks("mounts nothing into the package's tasks", "spark-dcos §3.2")
        }
        ask::Storage::CheckpointsUri { uri } => storage::checkpoints(uri, plan, site),
        ask::Storage::CheckpointsEvery { .. } => {
            Answer::Native(Means::Inherent("the program keeps this promise"))
        }
        ask::Storage::CheckpointsFresh { .. } => {
            lacks("looks at no checkpoint before the start", "spark-dcos §3.5")
        }
        ask::Storage::Scratch { .. } => {
            lacks("tells the package's tasks of no folder of their own", "spark-dcos §3.5")
        }
    }
}
