//! Roles of a group and of its apps (`GroupUpdate`, `GroupNormalization`, `AppValidation.validWithRoleEnforcement`).
use crate::patch::Merged;
use serde_json::Value;

/// Only a group directly below the root enforces its role (`definingEnforcingRoleOnlyIfItsTopLevel`); its name is then the role of
/// each app.
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
            "`enforceRole` is for a group directly below `/`, and `{group}` is inside `/{top}`: set it on `/{top}`, not here"
        );
        return merged.fault(&[AT], &fact);
    }
    for (at, app) in merged.items("/apps") {
        if let Some(role) = app["role"].as_str().filter(|role| *role != top) {
            let fact =
                format!("`enforceRole` gives each app the role `{top}`, and Marathon refuses `{role}`");
            merged.fault(&[AT, &format!("{at}/role")], &fact);
        }
    }
}

/// An app takes resources of its own role and of `*`.
pub fn judge(at: &str, app: &Value, merged: &mut Merged<'_>) {
    let Some(role) = app["role"].as_str() else { return };
    let accepted = app["acceptedResourceRoles"].as_array().into_iter().flatten();
    let other = accepted.filter_map(Value::as_str).find(|name| *name != "*" && *name != role);
    if let Some(other) = other {
        let fact = format!(
            "`acceptedResourceRoles` holds `{other}`, and an app of `role: {role}` accepts `*` and `{role}`"
        );
        merged.fault(&[&format!("{at}/acceptedResourceRoles"), &format!("{at}/role")], &fact);
    }
}
