//! The duties that the shim of this release supports. A duty is a feature that the job contract requires of the shim, such as
//! restarts. The compiler and the shim reject a job contract with any other duty.
use crate::{Contract, Duties, Peers, Ready, Role, RoleDuties, When};

/// A kind of duty that the shim either supports or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Before the program starts, wait until peers are ready, at most for `start timeout`.
    Wait,
    /// Stop the program when the `deadline` of the job is exceeded.
    Deadline,
    /// Send SIGKILL when `stop grace` has passed after SIGTERM.
    Grace,
    /// Stop long-running programs when the tasks that decide job success have finished.
    EndsWith,
    /// Check the checkpoint directory, and repair it.
    Checkpoints,
    /// Keep the container running after success, because the platform would restart a container that exits.
    Hold,
    /// Restart the program in its container.
    Restart,
    /// Check that data paths on the node exist before the program starts.
    Reads,
    /// Watch the completion file (`{done}`), by which the program reports that its work is complete.
    Done,
    /// Start after another role has started.
    AfterStarted,
    /// Start after another role is ready.
    AfterReady,
    /// Start after another role has succeeded.
    AfterDone,
    /// Readiness probe of a port with a fixed number (not `auto`).
    ReadyPort,
    /// Readiness probe of an allocated port (`auto`), whose number only the task itself knows.
    ReadyFreePort,
    /// Readiness probe of a file.
    ReadyFile,
    /// After success, exit only when the tasks of other roles have finished.
    Outlives,
    /// Detect the exit of a task without an address or rendezvous port, which no other shim can probe.
    UnobservableExit,
}

impl Duty {
    /// Whether the shim of this release supports the duty. No other code decides this.
    ///
    /// A shim can probe another task only at its address and port. So a duty is unsupported if a shim would have to detect one of
    /// these: a file in the container of another task, a port with an unknown number, a completed task, a task without an address
    /// or port.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        match self {
            Self::Wait
            | Self::Deadline
            | Self::Grace
            | Self::EndsWith
            | Self::Checkpoints
            | Self::Hold
            | Self::Restart
            | Self::Reads
            | Self::Done
            | Self::AfterStarted
            | Self::AfterReady
            | Self::ReadyPort
            | Self::Outlives => true,
            Self::AfterDone | Self::ReadyFreePort | Self::ReadyFile | Self::UnobservableExit => false,
        }
    }

    /// Returns the name of the duty for messages: its syntax in the spec, such as `` `start timeout=` ``, or a noun phrase.
    #[must_use]
    pub const fn spec_syntax(self) -> &'static str {
        match self {
            Self::Wait => "`start timeout=`",
            Self::Deadline => "`deadline`",
            Self::Grace => "`stop grace=`",
            Self::EndsWith => "`success`",
            Self::Checkpoints => "`checkpoints`",
            Self::Hold => "a container that keeps running after success (`hold`)",
            Self::Restart => "`restart`",
            Self::Reads => "a check that `data` paths exist on the node",
            Self::Done => "`{done}`",
            Self::AfterStarted => "`after` with `when=\"started\"`",
            Self::AfterReady => "`after` with `when=\"ready\"`",
            Self::AfterDone => "`after` with `when=\"done\"`",
            Self::ReadyPort => "`ready`",
            Self::ReadyFreePort => "`ready` with port `\"auto\"`",
            Self::ReadyFile => "`ready file=`",
            Self::Outlives => "`success \"all\"`",
            Self::UnobservableExit => {
                "waiting for the exit of a task that has no address or no rendezvous port (`success`)"
            }
        }
    }
}

impl Duty {
    /// Returns the keyword that requests the duty. `None` if the platform requires the duty, not the spec.
    #[must_use]
    pub const fn keyword(self) -> Option<&'static str> {
        match self {
            Self::Wait => Some("start timeout"),
            Self::Deadline => Some("deadline"),
            Self::Grace => Some("stop grace"),
            Self::EndsWith | Self::Outlives | Self::UnobservableExit => Some("success"),
            Self::Checkpoints => Some("checkpoints"),
            Self::Hold => None,
            Self::Restart => Some("restart"),
            Self::Reads => Some("data"),
            Self::Done => Some("{done}"),
            Self::AfterStarted | Self::AfterReady | Self::AfterDone => Some("after"),
            Self::ReadyPort | Self::ReadyFreePort | Self::ReadyFile => Some("ready"),
        }
    }
}

impl Contract {
    /// Returns all duties of the contract with their JSON pointers, in the order of the contract.
    #[must_use]
    pub fn requested_duties(&self) -> Vec<(String, Duty)> {
        let mut all = Vec::new();
        for (id, role) in self.roles.iter().enumerate() {
            let base = format!("/roles/{id}/duties");
            all.extend(
                self.requested_role_duties(role)
                    .into_iter()
                    .map(|(field, duty)| (format!("{base}/{field}"), duty)),
            );
        }
        let Some(duties) = &self.duties else { return all };
        let Duties { wait, deadline, grace, ends_with, checkpoints, hold } = duties;
        let unseen = ends_with
            .is_some_and(|ends| self.deciding(ends).iter().any(|task| !self.has_observable_exit(&task.role)));
        let fields = [
            (wait.is_some(), "wait", Duty::Wait),
            (deadline.is_some(), "deadline", Duty::Deadline),
            (grace.is_some(), "grace", Duty::Grace),
            (ends_with.is_some(), "ends_with", if unseen { Duty::UnobservableExit } else { Duty::EndsWith }),
            (checkpoints.is_some(), "checkpoints", Duty::Checkpoints),
            (*hold, "hold", Duty::Hold),
        ];
        let asked = fields.into_iter().filter(|(there, ..)| *there);
        all.extend(asked.map(|(_, field, duty)| (format!("/duties/{field}"), duty)));
        all
    }

    /// Returns the first unsupported duty with its JSON pointer.
    #[must_use]
    pub fn first_unsupported_duty(&self) -> Option<(String, Duty)> {
        self.requested_duties().into_iter().find(|(_, duty)| !duty.is_supported())
    }

    /// Whether other shims can detect the exit of the tasks of a role. For this, each task needs a port and an address.
    fn has_observable_exit(&self, role: &str) -> bool {
        match self.peers {
            Peers::Template(_) => self.role_named(role).is_some_and(|role| role.port != 0),
            Peers::Given { .. } => true,
            Peers::Alone => false,
        }
    }

    fn requested_role_duties(&self, role: &Role) -> Vec<(String, Duty)> {
        let Some(RoleDuties { restart, after, ready, outlives, returns, done, reads }) = &role.duties else {
            return Vec::new();
        };
        let mut all: Vec<(String, Duty)> = Vec::new();
        all.extend(restart.iter().map(|_| ("restart".to_owned(), Duty::Restart)));
        all.extend(after.iter().enumerate().map(|(at, after)| {
            let duty = match after.when {
                When::Started => Duty::AfterStarted,
                When::Ready => Duty::AfterReady,
                When::Done => Duty::AfterDone,
            };
            (format!("after/{at}"), duty)
        }));
        all.extend(ready.iter().map(|ready| {
            let duty = match ready {
                Ready::File(_) => Duty::ReadyFile,
                Ready::Tcp(port) | Ready::Http { port, .. } if role.ports.get(port) == Some(&0) => {
                    Duty::ReadyFreePort
                }
                Ready::Tcp(_) | Ready::Http { .. } => Duty::ReadyPort,
            };
            ("ready".to_owned(), duty)
        }));
        let duty = if outlives.iter().all(|role| self.has_observable_exit(role)) {
            Duty::Outlives
        } else {
            Duty::UnobservableExit
        };
        all.extend((!outlives.is_empty()).then(|| ("outlives".to_owned(), duty)));
        all.extend(returns.then(|| ("returns".to_owned(), Duty::Restart)));
        all.extend(done.then(|| ("done".to_owned(), Duty::Done)));
        all.extend((!reads.is_empty()).then(|| ("reads".to_owned(), Duty::Reads)));
        all
    }
}
