//! Start order, restarts, and completion.
use super::Support;
use crate::contract_builder::HEARD;
use crate::local::mechanism::{Duty, Mechanism};
use crate::local::schema::Setting;
use crate::ports;
use tfjob_contract::{After, RENDEZVOUS};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Lifecycle, Loss, Requirement};
use tfjob_lang::spec::{RestartOn, Scope, Success, When};

/// Returns the support of one requirement about start order, restarts, and completion.
pub fn support(requirement: &requirement::Lifecycle, plan: &Plan) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { role, after, restart } => {
            self::restart(plan, *role, *after, restart)
        }
        requirement::Lifecycle::After { role, first, when } => after(plan, *role, *first, *when),
        requirement::Lifecycle::Ready { role, probe } => ready(plan, *role, probe),
        requirement::Lifecycle::Done { role } => done(*role),
        requirement::Lifecycle::StartTimeout { seconds } => wait(*seconds),
        requirement::Lifecycle::Gang => {
            Support::inherent("no task starts unless this machine has the ports and GPUs of all tasks")
        }
        requirement::Lifecycle::StopGrace { seconds } => grace(*seconds),
        requirement::Lifecycle::Deadline { seconds } => deadline(*seconds),
        requirement::Lifecycle::Success(success) => Support::Native(Mechanism::Success(*success)),
        requirement::Lifecycle::EndOfJob => Support::Native(Mechanism::EndOfJob),
        requirement::Lifecycle::Keep { .. } => Support::inherent("the files of tasks stay on this machine"),
    }
}

/// Returns the support of the start order of two roles.
fn after(plan: &Plan, role: RoleId, first: RoleId, when: When) -> Support {
    let after = After { role: plan.roles[first].name.value.clone(), when };
    Support::Native(Mechanism::Role(role, Setting::After(after)))
}

/// Returns the support of restarts. A local task has no container or node of its own, so it can lose neither.
fn restart(plan: &Plan, role: RoleId, after: Loss, terms: &requirement::Restart) -> Support {
    let name = &plan.roles[role].name.value;
    let endless = terms.on == RestartOn::Always && (terms.limit.is_none() || terms.within.is_some());
    if endless && decides(plan, success(plan), role) {
        return Support::impossible(
            format!("with `restart \"always\"`, `{name}` never finishes, so the job never completes"),
            "write `restart \"on-failure\"`, or let another role decide job success",
            "source code of tfjob-shim: `always` also restarts after success",
        );
    }
    if terms.scope == Scope::Job && !plan.ends_together() {
        return Support::unsupported(
            format!(
                "`scope=\"job\"` is not supported here: only the failed task of `{name}` restarts, because its peers are not notified of the failure"
            ),
            "write `scope=\"task\"` in this `restart`, so that only the failed task restarts",
            "tensorflow#restart-of-one-task",
        );
    }
    match after {
        Loss::Process => {
            let job = match terms.scope {
                Scope::Job if plan.rendezvous_tasks() <= 1 => "",
                Scope::Job if !plan.all_restart() => {
                    "; if one task fails, its peers fail too, and a role without `restart` then ends the job"
                }
                Scope::Job => "; if one task fails, its peers fail too, so all of them restart",
                Scope::Task => "",
            };
            let mechanism = Mechanism::Duty(Duty::Restart(role, terms.clone()));
            Support::Emulated(mechanism, format!("the shim restarts the program{job}"))
        }
        Loss::Container | Loss::Node => {
            Support::inherent("a local task has no container or node that could be lost")
        }
    }
}

/// Returns the support of a readiness probe.
fn ready(plan: &Plan, role: RoleId, probe: &requirement::Probe) -> Support {
    let ports = &plan.roles[role].ports;
    let assigned_at_startup = |name: &str| {
        name != RENDEZVOUS && ports.iter().any(|port| port.name.value == name && port.number.is_none())
    };
    match probe {
        requirement::Probe::Tcp(port) | requirement::Probe::Http(port, _) if assigned_at_startup(port) => {
            Support::unsupported(
                format!("a probe needs a fixed port number, but port `{port}` gets its number at startup"),
                ports::probed(plan, role, port, true),
                "source code of tfjob-shim: it probes only ports with a fixed number",
            )
        }
        requirement::Probe::Tcp(_) | requirement::Probe::Http(..) => Support::Emulated(
            Mechanism::Duty(Duty::Ready(role, probe.clone())),
            "the shim probes the port of its own task".to_owned(),
        ),
        requirement::Probe::File(path) => Support::unsupported(
            format!("a readiness check of a file (`{path}`) is not supported; only TCP and HTTP are"),
            "let the program listen on a port, and write `ready tcp=\"PORT-NAME\"`",
            "source code of tfjob-shim: it probes only ports",
        ),
    }
}

/// Returns the support of `start timeout`, which limits the wait for peers.
fn wait(seconds: u64) -> Support {
    let how = "the shim stops a task if its peers are not reachable within `start timeout`";
    Support::Emulated(Mechanism::Duty(Duty::Wait(seconds)), how.to_owned())
}

/// Returns the support of the `{done}` file, by which a program reports that its work is complete.
fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Duty(Duty::Done(role)), HEARD.to_owned())
}

/// Returns the support of the grace period.
fn grace(seconds: u64) -> Support {
    let how = "the shim sends SIGKILL if the program has not exited when the grace period ends";
    Support::Emulated(Mechanism::Duty(Duty::Grace(seconds)), how.to_owned())
}

/// Returns the support of the deadline of the job.
fn deadline(seconds: u64) -> Support {
    let how = "`tfjob run` stops all tasks at the deadline, counted from the first start of a task";
    Support::Emulated(Mechanism::Duty(Duty::Deadline(seconds)), how.to_owned())
}

/// Returns whether the job waits for the tasks of a role to finish. When the job completes, `tfjob run` stops the tasks of other
/// roles.
///
/// In the contract, `success "all"` includes every role. This function excludes roles that never exit on their own.
pub fn decides(plan: &Plan, success: Success, id: RoleId) -> bool {
    plan.decides(success, id) && !plan.roles[id].kind.never_exits()
}

/// Returns which tasks decide job success.
fn success(plan: &Plan) -> Success {
    let success = |requirement: &Requirement| {
        if let Requirement::Lifecycle(Lifecycle::Success(success)) = requirement {
            Some(*success)
        } else {
            None
        }
    };
    plan.requirements.iter().find_map(|required| success(&required.requirement)).unwrap_or(Success::Workers)
}
