//! Messages of the target `kubernetes`.
use super::Arm;
use crate::pitfalls::kubernetes::specs::{lone, options, step};

const RESTRICTED: &str = "target \"kubernetes\" { restricted #true; }";

/// Returns a job of one worker with these lines in the job.
fn job(words: &str) -> String {
    lone(words, "")
}

/// Returns a job of one worker with these lines in the worker.
fn worker(words: &str) -> String {
    lone("", words)
}

/// Returns a job of one worker with the option `restricted`.
fn restricted(job: &str, worker: &str) -> String {
    lone(&format!("{job}\n{RESTRICTED}"), worker)
}

/// Returns a job of the framework PyTorch, or of a custom program.
fn of(framework: &str, role: &str) -> String {
    format!(
        "job \"a\" {{\nframework \"{framework}\"\nimage \"ml/a:1\"\nrun \"python\" \"a.py\"\nrole \"{role}\" {{ resources cpus=1 memory=\"1GiB\"; }}\n}}\n"
    )
}

/// Returns a job whose roles have the same `restart`.
fn shared(strategy: &str, roles: &str) -> String {
    format!(
        "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"{strategy}\"\nimage \"ml/a:1\"\nrun \"python\" \"a.py\"\n\
         resources cpus=1 memory=\"1GiB\"\nrestart \"on-failure\"\nrole \"worker\" count=2\n{roles}\n}}\n"
    )
}

/// Messages about the support of requirements.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn arms() -> Vec<Arm> {
    let ckpt = "checkpoints \"pvc://claim/ckpt\" at=\"/ckpt\" if-exists=\"fail\"";
    let bare = |spec: String| spec.replace("image \"ml/a:1\"\n", "");
    let gpu = "resources cpus=1 memory=\"1GiB\" gpus=1 gpu-model=\"a 100\"";
    vec![
        ("deletes the finished TFJob, and with `argocd`, Argo CD creates it again",
            job("target \"kubernetes\" { argocd; patch \"{spec: {runPolicy: {ttlSecondsAfterFinished: 60}}}\"; }")),
        ("is set by `argocd`, which also sets it for the ConfigMap of the job",
            job("target \"kubernetes\" { argocd; patch \"{metadata: {annotations: {argocd.argoproj.io/sync-wave: '-5'}}}\"; }")),
        ("contains `Prune=false`: Argo CD would not delete the old job before it creates the new one, so both would run",
            job("target \"kubernetes\" { argocd; annotations { \"argocd.argoproj.io/sync-options\" \"Replace=true, Prune=false\"; }; }")),
        ("contains `Force=true` and `Replace=true`: Argo CD would delete the job and create it again at each change of its manifest",
            job("target \"kubernetes\" { argocd; annotations { \"argocd.argoproj.io/sync-options\" \"Force=true,Replace=true\"; }; }")),
        ("contains `Force=true` and `ServerSideApply=true`: the synchronization would fail",
            job("target \"kubernetes\" { argocd; annotations { \"argocd.argoproj.io/sync-options\" \"ServerSideApply=true, Force=true\"; }; }")),
        ("is set by `argocd`, which also sets it for the ConfigMap of the job",
            job("target \"kubernetes\" { argocd; annotations { \"helm.sh/hook\" \"pre-install\"; }; }")),
        ("is set by `argocd`, which also sets it for the ConfigMap of the job",
            job("target \"kubernetes\" { argocd; annotations { \"argocd.argoproj.io/hook\" \"Sync\"; }; }")),
        ("is for Flux, and `argocd` for Argo CD: Flux would create the job with the new name before it deletes the old one",
            job("target \"kubernetes\" { argocd; annotations { \"kustomize.toolkit.fluxcd.io/force\" \"enabled\"; }; }")),
        ("Argo CD then creates it again: the training starts again",
            job("keep \"failed\" for=\"1h\"\ntarget \"kubernetes\" { argocd; }")),
        ("the operator waits until all 2 tasks of `chief` have succeeded",
            of("custom", "chief").replace("role \"chief\"", "success \"chief\"\nrole \"chief\" count=2")),
        ("would remove the DNS record of a running pod that does not listen",
            of("custom", "worker").replace("role \"worker\" {", "success \"all\"\nrole \"chief\" { resources cpus=1 memory=\"1GiB\"; }\nrole \"worker\" { ready tcp=\"rendezvous\"; ")),
        (
            "removes the DNS record of a running pod of `Worker` that does not listen, so the task that waits for its end would treat it as finished: remove the probe",
            of("custom", "worker").replace("role \"worker\" {", "success \"all\"\nrole \"chief\" { resources cpus=1 memory=\"1GiB\"; }\nrole \"worker\" { target \"kubernetes\" { patch \"template: {spec: {containers: [{name: tensorflow, readinessProbe: {tcpSocket: {port: 2222}}}]}}\"; }; "),
        ),
        ("a pod that has succeeded loses its DNS record",
            lone("helper \"prep\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }", "after \"prep\"")),
        ("TensorBoard runs in a container, but no image is set",
            bare(job("checkpoints \"hdfs://a/b\"\ntensorboard"))),
        ("a shell that is the first process of a container ignores this signal",
            lone("stop grace=\"60s\"", "shell \"python a.py\"")),
        ("TensorBoard runs in a separate container, so it cannot read these logs", job("tensorboard logs=\"./logs\"")),
        ("or use a volume, such as `pvc://CLAIM/dir` or `nfs://HOST/export`",
            job("data \"d\" \"https://h/d.csv\" at=\"/d\"")),
        (", and set `AWS_SECRET_ACCESS_KEY` in the `env` of the job, which TensorBoard gets too",
            lone("checkpoints \"s3://b/c\"\ntensorboard\nsecret \"STORE\" from=\"store\" key=\"secret\"", "env { AWS_SECRET_ACCESS_KEY \"{env.STORE}\"; }").replace("version=\"2.15\"", "version=\"2.15\" strategy=\"multi-worker-mirrored\"")
                .replace("role \"worker\"", "role \"chief\" { resources cpus=1 memory=\"1GiB\"; run \"python\" \"a.py\"; }\nrole \"worker\"")),
        ("TensorBoard runs outside the tasks, but `logs` refers to a value that only a task knows", job("tensorboard logs=\"{env.LOGS}\"")),
        ("`activeDeadlineSeconds` is at most 2147483647 seconds", job("deadline \"25000d\"")),
        ("`ttlSecondsAfterFinished` is at most 2147483647 seconds", job("keep \"failed\" for=\"25000d\"")),
        ("the operator derives job success from the chief or the workers, but this job has neither", of("custom", "ps")),
        ("framework `pytorch` is not supported: a TFJob sets up TensorFlow only", of("pytorch", "master")),
        ("shorten the role name: `-",
            of("custom", &"r".repeat(62))),
        ("`a b` is not a valid label key", job("labels { \"a b\" \"x\"; }")),
        ("`hostNetwork` is forbidden in a `restricted` namespace", restricted("network \"host\"", "")),
        ("map the model to a label value: `gpu-models { \"a 100\" \"NVIDIA-…\" }`",
            lone(&options("gpu-model-label \"nvidia.com/gpu.product\""), gpu)),
        ("`a b` is not a valid label key", worker("placement { node \"a b\" \"x\"; }")),
        ("the port name `tfjob-port` is reserved", worker("port \"tfjob-port\" 2300")),
        ("a probe needs a fixed port number, but port `web` gets its number at startup", worker("port \"web\" \"auto\"\nready tcp=\"web\"")),
        ("a single task waits for no peers", job("start timeout=\"20m\"")),
        ("the patch sets `ttlSecondsAfterFinished`, so the operator deletes the pods and logs that `keep` retains",
            job(&format!("keep \"failed\"\n{}", options("patch \"spec: {runPolicy: {ttlSecondsAfterFinished: 60}}\"")))),
        ("is inside `/c`, which it mounts read-only",
            job("checkpoints \"pvc://c/x\" at=\"/c\"\nsecret \"S\" from=\"s\" key=\"k\" at=\"/c/.gcp/key\"\ntensorboard { secrets \"S\"; }")),
        ("is reserved: tfjob writes the annotations with the prefix `tfjob/`", job(&options("annotations { \"tfjob/a\" \"b\"; }"))),
        ("kubernetes: `stage-image` is ignored for `hdfs:` and `viewfs:`",
            job(&format!("code \"hdfs://a/c.zip\"\nhadoop home=\"/h\" java=\"/j\"\n{}", options("stage-image \"alpine/git:2.47.2\"")))),
        ("a single pod needs no gang scheduler", job("start gang=#true")),
        ("`volcano-queue` needs `gang \"volcano\"`, which is not set", job(&options("volcano-queue \"ml\""))),
        ("pods cannot read a directory next to the spec", job("data \"d\" \"./d\"")),
        ("pods cannot write to a directory next to the spec", job("checkpoints \"./ckpt\"")),
        ("use a volume that all pods mount: `pvc://CLAIM/DIR` or `nfs://HOST/EXPORT`", job("checkpoints \"./ckpt\" at=\"/c\"")),
        ("pods cannot read a file next to the spec", job("code \"./train.py\"")),
        ("an NFS volume has no field for the port", job("data \"d\" \"nfs://[fd00::1]:2050/d\" at=\"/d\"")),
        ("`nfs:` volumes are forbidden in a `restricted` namespace", restricted("data \"d\" \"nfs://filer/d\" at=\"/d\"", "")),
        ("`a..b` cannot be fetched from the repository: it is not a valid name of a branch",
            job("code \"git+https://git.example.com/code\" ref=\"a..b\"")),
        ("only the chief or worker 0 checks for existing checkpoints, but without a built-in TensorFlow strategy another task may write there first",
            step(ckpt, "").replace("multi-worker-mirrored", "custom")),
        ("the check for existing checkpoints would fail after a preemption",
            step(&format!("{ckpt}\n{}", options("namespace \"ml\"; local-queue \"team-a\"")), "")),
        ("of the container, which overrides `user`",
            worker("user 1000\ntarget \"kubernetes\" { patch \"template: {spec: {containers: [{name: tensorflow, securityContext: {runAsUser: 0}}]}}\" }")),
        ("the `preStop` hook counts toward `stop grace`, because it runs before SIGTERM",
            lone("stop grace=\"60s\"", "target \"kubernetes\" { patch \"template: {spec: {containers: [{name: tensorflow, lifecycle: {preStop: {sleep: {seconds: 50}}}}]}}\" }")),
        ("the check for existing checkpoints runs again in each recreated pod",
            step(&format!("{ckpt}\nrestart \"on-failure\""), "")),
        ("the shim inserts the port number of `web`, because the shim picks a free port at startup",
            worker("run \"python\" \"a.py\" \"--task={index}\" \"{port.web}\"\nport \"web\" \"auto\"")),
        ("the shim inserts the ports of the tasks, because the shims pick free ports at startup",
            step("", "port \"rendezvous\" \"auto\"\nenv { PEERS \"{addresses.worker}\"; }")),
        ("the shim picks a free port for `web` and sets its variable", worker("shell \"a\"\nport \"web\" \"auto\"")),
        ("the shim changes to the working directory, because the kubelet does not expand variables in `workingDir`", step("", "workdir \"/srv/{index}\"")),
        ("`A_B` is not a valid Secret name", worker("secret \"TOKEN\" from=\"A_B\" key=\"token\"")),
        ("`a b` is not a valid key of a Secret", worker("secret \"TOKEN\" from=\"store\" key=\"a b\"")),
        ("user 0 (root) is forbidden in a `restricted` namespace", restricted("", "user 0")),
        ("`runAsUser` is at most 2147483647, not 3000000000", worker("user 3000000000")),
        ("add the mount path: `checkpoints \"pvc://ckpt\" at=\"/checkpoints\"`", job("checkpoints \"pvc://ckpt\"")),
        ("none (single task)", job("")),
        ("`/etc/hosts` is reserved: the kubelet writes it in each container",
            worker("secret \"TOKEN\" from=\"store\" key=\"token\" at=\"/etc/hosts\"")),
        ("use another path: `at=\"/secrets/token\"`", worker("secret \"TOKEN\" from=\"store\" key=\"token\" at=\"/tmp\"")),
        ("the chief or worker 0 checks for existing checkpoints, but this job has neither",
            of("custom", "ps").replace("role \"ps\"", &format!("{ckpt}\nrole \"ps\""))),
        ("with `codes`, `tfjob-shim` restarts the program inside the pod",
            step("", "restart \"on-failure\" { codes 42; }")),
        ("`restartPolicy` has no equivalent of `min-uptime`, so the shim restarts the program inside its container",
            step("", "restart \"on-failure\" min-uptime=\"10s\"")),
        ("the operator recreates only lost workers", step("role \"chief\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; restart \"on-failure\"; }", "")),
        ("accept failures of the job with `allow \"restart\"", shared("multi-worker-mirrored", "role \"chief\"")),
        ("because only workers are recreated", shared("parameter-server", "role \"chief\"; role \"ps\"")),
        ("remove `if-exists`, and use a new checkpoint directory for each run",
            of("custom", "worker").replace("role \"worker\"", &format!("{ckpt}\nrole \"worker\" count=2"))),
    ]
}

/// Messages about options, patches, and lengths.
#[rustfmt::skip]
pub fn options_of_block() -> Vec<Arm> {
    let block = |words: &str| job(&options(words));
    let ports = |port: &str| {
        let patch = format!("{{template: {{spec: {{containers: [{{name: tensorflow, ports: [{port}]}}]}}}}}}");
        worker(&options(&format!("patch \"{patch}\"")))
    };
    let long = |length: usize| "a".repeat(length);
    vec![
        ("the kubelet does not download files into a container", block("shim url=\"https://h/tfjob-shim\"")),
        ("remove `shim`: then the shim is mounted from a ConfigMap", block("shim url=\"https://h/tfjob-shim\"")),
        ("`shim` has both `path` and `image`", block("shim path=\"/opt/s\" image=\"ml/tfjob-shim:1\"")),
        ("write `shim path=", block("shim url=\"https://h/tfjob-shim\"")),
        ("after the patch is merged, port 2222 (`web`) is also the rendezvous port", ports("{name: web, containerPort: 2222}")),
        ("name` is reserved for the rendezvous port", ports("{name: tfjob-port, containerPort: 2300}")),
        ("must be a valid annotation key, such as", block("patch \"{metadata: {annotations: {'a b': x}}}\"")),
        ("an argument of `run` would be 131072 bytes long", worker(&format!("run \"{}\"", long(131_072)))),
        ("the `shell` script would be 131072 bytes long", worker(&format!("shell \"{}\"", long(131_072)))),
        ("`a b` is not a valid label key", block("rack-label \"a b\"")),
        ("`a b` is not a valid priority class name", block("priority \"a b\"")),
        ("`a b` is not a valid service account name", block("service-account \"a b\"")),
        ("`a b` is not a valid annotation key", block("annotations { \"a b\" \"x\"; }")),
        ("`csi` does not apply to the scheme `nfs`", block("csi \"nfs\" driver=\"nfs.csi.k8s.io\"")),
        ("`a b` is not a valid driver name", block("csi \"s3\" driver=\"a b\"")),
        ("`a b` is not a valid taint key", block("toleration \"a b\"")),
        ("`a b` is not a valid taint value", block("toleration \"gpu\" value=\"a b\"")),
        ("`seconds` (`tolerationSeconds`) applies only to taints with effect `NoExecute`", block("toleration \"gpu\" effect=\"NoSchedule\" seconds=60")),
    ]
}

/// Messages about an object after its patches are merged.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn merged() -> Vec<Arm> {
    let pod = |words: &str| worker(&options(&format!("patch \"template: {{spec: {words}}}\"")));
    let own = |words: &str| pod(&format!("{{containers: [{{name: tensorflow, {words}}}]}}"));
    let role = |words: &str| worker(&options(&format!("patch \"{words}\"")));
    let values = "template: {metadata: {labels: {'training.kubeflow.org/job-name': x}}, spec: {\
        ephemeralContainers: [{name: a}], priority: 1, serviceAccount: a, hostnameOverride: A, os: {name: windows}, nodeName: A, \
        dnsPolicy: qqqqqqqqq, readinessGates: [{conditionType: a b}], \
        dnsConfig: {nameservers: [a], searches: [a b], options: [{name: ''}]}, \
        affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, \
        labelSelector: {matchExpressions: [{key: a, operator: In, values: [a b]}]}}]}, \
        nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: \
        [{key: a, operator: In, values: [a b]}]}]}}}, \
        securityContext: {windowsOptions: {hostProcess: true}, sysctls: [{name: A, value: a}], \
        seccompProfile: {type: Localhost, localhostProfile: /a}, appArmorProfile: {type: Localhost, localhostProfile: ''}}, \
        volumes: [{name: s, secret: {secretName: s, defaultMode: 4096, items: [{key: a b, path: /a}]}}, \
        {name: e, emptyDir: {medium: x, sizeLimit: -1}}, {name: h, hostPath: {path: a}}, \
        {name: nn, nfs: {server: '', path: a}}, {name: c, csi: {driver: a b}}, {name: m, emptyDir: {sizeLimit: x}}, \
        {name: p, ephemeral: {volumeClaimTemplate: {metadata: {name: a, finalizers: [a]}, \
        spec: {storageClassName: A, resources: {requests: {cpu: 1}}}}}}], \
        containers: [{name: null}, {name: tensorflow, livenessProbe: {httpGet: {port: 'A b', httpHeaders: [{name: a b, value: c}]}, \
        exec: {command: []}}, readinessProbe: {tcpSocket: {port: true}}, \
        ports: [{name: a, containerPort: 3000000000}], volumeMounts: [{name: v, mountPath: /v, subPath: /a}], \
        env: [{name: A, valueFrom: {fieldRef: {fieldPath: spec.x}}}, \
        {name: B, valueFrom: {resourceFieldRef: {resource: x, divisor: zz}}}], \
        resources: {limits: {cpu: 1n, hugepages-2Mi: 3Mi, hugepages-x: 1}}}]}}";
    let pods = "template: {spec: {hostPID: true, shareProcessNamespace: true, hostUsers: false, hostIPC: true, hostNetwork: true, \
        hostnameOverride: a, setHostnameAsFQDN: true, dnsPolicy: None, resources: {claims: [{name: z}]}, \
        tolerations: [{operator: Equal}, {key: a, operator: Exists, value: b, tolerationSeconds: 5}], \
        topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway, minDomains: 2}], \
        affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: \
        [{key: a, operator: In}, {key: a, operator: Exists, values: [b]}, {key: a, operator: Gt, values: [b, c]}]}]}}}, \
        securityContext: {seccompProfile: {type: Localhost}, appArmorProfile: {type: Unconfined, localhostProfile: a}}, \
        volumes: [{name: v, emptyDir: {}}, {name: s, secret: {}}, \
        {name: e, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOncePod, ReadOnlyMany]}}}}, \
        {name: f, ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}}, \
        {name: p, projected: {sources: [{secret: {name: a, items: [{key: a, path: p}]}, configMap: {name: b, items: [{key: a, path: p}]}}]}}], \
        initContainers: [{name: tensorflow, image: a}, {name: b, image: a, livenessProbe: {exec: {command: [a]}}, \
        resources: {limits: {hugepages-2Mi: 2Mi}}, securityContext: {procMount: Unmasked}}], \
        containers: [{name: tensorflow, livenessProbe: {exec: {command: [a]}, successThreshold: 2}, \
        readinessProbe: {exec: {command: [a]}, httpGet: {path: /, port: 80}, terminationGracePeriodSeconds: 5}, \
        lifecycle: {preStop: {sleep: {seconds: 100}}, stopSignal: SIGTERM}, \
        volumeMounts: [{name: v, mountPath: /v, subPath: a, subPathExpr: b, mountPropagation: Bidirectional, recursiveReadOnly: Enabled}], \
        volumeDevices: [{name: v, devicePath: /d}], resources: {claims: [{name: z}], requests: {hugepages-2Mi: 2Mi}}, \
        securityContext: {allowPrivilegeEscalation: false, privileged: true, capabilities: {add: [CAP_SYS_ADMIN]}}}]}}";
    let many = "{dnsConfig: {nameservers: [10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4]}, initContainers: [{name: b, image: a, securityContext: {procMount: Unmasked}, volumeMounts: [{name: v, mountPath: /v, mountPropagation: Bidirectional}]}], volumes: [{name: v, emptyDir: {}}]}";
    vec![
        ("must be a multiple of the page size", role(values)),
        ("two containers have the name `tensorflow`", role(pods)),
        ("`dnsConfig` takes at most 3 `nameservers`", pod(many)),
        ("the patch is not a map", role("- a")),
        ("is reserved: the shim identifies its task by variables", own("env: [{name: TFJOB_ROLE, value: a}]")),
        ("has two items with `name: A`", own("env: [{name: A, value: a}, {name: A, value: b}]")),
        ("removes the value of `cleanPodPolicy` that tfjob derives from the spec", step(&options("patch \"spec: {runPolicy: {cleanPodPolicy: null}}\""), "")),
        ("tolerations[0]` is null", pod("{tolerations: [null]}")),
        ("without a CPU limit the pod has no QoS class `Guaranteed`", own("resources: {limits: {cpu: null}}")),
        ("`template.spec.containers[0].ports` has two items with 80, \"TCP\"", own("ports: [{name: a, containerPort: 80, protocol: TCP}, {name: b, containerPort: 80, protocol: TCP}]")),
        ("has no `name`", pod("{containers: [{image: 'ml/a:1'}]}")),
        ("has no `mountPath`", own("volumeMounts: [{name: v}]")),
        ("must be at least 1", own("livenessProbe: {exec: {command: [a]}, periodSeconds: 0}")),
        ("must be a valid container name", own("env: [{name: A, valueFrom: {resourceFieldRef: {containerName: 'A B', resource: limits.cpu}}}]")),
        ("has no `name`", own("env: [{value: a}]")),
        ("two ports have the name `a`", own("ports: [{name: a, containerPort: 80}, {name: a, containerPort: 81}]")),
    ]
}

/// Messages about references that the kubelet does not expand, and about a time that contradicts `keep`.
#[rustfmt::skip]
pub fn references() -> Vec<Arm> {
    let own = |words: &str| worker(&options(&format!("patch \"template: {{spec: {{containers: [{{name: tensorflow, {words}}}]}}}}\"")));
    vec![
        ("but none of them is `TFJOB_X`", own("env: [{name: A, value: $(TFJOB_X)}]")),
        ("but none of them is `TFJOB_Y`", own("env: [{name: A, value: '$(TFJOB_X) $(TFJOB_Y)'}]")),
        ("but this is the variable itself", worker(&format!("env {{ A \"1\"; }}\n{}", options("patch \"template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: '$(A)'}]}]}}\"")))),
        ("write the value of `A` in the patch", worker(&format!("env {{ A \"{{env.HOME}}\"; }}\n{}", options("patch \"template: {spec: {containers: [{name: tensorflow, env: [{name: B, value: '$(A)'}]}]}}\"")))),
        ("remove `ttlSecondsAfterFinished` from the patch, or remove `keep`", lone(&format!("keep \"failed\"\n{}", options("patch \"spec: {runPolicy: {ttlSecondsAfterFinished: 0}}\"")), "")),
    ]
}

/// Messages about security settings and the scheduler of a patched Pod.
#[rustfmt::skip]
pub fn secured() -> Vec<Arm> {
    let role = |words: &str| worker(&options(&format!("patch \"{words}\"")));
    let pod = |words: &str| role(&format!("template: {{spec: {words}}}"));
    vec![
        ("`container.apparmor.security.beta.kubernetes.io/tensorflow` and `appArmorProfile` have different values", role("template: {metadata: {annotations: \
            {'container.apparmor.security.beta.kubernetes.io/tensorflow': unconfined}}, spec: {securityContext: {appArmorProfile: {type: RuntimeDefault}}}}")),
        ("`side` is `privileged`", restricted("user 1000", &options("patch \"template: {spec: {containers: [{name: side, image: a, securityContext: {privileged: true}}]}}\""))),
        ("needs `seccompProfile: {type: RuntimeDefault}`", restricted("user 1000", &options("patch \"template: {spec: {securityContext: {seccompProfile: null}}}\""))),
        ("must be a valid scheduler name", pod("{schedulerName: 'a b'}")),
    ]
}
