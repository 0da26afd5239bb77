//! Which duties the shim of this release carries out: the shim refuses the others, and the gate warns of them.
use crate::{Contract, Duties, Peers, Ready, Role, RoleDuties, When};

/// A duty, as far as the shim either carries it out or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Waiting until the peers have addresses.
    Wait,
    /// The end of the job after so long.
    Deadline,
    /// Time between the polite signal and the kill.
    Grace,
    /// Stopping what only serves when the job is done.
    EndsWith,
    /// Looking into the folder of checkpoints.
    Checkpoints,
    /// Staying after success.
    Hold,
    /// Restarts in place.
    Restart,
    /// Looking for data on the node.
    Reads,
    /// Hearing that the program's work is done.
    Done,
    /// A start after another role's.
    AfterStarted,
    /// A start after another role is ready.
    AfterReady,
    /// A start after another role has ended well.
    AfterDone,
    /// Being ready by a port that is known to all.
    ReadyPort,
    /// Being ready by a port that only the task itself knows.
    ReadyFreePort,
    /// Being ready by a file.
    ReadyFile,
    /// An end only after that of others.
    Outlives,
    /// Seeing the end of a task that has no port of the rendezvous.
    Unseen,
}

impl Duty {
    /// Whether the shim of this release carries it out. One line a duty: the only place where it is said.
    ///
    /// What is not carried out cannot be seen by the task that would have to wait: a file in another container, a port
    /// that nobody was told, an end that leaves nothing behind.
    #[must_use]
    pub const fn carried(self) -> bool {
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
            Self::AfterDone | Self::ReadyFreePort | Self::ReadyFile | Self::Unseen => false,
        }
    }

    /// The words of the language.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Wait => "start timeout=",
            Self::Deadline => "deadline",
            Self::Grace => "stop grace=",
            Self::EndsWith => "success",
            Self::Checkpoints => "checkpoints",
            Self::Hold => "hold",
            Self::Restart => "restart",
            Self::Reads => "data",
            Self::Done => "{done}",
            Self::AfterStarted => "after when=\"started\"",
            Self::AfterReady => "after when=\"ready\"",
            Self::AfterDone => "after when=\"done\"",
            Self::ReadyPort => "ready",
            Self::ReadyFreePort => "ready of a port without a number",
            Self::ReadyFile => "ready file=",
            Self::Outlives => "success \"all\"",
            Self::Unseen => "success of a task without a port",
        }
    }
}

impl Duty {
    /// The keyword of the language that requests the duty. `None`: a consequence of the platform.
    #[must_use]
    pub const fn keyword(self) -> Option<&'static str> {
        match self {
            Self::Wait => Some("start timeout"),
            Self::Deadline => Some("deadline"),
            Self::Grace => Some("stop grace"),
            Self::EndsWith | Self::Outlives | Self::Unseen => Some("success"),
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
    /// All duties of the contract, each with its JSON pointer, in the order of the contract.
    #[must_use]
    pub fn asked(&self) -> Vec<(String, Duty)> {
        let mut all = Vec::new();
        for (id, role) in self.roles.iter().enumerate() {
            let base = format!("/roles/{id}/duties");
            all.extend(
                self.role_duties_asked(role)
                    .into_iter()
                    .map(|(field, duty)| (format!("{base}/{field}"), duty)),
            );
        }
        let Some(duties) = &self.duties else { return all };
        let Duties { wait, deadline, grace, ends_with, checkpoints, hold } = duties;
        let unseen =
            ends_with.is_some_and(|ends| self.deciding(ends).iter().any(|task| !self.seen(&task.role)));
        let fields = [
            (wait.is_some(), "wait", Duty::Wait),
            (deadline.is_some(), "deadline", Duty::Deadline),
            (grace.is_some(), "grace", Duty::Grace),
            (ends_with.is_some(), "ends_with", if unseen { Duty::Unseen } else { Duty::EndsWith }),
            (checkpoints.is_some(), "checkpoints", Duty::Checkpoints),
            (*hold, "hold", Duty::Hold),
        ];
        let asked = fields.into_iter().filter(|(there, ..)| *there);
        all.extend(asked.map(|(_, field, duty)| (format!("/duties/{field}"), duty)));
        all
    }

    /// The first duty that the shim of this release does not carry out, and where it stands.
    #[must_use]
    pub fn beyond(&self) -> Option<(String, Duty)> {
        self.asked().into_iter().find(|(_, duty)| !duty.carried())
    }

    /// Whether others can see the end of a role's tasks: they have a port, and an address.
    fn seen(&self, role: &str) -> bool {
        match self.peers {
            Peers::Template(_) => self.role_named(role).is_some_and(|role| role.port != 0),
            Peers::Given { .. } => true,
            Peers::Alone => false,
        }
    }

    fn role_duties_asked(&self, role: &Role) -> Vec<(String, Duty)> {
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
        let duty = if outlives.iter().all(|role| self.seen(role)) { Duty::Outlives } else { Duty::Unseen };
        all.extend((!outlives.is_empty()).then(|| ("outlives".to_owned(), duty)));
        all.extend(returns.then(|| ("returns".to_owned(), Duty::Restart)));
        all.extend(done.then(|| ("done".to_owned(), Duty::Done)));
        all.extend((!reads.is_empty()).then(|| ("reads".to_owned(), Duty::Reads)));
        all
    }
}
