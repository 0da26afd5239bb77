//! Paths in the sandbox that files and directories of the job already use.
use crate::dcos::marathon::support::storage::fetch;
use crate::patch::Merged;
use serde_json::Value;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Requirement, Storage};

/// The used paths, relative to the sandbox, without `.` segments and double slashes.
pub struct Used {
    files: Vec<String>,
    folders: Vec<String>,
}

impl Used {
    /// Returns the used paths of one app: downloaded files, unpacked archives, and the scratch directory.
    pub fn of(app: &str, merged: &Merged<'_>, plan: &Plan) -> Self {
        let fetched = merged.items(&format!("{app}/fetch"));
        let fetched = fetched.filter(|(at, _)| merged.is_of_spec(&format!("{at}/uri")));
        let files = fetched.filter_map(|(_, file)| name(file)).collect();
        let mut folders = fetch::unpacked(plan);
        let scratch = plan
            .requirements
            .iter()
            .any(|required| matches!(required.requirement, Requirement::Storage(Storage::Scratch { .. })));
        folders.extend(scratch.then(|| fetch::SCRATCH.to_owned()));
        Self { files, folders }
    }

    /// Returns why a patch cannot use a path in the sandbox: it contains `..`, would hide a path of the job, or is below a file of
    /// the job. `None` if a patch can use the path.
    pub fn fault(&self, path: &str) -> Option<String> {
        let path = clean(path);
        if path.split('/').any(|step| step == "..") {
            return Some(parent_step(&path));
        }
        if path.is_empty() {
            return Some("a mount at `.` would hide the sandbox".to_owned());
        }
        let below = |path: &str, folder: &str| {
            path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if let Some(used) = self.files.iter().chain(&self.folders).find(|used| below(used, &path)) {
            return Some(format!("the path `{path}` in the sandbox would hide `{used}` of the job"));
        }
        let inside = self.files.iter().find(|file| below(&path, file))?;
        Some(format!("the path `{path}` in the sandbox is below `{inside}`, which is a file of the job"))
    }
}

/// Returns the error for a path that contains a `..` segment.
pub fn parent_step(path: &str) -> String {
    format!("the path `{path}` contains `..`: write the path of the directory to which it leads")
}

/// Returns the name of a downloaded file in the sandbox: `destPath`, or the last segment of the URI. `None` if the file has
/// neither.
pub fn name(file: &Value) -> Option<String> {
    let last = || file["uri"].as_str().map(|uri| uri.rsplit('/').next().unwrap_or(uri));
    Some(clean(file["destPath"].as_str().or_else(last)?))
}

/// Returns a path without `.` segments and double slashes.
pub fn clean(path: &str) -> String {
    let steps: Vec<&str> = path.split('/').filter(|step| !matches!(*step, "" | ".")).collect();
    format!("{}{}", if path.starts_with('/') { "/" } else { "" }, steps.join("/"))
}
