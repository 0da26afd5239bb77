//! Paths of a container at which no target mounts anything.

/// Whether a mount there would hide what the container's own system has there: the root, its processes and devices.
#[must_use]
pub fn is_system(at: &str) -> bool {
    let below =
        |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    matches!(at, "/" | "/dev") || below("/proc") || below("/sys")
}
