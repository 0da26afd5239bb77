//! The job itself: its name, labels, framework and roles.
use super::Context;
use super::Support;
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator::{self, known_name};
use crate::kubernetes::queues::kueue;
use crate::pod;
use crate::pod::grammar::{LABEL, is_qualified};
use crate::pod::mechanism::{DESCRIPTION, Duty};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement;
use tfjob_lang::spec::FrameworkName;

/// Returns the support of one requirement about the job as a whole.
pub fn support(requirement: &requirement::Job, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => job_name(context, name),
        requirement::Job::Description(text) => description(text),
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

/// Returns the support of the job name. The operator names the Service of each Pod `<job>-<role>-<index>`, and a Service name must
/// be a DNS label. With a longer name, the operator still starts the Pods, but without Services they have no DNS records.
fn job_name(context: &Context<'_>, name: &str) -> Support {
    let object = &context.pod.object;
    let derived = |role: &tfjob_lang::plan::Role| {
        let suffix = format!("-{}-{}", role.name.value, role.count.value - 1);
        (object.len() + suffix.len(), suffix)
    };
    let longest = context.plan.roles.iter().map(derived).max_by_key(|(length, _)| *length);
    match longest {
        Some((length, suffix)) if length > LABEL => {
            let own = suffix.len() + object.len() - name.len();
            let help = match LABEL.saturating_sub(own) {
                0 => {
                    format!("shorten the role name: `{suffix}` alone has {} characters", suffix.len())
                }
                left => format!("shorten the job name to at most {left} characters"),
            };
            let why = format!(
                "the operator names a Service `{object}{suffix}` ({length} characters), but a Service name has at most {LABEL}"
            );
            Support::impossible(why, help, "kubernetes#service-names").depends_on_value()
        }
        Some(_) | None => Support::Native(Mechanism::Name(name.to_owned())),
    }
}

fn description(text: &str) -> Support {
    Support::Native(Mechanism::Annotation { key: DESCRIPTION.to_owned(), value: text.to_owned() })
}

fn label(key: &str, value: &str) -> Support {
    if is_qualified(key) && key.starts_with("training.kubeflow.org/") {
        let help = "use another prefix: `labels { \"example.com/team\" \"vision\"; }`";
        return Support::unsupported(
            "the training operator overwrites labels with the prefix `training.kubeflow.org/`",
            help,
            "kubernetes#operator-labels",
        );
    }
    pod::support::job::label(key, value).map(Mechanism::Pod)
}

/// Returns the support of the framework. The operator writes no environment variables except the `TF_CONFIG` of TensorFlow. So
/// without the shim, programs of another framework run only if they need no environment variables of this framework.
fn framework(context: &Context<'_>, name: FrameworkName) -> Support {
    match name {
        FrameworkName::Tensorflow if operator::operator_config_fits(context.plan) => {
            let why = if operator::distributed(context.plan) {
                "the operator sets TF_CONFIG"
            } else {
                "a single task needs no TF_CONFIG"
            };
            Support::inherent(why)
        }
        FrameworkName::Tensorflow => Support::Emulated(Mechanism::shim(Duty::Start), config_misfit(context)),
        FrameworkName::Custom => {
            Support::inherent("the program connects its tasks without variables of a framework")
        }
        FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod
        | FrameworkName::Caffe => Support::decisive(
            format!("framework `{}` is not supported: a TFJob sets up TensorFlow only", name.keyword()),
            format!(
                "if the program finds its peers without the environment variables of {}, write `framework \"custom\"`{}; otherwise use another target (this one writes no PyTorchJob, XGBoostJob, or MPIJob)",
                name.keyword(),
                custom_roles(context.plan),
            ),
            "kubernetes#frameworks",
        ),
    }
}

/// Returns the end of a help, which suggests edits for roles that a TFJob does not support. One of them is `master`, because
/// TensorFlow refuses the TFJob role `Master`. Empty if the job has no such role.
fn custom_roles(plan: &Plan) -> &'static str {
    let has = |kind| plan.role_of(kind).is_some();
    if has(RoleKind::Master) {
        " and `role \"chief\"` instead of `role \"master\"`"
    } else if has(RoleKind::Scheduler) || has(RoleKind::Server) {
        ", and use only the roles `chief`, `worker`, and `ps`"
    } else {
        ""
    }
}

fn config_misfit(context: &Context<'_>) -> String {
    let plan = context.plan;
    let evaluator = plan.role_of(RoleKind::Evaluator).is_some();
    let why = if operator::dynamic(plan) {
        "the operator recreates lost workers (`enableDynamicWorker`), and its TF_CONFIG then lists only some of the tasks"
    } else if evaluator {
        "the TF_CONFIG of the operator lists the evaluator as a member of the cluster, so a coordinator would wait for it forever"
    } else {
        // Roles that the strategy does not use are not mentioned here, because the error `role-outside-strategy` reports them.
        "the TF_CONFIG of the operator lists helpers as TensorFlow tasks"
    };
    format!("the shim sets TF_CONFIG, because {why}")
}

fn role(context: &Context<'_>, role: RoleId, count: u32) -> Support {
    if operator::replica_type(context.plan, role).is_some() && known_name(context.plan, role) {
        return Support::Native(Mechanism::Replicas { role, count });
    }
    Support::impossible(
        format!(
            "the operator ignores whether the tasks of `{}` succeed or fail, because it knows only the roles `chief`, `worker`, `ps`, and `evaluator`",
            context.role(role)
        ),
        renamed(context, role),
        "kubernetes#unknown-roles",
    )
}

/// Returns the help for a role with a name that the operator does not know. The name `worker` is suggested only to the first of
/// these roles, because role names are unique. A helper is not suggested for a role that another role awaits, because no role can
/// wait until a helper is done.
fn renamed(context: &Context<'_>, role: RoleId) -> String {
    let roles = &context.roles;
    if roles.awaited.contains(&role) {
        return format!("run `{}` as a separate job before this one", context.role(role));
    }
    let is_free = |name: &str| !roles.names.contains(name);
    let first = roles.first_unknown == Some(role);
    let rename = match (first && is_free("worker"), is_free("ps")) {
        (true, true) => "rename the role to `worker`, or to `ps` if it never exits on its own",
        (true, false) => "rename the role to `worker`",
        (false, true) => "if the role never exits on its own, rename it to `ps`",
        (false, false) => "run the role as a separate job",
    };
    format!(
        "{rename}; or, if its result does not matter and no task connects to it, declare it as a `helper`"
    )
}

/// Returns the support of a helper. Its key in `tfReplicaSpecs` is no replica type of the operator. The operator creates and
/// deletes the Pods and Services of such a key, but ignores the results of the Pods.
fn helper(context: &Context<'_>, role: RoleId, count: u32) -> Support {
    if let Some(word) = operator::known_type(context.role(role)) {
        return Support::impossible(
            format!(
                "the operator ignores case in role names, so it would run helper `{}` as the {word} replicas of the job",
                context.role(role)
            ),
            "rename the helper; `chief`, `master`, `worker`, `ps`, and `evaluator` are reserved names",
            "kubernetes#role-names",
        );
    }
    if let Some(word) = kueue(context.plan, context.options) {
        return Support::unsupported(
            "Kueue counts only the TensorFlow roles of a TFJob, so a helper would run outside the quota of the queue",
            format!(
                "remove the helper, or remove {word}; or, if the helper may run outside the quota, add `allow \"helper\" on=\"kubernetes\" because=\"…\"`"
            ),
            "kubernetes#kueue-quota",
        );
    }
    let how = "the operator treats a helper as an unknown role: it creates the pods of the helper, ignores their results, and deletes them when the job ends";
    Support::Emulated(Mechanism::Replicas { role, count }, how.to_owned())
}

fn min(context: &Context<'_>, role: RoleId, min: u32) -> Support {
    let (name, count) = (context.role(role), context.plan.roles[role].count.value);
    let created = format!("`min` is not supported: the operator always creates {count} pods of `{name}`");
    match context.plan.framework.name.value {
        FrameworkName::Tensorflow if context.plan.roles[role].kind != RoleKind::Helper => {
            Support::unsupported(
                format!("{created}, and TensorFlow tasks wait for all of them"),
                format!(
                    "write `count={min}` (the value of `min`), so that the job needs only this many tasks; to have a lost worker replaced, add `restart \"on-failure\"` without `limit`"
                ),
                "tensorflow#missing-peers",
            )
        }
        FrameworkName::Tensorflow
        | FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => Support::unsupported(
            format!("{created}, and a TFJob has no field for a smaller number"),
            format!("write `count={min}`"),
            "`ReplicaSpec.replicas`, training-operator 1.9.4",
        ),
    }
}
