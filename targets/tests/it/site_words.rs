//! A field of a cluster file that has no effect on any job of its target is reported. The report is at the field itself, or at
//! each job that requests what the field describes.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::request::{analyze, request};
use std::collections::BTreeSet;
use tfjob_lang::cluster::ClusterFile;
use tfjob_lang::shape::Field;
use tfjob_lang::target::AnyTarget;
use tfjob_targets::{ALL, CLUSTER_SHAPE};

/// A field: its path, a cluster file with the field in brackets, and a job on which the field has an effect. The job consists of
/// fields of the job, `resources` of the worker, fields of the worker, and the `target` block.
type Word = (&'static str, &'static str, [&'static str; 4]);

const NODES: &str = "nodes \"n\" count=4 cpus=64 memory=\"64GiB\"";

/// Fields that every cluster file has: `queue` and `target` have a name, and `nodes` have cores and memory.
const ALWAYS: [&str; 5] = ["name", "target", "nodes.count", "nodes.cpus", "nodes.memory"];

const WORDS: &[Word] = &[
    ("nodes.gpus", "NODES[ gpus=8]", ["", "gpus=1", "", ""]),
    ("nodes.gpu-model", "NODES gpus=8[ gpu-model=\"a\"]", ["", "gpus=1 gpu-model=\"b\"", "", ""]),
    ("nodes.gpu-memory", "NODES gpus=8[ gpu-memory=\"1GiB\"]", ["", "gpus=1 gpu-memory=\"2GiB\"", "", ""]),
    ("nodes.disk", "NODES[ disk=\"1GiB\"]", ["", "disk=\"2GiB\"", "", ""]),
    ("nodes.shared-memory", "NODES[ shared-memory=\"1MiB\"]", ["", "shared-memory=\"64MiB\"", "", ""]),
    ("nodes.partition", "NODES[ partition=\"p\"]", ["", "", "placement { partition \"p\"; }", "QUEUE"]),
    ("nodes.partition", "NODES[ partition=\"p\"]", ["", "", "", "QUEUE"]),
    ("nodes.device", "NODES {\n[device \"d/e\" 1]\n}", ["", "", "device \"d/e\" 2", ""]),
    (
        "nodes.node",
        "NODES {\n[node \"nm.yarn.io/zone\" \"a\"]\n}",
        ["", "", "placement { node \"nm.yarn.io/zone\" \"b\"; }", ""],
    ),
    ("queue", "[queue \"q\"]", ["", "", "", "queue \"other\""]),
    ("queue.cpus", "queue \"q\"[ cpus=1]", ["", "", "", "QUEUE"]),
    ("queue.memory", "queue \"q\"[ memory=\"1MiB\"]", ["", "", "", "QUEUE"]),
    ("queue.gpus", "queue \"q\"[ gpus=0]", ["", "gpus=1", "", "QUEUE"]),
    ("queue.partition", "NODES partition=\"p\"; queue \"q\"[ partition=\"p\"]", ["", "", "", "QUEUE"]),
    ("queue.task-cpus", "queue \"q\"[ task-cpus=1]", ["", "", "", "QUEUE"]),
    ("queue.task-memory", "queue \"q\"[ task-memory=\"1MiB\"]", ["", "", "", "QUEUE"]),
    ("queue.task-gpus", "queue \"q\"[ task-gpus=0]", ["", "gpus=1", "", "QUEUE"]),
    ("registry", "[registry \"r.example.com\"]", ["", "", "", ""]),
    ("dns-domain", "[dns-domain \"a.b\"]", ["", "", "", ""]),
    ("limits", "[limits task-cpus=1]", ["", "", "", ""]),
    ("limits.max-tasks", "limits[ max-tasks=1]", ["", "", "", ""]),
    ("limits.task-cpus", "limits[ task-cpus=1]", ["", "", "", ""]),
    ("limits.task-memory", "limits[ task-memory=\"1MiB\"]", ["", "", "", ""]),
    ("limits.task-gpus", "limits[ task-gpus=0]", ["", "gpus=1", "", ""]),
    ("shared", "NODES; [shared \"file:///mnt\"]", ["checkpoints \"file:///mnt/c\" at=\"/ck\"", "", "", ""]),
    ("shared", "NODES; [shared \"file:///mnt\"]", ["checkpoints \"file:///mnt/c\"", "", "", ""]),
    ("grace", "[grace \"30s\"]", ["stop grace=\"20s\"", "", "", ""]),
    ("grace", "[grace \"5s\"]", ["stop grace=\"20s\"", "", "", ""]),
    ("memory-step", "nodes \"n\" count=9 cpus=9 memory=\"3GiB\"; [memory-step \"4GiB\"]", ["", "", "", ""]),
];

/// A target, its block in cluster files, and jobs that it accepts, with placeholders for the fields.
const SITES: &[(&str, &str, &[&str])] = &[
    (
        "yarn",
        "hadoop \"3.4.1\"; gpu-attribute \"nm.yarn.io/gpu\"; placement-constraints #true",
        &[BARE, IMAGE],
    ),
    ("yarn", "", &[BARE, IMAGE]),
    ("kubernetes", "gpu-model-label \"gpu\"; gpu-memory-label \"gpu-memory\"", &[IMAGE]),
    (
        "dcos",
        "version \"2.1\"; gpu-model-attribute \"gpu\"; shim url=\"https://f.example.com/shim\"",
        &[BARE, IMAGE],
    ),
    ("dcos", "as \"marathon\"; version \"2.1\"; gpu-model-attribute \"gpu\"", &[BARE, IMAGE]),
    ("dcos", "as \"package\"; module \"train\"", &[PACKAGE, PACKAGE_IMAGE]),
    ("dcos", "module \"train\"", &[PACKAGE, PACKAGE_IMAGE]),
    ("spark", "master \"yarn\"", &[SPARK, SPARK_IMAGE]),
    ("spark", "master \"k8s://h:6443\"; spark \"3.5\"; upload \"s3a://b/u\"", &[SPARK_IMAGE]),
    ("spark", "master \"spark://h:7077\"", &[SPARK, SPARK_IMAGE]),
    ("local", "", &[BARE, IMAGE]),
];

const BARE: &str = "framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nrun \"python3\" \"/t.py\" \"{addresses.worker}\"";
const IMAGE: &str = "framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"o.example.com/a:1\"\nrun \"python3\" \"/t.py\" \"{addresses.worker}\"";
const SPARK: &str = "framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\ncode \"hdfs://default/c.zip\"\nrun \"python3\" \"t.py\"";
const SPARK_IMAGE: &str = "framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"o.example.com/a:1\"\nrun \"python3\" \"/t.py\"";
const PACKAGE: &str = "framework \"tensorflow\" version=\"1.5\" strategy=\"custom\"\ncode \"https://f.example.com/c.zip\"\nrun \"python\" \"train.py\"";
const PACKAGE_IMAGE: &str = "framework \"tensorflow\" version=\"1.5\" strategy=\"custom\"\ncode \"https://f.example.com/c.zip\"\nimage \"o.example.com/a:1\"\nrun \"python\" \"train.py\"";

fn read(text: &str) -> ClusterFile {
    crate::request::cluster(text)
}

/// Returns all messages about the job with this cluster file, in order, and the artifacts, if there are any.
fn outcome(
    job: &str,
    target: &dyn AnyTarget,
    cluster: Option<&ClusterFile>,
) -> (Vec<String>, Option<String>) {
    let analysis = analyze(&request(job).cluster(cluster));
    let compiled = analysis.compile(target);
    let told = analysis.diagnostics.iter().chain(&compiled.diagnostics);
    let told = told.map(|found| format!("{} {} {:?}", found.code.name, found.message, found.help)).collect();
    let written = |lowered: &tfjob_lang::lowered::Lowered| {
        let contract = lowered.contract.as_ref().map(|(contract, _)| contract.write()).unwrap_or_default();
        lowered.artifacts.iter().map(|artifact| artifact.text.as_str()).chain([contract.as_str()]).collect()
    };
    (told, compiled.lowered.as_ref().map(written))
}

/// Whether a field of a cluster file is reported, and whether it has an effect on a job.
struct Found {
    reported: bool,
    changes: bool,
    /// Whether the target accepts some job that requests what the field describes.
    asked: bool,
}

fn found(target: &dyn AnyTarget, block: &str, frames: &[&str], word: &Word) -> Found {
    let (path, file, [job, resources, role, options]) = word;
    let own = target.name();
    let of = |body: &str| {
        let mut body = body.replace("NODES", NODES);
        if own == "yarn" && *path != "dns-domain" {
            body += "\ndns-domain \"a.b\"";
        }
        let block = if block.is_empty() { String::new() } else { format!("{own} {{ {block} }}") };
        read(&format!("cluster \"c\" target=\"{own}\" {{\n{body}\n{block}\n}}\n"))
    };
    let with = of(&file.replace(['[', ']'], ""));
    let (before, rest) = file.split_once('[').unwrap();
    let (_, after) = rest.split_once(']').unwrap();
    let without = of(&format!("{before}{after}"));
    let faults = |file: &ClusterFile| -> Vec<String> {
        file.diagnostics.iter().map(|d| format!("{} {}", d.code.name, d.message)).collect()
    };
    let (with_faults, without_faults) = (faults(&with), faults(&without));
    let idle = |faults: &[String]| faults.iter().filter(|f| f.starts_with("unused-option")).count();
    assert_eq!(with_faults.len(), idle(&with_faults), "{own} {block} {word:?} {with_faults:?}");
    let mut all = Found {
        reported: idle(&with_faults) > idle(&without_faults) || !without_faults.is_empty(),
        changes: false,
        asked: false,
    };
    for frame in frames {
        let options = match (options, own) {
            (options, "kubernetes") => {
                options.replace("QUEUE", "queue \"q\"").replace("queue \"", "local-queue \"")
            }
            (options, "yarn" | "spark") => options.replace("QUEUE", "queue \"q\""),
            (options, _) => options.replace("QUEUE", ""),
        };
        let target_block = match format!("{block}; {options}").trim_matches([' ', ';']) {
            "" => String::new(),
            words => format!("target \"{own}\" {{ {words} }}"),
        };
        let job = format!(
            "job \"j\" {{\n{frame}\n{job}\nrole \"worker\" count=2 {{\nresources cpus=2 memory=\"2GiB\" {resources}\n{role}\n}}\n{target_block}\n}}\n"
        );
        let [alone, with, without] = [
            outcome(&job, target, None),
            outcome(&job, target, Some(&with)),
            outcome(&job, target, Some(&without)),
        ];
        all.asked |= alone.1.is_some();
        all.changes |= with != without && (with.1.is_some() || without.1.is_some());
    }
    all
}

/// Collects the paths of all fields of a block.
fn paths(above: &str, fields: &[Field], out: &mut BTreeSet<String>) {
    for field in fields.iter().filter(|field| ALL.iter().all(|target| target.name() != field.name)) {
        let path = format!("{above}{}", field.name);
        if ["nodes", "queue", "limits"].contains(&path.as_str()) {
            paths(&format!("{path}."), field.block(Some("x")).unwrap().fields, out);
        }
        out.insert(path);
    }
}

#[test]
fn every_word_of_a_cluster_file_has_a_job_here() {
    let mut all = BTreeSet::new();
    paths("", CLUSTER_SHAPE.block(&[("cluster", None)]).unwrap().fields, &mut all);
    let here: BTreeSet<String> =
        WORDS.iter().map(|word| word.0).chain(ALWAYS).chain(["nodes"]).map(str::to_owned).collect();
    assert_eq!(all, here);
}

#[test]
fn a_word_of_a_cluster_file_that_changes_nothing_is_reported() {
    let mut silent = Vec::new();
    for (name, block, frames) in SITES {
        let target = *ALL.iter().find(|target| target.name() == *name).unwrap();
        let words: BTreeSet<&str> = WORDS.iter().map(|word| word.0).collect();
        for path in words {
            let each = WORDS.iter().filter(|word| word.0 == path);
            let each: Vec<Found> = each.map(|word| found(target, block, frames, word)).collect();
            let reported = each.iter().any(|one| one.reported);
            let changes = each.iter().any(|one| one.changes);
            // If the target accepts no job that requests what the field describes, it refuses the request at the job.
            let refused = path.starts_with("nodes.") && each.iter().all(|one| !one.asked);
            if (reported && changes) || !(reported || changes || refused) {
                silent.push(format!(
                    "{name} {{ {block} }} {path}: reported {reported}, changes {changes}, refused {refused}"
                ));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
