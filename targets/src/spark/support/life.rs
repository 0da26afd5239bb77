//! How tasks start, end and come back, and what stands beside them.
use super::super::means::{Means, Probe};
use super::super::place::{Ground, Manager};
use super::super::text;
use super::program::everywhere;
use crate::carry::HEARD;
use tfjob_lang::ask::{self, Ask, Lifecycle, Loss};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::spec::{Kept, RestartOn, Scope, When};
use tfjob_lang::target::Answer;

/// What a helper is to the job: all executors are tasks of one stage with `spark.task.maxFailures=1`, which Spark ends with the
/// first that is lost.
const HELPER: &str = "the job goes on without a helper whose program fails, and ends when the executor of a helper is lost, as with too much memory";

/// A helper.
pub fn helper(tasks: Answer<Means>) -> Answer<Means> {
    match tasks {
        Answer::Native(means) => Answer::Emulated(means, HELPER.to_owned()),
        Answer::Emulated(means, how) => Answer::Emulated(means, format!("{how}; {HELPER}")),
        other @ (Answer::Ignored(_) | Answer::Refused(_)) => other,
    }
}

/// A job that goes on with fewer tasks.
pub fn min() -> Answer<Means> {
    Answer::refused(
        "starts a job with all its executors, and ends it when one is lost",
        "remove `min`",
        "spark-dcos §1.2, §1.8",
    )
}

/// What comes back: the shim knows its process, the driver all tasks, and nobody one executor.
pub fn restart(ground: &Ground<'_>, role: RoleId, after: Loss, terms: &ask::Restart) -> Answer<Means> {
    let own = is_of_helper(ground.plan, role);
    match (terms.scope, after) {
        (Scope::Task, Loss::Process) => {
            let how = "the shim starts the program again in its executor";
            Answer::Emulated(Means::Restart(role, terms.clone()), how.to_owned())
        }
        (Scope::Task, Loss::Container | Loss::Node) => Answer::refused(
            "cannot give a running job another executor: TensorFlowOnSpark fixes the addresses when it starts",
            if own { LONE.to_owned() } else { whole(terms) },
            "spark-dcos §1.8",
        ),
        (Scope::Job, _) if terms.on == RestartOn::Always => Answer::refused(
            "starts a whole job again after a failure, not after success",
            if own { LONE.to_owned() } else { whole(terms) },
            "the driver of this target",
        ),
        (Scope::Job, _) if terms.stalls.is_some() => Answer::refused(
            "starts a whole job again from a driver that does not see the checkpoints",
            "remove `stalls`",
            "the driver of this target",
        ),
        (Scope::Job, Loss::Process) if own && !is_awaited(ground.plan, role) => Answer::Ignored(
            "goes on without a helper that fails; these terms count only when its executor is lost"
                .to_owned(),
        ),
        (Scope::Job, Loss::Process | Loss::Container | Loss::Node) => {
            let how = "the driver starts all tasks again, with new executors for those that are lost";
            Answer::Emulated(Means::StartAgain(role, terms.clone()), how.to_owned())
        }
    }
}

/// The way of a helper, which no restart brings back.
const LONE: &str = "remove `restart` of the helper: the job goes on without a helper that fails";

/// The terms that the driver keeps.
fn whole(terms: &ask::Restart) -> String {
    let line = match terms.limit {
        Some(limit) => format!("restart \"on-failure\" limit={limit} scope=\"job\""),
        None => "restart \"on-failure\" scope=\"job\"".to_owned(),
    };
    let without = terms.stalls.map_or("", |_| ", without `stalls`");
    format!(
        "write `{line}`{without}: the driver then starts all tasks again, with a new executor for a lost one; or, if another target of this spec is to start single tasks again, `allow \"restart\" on=\"spark\" because=\"…\"`"
    )
}

/// Whether the `restart` of a role is a helper's own, and no line that holds for a role too.
fn is_of_helper(plan: &Plan, role: RoleId) -> bool {
    let helper = |id: RoleId| plan.roles[id].kind == RoleKind::Helper;
    let line = |id: RoleId| {
        let of = |ask: &Ask| matches!(ask, Ask::Lifecycle(Lifecycle::Restart { role, .. }) if *role == id);
        plan.asks.iter().find(|asked| of(&asked.ask)).map(|asked| asked.at)
    };
    helper(role) && !(0..plan.roles.len()).any(|other| !helper(other) && line(other) == line(role))
}

/// Whether another role starts after this one.
fn is_awaited(plan: &Plan, role: RoleId) -> bool {
    plan.asks
        .iter()
        .any(|asked| matches!(&asked.ask, Ask::Lifecycle(Lifecycle::After { first, .. }) if *first == role))
}

/// The program's own word that its work is done.
pub fn done(role: RoleId) -> Answer<Means> {
    Answer::Emulated(Means::Done(role), HEARD.to_owned())
}

/// Start order.
pub fn after(role: RoleId, first: RoleId, when: When) -> Answer<Means> {
    Answer::Emulated(Means::After(role, first, when), "the driver says when each task may start".to_owned())
}

/// How long executors may take to come up, roles that come first to be ready, and peers to listen.
pub fn wait(ground: &Ground<'_>, seconds: u64) -> Answer<Means> {
    let together = ground.plan.framework.strategy.is_some_and(|strategy| strategy.pace().is_together());
    let meets = together && ground.plan.peers() > 1;
    let how = if meets {
        "TensorFlowOnSpark waits for the executors, the driver for roles that come first, and the shim for peers that do not listen, each for at most this time"
    } else {
        "TensorFlowOnSpark waits for the executors, and the driver for roles that come first, each for at most this time"
    };
    Answer::Emulated(Means::Wait { seconds, meets }, how.to_owned())
}

/// Readiness.
pub fn ready(ground: &Ground<'_>, role: RoleId, probe: &ask::Probe) -> Answer<Means> {
    let ports = &ground.plan.roles[role].ports;
    let number = |name: &str| match name {
        "cluster" => Some(0),
        name => ports.iter().find(|p| p.name.value == name).and_then(|p| p.number),
    };
    let probe = match probe {
        ask::Probe::Tcp(name) => number(name).map(Probe::Tcp),
        ask::Probe::Http(name, path) => number(name).map(|n| Probe::Http(n, path.clone())),
        ask::Probe::File(path) => Some(Probe::File(path.clone())),
    };
    match probe {
        Some(Probe::Http(_, path)) if !text::is_page(&path) => Answer::impossible(
            format!("asks for the page as it is written, and `{path}` is none that can be asked for"),
            "write brackets, quotes and letters beyond ASCII percent-encoded: `%5B`",
            "the driver of this target: Python's http.client",
        ),
        Some(Probe::File(path)) if shares_file(ground, role, &path) => Answer::refused(
            format!(
                "cannot keep executors apart: two tasks on one node look for the same `{path}`, and the first to write it makes both ready"
            ),
            apart(ground, role),
            "the driver of this target",
        ),
        Some(probe) => {
            let how = match probe {
                Probe::Tcp(_) | Probe::Http(..) => "each node looks at its own task",
                Probe::File(_) => {
                    "each node looks for the file, which counts when it is written after the start"
                }
            };
            Answer::Emulated(Means::Ready(role, probe), how.to_owned())
        }
        None => Answer::refused(
            "looks at ports from outside the program, and only the shim knows the one it found",
            "give the port a number",
            "the driver of this target",
        ),
    }
}

/// How tasks on one node become ready each on its own.
fn apart(ground: &Ground<'_>, role: RoleId) -> String {
    let role = &ground.plan.roles[role];
    let way = if role.ports.iter().any(|port| port.name.value == "cluster") {
        "write `ready tcp=\"cluster\"`: each node looks at the port of its own task"
    } else if role.count.value > 1 {
        "write a `helper` for each task, with a file of its own"
    } else {
        "name another file"
    };
    match ground.manager {
        Manager::Yarn => format!("{way}; or an `image`: each container has its own files"),
        Manager::Standalone | Manager::Kubernetes => way.to_owned(),
    }
}

/// Whether another role waits for a file that two tasks on one node have in common: executors without a container of their
/// own see the node's files.
fn shares_file(ground: &Ground<'_>, role: RoleId, path: &str) -> bool {
    let plan = ground.plan;
    let apart = match ground.manager {
        Manager::Kubernetes => true,
        Manager::Yarn => plan.roles.iter().all(|role| role.image.is_some()),
        Manager::Standalone => false,
    };
    let ready = |ask: &Ask| matches!(ask, Ask::Lifecycle(Lifecycle::After { first, when: When::Ready, .. }) if *first == role);
    let same = |ask: &Ask| matches!(ask, Ask::Lifecycle(Lifecycle::Ready { role: other, probe: ask::Probe::File(file) }) if *other != role && file == path);
    let any = |is: &dyn Fn(&Ask) -> bool| plan.asks.iter().any(|asked| is(&asked.ask));
    !apart && any(&ready) && (plan.roles[role].count.value > 1 || any(&same))
}

/// Time to stop.
pub fn stop_grace(ground: &Ground<'_>) -> Answer<Means> {
    let (why, proof) = match ground.manager {
        Manager::Yarn => (
            "YARN kills 250 ms after SIGTERM",
            "yarn-observed: yarn.nodemanager.sleep-delay-before-sigkill.ms",
        ),
        Manager::Standalone => (
            "a standalone worker kills 10 s after SIGTERM, and sends it to Java alone",
            "Spark's ExecutorRunner: EXECUTOR_TERMINATE_TIMEOUT_MS",
        ),
        Manager::Kubernetes => (
            "Kubernetes signals Spark's Java machine alone, and the container ends with it",
            "Spark's entrypoint.sh: the executor is the container's own process",
        ),
    };
    Answer::refused(
        format!("gives a program no time when the application is killed: {why}"),
        "tasks that the driver itself stops have 30 s; if that is enough: `allow \"stop-grace\" on=\"spark\" because=\"…\"`",
        proof,
    )
}

/// A limit on the job.
pub fn deadline(seconds: u64) -> Answer<Means> {
    Answer::Emulated(Means::Deadline(seconds), "the driver ends the job".to_owned())
}

/// What still runs when the job is done.
pub fn end_of_job() -> Answer<Means> {
    let how = "the driver tells each node to stop its program; TensorFlowOnSpark alone would wait for it";
    Answer::Emulated(Means::Inherent("the driver stops what still runs"), how.to_owned())
}

/// Containers that stay.
pub fn keep(ground: &Ground<'_>, what: Kept, seconds: Option<u64>) -> Answer<Means> {
    match (ground.manager, what, seconds) {
        (_, Kept::None, _) => Answer::Native(Means::Inherent("nothing stays after a Spark application")),
        (Manager::Kubernetes, Kept::All, None) => {
            let key = "spark.kubernetes.executor.deleteOnTermination".to_owned();
            Answer::Native(Means::Settings(vec![(key, "false".to_owned())]))
        }
        (Manager::Kubernetes | Manager::Yarn | Manager::Standalone, Kept::All | Kept::Failed, _) => {
            Answer::refused(
                format!("cannot keep these executors on {}", ground.manager.word()),
                "remove `keep`; logs stay with YARN's log server or in the worker's folder. Only executors of `target \"spark\" { master \"k8s://…\" }` are kept: `keep \"all\"`, without `for`",
                "spark-dcos §2.3",
            )
        }
    }
}

/// A TensorBoard.
pub fn tensorboard() -> Answer<Means> {
    Answer::refused(
        "can start a TensorBoard only where nobody reaches it: TensorFlowOnSpark's listens on the node's loopback",
        "remove `tensorboard`, and run one that reads the same folder",
        "spark-dcos §1.8",
    )
}

/// The node's network.
pub fn host_network(ground: &Ground<'_>) -> Answer<Means> {
    match ground.manager {
        Manager::Standalone => Answer::Native(Means::Inherent("executors are processes of the node")),
        Manager::Yarn if ground.plan.roles.iter().all(|r| r.image.is_none()) => {
            Answer::Native(Means::Inherent("executors are processes of the node"))
        }
        Manager::Yarn => container_network(ground, "host"),
        Manager::Kubernetes => Answer::refused(
            "gives every pod a network of its own",
            "remove `network`, or write a pod template: `conf { spark.kubernetes.executor.podTemplateFile \"…\" }`",
            "spark-dcos §2.3",
        ),
    }
}

/// A network of the platform.
pub fn network(ground: &Ground<'_>, name: &str) -> Answer<Means> {
    let docker = ground.manager == Manager::Yarn && ground.plan.roles.iter().any(|r| r.image.is_some());
    if !docker || text::plain_fault(name).is_some() {
        return Answer::refused(
            format!("knows no network `{name}` on {}", ground.manager.word()),
            "networks are those of YARN's Docker: add an `image`, or remove `network`",
            "spark-dcos §2.3",
        );
    }
    if matches!(name, "bridge" | "none") {
        return Answer::impossible(
            format!("gives executors in Docker's `{name}` network addresses that no other node reaches"),
            "write `network \"host\"`, or the name of a network that spans the nodes",
            "Hadoop's page `Launching Applications Using Docker Containers`",
        );
    }
    container_network(ground, name)
}

fn container_network(ground: &Ground<'_>, name: &str) -> Answer<Means> {
    let setting = |family: &str| {
        [(format!("{family}.YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK"), name.to_owned())]
    };
    Answer::Native(Means::Settings(everywhere(ground, setting)))
}
