//! Files that agents fetch for an app: the command relies on their names, and on what is unpacked.
use crate::patch::Merged;
use serde_json::Value;

/// Judges the files of an app: those of the job stay as they are, and no other file takes the place of one.
pub fn judge(app: &str, merged: &mut Merged<'_>) {
    let list = format!("{app}/fetch");
    let of_job = |at: &str, merged: &Merged<'_>| merged.is_of_spec(&format!("{at}/uri"));
    let mut own: Vec<String> = Vec::new();
    for (at, file) in merged.items(&list) {
        if !of_job(&at, merged) {
            continue;
        }
        let uri = file["uri"].as_str().unwrap_or_default();
        for key in ["destPath", "executable", "extract"] {
            let fact = format!("the command of each app relies on `{key}` of `{uri}`: a patch cannot set it");
            merged.changed(&format!("{at}/{key}"), &fact);
        }
        own.extend(name(file));
    }
    for (at, file) in merged.items(&list) {
        let taken = name(file).filter(|name| own.contains(name) && !of_job(&at, merged));
        if let Some(name) = taken {
            let fact = format!("`{name}` is already the name of a file that the job fetches");
            merged.fault(&[&at], &fact);
        }
    }
}

/// The name in the sandbox: `destPath`, else the last step of the address.
fn name(file: &Value) -> Option<String> {
    let last = || file["uri"].as_str().map(|uri| uri.rsplit('/').next().unwrap_or(uri));
    let name = file["destPath"].as_str().or_else(last)?;
    Some(name.trim_start_matches("./").to_owned())
}
