//! Support of placement on agents.
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

/// Returns the support of one requirement about placement.
pub fn support(requirement: &requirement::Placement, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => node(*role, (key, value), plan, site),
        requirement::Placement::Partition { .. } => partition(),
        requirement::Placement::Spread { role, spread } => self::spread(*role, *spread, plan),
    }
}

/// Returns the support of an agent attribute. The constraint uses the operator `CLUSTER` instead of `IS`, because `IS` needs
/// Marathon 1.6. In an app with one task, both have the same effect.
pub fn node(role: RoleId, (key, value): (&str, &str), plan: &Plan, site: &Site<Dcos>) -> Support {
    attributes::refused(role, (key, value), plan, site).unwrap_or_else(|| {
        Support::Native(Mechanism::Constraint { role, words: constraint(key, value, site) })
    })
}

fn partition() -> Support {
    Support::unsupported(
        "`partition` is not supported: DC/OS has no partitions, only attributes of agents",
        "select the agents by an attribute: `placement { node \"ATTRIBUTE\" \"VALUE\" }`",
        "dcos#agent-attributes",
    )
}

/// Returns the support of `spread`. A constraint of Marathon compares only tasks of the same app, but each task is a separate app.
/// So several tasks are spread only if they use the same host port, because such tasks never share an agent.
fn spread(role: RoleId, spread: Spread, plan: &Plan) -> Support {
    const PROOF: &str = "dcos#constraints-of-one-app";
    let single = plan.roles[role].count.value <= 1;
    let port = plan.roles[role]
        .ports
        .iter()
        .any(|p| p.number.is_some() && unused(role, &p.name.value, plan).is_none());
    match spread {
        Spread::Host | Spread::Rack if single => Support::inherent("the role has one task"),
        Spread::Host if containers(plan).is_none() && port => {
            Support::inherent("its tasks use the same host port, so no two run on one agent")
        }
        Spread::Host => Support::unsupported(
            "the Marathon constraint `UNIQUE` compares the instances of one app, but each task is a separate app, so this constraint cannot spread tasks",
            "use `network \"host\"` and a fixed port: two tasks that use it never run on the same agent",
            PROOF,
        ),
        Spread::Rack => Support::unsupported(
            "the Marathon constraint `GROUP_BY` compares the instances of one app, but each task is a separate app, so this constraint cannot spread tasks",
            "remove `spread`; or, if the framework accepts roles with custom names, write one role for each rack, with `placement { node \"rack\" \"…\" }`",
            PROOF,
        ),
    }
}
