"""A real standalone cluster on loopback: one master and one worker that has room for every executor of a small job."""
import os
import signal
import subprocess
import time

from ground import apart
from ground.cases import Unavailable

PORT, GPUS, CORES, UP = 17077, 8, 64, 180
MASTER = f"spark://127.0.0.1:{PORT}"
# Executors that start sooner and take less, where the job says nothing else.
LEAN = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


class Cluster:
    """Both daemons; they end with this process, since they stand in its namespace of processes."""

    def __init__(self, spark):
        self.spark, self.folder = spark, apart.scratch() / "cluster"
        self.folder.mkdir()
        self.daemons = []
        discovery = self.folder / "gpus.sh"
        shown = ", ".join(f'"{number}"' for number in range(GPUS * CORES))
        discovery.write_text(f"#!/bin/sh\necho '{{\"name\": \"gpu\", \"addresses\": [{shown}]}}'\n", encoding="utf-8")
        discovery.chmod(0o755)
        key = "spark.worker.resource.gpu."
        rows = {key + "amount": GPUS * CORES, key + "discoveryScript": discovery}
        self.settings = self.folder / "worker.conf"
        self.settings.write_text("".join(f"{key} {value}\n" for key, value in rows.items()), encoding="utf-8")

    def start(self):
        """Starts both, and comes back when they know each other."""
        kind = "org.apache.spark.deploy."
        self.daemon(kind + "master.Master", "--host", "127.0.0.1", "--port", str(PORT), "--webui-port", "0")
        self.daemon(kind + "worker.Worker", "--host", "127.0.0.1", "-c", str(CORES), "-m", f"{CORES}G", "--webui-port",
                    "0", "-d", str(self.folder / "work"), "--properties-file", str(self.settings), MASTER)
        until = time.monotonic() + UP
        while time.monotonic() < until:
            if "Registering worker" in (self.folder / "Master.log").read_text(errors="replace"):
                return self
            if any(daemon.poll() is not None for daemon in self.daemons):
                break
            time.sleep(0.3)
        last = [(path.name, path.read_text(errors="replace").splitlines()[-1:]) for path in self.folder.glob("*.log")]
        raise Unavailable(f"the standalone cluster did not come up: {last}")

    def daemon(self, name, *words):
        """One daemon, whose log is named after it."""
        command = [str(self.spark.home / "bin/spark-class"), name, *words]
        env = self.spark.environment(SPARK_DAEMON_MEMORY="256m", SPARK_DAEMON_JAVA_OPTS=LEAN)
        with open(self.folder / f"{name.rpartition('.')[2]}.log", "wb") as log:
            self.daemons.append(subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True))

    def submit(self, argv, folder, limit):
        """Submits for real: the exit status, or nothing where it still ran after so many seconds; and its log."""
        log = self.folder / "driver.log"
        env = self.spark.environment(PYSPARK_PYTHON=str(self.spark.python), SPARK_LAUNCHER_OPTS=LEAN)
        with open(log, "wb") as out:
            run = subprocess.Popen([str(self.spark.home / "bin/spark-submit"), *argv], cwd=folder, env=env, stdout=out,
                                   stderr=out, start_new_session=True)
        try:
            status = run.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            status = None
        return status, log.read_text(errors="replace").splitlines()

    def stop(self):
        """Ends both."""
        for daemon in self.daemons:
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait(30)
