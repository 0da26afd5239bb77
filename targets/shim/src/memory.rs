//! Whether the kernel killed something for want of memory, as the control group counts it.
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// The kills counted so far in the group of this process; `None` where no group can be read. `root` is `/`.
pub fn kills(root: &Path) -> Option<u64> {
    let groups = read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mount = root.join("sys/fs/cgroup");
    let mut files: Vec<PathBuf> = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(kind), Some(path)) = (parts.next(), parts.next()) else { continue };
        let path = path.trim_start_matches('/');
        if kind.is_empty() {
            files.push(mount.join(path).join("memory.events"));
        } else if kind.split(',').any(|kind| kind == "memory") {
            files.push(mount.join("memory").join(path).join("memory.oom_control"));
        }
    }
    // A container sees its own group at the top, whatever the path says.
    files.extend([mount.join("memory.events"), mount.join("memory/memory.oom_control")]);
    files.iter().find_map(|file| count(&read_to_string(file).ok()?))
}

fn count(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::kills;
    use std::fs::{create_dir_all, remove_dir_all, write};

    #[test]
    fn kills_are_counted_in_either_version_of_control_groups() {
        let root = std::env::temp_dir().join(format!("tfjob-memory-{}", std::process::id()));
        let put = |path: &str, text: &str| {
            let path = root.join(path);
            create_dir_all(path.parent().unwrap()).unwrap();
            write(path, text).unwrap();
        };
        assert_eq!(kills(&root), None);
        put("sys/fs/cgroup/memory.events", "low 0\noom 4\noom_kill 3\noom_group_kill 9\n");
        assert_eq!(kills(&root), Some(3));
        put("proc/self/cgroup", "0::/a/b\n");
        put("sys/fs/cgroup/a/b/memory.events", "oom_kill 5\n");
        assert_eq!(kills(&root), Some(5));
        put("proc/self/cgroup", "7:cpu,cpuacct:/x\n4:memory:/x:y\n");
        put("sys/fs/cgroup/memory/x:y/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
        assert_eq!(kills(&root), Some(2));
        remove_dir_all(root).unwrap();
    }
}
