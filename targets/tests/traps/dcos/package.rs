//! Trap by trap: the options of the package.
use super::{REFUSED, TF1, marathon, package};
use crate::Trap;

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn traps() -> Vec<Trap> {
    let kerberos = "kerberos principal=\"tf@EXAMPLE.COM\" keytab=\"secret:KEYTAB\"\n    secret \"KEYTAB\" from=\"keytab\"";
    vec![
        Trap {
            name: "an accepted job_path without job_url runs the package's own examples",
            fact: "spark-dcos-observed §4",
            falls: (
                package("", "", "job-path \"mnist\"")
                    .replace("code \"https://files.example.com/mnist.zip\"", ""),
                &[("missing-option", "\"mnist\"")],
            ),
            stands: package("", "", "job-path \"mnist\""),
        },
        Trap {
            name: "a module with a dash is accepted and cannot be imported",
            fact: "spark-dcos §5 22",
            falls: (
                package("", "", "")
                    .replace("module \"train\"", "module \"my-train\"")
                    .replace("train.py", "my-train.py"),
                &[("bad-option", "\"my-train\"")],
            ),
            stands: package("", "", "")
                .replace("module \"train\"", "module \"my_train\"")
                .replace("train.py", "my_train.py"),
        },
        Trap {
            name: "a module beside another file is accepted and not found",
            fact: "spark-dcos §3.5",
            falls: (
                package("", "", "").replace("mnist.zip", "other.py"),
                &[(REFUSED, "\"https://files.example.com/other.py\"")],
            ),
            stands: package("", "", "").replace("mnist.zip", "train.py"),
        },
        Trap {
            name: "words of the program are dropped",
            fact: "spark-dcos §3.5",
            falls: (
                package("", "", "").replace("\"train.py\"", "\"train.py\" \"--fast\""),
                &[(REFUSED, "\"python\" \"train.py\" \"--fast\"")],
            ),
            stands: package("param \"fast\" #true", "", "")
                .replace("\"train.py\"", "\"train.py\" \"--fast={param.fast}\""),
        },
        Trap {
            name: "a number in the context could be a text",
            fact: "spark-dcos §3.5",
            falls: (
                package("", "", "").replace("\"train.py\"", "\"train.py\" \"--steps=9\""),
                &[(REFUSED, "\"python\" \"train.py\" \"--steps=9\"")],
            ),
            stands: package("param \"steps\" 9", "", "")
                .replace("\"train.py\"", "\"train.py\" \"--steps={param.steps}\""),
        },
        Trap {
            name: "TensorFlow 2 finds no TF_CONFIG and an image with 1.5",
            fact: "spark-dcos §5 23",
            falls: (package("", "", "").replace(TF1, "version=\"2.15\""), &[(REFUSED, "\"tensorflow\"")]),
            stands: package("", "", ""),
        },
        Trap {
            name: "a strategy that reads TF_CONFIG trains alone",
            fact: "spark-dcos §5 23",
            falls: (
                package("", "", "").replace("\"custom\"", "\"multi-worker-mirrored\""),
                &[(REFUSED, "\"tensorflow\"")],
            ),
            stands: package("", "", ""),
        },
        Trap {
            name: "there is no chief",
            fact: "spark-dcos §3.5",
            falls: (
                package(
                    "role \"chief\" {\n run \"python\" \"train.py\"\n resources cpus=1 memory=\"1GiB\"\n }",
                    "",
                    "",
                ),
                &[(REFUSED, "\"chief\"")],
            ),
            stands: package(
                "role \"ps\" {\n run \"python\" \"train.py\"\n resources cpus=1 memory=\"1GiB\"\n }",
                "",
                "",
            ),
        },
        Trap {
            name: "variables are accepted and never read",
            fact: "spark-dcos-observed §4",
            falls: (package("env { A \"b\" }", "", ""), &[(REFUSED, "A")]),
            stands: package("", "", ""),
        },
        Trap {
            name: "a placement of GPU workers is accepted and never read",
            fact: "spark-dcos-observed §4",
            falls: (
                package("", "place { node \"rack\" \"r1\" }", "")
                    .replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1"),
                &[(REFUSED, "\"r1\"")],
            ),
            stands: package("", "place { node \"rack\" \"r1\" }", ""),
        },
        Trap {
            name: "Kerberos half filled in renders empty names",
            fact: "spark-dcos-observed §4",
            falls: (
                package(kerberos, "", "enterprise #true"),
                &[(REFUSED, "kerberos principal=\"tf@EXAMPLE.COM\" keytab=\"secret:KEYTAB\"")],
            ),
            stands: package(kerberos, "", "enterprise #true\n kdc \"kdc.example.com\""),
        },
        Trap {
            name: "TensorBoard without a shared file system has nothing to read",
            fact: "spark-dcos §3.3",
            falls: (
                package("tensorboard logs=\"hdfs://default/logs\"", "", ""),
                &[(REFUSED, "tensorboard logs=\"hdfs://default/logs\"")],
            ),
            stands: package(
                "checkpoints \"hdfs://default/logs\"\n tensorboard",
                "",
                "hdfs-config \"http://hdfs.example.com/conf\"",
            ),
        },
        Trap {
            name: "HDFS without its configuration is not found",
            fact: "spark-dcos §3.2",
            falls: (
                package("checkpoints \"hdfs://default/ckpt\"", "", ""),
                &[(REFUSED, "\"hdfs://default/ckpt\"")],
            ),
            stands: package(
                "checkpoints \"hdfs://default/ckpt\"",
                "",
                "hdfs-config \"http://hdfs.example.com/conf\"",
            ),
        },
        Trap {
            name: "a bucket opens only with the secret of one name, and a key in the options is public",
            fact: "spark-dcos §5 21",
            falls: (package("checkpoints \"gs://b/ckpt\"", "", ""), &[(REFUSED, "\"gs://b/ckpt\"")]),
            stands: package("checkpoints \"gs://b/ckpt\"", "", "gcs-key-secret #true"),
        },
        Trap {
            name: "code is fetched from web servers only",
            fact: "spark-dcos §3.5",
            falls: (
                package("", "", "")
                    .replace("https://files.example.com/mnist.zip", "hdfs://default/mnist.zip"),
                &[(REFUSED, "\"hdfs://default/mnist.zip\"")],
            ),
            stands: package("", "", ""),
        },
        Trap {
            name: "an option of the other form is lost",
            fact: "spark-dcos-observed §4",
            falls: (package("", "", "group \"/ml\""), &[("idle-option", "\"/ml\"")]),
            stands: marathon("target \"dcos\" { group \"/ml\" }", ""),
        },
        Trap {
            name: "a disk of another kind is not in the enumeration",
            fact: "spark-dcos-observed §4",
            falls: (
                package("", "target \"dcos\" { disk-type \"root\" }", ""),
                &[("unknown-value", "\"root\"")],
            ),
            stands: package("", "target \"dcos\" { disk-type \"ROOT\" }", ""),
        },
    ]
}
