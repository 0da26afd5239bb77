//! What the job is: its name, its roles and how they meet, and a TensorBoard.
use super::SAY_DOMAIN;
use super::Support;
use super::program::unpulled;
use crate::yarn::context::{Context, Ending};
use crate::yarn::mechanism::{Board, Mechanism};
use crate::yarn::variables::of_bash;
use crate::{helper_environment, libhdfs};
use tfjob_lang::plan::{DataRef, Part, RoleId, Volume};
use tfjob_lang::requirement::{self, Job, Requirement, Tensorboard};
use tfjob_lang::spec::FrameworkName;

/// Answers one requirement: what the job is.
pub fn support(requirement: &requirement::Job, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => self::name(context, name),
        requirement::Job::Description(words) => Support::Native(Mechanism::Description(words.clone())),
        requirement::Job::Label { key, value: _ } => label(key),
        requirement::Job::Framework { name, version: _, strategy: _ } => framework(context, *name),
        requirement::Job::Role { role, count } | requirement::Job::Helper { role, count } => {
            self::role(context, *role, *count)
        }
        requirement::Job::Evaluator { role } => self::role(context, *role, 1),
        requirement::Job::Min { role: _, min } => self::min(*min),
        requirement::Job::Tensorboard(board) => tensorboard(context, board),
        requirement::Job::Patch { target: _, role, text } => {
            Support::Native(Mechanism::Patch { role: *role, text: text.clone() })
        }
    }
}

/// The longest name of a component, by the engine with DNS: a label less the 19 digits of an index.
const COMPONENT: usize = 44;

/// A service may not be called like one of its components.
fn name(context: &Context<'_>, name: &str) -> Support {
    let board = context
        .requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))))
        && name == "tensorboard";
    if board || context.plan.roles.iter().any(|r| r.name.value == name) {
        return Support::impossible(
            format!("refuses a service `{name}` with a component of the same name"),
            "give the job another name than any of its roles",
            "yarn#component-names",
        );
    }
    Support::Native(Mechanism::Name(name.to_owned()))
}

fn label(key: &str) -> Support {
    Support::Ignored(format!("has no labels on a service: `{key}` is left out"))
}

/// The engine renders no rendezvous variable, and its DNS is the only way to a peer.
fn framework(context: &Context<'_>, name: FrameworkName) -> Support {
    let shim = context.carried();
    let domain = context.domain().map(str::to_owned);
    if context.plan.meets() && domain.is_none() {
        return Support::impossible(
            "gives tasks no other address than the registry's DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn#registry-dns",
        );
    }
    let mechanism = Mechanism::Rendezvous { shim, user: context.user().map(str::to_owned), domain };
    let variables = match name {
        FrameworkName::Tensorflow => "TF_CONFIG",
        FrameworkName::Pytorch => "MASTER_ADDR, RANK and WORLD_SIZE",
        FrameworkName::Mxnet => "DMLC_ROLE and its like",
        FrameworkName::Xgboost => "the tracker's variables",
        FrameworkName::Horovod => "HOROVOD_RANK and its like",
        // Their tasks look for nobody by a variable.
        FrameworkName::Caffe | FrameworkName::Custom => return Support::Native(mechanism),
    };
    if !context.plan.meets() {
        return Support::Native(mechanism);
    }
    Support::Emulated(mechanism, format!("the shim sets {variables} from the registry's DNS names"))
}

/// A component for each role.
fn role(context: &Context<'_>, role: RoleId, count: u32) -> Support {
    let name = &context.role(role).name.value;
    if name.len() > COMPONENT {
        return Support::impossible(
            format!("has at most {COMPONENT} characters for a component, and `{name}` has {}", name.len()),
            "give the role a shorter name",
            "yarn#name-lengths",
        );
    }
    if name == "tensorboard"
        && context.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))))
    {
        return Support::impossible(
            "refuses two components of one name, and the TensorBoard is one called `tensorboard`",
            "give the role another name",
            "yarn#component-names",
        );
    }
    let twin = context.plan.roles.iter().find(|other| {
        let index = name.strip_prefix(&other.name.value).and_then(|rest| rest.strip_prefix('-'));
        index.and_then(|i| i.parse::<u32>().ok()).is_some_and(|i| i < other.count.value)
    });
    if let Some(twin) = twin {
        return Support::impossible(
            format!("calls a task of `{}` `{name}` too, and DNS would answer for either", twin.name.value),
            "give the role a name that does not end in a number",
            "yarn#instance-names",
        );
    }
    Support::Native(Mechanism::Component { role, count })
}

/// A service starts with whatever instances get room, and its rendezvous has a fixed size.
fn min(min: u32) -> Support {
    Support::unsupported(
        format!("tells no task that only {min} of its role have come: all of them stand in every rendezvous"),
        "remove `min`, or run the job on a platform with elastic jobs",
        "yarn#container-allocation",
    )
}

/// The name of the TensorBoard, as a component and as a role of its contract.
pub const BOARD: &str = "tensorboard";
/// What the link to the TensorBoard is called.
pub const BOARD_LINK: &str = "TensorBoard";

/// A component that never ends; so the service must end with another, or the shim must end this one.
fn tensorboard(context: &Context<'_>, board: &Tensorboard) -> Support {
    let shim = match context.ending() {
        Ending::Dominant(_) => false,
        // Where tasks meet, each has a port at which its end can be seen.
        Ending::All | Ending::Shims if context.plan.meets() => true,
        Ending::All | Ending::Shims => return lasting(context),
    };
    if let Some(unpulled) = board.image.as_ref().and_then(|image| unpulled(context, image)) {
        return unpulled;
    }
    if let Some(own) = own(board) {
        return own;
    }
    if helper_environment::is_unopened(&board.logs) {
        return Support::impossible(
            helper_environment::UNOPENED,
            helper_environment::OPENED,
            "TensorBoard's own file systems",
        );
    }
    if let Some(elsewhere) = elsewhere(context, board) {
        return elsewhere;
    }
    let link = context.domain().map(|domain| (context.user_token(), domain.to_owned()));
    let env = helper_environment::variables(context.plan).into_iter().filter(|(name, ..)| !of_bash(name));
    let hadoop = helper_environment::hadoop(context.plan)
        .filter(|_| {
            helper_environment::read_by(context.plan, &board.logs).is_some_and(helper_environment::by_libhdfs)
        })
        .map_or_else(Vec::new, |(home, java, conf, _)| libhdfs::exports(home, java, conf));
    let mechanism = Mechanism::Tensorboard(Box::new(Board {
        required: board.clone(),
        link,
        env: env.map(|(name, value, at)| (name.to_owned(), value.clone(), at)).collect(),
        hadoop,
        shim,
    }));
    if shim {
        Support::Emulated(mechanism, "the shim ends it with the job".to_owned())
    } else {
        Support::Native(mechanism)
    }
}

/// Where no component's end is the service's, and no task's end can be seen.
fn lasting(context: &Context<'_>) -> Support {
    let chief = "write `success \"chief\"` where the job has one task that leads";
    let one = matches!(context.counting().as_deref(), Some([_]));
    let (why, help) = match (context.release.dominant(), one) {
        (true, _) => (
            "would wait for the TensorBoard, which never ends: only the end of one role can be the job's, and several decide the success",
            format!("{chief}, or run the TensorBoard by itself"),
        ),
        (false, one) => (
            "would wait for the TensorBoard, which never ends: only from Hadoop 3.3 on can one role's end be the job's",
            format!(
                "say that the cluster is newer: `target \"yarn\" {{ hadoop \"3.3\" }}`{}",
                if one { String::new() } else { format!("; and {chief}") }
            ),
        ),
    };
    Support::unsupported(why, help, "yarn#end-of-a-service")
}

/// A directory of the node on which the one task runs; TensorBoard may run on another.
fn elsewhere(context: &Context<'_>, board: &Tensorboard) -> Option<Support> {
    let own = helper_environment::folder(context.plan, &board.logs).is_some_and(Volume::is_of_node);
    own.then(|| {
        Support::unsupported(
            "runs the TensorBoard on a node of its own choice, and the `file:` directory of its logs is on the task's node alone",
            "logs on `hdfs:`; or, where all nodes have the directory from an export, a uri `nfs://…` and `target \"yarn\" { mounted { \"nfs://…\" \"/mnt\" } }`",
            "yarn#tensorboard",
        )
    })
}

/// A folder of a task's own is nothing that another task can read.
fn own(board: &Tensorboard) -> Option<Support> {
    let stray = board.logs.parts.iter().any(|part| match part {
        Part::Task(..) | Part::Data(DataRef::Scratch | DataRef::Code | DataRef::Stage(_), _) => true,
        Part::Text(_) | Part::Data(DataRef::Data(_) | DataRef::Checkpoints, _) => false,
    });
    stray.then(|| {
        Support::unsupported(
            "runs the TensorBoard in a container of its own, which sees no other task's folder",
            "let it read `{checkpoints}`, or another uri that every task sees",
            "yarn#tensorboard",
        )
    })
}
