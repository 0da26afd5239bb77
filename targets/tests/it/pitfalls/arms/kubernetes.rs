//! What Kubernetes says.
use super::Arm;
use crate::pitfalls::kubernetes::specs::{lone, options, step};

const RESTRICTED: &str = "target \"kubernetes\" { restricted #true; }";

/// Words in the job of one worker.
fn job(words: &str) -> String {
    lone(words, "")
}

/// Words in the one worker.
fn worker(words: &str) -> String {
    lone("", words)
}

/// Of one worker whose namespace is restricted.
fn restricted(job: &str, worker: &str) -> String {
    lone(&format!("{job}\n{RESTRICTED}"), worker)
}

/// A job of PyTorch, or of a program of its own.
fn of(framework: &str, role: &str) -> String {
    format!(
        "job \"a\" {{\nframework \"{framework}\"\nimage \"ml/a:1\"\nrun \"python\" \"a.py\"\nrole \"{role}\" {{ resources cpus=1 memory=\"1GiB\"; }}\n}}\n"
    )
}

/// What the asks are answered.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn arms() -> Vec<Arm> {
    let ckpt = "checkpoints \"pvc://claim/ckpt\" at=\"/ckpt\" if-exists=\"fail\"";
    let bare = |spec: String| spec.replace("image \"ml/a:1\"\n", "");
    let gpu = "resources cpus=1 memory=\"1GiB\" gpus=1 gpu-model=\"a 100\"";
    vec![
        ("ends the job when all 2 tasks of `chief` have succeeded",
            of("custom", "chief").replace("role \"chief\"", "success \"chief\"\nrole \"chief\" count=2")),
        ("would remove the DNS name of a Pod that works without listening",
            of("custom", "worker").replace("role \"worker\" {", "success \"all\"\nrole \"chief\" { resources cpus=1 memory=\"1GiB\"; }\nrole \"worker\" { ready tcp=\"rendezvous\"; ")),
        (
            "removes the DNS name of a Pod of `Worker` that does not listen, and the task that waits for its end would take it for finished: remove it",
            of("custom", "worker").replace("role \"worker\" {", "success \"all\"\nrole \"chief\" { resources cpus=1 memory=\"1GiB\"; }\nrole \"worker\" { target \"kubernetes\" { patch \"template: {spec: {containers: [{name: tensorflow, readinessProbe: {tcpSocket: {port: 2222}}}]}}\"; }; "),
        ),
        ("removes the DNS name of a Pod that has succeeded",
            lone("helper \"prep\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }", "after \"prep\"")),
        ("runs TensorBoard in a container, and there is no image",
            bare(job("checkpoints \"hdfs://a/b\"\ntensorboard"))),
        ("a shell that is the first process of a container ignores it",
            lone("stop grace=\"60s\"", "shell \"python a.py\"")),
        ("starts TensorBoard in a container of its own, which has no such folder and opens no such uri", job("tensorboard logs=\"./logs\"")),
        ("`pvc://CLAIM/folder`, `nfs://HOST/export` or `file:///path`; or no `at`, and the program opens the uri",
            job("data \"d\" \"https://h/d.csv\" at=\"/d\"")),
        ("starts TensorBoard where no task is, and only a task knows this", job("tensorboard logs=\"{env.LOGS}\"")),
        ("counts a deadline in seconds up to 2147483647", job("deadline \"25000d\"")),
        ("counts how long Pods stay in seconds up to 2147483647", job("keep \"failed\" for=\"25000d\"")),
        ("ends a job by its chief or its workers, and there is neither", of("custom", "ps")),
        ("compiles to a TFJob, and a TFJob runs TensorFlow, not pytorch", of("pytorch", "master")),
        ("shorten the name of the role: `-",
            of("custom", &"r".repeat(62))),
        ("cannot have a label `a b`", job("labels { \"a b\" \"x\"; }")),
        ("does not give the node's network where the namespace is `restricted`", restricted("network \"host\"", "")),
        ("name the label's value: `gpu-models { \"a 100\" \"NVIDIA-…\" }`",
            lone(&options("gpu-model-label \"nvidia.com/gpu.product\""), gpu)),
        ("has no label `a b`", worker("placement { node \"a b\" \"x\"; }")),
        ("calls the rendezvous `tfjob-port`", worker("port \"tfjob-port\" 2300")),
        ("looks at a port whose number it knows", worker("port \"web\" \"auto\"\nready tcp=\"web\"")),
        ("one task waits for nobody", job("start timeout=\"20m\"")),
        ("the patch sets `ttlSecondsAfterFinished`, so the operator deletes the Pods and their logs that `keep` leaves",
            job(&format!("keep \"failed\"\n{}", options("patch \"spec: {runPolicy: {ttlSecondsAfterFinished: 60}}\"")))),
        ("is inside `/c`, which TensorBoard mounts for reading only",
            job("checkpoints \"pvc://c/x\" at=\"/c\"\nsecret \"S\" from=\"s\" key=\"k\" at=\"/c/.gcp/key\"\ntensorboard")),
        ("kubernetes: `stage-image` is ignored for `hdfs:` and `viewfs:`",
            job(&format!("code \"hdfs://a/c.zip\"\nhadoop home=\"/h\" java=\"/j\"\n{}", options("stage-image \"alpine/git:2.47.2\"")))),
        ("one Pod is all or none", job("start gang=#true")),
        ("`volcano-queue` needs Volcano, and `gang` does not name it", job(&options("volcano-queue \"ml\""))),
        ("cannot carry a folder from beside the spec into Pods", job("data \"d\" \"./d\"")),
        ("has no folder of the spec's machine in its Pods", job("checkpoints \"./ckpt\"")),
        ("cannot carry a file from beside the spec into Pods", job("code \"./train.py\"")),
        ("mounts NFS from its own port only", job("data \"d\" \"nfs://[fd00::1]:2050/d\" at=\"/d\"")),
        ("mounts no `nfs:` where the namespace is `restricted`", restricted("data \"d\" \"nfs://filer/d\" at=\"/d\"", "")),
        ("fetches the code by `a..b`, and git takes it for no name of a branch, a tag or a commit",
            job("code \"git+https://git.example.com/code\" ref=\"a..b\"")),
        ("looks before the first task starts, and in a program of its own another task may write before",
            step(ckpt, "").replace("multi-worker-mirrored", "custom")),
        ("makes all Pods anew when Kueue has preempted the job and admits it again",
            step(&format!("{ckpt}\n{}", options("namespace \"ml\"; local-queue \"team-a\"")), "")),
        ("of the container, which wins over `user`",
            worker("user 1000\ntarget \"kubernetes\" { patch \"template: {spec: {containers: [{name: tensorflow, securityContext: {runAsUser: 0}}]}}\" }")),
        ("`preStop` runs before SIGTERM and takes its time from `stop grace`",
            lone("stop grace=\"60s\"", "target \"kubernetes\" { patch \"template: {spec: {containers: [{name: tensorflow, lifecycle: {preStop: {sleep: {seconds: 50}}}}]}}\" }")),
        ("looks again whenever a Pod is made anew, and would find the job's own checkpoints",
            step(&format!("{ckpt}\nrestart \"on-failure\""), "")),
        ("the shim fills in the port that is free for `web`, which no field of a Pod knows",
            worker("run \"python\" \"a.py\" \"--task={index}\" \"{port.web}\"\nport \"web\" \"auto\"")),
        ("the shim fills in ports that are free, which no field of a Pod knows",
            step("", "port \"rendezvous\" \"auto\"\nenv { PEERS \"{addresses.worker}\"; }")),
        ("the shim sets the variable of the port that is free for `web`", worker("shell \"a\"\nport \"web\" \"auto\"")),
        ("the shim changes the folder: no field of a Pod is expanded there", step("", "workdir \"/srv/{index}\"")),
        ("cannot have a Secret named `A_B`", worker("secret \"TOKEN\" from=\"A_B\" key=\"token\"")),
        ("cannot have an entry `a b` in a Secret", worker("secret \"TOKEN\" from=\"store\" key=\"a b\"")),
        ("does not let root run where the namespace is `restricted`", restricted("", "user 0")),
        ("takes no user above 2147483647", worker("user 3000000000")),
        ("say where it appears: `checkpoints \"pvc://ckpt\" at=\"/checkpoints\"`", job("checkpoints \"pvc://ckpt\"")),
        ("nobody: the task is alone", job("")),
    ]
}

/// What options, patches and lengths are told.
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
        ("write `shim path=", block("shim")),
        ("once it is merged, port 2222 of `web` is the port of the rendezvous", ports("{name: web, containerPort: 2222}")),
        ("name` is the port of the rendezvous, which is in the TF_CONFIG of every task", ports("{name: tfjob-port, containerPort: 2300}")),
        ("is not the key of an annotation, such as", block("patch \"{metadata: {annotations: {'a b': x}}}\"")),
        ("a word of the command would be 131072 bytes long", worker(&format!("run \"{}\"", long(131_072)))),
        ("the text for the shell would be 131072 bytes long", worker(&format!("shell \"{}\"", long(131_072)))),
        ("`a b` is not the key of a label", block("rack-label \"a b\"")),
        ("`a b` is not the name of a priority class", block("priority \"a b\"")),
        ("`a b` is not the name of a service account", block("service-account \"a b\"")),
        ("`a b` is not the key of an annotation", block("annotations { \"a b\" \"x\"; }")),
        ("no driver is needed for `nfs`", block("csi \"nfs\" driver=\"nfs.csi.k8s.io\"")),
        ("`a b` is not the name of a driver", block("csi \"s3\" driver=\"a b\"")),
        ("`a b` is not the key of a taint", block("toleration \"a b\"")),
        ("`a b` is not the value of a taint", block("toleration \"gpu\" value=\"a b\"")),
        ("a taint that does not evict has no time to bear it", block("toleration \"gpu\" effect=\"NoSchedule\" seconds=60")),
    ]
}

/// What is wrong once a patch is merged.
#[rustfmt::skip]
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
        ("is not a multiple of the page size", role(values)),
        ("two containers are called `tensorflow`", role(pods)),
        ("`dnsConfig` takes at most 3 `nameservers`", pod(many)),
        ("the patch is not a map of keys", role("- a")),
        ("is a variable of tfjob itself, by which the shim knows its task", own("env: [{name: TFJOB_ROLE, value: a}]")),
        ("holds two items with `name: A`", own("env: [{name: A, value: a}, {name: A, value: b}]")),
        ("removes `cleanPodPolicy`, which is derived by tfjob", step(&options("patch \"spec: {runPolicy: {cleanPodPolicy: null}}\""), "")),
        ("tolerations[0]` is empty", pod("{tolerations: [null]}")),
        ("without a CPU limit the Pod is not of QoS class `Guaranteed`", own("resources: {limits: {cpu: null}}")),
        ("`template.spec.containers[0].ports` holds 80, \"TCP\" twice", own("ports: [{name: a, containerPort: 80, protocol: TCP}, {name: b, containerPort: 80, protocol: TCP}]")),
        ("has no `name`", pod("{containers: [{image: 'ml/a:1'}]}")),
        ("has no `mountPath`", own("volumeMounts: [{name: v}]")),
        ("has no `name`", own("env: [{value: a}]")),
        ("two ports are called `a`", own("ports: [{name: a, containerPort: 80}, {name: a, containerPort: 81}]")),
    ]
}

/// References that the kubelet leaves as they are, and a time that `keep` contradicts.
#[rustfmt::skip]
pub fn references() -> Vec<Arm> {
    let own = |words: &str| worker(&options(&format!("patch \"template: {{spec: {{containers: [{{name: tensorflow, {words}}}]}}}}\"")));
    vec![
        ("and none sets `TFJOB_X`", own("env: [{name: A, value: $(TFJOB_X)}]")),
        ("and none sets `TFJOB_Y`", own("env: [{name: A, value: '$(TFJOB_X) $(TFJOB_Y)'}]")),
        ("and this is the variable itself", worker(&format!("env {{ A \"1\"; }}\n{}", options("patch \"template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: '$(A)'}]}]}}\"")))),
        ("write the value of `A` in the patch", worker(&format!("env {{ A \"{{env.HOME}}\"; }}\n{}", options("patch \"template: {spec: {containers: [{name: tensorflow, env: [{name: B, value: '$(A)'}]}]}}\"")))),
        ("remove it from the patch, or remove `keep`", lone(&format!("keep \"failed\"\n{}", options("patch \"spec: {runPolicy: {ttlSecondsAfterFinished: 0}}\"")), "")),
    ]
}

/// What the merged Pod is told of its security and its scheduler.
#[rustfmt::skip]
pub fn secured() -> Vec<Arm> {
    let role = |words: &str| worker(&options(&format!("patch \"{words}\"")));
    let pod = |words: &str| role(&format!("template: {{spec: {words}}}"));
    vec![
        ("`container.apparmor.security.beta.kubernetes.io/tensorflow` and `appArmorProfile` differ", role("template: {metadata: {annotations: \
            {'container.apparmor.security.beta.kubernetes.io/tensorflow': unconfined}}, spec: {securityContext: {appArmorProfile: {type: RuntimeDefault}}}}")),
        ("`side` is `privileged`", restricted("user 1000", &options("patch \"template: {spec: {containers: [{name: side, image: a, securityContext: {privileged: true}}]}}\""))),
        ("needs `seccompProfile: {type: RuntimeDefault}`", restricted("user 1000", &options("patch \"template: {spec: {securityContext: {seccompProfile: null}}}\""))),
        ("is not the name of a scheduler", pod("{schedulerName: 'a b'}")),
    ]
}
