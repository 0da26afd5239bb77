//! `job.json`, as it is written for this machine.
use serde::Deserialize;

/// What is started.
#[derive(Debug, Deserialize)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// Whose success is its own.
    pub success: tfjob_contract::Ends,
    /// Seconds between the polite signal and the kill.
    pub grace: u64,
    /// Its roles.
    pub roles: Vec<Role>,
    /// What must be there before anything starts.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Folders that are made where they are not.
    #[serde(default)]
    pub makes: Vec<String>,
}

/// Tasks that do the same work.
#[derive(Debug, Deserialize)]
pub struct Role {
    /// Its name.
    pub name: String,
    /// How many.
    pub count: u32,
    /// Whether the job does not wait for its tasks, and stops them when it is done.
    pub serves: bool,
    /// GPUs of each task.
    #[serde(default)]
    pub gpus: u32,
    /// Who comes first.
    #[serde(default)]
    pub after: Vec<After>,
    /// Variables that whoever runs the job has set.
    #[serde(default)]
    pub secrets: Vec<String>,
}

/// A role that comes first.
#[derive(Debug, Deserialize)]
pub struct After {
    /// Which.
    pub role: String,
    /// How far it must be.
    pub when: tfjob_contract::When,
}

impl Job {
    /// Every task: the number of its role, and its index there.
    pub fn tasks(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.roles.iter().enumerate().flat_map(|(id, role)| (0..role.count).map(move |index| (id, index)))
    }
}
