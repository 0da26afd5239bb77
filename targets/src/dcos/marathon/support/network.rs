//! Ports and networks.
use crate::dcos::context::Context;
use crate::dcos::marathon::Given;
use crate::dcos::marathon::Means;
use crate::dcos::marathon::network;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Marathon does with one requirement: ports and networks.
pub fn answer(ask: &ask::Network, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Network::Port { role, name, number } => network::port(*role, name, *number, plan),
        ask::Network::PortLink { role, name, link: _ } => network::link(*role, name, plan),
        ask::Network::Host => Answer::Native(Means::Network(None)),
        ask::Network::Container(name) => network::named(name, site),
        ask::Network::Protocol(_) => Answer::Native(Means::Inherent("the program opens its own server")),
    }
}
