//! One text for each cause, and for each manager of Spark. Tests in `helped.rs` type the helps.
use super::Arm;

const SINGLE: &str = "framework \"tensorflow\" version=\"2.15\"";
const STEP: &str = "framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"";
const SERVERS: &str = "framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"";
const TORCH: &str = "framework \"pytorch\"";
const PODS: &str = "master \"k8s://https://h:6443\"; upload \"s3a://bucket/tmp\"";
const STANDALONE: &str = "master \"spark://h:7077\"";

/// Fields of a job, and options of the target.
fn spec(target: &str, framework: &str, fields: &str, options: &str) -> String {
    let block = match target {
        "local" => "target \"local\"".to_owned(),
        _ => format!("target \"{target}\" {{\n{options}\n}}"),
    };
    format!(
        "job \"a\" {{\n{framework}\nimage \"ml/a:1\"\nrun \"python\" \"/app/a.py\"\nresources cpus=1 memory=\"1GiB\"\n{fields}\n\
         {block}\n}}\n"
    )
}

/// Options in the block of a job with one worker.
fn block(target: &str, options: &str) -> String {
    spec(target, SINGLE, "role \"worker\"", options)
}

/// Fields of a job with one worker.
fn one(target: &str, fields: &str) -> String {
    spec(target, SINGLE, &format!("{fields}\nrole \"worker\""), "")
}

/// The causes that a target tells apart.
pub fn causes(target: &str) -> Vec<Arm> {
    match target {
        "yarn" => yarn(),
        "kubernetes" => kubernetes(),
        "dcos" => vec![
            ("a job with one task needs no gang scheduling", one("dcos", "start gang=#true")),
            (
                "`https://h/dir/` is a directory, but `shim` needs the file",
                block("dcos", "shim url=\"https://h/dir/\""),
            ),
            (
                "; put this into a file for `dcos` that `extends` this one, because other targets need `key`",
                one("dcos", "secret \"K\" from=\"a\" key=\"b\"\ntarget \"kubernetes\""),
            ),
            (
                "(2) a path without `/` for the secret, because `group` cannot be `/Seg`",
                one("dcos", "secret \"K\" from=\"Seg/x\""),
            ),
            (
                "Marathon does not stop the tasks of `ps`, `h`, and `s` when the job finishes",
                spec(
                    "dcos",
                    SERVERS,
                    "role \"chief\"\nrole \"worker\"\nrole \"ps\"\nhelper \"h\"\nhelper \"s\"",
                    "",
                ),
            ),
            (
                "(2) a path of names separated by single `/`, such as `team/key`, in `from`",
                one("dcos", "secret \"K\" from=\"a//b\""),
            ),
            (
                "the DNS name of a task would be `worker-0-a",
                one("dcos", "").replace("job \"a\"", &format!("job \"{}\"", "a".repeat(63))),
            ),
        ],
        "spark" => spark(),
        "local" => local(),
        _ => Vec::new(),
    }
}

#[rustfmt::skip]
fn yarn() -> Vec<Arm> {
    let block = |options: &str| block("yarn", options);
    let ports = |framework: &str, fields: &str| spec("yarn", framework, fields, "hadoop \"3.3\"; dns-domain \"cluster\"");
    vec![
        ("`./x` is a path next to the spec, which the service master cannot read", block("shim url=\"./x\"")),
        ("`file:///x` is a path of one machine, but", block("shim url=\"file:///x\"")),
        ("`hdfs:///dir/` is a directory, not a file", block("docker-config \"hdfs:///dir/\"")),
        ("`https://a/x` is on a web server, but", block("docker-config \"https://a/x\"")),
        ("`pvc://c/x` cannot be read by YARN: Hadoop has no client for this scheme", block("shim url=\"pvc://c/x\"")),
        ("`.example.com` has a `.` without a name before or after it", block("dns-domain \".example.com\"")),
        ("`bad` is not a URI", block("mounted { \"bad\" \"/x\"; }")),
        ("`My_Site` is not a DNS label", block("dns-domain \"My_Site\"")),
        ("supported versions are Hadoop 3.1.2 to 3.4; to try the artifacts for Hadoop 3.4", block("hadoop \"4\"")),
        ("compile for `--target spark`, which does not use the YARN Services framework", block("hadoop \"2.7\"")),
        ("the NodeManager sends SIGKILL some time after SIGTERM", one("yarn", "stop grace=\"0s\"")),
        ("TensorBoard runs in a separate container, so it cannot read these logs",
            spec("yarn", SINGLE, "tensorboard logs=\"/tmp/x\"\nrole \"worker\"", "hadoop \"3.3\"")),
        ("or, in a spec for `yarn` only, write `network",
            ports(STEP, "role \"worker\" count=2\ntarget \"kubernetes\"")),
        ("write `pull=\"missing\"`, or remove `pull`", one("yarn", "").replace("ml/a:1\"", "ml/a:1\" pull=\"never\"")),
        ("is not supported for `worker`, which decides job success: the program would run again", one("yarn", "restart \"always\" limit=2")),
        ("remove `pull=\"always\"`: an image with a digest never changes", block("hadoop \"3.3\"").replace("ml/a:1\"", &format!("ml/a@sha256:{}\" pull=\"always\"", "a".repeat(64)))),
        ("and use an image tag that is never overwritten", one("yarn", "").replace("ml/a:1\"", "ml/a:1\" pull=\"always\"")),
        ("pack the code, and copy the archive to HDFS", one("yarn", "code \"pvc://c/code\"")),
        ("submit the job as the user with UID 0", one("yarn", "user 0")),
        ("submit the job as `ada`", one("yarn", "user \"ada\"")),
        ("add `at=\"/mnt/d\"`, or another path in the container", one("yarn", "data \"d\" \"file:///mnt/d\"")),
        ("put tasks of the same role on different hosts, with all 4 of these edits: `port \"rendezvous\" 2223` in `role \"worker\"`; `port",
            ports(SERVERS, "role \"chief\"\nrole \"worker\" count=2\nrole \"ps\"")),
        ("(2) write `port \"rendezvous\" 2223` in `role \"chief\"`", ports(SERVERS, "role \"worker\"\nrole \"chief\"").replace("parameter-server", "multi-worker-mirrored")),
        ("`spread \"host\"` in the `placement` block for `role \"worker\"`",
            ports(STEP, "role \"worker\" count=2\nplacement { partition \"gpu\"; }")),
        ("yarn: TensorBoard and tasks of `worker` may run on the same node",
            ports(SINGLE, "role \"worker\" { port \"web\" 6006; }\ntensorboard logs=\"hdfs://a/b\"")),
        ("and the cluster runs Hadoop 3.3 or later, write `when=\"ready\"` and",
            spec("yarn", "framework \"custom\"", "role \"worker\"\nrole \"chief\" { after \"worker\" when=\"done\"; }", "").replace("target \"yarn\" {\n\n}\n", "")),
        (" and `keytab=\"hdfs:///keytabs/trainer.keytab\"`, because YARN reads keytabs from HDFS",
            one("yarn", "kerberos principal=\"ml@X.COM\" keytab=\"secret:K\"\nsecret \"K\" from=\"a\" key=\"b\" at=\"/k\"")),
        ("`min=1` is not supported: the service", ports("framework \"custom\"", "role \"w\" count=2 min=1")),
    ]
}

#[rustfmt::skip]
fn kubernetes() -> Vec<Arm> {
    let shim = |path: &str| block("kubernetes", &format!("shim path=\"{path}\""));
    vec![
        ("run `worker` as a separate job before this one",
            spec("kubernetes", "framework \"custom\"", "role \"worker\"\nrole \"chief\" { after \"worker\" when=\"done\"; }", "")),
        ("run the role as a separate job; or, if its result does not matter",
            spec("kubernetes", "framework \"custom\"", "role \"worker\"\nrole \"ps\"\nrole \"scorer\"", "")),
        (", and use only the roles `chief`, `worker`, and `ps`",
            spec("kubernetes", "framework \"mxnet\"", "role \"scheduler\"\nrole \"server\"\nrole \"worker\" count=2", "")),
        ("a reference to the addresses of a role expands to one address per task",
            spec("kubernetes", "framework \"custom\"", "role \"worker\" count=8000 { env { PEERS \"{addresses.worker}\"; }; }", "")),
        ("`/` is a directory, but `shim` needs the file", shim("/")),
        ("`/opt` is a directory, but `shim` needs the file", shim("/opt")),
        ("`/dev/shm/x` cannot be a file of the image", shim("/dev/shm/x")),
        ("`/etc/hosts` cannot be a file of the image", shim("/etc/hosts")),
        ("`/proc/x` cannot be a file of the image", shim("/proc/x")),
        ("`min` is not supported: the operator always creates 2 pods of `worker`, and a TFJob has no field for a smaller number",
            spec("kubernetes", "framework \"custom\"", "role \"worker\" count=2 min=1", "")),
        ("write `toleration \"gpu\" value=\"true\" effect=\"NoSchedule\"`", block("kubernetes", "toleration \"gpu=true:NoSchedule\"")),
        ("write `toleration \"gpu\" effect=\"NoExecute\"`", block("kubernetes", "toleration \"gpu:NoExecute\"")),
        ("write `user 0`, the user ID of `root`", one("kubernetes", "user \"root\"")),
        ("such as `user 1000`: a `restricted` namespace forbids `root`", block("kubernetes", "restricted #true").replace("run \"p", "user \"root\"\nrun \"p")),
        ("is not supported for the role that decides job success: the program would run again", one("kubernetes", "restart \"always\" limit=2")),
        ("the operator always creates 2 pods of `h`, and a TFJob has no field", one("kubernetes", "helper \"h\" count=2 min=1")),
        ("`/opt/t/shim` cannot be a file of the image, because the job mounts a volume at `/opt/t`",
            block("kubernetes", "shim path=\"/opt/t/shim\"").replace("role \"w", "checkpoints \"pvc://c\" at=\"/opt/t\"\nrole \"w")),
        ("`/var/run/secrets/kubernetes.io/serviceaccount/x` cannot be a file", shim("/var/run/secrets/kubernetes.io/serviceaccount/x")),
        ("pods cannot read an archive next to the spec", one("kubernetes", "code \"./src.zip\"")),
        ("remove `limit` and `if-exists`, so that the operator recreates lost workers (`enableDynamicWorker`)", one("kubernetes",
            "checkpoints \"pvc://c/d\" at=\"/c\" if-exists=\"fail\"\nrestart \"on-failure\" limit=3")),
    ]
}

#[rustfmt::skip]
fn spark() -> Vec<Arm> {
    let block = |options: &str| block("spark", options);
    let one = |fields: &str| one("spark", fields);
    let of = |manager: &str| spec("spark", SINGLE, "user 1000\nrole \"worker\"", manager);
    let pulled = |pull: &str| one("").replace("ml/a:1\"", &format!("ml/a:1\" pull=\"{pull}\""));
    let step = |fields: &str, role: &str| spec("spark", STEP, &format!("{fields}\nrole \"worker\" count=2 {{\n{role}\n}}"), "");
    let helper = "role \"worker\"\nhelper \"h\" count=2 { port \"web\" \"auto\"; ready tcp=\"web\"; }";
    vec![
        ("executors cannot download the shim from `./x`: it is a path on the submitting host", block("shim url=\"./x\"")),
        ("executors cannot download the shim from `file:///x`: it is a path on the submitting host", block("shim url=\"file:///x\"")),
        ("executors cannot download the shim from `pvc://c/x`: Spark cannot fetch files from", block("shim url=\"pvc://c/x\"")),
        ("`https://h/dir/` is a directory, but `shim` needs the file", block("shim url=\"https://h/dir/\"")),
        ("`/` is a directory, but `shim` needs the file", block("shim path=\"/\"")),
        ("spark-submit cannot upload the shim from `/a'b`: it contains `'`, but only", block("shim path=\"/a'b\"")),
        ("spark-submit cannot upload the shim from `/a b`: it contains a space, but only", block("shim path=\"/a b\"")),
        ("it contains a control character, but only", block("shim path=\"/a\\u{7}b\"")),
        ("spark-submit cannot upload the shim from `/a:b`: Spark reads the text before `:`", block("shim path=\"/a:b\"")),
        ("executors start one by one: TensorFlowOnSpark starts the tasks only when all", step("start gang=#true", "")),
        ("a job with one task needs no gang scheduling", one("start gang=#true")),
        ("and submit the job as the user with UID 1000", of("")),
        ("and submit the job as `ada`", one("user \"ada\"")),
        ("executors run as the user of the standalone worker that starts them", of(STANDALONE).replace("image \"ml/a:1\"\n", "")),
        ("executors on Kubernetes run as the user of the image", of(PODS)),
        ("YARN always pulls an image that the node does not have, and no Spark setting", pulled("never")),
        ("YARN pulls an image only if the node does not have it, and no Spark setting", pulled("always")),
        ("all executors of a Spark job have the same size: the task of `chief` reserves 1 GPU", spec("spark", SERVERS, "role \"chief\"\nrole \"worker\" count=2 { resources cpus=1 memory=\"1GiB\" gpus=1; }\nrole \"ps\"", "")),
        ("or run on Kubernetes: `target \"spark\" { master \"k8s://…\" }`", one("").replace("ml/a:1\"", "ml/a:1\" pull-secret=\"x\"")),
        ("copy the files to `hdfs:` or `gs:`, so that the program opens the URI", one("data \"d\" \"./x.csv\"")),
        ("copy the files to `hdfs:` or `gs:`; or run on Kubernetes, with `at", one("data \"d\" \"pvc://c/x\"")),
        ("write `s3a://b/code.zip`", one("code \"s3://b/code.zip\"")),
        ("copy the file to storage that Spark can read", one("code \"pvc://c/code.zip\"")),
        ("rename the file or directory: use letters, digits, and", one("code \"hdfs://n/a,b/code.zip\"")),
        ("the shim writes TF_CONFIG for each task", step("", "")),
        ("would list the evaluator as a member of the training cluster", spec("spark", SERVERS, "role \"chief\"\nrole \"worker\"\nrole \"ps\"\nrole \"evaluator\"", "")),
        ("write `ready tcp=\"rendezvous\"`, because TensorFlow listens on a different rendezvous port in each task", step("port \"web\" \"auto\"", "ready http=\"web/\"")),
        ("and `ready tcp=\"rendezvous\"` in `role \"worker\"`: a port with `auto` cannot be probed", step("port \"web\" 8080", "ready http=\"web/\"")),
        ("write `port \"web\" 8000`, or another fixed number", one("port \"web\" \"auto\"\nready tcp=\"web\"")),
        ("remove `ready`: a port with `auto` cannot be probed", spec("spark", SINGLE, helper, "")),
        ("remove `ready`: a port with `auto` cannot be probed",
            spec("spark", SERVERS, "role \"chief\"\nrole \"worker\"\nrole \"ps\"\nrole \"evaluator\" { ready tcp=\"web\"; }\nport \"web\" \"auto\"", "")
                .replace("parameter-server", "custom")),
    ]
}

#[rustfmt::skip]
fn local() -> Vec<Arm> {
    let one = |fields: &str| one("local", fields);
    let step = |fields: &str, role: &str| spec("local", STEP, &format!("{fields}\nrole \"worker\" count=2 {{\n{role}\n}}"), "");
    vec![
        ("and start `tfjob run` as the user with UID 0", one("user 0")),
        ("and start `tfjob run` as `ada`", one("user \"ada\"")),
        ("write `ready tcp=\"rendezvous\"`, because TensorFlow listens on a different rendezvous port in each task", step("port \"web\" \"auto\"", "ready http=\"web/\"")),
        ("and `ready tcp=\"rendezvous\"` in `role \"worker\"`: a port with `auto` cannot be probed", step("port \"web\" 8080", "ready http=\"web/\"")),
        ("remove `ready`: a port with `auto` cannot be probed",
            spec("local", TORCH, "role \"master\"\nrole \"worker\" count=2 { port \"web\" \"auto\"; ready http=\"web/up\"; }", "")),
        ("and remove `ready`: a port with `auto` cannot be probed",
            spec("local", TORCH, "role \"master\"\nrole \"worker\" count=2 { port \"web\" 8080; ready http=\"web/up\"; }", "")),
        ("remove `ready`: a port with `auto` cannot be probed",
            spec("local", SERVERS, "role \"chief\"\nrole \"worker\"\nrole \"ps\"\nrole \"evaluator\" { ready tcp=\"web\"; }\nport \"web\" \"auto\"", "")),
        ("remove `ready`: a port with `auto` cannot be probed",
            spec("local", "framework \"custom\"", "role \"w\" count=2 { port \"rendezvous\" 2222; port \"web\" \"auto\"; ready tcp=\"web\"; }", "")),
        ("and remove `ready`: a port with `auto` cannot be probed",
            one("helper \"h\" count=2 { port \"web\" 8080; ready tcp=\"web\"; }")),
        ("set another `port` of `tensorboard`", one("port \"web\" 6006\ntensorboard logs=\"/l\"")),
        ("`min=1` is not supported: a local run starts all tasks", spec("local", "framework \"custom\"", "role \"w\" count=2 min=1", "")),
    ]
}
