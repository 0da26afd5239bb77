//! How tasks start, end and come back, and what stands beside them.
use super::inherent;
use crate::carry::HEARD;
use crate::local::end;
use crate::local::means::{Duty, Means};
use tfjob_lang::ask::{self, Loss};
use tfjob_lang::plan::{Part, Place, Plan, RoleId};
use tfjob_lang::spec::{RestartOn, Scope};
use tfjob_lang::target::Answer;

/// The role of a TensorBoard.
pub const BOARD: &str = "tensorboard";

/// A job that goes on with fewer tasks.
pub fn min(min: u32) -> Answer<Means> {
    Answer::refused(
        format!("starts every task, and tells none that {min} of its role would do"),
        "remove `min`",
        "the shim: all tasks stand in every rendezvous",
    )
}

/// What comes back: there is no container to lose, and with the machine all is lost.
pub fn restart(plan: &Plan, role: RoleId, after: Loss, terms: &ask::Restart) -> Answer<Means> {
    let name = &plan.roles[role].name.value;
    let endless = terms.on == RestartOn::Always && (terms.limit.is_none() || terms.within.is_some());
    if endless && end::decides(plan, end::success(plan), role) {
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
        Loss::Container | Loss::Node => inherent("no container to lose, and no other machine to go to"),
    }
}

/// Readiness.
pub fn ready(plan: &Plan, role: RoleId, probe: &ask::Probe) -> Answer<Means> {
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
pub fn wait(seconds: u64) -> Answer<Means> {
    let how = "the shim waits for the peers and then gives up";
    Answer::Emulated(Means::Duty(Duty::Wait(seconds)), how.to_owned())
}

/// The program's own word that its work is done.
pub fn done(role: RoleId) -> Answer<Means> {
    Answer::Emulated(Means::Duty(Duty::Done(role)), HEARD.to_owned())
}

/// Time to stop.
pub fn grace(seconds: u64) -> Answer<Means> {
    let how = "the shim kills after this time";
    Answer::Emulated(Means::Duty(Duty::Grace(seconds)), how.to_owned())
}

/// A limit on the job.
pub fn deadline(seconds: u64) -> Answer<Means> {
    let how = "`tfjob run` stops all tasks at the deadline, counted from the first start";
    Answer::Emulated(Means::Duty(Duty::Deadline(seconds)), how.to_owned())
}

/// A TensorBoard.
pub fn tensorboard(plan: &Plan, board: &ask::Tensorboard) -> Answer<Means> {
    if plan.roles.iter().any(|role| role.name.value == BOARD) {
        return Answer::impossible(
            "runs the TensorBoard as a task called `tensorboard`, and a role has that name",
            "give the role another name",
            "the job.json of this target",
        );
    }
    let own = board.logs.parts.iter().any(|part| match part {
        Part::Own(..) | Part::Place(Place::Scratch, _) => true,
        Part::Text(_)
        | Part::Place(Place::Data(_) | Place::Checkpoints | Place::Code | Place::Stage(_), _) => false,
    });
    if own {
        return Answer::refused(
            "runs the TensorBoard as a task of its own, which knows no other task's folder",
            "let it read `{checkpoints}`, or another folder that every task sees",
            "the job.json of this target",
        );
    }
    if let Some(taken) = super::resources::taken(plan, plan.roles.len(), board.port) {
        return taken;
    }
    let how = "a process of its own, the `tensorboard` of this machine";
    Answer::Emulated(Means::Tensorboard(Box::new(board.clone())), how.to_owned())
}
