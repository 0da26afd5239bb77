//! Which tasks a shim looks at: whom it waits for, whose end is the job's, and where they are.
use crate::peers::Found;
use crate::{
    Contract, Failure, FrameworkName, Membership, Pace, Ready, Role, RoleKind, Success, TaskId, leader,
    tf_config,
};
use std::collections::BTreeMap;

/// The variable with what is the same in all containers of one submission of the job, and in none of another one.
pub const SUBMISSION: &str = "TFJOB_SUBMISSION";

/// The variable with a directory of a task's own that stays as long as its platform starts containers for it, and in which each
/// of them knows that it is not the first.
pub const KEPT: &str = "TFJOB_KEPT";

/// Where another task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// Who it is.
    pub task: TaskId,
    /// Its host.
    pub host: String,
    /// Its rendezvous port; `None` where it has none.
    pub port: Option<u16>,
}

/// What shows that a task is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign<'c> {
    /// It answers.
    Answers {
        /// The port; `None`: that of the rendezvous.
        port: Option<u16>,
        /// The page that answers 2xx; `None`: the port accepts connections.
        path: Option<&'c str>,
    },
    /// This file is there.
    File(&'c str),
    /// It has been started.
    Started,
}

impl Contract {
    /// What shows that tasks of a role are ready. A role that says nothing of itself is ready when it listens where all
    /// meet, and, where not all of its tasks listen, when it has been started.
    #[must_use]
    pub fn sign<'c>(&self, role: &'c Role) -> Sign<'c> {
        let answers = |port: &str, path| Sign::Answers { port: role.ports.get(port).copied(), path };
        match role.duties.as_ref().and_then(|duties| duties.ready.as_ref()) {
            Some(Ready::Tcp(port)) => answers(port, None),
            Some(Ready::Http { port, path }) => answers(port, Some(path.as_str())),
            Some(Ready::File(path)) => Sign::File(path),
            None if self.all_listen(role) => Sign::Answers { port: None, path: None },
            None => Sign::Started,
        }
    }

    /// The numbered port that shows whether a task of the role is ready: whoever else listens there is taken for the task.
    #[must_use]
    pub fn ready_port(&self, role: &Role) -> Option<u16> {
        match self.sign(role) {
            Sign::Answers { port, .. } => port.filter(|port| *port > 0),
            Sign::File(_) | Sign::Started => None,
        }
    }

    /// Where these tasks are.
    ///
    /// # Errors
    /// Those of rendering: a variable that the platform did not set, a task that it does not list.
    pub fn places(&self, tasks: &[TaskId], env: &BTreeMap<String, String>) -> Result<Vec<Peer>, Failure> {
        let found = Found::of(&self.peers, env)?;
        let place = |task: &TaskId| {
            let role = self.role_of(task)?;
            let host = found.host(role, task.index)?;
            let port = found.place(role, task.index).ok().and_then(|place| place.port.parse().ok());
            Ok(Peer { task: task.clone(), host, port })
        };
        tasks.iter().map(place).collect()
    }

    /// The tasks without which a task cannot begin: those in its own rendezvous, but for itself.
    #[must_use]
    pub fn met_by(&self, task: &TaskId) -> Vec<TaskId> {
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

    /// Whether the shim keeps what a task of the role has used of its restarts: then it must know which submission of the job
    /// it is of, by [`SUBMISSION`].
    #[must_use]
    pub fn keeps(&self, role: &Role) -> bool {
        let watched = self.duties.as_ref().is_some_and(|duties| duties.checkpoints.is_some());
        watched && role.duties.as_ref().is_some_and(|duties| duties.restart.is_some())
    }

    /// All tasks of a role.
    #[must_use]
    pub fn tasks_of(&self, role: &str) -> Vec<TaskId> {
        self.role_named(role).into_iter().flat_map(Role::tasks).collect()
    }

    /// The tasks that decide the success of the job.
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

    /// The role of which the first task leads the job.
    fn leader(&self) -> Option<&Role> {
        let roles = self.roles.iter().map(|role| (self.kind_of(role), role.name.as_str()));
        leader(roles).map(|id| &self.roles[id])
    }

    /// What a role is to the job.
    #[must_use]
    pub fn kind_of(&self, role: &Role) -> RoleKind {
        match role.kind {
            Membership::Helper => RoleKind::Helper,
            Membership::Evaluator => RoleKind::Evaluator,
            Membership::Member => self.framework.name.kind_of(&role.name),
        }
    }

    /// Whether a task is the one that speaks for the job, and looks for what is there before anybody writes.
    #[must_use]
    pub fn leads(&self, task: &TaskId) -> bool {
        self.deciding(Success::Chief).first().map_or(task.index == 0, |first| first == task)
    }

    /// Those for whom the program of a task waits without end, and without a word, where each of them opens its port by
    /// itself as it begins: TensorFlow's own strategies. `again`: at a later start.
    ///
    /// In step everybody waits for everybody. Who leads with parameter servers waits for all; an estimator's chief for
    /// its servers alone, since workers may have ended well. The others go on without some of them, and do not begin
    /// without the one that leads.
    #[must_use]
    pub fn awaited(&self, task: &TaskId, again: bool) -> Vec<TaskId> {
        if self.framework.name != FrameworkName::Tensorflow {
            return Vec::new();
        }
        let mut met = self.met_by(task);
        match (self.framework.pace(), self.leads(task)) {
            (Pace::InStep, _) | (Pace::Led, true) => {}
            (Pace::Served, true) => met.retain(|other| self.serves(other)),
            (Pace::Led | Pace::Served, false) if !again => met.retain(|other| self.leads(other)),
            (Pace::Led | Pace::Served, false) | (Pace::Alone | Pace::Unknown, _) => met.clear(),
        }
        met
    }

    /// Whether the program of a task never exits on its own.
    fn serves(&self, task: &TaskId) -> bool {
        self.role_named(&task.role).is_some_and(|role| self.kind_of(role).never_exits())
    }

    /// Whether every task of a role listens on its rendezvous port while it runs. Only TensorFlow's servers do; elsewhere
    /// it is the first task alone.
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
