//! Support of ports and networks.
use super::Support;
use crate::dcos::Dcos;
use crate::dcos::context::Context;
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::network::{containers, refused, unoffered, unused};
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Requirement};
use tfjob_lang::spec::PortNumber;
use tfjob_lang::target::Site;

/// Returns the support of one requirement about ports and networks.
pub fn support(requirement: &requirement::Network, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { role, name, number } => port(*role, name, *number, plan),
        requirement::Network::PortLink { role, name, link: _ } => link(*role, name, plan),
        requirement::Network::Host => Support::Native(Mechanism::Network(None)),
        requirement::Network::Container(name) => named(name, site),
        requirement::Network::Protocol(_) => Support::inherent("the program starts its own server"),
    }
}

/// Returns the support of a container network.
fn named(name: &str, site: &Site<Dcos>) -> Support {
    refused(name, site).unwrap_or_else(|| Support::Native(Mechanism::Network(Some(name.to_owned()))))
}

fn port(role: RoleId, name: &str, number: PortNumber, plan: &Plan) -> Support {
    if let Some(why) = unused(role, name, plan) {
        return Support::inherent(why);
    }
    let fixed = match number {
        PortNumber::Auto if name == RENDEZVOUS => {
            return Support::impossible(
                "Marathon picks a free port only when the task starts, so peers of the task cannot know the number",
                "set a number, such as `port \"rendezvous\" 2222`",
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
    if plan.tasks() <= 1 || is_reported(role, number, plan) {
        return Support::Native(mechanism);
    }
    Support::Emulated(
        mechanism,
        format!(
            "an agent gives a host port to only one task, so tasks with port {number} run on different agents; with `network \"dcos\"`, they can share an agent"
        ),
    )
}

/// Returns whether an earlier role has the same fixed port. The conflict is then reported at that role.
fn is_reported(role: RoleId, number: u16, plan: &Plan) -> bool {
    plan.roles[..role].iter().any(|r| r.ports.iter().any(|p| p.number == Some(number)))
}

/// Returns the support of a link to a port. Admin Router shows only one link per app.
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
            "Admin Router shows one link per app, but another port of this role also has `link`",
            "remove `link`, or keep it on this port only",
            "dcos#service-links",
        );
    }
    if containers(plan).is_some() {
        return Support::unsupported(
            "Admin Router links only to host ports, but this job uses a container network",
            "remove `link`, or use `network \"host\"`",
            "dcos#service-links",
        );
    }
    Support::Emulated(
        Mechanism::Link { role, name: name.to_owned() },
        "the DC/OS UI shows the link under the name of the app, not under the text of `link`".into(),
    )
}
