//! Final status of a task whose shim was killed.
use serde_json::Value;
use std::fs;
use std::path::Path;
use tfjob_shim::{signal_name, timestamp};

/// Writes the final status of a task whose shim was killed by this signal. `file` is the base name of the status file (`worker-0`),
/// and `task` is the name of the task (`worker:0`). A file that cannot be written is removed, because it would report a running
/// task forever.
pub fn killed(folder: &Path, file: &str, task: &str, signal: i32) {
    let path = folder.join("status").join(format!("{file}.json"));
    let known: Option<Value> = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let known = known.and_then(|status| status.as_object().cloned());
    // The shim may have been killed before it wrote the file. The fields are then unknown.
    let mut fields = known.unwrap_or_else(|| {
        let unknown = ["attempt", "budget_left", "step"].map(|field| (field.to_owned(), Value::Null));
        std::iter::once(("task".to_owned(), task.into())).chain(unknown).collect()
    });
    let write = || {
        fields.insert("state".to_owned(), "ended".into());
        fields.insert("since".to_owned(), timestamp().into());
        fields
            .insert("reason".to_owned(), format!("tfjob-shim was killed by {}", signal_name(signal)).into());
        fields.insert("code".to_owned(), (128 + signal).into());
        let temporary = path.with_extension("new");
        fs::write(&temporary, format!("{}\n", Value::Object(fields))).ok()?;
        fs::rename(&temporary, &path).ok()
    };
    if write().is_none() {
        // The old file would show an outdated status. An error is ignored, because nothing else can be done.
        let _ = fs::remove_file(&path);
    }
}

#[cfg(test)]
mod tests {
    use super::killed;
    use serde_json::{Value, json};

    #[test]
    fn a_killed_shim_has_a_status_whatever_it_has_written() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("status")).unwrap();
        let path = folder.path().join("status/a-0.json");
        for (before, attempt) in [
            (None, json!(null)),
            (Some("{\"tas"), json!(null)),
            (Some("{\"task\":\"a:0\",\"attempt\":2}"), json!(2)),
        ] {
            let _ = std::fs::remove_file(&path);
            before.iter().for_each(|text| std::fs::write(&path, text).unwrap());
            killed(folder.path(), "a-0", "a:0", 9);
            let status: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            let seen = [&status["task"], &status["state"], &status["code"], &status["attempt"]];
            assert_eq!(seen, [&json!("a:0"), &json!("ended"), &json!(137), &attempt], "{before:?}");
        }
    }
}
