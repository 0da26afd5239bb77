//! Restart state: a small file in the checkpoint directory with the restarts that a task has used. The next container of the task
//! continues to count from it.
use crate::atomic_write;
use crate::budget::Past;
use crate::event::quoted;
use serde_json::Value;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use tfjob_contract::TaskId;

/// Maximum size of the file in bytes.
const LONGEST: u64 = 1 << 18;
/// Prefix of the files that tfjob creates in the checkpoint directory.
pub const OURS: &str = ".tfjob-";

/// The restart state file of a task.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    job: String,
    task: TaskId,
    /// ID of the submission of the job, if known.
    submission: Option<String>,
}

impl Store {
    /// Returns the state file in this directory. The file need not exist yet. `submission`: ID of the submission of the job. All
    /// containers of one submission have the same ID. `None` if unknown.
    pub fn new(folder: &str, job: &str, task: &TaskId, submission: Option<String>) -> Self {
        let path = Path::new(folder).join(format!("{OURS}{job}-{}-{}.json", task.role, task.index));
        let submission = submission.filter(|name| !name.is_empty());
        Self { path, job: job.to_owned(), task: task.clone(), submission }
    }

    /// Reads the restarts that earlier containers of the task have used. The result is empty if the file was saved by another
    /// submission of the job. It is also empty if the file cannot be read or has other content; a message then says so.
    pub fn load(&self) -> (Past, Option<String>) {
        let mut text = String::new();
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(e) if e.kind() == ErrorKind::NotFound => return (Past::default(), None),
            Err(e) => {
                let path = self.path.display();
                return (
                    Past::default(),
                    Some(format!(
                        "cannot read {path}, where earlier restarts are recorded: {e}; counting restarts from 0"
                    )),
                );
            }
        };
        let read = file.take(LONGEST).read_to_string(&mut text);
        let value = read.ok().and_then(|_| serde_json::from_str::<Value>(&text).ok());
        match value.as_ref().and_then(|value| self.past(value)) {
            Some(past) => (past, None),
            None => {
                let path = self.path.display();
                (
                    Past::default(),
                    Some(format!(
                        "{path}, where earlier restarts are recorded, is incomplete or belongs to another task; counting restarts from 0"
                    )),
                )
            }
        }
    }

    fn past(&self, value: &Value) -> Option<Past> {
        let ours = value["job"] == self.job.as_str()
            && value["role"] == self.task.role.as_str()
            && value["index"] == self.task.index;
        let number = |name: &str| value[name].as_u64().and_then(|number| u32::try_from(number).ok());
        let restarts: Option<Vec<u64>> = value["restarts"].as_array()?.iter().map(Value::as_u64).collect();
        let restarts = restarts.filter(|_| ours)?;
        let past = Past {
            restarts,
            without_progress: number("without_progress")?,
            short_runs: number("short_runs")?,
        };
        let same = self.submission.as_deref().is_none_or(|name| value["submission"] == name);
        Some(if same { past } else { Past::default() })
    }

    /// Saves the restarts: writes and syncs a temporary file, then renames it.
    ///
    /// # Errors
    /// A message; the old file is unchanged.
    pub fn save(&self, past: &Past) -> Result<(), String> {
        let Past { restarts, without_progress, short_runs } = past;
        let mut times = String::new();
        for at in restarts {
            times.push_str(if times.is_empty() { "" } else { "," });
            times.push_str(&at.to_string());
        }
        let (job, role, index) = (quoted(&self.job), quoted(&self.task.role), self.task.index);
        let submission = self.submission.as_ref();
        let submission =
            submission.map_or_else(String::new, |name| format!("\"submission\":{},", quoted(name)));
        let text = format!(
            "{{\"job\":{job},\"role\":{role},\"index\":{index},{submission}\"restarts\":[{times}],\"without_progress\":{without_progress},\"short_runs\":{short_runs}}}"
        );
        let temporary = self.path.with_extension("new");
        atomic_write::write(&self.path, &temporary, text.as_bytes()).map_err(|e| {
            format!(
                "cannot write {}, where restarts are recorded: {e}; a later container of this task would count restarts from 0",
                self.path.display()
            )
        })
    }

    /// Deletes the file after success.
    pub fn forget(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::Store;
    use crate::budget::Past;
    use tfjob_contract::TaskId;

    #[test]
    fn saved_state_is_loaded_and_incomplete_or_foreign_state_is_empty() {
        let folder = std::env::temp_dir().join(format!("tfjob-state-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let task = TaskId { role: "worker".to_owned(), index: 1 };
        let store = Store::new(folder.to_str().unwrap(), "job", &task, Some("x".to_owned()));
        assert_eq!(store.load(), (Past::default(), None));
        let past = Past { restarts: vec![3, 5, u64::MAX], without_progress: 2, short_runs: 1 };
        store.save(&past).unwrap();
        assert_eq!(store.load(), (past, None));
        let text = std::fs::read_to_string(&store.path).unwrap();
        for length in 0..text.len() {
            std::fs::write(&store.path, &text[..length]).unwrap();
            let (past, said) = store.load();
            assert_eq!(past, Past::default());
            assert!(said.unwrap().contains("is incomplete or belongs to another task"));
        }
        for wrong in ["job\":\"other", "role\":\"ps", "index\":7"] {
            let name = wrong.split('"').next().unwrap();
            let at = text.find(name).unwrap();
            let end = text[at..].find(',').unwrap() + at;
            let close = if wrong.contains(":\"") { "\"" } else { "" };
            std::fs::write(&store.path, format!("{}{wrong}{close}{}", &text[..at], &text[end..])).unwrap();
            assert!(store.load().1.is_some(), "{wrong}");
        }
        store.forget();
        assert_eq!(store.load(), (Past::default(), None));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
