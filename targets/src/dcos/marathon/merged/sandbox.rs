//! Names in the sandbox of an app that the job's own files and folders have.
use crate::dcos::marathon::support::storage::fetch;
use crate::patch::Merged;
use serde_json::Value;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Requirement, Storage};

/// Paths below the sandbox, without `.` and double slashes.
pub struct Own {
    files: Vec<String>,
    folders: Vec<String>,
}

impl Own {
    /// Of one app: what the fetcher brings for the job, what the command unpacks, and the scratch folder.
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

    /// What is wrong with something else at a path below the sandbox: it hides what the job has there, or is inside a file.
    pub fn fault(&self, path: &str) -> Option<String> {
        let path = clean(path);
        if path.split('/').any(|step| step == "..") {
            return Some(format!("would follow `..` in `{path}`, out of the directory that it names"));
        }
        if path.is_empty() {
            return Some("cannot mount at `.`: it would hide the sandbox".to_owned());
        }
        let below = |path: &str, folder: &str| {
            path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if let Some(own) = self.files.iter().chain(&self.folders).find(|own| below(own, &path)) {
            return Some(format!("would put it at `{path}`, where it hides `{own}` of the job"));
        }
        let inside = self.files.iter().find(|file| below(&path, file))?;
        Some(format!("would put it at `{path}`, below `{inside}`, which is a file of the job"))
    }
}

/// The name of a fetched file in the sandbox: `destPath`, else the last step of the address.
pub fn name(file: &Value) -> Option<String> {
    let last = || file["uri"].as_str().map(|uri| uri.rsplit('/').next().unwrap_or(uri));
    Some(clean(file["destPath"].as_str().or_else(last)?))
}

/// A path without `.` and double slashes.
pub fn clean(path: &str) -> String {
    let steps: Vec<&str> = path.split('/').filter(|step| !matches!(*step, "" | ".")).collect();
    format!("{}{}", if path.starts_with('/') { "/" } else { "" }, steps.join("/"))
}
