//! Volumes that a patch mounts, judged as those of the spec.
use super::sandbox::{self, Own};
use crate::dcos::marathon::support::mounts;
use crate::patch::Merged;
use serde_json::Value;
use tfjob_lang::plan::Plan;

/// Judges the volumes of an app. With an image, a folder of the agent hides what the image has at that path, whatever its own
/// path is; without one, only another path's does (Mesos, `isolators/volume/host_path.cpp`).
pub fn judge(app: &str, value: &Value, merged: &mut Merged<'_>, plan: &Plan, own: &Own) {
    let image = value["container"]["docker"]["image"].is_string();
    let mounted: Vec<String> = paths(app, merged);
    for (at, volume) in merged.items(&format!("{app}/container/volumes")) {
        if merged.is_of_spec(&format!("{at}/containerPath")) {
            continue;
        }
        let path = sandbox::clean(volume["containerPath"].as_str().unwrap_or_default());
        let host = volume["hostPath"].as_str().map(sandbox::clean);
        let secret = volume["secret"].is_string();
        let climbs = path.split('/').any(|step| step == "..");
        let fault = match mounts::sandboxed(&path, image) {
            _ if climbs => Some(format!("would follow `..` in `{path}`, out of the directory that it names")),
            Some(name) if !secret || !path.starts_with('/') => own.fault(name),
            _ if secret && image => mounts::secret_fault(&path, plan),
            _ if secret => Some("puts a secret at a path of its own only inside an image".to_owned()),
            _ if image => mounts::hides(&path, plan).or_else(|| over(&path, &mounted)),
            _ if host.as_ref() == Some(&path) => None,
            _ => mounts::hides_agent(&path),
        };
        if let Some(fault) = fault {
            merged.fault(&[&format!("{at}/containerPath"), &at], &format!("DC/OS {fault}"));
        }
    }
}

/// Paths in the container at which lines of the spec mount something.
fn paths(app: &str, merged: &Merged<'_>) -> Vec<String> {
    let volumes = merged.items(&format!("{app}/container/volumes"));
    let of_spec = volumes.filter(|(at, _)| merged.is_of_spec(&format!("{at}/containerPath")));
    of_spec.filter_map(|(_, volume)| volume["containerPath"].as_str().map(sandbox::clean)).collect()
}

/// Mesos mounts in the order of the list, and volumes of a patch come last.
fn over(path: &str, mounted: &[String]) -> Option<String> {
    let below = |other: &&String| other.starts_with(&format!("{path}/"));
    let hidden = mounted.iter().find(below)?;
    Some(format!("cannot mount at `{path}`: it would hide what the job mounts at `{hidden}`"))
}
