//! Volumes that a patch mounts, judged as those of the spec.
use crate::dcos::marathon;
use crate::patch::Merged;
use serde_json::Value;
use tfjob_lang::plan::Plan;

/// Judges the volumes of an app with an image: without one, an absolute path is the agent's own.
pub fn judge(app: &str, value: &Value, merged: &mut Merged<'_>, plan: &Plan) {
    if !value["container"]["docker"]["image"].is_string() {
        return;
    }
    for (at, volume) in merged.items(&format!("{app}/container/volumes")) {
        let path = volume["containerPath"].as_str().unwrap_or_default();
        let clean = if path == "/" { path } else { path.trim_end_matches('/') };
        // A folder or file of the agent at its own path is what the programs of the agent see there.
        let same = volume["hostPath"].as_str().is_some_and(|host| host.trim_end_matches('/') == clean);
        let own = merged.is_of_spec(&format!("{at}/containerPath"));
        if own || same || !clean.starts_with('/') {
            continue;
        }
        let fault = match volume["secret"].is_string() {
            true => marathon::secret_fault(clean, plan),
            false => marathon::taken(clean, plan),
        };
        if let Some(fault) = fault {
            merged.fault(&[&format!("{at}/containerPath"), &at], &format!("DC/OS {fault}"));
        }
    }
}
