//! Which files make a checkpoint directory count as used, if the job requires an empty one. The result is the same on every
//! platform. The test `checkpoints::occupied` of the shim has the same rows.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::request::{analyze, request};
use std::path::Path;
use std::process::Command;
use tfjob_contract::TaskId;
use tfjob_targets::ALL;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/pod/fresh.sh");

/// Returns whether the script of the init container lets the job start.
fn script(folder: &Path) -> bool {
    Command::new("sh").arg(SCRIPT).arg(folder).arg("0").output().unwrap().status.success()
}

/// Returns whether the Python code of Spark's nodes lets the job start.
fn python(folder: &Path) -> bool {
    let node = include_str!("../../templates/tfjob_node.py");
    let program = format!("{node}\nsys.exit(1 if is_used(sys.argv[1]) else 0)\n");
    Command::new("python3").args(["-c", &program]).arg(folder).output().unwrap().status.success()
}

/// Returns whether the Spark driver lets the job start. The driver reads the directory through Hadoop's file system API.
fn driver(folder: &Path) -> bool {
    let program = "
import os, sys, types
import driver
path = types.SimpleNamespace(getFileSystem=lambda conf: files)
listed = lambda path: [types.SimpleNamespace(getPath=lambda n=n: types.SimpleNamespace(getName=lambda: n)) for n in os.listdir(sys.argv[1])]
files = types.SimpleNamespace(exists=lambda path: True, listStatus=listed)
package = types.SimpleNamespace(fs=types.SimpleNamespace(Path=lambda text: path))
jvm = types.SimpleNamespace(org=types.SimpleNamespace(apache=types.SimpleNamespace(hadoop=package)))
context = types.SimpleNamespace(version='3.5', _jvm=jvm, _jsc=types.SimpleNamespace(hadoopConfiguration=lambda: None))
job = {'spark': None, 'tfos': None, 'fresh': {'path': 'hdfs://h/ck', 'mounted': False}}
why = driver.check(job, context)
assert why is None or 'is not empty' in why, why
sys.exit(1 if why else 0)
";
    let templates = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    let mut python = Command::new("python3");
    let done = python.args(["-B", "-c", program]).arg(folder).env("PYTHONPATH", templates).output().unwrap();
    assert!(done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    done.status.success()
}

#[test]
fn only_what_somebody_has_left_there_makes_a_folder_used() {
    let top = std::env::temp_dir().join(format!("tfjob-fresh-{}", std::process::id()));
    for (name, free) in [
        // Files of the file system itself, such as those of ext4 and of NFS exports of NetApp.
        ("lost+found/", true),
        (".snapshot/", true),
        (".nfs0001", true),
        // Files of the shim, from an earlier job on another platform.
        (".tfjob-m-chief-0.json", true),
        ("ckpt-1.index", false),
        ("logs/", false),
    ] {
        std::fs::create_dir_all(&top).unwrap();
        match name.strip_suffix('/') {
            Some(folder) => std::fs::create_dir(top.join(folder)).unwrap(),
            None => std::fs::write(top.join(name), "").unwrap(),
        }
        assert_eq!((script(&top), python(&top), driver(&top)), (free, free, free), "{name}");
        std::fs::remove_dir_all(&top).unwrap();
    }
}

/// A task that may write into the directory starts only after the leader has checked it. Otherwise, the leader could mistake files
/// of its own job for those of an earlier job.
#[test]
fn nobody_begins_before_the_folder_was_looked_into() {
    let mut judged = 0;
    for (strategy, roles) in [
        ("multi-worker-mirrored", r#"role "worker" count=3"#),
        ("multi-worker-mirrored", "role \"chief\"\nrole \"worker\" count=2"),
        ("parameter-server", "role \"chief\"\nrole \"worker\" count=2\nrole \"ps\"\nrole \"evaluator\""),
        ("estimator", "role \"chief\"\nrole \"worker\" count=2\nrole \"ps\"\nrole \"evaluator\""),
        ("single", r#"role "worker""#),
    ] {
        for timeout in ["", "start timeout=\"10m\""] {
            let text = format!(
                r#"job "f" {{
framework "tensorflow" version="2.15" strategy="{strategy}"
image "ml/a:1"
run "./a"
resources cpus=1 memory="1GiB"
checkpoints "nfs://h/ck" at="/ck" if-exists="fail"
{timeout}
{roles}
target "yarn" {{ hadoop "3.3.6"; dns-domain "y"; mounted {{ "nfs://h" "/mnt"; }}; }}
}}
"#
            );
            let analysis = analyze(&request(&text));
            for target in ALL.iter().filter(|target| ["yarn", "kubernetes"].contains(&target.name())) {
                let compiled = analysis.compile(*target);
                let lowered = compiled.lowered.unwrap_or_else(|| panic!("{text}{:#?}", compiled.diagnostics));
                if strategy == "single" {
                    continue;
                }
                let (contract, _) = lowered.contract.unwrap();
                let wait = contract.duties.as_ref().and_then(|duties| duties.wait);
                assert_eq!(wait, Some(if timeout.is_empty() { u64::MAX } else { 600 }), "{text}");
                for role in &contract.roles {
                    let leads = |task: &TaskId| contract.leads(task);
                    for task in contract.tasks_of(&role.name).iter().filter(|task| !leads(task)) {
                        let after = role.duties.iter().flat_map(|duties| &duties.after);
                        let known = after.flat_map(|after| contract.tasks_of(&after.role));
                        let waits =
                            contract.rendezvous_peers(task).into_iter().chain(known).any(|peer| leads(&peer));
                        assert!(waits, "{}: {task:?} of {text}", target.name());
                        judged += 1;
                    }
                }
            }
        }
    }
    assert!(judged > 30, "{judged}");
}

/// A Marathon app keeps running after its program has ended. If a shim has refused the directory, its task still has an address.
/// Its port is closed, like that of a program that does not listen. So other tasks cannot detect the refusal, and only a single
/// task may check.
#[test]
fn dcos_looks_for_one_task_alone() {
    for (roles, alone) in [
        (r#"strategy="single"; role "worker""#, true),
        (
            "strategy=\"single\"; role \"worker\"; helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"1GiB\"; }",
            true,
        ),
        (r#"strategy="multi-worker-mirrored"; role "worker" count=2"#, false),
        (r#"strategy="multi-worker-mirrored"; role "chief"; role "worker""#, false),
        (r#"strategy="single"; role "worker"; role "evaluator""#, false),
        (r#"strategy="parameter-server"; role "chief"; role "worker"; role "ps""#, false),
    ] {
        for timeout in ["", "start timeout=\"10m\""] {
            let text = format!(
                r#"job "f" {{
image "ml/a:1"
run "./a"
resources cpus=1 memory="1GiB"
checkpoints "file:///mnt/ck" at="/ck" if-exists="fail"
{timeout}
framework "tensorflow" version="2.15" {roles}
target "dcos" {{ version "2.1"; shim url="https://h/shim"; }}
}}
"#
            );
            let analysis = analyze(&request(&text));
            let target = ALL.iter().find(|target| target.name() == "dcos").unwrap();
            let refused = format!("{:?}", analysis.compile(*target).diagnostics)
                .contains("if a task finds old checkpoints and fails, Marathon restarts the task again and again; its peers do not detect the failure, and resume from the old checkpoints");
            assert_eq!(refused, !alone, "{text}{:#?}", analysis.compile(*target).diagnostics);
        }
    }
}
