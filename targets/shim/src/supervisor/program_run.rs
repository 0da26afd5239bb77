//! One run of the program: from its start to the exit of all its processes.
use super::completion_watch::CompletionWatch;
use super::peer_wait::PeerWait;
use super::{ProgramEnd, StopReason, Supervisor, now};
use crate::budget::{self, Run, Verdict};
use crate::event_loop;
use crate::exit::Exit;
use crate::exit_watch::ExitWatch;
use crate::humanize;
use crate::memory;
use crate::process_tree;
use crate::stop::{self, Stop};
use crate::sys::{Pid, Status};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};
use tfjob_contract::Restart;

/// Grace of leftover processes of a program without a contract. `PLAIN` applies after a signal from outside, and is the usual grace
/// of containers; `LEFT` applies otherwise.
const PLAIN: Duration = Duration::from_secs(10);
const LEFT: Duration = Duration::from_secs(1);
/// Maximum time between the first and the last signal of a sender that signals each process of a job or container. Service managers
/// take less than a millisecond (`unit_kill_context` in systemd's unit.c). `ALL_OF_PARENT` applies under `tfjob run` and is longer,
/// because there the grace starts only after this time.
const ALL: Duration = Duration::from_millis(100);
const ALL_OF_PARENT: Duration = Duration::from_millis(250);
/// How long to wait for a stop by the parent, after a stop by another sender; at most a quarter of the grace.
const PARENT: Duration = Duration::from_secs(2);

impl Supervisor {
    /// Starts the program. Returns when the program and all its processes have exited.
    ///
    /// # Errors
    /// The start failed.
    pub(super) fn run_program(&mut self) -> Result<ProgramEnd, Exit> {
        // `machine` lives as long as the program runs, and so do its port reservations.
        let mut machine = self.program.machine().kept(self.completion.as_mut().map(CompletionWatch::reset));
        let (mut command, hidden) = self.program.command(&mut machine)?;
        let kills = self.program.is_task().then(|| memory::kills(Path::new("/")));
        self.attempt = self.attempt.saturating_add(1);
        let started = Instant::now();
        let foreground = event_loop::can_give_terminal();
        let pid = crate::program::launch(&mut command, self.event_loop.signals, foreground)
            .map_err(|exit| exit.hiding(&hidden))?;
        self.event_loop.register(pid, foreground);
        self.emit("started", &format!("started process {pid}"));
        let mut stop: Option<(StopReason, Stop)> = None;
        let status = loop {
            if let Some(status) = self.event_loop.ended.take() {
                break status;
            }
            stop = stop.or_else(|| self.stop_reason(pid));
            let mut until = if stop.is_none() { self.deadline } else { None };
            if let Some((_, stop)) = &mut stop {
                let settles = self.forward_signal(stop);
                let (signal, again) = stop.advance(true, &self.event_loop.unrelated());
                until = again.into_iter().chain(settles).min();
                if let Some(signal) = signal {
                    self.emit("stop", &format!("sent {signal} to the program, because it is still running"));
                }
            } else {
                let (seen, again) = self.probe_peers();
                if seen {
                    continue;
                }
                until = until.into_iter().chain(again).chain(self.check_completion(false)).min();
            }
            self.listen(until);
        };
        let lived = started.elapsed();
        let _ = self.check_completion(true);
        let (why, stop) = stop.unzip();
        self.wait_for_leftover_processes(pid, stop);
        let starved =
            status != Status::Code(0) && kills.is_some_and(|kills| memory::kills(Path::new("/")) > kills);
        // The stop signal and the exit may be received in the same iteration; `why` is then still `None`.
        let before = why.is_none();
        let stop = why.or_else(|| self.event_loop.asked.map(StopReason::Signal));
        Ok(ProgramEnd { status, lived, stop, before, starved })
    }

    /// Waits before the next attempt after a restart that failed for a temporary reason: the program file is being replaced, or the
    /// process limit of the machine is reached. The program has run before, so `codes` and `min-uptime` do not apply.
    ///
    /// # Errors
    /// The fault, if no restart is left or the cause is permanent.
    pub(super) fn retry_failed_start(&mut self, fault: Exit) -> Result<(), Exit> {
        let (code, text) = fault.parts();
        let passes = matches!(fault, Exit::NotFound(_) | Exit::NotExecutable(_) | Exit::Machine(_));
        let Some(terms) = self.role.restart.clone().filter(|_| passes) else { return Err(fault) };
        let every = Restart { codes: Vec::new(), min_uptime: None, ..terms.clone() };
        let run = Run { code, lived: Duration::ZERO, progress: false, now: now() };
        match budget::judge(&every, &mut self.past, run, RandomState::new().build_hasher().finish()) {
            Verdict::Again(pause) => {
                self.save_state();
                let text = text.unwrap_or_default();
                self.emit("restart", &format!("{text}; {}", self.describe_restart(&terms, pause)));
                self.pause(pause)
            }
            Verdict::End(why) => {
                let why = Exit::Machine(format!("{}: not restarted: {why}", self.name));
                Exit::all(vec![fault, why]).map_or(Ok(()), Err)
            }
        }
    }

    /// Describes why the program is stopped. `tfjob run` reads the signal from this text.
    fn describe_stop(&self, why: StopReason) -> String {
        match why {
            StopReason::Signal(signal) => {
                format!("stopping the program: received {}", humanize::signal(signal))
            }
            StopReason::Deadline => "stopping the program: `deadline` is exceeded".to_owned(),
            StopReason::JobDone => {
                "stopping the program: the tasks that decide job success have finished".to_owned()
            }
            StopReason::PeersMissing if self.peer_wait.as_ref().is_some_and(PeerWait::has_failed) => {
                "stopping the program: a peer has failed".to_owned()
            }
            StopReason::PeersMissing => {
                "stopping the program: peers were not ready within `start timeout`".to_owned()
            }
            StopReason::CompletionTimeout => {
                "stopping the program: it reported completion, but is still running".to_owned()
            }
        }
    }

    /// Returns why the program must be stopped now, and begins the stop. `None` if it need not be stopped. `group`: process group
    /// of the program.
    fn stop_reason(&mut self, group: Pid) -> Option<(StopReason, Stop)> {
        let late = || {
            self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(StopReason::Deadline)
        };
        let done = || self.watch.as_ref().is_some_and(ExitWatch::all_exited).then_some(StopReason::JobDone);
        let missed = || self.missing_peers().map(|_| StopReason::PeersMissing);
        let said = || {
            self.completion
                .as_ref()
                .is_some_and(CompletionWatch::is_timed_out)
                .then_some(StopReason::CompletionTimeout)
        };
        let why = self
            .event_loop
            .asked
            .map(StopReason::Signal)
            .or_else(late)
            .or_else(done)
            .or_else(missed)
            .or_else(said)?;
        let said = self.describe_stop(why);
        let stated = self.duties.grace.map(Duration::from_secs);
        let open = self.event_loop.is_undecided();
        let (grace, passed) = match why {
            // The platform that sent the signal also sends SIGKILL; `tfjob run` leaves SIGKILL to the shim.
            StopReason::Signal(signal) if self.event_loop.is_forwarded(signal) => {
                (stated.or(self.default_grace()), true)
            }
            StopReason::Signal(_) if open => (stated.or(Some(stop::GRACE)), true),
            StopReason::Signal(_)
            | StopReason::Deadline
            | StopReason::JobDone
            | StopReason::PeersMissing
            | StopReason::CompletionTimeout => (stated.or(Some(stop::GRACE)), false),
        };
        // The grace of a stop under `tfjob run` starts when it is decided whether to forward SIGTERM.
        let told = self
            .parent
            .filter(|_| open)
            .and_then(|_| self.event_loop.decides_at(ALL_OF_PARENT, self.parent_window()));
        let now = Instant::now();
        let from = told.map_or(now, |told| told.max(now));
        let mut stop = Stop::begin(grace, from, group, (passed, &self.event_loop.unrelated()));
        stop.program_only = !self.program.is_task();
        if open {
            stop.assume_signaled(&self.event_loop.unrelated());
        }
        self.event_loop.stopping = true;
        self.emit("stop", &said);
        Some((why, stop))
    }

    /// Returns how long to wait for a stop by the parent.
    fn parent_window(&self) -> Duration {
        let quarter = self.duties.grace.map(|seconds| Duration::from_millis(seconds.saturating_mul(250)));
        quarter.map_or(PARENT, |quarter| quarter.min(PARENT))
    }

    /// Forwards the stop signal, once it is certain that the program has not received it. Returns when to call again; `None` once
    /// this is decided.
    fn forward_signal(&mut self, stop: &mut Stop) -> Option<Instant> {
        let all = if self.parent.is_some() { ALL_OF_PARENT } else { ALL };
        let at = self.event_loop.decides_at(all, self.parent_window())?;
        if Instant::now() < at {
            return Some(at);
        }
        let asked = self.event_loop.asked.filter(|signal| self.event_loop.is_forwarded(*signal));
        if self.event_loop.decide() {
            stop.uncertain = true;
            stop.assume_signaled(&self.event_loop.unrelated());
        } else {
            stop.signal_late(asked.unwrap_or(libc::SIGTERM), &self.event_loop.unrelated());
        }
        None
    }

    /// Returns the grace of a stop by the parent, which sends no SIGKILL. `None` without a parent.
    fn default_grace(&self) -> Option<Duration> {
        self.parent.map(|_| stop::GRACE)
    }

    /// Stops and waits for leftover processes of a program that has exited. Each of them gets SIGTERM once, and has the rest of the
    /// grace to exit.
    fn wait_for_leftover_processes(&mut self, group: Pid, stop: Option<Stop>) {
        self.event_loop.cancel_probe();
        // The sender that stopped the program may be about to signal the leftover processes too. They must get SIGTERM only once.
        if process_tree::is_empty(&self.event_loop.unrelated())
            || !self.event_loop.is_undecided() && (stop.is_some() || !self.event_loop.start_check())
        {
            self.event_loop.dismiss_witness();
        }
        self.event_loop.reap();
        if self.event_loop.childless {
            return;
        }
        let (open, asked) = (self.event_loop.is_undecided(), self.event_loop.asked);
        let ordered = stop.is_some() || asked.is_some();
        // A stop from outside requested SIGTERM for all processes, so leftover processes are not reported.
        let mut left = if ordered { None } else { self.describe_leftover_processes() };
        let mut stop = stop.unwrap_or_else(|| {
            let passed = open || asked.is_some_and(|signal| self.event_loop.is_forwarded(signal));
            Stop::begin(None, Instant::now(), group, (passed, &self.event_loop.unrelated()))
        });
        let grace = match self.duties.grace.map(Duration::from_secs) {
            Some(grace) => grace,
            None if self.program.is_task() => stop::GRACE,
            None if ordered => PLAIN,
            None => LEFT,
        };
        stop.set_grace(grace, Instant::now());
        while !self.event_loop.childless && !stop.is_spent() {
            if let Some(settles) = self.forward_signal(&mut stop) {
                self.listen(Some(settles));
                left = left.and_then(|_| self.describe_leftover_processes());
                continue;
            }
            if let Some(left) = left.take().filter(|_| !stop.uncertain) {
                self.emit("leftover", &left);
            }
            let (signal, again) = stop.advance(false, &self.event_loop.unrelated());
            if let Some(signal) = signal {
                self.emit(
                    "leftover",
                    &format!("sent {signal} to leftover processes, because they are still running"),
                );
            }
            self.listen(again);
        }
        self.event_loop.dismiss_witness();
        if !self.event_loop.childless {
            self.emit(
                "leftover",
                "leftover processes did not exit after SIGKILL; tfjob-shim exits without waiting for them",
            );
        }
    }

    /// Describes the leftover processes that get SIGTERM. One of them may be the actual work of the task. `None` if there are none,
    /// and for a program without a contract.
    fn describe_leftover_processes(&self) -> Option<String> {
        let left =
            process_tree::descendants(&self.event_loop.unrelated()).filter(|_| self.program.is_task())?;
        let (noun, names) =
            (if left.len() == 1 { "process" } else { "processes" }, process_tree::describe(&left));
        (!left.is_empty())
            .then(|| format!("the program exited; sent SIGTERM to {} leftover {noun}: {names}", left.len()))
    }
}
