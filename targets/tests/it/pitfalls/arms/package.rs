//! Messages about the options of the DC/OS package.
use super::Arm;
use crate::pitfalls::dcos::{TF1, package};

/// Returns a spec with another role in addition to the worker.
fn role(word: &str) -> String {
    format!("{word} {{\n run \"python\" \"train.py\"\n resources cpus=1 memory=\"1GiB\"\n }}")
}

/// Returns a spec with these lines in the job.
fn job(words: &str) -> String {
    package(words, "", "")
}

/// Returns a spec with these lines in the worker.
fn worker(words: &str) -> String {
    package("", words, "")
}

/// Returns a spec with these `resources` of the worker.
fn resources(words: &str) -> String {
    package("", "", "").replace("memory=\"1GiB\"", &format!("memory=\"1GiB\" {words}"))
}

/// Returns a spec with these arguments of `run`.
fn run(words: &str) -> String {
    package("", "", "").replace("\"train.py\"", &format!("\"train.py\" {words}"))
}

/// Returns a spec with another `code` entry.
fn code(words: &str) -> String {
    package("", "", "").replace("\"https://files.example.com/mnist.zip\"", words)
}

/// Returns a spec with a Kerberos keytab in a secret, and with all options that Kerberos needs.
fn kerberos(principal: &str, keytab: &str, secret: &str) -> String {
    let words =
        format!("kerberos principal=\"{principal}\" keytab=\"{keytab}\"\n secret \"KEYTAB\" {secret}");
    package(&words, "", "enterprise #true\n kdc \"kdc.example.com\"")
}

/// Messages about requirements of tasks that the package does not support or ignores.
pub fn lacking() -> Vec<Arm> {
    vec![
        (
            "the TensorFlow package passes the context in one environment variable of at most",
            run(&format!("\"--a={}\"", "x".repeat(140_000))),
        ),
        (
            "`description` is ignored: the TensorFlow package has no option for it",
            job("description \"a job\""),
        ),
        ("` is ignored: the TensorFlow package has no option for labels", job("labels { team \"ml\"; }")),
        ("the TensorFlow package does not run evaluators", job(&role("role \"evaluator\""))),
        (
            "the TensorFlow package runs only parameter servers and workers, not helpers",
            job(&role("helper \"notebook\"")),
        ),
        (
            "the TensorFlow package always starts exactly `count` tasks of a role",
            job("").replace("role \"worker\"", "role \"worker\" count=2 min=1"),
        ),
        (
            "the TensorFlow package has no option for credentials of an image registry",
            job("image \"ml/mnist:1.0\" pull-secret=\"registry\""),
        ),
        (
            "the TensorFlow package calls `main` of a Python module and starts no shell",
            job("").replace("run \"python\" \"train.py\"", "shell \"python train.py\""),
        ),
        ("the TensorFlow package chooses the working directory of its tasks", worker("workdir \"/srv\"")),
        (
            "the TensorFlow package cannot select GPUs by model: `gpu_worker` has no placement option",
            resources("gpus=1 gpu-model=\"a100\""),
        ),
        (
            "the TensorFlow package cannot select GPUs by memory size",
            resources("gpus=1 gpu-memory=\"40GiB\""),
        ),
        (
            "the TensorFlow package has no option for the size of `/dev/shm`",
            resources("shared-memory=\"512MiB\""),
        ),
        ("the TensorFlow package has no option for the device `", resources("{ device \"fpga\" 1; }")),
        (
            "`link` is ignored: the TensorFlow package has no option for links to its tasks",
            worker("port \"rendezvous\" 2222 link=\"Server\""),
        ),
    ]
}

/// Messages about requirements of the job that the package does not support.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn missing() -> Vec<Arm> {
    let hdfs = "hdfs-config \"http://hdfs.example.com/conf\"";
    vec![
        (
            "the scheduler of the TensorFlow package restarts tasks by fixed rules, and no option changes them",
            worker("restart \"on-failure\""),
        ),
        (
            "the scheduler of the TensorFlow package decides the start order, and no option changes it",
            package(&role("role \"ps\""), "after \"ps\" when=\"started\"", ""),
        ),
        ("the TensorFlow package has no option for health checks", worker("ready tcp=\"rendezvous\"")),
        (
            "`partition` is not supported: DC/OS has no partitions, only attributes of agents",
            worker("placement { partition \"gpu\"; }"),
        ),
        (
            "agents download only the `code` of the TensorFlow package, no other files",
            job("files \"venv\" \"https://files.example.com/venv.tar.gz\""),
        ),
        (
            "the TensorFlow package cannot mount storage into its tasks",
            package("data \"d\" \"hdfs://default/d\" at=\"/d\"", "", hdfs),
        ),
        (
            "the TensorFlow package does not check for existing checkpoints before the program starts",
            package("checkpoints \"hdfs://default/ckpt\" if-exists=\"fail\"", "", hdfs),
        ),
        (
            "the TensorFlow package passes no path of a scratch directory to its tasks",
            worker("env { WORK \"{scratch}\"; }"),
        ),
        (
            "the TensorFlow package learns only the exit code of a program, so `{done}` has no effect",
            worker("env { DONE \"{done}\"; }"),
        ),
        (
            "tasks of the TensorFlow package wait for their peers without a time limit",
            job("start timeout=\"20m\""),
        ),
        (
            "the scheduler of the TensorFlow package places tasks one by one, as soon as an agent has free resources",
            job("start gang=#true"),
        ),
        ("the TensorFlow package has no option for a grace period", job("stop grace=\"60s\"")),
        ("the TensorFlow package has no option for a deadline", job("deadline \"2d\"")),
        (
            "Mesos agents delete sandboxes by their own rules, and no option of the TensorFlow package changes them",
            job("keep \"failed\""),
        ),
        (
            "a task of the TensorFlow package has one port, which its TensorFlow server uses",
            worker("port \"web\" 8080"),
        ),
        (
            "the TensorFlow package starts its TensorFlow servers with the protocol `grpc`, and no option changes it",
            { job("protocol \"grpc+verbs\"\n allow \"protocol\" because=\"own build\" on=\"yarn\"") },
        ),
        (
            "the TensorFlow package passes no secret to its tasks except the Kerberos keytab and `gcs_key`",
            job("secret \"TOKEN\" from=\"token\""),
        ),
        (
            "the TensorFlow package chooses the directory where the code is unpacked, so `at` is not supported",
            code("\"https://files.example.com/m.zip\" at=\"/m\""),
        ),
        (
            "the TensorFlow package sets no Hadoop variables in a custom image",
            job("image \"ml/mnist:1.0\"\n hadoop home=\"/opt/hadoop\" java=\"/opt/java\""),
        ),
        ("the DC/OS package supports only TensorFlow, not pytorch", {
            job("")
                .replace(&format!("\"tensorflow\" {TF1} strategy=\"custom\""), "\"pytorch\"")
                .replace("role \"worker\"", "role \"master\"")
        }),
        ("only workers of the TensorFlow package can have GPUs", {
            let gpus = "memory=\"1GiB\" gpus=1";
            job(&role("role \"ps\"").replace("memory=\"1GiB\"", gpus))
        }),
        (
            "placement constraints of the TensorFlow package can spread tasks over zones and regions, but not over racks",
            worker("placement { spread \"rack\"; }"),
        ),
        (
            "the TensorFlow package has no option for when an image is pulled",
            job("image \"ml/mnist:1.0\" pull=\"always\""),
        ),
    ]
}

/// Messages about requirements that the package supports only in a certain form.
pub fn narrow() -> Vec<Arm> {
    vec![
        (
            "the TensorFlow package passes the same context to all tasks, so an argument cannot contain values of one task, such as `{index}` or `{code}`",
            run("\"--task={index}\""),
        ),
        (
            "the TensorFlow package calls `main` of the module `train`, but `run` starts another program",
            job("").replace("\"train.py\"", "\"other.py\""),
        ),
        (
            "the argument `--rate` occurs twice, but each key of `context` is unique",
            run("\"--rate=a\" \"--rate=b\""),
        ),
        (
            "the TensorFlow package passes the context as JSON, where `12345678901234567890` loses digits",
            package("param \"big\" 12345678901234567890", "", "")
                .replace("\"train.py\"", "\"train.py\" \"--big={param.big}\""),
        ),
        (
            "the options of the TensorFlow package contain the port number, so it cannot be picked at the start of a task",
            worker("port \"rendezvous\" \"auto\""),
        ),
        ("the TensorFlow server of the TensorFlow package uses gRPC", job("protocol \"grpc\"")),
        (
            "removing the service stops all its tasks",
            job(&format!("image \"ml/mnist:1.0\"\n {}", role("role \"ps\""))),
        ),
        (
            "if the path of the secret is `keytab/entry`, write `from=\"keytab/entry\"` without `key`",
            kerberos("tf@EXAMPLE.COM", "secret:KEYTAB", "from=\"keytab\" key=\"entry\" at=\"/keytab\"")
                .replace("enterprise #true", "enterprise #true\n group \"/keytab\""),
        ),
        (
            "the TensorFlow package forms principals as `NAME@REALM`, without a host",
            kerberos("tf/host@EXAMPLE.COM", "secret:KEYTAB", "from=\"keytab\" at=\"/keytab\""),
        ),
        (
            "the TensorFlow package reads the keytab only from the DC/OS secret store",
            kerberos("tf@EXAMPLE.COM", "file:///etc/tf.keytab", "from=\"keytab\" at=\"/keytab\""),
        ),
        (
            "only services below `/other` can read the secret `other/keytab`, but the service of this job is `/mnist`",
            kerberos("tf@EXAMPLE.COM", "secret:KEYTAB", "from=\"other/keytab\" at=\"/keytab\""),
        ),
    ]
}

/// Messages about storage, images, and numbers.
#[expect(clippy::too_many_lines, reason = "a table")]
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
        (
            "agents recognize the format of the code by its file extension, and this extension is not supported",
            code("\"https://files.example.com/m.jar\""),
        ),
        (
            "the module opens this URI, which an argument of `run` can pass",
            package("data \"d\" \"hdfs://default/d\"", "", hdfs),
        ),
        ("the TensorFlow package cannot mount storage into its tasks", job("data \"d\" \"file:///mnt/d\"")),
        (
            "the TensorFlow package supports only HDFS and Google Cloud Storage for checkpoints",
            job("checkpoints \"s3a://bucket/ckpt\""),
        ),
        (
            "the custom image must contain a Hadoop client and set `CLASSPATH` and `LD_LIBRARY_PATH`",
            package("image \"ml/mnist:1.0\"\n data \"d\" \"hdfs://default/d\"", "", hdfs),
        ),
        (
            "the `hadoop` paths are ignored: the image of the TensorFlow package contains a Hadoop client and sets its variables",
            job("hadoop home=\"/opt/hadoop\" java=\"/opt/java\""),
        ),
        (
            "the TensorFlow package runs TensorBoard in the image of the tasks, not in another image",
            package("checkpoints \"hdfs://default/c\"\n tensorboard image=\"ml/board:1\"", "", hdfs),
        ),
        (
            "the images of the TensorFlow package contain TensorFlow 1.5, not 1.4",
            job("").replace(TF1, "version=\"1.4\""),
        ),
        ("the TensorFlow package needs TensorFlow 1, but `version` is not set", job("").replace(TF1, "")),
        (
            "with the 2 arguments of `run` in `context`",
            package("", "", "").replace("\"train.py\"", "\"train.py\" \"--a=b\" \"--c=d\""),
        ),
        (
            "the TensorBoard of the TensorFlow package reads only the checkpoints of the job, not another directory",
            package("checkpoints \"hdfs://default/c\"\n tensorboard logs=\"hdfs://default/l\"", "", hdfs),
        ),
        (
            "the TensorFlow package has one image for all tasks without GPUs and one for all tasks with GPUs, but the roles of this job have more images",
            two("image \"ml/ps:1.0\"", "image \"ml/mnist:1.0\""),
        ),
        ("agents pull only images that they do not have", job("image \"ml/mnist:1.0\" pull=\"missing\"")),
        (
            "the TensorFlow package calls one module with one context for all tasks, but the roles of this job have different arguments",
            package("", "", "").replace(
                "    role \"worker\"",
                &format!("{}\n    role \"worker\"", {
                    role("role \"ps\"").replace("\"train.py\"", "\"train.py\" \"--a=b\"")
                }),
            ),
        ),
        (
            "Mesos looks up the user by name on each agent, so a numeric ID is not supported",
            worker("user 1000"),
        ),
        (
            "the TensorFlow package runs all tasks as one user (`service.user`), but the roles of this job have different users",
            two("", "user \"nobody\""),
        ),
        ("Mesos counts memory and disk in MiB, so the amount is rounded up to 1025MiB", {
            job("").replace("memory=\"1GiB\"", "memory=\"1049000KiB\"")
        }),
        (
            "`worker.cpus` must be at least 0.001: the package manager renders smaller numbers as `1.0E-5`",
            package("", "", "patch \"worker: {cpus: 0.0001}\""),
        ),
        (
            "`worker.count` cannot be patched; set `count` of the role",
            package("", "", "patch \"worker: {count: 3}\""),
        ),
    ]
}

/// Messages about options of the `target` block.
pub fn options() -> Vec<Arm> {
    let block = |words: &str| package("", "", words);
    vec![
        ("dcos: `kdc.example.com:88` is not a valid host name", block("kdc \"kdc.example.com:88\"")),
        ("such as `kdc \"kdc.example.com\" port=88`", block("kdc \"kdc.example.com:88\"")),
        ("dcos: `kdc` has no effect without `kerberos`", block("kdc \"kdc.example.com\"")),
        ("dcos: `/train` is not a relative path inside the code", block("job-path \"/train\"")),
        ("dcos: `region` is empty", block("version \"1.11\"\n region \"\"")),
        ("dcos: regions need DC/OS 1.11 or later", block("region \"eu\"")),
        ("dcos: only DC/OS Enterprise has a secret store", block("service-account \"tf\" secret=\"tf/key\"")),
        (
            "dcos: agents download the HDFS configuration only from a web server",
            block("hdfs-config \"hdfs://default/conf\""),
        ),
        ("the patch is not a map", block("patch \"[1]\"")),
        ("the patch is not valid YAML or JSON: it is empty", block("patch \"\"")),
        (
            "the patch is not valid YAML or JSON: `",
            block("patch \"{\\\"a\\\": 170141183460469231731687303715884105727}\""),
        ),
    ]
}
