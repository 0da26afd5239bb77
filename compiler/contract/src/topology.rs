//! The tasks that a shim probes: its peers, the tasks that decide job success, and their addresses.
use crate::peers::Found;
use crate::{
    Contract, Failure, FrameworkName, Membership, Pace, Ready, Role, RoleKind, Success, TaskId, leader,
    tf_config,
};
use std::collections::BTreeMap;

/// The variable with the ID of a submission. It is the same in all containers of one submission, and different in other
/// submissions.
pub const SUBMISSION: &str = "TFJOB_SUBMISSION";

/// The variable with a directory that all containers of one task share. An earlier container leaves a marker file there for later
/// containers.
pub const KEPT: &str = "TFJOB_KEPT";

/// The address of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// The task to which the address belongs.
    pub task: TaskId,
    /// Host name or IP address.
    pub host: String,
    /// Rendezvous port of the task, if it has one.
    pub port: Option<u16>,
}

/// How to determine whether a task is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness<'c> {
    /// The task answers on a port.
    Answers {
        /// Port. `None`: the rendezvous port.
        port: Option<u16>,
        /// Path that answers 2xx. `None`: the port accepts connections.
        path: Option<&'c str>,
    },
    /// The file exists.
    File(&'c str),
    /// The task has started.
    Started,
}

impl Contract {
    /// Returns how to determine whether tasks of a role are ready. Default: if all tasks of the role listen on their rendezvous
    /// ports, a task is ready when its port answers. Otherwise, a task is ready when it has started.
    #[must_use]
    pub fn readiness<'c>(&self, role: &'c Role) -> Readiness<'c> {
        let answers = |port: &str, path| Readiness::Answers { port: role.ports.get(port).copied(), path };
        match role.duties.as_ref().and_then(|duties| duties.ready.as_ref()) {
            Some(Ready::Tcp(port)) => answers(port, None),
            Some(Ready::Http { port, path }) => answers(port, Some(path.as_str())),
            Some(Ready::File(path)) => Readiness::File(path),
            None if self.all_listen(role) => Readiness::Answers { port: None, path: None },
            None => Readiness::Started,
        }
    }

    /// Returns the readiness port of a role if its number is fixed. Callers check that no other process listens on this port,
    /// because probes would take that process for the task.
    #[must_use]
    pub fn ready_port(&self, role: &Role) -> Option<u16> {
        match self.readiness(role) {
            Readiness::Answers { port, .. } => port.filter(|port| *port > 0),
            Readiness::File(_) | Readiness::Started => None,
        }
    }

    /// Returns the addresses of these tasks.
    ///
    /// # Errors
    /// Errors of rendering: an unset platform variable, or a task that the variable does not list.
    pub fn peer_addresses(
        &self,
        tasks: &[TaskId],
        env: &BTreeMap<String, String>,
    ) -> Result<Vec<Peer>, Failure> {
        let found = Found::of(&self.peers, env)?;
        let place = |task: &TaskId| {
            let role = self.role_of(task)?;
            let host = found.host(role, task.index)?;
            let port = found.place(role, task.index).ok().and_then(|place| place.port.parse().ok());
            Ok(Peer { task: task.clone(), host, port })
        };
        tasks.iter().map(place).collect()
    }

    /// Returns the other tasks in the rendezvous of a task; none for an evaluator or a helper.
    #[must_use]
    pub fn rendezvous_peers(&self, task: &TaskId) -> Vec<TaskId> {
        let Ok(role) = self.role_of(task) else { return Vec::new() };
        if !role.kind.is_peer() {
            return Vec::new();
        }
        let roles: Vec<&Role> = match self.framework.name {
            FrameworkName::Tensorflow => tf_config::cluster(self, role),
            FrameworkName::Pytorch
            | FrameworkName::Mxnet
            | FrameworkName::Xgboost
            | FrameworkName::Horovod
            | FrameworkName::Caffe
            | FrameworkName::Custom => self.roles.iter().filter(|role| role.kind.is_peer()).collect(),
        };
        roles.into_iter().flat_map(Role::tasks).filter(|other| other != task).collect()
    }

    /// Whether the shim saves how many restarts each task of a role has used. If so, the shim needs the ID of the submission
    /// ([`SUBMISSION`]).
    #[must_use]
    pub fn keeps_restart_budget(&self, role: &Role) -> bool {
        let watched = self.duties.as_ref().is_some_and(|duties| duties.checkpoints.is_some());
        watched && role.duties.as_ref().is_some_and(|duties| duties.restart.is_some())
    }

    /// Returns all tasks of a role.
    #[must_use]
    pub fn tasks_of(&self, role: &str) -> Vec<TaskId> {
        self.role_named(role).into_iter().flat_map(Role::tasks).collect()
    }

    /// Returns the tasks that decide the success of the job.
    #[must_use]
    pub fn deciding(&self, success: Success) -> Vec<TaskId> {
        let leader = self.leader();
        let leads = |role: &Role| leader.is_some_and(|leader| leader.name == role.name);
        let decides = |role: &&Role| success.is_decided_by(self.kind_of(role), leads(role));
        let deciding = self.roles.iter().filter(decides);
        match success {
            Success::Chief => deciding.map(|role| TaskId { role: role.name.clone(), index: 0 }).collect(),
            Success::Workers | Success::All => deciding.flat_map(Role::tasks).collect(),
        }
    }

    /// Returns the role whose first task is the leader.
    fn leader(&self) -> Option<&Role> {
        let roles = self.roles.iter().map(|role| (self.kind_of(role), role.name.as_str()));
        leader(roles).map(|id| &self.roles[id])
    }

    /// Returns the kind of a role.
    #[must_use]
    pub fn kind_of(&self, role: &Role) -> RoleKind {
        match role.kind {
            Membership::Helper => RoleKind::Helper,
            Membership::Evaluator => RoleKind::Evaluator,
            Membership::Member => self.framework.name.kind_of(&role.name),
        }
    }

    /// Whether a task is the leader, which writes and checks the checkpoints.
    #[must_use]
    pub fn leads(&self, task: &TaskId) -> bool {
        self.deciding(Success::Chief).first().map_or(task.index == 0, |first| first == task)
    }

    /// Returns the peers for which the program of a task waits indefinitely and without a message. Programs with the built-in
    /// strategies of TensorFlow do so, and each of them opens its own port when it starts. `again`: whether this is a restart.
    ///
    /// In synchronous training, each task waits for all others. With parameter servers, the leader waits for all tasks. The chief
    /// of an estimator waits only for its servers, because workers may have finished. With parameter servers or an estimator, all
    /// other tasks wait only for the leader, and only at their first start.
    #[must_use]
    pub fn required_peers(&self, task: &TaskId, again: bool) -> Vec<TaskId> {
        if self.framework.name != FrameworkName::Tensorflow {
            return Vec::new();
        }
        let mut met = self.rendezvous_peers(task);
        match (self.framework.pace(), self.leads(task)) {
            (Pace::InStep, _) | (Pace::Led, true) => {}
            (Pace::Served, true) => met.retain(|other| self.serves(other)),
            (Pace::Led | Pace::Served, false) if !again => met.retain(|other| self.leads(other)),
            (Pace::Led | Pace::Served, false) | (Pace::Alone | Pace::Unknown, _) => met.clear(),
        }
        met
    }

    /// Whether the program of a task never exits on its own, such as that of a parameter server.
    fn serves(&self, task: &TaskId) -> bool {
        self.role_named(&task.role).is_some_and(|role| self.kind_of(role).never_exits())
    }

    /// Whether every task of a role listens on its rendezvous port while it runs. This holds for TensorFlow servers; with other
    /// frameworks only the first task listens.
    #[must_use]
    pub fn all_listen(&self, role: &Role) -> bool {
        self.framework.name == FrameworkName::Tensorflow && !tf_config::cluster(self, role).is_empty()
    }
}

impl Role {
    fn tasks(&self) -> impl Iterator<Item = TaskId> {
        (0..self.count).map(|index| TaskId { role: self.name.clone(), index })
    }
}
