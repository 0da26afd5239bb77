//! A test directory with a spec, in which `tfjob run` runs.
#![allow(dead_code, reason = "each test uses some of it")]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A temporary directory of one test, with a spec.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str, spec: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tfjob-run-{}-{number}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.tfjob.kdl"), spec).unwrap();
        Self(folder)
    }

    pub fn command(&self) -> Command {
        // The parent of the tests may ignore signals (`nohup`, `&` in a script), and the run would inherit that.
        let mut command = Command::new("env");
        command
            .args(["--default-signal=HUP,INT,QUIT", env!("CARGO_BIN_EXE_tfjob"), "run", "a.tfjob.kdl"])
            .current_dir(&self.0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start(&self, words: &[&str]) -> Child {
        self.command().args(words).spawn().unwrap()
    }

    /// Returns the status file of a task.
    pub fn status(&self, task: &str) -> serde_json::Value {
        let text = fs::read_to_string(self.0.join(format!(".tfjob/a/status/{task}.json"))).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Returns the log of a task of job `a`.
    pub fn log(&self, task: &str) -> Vec<u8> {
        fs::read(self.0.join(format!(".tfjob/a/logs/{task}.log"))).unwrap()
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.start(words).wait_with_output().unwrap()
    }

    /// Waits until a task has written this file.
    pub fn met(&self, file: &str) {
        let end = Instant::now() + Duration::from_secs(20);
        while !self.0.join(file).exists() {
            assert!(Instant::now() < end, "{file} was not written within 20 s");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns whether a process still runs in the directory.
    pub fn is_left(&self) -> bool {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let here = |path: &Path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == self.0);
        processes.map(|entry| entry.path()).any(|path| here(&path))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn role(name: &str, text: &str, more: &str) -> String {
    format!("role \"{name}\" {{ shell {text:?}; resources cpus=1 memory=\"64MiB\"; {more} }}\n")
}

pub fn job(more: &str) -> String {
    format!("job \"a\" {{\nframework \"custom\"\n{more}}}\n")
}
