//! Specs for texts about local runs.
use super::Arm;
use crate::pitfalls::local::compiled::{many, one, pair};

/// Returns specs for the branches that no example, pitfall, or error page reaches.
#[rustfmt::skip]
pub fn arms() -> Vec<Arm> {
    let job = |words: &str| one(words, "");
    let board = |logs: &str| job(&format!("tensorboard logs=\"{logs}\""));
    vec![
        ("`{code}` expands to the directory that contains the file `./t.py`", job("code \"./t.py\"")),
        ("write `at=\"/opt/src\"`, or remove `at`", job("code \"file:///opt/src\" at=\"/app\"")),
        ("read-only access is not enforced", job("data \"d\" \"file:///d\" at=\"/d\"")),
        ("a program cannot open `nfs://h/d` without a mount", job("data \"d\" \"nfs://h/d\"")),
        ("remove `at`, so that the program opens the URI", job("data \"d\" \"s3a://b/d\" at=\"/d\"")),
        ("remove `at`; a reference such as `{checkpoints}` or `{data.NAME}` expands to the path", job("data \"d\" \"./d\" at=\"/d\"")),
        ("write `at=\"/mnt/d\"`", job("data \"d\" \"file:///mnt/d\" at=\"/d\"")),
        ("the shim checks for existing checkpoints before the first start", job("checkpoints \"./c\" if-exists=\"fail\"")),
        ("only the program can access these checkpoints", job("checkpoints \"s3a://b/c\" every=\"5m\"")),
        ("a probe needs a fixed port number, but port `web` gets its number at startup", one("", "port \"web\" \"auto\"\n ready tcp=\"web\"")),
        ("the shim restarts the program; if one task fails, its peers fail too, so all of them restart", pair("restart \"on-failure\" scope=\"job\"")),
        ("the shim restarts the program; if one task fails, its peers fail too, and a role without `restart` then ends the job",
            pair("restart \"on-failure\" scope=\"job\"").replace(" role \"worker\"", " role \"chief\" { run \"c\"; resources cpus=1 memory=\"64MiB\"; }\n role \"worker\"")),
        ("only the failed task of `worker` restarts, because its peers are not notified", many("", "restart \"on-failure\" scope=\"job\"")),
        ("TensorBoard runs as a task named `tensorboard`", job("checkpoints \"./c\"\n tensorboard").replace("\"worker\"", "\"tensorboard\"").replace("tensorflow\"", "custom\"").replace(" version=\"2.15\"", "")),
        ("TensorBoard runs as a separate task, which cannot read the `{scratch}` directory", board("{scratch}")),
        ("TensorBoard runs as a separate task, but `logs` refers to a value of another task", board("{env.LOGS}")),
        ("`tfjob run` picks a free port for each task", pair("port \"rendezvous\" \"auto\"")),
        ("the shim picks a free port", one("", "port \"web\" \"auto\"")),
        ("only one task uses this port, and the program opens it", one("", "port \"web\" 8080")),
        ("tasks run as the user who starts `tfjob run`, even if this user is root", one("", "user 1000")),
        ("tasks are processes on this machine", job("network \"host\"")),
        ("the program passes the protocol to its TensorFlow server", job("protocol \"grpc\"")),
        ("local: an argument would be 140000 bytes long", job("").replace("t.py", &"a".repeat(140_000))),
    ]
}
