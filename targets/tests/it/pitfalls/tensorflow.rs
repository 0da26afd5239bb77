//! Pitfalls of TensorFlow on every platform: jobs that fail immediately, and jobs that hang without a message.
mod rendered;

use crate::pitfalls::{In, Pitfall, Row, Seen, holds, rows};
pub use rendered::impossible;

const NEW: Seen = Seen::On("TensorFlow 2.21");
const BOTH: Seen = Seen::On("TensorFlow 2.15 and 2.21");
const MAIN: Seen = Seen::On("TensorFlow 2.15");

#[test]
fn each_is_told_and_its_neighbour_is_clean() {
    holds("", &pitfalls());
}

/// Returns a job with this strategy, these entries of the job, and these roles.
fn job(strategy: &str, words: &str, roles: &[&str]) -> String {
    let roles: String = roles.iter().map(|role| format!("    role {role}\n")).collect();
    format!(
        "job \"t\" {{\n    framework \"tensorflow\" version=\"2.15\" strategy=\"{strategy}\"\n    image \"a/b:1\"\n    \
         run \"python\" \"t.py\"\n    resources cpus=1 memory=\"1GiB\"\n    {words}\n{roles}}}\n"
    )
}

const SERVED: [&str; 3] = ["\"chief\"", "\"worker\" count=2", "\"ps\""];

fn served(words: &str) -> String {
    job("parameter-server", words, &SERVED)
}

fn step(words: &str) -> String {
    job("multi-worker-mirrored", words, &["\"worker\" count=2"])
}

/// Returns a job with one worker, checkpoints on its node, and a helper with this `run`.
fn helped(run: &str) -> String {
    job(
        "single",
        &format!("checkpoints \"file:///c\" at=\"/c\"\n    helper \"viz\" {{ run {run}; }}"),
        &["\"worker\""],
    )
}

/// Returns all rows.
pub fn pitfalls() -> Vec<Pitfall> {
    [roles(), strategies(), protocols(), ends()].into_iter().flatten().collect()
}

#[rustfmt::skip]
fn roles() -> Vec<Pitfall> {
    let own = |roles: &[&str]| job("parameter-server", "", roles);
    let estimator = |roles: &[&str]| job("estimator", "", roles);
    let near = served("");
    let mut all = rows("unknown-role", vec![
        ("the role name `master` from TensorFlow 1", "", BOTH,
            "TensorFlow raises `Disallowed task type found in cluster spec` in every task",
            own(&["\"master\"", "\"worker\" count=2", "\"ps\""]).replace("parameter-server", "custom"), "\"master\"", "`master` is not a role", near.clone()),
        ("a role that the strategy does not use", "", NEW,
            "TensorFlow raises `Disallowed task type found in cluster spec` in every task",
            job("multi-worker-mirrored", "", &["\"worker\" count=2", "\"reader\""]), "\"reader\"", "`reader` is not a role",
            step("helper \"reader\"")),
    ]);
    all.extend(rows("too-many-tasks", vec![
        ("two chiefs", "", NEW, "TensorFlow raises `There must be at most one 'chief' job`",
            own(&["\"chief\" count=2", "\"worker\"", "\"ps\""]), "2", "only one `chief` task", near.clone()),
        ("two evaluators", "", NEW, "TensorFlow raises `There must be at most one 'evaluator' job`",
            own(&["\"chief\"", "\"worker\"", "\"ps\"", "\"evaluator\" count=2"]), "2", "only one `evaluator` task",
            own(&["\"chief\"", "\"worker\"", "\"ps\"", "\"evaluator\""])),
    ]));
    all.extend(rows("missing-role", vec![
        ("a parameter-server job without parameter servers", "", BOTH, "TensorFlow raises `There must be at least one ps`",
            own(&["\"chief\"", "\"worker\" count=2"]), "\"tensorflow\"", "needs a `ps` role", near.clone()),
        ("a parameter-server job without workers", "", NEW, "TensorFlow raises `There must be at least one worker`",
            own(&["\"chief\"", "\"ps\" count=2"]), "\"tensorflow\"", "needs a `worker` role", near.clone()),
        ("a parameter-server job without a chief", "", NEW,
            "if a worker or parameter server creates the strategy, TensorFlow reports no error, and the process hangs",
            own(&["\"worker\" count=2", "\"ps\""]), "\"tensorflow\"", "needs a `chief` role", near),
        ("a TensorFlow 1 job with its own servers and no chief", "", In("`tf.train.Server` and `replica_device_setter` of TensorFlow 1"),
            "the spec names the wrong strategy: a TensorFlow 1 program that starts its own servers does not use ParameterServerStrategy and expects no chief, because worker 0 is the leader",
            own(&["\"worker\" count=2", "\"ps\""]).replace("2.15", "1.15"), "\"tensorflow\"", "needs a `chief` role",
            own(&["\"worker\" count=2", "\"ps\""]).replace("2.15", "1.15").replace("parameter-server", "custom")),
        ("an estimator job without a chief", "", MAIN, "parameter servers wait indefinitely for a chief",
            estimator(&["\"ps\" count=2"]), "\"tensorflow\"", "needs a `chief` role", estimator(&["\"chief\"", "\"ps\" count=2"])),
    ]));
    all.extend(rows("role-outside-strategy", vec![
        ("a parameter server with MultiWorkerMirroredStrategy", "", BOTH,
            "the parameter server becomes the leader but runs no coordination service, so all workers hang (TensorFlow 2.12 is not affected)",
            job("multi-worker-mirrored", "", &["\"worker\" count=2", "\"ps\""]), "\"ps\"", "hangs if TF_CONFIG contains a `ps` task", step("")),
    ]));
    all
}

#[rustfmt::skip]
fn strategies() -> Vec<Pitfall> {
    let plain = |roles: &[&str]| job("single", "", roles).replace(" strategy=\"single\"", "");
    let mut all = rows("missing-strategy", vec![
        ("several tasks without a strategy", "", NEW,
            "each strategy needs its own list of tasks in TF_CONFIG: with the list of another strategy, the tasks hang",
            plain(&["\"worker\" count=2"]), "\"tensorflow\"", "needs a `strategy`, but none is set", plain(&["\"worker\""])),
    ]);
    all.extend(rows("single-process-strategy", vec![
        ("several tasks with a single-process strategy", "", BOTH,
            "each task trains the whole model separately, without an error, and the job succeeds",
            job("mirrored", "", &["\"worker\" count=4"]), "\"mirrored\"", "this job has 4 tasks", job("mirrored", "", &["\"worker\""])),
        ("a chief with a single-process strategy", "", BOTH,
            "each task trains the whole model separately, without an error, and the job succeeds",
            job("single", "", &["\"chief\"", "\"worker\""]), "\"single\"", "this job has 2 tasks", job("single", "", &["\"worker\""])),
    ]));
    let devices = |chief: &str| {
        job("multi-worker-mirrored", "", &[&format!("\"chief\" {{ resources cpus=1 memory=\"1GiB\" {chief}; }}"), "\"worker\" count=2 { resources cpus=1 memory=\"1GiB\" gpus=2; }"])
    };
    let unequal = "each task computes the number of replicas as the number of its own devices times the number of tasks; if the results differ, all tasks hang in the first step";
    all.extend(rows("unequal-gpus", vec![
        ("synchronous training with a chief without GPUs", "", MAIN, unequal,
            devices("gpus=0"), "2", "unless all tasks have the same number", devices("gpus=2")),
        ("synchronous training with more GPUs in the chief", "", MAIN, unequal,
            devices("gpus=4"), "4", "`chief` has 4 GPUs per task", devices("gpus=2")),
    ]));
    all.extend(rows("removed-strategy", vec![
        ("estimators with TensorFlow 2.16", "", NEW, "TensorFlow 2.16 removed `tf.estimator`, so the import fails",
            job("estimator", "", &SERVED).replace("2.15", "2.16"), "\"estimator\"", "does not include `tf.estimator`", job("estimator", "", &SERVED)),
    ]));
    all.extend(rows("strategy-framework-mismatch", vec![
        ("a `strategy` with a framework other than TensorFlow", "", In("the documentation of the frameworks"),
            "other frameworks have no `strategy`: their programs choose how to distribute the training",
            "job \"t\" {\n framework \"horovod\" strategy=\"mirrored\"\n image \"a/b:1\"\n run \"python\" \"t.py\"\n resources cpus=1 memory=\"1GiB\"\n role \"worker\"\n}\n".to_owned(),
            "\"mirrored\"", "the framework is horovod",
            "job \"t\" {\n framework \"horovod\"\n image \"a/b:1\"\n run \"python\" \"t.py\"\n resources cpus=1 memory=\"1GiB\"\n role \"worker\"\n}\n".to_owned()),
    ]));
    all
}

#[rustfmt::skip]
fn protocols() -> Vec<Pitfall> {
    let spoken = |protocol: &str| served(&format!("protocol \"{protocol}\""));
    let lost: Vec<Row> = [
        ("grpc+verbs", "the protocol grpc+verbs with stock TensorFlow", "\"grpc+verbs\""),
        ("grpc+gdr", "the protocol grpc+gdr with stock TensorFlow", "\"grpc+gdr\""),
        ("grpc+mpi", "the protocol grpc+mpi with stock TensorFlow", "\"grpc+mpi\""),
        ("grpc_rdma", "the protocol grpc_rdma with stock TensorFlow", "\"grpc_rdma\""),
    ].map(|(protocol, name, words)| (name, "", BOTH,
        "TensorFlow has no server for this protocol, so every task exits at startup: `No server factory registered`", spoken(protocol), words, "stock TensorFlow", spoken("grpc"))).into();
    let mut all = rows("protocol-needs-build", lost);
    all.extend(rows("unknown-value", vec![
        ("a protocol name in uppercase", "", NEW, "every task exits at startup, because TensorFlow's protocol names are case-sensitive",
            spoken("GRPC"), "\"GRPC\"", "invalid value `GRPC`", spoken("grpc")),
        ("an unknown protocol", "", MAIN, "TensorFlow has no server for this protocol, so every task exits at startup: `No server factory registered`",
            spoken("grpc+rdma"), "\"grpc+rdma\"", "invalid value `grpc+rdma`", spoken("grpc")),
    ]));
    all
}

#[rustfmt::skip]
fn ends() -> Vec<Pitfall> {
    let after = |role: &str, words: &str| job("parameter-server", "", &["\"chief\"", &format!("\"{role}\" {{ {words} }}"), if role == "ps" { "\"worker\"" } else { "\"ps\"" }]);
    let mut all = rows("waits-forever", vec![
        ("a role that starts after parameter servers have finished", "", BOTH, "`Server.join()` of a parameter server never returns, not even after the chief has succeeded",
            after("worker", "after \"ps\" when=\"done\""), "\"done\"", "never exits on its own", after("worker", "after \"ps\" when=\"ready\"")),
        ("a `success` rule that waits for workers of ParameterServerStrategy", "tensorflow#servers-that-never-exit", BOTH, "the chief succeeds, but workers and parameter servers keep running, so the job never ends",
            served("success \"workers\""), "\"workers\"", "never succeeds", served("success \"chief\"")),
        ("a `success` rule that waits for parameter servers", "", BOTH, "the chief succeeds, but workers and parameter servers keep running, so the job never ends",
            served("success \"all\""), "\"all\"", "never succeeds", served("success \"chief\"")),
    ]);
    all.extend(rows("reserved-variable", vec![
        ("a user-defined TF_CONFIG", "", MAIN, "each task needs its own TF_CONFIG, so one value is wrong for all tasks but one; an empty value raises `JSONDecodeError`",
            step("env { TF_CONFIG \"\" }"), "TF_CONFIG", "generated for each task from `framework`", step("env { TF_CPP_MIN_LOG_LEVEL \"0\" }")),
    ]));
    all.extend(rows("out-of-range", vec![
        ("a role with zero tasks", "", BOTH, "the strategy finds no task of this role in TF_CONFIG",
            job("multi-worker-mirrored", "", &["\"worker\" count=0"]), "0", "out of range", step("")),
        ("rendezvous port 0", "", NEW, "the TensorFlow server does not start: `Could not parse port for local server`",
            step("port \"rendezvous\" 0"), "0", "out of range", step("port \"rendezvous\" 2223")),
    ]));
    all.extend(rows("min-exceeds-count", vec![
        ("a `min` that is greater than `count`", "tensorflow#missing-peers", BOTH, "all tasks wait an hour for a peer that does not exist, without a message",
            job("multi-worker-mirrored", "", &["\"worker\" count=2 min=3"]), "3", "has only 2 tasks", job("multi-worker-mirrored", "", &["\"worker\" count=2 min=2"])),
    ]));
    all.extend(rows("unshared-checkpoints", vec![
        ("checkpoints of several nodes in a local directory", "", In("the guide of `tf.train.Checkpoint`"), "the chief writes checkpoints on one node, and a task that resumes on another node finds none",
            step("checkpoints \"file:///c\" at=\"/c\""), "\"file:///c\"", "are local to each node", step("checkpoints \"nfs://h/c\" at=\"/c\"")),
        ("a helper that reads a local directory of another node", "", In("the guide of `tf.train.Checkpoint`"), "the helper reads the directory on its own node, which contains no checkpoint",
            helped("\"tb\" \"--logdir={checkpoints}\""), "\"file:///c\"", "2 tasks on different nodes", helped("\"jupyter\" \"lab\"")),
    ]));
    all.extend(rows("unsupported-file-system", vec![
        ("checkpoints at an s3a: URI", "tensorflow-observed", MAIN, "the first write fails: `File system scheme 's3a' not implemented`",
            served("checkpoints \"s3a://b/c\""), "\"s3a://b/c\"", "cannot open `s3a:` URIs", served("checkpoints \"s3://b/c\"")),
        ("TensorBoard logs at an abfs: URI", "tensorflow-observed", MAIN, "TensorBoard shows nothing: `File system scheme 'abfs' not implemented`",
            served("tensorboard logs=\"abfs://c@a/l\""), "\"abfs://c@a/l\"", "cannot open `abfs:` URIs", served("tensorboard logs=\"gs://c/l\"")),
    ]));
    all.extend(rows("hdfs-without-hadoop", vec![
        ("HDFS without a Hadoop client", "", In("TensorFlow's Hadoop guide"), "the first read fails, because TensorFlow finds no libhdfs, no libjvm, or no expanded `CLASSPATH`",
            served("checkpoints \"hdfs://default/c\""), "\"hdfs://default/c\"", "", served("checkpoints \"hdfs://default/c\"; hadoop home=\"/opt/hadoop\" java=\"/opt/java\"")),
    ]));
    all
}
