//! TensorFlow's own rules, on every platform: what raises at once, and what hangs without a word.
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

/// A job of that strategy, with words of the job and its roles.
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

/// One worker with checkpoints on its node, and a helper that runs this.
fn helped(run: &str) -> String {
    job(
        "single",
        &format!("checkpoints \"file:///c\" at=\"/c\"\n    helper \"viz\" {{ run {run}; }}"),
        &["\"worker\""],
    )
}

/// Every row.
pub fn pitfalls() -> Vec<Pitfall> {
    [roles(), strategies(), protocols(), ends()].into_iter().flatten().collect()
}

#[rustfmt::skip]
fn roles() -> Vec<Pitfall> {
    let own = |roles: &[&str]| job("parameter-server", "", roles);
    let estimator = |roles: &[&str]| job("estimator", "", roles);
    let near = served("");
    let mut all = rows("unknown-role", vec![
        ("the name of TensorFlow 1's chief", "", BOTH,
            "raises `Disallowed task type found in cluster spec` in every task",
            own(&["\"master\"", "\"worker\" count=2", "\"ps\""]).replace("parameter-server", "custom"), "\"master\"", "`master` is not a role", near.clone()),
        ("a role that no strategy knows", "", NEW,
            "raises `Disallowed task type found in cluster spec` in every task",
            job("multi-worker-mirrored", "", &["\"worker\" count=2", "\"reader\""]), "\"reader\"", "`reader` is not a role",
            step("helper \"reader\"")),
    ]);
    all.extend(rows("too-many-tasks", vec![
        ("two chiefs", "", NEW, "raises `There must be at most one 'chief' job`",
            own(&["\"chief\" count=2", "\"worker\"", "\"ps\""]), "2", "only one `chief` task", near.clone()),
        ("two evaluators", "", NEW, "raises `There must be at most one 'evaluator' job`",
            own(&["\"chief\"", "\"worker\"", "\"ps\"", "\"evaluator\" count=2"]), "2", "only one `evaluator` task",
            own(&["\"chief\"", "\"worker\"", "\"ps\"", "\"evaluator\""])),
    ]));
    all.extend(rows("missing-role", vec![
        ("no parameter server", "", BOTH, "raises `There must be at least one ps`",
            own(&["\"chief\"", "\"worker\" count=2"]), "\"tensorflow\"", "needs a `ps` role", near.clone()),
        ("no worker", "", NEW, "raises `There must be at least one worker`",
            own(&["\"chief\"", "\"ps\" count=2"]), "\"tensorflow\"", "needs a `worker` role", near.clone()),
        ("nobody who coordinates", "", NEW,
            "the strategy made in a worker's or a server's process passes every check, and hangs",
            own(&["\"worker\" count=2", "\"ps\""]), "\"tensorflow\"", "needs a `chief` role", near),
        ("a chief that TensorFlow 1 need not have", "", In("TensorFlow 1, tf.train.Server and replica_device_setter"),
            "a program that starts its own servers is led by worker 0; a chief would be one worker more that it does not know",
            own(&["\"worker\" count=2", "\"ps\""]).replace("2.15", "1.15"), "\"tensorflow\"", "needs a `chief` role",
            own(&["\"worker\" count=2", "\"ps\""]).replace("2.15", "1.15").replace("parameter-server", "custom")),
        ("nobody who trains", "", MAIN, "servers wait for a chief for ever",
            estimator(&["\"ps\" count=2"]), "\"tensorflow\"", "needs a `chief` role", estimator(&["\"chief\"", "\"ps\" count=2"])),
    ]));
    all.extend(rows("role-outside-strategy", vec![
        ("a parameter server among workers in step", "", BOTH,
            "the server leads the coordination and nobody serves it: all workers hang, on 2.12 they did not",
            job("multi-worker-mirrored", "", &["\"worker\" count=2", "\"ps\""]), "\"ps\"", "hangs if TF_CONFIG contains a `ps` task", step("")),
    ]));
    all
}

#[rustfmt::skip]
fn strategies() -> Vec<Pitfall> {
    let plain = |roles: &[&str]| job("single", "", roles).replace(" strategy=\"single\"", "");
    let mut all = rows("missing-strategy", vec![
        ("several tasks and no strategy", "", NEW,
            "what may stand in TF_CONFIG depends on the strategy: the same text is right for one and hangs another",
            plain(&["\"worker\" count=2"]), "\"tensorflow\"", "needs a `strategy`, but none is set", plain(&["\"worker\""])),
    ]);
    all.extend(rows("single-process-strategy", vec![
        ("one process, many times", "", BOTH,
            "each task trains the whole model by itself, and the job looks like a success",
            job("mirrored", "", &["\"worker\" count=4"]), "\"mirrored\"", "this job has 4 tasks", job("mirrored", "", &["\"worker\""])),
        ("a chief beside the only process", "", BOTH,
            "each task trains the whole model by itself, and the job looks like a success",
            job("single", "", &["\"chief\"", "\"worker\""]), "\"single\"", "this job has 2 tasks", job("single", "", &["\"worker\""])),
    ]));
    let devices = |chief: &str| {
        job("multi-worker-mirrored", "", &[&format!("\"chief\" {{ resources cpus=1 memory=\"1GiB\" {chief}; }}"), "\"worker\" count=2 { resources cpus=1 memory=\"1GiB\" gpus=2; }"])
    };
    let unequal = "each task takes its own devices times the tasks for the size of the group: all hung in the first step, until they were killed";
    all.extend(rows("unequal-gpus", vec![
        ("a chief without GPUs in step with workers", "", MAIN, unequal,
            devices("gpus=0"), "2", "unless all tasks have the same number", devices("gpus=2")),
        ("a chief with more GPUs than the workers", "", MAIN, unequal,
            devices("gpus=4"), "4", "`chief` has 4 GPUs per task", devices("gpus=2")),
    ]));
    all.extend(rows("removed-strategy", vec![
        ("estimators after 2.15", "", NEW, "`tf.estimator` is gone: the import fails",
            job("estimator", "", &SERVED).replace("2.15", "2.16"), "\"estimator\"", "does not include `tf.estimator`", job("estimator", "", &SERVED)),
    ]));
    all.extend(rows("strategy-framework-mismatch", vec![
        ("a strategy of another framework", "", In("the frameworks' own pages"),
            "other frameworks read no such word; their programs choose by themselves",
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
        ("grpc+verbs", "RDMA by the contributed build", "\"grpc+verbs\""),
        ("grpc+gdr", "RDMA from the GPU's memory by the contributed build", "\"grpc+gdr\""),
        ("grpc+mpi", "MPI by the contributed build", "\"grpc+mpi\""),
        ("grpc_rdma", "RDMA of a fork", "\"grpc_rdma\""),
    ].map(|(protocol, name, words)| (name, "", BOTH,
        "every task dies at start with `No server factory registered`", spoken(protocol), words, "stock TensorFlow", spoken("grpc"))).into();
    let mut all = rows("protocol-needs-build", lost);
    all.extend(rows("unknown-value", vec![
        ("a protocol's name in capitals", "", NEW, "every task dies at start: the names are compared letter by letter",
            spoken("GRPC"), "\"GRPC\"", "invalid value `GRPC`", spoken("grpc")),
        ("a protocol that was never TensorFlow's", "", MAIN, "every task dies at start with `No server factory registered`",
            spoken("grpc+rdma"), "\"grpc+rdma\"", "invalid value `grpc+rdma`", spoken("grpc")),
    ]));
    all
}

#[rustfmt::skip]
fn ends() -> Vec<Pitfall> {
    let after = |role: &str, words: &str| job("parameter-server", "", &["\"chief\"", &format!("\"{role}\" {{ {words} }}"), if role == "ps" { "\"worker\"" } else { "\"ps\"" }]);
    let mut all = rows("waits-forever", vec![
        ("a task after a server's end", "", BOTH, "`Server.join()` never returns, not even after the chief's success",
            after("worker", "after \"ps\" when=\"done\""), "\"done\"", "never exits on its own", after("worker", "after \"ps\" when=\"ready\"")),
        ("a job that waits for its servers", "tensorflow#servers-that-never-exit", BOTH, "the chief ends well, and worker and parameter server stay up",
            served("success \"workers\""), "\"workers\"", "never succeeds", served("success \"chief\"")),
        ("a job that waits for everybody", "", BOTH, "the chief ends well, and worker and parameter server stay up",
            served("success \"all\""), "\"all\"", "never succeeds", served("success \"chief\"")),
    ]);
    all.extend(rows("reserved-variable", vec![
        ("a TF_CONFIG of one's own", "", MAIN, "one text for all tasks is wrong in all but one; an empty one raises `JSONDecodeError`",
            step("env { TF_CONFIG \"\" }"), "TF_CONFIG", "generated for each task by `framework`", step("env { TF_CPP_MIN_LOG_LEVEL \"0\" }")),
    ]));
    all.extend(rows("out-of-range", vec![
        ("no task at all", "", BOTH, "a role without tasks is missing to its strategy",
            job("multi-worker-mirrored", "", &["\"worker\" count=0"]), "0", "out of range", step("")),
        ("a port that no server can have", "", NEW, "the server does not start: `Could not parse port for local server`",
            step("port \"rendezvous\" 0"), "0", "out of range", step("port \"rendezvous\" 2223")),
    ]));
    all.extend(rows("min-exceeds-count", vec![
        ("more tasks than there are", "tensorflow#missing-peers", BOTH, "whoever is not there is waited for, for an hour and without a word",
            job("multi-worker-mirrored", "", &["\"worker\" count=2 min=3"]), "3", "has only 2 tasks", job("multi-worker-mirrored", "", &["\"worker\" count=2 min=2"])),
    ]));
    all.extend(rows("unshared-checkpoints", vec![
        ("a node's own folder for all", "", In("tf.train.Checkpoint's guide"), "the chief writes on one node, and a task that resumes elsewhere finds nothing",
            step("checkpoints \"file:///c\" at=\"/c\""), "\"file:///c\"", "are local to each node", step("checkpoints \"nfs://h/c\" at=\"/c\"")),
        ("a helper that reads another node's folder", "", In("tf.train.Checkpoint's guide"), "the helper finds nothing in the folder of its own node",
            helped("\"tb\" \"--logdir={checkpoints}\""), "\"file:///c\"", "2 tasks on different nodes", helped("\"jupyter\" \"lab\"")),
    ]));
    all.extend(rows("unsupported-file-system", vec![
        ("checkpoints under Hadoop's name of S3", "tensorflow-observed", MAIN, "the first write fails: `File system scheme 's3a' not implemented`",
            served("checkpoints \"s3a://b/c\""), "\"s3a://b/c\"", "cannot open `s3a:` URIs", served("checkpoints \"s3://b/c\"")),
        ("logs under Hadoop's name of Azure", "tensorflow-observed", MAIN, "TensorBoard shows nothing: `File system scheme 'abfs' not implemented`",
            served("tensorboard logs=\"abfs://c@a/l\""), "\"abfs://c@a/l\"", "cannot open `abfs:` URIs", served("tensorboard logs=\"gs://c/l\"")),
    ]));
    all.extend(rows("hdfs-without-hadoop", vec![
        ("HDFS without its client", "", In("TensorFlow's Hadoop guide"), "the first read fails: libhdfs, libjvm and an expanded CLASSPATH are looked for in the environment",
            served("checkpoints \"hdfs://default/c\""), "\"hdfs://default/c\"", "", served("checkpoints \"hdfs://default/c\"; hadoop home=\"/opt/hadoop\" java=\"/opt/java\"")),
    ]));
    all
}
