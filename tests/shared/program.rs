//! A test directory with specs, and the program in it.
#![expect(clippy::unwrap_used, reason = "a test may")]
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A spec without errors.
pub const GOOD: &str = include_str!("../good.tfjob.kdl");

/// Creates a directory with a faulty and a valid spec.
pub fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.tfjob.kdl"), "job \"a\" {\n    x = 3\n}\n").unwrap();
    fs::write(dir.path().join("good.tfjob.kdl"), GOOD).unwrap();
    dir
}

pub fn tfjob(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfjob"));
    command.args(args).current_dir(dir).env_remove("TFJOB_LOG").env_remove("NO_COLOR");
    // Tests may run in a step of GitHub Actions, whose job summary is not theirs.
    command.env("TFJOB_SHIM", shim()).env_remove("GITHUB_STEP_SUMMARY");
    command
}

/// Returns the path of a file that `compile` accepts as the shim, because the real one may not be built: the header of a static
/// program.
pub fn shim() -> &'static Path {
    static SHIM: std::sync::LazyLock<std::path::PathBuf> = std::sync::LazyLock::new(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tfjob-shim-{}", std::process::id()));
        let mut header = b"\x7fELF\x02\x01".to_vec();
        header.resize(64, 0);
        fs::write(&path, header).unwrap();
        path
    });
    &SHIM
}

pub fn run(dir: &Path, args: &[&str]) -> Output {
    tfjob(dir, args).stdin(Stdio::null()).output().unwrap()
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}
