//! Whether a task is ready, seen aside by the shim's own eyes. All tasks are on this machine.
use super::voice::Heard;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;
use tfjob_contract::{Contract, Ready, Role, TaskId};
use tfjob_shim::{Sight, Target, look};

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// What shows that a task is ready.
#[derive(Debug)]
pub enum Sign {
    /// It answers there.
    Answers(Target),
    /// The file is there.
    File(PathBuf),
    /// It has been started.
    Started,
}

/// The sign of a task whose rendezvous is at `own`, `host:port`. A role that says nothing of itself is ready when it
/// listens where all meet.
pub fn sign(contract: &Contract, task: &TaskId, own: &str) -> Sign {
    let Some(role) = contract.role_named(&task.role) else { return Sign::Started };
    let at = |number: Option<u16>, path: Option<&String>| match number {
        Some(port) => Sign::Answers(Target {
            task: task.clone(),
            host: "127.0.0.1".to_owned(),
            port: Some(port),
            path: path.cloned(),
        }),
        None => Sign::Started,
    };
    match role.duties.as_ref().and_then(|duties| duties.ready.as_ref()) {
        Some(Ready::File(path)) => Sign::File(PathBuf::from(path)),
        Some(Ready::Tcp(port)) => at(number(role, port, own), None),
        Some(Ready::Http { port, path }) => at(number(role, port, own), Some(path)),
        None if contract.all_listen(role) => at(number(role, "cluster", own), None),
        None => Sign::Started,
    }
}

fn number(role: &Role, port: &str, own: &str) -> Option<u16> {
    if port == "cluster" {
        return own.rsplit_once(':')?.1.parse().ok();
    }
    role.ports.get(port).copied()
}

/// Looks until the sign is there, and says so once.
pub fn watch(task: usize, sign: Sign, tell: Sender<Heard>) {
    let there = move || match &sign {
        Sign::Answers(target) => look(target) == Sight::Listens,
        Sign::File(path) => Path::new(path).exists(),
        Sign::Started => true,
    };
    thread::spawn(move || {
        while !there() {
            thread::sleep(PAUSE);
        }
        // A run that is over listens no more.
        drop(tell.send(Heard::Ready { task }));
    });
}
