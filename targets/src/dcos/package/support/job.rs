//! What the job is.
use super::Support;
use crate::dcos::Dcos;
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::context::Context;
use crate::dcos::group::{self, group_path};
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::slot::Slot;
use crate::dcos::package::support::{AS_MARATHON, lacks};
use crate::names;
use tfjob_lang::plan::{DataRef, Part, Plan, RoleId};
use tfjob_lang::requirement::{self, Tensorboard};
use tfjob_lang::spec::values::Version;
use tfjob_lang::spec::{FrameworkName, StrategyName};
use tfjob_lang::target::Site;

/// Answers one requirement: what the job is.
pub fn support(requirement: &requirement::Job, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => group::reserved(name).unwrap_or_else(|| service(plan, site)),
        requirement::Job::Description(_) => {
            Support::Ignored("has no place for a description in the package's options".into())
        }
        requirement::Job::Label { .. } => {
            Support::Ignored("has no place for labels in the package's options".into())
        }
        requirement::Job::Framework { name, version, strategy } => {
            framework(*name, version.as_ref(), *strategy, plan)
        }
        requirement::Job::Role { role, count } => self::role(*role, *count, plan),
        requirement::Job::Evaluator { .. } => lacks("has no evaluator in the package", "dcos#package-roles"),
        requirement::Job::Helper { .. } => {
            lacks("has no role outside the rendezvous in the package", "dcos#package-roles")
        }
        requirement::Job::Min { .. } => {
            lacks("always starts the full number of the package's tasks", "dcos#package-counts")
        }
        requirement::Job::Tensorboard(board) => tensorboard(board, plan),
        requirement::Job::Patch { target: _, role, text } => {
            Support::Native(Mechanism::Patch { role: *role, text: text.clone() })
        }
    }
}

/// The service's name: with `group` a path, whose steps the tasks' host names hold without slashes.
fn service(plan: &Plan, site: &Site<Dcos>) -> Support {
    let path = group_path(plan, site);
    match names::label_fault(&path.replace('/', "")) {
        Some(fault) => Support::impossible(
            format!("builds the tasks' host names from `{path}` without its slashes, and this {fault}"),
            "a shorter name of the job, or of `group`",
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
            format!("has no package for {}", name.keyword()),
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
                "gives the package's module a started server and no TF_CONFIG, from which this strategy would read its peers",
                "write `strategy=\"custom\"` for a module that builds its graph on `server`, or `as \"marathon\"`",
                "dcos#package-server",
            );
        }
    }
    let one = version.is_some_and(|v| v.parts().first() == Some(&1));
    let own = plan.roles.iter().all(|role| role.image.is_some());
    let packaged = version.is_some_and(|v| v.parts().starts_with(&[1, 5]));
    if !one || (!own && !packaged) {
        let help = if one {
            "write `version=\"1.5\"`, or name an `image` that is built on the package's and holds this version"
        } else {
            "write `version=\"1.5\"` if the module is written for it, or `as \"marathon\"`"
        };
        return Support::impossible(
            "runs TensorFlow 1.5 in the package's own image",
            help,
            "dcos#package-tensorflow-version",
        );
    }
    Support::inherent_but(
        "the package is for TensorFlow 1",
        "the package beta-tensorflow runs it, as `target` says: each task calls the module's main(server, log_dir, context) with a started server and has no TF_CONFIG",
    )
}

fn role(role: RoleId, count: u32, plan: &Plan) -> Support {
    match Slot::of(plan, role) {
        Some(Slot::Ps | Slot::Worker | Slot::GpuWorker) => Support::Native(Mechanism::Count { role, count }),
        None => Support::impossible(
            "has only workers and parameter servers in the package",
            "call it `worker` or `ps`, as the module does; or write `as \"marathon\"` in `target \"dcos\"`",
            "dcos#package-roles",
        ),
    }
}

/// It runs in the package's image and reads `log_dir`.
fn tensorboard(board: &Tensorboard, plan: &Plan) -> Support {
    let shared = plan.storage.checkpoints.is_some();
    let there = matches!(board.logs.parts.as_slice(), [Part::Data(DataRef::Checkpoints, _)]);
    if !shared || !there {
        return Support::impossible(
            "lets the package's TensorBoard read the job's checkpoints only",
            "remove `logs`, and give the job `checkpoints` with an `hdfs:` or `gs:` uri",
            "dcos#package-tensorboard",
        );
    }
    let first = plan.roles.iter().find_map(|role| role.image.as_ref()).map(|i| &i.image.value);
    if board.image.as_ref() != first {
        return lacks("runs TensorBoard in the image of the package's tasks", "dcos#package-images");
    }
    whole_mebibytes(board.bytes, |mebibytes| Mechanism::Tensorboard {
        port: board.port,
        milli: board.milli,
        mebibytes,
    })
}
