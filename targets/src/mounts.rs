//! Paths of a container at which no target mounts anything.

/// Directories that a program or the container runtime cannot run without.
const SYSTEM: [&str; 12] = [
    "/",
    "/bin",
    "/dev",
    "/etc",
    "/lib",
    "/lib64",
    "/sbin",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib64",
    "/usr/sbin",
];

/// Whether a mount there would hide the container's own system: its programs, libraries, processes and devices.
#[must_use]
pub fn is_system(at: &str) -> bool {
    let at = if at == "/" { at } else { at.trim_end_matches('/') };
    let within =
        |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    SYSTEM.contains(&at) || within("/proc") || within("/sys")
}

#[cfg(test)]
mod tests {
    use super::is_system;

    #[test]
    fn the_system_is_its_directories_and_not_what_is_in_them() {
        for at in
            ["/", "/etc", "/etc/", "/usr/bin", "/usr/lib64", "/proc", "/proc/self", "/sys/fs/cgroup", "/dev"]
        {
            assert!(is_system(at), "{at}");
        }
        for at in ["/etc/app", "/usr/local", "/usr/bin/tool", "/dev/shm", "/data", "/processes", "/system"] {
            assert!(!is_system(at), "{at}");
        }
    }
}
