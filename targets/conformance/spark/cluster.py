"""Clusters on the loopback interface, with resources for all executors of a small job."""
import os
import re
import shutil
import signal
import subprocess
import time

from toolchain import apart
from toolchain.cases import Unavailable

UP, CORES, GPUS = 240, 64, 512
# Options for JVMs that start faster and use less memory.
LEAN = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"


class Cluster:
    """Daemons, and jobs that are submitted to them. All end with this process, which is the first process of its PID namespace."""

    # Settings that need another platform, another installation, or a size that this cluster does not have.
    elsewhere = ("spark.kerberos.", "spark.pyspark.", "spark.driver.memory", "spark.executor.memory",
                 "spark.executor.cores", "spark.executor.instances", "spark.task.cpus", "spark.cores.max",
                 "spark.executor.resource.", "spark.task.resource.", "spark.kubernetes.", "spark.executorEnv.PATH=")

    def __init__(self, spark, name):
        self.spark, self.folder, self.daemons = spark, apart.scratch() / name, []
        self.folder.mkdir()

    def daemon(self, name, command, env):
        """Starts a daemon. Its log file has the name of the daemon."""
        with open(self.folder / f"{name}.log", "wb") as log:
            words = [str(word) for word in command]
            self.daemons.append(subprocess.Popen(words, env=env, stdout=log, stderr=log, start_new_session=True))

    def await_words(self, name, words):
        """Waits for a message in the log of a daemon."""
        until = time.monotonic() + UP
        while time.monotonic() < until and all(daemon.poll() is None for daemon in self.daemons):
            if words in (self.folder / f"{name}.log").read_text(errors="replace"):
                return
            time.sleep(0.3)
        last = {path.stem: last_words(path) for path in sorted(self.folder.glob("*.log"))}
        raise Unavailable(f"the {self.folder.name} cluster did not start: {last}")

    def submit(self, argv, folder, limit):
        """Submits a job. Returns its exit status, or None if the job still ran at the timeout."""
        return self.call([self.spark.home / "bin/spark-submit", *argv], folder, limit)

    def call(self, command, folder, limit):
        """Submits a job with this command. Returns its exit status, or None if the job still ran at the timeout."""
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
        """Returns the output of spark-submit."""
        return (self.folder / "submit.log").read_text(errors="replace").splitlines()

    def stop(self):
        """Stops the daemons."""
        for daemon in self.daemons:
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait(60)


class Standalone(Cluster):
    """A standalone master and one worker."""

    master = "spark://127.0.0.1:17077"
    elsewhere = (*Cluster.elsewhere, "spark.yarn.", "spark.hadoop.", "spark.driver.")

    def start(self):
        """Starts both, and waits until they are connected."""
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
        """Returns the environment of the submitting host."""
        return {"PYSPARK_PYTHON": str(self.spark.python)}

    def settings(self, job, _argv):
        """Returns the settings that fit the job to the size of this cluster."""
        shutil.rmtree(self.folder / "work", ignore_errors=True)
        ours = {"spark.cores.max": job.tasks, "spark.executor.cores": 1, "spark.executor.memory": "640m",
                "spark.task.cpus": 1}
        if job.job["gpus"]:
            ours |= {f"spark.{who}.resource.gpu.amount": job.job["gpus"] for who in ("executor", "task")}
        return ["--master", self.master, "--deploy-mode", "client"], ours

    def logs(self):
        """Returns the output of the driver."""
        return self.said()

    def words_of_tasks(self):
        """Returns the output of the executors and their programs."""
        return read((self.folder / "work").glob("*/*/std*"))


class Own(Cluster):
    """No daemons: the driver starts its own executors, as the master in the call says."""

    def variables(self):
        """Returns the environment of the submitting host."""
        return {"PYSPARK_PYTHON": str(self.spark.python)}


def last_words(path):
    """Returns the last line of a log with an error, or its last line."""
    lines = path.read_text(errors="replace").splitlines()
    return next((line for line in reversed(lines) if re.search("Exception|Error|ERROR|FATAL", line)), lines[-1:])


def read(paths):
    """Returns the lines of all these logs."""
    return [line for path in sorted(paths) for line in path.read_text(errors="replace").splitlines()]
