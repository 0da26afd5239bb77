//! Support of start order, restarts, and completion.
use super::Support;
use crate::contract_builder::HEARD;
use crate::ports;
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::{Mechanism, Probe};
use crate::spark::text;
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{self, Lifecycle, Loss, Requirement};
use tfjob_lang::spec::{Kept, RestartOn, Scope, When};

/// Returns the support of one requirement about start order, restarts, and completion.
pub fn support(requirement: &requirement::Lifecycle, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { role, after, restart } => {
            self::restart(context, *role, *after, restart)
        }
        requirement::Lifecycle::After { role, first, when } => after(*role, *first, *when),
        requirement::Lifecycle::Ready { role, probe } => ready(context, *role, probe),
        requirement::Lifecycle::Done { role } => done(*role),
        requirement::Lifecycle::StartTimeout { seconds } => wait(context, *seconds),
        requirement::Lifecycle::Gang => gang(context),
        requirement::Lifecycle::StopGrace { .. } => stop_grace(context),
        requirement::Lifecycle::Deadline { seconds } => deadline(*seconds),
        requirement::Lifecycle::Success(success) => Support::Native(Mechanism::Success(*success)),
        requirement::Lifecycle::EndOfJob => end_of_job(),
        requirement::Lifecycle::Keep { what, seconds } => keep(context, *what, *seconds),
    }
}

/// Returns the support of `restart`. The shim restarts one process, or the driver restarts all tasks. Nothing can replace a single
/// lost executor.
fn restart(context: &Context<'_>, role: RoleId, after: Loss, terms: &requirement::Restart) -> Support {
    let of_helper = is_of_helper(context.plan, role);
    let name = &context.plan.roles[role].name.value;
    if terms.scope == Scope::Task && never_finishes(context.plan, role, terms) {
        return Support::impossible(
            format!("with `restart \"always\"`, `{name}` never finishes, so the job never completes"),
            format!("write `{}`, or let another role decide job success", of_job(terms)),
            "source code of tfjob-shim: `always` also restarts after success",
        );
    }
    match (terms.scope, after) {
        (Scope::Task, Loss::Process) => {
            let how = "the shim restarts the program in its executor";
            Support::Emulated(Mechanism::Restart(role, terms.clone()), how.to_owned())
        }
        (Scope::Task, Loss::Container | Loss::Node) => Support::unsupported(
            "a lost executor cannot be replaced while the job runs, because TensorFlowOnSpark fixes the addresses of all tasks when the job starts",
            if of_helper { REMOVE.to_owned() } else { job_scope(terms) },
            "spark#lost-executors",
        ),
        (Scope::Job, _) if terms.on == RestartOn::Always => Support::unsupported(
            "the driver restarts the whole job after a failure, but not after success",
            if of_helper { REMOVE.to_owned() } else { job_scope(terms) },
            "the driver of this target",
        ),
        (Scope::Job, _) if terms.no_progress_limit.is_some() => Support::unsupported(
            "restarts without progress cannot be counted, because the driver restarts the job but does not see its checkpoints",
            "remove `no-progress-limit`",
            "the driver of this target",
        ),
        (Scope::Job, Loss::Process) if of_helper && !is_awaited(context.plan, role) => Support::Ignored(
            "`restart` is ignored if only the program of the helper fails (the job continues without the helper); `restart` applies if the executor is lost"
                .to_owned(),
        ),
        (Scope::Job, Loss::Process | Loss::Container | Loss::Node) => {
            let how = "the driver restarts all tasks, with new executors for lost ones";
            Support::Emulated(Mechanism::StartAgain(role, terms.clone()), how.to_owned())
        }
    }
}

/// Help of the refusal of `restart` in a helper.
const REMOVE: &str = "remove `restart` from the helper: the job continues if the program of a helper fails";

/// Returns whether a role decides job success but restarts forever, even after success. Such a job never completes.
fn never_finishes(plan: &Plan, role: RoleId, terms: &requirement::Restart) -> bool {
    let endless = terms.on == RestartOn::Always && (terms.limit.is_none() || terms.within.is_some());
    let decides = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::Success(success)) if plan.decides(*success, role));
    endless && plan.requirements.iter().any(|required| decides(&required.requirement))
}

/// Returns a help that suggests a `restart` that the driver supports.
fn job_scope(terms: &requirement::Restart) -> String {
    let line = of_job(terms);
    let without = terms.no_progress_limit.map_or("", |_| ", without `no-progress-limit`");
    format!(
        "either write `{line}`{without}, so that the driver restarts all tasks; or, if another target of the job refuses this scope, run without these restarts and add `allow \"restart\" on=\"spark\" because=\"…\"`"
    )
}

/// Returns the `restart` entry for a restart of all tasks after a failure, with the limit of `terms`.
fn of_job(terms: &requirement::Restart) -> String {
    let limit = terms.limit.map(|limit| format!(" limit={limit}")).unwrap_or_default();
    format!("restart \"on-failure\"{limit} scope=\"job\"")
}

/// Returns whether a role is a helper whose `restart` entry applies only to helpers. A `restart` entry of the job is the default of
/// all roles, so it may apply to a helper and to other roles.
fn is_of_helper(plan: &Plan, role: RoleId) -> bool {
    let helper = |id: RoleId| plan.roles[id].kind == RoleKind::Helper;
    let line = |id: RoleId| {
        let of = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::Restart { role, .. }) if *role == id);
        plan.requirements.iter().find(|required| of(&required.requirement)).map(|required| required.at)
    };
    helper(role) && !(0..plan.roles.len()).any(|other| !helper(other) && line(other) == line(role))
}

/// Returns whether another role starts after this one.
fn is_awaited(plan: &Plan, role: RoleId) -> bool {
    plan.requirements
        .iter()
        .any(|required| matches!(&required.requirement, Requirement::Lifecycle(Lifecycle::After { first, .. }) if *first == role))
}

fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Done(role), HEARD.to_owned())
}

/// Returns the support of gang scheduling. Every cluster manager allocates executors one by one.
fn gang(context: &Context<'_>) -> Support {
    if context.plan.tasks() == 1 {
        return Support::inherent("a job with one task needs no gang scheduling");
    }
    Support::unsupported(
        "executors start one by one: TensorFlowOnSpark starts the tasks only when all executors have registered, and until then, executors that already run hold their resources",
        crate::contract_builder::without_gang(context.plan, "executors", false),
        "spark#fixed-number-of-nodes",
    )
}

fn after(role: RoleId, first: RoleId, when: When) -> Support {
    Support::Emulated(
        Mechanism::After(role, first, when),
        "the driver tells each task when it may start its program".to_owned(),
    )
}

/// Returns the support of `start timeout`. It limits the time to wait for executors, for roles that start earlier, and for peers.
fn wait(context: &Context<'_>, seconds: u64) -> Support {
    let together = context.plan.framework.strategy.is_some_and(|strategy| strategy.pace().is_together());
    let meets = together && context.plan.peers() > 1;
    let how = if meets {
        "`start timeout` limits each of three waits separately: TensorFlowOnSpark waits for executors, the driver waits for roles that start first, and the shim waits for peers"
    } else {
        "`start timeout` limits each of two waits: TensorFlowOnSpark waits for executors, and the driver waits for roles that start first"
    };
    Support::Emulated(Mechanism::Wait { seconds, meets }, how.to_owned())
}

fn ready(context: &Context<'_>, role: RoleId, probe: &requirement::Probe) -> Support {
    let ports = &context.plan.roles[role].ports;
    let number = |name: &str| match name {
        RENDEZVOUS => Some(0),
        name => ports.iter().find(|p| p.name.value == name).and_then(|p| p.number),
    };
    let probe = match probe {
        requirement::Probe::Tcp(name) => number(name).map(Probe::Tcp).ok_or(name),
        requirement::Probe::Http(name, path) => {
            number(name).map(|n| Probe::Http(n, path.clone())).ok_or(name)
        }
        requirement::Probe::File(path) => Ok(Probe::File(path.clone())),
    };
    match probe {
        Ok(Probe::Http(_, path)) if !text::is_page(&path) => Support::impossible(
            format!(
                "the probe would fail: `{path}` contains a character that is not valid in a URL, and the probe does not encode it"
            ),
            "percent-encode brackets, quotes, and non-ASCII characters, such as `%5B` for `[`",
            "the driver of this target: Python's http.client",
        ),
        Ok(Probe::File(path)) if shares_file(context, role, &path) => Support::unsupported(
            format!(
                "two executors may share a node, so two tasks would probe the same file `{path}`: as soon as one task writes it, both count as ready"
            ),
            separate_probes(context, role),
            "the driver of this target",
        ),
        Ok(probe) => {
            let how = match probe {
                Probe::Tcp(_) | Probe::Http(..) => "each executor probes the port of its own task",
                Probe::File(_) => {
                    "each executor checks for the file; a file from before the start of the task does not count"
                }
            };
            Support::Emulated(Mechanism::Ready(role, probe), how.to_owned())
        }
        Err(port) => Support::unsupported(
            "the executor probes a fixed port number, but an `auto` port gets its number from the shim only when the task starts",
            ports::probed(context.plan, role, port, context.manager != Manager::Kubernetes),
            "the driver of this target",
        ),
    }
}

/// Returns a help for a readiness probe of a file that two tasks on one node would share. It suggests a probe that differs between
/// the tasks.
fn separate_probes(context: &Context<'_>, role: RoleId) -> String {
    let role = &context.plan.roles[role];
    let help = if ports::listens(context.plan, role) {
        "write `ready tcp=\"rendezvous\"`, because TensorFlow listens on a different rendezvous port in each task"
    } else if role.count.value > 1 {
        "define a `helper` for each task, each with a different file"
    } else {
        "use a different file"
    };
    match context.manager {
        Manager::Yarn => format!("{help}; or set an `image`, so that each container has its own files"),
        Manager::Standalone | Manager::Kubernetes => help.to_owned(),
    }
}

/// Returns whether another role waits for the file at `path`, and two tasks on one node may share this file. Executors without
/// containers share the file system of their node.
fn shares_file(context: &Context<'_>, role: RoleId, path: &str) -> bool {
    let plan = context.plan;
    let isolated = match context.manager {
        Manager::Kubernetes => true,
        Manager::Yarn => plan.roles.iter().all(|role| role.image.is_some()),
        Manager::Standalone => false,
    };
    let ready = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::After { first, when: When::Ready, .. }) if *first == role);
    let same = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::Ready { role: other, probe: requirement::Probe::File(file) }) if *other != role && file == path);
    let any = |is: &dyn Fn(&Requirement) -> bool| {
        plan.requirements.iter().any(|required| is(&required.requirement))
    };
    !isolated && any(&ready) && (plan.roles[role].count.value > 1 || any(&same))
}

fn stop_grace(context: &Context<'_>) -> Support {
    let (why, rest, evidence) = match context.manager {
        Manager::Yarn => (
            "the grace period does not apply if YARN kills the application: SIGKILL then follows SIGTERM after 250 ms",
            "only 250 ms when YARN kills the application",
            "yarn#termination-delay",
        ),
        Manager::Standalone => (
            "the grace period does not apply if the application is killed: the standalone worker then sends SIGTERM only to the Java process, and SIGKILL after 10 s",
            "gets no SIGTERM when the application is killed",
            "Spark's ExecutorRunner: EXECUTOR_TERMINATE_TIMEOUT_MS",
        ),
        Manager::Kubernetes => (
            "the grace period does not apply if the pod is deleted: only Spark's Java process gets SIGTERM, and the container ends when this process ends",
            "gets no SIGTERM when the pod is deleted",
            "Spark's entrypoint.sh: the executor is the first process of the container",
        ),
    };
    Support::unsupported(
        why,
        format!(
            "to accept this, write `allow \"stop-grace\" on=\"spark\" because=\"…\"`: a task then has 45 s when the driver stops it (SIGTERM, SIGINT after 30 s, SIGKILL after 45 s), but {rest}"
        ),
        evidence,
    )
}

fn deadline(seconds: u64) -> Support {
    Support::Emulated(
        Mechanism::Deadline(seconds),
        "the driver stops the job at the deadline, counted from the first start of a task".to_owned(),
    )
}

/// Returns the support of stopping long-running tasks when the job completes.
fn end_of_job() -> Support {
    let how = "the driver stops programs that still run when the job completes; TensorFlowOnSpark itself would wait for them";
    Support::inherent_but("the driver stops tasks that still run", how)
}

fn keep(context: &Context<'_>, what: Kept, seconds: Option<u64>) -> Support {
    let refused = |why: &str, help: &str| Support::unsupported(why, help, "spark#kept-executors");
    match (context.manager, what, seconds) {
        (_, Kept::None, _) => Support::inherent("Spark keeps no executors"),
        (Manager::Kubernetes, Kept::All, None) => {
            let key = "spark.kubernetes.executor.deleteOnTermination".to_owned();
            Support::Native(Mechanism::Settings(vec![(key, "false".to_owned())]))
        }
        (Manager::Kubernetes, Kept::All, Some(_)) => refused(
            "executor pods cannot be kept for a limited time, because Spark never deletes pods that it keeps",
            "write `keep \"all\"`, without `for`",
        ),
        (Manager::Kubernetes, Kept::Failed, _) => refused(
            "the failed executor pods cannot be kept separately, because Spark keeps either all executor pods or none",
            "write `keep \"all\"`, without `for`",
        ),
        (Manager::Yarn, Kept::All | Kept::Failed, _) => refused(
            "no Spark setting keeps the containers of executors on YARN",
            "remove `keep`; with log aggregation, `yarn logs -applicationId …` shows the logs of finished containers",
        ),
        (Manager::Standalone, Kept::All | Kept::Failed, _) => refused(
            "no Spark setting keeps the executors of a standalone master",
            "remove `keep`; logs of finished executors stay in the work directory of each worker",
        ),
    }
}
