//! Patches with valid fields that break the job, have no effect, or result in a pod that the API server refuses.
use super::ENGINE;
use super::specs::{lone, options, step};
use crate::pitfalls::{In, Pitfall, Seen, rows};

const LOWERED: Seen = In("the artifacts of tfjob, into which the patch is merged");
const ADMISSION: Seen = Seen::On("k8s.io/pod-security-admission 0.36.3, level restricted");

/// Name, source, effect, wrong patch, part of the message, and similar correct patch.
type Row = (&'static str, Seen, &'static str, String, &'static str, String);

fn traps_of(job: &'static str, role: &'static str, block: &'static str, all: Vec<Row>) -> Vec<Pitfall> {
    let one = |(name, seen, does, falls, says, neighbour): Row| {
        let spec = |text: &str| {
            lone(
                &format!("{job}\n{}", options(block)),
                &format!("{role}\n{}", options(&format!("patch \"{text}\""))),
            )
        };
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(&falls), words, says, spec(&neighbour))
    };
    rows("bad-patch", all.into_iter().map(one).collect())
}

fn pod(text: &str) -> String {
    format!("template: {{spec: {text}}}")
}

fn own(text: &str) -> String {
    pod(&format!("{{containers: [{{name: tensorflow, {text}}}]}}"))
}

fn meta(text: &str) -> String {
    format!("template: {{metadata: {text}}}")
}

pub fn pitfalls() -> Vec<Pitfall> {
    let all = [
        shim(),
        places(),
        names(),
        system(),
        ports(),
        annotations(),
        stated(),
        restricted(),
        changed(),
        unread(),
    ];
    all.into_iter().flatten().collect()
}

const REFUSED: &str =
    "the API server accepts the TFJob, but refuses its pods each time the operator creates them";
const STARTED: &str = "run \"python\" \"t.py\" \"{env.FOO}\"\nenv { A \"1\"; }";
const SECRET: &str =
    "checkpoints \"pvc://ck\" at=\"/ckpt\"\nsecret \"S\" from=\"sec\" key=\"k\" at=\"/etc/sec/s\"";

#[rustfmt::skip]
fn shim() -> Vec<Pitfall> {
    traps_of("", STARTED, "", vec![
        ("a patched environment variable that the shim overwrites", LOWERED, "the shim sets the variable last, so the program gets the value of the spec",
            own("env: [{name: A, value: '2'}]"), "`A` has no effect", own("env: [{name: B, value: '2'}]")),
        ("a patched reference to a variable that the shim sets", ENGINE, "the kubelet does not expand the reference, so the program gets the literal text `$(A)/x`",
            own("env: [{name: B, value: '$(A)/x'}]"), "does not expand `$(A)` in `B`: it expands only variables that are set above `B` in `env`, but only the shim sets `A`, later", own("env: [{name: R, value: /r}, {name: B, value: '$(R)/x $$(A)'}]")),
        ("a patched working directory with the shim", LOWERED, "the shim starts the program in the directory from its contract, so the patch has no effect",
            own("workingDir: /elsewhere"), "`workingDir` has no effect", own("terminationMessagePath: /elsewhere")),
        ("a patch of the mount for the shim", ENGINE, "the shim does not find its job contract, so the task fails at startup",
            pod("{volumes: [{name: x, emptyDir: {}}], containers: [{name: tensorflow, volumeMounts: [{name: x, mountPath: /tfjob/shim}]}]}"), "a patch cannot set `name`", own("volumeMounts: [{name: tfjob, mountPath: /x}]")),
        ("a patch of the volume for the shim", ENGINE, "the shim does not find its job contract, so the task fails at startup",
            pod("{volumes: [{name: tfjob, projected: {sources: [{secret: {name: s}}]}}]}"), "a patch cannot change volume `tfjob`", pod("{volumes: [{name: tfjobs, projected: {sources: [{secret: {name: s}}]}}]}")),
        ("a patch that removes the command of the shim", LOWERED, "the entrypoint of the image runs in place of the shim",
            own("command: null"), "`command` of `tensorflow`", own("args: null")),
        ("a patched environment variable above 128 KiB", In("Linux, limit MAX_ARG_STRLEN"), "the container does not start: Linux reports `argument list too long`",
            own(&doubled(40)), "`A13` would exceed", own(&doubled(12))),
        ("patched environment variables that are too large in total", In("Linux, where arguments and variables are limited to a quarter of the stack"), "the container does not start: Linux reports `argument list too long`",
            own(&repeated(40)), "all variables together", own(&repeated(10))),
    ])
}

/// Environment variables that each contain the first one twice: 120 KB each.
fn repeated(most: usize) -> String {
    let more = (1..=most).map(|n| format!(", {{name: A{n}, value: '$(A0)$(A0)'}}"));
    format!("env: [{{name: A0, value: {}}}{}]", "x".repeat(60_000), more.collect::<String>())
}

/// Environment variables that each contain the one above twice.
fn doubled(most: usize) -> String {
    let more = (1..=most).map(|n| format!(", {{name: A{n}, value: '$(A{0})$(A{0})'}}", n - 1));
    format!("env: [{{name: A0, value: xxxxxxxxxxxxxxxx}}{}]", more.collect::<String>())
}

#[rustfmt::skip]
fn places() -> Vec<Pitfall> {
    let empty = |path: &str| pod(&format!("{{volumes: [{{name: v, emptyDir: {{}}}}], containers: [{{name: tensorflow, volumeMounts: [{{name: v, mountPath: {path}}}]}}]}}"));
    let map = |path: &str| empty(path).replace("emptyDir: {}", "configMap: {name: m}");
    traps_of(SECRET, "", "", vec![
        ("a patched mount at the path of another mount", ENGINE, "the kubelet mounts both volumes, and the later mount hides the earlier one",
            empty("/ckpt/"), "are both mounted at `/ckpt`", empty("/ckpt2/")),
        ("a patched mount at the path of another mount, with dots in the path", ENGINE, "the kubelet mounts both volumes, and the later mount hides the earlier one",
            empty("/x/../ckpt"), "are both mounted at `/ckpt`", empty("/ckpt/../x")),
        ("a patch of the checkpoint volume", LOWERED, "the program writes its checkpoints to the volume of the patch",
            empty("/ckpt"), "a patch cannot set `name`", empty("/ckpt/v")),
        ("a patched mount below a secret file", ENGINE, "the container does not start, because no directory can be created below a file",
            empty("/etc/sec/s/below"), "inside `/etc/sec/s`, which is a file", empty("/etc/sec/t/below")),
        ("a patch that makes checkpoints read-only", LOWERED, "the program fails when it writes its first checkpoint",
            own("volumeMounts: [{name: checkpoints, mountPath: /ckpt, readOnly: true}]"), "a patch cannot set `readOnly`", own("volumeMounts: [{name: checkpoints, mountPath: /ckpt2, readOnly: true}]")),
        ("a patch of the checkpoint directory", LOWERED, "the program writes its checkpoints to another directory of the PersistentVolumeClaim",
            own("volumeMounts: [{name: checkpoints, mountPath: /ckpt, subPath: b}]"), "a patch cannot set `subPath`", own("volumeMounts: [{name: checkpoints, mountPath: /ckpt, mountPropagation: HostToContainer}]")),
        ("a secret file inside a patched read-only mount", ENGINE, "the container does not start: the mount point cannot be created in a read-only file system",
            map("/etc/sec"), "inside `/etc/sec`, which is read-only", empty("/etc/sec")),
    ])
}

#[rustfmt::skip]
fn system() -> Vec<Pitfall> {
    let volume = |source: &str, path: &str| pod(&format!("{{volumes: [{{name: v, {source}}}], containers: [{{name: tensorflow, volumeMounts: [{{name: v, mountPath: {path}}}]}}]}}"));
    let empty = |path: &str| volume("emptyDir: {}", path);
    let hides = "the mount hides programs, libraries, or devices of the container";
    let seen = In("the mounts that the container runtime creates");
    let mut all = traps_of("", "", "", vec![
        ("a patched mount at the root directory", seen, hides, empty("/"), "hides system files of the container", empty("/root")),
        ("a patched mount in /proc", seen, "the container does not start, because the runtime refuses mounts inside /proc", empty("/proc/x"), "hides system files of the container", empty("/procs")),
        ("a patched mount at /dev", seen, hides, empty("/dev"), "hides system files of the container", volume("hostPath: {path: /dev}", "/dev")),
        ("a patched mount at /usr/lib", seen, hides, empty("/usr/lib/"), "hides system files of the container", empty("/usr/lib/x")),
        ("a patched directory at a file of the kubelet", In("the kubelet and containerd, where a mount of the container takes precedence"), "a directory hides the file that the kubelet writes, so the container cannot resolve host names",
            empty("/etc/hosts"), "is mounted at the file `/etc/hosts`", volume("configMap: {name: m}", "/etc/hosts, subPath: hosts")),
        ("a patched mount below a file of the kubelet", ENGINE, "the container does not start: the mount point is below a file",
            empty("/etc/hosts/x"), "inside `/etc/hosts`", empty("/etc/hosts.d")),
        ("a patched mount in the directory /tfjob", LOWERED, "the mount hides code, staged files, or the shim",
            empty("/tfjob/code"), "is reserved for code, staged files, and the shim", empty("/tfjobs")),
    ]);
    all.extend(traps_of("", "", "service-account \"trainer\"", vec![
        ("a patched read-only mount above the service account token", ENGINE, "the container does not start: the mount point cannot be created in a read-only file system",
            volume("configMap: {name: m}", "/var/run"), "the service account token", empty("/var/run")),
    ]));
    all
}

/// A job with two workers that find each other by host name.
#[rustfmt::skip]
fn names() -> Vec<Pitfall> {
    let seen = In("the Kubernetes page on Pod DNS, dnsPolicy");
    let lost = "the host names in TF_CONFIG cannot be resolved, so the workers wait for each other forever";
    let hidden = "a pod that is not ready has no DNS record, but its peers need the record before it is ready";
    let one = |(name, seen, does, falls, says, neighbour): Row| {
        let spec = |text: &str| step("", &options(&format!("patch \"{text}\"")));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(&falls), words, says, spec(&neighbour))
    };
    let probe = |key: &str, probe: &str| own(&format!("{key}: {probe}"));
    rows("bad-patch", vec![
        ("a patch of hostNetwork", seen, lost, pod("{hostNetwork: true}"), "add `dnsPolicy: ClusterFirstWithHostNet`", pod("{hostNetwork: true, dnsPolicy: ClusterFirstWithHostNet}")),
        ("a patch of dnsPolicy", seen, lost, pod("{dnsPolicy: Default}"), "with `dnsPolicy: Default`", pod("{dnsPolicy: ClusterFirst}")),
        ("a patch of dnsConfig", seen, lost, pod("{dnsPolicy: None, dnsConfig: {nameservers: [8.8.8.8]}}"), "without `dnsConfig.searches`", pod("{dnsPolicy: None, dnsConfig: {nameservers: [169.254.20.10], searches: [cluster.local]}}")),
        ("a patched HTTP readiness probe", ENGINE, hidden, probe("readinessProbe", "{httpGet: {path: /, port: 8080}}"), "`readinessProbe` hides the DNS record", probe("readinessProbe", "{tcpSocket: {port: 2222}, initialDelaySeconds: 5}")),
        ("a patched readiness gate", In("the Pod API: a pod is ready only if its readinessGates are true, and only ready pods have DNS names"), hidden, pod("{readinessGates: [{conditionType: example.com/ready}]}"), "`readinessGates` hide the DNS record", pod("{readinessGates: []}")),
        ("a patched startup probe", ENGINE, hidden, probe("startupProbe", "{exec: {command: [test, -e, /x]}}"), "`startupProbe` hides the DNS record", probe("livenessProbe", "{exec: {command: [test, -e, /x]}}")),
    ].into_iter().map(one).collect())
}

#[rustfmt::skip]
fn ports() -> Vec<Pitfall> {
    let side = |ports: &str| pod(&format!("{{containers: [{{name: side, image: 'ml/side:1', ports: {ports}}}]}}"));
    traps_of("", "port \"web\" 9000", "", vec![
        ("a patch with user 0 and runAsNonRoot in a container", In("kuberuntime, verifyRunAsNonRoot"), "the kubelet never starts the container: CreateContainerConfigError",
            own("securityContext: {runAsNonRoot: true, runAsUser: 0}"), "the kubelet never starts it", own("securityContext: {runAsNonRoot: true, runAsUser: 1000}")),
        ("a patch with user 0 and runAsNonRoot in a pod", In("kuberuntime, verifyRunAsNonRoot"), "the kubelet never starts the container: CreateContainerConfigError",
            pod("{securityContext: {runAsNonRoot: true, runAsUser: 0}}"), "the kubelet never starts it", pod("{securityContext: {runAsNonRoot: true, runAsUser: 0}, containers: [{name: tensorflow, securityContext: {runAsUser: 1000}}]}")),
        ("a patched port number with two protocols", ENGINE, "the API server refuses the Service of the operator, because the Service uses TCP for both ports",
            own("ports: [{name: extra, containerPort: 9000, protocol: UDP}]"), "the Service that the operator creates uses TCP for all ports", own("ports: [{name: extra, containerPort: 9001, protocol: UDP}]")),
        ("a patched sidecar with a duplicate port", ENGINE, "the API server refuses the TFJob: a port number can be used only once for each protocol",
            side("[{containerPort: 1}, {containerPort: 1}]"), "have the number 1", side("[{containerPort: 1}, {containerPort: 1, protocol: UDP}]")),
        ("a patched sidecar with a duplicate port name", ENGINE, REFUSED,
            side("[{name: a, containerPort: 1}, {name: a, containerPort: 2}]"), "two ports have the name `a`", side("[{name: a, containerPort: 1}, {name: b, containerPort: 2}]")),
        ("a patch that uses a hostPort twice", ENGINE, REFUSED,
            side("[{name: a, containerPort: 1, hostPort: 5}, {name: b, containerPort: 2, hostPort: 5}]"), "the `hostPort` 5", side("[{name: a, containerPort: 1, hostPort: 5}, {name: b, containerPort: 2, hostPort: 6}]")),
        ("a patch with both hostNetwork and a network sysctl", ENGINE, REFUSED,
            pod("{hostNetwork: true, securityContext: {sysctls: [{name: net.core.somaxconn, value: '1'}]}}"), "`hostNetwork` cannot be combined with the sysctl", pod("{securityContext: {sysctls: [{name: net.core.somaxconn, value: '1'}]}}")),
        ("a patch with both hostIPC and a shared memory sysctl", ENGINE, REFUSED,
            pod("{hostIPC: true, securityContext: {sysctls: [{name: kernel.shmmax, value: '1'}]}}"), "`hostIPC` cannot be combined with the sysctl", pod("{securityContext: {sysctls: [{name: kernel.shmmax, value: '1'}]}}")),
    ])
}

#[rustfmt::skip]
fn annotations() -> Vec<Pitfall> {
    let one = |key: &str, value: &str| meta(&format!("{{annotations: {{'{key}': '{value}'}}}}"));
    let armor = "container.apparmor.security.beta.kubernetes.io";
    let field = |kind: &str| format!("template: {{metadata: {{annotations: {{'seccomp.security.alpha.kubernetes.io/pod': unconfined}}}}, spec: {{securityContext: {{seccompProfile: {{type: {kind}}}}}}}}}");
    let long = |length: usize| Box::leak("x".repeat(length).into_boxed_str()) as &str;
    traps_of("", "", "", vec![
        ("a patched pod deletion cost that is not an integer", ENGINE, REFUSED,
            one("controller.kubernetes.io/pod-deletion-cost", "high"), "is not a 32-bit integer", one("controller.kubernetes.io/pod-deletion-cost", "-5")),
        ("a patch with an invalid seccomp annotation", ENGINE, REFUSED,
            one("seccomp.security.alpha.kubernetes.io/pod", "bogus"), "is not a valid ", one("seccomp.security.alpha.kubernetes.io/pod", "runtime/default")),
        ("a patch with an invalid AppArmor annotation", ENGINE, REFUSED,
            one(&format!("{armor}/tensorflow"), "bogus"), "is not a valid ", one(&format!("{armor}/tensorflow"), "unconfined")),
        ("a patched AppArmor annotation for a missing container", ENGINE, REFUSED,
            one(&format!("{armor}/other"), "unconfined"), "refers to a container that does not exist", one(&format!("{armor}/tensorflow"), "runtime/default")),
        ("a patch with two different seccomp profiles for one pod", ENGINE, REFUSED,
            field("RuntimeDefault"), "`seccompProfile` have different values", field("Unconfined")),
        ("patched annotations above 256 KiB", ENGINE, REFUSED,
            one("a", long(262_144)), "the API server accepts at most 262144", one("a", long(261_900))),
        ("a patch of the TensorBoard label", ENGINE, "the Service of TensorBoard also selects the pods of the job",
            meta("{labels: {'tfjob/tensorboard': a}}"), "is set by tfjob", meta("{labels: {'example.com/tensorboard': a}}")),
        ("a patch of the Kueue queue label", In("the reconcilers of Kueue for TFJobs and for pods"), "if the pod template has the queue label, each pod waits for quota separately, and Kueue still does not count helpers and TensorBoard",
            meta("{labels: {'kueue.x-k8s.io/queue-name': a}}"), "is set by `local-queue`", meta("{labels: {'example.com/queue-name': a}}")),
    ])
}

#[rustfmt::skip]
fn stated() -> Vec<Pitfall> {
    let row = |name, falls: &str, words: &'static str, says, neighbour: &str| {
        let spec = |text: &str| lone(&options(&format!("annotations {{ {text}; }}")), "");
        (name, "", ENGINE, REFUSED, spec(falls), words, says, spec(neighbour))
    };
    rows("bad-option", vec![
        row("a pod deletion cost with a leading zero", "\"controller.kubernetes.io/pod-deletion-cost\" \"01\"", "\"01\"", "is not a 32-bit integer", "\"controller.kubernetes.io/pod-deletion-cost\" \"1\""),
        row("tolerations as an annotation", "\"scheduler.alpha.kubernetes.io/tolerations\" \"x\"", "\"x\"", "use `toleration`", "\"example.com/tolerations\" \"x\""),
        row("a mirror pod annotation", "\"kubernetes.io/config.mirror\" \"x\"", "\"x\"", "the API server refuses it", "\"kubernetes.io/config.source\" \"x\""),
        row("an invalid seccomp annotation", "\"container.seccomp.security.alpha.kubernetes.io/tensorflow\" \"bogus\"", "\"bogus\"", "is not a valid ", "\"container.seccomp.security.alpha.kubernetes.io/tensorflow\" \"runtime/default\""),
        row("an invalid AppArmor annotation", "\"container.apparmor.security.beta.kubernetes.io/tensorflow\" \"bogus\"", "\"bogus\"", "is not a valid ", "\"container.apparmor.security.beta.kubernetes.io/tensorflow\" \"localhost/a\""),
        row("a seccomp or AppArmor annotation for a missing container", "\"container.apparmor.security.beta.kubernetes.io/side\" \"unconfined\"", "\"container.apparmor.security.beta.kubernetes.io/side\"", "the pods have no container", "\"container.apparmor.security.beta.kubernetes.io/tensorflow\" \"unconfined\""),
    ])
}

#[rustfmt::skip]
fn restricted() -> Vec<Pitfall> {
    let secure = "securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}";
    let admits = |name, falls: String, says, neighbour: String| (name, ADMISSION, "the Pod Security admission controller rejects the pods", falls, says, neighbour);
    let volume = |source: &str| pod(&format!("{{volumes: [{{name: v, {source}}}]}}"));
    let probe = |host: &str| own(&format!("livenessProbe: {{tcpSocket: {{port: 80{host}}}}}"));
    traps_of("user 1000", "", "restricted #true", vec![
        admits("a restricted pod with hostNetwork", pod("{hostNetwork: true}"), "`hostNetwork: true`", pod("{hostNetwork: false}")),
        admits("a restricted pod with a hostPath volume", volume("hostPath: {path: /x}"), "volume `v` has the type `hostPath`", volume("emptyDir: {}")),
        admits("a restricted pod with an NFS volume", volume("nfs: {server: s, path: /x}"), "volume `v` has the type `nfs`", volume("persistentVolumeClaim: {claimName: c}")),
        admits("a restricted pod with an unrestricted sidecar", pod("{containers: [{name: side, image: b}]}"), "`side` needs", pod(&format!("{{containers: [{{name: side, image: b, {secure}}}]}}"))),
        admits("a restricted pod with an unrestricted init container", pod("{initContainers: [{name: side, image: b}]}"), "`side` needs", pod(&format!("{{initContainers: [{{name: side, image: b, {secure}}}]}}"))),
        admits("a restricted pod with an added capability", own("securityContext: {capabilities: {add: [IPC_LOCK]}}"), "the capability", own("securityContext: {capabilities: {add: [NET_BIND_SERVICE]}}")),
        admits("a restricted pod with a hostPort", own("ports: [{name: x, containerPort: 7000, hostPort: 7000}]"), "`hostPort`", own("ports: [{name: x, containerPort: 7000, hostPort: 0}]")),
        admits("a restricted pod with an unsafe sysctl", pod("{securityContext: {sysctls: [{name: net.core.somaxconn, value: '1'}]}}"), "the sysctl", pod("{securityContext: {sysctls: [{name: net.ipv4.tcp_fin_timeout, value: '1'}]}}")),
        admits("a restricted container with user 0", own("securityContext: {runAsUser: 0}"), "`runAsUser: 0`", own("securityContext: {runAsUser: 1}")),
        admits("a restricted pod with user 0", pod("{securityContext: {runAsUser: 0}}"), "`runAsUser: 0`", pod("{securityContext: {runAsUser: 0}, hostUsers: false}")),
        admits("a restricted container without runAsNonRoot", own("securityContext: {runAsNonRoot: false}"), "needs `runAsNonRoot: true`", own("securityContext: {runAsNonRoot: true}")),
        admits("a restricted pod with procMount Unmasked", pod("{hostUsers: false, containers: [{name: tensorflow, securityContext: {procMount: Unmasked}}]}"), "`procMount: Unmasked`", own("securityContext: {procMount: Default}")),
        admits("a restricted pod with seccomp Unconfined", own("securityContext: {seccompProfile: {type: Unconfined}}"), "`seccompProfile: {type: Unconfined}`", own("securityContext: {seccompProfile: {type: RuntimeDefault}}")),
        admits("a restricted pod with AppArmor unconfined", meta("{annotations: {'container.apparmor.security.beta.kubernetes.io/tensorflow': unconfined}}"), ": unconfined`", meta("{annotations: {'container.apparmor.security.beta.kubernetes.io/tensorflow': localhost/a}}")),
        admits("a restricted pod with seLinuxOptions", own("securityContext: {seLinuxOptions: {role: r}}"), "sets `seLinuxOptions`", own("securityContext: {seLinuxOptions: {type: container_t}}")),
        admits("a restricted pod with a host in a probe", probe(", host: h"), "sets `host` in a probe or a hook", probe("")),
    ])
}

/// Pitfalls of references to environment variables that the kubelet does not expand.
#[rustfmt::skip]
fn unread() -> Vec<Pitfall> {
    let one = |(name, does, falls, says, neighbour): (_, _, String, _, String)| {
        let spec = |text: &str| lone("", &options(&format!("patch \"{text}\"")));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", ENGINE, does, spec(&falls), words, says, spec(&neighbour))
    };
    let set = |variables: &str| own(&format!("env: {variables}"));
    rows("unexpanded-syntax", vec![
        ("a patched environment variable that refers to itself", "the program gets the literal text `/opt/conda/bin:$(PATH)`",
            set("[{name: PATH, value: '/opt/conda/bin:$(PATH)'}]"), "does not expand `$(PATH)` in `PATH`", set("[{name: PATH, value: '/opt/conda/bin:$$(PATH)'}]")),
        ("a patched environment variable that refers to a later one", "the program gets the literal text `$(A)`",
            set("[{name: B, value: $(A)}, {name: A, value: a}]"), "but `A` is below it", set("[{name: A, value: a}, {name: B, value: $(A)}, {name: C, value: '$(MY_SERVICE_HOST):$(MY_SERVICE_PORT)'}]")),
    ].into_iter().map(one).collect())
}

#[rustfmt::skip]
fn changed() -> Vec<Pitfall> {
    let fetch = |text: &str| pod(&format!("{{initContainers: [{{name: code, {text}}}]}}"));
    traps_of("code \"https://h.example.com/c.zip\"", "", "", vec![
        ("a patched restart policy of the init container that fetches code", In("KEP-753, sidecar containers"), "an init container with a restart policy is a sidecar: the program starts before the code is complete, and each restart removes the code",
            fetch("restartPolicy: Always"), "cannot have a restart policy", fetch("imagePullPolicy: Always")),
        ("a patch of the command that fetches code", LOWERED, "the init container does not fetch the code, so the program does not find it",
            fetch("command: [sh, -c, a]"), "init container `code` prepares the files of the task", fetch("image: 'ml/b:1'")),
        ("a patch that requests a GPU hidden by CUDA_VISIBLE_DEVICES", LOWERED, "the GPU is reserved, but an empty CUDA_VISIBLE_DEVICES hides it from the program",
            own("resources: {limits: {nvidia.com/gpu: '1'}}"), "CUDA_VISIBLE_DEVICES hides the GPU", own("resources: {limits: {nvidia.com/hostdev: '1'}}")),
    ])
}
