//! Files that agents fetch for an app: the command relies on their names, and on what is unpacked.
use super::sandbox::{self, Own};
use crate::patch::Merged;

/// Judges the files of an app: those of the job stay as they are, and no other file takes the place of one.
pub fn judge(app: &str, merged: &mut Merged<'_>, own: &Own) {
    for (at, file) in merged.items(&format!("{app}/fetch")) {
        if merged.is_of_spec(&format!("{at}/uri")) {
            let uri = file["uri"].as_str().unwrap_or_default();
            for key in ["destPath", "executable", "extract"] {
                let fact =
                    format!("the command of each app relies on `{key}` of `{uri}`: a patch cannot set it");
                merged.changed(&format!("{at}/{key}"), &fact);
            }
        } else if let Some(fault) = sandbox::name(file).and_then(|name| own.fault(&name)) {
            merged.fault(&[&at], &format!("DC/OS {fault}"));
        }
    }
}
