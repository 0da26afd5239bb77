//! What DC/OS says of the options of its package.
use super::Arm;
use crate::pitfalls::dcos::{TF1, package};

/// Another role beside the worker.
fn role(word: &str) -> String {
    format!("{word} {{\n run \"python\" \"train.py\"\n resources cpus=1 memory=\"1GiB\"\n }}")
}

/// Words in the job.
fn job(words: &str) -> String {
    package(words, "", "")
}

/// Words in the worker.
fn worker(words: &str) -> String {
    package("", words, "")
}

/// Resources of the worker.
fn resources(words: &str) -> String {
    package("", "", "").replace("memory=\"1GiB\"", &format!("memory=\"1GiB\" {words}"))
}

/// Words of the program.
fn run(words: &str) -> String {
    package("", "", "").replace("\"train.py\"", &format!("\"train.py\" {words}"))
}

/// The program, brought in another way.
fn code(words: &str) -> String {
    package("", "", "").replace("\"https://files.example.com/mnist.zip\"", words)
}

/// A keytab in a secret, of a cluster that has all that Kerberos needs.
fn kerberos(principal: &str, keytab: &str, secret: &str) -> String {
    let words =
        format!("kerberos principal=\"{principal}\" keytab=\"{keytab}\"\n secret \"KEYTAB\" {secret}");
    package(&words, "", "enterprise #true\n kdc \"kdc.example.com\"")
}

/// What is not in the package, and the words that are left out.
pub fn lacking() -> Vec<Arm> {
    vec![
        ("passes the package's context in one variable", run(&format!("\"--a={}\"", "x".repeat(140_000)))),
        ("has no place for a description in the package's options", job("description \"a job\"")),
        ("has no place for labels in the package's options", job("labels { team \"ml\"; }")),
        ("has no evaluator in the package", job(&role("role \"evaluator\""))),
        ("has no role outside the rendezvous in the package", job(&role("helper \"notebook\""))),
        (
            "always starts the full number of the package's tasks",
            job("").replace("role \"worker\"", "role \"worker\" count=2 min=1"),
        ),
        (
            "cannot give the package's tasks a registry's credentials",
            job("image \"ml/mnist:1.0\" pull-secret=\"registry\""),
        ),
        (
            "calls a module's `main` and starts no shell for the package's tasks",
            job("").replace("run \"python\" \"train.py\"", "shell \"python train.py\""),
        ),
        ("chooses the folder of the package's tasks itself", worker("workdir \"/srv\"")),
        ("cannot choose among GPUs: `gpu_worker` has no placement", resources("gpus=1 gpu-model=\"a100\"")),
        ("cannot choose GPUs by their memory", resources("gpus=1 gpu-memory=\"40GiB\"")),
        ("cannot size `/dev/shm` of the package's tasks", resources("shared-memory=\"512MiB\"")),
        ("knows no counted kind but GPUs", resources("{ device \"fpga\" 1; }")),
        ("shows no link to the package's tasks", worker("port \"rendezvous\" 2222 link=\"Server\"")),
    ]
}

/// What is not in the package around the tasks.
pub fn missing() -> Vec<Arm> {
    let hdfs = "hdfs-config \"http://hdfs.example.com/conf\"";
    vec![
        ("restarts the package's tasks by rules that cannot be set", worker("restart \"on-failure\"")),
        (
            "starts the package's tasks in an order of its own",
            package(&role("role \"ps\""), "after \"ps\" when=\"started\"", ""),
        ),
        ("has no health checks in the package", worker("ready tcp=\"rendezvous\"")),
        ("has no partitions that tasks could name", worker("placement { partition \"gpu\"; }")),
        (
            "fetches the code and nothing else for the package's tasks",
            job("files \"venv\" \"https://files.example.com/venv.tar.gz\""),
        ),
        (
            "mounts nothing into the package's tasks",
            package("data \"d\" \"hdfs://default/d\" at=\"/d\"", "", hdfs),
        ),
        (
            "looks at no checkpoint before the start",
            package("checkpoints \"hdfs://default/ckpt\" if-exists=\"fail\"", "", hdfs),
        ),
        ("tells the package's tasks of no folder of their own", worker("env { WORK \"{scratch}\"; }")),
        (
            "starts the program itself, and hears nothing of it but its end",
            worker("env { DONE \"{done}\"; }"),
        ),
        ("lets the package's tasks wait for each other without end", job("start timeout=\"20m\"")),
        ("places the package's tasks one by one", job("start gang=#true")),
        ("has no grace period in the package's options", job("stop grace=\"60s\"")),
        ("has no deadline in the package's options", job("deadline \"2d\"")),
        ("keeps or drops the package's sandboxes by the agents' own rules", job("keep \"failed\"")),
        ("gives the package's tasks one port each, for their server", worker("port \"web\" 8080")),
        ("starts the package's servers with grpc itself", {
            job("protocol \"grpc+verbs\"\n allow \"protocol\" because=\"own build\" on=\"yarn\"")
        }),
        ("gives the package's tasks no secret but Kerberos' keytab", job("secret \"TOKEN\" from=\"token\"")),
        (
            "unpacks the package's code where it chooses",
            code("\"https://files.example.com/m.zip\" at=\"/m\""),
        ),
        (
            "sets no variables of Hadoop in an image of the job's own",
            job("image \"ml/mnist:1.0\"\n hadoop home=\"/opt/hadoop\" java=\"/opt/java\""),
        ),
        ("has no package for pytorch", {
            job("")
                .replace(&format!("\"tensorflow\" {TF1} strategy=\"custom\""), "\"pytorch\"")
                .replace("role \"worker\"", "role \"master\"")
        }),
        ("gives GPUs to the package's workers only", {
            let gpus = "memory=\"1GiB\" gpus=1";
            job(&role("role \"ps\"").replace("memory=\"1GiB\"", gpus))
        }),
        ("knows zones and regions but no racks", worker("placement { spread \"rack\"; }")),
        ("cannot say when the package's image is pulled", job("image \"ml/mnist:1.0\" pull=\"always\"")),
    ]
}

/// What the package takes in a certain form only.
pub fn narrow() -> Vec<Arm> {
    vec![
        (
            "tells the package's module nothing that only the task or its folder knows",
            run("\"--task={index}\""),
        ),
        (
            "calls `main` of the module `train`, and these words start something else",
            job("").replace("\"train.py\"", "\"other.py\""),
        ),
        ("has one `rate` in the package's context", run("\"--rate=a\" \"--rate=b\"")),
        (
            "passes the context as JSON, whose readers lose digits of `12345678901234567890`",
            package("param \"big\" 12345678901234567890", "", "")
                .replace("\"train.py\"", "\"train.py\" \"--big={param.big}\""),
        ),
        ("needs the number of the package's ports beforehand", worker("port \"rendezvous\" \"auto\"")),
        ("the package's server speaks grpc", job("protocol \"grpc\"")),
        (
            "removing the service ends all its tasks",
            job(&format!("image \"ml/mnist:1.0\"\n {}", role("role \"ps\""))),
        ),
        (
            "write the path of the secret: `from=\"keytab/…\"`, and no `key`",
            kerberos("tf@EXAMPLE.COM", "secret:KEYTAB", "from=\"keytab\" key=\"entry\" at=\"/keytab\""),
        ),
        (
            "builds the principals of the package's tasks as NAME@REALM",
            kerberos("tf/host@EXAMPLE.COM", "secret:KEYTAB", "from=\"keytab\" at=\"/keytab\""),
        ),
        (
            "reads the keytab from its secret store only",
            kerberos("tf@EXAMPLE.COM", "file:///etc/tf.keytab", "from=\"keytab\" at=\"/keytab\""),
        ),
        (
            "lets only services below `/other` read the secret `other/keytab`, and the job is `/mnist`",
            kerberos("tf@EXAMPLE.COM", "secret:KEYTAB", "from=\"other/keytab\" at=\"/keytab\""),
        ),
    ]
}

/// Storage, images and numbers.
pub fn measured() -> Vec<Arm> {
    let hdfs = "hdfs-config \"http://hdfs.example.com/conf\"";
    let two = |first: &str, second: &str| {
        package(
            &role("role \"ps\"").replace("memory=\"1GiB\"", &format!("memory=\"1GiB\"\n {first}")),
            second,
            "",
        )
    };
    vec![
        ("unpacks the package's code by the end of its name", code("\"https://files.example.com/m.jar\"")),
        (
            "the module opens this uri, which a word of `run` may name",
            package("data \"d\" \"hdfs://default/d\"", "", hdfs),
        ),
        ("mounts nothing into the package's tasks", job("data \"d\" \"file:///mnt/d\"")),
        (
            "has HDFS and Google's buckets as shared file systems of the package",
            job("checkpoints \"s3a://bucket/ckpt\""),
        ),
        (
            "the image must hold Hadoop's client and set `CLASSPATH` and `LD_LIBRARY_PATH` itself",
            package("image \"ml/mnist:1.0\"\n data \"d\" \"hdfs://default/d\"", "", hdfs),
        ),
        (
            "does not use these folders: the package's own image holds Hadoop's client and sets its variables",
            job("hadoop home=\"/opt/hadoop\" java=\"/opt/java\""),
        ),
        (
            "runs TensorBoard in the image of the package's tasks",
            package("checkpoints \"hdfs://default/c\"\n tensorboard image=\"ml/board:1\"", "", hdfs),
        ),
        (
            "write `version=\"1.5\"`, or name an `image` that is built on the package's and holds this version",
            job("").replace(TF1, "version=\"1.4\""),
        ),
        (
            "has one image for all tasks without GPUs and one for those with",
            two("image \"ml/ps:1.0\"", "image \"ml/mnist:1.0\""),
        ),
        ("agents keep the images they have", job("image \"ml/mnist:1.0\" pull=\"missing\"")),
        (
            "gives all the package's tasks one module and one context",
            package("", "", "").replace(
                "    role \"worker\"",
                &format!("{}\n    role \"worker\"", {
                    role("role \"ps\"").replace("\"train.py\"", "\"train.py\" \"--a=b\"")
                }),
            ),
        ),
        ("looks the package's user up by name on each agent", worker("user 1000")),
        ("has one user for all the package's tasks", two("", "user \"nobody\"")),
        ("memory and disk are counted in MiB: it gets 1025", {
            job("").replace("memory=\"1GiB\"", "memory=\"1049000KiB\"")
        }),
        (
            "`worker.cpus` is at least 0.001: less is rendered as `1.0E-5`",
            package("", "", "patch \"worker: {cpus: 0.0001}\""),
        ),
        ("`worker.count` is the role's `count`", package("", "", "patch \"worker: {count: 3}\"")),
    ]
}

/// Options of the block.
pub fn options() -> Vec<Arm> {
    let block = |words: &str| package("", "", words);
    vec![
        ("dcos: `kdc.example.com:88` is not a host name", block("kdc \"kdc.example.com:88\"")),
        ("such as `kdc \"kdc.example.com\" port=88`", block("kdc \"kdc.example.com:88\"")),
        ("dcos: nothing in this job asks for Kerberos", block("kdc \"kdc.example.com\"")),
        ("dcos: `/train` is no folder of the code", block("job-path \"/train\"")),
        ("dcos: `region` is empty", block("version \"1.11\"\n region \"\"")),
        ("dcos: there are regions since version 1.11", block("region \"eu\"")),
        (
            "dcos: secrets are kept only in the Enterprise edition",
            block("service-account \"tf\" secret=\"tf/key\""),
        ),
        (
            "dcos: agents fetch HDFS' configuration from a web server",
            block("hdfs-config \"hdfs://default/conf\""),
        ),
        ("the patch is not a map of keys", block("patch \"[1]\"")),
        ("the patch is neither YAML nor JSON: it says nothing", block("patch \"\"")),
        (
            "the patch is neither YAML nor JSON: `",
            block("patch \"{\\\"a\\\": 170141183460469231731687303715884105727}\""),
        ),
    ]
}
