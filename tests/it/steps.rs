//! Runs the printed next steps in the directory that their heading names. Stand-ins record the platform commands.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program;
use crate::program::{code, err, run};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const TOOLS: [&str; 9] =
    ["hdfs", "hadoop", "yarn", "kubectl", "dcos", "curl", "git", "spark-submit", "tfjob"];

/// A job that needs the shim.
pub const JOB: &str = r#"job "mnist" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "ml/mnist:1.0"
    run "python" "train.py"
    role "worker" count=2 {
        resources cpus=2 memory="4GiB"
    }
"#;

/// Additional lines of the job for each target, and commands that must be run.
pub const JOBS: [(&str, &str, &[&str]); 8] = [
    (
        "yarn",
        r#"code "./src"; files "conf" "./conf.json"; files "v" "https://h/v.zip"
        target "yarn" { hadoop "3.3"; dns-domain "example.org" }"#,
        &["hdfs dfs -put -f tfjob-shim", "hdfs dfs -put -f ./conf.json", "yarn app -launch"],
    ),
    (
        "yarn",
        r#"code "git+https://h/t/r" ref="v1"; placement { spread "rack" }
        target "yarn" { dns-domain "a"; placement-constraints #true; resource-manager "http://rm:8088"; user "ada" }"#,
        &["git init --quiet --bare", "curl --fail-with-body"],
    ),
    (
        "kubernetes",
        r#"role "chief" { resources cpus=1 memory="1GiB"; after "worker" when="started" }; checkpoints "pvc://c" at="/c"; tensorboard logs="{checkpoints}""#,
        &["kubectl apply --server-side --filename", "kubectl create --filename"],
    ),
    ("dcos", r#"target "dcos" { shim url="https://h/tfjob-shim" }"#, &["dcos marathon group add"]),
    (
        "spark",
        r#"code "./code.zip"; files "conf" "./conf.json"; target "spark" { master "yarn" }"#,
        &["spark-submit"],
    ),
    ("spark", r#"target "spark" { master "yarn" }"#, &["spark-submit"]),
    (
        "spark",
        r#"code "./src"; files "v" "./code.tar.gz"; files "lib" "./src/"; target "spark" { master "yarn" }"#,
        &["spark-submit"],
    ),
    ("local", r#"code "./src""#, &["tfjob run a.tfjob.kdl"]),
];

/// Files of the user, including names that a step could write to.
pub const OWN: [&str; 7] =
    ["conf.json", "code.zip", "code.tar.gz", "files-v.zip", "files-lib.tar.gz", "tfjob-shim", "src/train.py"];

/// Returns all files below a directory, with their contents.
fn all(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![directory.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(directory).unwrap().to_path_buf(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Creates stand-ins for the commands of all platforms in a directory.
fn fake(tools: &Path) {
    fs::create_dir(tools).unwrap();
    for tool in TOOLS {
        fs::write(tools.join(tool), include_str!("../fake-tool")).unwrap();
        fs::set_permissions(tools.join(tool), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Returns the directory and the script of the printed steps.
fn printed(said: &str) -> (&str, String) {
    let (_, steps) = said.split_once("Next steps (run in ").unwrap();
    let (folder, steps) = steps.split_once("):\n").unwrap();
    let numbered = |line: &str| {
        let (number, step) = line.trim_start().split_once(". ")?;
        number.parse::<u32>().ok().map(|_| step.to_owned())
    };
    (folder, steps.lines().filter_map(numbered).collect::<Vec<_>>().join("\n"))
}

/// Compiles a spec, runs the steps in their directory, and returns the commands that were run.
fn done(spec: &str, out: &str, target: &str, words: &str) -> String {
    played(spec, out, target, words, false)
}

/// Does the same as [`done`]. `taken`: whether a job of that name already exists; the steps must then fail.
fn played(spec: &str, out: &str, target: &str, words: &str, taken: bool) -> String {
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join(path);
    fs::create_dir_all(at("jobs/src")).unwrap();
    let home = Path::new(spec).parent().unwrap();
    for file in OWN {
        let path = dir.path().join(home).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }
    fs::copy(program::shim(), dir.path().join(home).join("tfjob-shim")).unwrap();
    fs::write(at(spec), format!("{JOB}{words}\n}}\n")).unwrap();
    let before = all(dir.path());
    let out = out.replace('@', &dir.path().to_string_lossy());
    let compiled = run(dir.path(), &["compile", spec, "--target", target, "-o", &out]);
    assert_eq!(code(&compiled), 0, "{}", err(&compiled));
    let (folder, script) = printed(err(&compiled));
    let folder = if folder == "this directory" { dir.path().to_path_buf() } else { at(folder) };
    fake(&at("tools"));
    let path = format!("{}:{}", at("tools").display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-ec", &script]).current_dir(folder).env_remove("SPARK_HOME");
    let taken_is = if taken { "1" } else { "" };
    let ran = shell.env("PATH", path).env("RAN", at("ran")).env("TAKEN", taken_is).output().unwrap();
    assert_eq!(ran.status.success(), !taken, "{target}, {spec}:\n{script}\n{}", err(&ran));
    let mut after = all(dir.path());
    after.retain(|path, _| !["tools", "ran", "out", "made"].iter().any(|made| path.starts_with(made)));
    assert_eq!(after, before, "{target}, {spec}: a step writes outside the target's directory:\n{script}");
    let again = run(dir.path(), &["compile", "--check", spec, "--target", target, "-o", &out]);
    assert_eq!(
        code(&again),
        0,
        "`compile --check` reports files that the steps create: {}",
        program::out(&again)
    );
    fs::read_to_string(at("ran")).unwrap()
}

/// Restarted tasks read the files that the steps have uploaded.
#[test]
fn nothing_that_a_running_job_uses_is_replaced_before_its_name_is_found_taken() {
    for (target, words, _) in JOBS.into_iter().filter(|(target, ..)| !["spark", "local"].contains(target)) {
        let ran = played("a.tfjob.kdl", "out", target, words, true);
        let replaces = |line: &&str| {
            ["-put ", "-cp ", "delete configmap", "create configmap", "apply"]
                .iter()
                .any(|word| line.contains(word))
        };
        let replaced: Vec<&str> = ran.lines().filter(replaces).collect();
        assert!(replaced.is_empty(), "{target}: {replaced:#?}");
    }
}

#[test]
fn every_step_finds_its_files_in_the_printed_directory() {
    for (target, words, expected) in JOBS {
        for (spec, out) in
            [("a.tfjob.kdl", "out"), ("jobs/a.tfjob.kdl", "out"), ("jobs/a.tfjob.kdl", "@/made")]
        {
            let ran = done(spec, out, target, words);
            for command in expected {
                assert!(ran.lines().any(|line| line.starts_with(command)), "{target}: {command}:\n{ran}");
            }
        }
    }
}

#[test]
fn a_missing_shim_is_the_first_step() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.tfjob.kdl"), format!("{JOB}}}\n")).unwrap();
    let steps = |there: bool| {
        let shim = dir.path().join("tfjob-shim");
        if there {
            fs::write(shim, "").unwrap();
        }
        let compiled = run(dir.path(), &["compile", "a.tfjob.kdl", "--target", "spark"]);
        assert_eq!(code(&compiled), 0, "{}", err(&compiled));
        printed(err(&compiled)).1
    };
    let first = |steps: &str| steps.lines().next().unwrap().to_owned();
    let asked = first(&steps(false));
    assert!(
        asked.starts_with("test -f tfjob-shim ")
            || asked.ends_with("# copies the shim to this directory, where later steps read it"),
        "{asked}"
    );
    assert!(first(&steps(true)).starts_with("cp tfjob-shim out/mnist/spark/tfjob-shim "));
}

/// The step that kills the application of a Spark job is a program for a shell.
#[test]
fn a_step_that_is_a_program_is_printed_as_its_script() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.tfjob.kdl"), format!("{JOB}target \"spark\" {{ master \"yarn\" }}\n}}\n"))
        .unwrap();
    let compiled = run(dir.path(), &["compile", "a.tfjob.kdl", "--target", "spark"]);
    assert_eq!(code(&compiled), 0, "{}", err(&compiled));
    let steps = printed(err(&compiled)).1;
    let last = steps.lines().last().unwrap();
    assert_eq!(
        last,
        "out/mnist/spark/delete.sh  # stops the running applications of this user that have the name of the job"
    );
    assert!(!steps.contains("sh -c"), "{steps}");
}

#[test]
fn two_jobs_with_the_same_host_names_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let spec = |name: &str, group: &str| {
        format!(
            "job \"{name}\" {{\n    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n    image \"ml/a:1\"\n    \
             run \"python\" \"/app/train.py\"\n    resources cpus=1 memory=\"1GiB\"\n    role \"worker\" count=2\n    \
             target \"dcos\" {{ group \"{group}\" }}\n}}\n"
        )
    };
    for (other, told) in [(spec("b-c", "/a"), 1), (spec("b-c", "/b"), 0)] {
        std::fs::write(dir.path().join("one.tfjob.kdl"), spec("b", "/c-a")).unwrap();
        std::fs::write(dir.path().join("two.tfjob.kdl"), other).unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tfjob"))
            .args(["compile", "one.tfjob.kdl", "two.tfjob.kdl", "--out", "out"])
            .current_dir(dir.path())
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{err}");
        let line = "note: on dcos, tasks of `one.tfjob.kdl` and `two.tfjob.kdl` have the same host name, `worker-0-b-c-a.";
        assert_eq!(err.matches(line).count(), told, "{err}");
        assert_eq!(err.matches("have the same host name").count(), told, "{err}");
    }
}
