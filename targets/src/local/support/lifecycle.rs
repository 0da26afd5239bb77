//! Start order, restarts and completion.
use super::Answer;
use crate::carry::HEARD;
use crate::local::means::{Duty, Means};
use crate::local::schema::Setting;
use tfjob_contract::After;
use tfjob_lang::ask::{self, Ask, Lifecycle, Loss};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::{RestartOn, Scope, Success, When};

/// Answers one requirement: start order, restarts and completion.
pub fn answer(ask: &ask::Lifecycle, plan: &Plan) -> Answer {
    match ask {
        ask::Lifecycle::Restart { role, after, restart } => self::restart(plan, *role, *after, restart),
        ask::Lifecycle::After { role, first, when } => after(plan, *role, *first, *when),
        ask::Lifecycle::Ready { role, probe } => ready(plan, *role, probe),
        ask::Lifecycle::Done { role } => done(*role),
        ask::Lifecycle::StartTimeout { seconds } => wait(*seconds),
        ask::Lifecycle::Gang => {
            Answer::inherent("a job whose ports or GPUs this machine does not have is not begun")
        }
        ask::Lifecycle::StopGrace { seconds } => grace(*seconds),
        ask::Lifecycle::Deadline { seconds } => deadline(*seconds),
        ask::Lifecycle::Success(success) => Answer::Native(Means::Success(*success)),
        ask::Lifecycle::EndOfJob => Answer::Native(Means::EndOfJob),
        ask::Lifecycle::Keep { .. } => {
            Answer::inherent("folders of this machine stay as the tasks leave them")
        }
    }
}

/// A role that starts after another.
fn after(plan: &Plan, role: RoleId, first: RoleId, when: When) -> Answer {
    let after = After { role: plan.roles[first].name.value.clone(), when };
    Answer::Native(Means::Role(role, Setting::After(after)))
}

/// What comes back: there is no container to lose, and with the machine all is lost.
fn restart(plan: &Plan, role: RoleId, after: Loss, terms: &ask::Restart) -> Answer {
    let name = &plan.roles[role].name.value;
    let endless = terms.on == RestartOn::Always && (terms.limit.is_none() || terms.within.is_some());
    if endless && decides(plan, success(plan), role) {
        return Answer::impossible(
            format!("never ends a task that is always started again, and the job ends with `{name}`"),
            "write `restart \"on-failure\"`, or let another role's success be the job's",
            "the shim: `always` starts again after success",
        );
    }
    if terms.scope == Scope::Job && !plan.ends_together() {
        return Answer::refused(
            format!("starts a task of `{name}` alone, and no other task hears of it"),
            "write `scope=\"task\"`",
            "tensorflow-observed §3",
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
            let means = Means::Duty(Duty::Restart(role, terms.clone()));
            Answer::Emulated(means, format!("the shim starts the program again{job}"))
        }
        Loss::Container | Loss::Node => {
            Answer::inherent("no container to lose, and no other machine to go to")
        }
    }
}

/// Readiness.
fn ready(plan: &Plan, role: RoleId, probe: &ask::Probe) -> Answer {
    let ports = &plan.roles[role].ports;
    let found_later = |name: &str| {
        name != "cluster" && ports.iter().any(|port| port.name.value == name && port.number.is_none())
    };
    match probe {
        ask::Probe::Tcp(port) | ask::Probe::Http(port, _) if found_later(port) => Answer::refused(
            "looks at ports that are known before the start, and this one is found later",
            "give the port a number",
            "the shim: a port without a number is the program's alone",
        ),
        ask::Probe::Tcp(_) | ask::Probe::Http(..) => Answer::Emulated(
            Means::Duty(Duty::Ready(role, probe.clone())),
            "the shim looks at the port of its own task".to_owned(),
        ),
        ask::Probe::File(path) => Answer::refused(
            format!("looks at ports alone, and for no `{path}`"),
            "let the program listen on a port, and write `ready tcp=\"PORT-NAME\"`",
            "the shim does not look for files",
        ),
    }
}

/// Time to meet.
fn wait(seconds: u64) -> Answer {
    let how = "the shim waits for the peers and then gives up";
    Answer::Emulated(Means::Duty(Duty::Wait(seconds)), how.to_owned())
}

/// The program's own word that its work is done.
fn done(role: RoleId) -> Answer {
    Answer::Emulated(Means::Duty(Duty::Done(role)), HEARD.to_owned())
}

/// Time to stop.
fn grace(seconds: u64) -> Answer {
    let how = "the shim kills after this time";
    Answer::Emulated(Means::Duty(Duty::Grace(seconds)), how.to_owned())
}

/// A limit on the job.
fn deadline(seconds: u64) -> Answer {
    let how = "`tfjob run` stops all tasks at the deadline, counted from the first start";
    Answer::Emulated(Means::Duty(Duty::Deadline(seconds)), how.to_owned())
}

/// Whether the end of the job hangs on tasks of a role. The others are stopped when it is done.
///
/// The rule is the contract's, but for `all`: a program that never exits on its own is waited for by nobody.
pub fn decides(plan: &Plan, success: Success, id: RoleId) -> bool {
    plan.decides(success, id) && !plan.roles[id].kind.never_exits()
}

/// Whose success is the job's, as the job or the language says.
fn success(plan: &Plan) -> Success {
    let said =
        |ask: &Ask| if let Ask::Lifecycle(Lifecycle::Success(success)) = ask { Some(*success) } else { None };
    plan.asks.iter().find_map(|asked| said(&asked.ask)).unwrap_or(Success::Workers)
}
