//! Whether a task is ready, seen aside by the shim's own eyes. All tasks are on this machine.
use super::message::Message;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;
use tfjob_contract::{Contract, Sign, TaskId};
use tfjob_shim::{Sight, Target, look};

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// What to look at.
#[derive(Debug)]
pub enum View {
    /// It answers there.
    Answers(Target),
    /// The file is there.
    File(PathBuf),
    /// It has been started.
    Started,
}

/// Where a task whose rendezvous is at `own`, `host:port`, shows that it is ready.
pub fn view(contract: &Contract, task: &TaskId, own: &str) -> View {
    let Some(role) = contract.role_named(&task.role) else { return View::Started };
    match contract.sign(role) {
        Sign::Answers { port, path } => {
            let cluster = || own.rsplit_once(':')?.1.parse().ok();
            let (task, host, path) = (task.clone(), "127.0.0.1".to_owned(), path.map(str::to_owned));
            let port = port.or_else(cluster);
            port.map_or(View::Started, |port| View::Answers(Target { task, host, port: Some(port), path }))
        }
        Sign::File(path) => View::File(PathBuf::from(path)),
        Sign::Started => View::Started,
    }
}

/// Looks until it is so, and says it once.
pub fn watch(task: usize, view: View, tell: Sender<Message>) {
    let there = move || match &view {
        View::Answers(target) => look(target) == Sight::Listens,
        View::File(path) => Path::new(path).exists(),
        View::Started => true,
    };
    thread::spawn(move || {
        while !there() {
            thread::sleep(PAUSE);
        }
        // A run that is over listens no more.
        drop(tell.send(Message::Ready { task }));
    });
}
