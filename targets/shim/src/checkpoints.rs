//! The folder of checkpoints, as far as a program's files tell: whether something is there, and how new it is.
use crate::state::OURS;
use std::fs::read_dir;
use std::path::Path;
use std::time::SystemTime;

/// How many entries are looked at at most, and how deep: a folder of data must not hold up a restart.
const MOST: usize = 100_000;
const DEEPEST: u32 = 6;

/// When the newest file of the folder was written; `None` where there is none.
///
/// Not counted: what begins with a dot, TensorFlow's event logs and files that are still being written, since a program
/// that fails at once leaves those too.
pub fn newest(folder: &Path) -> Option<SystemTime> {
    let mut left = MOST;
    look(folder, DEEPEST, &mut left)
}

fn look(folder: &Path, deeper: u32, left: &mut usize) -> Option<SystemTime> {
    let mut newest = None;
    for entry in read_dir(folder).ok()?.flatten() {
        let Some(fewer) = left.checked_sub(1) else { return newest };
        *left = fewer;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let passing = name.starts_with('.') || name.contains("tfevents") || name.ends_with(".tmp");
        if passing || name.starts_with(OURS) || name.contains(".tempstate") {
            continue;
        }
        let Ok(about) = entry.metadata() else { continue };
        let written = match () {
            () if about.is_file() => about.modified().ok(),
            () if about.is_dir() && deeper > 0 => look(&entry.path(), deeper - 1, left),
            () => None,
        };
        newest = newest.max(written);
    }
    newest
}

/// The first thing that somebody has left there. What begins with a dot, and a file system's own folder, is nobody's.
pub fn occupied(folder: &Path) -> Option<String> {
    let names =
        read_dir(folder).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.') && name != "lost+found").min()
}

#[cfg(test)]
mod tests {
    use super::newest;
    use std::fs::{create_dir_all, write};

    #[test]
    fn only_files_of_a_checkpoint_count() {
        let folder = std::env::temp_dir().join(format!("tfjob-newest-{}", std::process::id()));
        assert_eq!(newest(&folder), None);
        create_dir_all(folder.join("train/empty")).unwrap();
        for name in [".tfjob-job-worker-0.json", "events.out.tfevents.1.host", "ckpt-1.tmp"] {
            write(folder.join(name), "x").unwrap();
        }
        assert_eq!(newest(&folder), None);
        write(folder.join("train/ckpt-1.index"), "x").unwrap();
        let first = newest(&folder).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        write(folder.join("ckpt-2.index"), "x").unwrap();
        assert!(newest(&folder).unwrap() > first);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
