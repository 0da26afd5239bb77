//! What YARN says.
use super::Arm;
use crate::pitfalls::yarn::{bare, many, one};

/// Words in the job of one worker.
fn job(words: &str) -> String {
    one(words, "", "")
}

/// Words in the one worker.
fn worker(words: &str) -> String {
    one("", words, "")
}

/// Words in the block.
fn block(words: &str) -> String {
    one("", "", words)
}

/// Roles of another framework, whose tasks meet.
fn of(framework: &str, roles: &[&str]) -> String {
    let role = |name: &&str| format!("role {name} {{ resources cpus=1 memory=\"1GiB\"; }}\n");
    let roles: String = roles.iter().map(role).collect();
    format!(
        "job \"a\" {{\nframework \"{framework}\"\nimage \"ml/a:1\"\nnetwork \"overlay\"\nrun \"python\" \"a.py\"\n{roles}target \"yarn\" {{ dns-domain \"cluster\"; }}\n}}\n"
    )
}

/// What the asks are answered.
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
        ("none can wait until the first has looked into the folder",
            of("custom", &["\"x\"", "\"y\""]).replace("dns-domain \"cluster\";", "mounted { \"nfs://h\" \"/m\"; };")
                .replace("run \"python\"", "checkpoints \"nfs://h/c\" at=\"/c\" if-exists=\"fail\"\nrun \"python\"")),
        ("removes the DNS name of a task that has ended", many(&prep("after \"ps\""), "after \"prep\"", "hadoop \"3.4.2\"")),
        ("say which release the cluster has: `target \"yarn\" { hadoop \"3.3.6\" }`; or",
            many(&prep(""), "after \"prep\" when=\"started\"", "hadoop \"3.2.0\"")),
        ("the shim waits for the roles that start before, and says which task is missing", late("started")),
        ("starts a role when those before it are ready, and waits for them without end", late("ready")),
        ("no task can look for its peers",
            of("custom", &["\"a\"", "\"b\""]).replace("network", "start timeout=\"5m\"\nnetwork").replace("dns-domain \"cluster\";", "")),
        ("waits for every component, also for one that only serves",
            job("helper \"h\" { run \"a\"; resources cpus=1 memory=\"1GiB\"; }")),
        ("reads a keytab from the default file system `hdfs://nn1`",
            one("kerberos principal=\"ada/_HOST@X\" keytab=\"hdfs://nn2/k\"", "", "default-fs \"hdfs://nn1\"")),
        ("which no container of `worker` takes before Hadoop 3.3",
            one("", &format!("target \"yarn\" {{ patch \"artifact: {{id: 'ml/a@sha256:{}'}}\" }}", "a1".repeat(32)), "")),
        ("is at most 2147483647", one("", "target \"yarn\" { patch \"resource: {cpus: 3000000000}\" }", "")),
        ("is at most 1000000000000 seconds", block("patch \"lifetime: 2000000000000\"")),
        ("only the end of one role can be the job's, and several decide the success",
            of("custom", &["\"a\"", "\"b\""]).replace("network", "tensorboard logs=\"hdfs://default/c\"\nnetwork").replace("dns-domain", "hadoop \"3.3\"; dns-domain")),
        ("all tasks fail together, and a role without `restart` then ends the job",
            of("tensorflow", &["\"chief\"", "\"worker\" count=2"]).replace("\"tensorflow\"", "\"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"")
                .replace("count=2 {", "count=2 { restart \"on-failure\";")),
        ("the shim ends it with the job", many("tensorboard logs=\"hdfs://default/c\"", "", "hadoop \"3.2\"")),
        ("those that have ended well stay as long", one("keep \"failed\" for=\"1h\"", "", "keep-delay \"1d\"")),
        ("keeps what a container leaves for 60 seconds on this cluster", one("keep \"all\" for=\"1h\"", "", "keep-delay \"60s\"")),
        ("the node keeps what containers leave", one("keep \"all\"", "", "keep-delay \"60s\"")),
        ("starts TensorBoard in a container of its own, which has no such folder and opens no such uri",
            many("tensorboard logs=\"./logs\"", "", "hadoop \"3.3\"")),
        ("runs the TensorBoard in a container of its own, which sees no other task's folder",
            many("tensorboard logs=\"{scratch}\"", "", "hadoop \"3.3\"")),
        ("the job ends when these have ended too",
            many("success \"all\"", "", "").replace("parameter-server", "estimator").replace("role \"ps\"", "role \"evaluator\" { port \"rendezvous\" 2222; }")),
        ("shows links that are known when the job is submitted, and this port is found later",
            many("", "port \"web\" \"auto\" link=\"Web\"", "")),
        ("looks at a port that is known when the job is submitted, and this one is found later",
            many("", "port \"web\" \"auto\"\nready tcp=\"web\"", "")),
        ("the shim sets MASTER_ADDR, RANK and WORLD_SIZE from", of("pytorch", &["\"master\"", "\"worker\""])),
        ("the shim sets DMLC_ROLE and its like from", of("mxnet", &["\"scheduler\"", "\"server\"", "\"worker\""])),
        ("the shim sets the tracker's variables from", of("xgboost", &["\"master\"", "\"worker\""])),
        ("the shim sets HOROVOD_RANK and its like from", of("horovod", &["\"worker\" count=2"])),
        ("refuses two components of one name, and the TensorBoard is one called `tensorboard`",
            many("tensorboard logs=\"hdfs://default/c\"\nhelper \"tensorboard\"", "", "hadoop \"3.3\"")),
        ("leaves `worker` on the node's network: it has no image", bare("network \"overlay\"", "", "")),
        ("has no network `a b`: Docker's networks have plain names", job("network \"a b\"")),
        ("`/dev/shm` is the node's own, which all that runs there shares",
            bare("", "", "").replace("memory=\"4GiB\"", "memory=\"4GiB\" shared-memory=\"1GiB\"")),
        ("puts nothing at `/code` for `worker`, which has no image: it would be the node's own `/code`",
            bare("code \"hdfs://default/code.zip\" at=\"/code\"", "", "")),
        ("uses files of the node in place and does not unpack the archive `file:///srv/c.zip`",
            job("code \"file:///srv/c.zip\"")),
        ("`{code}` is the directory that holds the file `file:///opt/t.py`", bare("code \"file:///opt/t.py\"", "", "")),
        ("shows a container none of the node's folders unless it is mounted", job("data \"d\" \"file:///mnt/d\"")),
        ("hands the program `nfs://filer/d` as it stands, which no program opens", job("data \"d\" \"nfs://filer/d\"")),
        ("mounts no files beside the spec into a container", job("data \"d\" \"./d\" at=\"/d\"")),
        ("sees nothing of what is in that storage", job("checkpoints \"s3a://bucket/c\" if-exists=\"fail\"")),
        ("knows only sha256 digests", one("", "", "hadoop \"3.3\"").replace("image \"ml/mnist:1.0\"", &digest)),
        ("pulls an image wherever the node does not have it",
            job("image \"ml/mnist:1.0\" pull=\"never\"").replacen("    image \"ml/mnist:1.0\"\n", "", 1)),
        ("starts a command through bash as one word of at most 120000 bytes, and this one has",
            worker(&format!("run \"python\" \"{word}\"")).replacen("        run \"python\" \"train.py\"\n", "", 1)),
        ("the engine copies from there into the containers", job("code \"./code.zip\"")),
        ("case $c in 137|143) c=1 ;; esac; exit $c; }", worker("restart \"on-failure\" limit=3")),
        ("nobody: one task needs none", job("")),
        ("the master asks for another container in place of one that is lost, and does not count it",
            job("helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"1GiB\"; restart \"on-failure\" limit=2; }")),
        ("; a task with `restart` is then started again, and waits again",
            many("start timeout=\"5m\"", "restart \"on-failure\" scope=\"task\"", "")),
    ]
}

/// What options, patches and lengths are told.
#[rustfmt::skip]
pub fn options() -> Vec<Arm> {
    let long = "a".repeat(30);
    vec![
        ("the service master localizes the shim from the default file system", block("shim path=\"/opt/tfjob-shim\"")),
        ("or remove `shim`: then a setup step uploads it", block("shim path=\"/opt/tfjob-shim\"")),
        ("`version` cannot be empty: the engine refuses it", block("patch \"version: ''\"")),
        ("`name` is the spec's own: tasks are found by it", block("patch \"name: other\"")),
        ("`configuration.env.TF_CONFIG` is each task's own: one text for all would give them one place in the job",
            block("patch \"configuration: {env: {TF_CONFIG: x}}\"")),
        ("Hadoop 3.9 is not known here", block("hadoop \"3.9\"")),
        ("`gpu-model` has no prefix, and no node is found by it", block("gpu-attribute \"gpu-model\"")),
        ("yarn: the variable TF_CONFIG would be", many("", "", "").replace("count=2", "count=6000")),
        ("yarn: an argument would be 140000 bytes long",
            many("", "", "").replace("\"train.py\"", &format!("\"{}\"", "a".repeat(140_000)))),
        ("a user is taken to have 32 characters: say who submits",
            many("", "", "").replace("\"ctr\"", &format!("\"{long}\""))),
        ("`tfjob-contract.json` is a file of the job", one("env { A \"{index}\"; }\nrestart \"on-failure\" limit=3 within=\"1h\" no-progress-limit=2\ncheckpoints \"file:///c\" at=\"/c\"", "",
            "hadoop \"3.3\"; patch \"configuration: {files: [{dest_file: tfjob-contract.json, visibility: PUBLIC}]}\"")),
        ("packs the directory; the platform copies single files only", job("code \"./train/\"")),
        ("`./model.v2` must be a file: for a directory, write `./model.v2/` in the spec", job("files \"v\" \"./model.v2\"")),
        ("two files are called `a`", worker("target \"yarn\" { patch \"configuration: {files: [{type: STATIC, dest_file: a, src_file: /a}, {type: STATIC, dest_file: a, src_file: /b}]}\"; }")),
    ]
}
