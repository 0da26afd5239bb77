//! What the job is: its framework, its roles and its labels.
use super::Answer;
use super::shared::{label_fault, reserved_label};
use crate::spark::context::{Context, Manager, mebibytes};
use crate::spark::means::Means;
use crate::spark::text;
use tfjob_lang::ask::{self, Ask, Job};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::FrameworkName;
use tfjob_lang::spec::values::Version;

/// Answers one requirement: what the job is.
pub fn answer(ask: &ask::Job, case: &Context<'_>) -> Answer {
    match ask {
        ask::Job::Name(name) => Answer::Native(Means::Name(name.clone())),
        ask::Job::Description(_) => Answer::Ignored("has no place for a description".to_owned()),
        ask::Job::Label { key, value } => label(case, key, value),
        ask::Job::Framework { name, version, strategy: _ } => framework(case.plan, *name, version.as_ref()),
        ask::Job::Role { role, .. } | ask::Job::Evaluator { role } => tasks(case, *role),
        ask::Job::Helper { role, .. } => tasks(case, *role).emulated(HELPER),
        ask::Job::Min { .. } => min(),
        ask::Job::Tensorboard(_) => tensorboard(),
        ask::Job::Patch { .. } => Answer::impossible(
            "is given a script, which has no object to merge into",
            "write Spark's own settings: `conf { spark.driver.memory \"4g\" }`",
            "spark-dcos §2.1",
        ),
    }
}

/// A label.
fn label(case: &Context<'_>, key: &str, value: &str) -> Answer {
    let labels = |ask: &Ask| matches!(ask, Ask::Job(Job::Label { .. }));
    match case.manager {
        Manager::Kubernetes => match (reserved_label(key), label_fault(key, value)) {
            (Some(fault), _) => Answer::Ignored(format!("leaves the label out: {fault}")),
            (None, Some(fault)) => Answer::Ignored(format!("leaves the label out: {fault} of Kubernetes")),
            (None, None) => {
                let who = ["driver", "executor"];
                let setting = |who| (format!("spark.kubernetes.{who}.label.{key}"), value.to_owned());
                Answer::Native(Means::Settings(who.map(setting).to_vec()))
            }
        },
        // ApplicationSubmissionContextPBImpl: ASCII, 100 characters, 10 tags, lower case.
        Manager::Yarn => {
            let tag = format!("{key}:{value}").to_lowercase();
            let many = case.plan.asks.iter().filter(|asked| labels(&asked.ask)).count() > 10;
            if many || tag.len() > 100 || tag.contains(',') || text::value_fault(&tag).is_some() {
                let why = "leaves the label out: YARN takes ten tags of at most 100 ASCII characters, without commas";
                return Answer::Ignored(why.to_owned());
            }
            Answer::Emulated(Means::Tag(tag.clone()), format!("a tag of the YARN application, `{tag}`"))
        }
        Manager::Standalone => Answer::Ignored("has no labels on a standalone master".to_owned()),
    }
}

/// The framework.
fn framework(plan: &Plan, name: FrameworkName, version: Option<&Version>) -> Answer {
    match name {
        FrameworkName::Tensorflow => {}
        FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => {
            return Answer::decisive(
                "starts its nodes with TensorFlowOnSpark, which does not load without TensorFlow",
                "this target runs `framework \"tensorflow\"` only",
                "spark-dcos §0",
            );
        }
    }
    if version.is_some_and(|v| !v.at_least((2, 0))) {
        return Answer::impossible(
            "runs TensorFlowOnSpark 2, which needs TensorFlow 2",
            "write `version=\"2.15\"`, or another of 2.x",
            "spark-dcos §0",
        );
    }
    if plan.meets() {
        let how = "the shim writes TF_CONFIG: TensorFlowOnSpark's own has the evaluator in everybody's";
        return Answer::Emulated(Means::ShimWords, how.to_owned());
    }
    Answer::inherent("a task by itself needs no TF_CONFIG")
}

/// An executor for each task of a role, as large as the largest role needs it.
fn tasks(case: &Context<'_>, id: RoleId) -> Answer {
    let role = &case.plan.roles[id];
    let all = case.executor();
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
        return Answer::Native(Means::Tasks(id));
    }
    let how = format!(
        "every executor is as large as the largest role: each {} holds {}",
        role.name.value,
        more.join(", ")
    );
    Answer::Emulated(Means::Tasks(id), how)
}

/// What a helper is to the job: all executors are tasks of one stage with `spark.task.maxFailures=1`, which Spark ends with the
/// first that is lost.
const HELPER: &str = "the job goes on without a helper whose program fails, and ends when the executor of a helper is lost, as with too much memory";

/// A job that goes on with fewer tasks.
fn min() -> Answer {
    Answer::refused(
        "starts a job with all its executors, and ends it when one is lost",
        "remove `min`",
        "spark-dcos §1.2, §1.8",
    )
}

/// A TensorBoard.
fn tensorboard() -> Answer {
    Answer::refused(
        "can start a TensorBoard only where nobody reaches it: TensorFlowOnSpark's listens on the node's loopback",
        "remove `tensorboard`, and run one that reads the same folder",
        "spark-dcos §1.8",
    )
}
