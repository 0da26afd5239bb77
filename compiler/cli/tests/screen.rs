//! `tfjob run` on a terminal: what it draws fits, however many tasks there are.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may")]
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::process::{Command, Stdio};

/// What a run of this job draws on a terminal of so many rows and columns.
fn drawn(spec: &str, rows: u16, columns: u16) -> String {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.tfjob.kdl"), spec).unwrap();
    let own = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&own).unwrap();
    unlockpt(&own).unwrap();
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&own, size).unwrap();
    let name = ptsname(&own, Vec::new()).unwrap().into_string().unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tfjob"))
        .args(["run", "a.tfjob.kdl"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(terminal.try_clone().unwrap())
        .stderr(terminal)
        .spawn()
        .unwrap();
    let (mut own, mut all, mut some) = (File::from(own), Vec::new(), [0; 4096]);
    // Once nobody has the terminal open, reading from it fails.
    while let Ok(read @ 1..) = own.read(&mut some) {
        all.extend_from_slice(&some[..read]);
    }
    assert!(child.wait().unwrap().success());
    String::from_utf8(all).unwrap()
}

fn job(count: u32) -> String {
    format!(
        "job \"a\" {{\n framework \"custom\"\n resources cpus=1 memory=\"64MiB\"\n \
         role \"quick\" count=4 {{ shell \"echo hello\" }}\n role \"slow\" count={count} {{ shell \"sleep 1\" }}\n}}\n"
    )
}

/// How many rows are taken away each time before the state is drawn anew.
fn taken(drawn: &str) -> Vec<usize> {
    drawn.split("\u{1b}[").filter_map(|part| part.split_once('A')?.0.parse().ok()).collect()
}

#[test]
fn the_state_of_many_tasks_fits_on_a_small_terminal() {
    let drawn = drawn(&job(12), 10, 44);
    let taken = taken(&drawn);
    assert!(taken.contains(&9) && taken.iter().all(|rows| *rows < 10), "{taken:?}");
    let more = |line: &&str| line.starts_with("… and ") && line.contains(" more: ");
    let counted: Vec<&str> = drawn.lines().filter(more).collect();
    assert!(
        counted.iter().any(|line| line.starts_with("… and 9 more: ") && line.contains("running")),
        "{drawn}"
    );
    for line in drawn.lines().filter(|line| line.contains(" : ") || more(line)) {
        assert!(line.trim_end().chars().count() < 44, "{line}");
    }
}

#[test]
fn the_state_of_a_few_tasks_has_a_line_for_each() {
    let drawn = drawn(&job(2), 24, 80);
    assert!(taken(&drawn).contains(&7) && !drawn.contains(" more: "), "{drawn}");
}
