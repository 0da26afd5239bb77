//! Executable files that a test writes and starts.
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable file with another process. If this process wrote it, children of other tests could inherit the open file,
/// and the file could not be executed (`ETXTBSY`).
pub fn write(path: &Path, text: &str) {
    let mut install = Command::new("install");
    install.args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped());
    let mut child = install.spawn().expect("coreutils");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    assert!(child.wait().expect("a child").success(), "{}", path.display());
}
