//! Who the job is: its name, its roles, and how they meet.
use super::{Answer, SAY_DOMAIN, inherent};
use crate::yarn::context::Context;
use crate::yarn::means::Means;
use tfjob_lang::ask::{Ask, Job};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::FrameworkName;

/// The longest name of a component, by the engine with DNS: a label less the 19 digits of an index.
const COMPONENT: usize = 44;

/// A service may not be called like one of its components.
pub fn name(case: &Context<'_>, name: &str) -> Answer {
    let board = case.asks(|ask| matches!(ask, Ask::Job(Job::Tensorboard(_)))) && name == "tensorboard";
    if board || case.plan.roles.iter().any(|r| r.name.value == name) {
        return Answer::impossible(
            format!("refuses a service `{name}` with a component of the same name"),
            "give the job another name than any of its roles",
            "yarn-observed §3",
        );
    }
    Answer::Native(Means::Name(name.to_owned()))
}

pub fn label(key: &str) -> Answer {
    Answer::Ignored(format!("has no labels on a service: `{key}` is left out"))
}

/// The engine renders no rendezvous variable, and its DNS is the only way to a peer.
pub fn framework(case: &Context<'_>, name: FrameworkName) -> Answer {
    let shim = case.carried();
    let domain = case.domain().map(str::to_owned);
    if case.plan.meets() && domain.is_none() {
        return Answer::impossible(
            "gives tasks no other address than the registry's DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn-submarine-tony §1.8",
        );
    }
    let means = Means::Rendezvous { shim, user: case.user().map(str::to_owned), domain };
    let variables = match name {
        FrameworkName::Tensorflow => "TF_CONFIG",
        FrameworkName::Pytorch => "MASTER_ADDR, RANK and WORLD_SIZE",
        FrameworkName::Mxnet => "DMLC_ROLE and its like",
        FrameworkName::Xgboost => "the tracker's variables",
        FrameworkName::Horovod => "HOROVOD_RANK and its like",
        // Their tasks look for nobody by a variable.
        FrameworkName::Caffe | FrameworkName::Custom => return Answer::Native(means),
    };
    if !case.plan.meets() {
        return Answer::Native(means);
    }
    Answer::Emulated(means, format!("the shim sets {variables} from the registry's DNS names"))
}

/// A component for each role.
pub fn role(case: &Context<'_>, role: RoleId, count: u32) -> Answer {
    let name = &case.role(role).name.value;
    if name.len() > COMPONENT {
        return Answer::impossible(
            format!("has at most {COMPONENT} characters for a component, and `{name}` has {}", name.len()),
            "give the role a shorter name",
            "yarn-observed §3",
        );
    }
    if name == "tensorboard" && case.asks(|ask| matches!(ask, Ask::Job(Job::Tensorboard(_)))) {
        return Answer::impossible(
            "refuses two components of one name, and the TensorBoard is one called `tensorboard`",
            "give the role another name",
            "yarn-observed §3",
        );
    }
    let twin = case.plan.roles.iter().find(|other| {
        let index = name.strip_prefix(&other.name.value).and_then(|rest| rest.strip_prefix('-'));
        index.and_then(|i| i.parse::<u32>().ok()).is_some_and(|i| i < other.count.value)
    });
    if let Some(twin) = twin {
        return Answer::impossible(
            format!("calls a task of `{}` `{name}` too, and DNS would answer for either", twin.name.value),
            "give the role a name that does not end in a number",
            "yarn-submarine-tony §1.8",
        );
    }
    Answer::Native(Means::Component { role, count })
}

/// A service starts with whatever instances get room, and its rendezvous has a fixed size.
pub fn min(min: u32) -> Answer {
    Answer::refused(
        format!("tells no task that only {min} of its role have come: all of them stand in every rendezvous"),
        "remove `min`, or run the job on a platform with elastic jobs",
        "yarn-submarine-tony §1.9",
    )
}

pub fn protocol() -> Answer {
    inherent("how TensorFlow's tasks talk is their own affair")
}
