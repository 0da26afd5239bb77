//! Support of job name, roles, rendezvous, and TensorBoard.
use super::Support;
use super::program::refused_digest;
use super::{SET_DOMAIN, without_domain};
use crate::yarn::context::{Context, Ending};
use crate::yarn::mechanism::{Board, Mechanism};
use crate::yarn::variables::of_bash;
use crate::{helper_environment, libhdfs};
use tfjob_lang::plan::{DataRef, Part, RoleId, Volume};
use tfjob_lang::requirement::{self, Job, Requirement, Tensorboard};
use tfjob_lang::spec::FrameworkName;

/// Returns the support of one requirement about the job as a whole.
pub fn support(requirement: &requirement::Job, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Job::Name(name) => self::name(context, name),
        requirement::Job::Description(text) => Support::Native(Mechanism::Description(text.clone())),
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

/// Maximum length of a component name if registry DNS is enabled: the 63 characters of a DNS label, minus the 19 digits of the
/// largest index of an instance (a `Long`).
const COMPONENT: usize = 44;

fn name(context: &Context<'_>, name: &str) -> Support {
    if context.plan.roles.iter().any(|r| r.name.value == name) {
        return Support::impossible(
            format!(
                "the job and its role cannot both be named `{name}`, because a service and its component cannot have the same name"
            ),
            "rename the job or the role",
            "yarn#component-names",
        );
    }
    let board =
        || context.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))));
    if name == BOARD && board() {
        return Support::impossible(
            "a job with TensorBoard cannot be named `tensorboard`, because a service and its component cannot have the same name",
            "rename the job",
            "yarn#component-names",
        );
    }
    Support::Native(Mechanism::Name(name.to_owned()))
}

fn label(key: &str) -> Support {
    Support::Ignored(format!("label `{key}` is ignored (YARN services do not support labels)"))
}

/// Returns the support of the framework. The shim sets the rendezvous variables, because no token of the service master stands for
/// the address of a peer.
fn framework(context: &Context<'_>, name: FrameworkName) -> Support {
    let shim = context.carried();
    let domain = context.domain().map(str::to_owned);
    if context.plan.meets() && domain.is_none() {
        return without_domain(Support::impossible(
            "tasks find their peers by registry DNS names, but the domain of these names (`dns-domain`) is not set",
            SET_DOMAIN,
            "yarn#registry-dns",
        ));
    }
    let mechanism = Mechanism::Rendezvous { shim, user: context.user().map(str::to_owned), domain };
    let variables = match name {
        FrameworkName::Tensorflow => "TF_CONFIG",
        FrameworkName::Pytorch => "MASTER_ADDR, RANK, and WORLD_SIZE",
        FrameworkName::Mxnet => "DMLC_ROLE and the other DMLC variables",
        FrameworkName::Xgboost => "the variables of the XGBoost tracker",
        FrameworkName::Horovod => "HOROVOD_RANK and the other Horovod variables",
        // Caffe and custom frameworks have no rendezvous variables that the shim could set.
        FrameworkName::Caffe | FrameworkName::Custom => return Support::Native(mechanism),
    };
    if !context.plan.meets() {
        return Support::Native(mechanism);
    }
    Support::Emulated(
        mechanism,
        format!(
            "the service master cannot write the addresses of peers into environment variables, so the shim sets {variables}, with the DNS names that the YARN registry gives to peers"
        ),
    )
}

/// Returns the support of a role. Each role becomes one component.
fn role(context: &Context<'_>, role: RoleId, count: u32) -> Support {
    let name = &context.role(role).name.value;
    if name.len() > COMPONENT {
        return Support::impossible(
            format!(
                "a component name can have at most {COMPONENT} characters, but the role name `{name}` has {}",
                name.len()
            ),
            "shorten the name of the role",
            "yarn#name-lengths",
        );
    }
    if name == BOARD
        && context.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))))
    {
        return Support::impossible(
            "the role `tensorboard` and the job's TensorBoard would both become a component named `tensorboard`",
            "rename the role",
            "yarn#component-names",
        );
    }
    let twin = context.plan.roles.iter().find(|other| {
        let index = name.strip_prefix(&other.name.value).and_then(|rest| rest.strip_prefix('-'));
        index.and_then(|i| i.parse::<u32>().ok()).is_some_and(|i| i < other.count.value)
    });
    if let Some(twin) = twin {
        return Support::impossible(
            format!(
                "the name `{name}` would be ambiguous, because a task of the role `{}` has the same name in the registry DNS",
                twin.name.value
            ),
            "rename the role: its name must not end in `-` and a number",
            "yarn#instance-names",
        );
    }
    Support::Native(Mechanism::Component { role, count })
}

/// Returns the refusal of `min`: the service always requests all containers, and a task cannot learn that fewer are running.
fn min(min: u32) -> Support {
    Support::unsupported(
        format!(
            "`min={min}` is not supported: the service always requests all containers, and a task cannot learn that fewer are running"
        ),
        "remove `min`",
        "yarn#container-allocation",
    )
}

/// Name of the TensorBoard component, and of its role in the job contract.
pub const BOARD: &str = "tensorboard";
/// Name of the quicklink to TensorBoard.
pub const BOARD_LINK: &str = "TensorBoard";

/// Returns the support of TensorBoard. TensorBoard never exits on its own, so another component must end the service, or the shim
/// must stop TensorBoard.
fn tensorboard(context: &Context<'_>, board: &Tensorboard) -> Support {
    let shim = match context.ending() {
        Ending::Dominant(_) => false,
        // The shim of TensorBoard sees when the job completes: in a job with a rendezvous, each task reports its completion on a
        // port.
        Ending::All | Ending::Shims if context.plan.meets() => true,
        Ending::All | Ending::Shims => return never_finishes(context),
    };
    if let Some(refused) = board.image.as_ref().and_then(|image| refused_digest(context, image)) {
        return refused;
    }
    if let Some(refused) = private_logs(board) {
        return refused;
    }
    let in_image = board.image.is_some() && helper_environment::is_unmounted(context.plan, &board.logs);
    if in_image || helper_environment::is_unopened(&board.logs) {
        return Support::impossible(
            helper_environment::UNOPENED,
            helper_environment::OPENED,
            "TensorBoard's own file systems",
        );
    }
    if let Some(refused) = logs_on_node(context, board) {
        return refused;
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
        Support::Emulated(
            mechanism,
            "TensorBoard never exits on its own, so the shim stops it when the job completes".to_owned(),
        )
    } else {
        Support::Native(mechanism)
    }
}

/// Returns the refusal of TensorBoard in a job where nothing would end it: no component ends the service, and no task reports its
/// completion.
fn never_finishes(context: &Context<'_>) -> Support {
    let chief = "write `success \"chief\"` if one task leads the job";
    let one = matches!(context.counting().as_deref(), Some([_]));
    let (why, help) = match (context.release.dominant(), one) {
        (true, _) => (
            "the service would wait forever for TensorBoard, which never exits: the service can end with one role, but several roles decide the success of this job",
            format!("{chief}, or run TensorBoard outside the job"),
        ),
        (false, one) => (
            "the service would wait forever for TensorBoard, which never exits: before Hadoop 3.3, a service ends only when all its components have finished",
            format!(
                "if the cluster runs Hadoop 3.3 or later, set `target \"yarn\" {{ hadoop \"3.3\" }}`{}",
                if one { String::new() } else { format!("; and {chief}") }
            ),
        ),
    };
    Support::unsupported(why, help, "yarn#end-of-a-service")
}

/// Refuses a log directory on a node, because TensorBoard may run on another node than the task that writes the logs.
fn logs_on_node(context: &Context<'_>, board: &Tensorboard) -> Option<Support> {
    let local = helper_environment::folder(context.plan, &board.logs).is_some_and(Volume::is_of_node);
    local.then(|| {
        Support::unsupported(
            "TensorBoard may find no logs: a `file:` directory is local to the node of the task, but TensorBoard may run on another node",
            "write the logs to `hdfs:`; or, if every node mounts the directory over NFS, use its URI `nfs://…` and set `target \"yarn\" { mounted { \"nfs://…\" \"/mnt\" } }`",
            "yarn#tensorboard",
        )
    })
}

/// Refuses a log directory in the container of a task, because TensorBoard cannot read it.
fn private_logs(board: &Tensorboard) -> Option<Support> {
    let private = board.logs.parts.iter().any(|part| match part {
        Part::Task(..) | Part::Data(DataRef::Scratch | DataRef::Code | DataRef::Stage(_), _) => true,
        Part::Text(_) | Part::Data(DataRef::Data(_) | DataRef::Checkpoints, _) => false,
    });
    private.then(|| {
        Support::unsupported(
            "TensorBoard runs in its own container and cannot read directories inside the containers of tasks",
            "set `logs` to `{checkpoints}`, or to another URI that all tasks can access",
            "yarn#tensorboard",
        )
    })
}
