"""A real YARN on the loopback interface: a ResourceManager and a NodeManager, with the Hadoop of the YARN engine."""
import pathlib
import shutil
import sys

import place
from cluster import CORES, GPUS, LEAN, Cluster, read
from toolchain import apart, home
from toolchain.cases import Unavailable

LINE, MIB = "3.3.6", 65536
SITE = {
    "core-site": {"fs.defaultFS": "file:///"},
    "resource-types": {"yarn.resource-types": "yarn.io/gpu"},
    "yarn-site": {
        "yarn.resourcemanager.hostname": "127.0.0.1", "yarn.nodemanager.hostname": "127.0.0.1",
        "yarn.nodemanager.resource.memory-mb": MIB, "yarn.nodemanager.resource.cpu-vcores": CORES,
        "yarn.nodemanager.resource-type.yarn.io/gpu": GPUS, "yarn.scheduler.minimum-allocation-mb": 128,
        "yarn.scheduler.maximum-allocation-mb": MIB, "yarn.nodemanager.vmem-check-enabled": "false",
        "yarn.nodemanager.pmem-check-enabled": "false", "yarn.nodemanager.sleep-delay-before-sigkill.ms": 5000,
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": 100,
    },
    "capacity-scheduler": {
        "yarn.scheduler.capacity.root.queues": "default", "yarn.scheduler.capacity.root.default.capacity": 100,
        "yarn.scheduler.capacity.maximum-am-resource-percent": 1,
        "yarn.scheduler.capacity.resource-calculator":
            "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator",
    },
}


def jars():
    """Returns the JAR files of the YARN engine. Downloads them at the first use."""
    sys.path.insert(0, str(place.HERE.parent / "jvm"))
    import launch

    try:
        path = launch.build(place.HERE.parent / "yarn", launch.folder("yarn") / LINE, [f"-Dhadoop.version={LINE}"])
    except launch.Unavailable as why:
        raise Unavailable(str(why)) from why
    return path.rpartition(":")[2].removesuffix("/*")


class Yarn(Cluster):
    """Both daemons, with one queue. GPUs are only counted, so the machine needs none."""

    master = "yarn"
    elsewhere = (*Cluster.elsewhere, "spark.yarn.queue", "spark.yarn.executor.nodeLabelExpression",
                 "spark.yarn.am.nodeLabelExpression", "spark.yarn.executor.resource.", "spark.hadoop.",
                 "spark.yarn.jars", "spark.yarn.archive")

    def start(self):
        """Starts both, and waits until they are connected."""
        self.conf = self.folder / "conf"
        self.conf.mkdir()
        local = {f"yarn.nodemanager.{name}-dirs": self.folder / name for name in ("local", "log")}
        local["yarn.node-attribute.fs-store.root-dir"] = self.folder / "attributes"
        for name, rows in SITE.items():
            rows = {**rows, **(local if name == "yarn-site" else {})}
            text = "".join(f"<property><name>{k}</name><value>{v}</value></property>" for k, v in rows.items())
            (self.conf / f"{name}.xml").write_text(f"<configuration>{text}</configuration>", encoding="utf-8")
        # Containers get the PATH of the NodeManager. The test programs come first in it.
        path = f"{apart.scratch() / 'programs'}:{self.spark.environment()['PATH']}"
        env = self.spark.environment(PATH=path, HADOOP_CONF_DIR=str(self.conf), JAVA_HOME=self.java_home())
        opens = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in ("lang", "util", "io", "net", "nio")]
        start = [self.spark.java, "-Xmx384m", *LEAN.split(), *opens, f"-Djava.io.tmpdir={self.folder}",
                 f"-Dyarn.log.dir={self.folder}", f"-Dhadoop.log.dir={self.folder}", "-cp", f"{self.conf}:{jars()}/*"]
        (self.conf / "log4j.properties").write_text(
            "log4j.rootLogger=INFO,A\nlog4j.appender.A=org.apache.log4j.ConsoleAppender\n"
            "log4j.appender.A.layout=org.apache.log4j.SimpleLayout\n", encoding="utf-8")
        server = "org.apache.hadoop.yarn.server."
        self.daemon("resourcemanager", [*start, server + "resourcemanager.ResourceManager"], env)
        self.await_words("resourcemanager", "Transitioned to active state")
        self.daemon("nodemanager", [*start, server + "nodemanager.NodeManager"], env)
        self.await_words("nodemanager", "Registered with ResourceManager")
        return self

    def java_home(self):
        """Returns the Java directory, which is passed to each container."""
        return str(pathlib.Path(self.spark.java).resolve().parent.parent)

    def variables(self):
        """Returns the environment of the submitting host."""
        return {"HADOOP_CONF_DIR": str(self.conf), "JAVA_HOME": self.java_home()}

    def settings(self, job, argv):
        """Returns the settings for the size of this cluster, and the location of the Spark JAR files."""
        shutil.rmtree(self.folder / "log", ignore_errors=True)
        mode = next((word for flag, word in zip(argv, argv[1:]) if flag == "--deploy-mode"), "client")
        ours = {"spark.executor.instances": job.tasks, "spark.executor.cores": 1, "spark.task.cpus": 1,
                "spark.executor.memory": "640m", "spark.executor.memoryOverhead": "256m",
                "spark.driver.memory": "640m", "spark.yarn.jars": f"local:{self.spark.home}/jars/*",
                "spark.pyspark.python": self.spark.python, "spark.yarn.stagingDir": f"file://{self.folder}",
                "spark.yarn.report.interval": "500ms", "spark.driver.extraJavaOptions": LEAN}
        if job.job["gpus"]:
            discovery = job.folder / "discovery.sh"
            shown = ", ".join(f'"{number}"' for number in range(job.job["gpus"]))
            text = f"#!/bin/sh\necho '{{\"name\": \"gpu\", \"addresses\": [{shown}]}}'\n"
            discovery.write_text(text, encoding="utf-8")
            discovery.chmod(0o755)
            ours |= {f"spark.{who}.resource.gpu.amount": job.job["gpus"] for who in ("executor", "task")}
            ours["spark.executor.resource.gpu.discoveryScript"] = discovery
        return ["--master", "yarn", "--deploy-mode", mode], ours

    def logs(self):
        """Returns the output of the driver, on any node."""
        return self.said() + read((self.folder / "log").glob("application_*/container_*_000001/std*"))

    def words_of_tasks(self):
        """Returns the output of the containers."""
        return read((self.folder / "log").glob("application_*/container_*/std*"))
