//! `job.json`, which `tfjob run` reads: which tasks to start, in which order, and when the job is over. Seconds throughout.
//! Also the variables that `tfjob run` sets for each task.
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tfjob_contract::{After, RoleKind, Success};
use tfjob_lang::origin::Traced;
use tfjob_lang::sources::Span;

/// The variable in which `tfjob run` tells every task the folder of the spec, absolute. Tasks start there.
pub const HERE: &str = "TFJOB_HERE";
/// The folder of the run, absolute.
pub const RUN: &str = "TFJOB_RUN";
/// The task's own folder, `$TFJOB_RUN/scratch/ROLE-INDEX`.
pub const SCRATCH: &str = "TFJOB_SCRATCH";
/// Which role a task is.
pub const ROLE: &str = "TFJOB_TASK_ROLE";
/// Which of the role's tasks, from 0.
pub const INDEX: &str = "TFJOB_TASK_INDEX";
/// The addresses of all tasks by role, as JSON: `{"worker": ["127.0.0.1:41001"]}`. Helpers have theirs too.
pub const PEERS: &str = "TFJOB_PEERS";

/// The job as `tfjob run` reads it. Read back from a file, its values have no words behind them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Its name.
    pub name: Traced<String>,
    /// Words about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Traced<String>>,
    /// Its labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, Traced<String>>,
    /// Whose success is the job's.
    pub success: Traced<Success>,
    /// Between SIGTERM and the kill.
    pub grace: Traced<u64>,
    /// Who there is, in the order of the spec; a TensorBoard is the last. The contract has each of them too.
    pub roles: Vec<Role>,
    /// Files and folders that must be there before the start: absolute, or beginning with `./` beside the spec.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Traced<String>>,
    /// Folders that are made where they are not there, written in the same way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub makes: Vec<Traced<String>>,
}

/// One role.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// Its name.
    pub name: Traced<String>,
    /// Number of tasks.
    pub count: Traced<u32>,
    /// What it is to the job.
    pub kind: RoleKind,
    /// Whether the job does not wait for its tasks, and stops them when it is done.
    pub serves: Traced<bool>,
    /// GPUs that each task has for itself.
    pub gpus: Traced<u32>,
    /// Roles that come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Traced<After>>,
    /// Variables that who runs the job must have set: their values are secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<Traced<String>>,
}

/// A property of a role: the means of this target where a field of [`Role`] is all that lowering sets.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// GPUs of each task.
    Gpus(u32),
    /// A role that starts first.
    After(After),
    /// A variable that must be set where the job is started.
    Secret(String),
}

impl Role {
    /// Sets a property, for the words at `at`.
    pub fn set(&mut self, setting: &Setting, at: Span) {
        match setting {
            Setting::Gpus(count) => self.gpus = Traced(*count, at),
            Setting::After(after) => self.after.push(Traced(after.clone(), at)),
            Setting::Secret(variable) => self.secrets.push(Traced(variable.clone(), at)),
        }
    }

    /// A role with the defaults of this target. Their origin is its name.
    pub const fn new(name: Traced<String>, kind: RoleKind, count: Traced<u32>) -> Self {
        let at = name.1;
        Self {
            name,
            count,
            kind,
            serves: Traced(false, at),
            gpus: Traced(0, at),
            after: Vec::new(),
            secrets: Vec::new(),
        }
    }
}

impl Job {
    /// Every task: the number of its role, and its index there.
    pub fn tasks(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let tasks = |(id, role): (usize, &Role)| (0..role.count.0).map(move |index| (id, index));
        self.roles.iter().enumerate().flat_map(tasks)
    }
}

#[cfg(test)]
mod tests {
    use super::{Job, Role};
    use std::collections::BTreeMap;
    use tfjob_contract::{After, RoleKind, Success, When};
    use tfjob_lang::origin::{Document, Traced};
    use tfjob_lang::sources::Span;

    #[test]
    fn what_is_written_is_read_back() {
        let nobodys = Span::default();
        let traced = |text: &str| Traced(text.to_owned(), nobodys);
        let role = Role {
            gpus: Traced(1, nobodys),
            after: vec![Traced(After { role: "ps".to_owned(), when: When::Ready }, nobodys)],
            secrets: vec![traced("TOKEN")],
            ..Role::new(traced("worker"), RoleKind::Worker, Traced(2, nobodys))
        };
        let job = Job {
            name: traced("mnist"),
            description: Some(traced("a job")),
            labels: BTreeMap::from([("team".to_owned(), traced("ml"))]),
            success: Traced(Success::Workers, nobodys),
            grace: Traced(30, nobodys),
            roles: vec![role],
            needs: vec![traced("./src")],
            makes: vec![traced("/mnt/state")],
        };
        let text = Document::new(&job).value.to_string();
        assert!(!text.contains("from"), "{text}");
        assert_eq!(serde_json::from_str::<Job>(&text).expect("our own"), job);
        assert!(serde_json::from_str::<Job>(&text.replace("makes", "made")).is_err());
    }
}
