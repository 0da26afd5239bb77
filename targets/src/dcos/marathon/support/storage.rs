//! Code, data and checkpoints.
use crate::dcos::context::Context;
use crate::dcos::marathon::Given;
use crate::dcos::marathon::Means;
use crate::dcos::marathon::storage;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Marathon does with one requirement: code, data and checkpoints.
pub fn answer(ask: &ask::Storage, Context { plan, .. }: &Context<'_>) -> Given {
    match ask {
        ask::Storage::Code { uri, reference: _, at } => storage::code(uri, at.as_deref(), plan),
        ask::Storage::Stage { index, uri, at } => storage::stage(*index, uri, at.as_deref(), plan),
        ask::Storage::DataUri { index, uri, writable } => storage::data(*index, uri, *writable),
        ask::Storage::DataMount { index, uri, at, writable } => {
            storage::mount(uri, at, *writable, plan, |mount| Means::Data { index: *index, mount })
        }
        ask::Storage::CheckpointsUri { uri } => storage::checkpoints(uri),
        ask::Storage::CheckpointsMount { uri, at } => storage::mount(uri, at, true, plan, Means::Checkpoints),
        ask::Storage::CheckpointsEvery { .. } => {
            Answer::Native(Means::Inherent("the program keeps this promise"))
        }
        ask::Storage::CheckpointsFresh { mounted } => storage::fresh(*mounted, plan),
        ask::Storage::Scratch { role } => Answer::Native(Means::Scratch { role: *role }),
    }
}
