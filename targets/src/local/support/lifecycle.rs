//! Start order, restarts and completion.
use super::Support;
use crate::contract_builder::HEARD;
use crate::local::mechanism::{Duty, Mechanism};
use crate::local::schema::Setting;
use tfjob_contract::After;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Lifecycle, Loss, Requirement};
use tfjob_lang::spec::{RestartOn, Scope, Success, When};

/// Answers one requirement: start order, restarts and completion.
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
            Support::inherent("a job whose ports or GPUs this machine does not have is not begun")
        }
        requirement::Lifecycle::StopGrace { seconds } => grace(*seconds),
        requirement::Lifecycle::Deadline { seconds } => deadline(*seconds),
        requirement::Lifecycle::Success(success) => Support::Native(Mechanism::Success(*success)),
        requirement::Lifecycle::EndOfJob => Support::Native(Mechanism::EndOfJob),
        requirement::Lifecycle::Keep { .. } => {
            Support::inherent("folders of this machine stay as the tasks leave them")
        }
    }
}

/// A role that starts after another.
fn after(plan: &Plan, role: RoleId, first: RoleId, when: When) -> Support {
    let after = After { role: plan.roles[first].name.value.clone(), when };
    Support::Native(Mechanism::Role(role, Setting::After(after)))
}

/// What comes back: there is no container to lose, and with the machine all is lost.
fn restart(plan: &Plan, role: RoleId, after: Loss, terms: &requirement::Restart) -> Support {
    let name = &plan.roles[role].name.value;
    let endless = terms.on == RestartOn::Always && (terms.limit.is_none() || terms.within.is_some());
    if endless && decides(plan, success(plan), role) {
        return Support::impossible(
            format!("never ends a task that is always started again, and the job ends with `{name}`"),
            "write `restart \"on-failure\"`, or let another role's success be the job's",
            "the shim: `always` starts again after success",
        );
    }
    if terms.scope == Scope::Job && !plan.ends_together() {
        return Support::unsupported(
            format!("starts a task of `{name}` alone, and no other task hears of it"),
            "write `scope=\"task\"`",
            "tensorflow#restart-of-one-task",
        );
    }
    match after {
        Loss::Process => {
            let job = match terms.scope {
                Scope::Job if !plan.all_restart() => {
                    "; all fail together, and a role without `restart` then ends the job"
                }
                Scope::Job => ": each that fails is, and all fail together",
                Scope::Task => "",
            };
            let mechanism = Mechanism::Duty(Duty::Restart(role, terms.clone()));
            Support::Emulated(mechanism, format!("the shim starts the program again{job}"))
        }
        Loss::Container | Loss::Node => {
            Support::inherent("no container to lose, and no other machine to go to")
        }
    }
}

/// Readiness.
fn ready(plan: &Plan, role: RoleId, probe: &requirement::Probe) -> Support {
    let ports = &plan.roles[role].ports;
    let found_later = |name: &str| {
        name != "rendezvous" && ports.iter().any(|port| port.name.value == name && port.number.is_none())
    };
    match probe {
        requirement::Probe::Tcp(port) | requirement::Probe::Http(port, _) if found_later(port) => {
            Support::unsupported(
                "looks at ports that are known before the start, and this one is found later",
                "give the port a number",
                "the shim: a port without a number is the program's alone",
            )
        }
        requirement::Probe::Tcp(_) | requirement::Probe::Http(..) => Support::Emulated(
            Mechanism::Duty(Duty::Ready(role, probe.clone())),
            "the shim looks at the port of its own task".to_owned(),
        ),
        requirement::Probe::File(path) => Support::unsupported(
            format!("looks at ports alone, and for no `{path}`"),
            "let the program listen on a port, and write `ready tcp=\"PORT-NAME\"`",
            "the shim does not look for files",
        ),
    }
}

/// Time to meet.
fn wait(seconds: u64) -> Support {
    let how = "the shim waits for the peers and then gives up";
    Support::Emulated(Mechanism::Duty(Duty::Wait(seconds)), how.to_owned())
}

/// The program's own word that its work is done.
fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Duty(Duty::Done(role)), HEARD.to_owned())
}

/// Time to stop.
fn grace(seconds: u64) -> Support {
    let how = "the shim kills after this time";
    Support::Emulated(Mechanism::Duty(Duty::Grace(seconds)), how.to_owned())
}

/// A limit on the job.
fn deadline(seconds: u64) -> Support {
    let how = "`tfjob run` stops all tasks at the deadline, counted from the first start";
    Support::Emulated(Mechanism::Duty(Duty::Deadline(seconds)), how.to_owned())
}

/// Whether the end of the job hangs on tasks of a role. The others are stopped when it is done.
///
/// The rule is the contract's, but for `all`: a program that never exits on its own is waited for by nobody.
pub fn decides(plan: &Plan, success: Success, id: RoleId) -> bool {
    plan.decides(success, id) && !plan.roles[id].kind.never_exits()
}

/// Whose success is the job's, as the job or the language says.
fn success(plan: &Plan) -> Success {
    let said = |requirement: &Requirement| {
        if let Requirement::Lifecycle(Lifecycle::Success(success)) = requirement {
            Some(*success)
        } else {
            None
        }
    };
    plan.requirements.iter().find_map(|required| said(&required.requirement)).unwrap_or(Success::Workers)
}
