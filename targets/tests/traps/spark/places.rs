//! Traps of nodes that the driver has too, and of paths that are a file to one line and a directory to another.
use super::compiled::{SMALL, one};
use super::table::K8S;
use crate::{In, Seen, Trap, rows};

const SELECTOR: Seen = In("SPARK-36075: nodes of the driver alone came with Spark 3.3.0");
const FILES: Seen = In("Linux: a path is a file or a directory");

#[rustfmt::skip]
pub fn traps() -> Vec<Trap> {
    let kube = |release: &str| {
        one("image \"a/b:1\"; place { node \"pool\" \"gpu\"; }", SMALL, &format!("{K8S}; {release}"))
    };
    let paths = |hadoop: &str, words: &str| one(&format!("hadoop {hadoop}"), "cpus=1 memory=\"4GiB\" gpus=1", words);
    let home = |path: &str| format!("home=\"{path}\" java=\"/opt/java\"");
    let mut all = rows("feature-refused", vec![
        ("a driver on the nodes of its executors", "spark-dcos §2.3", SELECTOR,
            "the driver's pod waits for a node of `place`, and takes a part of it",
            kube("spark \"3.2\""), "\"gpu\"", "places the driver on these nodes too before version 3.3", kube("spark \"3.3\"")),
        ("a driver on the nodes of its executors, in a release that nobody said", "spark-dcos §2.3", SELECTOR,
            "the driver's pod waits for a node of `place`, and takes a part of it",
            kube(""), "\"gpu\"", "an unset version counts as 3.1",
            one("image \"a/b:1\"", SMALL, &format!("{K8S}; conf {{ spark.kubernetes.node.selector.pool \"gpu\"; }}"))),
    ]);
    all.extend(rows("bad-option", vec![
        ("a shim in the place of Hadoop", "spark-dcos §2.1", FILES, "the shim or Hadoop is not there",
            paths(&home("/opt/x"), "shim \"/opt/x\""), "\"/opt/x\"", "`/opt/x` is a file, and `/opt/x` of `hadoop home` is a directory",
            paths(&home("/opt/x"), "shim \"/opt/x/tfjob-shim\"")),
        ("a shim in the place of Java", "spark-dcos §2.1", FILES, "the shim or Java is not there",
            paths("home=\"/opt/h\" java=\"/opt/x/\"", "shim \"/opt/x\"").replace("/opt/x/", "/opt/x"), "\"/opt/x\"", "of `hadoop java` is a directory",
            paths("home=\"/opt/h\" java=\"/opt/y\"", "shim \"/opt/x\"")),
        ("a configuration below the shim", "spark-dcos §2.1", FILES, "there is nothing below a file",
            paths(&format!("{} conf=\"/opt/x/conf\"", home("/opt/h")), "shim \"/opt/x\""), "\"/opt/x\"", "of `hadoop conf` is inside this file",
            paths(&format!("{} conf=\"/opt/conf\"", home("/opt/h")), "shim \"/opt/x\"")),
        ("a Python that is a directory", "spark-dcos §2.3", FILES, "executors do not start: it is no program",
            paths(&home("/opt/x"), "python \"/opt/x\""), "\"/opt/x\"", "of `hadoop home` is a directory", paths(&home("/opt/x"), "python \"/opt/x/bin/python3\"")),
        ("a program that finds GPUs and is a directory", "spark-dcos §2.3", FILES, "executors do not start: it is no program",
            paths(&home("/opt/x"), "gpu-discovery \"/opt/x\""), "\"/opt/x\"", "of `hadoop home` is a directory", paths(&home("/opt/x"), "gpu-discovery \"/opt/x/gpus.sh\"")),
        ("a program below another", "spark-dcos §2.3", FILES, "there is nothing below a file",
            paths(&home("/opt/h"), "python \"/opt/x\"; gpu-discovery \"/opt/x/gpus.sh\""), "\"/opt/x\"", "of `gpu-discovery` is inside this file",
            paths(&home("/opt/h"), "python \"/opt/x\"; gpu-discovery \"/opt/gpus.sh\"")),
        ("a program in the place of the working directory", "spark-dcos §2.3", FILES, "the program does not start: its directory is a file",
            one("workdir \"/opt/x\"", SMALL, "python \"/opt/x\""), "\"/opt/x\"", "of `workdir` is a directory", one("workdir \"/opt/x\"", SMALL, "python \"/opt/x/python\"")),
    ]));
    all
}
