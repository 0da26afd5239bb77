//! OOM kills and the memory limit of the cgroup.
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// A limit of this size or more means unlimited: without a limit, cgroup v1 reports a value just below `i64::MAX`.
const UNLIMITED: u64 = 1 << 60;

/// Returns the number of OOM kills in the cgroup of this process. `None` if unknown. `root` is `/`.
pub fn kills(root: &Path) -> Option<u64> {
    let count =
        |text: &str| text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
    find(root, "memory.events", "memory.oom_control", &count)
}

/// Returns the memory limit of the cgroup in bytes. `None` if there is none.
pub fn limit(root: &Path) -> Option<u64> {
    let number = |text: &str| text.trim().parse().ok().filter(|limit| *limit < UNLIMITED);
    find(root, "memory.max", "memory.limit_in_bytes", &number)
}

/// Reads a value of the cgroup from the file `new` of cgroup v2, or else from the file `old` of cgroup v1.
fn find(root: &Path, new: &str, old: &str, read: &dyn Fn(&str) -> Option<u64>) -> Option<u64> {
    let groups = read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mount = root.join("sys/fs/cgroup");
    let mut files: Vec<PathBuf> = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(kind), Some(path)) = (parts.next(), parts.next()) else { continue };
        let path = path.trim_start_matches('/');
        if kind.is_empty() {
            files.push(mount.join(path).join(new));
        } else if kind.split(',').any(|kind| kind == "memory") {
            files.push(mount.join("memory").join(path).join(old));
        }
    }
    // In a container, the mount point itself is the cgroup of this process.
    files.extend([mount.join(new), mount.join("memory").join(old)]);
    files.iter().find_map(|file| read(&read_to_string(file).ok()?))
}

#[cfg(test)]
mod tests {
    use super::{kills, limit};
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
        put("sys/fs/cgroup/a/b/memory.max", "max\n");
        assert_eq!(limit(&root), None);
        put("sys/fs/cgroup/a/b/memory.max", "4294967296\n");
        assert_eq!(limit(&root), Some(1 << 32));
        put("proc/self/cgroup", "7:cpu,cpuacct:/x\n4:memory:/x:y\n");
        put("sys/fs/cgroup/memory/x:y/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
        assert_eq!(kills(&root), Some(2));
        put("sys/fs/cgroup/memory/x:y/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(limit(&root), None);
        remove_dir_all(root).unwrap();
    }
}
