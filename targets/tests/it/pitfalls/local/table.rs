//! Traps that a spec can walk into: each is diagnosed at its own words, and its nearest neighbour compiles.
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
        ("one port for two tasks", "bind(2)", In(BIND), "the second task that opens the port ends with `Address already in use`",
            many("", "port \"web\" 8080"), "8080", "2 of them want port 8080", many("", "port \"web\" \"auto\"")),
        ("one port for two roles", "bind(2)", In(BIND), "two roles of one task each share the machine, and one of them does not get its port",
            one("tensorboard logs=\"file:///mnt/l\" port=8080", "port \"web\" 8080"), "tensorboard logs=\"file:///mnt/l\" port=8080", "2 of them want port 8080",
            one("tensorboard logs=\"file:///mnt/l\" port=6006", "port \"web\" 8080")),
        ("code that nobody fetches", "the job.json of this target", In("the job.json of this target"), "no container is there to fetch it, and the program starts in a folder without its files",
            one("code \"https://h/code.zip\"", ""), "\"https://h/code.zip\"", "fetches nothing from `https:`", one("code \"./src\"", "")),
        ("code that nobody unpacks", "the job.json of this target", In("the job.json of this target"), "the program would start in an archive as if it were a folder",
            one("code \"./code.zip\"", ""), "\"./code.zip\"", "does not unpack", one("code \"./code\"", "")),
        ("code at another path", "capabilities(7)", In(CAPABILITIES), "nothing is copied or mounted, so nothing appears at that path",
            one("code \"./src\" at=\"/app\"", ""), "\"./src\"", "puts nothing at `/app`", one("code \"file:///app\" at=\"/app\"", "")),
        ("data at another path", "capabilities(7)", In(CAPABILITIES), "no container is there to mount it into, and the path does not exist",
            one("data \"d\" \"file:///mnt/d\" at=\"/d\"", ""), "\"/d\"", "mounts nothing", one("data \"d\" \"file:///mnt/d\" at=\"/mnt/d\"", "")),
        ("a claim of another platform", "capabilities(7)", In(CAPABILITIES), "there is no such volume here",
            one("checkpoints \"pvc://c\" at=\"/c\"", ""), "\"/c\"", "mounts nothing", one("checkpoints \"file:///c\" at=\"/c\"", "")),
        ("another user", "capabilities(7)", In(CAPABILITIES), "setuid fails for everyone but root, and root would hand its rights on",
            one("", "user \"trainer\""), "\"trainer\"", "may not become `trainer`", one("", "")),
        ("a model of GPUs", "CUDA Programming Guide", In(CUDA), "devices are given by their number, whatever they are",
            gpu("gpu-model=\"a100\""), "\"a100\"", "does not look at their model", gpu("")),
        ("another device", "mount_namespaces(7)", In("mount_namespaces(7)"), "every process sees all devices, so none can be counted out to one task",
            one("", "resources cpus=1 memory=\"1GiB\" { device \"rdma/hca\" 1; }"), "1", "counts GPUs, and no `rdma/hca`", one("", "")),
        ("a file with a secret", "environ(7)", In("environ(7)"), "there is no store that would write it, and it would stay on the disk",
            one("", "secret \"TOKEN\" from=\"store\" key=\"token\" at=\"/etc/token\""), "\"TOKEN\"", "has no store of secrets",
            one("", "secret \"TOKEN\" from=\"store\" key=\"token\"")),
        ("two secrets of one name", "environ(7)", In("environ(7)"), "both roles would be given the one variable that is set",
            two("b"), "\"TOKEN\"", "cannot hold two secrets", two("a")),
        ("a ticket that is another's", "kinit(1)", In("kinit(1)"), "a program reads the cache of who started it, whatever the job says",
            one("kerberos principal=\"ml@EXAMPLE.COM\" keytab=\"file:///etc/ml.keytab\"", ""), "kerberos principal=\"ml@EXAMPLE.COM\" keytab=\"file:///etc/ml.keytab\"", "gives tasks the ticket that who runs the job has", one("", "")),
        ("old state behind an address", "the shim looks into folders alone", In("the shim's checkpoints.rs"), "nobody looks, and the job goes on from what is there",
            one("checkpoints \"s3a://b/c\" if-exists=\"fail\"", ""), "\"fail\"", "in folders of this machine alone", one("checkpoints \"./c\" if-exists=\"fail\"", "")),
        ("a task that never ends", "the shim starts again after success", In("the shim's budget.rs"), "the job waits for the end of a task that is started again whenever it has ended",
            one("", "restart \"always\""), "\"always\"", "the job ends with `worker`", many("", "restart \"always\"")),
    ]
}

#[rustfmt::skip]
fn ignored() -> Vec<Row> {
    vec![
        ("an image that is not run", "execve(2)", In("execve(2)"), "the program is what the machine has under that name, of whatever version",
            one("image \"ml/mnist:1.0\"", ""), "\"ml/mnist:1.0\"", "not in `ml/mnist:1.0`", one("", "")),
        ("tasks apart", "one machine", In("the job.json of this target"), "there is no second host to go to",
            many("", "placement { spread \"host\"; }"), "\"host\"", "runs all tasks on one machine", many("", "")),
    ]
}

#[rustfmt::skip]
fn ports() -> Vec<Row> {
    vec![
        ("the number of a rendezvous in the program's words", "bind(2)", In(BIND), "each task has a free port for the rendezvous, and a program that opens the number it was given meets nobody",
            pair("run \"python\" \"t.py\" \"--port=2222\""), "\"--port=2222\"", "do not connect to port 2222",
            pair("run \"python\" \"t.py\" \"--port={port.rendezvous}\"")),
        ("the number of a rendezvous in a shell", "bind(2)", In(BIND), "each task has a free port for the rendezvous, and a program that opens the number it was given meets nobody",
            pair("shell \"exec python t.py 2222\""), "\"exec python t.py 2222\"", "do not connect to port 2222",
            pair("shell \"exec python t.py $TFJOB_PORT_RENDEZVOUS\"")),
    ]
}
