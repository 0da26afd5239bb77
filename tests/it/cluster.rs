//! Tests of the validation of jobs against a cluster file.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{out, run};
use std::fs;

#[test]
fn reasons_for_larger_reservations_are_reported_if_they_apply() {
    const STEPS: &str = "memory per container is rounded up to a multiple of the default increment";
    const ALIKE: &str = "all executors of a Spark job have the size of the largest task";
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
        assert!(told.contains("error[no-matching-node]"), "{told}");
        assert!(told.contains(ALIKE), "{told}");
        assert_eq!(told.contains(STEPS), steps, "{told}");
    }
}

#[test]
fn in_a_cluster_with_one_node_local_directories_are_shared() {
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

/// Returns the short report of a job that is checked against a cluster.
fn told(job: &str, cluster: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.tfjob.kdl"), job).unwrap();
    fs::write(dir.path().join("c.cluster.kdl"), cluster).unwrap();
    let args = ["check", "a.tfjob.kdl", "--cluster", "c.cluster.kdl", "--format", "short"];
    out(&run(dir.path(), &args)).lines().map(str::to_owned).collect()
}

/// Entries of a cluster, a job, and its role, and the expected text of a message that counts one item.
const ONES: [(&str, &str, &str, &str); 7] = [
    ("nodes \"n\" cpus=8 memory=\"8GiB\" count=1", "network \"host\"", "count=2", "can run on only 1 host"),
    (
        "nodes \"n\" cpus=8 memory=\"8GiB\" count=1",
        "",
        "count=2 { placement { spread \"host\"; } }",
        "need different hosts at the same time, but they can run on only 1 host",
    ),
    ("nodes \"n\" cpus=1 memory=\"8GiB\" count=1", "", "count=2", "the nodes have room for only 1 of"),
    (
        "nodes \"n\" cpus=8 memory=\"8GiB\" count=1 gpus=1",
        "",
        "count=2 { resources cpus=1 memory=\"1GiB\" gpus=1; }",
        "the nodes have room for only 1 of",
    ),
    (
        "queue \"q\" cpus=1",
        "target \"kubernetes\" { local-queue \"q\"; }",
        "count=2",
        "`q` is limited to 1 core",
    ),
    ("limits max-tasks=1", "", "count=2", "at most 1 per job"),
    ("nodes \"n\" cpus=8 memory=\"8GiB\" count=1", "", "count=1 min=3", "has only 1 task"),
];

#[test]
fn messages_use_the_singular_for_one_item() {
    for (cluster, job, role, says) in ONES {
        let job = format!(
            "job \"a\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n image \"a/b:1\"\n {job}\n \
             run \"/t\"\n resources cpus=1 memory=\"1GiB\"\n role \"worker\" {role}\n}}\n"
        );
        let told =
            told(&job, &format!("cluster \"c\" target=\"kubernetes\" {{\n {cluster}\n}}\n")).join("\n");
        assert!(told.contains(says), "{says}: {told}");
        let words: Vec<&str> = told.split_whitespace().collect();
        let plural = words.windows(2).find(|pair| {
            let after = pair[1].trim_matches(|c: char| !c.is_alphabetic());
            pair[0] == "are" && pair[1] == "1" || pair[0] == "1" && after.ends_with('s')
        });
        assert_eq!(plural, None, "{told}");
    }
}

/// Images, registries, and whether the image is from the registry, as `reference.ParseNormalizedNamed` of Docker and containerd
/// decides.
const REGISTRIES: [(&str, &str, bool); 9] = [
    ("a/b:1", "docker.io", true),
    ("docker.io/a/b:1", "index.docker.io", true),
    ("index.docker.io/a/b:1", "docker.io", true),
    ("python:3.11", "docker.io/library", true),
    ("docker.io/python:3.11", "docker.io/library", true),
    ("a/b:1", "docker.io/library", false),
    ("a/b:1", "docker.io/a", true),
    ("quay.io/b:1", "quay.io/library", false),
    ("index.quay.io/a/b:1", "quay.io", false),
];

#[test]
fn an_image_matches_its_registry_by_each_of_its_names() {
    for (image, registry, own) in REGISTRIES {
        let job = format!(
            "job \"a\" {{\n framework \"custom\"\n image \"{image}\"\n role \"worker\" {{ run \"/t\"; resources cpus=1 memory=\"1GiB\"; }}\n}}\n"
        );
        let told =
            told(&job, &format!("cluster \"c\" target=\"kubernetes\" {{ registry \"{registry}\"; }}\n"));
        assert_eq!(
            !told.iter().any(|line| line.contains("unlisted-registry")),
            own,
            "{image}, {registry}: {told:?}"
        );
    }
}
