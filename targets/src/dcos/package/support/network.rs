//! Ports and networks.
use crate::dcos::Context;
use crate::dcos::marathon;
use crate::dcos::package::Given;
use crate::dcos::package::Means;
use crate::dcos::package::life;
use crate::dcos::package::unless;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What the package does with one requirement: ports and networks.
pub fn answer(ask: &ask::Network, (plan, site): &Context<'_>) -> Given {
    match ask {
        ask::Network::Port { role, name, number } => life::port(*role, name, *number, plan),
        ask::Network::PortLink { .. } => Answer::Ignored("shows no link to the package's tasks".into()),
        ask::Network::Host => Answer::Native(Means::Network(None)),
        ask::Network::Container(name) => {
            let own = || Answer::Native(Means::Network(Some(name.clone())));
            unless(Some(marathon::named(name, site)), own)
        }
        ask::Network::Protocol(protocol) => life::protocol(*protocol),
    }
}
