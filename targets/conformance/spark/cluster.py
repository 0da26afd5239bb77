"""Real clusters on loopback, with room for every executor of a small job."""
import os
import re
import shutil
import signal
import subprocess
import time

from toolchain import apart
from toolchain.cases import Unavailable

UP, CORES, GPUS = 240, 64, 512
# JVMs that start sooner and take less.
LEAN = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"


class Cluster:
    """Daemons, and jobs that are submitted to them. They end with this process: it is the first of its namespace."""

    # Settings of another platform, of a site or of a size that this cluster has not.
    elsewhere = ("spark.kerberos.", "spark.pyspark.", "spark.driver.memory", "spark.executor.memory",
                 "spark.executor.cores", "spark.executor.instances", "spark.task.cpus", "spark.cores.max",
                 "spark.executor.resource.", "spark.task.resource.", "spark.kubernetes.", "spark.executorEnv.PATH=")

    def __init__(self, spark, name):
        self.spark, self.folder, self.daemons = spark, apart.scratch() / name, []
        self.folder.mkdir()

    def daemon(self, name, command, env):
        """One daemon, whose log has its name."""
        with open(self.folder / f"{name}.log", "wb") as log:
            words = [str(word) for word in command]
            self.daemons.append(subprocess.Popen(words, env=env, stdout=log, stderr=log, start_new_session=True))

    def await_words(self, name, words):
        """Waits until the log of a daemon says that."""
        until = time.monotonic() + UP
        while time.monotonic() < until and all(daemon.poll() is None for daemon in self.daemons):
            if words in (self.folder / f"{name}.log").read_text(errors="replace"):
                return
            time.sleep(0.3)
        last = {path.stem: last_words(path) for path in sorted(self.folder.glob("*.log"))}
        raise Unavailable(f"the {self.folder.name} cluster did not come up: {last}")

    def submit(self, argv, folder, limit):
        """Submits for real: the exit status, or nothing where it still ran after so many seconds."""
        return self.call([self.spark.home / "bin/spark-submit", *argv], folder, limit)

    def call(self, command, folder, limit):
        """The same by any command that submits."""
        env = self.spark.environment(SPARK_LAUNCHER_OPTS=LEAN, **self.variables())
        with open(self.folder / "submit.log", "wb") as out:
            words = [str(word) for word in command]
            run = subprocess.Popen(words, cwd=folder, env=env, stdout=out, stderr=out, start_new_session=True)
        try:
            return run.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            return None

    def said(self):
        """What spark-submit wrote."""
        return (self.folder / "submit.log").read_text(errors="replace").splitlines()

    def stop(self):
        """Ends the daemons."""
        for daemon in self.daemons:
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait(60)


class Standalone(Cluster):
    """Spark's own master, and one worker."""

    master = "spark://127.0.0.1:17077"
    elsewhere = (*Cluster.elsewhere, "spark.yarn.", "spark.hadoop.", "spark.driver.")

    def start(self):
        """Starts both, and comes back when they know each other."""
        shown = ", ".join(f'"{number}"' for number in range(GPUS))
        discovery = self.folder / "gpus.sh"
        discovery.write_text(f"#!/bin/sh\necho '{{\"name\": \"gpu\", \"addresses\": [{shown}]}}'\n", encoding="utf-8")
        discovery.chmod(0o755)
        settings, key = self.folder / "worker.conf", "spark.worker.resource.gpu."
        settings.write_text(f"{key}amount {GPUS}\n{key}discoveryScript {discovery}\n", encoding="utf-8")
        env = self.spark.environment(SPARK_DAEMON_MEMORY="256m", SPARK_DAEMON_JAVA_OPTS=LEAN)
        start, port = [self.spark.home / "bin/spark-class"], self.master.rpartition(":")[2]
        kind = "org.apache.spark.deploy."
        self.daemon("master", [*start, kind + "master.Master", "--host", "127.0.0.1", "--port", port,
                               "--webui-port", "0"], env)
        self.daemon("worker", [*start, kind + "worker.Worker", "--host", "127.0.0.1", "-c", CORES, "-m", f"{CORES}G",
                               "--webui-port", "0", "-d", self.folder / "work", "--properties-file", settings,
                               self.master], env)
        self.await_words("master", "Registering worker")
        return self

    def variables(self):
        """What the host that submits has in its environment."""
        return {"PYSPARK_PYTHON": str(self.spark.python)}

    def settings(self, job, _argv):
        """The sizes of this cluster."""
        shutil.rmtree(self.folder / "work", ignore_errors=True)
        ours = {"spark.cores.max": job.tasks, "spark.executor.cores": 1, "spark.executor.memory": "640m",
                "spark.task.cpus": 1}
        if job.job["gpus"]:
            ours |= {f"spark.{who}.resource.gpu.amount": job.job["gpus"] for who in ("executor", "task")}
        return ["--master", self.master, "--deploy-mode", "client"], ours

    def logs(self):
        """What the driver said."""
        return self.said()

    def words_of_tasks(self):
        """What the executors and their programs said."""
        return read((self.folder / "work").glob("*/*/std*"))


class Own(Cluster):
    """No daemon: the driver brings its own executors, by the master that the call names."""

    def variables(self):
        """What the host that submits has in its environment."""
        return {"PYSPARK_PYTHON": str(self.spark.python)}


def last_words(path):
    """The last line of a log that tells of a fault, else its last."""
    lines = path.read_text(errors="replace").splitlines()
    return next((line for line in reversed(lines) if re.search("Exception|Error|ERROR|FATAL", line)), lines[-1:])


def read(paths):
    """The lines of all these logs."""
    return [line for path in sorted(paths) for line in path.read_text(errors="replace").splitlines()]
