//! The traps of kubernetes-observed and kubernetes §7. Those that no spec can fall into are tested on what is written.
#![expect(clippy::too_many_lines, reason = "tables")]

#[path = "kubernetes/made.rs"]
mod made;
#[path = "kubernetes/specs.rs"]
mod specs;

use super::{Trap, holds};
use specs::{lone, options, several, step};

const TARGET: &str = "kubernetes";

/// A refusal of the gate, at its words.
fn refused(
    name: &'static str,
    fact: &'static str,
    falls: String,
    words: &'static str,
    says: &'static str,
    neighbour: String,
) -> Trap {
    Trap { name, fact, falls, code: "feature-refused", words, says, neighbour }
}

#[test]
fn names_that_pods_and_services_cannot_have() {
    let long = |length: usize| "n".repeat(length);
    let name = &*Box::leak(format!("\"{}\"", long(55)).into_boxed_str());
    let board = &*Box::leak("tensorboard".to_owned().into_boxed_str());
    holds(
        TARGET,
        &[
            refused(
                "a long job name",
                "observed §4",
                several(&long(55), ""),
                name,
                "which has 64 characters",
                several(&long(54), ""),
            ),
            refused(
                "a long name and a TensorBoard",
                "observed §4",
                several(&long(52), "checkpoints \"hdfs://a/b\"\nhadoop home=\"/h\" java=\"/j\"\ntensorboard"),
                board,
                "more than 63 characters",
                several(&long(51), "checkpoints \"hdfs://a/b\"\nhadoop home=\"/h\" java=\"/j\"\ntensorboard"),
            ),
            refused(
                "a helper called as a role",
                "kubernetes §1.2",
                lone("helper \"ps\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }", ""),
                "\"ps\"",
                "for the job's PS",
                lone("helper \"pss\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }", ""),
            ),
            refused(
                "a port's long name",
                "observed §4",
                lone("", "port \"prometheus-metrics\" 9090"),
                "9090",
                "no port named",
                lone("", "port \"metrics\" 9090"),
            ),
            refused(
                "a helper on 2222",
                "observed §4, port-other-name",
                lone("helper \"h\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 2222; }", ""),
                "2222",
                "adds the port 2222",
                lone("helper \"h\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 2223; }", ""),
            ),
            refused(
                "a port that only the Pod would know",
                "kubernetes §1.5",
                step("", "port \"cluster\" \"auto\""),
                "\"auto\"",
                "before the Pod starts",
                step("", "port \"cluster\" 3333"),
            ),
            refused(
                "a label's value",
                "observed §2, kueue-label-bad",
                lone("labels { team \"gpu queue\"; }", ""),
                "team",
                "the value `gpu queue`",
                lone("labels { team \"gpu-queue\"; }", ""),
            ),
            refused(
                "a label that the operator sets",
                "observed §5, label-overwritten",
                lone("labels { \"training.kubeflow.org/job-name\" \"b\"; }", ""),
                "\"training.kubeflow.org/job-name\"",
                "itself",
                lone("labels { \"example.com/job-name\" \"b\"; }", ""),
            ),
            refused(
                "a node's label",
                "observed §4, node-selector-blank",
                lone("", "place { node \"gpu\" \"a 100\"; }"),
                "\"a 100\"",
                "the value `a 100`",
                lone("", "place { node \"gpu\" \"a100\"; }"),
            ),
        ],
    );
}

#[test]
fn amounts_and_devices_that_pods_cannot_have() {
    let gpu = |more: &str| format!("resources cpus=1 memory=\"1GiB\" gpus=1 {more}");
    holds(
        TARGET,
        &[
            refused(
                "a bare resource",
                "observed §4, limit-gpu-bare-name",
                lone("", "resources cpus=1 memory=\"1GiB\" { device \"gpu\" 1; }"),
                "1",
                "no counted resource `gpu`",
                lone("", "resources cpus=1 memory=\"1GiB\" { device \"nvidia.com/gpu\" 1; }"),
            ),
            refused(
                "huge pages",
                "observed §4, hugepages-alone",
                lone("", "resources cpus=1 memory=\"1GiB\" { device \"hugepages-2Mi\" 1; }"),
                "1",
                "no counted resource",
                lone("", "resources cpus=1 memory=\"1GiB\" { device \"rdma/hca\" 1; }"),
            ),
            refused(
                "GPUs counted twice",
                "observed §4, gpu-request-differs",
                lone("", &gpu("{ device \"nvidia.com/gpu\" 2; }")),
                "2",
                "by `gpus` already",
                lone("", &gpu("{ device \"rdma/hca\" 2; }")),
            ),
            refused(
                "a GPU model without a label",
                "kubernetes §2",
                lone("", &gpu("gpu-model=\"a100\"")),
                "\"a100\"",
                "which label holds the GPU model",
                lone(&options("gpu-model-label \"nvidia.com/gpu.product\""), &gpu("gpu-model=\"a100\"")),
            ),
            refused(
                "a GPU's memory without a label",
                "kubernetes §2",
                lone("", &gpu("gpu-memory=\"40GiB\"")),
                "\"40GiB\"",
                "which label holds",
                lone(&options("gpu-memory-label \"nvidia.com/gpu.memory\""), &gpu("gpu-memory=\"40GiB\"")),
            ),
            refused(
                "shared memory over memory",
                "EmptyDirVolumeSource",
                lone("", "resources cpus=1 memory=\"1GiB\" shared-memory=\"2GiB\""),
                "\"2GiB\"",
                "counts shared memory",
                lone("", "resources cpus=1 memory=\"1GiB\" shared-memory=\"1GiB\""),
            ),
            Trap {
                name: "GPUs under a bare name",
                fact: "observed §4",
                falls: lone(&options("gpu-resource \"gpu\""), &gpu("")),
                code: "bad-option",
                words: "\"gpu\"",
                says: "not a counted resource",
                neighbour: lone(&options("gpu-resource \"amd.com/gpu\""), &gpu("")),
            },
            refused(
                "a user by name",
                "PodSecurityContext",
                lone("", "user \"trainer\""),
                "\"trainer\"",
                "cannot look up",
                lone("", "user 1000"),
            ),
        ],
    );
}

#[test]
fn storage_that_nothing_can_mount_or_fetch() {
    let data = |uri: &str, more: &str| lone(&format!("data \"d\" \"{uri}\" {more}"), "");
    let code = |uri: &str, more: &str| lone(&format!("code \"{uri}\"\n{more}"), "");
    let hadoop = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"";
    holds(
        TARGET,
        &[
            refused(
                "hdfs at a path",
                "kubernetes §2",
                data("hdfs://default/d", "at=\"/d\""),
                "\"/d\"",
                "cannot mount `hdfs:`",
                data("pvc://d/train", "at=\"/d\""),
            ),
            refused(
                "s3 at a path",
                "kubernetes §2",
                data("s3://b/d", "at=\"/d\""),
                "\"/d\"",
                "cannot mount `s3:`",
                data("nfs://filer/export", "at=\"/d\""),
            ),
            refused(
                "a claim without a path",
                "kubernetes §2",
                data("pvc://d", ""),
                "\"pvc://d\"",
                "but at a path",
                data("pvc://d", "at=\"/d\""),
            ),
            refused(
                "a colon in a path",
                "observed §4",
                data("pvc://d", "at=\"/d:x\""),
                "\"/d:x\"",
                "a path with a colon",
                data("pvc://d", "at=\"/d-x\""),
            ),
            refused(
                "a mount inside a read-only one",
                "runc, mount points",
                lone("data \"d\" \"pvc://d\" at=\"/d\"\ncheckpoints \"pvc://c\" at=\"/d/c\"", ""),
                "\"/d/c\"",
                "inside `/d`",
                lone(
                    "data \"d\" \"pvc://d\" at=\"/d\" writable=#true\ncheckpoints \"pvc://c\" at=\"/d/c\"",
                    "",
                ),
            ),
            refused(
                "the root",
                "observed §4",
                data("pvc://d", "at=\"/\""),
                "\"/\"",
                "hide the container's own system",
                data("pvc://d", "at=\"/srv\""),
            ),
            refused(
                "our own folder",
                "targets/README.md",
                data("pvc://d", "at=\"/tfjob/x\""),
                "\"/tfjob/x\"",
                "keeps `/tfjob`",
                data("pvc://d", "at=\"/tfjobs\""),
            ),
            refused(
                "shared memory's folder",
                "kubernetes §2",
                data("pvc://d", "at=\"/dev/shm/d\""),
                "\"/dev/shm/d\"",
                "keeps `/dev/shm`",
                data("pvc://d", "at=\"/dev-shm\""),
            ),
            refused(
                "code of hdfs without a client",
                "kubernetes §2",
                code("hdfs://default/a.zip", ""),
                "\"hdfs://default/a.zip\"",
                "only with Hadoop's client",
                code("hdfs://default/a.zip", hadoop),
            ),
            refused(
                "code of git without git",
                "kubernetes §2",
                code("git+https://h/t/r\" ref=\"v1", ""),
                "\"git+https://h/t/r\"",
                "an image that has git",
                code("git+https://h/t/r\" ref=\"v1", &options("stage-image \"alpine/git:2.47.2\"")),
            ),
            refused(
                "code of s3",
                "kubernetes §2",
                code("s3://b/a.zip", ""),
                "\"s3://b/a.zip\"",
                "no image that is known to read",
                code("https://h/a.zip", ""),
            ),
            refused(
                "code beside the spec",
                "kubernetes §2",
                code("./src", ""),
                "\"./src\"",
                "cannot carry a folder",
                code("pvc://code/src", ""),
            ),
            refused(
                "a secret without an entry",
                "kubernetes §2",
                lone("secret \"T\" from=\"store\"", ""),
                "\"T\"",
                "several entries",
                lone("secret \"T\" from=\"store\" key=\"token\"", ""),
            ),
            Trap {
                code: "bad-value",
                ..refused(
                    "a relative folder",
                    "observed §4",
                    lone("", "workdir \"src\""),
                    "\"src\"",
                    "not an absolute path",
                    lone("", "workdir \"/src\""),
                )
            },
            refused(
                "checkpoints that it cannot look into",
                "kubernetes §2",
                lone("checkpoints \"hdfs://a/b\" fresh=#true\nhadoop home=\"/h\" java=\"/j\"", ""),
                "#true",
                "cannot look into storage",
                lone("checkpoints \"pvc://b\" at=\"/b\" fresh=#true", ""),
            ),
            refused(
                "TensorBoard of a folder that it does not see",
                "kubernetes §2",
                lone("tensorboard logs=\"/logs\"", ""),
                "tensorboard logs=\"/logs\"",
                "sees only what is mounted",
                lone("data \"l\" \"pvc://l\" at=\"/logs\"\ntensorboard logs=\"/logs\"", ""),
            ),
        ],
    );
}

#[test]
fn restarts_order_and_ends_that_the_operator_does_not_give() {
    let policy = |role: &str| step("", role);
    let workers = "allow \"restart\" on=\"kubernetes\" because=\"told before\"";
    holds(TARGET, &[
        refused("a drain under OnFailure", "observed §6", several("a", "restart \"on-failure\""), "\"on-failure\"", "when a running Pod is deleted", policy("restart \"on-failure\"")),
        refused("a drain and a limit", "observed §6", policy("restart \"on-failure\" limit=3"), "\"on-failure\"", "when a running Pod is deleted", step(workers, "restart \"on-failure\" limit=3")),
        refused("Always of the last task", "observed §6, Always", policy("restart \"always\""), "\"always\"", "never ends a job", policy("restart \"on-failure\"")),
        refused("fewer tasks", "tensorflow-observed §4", step("", "").replace("count=2", "count=2 min=1"), "1", "wait for every one", step("", "").replace("count=2", "count=1")),
        refused("gang without a scheduler", "kubernetes §1.9", step("start gang=#true", ""), "#true", "places each Pod by itself", step(&format!("start gang=#true\n{}", options("gang \"volcano\"")), "")),
        refused("readiness hides the name", "observed §5", step("", "port \"web\" 8080\nready http=\"web/ok\""), "\"web/ok\"", "hides the name", step("", "ready tcp=\"cluster\"")),
        refused("servers never succeed", "tensorflow-observed §5", several("a", "success \"all\"").replace("parameter-server", "estimator"), "\"all\"", "waits for ever", several("a", "success \"chief\"")),
        refused("logs of what is stopped", "kubernetes §1.7", several("a", "keep \"all\""), "\"all\"", "the log goes with it", several("a", "keep \"failed\"")),
        refused("a role that never ends the job", "observed §5", "job \"a\" {\nframework \"custom\"\nimage \"ml/a:1\"\nrole \"worker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\nrole \"broker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\n}".to_owned(), "\"broker\"", "no role `broker`", "job \"a\" {\nframework \"custom\"\nimage \"ml/a:1\"\nrole \"worker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\nhelper \"broker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\n}".to_owned()),
        refused("a helper under Kueue", "kubernetes §2, Kueue", lone(&format!("helper \"h\" {{ run \"b\"; resources cpus=1 memory=\"1GiB\"; }}\n{}", options("queue \"q\"")), ""), "\"h\"", "outside Kueue's quota", lone(&options("queue \"q\""), "")),
    ]);
}

#[test]
fn a_patch_cannot_say_what_the_operator_would_drop() {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    let bad = |name, text: &'static str, words, says, good: &str| Trap {
        name,
        fact: "kubernetes §7",
        falls: patch(text),
        code: "bad-patch",
        words,
        says,
        neighbour: patch(good),
    };
    holds(
        TARGET,
        &[
            bad(
                "the policy's case",
                "{spec: {runPolicy: {cleanPodPolicy: running}}}",
                "\"{spec: {runPolicy: {cleanPodPolicy: running}}}\"",
                "cannot be \"running\"",
                "{spec: {runPolicy: {cleanPodPolicy: Running}}}",
            ),
            bad(
                "the old place",
                "{spec: {cleanPodPolicy: None}}",
                "\"{spec: {cleanPodPolicy: None}}\"",
                "no key `spec.cleanPodPolicy`",
                "{spec: {runPolicy: {cleanPodPolicy: None}}}",
            ),
            bad(
                "a dead restart policy",
                "{spec: {tfReplicaSpecs: {Worker: {template: {spec: {restartPolicy: Always}}}}}}",
                "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {restartPolicy: Always}}}}}}\"",
                "no key `spec.tfReplicaSpecs.Worker.template.spec.restartPolicy`",
                "{spec: {tfReplicaSpecs: {Worker: {restartPolicy: OnFailure}}}}",
            ),
            bad(
                "a role in another case",
                "{spec: {tfReplicaSpecs: {worker: {restartPolicy: OnFailure}}}}",
                "\"{spec: {tfReplicaSpecs: {worker: {restartPolicy: OnFailure}}}}\"",
                "no key `spec.tfReplicaSpecs.worker`",
                "{spec: {tfReplicaSpecs: {Worker: {restartPolicy: OnFailure}}}}",
            ),
            bad(
                "another namespace",
                "{metadata: {namespace: b}}",
                "\"{metadata: {namespace: b}}\"",
                "no key `metadata.namespace`",
                "{metadata: {labels: {a: b}}}",
            ),
        ],
    );
}
