"""Runs one compiled job on Spark: TensorFlowOnSpark brings up one executor a task, and each starts its program.

Nothing of the job stands here: all of it is read from job.json. The driver says when a task may start and when the
job is over; every node tells it what became of its child, and stops that child in time when it is told to.
"""
import argparse
import ctypes
import hmac
import importlib.metadata
import json
import os
import secrets
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
import urllib.request

# Seconds for a node to say that its child has ended, after the grace is over.
LAST_WORDS = 20


def say(words):
    """One line in the log of the driver or of an executor."""
    print("tfjob: " + words, file=sys.stderr, flush=True)


class Task:
    """What the driver knows of one task."""

    def __init__(self, role, index):
        self.role, self.index, self.name = role, index, "%s:%d" % (role["name"], index)
        self.link, self.here, self.started, self.ready, self.code = None, False, False, False, None

    def tell(self, order):
        """Sends an order; a node that is gone is noticed by its silence."""
        try:
            self.link.sendall((json.dumps({"do": order}) + "\n").encode())
        except (AttributeError, OSError):
            pass


class Lead:
    """The driver's side: who is there, who may start, and whether the job is over."""

    def __init__(self, job):
        self.job, self.token = job, secrets.token_hex(32)
        self.tasks = [Task(role, index) for role in job["roles"] for index in range(role["count"])]
        self.changed, self.why, self.over, self.began = threading.Condition(), None, False, None

    def serve(self, host):
        """Listens for the nodes, and returns where."""
        lead = self

        class Talk(socketserver.StreamRequestHandler):
            def handle(self):
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                self.connection.settimeout(60)
                if not hmac.compare_digest(self.rfile.readline(200).strip(), lead.token.encode()):
                    return
                self.connection.settimeout(None)
                task = None
                try:
                    for line in self.rfile:
                        task = lead.hear(task, json.loads(line), self.connection)
                except OSError:
                    pass
                lead.lose(task)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, request_queue_size = True, 1024

        server = Server(("", 0), Talk)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return host, server.server_address[1]

    def hear(self, task, said, link):
        """One line of a node."""
        with self.changed:
            if said["is"] == "here":
                task = self.tasks[said["task"]]
                if task.here:
                    self.end(task.name + " was started twice: Spark lost its executor")
                task.here, task.link = True, link
                if said["stale"]:
                    self.end(self.job["fresh"]["path"] + " holds checkpoints, and the job wants to start afresh")
            elif said["is"] == "ready":
                task.ready = True
            elif said["is"] == "ended":
                task.code = said["code"]
                self.judge(task, said.get("why"))
            self.let_start()
            self.changed.notify_all()
        return task

    def lose(self, task):
        """A node whose connection ended."""
        with self.changed:
            if task and task.code is None:
                task.code = "lost"
                self.end("the executor of %s is lost" % task.name)
            self.changed.notify_all()

    def let_start(self):
        """Starts every task whose turn it is. None starts before all are there."""
        if self.over or not all(task.here for task in self.tasks):
            return
        for task in self.tasks:
            if not task.started and all(self.reached(first) for first in task.role["after"]):
                task.started, self.began = True, self.began or time.monotonic()
                task.ready = task.role["ready"] is None
                say("%s starts" % task.name)
                task.tell("start")

    def reached(self, first):
        reach = {"started": lambda t: t.started, "ready": lambda t: t.ready, "done": lambda t: t.code == 0}
        tasks = [task for task in self.tasks if task.role["name"] == first["role"]]
        return all(reach[first["when"]](task) for task in tasks)

    def judge(self, task, why):
        """What the end of a task means for the job."""
        if task.code != 0:
            end = "with code %d" % task.code if task.code > 0 else "by signal %d" % -task.code
            self.end("%s ended %s%s" % (task.name, end, ": " + why if why else ""))
        elif all(t.code == 0 for t in self.tasks if t.index < t.role["decides"]):
            self.end("")

    def end(self, why):
        """The first word on the job's end stands."""
        if not self.over:
            self.over, self.why = True, why
            self.changed.notify_all()

    def watch(self, status):
        """Waits for the end of the job; returns why it failed, or nothing."""
        with self.changed:
            while not self.over:
                self.changed.wait(1)
                if "error" in status:
                    self.end("Spark ended the tasks: " + status["error"].strip().splitlines()[0])
                late = self.job["deadline"] and self.began and time.monotonic() - self.began > self.job["deadline"]
                if late:
                    self.end("the deadline of %d s is over" % self.job["deadline"])
        return self.why

    def dismiss(self):
        """Stops what still runs, and waits until every node has said that its child is gone."""
        until = time.monotonic() + self.job["grace"] + LAST_WORDS
        with self.changed:
            for task in self.tasks:
                task.tell("stop")
            there = [task for task in self.tasks if task.here]
            while any(task.code is None for task in there) and time.monotonic() < until:
                self.changed.wait(1)

    def fed(self):
        """Tells the nodes that no more rows come."""
        for task in self.tasks:
            task.tell("fed")


class Node:
    """An executor's side: one child, started and stopped as the driver says."""

    def __init__(self, given, ctx):
        self.job, self.ctx, self.here = given.job, ctx, os.getcwd()
        self.number = given.order[ctx.executor_id]
        roles = [(role, index) for role in self.job["roles"] for index in range(role["count"])]
        self.role, self.index = roles[self.number]
        # Executors are numbered; those that get no rows come first.
        addresses = ctx.cluster_spec.get("ps", []) + ctx.cluster_spec.get("worker", [])
        self.peers = {role["name"]: [None] * role["count"] for role in self.job["roles"]}
        for address, number in zip(addresses, given.order):
            role, index = roles[number]
            self.peers[role["name"]][index] = address
        self.go, self.stop, self.rows_end = threading.Event(), threading.Event(), threading.Event()
        self.link = socket.create_connection(given.driver, timeout=60)
        self.link.settimeout(None)
        self.link.sendall(given.token.encode() + b"\n")

    def tell(self, **words):
        try:
            self.link.sendall((json.dumps(words) + "\n").encode())
        except OSError:
            self.stop.set()

    def listen(self):
        """Obeys the driver. Its silence is the end of the job."""
        orders = {"start": self.go, "stop": self.stop, "fed": self.rows_end}
        try:
            for line in self.link.makefile():
                orders[json.loads(line)["do"]].set()
        except OSError:
            pass
        self.stop.set()
        self.go.set()

    def run(self):
        """From the first word to the driver to the end of the child."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: (self.stop.set(), self.go.set()))
        threading.Thread(target=self.listen, daemon=True).start()
        fresh = self.job["fresh"]
        stale = bool(fresh) and fresh["mounted"] and os.path.isdir(fresh["path"]) and bool(os.listdir(fresh["path"]))
        self.tell(**{"is": "here", "task": self.number, "stale": stale})
        while not self.go.wait(1):
            if self.stop.is_set():
                break
        if not self.stop.is_set():
            self.work()
        if self.job["feed"] and self.role["fed"]:
            self.drain()
        self.link.close()

    def work(self):
        if getattr(self.ctx, "tmp_socket", None):
            self.ctx.release_port()
        argv, env, folder = self.command()
        try:
            child = start(argv, env, folder)
        except OSError as error:
            return self.tell(**{"is": "ended", "code": 127, "why": str(error)})
        say("%s:%d is process %d" % (self.role["name"], self.index, child.pid))
        code = self.attend(child)
        self.tell(**{"is": "ended", "code": code})

    def command(self):
        """The words, variables and folder of the child."""
        env, role = platform_env(), self.role
        for name in ["TF_CONFIG", "PYTHON_WORKER_FACTORY_SECRET", *role["hide"]]:
            env.pop(name, None)
        if role["gpus"] is not None:
            # TensorFlowOnSpark shows the executor's GPUs; a smaller role sees its own number of them.
            shown = [gpu for gpu in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if gpu]
            env["CUDA_VISIBLE_DEVICES"] = ",".join(shown[: role["gpus"]])
        env.update(TFJOB_HERE=self.here, TFJOB_TASK_ROLE=role["name"], TFJOB_TASK_INDEX=str(self.index))
        env["TFJOB_PEERS"] = json.dumps(self.peers, separators=(",", ":"))
        if self.job["scratch"]:
            os.makedirs(os.path.join(self.here, "scratch"), exist_ok=True)
        if self.job["feed"] and role["fed"]:
            env.update(TFJOB_FEED=self.ctx.mgr.address, TFJOB_FEED_KEY=bytes(self.ctx.mgr._authkey).hex())
        if self.job["shim"]:
            from pyspark import SparkFiles

            env["TFJOB_CONTRACT"] = os.path.abspath(SparkFiles.get(self.job["shim"]["contract"]))
            return [os.path.abspath(SparkFiles.get(self.job["shim"]["program"]))], env, self.here
        text = lambda pieces: "".join(self.here if piece is None else piece for piece in pieces)
        env.update((name, text(value)) for name, value in role["env"])
        folder = text(role["workdir"]) if role["workdir"] else self.here
        return [text(word) for word in role["argv"]], env, folder

    def attend(self, child):
        """Waits for the child: says when it is ready, passes on the end of the rows, and stops it in time."""
        ready, told, fed, grace = self.role["ready"] is None, None, False, self.job["grace"]
        ladder = [(0, signal.SIGTERM), (grace / 2, signal.SIGINT), (grace, signal.SIGKILL)]
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if not ready and self.probe():
                ready = True
                self.tell(**{"is": "ready"})
            if self.job["feed"] and self.role["fed"] and self.rows_end.is_set() and not fed:
                fed = True
                self.ctx.mgr.get_queue("input").put(None)
            if self.stop.is_set():
                told = told or time.monotonic()
                while ladder and time.monotonic() - told >= ladder[0][0]:
                    signal_group(child, ladder.pop(0)[1])
            self.stop.wait(0.2) if not self.stop.is_set() else time.sleep(0.1)
        # What the child left behind ends with it. Its number is not free before it is waited for.
        signal_group(child, signal.SIGKILL)
        return child.wait()

    def probe(self):
        """Whether the task is ready, by its role's own probe."""
        probe = self.role["ready"]
        if "file" in probe:
            return os.path.exists(probe["file"])
        port = probe["port"] or int(self.peers[self.role["name"]][self.index].rsplit(":", 1)[1])
        try:
            if "http" in probe:
                with urllib.request.urlopen("http://127.0.0.1:%d%s" % (port, probe["http"]), timeout=2) as answer:
                    return 200 <= answer.status < 300
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
            return True
        except OSError:
            return False

    def drain(self):
        """Takes the rows that nobody reads any more, so that Spark's feeding tasks end."""
        from queue import Empty

        self.ctx.mgr.set("state", "terminating")
        rows = self.ctx.mgr.get_queue("input")
        while not self.stop.is_set():
            try:
                rows.get(block=True, timeout=1)
                rows.task_done()
            except Empty:
                pass
            except (EOFError, OSError):
                return


def platform_env():
    """The variables that image and platform gave this executor: importing TensorFlow has added its own since."""
    with open("/proc/self/environ", "rb") as file:
        pairs = [os.fsdecode(pair).partition("=") for pair in file.read().split(b"\0") if pair]
    env = {name: value for name, _, value in pairs}
    if "CLASSPATH" in os.environ:
        # TensorFlowOnSpark may have expanded Hadoop's jars in it.
        env["CLASSPATH"] = os.environ["CLASSPATH"]
    return env


def signal_group(child, number):
    try:
        os.killpg(child.pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def start(argv, env, folder):
    """A child in a group of its own, which dies with this process."""
    libc = ctypes.CDLL(None)
    dies_with_parent = lambda: libc.prctl(1, signal.SIGKILL)
    return subprocess.Popen(
        argv, env=env, cwd=folder, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=dies_with_parent
    )


def node(given, ctx):
    """What TensorFlowOnSpark calls in each executor."""
    Node(given, ctx).run()


def find_job(context):
    """job.json: beside this file, in the driver's folder, or among Spark's files."""
    from pyspark import SparkFiles

    beside = os.path.dirname(os.path.abspath(__file__))
    for folder in (beside, os.getcwd(), SparkFiles.getRootDirectory()):
        path = os.path.join(folder, "job.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return json.load(file)
    sys.exit("tfjob: job.json is neither beside the driver nor among its files")


def check(job, context):
    """Why the job cannot start here, or nothing."""
    for name, version in (("tensorflowonspark", job["tfos"]), ("pyspark", job["spark"])):
        found = importlib.metadata.version(name) if name != "pyspark" else context.version
        if version and found != version and not found.startswith(version + "."):
            return "the job wants %s %s, and %s is installed" % (name, version, found)
    fresh = job["fresh"]
    if fresh and not fresh["mounted"]:
        path = context._jvm.org.apache.hadoop.fs.Path(fresh["path"])
        files = path.getFileSystem(context._jsc.hadoopConfiguration())
        if files.exists(path) and len(files.listStatus(path)):
            return fresh["path"] + " holds checkpoints, and the job wants to start afresh"
    return None


def feed(context, cluster, job, lead):
    """Feeds the rows to the nodes, then says that there are no more."""
    words, fed = job["feed"], sum(role["count"] for role in job["roles"] if role["fed"])
    try:
        if words["format"] == "text":
            rows = context.textFile(words["path"])
        else:
            from pyspark.sql import SparkSession

            read = SparkSession(context).read.format(words["format"]).options(**words["options"])
            rows = read.load(words["path"]).rdd.map(list)
        if rows.getNumPartitions() < fed:
            rows = rows.repartition(fed)
        cluster.train(rows, num_epochs=words["epochs"], feed_timeout=words["patience"])
        lead.fed()
    except Exception as error:
        with lead.changed:
            lead.end("Spark could not feed the rows: " + (str(error).strip().splitlines() or ["?"])[0])


def main():
    from pyspark import SparkContext

    context = SparkContext()
    job = find_job(context)
    why = check(job, context)
    if why is None:
        why = run(context, job)
    context.stop()
    say("the job failed: " + why if why else "the job is done")
    sys.exit(1 if why else 0)


def run(context, job):
    """The job from its first executor to its last; returns why it failed, or nothing."""
    from tensorflowonspark import TFCluster

    lead = Lead(job)
    order = sorted(range(len(lead.tasks)), key=lambda n: bool(job["feed"]) and lead.tasks[n].role["fed"])
    unfed = sum(not task.role["fed"] for task in lead.tasks) if job["feed"] else 0
    driver = lead.serve(context.getConf().get("spark.driver.host"))
    given = argparse.Namespace(num_gpus=job["gpus"], job=job, order=order, driver=driver, token=lead.token)
    mode = TFCluster.InputMode.SPARK if job["feed"] else TFCluster.InputMode.TENSORFLOW
    # A node that is fed forks: the port would stay with its parent, so TensorFlowOnSpark frees it itself.
    names = TFCluster.run.__code__.co_varnames
    more = {"release_port": False} if not job["feed"] and "release_port" in names else {}
    try:
        cluster = TFCluster.run(
            context, node, given, len(order), unfed, input_mode=mode, reservation_timeout=job["wait"], **more
        )
    except (Exception, SystemExit) as error:
        why = TFCluster.tf_status.get("error", error)
        return "not all %d executors came up: %s" % (len(order), (str(why).strip().splitlines() or ["?"])[0])
    if job["feed"]:
        threading.Thread(target=feed, args=(context, cluster, job, lead), daemon=True).start()
    why = lead.watch(TFCluster.tf_status)
    lead.dismiss()
    until = time.monotonic() + LAST_WORDS
    while not job["feed"] and context.statusTracker().getActiveJobsIds() and time.monotonic() < until:
        time.sleep(0.5)
    context.cancelAllJobs()
    cluster.server.stop()
    return why


if __name__ == "__main__":
    main()
