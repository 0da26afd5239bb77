//! Pitfalls of a local run: each is reported at its line, and a similar correct spec compiles.
use super::compiled::{many, one, pair};
use crate::pitfalls::{In, Pitfall, Row, rows};

const BIND: &str = "bind(2): EADDRINUSE";
const CAPABILITIES: &str = "capabilities(7)";
const CUDA: &str = "CUDA Programming Guide, CUDA_VISIBLE_DEVICES";

/// Every row.
pub fn pitfalls() -> Vec<Pitfall> {
    [
        rows("unsupported-feature", refused()),
        rows("ignored-feature", ignored()),
        rows("port-conflict", ports()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[rustfmt::skip]
fn refused() -> Vec<Row> {
    let gpu = |words: &str| one("", &format!("resources cpus=1 memory=\"1GiB\" gpus=1 {words}"));
    let two = |key: &str| {
        let secret = |key: &str| format!("secret \"TOKEN\" from=\"store\" key=\"{key}\"");
        many("", &secret("a")).replace("role \"ps\" {", &format!("role \"ps\" {{ {};", secret(key)))
    };
    vec![
        ("one port for two tasks", "bind(2)", In(BIND), "the second task that opens the port fails with `Address already in use`",
            many("", "port \"web\" 8080"), "8080", "2 tasks would open it", many("", "port \"web\" \"auto\"")),
        ("one port for two roles", "bind(2)", In(BIND), "two roles with one task each share the machine, and one of them cannot open the port",
            one("tensorboard logs=\"file:///mnt/l\" port=8080", "port \"web\" 8080"), "tensorboard logs=\"file:///mnt/l\" port=8080", "2 tasks would open it",
            one("tensorboard logs=\"file:///mnt/l\" port=6006", "port \"web\" 8080")),
        ("code from a URL in a local run", "the job.json of this target", In("the job.json of this target"), "nothing downloads the archive, and the program starts in a directory without its files",
            one("code \"https://h/code.zip\"", ""), "\"https://h/code.zip\"", "downloads nothing from `https:`", one("code \"./src\"", "")),
        ("a code archive in a local run", "the job.json of this target", In("the job.json of this target"), "the working directory of the program would be an archive file",
            one("code \"./code.zip\"", ""), "\"./code.zip\"", "is not unpacked", one("code \"./code\"", "")),
        ("code at another path", "capabilities(7)", In(CAPABILITIES), "nothing is copied or mounted, so nothing appears at that path",
            one("code \"./src\" at=\"/app\"", ""), "\"./src\"", "does not appear at `/app`", one("code \"file:///app\" at=\"/app\"", "")),
        ("data at another path", "capabilities(7)", In(CAPABILITIES), "nothing is mounted, so the path does not exist",
            one("data \"d\" \"file:///mnt/d\" at=\"/d\"", ""), "\"/d\"", "mounts nothing", one("data \"d\" \"file:///mnt/d\" at=\"/mnt/d\"", "")),
        ("a volume claim in a local run", "capabilities(7)", In(CAPABILITIES), "the volume does not exist on this machine",
            one("checkpoints \"pvc://c\" at=\"/c\"", ""), "\"/c\"", "mounts nothing", one("checkpoints \"file:///c\" at=\"/c\"", "")),
        ("another user in a local run", "capabilities(7)", In(CAPABILITIES), "only root can switch users; `setuid` fails for all others",
            one("", "user \"trainer\""), "\"trainer\"", "cannot switch to `trainer`", one("", "")),
        ("a GPU model in a local run", "CUDA Programming Guide", In(CUDA), "GPUs are assigned by index, and their model is not checked",
            gpu("gpu-model=\"a100\""), "\"a100\"", "does not check their model", gpu("")),
        ("a device in a local run", "mount_namespaces(7)", In("mount_namespaces(7)"), "every process can use all devices, so a device cannot be assigned to one task",
            one("", "resources cpus=1 memory=\"1GiB\" { device \"rdma/hca\" 1; }"), "1", "assigns GPUs, but not `rdma/hca`", one("", "")),
        ("a secret file in a local run", "environ(7)", In("environ(7)"), "no secret store writes the file, and it would stay on the disk",
            one("", "secret \"TOKEN\" from=\"store\" key=\"token\" at=\"/etc/token\""), "\"TOKEN\"", "secret files are not supported",
            one("", "secret \"TOKEN\" from=\"store\" key=\"token\"")),
        ("two secrets with the same name", "environ(7)", In("environ(7)"), "both roles would get the same value of the variable",
            two("b"), "\"TOKEN\"", "is set to two different secrets", two("a")),
        ("Kerberos in a local run", "kinit(1)", In("kinit(1)"), "a program reads the ticket cache of the user who started it, and ignores `kerberos`",
            one("kerberos principal=\"ml@EXAMPLE.COM\" keytab=\"file:///etc/ml.keytab\"", ""), "kerberos principal=\"ml@EXAMPLE.COM\" keytab=\"file:///etc/ml.keytab\"", "tasks use the ticket cache of the user who starts `tfjob run`", one("", "")),
        ("a check for checkpoints at a URI", "the shim: it reads only directories", In("the shim's checkpoints.rs"), "nothing checks the directory, and the job continues from existing checkpoints",
            one("checkpoints \"s3a://b/c\" if-exists=\"fail\"", ""), "\"fail\"", "only in directories of this machine", one("checkpoints \"./c\" if-exists=\"fail\"", "")),
        ("a deciding task that always restarts", "the shim starts again after success", In("the shim's budget.rs"), "the job waits forever for a task that restarts each time it exits",
            one("", "restart \"always\""), "\"always\"", "`worker` never finishes, so the job never completes", many("", "restart \"always\"")),
    ]
}

#[rustfmt::skip]
fn ignored() -> Vec<Row> {
    vec![
        ("an image in a local run", "execve(2)", In("execve(2)"), "the program that is installed on this machine runs, in any version",
            one("image \"ml/mnist:1.0\"", ""), "\"ml/mnist:1.0\"", "not in `ml/mnist:1.0`", one("", "")),
        ("spread tasks on one machine", "one machine", In("the job.json of this target"), "there is no second machine",
            many("", "placement { spread \"host\"; }"), "\"host\"", "all tasks run on this machine", many("", "")),
    ]
}

#[rustfmt::skip]
fn ports() -> Vec<Row> {
    vec![
        ("a rendezvous port number in the arguments", "bind(2)", In(BIND), "each task gets a free rendezvous port, so peers do not connect to a program that opens the number of the spec",
            pair("run \"python\" \"t.py\" \"--port=2222\""), "\"--port=2222\"", "do not connect to port 2222",
            pair("run \"python\" \"t.py\" \"--port={port.rendezvous}\"")),
        ("a rendezvous port number in a shell command", "bind(2)", In(BIND), "each task gets a free rendezvous port, so peers do not connect to a program that opens the number of the spec",
            pair("shell \"exec python t.py 2222\""), "\"exec python t.py 2222\"", "do not connect to port 2222",
            pair("shell \"exec python t.py $TFJOB_PORT_RENDEZVOUS\"")),
    ]
}
