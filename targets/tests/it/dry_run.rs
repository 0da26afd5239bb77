//! The `submit.sh` of Spark submits only if it is called without arguments.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::request::{analyze, request};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

const JOB: &str = r#"job "a" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    role "worker" count=2 { resources cpus=1 memory="4GiB"; run "python" "/a.py" "it's" "$HOME `x`"; }
    target "spark" { master "yarn"; conf { spark.x.y "it's"; }; shim path="/opt/tfjob-shim"; }
    allow "restart" on="spark" because="a lost executor ends the job"
}"#;

/// Runs the script with a spark-submit that prints its arguments, one per line.
fn run(arguments: &[&str]) -> Output {
    let target = tfjob_targets::ALL.iter().find(|target| target.name() == "spark").unwrap();
    let compiled = analyze(&request(JOB)).compile(*target);
    let lowered = compiled.lowered.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let folder = std::env::temp_dir().join(format!("tfjob-dry-run-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let script = lowered.artifacts.iter().find(|artifact| artifact.path == "submit.sh").unwrap();
    // The path of the shim exists on no machine that runs this test.
    std::fs::write(folder.join("submit.sh"), script.text.replace("/opt/tfjob-shim", "/bin/sh")).unwrap();
    let stub = folder.join("spark-submit");
    std::fs::write(&stub, "#!/bin/sh\necho submitted\nprintf '%s\\n' \"$@\"\n").unwrap();
    std::fs::set_permissions(&stub, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let mut shell = Command::new("sh");
    shell.arg(folder.join("submit.sh")).args(arguments).env("PATH", path).env_remove("SPARK_HOME");
    let output = shell.output().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    output
}

#[test]
fn only_a_call_without_arguments_submits() {
    let submitted = run(&[]);
    let told = String::from_utf8(submitted.stdout).unwrap();
    assert!(submitted.status.success() && told.starts_with("submitted\n"), "{told}");
    for (arguments, code) in [(&["--help"][..], 0), (&["--nope"], 2), (&["--dry-run", "x"], 2), (&["x"], 2)] {
        let output = run(arguments);
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(!told.contains("submitted"), "{arguments:?}: {told}");
    }
    let dry = run(&["--dry-run"]);
    let line = String::from_utf8(dry.stdout).unwrap();
    assert!(dry.status.success() && line.lines().count() == 1, "{line}");
    // A shell reads the printed words as the script passes them.
    let words = Command::new("sh").args(["-c", &format!("printf '%s\\n' {line}")]).output().unwrap();
    let words = String::from_utf8(words.stdout).unwrap();
    assert_eq!(words.lines().skip(1).collect::<Vec<_>>(), told.lines().skip(1).collect::<Vec<_>>());
}
