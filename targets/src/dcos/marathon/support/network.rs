//! Ports and networks.
use super::Answer;
use crate::dcos::Dcos;
use crate::dcos::context::Context;
use crate::dcos::marathon::means::Means;
use crate::dcos::network::{containers, refused, unoffered, unused};
use tfjob_lang::ask::{self, Ask};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::PortNumber;
use tfjob_lang::target::Site;

/// Answers one requirement: ports and networks.
pub fn answer(ask: &ask::Network, Context { plan, site }: &Context<'_>) -> Answer {
    match ask {
        ask::Network::Port { role, name, number } => port(*role, name, *number, plan),
        ask::Network::PortLink { role, name, link: _ } => link(*role, name, plan),
        ask::Network::Host => Answer::Native(Means::Network(None)),
        ask::Network::Container(name) => named(name, site),
        ask::Network::Protocol(_) => Answer::inherent("the program opens its own server"),
    }
}

/// A network of containers that the job names.
fn named(name: &str, site: &Site<Dcos>) -> Answer {
    refused(name, site).unwrap_or_else(|| Answer::Native(Means::Network(Some(name.to_owned()))))
}

fn port(role: RoleId, name: &str, number: PortNumber, plan: &Plan) -> Answer {
    if let Some(why) = unused(role, name, plan) {
        return Answer::inherent(why);
    }
    let fixed = match number {
        PortNumber::Auto if name == "cluster" => {
            return Answer::impossible(
                "picks free ports when a task starts, and its peers' apps are written before",
                "write the number of the port",
                "spark-dcos §3.6",
            );
        }
        PortNumber::Auto => None,
        PortNumber::Fixed(number) => Some(number.0),
    };
    let means = Means::Port { role, name: name.to_owned(), number: fixed };
    let Some(number) = fixed.filter(|_| containers(plan).is_none()) else { return Answer::Native(means) };
    if let Some(refused) = unoffered(number, plan) {
        return refused;
    }
    if plan.tasks() <= 1 || told(role, number, plan) {
        return Answer::Native(means);
    }
    Answer::Emulated(
        means,
        format!(
            "tasks that listen on the host's port {number} never share an agent; with `network \"dcos\"` they may"
        ),
    )
}

/// Whether another role before this one needs the same port, so that the news was told there.
fn told(role: RoleId, number: u16, plan: &Plan) -> bool {
    plan.roles[..role].iter().any(|r| r.ports.iter().any(|p| p.number == Some(number)))
}

/// The page shows one link for each app.
fn link(role: RoleId, name: &str, plan: &Plan) -> Answer {
    let first = plan.asks.iter().find_map(|asked| {
        let Ask::Network(ask::Network::PortLink { role: other, name, .. }) = &asked.ask else { return None };
        (*other == role).then_some(name.as_str())
    });
    if first != Some(name) {
        return Answer::refused(
            "shows one link for each service",
            "keep `link` on one port of the role",
            "spark-dcos §3.6",
        );
    }
    if containers(plan).is_some() {
        return Answer::refused(
            "links to ports of the host only",
            "remove `link`, or write `network \"host\"`",
            "spark-dcos §3.6",
        );
    }
    Answer::Emulated(
        Means::Link { role, name: name.to_owned() },
        "the page of services opens the port under the app's own name, not under these words".into(),
    )
}
