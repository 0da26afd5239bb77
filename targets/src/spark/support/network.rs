//! Ports and networks.
use super::Context;
use super::life;
use super::program;
use super::resources;
use crate::spark::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Spark does with one requirement: ports and networks.
pub fn answer(ask: &ask::Network, case: &Context<'_>) -> Answer<Means> {
    let ground = &case.ground;
    match ask {
        ask::Network::Port { name, number, .. } => resources::port(ground, name, *number, ask),
        ask::Network::PortLink { .. } => Answer::Ignored("has no page that shows a task's port".to_owned()),
        ask::Network::Host => life::host_network(ground),
        ask::Network::Container(name) => life::network(ground, name),
        ask::Network::Protocol(protocol) => program::protocol(*protocol),
    }
}
