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

/// Directories of the file system standard, which images of Linux distributions have: the container runtime mounts no file over
/// a directory.
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

/// Directories of programs and libraries: a file that is mounted in one takes the place of the image's own.
const PROGRAMS: [&str; 8] =
    ["/bin", "/lib", "/lib64", "/sbin", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/sbin"];

/// Files that the C library of each image reads.
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

/// What a file that is mounted there would replace, after the path and a colon.
#[must_use]
pub fn replaced(at: &str) -> Option<&'static str> {
    let folder = at.rsplit_once('/').map_or("", |(folder, _)| folder);
    if READ.contains(&at) {
        Some("programs of the image read this file")
    } else if PROGRAMS.contains(&folder) {
        Some("programs of the image are there")
    } else {
        None
    }
}

/// Whether images have a directory there, so that no file can be mounted.
#[must_use]
pub fn is_directory(at: &str) -> bool {
    DIRECTORIES.contains(&at.trim_end_matches('/'))
}

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
    use super::{is_directory, is_system, replaced};

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

    #[test]
    fn a_file_of_the_system_is_no_place_for_another() {
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
