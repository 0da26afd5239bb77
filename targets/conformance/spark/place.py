"""The Spark installation of this engine, and the start of its servers."""
import os
import pathlib

from toolchain import apart, home
from toolchain.lines import Lines

HERE = pathlib.Path(__file__).resolve().parent
NAME, SITE = "spark-3.5.9", "lib/python3.11/site-packages"
# Packages of Java that Spark accesses by reflection (`JavaModuleOptions`).
OPENS = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in (
    "java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util",
    "java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch", "sun.nio.cs", "sun.util.calendar")]
STORES = ["hdfs", "viewfs", "webhdfs", "s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "http", "https"]


class Spark:
    """The installed engine."""

    def __init__(self):
        self.venv = home.environment(NAME, HERE / "requirements.txt", f"{SITE}/tensorflowonspark/TFCluster.py")
        self.home = self.venv / SITE / "pyspark"
        self.python = self.venv / "bin/python"
        self.java = home.tool("java")
        self.classes = home.classes(self.venv, HERE / "java", f"{self.home}/jars/*")

    def environment(self, **more):
        """Returns the environment of Spark processes."""
        path = f"{self.venv}/bin:{os.path.dirname(self.java)}:/usr/local/bin:/usr/bin:/bin"
        scratch = str(apart.scratch())
        return {"PATH": path, "HOME": scratch, "TMPDIR": scratch, "SPARK_LOCAL_DIRS": scratch,
                "SPARK_HOME": str(self.home), "SPARK_SCALA_VERSION": "2.12", "SPARK_LOCAL_IP": "127.0.0.1",
                "LANG": "C.UTF-8", "TF_CPP_MIN_LOG_LEVEL": "2", "PYTHONDONTWRITEBYTECODE": "1", **more}


def versions():
    """Returns the components of the engine with their versions."""
    apart.enter(Spark)
    spark = Spark()
    jvm = judge(spark, apart.scratch())
    said = dict(jvm.versions)
    jvm.close()
    pinned = (HERE / "requirements.txt").read_text(encoding="utf-8").split()
    names = ("pyspark", "tensorflowonspark", "tensorflow-cpu")
    said.update(word.split("==") for word in pinned if word.split("==")[0] in names)
    return said


def judge(spark, folder):
    """Starts a JVM with the classes of Spark in a working directory. The first line of its output is its version."""
    site = apart.scratch() / "hadoop"
    site.mkdir()
    rows = {"fs.defaultFS": "hdfs://default", **{f"fs.{name}.impl": "EveryFile" for name in STORES}}
    text = "".join(f"<property><name>{name}</name><value>{value}</value></property>" for name, value in rows.items())
    (site / "core-site.xml").write_text(f"<configuration>{text}</configuration>", encoding="utf-8")
    services = site / "META-INF/services"
    services.mkdir(parents=True)
    (services / "org.apache.spark.scheduler.ExternalClusterManager").write_text("Context\n", encoding="utf-8")
    # These options keep messages of the JVM out of the answers.
    command = [spark.java, "-Xlog:disable", "-Xlog:all=warning:stderr", "-Xmx512m", "-XX:+UseSerialGC",
               "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", *OPENS, "-cp",
               f"{spark.classes}:{site}:{spark.home}/jars/*", "Judge"]
    lines = Lines(command, cwd=folder, env=spark.environment())
    lines.versions = lines.hear()
    return lines
