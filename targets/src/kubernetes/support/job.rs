//! The job itself: its name, labels, framework and roles.
use super::Context;
use super::Support;
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator::{self, known_name};
use crate::kubernetes::queues::kueue;
use crate::pod;
use crate::pod::grammar::{LABEL, is_qualified};
use crate::pod::mechanism::{DESCRIPTION, Duty};
use tfjob_lang::plan::{RoleId, RoleKind};
use tfjob_lang::requirement;
use tfjob_lang::spec::FrameworkName;

/// Answers one requirement: what the job is.
pub fn support(requirement: &requirement::Job, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => job_name(context, name),
        requirement::Job::Description(words) => description(words),
        requirement::Job::Label { key, value } => label(key, value),
        requirement::Job::Framework { name, version: _, strategy: _ } => framework(context, *name),
        requirement::Job::Role { role, count } => self::role(context, *role, *count),
        requirement::Job::Evaluator { role } => {
            Support::Native(Mechanism::Replicas { role: *role, count: 1 })
        }
        requirement::Job::Helper { role, count } => helper(context, *role, *count),
        requirement::Job::Min { role, min } => self::min(context, *role, *min),
        requirement::Job::Tensorboard(board) => {
            pod::support::tensorboard::tensorboard(&context.pod, board).map(Mechanism::Pod)
        }
        requirement::Job::Patch { target: _, role, text } => {
            Support::Native(Mechanism::Patch { role: *role, text: text.clone() })
        }
    }
}

/// Each Pod's Service is named `<job>-<role>-<index>`, and a Service's name is a DNS label. The job name alone may be
/// longer: the TFJob is then accepted, its Pods start, and none has an address.
fn job_name(context: &Context<'_>, name: &str) -> Support {
    let derived = |role: &tfjob_lang::plan::Role| {
        let suffix = format!("-{}-{}", role.name.value, role.count.value - 1);
        (name.len() + suffix.len(), suffix)
    };
    let longest = context.plan.roles.iter().map(derived).max_by_key(|(length, _)| *length);
    match longest {
        Some((length, suffix)) if length > LABEL => {
            let help = match LABEL.saturating_sub(suffix.len()) {
                0 => {
                    format!("shorten the name of the role: `{suffix}` alone has {} characters", suffix.len())
                }
                left => format!("with these roles the job's name has at most {left} characters"),
            };
            let why = format!(
                "names a Service `{name}{suffix}`, which has {length} characters; {LABEL} are allowed"
            );
            Support::impossible(why, help, "kubernetes#service-names")
        }
        Some(_) | None => Support::Native(Mechanism::Name(name.to_owned())),
    }
}

fn description(words: &str) -> Support {
    Support::Native(Mechanism::Annotation { key: DESCRIPTION.to_owned(), value: words.to_owned() })
}

fn label(key: &str, value: &str) -> Support {
    if is_qualified(key) && key.starts_with("training.kubeflow.org/") {
        let help = "use a key of another domain";
        return Support::unsupported(
            "sets the labels of `training.kubeflow.org` itself",
            help,
            "kubernetes#operator-labels",
        );
    }
    pod::support::job::label(key, value).map(Mechanism::Pod)
}

/// A TFJob is TensorFlow's. Any other program may run in it, if its tasks do not meet through variables of a framework.
fn framework(context: &Context<'_>, name: FrameworkName) -> Support {
    match name {
        FrameworkName::Tensorflow if operator::operator_config_fits(context.plan) => {
            let alone = !operator::distributed(context.plan);
            let why = if alone { "one task needs no TF_CONFIG" } else { "the operator sets TF_CONFIG" };
            Support::inherent(why)
        }
        FrameworkName::Tensorflow => Support::Emulated(Mechanism::shim(Duty::Start), config_misfit(context)),
        FrameworkName::Custom => Support::inherent("the program's own rendezvous"),
        FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod
        | FrameworkName::Caffe => Support::decisive(
            format!("compiles to a TFJob, and a TFJob runs TensorFlow, not {}", name.keyword()),
            format!(
                "write `framework \"custom\"`{} if the program finds its peers without the variables of {}, or choose another target; PyTorchJob, XGBoostJob and MPIJob are other resources of the operator",
                // A TFJob has no role of this name.
                if context.plan.role_of(RoleKind::Master).is_some() {
                    " and `role \"chief\"` for `master`"
                } else {
                    ""
                },
                name.keyword(),
            ),
            "kubernetes#frameworks",
        ),
    }
}

fn config_misfit(context: &Context<'_>) -> String {
    let plan = context.plan;
    let evaluator = plan.role_of(RoleKind::Evaluator).is_some();
    let why = if operator::dynamic(plan) {
        "the operator's TF_CONFIG names only a part of the tasks where lost workers come back"
    } else if evaluator {
        "the operator puts the evaluator into every TF_CONFIG, and a coordinator would wait for it for ever"
    } else {
        // The language lets no strategy have roles that it does not know.
        "the operator puts helpers into every TF_CONFIG"
    };
    format!("the shim sets TF_CONFIG: {why}")
}

fn role(context: &Context<'_>, role: RoleId, count: u32) -> Support {
    if operator::replica_type(context.plan, role).is_some() && known_name(context.plan, role) {
        return Support::Native(Mechanism::Replicas { role, count });
    }
    Support::impossible(
        format!("has no role `{}` whose end could be the job's", context.role(role)),
        "call it `worker`, or `ps` if the others use it and the job ends without it: roles of a TFJob are `chief`, `worker`, `ps` and `evaluator`; a `helper`, which meets nobody at a port, may have any name",
        "kubernetes#unknown-roles",
    )
}

/// A key that the operator does not know: it makes the Pods and their Services, deletes them at the end with the rest,
/// and never asks how they fare.
fn helper(context: &Context<'_>, role: RoleId, count: u32) -> Support {
    if let Some(word) = operator::known(context.role(role)) {
        return Support::impossible(
            format!("takes a helper of this name for the job's {word}"),
            "give the helper a name other than chief, worker, ps, evaluator and master",
            "kubernetes#role-names",
        );
    }
    if let Some(word) = kueue(context.plan, context.options) {
        return Support::unsupported(
            "starts a helper outside Kueue's quota: Kueue counts the roles of TensorFlow only",
            format!("remove the helper, or {word}"),
            "kubernetes#kueue-quota",
        );
    }
    let how =
        "the operator makes its Pods of a role that it does not know, and deletes them at the end of the job";
    Support::Emulated(Mechanism::Replicas { role, count }, how.to_owned())
}

fn min(context: &Context<'_>, role: RoleId, min: u32) -> Support {
    let (name, count) = (context.role(role), context.plan.roles[role].count.value);
    Support::unsupported(
        format!("makes all {count} Pods of `{name}`, and TensorFlow's tasks wait for every one of them"),
        format!(
            "write `count={min}`; workers that are lost come back with `restart \"on-failure\"` without a limit"
        ),
        "tensorflow#missing-peers",
    )
}
