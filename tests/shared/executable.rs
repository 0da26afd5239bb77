//! Programs that a test writes and then starts.
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program. Another process does it: what a test has open for writing, a child that another test starts at that moment has
/// open, too, and nobody can start it then (`ETXTBSY`).
pub fn write(path: &Path, text: &str) {
    let mut install = Command::new("install");
    install.args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped());
    let mut child = install.spawn().expect("coreutils");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    assert!(child.wait().expect("a child").success(), "{}", path.display());
}
