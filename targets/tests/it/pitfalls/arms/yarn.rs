//! Messages of the target `yarn`.
use super::Arm;
use crate::pitfalls::yarn::{bare, many, one};

/// Returns a job of one worker with these lines in the job.
fn job(words: &str) -> String {
    one(words, "", "")
}

/// Returns a job of one worker with these lines in the worker.
fn worker(words: &str) -> String {
    one("", words, "")
}

/// Returns a job with these options in the `target` block.
fn block(words: &str) -> String {
    one("", "", words)
}

/// Returns a job of another framework, whose tasks have a rendezvous.
fn of(framework: &str, roles: &[&str]) -> String {
    let role = |name: &&str| format!("role {name} {{ resources cpus=1 memory=\"1GiB\"; }}\n");
    let roles: String = roles.iter().map(role).collect();
    format!(
        "job \"a\" {{\nframework \"{framework}\"\nimage \"ml/a:1\"\nnetwork \"overlay\"\nrun \"python\" \"a.py\"\n{roles}target \"yarn\" {{ dns-domain \"cluster\"; }}\n}}\n"
    )
}

/// Messages about the support of requirements.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn arms() -> Vec<Arm> {
    let digest = format!("image \"ml/mnist@sha512:{}\"", "a1".repeat(64));
    let word = "a".repeat(120_001);
    let late = |when: &str| {
        let web = "helper \"h\" { run \"h\"; port \"web\" 8080; ready tcp=\"web\"; resources cpus=1 memory=\"1GiB\"; }";
        one(&format!("start timeout=\"5m\"\n{web}"), &format!("after \"h\" when=\"{when}\""), "hadoop \"3.3.6\"; dns-domain \"c\"")
    };
    let prep = |after: &str| format!("start timeout=\"5m\"; helper \"prep\" {{ {after} }}");
    vec![
        ("checks that the checkpoint directory is empty, the other tasks wait for",
            of("custom", &["\"x\"", "\"y\""]).replace("dns-domain \"cluster\";", "mounted { \"nfs://h\" \"/m\"; };")
                .replace("run \"python\"", "checkpoints \"nfs://h/c\" at=\"/c\" if-exists=\"fail\"\nrun \"python\"")),
        ("while task 0 of `x` checks that the checkpoint directory is empty",
            of("custom", &["\"x\" count=2"]).replace("dns-domain \"cluster\";", "mounted { \"nfs://h\" \"/m\"; };")
                .replace("run \"python\"", "checkpoints \"nfs://h/c\" at=\"/c\" if-exists=\"fail\"\nrun \"python\"")),
        (", and start it with Python: `run \"python\" \"train.py\" …`", bare("", "", "").replace("\"python\" \"train.py\"", "\"train.py\" \"--fast\"")),
        (", and start it with Python: `run \"python\" \"train.py\"`; or", bare("", "", "").replace("\"python\" \"train.py\"", "\"train.py\"")),
        ("` by DNS names, but the registry removes the name of a finished task", many(&prep("after \"ps\""), "after \"prep\"", "hadoop \"3.4.2\"")),
        ("if the cluster runs Hadoop 3.3 or later, set `target \"yarn\" { hadoop \"3.3\" }`; otherwise",
            many(&prep(""), "after \"prep\" when=\"started\"", "hadoop \"3.2.0\"")),
        ("the shim stops a task if the roles that start first are not ready", late("started")),
        ("`start timeout` is ignored (the service master waits without a time", late("ready")),
        ("with `start timeout`, `tfjob-shim` waits for the peers, which it finds by",
            of("custom", &["\"a\"", "\"b\""]).replace("network", "start timeout=\"5m\"\nnetwork").replace("dns-domain \"cluster\";", "")),
        ("the job would never finish, because the service waits for",
            job("helper \"h\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }")),
        ("waits for all tasks, not only for those that decide success; `tfjob-shim` can stop the others only",
            job("helper \"h\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }\nhelper \"i\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }")),
        ("if the cluster sets `yarn.resourcemanager.placement-constraints.handler`, and a node attribute contains the GPU model, write",
            many("", "resources cpus=1 memory=\"1GiB\" gpus=1 gpu-model=\"a100\"", "hadoop \"3.4.1\"")),
        ("if a node attribute contains the GPU model, write",
            many("", "resources cpus=1 memory=\"1GiB\" gpus=1 gpu-model=\"a100\"", "hadoop \"3.4.1\"; placement-constraints #true")),
        ("; otherwise remove `gpu-model`",
            many("", "resources cpus=1 memory=\"1GiB\" gpus=1 gpu-model=\"a100\"", "hadoop \"3.4.1\"; gpu-attribute \"nm.yarn.io/model\"")),
        ("the keytab must be on the default file system `hdfs://nn1`",
            one("kerberos principal=\"ada/_HOST@X\" keytab=\"hdfs://nn2/k\"", "", "default-fs \"hdfs://nn1\"")),
        ("before Hadoop 3.3, the NodeManager refuses an image with a",
            one("", &format!("target \"yarn\" {{ patch \"artifact: {{id: 'ml/a@sha256:{}'}}\" }}", "a1".repeat(32)), "")),
        ("must be at most 2147483647: YARN reads an `Integer`", one("", "target \"yarn\" { patch \"resource: {cpus: 3000000000}\" }", "")),
        ("must be at most 1000000000000 seconds: YARN stores milliseconds", block("patch \"lifetime: 2000000000000\"")),
        ("the service would wait forever for TensorBoard, which never exits: the",
            of("custom", &["\"a\"", "\"b\""]).replace("network", "tensorboard logs=\"hdfs://default/c\"\nnetwork").replace("dns-domain", "hadoop \"3.3\"; dns-domain")),
        ("; if one task fails, all its peers fail too, and the job fails if the role of a peer",
            of("tensorflow", &["\"chief\"", "\"worker\" count=2"]).replace("\"tensorflow\"", "\"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"")
                .replace("count=2 {", "count=2 { restart \"on-failure\";")),
        ("TensorBoard never exits on its own, so the shim stops it when the", many("tensorboard logs=\"hdfs://default/c\"", "", "hadoop \"3.2\"")),
        ("the NodeManager keeps the files of all containers, including those", one("keep \"failed\" for=\"1h\"", "", "keep-delay \"1d\"")),
        ("on this cluster, the files of a finished container are deleted after 1m", one("keep \"all\" for=\"1h\"", "", "keep-delay \"60s\"")),
        ("if the cluster keeps these files, write how long in `keep-delay`, such as", one("keep \"all\" for=\"1h\"", "", "keep-delay \"0s\"")),
        ("`nfs://h/e` and `nfs://h/e/` are the same directory", block("mounted { \"nfs://h/e\" \"/a\"; \"nfs://h/e/\" \"/b\"; }")),
        ("remove one of them", block("mounted { \"nfs://h/e\" \"/a\"; \"nfs://h/e/\" \"/b\"; }")),
        ("first mount point", block("mounted { \"nfs://h/e\" \"/a\"; \"nfs://h/e/\" \"/b\"; }")),
        ("the NodeManager keeps the files of finished containers", one("keep \"all\"", "", "keep-delay \"60s\"")),
        ("TensorBoard runs in a separate container, so it cannot read these logs",
            many("tensorboard logs=\"./logs\"", "", "hadoop \"3.3\"")),
        ("TensorBoard runs in its own container and cannot read",
            many("tensorboard logs=\"{scratch}\"", "", "hadoop \"3.3\"")),
        ("the job completes only when these tasks have finished too",
            many("success \"all\"", "", "").replace("parameter-server", "estimator").replace("role \"ps\"", "role \"evaluator\" { port \"rendezvous\" 2222; }")),
        ("a link in the web UI contains the port number from submission on, but",
            many("", "port \"web\" \"auto\" link=\"Web\"", "")),
        ("the service master probes the port number in the service spec, but",
            many("", "port \"web\" \"auto\"\nready tcp=\"web\"", "")),
        ("the shim sets MASTER_ADDR, RANK, and WORLD_SIZE, with", of("pytorch", &["\"master\"", "\"worker\""])),
        ("the shim sets DMLC_ROLE and the other DMLC variables, with", of("mxnet", &["\"scheduler\"", "\"server\"", "\"worker\""])),
        ("the shim sets the variables of the XGBoost tracker, with", of("xgboost", &["\"master\"", "\"worker\""])),
        ("the shim sets HOROVOD_RANK and the other Horovod variables, with", of("horovod", &["\"worker\" count=2"])),
        ("a job with TensorBoard cannot be named `tensorboard`, because a",
            many("tensorboard logs=\"hdfs://default/c\"", "", "hadoop \"3.3\"").replace("job \"ctr\"", "job \"tensorboard\"")),
        ("the role `tensorboard` and the job's TensorBoard would both become a",
            many("tensorboard logs=\"hdfs://default/c\"\nhelper \"tensorboard\"", "", "hadoop \"3.3\"")),
        ("but `worker` has no image, so its tasks would stay on the node's network", bare("network \"overlay\"", "", "")),
        ("`a b` is not a valid Docker network name", job("network \"a b\"")),
        ("tasks use the node's `/dev/shm` and share it with all processes of",
            bare("", "", "").replace("memory=\"4GiB\"", "memory=\"4GiB\" shared-memory=\"1GiB\"")),
        ("`worker` has no image, so its tasks would see the node's own `/code`",
            bare("code \"hdfs://default/code.zip\" at=\"/code\"", "", "")),
        ("a file on the node is used in place, so the archive `file:///srv/c.zip`",
            job("code \"file:///srv/c.zip\"")),
        ("`{code}` expands to the directory that contains the file `file:///opt/t.py`", bare("code \"file:///opt/t.py\"", "", "")),
        ("a Docker container cannot see the node's path `/mnt/d` unless the path is mounted", job("data \"d\" \"file:///mnt/d\"")),
        ("without `at`, the program gets the URI `nfs://filer/d`, which programs cannot open", job("data \"d\" \"nfs://filer/d\"")),
        ("containers can mount only directories of the node, not files in the directory of the spec", job("data \"d\" \"./d\" at=\"/d\"")),
        ("existing checkpoints are found by a setup step, which can check only", job("checkpoints \"s3a://bucket/c\" if-exists=\"fail\"")),
        ("the NodeManager accepts only sha256 image digests", one("", "", "hadoop \"3.3\"").replace("image \"ml/mnist:1.0\"", &digest)),
        ("the NodeManager always pulls an image that the node does not have; only",
            job("image \"ml/mnist:1.0\" pull=\"never\"").replacen("    image \"ml/mnist:1.0\"\n", "", 1)),
        (" bytes, but bash gets it as one argument, which can have at most ",
            worker(&format!("run \"python\" \"{word}\"")).replacen("        run \"python\" \"train.py\"\n", "", 1)),
        ("uploads the file, which YARN copies into the containers", job("code \"./code.zip\"")),
        ("case $c in 137|143) c=1 ;; esac; exit $c; }", worker("restart \"on-failure\" limit=3")),
        ("`codes` and `limit` apply only to the program, which the shim restarts; ",
            worker("restart \"on-failure\" limit=3 { codes 42; }")),
        ("none: the job has one task", job("")),
        ("`limit` counts only restarts of the program in its container; the service master replaces a lost",
            job("helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"1GiB\"; restart \"on-failure\" limit=2; }")),
        ("; a task with `restart` then restarts and waits again",
            many("start timeout=\"5m\"", "restart \"on-failure\" scope=\"task\"", "")),
    ]
}

/// Messages about options, patches, and lengths.
#[rustfmt::skip]
pub fn options() -> Vec<Arm> {
    let long = "a".repeat(30);
    vec![
        ("the service master localizes the shim from the default file system", block("shim path=\"/opt/tfjob-shim\"")),
        ("yarn: `image` of `shim` is not supported: only a pod has an init container", block("shim image=\"ml/tfjob-shim:1\"")),
        ("or remove `shim`: then a setup step uploads it", block("shim path=\"/opt/tfjob-shim\"")),
        ("`version` cannot be empty: YARN refuses it", block("patch \"version: ''\"")),
        ("`name` is generated from the name of the job, and tasks find each other by it", block("patch \"name: other\"")),
        ("`configuration.env.TF_CONFIG` is generated per task: with one value, all tasks would have the same index",
            block("patch \"configuration: {env: {TF_CONFIG: x}}\"")),
        ("Hadoop 3.9 is newer than the supported versions", block("hadoop \"3.9\"")),
        ("the node attribute `gpu-model` has no prefix, so it matches no node", block("gpu-attribute \"gpu-model\"")),
        ("yarn: the variable TF_CONFIG would be", many("", "", "").replace("count=2", "count=6000")),
        ("yarn: an argument would be 140000 bytes long",
            many("", "", "").replace("\"train.py\"", &format!("\"{}\"", "a".repeat(140_000)))),
        ("the user name is assumed to have 32 characters: set it with",
            many("", "", "").replace("\"ctr\"", &format!("\"{long}\""))),
        ("`tfjob-contract.json` is generated by tfjob", one("env { A \"{index}\"; }\nrestart \"on-failure\" limit=3 within=\"1h\" no-progress-limit=2\ncheckpoints \"file:///c\" at=\"/c\"", "",
            "hadoop \"3.3\"; patch \"configuration: {files: [{dest_file: tfjob-contract.json, visibility: PUBLIC}]}\"")),
        ("packs the directory; the platform copies single files only", job("code \"./train/\"")),
        ("checks that `./model.v2` is a file; for a directory, write `./model.v2/` in the spec", job("files \"v\" \"./model.v2\"")),
        ("two files have the same `dest_file`: `a`", worker("target \"yarn\" { patch \"configuration: {files: [{type: STATIC, dest_file: a, src_file: /a}, {type: STATIC, dest_file: a, src_file: /b}]}\"; }")),
    ]
}
