//! When a shim answers on the rendezvous port while its program is not running. Other shims and platform probes need the answer.
//! But the clients of the program get the same answer, and some of them then fail.
use crate::{
    Contract, FrameworkName, Piece, RENDEZVOUS, Readiness, Ready, Role, Run, TaskId, When, variable,
};
use std::collections::BTreeSet;

/// When the shim of a task answers on its rendezvous port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Never, because only clients of the program would read the answer.
    Never,
    /// Before the first start.
    BeforeStart,
    /// Before the first start, and before each restart.
    WheneverDown,
}

impl Contract {
    /// Returns when the shims of a role answer on the rendezvous port.
    ///
    /// The gRPC client of TensorFlow treats a server that does not answer in HTTP/2 as not started. Clients of other frameworks do
    /// not: torch 1.13.1 fails with `std::bad_alloc` or "Stop_waiting response is expected", but retries a closed port until its
    /// timeout. So the port of other frameworks stays closed, unless a shim or a platform probe checks it before the first start.
    #[must_use]
    pub fn notice(&self, role: &Role) -> Notice {
        if self.all_listen(role) {
            Notice::WheneverDown
        } else if is_probed(role) || self.is_probed_for_start(role) {
            Notice::BeforeStart
        } else {
            Notice::Never
        }
    }

    /// Whether the shim of another role probes the rendezvous port of this role, to detect that this role has started.
    fn is_probed_for_start(&self, role: &Role) -> bool {
        let after =
            self.roles.iter().filter_map(|role| role.duties.as_ref()).flat_map(|duties| &duties.after);
        after.filter(|after| after.role == role.name).any(|after| match (after.when, self.readiness(role)) {
            (When::Started, _) | (When::Ready | When::Done, Readiness::File(_) | Readiness::Started) => true,
            (When::Ready | When::Done, Readiness::Answers { port, .. }) => port.is_none(),
        })
    }

    /// Returns the task that clients contact first, such as the task that listens on `MASTER_PORT`. If the framework has no such
    /// task, it is the first task of a role that has [`Notice::BeforeStart`], if other roles use the addresses of this role. Of
    /// several such roles, the first counts.
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
                    && self.roles.iter().any(|other| other.kind.is_peer() && uses_addresses(other, role))
            }),
            FrameworkName::Tensorflow => None,
        }?;
        Some(TaskId { role: first.name.clone(), index: 0 })
    }

    /// Returns the rendezvous task, and the state that it must reach before this task starts. Before this state, the shim of the
    /// rendezvous task may answer on the port. The program of this task could take this answer for one of the program of the
    /// rendezvous task. `None` if the shim of the rendezvous task does not answer, or if the rendezvous task starts after this
    /// task.
    #[must_use]
    pub fn rendezvous_prerequisite(&self, task: &TaskId) -> Option<(TaskId, When)> {
        let first = self.rendezvous_task().filter(|first| first != task)?;
        let (role, own) = (self.role_of(&first).ok()?, self.role_of(task).ok()?);
        let waits = self.duties.as_ref().is_some_and(|duties| duties.wait.is_some())
            || role.duties.as_ref().is_some_and(|duties| !duties.after.is_empty());
        let client =
            own.kind.is_peer() && (!self.framework.name.takes_any_role() || uses_addresses(own, role));
        let calls = client && waits && self.notice(role) == Notice::BeforeStart;
        if !calls || self.starts_after(role, own) {
            return None;
        }
        Some((first, if is_probed(role) { When::Ready } else { When::Started }))
    }

    /// Whether a role starts after another one, directly or transitively.
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

/// Whether the readiness probe of the role uses the rendezvous port. If so, the shim answers on this port before the program
/// starts: the platform may run the same probe, and some platforms hide the address of a task until its probe passes.
fn is_probed(role: &Role) -> bool {
    matches!(role.duties.as_ref().and_then(|duties| duties.ready.as_ref()), Some(Ready::Tcp(port)) if port == RENDEZVOUS)
}

/// Whether a role uses the addresses of another one.
fn uses_addresses(role: &Role, other: &Role) -> bool {
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
