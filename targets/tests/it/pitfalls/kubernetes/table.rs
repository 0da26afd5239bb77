//! Pitfalls that a spec can contain: tfjob reports each at its line, and a similar correct spec compiles.
use super::ENGINE;
use super::specs::{lone, options, several, step};
use crate::pitfalls::{In, On, Pitfall, rows};

const REFUSED: &str = "unsupported-feature";

/// Returns all pitfalls that tfjob reports.
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
        ("a job name that is too long for the Services of its tasks", "kubernetes#service-names", ENGINE,
            "the operator's webhook accepts 63 characters, but the API server refuses the Services of the pods, so the pods have no DNS records",
            several(&long(55), ""), name, "(64 characters)", several(&long(54), "")),
        ("a job name that is too long for the Service of TensorBoard", "kubernetes#service-names", ENGINE,
            "the API server refuses a Service name of more than 63 characters",
            several(&long(52), "checkpoints \"hdfs://a/b\"\nhadoop home=\"/h\" java=\"/j\"\ntensorboard"), board, "a Service name has at most 63 characters", several(&long(51), "checkpoints \"hdfs://a/b\"\nhadoop home=\"/h\" java=\"/j\"\ntensorboard")),
        ("a helper with the name of a role", "kubernetes#role-names", In("defaulting_utils.go, which compares role keys without case"),
            "the operator ignores case in role keys, so the helper and the role `PS` would have the same key",
            lone("helper \"ps\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }", ""), "\"ps\"", "as the PS replicas", lone("helper \"pss\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }", "")),
        ("a port name of more than 15 characters", "kubernetes#port-names", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them: a port name has at most 15 characters",
            lone("", "port \"prometheus-metrics\" 9090"), "9090", "not a valid container port name", lone("", "port \"metrics\" 9090")),
        ("a helper that uses port 2222", "kubernetes#default-port", ENGINE,
            "the operator also adds port 2222, and the API server refuses the Service of the pod, because two of its ports are the same",
            lone("helper \"h\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 2222; }", ""), "2222", "port 2222 is reserved: the operator adds it", lone("helper \"h\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 2223; }", "")),
        ("a rendezvous port that is chosen at startup", "kubernetes#rendezvous-port", In("tensorflow.go: one port for each role"),
            "the operator writes TF_CONFIG before the pod starts, and takes the port from the pod template",
            step("", "port \"rendezvous\" \"auto\""), "\"auto\"", "before the pod starts", step("", "port \"rendezvous\" 3333")),
        ("a label value with a space", "kubernetes#label-values", ENGINE,
            "the API server refuses the TFJob, because a label value cannot contain a space",
            lone("labels { team \"gpu queue\"; }", ""), "team", "`gpu queue` is not a valid label value", lone("labels { team \"gpu-queue\"; }", "")),
        ("a label that the operator sets", "kubernetes#operator-labels", ENGINE,
            "the operator overwrites the label without a message",
            lone("labels { \"training.kubeflow.org/job-name\" \"b\"; }", ""), "\"training.kubeflow.org/job-name\"", "overwrites labels", lone("labels { \"example.com/job-name\" \"b\"; }", "")),
        ("a node label value with a space", "kubernetes#label-values", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them, and the status of the job has no condition",
            lone("", "placement { node \"gpu\" \"a 100\"; }"), "\"a 100\"", "`a 100` is not a valid label value", lone("", "placement { node \"gpu\" \"a100\"; }")),
    ])
}

#[rustfmt::skip]
fn amounts() -> Vec<Pitfall> {
    let gpu = |more: &str| format!("resources cpus=1 memory=\"1GiB\" gpus=1 {more}");
    let mut all = rows(REFUSED, vec![
        ("a device name without a domain", "kubernetes#extended-resources", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them: an extended resource needs a domain",
            lone("", "resources cpus=1 memory=\"1GiB\" { device \"gpu\" 1; }"), "1", "`gpu` is not a valid extended resource name", lone("", "resources cpus=1 memory=\"1GiB\" { device \"nvidia.com/gpu\" 1; }")),
        ("huge pages as a device", "kubernetes#extended-resources", ENGINE,
            "the API server refuses pods that request huge pages without CPU or memory",
            lone("", "resources cpus=1 memory=\"1GiB\" { device \"hugepages-2Mi\" 1; }"), "1", "not a valid extended resource name", lone("", "resources cpus=1 memory=\"1GiB\" { device \"rdma/hca\" 1; }")),
        ("GPUs requested by both gpus and device", "kubernetes#extended-resources", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them: request and limit of GPUs must be equal",
            lone("", &gpu("{ device \"nvidia.com/gpu\" 2; }")), "2", "`gpus` already requests", lone("", &gpu("{ device \"rdma/hca\" 2; }"))),
        ("a GPU model without a label", "kubernetes#node-labels", In("the NVIDIA device plugin, whose resource is only a count"),
            "the scheduler only counts GPUs; their model is a node label, and its key depends on the cluster",
            lone("", &gpu("gpu-model=\"a100\"")), "\"a100\"", "the key of this label (`gpu-model-label`) is not set", lone(&options("gpu-model-label \"nvidia.com/gpu.product\""), &gpu("gpu-model=\"a100\""))),
        ("GPU memory without a label", "kubernetes#node-labels", In("the NVIDIA device plugin, whose resource is only a count"),
            "the scheduler only counts GPUs; their memory size is a node label, and its key depends on the cluster",
            lone("", &gpu("gpu-memory=\"40GiB\"")), "\"40GiB\"", "the key of this label (`gpu-memory-label`) is not set", lone(&options("gpu-memory-label \"nvidia.com/gpu.memory\""), &gpu("gpu-memory=\"40GiB\""))),
        ("shared memory above the memory limit", "EmptyDirVolumeSource", In("EmptyDirVolumeSource, medium Memory"),
            "shared memory counts toward the memory limit, and the container is killed before /dev/shm is full",
            lone("", "resources cpus=1 memory=\"1GiB\" shared-memory=\"2GiB\""), "\"2GiB\"", "shared memory counts toward", lone("", "resources cpus=1 memory=\"1GiB\" shared-memory=\"1GiB\"")),
        ("a user name in place of a user ID", "PodSecurityContext", In("PodSecurityContext, runAsUser"),
            "the field `runAsUser` takes a number, not a user name",
            lone("", "user \"trainer\""), "\"trainer\"", "takes a numeric user ID", lone("", "user 1000")),
    ]);
    all.extend(rows("bad-option", vec![
        ("a `gpu-resource` without a domain", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them: a resource name is a standard name or has a domain",
            lone(&options("gpu-resource \"gpu\""), &gpu("")), "\"gpu\"", "not a valid extended resource name", lone(&options("gpu-resource \"amd.com/gpu\""), &gpu(""))),
    ]));
    all
}

#[rustfmt::skip]
fn storage() -> Vec<Pitfall> {
    let data = |uri: &str, more: &str| lone(&format!("data \"d\" \"{uri}\" {more}"), "");
    let code = |uri: &str, more: &str| lone(&format!("code \"{uri}\"\n{more}"), "");
    let hadoop = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"";
    let mut all = rows(REFUSED, vec![
        ("HDFS at a mount path", "kubernetes#volume-types", In("the volume types in the Kubernetes API reference"),
            "Kubernetes has no volume type that mounts HDFS",
            data("hdfs://default/d", "at=\"/d\""), "\"/d\"", "`hdfs:` cannot be mounted", data("pvc://d/train", "at=\"/d\"")),
        ("S3 at a mount path", "kubernetes#volume-types", In("the volume types in the Kubernetes API reference"),
            "Kubernetes has no volume type that mounts an S3 bucket",
            data("s3://b/d", "at=\"/d\""), "\"/d\"", "`s3:` cannot be mounted", data("nfs://filer/export", "at=\"/d\"")),
        ("a PersistentVolumeClaim without a mount path", "kubernetes#volume-types", In("PersistentVolumeClaimVolumeSource"),
            "a PersistentVolumeClaim is accessible only at its mount path",
            data("pvc://d", ""), "\"pvc://d\"", "only at a mount path", data("pvc://d", "at=\"/d\"")),
        ("a mount path with a colon", "kubernetes#mount-paths", ENGINE,
            "the API server accepts the path, but the kubelet refuses it, so the container does not start",
            data("pvc://d", "at=\"/d:x\""), "\"/d:x\"", "a mount path with a colon", data("pvc://d", "at=\"/d-x\"")),
        ("a mount at the root directory", "kubernetes#mount-paths", ENGINE,
            "the API server accepts the mount, which then hides all files of the image",
            data("pvc://d", "at=\"/\""), "\"/\"", "hide system files of the container", data("pvc://d", "at=\"/srv\"")),
        ("a mount in the directory /tfjob", "targets/README.md", ENGINE,
            "tfjob mounts code, staged files, and the shim below `/tfjob`, and the API server refuses two mounts with the same path",
            data("pvc://d", "at=\"/tfjob/x\""), "\"/tfjob/x\"", "`/tfjob` is reserved", data("pvc://d", "at=\"/tfjobs\"")),
        ("a mount at /dev/shm", "kubernetes#mount-paths", ENGINE,
            "tfjob mounts shared memory at `/dev/shm`, and the API server refuses two mounts with the same path",
            data("pvc://d", "at=\"/dev/shm/d\""), "\"/dev/shm/d\"", "`/dev/shm` is reserved", data("pvc://d", "at=\"/dev-shm\"")),
        ("code from HDFS without a Hadoop client", "kubernetes#fetched-files", In("the volume types in the Kubernetes API reference"),
            "no volume type downloads files from HDFS before a container starts, so an init container needs a Hadoop client",
            code("hdfs://default/a.zip", ""), "\"hdfs://default/a.zip\"", "with the Hadoop client of the image", code("hdfs://default/a.zip", hadoop)),
        ("an HDFS file name with pattern characters", "FsShell of Hadoop 3.4.2", In("CommandWithDestination and PathData of Hadoop 3.4.2"),
            "`hdfs dfs -get` of `run[1].zip` downloads `run1.zip`, or fails although the file exists",
            code("hdfs://default/run[1].zip", hadoop), "\"hdfs://default/run[1].zip\"", "as a pattern character", code("hdfs://default/run-1.zip", hadoop)),
        ("code from git in an image without git", "kubernetes#fetched-files", In("the removal of gitRepo volumes"),
            "Kubernetes no longer has `gitRepo` volumes, so an init container with git must clone the repository",
            code("git+https://h/t/r\" ref=\"v1", ""), "\"git+https://h/t/r\"", "an init container with git", code("git+https://h/t/r\" ref=\"v1", &options("stage-image \"alpine/git:2.47.2\""))),
        ("code from S3", "kubernetes#fetched-files", In("the volume types in the Kubernetes API reference"),
            "no volume type downloads files from a bucket before a container starts",
            code("s3://b/a.zip", ""), "\"s3://b/a.zip\"", "but not from `s3:`", code("https://h/a.zip", "")),
        ("code in a directory next to the spec", "kubernetes#volume-types", In("the API reference of ConfigMap, at most 1 MiB in total"),
            "a pod could read the code from an object such as a ConfigMap, but a ConfigMap cannot contain a directory",
            code("./src", ""), "\"./src\"", "pods cannot read a directory", code("pvc://code/src", "")),
        ("a secret reference without a key", "kubernetes#secrets", In("SecretKeySelector, where `key` is required"),
            "a `secretKeyRef` must name a Secret and one key in it",
            lone("secret \"T\" from=\"store\"", ""), "\"T\"", "must name one entry", lone("secret \"T\" from=\"store\" key=\"token\"", "")),
        ("a check for existing checkpoints without a mount", "kubernetes#volume-types", In("the volume types in the Kubernetes API reference"),
            "Kubernetes does not check the content of storage before a job starts",
            lone("checkpoints \"hdfs://a/b\" if-exists=\"fail\"\nhadoop home=\"/h\" java=\"/j\"", ""), "\"fail\"", "needs a mounted directory", lone("checkpoints \"pvc://b\" at=\"/b\" if-exists=\"fail\"", "")),
        ("TensorBoard logs that are not mounted", "kubernetes#tensorboard", In("the separate file system of each container"),
            "TensorBoard runs in another pod, which can read only the volumes that are mounted into that pod",
            lone("tensorboard logs=\"/logs\"", ""), "tensorboard logs=\"/logs\"", "where this path exists only if `logs` is in a volume", lone("data \"l\" \"pvc://l\" at=\"/logs\"\ntensorboard logs=\"/logs\"", "")),
    ]);
    all.extend(rows("bad-value", vec![
        ("a relative working directory", "", ENGINE,
            "the API server accepts a relative directory, but its meaning depends on the container runtime",
            lone("", "workdir \"src\""), "\"src\"", "not an absolute path", lone("", "workdir \"/src\"")),
    ]));
    all
}

#[rustfmt::skip]
fn life() -> Vec<Pitfall> {
    let policy = |role: &str| step("", role);
    let workers = "allow \"restart\" on=\"kubernetes\" because=\"told before\"";
    rows(REFUSED, vec![
        ("a node drain with restart policy OnFailure", "kubernetes#lost-pods", ENGINE,
            "if a running pod is deleted (drain, preemption), the operator fails the job under every restart policy",
            several("a", "restart \"on-failure\""), "\"on-failure\"", "if a running pod of another role is deleted", policy("restart \"on-failure\"")),
        ("a node drain with a restart limit", "kubernetes#lost-pods", ENGINE,
            "if a running pod is deleted, the operator fails the job; `backoffLimit` counts the restarts of all running pods together",
            policy("restart \"on-failure\" limit=3"), "limit=3", "with `limit`, `tfjob-shim` restarts the program inside the pod", step(workers, "restart \"on-failure\" limit=3")),
        ("a container that exceeds its memory, with a restart limit", "kubelet 1.28", In("memory.oom.group in kuberuntime_container_linux.go of Kubernetes 1.36"),
            "the kernel kills all processes of a container that exceeds its memory, including the shim, and the job fails immediately",
            policy("restart \"on-failure\" limit=3"), "limit=3", "or runs out of memory", policy("restart \"on-failure\"")),
        ("restart policy Always in the role that decides success", "kubernetes#restart-policy-always", ENGINE,
            "workers that succeed restart indefinitely, and the job never succeeds",
            policy("restart \"always\""), "\"always\"", "never finishes, so the job never succeeds", policy("restart \"on-failure\"")),
        ("a job that may start with fewer workers than are in TF_CONFIG", "", On("TensorFlow 2.15.1"),
            "TF_CONFIG lists every worker, so the workers that run hang until all workers run",
            step("", "").replace("count=2", "count=2 min=1"), "1", "wait for all of them", step("", "").replace("count=2", "count=1")),
        ("gang scheduling without a gang scheduler", "kubernetes#gang-scheduling", In("common/job.go, where PodGroups need a flag of the operator"),
            "`schedulingPolicy` has no effect unless the operator runs with a gang scheduler",
            step("start gang=#true", ""), "#true", "schedules each pod on its own", step(&format!("start gang=#true\n{}", options("gang \"volcano\"")), "")),
        ("a readiness probe that hides the DNS record", "kubernetes#readiness-and-dns", ENGINE,
            "a pod with a readiness probe has no DNS record until it is ready, so peers that need the record wait for each other",
            step("", "port \"web\" 8080\nready http=\"web/ok\""), "\"web/ok\"", "hides the pod's DNS record", step("", "ready tcp=\"rendezvous\"")),
        ("a `success` rule that waits for parameter servers", "", On("TensorFlow 2.15.1"),
            "parameter servers never exit, so a job that waits for all tasks never succeeds",
            several("a", "success \"all\"").replace("parameter-server", "estimator"), "\"all\"", "the job would never succeed", several("a", "success \"chief\"")),
        ("logs of pods that the operator deletes", "kubernetes#pod-cleanup", ENGINE,
            "`cleanPodPolicy: Running` deletes running pods together with their logs",
            several("a", "keep \"all\""), "\"all\"", "and their logs are lost", several("a", "keep \"failed\"")),
        ("a `success` rule that names a role unknown to the operator", "kubernetes#unknown-roles", ENGINE,
            "the operator creates pods and a Service for an unknown role, but no TF_CONFIG, and ignores its result",
            "job \"a\" {\nframework \"custom\"\nimage \"ml/a:1\"\nrole \"worker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\nrole \"broker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\n}".to_owned(), "\"broker\"", "whether the tasks of `broker` succeed or fail", "job \"a\" {\nframework \"custom\"\nimage \"ml/a:1\"\nrole \"worker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\nhelper \"broker\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }\n}".to_owned()),
        ("a helper of a job in a Kueue queue", "kubernetes#kueue-quota", In("the TFJob integration of Kueue, which suspends the whole TFJob"),
            "the pods of the helper run outside the quota of the queue",
            lone(&format!("helper \"h\" {{ run \"b\"; resources cpus=1 memory=\"1GiB\"; }}\n{}", options("local-queue \"q\"")), ""), "\"h\"", "outside the quota of the queue", lone(&options("local-queue \"q\""), "")),
    ])
}

#[rustfmt::skip]
fn twice() -> Vec<Pitfall> {
    let queue = |other: &str| lone(&format!("labels {{ \"kueue.x-k8s.io/queue-name\" \"other\"; }}\n{}", options(&format!("local-queue \"{other}\""))), "");
    let about = |words: &str| lone(&format!("description \"one\"\n{}", options(&format!("annotations {{ \"kubernetes.io/description\" \"{words}\"; }}"))), "");
    let long = |length: usize| lone(&format!("description \"{}\"", "x".repeat(length)), "");
    let data = |at: &str| lone(&format!("data \"a\" \"pvc://a\" at=\"{at}\""), "");
    let hadoop = |shim: &str| lone(&format!("hadoop home=\"/opt/x\" java=\"/opt/java\"\n{}", options(&format!("shim path=\"{shim}\""))), "");
    let words = &*Box::leak(format!("\"{}\"", "x".repeat(261_944)).into_boxed_str());
    let mut all = rows("bad-option", vec![
        ("two different Kueue queues for one job", "", In("Kueue, which reads the queue from a label"),
            "a label has only one value, so the job can wait in only one queue",
            queue("gpu"), "\"gpu\"", "is set twice", queue("other")),
        ("two different descriptions of one job", "", In("the Kubernetes API, where annotations are a map"),
            "an annotation has only one value, so one of the two descriptions is lost",
            about("two"), "\"kubernetes.io/description\"", "is set twice", about("one")),
        ("the shim and Hadoop at one path", "", In("Linux, where a path is a file or a directory"),
            "one path cannot be both a file and a directory, so either the shim or the Hadoop client is missing",
            hadoop("/opt/x"), "\"/opt/x\"", "the path of `hadoop home` (`/opt/x`) is a directory", hadoop("/opt/x/tfjob-shim")),
    ]);
    all.extend(rows("text-too-long", vec![
        ("annotations above 256 KiB in the target block", "", In("ValidateAnnotationsSize of apimachinery"),
            "the API server refuses an object whose annotations have more than 262144 bytes in total",
            long(261_944), words, "accepts at most 262144", long(261_943)),
    ]));
    all.extend(rows(REFUSED, vec![
        ("a mount in /proc", "", In("runc, check of mounts inside /proc"),
            "the container does not start, because the runtime refuses mounts inside /proc",
            data("/proc/self"), "\"/proc/self\"", "hide system files of the container", data("/process")),
        ("a mount in /sys", "", In("the mounts that the container runtime creates"),
            "the mount hides kernel and cgroup files that the container reads",
            data("/sys/fs"), "\"/sys/fs\"", "hide system files of the container", data("/system")),
    ]));
    all
}

#[rustfmt::skip]
fn patches() -> Vec<Pitfall> {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    rows("bad-patch", vec![
        ("a patched cleanPodPolicy in lowercase", "", ENGINE,
            "the API server accepts any string, and with `running` the operator deletes all pods",
            patch("{spec: {runPolicy: {cleanPodPolicy: running}}}"), "\"{spec: {runPolicy: {cleanPodPolicy: running}}}\"", "must be one of `Running`", patch("{spec: {runPolicy: {cleanPodPolicy: Running}}}")),
        ("a patched cleanPodPolicy outside runPolicy", "", ENGINE,
            "strict validation refuses the key; otherwise, the API server drops it without a message, and the default policy applies",
            patch("{spec: {cleanPodPolicy: None}}"), "\"{spec: {cleanPodPolicy: None}}\"", "unknown key `spec.cleanPodPolicy`", patch("{spec: {runPolicy: {cleanPodPolicy: None}}}")),
        ("a patched restart policy in the pod template", "", ENGINE,
            "the operator overwrites the policy of the template with that of the role (default `Never`), and records an event",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {restartPolicy: Always}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {restartPolicy: Always}}}}}}\"", "is overwritten by the operator", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a patched role key in lowercase", "", ENGINE,
            "the operator accepts the key and Kueue ignores it; of two keys that differ only in case, one replaces the other",
            patch("{spec: {tfReplicaSpecs: {worker: {restartPolicy: OnFailure}}}}"), "\"{spec: {tfReplicaSpecs: {worker: {restartPolicy: OnFailure}}}}\"", "is not a role of the job", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a patch of enableDynamicWorker", "", In("tensorflow.go: a sparse cluster"),
            "with this field, TF_CONFIG of a worker lists only the worker itself and the parameter servers",
            patch("{spec: {enableDynamicWorker: true}}"), "\"{spec: {enableDynamicWorker: true}}\"", "removes peers", patch("{metadata: {labels: {a: b}}}")),
        ("a patch of the restart policy", "", In("the operator, where a job finishes when its tasks finish"),
            "if the tasks that decide success always restart, the job never finishes",
            patch("{spec: {tfReplicaSpecs: {Worker: {restartPolicy: Always}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {restartPolicy: Always}}}}\"", "is set by `restart`", patch("{metadata: {labels: {a: b}}}")),
        ("a patch of the namespace", "", In("kubectl apply and its namespaces"),
            "only the TFJob gets the new namespace: the other objects of the job, such as its ConfigMap, stay in the old one, where the pods of the TFJob cannot use them",
            patch("{metadata: {namespace: b}}"), "\"{metadata: {namespace: b}}\"", "unknown key `metadata.namespace`", patch("{metadata: {labels: {a: b}}}")),
    ])
}

#[rustfmt::skip]
fn behind() -> Vec<Pitfall> {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    rows("bad-patch", vec![
        ("a patch of the task count", "", ENGINE,
            "with 0 tasks, the job succeeds immediately; with a negative count, the operator panics repeatedly",
            patch("{spec: {tfReplicaSpecs: {Worker: {replicas: 0}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {replicas: 0}}}}\"", "is set by `count`", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a patch that removes a role", "", ENGINE,
            "the API server drops the role, so it has no pods, and neither a condition nor an event reports this",
            patch("{spec: {tfReplicaSpecs: {Worker: null}}}"), "\"{spec: {tfReplicaSpecs: {Worker: null}}}\"", "cannot be removed", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a patch that removes the containers", "", ENGINE,
            "the webhook of the operator refuses a TFJob without containers",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: []}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: []}}}}}}\"", "cannot be removed", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {hostPID: false}}}}}}")),
        ("a patched backoffLimit that is negative", "", ENGINE,
            "the job fails in its first second",
            patch("{spec: {runPolicy: {backoffLimit: -1}}}"), "\"{spec: {runPolicy: {backoffLimit: -1}}}\"", "cannot be negative", patch("{spec: {runPolicy: {backoffLimit: 1}}}")),
        ("a patched deadline of zero seconds", "", ENGINE,
            "the job fails before any pod runs",
            patch("{spec: {runPolicy: {activeDeadlineSeconds: 0}}}"), "\"{spec: {runPolicy: {activeDeadlineSeconds: 0}}}\"", "before any pod runs", patch("{spec: {runPolicy: {activeDeadlineSeconds: 60}}}")),
        ("a patched deadline that is a string", "", ENGINE,
            "the API server refuses the TFJob, because the value has another type than the schema requires",
            patch("{spec: {runPolicy: {activeDeadlineSeconds: 1h}}}"), "\"{spec: {runPolicy: {activeDeadlineSeconds: 1h}}}\"", "takes an integer", patch("{spec: {runPolicy: {activeDeadlineSeconds: 3600}}}")),
        ("a patched managedBy that is empty", "", ENGINE,
            "the webhook of the operator refuses an empty string, although the API reference allows it",
            patch("{spec: {runPolicy: {managedBy: ''}}}"), "\"{spec: {runPolicy: {managedBy: ''}}}\"", "must be one of `kubeflow.org/training-operator`", patch("{spec: {runPolicy: {managedBy: kubeflow.org/training-operator}}}")),
        ("a patched successPolicy in lowercase", "", ENGINE,
            "the API server accepts any string, and the operator treats an unknown value as the default",
            patch("{spec: {successPolicy: allWorkers}}"), "\"{spec: {successPolicy: allWorkers}}\"", "must be one of", patch("{spec: {successPolicy: AllWorkers}}")),
        ("a patched restart policy in lowercase", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {restartPolicy: onFailure}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {restartPolicy: onFailure}}}}\"", "is set by `restart`", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
    ])
}

#[rustfmt::skip]
fn behind_containers() -> Vec<Pitfall> {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    rows("bad-patch", vec![
        ("patched memory with the suffix GB", "", ENGINE,
            "the API server refuses the TFJob, because `GB` is not a suffix of a quantity",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {memory: 16GB}}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {memory: 16GB}}}]}}}}}}\"", "must be a quantity", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {memory: 16G}, requests: {memory: 16G}}}]}}}}}}")),
        ("a patched fraction of a GPU", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {nvidia.com/gpu: '0.5'}}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {nvidia.com/gpu: '0.5'}}}]}}}}}}\"", "must be an integer", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {example.com/nic: '1'}}}]}}}}}}")),
        ("a patched GPU resource without a domain", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {gpu: '1'}}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {gpu: '1'}}}]}}}}}}\"", "is not a valid resource name", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {example.com/nic: '1'}}}]}}}}}}")),
        ("patched CPU cores as a decimal number", "", ENGINE,
            "the API server refuses the TFJob, because a quantity is a string or an integer",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {cpu: 1.5}}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {cpu: 1.5}}}]}}}}}}\"", "takes a quantity", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, resources: {limits: {cpu: '1.5'}}}]}}}}}}")),
        ("a patched environment variable name with an equals sign", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A=B, value: c}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A=B, value: c}]}]}}}}}}\"", "must be a valid name of an environment variable", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: c}]}]}}}}}}")),
        ("a patched environment variable name with a space", "", ENGINE,
            "Kubernetes accepts the name, but a shell cannot read a variable with a space in its name",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A B, value: c}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A B, value: c}]}]}}}}}}\"", "must be a valid name of an environment variable", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A_B, value: c}]}]}}}}}}")),
        ("a patched environment variable with a number as its value", "", ENGINE,
            "the API server refuses the TFJob, because the value has another type than the schema requires",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: 1}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: 1}]}]}}}}}}\"", "takes a string", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: '1'}]}]}}}}}}")),
        ("a patch of TF_CONFIG", "", ENGINE,
            "the operator appends its own TF_CONFIG after the patched one, and the last value takes precedence",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: TF_CONFIG, value: a}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: TF_CONFIG, value: a}]}]}}}}}}\"", "which takes precedence", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, env: [{name: TF_CPP_MIN_LOG_LEVEL, value: '0'}]}]}}}}}}")),
        ("a patched image name with a space", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, image: ' img'}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, image: ' img'}]}}}}}}\"", "must be a valid image name", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, image: img:1}]}}}}}}")),
    ])
}

#[rustfmt::skip]
fn behind_pods() -> Vec<Pitfall> {
    let patch = |text: &str| lone(&options(&format!("patch \"{text}\"")), "");
    rows("bad-patch", vec![
        ("a patched pull policy in lowercase", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicy: always}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicy: always}]}}}}}}\"", "cannot be", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicy: Always}]}}}}}}")),
        ("a patch with a misspelled key of the container", "", ENGINE,
            "strict validation refuses the key; otherwise, the API server drops it, with or without a warning",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicyy: Always}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicyy: Always}]}}}}}}\"", "unknown key", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, imagePullPolicy: IfNotPresent}]}}}}}}")),
        ("a patched mount at a relative path", "", ENGINE,
            "the API server accepts the path, but the kubelet cannot mount the volume",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, volumeMounts: [{name: v, mountPath: a}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, volumeMounts: [{name: v, mountPath: a}]}]}}}}}}\"", "absolute path", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, tty: false}]}}}}}}")),
        ("a patched port number out of range", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 70000}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 70000}]}]}}}}}}\"", "from 1 to 65535", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 7000}]}]}}}}}}")),
        ("a patched port name in uppercase", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: Web, containerPort: 7000}]}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: Web, containerPort: 7000}]}]}}}}}}\"", "must be a valid port name", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 7001}]}]}}}}}}")),
        ("a patched volume name in uppercase", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {volumes: [{name: V_a, emptyDir: {}}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {volumes: [{name: V_a, emptyDir: {}}]}}}}}}\"", "must be a DNS label", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {volumes: [{name: v-a, emptyDir: {sizeLimit: 1Gi}}]}}}}}}")),
        ("a patched DNS policy in the wrong case", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {dnsPolicy: clusterFirst}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {dnsPolicy: clusterFirst}}}}}}\"", "cannot be", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {dnsPolicy: ClusterFirst}}}}}}")),
        ("a patched toleration with an unknown operator", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {tolerations: [{key: a, operator: Equals}]}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {tolerations: [{key: a, operator: Equals}]}}}}}}\"", "cannot be", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {tolerations: [{key: a, operator: Equal, value: b}]}}}}}}")),
        ("a patched grace period that is negative", "", ENGINE,
            "the API server accepts the value, and the kubelet treats it as one second",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {terminationGracePeriodSeconds: -5}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {spec: {terminationGracePeriodSeconds: -5}}}}}}\"", "cannot be negative", patch("{spec: {tfReplicaSpecs: {Worker: {template: {spec: {terminationGracePeriodSeconds: 5}}}}}}")),
        ("a patched label value of 64 characters", "", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            patch("{metadata: {labels: {a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}}}"), "\"{metadata: {labels: {a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}}}\"", "must be a valid label", patch("{metadata: {labels: {a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}}}")),
        ("a patched annotation that is not a string", "", ENGINE,
            "the API server refuses the TFJob, because the value has another type than the schema requires",
            patch("{metadata: {annotations: {a: true}}}"), "\"{metadata: {annotations: {a: true}}}\"", "takes a string", patch("{metadata: {annotations: {a: 'true'}}}")),
        ("a patch with a creationTimestamp from the output of kubectl", "", ENGINE,
            "strict validation refuses `creationTimestamp: null` in a pod template as an unknown field",
            patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {creationTimestamp: null}}}}}}"), "\"{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {creationTimestamp: null}}}}}}\"", "unknown key", patch("{spec: {tfReplicaSpecs: {Worker: {template: {metadata: {labels: {a: b}}}}}}}")),
        ("a patch with a duplicate key", "", ENGINE,
            "strict validation refuses the duplicate; otherwise, the last of the equal keys applies",
            patch("{metadata: {labels: {a: b, a: c}}}"), "\"{metadata: {labels: {a: b, a: c}}}\"", "duplicate key `a`", patch("{metadata: {labels: {a: c}}}")),
    ])
}
