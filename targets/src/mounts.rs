//! Paths in a container at which tfjob mounts nothing, on any target.

/// Directories that programs or the container runtime need.
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

/// Directories that images of Linux distributions contain (Filesystem Hierarchy Standard). The container runtime cannot mount a
/// file over a directory.
const DIRECTORIES: [&str; 12] = [
    "/dev/shm",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/root",
    "/run",
    "/srv",
    "/tmp",
    "/usr/local",
    "/var",
    "/var/tmp",
];

/// Directories of programs and libraries. A file that is mounted there would replace a file of the image.
const PROGRAMS: [&str; 8] =
    ["/bin", "/lib", "/lib64", "/sbin", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/sbin"];

/// Files that the C library of the image reads, such as the list of users.
const READ: [&str; 8] = [
    "/etc/group",
    "/etc/gshadow",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.preload",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/shadow",
];

/// Returns why no file should be mounted at a path: the mount would replace a file that the image needs. `None` if it replaces no
/// such file. The message shows the reason after the path and a colon.
#[must_use]
pub fn replaced(at: &str) -> Option<&'static str> {
    let folder = at.rsplit_once('/').map_or("", |(folder, _)| folder);
    if READ.contains(&at) {
        Some("programs of the image read this file")
    } else if PROGRAMS.contains(&folder) {
        Some("its directory contains programs of the image")
    } else {
        None
    }
}

/// Returns whether images usually have a directory at a path, so that no file can be mounted there.
#[must_use]
pub fn is_directory(at: &str) -> bool {
    DIRECTORIES.contains(&at.trim_end_matches('/'))
}

/// Returns whether a mount at a path would hide system files of the container: programs, libraries, processes, or devices.
#[must_use]
pub fn is_system(at: &str) -> bool {
    let at = if at == "/" { at } else { at.trim_end_matches('/') };
    let within =
        |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    SYSTEM.contains(&at) || within("/proc") || within("/sys")
}

#[cfg(test)]
mod tests {
    use super::{is_directory, is_system, replaced};

    #[test]
    fn only_whole_system_directories_are_system_paths() {
        for at in
            ["/", "/etc", "/etc/", "/usr/bin", "/usr/lib64", "/proc", "/proc/self", "/sys/fs/cgroup", "/dev"]
        {
            assert!(is_system(at), "{at}");
        }
        for at in ["/etc/app", "/usr/local", "/usr/bin/tool", "/dev/shm", "/data", "/processes", "/system"] {
            assert!(!is_system(at), "{at}");
        }
    }

    #[test]
    fn system_files_are_replaced_by_a_mount() {
        for at in
            ["/etc/passwd", "/etc/ld.so.preload", "/bin/sh", "/usr/bin/env", "/lib64/ld-linux-x86-64.so.2"]
        {
            assert!(replaced(at).is_some(), "{at}");
        }
        for at in ["/etc/app/passwd", "/usr/lib/app/key", "/opt/bin/key", "/usr/local/bin/key"] {
            assert!(replaced(at).is_none(), "{at}");
        }
    }

    #[test]
    fn a_directory_of_every_image_is_no_place_for_a_file() {
        assert!(is_directory("/tmp") && is_directory("/var/tmp/") && !is_directory("/tmp/words.txt"));
    }
}
