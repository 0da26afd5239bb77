//! Builds the job contract of the shim. The shim reads role, index, and peers from environment variables that `tfjob_node.py` sets.
use super::draft::Draft;
use crate::contract_builder::ContractBuilder;
use crate::spark::schema::{INDEX, PEERS, ROLE};
use tfjob_contract::{Contract, Peers, Source};
use tfjob_lang::origin::{Origins, Traced};

/// Returns the job contract, and the span in the spec for each of its values. It is built even for jobs without the shim, because
/// the strings of `job.json` come from the contract.
pub fn of(draft: &Draft<'_>) -> (Contract, Origins) {
    let peers = Peers::Given { env: PEERS.to_owned(), pointer: String::new() };
    let (role, index) = (Source::Env(ROLE.to_owned()), Source::Env(INDEX.to_owned()));
    let mut builder = ContractBuilder::new(draft.context.plan, &draft.places, role, index, peers);
    for (role, name, path, at) in &draft.secret_files {
        builder.variable(*role, name, path, *at);
    }
    if let Some((home, java, conf, at)) = &draft.hadoop {
        builder.hadoop(home, java, conf.as_deref(), *at);
    }
    for (role, at) in &draft.heard {
        builder.hears(*role, *at);
    }
    if let Some((Traced(seconds, at), true)) = &draft.wait {
        builder.wait(*seconds, *at);
    }
    for (role, terms, at) in &draft.restarts {
        builder.restart(*role, terms, *at);
    }
    let folder = draft.context.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref());
    if let (Some(folder), Some(_)) = (folder, draft.restarts.first()) {
        builder.checkpoints(&folder.value, None, false, folder.span);
    }
    builder.done()
}
