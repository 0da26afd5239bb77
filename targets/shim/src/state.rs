//! What a new container must know of the old one: a small file beside the checkpoints, written whole or not at all.
use crate::budget::Past;
use crate::event::quoted;
use crate::whole;
use serde_json::Value;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use tfjob_contract::TaskId;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 18;
/// How names of our own files in the folder of checkpoints begin.
pub const OURS: &str = ".tfjob-";

/// Where the state of a task is kept.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    job: String,
    task: TaskId,
    /// The submission of the job that this container is of, where that is known.
    submission: Option<String>,
}

impl Store {
    /// In this folder; it need not be there yet. `submission`: what is the same in all containers of one submission of the job,
    /// and in none of another one; nothing where nobody says.
    pub fn new(folder: &str, job: &str, task: &TaskId, submission: Option<String>) -> Self {
        let path = Path::new(folder).join(format!("{OURS}{job}-{}-{}.json", task.role, task.index));
        let submission = submission.filter(|name| !name.is_empty());
        Self { path, job: job.to_owned(), task: task.clone(), submission }
    }

    /// What was kept; nothing where it was kept for another submission. A file that is torn or another's counts as none, and the text says so.
    pub fn load(&self) -> (Past, Option<String>) {
        let mut text = String::new();
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(e) if e.kind() == ErrorKind::NotFound => return (Past::default(), None),
            Err(e) => {
                let path = self.path.display();
                return (Past::default(), Some(format!("{path} cannot be read: {e}; it counts as empty")));
            }
        };
        let read = file.take(LONGEST).read_to_string(&mut text);
        let value = read.ok().and_then(|_| serde_json::from_str::<Value>(&text).ok());
        match value.as_ref().and_then(|value| self.past(value)) {
            Some(past) => (past, None),
            None => {
                let path = self.path.display();
                (Past::default(), Some(format!("{path} is torn or not this task's: it counts as empty")))
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
        let past = Past { restarts, stalls: number("stalls")?, row: number("row")? };
        let same = self.submission.as_deref().is_none_or(|name| value["submission"] == name);
        Some(if same { past } else { Past::default() })
    }

    /// Keeps it: into a new file, onto the disk, and then in place of the old one.
    ///
    /// # Errors
    /// One sentence; the old file is as it was.
    pub fn save(&self, past: &Past) -> Result<(), String> {
        let Past { restarts, stalls, row } = past;
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
            "{{\"job\":{job},\"role\":{role},\"index\":{index},{submission}\"restarts\":[{times}],\"stalls\":{stalls},\"row\":{row}}}"
        );
        let beside = self.path.with_extension("new");
        whole::write(&self.path, &beside, text.as_bytes()).map_err(|e| {
            format!(
                "{} cannot be written: {e}; until it can, a new container would count restarts from 0 again",
                self.path.display()
            )
        })
    }

    /// Forgets it: the task has ended well.
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
    fn what_is_kept_is_found_and_what_is_torn_or_foreign_is_empty() {
        let folder = std::env::temp_dir().join(format!("tfjob-state-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let task = TaskId { role: "worker".to_owned(), index: 1 };
        let store = Store::new(folder.to_str().unwrap(), "job", &task, Some("x".to_owned()));
        assert_eq!(store.load(), (Past::default(), None));
        let past = Past { restarts: vec![3, 5, u64::MAX], stalls: 2, row: 1 };
        store.save(&past).unwrap();
        assert_eq!(store.load(), (past, None));
        let text = std::fs::read_to_string(&store.path).unwrap();
        for length in 0..text.len() {
            std::fs::write(&store.path, &text[..length]).unwrap();
            let (past, said) = store.load();
            assert_eq!(past, Past::default());
            assert!(said.unwrap().ends_with("is torn or not this task's: it counts as empty"));
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
