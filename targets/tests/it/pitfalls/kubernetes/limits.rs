//! Size limits of objects, limits of names, mounts that the kubelet cannot create, and labels that another controller reads.
use super::ENGINE;
use super::specs::{lone, options};
use crate::pitfalls::{In, Pitfall, rows};

pub fn pitfalls() -> Vec<Pitfall> {
    [sizes(), names(), mounts(), fetched(), queues(), pods()].into_iter().flatten().collect()
}

fn words(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

#[rustfmt::skip]
fn sizes() -> Vec<Pitfall> {
    let noted = |length: usize| options(&format!("annotations {{ a \"{}\"; }}", "x".repeat(length)));
    let own = |length: usize| lone("", &options(&format!("annotations {{ a \"{}\"; }}", "x".repeat(length))));
    // `$` becomes two bytes for the kubelet, and in JSON `<` six and a backslash two. Each role repeats the variables.
    let many = |text: &str, roles: usize, run: &str| {
        let helper = |n: usize| format!("helper \"h{n}\" {{ {run}; resources cpus=1 memory=\"1GiB\"; }}\n");
        let helpers: String = (1..roles).map(helper).collect();
        lone(&format!("env {{ A #\"{text}\"#; }}\n{helpers}"), run)
    };
    let (dollars, angles, slashes) = ("$".repeat(65_000), "<".repeat(60_000), "\\".repeat(120_000));
    let (run, shim) = ("run \"python\" \"a.py\"", "run \"python\" \"a.py\" \"{env.HOME}\"");
    let mounts = |roles: usize| {
        let data: String = (10..99).map(|n| format!("data \"d{n}\" \"pvc://c/{n}\" at=\"/d/{n}\"\n")).collect();
        let helper = |n: usize| format!("helper \"h{n}\" {{ {run}; resources cpus=1 memory=\"1GiB\"; }}\n");
        let helpers: String = (1..roles).map(helper).collect();
        lone(&format!("{data}{helpers}"), run)
    };
    rows("text-too-long", vec![
        ("job annotations above 256 KiB", "ValidateAnnotationsSize", ENGINE,
            "the API server refuses an object whose annotations have more than 262144 bytes in total",
            lone(&noted(262_144), ""), words(format!("\"{}\"", "x".repeat(262_144))), "annotations of the TFJob", lone(&noted(261_900), "")),
        ("role annotations above 256 KiB", "ValidateAnnotationsSize", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            own(262_144), words(format!("\"{}\"", "x".repeat(262_144))), "annotations of the pods", own(262_000)),
        ("environment variables with many dollar signs", "etcd, --max-request-bytes", ENGINE,
            "tfjob doubles each `$` for the kubelet, so the TFJob becomes too large, and etcd refuses it",
            many(&dollars, 13, run), words(format!("#\"{dollars}\"#")), "bytes in storage", many(&dollars, 10, run)),
        ("environment variables with many characters that JSON escapes", "http.MaxBytesReader of the API server", ENGINE,
            "the API server refuses the request as too large, because JSON encodes a character such as `<` in six bytes",
            many(&angles, 10, run), words(format!("#\"{angles}\"#")), "as JSON", many(&angles, 3, run)),
        ("many mounts in many roles", "etcd, --max-request-bytes", ENGINE,
            "the TFJob is too large for etcd, because each role repeats all mounts",
            mounts(80), "\"/d/10\"", "the mounts have at least", mounts(20)),
        ("a job contract above 1 MiB in a ConfigMap", "ValidateConfigMap", ENGINE,
            "the API server refuses a ConfigMap whose data have more than 1048576 bytes in total",
            many(&slashes, 5, shim), "\"a\"", "the ConfigMap `a-tfjob` has", many(&slashes, 4, shim)),
    ])
}

#[rustfmt::skip]
fn names() -> Vec<Pitfall> {
    let csi = |name: &str| lone(&format!("data \"d\" \"gs://b/d\" at=\"/d\"\n{}", options(&format!("csi \"gs\" driver=\"{name}\""))), "");
    let long = "d".repeat(64);
    rows("bad-option", vec![
        ("an fsGroup above 2147483647", "PodSecurityContext, IsValidGroupID", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them: a group ID is at most 2147483647",
            lone(&options("fs-group 2147483648"), ""), "2147483648", "`fsGroup` is at most", lone(&options("fs-group 2147483647"), "")),
        ("a CSI driver name of 64 characters", "ValidateCSIDriverName", ENGINE,
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them: a driver name has at most 63 characters",
            csi(&long), words(format!("\"{long}\"")), "not a valid driver name", csi(&long[1..])),
    ])
}

#[rustfmt::skip]
fn mounts() -> Vec<Pitfall> {
    let secrets = |second: &str| lone(&format!("secret \"A\" from=\"s\" key=\"a\" at=\"/etc/x\"\nsecret \"B\" from=\"s\" key=\"b\" at=\"{second}\""), "");
    let below = |outer: &str, at: &str| lone(&format!("{outer} at=\"/w\"\ncheckpoints \"pvc://c\" at=\"{at}\""), "");
    let data = |at: &str| lone(&format!("data \"d\" \"pvc://d\" at=\"{at}\""), "");
    let mut all = rows("duplicate-path", vec![
        ("a mount below a file", "runc, mount points", ENGINE,
            "the container does not start, because a directory cannot be created below a file",
            secrets("/etc/x/y"), "\"/etc/x/y\"", "`/etc/x` is a file, not a directory", secrets("/etc/xy")),
    ]);
    all.extend(rows("unsupported-feature", vec![
        ("a mount below a staged file", "runc, mount points", ENGINE,
            "the container does not start, because no directory can be created below a file",
            below("files \"w\" \"https://h/words.txt\"", "/w/c"), "\"/w/c\"", "inside `/w`, which is a file", below("files \"w\" \"https://h/words.tar.gz\"", "/w/c")),
        ("a mount inside a read-only mount", "runc, mount points", ENGINE,
            "the container does not start: the mount point cannot be created in a read-only file system",
            below("files \"w\" \"pvc://s/words\"", "/w/c"), "\"/w/c\"", "inside `/w`, which is mounted read-only", below("files \"w\" \"pvc://s/words\"", "/c")),
        ("a file mounted over a directory of the image", "runc, mount points", ENGINE,
            "the container does not start: a file can be mounted only over a file",
            below("files \"w\" \"https://h/words.txt\"", "/w/c").replace("at=\"/w\"", "at=\"/tmp\""), "\"https://h/words.txt\"", "no file can be mounted there", below("files \"w\" \"https://h/words.tar.gz\"", "/c").replace("at=\"/w\"", "at=\"/tmp\"")),
        ("a mount at a system directory", "runc, mount points", ENGINE,
            "the mount hides files of the image, and the kubelet cannot mount its own files into a read-only volume",
            data("/etc"), "\"/etc\"", "hide system files of the container", data("/etc/words")),
        ("a mount below a file of the kubelet", "runc, mount points", ENGINE,
            "the container does not start, because no directory can be created below a file",
            data("/etc/hosts/words"), "\"/etc/hosts/words\"", "`/etc/hosts` is reserved", data("/etc/hosts.d/words")),
        ("a mount above the service account token", "runc, mount points", ENGINE,
            "the container does not start, because the kubelet cannot mount the token into a read-only volume",
            data("/var/run"), "\"/var/run\"", "the service account token", data("/var/words")),
    ]));
    all
}

#[rustfmt::skip]
fn fetched() -> Vec<Pitfall> {
    let code = |uri: &str| lone(&format!("code \"{uri}\""), "");
    let disk = |size: &str| lone("code \"https://h/a.zip\"", &format!("resources cpus=1 memory=\"1GiB\" disk=\"{size}\""));
    let shared = |size: &str| {
        let roles = "role \"worker\" count=2\nrole \"evaluator\"";
        format!("job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"ml/a:1\"\ncode \"https://h/a.zip\"\nrun \"a\"\nresources cpus=1 memory=\"1GiB\" disk=\"{size}\"\n{roles}\n}}\n")
    };
    let mut all = rows("unsupported-uri", vec![
        ("a URL of a web directory", "stage.sh", In("a test that runs stage.sh against a web server"),
            "the web server returns a page that lists the directory, not the files in it",
            code("https://h/src/"), "\"https://h/src/\"", "a URL that ends in `/` returns a web page", code("https://h/src.tar.gz")),
    ]);
    all.extend(rows("disk-too-small", vec![
        ("a disk limit below the size of the code", "podEphemeralStorageLimitEviction", In("the eviction manager of the kubelet"),
            "the `emptyDir` with the code counts toward `ephemeral-storage`, so the kubelet evicts the pod and the job fails",
            disk("100MiB"), "\"100MiB\"", "becomes the `ephemeral-storage` limit of the pod, and downloaded files count toward it", disk("2GiB")),
        ("a disk limit of several roles below the size of the code", "podEphemeralStorageLimitEviction", In("the eviction manager of the kubelet"),
            "the `emptyDir` with the code counts toward `ephemeral-storage`, so the kubelet evicts the pod and the job fails",
            shared("100MiB"), "\"100MiB\"", "`disk` of `worker`, `evaluator` may be too small", shared("2GiB")),
    ]));
    let started = |at: &str| lone(&format!("data \"d\" \"pvc://c/d.csv\" at=\"/in/d.csv\"\nworkdir \"{at}\""), "");
    all.extend(rows("unsupported-feature", vec![
        ("a working directory that is a mounted file", "kubernetes#working-directory", ENGINE, "the container does not start, because its working directory is a file",
            started("/in/d.csv"), "\"/in/d.csv\"", "is a file, so the working directory", started("/in")),
    ]));
    all
}

#[rustfmt::skip]
fn queues() -> Vec<Pitfall> {
    let helper = "helper \"h\" { run \"b\"; resources cpus=1 memory=\"1GiB\"; }";
    let block = |inner: &str| lone(&format!("{helper}\n{}", options(inner)), "");
    let label = |key: &str| lone(&format!("{helper}\nlabels {{ \"{key}\" \"q\"; }}"), "");
    rows("unsupported-feature", vec![
        ("a helper in a Kueue queue with coscheduling", "kubernetes#kueue-quota", In("kubeflowjob_controller.go, which lists the roles that Kueue counts"),
            "Kueue counts only the TensorFlow roles of a TFJob, so the helper runs outside the quota of the queue",
            block("local-queue \"q\"; gang \"scheduler-plugins\""), "\"h\"", "Kueue counts only the TensorFlow roles", block("volcano-queue \"q\"; gang \"volcano\"")),
        ("a helper with Kueue's queue label", "kubernetes#kueue-quota", In("kubeflowjob_controller.go, which lists the roles that Kueue counts"),
            "the label puts the job into the Kueue queue, but Kueue does not count the helper",
            label("kueue.x-k8s.io/queue-name"), "\"h\"", "Kueue counts only the TensorFlow roles", label("example.com/queue-name")),
        ("a label with the prefix tfjob/", "kubernetes#tfjob-labels", ENGINE,
            "a Service selects all pods that have the labels of its selector, so a label of the job could add pods of the job to a Service of tfjob",
            lone("labels { \"tfjob/tensorboard\" \"a\"; }", ""), "\"tfjob/tensorboard\"", "labels with the prefix `tfjob/` are reserved", lone("labels { \"app.kubernetes.io/name\" \"tensorboard\"; }", "")),
    ])
}

#[rustfmt::skip]
fn pods() -> Vec<Pitfall> {
    let restricted = options("restricted #true");
    let mut all = rows("root-image", vec![
        ("an image that runs as root in a restricted namespace", "kuberuntime, verifyRunAsNonRoot", In("the kubelet, function verifyRunAsNonRoot"),
            "with `runAsNonRoot`, the kubelet does not start a container whose image runs as root",
            lone(&restricted, ""), "#true", "has no `user`", lone(&format!("user 1000\n{restricted}"), "")),
    ]);
    let label = "gpu-model-label \"nvidia.com/gpu.product\"";
    let model = "resources cpus=1 memory=\"1GiB\" gpus=1 gpu-model=\"V100\"";
    all.extend(rows("unmapped-gpu-model", vec![
        ("a short GPU model with the label of GPU feature discovery", "kubernetes#node-labels", In("GPU feature discovery, which writes the product name into `nvidia.com/gpu.product`"),
            "no node has the short name as the value of the label, so the pods stay pending",
            lone(&options(label), model), "\"V100\"", "no node has the label", lone(&options(&format!("{label}; gpu-models {{ \"V100\" \"Tesla-V100-SXM2-32GB\"; }}")), model)),
    ]));
    all.extend(rows("unexpanded-syntax", vec![
        ("a reference $(NAME) in an argument", "", ENGINE,
            "the kubelet expands an unescaped `$(NAME)`; tfjob escapes this text, so the program gets it as written",
            lone("", "run \"python\" \"a.py\" \"--host=$(POD_IP)\""), "\"--host=$(POD_IP)\"", "`$(POD_IP)` is not expanded", lone("", "run \"python\" \"a.py\" \"--host={env.POD_IP}\"")),
        ("a reference $(NAME) in an environment variable", "", ENGINE,
            "the kubelet expands an unescaped `$(NAME)`; tfjob escapes this text, so the program gets it as written",
            lone("", "env { HOST \"$(POD_IP)\"; }"), "\"$(POD_IP)\"", "`$(POD_IP)` is not expanded", lone("", "env { HOST \"{env.POD_IP}\"; }")),
    ]));
    all
}
