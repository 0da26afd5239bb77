//! What Kubernetes says.
use super::Arm;
use crate::kubernetes::specs::{lone, options, step};

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
pub fn arms() -> Vec<Arm> {
    let ckpt = "checkpoints \"pvc://claim/ckpt\" at=\"/ckpt\" fresh=#true";
    let bare = |spec: String| spec.replace("image \"ml/a:1\"\n", "");
    let gpu = "resources cpus=1 memory=\"1GiB\" gpus=1 gpu-model=\"a 100\"";
    vec![
        ("runs TensorBoard in a container, and there is no image",
            bare(job("checkpoints \"hdfs://a/b\"\ntensorboard"))),
        ("starts TensorBoard where no task is, and only a task knows this", job("tensorboard logs=\"{env.LOGS}\"")),
        ("CLASSPATH=\"$(\"$HADOOP_HOME/bin/hadoop\" classpath --glob)\"",
            job("checkpoints \"hdfs://a/b\"\nhadoop home=\"/h\" java=\"/j\"\ntensorboard")),
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
        ("has no label `a b`", worker("place { node \"a b\" \"x\"; }")),
        ("calls the rendezvous `tfjob-port`", worker("port \"tfjob-port\" 2300")),
        ("looks at a port whose number it knows", worker("port \"web\" \"auto\"\nready tcp=\"web\"")),
        ("one task waits for nobody", job("start timeout=\"20m\"")),
        ("one Pod is all or none", job("start gang=#true")),
        ("cannot carry a folder from beside the spec into Pods", job("data \"d\" \"./d\"")),
        ("cannot carry a file from beside the spec into Pods", job("code \"./train.py\"")),
        ("mounts NFS from its own port only", job("data \"d\" \"nfs://[fd00::1]:2050/d\" at=\"/d\"")),
        ("mounts no `nfs:` where the namespace is `restricted`", restricted("data \"d\" \"nfs://filer/d\" at=\"/d\"", "")),
        ("fetches the code by `a..b`, and git takes it for no name of a branch, a tag or a commit",
            job("code \"git+https://git.example.com/code\" ref=\"a..b\"")),
        ("looks before the first task starts, and in a program of its own another task may write before",
            step(ckpt, "").replace("multi-worker-mirrored", "custom")),
        ("looks again whenever a Pod is made anew, and would find the job's own checkpoints",
            step(ckpt, "restart \"on-failure\"")),
        ("the shim fills in the port that is free for `web`, which no field of a Pod knows",
            worker("run \"python\" \"a.py\" \"--task={index}\" \"{port.web}\"\nport \"web\" \"auto\"")),
        ("the shim fills in ports that are free, which no field of a Pod knows",
            step("", "port \"cluster\" \"auto\"\nenv { PEERS \"{addresses.worker}\"; }")),
        ("the shim sets the variable of the port that is free for `web`", worker("shell \"a\"\nport \"web\" \"auto\"")),
        ("the shim changes the folder: no field of a Pod is expanded there", step("", "workdir \"/srv/{index}\"")),
        ("cannot have a Secret named `A_B`", worker("secret \"TOKEN\" from=\"A_B\" key=\"token\"")),
        ("cannot have an entry `a b` in a Secret", worker("secret \"TOKEN\" from=\"store\" key=\"a b\"")),
        ("does not let root run where the namespace is `restricted`", restricted("", "user 0")),
        ("takes no user above 2147483647", worker("user 3000000000")),
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
        ("containerPort` cannot be 2222: the operator adds a port of that number", ports("{name: web, containerPort: 2222}")),
        ("name` is the rendezvous' own port: its number is in every task's TF_CONFIG", ports("{name: tfjob-port, containerPort: 2300}")),
        ("is no key of an annotation", block("patch \"{metadata: {annotations: {'a b': x}}}\"")),
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
    vec![
        ("cannot be removed as a whole: what the job itself needs is among it", own("volumeMounts: []")),
        ("two volumes are called `v`", pod("{volumes: [{name: v, emptyDir: {}}, {name: v, emptyDir: {}}]}")),
        ("a container has no name", pod("{containers: [{image: 'ml/a:1'}]}")),
        ("two containers are called `a`", pod("{initContainers: [{name: a, image: 'ml/a:1'}, {name: a, image: 'ml/a:1'}]}")),
        ("`tensorflow` mounts `v` at no path", own("volumeMounts: [{name: v}]")),
        ("`tensorflow` mounts two things at `/v`", own("volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /v}]")),
        ("a variable has no name", own("env: [{value: a}]")),
        ("two ports are called `a`", own("ports: [{name: a, containerPort: 80}, {name: a, containerPort: 81}]")),
    ]
}
