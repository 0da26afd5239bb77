//! Marks a task as ended in its status file when its shim was killed.
use serde_json::Value;
use std::fs;
use std::path::Path;
use tfjob_shim::timestamp;

/// Notes in the file of a task that its shim was killed by this signal. A file that cannot be written is removed: it would
/// say for ever that the task runs.
pub fn killed(folder: &Path, task: &str, signal: i32) {
    let path = folder.join("status").join(format!("{task}.json"));
    let whole = || {
        let mut status: Value = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let fields = status.as_object_mut()?;
        fields.insert("state".to_owned(), "ended".into());
        fields.insert("since".to_owned(), timestamp().into());
        fields.insert("reason".to_owned(), format!("the shim was killed by signal {signal}").into());
        fields.insert("code".to_owned(), (128 + signal).into());
        let beside = path.with_extension("new");
        fs::write(&beside, format!("{status}\n")).ok()?;
        fs::rename(&beside, &path).ok()
    };
    if whole().is_none() {
        // What cannot be removed either stays as it is.
        let _ = fs::remove_file(&path);
    }
}
