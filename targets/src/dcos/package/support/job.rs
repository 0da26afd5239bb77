//! Support of name, framework, roles, and TensorBoard of the job.
use super::Support;
use crate::dcos::Dcos;
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::context::Context;
use crate::dcos::group::{self, group_path};
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::slot::Slot;
use crate::dcos::package::support::{AS_MARATHON, lacks};
use crate::names;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{DataRef, Part, Plan, RoleId};
use tfjob_lang::requirement::{self, Tensorboard};
use tfjob_lang::spec::values::Version;
use tfjob_lang::spec::{FrameworkName, StrategyName};
use tfjob_lang::target::Site;

/// Returns the support of one requirement about the job as a whole.
pub fn support(requirement: &requirement::Job, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => group::reserved(name).unwrap_or_else(|| service(plan, site)),
        requirement::Job::Description(_) => {
            Support::Ignored("`description` is ignored: the TensorFlow package has no option for it".into())
        }
        requirement::Job::Label { key, .. } => Support::Ignored(format!(
            "the label `{key}` is ignored: the TensorFlow package has no option for labels"
        )),
        requirement::Job::Framework { name, version, strategy } => {
            framework(*name, version.as_ref(), *strategy, plan)
        }
        requirement::Job::Role { role, count } => self::role(*role, *count, plan),
        requirement::Job::Evaluator { .. } => {
            lacks("the TensorFlow package does not run evaluators", "dcos#package-roles")
        }
        requirement::Job::Helper { .. } => lacks(
            "the TensorFlow package runs only parameter servers and workers, not helpers",
            "dcos#package-roles",
        ),
        requirement::Job::Min { .. } => lacks(
            "the TensorFlow package always starts exactly `count` tasks of a role",
            "dcos#package-counts",
        ),
        requirement::Job::Tensorboard(board) => tensorboard(board, plan),
        requirement::Job::Patch { target: _, role, text } => {
            Support::Native(Mechanism::Patch { role: *role, text: text.clone() })
        }
    }
}

/// Returns the support of the service name. With the option `group`, the service name is a path, and the DNS names of tasks
/// contain this path without slashes.
fn service(plan: &Plan, site: &Site<Dcos>) -> Support {
    let path = group_path(plan, site);
    match names::label_fault(&path.replace('/', "")) {
        Some(fault) => Support::impossible(
            format!(
                "the service path `{path}` without slashes becomes one label in the DNS names of tasks, and this label {fault}"
            ),
            "shorten the name of the job or of `group`",
            "dcos#package-host-names",
        ),
        None if site.job.group.is_none() => Support::Native(Mechanism::Name(plan.name.value.clone())),
        None => Support::Native(Mechanism::Name(path)),
    }
}

fn framework(
    name: FrameworkName,
    version: Option<&Version>,
    strategy: Option<StrategyName>,
    plan: &Plan,
) -> Support {
    if name != FrameworkName::Tensorflow {
        return Support::decisive(
            format!("the DC/OS package supports only TensorFlow, not {}", name.keyword()),
            AS_MARATHON,
            "dcos#package-server",
        );
    }
    match strategy {
        None | Some(StrategyName::Single | StrategyName::Custom) => {}
        Some(
            StrategyName::Mirrored
            | StrategyName::MultiWorkerMirrored
            | StrategyName::ParameterServer
            | StrategyName::Estimator,
        ) => {
            return Support::decisive(
                "this strategy reads its peers from TF_CONFIG, but the TensorFlow package sets no TF_CONFIG: it passes a started server to the module",
                "write `as \"marathon\"`, so that each task gets TF_CONFIG; or, for a module that uses the `server` argument of its `main`, `strategy=\"custom\"`",
                "dcos#package-server",
            );
        }
    }
    unsupported_version(version, plan).unwrap_or_else(|| {
        Support::inherent_but(
            "the TensorFlow package is for TensorFlow 1",
            "the DC/OS package for TensorFlow (beta-tensorflow) imports the Python module of the job in each task, and calls its `main(server, log_dir, context)` with a TensorFlow server that already runs; TF_CONFIG is not set",
        )
    })
}

/// Refuses a TensorFlow version that neither the images of the package nor those of the job contain. Also refuses a job without a
/// version.
fn unsupported_version(version: Option<&Version>, plan: &Plan) -> Option<Support> {
    const PROOF: &str = "dcos#package-tensorflow-version";
    const TF1: &str = "use `version=\"1.5\"` if the module is written for it, or `as \"marathon\"`";
    let Some(version) = version else {
        return Some(Support::impossible(
            "the TensorFlow package needs TensorFlow 1, but `version` is not set, so the version of the program is unknown",
            TF1,
            PROOF,
        ));
    };
    if version.parts().first() != Some(&1) {
        return Some(Support::impossible(
            format!("the TensorFlow package supports only TensorFlow 1, not {version}"),
            TF1,
            PROOF,
        ));
    }
    let custom_images = plan.roles.iter().all(|role| role.image.is_some());
    (!custom_images && !version.parts().starts_with(&[1, 5])).then(|| {
        Support::impossible(
            format!("the images of the TensorFlow package contain TensorFlow 1.5, not {version}"),
            "use `version=\"1.5\"`, or set an `image` that extends the image of the TensorFlow package and contains this version",
            PROOF,
        )
    })
}

fn role(role: RoleId, count: u32, plan: &Plan) -> Support {
    match Slot::of(plan, role) {
        Some(Slot::Ps | Slot::Worker | Slot::GpuWorker) => Support::Native(Mechanism::Count { role, count }),
        None => Support::impossible(
            format!(
                "the TensorFlow package runs only the roles `worker` and `ps`, not `{}`",
                plan.roles[role].name.value.escaped()
            ),
            "rename the role to `worker` or `ps`, if the module expects that; or use `as \"marathon\"` in `target \"dcos\"`",
            "dcos#package-roles",
        ),
    }
}

/// Returns the support of TensorBoard. The package runs TensorBoard in its own image. TensorBoard reads `log_dir`, the checkpoint
/// directory of the job.
fn tensorboard(board: &Tensorboard, plan: &Plan) -> Support {
    if plan.storage.checkpoints.is_none() {
        return Support::impossible(
            "the TensorBoard of the TensorFlow package reads the checkpoints of the job, but `checkpoints` is not set",
            "remove `logs`, and add `checkpoints` with an `hdfs:` or `gs:` URI to the job",
            "dcos#package-tensorboard",
        );
    }
    if !matches!(board.logs.parts.as_slice(), [Part::Data(DataRef::Checkpoints, _)]) {
        return Support::impossible(
            "the TensorBoard of the TensorFlow package reads only the checkpoints of the job, not another directory",
            "remove `logs`",
            "dcos#package-tensorboard",
        );
    }
    let first = plan.roles.iter().find_map(|role| role.image.as_ref()).map(|i| &i.image.value);
    if board.image.as_ref() != first {
        return lacks(
            "the TensorFlow package runs TensorBoard in the image of the tasks, not in another image",
            "dcos#package-images",
        );
    }
    whole_mebibytes(board.bytes, |mebibytes| Mechanism::Tensorboard {
        port: board.port,
        milli: board.milli,
        mebibytes,
    })
}
