//! The temporary directory of `tfjob diff` with the specs of a Git revision.
use super::JOB;
use super::revisions::committed;
use crate::program::tfjob;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;
use tempfile::TempDir;

/// A comparison that waits for an object of `git` until it is ended.
struct Waiting {
    child: Child,
    place: TempDir,
    _repository: TempDir,
}

impl Waiting {
    /// Starts the comparison from a shell, which runs `before`, and waits for its directory.
    fn start(before: &str) -> Self {
        let dir = committed(&[("a.tfjob.kdl", JOB)]);
        let place = tempfile::tempdir().unwrap();
        let git = place.path().join("bin/git");
        let path = std::env::var("PATH").unwrap();
        // It answers no request for an object, and ends with the program.
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in *cat-file*) while read -r line; do :; done; exit;; esac\nPATH='{path}'; exec git \"$@\"\n"
        );
        fs::create_dir_all(place.path().join("bin")).unwrap();
        fs::create_dir_all(place.path().join("tmp")).unwrap();
        fs::write(&git, script).unwrap();
        fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
        let program = tfjob(dir.path(), &[]);
        let mut command = Command::new("env");
        let script = format!("{before}\nexec \"$0\" diff HEAD");
        // The caller may ignore a signal, as a shell does for a background process.
        command.args(["--default-signal=HUP,INT,TERM", "sh", "-c", &script]).arg(program.get_program());
        command.current_dir(dir.path()).env("TMPDIR", place.path().join("tmp"));
        command.env("PATH", format!("{}:{path}", place.path().join("bin").display()));
        let child = command.spawn().unwrap();
        let mut waiting = Self { child, place, _repository: dir };
        // The mark of the root is the first file that is written.
        while !waiting.left().iter().any(|left| left.join("tree/.git").exists()) {
            assert!(waiting.child.try_wait().unwrap().is_none(), "the program ended without a directory");
            std::thread::sleep(Duration::from_millis(5));
        }
        waiting
    }

    /// Returns the temporary directories.
    fn left(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.place.path().join("tmp")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    fn send(&self, signal: &str) {
        let kill = Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The directory is deleted at a signal, and no later command finds it.
#[test]
fn a_signal_leaves_no_specs() {
    for (name, signal) in [("HUP", 1), ("INT", 2), ("TERM", 15)] {
        let mut waiting = Waiting::start("umask 022");
        assert_eq!(waiting.left().iter().map(|left| mode(left)).collect::<Vec<_>>(), [0o700]);
        waiting.send(name);
        assert_eq!(waiting.ended().signal(), Some(signal));
        assert_eq!(waiting.left(), [""; 0].map(PathBuf::from), "{name}");
    }
}

/// As with `nohup`, and in a script that starts `tfjob diff &`.
#[test]
fn a_signal_that_is_ignored_at_the_start_stays_ignored() {
    for name in ["HUP", "INT"] {
        let mut waiting = Waiting::start(&format!("trap '' {name}"));
        waiting.send(name);
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(waiting.left().len(), 1, "{name}");
        waiting.send("TERM");
        assert_eq!(waiting.ended().signal(), Some(15), "{name}");
        assert_eq!(waiting.left(), [""; 0].map(PathBuf::from), "{name}");
    }
}

/// The directory of a process that was killed is deleted by the next command, but not one that is in use.
#[test]
fn the_next_command_deletes_what_a_killed_one_has_left() {
    let mut killed = Waiting::start(":");
    let next = |place: &Waiting| {
        let dir = committed(&[("a.tfjob.kdl", JOB)]);
        let done =
            tfjob(dir.path(), &["diff", "HEAD"]).env("TMPDIR", place.place.path().join("tmp")).output();
        assert!(done.unwrap().status.success());
    };
    next(&killed);
    assert_eq!(killed.left().len(), 1, "the directory is in use");
    killed.send("KILL");
    assert_eq!(killed.ended().signal(), Some(9));
    next(&killed);
    assert_eq!(killed.left(), [""; 0].map(PathBuf::from));
}
