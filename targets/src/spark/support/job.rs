//! Support of framework, roles, and labels of the job.
use super::Support;
use super::shared::{label_fault, reserved_label};
use crate::spark::context::{Context, Manager, mebibytes};
use crate::spark::mechanism::Mechanism;
use crate::spark::text;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{self, Job, Requirement};
use tfjob_lang::spec::FrameworkName;
use tfjob_lang::spec::values::Version;

/// Returns the support of one requirement about the job as a whole.
pub fn support(requirement: &requirement::Job, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => Support::Native(Mechanism::Name(name.clone())),
        requirement::Job::Description(_) => {
            Support::Ignored("`description` is ignored (spark-submit has no option for it)".to_owned())
        }
        requirement::Job::Label { key, value } => label(context, key, value),
        requirement::Job::Framework { name, version, strategy: _ } => {
            framework(context.plan, *name, version.as_ref())
        }
        requirement::Job::Role { role, .. } | requirement::Job::Evaluator { role } => tasks(context, *role),
        requirement::Job::Helper { role, .. } => tasks(context, *role).emulated(HELPER),
        requirement::Job::Min { .. } => min(),
        requirement::Job::Tensorboard(_) => tensorboard(),
        requirement::Job::Patch { .. } => Support::impossible(
            "a patch cannot be applied, because a Spark job is a command line and not a document",
            "remove `patch`, and set Spark properties instead: `conf { spark.driver.memory \"4g\" }`",
            "spark#command-line",
        ),
    }
}

fn label(context: &Context<'_>, key: &str, value: &str) -> Support {
    let labels = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Label { .. }));
    let ignored = |why: &str| Support::Ignored(format!("label `{key}` is ignored ({why})"));
    match context.manager {
        Manager::Kubernetes => match reserved_label(key).or_else(|| label_fault(key, value)) {
            Some(fault) => ignored(&fault),
            None => {
                let setting = |pod| (format!("spark.kubernetes.{pod}.label.{key}"), value.to_owned());
                Support::Native(Mechanism::Settings(["driver", "executor"].map(setting).to_vec()))
            }
        },
        // YARN's tags are ASCII texts of at most 100 characters. An application has at most 10 tags, and YARN converts them to
        // lower case (`ApplicationSubmissionContextPBImpl`).
        Manager::Yarn => {
            let tag = format!("{key}:{value}").to_lowercase();
            let many =
                context.plan.requirements.iter().filter(|required| labels(&required.requirement)).count()
                    > 10;
            if many {
                return ignored("YARN allows at most 10 tags per application");
            }
            if tag.len() > 100 || tag.contains(',') || text::value_fault(&tag).is_some() {
                return ignored("a YARN tag has at most 100 printable ASCII characters, without commas");
            }
            let how = format!("the label becomes the tag `{tag}` of the YARN application");
            Support::Emulated(Mechanism::Tag(tag), how)
        }
        Manager::Standalone => ignored("a standalone master does not support labels or tags"),
    }
}

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
                "tasks are started by TensorFlowOnSpark, which supports only TensorFlow",
                "use another target",
                "spark#tensorflow-versions",
            );
        }
    }
    if let Some(version) = version.filter(|v| !v.at_least((2, 0))) {
        return Support::impossible(
            format!("TensorFlowOnSpark 2 requires TensorFlow 2, but the job sets version {version}"),
            "write `version=\"2.15\"`, or another 2.x version",
            "spark#tensorflow-versions",
        );
    }
    if plan.meets() {
        let evaluates = plan.roles.iter().any(|role| role.kind == RoleKind::Evaluator);
        let how = if evaluates {
            "the shim writes TF_CONFIG, because TensorFlowOnSpark would list the evaluator as a member of the training cluster, but TensorFlow expects the evaluator outside of it"
        } else {
            "the shim writes TF_CONFIG for each task"
        };
        return Support::Emulated(Mechanism::ShimWords, how.to_owned());
    }
    Support::inherent("a single task needs no TF_CONFIG")
}

/// Returns the support of the tasks of a role. Each task gets one executor. All executors have the resources of the largest role.
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
        let plural = if all.gpus == 1 { "" } else { "s" };
        more.push(format!("{} GPU{plural}, of which it sees {}", all.gpus, role.resources.gpus));
    }
    if more.is_empty() {
        return Support::Native(Mechanism::Tasks(id));
    }
    let how = format!(
        "all executors of a job have the same size, that of the largest task: each task of `{}` reserves {}",
        role.name.value,
        more.join(", ")
    );
    Support::Emulated(Mechanism::Tasks(id), how)
}

/// Note on helpers that are lost. All executors run tasks of one Spark stage with `spark.task.maxFailures=1`. So the loss of any
/// executor, even that of a helper, fails the stage.
const HELPER: &str =
    "the job continues if the program of a helper fails, but fails if the executor of a helper is lost";

fn min() -> Support {
    Support::unsupported(
        "a job cannot run with fewer tasks than `count`: TensorFlowOnSpark waits until all executors have registered, and a lost executor fails the job",
        "remove `min`",
        "spark#fixed-number-of-nodes",
    )
}

fn tensorboard() -> Support {
    Support::unsupported(
        "TensorFlowOnSpark starts TensorBoard on the loopback address of a node, where no browser can reach it",
        "remove `tensorboard`, and run TensorBoard outside the job with the same log directory",
        "spark#tensorboard-address",
    )
}
