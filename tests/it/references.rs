//! `tfjob show --task` prints a shell script. Values that only the cluster knows are variable references in it.

use crate::program::{err, out, run};
use std::fs;

/// A job with all values that are known only on the cluster, and literal text that looks the same.
fn job(count: u32, strategy: &str) -> String {
    format!(
        "job \"a\" {{\n framework \"tensorflow\" version=\"2.15\"{strategy}\n image \"ml/a:1\"\n run \"python\" \"a.py\" \"{{env.FOO}}\" \
         \"{{scratch}}/x\"\n workdir \"{{scratch}}\"\n env {{ LOGS \"{{scratch}}/logs\"; P \"{{env.PATH}}:/x\"; SELF \
         \"{{address}}\"; MARK \"x\u{e000}PATH\u{e001}<\"; TYPED \"$USER $WORK_DIR ${{{{MESOS_SANDBOX}}\"; BOTH \"{{scratch}}:$WORK_DIR:${{{{MESOS_SANDBOX}}\"; }}\n \
         resources cpus=1 memory=\"1GiB\"\n role \"worker\" count={count}\n port \"web\" \"auto\"\n target \"yarn\" {{ hadoop \"3.3\"; \
         dns-domain \"x.y\"; }}\n target \"spark\" {{ master \"yarn\"; }}\n}}\n"
    )
}

#[test]
fn values_of_the_cluster_are_shown_as_references() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("one.tfjob.kdl"), job(1, "")).unwrap();
    fs::write(dir.path().join("two.tfjob.kdl"), job(2, " strategy=\"multi-worker-mirrored\"")).unwrap();
    for file in ["one.tfjob.kdl", "two.tfjob.kdl"] {
        for target in tfjob_targets::ALL.iter().map(|target| target.name()) {
            let shown = run(dir.path(), &["show", file, "--target", target, "--task", "worker:0"]);
            assert!(
                out(&shown).contains("export TYPED='$USER $WORK_DIR ${MESOS_SANDBOX}'\n"),
                "{}",
                err(&shown)
            );
            assert!(out(&shown).contains("export MARK='x\u{e000}PATH\u{e001}<'\n"), "{}", out(&shown));
            for line in out(&shown).lines().filter(|line| !line.contains(" TYPED=")) {
                let plain = line
                    .split('\'')
                    .skip(1)
                    .step_by(2)
                    .any(|literal| literal.replace("$WORK_DIR:${MESOS_SANDBOX}", "").contains('$'));
                let marks = line.contains(['\u{fdd0}', '\u{fdd1}']);
                assert!(!plain && !marks, "{file} on {target}: {line}");
            }
        }
    }
}
