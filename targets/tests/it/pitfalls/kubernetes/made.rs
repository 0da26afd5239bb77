//! Pitfalls that no spec can contain, tested on the artifacts.
use super::around;
use super::specs::{lone, options, several, step};
use super::{ENGINE, TARGET};
use crate::pitfalls::{Built, In, On, analyzed, built, compiled};
use serde_json::Value;
use tfjob_contract::Notice;

/// Returns all pitfalls that no spec can contain.
#[rustfmt::skip]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("a restart of one synchronous worker", "kubernetes#recreated-pods", On("TensorFlow 2.15"), "a restarted worker waits for its peers, which are not restarted with it",
            "`restart` with `scope=\"job\"` is accepted only if all tasks fail when one of them fails, as with MultiWorkerMirroredStrategy; otherwise, it is an error", the_whole_job_is_restarted_only_where_its_tasks_fail_together),
        ("role keys in lowercase", "kubernetes#role-names", ENGINE, "the operator accepts the keys, but Kueue and the check for chiefs in the webhook ignore these roles",
            "the keys are always `Chief`, `Evaluator`, `PS`, and `Worker`", role_keys_have_the_case_that_kueue_and_the_webhook_read),
        ("a cleanPodPolicy at an old path or in the wrong case", "", ENGINE, "without strict validation, the API server drops `spec.cleanPodPolicy`; with the value `running`, the operator deletes every pod",
            "policies are always generated below `runPolicy`, with valid values", policies_stand_where_they_are_read_and_in_their_case),
        ("a restart policy in the pod template", "", ENGINE, "the operator overwrites the policy of the template with that of the role, which is `Never` by default",
            "`restartPolicy` is always set in the role and never in the template", policies_stand_where_they_are_read_and_in_their_case),
        ("parameter servers that run after success", "kubernetes#pod-cleanup", ENGINE, "the default `cleanPodPolicy` deletes no pods, so parameter servers keep running and keep their resources",
            "`cleanPodPolicy` is `Running` unless `keep` sets another policy", nothing_that_serves_is_left_running_unless_it_is_said),
        ("a deadline that the operator does not check", "", ENGINE, "the operator checks `activeDeadlineSeconds` only when an object of the job changes, so a job without changes can run longer",
            "each pod also has `activeDeadlineSeconds`, which the kubelet enforces", a_deadline_is_the_kubelets_where_the_operator_would_sleep),
        ("a backoffLimit that does not count restarts", "", ENGINE, "`backoffLimit` does not limit restarts with `ExitCode`; with other policies it counts restarts of all running pods together",
            "`backoffLimit` is never set", policies_stand_where_they_are_read_and_in_their_case),
        ("workers that are lost in a node drain", "kubernetes#lost-pods", ENGINE, "if a running pod is deleted, the operator fails the job, unless `enableDynamicWorker` is set",
            "`enableDynamicWorker` is set only if workers restart without a limit", workers_come_back_only_where_they_never_fail_for_good),
        ("a job that succeeds as soon as worker 0 succeeds", "kubernetes#job-success", ENGINE, "without a chief, the job succeeds when worker 0 succeeds, while other workers still run",
            "`successPolicy: AllWorkers` is set unless a chief decides success", all_workers_must_succeed_unless_the_chief_decides),
        ("ambiguous quantities in YAML", "", ENGINE, "the API server refuses `cpu: 1.5` and `memory: 16GB`; it accepts `memory: 100m`, which means 0.1 bytes",
            "amounts are generated as strings with a valid unit", amounts_are_whole_equal_and_in_units_of_their_own),
        ("a GPU fraction or a GPU request without a limit", "", ENGINE, "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            "GPU counts are integers, equal in requests and limits", amounts_are_whole_equal_and_in_units_of_their_own),
        ("a rendezvous port not named tfjob-port", "kubernetes#default-port", ENGINE, "the operator adds a second port 2222, so the API server refuses the Service",
            "the rendezvous port is named `tfjob-port`; other ports have their names from the spec", every_port_has_a_name_and_the_rendezvous_its_own),
        ("a pod with hostNetwork and without the DNS service of the cluster", "", In("the Kubernetes page on Pod DNS"), "with `hostNetwork`, a pod uses the DNS of its node by default, so it cannot resolve the names of Services",
            "`dnsPolicy: ClusterFirstWithHostNet` is set together with `hostNetwork`", the_nodes_network_keeps_the_clusters_names),
        ("a Kueue queue name in the field of Volcano", "", ENGINE, "`schedulingPolicy.queue` is the queue of Volcano and needs a flag of the operator; Kueue reads its queue from a label",
            "`local-queue` sets the label of Kueue, and `volcano-queue` the field of Volcano", a_queue_is_kueues_label_or_volcanos_queue),
        ("a container that may gain privileges", "", In("the Kubernetes page on Pod Security Standards"), "by default, a program in a container can gain privileges by a setuid program, can use all system calls, and has a token for the API server",
            "`allowPrivilegeEscalation: false` and the seccomp profile `RuntimeDefault` are set; a pod has a token only with `service-account`", programs_gain_no_privileges),
        ("a readiness probe of a task, if other roles wait for the exit of the task", "EndpointSlice v1 discovery.k8s.io", ENGINE, "a pod that is not ready has no DNS record, so peers conclude that the running task has exited",
            "if another role waits for the exit of a task, the shim checks `ready` in place of a `readinessProbe`", who_is_waited_for_keeps_its_name),
        ("a probe of the rendezvous port while the shim waits", "EndpointSlice v1 discovery.k8s.io", In("the Kubernetes page on DNS for Services and Pods: records of ready pods"), "a pod that is not ready has no DNS record, so shims that wait for each other's records wait forever",
            "the shim answers on the rendezvous port while it waits, so that a probe of this port passes", a_probed_port_is_open_while_its_shim_waits),
        ("TensorBoard without the secrets of the job", "", In("the Kubernetes page on Secrets"), "a separate Deployment lacks the secrets and environment variables of the tasks, so TensorBoard cannot read the storage and shows nothing",
            "TensorBoard gets the environment variables that all roles share, and the secrets that its block names", a_board_has_what_all_roles_have),
        ("a shim that is not in the image of the task", "", In("the Kubernetes page on init containers"), "without the shim in its image, a task does not start",
            "with `shim image=`, an init container copies the shim from its image into an `emptyDir` before the task starts", the_shim_is_copied_from_its_image),
        ("code that consists of one file", "the runtime's working directory", ENGINE, "a file mounted at the path of the working directory is not a directory, so the container does not start",
            "the file is copied into a separate directory before the program starts", code_is_a_directory),
        ("a single file of an NFS export", "nfs4_get_rootfh", In("Linux, where the root of a mount is a directory"), "an NFS export can be mounted only as a directory, not as a single file",
            "the parent directory is mounted, and `subPath` selects the file", a_file_of_an_export_is_a_part_of_its_directory),
        ("a TensorBoard Service that selects pods of the job", "kubernetes#tfjob-labels", ENGINE, "the Service also selects pods of the job if they have the same labels",
            "the selector uses a reserved label that no job can set; labels of the job are not changed", a_board_selects_itself_alone),
        ("TensorBoard in a Kueue queue", "", In("the Deployment integration of Kueue"), "a Deployment with a queue label waits until the queue has quota for it",
            "only the TFJob gets the queue label, not the Deployment", a_board_is_in_no_queue),
        ("TensorBoard that needs the node of the tasks", "kubernetes#tensorboard", ENGINE, "a `hostPath` exists on one node; without the toleration and annotations of the job, the pod cannot run there or mount the storage",
            "TensorBoard gets the node selector, the tolerations, and the annotations of the job", around::a_board_runs_where_its_directory_is),
        ("TensorBoard with an additional LD_LIBRARY_PATH", "", In("the dynamic linker, which reads one LD_LIBRARY_PATH"), "the directories of Hadoop replace those of the job in LD_LIBRARY_PATH, so CUDA libraries are not found",
            "the directories of Hadoop are appended to those of the job", around::a_board_reads_hadoop_as_the_roles_do),
        ("GPUs from a resource claim", "CUDA Programming Guide, CUDA_VISIBLE_DEVICES", In("CUDA, where an empty list hides every device"), "the resource claim gives the pod a GPU, but an empty CUDA_VISIBLE_DEVICES hides it",
            "if a patch contains a resource claim, tfjob does not set CUDA_VISIBLE_DEVICES", around::a_claim_hides_no_device),
        ("a shell that is process 1", "pid_namespaces(7)", In("Linux: the first process of a PID namespace ignores signals that it does not handle"), "as process 1, `/bin/sh` neither handles nor forwards SIGTERM, so its commands are killed at the end of the grace period",
            "with `stop grace`, the shim starts the shell and forwards SIGTERM", a_shell_with_a_grace_hears_of_its_end),
        ("a mount without a volume", "", ENGINE, "the API server accepts the TFJob, but refuses its pods each time the operator creates them; a volume without a source is an empty directory",
            "each mount has a volume, each volume has one source, and no two mounts have the same path", each_mount_has_its_volume_and_each_volume_one_source),
    ])
}

/// Returns the TFJob of a valid spec.
fn tfjob(text: &str) -> Value {
    let analysis = analyzed(text);
    let (errors, lowered) = compiled(&analysis, TARGET);
    let told: Vec<_> = errors.iter().map(|d| &d.message).collect();
    assert!(errors.is_empty(), "{told:#?}");
    lowered.expect("nothing is refused").artifacts[0].documents[0].value.clone()
}

fn role<'v>(job: &'v Value, key: &str) -> &'v Value {
    &job["spec"]["tfReplicaSpecs"][key]
}

fn container<'v>(job: &'v Value, key: &str) -> &'v Value {
    let all = role(job, key)["template"]["spec"]["containers"].as_array().expect("containers");
    all.iter().find(|c| c["name"] == "tensorflow").expect("the operator looks for this name")
}

fn the_whole_job_is_restarted_only_where_its_tasks_fail_together() {
    let text = several("a", "restart \"on-failure\" scope=\"job\"");
    let (errors, _) = compiled(&analyzed(&text), TARGET);
    assert!(errors.iter().any(|d| d.message.contains("its peers are not notified")), "{errors:#?}");
    assert_eq!(
        role(&tfjob(&step("", "restart \"on-failure\" scope=\"job\"")), "Worker")["restartPolicy"],
        "OnFailure"
    );
}

fn role_keys_have_the_case_that_kueue_and_the_webhook_read() {
    let job = tfjob(&several("a", "role \"evaluator\" { resources cpus=1 memory=\"1GiB\"; }"));
    let keys: Vec<_> = job["spec"]["tfReplicaSpecs"].as_object().expect("roles").keys().collect();
    assert_eq!(keys, ["Chief", "Evaluator", "PS", "Worker"]);
}

fn policies_stand_where_they_are_read_and_in_their_case() {
    let job = tfjob(&several("a", "keep \"failed\" for=\"1h\"\nstop grace=\"90s\""));
    assert_eq!(job["spec"]["runPolicy"]["cleanPodPolicy"], "Running");
    assert_eq!(job["spec"]["runPolicy"]["ttlSecondsAfterFinished"], 3600);
    assert!(
        job["spec"].get("cleanPodPolicy").is_none() && job["spec"]["runPolicy"].get("backoffLimit").is_none()
    );
    assert_eq!(role(&job, "PS")["restartPolicy"], "Never");
    assert!(role(&job, "PS")["template"]["spec"].get("restartPolicy").is_none());
    assert_eq!(role(&job, "PS")["template"]["spec"]["terminationGracePeriodSeconds"], 90);
}

fn a_shell_with_a_grace_hears_of_its_end() {
    let shell = "shell \"python a.py\\npython b.py\"";
    for (job, role, first) in [
        ("stop grace=\"60s\"", shell, "/tfjob/shim/tfjob-shim"),
        ("", shell, "/bin/sh"),
        ("stop grace=\"60s\"", "run \"python\" \"a.py\"", "python"),
        ("stop grace=\"60s\"", "run \"/opt/conda/bin/python\" \"-m\" \"conda.run\"", "/opt/conda/bin/python"),
        (
            "stop grace=\"60s\"",
            "run \"bash\" \"/srv/entry.sh\" \"python\" \"a.py\"",
            "/tfjob/shim/tfjob-shim",
        ),
        ("stop grace=\"60s\"", "run \"/srv/entry.sh\"", "/tfjob/shim/tfjob-shim"),
        (
            "stop grace=\"60s\"",
            "run \"env\" \"A=1\" \"bash\" \"-lc\" \"python a.py | cat\"",
            "/tfjob/shim/tfjob-shim",
        ),
        (
            "stop grace=\"60s\"",
            "run \"/opt/conda/bin/conda\" \"run\" \"-n\" \"a\" \"python\" \"a.py\"",
            "/tfjob/shim/tfjob-shim",
        ),
        ("", "run \"/srv/entry.sh\"", "/srv/entry.sh"),
    ] {
        assert_eq!(container(&tfjob(&lone(job, role)), "Worker")["command"][0], first, "{job} {role}");
    }
}

fn nothing_that_serves_is_left_running_unless_it_is_said() {
    for (text, policy) in [
        (several("a", ""), "Running"),
        (lone("", ""), "Running"),
        (lone("keep \"all\"", ""), "None"),
        (lone("keep \"none\"", ""), "All"),
    ] {
        assert_eq!(tfjob(&text)["spec"]["runPolicy"]["cleanPodPolicy"], policy, "{text}");
    }
}

fn a_deadline_is_the_kubelets_where_the_operator_would_sleep() {
    let job = tfjob(&several("a", "deadline \"1h\""));
    assert_eq!(role(&job, "Chief")["template"]["spec"]["activeDeadlineSeconds"], 3600);
    assert!(job["spec"]["runPolicy"].get("activeDeadlineSeconds").is_none());
    let job = tfjob(&step("deadline \"1h\"", "restart \"on-failure\""));
    assert_eq!(role(&job, "Worker")["template"]["spec"]["activeDeadlineSeconds"], 3600);
    assert_eq!(job["spec"]["runPolicy"]["activeDeadlineSeconds"], 3600);
}

fn workers_come_back_only_where_they_never_fail_for_good() {
    let job = tfjob(&step("", "restart \"on-failure\""));
    assert_eq!(job["spec"]["enableDynamicWorker"], true);
    assert_eq!(role(&job, "Worker")["restartPolicy"], "OnFailure");
    let allow = "allow \"restart\" on=\"kubernetes\" because=\"x\"";
    let job = tfjob(&step(allow, "restart \"on-failure\" limit=3"));
    assert!(job["spec"].get("enableDynamicWorker").is_none());
    assert_eq!(role(&job, "Worker")["restartPolicy"], "Never");
}

fn all_workers_must_succeed_unless_the_chief_decides() {
    assert_eq!(tfjob(&step("", ""))["spec"]["successPolicy"], "AllWorkers");
    assert!(tfjob(&step("success \"chief\"", ""))["spec"].get("successPolicy").is_none());
    assert!(tfjob(&several("a", ""))["spec"].get("successPolicy").is_none());
}

fn amounts_are_whole_equal_and_in_units_of_their_own() {
    let job = tfjob(&lone("", "resources cpus=1.5 memory=\"1536MiB\" gpus=2 disk=\"1TiB\""));
    let resources = &container(&job, "Worker")["resources"];
    let wanted = serde_json::json!({ "cpu": "1500m", "memory": "1536Mi", "nvidia.com/gpu": "2", "ephemeral-storage": "1Ti" });
    assert_eq!(resources["limits"], wanted);
    assert_eq!(resources["requests"], wanted);
}

fn every_port_has_a_name_and_the_rendezvous_its_own() {
    let job = tfjob(&step("", "port \"rendezvous\" 3333\nport \"web\" 8080"));
    let ports = serde_json::json!([
        { "name": "tfjob-port", "containerPort": 3333 }, { "name": "web", "containerPort": 8080 }
    ]);
    assert_eq!(container(&job, "Worker")["ports"], ports);
    assert!(container(&tfjob(&step("", "")), "Worker").get("ports").is_none());
}

fn the_nodes_network_keeps_the_clusters_names() {
    let job = tfjob(&several("a", "network \"host\""));
    let spec = &role(&job, "Worker")["template"]["spec"];
    assert_eq!((&spec["hostNetwork"], &spec["dnsPolicy"]), (&true.into(), &"ClusterFirstWithHostNet".into()));
}

fn a_queue_is_kueues_label_or_volcanos_queue() {
    let job = tfjob(&lone(&options("local-queue \"gpu\""), ""));
    assert_eq!(job["metadata"]["labels"]["kueue.x-k8s.io/queue-name"], "gpu");
    assert!(job["spec"]["runPolicy"].get("schedulingPolicy").is_none());
    let job = tfjob(&step(
        &format!("start gang=#true\n{}", options("volcano-queue \"gpu\"; gang \"volcano\"")),
        "",
    ));
    let policy = serde_json::json!({ "minAvailable": 2, "queue": "gpu" });
    assert_eq!(job["spec"]["runPolicy"]["schedulingPolicy"], policy);
    assert!(job["metadata"]["labels"].get("kueue.x-k8s.io/queue-name").is_none());
}

fn programs_gain_no_privileges() {
    let pod = |own: &str| role(&tfjob(&lone(own, "")), "Worker")["template"]["spec"].clone();
    let plain = pod("");
    let context = serde_json::json!({ "allowPrivilegeEscalation": false });
    assert_eq!(plain["containers"][0]["securityContext"], context);
    assert_eq!(plain["securityContext"]["seccompProfile"]["type"], "RuntimeDefault");
    assert_eq!(plain["automountServiceAccountToken"], false);
    assert!(pod(&options("service-account \"trainer\"")).get("automountServiceAccountToken").is_none());
}

fn who_is_waited_for_keeps_its_name() {
    let roles = |success: &str| {
        let role = |words: &str| {
            format!(
                "role {words} {{ run \"b\"; resources cpus=1 memory=\"1GiB\"; ready tcp=\"rendezvous\" }}\n"
            )
        };
        let roles = role("\"chief\"") + &role("\"worker\" count=2");
        let text =
            format!("job \"a\" {{\nframework \"custom\"\nimage \"ml/a:1\"\nsuccess \"{success}\"\n{roles}}}");
        let job = tfjob(&text);
        ["Chief", "Worker"].map(|key| container(&job, key).get("readinessProbe").is_some())
    };
    assert_eq!((roles("all"), roles("workers")), ([true, false], [true, false]));
    assert_eq!(roles("chief"), [true, true]);
}

fn a_probed_port_is_open_while_its_shim_waits() {
    let open = |job: &str, chief: &str| {
        let role = |words: &str| format!("role {words} }}\n");
        let resources = "run \"b\"; resources cpus=1 memory=\"1GiB\"";
        let roles = role(&format!("\"chief\" {{ {resources}; {chief}"))
            + &role(&format!("\"worker\" count=2 {{ {resources}"));
        let text = format!("job \"a\" {{\nframework \"custom\"\nimage \"ml/a:1\"\n{job}\n{roles}}}");
        let (errors, lowered) = compiled(&analyzed(&text), TARGET);
        let told: Vec<_> = errors.iter().map(|d| &d.message).collect();
        let contract = lowered.and_then(|lowered| lowered.contract);
        let (contract, _) = contract.unwrap_or_else(|| panic!("{told:?}"));
        [0, 1].map(|id| contract.notice(&contract.roles[id]) != Notice::Never)
    };
    let patch = "target \"kubernetes\" { patch \"template: {spec: {containers: [{name: tensorflow, readinessProbe: {tcpSocket: {port: 2222}}}]}}\" }";
    assert_eq!(open("start timeout=\"5m\"", ""), [false, false]);
    assert_eq!(open("start timeout=\"5m\"", "ready tcp=\"rendezvous\""), [true, false]);
    assert_eq!(open("start timeout=\"5m\"", patch), [true, false]);
}

fn each_mount_has_its_volume_and_each_volume_one_source() {
    let more = "data \"a\" \"pvc://d/x\" at=\"/a\"\ndata \"b\" \"nfs://filer/e\" at=\"/b\"\nfiles \"c\" \"https://h/c.tar.gz\"\nfiles \"d\" \"pvc://d/d.zip\"\nsecret \"K\" from=\"k\" key=\"k\" at=\"/k\"\ncheckpoints \"pvc://e\" at=\"/e\" if-exists=\"fail\"";
    let job = tfjob(&lone(
        more,
        "run \"a\" \"{scratch}\" \"{env.HOME}\"\nresources cpus=1 memory=\"1GiB\" shared-memory=\"1MiB\"",
    ));
    let spec = &role(&job, "Worker")["template"]["spec"];
    let volumes = spec["volumes"].as_array().expect("volumes");
    for volume in volumes {
        assert_eq!(volume.as_object().expect("a volume").len(), 2, "{volume}");
        let name = volume["name"].as_str().expect("a name");
        assert_eq!(tfjob_targets::names::label_fault(name), None, "{name}");
        assert_eq!(volumes.iter().filter(|v| v["name"] == name).count(), 1, "{name}");
    }
    let containers = ["containers", "initContainers"].map(|key| spec[key].as_array().expect("containers"));
    for container in containers.into_iter().flatten() {
        let mounts = container["volumeMounts"].as_array().expect("mounts");
        for mount in mounts {
            assert!(volumes.iter().any(|v| v["name"] == mount["name"]), "{mount}");
            assert_eq!(mounts.iter().filter(|m| m["mountPath"] == mount["mountPath"]).count(), 1, "{mount}");
        }
    }
}

fn a_board_has_what_all_roles_have() {
    let job = "checkpoints \"s3://b/ck\"; tensorboard { secrets \"AWS_KEY\" \"CERT\"; }
        secret \"OTHER\" from=\"other\" key=\"k\"
        env { AWS_ENDPOINT \"https://s3/$x\"; OWN \"{index}\" }
        secret \"AWS_KEY\" from=\"aws\" key=\"id\"; secret \"CERT\" from=\"cert\" key=\"ca\" at=\"/etc/cert\"";
    let text = several("a", job)
        .replace("\"ml/a:1\"", "\"ml/a:1\" pull=\"always\" pull-secret=\"registry\"")
        .replacen("resources", "env { CHIEF \"1\" }; resources", 1);
    let (errors, lowered) = compiled(&analyzed(&text), TARGET);
    assert!(errors.is_empty(), "{errors:#?}");
    let lowered = lowered.expect("nothing is refused");
    let around = lowered.artifacts.iter().flat_map(|a| &a.documents).map(|d| &d.value);
    let board = around.into_iter().find(|d| d["kind"] == "Deployment").expect("a board");
    let spec = &board["spec"]["template"]["spec"];
    let expected = serde_json::json!([
        {"name": "AWS_ENDPOINT", "value": "https://s3/$$x"},
        {"name": "AWS_KEY", "valueFrom": {"secretKeyRef": {"name": "aws", "key": "id"}}},
        {"name": "CERT", "value": "/etc/cert"},
    ]);
    assert_eq!(spec["containers"][0]["env"], expected);
    assert_eq!(spec["imagePullSecrets"][0]["name"], "registry");
    assert_eq!(spec["containers"][0]["imagePullPolicy"], "Always");
    assert_eq!(spec["volumes"][0]["secret"]["secretName"], "cert");
    assert_eq!(spec["containers"][0]["volumeMounts"][0]["mountPath"], "/etc/cert");
}

/// Returns the Deployment and the Service of TensorBoard.
fn board(text: &str) -> [Value; 2] {
    let (errors, lowered) = compiled(&analyzed(text), TARGET);
    assert!(errors.is_empty(), "{errors:#?}");
    let lowered = lowered.expect("nothing is refused");
    let all: Vec<_> = lowered.artifacts.iter().flat_map(|a| &a.documents).map(|d| d.value.clone()).collect();
    ["Deployment", "Service"].map(|kind| all.iter().find(|d| d["kind"] == kind).expect("a board").clone())
}

fn a_board_selects_itself_alone() {
    let job = "labels { \"app.kubernetes.io/name\" \"tensorboard\"; \"app.kubernetes.io/instance\" \"a\"; team \"vision\"; }
        checkpoints \"s3://b/ck\"\ntensorboard";
    let [deployment, service] = board(&lone(job, ""));
    let selector = service["spec"]["selector"].as_object().expect("a selector");
    assert_eq!(deployment["spec"]["selector"]["matchLabels"], service["spec"]["selector"]);
    let of_board = &deployment["spec"]["template"]["metadata"]["labels"];
    let job_of_it = tfjob(&lone(job, ""));
    let of_worker = &role(&job_of_it, "Worker")["template"]["metadata"]["labels"];
    assert!(selector.iter().all(|(key, value)| of_board[key] == *value), "{of_board}");
    assert!(!selector.iter().all(|(key, value)| of_worker[key] == *value), "{of_worker}");
    let named = job.replace("\"tensorboard\"; \"app", "\"vision\"; \"app");
    let [deployment, _] = board(&lone(&named, ""));
    assert_eq!(deployment["metadata"]["labels"]["app.kubernetes.io/name"], "vision");
}

fn a_board_is_in_no_queue() {
    let job = format!("checkpoints \"s3://b/ck\"\ntensorboard\n{}", options("local-queue \"q\""));
    let label = "labels { \"kueue.x-k8s.io/queue-name\" \"q\"; }\ncheckpoints \"s3://b/ck\"\ntensorboard";
    for job in [&job, label] {
        let tfjob = tfjob(&lone(job, ""));
        assert_eq!(tfjob["metadata"]["labels"]["kueue.x-k8s.io/queue-name"], "q");
        let pod = &role(&tfjob, "Worker")["template"]["metadata"]["labels"];
        assert_eq!(pod["kueue.x-k8s.io/queue-name"], Value::Null);
        for object in board(&lone(job, "")) {
            assert!(!object.to_string().contains("kueue"), "{object}");
        }
    }
}

fn the_shim_is_copied_from_its_image() {
    let hadoop = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\ncode \"hdfs://default/c.zip\"";
    let job = tfjob(&lone(&format!("{hadoop}\n{}", options("shim image=\"reg.example.com/shim:1\"")), ""));
    let spec = &role(&job, "Worker")["template"]["spec"];
    let first = &spec["initContainers"][0];
    assert_eq!((&first["name"], &first["image"]), (&"tfjob-bin".into(), &"reg.example.com/shim:1".into()));
    let copied = "/tfjob/bin/tfjob-shim";
    assert_eq!(first["command"], serde_json::json!(["/tfjob-shim", "--copy-to", copied]));
    assert_eq!(spec["initContainers"][1]["name"], "code");
    assert_eq!(spec["containers"][0]["command"][0], copied);
    let mounts = |container: &Value| {
        let all = container["volumeMounts"].as_array().into_iter().flatten();
        all.filter(|mount| mount["mountPath"] == "/tfjob/bin").cloned().collect::<Vec<_>>()
    };
    assert_eq!(mounts(first), [serde_json::json!({ "name": "tfjob-bin", "mountPath": "/tfjob/bin" })]);
    assert_eq!(mounts(&spec["containers"][0])[0]["readOnly"], true);
    assert!(!spec.to_string().contains("tfjob-shim-"), "no ConfigMap contains the shim: {spec}");
}

fn code_is_a_directory() {
    let csi = options("csi \"gs\" driver=\"d\"");
    for uri in
        ["pvc://c/src/train.py", "nfs://filer/src/train.py", "file:///src/train.py", "gs://b/src/train.py"]
    {
        let job = tfjob(&lone(&format!("code \"{uri}\"\n{csi}"), ""));
        let spec = &role(&job, "Worker")["template"]["spec"];
        let words: Vec<_> = spec["initContainers"][0]["command"].as_array().into_iter().flatten().collect();
        assert_eq!(words[3..], ["/tfjob/source/train.py", "/tfjob/fetched/code", "folder"], "{uri}");
        assert_eq!(spec["containers"][0]["workingDir"], "/tfjob/code", "{uri}");
    }
}

fn a_file_of_an_export_is_a_part_of_its_directory() {
    let job = tfjob(&lone(
        "data \"d\" \"nfs://filer/e/d.csv\" at=\"/d.csv\"\nfiles \"s\" \"nfs://filer/s.txt\"",
        "",
    ));
    let spec = &role(&job, "Worker")["template"]["spec"];
    let exports: Vec<_> =
        spec["volumes"].as_array().into_iter().flatten().map(|v| &v["nfs"]["path"]).collect();
    assert_eq!(exports, ["/", "/e"]);
    let mounts = spec["containers"][0]["volumeMounts"].as_array().expect("mounts");
    let parts: Vec<_> = mounts.iter().map(|m| &m["subPath"]).collect();
    assert_eq!(parts, ["s.txt", "d.csv"]);
}
