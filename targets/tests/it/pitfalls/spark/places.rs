//! Pitfalls of node selectors that also apply to the driver, of paths that are both file and directory, of readiness files, and of
//! archives.
use super::compiled::{SMALL, one};
use super::table::K8S;
use crate::pitfalls::{In, Pitfall, Seen, rows};

const SELECTOR: Seen = In("SPARK-36075: Spark 3.3.0 added node selectors for the driver alone");
const FILES: Seen = In("Linux, where a path is either a file or a directory");

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let kube = |release: &str| {
        one("image \"a/b:1\"; placement { node \"pool\" \"gpu\"; }", SMALL, &format!("{K8S}; {release}"))
    };
    let paths = |hadoop: &str, words: &str| one(&format!("hadoop {hadoop}"), "cpus=1 memory=\"4GiB\" gpus=1", words);
    let home = |path: &str| format!("home=\"{path}\" java=\"/opt/java\"");
    let mut all = rows("unsupported-feature", vec![
        ("a node selector of executors that also applies to the driver", "", SELECTOR,
            "before Spark 3.3, the node selector of the executors also applies to the driver's pod, so the driver waits for free resources on one of the executors' nodes",
            kube("spark \"3.2\""), "\"gpu\"", "also applies to the pod of the driver", kube("spark \"3.3\"")),
        ("a node selector of executors that also applies to the driver, if the Spark version is not set", "", SELECTOR,
            "before Spark 3.3, the node selector of the executors also applies to the driver's pod, so the driver waits for free resources on one of the executors' nodes",
            kube(""), "\"gpu\"", "(the version is unset: 3.1 is assumed)",
            one("image \"a/b:1\"", SMALL, &format!("{K8S}; conf {{ spark.kubernetes.node.selector.pool \"gpu\"; }}"))),
    ]);
    all.extend(rows("bad-option", vec![
        ("one path for both the Python interpreter and Java", "", FILES, "one path cannot be both the file of Python and the directory of Java, so one of them is not found",
            paths("home=\"/opt/h\" java=\"/opt/x\"", "python \"/opt/x\""), "\"/opt/x\"", "the path of `hadoop java` (`/opt/x`) is a directory",
            // The shim's path is on the submitting host, which is another machine than the executors' nodes.
            paths("home=\"/opt/h\" java=\"/opt/x\"", "shim path=\"/opt/x\"")),
        ("a Hadoop configuration below a program file", "", FILES, "a file cannot contain a directory, so Hadoop's configuration is not found",
            paths(&format!("{} conf=\"/opt/x/conf\"", home("/opt/h")), "gpu-discovery \"/opt/x\""), "\"/opt/x\"", "the path of `hadoop conf` (`/opt/x/conf`) is inside it",
            paths(&format!("{} conf=\"/opt/x/conf\"", home("/opt/h")), "shim path=\"/opt/x\"")),
        ("a Python interpreter that is a directory", "", FILES, "executors do not start, because a directory is not a program",
            paths(&home("/opt/x"), "python \"/opt/x\""), "\"/opt/x\"", "the path of `hadoop home` (`/opt/x`) is a directory", paths(&home("/opt/x"), "python \"/opt/x/bin/python3\"")),
        ("a GPU discovery script that is a directory", "", FILES, "executors do not start, because a directory is not a program",
            paths(&home("/opt/x"), "gpu-discovery \"/opt/x\""), "\"/opt/x\"", "the path of `hadoop home` (`/opt/x`) is a directory", paths(&home("/opt/x"), "gpu-discovery \"/opt/x/gpus.sh\"")),
        ("a program below another program file", "", FILES, "a file cannot contain another file, so one of the programs is not found",
            paths(&home("/opt/h"), "python \"/opt/x\"; gpu-discovery \"/opt/x/gpus.sh\""), "\"/opt/x\"", "the path of `gpu-discovery` (`/opt/x/gpus.sh`) is inside it",
            paths(&home("/opt/h"), "python \"/opt/x\"; gpu-discovery \"/opt/gpus.sh\"")),
        ("a working directory that is a program", "", FILES, "the program does not start, because its working directory is a file",
            one("workdir \"/opt/x\"", SMALL, "python \"/opt/x\""), "\"/opt/x\"", "the path of `workdir` (`/opt/x`) is a directory", one("workdir \"/opt/x\"", SMALL, "python \"/opt/x/python\"; shim path=\"/opt\"")),
    ]));
    all.extend(restarts());
    all.extend(bits());
    all
}

/// Pitfalls of archives that lose the executable bits of their files.
#[rustfmt::skip]
fn bits() -> Vec<Pitfall> {
    const UNPACKED: Seen = In("`Utils.unpack` of Spark 3.5.9, called with a directory as `.tar`, `.zip`, and `.tar.gz`");
    let job = |archive: &str, target: &str| one(&format!("code \"hdfs://default/{archive}\""), SMALL, target).replace("\"python\" \"t.py\"", "\"./t.sh\"");
    let alone = "master \"spark://h:7077\"";
    rows("unsupported-feature", vec![
        ("a tar archive that Java unpacks", "SPARK-38632", UNPACKED, "the unpacked files are not executable, and an entry `./` stops the SparkContext: `expanding ./ would create entry outside`",
            job("c.tar", alone), "\"hdfs://default/c.tar\"", "because Spark on a standalone master unpacks archives in Java", job("c.tar", "")),
        ("a program in a zip archive that Java unpacks", "SPARK-38632", UNPACKED, "the unpacked files are not executable, so the program fails: `PermissionError`",
            job("c.zip", alone), "\"hdfs://default/c.zip\"", "the job starts a file of this `.zip` archive, but its files lose", job("c.tar.gz", alone)),
    ])
}

const DRIVER: Seen = In("the driver that tfjob generates for Spark");
const NB: &str = "helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"4GiB\"; ";

/// Pitfalls of a helper's own `restart`, and of readiness files that several tasks share.
#[rustfmt::skip]
fn restarts() -> Vec<Pitfall> {
    let helper = |words: &str| one(&format!("{NB}{words} }}"), SMALL, "");
    let cache = |more: &str, ready: &str, target: &str| one(&format!("{NB}{ready} }}"), SMALL, target)
        .replace("helper \"nb\"", &format!("{more}\n helper \"nb\" count=2"))
        .replace("role \"worker\" {", "role \"worker\" { after \"nb\";");
    let mut all = rows("ignored-feature", vec![
        ("a `restart` for a helper only", "", DRIVER, "if the program of a helper fails, the driver does not restart it and continues the job",
            helper("restart \"on-failure\" scope=\"job\""), "\"on-failure\"", "`restart` is ignored if only the program of the helper fails (the job",
            helper("").replace("helper ", "restart \"on-failure\" scope=\"job\"\n helper ")),
    ]);
    all.extend(rows("unsupported-feature", vec![
        ("one readiness file for two tasks on a node", "", DRIVER, "as soon as the first task writes the file, the second task on the node counts as ready too",
            cache("", "ready file=\"/tmp/r\"", ""), "\"/tmp/r\"", "two executors may share a node, so two tasks would probe the", cache("image \"a/b:1\"", "ready file=\"/tmp/r\"", "")),
        ("one readiness file for two executors on a node of a standalone master", "spark#executor-placement", DRIVER, "as soon as the first task writes the file, the second task on the node counts as ready too",
            cache("", "ready file=\"/tmp/r\"", "master \"spark://h:7077\""), "\"/tmp/r\"", "two executors may share a node, so two tasks would probe the",
            cache("", "ready file=\"/tmp/r\"", "master \"spark://h:7077\"").replace("count=2", "count=1")),
        ("one readiness file for two tasks of different roles on a node", "", DRIVER, "as soon as the first task writes the file, the second task on the node counts as ready too",
            cache("helper \"b\" { run \"b\"; resources cpus=1 memory=\"4GiB\"; ready file=\"/tmp/r\" }", "ready file=\"/tmp/r\"", "").replace("count=2", "count=1"), "\"/tmp/r\"", "two executors may share a node, so two tasks would probe the",
            cache("helper \"b\" { run \"b\"; resources cpus=1 memory=\"4GiB\"; ready file=\"/tmp/b\" }", "ready file=\"/tmp/r\"", "").replace("count=2", "count=1")),
    ]));
    all
}
