//! Executable files that a test writes and starts.
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable file in another process. A file that this process has open for writing is inherited by children of other tests,
/// and then cannot be executed (`ETXTBSY`).
pub fn write(path: &Path, text: &str) {
    let mut install = Command::new("install");
    install.args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped());
    let mut child = install.spawn().expect("coreutils");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    assert!(child.wait().expect("a child").success(), "{}", path.display());
}
