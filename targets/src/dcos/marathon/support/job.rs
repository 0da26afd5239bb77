//! Support of name, labels, framework, roles, and TensorBoard of the job.
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
use tfjob_lang::spec::FrameworkName;
use tfjob_lang::target::Site;

/// Key of the label that contains the description of the job.
const DESCRIPTION: &str = "description";

/// Returns the support of one requirement about the job as a whole.
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
    match host_fault_of_all_roles(plan, site) {
        Some(fault) => {
            Support::impossible(fault, "shorten the name of the job or of `group`", "dcos#host-names-of-apps")
        }
        None => Support::Native(Mechanism::Name),
    }
}

/// Returns why the DNS names of all tasks are invalid, if the name of the job or of its group is the cause. This is the case if
/// even a role name of one character makes the DNS name invalid.
fn host_fault_of_all_roles(plan: &Plan, site: &Site<Dcos>) -> Option<String> {
    names::host_fault(&hosts::host("x-0", &group_path(plan, site)))?;
    let shortest = plan.roles.iter().min_by_key(|role| role.name.value.len())?;
    let host = hosts::host(&format!("{}-0", shortest.name.value), &group_path(plan, site));
    let fault = names::host_fault(&host)?;
    Some(format!("the DNS name of a task would be `{host}`, which {fault}"))
}

fn label(key: &str, value: &str, plan: &Plan) -> Support {
    let described =
        plan.requirements.iter().any(|a| matches!(a.requirement, Requirement::Job(Job::Description(_))));
    if key == DESCRIPTION && described {
        return Support::Ignored(
            "the label `description` is ignored: the `description` of the job is written under the same key"
                .to_owned(),
        );
    }
    if ["DCOS_SERVICE_NAME", "DCOS_SERVICE_SCHEME", "DCOS_SERVICE_PORT_INDEX"].contains(&key) {
        return Support::impossible(
            format!(
                "Admin Router uses the label `{key}` to link to the service, so another value would break the link"
            ),
            "remove the label, and set `link` on a port",
            "dcos#service-labels",
        );
    }
    let given = |name: &str| {
        plan.requirements.iter().any(
            |a| matches!(&a.requirement, Requirement::Job(Job::Label { key, value, .. }) if key == name && !value.is_empty()),
        )
    };
    if key == "DCOS_MIGRATION_API_VERSION" && !value.is_empty() {
        const PROOF: &str = "Marathon's AppValidation.complyWithMigrationAPI";
        if value != "v1" {
            return Support::impossible(
                format!("Marathon accepts only the value `v1` for the label `{key}`, not `{value}`"),
                format!("remove the label, or set `{key}` to `v1`"),
                PROOF,
            );
        }
        let others = ["DCOS_PACKAGE_FRAMEWORK_NAME", "DCOS_MIGRATION_API_PATH"];
        if let Some(missing) = others.into_iter().find(|name| !given(name)) {
            return Support::impossible(
                format!("Marathon rejects the label `{key}` without the label `{missing}`"),
                format!("remove the label, or add `{missing}` to `labels`"),
                PROOF,
            );
        }
    }
    Support::Native(Mechanism::Label { key: key.to_owned(), value: value.to_owned() })
}

fn framework(plan: &Plan, site: &Site<Dcos>) -> Support {
    let packaged = site.job.r#as.is_none() && plan.framework.name.value == FrameworkName::Tensorflow;
    let hint = if packaged {
        "; to use the DC/OS package for TensorFlow instead, set `module` or `as \"package\"` in `target \"dcos\"`"
    } else {
        ""
    };
    let how = match plan.rendezvous_tasks() {
        0 | 1 => format!("the job becomes a group of Marathon apps, one per task{hint}"),
        n if n > WRITTEN_IN => format!(
            "the job becomes {n} Marathon apps, one per task; the shim generates the environment variables by which tasks find their peers{hint}"
        ),
        n => format!(
            "the job becomes {n} Marathon apps, one per task; each app sets the environment variables by which its task finds its peers{hint}"
        ),
    };
    Support::inherent_but("each task of a role becomes one app", how)
}

fn tasks(role: RoleId, count: u32, plan: &Plan, site: &Site<Dcos>) -> Support {
    // Only roles of these two kinds can be renamed. The names of all other roles have a meaning in the framework.
    let renamable = matches!(plan.roles[role].kind, RoleKind::Own | RoleKind::Helper);
    let name = plan.roles[role].name.value.as_str();
    let last = format!("{name}-{}", count.saturating_sub(1));
    let host = hosts::host(&last, &group_path(plan, site));
    // If the DNS names of all tasks are invalid, the fault is reported only at the name of the job. An invalid name of the role is
    // reported at that name.
    let reported = host_fault_of_all_roles(plan, site).is_some() || !names::is_framed(name);
    match names::host_fault(&host).filter(|_| !reported) {
        Some(fault) => Support::impossible(
            format!("the DNS name of a task would be `{host}`, which {fault}"),
            if renamable {
                "shorten the name of the role"
            } else {
                "shorten the name of the job or of `group`"
            },
            "dcos#host-names-of-apps",
        ),
        None => Support::Native(Mechanism::Tasks { role, count }),
    }
}

fn min() -> Support {
    Support::unsupported(
        "`min` is not supported: Marathon starts all apps, each on its own, and tells no task how many peers run",
        "remove `min`, and set `count` to a number of tasks that the cluster has resources for",
        "dcos#apps-start-independently",
    )
}
