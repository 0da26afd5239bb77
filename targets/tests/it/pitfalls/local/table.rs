//! Pitfalls of a local run. Each is reported at its line, and a similar correct spec compiles.
use super::compiled::{many, one, pair};
use crate::pitfalls::{In, Pitfall, Row, rows};

const BIND: &str = "the man page bind(2): `EADDRINUSE`";
const CAPABILITIES: &str = "the man page capabilities(7)";
const CUDA: &str = "the CUDA Programming Guide: `CUDA_VISIBLE_DEVICES`";

/// Returns all rows.
pub fn pitfalls() -> Vec<Pitfall> {
    [
        rows("unsupported-feature", refused()),
        rows("ignored-locally", ignored()),
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
        ("one port number for two tasks of a role", "bind(2)", In(BIND), "both tasks run on the same machine, so the second one fails to open the port: `Address already in use`",
            many("", "port \"web\" 8080"), "8080", "only one of the 2 tasks that use port", many("", "port \"web\" \"auto\"")),
        ("one port number for two roles", "bind(2)", In(BIND), "the tasks of both roles run on the same machine, so the second one fails to open the port: `Address already in use`",
            one("tensorboard logs=\"file:///mnt/l\" port=8080", "port \"web\" 8080"), "tensorboard logs=\"file:///mnt/l\" port=8080", "only one of the 2 tasks that use port",
            one("tensorboard logs=\"file:///mnt/l\" port=6006", "port \"web\" 8080")),
        ("code from a URL in a local run", "the job.json of this target", In("the generated `job.json`"), "a local run downloads nothing, so the program starts without the files of its code",
            one("code \"https://h/code.zip\"", ""), "\"https://h/code.zip\"", "downloads nothing from `https:`", one("code \"./src\"", "")),
        ("a code archive in a local run", "the job.json of this target", In("the generated `job.json`"), "a local run does not unpack the archive, so the working directory would be a file",
            one("code \"./code.zip\"", ""), "\"./code.zip\"", "is not unpacked", one("code \"./code\"", "")),
        ("code with a mount path in a local run", "capabilities(7)", In(CAPABILITIES), "a local run copies and mounts nothing, so the code does not exist at that path",
            one("code \"./src\" at=\"/app\"", ""), "\"./src\"", "does not appear at `/app`", one("code \"file:///app\" at=\"/app\"", "")),
        ("data with a mount path in a local run", "capabilities(7)", In(CAPABILITIES), "a local run mounts nothing, so the data does not exist at that path",
            one("data \"d\" \"file:///mnt/d\" at=\"/d\"", ""), "\"/d\"", "mounts nothing", one("data \"d\" \"file:///mnt/d\" at=\"/mnt/d\"", "")),
        ("a volume claim in a local run", "capabilities(7)", In(CAPABILITIES), "a Kubernetes volume claim does not exist on this machine, so nothing can be mounted",
            one("checkpoints \"pvc://c\" at=\"/c\"", ""), "\"/c\"", "mounts nothing", one("checkpoints \"file:///c\" at=\"/c\"", "")),
        ("a `user` in a local run", "capabilities(7)", In(CAPABILITIES), "only root can start a program as another user; `setuid` fails for all others",
            one("", "user \"trainer\""), "\"trainer\"", "even if this user is root", one("", "")),
        ("a GPU model in a local run", "CUDA Programming Guide", In(CUDA), "CUDA assigns GPUs by index, and a local run does not check their model",
            gpu("gpu-model=\"a100\""), "\"a100\"", "does not check their model", gpu("")),
        ("a device in a local run", "mount_namespaces(7)", In("the man page mount_namespaces(7)"), "every process can use all devices of the machine, so a local run cannot assign a device to one task",
            one("", "resources cpus=1 memory=\"1GiB\" { device \"rdma/hca\" 1; }"), "1", "assigns GPUs, but not `rdma/hca`", one("", "")),
        ("a secret file in a local run", "environ(7)", In("the man page environ(7)"), "a local run has no secret store that provides the file, and a written file would stay on the disk",
            one("", "secret \"TOKEN\" from=\"store\" key=\"token\" at=\"/etc/token\""), "\"TOKEN\"", "secret files are not supported: the program does not get the file",
            one("", "secret \"TOKEN\" from=\"store\" key=\"token\"")),
        ("two secrets for one variable", "environ(7)", In("the man page environ(7)"), "a local run reads secrets from its environment, so both roles would get the same value",
            two("b"), "\"TOKEN\"", "is set to two different secrets", two("a")),
        ("Kerberos in a local run", "kinit(1)", In("the man page kinit(1)"), "programs use the ticket cache of the user who starts the run, so `kerberos` has no effect",
            one("kerberos principal=\"ml@EXAMPLE.COM\" keytab=\"file:///etc/ml.keytab\"", ""), "kerberos principal=\"ml@EXAMPLE.COM\" keytab=\"file:///etc/ml.keytab\"", "tasks use the ticket cache of the user who starts `tfjob run`", one("", "")),
        ("a check for checkpoints at a URI", "the shim: it reads only directories", In("the source of the shim"), "the shim can check only local directories, so the job would continue from existing checkpoints",
            one("checkpoints \"s3a://b/c\" if-exists=\"fail\"", ""), "\"fail\"", "only in a directory of this machine", one("checkpoints \"./c\" if-exists=\"fail\"", "")),
        ("`restart \"always\"` for a role that decides success", "the shim starts again after success", In("the source of the shim"), "the task restarts each time it exits, so the job waits for the task indefinitely",
            one("", "restart \"always\""), "\"always\"", "`worker` never finishes, so the job never completes", many("", "restart \"always\"")),
    ]
}

#[rustfmt::skip]
fn ignored() -> Vec<Row> {
    vec![
        ("an image in a local run", "execve(2)", In("the man page execve(2)"), "the program runs directly on this machine, with the versions that are installed there",
            one("image \"ml/mnist:1.0\"", ""), "\"ml/mnist:1.0\"", "not in `ml/mnist:1.0`", one("", "")),
        ("a `placement` that spreads tasks, in a local run", "one machine", In("the generated `job.json`"), "a local run has only one machine, so it cannot spread tasks",
            many("", "placement { spread \"host\"; }"), "\"host\"", "all tasks run on this machine", many("", "")),
    ]
}

#[rustfmt::skip]
fn ports() -> Vec<Row> {
    vec![
        ("a rendezvous port number in the arguments", "bind(2)", In(BIND), "each task gets a free rendezvous port; if the program opens the port number in its arguments instead, peers cannot connect to it",
            pair("run \"python\" \"t.py\" \"--port=2222\""), "\"--port=2222\"", "do not connect to port 2222",
            pair("run \"python\" \"t.py\" \"--port={port.rendezvous}\"")),
        ("a rendezvous port number in a shell command", "bind(2)", In(BIND), "each task gets a free rendezvous port; if the program opens the port number in the command instead, peers cannot connect to it",
            pair("shell \"exec python t.py 2222\""), "\"exec python t.py 2222\"", "do not connect to port 2222",
            pair("shell \"exec python t.py $TFJOB_PORT_RENDEZVOUS\"")),
    ]
}
