//! Reports mounts that hide the Hadoop or Java directory of the image.
use super::volumes;
use crate::codes::NESTED_PATH;
use crate::diagnostic::Diagnostic;
use crate::plan::{Plan, Volume};
use crate::resolve::rules::Job;

/// Reports mounts that hide the Hadoop or Java directory of the image, unless the mounted location seems to contain this directory.
pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(hadoop) = job.spec.hadoop.as_ref().map(|hadoop| &hadoop.value) else { return };
    let contains = |volume: &Volume, directory: &str| {
        let text = format!("{} {}", volume.name.value, volume.uri.value.path()).to_ascii_lowercase();
        let named = ["hadoop", "java", "jdk", "jre"].iter().any(|word| text.contains(word));
        let same = volume.at.as_ref().is_some_and(|at| at.value.trim_end_matches('/') == directory);
        !volume.writable && (named || same)
    };
    for volume in volumes(job.plan) {
        let Some(at) = &volume.at else { continue };
        let mount = at.value.trim_end_matches('/');
        let hidden = [("home", &hadoop.home), ("java", &hadoop.java)].into_iter().filter(|(_, directory)| {
            let path = directory.value.as_str().trim_end_matches('/');
            let below = path.strip_prefix(mount).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            below && !contains(volume, path)
        });
        let name = &volume.name.value;
        out.extend(hidden.map(|(field, directory)| {
            let rename = entry(job.plan, volume)
                .map(|entry| renamed(entry, name, directory.value.as_str(), field))
                .unwrap_or_default();
            let fact = format!(
                "the mount at `{mount}` hides `{}` of the image, but `hadoop {field}=` uses that directory",
                directory.value
            );
            Diagnostic::new(&NESTED_PATH, at.span, fact)
                .from_value(directory.span)
                .here("hides the image's files below this path")
                .label(directory.span, "directory of the image")
                .help(format!("mount `{name}` at another path, such as `{mount}/{name}`{rename}"))
        }));
    }
}

/// Returns the keyword of the entry that defines this volume, if the entry has a name that can be changed.
fn entry(plan: &Plan, volume: &Volume) -> Option<&'static str> {
    let is_in = |all: &[Volume]| all.as_ptr_range().contains(&std::ptr::from_ref(volume));
    if is_in(&plan.storage.stage) {
        Some("files")
    } else {
        (is_in(&plan.storage.data) && !volume.writable).then_some("data")
    }
}

/// Returns the last part of the help: if the mount itself contains the hidden directory, rename its entry, so that the mount is
/// not reported.
fn renamed(entry: &str, name: &str, directory: &str, field: &str) -> String {
    let word = if field == "java" { "java" } else { "hadoop" };
    format!(
        "; or, if `{name}` itself provides `{directory}`, rename the entry to `{entry} \"{word}\"`: tfjob does not report a mount of this name"
    )
}
