"""Simulates the executors of a job. Runs the job's driver and node code on the loopback interface, with a recorder instead of
each program. A server has imported the modules, and forks for each job. A request is one line: {folder, conf, shim}. The
response is {tasks, findings}."""
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import pyspark
import tensorflowonspark.TFManager  # noqa: F401 (held for the forks)
from pyspark import SparkFiles
from tensorflowonspark.TFSparkNode import TFNodeContext

LIMIT, HOST = 60, "%s-%d.executor.invalid"
# Number of tasks per role that are compared. The driver treats all other tasks as finished.
MOST = 64
FEED, KEY = "the-feeding-queue", b"the-feeding-key"


class Rows:
    """Replaces the queue manager of TensorFlowOnSpark. It contains no rows."""

    address, _authkey = FEED, KEY

    def set(self, name, value):
        """Ignores the state."""

    def get_queue(self, _name):
        """Returns an empty queue."""
        import queue

        return queue.Queue()


class Job:
    """One job in its own process."""

    def __init__(self, asked):
        self.folder, self.conf, self.shim = asked["folder"], asked["conf"], asked["shim"]
        self.most = min(MOST, asked.get("started") or MOST)
        self.work = tempfile.mkdtemp(prefix="executors-", dir=os.environ["HOME"])
        self.findings, self.here = [], os.path.join(self.work, "executors")
        self.said, said = os.pipe()
        self.gate, self.open = os.pipe()
        self.say = os.fdopen(said, "w", buffering=1)
        SparkFiles._is_running_on_worker, SparkFiles._root_directory = True, self.folder
        sys.path.insert(0, self.folder)
        os.chdir(self.folder)
        import driver
        import tfjob_lead
        import tfjob_node

        self.lead, self.node = tfjob_lead, tfjob_node
        self.job = driver.find_job()

    def env(self):
        """Returns the environment of an executor, with the variables that the settings and YARN set."""
        prefix = "spark.executorEnv."
        given = {key[len(prefix):]: value for key, value in self.conf.items() if key.startswith(prefix)}
        theirs = ("CLASSPATH", "HADOOP_CONF_DIR") if self.conf.get("spark.master") == "yarn" else ()
        return {**{name: f"${name}" for name in theirs}, **given}

    def cluster(self, lead, order):
        """Returns the cluster in the form of TensorFlowOnSpark. Nodes that get no rows come first, with the name `ps`."""
        text = json.dumps(self.job) + json.dumps(self.conf)
        base = next(base for base in range(40000, 60000, 1000) if str(base)[:2] not in text)
        names = [HOST % (lead.tasks[n].role["name"], lead.tasks[n].index) + ":%d" % (base + n) for n in order]
        unfed = sum(not task.role["fed"] for task in lead.tasks) if self.job["feed"] else 0
        self.names = dict(zip(order, names))
        return {"ps": names[:unfed], "worker": names[unfed:]}

    def gpus(self):
        """Returns the addresses of the GPUs that Spark and TensorFlowOnSpark would pass to each task."""
        amount = self.conf.get("spark.task.resource.gpu.amount")
        have = int(amount) if amount and amount.isdigit() else self.job["gpus"]
        if have < self.job["gpus"]:
            self.find("broken", "Unable to allocate %d GPU(s): a task gets %d" % (self.job["gpus"], have))
        return ",".join(str(n) for n in range(min(have, self.job["gpus"])))

    def find(self, kind, words):
        """Adds a finding about the input of the driver."""
        self.findings.append({"kind": kind, "words": words, "artifact": "job.json"})

    def play(self):
        """Runs the driver until all tasks are finished."""
        lead = self.lead.Lead(self.job)
        self.lead.Budget(self.job)
        order = list(range(len(lead.tasks)))
        if self.job["feed"]:
            order.sort(key=lambda n: lead.tasks[n].role["fed"])
        where, spec, gpus = lead.serve("127.0.0.1"), self.cluster(lead, order), self.gpus()
        given = type("Given", (), {"job": self.job, "order": order, "driver": where, "token": lead.token,
                                 "submission": "application_1_1"})
        for task in lead.tasks:
            if task.index >= self.most:
                task.connected, task.started, task.ready, task.code = True, time.monotonic(), True, 0
        self.played = [task for task in lead.tasks if task.index < self.most]
        for place, number in enumerate(order):
            if lead.tasks[number].index < self.most and os.fork() == 0:
                signal.alarm(LIMIT)
                os.close(self.open)
                self.executor(given, place, number, spec, gpus)
        self.say.close()
        tasks = self.listen(lead)
        for task in self.played if not self.findings else []:
            if not any((task.role["name"], task.index) == (said["role"], said["index"]) for said in tasks):
                self.find("broken", "%s never starts: %s" % (task.name, lead.why or "the job hangs"))
        if lead.why and not self.findings:
            self.find("broken", "the driver failed the job: " + lead.why)
        return tasks

    def listen(self, lead):
        """Collects the program of every executor. Then lets the programs exit."""
        tasks, until, opened = [], time.monotonic() + LIMIT, False
        watcher = threading.Thread(target=lead.watch, args=({},), daemon=True)
        watcher.start()
        with os.fdopen(self.said) as heard:
            for line in heard:
                said = json.loads(line)
                if "failed" in said:
                    self.find("broken", said["failed"])
                    break
                tasks.append(said)
                if len(tasks) == len(self.played):
                    os.close(self.open)
                    opened = True
                    break
        if not opened:
            os.close(self.open)
        watcher.join(max(0, until - time.monotonic()))
        if not lead.finished:
            self.find("broken", "the driver does not end the job although every program succeeded")
            with lead.changed:
                lead.end("stopped by the test")
        lead.stop_tasks()
        places = {(role["name"], index): at for at, (role, index) in enumerate(self.node.tasks(self.job))}
        return sorted(tasks, key=lambda said: places[said["role"], said["index"]])

    def executor(self, given, place, number, spec, gpus):
        """Runs the node code of one executor in this process."""
        role, index = self.node.tasks(self.job)[number]
        try:
            here = os.path.join(self.here, "%s-%d" % (role["name"], index))
            os.makedirs(here)
            os.chdir(here)
            os.environ["CUDA_VISIBLE_DEVICES"] = gpus
            self.node.platform_env = self.env
            self.node.start = lambda argv, env, folder, *_: self.record(role, index, (argv, env, folder), here)
            self.node.Node.probe = lambda _node: True
            unfed = len(spec["ps"])
            job, at = ("ps", place) if place < unfed else ("worker", place - unfed)
            context = TFNodeContext(place, job, at, spec, "hdfs://default", here, Rows(), None)
            self.node.node(given, context)
        except BaseException as fault:  # noqa: B902 (what a node raises is what the test is about)
            failed = "%s:%d: %s: %s" % (role["name"], index, type(fault).__name__, fault)
            self.tell({"failed": failed})
        finally:
            os._exit(0)

    def record(self, role, index, started, here):
        """Replaces the start of a program. Records it, and starts a program that only waits."""
        argv, env, folder = started
        said = {"role": role["name"], "index": index, "argv": argv, "env": env, "workdir": folder}
        if self.job["shim"]:
            said = self.through_shim(said, argv, env, folder)
        said = self.named(said, here, index, role)
        self.tell(said)
        awaited = any(first["role"] == role["name"] and first["when"] == "done"
                      for other in self.job["roles"] for first in other["after"])
        wait = "true" if awaited else "read _"
        return subprocess.Popen(["sh", "-c", wait + "; exit 0"], stdin=self.gate, start_new_session=True)

    def tell(self, said):
        """Writes one line as a whole, because a pipe mixes concurrent writes of more than 64 KiB."""
        with open(os.path.join(self.here, "turn"), "w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            self.say.write(json.dumps(said) + "\n")
            self.say.flush()

    def through_shim(self, said, argv, env, folder):
        """Returns the program as the shim would start it. Without the shim, returns it as the executor starts it."""
        if not self.shim:
            return {**said, "partial": True}
        done = subprocess.run([self.shim, "--print"], env=env, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError("the shim exited with %d: %s" % (done.returncode, done.stderr.strip()))
        task = json.loads(done.stdout)
        after = {**env, **task["env"]}
        for name in task["unset"]:
            after.pop(name, None)
        return {**said, "argv": task["argv"], "env": after, "workdir": task["workdir"] or folder}

    def named(self, said, here, index, role):
        """Returns the task in the form of the claims, with placeholders for values that only a running cluster knows."""
        number = self.node.tasks(self.job).index((role, index))
        own = self.names[number].rpartition(":")[2]
        swaps = [(here, "<executor>"), (self.folder, "<executor>"), (KEY.hex(), "<node>"), (FEED, "<node>")]
        for other, address in self.names.items():
            to, at = self.node.tasks(self.job)[other]
            shown = "<%s-%d>" % (to["name"], at)
            swaps += [(address, shown + ":<port>"), (address.rpartition(":")[0], shown)]

        def swap(text):
            for old, new in swaps:
                text = text.replace(old, new)
            return text.replace(own, "<port>")

        env = {name: swap(value) for name, value in said["env"].items()}
        return {**said, "env": env, "argv": [swap(word) for word in said["argv"]], "workdir": swap(said["workdir"])}


def answer(asked):
    """Simulates one job. An exception in the code of the job is a finding."""
    findings, tasks, job = [], [], None
    try:
        job = Job(asked)
        findings = job.findings
        tasks = job.play()
    except (Exception, SystemExit) as fault:
        words = "its own code: %s: %s" % (type(fault).__name__, fault)
        findings.append({"kind": "broken", "words": words, "artifact": "job.json"})
    finally:
        if job:
            shutil.rmtree(job.work, ignore_errors=True)
    return {"tasks": tasks, "findings": findings}


def main():
    """Answers each line in its own process."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    out.write(json.dumps({"pyspark": pyspark.__version__, "python": "%d.%d.%d" % sys.version_info[:3]}) + "\n")
    for line in sys.stdin:
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child == 0:
            signal.alarm(2 * LIMIT)
            try:
                with theirs.makefile("w") as back:
                    back.write(json.dumps(answer(json.loads(line))))
            finally:
                os._exit(0)
        theirs.close()
        with ours.makefile() as heard:
            text = heard.read()
        os.waitpid(child, 0)
        gone = {"kind": "broken", "artifact": "job.json", "words": "its own code still ran after %d s" % (2 * LIMIT)}
        out.write((text or json.dumps({"tasks": [], "findings": [gone]})) + "\n")


main()
