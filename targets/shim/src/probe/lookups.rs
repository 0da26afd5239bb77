//! Names that are looked up by threads: one whose name server is slow holds up no other.
use crate::names::{self, Failing};
use crate::sys::lookup::Answer;
use std::collections::VecDeque;
use std::io::{Error, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

/// The most threads, and what each may use of its stack.
const MOST: usize = 32;
const STACK: usize = 1 << 17;

/// The names of a round.
#[derive(Debug)]
pub struct Lookups {
    open: Mutex<VecDeque<String>>,
    found: Mutex<Vec<(String, Answer)>>,
    /// Has a byte for each that was found.
    wakes: PipeReader,
    wake: PipeWriter,
}

impl Lookups {
    /// Nothing is looked up yet.
    ///
    /// # Errors
    /// Where the process can open nothing more.
    pub fn new(names: impl Iterator<Item = String>) -> Result<Self, Error> {
        let (wakes, wake) = std::io::pipe()?;
        Ok(Self { open: Mutex::new(names.collect()), found: Mutex::default(), wakes, wake })
    }

    /// Starts the threads. Where the system has none, this one looks up all names in turn.
    pub fn start<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        let most = locked(&self.open).len().min(MOST);
        let thread = || Builder::new().stack_size(STACK).spawn_scoped(scope, || self.work()).is_ok();
        let started = (0..most).take_while(|_| thread()).count();
        if started == 0 {
            self.work();
        }
    }

    fn work(&self) {
        let failing = Failing::default();
        loop {
            let name = locked(&self.open).pop_front();
            let Some(name) = name else { return };
            let answer = names::addresses(&name, 0, &failing);
            locked(&self.found).push((name, answer));
            let _ = (&self.wake).write_all(b".");
        }
    }

    /// What has something to read when more names are found.
    pub fn wakes(&self) -> RawFd {
        self.wakes.as_raw_fd()
    }

    /// What was found since the last call, where [`Lookups::wakes`] has something to read.
    pub fn take(&self) -> Vec<(String, Answer)> {
        let _ = (&self.wakes).read(&mut [0; 512]);
        std::mem::take(&mut *locked(&self.found))
    }
}

fn locked<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}
