//! What each task gets and its ports: one machine that all tasks share.
use super::inherent;
use crate::local::means::Means;
use tfjob_lang::ask;
use tfjob_lang::ask::{Ask, Job};
use tfjob_lang::plan::{Plan, Role, RoleId};
use tfjob_lang::spec::PortNumber;
use tfjob_lang::target::Answer;

/// What this machine does with one requirement: resources of a task.
pub fn answer(ask: &ask::Resources) -> Answer<Means> {
    match ask {
        ask::Resources::Cpus { .. }
        | ask::Resources::Memory { .. }
        | ask::Resources::Disk { .. }
        | ask::Resources::SharedMemory { .. } => shared(),
        ask::Resources::Gpus { role, count } => Answer::Native(Means::Gpus(*role, *count)),
        ask::Resources::GpuModel { .. } => gpu_kind("model"),
        ask::Resources::GpuMemory { .. } => gpu_kind("memory"),
        ask::Resources::Device { name, .. } => device(name),
    }
}

/// Cores, memory, disks.
pub fn shared() -> Answer<Means> {
    let how = "nothing is reserved: all tasks share this machine";
    Answer::Emulated(Means::Inherent(how), how.to_owned())
}

/// What no GPU is chosen by.
pub fn gpu_kind(what: &str) -> Answer<Means> {
    Answer::refused(
        format!("gives each task GPUs by their number, and does not look at their {what}"),
        format!("remove `gpu-{what}`, and run the job on a machine that has such GPUs"),
        "CUDA Programming Guide, CUDA_VISIBLE_DEVICES: devices by number",
    )
}

/// Another counted kind.
pub fn device(name: &str) -> Answer<Means> {
    Answer::refused(
        format!("counts GPUs, and no `{name}`"),
        "remove `device`: every task sees all devices of this machine",
        "mount_namespaces(7): tasks share one /dev",
    )
}

/// A port. Those of the rendezvous are `tfjob run`'s to find.
pub fn port(
    plan: &Plan,
    role: RoleId,
    (name, number): (&str, PortNumber),
    ask: &ask::Network,
) -> Answer<Means> {
    let default = || {
        plan.asks.iter().any(|asked| asked.default && matches!(&asked.ask, Ask::Network(own) if own == ask))
    };
    match number {
        PortNumber::Auto if name == "cluster" => inherent("each task has a free port"),
        PortNumber::Fixed(_) if name == "cluster" && default() => inherent("each task has a free port"),
        PortNumber::Fixed(_) if name == "cluster" => {
            let how = "a free port each: all tasks are on this machine";
            Answer::Emulated(Means::Inherent(how), how.to_owned())
        }
        PortNumber::Auto => inherent("the shim finds a free port"),
        PortNumber::Fixed(number) => taken(plan, role, number.0)
            .unwrap_or_else(|| inherent("one task alone wants that port, and opens it itself")),
    }
}

/// Why a role cannot have a port: it has several tasks, or an earlier role wants it too. A TensorBoard comes after all
/// roles.
pub fn taken(plan: &Plan, role: RoleId, number: u16) -> Option<Answer<Means>> {
    let wanted = |id: RoleId, role: &Role| {
        let ports = role.ports.iter().filter(|port| port.name.value != "cluster");
        let own = ports.filter(|port| port.number == Some(number)).count();
        (id, own as u64 * u64::from(role.count.value))
    };
    let board = |ask: &Ask| matches!(ask, Ask::Job(Job::Tensorboard(board)) if board.port == number);
    let boards = plan.asks.iter().filter(|asked| board(&asked.ask)).count() as u64;
    let all = plan.roles.iter().enumerate().map(|(id, role)| wanted(id, role));
    let all: Vec<_> = all.chain([(plan.roles.len(), boards)]).collect();
    let up_to: u64 = all.iter().filter(|(id, _)| *id <= role).map(|(_, tasks)| tasks).sum();
    let tasks: u64 = all.iter().map(|(_, tasks)| tasks).sum();
    (up_to > 1).then(|| {
        Answer::refused(
            format!("runs all tasks on one machine, and {tasks} of them want port {number} of it"),
            "write `port \"…\" \"auto\"`: the program reads its number from `{port.NAME}`",
            "bind(2): EADDRINUSE",
        )
    })
}
