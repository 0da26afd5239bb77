//! Ports and networks.
use super::Context;
use super::framework;
use super::place;
use super::start;
use crate::kubernetes::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What a TFJob does with one requirement: ports and networks.
pub fn answer(ask: &ask::Network, case: &Context<'_>) -> Answer<Means> {
    match ask {
        ask::Network::Port { role, name, number } => start::port(case, *role, name, *number),
        ask::Network::PortLink { role: _, name, link: _ } => start::port_link(name),
        ask::Network::Host => place::host_network(case),
        ask::Network::Container(_) => place::network(),
        ask::Network::Protocol(protocol) => framework::protocol(*protocol),
    }
}
