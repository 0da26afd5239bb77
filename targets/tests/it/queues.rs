//! The check against a cluster file finds the queue of a job, whatever sets the queue, and whichever of its names is used.

use crate::request::{analyze, request};
use tfjob_targets::ALL;

const YARN: &str = "dns-domain \"yc\"\nyarn { hadoop \"3.3.6\"; }";
const VOLCANO: &str = "kubernetes { gang \"volcano\"; }";
const KUEUE: &str = "kubernetes { namespace \"ml\"; }";

/// The `target` block of a cluster file, its queues, lines of the job, and the codes reported about the queue.
const CASES: [(&str, &str, &str, &[&str]); 45] = [
    // An option sets the queue.
    (YARN, "queue \"ml\"", "target \"yarn\" { queue \"ml\"; }", &[]),
    (YARN, "queue \"ml\"", "target \"yarn\" { queue \"lm\"; }", &["unknown-queue"]),
    (YARN, "queue \"ml\" gpus=1", "target \"yarn\" { queue \"ml\"; }", &["queue-capacity-exceeded"]),
    (YARN, "queue \"ml\" task-gpus=1", "target \"yarn\" { queue \"ml\"; }", &["limit-exceeded"]),
    // A patch sets the queue.
    (YARN, "queue \"ml\"", "target \"yarn\" { patch \"queue: ml\"; }", &[]),
    (YARN, "queue \"ml\"", "target \"yarn\" { patch \"queue: lm\"; }", &["unknown-queue"]),
    (YARN, "queue \"ml\" gpus=1", "target \"yarn\" { patch \"queue: ml\"; }", &["queue-capacity-exceeded"]),
    (YARN, "queue \"ml\" task-gpus=1", "target \"yarn\" { patch \"queue: ml\"; }", &["limit-exceeded"]),
    (
        YARN,
        "queue \"ml\"; queue \"few\" gpus=1",
        "target \"yarn\" { queue \"ml\"; patch \"queue: few\"; }",
        &["queue-capacity-exceeded"],
    ),
    (
        YARN,
        "queue \"ml\"; queue \"few\" gpus=1",
        "target \"yarn\" { queue \"few\"; patch \"queue: ml\"; }",
        &[],
    ),
    // The queue is set by its path.
    (YARN, "queue \"ml\"", "target \"yarn\" { queue \"root.ml\"; }", &[]),
    (YARN, "queue \"root.ml\" gpus=1", "target \"yarn\" { queue \"ml\"; }", &["queue-capacity-exceeded"]),
    (YARN, "queue \"root.ml\" task-gpus=1", "target \"yarn\" { patch \"queue: ml\"; }", &["limit-exceeded"]),
    (YARN, "queue \"root.a.ml\"", "target \"yarn\" { queue \"root.b.ml\"; }", &["unknown-queue"]),
    (YARN, "queue \"ml\"; queue \"root.ml\" gpus=1", "", &["duplicate-name"]),
    // A leaf name means the only queue whose path ends in it. The Capacity Scheduler finds no path without `root.`.
    (
        YARN,
        "queue \"root.ml.ads\" gpus=1",
        "target \"yarn\" { queue \"root.ml.ads\"; }",
        &["queue-capacity-exceeded"],
    ),
    (
        YARN,
        "queue \"root.ml.ads\" gpus=1",
        "target \"yarn\" { queue \"ads\"; }",
        &["queue-capacity-exceeded"],
    ),
    (YARN, "queue \"root.ml.ads\"", "target \"yarn\" { queue \"ml.ads\"; }", &["unknown-queue"]),
    (YARN, "queue \"root.ml.ads\"", "target \"yarn\" { queue \"ml\"; }", &["unknown-queue"]),
    (
        YARN,
        "queue \"root.a.ads\"; queue \"root.b.ads\"",
        "target \"yarn\" { queue \"ads\"; }",
        &["unknown-queue"],
    ),
    (YARN, "queue \"root.a.ads\"; queue \"root.b.ads\"", "target \"yarn\" { queue \"root.b.ads\"; }", &[]),
    (
        YARN,
        "queue \"root.ads\"; queue \"root.b.ads\"",
        "target \"yarn\" { queue \"ads\"; }",
        &["unknown-queue"],
    ),
    (YARN, "queue \"ads\"; queue \"root.b.ads\"", "target \"yarn\" { queue \"ads\"; }", &[]),
    (
        YARN,
        "queue \"ml.ads\" gpus=1",
        "target \"yarn\" { queue \"root.ml.ads\"; }",
        &["queue-capacity-exceeded"],
    ),
    (YARN, "queue \"ml.ads\"", "target \"yarn\" { queue \"ml.ads\"; }", &["queue-path"]),
    (YARN, "queue \"a.ml\"; queue \"root.a.ml\"", "", &["duplicate-name"]),
    (YARN, "queue \"a.ml\"; queue \"b.ml\"", "target \"yarn\" { queue \"root.a.ml\"; }", &[]),
    // The job sets no queue.
    (YARN, "queue \"default\" gpus=1", "", &["queue-capacity-exceeded"]),
    (
        YARN,
        "queue \"root.default\" task-gpus=1",
        "target \"yarn\" { patch \"queue: null\"; }",
        &["limit-exceeded"],
    ),
    (YARN, "queue \"ml\" gpus=1", "", &["undetermined-placement"]),
    (YARN, "queue \"ml\"", "target \"yarn\" { patch \"queue: null\"; }", &["undetermined-placement"]),
    (YARN, "", "", &[]),
    // Jobs of Spark on YARN.
    (
        "spark { master \"yarn\"; }",
        "queue \"ml\"",
        "target \"spark\" { queue \"root.ml\"; }",
        &["queue-path"],
    ),
    ("spark { master \"yarn\"; }", "queue \"ml\"", "", &["undetermined-placement"]),
    ("spark { master \"yarn\"; }", "queue \"default\" gpus=1", "", &["queue-capacity-exceeded"]),
    // An option or a label sets the Kueue queue. Its name is no path, and a job without the option or label is in no queue.
    (
        KUEUE,
        "queue \"ml\" gpus=1",
        "target \"kubernetes\" { local-queue \"ml\"; }",
        &["queue-capacity-exceeded"],
    ),
    (KUEUE, "queue \"ml\"", "labels { \"kueue.x-k8s.io/queue-name\" \"lm\"; }", &["unknown-queue"]),
    (
        KUEUE,
        "queue \"ml\" gpus=1",
        "labels { \"kueue.x-k8s.io/queue-name\" \"ml\"; }",
        &["queue-capacity-exceeded"],
    ),
    (KUEUE, "queue \"root.ml\"", "target \"kubernetes\" { local-queue \"ml\"; }", &["unknown-queue"]),
    (KUEUE, "queue \"default\" gpus=1", "", &[]),
    (KUEUE, "queue \"ml\" gpus=1", "", &["undetermined-placement"]),
    // A field of the job sets the Volcano queue. Without the field, the job is in `default`.
    (
        VOLCANO,
        "queue \"ml\" gpus=1",
        "target \"kubernetes\" { volcano-queue \"ml\"; }",
        &["queue-capacity-exceeded"],
    ),
    (VOLCANO, "queue \"default\" gpus=1", "", &["queue-capacity-exceeded"]),
    (VOLCANO, "queue \"ml\"", "", &["undetermined-placement"]),
    (
        VOLCANO,
        "queue \"ml\"",
        "target \"kubernetes\" { patch \"spec: {runPolicy: {schedulingPolicy: {queue: lm}}}\"; }",
        &["unknown-queue"],
    ),
];

#[test]
fn queue_of_kubernetes_is_told_its_two_kinds() {
    let job = "job \"j\" {\nframework \"tensorflow\" version=\"2.15\"\nimage \"ml/a:1\"\nrun \"/a\"\n\
               role \"worker\" { resources cpus=1 memory=\"1GiB\"; }\ntarget \"kubernetes\" { queue \"ml\"; }\n}\n";
    let helps: Vec<_> = analyze(&request(job)).diagnostics.into_iter().filter_map(|told| told.help).collect();
    let expected =
        "write `local-queue` (Kueue `LocalQueue` in the namespace) or `volcano-queue` (Queue of Volcano)";
    assert_eq!(helps, [expected]);
}

#[test]
fn the_queue_of_a_job_is_found_whatever_names_it() {
    let mut failed = Vec::new();
    for (words, queues, of_job, expected) in CASES {
        let target =
            ["spark", "kubernetes"].into_iter().find(|name| words.starts_with(name)).unwrap_or("yarn");
        let text = format!(
            "cluster \"c\" target=\"{target}\" {{\nnodes \"n\" count=9 cpus=64 memory=\"256GiB\" gpus=8\n{queues}\n{words}\n}}\n"
        );
        let cluster = crate::request::cluster(&text);
        let job = format!(
            "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"ml/a:1\"\nrun \"/a\"\n\
             role \"worker\" count=2 {{ resources cpus=1 memory=\"1GiB\" gpus=2; }}\n{of_job}\n}}\n"
        );
        let analysis = analyze(&request(&job).cluster(Some(&cluster)));
        let of_target = ALL.iter().find(|known| known.name() == target).unwrap();
        let compiled = analysis.compile(*of_target).diagnostics;
        let all = cluster.diagnostics.iter().chain(&analysis.diagnostics).chain(&compiled);
        let of_queue = ["limit-exceeded", "duplicate-name", "undetermined-placement"];
        let told: Vec<_> = all
            .map(|told| told.code.name)
            .filter(|code| code.contains("queue") || of_queue.contains(code))
            .collect();
        if told != *expected {
            failed.push(format!("{target}: {queues}: {of_job}: {told:?}, not {expected:?}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
