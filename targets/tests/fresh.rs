//! What makes a folder of checkpoints used, where the job starts only on an empty one: the same on every platform. The shim has
//! a test of its own with these rows (`checkpoints::occupied`).
#![expect(clippy::unwrap_used, reason = "a test may")]
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/kubernetes/fresh.sh");

/// Whether the script of the init container lets the job start.
fn script(folder: &Path) -> bool {
    Command::new("sh").arg(SCRIPT).arg(folder).arg("0").output().unwrap().status.success()
}

/// Whether the node's own Python does.
fn python(folder: &Path) -> bool {
    let node = include_str!("../templates/tfjob_node.py");
    let program = format!("{node}\nsys.exit(1 if holds(sys.argv[1]) else 0)\n");
    Command::new("python3").args(["-c", &program]).arg(folder).output().unwrap().status.success()
}

#[test]
fn only_what_somebody_has_left_there_makes_a_folder_used() {
    let top = std::env::temp_dir().join(format!("tfjob-fresh-{}", std::process::id()));
    for (name, free) in [
        // A file system's own, as of ext4 and of NFS exports of NetApp.
        ("lost+found/", true),
        (".snapshot/", true),
        (".nfs0001", true),
        // The shim's own, of an earlier job on another platform.
        (".tfjob-m-chief-0.json", true),
        ("ckpt-1.index", false),
        ("logs/", false),
    ] {
        std::fs::create_dir_all(&top).unwrap();
        match name.strip_suffix('/') {
            Some(folder) => std::fs::create_dir(top.join(folder)).unwrap(),
            None => std::fs::write(top.join(name), "").unwrap(),
        }
        assert_eq!((script(&top), python(&top)), (free, free), "{name}");
        std::fs::remove_dir_all(&top).unwrap();
    }
}
