//! Types of `job.json`, which `tfjob run` reads: the tasks, their start order, and the tasks that decide completion. All durations
//! are in seconds. Also the environment variables that `tfjob run` sets for each task.
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tfjob_contract::{After, RoleKind, Success};
use tfjob_lang::origin::Traced;
use tfjob_lang::sources::Span;

/// Environment variable with the absolute path of the directory that contains the spec. Tasks start in this directory by default.
pub const HERE: &str = "TFJOB_HERE";
/// Environment variable with the absolute path of the run directory, `.tfjob/JOB` by default.
pub const RUN: &str = "TFJOB_RUN";
/// Environment variable with the path of the task's scratch directory, `$TFJOB_RUN/scratch/ROLE-INDEX`.
pub const SCRATCH: &str = "TFJOB_SCRATCH";
/// Environment variable with the role of the task.
pub const ROLE: &str = "TFJOB_TASK_ROLE";
/// Environment variable with the index of the task within its role, from 0.
pub const INDEX: &str = "TFJOB_TASK_INDEX";
/// Environment variable with the addresses of all tasks, including helpers, as JSON: `{"worker": ["127.0.0.1:41001"]}`.
pub const PEERS: &str = "TFJOB_PEERS";

/// The job as `tfjob run` reads it. If the job is read from `job.json`, its values have no spans in the spec.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Name of the job.
    pub name: Traced<String>,
    /// Description of the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Traced<String>>,
    /// Labels of the job.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, Traced<String>>,
    /// Which tasks decide job success.
    pub success: Traced<Success>,
    /// Seconds between SIGTERM and SIGKILL.
    pub grace: Traced<u64>,
    /// Roles in the order of the spec, then TensorBoard. The contract has the same roles.
    pub roles: Vec<Role>,
    /// Files and directories that must exist before the job starts. A path is absolute, or begins with `./` and is relative to the
    /// directory of the spec.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Traced<String>>,
    /// Directories that `tfjob run` creates if they are missing. The paths have the same syntax as in `needs`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub makes: Vec<Traced<String>>,
}

/// One role.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// Name of the role.
    pub name: Traced<String>,
    /// Number of tasks.
    pub count: Traced<u32>,
    /// Kind of role.
    pub kind: RoleKind,
    /// Whether the tasks are long-running: the job completes without them and then stops them.
    pub serves: Traced<bool>,
    /// GPUs per task. Tasks do not share GPUs.
    pub gpus: Traced<u32>,
    /// Roles that must start before this role, each with the state that it must reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Traced<After>>,
    /// Environment variables that contain secrets. They must be set in the environment of `tfjob run`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<Traced<String>>,
}

/// The value of a field of [`Role`], for requirements that only set this field.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// GPUs per task.
    Gpus(u32),
    /// A role that must start before this role.
    After(After),
    /// An environment variable that contains a secret. It must be set in the environment of `tfjob run`.
    Secret(String),
}

impl Role {
    /// Sets a field of the role. `at`: span in the spec that sets the value.
    pub fn set(&mut self, setting: &Setting, at: Span) {
        match setting {
            Setting::Gpus(count) => self.gpus = Traced(*count, at),
            Setting::After(after) => self.after.push(Traced(after.clone(), at)),
            Setting::Secret(variable) => self.secrets.push(Traced(variable.clone(), at)),
        }
    }

    /// Returns a role with the defaults of this target. The span of each default is that of the role name.
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
    /// Returns all tasks: for each task, the position of its role in `roles`, and its index within the role.
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
    fn a_written_job_is_read_back_unchanged() {
        let unset = Span::default();
        let traced = |text: &str| Traced(text.to_owned(), unset);
        let role = Role {
            gpus: Traced(1, unset),
            after: vec![Traced(After { role: "ps".to_owned(), when: When::Ready }, unset)],
            secrets: vec![traced("TOKEN")],
            ..Role::new(traced("worker"), RoleKind::Worker, Traced(2, unset))
        };
        let job = Job {
            name: traced("mnist"),
            description: Some(traced("a job")),
            labels: BTreeMap::from([("team".to_owned(), traced("ml"))]),
            success: Traced(Success::Workers, unset),
            grace: Traced(30, unset),
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
