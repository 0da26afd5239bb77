//! Start order, restarts and completion, on a platform that runs services forever.
use super::Support;
use crate::contract_builder::HEARD;
use crate::dcos::context::Context;
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::marathon::order::{Order, Stuck};
use crate::dcos::network::containers;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Lifecycle, Loss, Probe, Requirement, Restart};
use tfjob_lang::spec::{Kept, Scope, When};

const PROOF: &str = "dcos#restarts-without-end";

const LAYERS: &str = "Marathon 1.10, DeploymentPlan.runSpecsGroupedByLongestPath";

/// Answers one requirement: start order, restarts and completion.
pub fn support(requirement: &requirement::Lifecycle, Context { plan, .. }: &Context<'_>) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { role, after, restart } => {
            self::restart(*role, *after, restart, plan)
        }
        requirement::Lifecycle::After { role, first, when } => self::after(*role, *first, *when, plan),
        requirement::Lifecycle::Ready { role, probe } => ready(*role, probe, plan),
        requirement::Lifecycle::Done { role } => done(*role),
        requirement::Lifecycle::StartTimeout { seconds } => wait(*seconds, plan),
        requirement::Lifecycle::Gang => gang(),
        requirement::Lifecycle::StopGrace { seconds } => {
            Support::Native(Mechanism::Grace { seconds: *seconds })
        }
        requirement::Lifecycle::Deadline { seconds } => deadline(*seconds),
        requirement::Lifecycle::Success(_) => success(plan),
        requirement::Lifecycle::EndOfJob => end(plan),
        requirement::Lifecycle::Keep { what, seconds } => keep(*what, *seconds),
    }
}

/// Terms that Marathon does not have: it starts again without end.
const fn counted(restart: &Restart) -> bool {
    restart.limit.is_some()
        || restart.within.is_some()
        || restart.min_uptime.is_some()
        || restart.stalls.is_some()
}

fn restart(role: RoleId, after: Loss, restart: &Restart, plan: &Plan) -> Support {
    if restart.scope == Scope::Job && !plan.ends_together() {
        return Support::unsupported(
            "starts each app again by itself, whatever becomes of the others",
            "write `scope=\"task\"`",
            "tensorflow#restart-of-one-task",
        );
    }
    match after {
        Loss::Process => process(role, restart, plan),
        Loss::Container if counted(restart) => Support::inherent_but(
            "Marathon starts a lost container again",
            "Marathon starts a lost container again without counting it: the terms count within a container",
        ),
        Loss::Container => Support::inherent("Marathon starts a lost container again"),
        Loss::Node => Support::Native(Mechanism::Replace { role }),
    }
}

/// Whether the shim itself may end a task for good: Marathon cannot tell that from a program that fails.
fn gives_up(plan: &Plan) -> bool {
    plan.requirements.iter().any(|required| {
        matches!(
            required.requirement,
            Requirement::Lifecycle(Lifecycle::Deadline { .. } | Lifecycle::StartTimeout { .. })
        )
    })
}

fn process(role: RoleId, restart: &Restart, plan: &Plan) -> Support {
    let restart = restart.clone();
    if counted(&restart) || gives_up(plan) {
        return Support::Emulated(
            Mechanism::ShimRestart { role, restart },
            "the shim starts the process again in its container, and the app stays when it has given up"
                .into(),
        );
    }
    if restart.scope == Scope::Job {
        let how = if plan.all_restart() {
            "Marathon starts each task again by itself; when one is lost, all end and meet again"
        } else {
            "Marathon starts the tasks of this role again; all end when one is lost, and a role without `restart` stays ended"
        };
        return Support::Emulated(Mechanism::Again { role, restart }, how.into());
    }
    Support::Native(Mechanism::Again { role, restart })
}

fn after(role: RoleId, first: RoleId, when: When, plan: &Plan) -> Support {
    if when == When::Done {
        return Support::unsupported(
            "waits for apps that run, and knows no end of one",
            "write `when=\"ready\"`, or make the first a job of its own",
            "dcos#group-dependencies",
        );
    }
    let order = Order::of(plan);
    let probed = plan.requirements.iter().any(
        |a| matches!(&a.requirement, Requirement::Lifecycle(Lifecycle::Ready { role, .. }) if *role == first),
    );
    let name = &plan.roles[first].name.value;
    let meets = plan.requirements.iter().any(|required| {
        matches!(required.requirement, Requirement::Lifecycle(Lifecycle::StartTimeout { .. }))
    });
    let shim = order.left_to_the_shim(first, when).filter(|_| meets);
    let mechanism = Mechanism::After { role, first, shim };
    let mut how = match (shim, when, probed) {
        (Some(When::Ready), ..) => {
            format!("the app starts when that of `{name}` does, and its shim waits until `{name}` is ready")
        }
        (Some(When::Started | When::Done), ..) => format!(
            "the app starts when that of `{name}` runs, and its shim waits until the program of `{name}` has been started"
        ),
        (None, When::Started, true) => {
            format!("a `{name}` with `ready` counts as started only when it is ready")
        }
        (None, When::Started, false) | (None, When::Ready | When::Done, true) => String::new(),
        (None, When::Ready | When::Done, false) => {
            format!("a `{name}` without `ready` counts as ready as soon as it runs")
        }
    };
    if let Some(other) = order.holds_back(role) {
        let (own, other) = (&plan.roles[role].name.value, &plan.roles[other].name.value);
        let also = format!(
            "Marathon starts the apps of a group in layers, and `{own}` only when `{other}` is ready too"
        );
        how = if how.is_empty() { also } else { format!("{how}; {also}") };
    }
    if how.is_empty() { Support::Native(mechanism) } else { Support::Emulated(mechanism, how) }
}

fn ready(role: RoleId, probe: &Probe, plan: &Plan) -> Support {
    if Order::of(plan).is_in_the_way(role) {
        return Support::inherent_but(
            "no role starts after this one",
            "no `after` names this role, so its apps have no health check: with one, Marathon would start no later app before it passes",
        );
    }
    let port = match probe {
        Probe::Tcp(port) | Probe::Http(port, _) => Some(port),
        Probe::File(_) => None,
    };
    let picked =
        |name: &String| plan.roles[role].ports.iter().any(|p| p.name.value == *name && p.number.is_none());
    if let Some(name) = port.filter(|name| picked(name) && containers(plan).is_some()) {
        return Support::impossible(
            "checks port 0 of the container: on a network of containers only the program learns the port that Marathon picks",
            format!("write a number: `port \"{name}\" 8080`; each task has its own address there"),
            "Marathon's MesosHealthCheckWithPorts.effectivePort",
        );
    }
    let mechanism = Mechanism::Ready { role, probe: probe.clone() };
    match probe {
        Probe::Tcp(_) => Support::Native(mechanism),
        Probe::Http(_, _) => Support::Emulated(mechanism, "answers of 300 to 399 count as ready too".into()),
        Probe::File(path) => {
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"._/+=@:,-".contains(&b);
            if path.bytes().all(plain) {
                let how = match plan.roles[role].image.is_some() {
                    true => "a command in the container looks for the file",
                    false => {
                        "a command looks for the file on the agent, where one of an earlier start counts too: without an image the path is the agent's own"
                    }
                };
                return Support::Emulated(mechanism, how.into());
            }
            Support::impossible(
                "passes the command of a health check through quotes that it does not escape",
                "a path of letters, digits and `._/+=@:,-`",
                "dcos#health-check-commands",
            )
        }
    }
}

/// The program's own word that its work is done.
fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Done { role }, HEARD.into())
}

fn wait(seconds: u64, plan: &Plan) -> Support {
    let order = Order::of(plan);
    let stuck = order.stuck();
    let Some(Stuck { role, waits, peer }) = stuck.first() else {
        let mut how = "the shim waits for the peers and then gives up".to_owned();
        if let Some((early, late)) = order.later_peer() {
            let (early, late) = (&plan.roles[early].name.value, &plan.roles[late].name.value);
            how += &format!("; for `{early}` the time until Marathon starts `{late}` counts too");
        }
        return Support::Emulated(Mechanism::Wait { seconds }, how);
    };
    let name = |role: RoleId| format!("`{}`", plan.roles[role].name.value);
    let (first, second) = (name(*role), name(*peer));
    let before = if role == waits {
        format!("the shim of {first} would wait for the addresses of {second} before: neither starts")
    } else {
        format!(
            "{first} starts after {}, the shim of which would wait for the addresses of {second} before: none of them starts",
            name(*waits)
        )
    };
    let all: Vec<String> = stuck.iter().map(|stuck| name(stuck.role)).collect();
    Support::unsupported(
        format!("starts {second} only when {first} is ready, and {before}"),
        format!("remove `start timeout`, or `ready` of {}", all.join(" and ")),
        LAYERS,
    )
}

fn gang() -> Support {
    Support::unsupported(
        "starts each app as soon as an agent has room for it",
        "remove `gang`: the tasks wait for each other, and those that run keep their resources meanwhile",
        "dcos#apps-start-independently",
    )
}

fn deadline(seconds: u64) -> Support {
    Support::Emulated(
        Mechanism::Deadline { seconds },
        "the shim ends each task at its deadline, counted from the task's own start".into(),
    )
}

fn success(plan: &Plan) -> Support {
    let many = if plan.tasks() > 1 { "each app stays" } else { "the app stays" };
    Support::Emulated(
        Mechanism::Stay,
        format!(
            "{many} after its program, whose end is the last line of its output: Marathon would start it again for ever; the step after the end removes the group"
        ),
    )
}

fn end(plan: &Plan) -> Support {
    let names: Vec<String> = plan
        .roles
        .iter()
        .filter(|r| r.kind.outlives_training())
        .map(|r| format!("`{}`", r.name.value))
        .collect();
    Support::inherent_but(
        "removing the group ends all its apps",
        format!("the tasks of {} run until the step after the end removes the group", names.join(", ")),
    )
}

fn keep(what: Kept, seconds: Option<u64>) -> Support {
    match (what, seconds) {
        (Kept::All | Kept::Failed, None) => Support::inherent_but(
            "every app stays after its program",
            "every container stays until the step after the end removes the group",
        ),
        (Kept::All | Kept::Failed, Some(_)) => Support::unsupported(
            "keeps the containers until the group is removed",
            "remove `for`, and run the step after the end when the time has come",
            PROOF,
        ),
        (Kept::None, _) => Support::unsupported(
            "would start a container again as soon as its program has ended",
            "remove `keep`: the step after the end removes all containers",
            PROOF,
        ),
    }
}
