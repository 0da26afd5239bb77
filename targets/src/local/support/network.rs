//! Ports and networks.
use super::inherent;
use super::resources;
use crate::local::means::Means;
use tfjob_lang::ask;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Answer;

/// What this machine does with one requirement: ports and networks.
pub fn answer(ask: &ask::Network, plan: &Plan) -> Answer<Means> {
    match ask {
        ask::Network::Port { role, name, number } => resources::port(plan, *role, (name, *number), ask),
        ask::Network::PortLink { .. } => Answer::Ignored("has no page that shows a task's port".to_owned()),
        ask::Network::Host => inherent("tasks are processes of this machine"),
        ask::Network::Container(_) => Answer::Ignored("has the network of this machine alone".to_owned()),
        ask::Network::Protocol(_) => inherent("how TensorFlow's tasks talk is their own affair"),
    }
}
