//! Support of start order, restarts, and completion. Marathon restarts an app after every exit.
use super::Support;
use crate::contract_builder::HEARD;
use crate::dcos::context::Context;
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::marathon::order::{Order, Stuck};
use crate::dcos::network::containers;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Lifecycle, Loss, Probe, Requirement, Restart};
use tfjob_lang::spec::{Kept, Scope, When};

const LAYERS: &str = "Marathon 1.10, DeploymentPlan.runSpecsGroupedByLongestPath";

/// Returns the support of one requirement about start order, restarts, and completion.
pub fn support(requirement: &requirement::Lifecycle, Context { plan, .. }: &Context<'_>) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { role, after, restart } => {
            self::restart(*role, *after, restart, plan)
        }
        requirement::Lifecycle::After { role, first, when } => self::after(*role, *first, *when, plan),
        requirement::Lifecycle::Ready { role, probe } => ready(*role, probe, plan),
        requirement::Lifecycle::Done { role } => done(*role),
        requirement::Lifecycle::StartTimeout { seconds } => wait(*seconds, plan),
        requirement::Lifecycle::Gang => gang(plan),
        requirement::Lifecycle::StopGrace { seconds } => {
            Support::Native(Mechanism::Grace { seconds: *seconds })
        }
        requirement::Lifecycle::Deadline { seconds } => deadline(*seconds),
        requirement::Lifecycle::Success(_) => success(plan),
        requirement::Lifecycle::EndOfJob => end(plan),
        requirement::Lifecycle::Keep { what, seconds } => keep(*what, *seconds),
    }
}

/// Returns whether `restart` sets a limit, such as `limit` or `min-uptime`, that Marathon does not support.
const fn is_limited(restart: &Restart) -> bool {
    restart.limit.is_some()
        || restart.within.is_some()
        || restart.min_uptime.is_some()
        || restart.no_progress_limit.is_some()
}

fn restart(role: RoleId, after: Loss, restart: &Restart, plan: &Plan) -> Support {
    if restart.scope == Scope::Job && !plan.ends_together() {
        return Support::unsupported(
            "Marathon restarts each app separately, and the tasks of this job continue when one is lost, so the whole job never restarts",
            "use `scope=\"task\"`, which restarts only the failed task",
            "tensorflow#restart-of-one-task",
        );
    }
    match after {
        Loss::Process => process(role, restart, plan),
        Loss::Container if is_limited(restart) => Support::inherent_but(
            "Marathon restarts a lost container",
            if restart.mounted {
                "the shim counts the restarts of the program; if Marathon replaces the container, the count continues, and the replacement is not counted"
            } else {
                "the shim counts the restarts of the program in its container; if Marathon replaces the container, the count starts again from 0"
            },
        ),
        Loss::Container => Support::inherent("Marathon restarts a lost container"),
        Loss::Node => Support::Native(Mechanism::Replace { role }),
    }
}

/// Returns whether the job sets a time limit (`deadline` or `start timeout`) at which the shim can stop a task permanently.
/// Marathon would restart such a task, because the exit looks like a failure of the program.
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
    if is_limited(&restart) || gives_up(plan) {
        return Support::Emulated(
            Mechanism::ShimRestart { role, restart },
            "Marathon restarts an app whenever its command exits, so the shim restarts the program inside the container; when no restart is left, the command keeps running without the program"
                .into(),
        );
    }
    if restart.scope == Scope::Job && plan.rendezvous_tasks() > 1 {
        let how = if plan.all_restart() {
            "Marathon restarts each task separately; when one task is lost, all others exit, restart, and rejoin"
        } else {
            "Marathon restarts only roles with `restart`; when one task is lost, all others exit, and roles without `restart` stay stopped"
        };
        return Support::Emulated(Mechanism::Again { role, restart }, how.into());
    }
    Support::Native(Mechanism::Again { role, restart })
}

fn after(role: RoleId, first: RoleId, when: When, plan: &Plan) -> Support {
    if when == When::Done {
        return Support::unsupported(
            "Marathon cannot delay an app until another app has finished: Marathon waits only until the other app runs and is healthy, so this role would start too early",
            "write `when=\"ready\"`, or run the role that must finish first as a separate job",
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
    let shim = order.awaited_by_shim(first, when).filter(|_| meets);
    let mechanism = Mechanism::After { role, first, shim };
    let mut how = match (shim, when, probed) {
        (Some(When::Ready), ..) => {
            format!(
                "Marathon starts the app of this role before `{name}` is ready, so the shim of this role waits until `{name}` is ready"
            )
        }
        (Some(When::Started | When::Done), ..) => format!(
            "Marathon starts the app of this role when the app of `{name}` runs, so the shim of this role waits until the program of `{name}` has started"
        ),
        (None, When::Started, true) => {
            format!("`{name}` has `ready`, so Marathon counts it as started only when the probe passes")
        }
        (None, When::Started, false) | (None, When::Ready | When::Done, true) => String::new(),
        (None, When::Ready | When::Done, false) => {
            format!("`{name}` has no `ready`, so Marathon counts it as ready as soon as it runs")
        }
    };
    if let Some(other) = order.delayed_by(role) {
        let (name, other) = (&plan.roles[role].name.value, &plan.roles[other].name.value);
        let also = format!(
            "Marathon starts the apps of a group in layers, so `{name}` also waits until `{other}` is ready"
        );
        how = if how.is_empty() { also } else { format!("{how}; {also}") };
    }
    if how.is_empty() { Support::Native(mechanism) } else { Support::Emulated(mechanism, how) }
}

fn ready(role: RoleId, probe: &Probe, plan: &Plan) -> Support {
    if Order::of(plan).delays_others_only(role) {
        return Support::inherent_but(
            "no role starts after this one",
            "this role gets no health check: no `after` refers to it, and Marathon would start later roles only after the check passes",
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
            "on a container network, the health check would connect to port 0: only the task learns the port that Marathon picks",
            format!("set a number: `port \"{name}\" 8000`; each task has its own IP address there"),
            "Marathon's MesosHealthCheckWithPorts.effectivePort",
        );
    }
    let mechanism = Mechanism::Ready { role, probe: probe.clone() };
    match probe {
        Probe::Tcp(_) => Support::Native(mechanism),
        Probe::Http(_, _) => {
            Support::Emulated(mechanism, "HTTP status codes 300 to 399 also count as ready".into())
        }
        Probe::File(path) => {
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"._/+=@:,-".contains(&b);
            if path.bytes().all(plain) {
                let how = match plan.roles[role].image.is_some() {
                    true => "a health check command tests in the container whether the file exists",
                    false => {
                        "a health check command tests on the agent whether the file exists: without an image, a file of an earlier start also counts"
                    }
                };
                return Support::Emulated(mechanism, how.into());
            }
            Support::impossible(
                "Marathon passes a health check command to a shell in double quotes without escaping, so this path would change the command",
                "use a path of letters, digits and `._/+=@:,-`",
                "dcos#health-check-commands",
            )
        }
    }
}

/// Returns the support of `{done}`. The program creates this file when its work is complete.
fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Done { role }, HEARD.into())
}

fn wait(seconds: u64, plan: &Plan) -> Support {
    let order = Order::of(plan);
    let stuck = order.stuck();
    let Some(Stuck { role, waits, peer }) = stuck.first() else {
        let mut how =
            "the shim waits for the peers, and stops the task when `start timeout` expires".to_owned();
        if let Some((early, late)) = order.later_peer() {
            let (early, late) = (&plan.roles[early].name.value, &plan.roles[late].name.value);
            how += &format!("; for `{early}` the time until Marathon starts `{late}` also counts");
        }
        return Support::Emulated(Mechanism::Wait { seconds }, how);
    };
    let name = |role: RoleId| format!("`{}`", plan.roles[role].name.value);
    let (first, second) = (name(*role), name(*peer));
    let deadlock = if role == waits {
        format!("the shim of {first} waits for the addresses of {second}, so neither program starts")
    } else {
        let waits = name(*waits);
        format!(
            "{first} starts after {waits}, and the shim of {waits} waits for the addresses of {second}, so none of them starts"
        )
    };
    let all: Vec<String> = stuck.iter().map(|stuck| name(stuck.role)).collect();
    Support::unsupported(
        format!("Marathon starts {second} only when {first} is ready, but {deadlock}"),
        format!("remove `timeout` from `start`, or `ready` of {}", all.join(" and ")),
        LAYERS,
    )
}

fn gang(plan: &Plan) -> Support {
    if plan.tasks() == 1 {
        return Support::inherent("a job with one task needs no gang scheduling");
    }
    Support::unsupported(
        "Marathon starts each app as soon as an agent has free resources; no app waits until all others can start",
        "remove `gang`; tasks that already run then hold their resources while they wait for their peers",
        "dcos#apps-start-independently",
    )
}

fn deadline(seconds: u64) -> Support {
    Support::Emulated(
        Mechanism::Deadline { seconds },
        "the shim stops each task at its deadline, counted from the start of that task".into(),
    )
}

fn success(plan: &Plan) -> Support {
    let app = if plan.tasks() > 1 { "each app" } else { "the app" };
    Support::Emulated(
        Mechanism::Stay,
        format!(
            "Marathon does not record whether a job succeeds: to find out, read the exit code in the last line of the log of each task; Marathon would restart an app that exits, so the shim keeps {app} running after its program has exited; when the job has finished, run the cleanup command that `tfjob compile` prints, which removes the Marathon group of the job"
        ),
    )
}

/// Returns names with `and` before the last one.
fn joined(names: &[String]) -> String {
    match names {
        [first, last] => format!("{first} and {last}"),
        [rest @ .., last] if !rest.is_empty() => format!("{}, and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn end(plan: &Plan) -> Support {
    let names: Vec<String> = plan
        .roles
        .iter()
        .filter(|r| r.kind.outlives_training())
        .map(|r| format!("`{}`", r.name.value))
        .collect();
    Support::inherent_but(
        "removing the group stops all its apps",
        format!(
            "Marathon does not stop the tasks of {} when the job finishes; to stop them, run the cleanup command that `tfjob compile` prints, which removes the Marathon group of the job",
            joined(&names)
        ),
    )
}

fn keep(what: Kept, seconds: Option<u64>) -> Support {
    match (what, seconds) {
        (Kept::All | Kept::Failed, None) => Support::inherent_but(
            "the shim keeps every app running after its program has exited",
            "every container is kept until you remove the Marathon group of the job with the cleanup command that `tfjob compile` prints",
        ),
        (Kept::All | Kept::Failed, Some(_)) => Support::unsupported(
            "Marathon keeps containers until the group of the job is removed, not for a limited time",
            "remove `for`; to remove the containers, run the cleanup command that `tfjob compile` prints",
            "dcos#removal-of-apps",
        ),
        (Kept::None, _) => Support::unsupported(
            "`keep \"none\"` removes a container when its program exits, but Marathon would then start a new container",
            "remove `keep`; the cleanup command that `tfjob compile` prints removes all containers",
            "dcos#restarts-without-end",
        ),
    }
}
