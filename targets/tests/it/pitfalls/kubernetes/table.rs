//! Traps that a spec can walk into: each is told at its own words, and its nearest neighbour compiles.
use super::ENGINE;
use super::specs::{lone, options, several, step};
use crate::pitfalls::{In, On, Pitfall, rows};

const REFUSED: &str = "unsupported-feature";

/// Every row.
pub fn pitfalls() -> Vec<Pitfall> {
    [names(), amounts(), storage(), life(), twice(), patches(), behind(), behind_containers(), behind_pods()]
        .into_iter()
        .flatten()
        .chain(super::around::pitfalls())
        .chain(super::limits::pitfalls())
        .chain(super::named::pitfalls())
        .chain(super::merged::pitfalls())
        .chain(super::patched::pitfalls())
        .collect()
}

#[rustfmt::skip]
fn names() -> Vec<Pitfall> {
    let long = |length: usize| "n".repeat(length);
    let name = &*Box::leak(format!("\"{}\"", long(55)).into_boxed_str());
    let board = &*Box::leak("tensorboard".to_owned().into_boxed_str());
    rows(REFUSED, vec![
        ("a long job name", "kubernetes#service-names", ENGINE,
            "the webhook takes 63 letters; the Service of each task is refused at every attempt, and the Pods run without addresses",
            several(&long(55), ""), name, "which has 64 characters", several(&long(54), "")),
        ("a long name and a TensorBoard", "kubernetes#service-names", ENGINE,
            "a Service whose name has more than 63 characters is refused",
            several(&long(52), "checkpoints \"hdfs://a/b\"\nhadoop home=\"/h\" java=\"/j\"\ntensorboard"), board, "more than 63 characters", several(&long(51), "checkpoints \"hdfs://a/b\"\nhadoop home=\"/h\" java=\"/j\"\ntensorboard")),
        ("a helper called as a role", "kubernetes#role-names", In("defaulting_utils.go: role keys are matched without case"),
            "a role whose key differs only in case is renamed, and one of the two overwrites the other",
            lone("helper \"ps\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }", ""), "\"ps\"", "for the job's PS", lone("helper \"pss\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }", "")),
        ("a port's long name", "kubernetes#port-names", ENGINE,
            "the Pod is refused at every attempt: a port's name has at most 15 characters",
            lone("", "port \"prometheus-metrics\" 9090"), "9090", "no port named", lone("", "port \"metrics\" 9090")),
        ("a helper on 2222", "kubernetes#default-port", ENGINE,
            "the operator adds a port 2222 of its own: the Service with two equal ports is refused at every attempt",
            lone("helper \"h\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 2222; }", ""), "2222", "adds the port 2222", lone("helper \"h\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 2223; }", "")),
        ("a port that only the Pod would know", "kubernetes#rendezvous-port", In("tensorflow.go: one port for a role"),
            "TF_CONFIG is written before the Pod starts, from the template's port",
            step("", "port \"rendezvous\" \"auto\""), "\"auto\"", "before the Pod starts", step("", "port \"rendezvous\" 3333")),
        ("a label's value", "kubernetes#label-values", ENGINE,
            "refused: a label's value has no blank",
            lone("labels { team \"gpu queue\"; }", ""), "team", "the value `gpu queue`", lone("labels { team \"gpu-queue\"; }", "")),
        ("a label that the operator sets", "kubernetes#operator-labels", ENGINE,
            "the operator's own label wins without a word",
            lone("labels { \"training.kubeflow.org/job-name\" \"b\"; }", ""), "\"training.kubeflow.org/job-name\"", "itself", lone("labels { \"example.com/job-name\" \"b\"; }", "")),
        ("a node's label", "kubernetes#label-values", ENGINE,
            "the Pod is refused at every attempt, the job has no condition",
            lone("", "placement { node \"gpu\" \"a 100\"; }"), "\"a 100\"", "the value `a 100`", lone("", "placement { node \"gpu\" \"a100\"; }")),
    ])
}

#[rustfmt::skip]
fn amounts() -> Vec<Pitfall> {
    let gpu = |more: &str| format!("resources cpus=1 memory=\"1GiB\" gpus=1 {more}");
    let mut all = rows(REFUSED, vec![
        ("a bare resource", "kubernetes#extended-resources", ENGINE,
            "the Pod is refused at every attempt: a counted resource needs a domain",
            lone("", "resources cpus=1 memory=\"1GiB\" { device \"gpu\" 1; }"), "1", "no counted resource `gpu`", lone("", "resources cpus=1 memory=\"1GiB\" { device \"nvidia.com/gpu\" 1; }")),
        ("huge pages", "kubernetes#extended-resources", ENGINE,
            "by themselves they have the Pod refused at every attempt",
            lone("", "resources cpus=1 memory=\"1GiB\" { device \"hugepages-2Mi\" 1; }"), "1", "no counted resource", lone("", "resources cpus=1 memory=\"1GiB\" { device \"rdma/hca\" 1; }")),
        ("GPUs counted twice", "kubernetes#extended-resources", ENGINE,
            "requests and limits of GPUs that differ: the Pod is refused at every attempt",
            lone("", &gpu("{ device \"nvidia.com/gpu\" 2; }")), "2", "by `gpus` already", lone("", &gpu("{ device \"rdma/hca\" 2; }"))),
        ("a GPU model without a label", "kubernetes#node-labels", In("the device plugin's resource, a bare count"),
            "GPUs are counted; a model is only what some label of the node says",
            lone("", &gpu("gpu-model=\"a100\"")), "\"a100\"", "which label holds the GPU model", lone(&options("gpu-model-label \"nvidia.com/gpu.product\""), &gpu("gpu-model=\"a100\""))),
        ("a GPU's memory without a label", "kubernetes#node-labels", In("the device plugin's resource, a bare count"),
            "GPUs are counted; their memory is only what some label of the node says",
            lone("", &gpu("gpu-memory=\"40GiB\"")), "\"40GiB\"", "which label holds", lone(&options("gpu-memory-label \"nvidia.com/gpu.memory\""), &gpu("gpu-memory=\"40GiB\""))),
        ("shared memory over memory", "EmptyDirVolumeSource", In("EmptyDirVolumeSource, medium Memory"),
            "what lies in shared memory counts as the container's memory: it is killed before the folder is full",
            lone("", "resources cpus=1 memory=\"1GiB\" shared-memory=\"2GiB\""), "\"2GiB\"", "counts shared memory", lone("", "resources cpus=1 memory=\"1GiB\" shared-memory=\"1GiB\"")),
        ("a user by name", "PodSecurityContext", In("PodSecurityContext, runAsUser"),
            "a user is a number; the field takes no name",
            lone("", "user \"trainer\""), "\"trainer\"", "cannot look up", lone("", "user 1000")),
    ]);
    all.extend(rows("bad-option", vec![
        ("GPUs under a bare name", "", ENGINE,
            "the Pod is refused at every attempt: a resource is standard or has a domain",
            lone(&options("gpu-resource \"gpu\""), &gpu("")), "\"gpu\"", "not a counted resource", lone(&options("gpu-resource \"amd.com/gpu\""), &gpu(""))),
    ]));
    all
}

#[rustfmt::skip]
fn storage() -> Vec<Pitfall> {
    let data = |uri: &str, more: &str| lone(&format!("data \"d\" \"{uri}\" {more}"), "");
    let code = |uri: &str, more: &str| lone(&format!("code \"{uri}\"\n{more}"), "");
    let hadoop = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"";
    let mut all = rows(REFUSED, vec![
        ("hdfs at a path", "kubernetes#volume-types", In("the list of volume types"),
            "no volume type mounts HDFS",
            data("hdfs://default/d", "at=\"/d\""), "\"/d\"", "cannot mount `hdfs:`", data("pvc://d/train", "at=\"/d\"")),
        ("s3 at a path", "kubernetes#volume-types", In("the list of volume types"),
            "no volume type mounts a bucket",
            data("s3://b/d", "at=\"/d\""), "\"/d\"", "cannot mount `s3:`", data("nfs://filer/export", "at=\"/d\"")),
        ("a claim without a path", "kubernetes#volume-types", In("PersistentVolumeClaimVolumeSource"),
            "a claim is seen only where it is mounted",
            data("pvc://d", ""), "\"pvc://d\"", "but at a path", data("pvc://d", "at=\"/d\"")),
        ("a colon in a path", "kubernetes#mount-paths", ENGINE,
            "the API server takes the path, and the container's runtime cannot mount it",
            data("pvc://d", "at=\"/d:x\""), "\"/d:x\"", "a path with a colon", data("pvc://d", "at=\"/d-x\"")),
        ("the root", "kubernetes#mount-paths", ENGINE,
            "accepted; the mount hides the image's whole system",
            data("pvc://d", "at=\"/\""), "\"/\"", "hide the container's own system", data("pvc://d", "at=\"/srv\"")),
        ("our own folder", "targets/README.md", ENGINE,
            "two mounts on one path are refused as a duplicate",
            data("pvc://d", "at=\"/tfjob/x\""), "\"/tfjob/x\"", "keeps `/tfjob`", data("pvc://d", "at=\"/tfjobs\"")),
        ("shared memory's folder", "kubernetes#mount-paths", ENGINE,
            "two mounts on one path are refused as a duplicate",
            data("pvc://d", "at=\"/dev/shm/d\""), "\"/dev/shm/d\"", "keeps `/dev/shm`", data("pvc://d", "at=\"/dev-shm\"")),
        ("code of hdfs without a client", "kubernetes#fetched-files", In("the list of volume types"),
            "nothing fetches from HDFS before a container starts",
            code("hdfs://default/a.zip", ""), "\"hdfs://default/a.zip\"", "only with Hadoop's client", code("hdfs://default/a.zip", hadoop)),
        ("a name that is a pattern", "FsShell of Hadoop 3.4.2", In("CommandWithDestination and PathData of Hadoop 3.4.2"),
            "`hdfs dfs -get` of `run[1].zip` fetches `run1.zip`, or fails though the file is there",
            code("hdfs://default/run[1].zip", hadoop), "\"hdfs://default/run[1].zip\"", "as part of a pattern", code("hdfs://default/run-1.zip", hadoop)),
        ("code of git without git", "kubernetes#fetched-files", In("the removal of gitRepo volumes"),
            "nothing clones a repository unless an image has git",
            code("git+https://h/t/r\" ref=\"v1", ""), "\"git+https://h/t/r\"", "an image that has git", code("git+https://h/t/r\" ref=\"v1", &options("stage-image \"alpine/git:2.47.2\""))),
        ("code of s3", "kubernetes#fetched-files", In("the list of volume types"),
            "nothing fetches from a bucket before a container starts",
            code("s3://b/a.zip", ""), "\"s3://b/a.zip\"", "no image that is known to read", code("https://h/a.zip", "")),
        ("code beside the spec", "kubernetes#volume-types", In("ConfigMap, 1 MiB in all"),
            "an object of the cluster holds no folder",
            code("./src", ""), "\"./src\"", "cannot carry a folder", code("pvc://code/src", "")),
        ("a secret without an entry", "kubernetes#secrets", In("SecretKeySelector, key is required"),
            "a reference names the secret and one entry of it",
            lone("secret \"T\" from=\"store\"", ""), "\"T\"", "several entries", lone("secret \"T\" from=\"store\" key=\"token\"", "")),
        ("checkpoints that it cannot look into", "kubernetes#volume-types", In("the list of volume types"),
            "nothing looks into storage before a job starts",
            lone("checkpoints \"hdfs://a/b\" if-exists=\"fail\"\nhadoop home=\"/h\" java=\"/j\"", ""), "\"fail\"", "cannot look into storage", lone("checkpoints \"pvc://b\" at=\"/b\" if-exists=\"fail\"", "")),
        ("TensorBoard of a folder that it does not see", "kubernetes#tensorboard", In("the container's file system"),
            "another Pod sees only what is mounted into it",
            lone("tensorboard logs=\"/logs\"", ""), "tensorboard logs=\"/logs\"", "sees only what is mounted", lone("data \"l\" \"pvc://l\" at=\"/logs\"\ntensorboard logs=\"/logs\"", "")),
    ]);
    all.extend(rows("bad-value", vec![
        ("a relative folder", "", ENGINE,
            "a relative working folder is accepted, and means what the runtime makes of it",
            lone("", "workdir \"src\""), "\"src\"", "not an absolute path", lone("", "workdir \"/src\"")),
    ]));
    all
}

#[rustfmt::skip]
fn life() -> Vec<Pitfall> {
    let policy = |role: &str| step("", role);
    let workers = "allow \"restart\" on=\"kubernetes\" because=\"told before\"";
    rows(REFUSED, vec![
        ("a drain under OnFailure", "kubernetes#lost-pods", ENGINE,
            "a running Pod that is deleted (drain, preemption) fails the job, under every restart policy",
            several("a", "restart \"on-failure\""), "\"on-failure\"", "when a running Pod is deleted", policy("restart \"on-failure\"")),
        ("a drain and a limit", "kubernetes#lost-pods", ENGINE,
            "a running Pod that is deleted fails the job, and a limit counts over all Pods that still run",
            policy("restart \"on-failure\" limit=3"), "\"on-failure\"", "or is deleted while it runs", step(workers, "restart \"on-failure\" limit=3")),
        ("no memory and a limit", "kubelet 1.28", In("memory.oom.group in kuberuntime_container_linux.go of Kubernetes 1.36"),
            "a container that has used up its memory is killed whole, the shim that counts the restarts too; the job fails at once",
            policy("restart \"on-failure\" limit=3"), "\"on-failure\"", "when a Pod runs out of memory", policy("restart \"on-failure\"")),
        ("Always of the last task", "kubernetes#restart-policy-always", ENGINE,
            "workers that end well are started again for ever; the job never succeeds",
            policy("restart \"always\""), "\"always\"", "never ends a job", policy("restart \"on-failure\"")),
        ("fewer tasks", "", On("TensorFlow 2.15.1"),
            "TF_CONFIG names every worker, and the others hang until all are there",
            step("", "").replace("count=2", "count=2 min=1"), "1", "wait for every one", step("", "").replace("count=2", "count=1")),
        ("gang without a scheduler", "kubernetes#gang-scheduling", In("common/job.go: PodGroups need the operator's flag"),
            "`schedulingPolicy` does nothing unless the operator runs with a gang scheduler",
            step("start gang=#true", ""), "#true", "places each Pod by itself", step(&format!("start gang=#true\n{}", options("gang \"volcano\"")), "")),
        ("readiness hides the name", "kubernetes#readiness-and-dns", ENGINE,
            "a Pod with a readiness probe has no name in DNS until it is ready, so peers that wait for its address wait for each other",
            step("", "port \"web\" 8080\nready http=\"web/ok\""), "\"web/ok\"", "hides the name", step("", "ready tcp=\"rendezvous\"")),
        ("servers never succeed", "", On("TensorFlow 2.15.1"),
            "parameter servers never end; a job that waits for all of them never succeeds",
            several("a", "success \"all\"").replace("parameter-server", "estimator"), "\"all\"", "waits for ever", several("a", "success \"chief\"")),
        ("logs of what is stopped", "kubernetes#pod-cleanup", ENGINE,
            "`cleanPodPolicy: Running` deletes the Pods that still run, and their logs with them",
            several("a", "keep \"all\""), "\"all\"", "the log goes with it", several("a", "keep \"failed\"")),
        ("a role that never ends the job", "kubernetes#unknown-roles", ENGINE,
            "a role that the operator does not know gets Pods and a Service, no TF_CONFIG, and no part in the job's end",
            "job \"a\" {\nframework \"custom\"\nimage \"ml/a:1\"\nrole \"worker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\nrole \"broker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\n}".to_owned(), "\"broker\"", "no role `broker`", "job \"a\" {\nframework \"custom\"\nimage \"ml/a:1\"\nrole \"worker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\nhelper \"broker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\n}".to_owned()),
        ("a helper under Kueue", "kubernetes#kueue-quota", In("Kueue's job integration, the suspended TFJob"),
            "a Deployment beside the job is admitted without the job's quota",
            lone(&format!("helper \"h\" {{ run \"b\"; resources cpus=1 memory=\"1GiB\"; }}\n{}", options("local-queue \"q\"")), ""), "\"h\"", "outside Kueue's quota", lone(&options("local-queue \"q\""), "")),
    ])
}

#[rustfmt::skip]
fn twice() -> Vec<Pitfall> {
    let queue = |other: &str| lone(&format!("labels {{ \"kueue.x-k8s.io/queue-name\" \"other\"; }}\n{}", options(&format!("local-queue \"{other}\""))), "");
    let about = |words: &str| lone(&format!("description \"one\"\n{}", options(&format!("annotations {{ \"kubernetes.io/description\" \"{words}\"; }}"))), "");
    let long = |length: usize| lone(&format!("description \"{}\"", "x".repeat(length)), "");
    let data = |at: &str| lone(&format!("data \"a\" \"pvc://a\" at=\"{at}\""), "");
    let hadoop = |shim: &str| lone(&format!("hadoop home=\"/opt/x\" java=\"/opt/java\"\n{}", options(&format!("shim path=\"{shim}\""))), "");
    let words = &*Box::leak(format!("\"{}\"", "x".repeat(262_120)).into_boxed_str());
    let mut all = rows("bad-option", vec![
        ("two queues", "", In("Kueue: the queue is a label"),
            "a label has one value, and the job waits in one of the two queues",
            queue("gpu"), "\"gpu\"", "is said twice", queue("other")),
        ("two descriptions", "", In("an object's annotations are a map"),
            "an annotation has one value, and the other is lost",
            about("two"), "\"kubernetes.io/description\"", "is said twice", about("one")),
        ("a shim of the image in the place of Hadoop", "", In("Linux: a path is a file or a directory"),
            "the shim or Hadoop is not there",
            hadoop("/opt/x"), "\"/opt/x\"", "of `hadoop home` is a directory", hadoop("/opt/x/tfjob-shim")),
    ]);
    all.extend(rows("text-too-long", vec![
        ("annotations of 256 KiB", "", In("ValidateAnnotationsSize of apimachinery"),
            "refused: all annotations of an object have at most 262144 bytes",
            long(262_120), words, "takes 262144", long(262_119)),
    ]));
    all.extend(rows(REFUSED, vec![
        ("a mount in /proc", "", In("runc: mounts inside /proc"),
            "the container does not start: nothing may be mounted inside /proc",
            data("/proc/self"), "\"/proc/self\"", "hide the container's own system", data("/process")),
        ("a mount in /sys", "", In("the runtime's own mounts of a container"),
            "what is mounted there hides what the container reads of its kernel and its limits",
            data("/sys/fs"), "\"/sys/fs\"", "hide the container's own system", data("/system")),
    ]));
    all
}

#[rustfmt::skip]
fn patches() -> Vec<Pitfall> {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    rows("bad-patch", vec![
        ("the policy's case", "", ENGINE,
            "any text is accepted, and `running` deletes every Pod",
            patch("{spec: {runPolicy: {cleanPodPolicy: running}}}"), "\"{spec: {runPolicy: {cleanPodPolicy: running}}}\"", "is not one of `Running`", patch("{spec: {runPolicy: {cleanPodPolicy: Running}}}")),
        ("the old place", "", ENGINE,
            "refused under strict validation; otherwise dropped in silence, and the policy is the default",
            patch("{spec: {cleanPodPolicy: None}}"), "\"{spec: {cleanPodPolicy: None}}\"", "no key `spec.cleanPodPolicy`", patch("{spec: {runPolicy: {cleanPodPolicy: None}}}")),
        ("a dead restart policy", "", ENGINE,
            "the template's policy is overwritten by the role's, which is Never unless it is given; an event says so",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {restartPolicy: Always}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {restartPolicy: Always}}}}}}\"", "is overwritten by the operator", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a role in another case", "", ENGINE,
            "the operator takes it and Kueue does not see it; beside the right case one overwrites the other",
            patch("{spec: {tfReplicaSpecs: {worker: {restartPolicy: OnFailure}}}}"), "\"{spec: {tfReplicaSpecs: {worker: {restartPolicy: OnFailure}}}}\"", "is not a role of the job", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a sparse TF_CONFIG", "", In("tensorflow.go: a sparse cluster"),
            "each worker is told of itself and the parameter servers alone",
            patch("{spec: {enableDynamicWorker: true}}"), "\"{spec: {enableDynamicWorker: true}}\"", "removes peers", patch("{metadata: {labels: {a: b}}}")),
        ("a patch's other restarts", "", In("the operator: a job ends with its tasks' ends"),
            "a role that decides the job's end and is always started again never ends it",
            patch("{spec: {tfReplicaSpecs: {Worker: {restartPolicy: Always}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {restartPolicy: Always}}}}\"", "is set by `restart`", patch("{metadata: {labels: {a: b}}}")),
        ("another namespace", "", In("kubectl apply, namespaces"),
            "the objects around the job stay in the other namespace",
            patch("{metadata: {namespace: b}}"), "\"{metadata: {namespace: b}}\"", "no key `metadata.namespace`", patch("{metadata: {labels: {a: b}}}")),
    ])
}

#[rustfmt::skip]
fn behind() -> Vec<Pitfall> {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    rows("bad-patch", vec![
        ("a task count behind the compiler's back", "", ENGINE,
            "0 makes one Pod and a job that has succeeded at once; a negative one has the operator panic for ever",
            patch("{spec: {tfReplicaSpecs: {Worker: {replicas: 0}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {replicas: 0}}}}\"", "is set by `count`", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a role that is taken away", "", ENGINE,
            "the API server drops it: no Pod, no condition, no event",
            patch("{spec: {tfReplicaSpecs: {Worker: null}}}"), "\"{spec: {tfReplicaSpecs: {Worker: null}}}\"", "cannot be removed", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a job without containers", "", ENGINE,
            "refused by the webhook",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: []}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: []}}}}}}\"", "cannot be removed", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {hostPID: false}}}}}}")),
        ("a limit below nothing", "", ENGINE,
            "the job fails in its first second",
            patch("{spec: {runPolicy: {backoffLimit: -1}}}"), "\"{spec: {runPolicy: {backoffLimit: -1}}}\"", "cannot be negative", patch("{spec: {runPolicy: {backoffLimit: 1}}}")),
        ("a deadline of nothing", "", ENGINE,
            "the job fails before anything runs",
            patch("{spec: {runPolicy: {activeDeadlineSeconds: 0}}}"), "\"{spec: {runPolicy: {activeDeadlineSeconds: 0}}}\"", "before anything runs", patch("{spec: {runPolicy: {activeDeadlineSeconds: 60}}}")),
        ("a deadline in words", "", ENGINE,
            "refused by the schema",
            patch("{spec: {runPolicy: {activeDeadlineSeconds: 1h}}}"), "\"{spec: {runPolicy: {activeDeadlineSeconds: 1h}}}\"", "takes an integer", patch("{spec: {runPolicy: {activeDeadlineSeconds: 3600}}}")),
        ("nobody who manages", "", ENGINE,
            "refused by the webhook, though its page allows an empty text",
            patch("{spec: {runPolicy: {managedBy: ''}}}"), "\"{spec: {runPolicy: {managedBy: ''}}}\"", "is not one of `kubeflow.org/training-operator`", patch("{spec: {runPolicy: {managedBy: kubeflow.org/training-operator}}}")),
        ("a success policy in another case", "", ENGINE,
            "any text is accepted and counts as the default",
            patch("{spec: {successPolicy: allWorkers}}"), "\"{spec: {successPolicy: allWorkers}}\"", "is not one of", patch("{spec: {successPolicy: AllWorkers}}")),
        ("a role's policy in another case", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {restartPolicy: onFailure}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {restartPolicy: onFailure}}}}\"", "is set by `restart`", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
    ])
}

#[rustfmt::skip]
fn behind_containers() -> Vec<Pitfall> {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    rows("bad-patch", vec![
        ("memory in units of a shop", "", ENGINE,
            "refused: `GB` is no suffix",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {memory: 16GB}}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {memory: 16GB}}}]}}}}}}\"", "not a quantity", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {memory: 16G}, requests: {memory: 16G}}}]}}}}}}")),
        ("half a GPU", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {nvidia.com/gpu: '0.5'}}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {nvidia.com/gpu: '0.5'}}}]}}}}}}\"", "counted in whole units", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {example.com/nic: '1'}}}]}}}}}}")),
        ("a GPU without its domain", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {gpu: '1'}}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {gpu: '1'}}}]}}}}}}\"", "is not a resource", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {example.com/nic: '1'}}}]}}}}}}")),
        ("cores as a number", "", ENGINE,
            "refused: a quantity is text or whole",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {cpu: 1.5}}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {cpu: 1.5}}}]}}}}}}\"", "takes a quantity", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {cpu: '1.5'}}}]}}}}}}")),
        ("a variable with an equals sign", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A=B, value: c}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A=B, value: c}]}]}}}}}}\"", "not the name of an environment variable", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: c}]}]}}}}}}")),
        ("a variable that no shell can name", "", ENGINE,
            "accepted; the program's shell cannot read it",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A B, value: c}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A B, value: c}]}]}}}}}}\"", "not the name of an environment variable", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A_B, value: c}]}]}}}}}}")),
        ("a variable that is a number", "", ENGINE,
            "refused by the schema",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: 1}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: 1}]}]}}}}}}\"", "takes a string", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: '1'}]}]}}}}}}")),
        ("a TF_CONFIG behind the compiler's back", "", ENGINE,
            "the operator's own comes last and wins",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: TF_CONFIG, value: a}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: TF_CONFIG, value: a}]}]}}}}}}\"", "comes last and wins", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: TF_CPP_MIN_LOG_LEVEL, value: '0'}]}]}}}}}}")),
        ("an image with a blank", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, image: ' img'}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, image: ' img'}]}}}}}}\"", "not the name of an image", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, image: img:1}]}}}}}}")),
    ])
}

#[rustfmt::skip]
fn behind_pods() -> Vec<Pitfall> {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    rows("bad-patch", vec![
        ("a pull policy in another case", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicy: always}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicy: always}]}}}}}}\"", "cannot be", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicy: Always}]}}}}}}")),
        ("a misspelt key", "", ENGINE,
            "refused under strict validation, dropped with a warning or without a word otherwise",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicyy: Always}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicyy: Always}]}}}}}}\"", "no key", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicy: IfNotPresent}]}}}}}}")),
        ("a mount on no path", "", ENGINE,
            "accepted by the API server, and no runtime mounts it",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, volumeMounts: [{name: v, mountPath: a}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, volumeMounts: [{name: v, mountPath: a}]}]}}}}}}\"", "absolute path", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, tty: false}]}}}}}}")),
        ("a port that does not exist", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 70000}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 70000}]}]}}}}}}\"", "from 1 to 65535", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 7000}]}]}}}}}}")),
        ("a port's name in capitals", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: Web, containerPort: 7000}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: Web, containerPort: 7000}]}]}}}}}}\"", "not a port name", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 7001}]}]}}}}}}")),
        ("a volume's name in capitals", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {volumes: [{name: V_a, emptyDir: {}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {volumes: [{name: V_a, emptyDir: {}}]}}}}}}\"", "not a DNS label", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {volumes: [{name: v-a, emptyDir: {sizeLimit: 1Gi}}]}}}}}}")),
        ("a DNS policy in another case", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {dnsPolicy: clusterFirst}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {dnsPolicy: clusterFirst}}}}}}\"", "cannot be", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {dnsPolicy: ClusterFirst}}}}}}")),
        ("an operator that does not exist", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {tolerations: [{key: a, operator: Equals}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {tolerations: [{key: a, operator: Equals}]}}}}}}\"", "cannot be", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {tolerations: [{key: a, operator: Equal, value: b}]}}}}}}")),
        ("a grace of less than nothing", "", ENGINE,
            "accepted, and stands for one second",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {terminationGracePeriodSeconds: -5}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {terminationGracePeriodSeconds: -5}}}}}}\"", "cannot be negative", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {terminationGracePeriodSeconds: 5}}}}}}")),
        ("a label of 64 letters", "", ENGINE,
            "the Pod is refused at every attempt",
            patch("{metadata: {labels: {a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}}}"), "\"{metadata: {labels: {a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}}}\"", "is not a label", patch("{metadata: {labels: {a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}}}")),
        ("an annotation that is no text", "", ENGINE,
            "refused by the schema",
            patch("{metadata: {annotations: {a: true}}}"), "\"{metadata: {annotations: {a: true}}}\"", "takes a string", patch("{metadata: {annotations: {a: 'true'}}}")),
        ("what Go clients print", "", ENGINE,
            "an empty `creationTimestamp` is an unknown field under strict validation",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {creationTimestamp: null}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {creationTimestamp: null}}}}}}\"", "no key", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("one key twice", "", ENGINE,
            "refused under strict validation; otherwise the last one holds",
            patch("{metadata: {labels: {a: b, a: c}}}"), "\"{metadata: {labels: {a: b, a: c}}}\"", "there twice", patch("{metadata: {labels: {a: c}}}")),
    ])
}
