//! What the job is.
mod tensorboard;

pub use tensorboard::agents;

use super::Support;
use crate::dcos::Dcos;
use crate::dcos::context::Context;
use crate::dcos::group::{group_path, reserved};
use crate::dcos::marathon::hosts;
use crate::dcos::marathon::mechanism::{Mechanism, WRITTEN_IN};
use crate::names;
use tensorboard::tensorboard;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{self, Job, Requirement};
use tfjob_lang::target::Site;

/// The label that holds the description.
const DESCRIPTION: &str = "description";

/// Answers one requirement: what the job is.
pub fn support(requirement: &requirement::Job, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => self::name(name, plan, site),
        requirement::Job::Description(text) => {
            Support::Native(Mechanism::Label { key: DESCRIPTION.to_owned(), value: text.clone() })
        }
        requirement::Job::Label { key, value } => label(key, value, plan),
        requirement::Job::Framework { .. } => framework(plan, site),
        requirement::Job::Role { role, count } | requirement::Job::Helper { role, count } => {
            tasks(*role, *count, plan, site)
        }
        requirement::Job::Evaluator { role } => tasks(*role, 1, plan, site),
        requirement::Job::Min { .. } => min(),
        requirement::Job::Tensorboard(board) => tensorboard(board, plan, site),
        requirement::Job::Patch { target: _, role, text } => {
            Support::Native(Mechanism::Patch { role: *role, text: text.clone() })
        }
    }
}

fn name(name: &str, plan: &Plan, site: &Site<Dcos>) -> Support {
    if let Some(refused) = reserved(name) {
        return refused;
    }
    let host = hosts::host("x-0", &group_path(plan, site));
    match names::host_fault(&host) {
        Some(fault) => Support::impossible(
            format!("would name the tasks `{host}`, which {fault}"),
            "a shorter name of the job, or of `group`",
            "dcos#host-names-of-apps",
        ),
        None => Support::Native(Mechanism::Name),
    }
}

fn label(key: &str, value: &str, plan: &Plan) -> Support {
    let described =
        plan.requirements.iter().any(|a| matches!(a.requirement, Requirement::Job(Job::Description(_))));
    if key == DESCRIPTION && described {
        return Support::Ignored("shows the job's description under this label".to_owned());
    }
    if ["DCOS_SERVICE_NAME", "DCOS_SERVICE_SCHEME", "DCOS_SERVICE_PORT_INDEX"].contains(&key) {
        return Support::impossible(
            format!("takes the label `{key}` as a command"),
            "write `link` on the port instead",
            "dcos#service-labels",
        );
    }
    let given = |name: &str| {
        plan.requirements.iter().any(
            |a| matches!(&a.requirement, Requirement::Job(Job::Label { key, value, .. }) if key == name && !value.is_empty()),
        )
    };
    let whole = value == "v1" && given("DCOS_PACKAGE_FRAMEWORK_NAME") && given("DCOS_MIGRATION_API_PATH");
    if key == "DCOS_MIGRATION_API_VERSION" && !value.is_empty() && !whole {
        return Support::impossible(
            format!(
                "takes the label `{key}` as `v1` only, with `DCOS_PACKAGE_FRAMEWORK_NAME` and `DCOS_MIGRATION_API_PATH`"
            ),
            "remove the label, or set all three",
            "Marathon's AppValidation.complyWithMigrationAPI",
        );
    }
    Support::Native(Mechanism::Label { key: key.to_owned(), value: value.to_owned() })
}

fn framework(plan: &Plan, site: &Site<Dcos>) -> Support {
    let required = site.job.r#as.is_some();
    let why = if required { "" } else { "; the package beta-tensorflow would need a `module`" };
    let how = match plan.rendezvous_tasks() {
        0 | 1 => format!("the group of apps that Marathon runs{why}"),
        n if n > WRITTEN_IN => {
            format!("{n} Marathon apps, one for each task; the shim works out its rendezvous variables{why}")
        }
        n => format!("{n} Marathon apps, one for each task, with its rendezvous variables written in{why}"),
    };
    Support::inherent_but("the apps are those of the roles", how)
}

fn tasks(role: RoleId, count: u32, plan: &Plan, site: &Site<Dcos>) -> Support {
    // The names of other roles are their framework's.
    let free = matches!(plan.roles[role].kind, RoleKind::Own | RoleKind::Helper);
    let last = format!("{}-{}", plan.roles[role].name.value, count.saturating_sub(1));
    let host = hosts::host(&last, &group_path(plan, site));
    match names::host_fault(&host) {
        Some(fault) => Support::impossible(
            format!("would name a task `{host}`, which {fault}"),
            if free { "a shorter name of the role" } else { "a shorter name of the job, or of `group`" },
            "dcos#host-names-of-apps",
        ),
        None => Support::Native(Mechanism::Tasks { role, count }),
    }
}

fn min() -> Support {
    Support::unsupported(
        "writes all tasks into each other's addresses, and starts each by itself",
        "write `count` as the number that really runs",
        "dcos#apps-start-independently",
    )
}
