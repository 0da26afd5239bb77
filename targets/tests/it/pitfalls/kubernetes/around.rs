//! Pitfalls outside the entries of a role: TensorBoard, files and names of other roles, and resource claims in patches.
use super::specs::{lone, options, several, step};
use super::{ENGINE, TARGET};
use crate::pitfalls::{In, Pitfall, analyzed, compiled, rows};
use serde_json::Value;

const FILE: &str = "checkpoints \"file:///mnt/ck\" at=\"/ck\"\ntensorboard";
const PLACED: &str = "placement { node \"kubernetes.io/hostname\" \"gpu-7\"; }";

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn pitfalls() -> Vec<Pitfall> {
    let evaluator = |words: &str| several("a", &format!("role \"evaluator\" {{ resources cpus=1 memory=\"1GiB\"; {words} }}"));
    let (chief, worker) = ("role \"chief\"  {", "role \"worker\" count=2 {");
    let file = |into: &str| {
        let secret = format!("{chief} secret \"CERT\" from=\"s\" key=\"k\" at=\"/srv/app\";");
        several("a", "").replacen(into, &format!("{into} workdir \"/srv/app\";"), 1).replacen(chief, &secret, 1)
    };
    let queued = |more: &str| lone(&format!("checkpoints \"s3://b/ck\"\n{more}\n{}", options("local-queue \"q\"")), "");
    let pulled = |name: &str| lone("", "").replace("\"ml/a:1\"", &format!("\"ml/a:1\" pull-secret=\"{name}\""));
    let mut all = rows("bad-probe", vec![
        ("a readiness probe of the rendezvous port of an evaluator", "", In("TensorFlow, which starts no server in an evaluator"),
            "an evaluator does not listen on this port, so its pod is never ready, and a task that starts after it waits forever",
            evaluator("ready tcp=\"rendezvous\""), "\"rendezvous\"", "nothing listens on port `rendezvous` of an evaluator", evaluator("port \"web\" 8080; ready http=\"web/ok\"")),
    ]);
    let apart = |host: &str| step("", &format!("placement {{ spread \"host\"; {host} }}"));
    let host = "node \"kubernetes.io/hostname\" \"n1\"";
    let hosted = |second: &str| step("network \"host\"", &format!("placement {{ {second} }}"));
    let labels = "gpu-model-label \"gpu.product\"; gpu-models { a100 \"A100\"; }";
    let model = |value: &str| lone(&options(labels), &format!("resources cpus=1 memory=\"1GiB\" gpus=1 gpu-model=\"a100\"\nplacement {{ node \"gpu.product\" \"{value}\"; }}"));
    all.extend(rows("unsupported-feature", vec![
        ("tasks that must be on one node and on different nodes", "kubernetes#pod-anti-affinity", In("the scheduler: podAntiAffinity and nodeSelector must both hold"),
            "the scheduler starts one pod on the node; the other pods stay Pending",
            apart(host), "\"host\"", "all but one would stay Pending", apart("node \"pool\" \"n1\"")),
        ("two pods with hostNetwork and the same port on one node", "NodePorts of the scheduler", In("the scheduler's plugin NodePorts"),
            "with `hostNetwork`, each container port is also a port of the node, so the second pod stays Pending",
            hosted(host), "\"host\"", "two pods on `n1` need port 2222", hosted("node \"pool\" \"n1\"")),
        ("two different GPU models for one pod", "kubernetes#node-labels", In("the scheduler: nodeSelector and affinity must both hold"),
            "no node has two values of the same label, so the pod stays Pending",
            model("T4"), "\"T4\"", "no node has both", model("A100")),
    ]));
    all.extend(rows("outside-quota", vec![
        ("TensorBoard of a job in a Kueue queue", "", In("kubeflowjob_controller.go, which lists the roles that Kueue counts"),
            "the Deployment of TensorBoard has no queue label: Kueue ignores the Deployment, or suspends it if `manageJobsWithoutQueueName` is set",
            queued("tensorboard"), "tensorboard", "starts outside the quota of the queue", queued("")),
    ]));
    let gang = |name: &str| step(&format!("start gang=#true\n{}", options("gang \"volcano\"")),
        &options(&format!("patch \"template: {{spec: {{schedulerName: {name}}}}}\"")));
    all.extend(rows("patch-overrides", vec![
        ("gang scheduling with a patched schedulerName", "", In("training-operator 1.9.4, isCustomSchedulerSet of common/pod.go"),
            "the operator keeps the patched name, but the scheduler with this name ignores the PodGroup and schedules each pod separately",
            gang("default-scheduler"), "\"template: {spec: {schedulerName: default-scheduler}}\"", "`start gang` may have no effect", gang("volcano")),
    ]));
    let sided = |role: &str| {
        let inject = "target \"kubernetes\" { annotations { \"sidecar.istio.io/inject\" \"true\"; }; };";
        let role = format!("role \"{role}");
        several("a", "").lines().map(|line| if line.starts_with(&role) { line.replacen('{', &format!("{{ {inject}"), 1) } else { line.to_owned() } + "\n").collect::<String>()
    };
    let annotated = |words: &str| lone(&options(&format!("annotations {{ {words}; }}")), "");
    let webhook = In("Kubernetes Pod lifecycle: a pod succeeds when all its containers have succeeded");
    all.extend(rows("sidecar-never-exits", vec![
        ("an injected Istio sidecar", "", webhook, "the proxy does not exit with the program, so the pod never completes and the job never finishes",
            annotated("\"sidecar.istio.io/inject\" \"true\""), "\"true\"", "Istio injects a sidecar that does not exit", annotated("\"sidecar.istio.io/inject\" \"true\"; \"sidecar.istio.io/nativeSidecar\" \"true\"")),
        ("an Istio sidecar injected by a label", "", webhook, "the label overrides the annotation that disables the injection, so the pod never completes",
            lone("labels { \"sidecar.istio.io/inject\" \"true\"; }", ""), "\"sidecar.istio.io/inject\"", "Istio injects a sidecar that does not exit", lone("labels { \"sidecar.istio.io/inject\" \"false\"; }", "")),
        ("an injected Linkerd sidecar", "linkerd.io, native sidecars", webhook, "the proxy does not exit with the program, so the pod never completes and the job never finishes",
            annotated("\"linkerd.io/inject\" \"enabled\""), "\"enabled\"", "Linkerd injects a sidecar that does not exit", annotated("\"linkerd.io/inject\" \"enabled\"; \"config.beta.linkerd.io/proxy-enable-native-sidecar\" \"true\"")),
        ("an injected Vault agent", "vault-k8s, agent-pre-populate-only", webhook, "the agent keeps running to renew secrets after the program has exited, so the pod never completes",
            annotated("\"vault.hashicorp.com/agent-inject\" \"true\""), "\"true\"", "Vault injects a sidecar that does not exit", annotated("\"vault.hashicorp.com/agent-inject\" \"true\"; \"vault.hashicorp.com/agent-pre-populate-only\" \"true\"")),
        ("an injected Consul sidecar", "consul-k8s, connect-inject", webhook, "the proxy does not exit with the program, so the pod never completes",
            annotated("\"consul.hashicorp.com/connect-inject\" \"true\""), "\"true\"", "Consul injects a sidecar that does not exit", annotated("\"consul.hashicorp.com/connect-inject\" \"false\"")),
        ("an injected Dapr sidecar", "docs.dapr.io, Kubernetes jobs", webhook, "the Dapr sidecar does not exit with the program, so the pod never completes",
            annotated("\"dapr.io/enabled\" \"true\""), "\"true\"", "Dapr injects a sidecar that does not exit", annotated("\"dapr.io/enabled\" \"false\"")),
        ("an injected sidecar in a worker", "", webhook, "the proxy does not exit with the program, and the operator does not delete the pod of a worker, so the job never finishes",
            sided("worker\" count=2"), "\"true\"", "Istio injects a sidecar that does not exit", sided("ps\"")),
    ]));
    let limited = |label: &str| lone(&format!("deadline \"1d\"\n{label}\n{}", options("local-queue \"q\"")), "");
    all.extend(rows("deadline-restarts", vec![
        ("a deadline of a job in a Kueue queue", "", In("training-operator 1.9.4, common/job.go, where a resumed job sets StartTime again"),
            "each preemption by Kueue deletes the pods, and after readmission the time of `activeDeadlineSeconds` starts again",
            limited(""), "\"1d\"", "starts again at zero each time Kueue preempts and readmits the job", limited("labels { \"kueue.x-k8s.io/max-exec-time-seconds\" \"86400\"; }")),
    ]));
    let bucket = |more: &str, attributes: &str| lone(&format!("data \"d\" \"gs://b/x\" at=\"/d\"\n{}",
        options(&format!("{more}\ncsi \"gs\" driver=\"gcsfuse.csi.storage.gke.io\" {{ attributes {{ {attributes}; }}; }}"))), "");
    let written = |more: &str| lone(&format!("checkpoints \"gs://b/x\" at=\"/d\"\n{}",
        options(&format!("annotations {{ \"gke-gcsfuse/volumes\" \"true\"; }}\n{more}\ncsi \"gs\" driver=\"gcsfuse.csi.storage.gke.io\" {{ attributes {{ bucketName \"{{host}}\"; }}; }}"))), "user 1000");
    let moded = |more: &str, options: &str| {
        written(more).replace("bucketName \"{host}\"", &format!("bucketName \"{{host}}\"; mountOptions \"{options}\""))
    };
    let (served, named) = ("annotations { \"gke-gcsfuse/volumes\" \"true\"; }", "bucketName \"{host}\"");
    let driver = "\"gcsfuse.csi.storage.gke.io\"";
    let manual = In("docs/known-issues.md of gcs-fuse-csi-driver");
    all.extend(rows("bad-option", vec![
        ("a GCS bucket without the annotation for gcsfuse", "", manual,
            "without the annotation, the webhook of gcsfuse does not inject its sidecar, so the pods stay in ContainerCreating",
            bucket("", named), driver, "only in pods with the annotation", bucket(served, named)),
        ("a GCS bucket volume without bucketName", "", manual, "the CSI driver refuses the volume, so the pods stay in ContainerCreating",
            bucket(served, "mountOptions \"implicit-dirs\""), driver, "requires the volume attribute `bucketName`", bucket(served, named)),
        ("a GCS bucket with files that belong to root, with a program of another user", "", In("docs/troubleshooting.md of gcs-fuse-csi-driver"),
            "the mounted files belong to root with mode 0644, so the first checkpoint fails with `Permission denied`",
            written(""), "\"/d\"", "user 1000 cannot write to them", written("fs-group 1000")),
        ("a GCS bucket with fsGroup and file mode 0644", "", In("pkg/csi_driver/node.go of gcs-fuse-csi-driver, where mountOptions replace the modes of fsGroup"),
            "the mounted files have mode 0644, so members of their group cannot write: the first checkpoint fails with `Permission denied`",
            moded("fs-group 1000", "file-mode=0644"), "\"/d\"", "user 1000 cannot write to them", moded("fs-group 1000", "file-mode=0664")),
        ("a GCS bucket with files that belong to one user, with a program of another user", "", In("pkg/csi_driver/node.go of gcs-fuse-csi-driver"),
            "the mounted files belong to the first user with mode 0644, so the first checkpoint fails with `Permission denied`",
            moded("", "uid=2000,file-mode=0644"), "\"/d\"", "belong to user 2000, so user 1000 cannot", moded("", "uid=1000,file-mode=0644")),
    ]));
    let staged = |board: &str| lone(&format!("files \"venv\" \"https://files.corp/venv.tgz\"; checkpoints \"s3://b/ck\"; env {{ PATH \"{{files.venv}}/bin:{{env.PATH}}\"; }}\n{board}"), "");
    all.extend(rows("undelivered-file", vec![
        ("TensorBoard from the image and Python from staged files", "", In("execve(2)"),
            "the TensorBoard pod has no `files`: if its image has no `tensorboard` either, the container fails and restarts repeatedly",
            staged("tensorboard"), "tensorboard", "`tensorboard` comes from the image, not from `{files.venv}`",
            staged("tensorboard image=\"tensorflow/tensorflow:2.15.0\"")),
    ]));
    all.extend(rows("unsupported-feature", vec![
        ("an invalid name of an image pull Secret", "ValidateSecretName", In("ValidateSecretName of apimachinery"),
            "no Secret can have this name, so the kubelet pulls the image without credentials",
            pulled("ml_registry"), "\"ml_registry\"", "not a valid Secret name", pulled("ml.registry-1")),
        ("TensorBoard on another node than its logs", "kubernetes#tensorboard", ENGINE,
            "a `hostPath` is local to each node, so TensorBoard on another node shows a different directory",
            lone(FILE, ""), "tensorboard", "possibly on another node", lone(FILE, PLACED)),
        ("a working directory that is a file of the role", "kubernetes#working-directory", ENGINE,
            "the container does not start, because its working directory is a file",
            file(chief), "\"/srv/app\"", "is a file, so the working directory", file(worker)),
    ]));
    all
}

fn documents(text: &str) -> Vec<Value> {
    let (errors, lowered) = compiled(&analyzed(text), TARGET);
    assert!(errors.is_empty(), "{errors:#?}");
    let lowered = lowered.expect("nothing is refused");
    lowered.artifacts.iter().flat_map(|a| &a.documents).map(|d| d.value.clone()).collect()
}

fn board(text: &str) -> Value {
    let all = documents(text);
    all.iter().find(|d| d["kind"] == "Deployment").expect("a board")["spec"]["template"].clone()
}

pub fn a_board_runs_where_its_directory_is() {
    let taint =
        options("toleration \"dedicated\" value=\"ml\"; annotations { \"gke-gcsfuse/volumes\" \"true\"; }");
    let pod = board(&lone(&format!("{FILE}\n{taint}"), PLACED));
    assert_eq!(pod["spec"]["nodeSelector"]["kubernetes.io/hostname"], "gpu-7");
    assert_eq!(pod["spec"]["tolerations"][0]["key"], "dedicated");
    assert_eq!(pod["metadata"]["annotations"]["gke-gcsfuse/volumes"], "true");
    let profile = "container.apparmor.security.beta.kubernetes.io/tensorflow";
    let taint = options(&format!("annotations {{ \"{profile}\" \"runtime/default\"; }}"));
    let pod = board(&lone(&format!("checkpoints \"pvc://ck\" at=\"/ck\"\ntensorboard\n{taint}"), PLACED));
    assert!(pod["spec"].get("nodeSelector").is_none(), "a claim is there on every node");
    assert!(pod["metadata"]["annotations"].get(profile).is_none(), "TensorBoard's Pod has no such container");
}

#[test]
pub fn a_board_goes_where_the_job_may() {
    let taint = "toleration \"dedicated\" value=\"ml\"; priority \"low\"";
    let own = "target \"kubernetes\" { toleration \"gpu\"; priority \"high\"; }";
    let pod = board(&lone(&format!("checkpoints \"s3://b/ck\"\ntensorboard\n{}", options(taint)), own));
    assert_eq!(pod["spec"]["tolerations"][0]["key"], "dedicated");
    assert_eq!(pod["spec"]["tolerations"].as_array().map(Vec::len), Some(1));
    assert_eq!(pod["spec"]["priorityClassName"], "low");
}

#[test]
pub fn a_board_has_the_account_of_the_job_but_not_its_token() {
    let account = options("service-account \"trainer\"");
    let pod = board(&lone(&format!("checkpoints \"s3://b/ck\"\ntensorboard\n{account}"), ""));
    assert_eq!(pod["spec"]["serviceAccountName"], "trainer");
    assert_eq!(pod["spec"]["automountServiceAccountToken"], false);
}

/// Returns the environment of the TensorBoard program if the image sets the given variables.
fn started(pod: &Value, image: &[(&str, &str)]) -> Vec<String> {
    let container = &pod["spec"]["containers"][0];
    let words: Vec<String> = serde_json::from_value(container["command"].clone()).expect("words");
    let words: Vec<String> = words.iter().map(|word| word.replace("$$", "$")).collect();
    let end = words.iter().position(|word| word == "tensorboard").expect("the program");
    let mut command = std::process::Command::new(&words[0]);
    command.args(&words[1..end]).args(["env"]).env_clear().env("PATH", "/usr/bin:/bin");
    command.envs(image.iter().copied());
    for variable in container["env"].as_array().into_iter().flatten() {
        let [name, value] = ["name", "value"].map(|key| variable[key].as_str().expect("a text"));
        command.env(name, value.replace("$$", "$"));
    }
    let out = command.output().expect("a shell");
    String::from_utf8(out.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
pub fn a_board_gets_what_the_image_completes() {
    let env =
        r#"env { A "/a'b:{env.A}:$x"; B "{env.A}"; NONE "{env.NO_SUCH}/n"; PLAIN "p"; OWN "{index}"; }"#;
    let text = several("a", &format!("checkpoints \"s3://b/ck\"\ntensorboard\n{env}"));
    let out = started(&board(&text), &[("A", "image")]);
    for line in ["A=/a'b:image:$x", "B=image", "NONE=/n", "PLAIN=p"] {
        assert!(out.iter().any(|l| l == line), "{line}: {out:?}");
    }
    assert!(!out.iter().any(|l| l.starts_with("OWN=")), "a task's own: {out:?}");
}

/// TensorBoard finds Hadoop as the roles do: paths of the job or the image come before those of Hadoop.
#[test]
pub fn a_board_reads_hadoop_as_the_roles_do() {
    let job = |more: &str| {
        let hadoop = "hadoop home=\"/h\" java=\"/j\"; checkpoints \"hdfs://nn/ck\"; tensorboard";
        board(&lone(&format!("{}\nenv {{ {more} }}", hadoop), ""))
    };
    let of = |pod: &Value, image: &[(&str, &str)], name: &str| {
        let start = format!("{name}=");
        let all: Vec<String> = started(pod, image)
            .iter()
            .filter_map(|line| Some(line.strip_prefix(&start)?.to_owned()))
            .collect();
        all.join("|")
    };
    let plain = job("A \"a\"");
    assert_eq!(of(&plain, &[], "HADOOP_CONF_DIR"), "/h/etc/hadoop");
    assert_eq!(of(&plain, &[("HADOOP_CONF_DIR", "/no/such")], "HADOOP_CONF_DIR"), "/h/etc/hadoop");
    // A directory that exists.
    let image = [("HADOOP_CONF_DIR", "/etc"), ("LD_LIBRARY_PATH", "/conda/lib"), ("CLASSPATH", "/i.jar")];
    assert_eq!(of(&plain, &image, "HADOOP_CONF_DIR"), "/etc");
    assert!(of(&plain, &image, "LD_LIBRARY_PATH").starts_with("/conda/lib:/j/lib/server"));
    assert!(of(&plain, &image, "CLASSPATH").ends_with(":/i.jar"));
    let own = job("LD_LIBRARY_PATH \"/cuda\"; CLASSPATH \"/x.jar\"");
    assert!(of(&own, &image, "LD_LIBRARY_PATH").starts_with("/cuda:/j/lib/server"));
    assert!(of(&own, &image, "CLASSPATH").ends_with(":/x.jar"));
    for name in ["HADOOP_HOME", "HADOOP_HDFS_HOME"] {
        assert_eq!(of(&own, &image, name), "/h");
    }
}

/// The container that downloads files gets the proxy variables of the job, in every spelling, and no other variable of the job.
#[test]
pub fn a_fetch_goes_through_the_proxy_of_the_job() {
    let env = "env { HTTPS_PROXY \"http://p:3128\"; no_proxy \"localhost\"; OTHER \"x\"; http_proxy \"http://{env.HOST}\"; }";
    let job = format!("code \"https://h/c.zip\"\nsecret \"HTTP_PROXY\" from=\"proxy\" key=\"url\"\n{env}");
    for timeout in ["", "start timeout=\"5m\""] {
        let all = documents(&step(&format!("{job}\n{timeout}"), ""));
        let job = all.iter().find(|d| d["kind"] == "TFJob").expect("a TFJob");
        let code = &job["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["initContainers"][0];
        let names = code["env"].as_array().into_iter().flatten().filter_map(|v| v["name"].as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["HTTPS_PROXY", "no_proxy", "HTTP_PROXY"], "{timeout}: {code}");
        assert_eq!(code["env"][2]["valueFrom"]["secretKeyRef"]["name"], "proxy", "{timeout}");
    }
}

/// A patch that removes the CPU limit leaves the request, so tfjob only warns. A memory limit cannot be removed.
#[test]
pub fn a_patch_may_remove_the_limit_of_cpus_alone() {
    let told = |limit: &str| {
        let patch = format!(
            "patch \"template: {{spec: {{containers: [{{name: tensorflow, resources: {{limits: {{{limit}}}}}}}]}}}}\""
        );
        let (all, lowered) = crate::pitfalls::found(&analyzed(&lone("", &options(&patch))), TARGET);
        let all = all.into_iter().filter(|d| d.code.name.contains("patch")).collect::<Vec<_>>();
        let effect = all.iter().any(|d| d.message.contains("has no QoS class `Guaranteed`"));
        (all.iter().map(|d| d.code.name).collect::<Vec<_>>(), effect, lowered.is_some())
    };
    assert_eq!(told("cpu: null"), (vec!["patch-overrides"], true, true));
    assert_eq!(told("memory: null"), (vec!["bad-patch"], false, false));
}

fn told(text: &str) -> Vec<(&'static str, String)> {
    let (all, _) = crate::pitfalls::found(&analyzed(text), TARGET);
    all.into_iter().map(|d| (d.code.name, d.message)).collect()
}

/// A patched `ttlSecondsAfterFinished` deletes pods that `keep` would keep.
#[test]
pub fn a_patch_that_deletes_what_is_kept_is_named() {
    let warned = |keep: &str, patch: &str| {
        let patch = format!("patch \"spec: {{runPolicy: {{{patch}}}}}\"");
        let all = told(&lone(&format!("{keep}\n{}", options(&patch)), ""));
        all.iter().any(|(code, text)| *code == "patch-overrides" && text.contains("ttlSecondsAfterFinished"))
    };
    assert!(warned("keep \"failed\"", "ttlSecondsAfterFinished: 60"));
    assert!(warned("keep \"failed\" for=\"1h\"", "ttlSecondsAfterFinished: 60"));
    assert!(!warned("keep \"none\"", "ttlSecondsAfterFinished: 60"));
    assert!(!warned("", "ttlSecondsAfterFinished: 60"));
}

/// TensorBoard mounts its logs read-only, so a secret cannot be mounted inside them.
#[test]
pub fn a_secret_inside_what_tensorboard_reads_is_named() {
    let nested = |at: &str, more: &str| {
        let secret = format!("secret \"S\" from=\"s\" key=\"k\" at=\"{at}\"");
        let job = format!("checkpoints \"pvc://c/x\" at=\"/c\"\n{secret}\n{more}");
        told(&lone(&job, "")).iter().any(|(code, _)| *code == "nested-path")
    };
    assert!(nested("/c/.gcp/key", "tensorboard { secrets \"S\"; }"));
    assert!(!nested("/c/.gcp/key", "tensorboard"));
    assert!(!nested("/c/.gcp/key", ""));
    assert!(!nested("/cc/key", "tensorboard { secrets \"S\"; }"));
}

/// The path of the logs is compared without resolving `..`, so a path with `..` is refused.
#[test]
pub fn logs_do_not_leave_their_directory() {
    let told = |logs: &str| {
        let job = format!("checkpoints \"pvc://c/x\" at=\"/c\"\ntensorboard logs=\"{logs}\"");
        let (errors, _) = compiled(&analyzed(&lone(&job, "")), TARGET);
        errors.into_iter().map(|d| d.code.name).collect::<Vec<_>>()
    };
    for bad in ["{checkpoints}/../logs", "/c/../logs", "/c/x/.."] {
        assert_eq!(told(bad).first(), Some(&"bad-value"), "{bad}");
    }
    for good in ["{checkpoints}", "/c/..logs", "{checkpoints}/a"] {
        assert_eq!(told(good), [""; 0], "{good}");
    }
}

/// The image of the role provides the Hadoop client, so `stage-image` is reported as ignored for `hdfs:` URIs.
#[test]
pub fn a_stage_image_fetches_nothing_of_hdfs() {
    let ignored = |code: &str| {
        let job = format!(
            "code \"{code}\"\nhadoop home=\"/h\" java=\"/j\"\n{}",
            options("stage-image \"hadoop:3\"")
        );
        let analysis = analyzed(&lone(&job, ""));
        let (all, _) = crate::pitfalls::found(&analysis, TARGET);
        let all = all.iter().filter(|d| d.message.contains("`stage-image` is ignored"));
        all.map(|d| analysis.sources.slice(d.span()).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ignored("hdfs://nn/c.tgz"), ["\"hadoop:3\""]);
    assert_eq!(ignored("https://h/c.tgz"), [""; 0]);
}

pub fn a_claim_hides_no_device() {
    let patch = "template: {spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: g}], containers: [{name: tensorflow, resources: {claims: [{name: gpu}]}}]}}";
    let of_job = format!("spec: {{tfReplicaSpecs: {{Worker: {{{patch}}}}}}}");
    let hidden = |text: &str| {
        let all = documents(text);
        let job = all.iter().find(|d| d["kind"] == "TFJob").expect("a TFJob").to_string();
        let contract = all.iter().find_map(|d| d["data"]["contract.json"].as_str()).unwrap_or_default();
        job.contains("CUDA_VISIBLE_DEVICES") || contract.replace(' ', "").contains("\"gpus\":0")
    };
    for timeout in ["", "start timeout=\"5m\""] {
        assert!(hidden(&step(timeout, "")));
        assert!(!hidden(&step(timeout, &options(&format!("patch \"{patch}\"")))));
        assert!(!hidden(&step(&format!("{timeout}\n{}", options(&format!("patch \"{of_job}\""))), "")));
    }
}
