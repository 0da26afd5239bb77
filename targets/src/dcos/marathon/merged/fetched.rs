//! Checks of files that agents download for an app. The command of the app needs the names of these files, and must know which of
//! them are unpacked.
use super::sandbox::{self, Used};
use crate::patch::Merged;

/// Checks that a patch does not change a file that the job downloads, and that no file of the patch overwrites such a file.
pub fn judge(app: &str, merged: &mut Merged<'_>, used: &Used) {
    for (at, file) in merged.items(&format!("{app}/fetch")) {
        if merged.is_of_spec(&format!("{at}/uri")) {
            let uri = file["uri"].as_str().unwrap_or_default();
            for key in ["destPath", "executable", "extract"] {
                let fact = format!(
                    "a patch cannot set `{key}` of `{uri}`: the command of the app relies on this setting"
                );
                merged.changed(&format!("{at}/{key}"), &fact);
            }
        } else if let Some(fault) = sandbox::name(file).and_then(|name| used.fault(&name)) {
            merged.fault(&[&at], &fault);
        }
    }
}
