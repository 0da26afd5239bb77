//! When a shim answers on the rendezvous port of its task while the program is down: other shims and probes of the platform
//! read that line, and so does every client of the program.
use crate::{Contract, FrameworkName, Piece, Ready, Role, Run, Sign, TaskId, When, variable};
use std::collections::BTreeSet;

/// When the shim of a task answers on its rendezvous port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Never: only clients of the program would read it.
    Never,
    /// Until the first start.
    BeforeStart,
    /// Until the first start, and in each pause before a restart.
    WheneverDown,
}

impl Contract {
    /// When the shim of a task of the role says on the rendezvous port that the program is down.
    ///
    /// TensorFlow's gRPC takes a line that is not HTTP/2 for a server that is not there yet. Others do not: torch 1.13.1 ends
    /// with `std::bad_alloc` or "Stop_waiting response is expected", while it tries a closed port again for its whole timeout.
    /// So their port stays closed, unless a shim or a probe of the platform looks at it before the first start.
    #[must_use]
    pub fn notice(&self, role: &Role) -> Notice {
        if self.all_listen(role) {
            Notice::WheneverDown
        } else if is_probed(role) || self.is_looked_at(role) {
            Notice::BeforeStart
        } else {
            Notice::Never
        }
    }

    /// Whether a shim looks at the rendezvous port of the role's tasks to see whether their programs have been started.
    fn is_looked_at(&self, role: &Role) -> bool {
        let after =
            self.roles.iter().filter_map(|role| role.duties.as_ref()).flat_map(|duties| &duties.after);
        after.filter(|after| after.role == role.name).any(|after| match (after.when, self.sign(role)) {
            (When::Started, _) | (When::Ready | When::Done, Sign::File(_) | Sign::Started) => true,
            (When::Ready | When::Done, Sign::Answers { port, .. }) => port.is_none(),
        })
    }

    /// The task that clients call first: the one on `MASTER_PORT` and its like. Where the framework has none, the first one
    /// with a line on its port, of a role of which others have the addresses.
    #[must_use]
    pub fn rendezvous_task(&self) -> Option<TaskId> {
        let mut members = self.roles.iter().filter(|role| role.kind.is_peer());
        let first = match self.framework.name {
            FrameworkName::Pytorch
            | FrameworkName::Mxnet
            | FrameworkName::Xgboost
            | FrameworkName::Horovod => {
                let names = self.framework.name.roles().iter().map(|kind| kind.keyword());
                names.filter_map(|name| self.role_named(name)).find(|role| role.kind.is_peer())
            }
            FrameworkName::Caffe | FrameworkName::Custom => members.find(|role| {
                self.notice(role) == Notice::BeforeStart
                    && self.roles.iter().any(|other| other.kind.is_peer() && names(other, role))
            }),
            FrameworkName::Tensorflow => None,
        }?;
        Some(TaskId { role: first.name.clone(), index: 0 })
    }

    /// How far the rendezvous task must have come before this task starts: its program would take the line of a shim on that
    /// port for the server. `None`: no line stands there, or that task itself starts after this one.
    #[must_use]
    pub fn calls_after(&self, task: &TaskId) -> Option<(TaskId, When)> {
        let first = self.rendezvous_task().filter(|first| first != task)?;
        let (role, own) = (self.role_of(&first).ok()?, self.role_of(task).ok()?);
        let waits = self.duties.as_ref().is_some_and(|duties| duties.wait.is_some())
            || role.duties.as_ref().is_some_and(|duties| !duties.after.is_empty());
        let client = own.kind.is_peer() && (!self.framework.name.takes_any_role() || names(own, role));
        let calls = client && waits && self.notice(role) == Notice::BeforeStart;
        if !calls || self.starts_after(role, own) {
            return None;
        }
        Some((first, if is_probed(role) { When::Ready } else { When::Started }))
    }

    /// Whether a role starts after another one, directly or by roles between them.
    fn starts_after(&self, role: &Role, other: &Role) -> bool {
        let (mut seen, mut left) = (BTreeSet::new(), vec![role]);
        while let Some(next) = left.pop() {
            let firsts = next.duties.iter().flat_map(|duties| &duties.after);
            left.extend(
                firsts
                    .filter(|after| seen.insert(&after.role))
                    .filter_map(|after| self.role_named(&after.role)),
            );
        }
        seen.contains(&other.name)
    }
}

/// Whether the role says that its tasks are ready when they listen on the rendezvous port: the probe of a platform may stand there,
/// and on some platforms hides the address of a task until it passes.
fn is_probed(role: &Role) -> bool {
    matches!(role.duties.as_ref().and_then(|duties| duties.ready.as_ref()), Some(Ready::Tcp(port)) if port == "cluster")
}

/// Whether the texts of a role have the addresses of another one: its programs call them.
fn names(role: &Role, other: &Role) -> bool {
    let variable = variable(&["addresses", &other.name]);
    let reads = |text: &str| {
        let mut ends = text.match_indices(&variable).map(|(at, _)| &text[at + variable.len()..]);
        ends.any(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    let script = match &role.run {
        Run::Shell(text) => reads(text),
        Run::Argv(_) => false,
    };
    script
        || role.pieces().any(|piece| match piece {
            Piece::Addresses(name) => *name == other.name,
            Piece::Text(text) => reads(text),
            Piece::Index | Piece::Address | Piece::Port(_) | Piece::Env(_) | Piece::Done => false,
        })
}
