//! Support of placement on agents.
use super::Support;
use crate::dcos::attributes;
use crate::dcos::context::Context;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::slot::Slot;
use crate::dcos::package::support::lacks;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec::Spread;

/// Returns the support of one requirement about placement.
pub fn support(requirement: &requirement::Placement, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => {
            let words = vec![key.clone(), "IS".to_owned(), value.clone()];
            attributes::refused(*role, (key, value), plan, site)
                .unwrap_or_else(|| constraint(*role, words, plan))
        }
        requirement::Placement::Partition { .. } => lacks(
            "`partition` is not supported: DC/OS has no partitions, only attributes of agents",
            "dcos#package-placement",
        ),
        requirement::Placement::Spread { role, spread } => self::spread(*role, *spread, plan),
    }
}

fn constraint(role: RoleId, words: Vec<String>, plan: &Plan) -> Support {
    match Slot::of(plan, role) {
        // `None`: the package has no task group for the role. This is refused elsewhere, at the line of the role.
        Some(Slot::Ps | Slot::Worker) | None => Support::Native(Mechanism::Constraint { role, words }),
        Some(Slot::GpuWorker) => lacks(
            "the TensorFlow package accepts `placement_constraint` of workers with GPUs, but ignores it",
            "dcos#package-placement",
        ),
    }
}

fn spread(role: RoleId, spread: Spread, plan: &Plan) -> Support {
    match spread {
        Spread::Host => constraint(role, vec!["hostname".to_owned(), "UNIQUE".to_owned()], plan),
        Spread::Rack => lacks(
            "placement constraints of the TensorFlow package can spread tasks over zones and regions, but not over racks",
            "dcos#package-placement",
        ),
    }
}
