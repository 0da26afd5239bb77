//! The traps that no spec can fall into: shown on what is written.
use super::around;
use super::specs::{lone, options, several, step};
use super::{ENGINE, TARGET};
use crate::pitfalls::{Built, In, On, analyzed, built, compiled};
use serde_json::Value;
use tfjob_contract::Notice;

/// Every row.
#[rustfmt::skip]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("a worker restarted by itself", "kubernetes#recreated-pods", On("TensorFlow 2.15"), "a worker that comes back alone waits for peers that do not know of it",
            "the whole job restarts only where its tasks fail together; elsewhere it is refused", the_whole_job_is_restarted_only_where_its_tasks_fail_together),
        ("role keys in lower case", "kubernetes#role-names", ENGINE, "the operator takes them, and neither Kueue nor the webhook's check of chiefs sees them",
            "keys are `Chief`, `Evaluator`, `PS` and `Worker`", role_keys_have_the_case_that_kueue_and_the_webhook_read),
        ("policies in the old place or the wrong case", "", ENGINE, "`spec.cleanPodPolicy` is dropped, `running` deletes every Pod, and neither is refused",
            "policies are written below `runPolicy`, from a closed set of words", policies_stand_where_they_are_read_and_in_their_case),
        ("a restart policy in the template", "", ENGINE, "it is overwritten by the role's, whose default is Never",
            "the role's is always written, the template's never", policies_stand_where_they_are_read_and_in_their_case),
        ("servers that stay after success", "kubernetes#pod-cleanup", ENGINE, "the default deletes nothing: parameter servers keep their GPUs",
            "`Running` is written unless `keep` says otherwise", nothing_that_serves_is_left_running_unless_it_is_said),
        ("a deadline that nobody looks at", "", ENGINE, "`activeDeadlineSeconds` is looked at only when something else happens: a quiet job overruns it",
            "each Pod has the deadline too, which the kubelet keeps", a_deadline_is_the_kubelets_where_the_operator_would_sleep),
        ("a limit that counts nothing", "", ENGINE, "`backoffLimit` does not bound ExitCode, and counts over all running Pods otherwise; failed Pods keep running",
            "it is never written", policies_stand_where_they_are_read_and_in_their_case),
        ("workers that a drain kills for good", "kubernetes#lost-pods", ENGINE, "a deleted running Pod fails the job, unless workers are dynamic",
            "workers are dynamic exactly where they are restarted without an end", workers_come_back_only_where_they_never_fail_for_good),
        ("the first worker decides", "kubernetes#job-success", ENGINE, "without a chief the job succeeds when worker 0 ends, though others run",
            "`AllWorkers` is written, and left out where a chief decides", all_workers_must_succeed_unless_the_chief_decides),
        ("numbers that YAML misreads", "", ENGINE, "`cpu: 1.5` is refused, `16GB` is no quantity, `100m` of memory is a tenth of a byte",
            "amounts are texts in units of their own", amounts_are_whole_equal_and_in_units_of_their_own),
        ("half a GPU, or a request alone", "", ENGINE, "the TFJob is taken and its Pods are refused at every attempt",
            "whole counts, the same in requests and limits", amounts_are_whole_equal_and_in_units_of_their_own),
        ("a port without the operator's name", "kubernetes#default-port", ENGINE, "the operator adds its own 2222 beside it: the Service is refused at every attempt, other roles get none",
            "the rendezvous is called `tfjob-port`, every other port by its name", every_port_has_a_name_and_the_rendezvous_its_own),
        ("the node's network and the cluster's names", "", In("Kubernetes' page on Pod DNS"), "on the node's network the names of Services do not resolve",
            "`dnsPolicy: ClusterFirstWithHostNet` goes with it", the_nodes_network_keeps_the_clusters_names),
        ("two meanings of queue", "", ENGINE, "`schedulingPolicy.queue` is Volcano's and does nothing without the operator's flag; Kueue reads a label",
            "`local-queue` is Kueue's label, and `volcano-queue` Volcano's field", a_queue_is_kueues_label_or_volcanos_queue),
        ("a sidecar that never ends", "", In("the training operator's examples, istio annotation"), "with Istio's sidecar a Pod never completes, and peers do not meet",
            "the annotation keeps it out unless it is asked in", istio_is_kept_out_unless_it_is_asked_in),
        ("a probe of a task that others wait for", "EndpointSlice v1 discovery.k8s.io", ENGINE, "a Pod that is not ready has no name in DNS: one that listens for its rendezvous alone seems to have ended while it works",
            "the contract has `ready`, and the Pod no `readinessProbe`, where another role ends only after it", who_is_waited_for_keeps_its_name),
        ("a probe of a port that a waiting shim keeps closed", "EndpointSlice v1 discovery.k8s.io", In("Kubernetes' page on DNS for Services and Pods: records of ready Pods"), "a Pod that is not ready has no name in DNS: shims that wait for each other's names wait forever",
            "the contract has `ready` with each probe of the rendezvous port, also with one of a patch: the shim answers there", a_probed_port_is_open_while_its_shim_waits),
        ("a TensorBoard without the job's identity", "", In("Kubernetes' page on Secrets"), "a Deployment of its own has no secret and no variable but its own: a store asks who it is, and the page stays empty",
            "it has those that all roles have alike", a_board_has_what_all_roles_have),
        ("code that is one file", "the runtime's working directory", ENGINE, "a file is mounted where the working directory should be: the container does not start",
            "a file is copied into a directory of its name's own before the program starts", code_is_a_directory),
        ("a file of an export", "nfs4_get_rootfh", In("Linux: the root of a mount is a directory"), "a file alone cannot be mounted from an NFS export",
            "the directory above it is mounted, and the file is its `subPath`", a_file_of_an_export_is_a_part_of_its_directory),
        ("labels that a TensorBoard's Service selects", "kubernetes#tfjob-labels", ENGINE, "a Service selects the job's Pods too if they have its labels",
            "its label is one that no job can have, and labels of the job stay as they are", a_board_selects_itself_alone),
        ("a TensorBoard in Kueue's queue", "", In("Kueue's integration of Deployments"), "a Deployment with the label of a queue is held back until there is quota for it",
            "the label is the TFJob's alone", a_board_is_in_no_queue),
        ("a TensorBoard on the task's node", "kubernetes#tensorboard", ENGINE, "a `hostPath` is the node's own, a taint keeps the Pod out, and a driver's webhook looks for its annotation",
            "it has the node, the tolerations and the annotations of the job", around::a_board_runs_where_its_directory_is),
        ("a TensorBoard's own path of libraries", "", In("the dynamic linker: one LD_LIBRARY_PATH"), "Hadoop's directories in the place of the job's: libraries of CUDA are not found",
            "they are added to the job's", around::a_board_reads_hadoop_as_the_roles_do),
        ("a claim of GPUs", "CUDA Programming Guide, CUDA_VISIBLE_DEVICES", In("an empty list hides every device"), "a patch's resource claim gives the Pod a GPU, and the program sees none",
            "where a patch has a claim, no device is hidden", around::a_claim_hides_no_device),
        ("a shell that is the first process", "pid_namespaces(7)", In("Linux: the first process of a PID namespace ignores signals without a handler"), "`/bin/sh` ignores SIGTERM and passes none on: what it runs is killed at the end of the grace without having heard of it",
            "where a `shell`, or a `run` of a shell or its script, has a grace, the shim starts it and passes SIGTERM on", a_shell_with_a_grace_hears_of_its_end),
        ("mounts without volumes", "", ENGINE, "the TFJob is taken and its Pods are refused at every attempt; a volume without a source is an empty folder",
            "each mount has its volume, each volume one source, each path one mount", each_mount_has_its_volume_and_each_volume_one_source),
    ])
}

/// The TFJob of a spec that must compile.
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
    assert!(errors.iter().any(|d| d.message.contains("its peers are not told")), "{errors:#?}");
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
    assert!(job["metadata"].get("labels").is_none());
}

fn istio_is_kept_out_unless_it_is_asked_in() {
    let inject = |job: &Value| {
        role(job, "Worker")["template"]["metadata"]["annotations"]["sidecar.istio.io/inject"].clone()
    };
    assert_eq!(inject(&tfjob(&lone("", ""))), "false");
    let wanted = options("annotations { \"sidecar.istio.io/inject\" \"true\"; }");
    assert_eq!(inject(&tfjob(&lone(&wanted, ""))), "true");
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
    let job = "checkpoints \"s3://b/ck\"; tensorboard
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

/// The Deployment and the Service of a TensorBoard.
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
