//! Readiness probes of tasks on separate threads, with the probe code of the shim.
use super::message::Message;
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tfjob_contract::{Contract, Readiness, TaskId};
use tfjob_shim::{ProbeResult, Target, probe};

/// Pause between two probes.
const PAUSE: Duration = Duration::from_millis(100);
/// Maximum number of probe threads.
const MOST: usize = 32;
/// Stack size of a probe thread in bytes.
const STACK: usize = 1 << 18;

/// A readiness probe.
#[derive(Debug)]
pub enum View {
    /// The target answers.
    Answers(Target),
    /// The file exists.
    File(PathBuf),
    /// The task has started.
    Started,
}

/// Returns the readiness probe of a task. `own` is the rendezvous address of the task, `host:port`.
pub fn view(contract: &Contract, task: &TaskId, own: &str) -> View {
    let Some(role) = contract.role_named(&task.role) else { return View::Started };
    match contract.readiness(role) {
        Readiness::Answers { port, path } => {
            let rendezvous = || own.rsplit_once(':')?.1.parse().ok();
            let (task, host, path) = (task.clone(), "127.0.0.1".to_owned(), path.map(str::to_owned));
            let port = port.or_else(rendezvous);
            port.map_or(View::Started, |port| View::Answers(Target { task, host, port: Some(port), path }))
        }
        Readiness::File(path) => View::File(PathBuf::from(path)),
        Readiness::Started => View::Started,
    }
}

/// Tasks that are probed until they are ready or finished.
#[derive(Debug, Default)]
struct Open {
    /// Probes with the time of the next try, the soonest first.
    views: VecDeque<(Instant, usize, View)>,
    /// Numbers of finished tasks, which are no longer probed.
    ended: BTreeSet<usize>,
    /// Number of probe threads that exist.
    threads: usize,
    /// Number of threads that are probing now.
    looking: usize,
}

/// The probe threads. A probe may take a second, so each task gets its own thread up to a limit.
#[derive(Debug)]
pub struct Watch {
    open: Arc<(Mutex<Open>, Condvar)>,
    tell: Sender<Message>,
}

impl Watch {
    /// Starts the first thread. If no other thread can be started, the first thread probes all tasks in turn.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be created.
    pub fn new(tell: Sender<Message>) -> io::Result<Self> {
        let watch = Self { open: Arc::default(), tell };
        watch.help(true)?;
        Ok(watch)
    }

    /// Probes a task until it is ready, and then sends a message.
    pub fn add(&self, task: usize, view: View) {
        let threads = {
            let mut open = locked(&self.open.0);
            open.views.push_front((Instant::now(), task, view));
            (open.threads, open.views.len() + open.looking)
        };
        self.open.1.notify_one();
        if threads.0 < threads.1.min(MOST) {
            // An error is ignored: the existing threads then probe all tasks, but take longer.
            let _ = self.help(false);
        }
    }

    /// Stops probing a finished task.
    pub fn forget(&self, task: usize) {
        let mut open = locked(&self.open.0);
        open.views.retain(|(_, other, _)| *other != task);
        open.ended.insert(task);
    }

    /// Starts a thread. `stays`: whether the thread waits for new tasks instead of exiting.
    fn help(&self, stays: bool) -> io::Result<()> {
        let (open, tell) = (Arc::clone(&self.open), self.tell.clone());
        let work = move || {
            while let Some((task, view)) = next(&open, stays) {
                let shows = view.is_ready();
                locked(&open.0).looking -= 1;
                if shows {
                    // Sending fails if the run has ended, so an error is ignored.
                    drop(tell.send(Message::Ready { task }));
                    continue;
                }
                let mut open = locked(&open.0);
                if !open.ended.contains(&task) {
                    open.views.push_back((Instant::now() + PAUSE, task, view));
                }
            }
        };
        // The count is increased before the start, because the thread decreases it when it exits.
        locked(&self.open.0).threads += 1;
        let started = thread::Builder::new().name("ready".to_owned()).stack_size(STACK).spawn(work);
        if started.is_err() {
            locked(&self.open.0).threads -= 1;
        }
        started.map(drop)
    }
}

/// Waits for the next task to probe. `None`: the thread must exit.
fn next(open: &(Mutex<Open>, Condvar), stays: bool) -> Option<(usize, View)> {
    let mut held = locked(&open.0);
    loop {
        match held.views.front() {
            None if stays => held = open.1.wait(held).unwrap_or_else(PoisonError::into_inner),
            None => {
                held.threads -= 1;
                return None;
            }
            Some((at, ..)) => {
                let pause = at.saturating_duration_since(Instant::now());
                if pause.is_zero() {
                    held.looking += 1;
                    return held.views.pop_front().map(|(_, task, view)| (task, view));
                }
                held = open.1.wait_timeout(held, pause).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}

fn locked(open: &Mutex<Open>) -> MutexGuard<'_, Open> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl View {
    /// Probes once. Returns whether the task is ready.
    fn is_ready(&self) -> bool {
        match self {
            Self::Answers(target) => probe(target) == ProbeResult::Answers,
            Self::File(path) => Path::new(path).exists(),
            Self::Started => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, PAUSE, View, Watch, locked};
    use crate::running::message::Message;
    use std::net::TcpListener;
    use std::path::PathBuf;
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};
    use tfjob_contract::TaskId;
    use tfjob_shim::Target;

    #[test]
    fn a_task_that_does_not_answer_does_not_delay_another() {
        // This listener accepts connections and never answers, so each probe takes its full timeout of a second.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (tell, _hear) = channel();
        let watch = Watch::new(tell).unwrap();
        let port = Some(silent.local_addr().unwrap().port());
        let task = TaskId { role: "a".to_owned(), index: 0 };
        watch.add(
            0,
            View::Answers(Target { task, host: "127.0.0.1".to_owned(), port, path: Some("/".to_owned()) }),
        );
        let deadline = Instant::now() + Duration::from_secs(20);
        while locked(&watch.open.0).looking == 0 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(1));
        }
        watch.add(1, View::File(folder.path().join("1")));
        assert_eq!(locked(&watch.open.0).threads, 2);
    }

    #[test]
    fn few_threads_look_at_many_tasks_and_end_with_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = |task: usize| folder.path().join(task.to_string());
        let (tell, hear) = channel();
        let watch = Watch::new(tell).unwrap();
        (0..200).for_each(|task| watch.add(task, View::File(file(task))));
        assert_eq!(locked(&watch.open.0).threads, MOST);
        std::fs::write(file(150), "").unwrap();
        let heard = hear.recv_timeout(Duration::from_secs(20));
        assert!(matches!(heard, Ok(Message::Ready { task: 150 })), "{heard:?}");
        (0..200).for_each(|task| watch.forget(task));
        let end = Instant::now() + Duration::from_secs(20);
        while locked(&watch.open.0).threads > 1 {
            assert!(Instant::now() < end, "threads look at nothing");
            std::thread::sleep(PAUSE);
        }
        // One thread stays, and probes tasks that are added later.
        watch.add(200, View::File(PathBuf::from("/")));
        assert!(matches!(hear.recv_timeout(Duration::from_secs(20)), Ok(Message::Ready { task: 200 })));
    }
}
