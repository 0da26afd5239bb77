//! Tests of `tfjob run` on a terminal: the output fits for any number of tasks.
#![expect(clippy::unwrap_used, reason = "a test may")]
use crate::able;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::process::Command;

/// Returns the terminal output of a run of this job, with this number of rows and columns.
fn drawn(spec: &str, rows: u16, columns: u16) -> String {
    let (code, drawn) = on_terminal(spec, rows, columns, 0);
    assert_eq!(code, Some(0), "{drawn}");
    drawn
}

fn on_terminal(spec: &str, rows: u16, columns: u16, keys: u32) -> (Option<i32>, String) {
    with_variables(spec, (rows, columns), keys, &[("TERM", "xterm-256color")])
}

/// Returns the exit code and the terminal output of a run; `keys` is the number of Ctrl-C presses once the file `up`
/// exists.
fn with_variables(
    spec: &str,
    (rows, columns): (u16, u16),
    keys: u32,
    variables: &[(&str, &str)],
) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.tfjob.kdl"), spec).unwrap();
    let own = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&own).unwrap();
    unlockpt(&own).unwrap();
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&own, size).unwrap();
    let name = ptsname(&own, Vec::new()).unwrap().into_string().unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(name).unwrap();
    // The run gets its own session with this controlling terminal, so that a key becomes a signal that is not ignored.
    let mut child = Command::new("env")
        .args(["--default-signal=INT,QUIT,HUP", "setsid", "--ctty"])
        .args([env!("CARGO_BIN_EXE_tfjob"), "run", "a.tfjob.kdl"])
        .env_remove("NO_COLOR")
        .env_remove("JPY_PARENT_PID")
        .envs(variables.iter().copied())
        .current_dir(dir.path())
        .stdin(terminal.try_clone().unwrap())
        .stdout(terminal.try_clone().unwrap())
        .stderr(terminal)
        .spawn()
        .unwrap();
    let (mut own, mut all, mut some, mut typed) = (File::from(own), Vec::new(), [0; 4096], 0);
    // When no process has the terminal open, reading from it fails.
    while let Ok(read @ 1..) = own.read(&mut some) {
        all.extend_from_slice(&some[..read]);
        let due = match typed {
            0 => dir.path().join("up").exists(),
            _ => String::from_utf8_lossy(&all).contains("stopping all tasks"),
        };
        if typed < keys && due {
            if typed > 0 {
                // A signal that arrives twice within 100 ms counts once.
                std::thread::sleep(std::time::Duration::from_millis(200));
            }
            // The run may have exited between two keys.
            let _ = own.write_all(b"\x03");
            typed += 1;
        }
    }
    (child.wait().unwrap().code(), String::from_utf8(all).unwrap())
}

/// Returns the lines that are visible at the end.
fn seen(drawn: &str) -> Vec<String> {
    let (mut lines, mut row, mut column) = (vec![Vec::new()], 0_usize, 0_usize);
    let mut rest = drawn.chars();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                let end = rest.as_str().find(|c: char| c.is_ascii_alphabetic()).unwrap();
                let sequence: String = rest.by_ref().take(end + 1).collect();
                match sequence.as_str() {
                    "[J" => {
                        lines.truncate(row + 1);
                        lines[row].truncate(column);
                    }
                    up if up.ends_with('A') => row -= up[1..up.len() - 1].parse::<usize>().unwrap(),
                    color => assert!(color.ends_with('m'), "{color}"),
                }
            }
            c => {
                let line: &mut Vec<char> = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = c;
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), Vec::new());
    }
    lines.into_iter().map(|line| line.into_iter().collect()).collect()
}

fn job(count: u32) -> String {
    format!(
        "job \"a\" {{\n framework \"custom\"\n resources cpus=1 memory=\"64MiB\"\n \
         role \"quick\" count=4 {{ shell \"echo hello\" }}\n role \"slow\" count={count} {{ shell \"sleep 1\" }}\n}}\n"
    )
}

/// Returns how many rows are cleared each time before the state is redrawn.
fn taken(drawn: &str) -> Vec<usize> {
    drawn.split("\u{1b}[").filter_map(|part| part.split_once('A')?.0.parse().ok()).collect()
}

#[test]
fn the_status_of_many_tasks_fits_a_small_terminal() {
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
        // The escape sequences that clear rows take no columns.
        let shown = line.rsplit("\u{1b}[J").next().unwrap();
        assert!(shown.trim_end().chars().count() < 44, "{line}");
    }
}

#[test]
fn the_status_of_a_few_tasks_has_a_line_per_task() {
    let drawn = drawn(&job(2), 24, 80);
    assert!(taken(&drawn).contains(&7) && !drawn.contains(" more: "), "{drawn}");
}

#[test]
fn an_interrupt_leaves_only_complete_lines_on_the_terminal() {
    let spec = job(9).replace("sleep 1", "echo begun; touch up; sleep 60");
    let (code, drawn) = on_terminal(&spec, 24, 80, 1);
    assert_eq!(code, Some(130), "{drawn}");
    assert!(drawn.contains("^C"), "the terminal echoes the key: {drawn}");
    let seen = seen(&drawn);
    let (last, lines) = seen.split_last().unwrap();
    assert_eq!(last, "");
    for line in lines {
        let named = line.contains(" | ") || line.contains(" * ");
        assert!(named && !line.contains("^C") && !line.contains(" : "), "{line}: {seen:#?}");
    }
    assert!(lines.last().unwrap().starts_with("tfjob   * job stopped by SIGINT"), "{seen:#?}");
}

#[test]
fn ctrl_c_stops_the_job_while_its_tasks_start() {
    let spec = job(60).replace("echo hello", "touch up; sleep 60").replace("sleep 1\"", "sleep 60\"");
    for _ in 0..able::times(4) {
        let (code, drawn) = on_terminal(&spec, 24, 80, 1);
        assert_eq!(code, Some(130), "{drawn}");
        assert!(drawn.contains("job stopped by SIGINT") && !drawn.contains("shim was killed"), "{drawn}");
    }
}

#[test]
fn only_a_second_ctrl_c_kills() {
    let script = "trap 'sleep 1; echo saved; exit 0' TERM; touch up; while :; do sleep 0.05; done";
    let spec =
        job(1).replace("sleep 1", script).replace(" role \"quick\"", " stop grace=\"9s\"\n role \"quick\"");
    for (keys, saves) in [(1, true), (2, false)] {
        let (code, drawn) = on_terminal(&spec, 24, 80, keys);
        assert_eq!(code, Some(130), "{drawn}");
        assert_eq!(
            (drawn.contains("saved"), drawn.contains("killing all tasks")),
            (saves, !saves),
            "{drawn}"
        );
    }
}

#[test]
fn each_task_has_a_color_and_tfjob_lines_differ_from_program_lines() {
    let drawn = drawn(&job(9), 24, 80);
    assert!(
        drawn.contains("quick:0 |\u{1b}[0m hello") && drawn.contains("quick:0 *\u{1b}[0m \u{1b}[1mstarting"),
        "{drawn}"
    );
    let mut colors: Vec<&str> = drawn
        .split("\u{1b}[38;5;")
        .skip(1)
        .filter_map(|part| part.split_once('m').map(|(color, _)| color))
        .collect();
    colors.sort_unstable();
    colors.dedup();
    assert_eq!(colors.len(), 13, "{drawn}");
}

#[test]
fn a_notebook_gets_lines_without_cursor_movement() {
    let kernels = [
        &[("TERM", "xterm-256color"), ("JPY_PARENT_PID", "7")][..],
        &[("TERM", "xterm-color"), ("GIT_PAGER", "cat")],
    ];
    for variables in kernels {
        let (code, drawn) = with_variables(&job(2), (24, 80), 0, variables);
        assert_eq!(code, Some(0), "{drawn}");
        assert!(taken(&drawn).is_empty() && drawn.contains("hello") && drawn.contains("\u{1b}["), "{drawn}");
    }
    let (_, drawn) = with_variables(&job(2), (24, 80), 0, &[("TERM", "xterm-color")]);
    assert!(!taken(&drawn).is_empty(), "{drawn}");
}
