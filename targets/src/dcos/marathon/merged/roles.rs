//! Checks of the Mesos roles of a group and its apps (`GroupUpdate`, `GroupNormalization`,
//! `AppValidation.validWithRoleEnforcement`).
use crate::patch::Merged;
use serde_json::Value;

/// Checks `enforceRole`. Only a top-level group can set it to `true` (`definingEnforcingRoleOnlyIfItsTopLevel`). The Mesos role of
/// each app is then the name of this group.
pub fn enforced(merged: &mut Merged<'_>) {
    const AT: &str = "/enforceRole";
    if merged.at(AT) != true {
        return;
    }
    let group = merged.at("/id").as_str().unwrap_or_default();
    let mut steps = group.split('/').filter(|step| !step.is_empty());
    let top = steps.next().unwrap_or_default();
    if steps.next().is_some() {
        let fact = format!(
            "only a top-level group can set `enforceRole`, and `{group}` is inside `/{top}`: set it on `/{top}`"
        );
        return merged.fault(&[AT], &fact);
    }
    for (at, app) in merged.items("/apps") {
        if let Some(role) = app["role"].as_str().filter(|role| *role != top) {
            let fact = format!("`enforceRole` gives each app the role `{top}`, so Marathon rejects `{role}`");
            merged.fault(&[AT, &format!("{at}/role")], &fact);
        }
    }
}

/// Checks `acceptedResourceRoles`: an app can accept only resources of its own Mesos role and of `*`.
pub fn judge(at: &str, app: &Value, merged: &mut Merged<'_>) {
    let Some(role) = app["role"].as_str() else { return };
    let accepted = app["acceptedResourceRoles"].as_array().into_iter().flatten();
    let other = accepted.filter_map(Value::as_str).find(|name| *name != "*" && *name != role);
    if let Some(other) = other {
        let fact = format!(
            "`acceptedResourceRoles` contains `{other}`, but an app with `role: {role}` can accept only `*` and `{role}`"
        );
        merged.fault(&[&format!("{at}/acceptedResourceRoles"), &format!("{at}/role")], &fact);
    }
}
