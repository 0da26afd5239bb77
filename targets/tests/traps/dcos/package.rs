//! Trap by trap: the options of the package.
use super::{REFUSED, TF1, marathon, package};
use crate::Trap;

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn traps() -> Vec<Trap> {
    let kerberos = "kerberos principal=\"tf@EXAMPLE.COM\" keytab=\"secret:KEYTAB\"\n    secret \"KEYTAB\" from=\"keytab\" at=\"/keytab\"";
    vec![
        Trap {
            name: "an accepted job_path without job_url runs the package's own examples",
            fact: "spark-dcos-observed §4",
            falls: package("", "", "job-path \"mnist\"")
                .replace("code \"https://files.example.com/mnist.zip\"", ""),
            code: "missing-option",
            words: "\"mnist\"",
            says: "without code the package runs its own examples",
            neighbour: package("", "", "job-path \"mnist\""),
        },
        Trap {
            name: "a module with a dash is accepted and cannot be imported",
            fact: "spark-dcos §5 22",
            falls: package("", "", "")
                .replace("module \"train\"", "module \"my-train\"")
                .replace("train.py", "my-train.py"),
            code: "bad-option",
            words: "\"my-train\"",
            says: "Python cannot import `my-train`",
            neighbour: package("", "", "")
                .replace("module \"train\"", "module \"my_train\"")
                .replace("train.py", "my_train.py"),
        },
        Trap {
            name: "a module beside another file is accepted and not found",
            fact: "spark-dcos §3.5",
            falls: package("", "", "").replace("mnist.zip", "other.py"),
            code: REFUSED,
            words: "\"https://files.example.com/other.py\"",
            says: "would look for the module `train` beside `other.py`",
            neighbour: package("", "", "").replace("mnist.zip", "train.py"),
        },
        Trap {
            name: "words of the program are dropped",
            fact: "spark-dcos §3.5",
            falls: package("", "", "").replace("\"train.py\"", "\"train.py\" \"--fast\""),
            code: REFUSED,
            words: "\"python\" \"train.py\" \"--fast\"",
            says: "passes no words to the package's module, and `--fast` is no entry of its context",
            neighbour: package("param \"fast\" #true", "", "")
                .replace("\"train.py\"", "\"train.py\" \"--fast={param.fast}\""),
        },
        Trap {
            name: "a number in the context could be a text",
            fact: "spark-dcos §3.5",
            falls: package("", "", "").replace("\"train.py\"", "\"train.py\" \"--steps=9\""),
            code: REFUSED,
            words: "\"python\" \"train.py\" \"--steps=9\"",
            says: "cannot tell whether the context's `steps` is a text or a number",
            neighbour: package("param \"steps\" 9", "", "")
                .replace("\"train.py\"", "\"train.py\" \"--steps={param.steps}\""),
        },
        Trap {
            name: "TensorFlow 2 finds no TF_CONFIG and an image with 1.5",
            fact: "spark-dcos §5 23",
            falls: package("", "", "").replace(TF1, "version=\"2.15\""),
            code: REFUSED,
            words: "\"tensorflow\"",
            says: "runs TensorFlow 1.5 in the package's own image",
            neighbour: package("", "", ""),
        },
        Trap {
            name: "a strategy that reads TF_CONFIG trains alone",
            fact: "spark-dcos §5 23",
            falls: package("", "", "").replace("\"custom\"", "\"multi-worker-mirrored\""),
            code: REFUSED,
            words: "\"tensorflow\"",
            says: "gives the package's module a started server and no TF_CONFIG, from which this strategy would read its peers",
            neighbour: package("", "", ""),
        },
        Trap {
            name: "there is no chief",
            fact: "spark-dcos §3.5",
            falls: package(
                "role \"chief\" {\n run \"python\" \"train.py\"\n resources cpus=1 memory=\"1GiB\"\n }",
                "",
                "",
            ),
            code: REFUSED,
            words: "\"chief\"",
            says: "has only workers and parameter servers in the package",
            neighbour: package(
                "role \"ps\" {\n run \"python\" \"train.py\"\n resources cpus=1 memory=\"1GiB\"\n }",
                "",
                "",
            ),
        },
        Trap {
            name: "variables are accepted and never read",
            fact: "spark-dcos-observed §4",
            falls: package("env { A \"b\" }", "", ""),
            code: REFUSED,
            words: "A",
            says: "accepts variables in the package's options and never reads them",
            neighbour: package("", "", ""),
        },
        Trap {
            name: "a placement of GPU workers is accepted and never read",
            fact: "spark-dcos-observed §4",
            falls: package("", "place { node \"rack\" \"r1\" }", "")
                .replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1"),
            code: REFUSED,
            words: "\"r1\"",
            says: "reads no placement of the package's workers with GPUs, though it accepts one",
            neighbour: package("", "place { node \"rack\" \"r1\" }", ""),
        },
        Trap {
            name: "Kerberos half filled in renders empty names",
            fact: "spark-dcos-observed §4",
            falls: package(kerberos, "", "enterprise #true"),
            code: REFUSED,
            words: "kerberos principal=\"tf@EXAMPLE.COM\" keytab=\"secret:KEYTAB\"",
            says: "needs the key distribution centre, and renders an empty one without",
            neighbour: package(kerberos, "", "enterprise #true\n kdc \"kdc.example.com\""),
        },
        Trap {
            name: "TensorBoard without a shared file system has nothing to read",
            fact: "spark-dcos §3.3",
            falls: package("tensorboard logs=\"hdfs://default/logs\"", "", ""),
            code: REFUSED,
            words: "tensorboard logs=\"hdfs://default/logs\"",
            says: "lets the package's TensorBoard read the job's checkpoints only",
            neighbour: package(
                "checkpoints \"hdfs://default/logs\"\n tensorboard",
                "",
                "hdfs-config \"http://hdfs.example.com/conf\"",
            ),
        },
        Trap {
            name: "HDFS without its configuration is not found",
            fact: "spark-dcos §3.2",
            falls: package("checkpoints \"hdfs://default/ckpt\"", "", ""),
            code: REFUSED,
            words: "\"hdfs://default/ckpt\"",
            says: "does not tell the package's tasks where HDFS is",
            neighbour: package(
                "checkpoints \"hdfs://default/ckpt\"",
                "",
                "hdfs-config \"http://hdfs.example.com/conf\"",
            ),
        },
        Trap {
            name: "a bucket opens only with the secret of one name, and a key in the options is public",
            fact: "spark-dcos §5 21",
            falls: package("checkpoints \"gs://b/ckpt\"", "", ""),
            code: REFUSED,
            words: "\"gs://b/ckpt\"",
            says: "opens no bucket without the secret `gcs_key`",
            neighbour: package("checkpoints \"gs://b/ckpt\"", "", "gcs-key-secret #true"),
        },
        Trap {
            name: "code is fetched from web servers only",
            fact: "spark-dcos §3.5",
            falls: package("", "", "")
                .replace("https://files.example.com/mnist.zip", "hdfs://default/mnist.zip"),
            code: REFUSED,
            words: "\"hdfs://default/mnist.zip\"",
            says: "fetches the package's code from a web server only",
            neighbour: package("", "", ""),
        },
        Trap {
            name: "an option of the other form is lost",
            fact: "spark-dcos-observed §4",
            falls: package("", "", "group \"/ml\""),
            code: "idle-option",
            words: "\"/ml\"",
            says: "the package has no use for `group`",
            neighbour: marathon("target \"dcos\" { group \"/ml\" }", ""),
        },
        Trap {
            name: "a disk of another kind is not in the enumeration",
            fact: "spark-dcos-observed §4",
            falls: package("", "target \"dcos\" { disk-type \"root\" }", ""),
            code: "unknown-value",
            words: "\"root\"",
            says: "`disk-type` is never `root`",
            neighbour: package("", "target \"dcos\" { disk-type \"ROOT\" }", ""),
        },
    ]
}
