//! The package's tasks: who they are, what they run and what they get.
use super::{AS_MARATHON, Given, Means, Slot, context, lacks};
use crate::dcos::group::group_path;
use crate::dcos::{Dcos, images};
use crate::names;
use tfjob_lang::ask::{Ask, Identity, Program};
use tfjob_lang::plan::{Plan, RoleId, Template};
use tfjob_lang::spec::values::{Image, Version};
use tfjob_lang::spec::{FrameworkName, Pull, Spread, StrategyName, User};
use tfjob_lang::target::{Answer, Site};

/// The service's name: with `group` a path, whose steps the tasks' host names hold without slashes.
pub(super) fn service(plan: &Plan, site: &Site<Dcos>) -> Given {
    let path = group_path(plan, site);
    match names::label_fault(&path.replace('/', "")) {
        Some(fault) => Answer::impossible(
            format!("builds the tasks' host names from `{path}` without its slashes, and this {fault}"),
            "a shorter name of the job, or of `group`",
            "spark-dcos §3.5",
        ),
        None if site.job.group.is_none() => Answer::Native(Means::Name(plan.name.value.clone())),
        None => Answer::Native(Means::Name(path)),
    }
}

pub(super) fn framework(
    name: FrameworkName,
    version: Option<&Version>,
    strategy: Option<StrategyName>,
    plan: &Plan,
) -> Given {
    if name != FrameworkName::Tensorflow {
        return Answer::decisive(
            format!("has no package for {}", name.keyword()),
            AS_MARATHON,
            "spark-dcos §3.5",
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
            return Answer::decisive(
                "gives the package's module a started server and no TF_CONFIG, from which this strategy would read its peers",
                "write `strategy=\"custom\"` for a module that builds its graph on `server`, or `as \"marathon\"`",
                "spark-dcos §3.5",
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
        return Answer::impossible("runs TensorFlow 1.5 in the package's own image", help, "spark-dcos §3.1");
    }
    Answer::Emulated(
        Means::Inherent("the package is for TensorFlow 1"),
        "the package beta-tensorflow runs it, as `target` says: each task calls the module's main(server, log_dir, context) with a started server and has no TF_CONFIG".into(),
    )
}

pub(super) fn role(role: RoleId, count: u32, plan: &Plan) -> Given {
    match Slot::of(plan, role) {
        Some(Slot::Ps | Slot::Worker | Slot::GpuWorker) => Answer::Native(Means::Count { role, count }),
        None => Answer::impossible(
            "has only workers and parameter servers in the package",
            "call it `worker` or `ps`, as the module does; or write `as \"marathon\"` in `target \"dcos\"`",
            "spark-dcos §3.5",
        ),
    }
}

/// Tasks without GPUs share one image, those with GPUs another.
pub(super) fn image(role: RoleId, image: &Image, plan: &Plan, site: &Site<Dcos>) -> Given {
    if let Some(refused) = images::refused(image, site) {
        return refused;
    }
    let pool = |id: RoleId| plan.roles[id].resources.gpus > 0;
    let differs = (0..plan.roles.len())
        .filter(|id| pool(*id) == pool(role))
        .any(|id| plan.roles[id].image.as_ref().is_none_or(|other| other.image.value != *image));
    if differs {
        return lacks("has one image for all tasks without GPUs and one for those with", "spark-dcos §3.2");
    }
    Answer::Native(Means::Image { role, image: image.to_string() })
}

pub(super) fn pull(pull: Pull) -> Given {
    match pull {
        Pull::Missing => Answer::Native(Means::Inherent("agents keep the images they have")),
        Pull::Always | Pull::Never => {
            lacks("cannot say when the package's image is pulled", "spark-dcos §3.2")
        }
    }
}

/// The words of the program become the context, or the package has no place for them.
pub(super) fn run(role: RoleId, argv: &[Template], plan: &Plan, site: &Site<Dcos>) -> Given {
    let entries = match context::entries(argv, plan, site) {
        Ok(entries) => entries,
        Err(lost) => return Answer::impossible(lost.why, lost.help, "spark-dcos §3.5"),
    };
    let same = plan.asks.iter().all(|asked| {
        let Ask::Program(Program::Run { role: other, argv }) = &asked.ask else { return true };
        *other == role || context::entries(argv, plan, site).is_ok_and(|others| others == entries)
    });
    if !same {
        return lacks("gives all the package's tasks one module and one context", "spark-dcos §3.2");
    }
    let words = match entries.len() {
        0 => "without context".to_owned(),
        n => format!("with {n} of its words as context"),
    };
    Answer::Emulated(
        Means::Context(entries),
        format!("the package's own program calls the module's main, {words}; no word reaches sys.argv"),
    )
}

pub(super) fn user(role: RoleId, user: &User, plan: &Plan) -> Given {
    let User::Name(name) = user else {
        return Answer::impossible(
            "looks the package's user up by name on each agent",
            "write the name of an account that every agent has",
            "spark-dcos §3.2",
        );
    };
    let all = |id: RoleId| {
        plan.asks.iter().any(
            |a| matches!(&a.ask, Ask::Identity(Identity::User { role: other, user: theirs }) if *other == id && theirs == user),
        )
    };
    if (0..plan.roles.len()).any(|id| id != role && !all(id)) {
        return lacks("has one user for all the package's tasks", "spark-dcos §3.2");
    }
    Answer::Native(Means::User(name.clone()))
}

pub(super) fn gpus(role: RoleId, count: u32, plan: &Plan) -> Given {
    match Slot::of(plan, role) {
        // A role without a slot is refused as a whole.
        Some(Slot::GpuWorker) | None => Answer::Native(Means::Gpus { role, count }),
        Some(Slot::Ps | Slot::Worker) => lacks("gives GPUs to the package's workers only", "spark-dcos §3.2"),
    }
}

pub(super) fn constraint(role: RoleId, words: Vec<String>, plan: &Plan) -> Given {
    match Slot::of(plan, role) {
        // A role without a slot is refused as a whole.
        Some(Slot::Ps | Slot::Worker) | None => Answer::Native(Means::Constraint { role, words }),
        Some(Slot::GpuWorker) => lacks(
            "reads no placement of the package's workers with GPUs, though it accepts one",
            "spark-dcos-observed §4",
        ),
    }
}

pub(super) fn spread(role: RoleId, spread: Spread, plan: &Plan) -> Given {
    match spread {
        Spread::Host => constraint(role, vec!["hostname".to_owned(), "UNIQUE".to_owned()], plan),
        Spread::Rack => lacks("knows zones and regions but no racks", "spark-dcos §3.4"),
    }
}
