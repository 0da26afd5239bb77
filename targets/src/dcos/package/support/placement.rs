//! Placement on nodes.
use crate::dcos::attributes;
use crate::dcos::context::Context;
use crate::dcos::package::Given;
use crate::dcos::package::lacks;
use crate::dcos::package::tasks;
use tfjob_lang::ask;

/// What the package does with one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Placement::Node { role, key, value } => {
            let words = vec![key.clone(), "IS".to_owned(), value.clone()];
            attributes::refused(*role, (key, value), plan, site)
                .unwrap_or_else(|| tasks::constraint(*role, words, plan))
        }
        ask::Placement::Partition { .. } => {
            lacks("has no partitions that tasks could name", "spark-dcos §3.4")
        }
        ask::Placement::Spread { role, spread } => tasks::spread(*role, *spread, plan),
    }
}
