//! Ports and networks.
use super::Support;
use crate::dcos::Dcos;
use crate::dcos::context::Context;
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::network::{containers, refused, unoffered, unused};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Requirement};
use tfjob_lang::spec::PortNumber;
use tfjob_lang::target::Site;

/// Answers one requirement: ports and networks.
pub fn support(requirement: &requirement::Network, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { role, name, number } => port(*role, name, *number, plan),
        requirement::Network::PortLink { role, name, link: _ } => link(*role, name, plan),
        requirement::Network::Host => Support::Native(Mechanism::Network(None)),
        requirement::Network::Container(name) => named(name, site),
        requirement::Network::Protocol(_) => Support::inherent("the program opens its own server"),
    }
}

/// A network of containers that the job names.
fn named(name: &str, site: &Site<Dcos>) -> Support {
    refused(name, site).unwrap_or_else(|| Support::Native(Mechanism::Network(Some(name.to_owned()))))
}

fn port(role: RoleId, name: &str, number: PortNumber, plan: &Plan) -> Support {
    if let Some(why) = unused(role, name, plan) {
        return Support::inherent(why);
    }
    let fixed = match number {
        PortNumber::Auto if name == "rendezvous" => {
            return Support::impossible(
                "picks free ports when a task starts, and its peers' apps are written before",
                "write the number of the port",
                "dcos#picked-ports",
            );
        }
        PortNumber::Auto => None,
        PortNumber::Fixed(number) => Some(number.0),
    };
    let mechanism = Mechanism::Port { role, name: name.to_owned(), number: fixed };
    let Some(number) = fixed.filter(|_| containers(plan).is_none()) else {
        return Support::Native(mechanism);
    };
    if let Some(refused) = unoffered(number, plan) {
        return refused;
    }
    if plan.tasks() <= 1 || told(role, number, plan) {
        return Support::Native(mechanism);
    }
    Support::Emulated(
        mechanism,
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
fn link(role: RoleId, name: &str, plan: &Plan) -> Support {
    let first = plan.requirements.iter().find_map(|required| {
        let Requirement::Network(requirement::Network::PortLink { role: other, name, .. }) =
            &required.requirement
        else {
            return None;
        };
        (*other == role).then_some(name.as_str())
    });
    if first != Some(name) {
        return Support::unsupported(
            "shows one link for each service",
            "keep `link` on one port of the role",
            "dcos#service-links",
        );
    }
    if containers(plan).is_some() {
        return Support::unsupported(
            "links to ports of the host only",
            "remove `link`, or write `network \"host\"`",
            "dcos#service-links",
        );
    }
    Support::Emulated(
        Mechanism::Link { role, name: name.to_owned() },
        "the page of services opens the port under the app's own name, not under these words".into(),
    )
}
