//! What the job is: its framework, its roles and its labels.
use super::Support;
use super::shared::{label_fault, reserved_label};
use crate::spark::context::{Context, Manager, mebibytes};
use crate::spark::mechanism::Mechanism;
use crate::spark::text;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Job, Requirement};
use tfjob_lang::spec::FrameworkName;
use tfjob_lang::spec::values::Version;

/// Answers one requirement: what the job is.
pub fn support(requirement: &requirement::Job, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => Support::Native(Mechanism::Name(name.clone())),
        requirement::Job::Description(_) => Support::Ignored("has no place for a description".to_owned()),
        requirement::Job::Label { key, value } => label(context, key, value),
        requirement::Job::Framework { name, version, strategy: _ } => {
            framework(context.plan, *name, version.as_ref())
        }
        requirement::Job::Role { role, .. } | requirement::Job::Evaluator { role } => tasks(context, *role),
        requirement::Job::Helper { role, .. } => tasks(context, *role).emulated(HELPER),
        requirement::Job::Min { .. } => min(),
        requirement::Job::Tensorboard(_) => tensorboard(),
        requirement::Job::Patch { .. } => Support::impossible(
            "is given a script, which has no object to merge into",
            "write Spark's own settings: `conf { spark.driver.memory \"4g\" }`",
            "spark#command-line",
        ),
    }
}

/// A label.
fn label(context: &Context<'_>, key: &str, value: &str) -> Support {
    let labels = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Label { .. }));
    match context.manager {
        Manager::Kubernetes => match (reserved_label(key), label_fault(key, value)) {
            (Some(fault), _) => Support::Ignored(format!("leaves the label out: {fault}")),
            (None, Some(fault)) => Support::Ignored(format!("leaves the label out: {fault} of Kubernetes")),
            (None, None) => {
                let who = ["driver", "executor"];
                let setting = |who| (format!("spark.kubernetes.{who}.label.{key}"), value.to_owned());
                Support::Native(Mechanism::Settings(who.map(setting).to_vec()))
            }
        },
        // ApplicationSubmissionContextPBImpl: ASCII, 100 characters, 10 tags, lower case.
        Manager::Yarn => {
            let tag = format!("{key}:{value}").to_lowercase();
            let many =
                context.plan.requirements.iter().filter(|required| labels(&required.requirement)).count()
                    > 10;
            if many || tag.len() > 100 || tag.contains(',') || text::value_fault(&tag).is_some() {
                let why = "leaves the label out: YARN takes ten tags of at most 100 ASCII characters, without commas";
                return Support::Ignored(why.to_owned());
            }
            Support::Emulated(Mechanism::Tag(tag.clone()), format!("a tag of the YARN application, `{tag}`"))
        }
        Manager::Standalone => Support::Ignored("has no labels on a standalone master".to_owned()),
    }
}

/// The framework.
fn framework(plan: &Plan, name: FrameworkName, version: Option<&Version>) -> Support {
    match name {
        FrameworkName::Tensorflow => {}
        FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => {
            return Support::decisive(
                "starts its nodes with TensorFlowOnSpark, which does not load without TensorFlow",
                "this target runs `framework \"tensorflow\"` only",
                "spark#tensorflow-versions",
            );
        }
    }
    if version.is_some_and(|v| !v.at_least((2, 0))) {
        return Support::impossible(
            "runs TensorFlowOnSpark 2, which needs TensorFlow 2",
            "write `version=\"2.15\"`, or another of 2.x",
            "spark#tensorflow-versions",
        );
    }
    if plan.meets() {
        let how = "the shim writes TF_CONFIG: TensorFlowOnSpark's own has the evaluator in everybody's";
        return Support::Emulated(Mechanism::ShimWords, how.to_owned());
    }
    Support::inherent("a task by itself needs no TF_CONFIG")
}

/// An executor for each task of a role, as large as the largest role needs it.
fn tasks(context: &Context<'_>, id: RoleId) -> Support {
    let role = &context.plan.roles[id];
    let all = context.executor();
    let mut more = Vec::new();
    if all.milli > role.resources.cpus.value {
        more.push(format!("{} cores", all.cores()));
    }
    if all.mebibytes > mebibytes(role.resources.memory.value) {
        more.push(format!("{}MiB of memory", all.mebibytes));
    }
    if all.gpus > role.resources.gpus {
        more.push(format!("{} GPUs, of which it sees {}", all.gpus, role.resources.gpus));
    }
    if more.is_empty() {
        return Support::Native(Mechanism::Tasks(id));
    }
    let how = format!(
        "every executor is as large as the largest role: each {} holds {}",
        role.name.value,
        more.join(", ")
    );
    Support::Emulated(Mechanism::Tasks(id), how)
}

/// What a helper is to the job: all executors are tasks of one stage with `spark.task.maxFailures=1`, which Spark ends with the
/// first that is lost.
const HELPER: &str = "the job goes on without a helper whose program fails, and ends when the executor of a helper is lost, as with too much memory";

/// A job that goes on with fewer tasks.
fn min() -> Support {
    Support::unsupported(
        "starts a job with all its executors, and ends it when one is lost",
        "remove `min`",
        "spark#fixed-number-of-nodes",
    )
}

/// A TensorBoard.
fn tensorboard() -> Support {
    Support::unsupported(
        "can start a TensorBoard only where nobody reaches it: TensorFlowOnSpark's listens on the node's loopback",
        "remove `tensorboard`, and run one that reads the same folder",
        "spark#tensorboard-address",
    )
}
