//! What the job is: its name, its roles and how they meet, and a TensorBoard.
use super::Answer;
use super::SAY_DOMAIN;
use super::program::unpulled;
use crate::yarn::context::{Context, Ending};
use crate::yarn::means::{Board, Means};
use crate::yarn::variables::of_bash;
use crate::{beside, libhdfs};
use tfjob_lang::ask::{self, Ask, Job, Tensorboard};
use tfjob_lang::plan::{Part, Place, RoleId, Volume};
use tfjob_lang::spec::FrameworkName;

/// Answers one requirement: what the job is.
pub fn answer(ask: &ask::Job, case: &Context<'_>) -> Answer {
    match ask {
        ask::Job::Name(name) => self::name(case, name),
        ask::Job::Description(words) => Answer::Native(Means::Description(words.clone())),
        ask::Job::Label { key, value: _ } => label(key),
        ask::Job::Framework { name, version: _, strategy: _ } => framework(case, *name),
        ask::Job::Role { role, count } | ask::Job::Helper { role, count } => self::role(case, *role, *count),
        ask::Job::Evaluator { role } => self::role(case, *role, 1),
        ask::Job::Min { role: _, min } => self::min(*min),
        ask::Job::Tensorboard(board) => tensorboard(case, board),
        ask::Job::Patch { target: _, role, text } => {
            Answer::Native(Means::Patch { role: *role, text: text.clone() })
        }
    }
}

/// The longest name of a component, by the engine with DNS: a label less the 19 digits of an index.
const COMPONENT: usize = 44;

/// A service may not be called like one of its components.
fn name(case: &Context<'_>, name: &str) -> Answer {
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

fn label(key: &str) -> Answer {
    Answer::Ignored(format!("has no labels on a service: `{key}` is left out"))
}

/// The engine renders no rendezvous variable, and its DNS is the only way to a peer.
fn framework(case: &Context<'_>, name: FrameworkName) -> Answer {
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
fn role(case: &Context<'_>, role: RoleId, count: u32) -> Answer {
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
fn min(min: u32) -> Answer {
    Answer::refused(
        format!("tells no task that only {min} of its role have come: all of them stand in every rendezvous"),
        "remove `min`, or run the job on a platform with elastic jobs",
        "yarn-submarine-tony §1.9",
    )
}

/// The name of the TensorBoard, as a component and as a role of its contract.
pub const BOARD: &str = "tensorboard";
/// What the link to the TensorBoard is called.
pub const BOARD_LINK: &str = "TensorBoard";

/// A component that never ends; so the service must end with another, or the shim must end this one.
fn tensorboard(case: &Context<'_>, board: &Tensorboard) -> Answer {
    let shim = match case.ending() {
        Ending::Dominant(_) => false,
        // Where tasks meet, each has a port at which its end can be seen.
        Ending::All | Ending::Shims if case.plan.meets() => true,
        Ending::All | Ending::Shims => return lasting(case),
    };
    if let Some(unpulled) = board.image.as_ref().and_then(|image| unpulled(case, image)) {
        return unpulled;
    }
    if let Some(own) = own(board) {
        return own;
    }
    if beside::is_unopened(&board.logs) {
        return Answer::impossible(beside::UNOPENED, beside::OPENED, "TensorBoard's own file systems");
    }
    if let Some(elsewhere) = elsewhere(case, board) {
        return elsewhere;
    }
    let link = case.domain().map(|domain| (case.user_token(), domain.to_owned()));
    let env = beside::variables(case.plan).into_iter().filter(|(name, ..)| !of_bash(name));
    let hadoop = beside::hadoop(case.plan)
        .filter(|_| beside::read_by(case.plan, &board.logs).is_some_and(beside::by_libhdfs))
        .map_or_else(Vec::new, |(home, java, conf, _)| libhdfs::exports(home, java, conf));
    let means = Means::Tensorboard(Box::new(Board {
        asked: board.clone(),
        link,
        env: env.map(|(name, value, at)| (name.to_owned(), value.clone(), at)).collect(),
        hadoop,
        shim,
    }));
    if shim {
        Answer::Emulated(means, "the shim ends it with the job".to_owned())
    } else {
        Answer::Native(means)
    }
}

/// Where no component's end is the service's, and no task's end can be seen.
fn lasting(case: &Context<'_>) -> Answer {
    let chief = "write `success \"chief\"` where the job has one task that leads";
    let one = matches!(case.counting().as_deref(), Some([_]));
    let (why, help) = match (case.release.dominant(), one) {
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
    Answer::refused(why, help, "yarn-observed §7")
}

/// A directory of the node on which the one task runs; TensorBoard may run on another.
fn elsewhere(case: &Context<'_>, board: &Tensorboard) -> Option<Answer> {
    let own = beside::folder(case.plan, &board.logs).is_some_and(Volume::is_of_node);
    own.then(|| {
        Answer::refused(
            "runs the TensorBoard on a node of its own choice, and the `file:` directory of its logs is on the task's node alone",
            "logs on `hdfs:`; or, where all nodes have the directory from an export, a uri `nfs://…` and `target \"yarn\" { mounted { \"nfs://…\" \"/mnt\" } }`",
            "yarn-submarine-tony §1.4",
        )
    })
}

/// A folder of a task's own is nothing that another task can read.
fn own(board: &Tensorboard) -> Option<Answer> {
    let stray = board.logs.parts.iter().any(|part| match part {
        Part::Own(..) | Part::Place(Place::Scratch | Place::Code | Place::Stage(_), _) => true,
        Part::Text(_) | Part::Place(Place::Data(_) | Place::Checkpoints, _) => false,
    });
    stray.then(|| {
        Answer::refused(
            "runs the TensorBoard in a container of its own, which sees no other task's folder",
            "let it read `{checkpoints}`, or another uri that every task sees",
            "yarn-submarine-tony §1.4",
        )
    })
}
