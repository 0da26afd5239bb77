//! The program as a user runs it: exit codes, streams, and files that are written whole or not at all.
#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with one bad and one good spec.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.tfjob.kdl"), "job \"a\" {\n    x = 3\n}\n").unwrap();
    fs::write(dir.path().join("good.tfjob.kdl"), include_str!("good.tfjob.kdl")).unwrap();
    dir
}

fn tfjob(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfjob"));
    command.args(args).current_dir(dir).env_remove("TFJOB_LOG").env_remove("NO_COLOR");
    command
}

fn run(dir: &Path, args: &[&str]) -> Output {
    tfjob(dir, args).stdin(Stdio::null()).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn a_clean_spec_is_silent_and_a_bad_one_is_not() {
    let dir = folder();
    let good = run(dir.path(), &["check", "--format", "short", "good.tfjob.kdl"]);
    assert_eq!((code(&good), out(&good), err(&good)), (0, "", ""));
    let told = run(dir.path(), &["check", "good.tfjob.kdl"]);
    assert_eq!((code(&told), out(&told).lines().count(), err(&told)), (0, 1, ""));
    assert!(out(&told).starts_with("compiles for "), "{}", out(&told));
    let bad = run(dir.path(), &["check", "bad.tfjob.kdl"]);
    assert_eq!((code(&bad), err(&bad)), (1, ""));
    assert!(out(&bad).contains("bad.tfjob.kdl:2:"), "{}", out(&bad));
    assert!(!out(&bad).contains('\u{1b}'), "no colour but at a terminal");
}

#[test]
fn wrong_use_exits_with_2_and_says_why() {
    let dir = folder();
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let lines: [&[&str]; 7] = [
        &["chekc"],
        &["check", "--format", "xml"],
        &["check", "none.tfjob.kdl"],
        &["check", "empty"],
        &["explain", "sintax"],
        &["check", "--fix", "-"],
        &[],
    ];
    for line in lines {
        let output = run(dir.path(), line);
        assert_eq!((code(&output), out(&output)), (2, ""), "{line:?}");
        assert!(!err(&output).is_empty(), "{line:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_can_be_read_is_reported_though_another_file_cannot() {
    let dir = folder();
    std::os::unix::fs::symlink("nowhere", dir.path().join("lost.tfjob.kdl")).unwrap();
    let output = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!(code(&output), 2);
    assert!(out(&output).contains("bad.tfjob.kdl:2:"), "{}", out(&output));
    assert!(err(&output).starts_with("error: cannot read `lost.tfjob.kdl`"), "{}", err(&output));
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
fn a_reader_that_goes_away_changes_no_exit_code() {
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
fn json_is_one_object_of_the_promised_shape() {
    let dir = folder();
    let output = run(dir.path(), &["check", "--format", "json"]);
    let report: Value = serde_json::from_str(out(&output)).unwrap();
    assert_eq!(report["summary"]["files"], 2);
    let keys: Vec<_> = report["diagnostics"][0].as_object().unwrap().keys().cloned().collect();
    let wanted = ["code", "severity", "message", "file", "start", "end", "labels", "help", "url", "fixes"];
    assert_eq!(keys, wanted);
    assert_eq!(report["diagnostics"][0]["file"], "bad.tfjob.kdl");
}

#[test]
fn a_folder_is_reported_in_the_order_of_its_paths_every_time() {
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

#[test]
fn fix_mends_what_has_one_right_answer_and_reports_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.tfjob.kdl");
    let good = include_str!("good.tfjob.kdl");
    let bad = good.replace("role ", "rol ").replace("version=\"2.15\"", "version=2.15");
    fs::write(&path, format!("{bad}// a comment\n")).unwrap();
    let output = run(dir.path(), &["check", "--fix", "--format", "short"]);
    assert_eq!((code(&output), out(&output), err(&output)), (0, "", "mended a.tfjob.kdl\n"));
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{good}// a comment\n"));
    fs::write(&path, bad.replace("mnist.py\"", "mnist.py\"\n        nonsense 1")).unwrap();
    let output = run(dir.path(), &["check", "--fix", "--format", "short"]);
    assert_eq!(code(&output), 1);
    assert_eq!(out(&output).lines().count(), 1, "{}", out(&output));
    assert!(out(&output).contains("a.tfjob.kdl:6:9: error["), "{}", out(&output));
}

#[test]
fn a_base_is_read_from_the_work_tree_and_no_further() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("project/.git")).unwrap();
    fs::create_dir_all(dir.path().join("project/jobs")).unwrap();
    let job = |base: &str| format!("extends \"{base}\"\njob \"mnist\" {{\n    description \"again\"\n}}\n");
    let at = |name: &str| dir.path().join(name);
    fs::write(at("secret.tfjob.kdl"), "job \"secret\"").unwrap();
    fs::write(at("project/base.tfjob.kdl"), include_str!("good.tfjob.kdl")).unwrap();
    fs::write(at("project/jobs/a.tfjob.kdl"), job("../base.tfjob.kdl")).unwrap();
    let good = run(&at("project"), &["check", "--format", "short"]);
    assert_eq!((code(&good), out(&good)), (0, ""));
    fs::write(at("project/jobs/a.tfjob.kdl"), job("../../secret.tfjob.kdl")).unwrap();
    let outside = run(&at("project/jobs"), &["check", "--format", "short", "a.tfjob.kdl"]);
    assert_eq!(code(&outside), 1);
    assert!(out(&outside).contains("a.tfjob.kdl:1:9: error[unreadable-base]"), "{}", out(&outside));
    assert!(out(&outside).contains("outside the work tree"), "{}", out(&outside));
    fs::write(at("project/base.tfjob.kdl"), "job \"base\" {\n    imge \"x:1\"\n}\n").unwrap();
    fs::write(at("project/jobs/a.tfjob.kdl"), job("../base.tfjob.kdl")).unwrap();
    let inside = run(&at("project/jobs"), &["check", "--format", "short"]);
    assert!(out(&inside).contains("../base.tfjob.kdl:2:5: error[unknown-node]"), "{}", out(&inside));
}

#[test]
fn a_fragment_that_another_spec_extends_is_judged_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let base = include_str!("good.tfjob.kdl").replace("    image \"ml/mnist:1.0\"\n", "");
    let job = "extends \"base.tfjob.kdl\"\njob \"mnist\" {\n    image \"ml/mnist:1.0\"\n}\n";
    let base = base.replace("        run \"python\" \"mnist.py\"\n", "");
    let job = job.replace("\n}\n", "\n    run \"python\" \"mnist.py\"\n}\n");
    fs::write(dir.path().join("base.tfjob.kdl"), base).unwrap();
    fs::write(dir.path().join("job.tfjob.kdl"), job).unwrap();
    let folder = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!((code(&folder), out(&folder)), (0, ""));
    let cycle = |base: &str| format!("extends \"{base}\"\njob \"mnist\"\n");
    fs::create_dir(dir.path().join("cycle")).unwrap();
    fs::write(dir.path().join("cycle/a.tfjob.kdl"), cycle("b.tfjob.kdl")).unwrap();
    fs::write(dir.path().join("cycle/b.tfjob.kdl"), cycle("a.tfjob.kdl")).unwrap();
    let both = run(dir.path(), &["check", "--format", "short", "cycle"]);
    assert_eq!((code(&both), out(&both).matches("[extends-cycle]").count()), (1, 2), "{}", out(&both));
    let alone = run(dir.path(), &["check", "--format", "short", "base.tfjob.kdl"]);
    assert!(out(&alone).contains("error[missing-command]"), "{}", out(&alone));
}

#[test]
fn the_start_order_is_shown() {
    let dir = folder();
    let spec = "job \"ctr\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"
    image \"ml/ctr:1.0\"
    run \"python\" \"ctr.py\"
    resources cpus=2 memory=\"4GiB\"
    role \"chief\" { after \"worker\" when=\"started\"; after \"ps\"; }
    role \"worker\" count=2 { after \"ps\"; }
    role \"ps\"\n}\n";
    fs::write(dir.path().join("ctr.tfjob.kdl"), spec).unwrap();
    let output = run(dir.path(), &["show", "ctr.tfjob.kdl", "--graph"]);
    let wanted = "1. ps\n2. worker when ps is ready\n3. chief when worker is started and ps is ready\n";
    assert_eq!((code(&output), out(&output), err(&output)), (0, wanted, ""));
}

#[test]
fn the_sarif_file_is_written_beside_the_report() {
    let dir = folder();
    let output = run(dir.path(), &["check", "--format", "short", "--sarif", "new/report.sarif"]);
    assert_eq!(code(&output), 1);
    let text = fs::read_to_string(dir.path().join("new/report.sarif")).unwrap();
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), out(&output).lines().count());
    let names: Vec<_> = fs::read_dir(dir.path().join("new")).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file stays");
}

#[test]
fn a_text_that_is_no_text_is_an_error_of_the_spec() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("latin.tfjob.kdl"), b"job \"caf\xe9\"\n").unwrap();
    fs::write(dir.path().join("huge.tfjob.kdl"), vec![b' '; (1 << 20) + 1]).unwrap();
    let output = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!(code(&output), 1);
    let lines: Vec<_> = out(&output).lines().collect();
    assert_eq!(lines[0], "huge.tfjob.kdl:1:1: error[too-large]: the text has more than 1 MiB");
    assert_eq!(lines[1], "latin.tfjob.kdl:1:9: error[forbidden-character]: the text is not UTF-8 here");
}

#[test]
fn every_code_and_word_is_explained() {
    let dir = folder();
    for code in tfjob_lang::codes::ALL.iter().chain(tfjob_targets::codes::ALL) {
        let output = run(dir.path(), &["explain", code.name]);
        assert!(output.status.success() && out(&output).starts_with(code.name), "{}", code.name);
    }
    for (word, told) in [
        ("resources", "In `role`, `helper`, `job`. What each task gets"),
        ("within", "In `restart`. The window"),
        ("gpu-model", "The feature: The GPUs' model."),
    ] {
        let output = run(dir.path(), &["explain", word]);
        assert!(output.status.success() && out(&output).contains(told), "{word}: {}", out(&output));
    }
    let lost = run(dir.path(), &["explain", "sintax"]);
    assert_eq!(err(&lost), "error: nothing explains `sintax`; the nearest is `syntax`\n");
}

#[test]
fn a_first_spec_is_clean_and_overwrites_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for args in [&["init"][..], &["init", "My Job"], &["init", "c.tfjob.kdl"]] {
        assert_eq!(code(&run(dir.path(), args)), 0, "{args:?}");
        assert_eq!(code(&run(dir.path(), args)), 2, "{args:?}");
    }
    let mut names: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["My Job.tfjob.kdl", "c.tfjob.kdl", "job.tfjob.kdl"]);
    let output = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!((code(&output), out(&output)), (0, ""));
}

#[test]
fn the_schema_accepts_what_the_checker_accepts() {
    let dir = folder();
    let schema: Value = serde_json::from_str(out(&run(dir.path(), &["schema"]))).unwrap();
    let checker = jsonschema::validator_for(&schema).unwrap();
    let job = |roles: Value| {
        let framework = serde_json::json!({"name": "tensorflow", "version": "2.15"});
        serde_json::json!({"job": {"name": "mnist", "framework": framework, "role": roles}})
    };
    let resources = serde_json::json!({"cpus": 2, "memory": "4GiB"});
    assert!(checker.is_valid(&job(serde_json::json!({"worker": {"resources": resources}}))));
    assert!(!checker.is_valid(&job(serde_json::json!({"worker": {"resorces": resources}}))));
}

#[test]
fn completions_and_manual_pages_are_printed() {
    let dir = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(out(&run(dir.path(), &["completions", shell])).contains("tfjob"), "{shell}");
    }
    assert!(out(&run(dir.path(), &["man"])).contains(".TH tfjob 1"));
    assert!(out(&run(dir.path(), &["man", "check"])).contains(".TH tfjob-check 1"));
}

#[test]
fn timings_are_told_on_standard_error_and_only_when_asked_for() {
    let dir = folder();
    let output = run(dir.path(), &["check", "--format", "short", "--timings", "good.tfjob.kdl"]);
    assert_eq!((code(&output), out(&output)), (0, ""));
    assert!(err(&output).contains("\"name\":\"analyse\""), "{}", err(&output));
    for line in err(&output).lines() {
        assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
    }
    let wrong = tfjob(dir.path(), &["check"]).env("TFJOB_LOG", "tfjob=loud").output().unwrap();
    assert_eq!(code(&wrong), 2);
}

/// The example, for the target that it is shown with.
fn compiled(dir: &Path, more: &[&str]) -> Output {
    run(dir, &[&["compile", "good.tfjob.kdl", "--target", "kubernetes"], more].concat())
}

#[test]
fn compile_writes_artefacts_and_keeps_standard_output_for_them() {
    let dir = folder();
    let first = compiled(dir.path(), &["-o", "made"]);
    assert_eq!((code(&first), out(&first)), (0, ""));
    let text = fs::read_to_string(dir.path().join("made/mnist/kubernetes/job.yaml")).unwrap();
    assert!(err(&first).contains("wrote made/mnist/kubernetes/job.yaml\n"), "{}", err(&first));
    assert_eq!(out(&compiled(dir.path(), &["--stdout"])), text);

    assert_eq!(code(&compiled(dir.path(), &["-o", "made", "--check"])), 0);
    let changed = compiled(dir.path(), &["-o", "made", "--check", "--set", "role.worker.resources.cpus=3"]);
    assert_eq!((code(&changed), err(&changed)), (1, ""));
    assert!(out(&changed).contains("stale: made/mnist/kubernetes/job.yaml"), "{}", out(&changed));
    assert_eq!(fs::read_to_string(dir.path().join("made/mnist/kubernetes/job.yaml")).unwrap(), text);
}

#[test]
fn compile_writes_nothing_where_anything_is_wrong() {
    let dir = folder();
    let all = run(dir.path(), &["compile", ".", "--target", "kubernetes"]);
    assert_eq!((code(&all), out(&all)), (1, ""));
    assert!(err(&all).contains("bad.tfjob.kdl:2:"), "{}", err(&all));
    let aimless = run(dir.path(), &["compile", "good.tfjob.kdl"]);
    assert_eq!(code(&aimless), 2);
    assert!(err(&aimless).contains("compiles for "), "{}", err(&aimless));
    let setting = compiled(dir.path(), &["--set", "role.worker.cuont=2"]);
    assert_eq!(code(&setting), 1);
    assert!(err(&setting).contains("--set:1:13"), "{}", err(&setting));
    fs::copy(dir.path().join("good.tfjob.kdl"), dir.path().join("same.tfjob.kdl")).unwrap();
    let twice = compiled(dir.path(), &["same.tfjob.kdl"]);
    assert_eq!(code(&twice), 2);
    assert!(!dir.path().join("out").exists());
}

#[test]
fn one_task_is_shown_as_it_will_be() {
    let dir = folder();
    let show = |more: &[&str]| {
        run(dir.path(), &[&["show", "good.tfjob.kdl", "--target", "kubernetes"], more].concat())
    };
    let task = show(&["--task", "worker:0"]);
    assert_eq!((code(&task), err(&task)), (0, ""));
    assert!(out(&task).ends_with("python mnist.py\n"), "{}", out(&task));
    assert!(
        out(&show(&[])).contains("\n  cpus               native (good.tfjob.kdl:6)\n"),
        "{}",
        out(&show(&[]))
    );
    let lost = show(&["--task", "worker:1"]);
    assert_eq!((code(&lost), err(&lost)), (2, "error: no task `worker:1`; `worker` has 1, counted from 0\n"));
    let unknown = show(&["--task", "ps"]);
    assert_eq!((code(&unknown), err(&unknown)), (2, "error: no role `ps`; the job has worker\n"));
}
