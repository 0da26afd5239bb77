//! What this machine says.
use super::Arm;
use crate::pitfalls::local::compiled::{many, one, pair};

/// What no example, trap or page meets.
#[rustfmt::skip]
pub fn arms() -> Vec<Arm> {
    let job = |words: &str| one(words, "");
    let board = |logs: &str| job(&format!("tensorboard logs=\"{logs}\""));
    vec![
        ("`{code}` is the folder that holds the file `./t.py`", job("code \"./t.py\"")),
        ("write `at=\"/opt/src\"`, or remove it", job("code \"file:///opt/src\" at=\"/app\"")),
        ("the program promises not to write there", job("data \"d\" \"file:///d\" at=\"/d\"")),
        ("gives a program no way to open `nfs://h/d`", job("data \"d\" \"nfs://h/d\"")),
        ("remove `at`, and let the program open the address", job("data \"d\" \"s3a://b/d\" at=\"/d\"")),
        ("remove `at`: references in braces say where it is", job("data \"d\" \"./d\" at=\"/d\"")),
        ("write `at=\"/mnt/d\"`", job("data \"d\" \"file:///mnt/d\" at=\"/d\"")),
        ("the shim looks into the folder before the first start", job("checkpoints \"./c\" if-exists=\"fail\"")),
        ("the program's own promise: no one else sees its state", job("checkpoints \"s3a://b/c\" every=\"5m\"")),
        ("looks at ports that are known before the start", one("", "port \"web\" \"auto\"\n ready tcp=\"web\"")),
        ("the shim starts the program again: each that fails is, and all fail together", pair("restart \"on-failure\" scope=\"job\"")),
        ("the shim starts the program again; all fail together, and a role without `restart` then ends the job",
            pair("restart \"on-failure\" scope=\"job\"").replace(" role \"worker\"", " role \"chief\" { run \"c\"; resources cpus=1 memory=\"64MiB\"; }\n role \"worker\"")),
        ("starts a task of `worker` alone, and no other task hears of it", many("", "restart \"on-failure\" scope=\"job\"")),
        ("runs the TensorBoard as a task called `tensorboard`", job("checkpoints \"./c\"\n tensorboard").replace("\"worker\"", "\"tensorboard\"").replace("tensorflow\"", "custom\"").replace(" version=\"2.15\"", "")),
        ("runs the TensorBoard as a task of its own", board("{scratch}")),
        ("each task has a free port", pair("port \"rendezvous\" \"auto\"")),
        ("the shim finds a free port", one("", "port \"web\" \"auto\"")),
        ("one task alone wants that port, and opens it itself", one("", "port \"web\" 8080")),
        ("may not become user 1000", one("", "user 1000")),
        ("tasks are processes of this machine", job("network \"host\"")),
        ("how TensorFlow's tasks talk is their own affair", job("protocol \"grpc\"")),
        ("local: an argument would be 140000 bytes long", job("").replace("t.py", &"a".repeat(140_000))),
    ]
}
