//! What a cluster says to a job that is put to it.
#![expect(clippy::unwrap_used, reason = "a test may")]
#[path = "shared/program.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod program;

use program::{out, run};
use std::fs;

#[test]
fn each_reason_for_a_larger_reservation_is_told_where_it_counts() {
    const STEPS: &str = "the platform gives each container a multiple of 1 GiB of memory";
    const ALIKE: &str = "in Spark every executor is as large as the largest role";
    let dir = tempfile::tempdir().unwrap();
    for (nodes, steps) in [
        ("cpus=64 memory=\"1100MiB\"", true),
        ("cpus=1 memory=\"64GiB\"", false),
        ("cpus=1 memory=\"1GiB\"", true),
    ] {
        let job = "job \"a\" {\n framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n \
                   run \"python3\" \"/t.py\"\n role \"chief\" { resources cpus=1 memory=\"700MiB\" }\n \
                   role \"worker\" { resources cpus=2 memory=\"1200MiB\" }\n role \"ps\" { resources cpus=1 memory=\"700MiB\" }\n \
                   target \"spark\" { master \"yarn\" }\n}\n";
        fs::write(dir.path().join("a.tfjob.kdl"), job).unwrap();
        let cluster = format!("cluster \"east\" target=\"spark\" {{\n nodes \"n\" count=9 {nodes}\n}}\n");
        fs::write(dir.path().join("east.cluster.kdl"), cluster).unwrap();
        let output = run(dir.path(), &["check", "a.tfjob.kdl", "--cluster", "east.cluster.kdl"]);
        let told = out(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("error[no-fitting-node]"), "{told}");
        assert!(told.contains(ALIKE), "{told}");
        assert_eq!(told.contains(STEPS), steps, "{told}");
    }
}

#[test]
fn in_a_cluster_of_one_node_a_folder_of_the_node_is_shared() {
    let dir = tempfile::tempdir().unwrap();
    let check = |strategy: &str, count: u32, nodes: &str| {
        let job = format!(
            "job \"a\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"{strategy}\"\n image \"a/b:1\"\n \
             checkpoints \"file:///mnt/ckpt\" at=\"/ckpt\"\n run \"python\" \"/t.py\" \"{{checkpoints}}\"\n restart \"on-failure\"\n \
             role \"worker\" count={count} {{ resources cpus=1 memory=\"1GiB\"; }}\n target \"kubernetes\"\n}}\n"
        );
        fs::write(dir.path().join("a.tfjob.kdl"), job).unwrap();
        let cluster = format!("cluster \"east\" target=\"kubernetes\" {{\n {nodes}\n}}\n");
        fs::write(dir.path().join("east.cluster.kdl"), cluster).unwrap();
        let output = run(dir.path(), &["check", "a.tfjob.kdl", "--cluster", "east.cluster.kdl"]);
        let told = out(&output);
        (told.contains("unshared-restart"), told.contains("unshared-checkpoints"))
    };
    let node = |count: u32| format!("nodes \"n\" count={count} cpus=64 memory=\"64GiB\"");
    assert_eq!(check("single", 1, &node(2)), (true, false));
    assert_eq!(check("single", 1, &node(1)), (false, false));
    assert_eq!(check("multi-worker-mirrored", 2, &node(2)), (false, true));
    assert_eq!(check("multi-worker-mirrored", 2, &node(1)), (false, false));
    let two = format!("{}\n {}", node(1), node(1).replace("\"n\"", "\"m\""));
    assert_eq!(check("single", 1, &two), (true, false));
}
