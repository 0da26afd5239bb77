//! Placement on nodes.
use crate::dcos::Context;
use crate::dcos::marathon;
use crate::dcos::package::Given;
use crate::dcos::package::lacks;
use crate::dcos::package::tasks;
use crate::dcos::package::unless;
use tfjob_lang::ask;

/// What the package does with one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, (plan, site): &Context<'_>) -> Given {
    match ask {
        ask::Placement::Node { role, key, value } => {
            let words = vec![key.clone(), "IS".to_owned(), value.clone()];
            unless(Some(marathon::node(*role, (key, value), plan, site)), || {
                tasks::constraint(*role, words, plan)
            })
        }
        ask::Placement::Partition { .. } => {
            lacks("has no partitions that tasks could name", "spark-dcos §3.4")
        }
        ask::Placement::Spread { role, spread } => tasks::spread(*role, *spread, plan),
    }
}
