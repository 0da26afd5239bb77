//! Tests of the command line program: exit codes, output streams, and reports.

use crate::able::lacks_namespaces;
use crate::program;
use crate::program::{code, err, folder, out, run, tfjob};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::Stdio;

#[test]
fn a_valid_spec_prints_no_findings() {
    let dir = folder();
    let good = run(dir.path(), &["check", "--format", "short", "good.tfjob.kdl"]);
    assert_eq!((code(&good), out(&good), err(&good)), (0, "", ""));
    let told = run(dir.path(), &["check", "good.tfjob.kdl"]);
    assert_eq!((code(&told), out(&told).lines().count(), err(&told)), (0, 1, ""));
    assert!(out(&told).starts_with("compiles for "), "{}", out(&told));
    let bad = run(dir.path(), &["check", "bad.tfjob.kdl"]);
    assert_eq!((code(&bad), err(&bad)), (1, ""));
    assert!(out(&bad).contains("bad.tfjob.kdl:2:"), "{}", out(&bad));
    assert!(!out(&bad).contains('\u{1b}'), "no colors without a terminal");
}

#[test]
fn a_job_that_no_target_accepts_is_an_error_in_every_format() {
    let dir = folder();
    // A PersistentVolumeClaim is supported only on Kubernetes, which does not support the restart limit.
    let nowhere = program::GOOD
        .replace("    role", "    restart \"on-failure\" limit=3 backoff=\"10s\"\n    role")
        .replace("    role", "    checkpoints \"pvc://claim\" at=\"/state\" every=\"10m\"\n    role");
    fs::write(dir.path().join("nowhere.tfjob.kdl"), nowhere).unwrap();
    for format in ["human", "short", "json", "sarif", "github", "gitlab"] {
        let output = run(dir.path(), &["check", "--format", format, "nowhere.tfjob.kdl"]);
        assert_eq!(code(&output), 1, "{format}: {}", out(&output));
        assert!(out(&output).contains("no target accepts this job"), "{format}: {}", out(&output));
    }
}

#[test]
fn the_block_of_a_role_configures_a_target() {
    let dir = folder();
    let wrong = "        target \"kubernetes\" { patch \"spec: {tolerationz: []}\"; }\n        run";
    let spec = program::GOOD.replacen("        run", wrong, 1);
    assert_ne!(spec, program::GOOD);
    fs::write(dir.path().join("role.tfjob.kdl"), spec).unwrap();
    let output = run(dir.path(), &["check", "--format", "short", "role.tfjob.kdl"]);
    assert_eq!(code(&output), 1, "{}", out(&output));
    assert!(out(&output).contains("error[bad-patch]"), "{}", out(&output));
}

#[test]
fn warnings_fail_where_they_are_denied() {
    let dir = folder();
    let warned = program::GOOD.replacen("        run", "        env { OUT \"$HOME/x\"; }\n        run", 1);
    fs::write(dir.path().join("warned.tfjob.kdl"), warned).unwrap();
    for (spec, deny, wanted) in
        [("warned.tfjob.kdl", false, 0), ("warned.tfjob.kdl", true, 1), ("good.tfjob.kdl", true, 0)]
    {
        for format in ["human", "json"] {
            let mut line = vec!["check", spec, "--format", format];
            line.extend(deny.then_some("--deny-warnings"));
            assert_eq!(code(&run(dir.path(), &line)), wanted, "{line:?}");
        }
    }
}

#[test]
fn usage_errors_exit_with_2() {
    let dir = folder();
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let lines: [&[&str]; 9] = [
        &["chekc"],
        &["check", "--format", "xml"],
        &["check", "none.tfjob.kdl"],
        &["check", "empty"],
        &["explain", "sintax"],
        &["check", "--fix", "-"],
        &["check", "--sarif", "good.tfjob.kdl"],
        &["check", "--sarif", "new.cluster.kdl"],
        &[],
    ];
    for line in lines {
        let output = run(dir.path(), line);
        assert_eq!((code(&output), out(&output)), (2, ""), "{line:?}");
        assert!(!err(&output).is_empty(), "{line:?}");
    }
}

#[test]
fn a_report_never_overwrites_a_spec() {
    let dir = folder();
    fs::copy(dir.path().join("good.tfjob.kdl"), dir.path().join("plain.kdl")).unwrap();
    for (spec, report) in [("good.tfjob.kdl", "./good.tfjob.kdl"), ("plain.kdl", "./plain.kdl")] {
        let output = run(dir.path(), &["check", spec, "--sarif", report]);
        assert_eq!((code(&output), out(&output)), (2, ""), "{report}");
        assert_eq!(fs::read_to_string(dir.path().join(report)).unwrap(), program::GOOD);
    }
    assert_eq!(code(&run(dir.path(), &["check", "good.tfjob.kdl", "--sarif", "report.sarif"])), 0);
}

/// Files next to a job that are not specs. If `--fix` or `fmt` took them for specs, it would change each of them.
const OTHERS: [(&str, &str); 13] = [
    ("train.py", "#!/usr/bin/env python3\n# c\nname = 'a'\nprint('hello', name)\nif True : pass\n"),
    ("README.md", "# Title\n\nit's (Linux), a = 1\n"),
    ("Dockerfile", "FROM python:3\n# c\nCMD ['python', 'a.py']\n"),
    ("go.sh", "#!/bin/sh\n# c\nx=1\ntrue\n"),
    ("job", "job 'a' {\n}\n"),
    ("notes.txt", "job 'a' {\n  x = 1\n}\n"),
    ("job.py.bak", "job 'a' {\n}\n"),
    ("package.json", "{\n  \"name\": \"job\", \"version\": \"1.0.0\",\n}\n"),
    ("deploy.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n"),
    ("ci.yml", "jobs:\n  build:\n    steps: [\"a\"]\n"),
    ("pipeline.yml", "job:\n  script: [make]\n  imge: a\n"),
    ("layout.kdl", "# c\nlayout {\n  pane size=1 borderless=true\n  name 'a'\n}\n"),
    ("other.tfjob.kdl", "# c\nlayout {\n  pane size=1 borderless=true\n}\n"),
];

#[test]
fn files_that_are_no_job_descriptions_are_never_written() {
    let dir = folder();
    fs::remove_file(dir.path().join("bad.tfjob.kdl")).unwrap();
    OTHERS.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).unwrap());
    let unchanged = |line: &[&str]| {
        for (name, text) in OTHERS.iter().chain(&[("good.tfjob.kdl", program::GOOD)]) {
            assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), *text, "{line:?} wrote {name}");
        }
    };
    let lines: [&[&str]; 9] = [
        &["check"],
        &["check", "--fix"],
        &["check", "--target", "kubernetes", "--fix"],
        &["check", "--fix", "good.tfjob.kdl"],
        &["check", "--cluster"],
        &["fmt"],
        &["compile", "--target", "kubernetes"],
        &["show"],
        &["run"],
    ];
    for line in lines {
        for (name, _) in OTHERS {
            let line = [line, &[name]].concat();
            let output = run(dir.path(), &line);
            unchanged(&line);
            assert_ne!(code(&output), 0, "{line:?}");
            if ![".kdl", ".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending)) {
                let fact = format!("error: `{name}` is not a spec: the file name must end in `.kdl`");
                assert_eq!((code(&output), out(&output)), (2, ""), "{line:?}");
                assert!(err(&output).starts_with(&fact), "{line:?}: {}", err(&output));
            }
        }
        run(dir.path(), &[line, &["."]].concat());
        run(dir.path(), &[line, &OTHERS.map(|(name, _)| name)].concat());
        unchanged(line);
    }
    let named = run(dir.path(), &["check", "--fix", "layout.kdl"]);
    let fact = "not fixed: layout.kdl (the file has no `job` or `cluster` block)\n";
    assert_eq!((code(&named), err(&named)), (1, fact));
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_does_not_stop_the_check() {
    let dir = folder();
    std::os::unix::fs::symlink("nowhere", dir.path().join("lost.tfjob.kdl")).unwrap();
    let output = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!(code(&output), 2);
    assert!(out(&output).contains("bad.tfjob.kdl:2:"), "{}", out(&output));
    assert!(err(&output).starts_with("error: cannot read `lost.tfjob.kdl`"), "{}", err(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_be_written_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let (file, before) = (dir.path().join("own.tfjob.kdl"), "job \"a\" {\nframework \"custom\"\n}\n");
    fs::write(&file, before).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tfjob"));
    // Root can write all files, except in a user namespace without the owner.
    if fs::File::options().write(true).open(&file).is_ok() {
        if lacks_namespaces(&["-U"]) {
            return;
        }
        command = std::process::Command::new("unshare");
        command.args(["-U", env!("CARGO_BIN_EXE_tfjob")]);
    }
    let output = command.args(["fmt", "own.tfjob.kdl"]).current_dir(dir.path()).output().unwrap();
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(err(&output).contains("cannot write `own.tfjob.kdl`"), "{}", err(&output));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_directory_does_not_stop_the_check() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let private = dir.path().join("private");
    fs::create_dir(&private).unwrap();
    fs::set_permissions(&private, fs::Permissions::from_mode(0o000)).unwrap();
    for words in
        [&["check", "--format", "short"][..], &["check", "--fix", "--format", "short"], &["fmt", "--check"]]
    {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tfjob"));
        // Root can read all directories, except in a user namespace without the owner.
        if fs::read_dir(&private).is_ok() {
            if lacks_namespaces(&["-U"]) {
                break;
            }
            command = std::process::Command::new("unshare");
            command.args(["-U", env!("CARGO_BIN_EXE_tfjob")]);
        }
        let output = command.args(words).current_dir(dir.path()).output().unwrap();
        assert_eq!(code(&output), 2, "{words:?}: {}", err(&output));
        assert!(
            [out(&output), err(&output)].concat().contains("bad.tfjob.kdl"),
            "{words:?}: {}",
            err(&output)
        );
        assert!(err(&output).contains("error: cannot read `private`"), "{words:?}: {}", err(&output));
    }
    fs::set_permissions(&private, fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn standard_input_is_a_spec() {
    let dir = folder();
    let mut child = tfjob(dir.path(), &["check", "--format", "short", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"job {").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 1);
    assert!(out(&output).starts_with("-:1:"), "{}", out(&output));
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let dir = folder();
    let lines = "    x = 3\n".repeat(20);
    for i in 0..12 {
        fs::write(dir.path().join(format!("{i}.tfjob.kdl")), format!("job \"a\" {{\n{lines}}}\n")).unwrap();
    }
    for format in ["human", "short", "json", "sarif", "github", "gitlab"] {
        let mut child = tfjob(dir.path(), &["check", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), err(&output)), (1, ""), "{format}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_exits_with_2() {
    let dir = folder();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = tfjob(dir.path(), &["check", "--format", "json"]).stdout(full).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(err(&output).starts_with("error: cannot write: "), "{}", err(&output));
}

#[test]
fn json_is_one_object_with_a_stable_structure() {
    let dir = folder();
    let output = run(dir.path(), &["check", "--format", "json"]);
    let report: Value = serde_json::from_str(out(&output)).unwrap();
    assert_eq!(report["summary"]["files"], 2);
    let keys: Vec<_> = report["diagnostics"][0].as_object().unwrap().keys().cloned().collect();
    let wanted = [
        "code",
        "severity",
        "message",
        "file",
        "start",
        "end",
        "environments",
        "labels",
        "help",
        "url",
        "fixes",
    ];
    assert_eq!(keys, wanted);
    assert_eq!(report["diagnostics"][0]["file"], "bad.tfjob.kdl");
}

#[test]
fn findings_of_a_directory_are_in_the_order_of_paths() {
    let dir = folder();
    for i in 0..30 {
        fs::write(dir.path().join(format!("{i:02}.tfjob.kdl")), "job \"a\" {\n    x = 3\n}\n").unwrap();
    }
    let first = run(dir.path(), &["check", "--format", "short"]);
    let files: Vec<_> = out(&first).lines().filter_map(|line| line.split(':').next()).collect();
    assert!(files.is_sorted() && files.len() > 30, "{files:?}");
    for _ in 0..3 {
        assert_eq!(run(dir.path(), &["check", "--format", "short"]).stdout, first.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_report_is_written_through_pipes_and_devices() {
    let dir = folder();
    let script = "mkfifo pipe; cat pipe >got & $0 check good.tfjob.kdl --sarif pipe && wait $! && test -p pipe && \
        $0 check good.tfjob.kdl --sarif /dev/stdout | cat >said && $0 check good.tfjob.kdl --sarif /dev/null && test -c /dev/null";
    let mut command = std::process::Command::new("timeout");
    command.args(["60", "sh", "-c", script, env!("CARGO_BIN_EXE_tfjob")]).current_dir(dir.path());
    assert_eq!(code(&command.output().unwrap()), 0);
    for name in ["got", "said"] {
        assert!(fs::read_to_string(dir.path().join(name)).unwrap().contains("sarif"), "{name}");
    }
}

/// Names of outputs, their redirection, and the file that receives the report.
const DESTINATIONS: [(&str, &str, &str); 12] = [
    ("-", ">>log", "log"),
    ("/dev/stdout", ">>log", "log"),
    ("/dev/stdout", "| cat >>log", "log"),
    ("/dev/fd/1", ">>log", "log"),
    ("/proc/self/fd/1", ">>log", "log"),
    ("to-stdout", ">>log", "log"),
    ("log", ">>log", "log"),
    ("/dev/stderr", "2>>log", "log"),
    ("/dev/fd/2", "2>>log", "log"),
    ("/dev/fd/3", "3>>log", "log"),
    ("to-file", "", "file"),
    ("to-nothing", "", "nothing"),
];

#[cfg(target_os = "linux")]
#[test]
fn a_report_is_complete_for_every_name_of_an_output() {
    for (name, redirection, file) in DESTINATIONS {
        let dir = folder();
        let script = format!(
            "ln -s /dev/stdout to-stdout; ln -s file to-file; ln -s nothing to-nothing; seq 9999 >file; echo before >log
            {{ \"$0\" check bad.tfjob.kdl --sarif {name}; echo after >&2; echo after; }} {redirection}
            test -L to-file && test -L to-nothing"
        );
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_tfjob")]).current_dir(dir.path());
        assert_eq!(code(&command.output().unwrap()), 0, "{name} {redirection}");
        let text = fs::read_to_string(dir.path().join(file)).unwrap();
        let text = if file == "log" { text.strip_prefix("before\n").expect(name) } else { &text };
        let text = if redirection.starts_with("3") { text } else { text.trim_end_matches("after\n") };
        let log: Value =
            serde_json::from_str(text).unwrap_or_else(|e| panic!("{name} {redirection}: {e}: {text}"));
        assert!(!log["runs"][0]["results"].as_array().unwrap().is_empty(), "{name} {redirection}");
    }
}

#[test]
fn the_sarif_file_is_written_in_addition_to_the_report() {
    let dir = folder();
    let output = run(dir.path(), &["check", "--format", "short", "--sarif", "new/report.sarif"]);
    assert_eq!(code(&output), 1);
    let text = fs::read_to_string(dir.path().join("new/report.sarif")).unwrap();
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), out(&output).lines().count());
    let names: Vec<_> = fs::read_dir(dir.path().join("new")).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file remains");
}

#[test]
fn an_unreadable_text_is_an_error_of_the_spec() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("latin.tfjob.kdl"), b"job \"caf\xe9\"\n").unwrap();
    fs::write(dir.path().join("huge.tfjob.kdl"), vec![b' '; (1 << 20) + 1]).unwrap();
    let output = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!(code(&output), 1);
    let lines: Vec<_> = out(&output).lines().collect();
    assert_eq!(lines[0], "huge.tfjob.kdl:1:1: error[too-large]: the text has more than 1 MiB");
    assert_eq!(lines[1], "latin.tfjob.kdl:1:9: error[forbidden-character]: the text is not valid UTF-8 here");
}

#[test]
fn timings_are_printed_only_on_request() {
    let dir = folder();
    let output = run(dir.path(), &["check", "--format", "short", "--timings", "good.tfjob.kdl"]);
    assert_eq!((code(&output), out(&output)), (0, ""));
    assert!(err(&output).contains("\"name\":\"analyze\""), "{}", err(&output));
    for line in err(&output).lines() {
        let told: Value = serde_json::from_str(line).expect("JSON");
        assert!(told["fields"]["time.busy"].is_string(), "{line}");
    }
    let wrong = tfjob(dir.path(), &["check"]).env("TFJOB_LOG", "tfjob=loud").output().unwrap();
    assert_eq!(code(&wrong), 2);
}
