//! Ports and networks.
use crate::dcos::context::Context;
use crate::dcos::network;
use crate::dcos::package::Given;
use crate::dcos::package::Means;
use crate::dcos::package::life;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What the package does with one requirement: ports and networks.
pub fn answer(ask: &ask::Network, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Network::Port { role, name, number } => life::port(*role, name, *number, plan),
        ask::Network::PortLink { .. } => Answer::Ignored("shows no link to the package's tasks".into()),
        ask::Network::Host => Answer::Native(Means::Network(None)),
        ask::Network::Container(name) => {
            let own = || Answer::Native(Means::Network(Some(name.clone())));
            network::refused(name, site).unwrap_or_else(own)
        }
        ask::Network::Protocol(protocol) => life::protocol(*protocol),
    }
}
