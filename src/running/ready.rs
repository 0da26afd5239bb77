//! Whether a task is ready, seen aside by the shim's own eyes. All tasks are on this machine.
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

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// How many threads look at the most.
const MOST: usize = 32;
/// What a thread may use of its stack.
const STACK: usize = 1 << 18;

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
    match contract.readiness(role) {
        Readiness::Answers { port, path } => {
            let cluster = || own.rsplit_once(':')?.1.parse().ok();
            let (task, host, path) = (task.clone(), "127.0.0.1".to_owned(), path.map(str::to_owned));
            let port = port.or_else(cluster);
            port.map_or(View::Started, |port| View::Answers(Target { task, host, port: Some(port), path }))
        }
        Readiness::File(path) => View::File(PathBuf::from(path)),
        Readiness::Started => View::Started,
    }
}

/// Tasks that are looked at until they are ready or have ended.
#[derive(Debug, Default)]
struct Open {
    /// Each with the time of its next look, the soonest first.
    views: VecDeque<(Instant, usize, View)>,
    /// Tasks that have ended.
    ended: BTreeSet<usize>,
    /// Threads that look.
    threads: usize,
    /// Threads that are in the middle of a look.
    looking: usize,
}

/// The threads that look at tasks. A look may take a second, so that each task has a thread of its own where there are few.
#[derive(Debug)]
pub struct Watch {
    open: Arc<(Mutex<Open>, Condvar)>,
    tell: Sender<Message>,
}

impl Watch {
    /// Starts the first thread. Where the system has no more of them, this one looks at all tasks in turn.
    ///
    /// # Errors
    /// Where the system has none to spare.
    pub fn new(tell: Sender<Message>) -> io::Result<Self> {
        let watch = Self { open: Arc::default(), tell };
        watch.help(true)?;
        Ok(watch)
    }

    /// Looks at a task until it is ready, and says it once.
    pub fn add(&self, task: usize, view: View) {
        let threads = {
            let mut open = locked(&self.open.0);
            open.views.push_front((Instant::now(), task, view));
            (open.threads, open.views.len() + open.looking)
        };
        self.open.1.notify_one();
        if threads.0 < threads.1.min(MOST) {
            // Without one more, those that are there take longer.
            let _ = self.help(false);
        }
    }

    /// A task has ended.
    pub fn forget(&self, task: usize) {
        let mut open = locked(&self.open.0);
        open.views.retain(|(_, other, _)| *other != task);
        open.ended.insert(task);
    }

    /// Starts a thread; `stays`: also while there is nothing to look at.
    fn help(&self, stays: bool) -> io::Result<()> {
        let (open, tell) = (Arc::clone(&self.open), self.tell.clone());
        let work = move || {
            while let Some((task, view)) = next(&open, stays) {
                let shows = view.shows();
                locked(&open.0).looking -= 1;
                if shows {
                    // A run that is over listens no more.
                    drop(tell.send(Message::Ready { task }));
                    continue;
                }
                let mut open = locked(&open.0);
                if !open.ended.contains(&task) {
                    open.views.push_back((Instant::now() + PAUSE, task, view));
                }
            }
        };
        // It is counted before it can end.
        locked(&self.open.0).threads += 1;
        let started = thread::Builder::new().name("ready".to_owned()).stack_size(STACK).spawn(work);
        if started.is_err() {
            locked(&self.open.0).threads -= 1;
        }
        started.map(drop)
    }
}

/// The next task to look at, when it is time. `None`: this thread ends.
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
    /// Whether it is so now.
    fn shows(&self) -> bool {
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
        // Takes connections and never answers: each look lasts its full second.
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
        // The one that stays looks at what comes later.
        watch.add(200, View::File(PathBuf::from("/")));
        assert!(matches!(hear.recv_timeout(Duration::from_secs(20)), Ok(Message::Ready { task: 200 })));
    }
}
