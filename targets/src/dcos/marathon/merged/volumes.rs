//! Checks of volumes that a patch mounts, by the same rules as for volumes of the spec.
use super::sandbox::{self, Used};
use crate::dcos::marathon::support::mounts;
use crate::patch::Merged;
use serde_json::Value;
use tfjob_lang::plan::Plan;

/// Checks the volumes of an app. With an image, a mounted agent directory always hides the files of the image at that path. Without
/// an image, it hides files of the agent only if the path in the container differs from the path on the agent (Mesos,
/// `isolators/volume/host_path.cpp`).
pub fn judge(app: &str, value: &Value, merged: &mut Merged<'_>, plan: &Plan, used: &Used) {
    let image = value["container"]["docker"]["image"].is_string();
    let mounted: Vec<String> = paths(app, merged);
    for (at, volume) in merged.items(&format!("{app}/container/volumes")) {
        if merged.is_of_spec(&format!("{at}/containerPath")) {
            continue;
        }
        let path = sandbox::clean(volume["containerPath"].as_str().unwrap_or_default());
        let host = volume["hostPath"].as_str().map(sandbox::clean);
        let secret = volume["secret"].is_string();
        let has_parent_step = path.split('/').any(|step| step == "..");
        let fault = match mounts::sandboxed(&path, image) {
            _ if has_parent_step => Some(sandbox::parent_step(&path)),
            Some(name) if !secret || !path.starts_with('/') => used.fault(name),
            _ if secret && image => mounts::secret_fault(&path, plan),
            _ if secret => Some(format!(
                "without an image, Mesos cannot mount a secret file at the absolute path `{path}`"
            )),
            _ if image => mounts::hides(&path, plan).or_else(|| hides_mount(&path, &mounted)),
            _ if host.as_ref() == Some(&path) => None,
            _ => mounts::hides_agent(&path),
        };
        if let Some(fault) = fault {
            merged.fault(&[&format!("{at}/containerPath"), &at], &fault);
        }
    }
}

/// Returns the container paths of the mounts that the spec requests.
fn paths(app: &str, merged: &Merged<'_>) -> Vec<String> {
    let volumes = merged.items(&format!("{app}/container/volumes"));
    let of_spec = volumes.filter(|(at, _)| merged.is_of_spec(&format!("{at}/containerPath")));
    of_spec.filter_map(|(_, volume)| volume["containerPath"].as_str().map(sandbox::clean)).collect()
}

/// Returns an error message if a mount of a patch hides a mount of the spec, otherwise `None`. Mesos mounts in list order, and the
/// entries of a patch come last.
fn hides_mount(path: &str, mounted: &[String]) -> Option<String> {
    let below = |other: &&String| other.starts_with(&format!("{path}/"));
    let hidden = mounted.iter().find(below)?;
    Some(format!("a mount at `{path}` would hide the mount of the job at `{hidden}`"))
}
