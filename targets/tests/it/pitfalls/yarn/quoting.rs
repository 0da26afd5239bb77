//! Quoting: the program gets each text of the spec unchanged, although YARN passes it through two shells.

use super::component;
use crate::pitfalls::{analyzed, compiled};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Texts that were tested on a real cluster, each as an environment variable and as an argument.
#[rustfmt::skip]
const HOSTILE: [&str; 56] = [
    "", "$", "\"", "'", "\\", "`", "$HOME", "${HOME}", "$(id)", "`id`", "{{HOME}}", "{{", "}}", "{{}}", "{{{{}}}}",
    "}}}", "{{{", "<LOG_DIR>", "<CPS>", "<<LOG_DIR>>", "<LOG_DIR", "${COMPONENT_ID}", "\\${COMPONENT_ID}",
    "$${COMPONENT_ID}", "${V}", "${", "}${SERVICE_NAME}", "$\\{", "a\nb", "\\\n", "\r\n", "\t", "\u{1}\u{7f}",
    "é漢😀", "\u{2028}", "a'b\"c\\d`e$f", "'\\''", "$'\\n'", "!x !!", " lead", "trail ", "$1 \\1 \\$1", "*", "~", "#",
    "&&;|", "<", "{", "}", "{ {", "%", "^", "-n", "\\\\", "\\\"",
    "{\"cluster\": {\"ps\": [\"ps-0.x:1\"]}, \"task\": {\"type\": \"ps\", \"index\": 0}}",
];

/// Returns the text as a string of the spec, in which braces are doubled.
fn literal(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '\\' | '"' => format!("\\{c}"),
            '{' => "{{".to_owned(),
            c if c.is_control() || c == '\u{2028}' => format!("\\u{{{:x}}}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}

/// Applies the substitutions of the service master and the NodeManager that happen before bash reads a text.
fn substituted(text: &str) -> String {
    let tokens = [
        ("${COMPONENT_ID}", "0"),
        ("${SERVICE_NAME}", "svc"),
        ("${USER}", "ada"),
        ("${V}", "v"),
        ("${HOME}", "/h"),
        ("{{", "$"),
        ("}}", ""),
        ("<LOG_DIR>", "/logs"),
        ("<CPS>", ":"),
    ];
    tokens.iter().fold(text.to_owned(), |text, (token, value)| text.replace(token, value))
}

/// Runs the launch script of the NodeManager with bash, and returns its output.
fn run(component: &Value) -> String {
    let mut script = String::from("set -e\n");
    for (name, value) in component["configuration"]["env"].as_object().unwrap() {
        script.push_str(&format!("export {name}=\"{}\"\n", substituted(value.as_str().unwrap())));
    }
    let command = substituted(component["launch_command"].as_str().unwrap());
    script.push_str(&format!("exec /bin/bash -c \"{command} 2>&1 \"\n"));
    let done = Command::new("/bin/bash").arg("-c").arg(script).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

pub fn every_word_and_variable_arrives_as_it_was_written() {
    let words: String = HOSTILE.iter().map(|w| format!(" {}", literal(w))).collect();
    let env: String = HOSTILE.iter().enumerate().map(|(i, w)| format!("V{i} {}; ", literal(w))).collect();
    let show = "printf '%s\\0' \"$@\"; i=0; while [ $i -lt 56 ]; do printenv -0 V$i; i=$((i+1)); done";
    let show = literal(show);
    let text = format!(
        "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\"\n env {{ {env} }}\n role \"worker\" {{\n run \"sh\" \"-c\" {show} \"sh\"{words}\n resources cpus=1 memory=\"1GiB\"\n }}\n}}\n",
    );
    let (errors, lowered) = compiled(&analyzed(&text), "yarn");
    assert!(lowered.is_some(), "{errors:#?}");
    let got = run(&component(&text, "worker"));
    let got: Vec<_> = got.split('\0').collect();
    assert_eq!(got.len(), 113, "112 texts and what follows the last mark");
    for (i, word) in HOSTILE.iter().chain(&HOSTILE).enumerate() {
        assert_eq!(got[i], *word, "{i}");
    }
}

pub fn a_shell_reads_its_text_as_it_stands() {
    let text = r##"job "t" {
    framework "tensorflow" version="2.15"
    role "worker" {
        shell #"printf '%s|' "$TFJOB_ROLE" "$TFJOB_INDEX" "${TFJOB_JOB}" `echo b` "\$x" '{{}}'"#
        resources cpus=1 memory="1GiB"
    }
}
"##;
    assert_eq!(run(&component(text, "worker")), "worker|0|t|b|$x|{{}}|");
}

/// The NodeManager does not restart a program after exit codes 137 and 143, so bash replaces these codes.
pub fn a_killed_program_ends_with_another_code() {
    for (script, code) in [("kill -9 $$", 1), ("kill -15 $$", 1), ("exit 7", 7), ("exit 0", 0)] {
        let text = format!(
            "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\"\n role \"worker\" {{\n run \"sh\" \"-c\" \"{script}\"\n restart \"on-failure\"\n resources cpus=1 memory=\"1GiB\"\n }}\n}}\n"
        );
        let command = substituted(component(&text, "worker")["launch_command"].as_str().unwrap());
        let script = format!("exec /bin/bash -c \"{command} 2>/dev/null \"");
        let done = Command::new("/bin/bash").arg("-c").arg(script).status().unwrap();
        assert_eq!(done.code(), Some(code), "{command}");
    }
}

/// Without an image, the NodeManager sends SIGTERM to the program itself, and a second SIGTERM would interrupt it while it saves
/// its state. In Docker, only the first process gets SIGTERM.
pub fn a_program_gets_sigterm_once() {
    let program = "trap 'echo told' TERM; echo up; while sleep 0.05 || :; do :; done";
    let text = |image: &str| {
        format!(
            "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\"\n {image}\n role \"worker\" {{\n run \"sh\" \"-c\" {}\n restart \"on-failure\"\n resources cpus=1 memory=\"1GiB\"\n }}\n}}\n",
            literal(program)
        )
    };
    for (image, passed) in [("", 0), ("image \"ml/a:1\"", 1)] {
        let launch = component(&text(image), "worker")["launch_command"].as_str().unwrap().to_owned();
        let script = format!("exec /bin/bash -c \"{} 2>&1 \"", substituted(&launch));
        let mut bash = Command::new("/bin/bash");
        let mut bash = bash.arg("-c").arg(script).process_group(0).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(bash.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert_eq!(said.next().as_deref(), Some("up"));
        // This pause lets bash start to wait for the program.
        std::thread::sleep(Duration::from_millis(200));
        let kill = |signal: &str, who: String| {
            assert!(Command::new("kill").args([signal, "--", &who]).status().unwrap().success());
        };
        let (first, group) = (bash.id().to_string(), format!("-{}", bash.id()));
        kill("-TERM", first);
        std::thread::sleep(Duration::from_millis(500));
        kill("-KILL", group);
        assert_eq!(said.filter(|line| line == "told").count(), passed, "{launch}");
        bash.wait().unwrap();
    }
}
