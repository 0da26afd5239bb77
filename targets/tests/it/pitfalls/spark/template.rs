//! The template of `submit.sh`: each placeholder is at a position where a quoted value is one argument.
use super::compiled::{SMALL, good, one};
use std::io::Write;
use std::process::{Command, Stdio};

const TEMPLATE: &str = include_str!("../../../../templates/spark-submit.sh.hbs");

pub fn no_hole_is_raw_or_inside_quotes_a_comment_or_a_document() {
    assert!(!TEMPLATE.contains("{{{") && !TEMPLATE.contains("{{&") && !TEMPLATE.contains("<<"));
    for (i, line) in TEMPLATE.lines().enumerate().filter(|(_, line)| line.contains("{{")) {
        let before = &line[..line.find("{{").unwrap()];
        let quotes = |quote| before.matches(quote).count() % 2;
        assert_eq!((quotes('"'), quotes('\'')), (0, 0), "line {}: {line}", i + 1);
        assert!(!before.contains('#') && !line.trim_start().starts_with('#'), "line {}: {line}", i + 1);
    }
}

#[test]
pub fn every_branch_is_a_script_that_the_shell_reads() {
    let top = "code \"./a.zip\"; files \"w\" \"hdfs://default/w.txt\"";
    let shim = "env { A \"{index}\" }";
    let specs = [
        one("", SMALL, ""),
        one(&format!("{top}; {shim}"), "cpus=1 memory=\"4GiB\" gpus=1", ""),
        one("code \"./src\"; files \"w\" \"hdfs://default/w.zip\"", SMALL, ""),
        one(shim, SMALL, "shim path=\"/opt/tfjob-shim\""),
        one(shim, SMALL, "shim url=\"hdfs://default/apps/tfjob-shim\""),
    ];
    for spec in specs {
        let outcome = good(&spec);
        let mut shell =
            Command::new("sh").args(["-n"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        shell.stdin.take().unwrap().write_all(outcome.text("submit.sh").as_bytes()).unwrap();
        let done = shell.wait_with_output().unwrap();
        assert!(
            done.status.success(),
            "{}\n{}",
            String::from_utf8_lossy(&done.stderr),
            outcome.text("submit.sh")
        );
    }
}

/// `tfjob check` refuses an output directory if and only if the script refuses it later.
#[test]
pub fn the_script_refuses_the_same_characters_in_its_directory() {
    let line = TEMPLATE.lines().find(|line| line.contains(") fail \"spark-submit cannot handle")).unwrap();
    let pattern = line.split_once(") fail").unwrap().0;
    let all: Vec<String> = (' '..='~').chain(['\t', '\u{7f}', 'ü']).map(|c| c.to_string()).collect();
    let script =
        format!("for c; do case $c in {pattern}) printf %s\\\\n refused ;; *) echo accepted ;; esac; done");
    let done = Command::new("sh").args(["-c", &script, "sh"]).args(&all).output().unwrap();
    let told = String::from_utf8(done.stdout).unwrap();
    assert_eq!(told.lines().count(), all.len());
    for (text, said) in all.iter().zip(told.lines()) {
        let refused = tfjob_targets::spark::refused_in_directory(text).is_some();
        assert_eq!(refused, said == "refused", "{text:?}");
    }
}

/// Fails if a Python file needs a syntax newer than Python 3.6, or imports newer modules outside `try`.
const OLD: &str = "
import ast, sys
tree = ast.parse(sys.stdin.read(), feature_version=(3, 6))
tried = {node for one in ast.walk(tree) if isinstance(one, ast.Try) for node in ast.walk(one)}
for node in ast.walk(tree):
    names = [one.name for one in node.names] if isinstance(node, ast.Import) else [getattr(node, 'module', '')]
    if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in tried:
        new = {'importlib.metadata', 'importlib.resources', 'dataclasses', 'contextvars', 'graphlib', 'tomllib', 'zoneinfo'}
        assert not new & set(names), names
";

pub fn the_driver_starts_on_python_3_6() {
    for text in PROGRAMS {
        let mut python = Command::new("python3")
            .args(["-c", OLD])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        python.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let done = python.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
}

/// The generated Python files.
const PROGRAMS: [&str; 3] = [
    include_str!("../../../../templates/driver.py"),
    include_str!("../../../../templates/tfjob_lead.py"),
    include_str!("../../../../templates/tfjob_node.py"),
];

#[test]
pub fn the_programs_beside_the_script_hold_nothing_of_a_job() {
    for text in PROGRAMS.into_iter().chain([include_str!("../../../../templates/gpus.sh")]) {
        assert!(!text.contains("{{") && !text.contains("}}"));
    }
}
