//! Placement on nodes.
use super::Support;
use super::constraint::constraint;
use crate::dcos::context::Context;
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::network::{containers, unused};
use crate::dcos::{Dcos, attributes};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec::Spread;
use tfjob_lang::target::Site;

/// Answers one requirement: placement on nodes.
pub fn support(requirement: &requirement::Placement, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => node(*role, (key, value), plan, site),
        requirement::Placement::Partition { .. } => partition(),
        requirement::Placement::Spread { role, spread } => self::spread(*role, *spread, plan),
    }
}

/// `IS` came with Marathon 1.6; `CLUSTER` with a value says the same of an app with one task.
pub fn node(role: RoleId, (key, value): (&str, &str), plan: &Plan, site: &Site<Dcos>) -> Support {
    attributes::refused(role, (key, value), plan, site).unwrap_or_else(|| {
        Support::Native(Mechanism::Constraint { role, words: constraint(key, value, site) })
    })
}

fn partition() -> Support {
    Support::unsupported(
        "has no partitions of nodes",
        "write `placement { node \"ATTRIBUTE\" \"VALUE\" }` with an attribute that marks those nodes",
        "dcos#agent-attributes",
    )
}

/// Marathon counts the tasks of one app, and each task is its own; but a fixed port of the host is there once.
fn spread(role: RoleId, spread: Spread, plan: &Plan) -> Support {
    const PROOF: &str = "dcos#constraints-of-one-app";
    let alone = plan.roles[role].count.value <= 1;
    let port = plan.roles[role]
        .ports
        .iter()
        .any(|p| p.number.is_some() && unused(role, &p.name.value, plan).is_none());
    match spread {
        Spread::Host | Spread::Rack if alone => Support::inherent("the role has one task"),
        Spread::Host if containers(plan).is_none() && port => {
            Support::inherent("its tasks need the same port of the host, so no two share an agent")
        }
        Spread::Host => Support::unsupported(
            "keeps apart the tasks of one app only, and each task is its own app",
            "write `network \"host\"` and a fixed port: two tasks that need it never share an agent",
            PROOF,
        ),
        Spread::Rack => Support::unsupported(
            "keeps apart the tasks of one app only, and each task is its own app",
            "write `placement { node \"rack\" \"…\" }` in roles of their own",
            PROOF,
        ),
    }
}
