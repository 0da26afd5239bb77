//! Checks of patched values in security contexts.
use super::{Place, Rule, between, inner, text, word};
use serde_json::Value;

/// Maximum user ID or group ID.
const MOST_ID: i64 = i32::MAX as i64;

/// Returns whether a patch may set a value. `None` if another module checks the field.
pub fn rule(place: &Place<'_>, value: &Value) -> Option<Rule> {
    Some(match (place.owner, place.field) {
        (
            "PodSecurityContext" | "SecurityContext",
            "fsGroup" | "runAsUser" | "runAsGroup" | "supplementalGroups",
        ) => between(value, 0, MOST_ID),
        // Whether a container may be privileged depends on the flag `--allow-privileged` of the API server.
        ("SecurityContext", "privileged") if value == true => Rule::Unchecked,
        ("PodSecurityContext", "seLinuxChangePolicy") => word(value, &["MountOption", "Recursive"]),
        ("PodSecurityContext", "runAsNonRoot" | "fsGroupChangePolicy" | "supplementalGroupsPolicy")
        | (
            "SecurityContext",
            "allowPrivilegeEscalation"
            | "privileged"
            | "readOnlyRootFilesystem"
            | "runAsNonRoot"
            | "procMount",
        )
        | ("SELinuxOptions" | "Capabilities", _)
        | ("SeccompProfile" | "AppArmorProfile", "type") => Rule::Fits,
        ("SeccompProfile", "localhostProfile") => text(value, inner, "a relative path without `..`"),
        ("AppArmorProfile", "localhostProfile") => text(
            value,
            |name| !name.is_empty() && name.trim() == name && name.len() <= 4095,
            "a valid profile name",
        ),
        ("Sysctl", "name") => text(value, is_sysctl, "a valid sysctl name"),
        ("Sysctl", "value") => Rule::Fits,
        _ => return None,
    })
}

/// Returns whether a text is a sysctl name: parts of lowercase letters, digits, and inner `-` and `_`, joined by `.` or `/`.
fn is_sysctl(name: &str) -> bool {
    let step = |step: &str| {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let bytes = step.as_bytes();
        bytes.first().is_some_and(|b| plain(*b))
            && bytes.last().is_some_and(|b| plain(*b))
            && bytes.iter().all(|b| plain(*b) || b"-_".contains(b))
    };
    name.len() <= 253 && name.split(['.', '/']).all(step)
}
