//! Start order, restarts and completion.
use super::Support;
use crate::contract_builder::HEARD;
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::{Mechanism, Probe};
use crate::spark::text;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{self, Lifecycle, Loss, Requirement};
use tfjob_lang::spec::{Kept, RestartOn, Scope, When};

/// Answers one requirement: start order, restarts and completion.
pub fn support(requirement: &requirement::Lifecycle, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { role, after, restart } => {
            self::restart(context, *role, *after, restart)
        }
        requirement::Lifecycle::After { role, first, when } => after(*role, *first, *when),
        requirement::Lifecycle::Ready { role, probe } => ready(context, *role, probe),
        requirement::Lifecycle::Done { role } => done(*role),
        requirement::Lifecycle::StartTimeout { seconds } => wait(context, *seconds),
        requirement::Lifecycle::Gang => {
            Support::inherent("TensorFlowOnSpark starts nothing before all executors are there")
        }
        requirement::Lifecycle::StopGrace { .. } => stop_grace(context),
        requirement::Lifecycle::Deadline { seconds } => deadline(*seconds),
        requirement::Lifecycle::Success(success) => Support::Native(Mechanism::Success(*success)),
        requirement::Lifecycle::EndOfJob => end_of_job(),
        requirement::Lifecycle::Keep { what, seconds } => keep(context, *what, *seconds),
    }
}

/// What comes back: the shim knows its process, the driver all tasks, and nobody one executor.
fn restart(context: &Context<'_>, role: RoleId, after: Loss, terms: &requirement::Restart) -> Support {
    let own = is_of_helper(context.plan, role);
    match (terms.scope, after) {
        (Scope::Task, Loss::Process) => {
            let how = "the shim starts the program again in its executor";
            Support::Emulated(Mechanism::Restart(role, terms.clone()), how.to_owned())
        }
        (Scope::Task, Loss::Container | Loss::Node) => Support::unsupported(
            "cannot give a running job another executor: TensorFlowOnSpark fixes the addresses when it starts",
            if own { LONE.to_owned() } else { whole(terms) },
            "spark#lost-executors",
        ),
        (Scope::Job, _) if terms.on == RestartOn::Always => Support::unsupported(
            "starts a whole job again after a failure, not after success",
            if own { LONE.to_owned() } else { whole(terms) },
            "the driver of this target",
        ),
        (Scope::Job, _) if terms.stalls.is_some() => Support::unsupported(
            "starts a whole job again from a driver that does not see the checkpoints",
            "remove `no-progress-limit`",
            "the driver of this target",
        ),
        (Scope::Job, Loss::Process) if own && !is_awaited(context.plan, role) => Support::Ignored(
            "goes on without a helper that fails; these terms count only when its executor is lost"
                .to_owned(),
        ),
        (Scope::Job, Loss::Process | Loss::Container | Loss::Node) => {
            let how = "the driver starts all tasks again, with new executors for those that are lost";
            Support::Emulated(Mechanism::StartAgain(role, terms.clone()), how.to_owned())
        }
    }
}

/// The way of a helper, which no restart brings back.
const LONE: &str = "remove `restart` of the helper: the job goes on without a helper that fails";

/// The terms that the driver keeps.
fn whole(terms: &requirement::Restart) -> String {
    let line = match terms.limit {
        Some(limit) => format!("restart \"on-failure\" limit={limit} scope=\"job\""),
        None => "restart \"on-failure\" scope=\"job\"".to_owned(),
    };
    let without = terms.stalls.map_or("", |_| ", without `no-progress-limit`");
    format!(
        "write `{line}`{without}: the driver then starts all tasks again, with a new executor for a lost one; or, if another target of this spec is to start single tasks again, `allow \"restart\" on=\"spark\" because=\"…\"`"
    )
}

/// Whether the `restart` of a role is a helper's own, and no line that holds for a role too.
fn is_of_helper(plan: &Plan, role: RoleId) -> bool {
    let helper = |id: RoleId| plan.roles[id].kind == RoleKind::Helper;
    let line = |id: RoleId| {
        let of = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::Restart { role, .. }) if *role == id);
        plan.requirements.iter().find(|required| of(&required.requirement)).map(|required| required.at)
    };
    helper(role) && !(0..plan.roles.len()).any(|other| !helper(other) && line(other) == line(role))
}

/// Whether another role starts after this one.
fn is_awaited(plan: &Plan, role: RoleId) -> bool {
    plan.requirements
        .iter()
        .any(|required| matches!(&required.requirement, Requirement::Lifecycle(Lifecycle::After { first, .. }) if *first == role))
}

/// The program's own word that its work is done.
fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Done(role), HEARD.to_owned())
}

/// Start order.
fn after(role: RoleId, first: RoleId, when: When) -> Support {
    Support::Emulated(
        Mechanism::After(role, first, when),
        "the driver says when each task may start".to_owned(),
    )
}

/// How long executors may take to come up, roles that come first to be ready, and peers to listen.
fn wait(context: &Context<'_>, seconds: u64) -> Support {
    let together = context.plan.framework.strategy.is_some_and(|strategy| strategy.pace().is_together());
    let meets = together && context.plan.peers() > 1;
    let how = if meets {
        "TensorFlowOnSpark waits for the executors, the driver for roles that come first, and the shim for peers that do not listen, each for at most this time"
    } else {
        "TensorFlowOnSpark waits for the executors, and the driver for roles that come first, each for at most this time"
    };
    Support::Emulated(Mechanism::Wait { seconds, meets }, how.to_owned())
}

/// Readiness.
fn ready(context: &Context<'_>, role: RoleId, probe: &requirement::Probe) -> Support {
    let ports = &context.plan.roles[role].ports;
    let number = |name: &str| match name {
        "rendezvous" => Some(0),
        name => ports.iter().find(|p| p.name.value == name).and_then(|p| p.number),
    };
    let probe = match probe {
        requirement::Probe::Tcp(name) => number(name).map(Probe::Tcp),
        requirement::Probe::Http(name, path) => number(name).map(|n| Probe::Http(n, path.clone())),
        requirement::Probe::File(path) => Some(Probe::File(path.clone())),
    };
    match probe {
        Some(Probe::Http(_, path)) if !text::is_page(&path) => Support::impossible(
            format!("asks for the page as it is written, and `{path}` is none that can be asked for"),
            "write brackets, quotes and letters beyond ASCII percent-encoded: `%5B`",
            "the driver of this target: Python's http.client",
        ),
        Some(Probe::File(path)) if shares_file(context, role, &path) => Support::unsupported(
            format!(
                "cannot keep executors apart: two tasks on one node look for the same `{path}`, and the first to write it makes both ready"
            ),
            apart(context, role),
            "the driver of this target",
        ),
        Some(probe) => {
            let how = match probe {
                Probe::Tcp(_) | Probe::Http(..) => "each node looks at its own task",
                Probe::File(_) => {
                    "each node looks for the file, which counts when it is written after the start"
                }
            };
            Support::Emulated(Mechanism::Ready(role, probe), how.to_owned())
        }
        None => Support::unsupported(
            "looks at ports from outside the program, and only the shim knows the one it found",
            "give the port a number",
            "the driver of this target",
        ),
    }
}

/// How tasks on one node become ready each on its own.
fn apart(context: &Context<'_>, role: RoleId) -> String {
    let role = &context.plan.roles[role];
    let way = if role.ports.iter().any(|port| port.name.value == "rendezvous") {
        "write `ready tcp=\"rendezvous\"`: each node looks at the port of its own task"
    } else if role.count.value > 1 {
        "write a `helper` for each task, with a file of its own"
    } else {
        "name another file"
    };
    match context.manager {
        Manager::Yarn => format!("{way}; or an `image`: each container has its own files"),
        Manager::Standalone | Manager::Kubernetes => way.to_owned(),
    }
}

/// Whether another role waits for a file that two tasks on one node have in common: executors without a container of their
/// own see the node's files.
fn shares_file(context: &Context<'_>, role: RoleId, path: &str) -> bool {
    let plan = context.plan;
    let apart = match context.manager {
        Manager::Kubernetes => true,
        Manager::Yarn => plan.roles.iter().all(|role| role.image.is_some()),
        Manager::Standalone => false,
    };
    let ready = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::After { first, when: When::Ready, .. }) if *first == role);
    let same = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::Ready { role: other, probe: requirement::Probe::File(file) }) if *other != role && file == path);
    let any = |is: &dyn Fn(&Requirement) -> bool| {
        plan.requirements.iter().any(|required| is(&required.requirement))
    };
    !apart && any(&ready) && (plan.roles[role].count.value > 1 || any(&same))
}

/// Time to stop.
fn stop_grace(context: &Context<'_>) -> Support {
    let (why, evidence) = match context.manager {
        Manager::Yarn => ("YARN kills 250 ms after SIGTERM", "yarn#termination-delay"),
        Manager::Standalone => (
            "a standalone worker kills 10 s after SIGTERM, and sends it to Java alone",
            "Spark's ExecutorRunner: EXECUTOR_TERMINATE_TIMEOUT_MS",
        ),
        Manager::Kubernetes => (
            "Kubernetes signals Spark's Java machine alone, and the container ends with it",
            "Spark's entrypoint.sh: the executor is the container's own process",
        ),
    };
    Support::unsupported(
        format!("gives a program no time when the application is killed: {why}"),
        "tasks that the driver itself stops have 30 s; if that is enough: `allow \"stop-grace\" on=\"spark\" because=\"…\"`",
        evidence,
    )
}

/// A limit on the job.
fn deadline(seconds: u64) -> Support {
    Support::Emulated(Mechanism::Deadline(seconds), "the driver ends the job".to_owned())
}

/// What still runs when the job is done.
fn end_of_job() -> Support {
    let how = "the driver tells each node to stop its program; TensorFlowOnSpark alone would wait for it";
    Support::inherent_but("the driver stops what still runs", how)
}

/// Containers that stay.
fn keep(context: &Context<'_>, what: Kept, seconds: Option<u64>) -> Support {
    match (context.manager, what, seconds) {
        (_, Kept::None, _) => Support::inherent("nothing stays after a Spark application"),
        (Manager::Kubernetes, Kept::All, None) => {
            let key = "spark.kubernetes.executor.deleteOnTermination".to_owned();
            Support::Native(Mechanism::Settings(vec![(key, "false".to_owned())]))
        }
        (Manager::Kubernetes | Manager::Yarn | Manager::Standalone, Kept::All | Kept::Failed, _) => {
            Support::unsupported(
                format!("cannot keep these executors on {}", context.manager.word()),
                "remove `keep`; logs stay with YARN's log server or in the worker's folder. Only executors of `target \"spark\" { master \"k8s://…\" }` are kept: `keep \"all\"`, without `for`",
                "spark#kept-executors",
            )
        }
    }
}
