"""One executor of a compiled job: it starts its task's program as a child, and stops it when the driver says so.

Nothing of the job stands here: the driver hands it over. Whatever ends this process ends the child too.
"""
import ctypes
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

# Seconds between INT and KILL: TensorFlow needs up to 12.
LAST = 15


def say(words):
    """One line in the log of the driver or of an executor."""
    print("tfjob: " + words, file=sys.stderr, flush=True)


def reason(error):
    """What went wrong, in one line: Py4J puts Java's words below its own, and Java those of Python below its own."""
    lines = [line for line in str(error).splitlines() if line.strip()] or ["?"]
    words = next((line[2:] for line in lines[1:] if line.startswith(": ")), lines[0])
    if words.endswith("Traceback (most recent call last):"):
        below = next(at for at, line in enumerate(lines) if line.endswith(words)) + 1
        words = next((line for line in lines[below:] if not line[0].isspace()), words)
    return words.strip()


def tasks(job):
    """Every task of the job as its role and its index in it: a task's number is its place in this list."""
    return [(role, index) for role in job["roles"] for index in range(role["count"])]


def node(given, ctx):
    """What TensorFlowOnSpark calls in each executor."""
    Node(given, ctx).run()


class Node:
    """One child, started and stopped as the driver says."""

    def __init__(self, given, ctx):
        self.job, self.ctx, self.here = given.job, ctx, os.getcwd()
        self.submission = given.submission
        self.number = given.order[ctx.executor_id]
        self.role, self.index = tasks(self.job)[self.number]
        self.fed = bool(self.job["feed"]) and self.role["fed"]
        self.peers = peers(self.job, given.order, ctx.cluster_spec)
        self.go, self.stop, self.rows_end = threading.Event(), threading.Event(), threading.Event()
        self.lost = False
        self.link = socket.create_connection(given.driver, timeout=60)
        self.link.settimeout(None)
        self.link.sendall(given.token.encode() + b"\n")

    def tell(self, event, **words):
        """Says something to the driver; if it cannot be reached, the job is over."""
        try:
            self.link.sendall((json.dumps({"is": event, **words}) + "\n").encode())
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

    def leave(self, *_):
        """Spark takes this executor away: what the child then ends with is not its own doing."""
        self.lost = self.lost or not self.stop.is_set()
        self.stop.set()

    def run(self):
        """From the first word to the driver to the end of the child."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.leave)
        threading.Thread(target=self.listen, daemon=True).start()
        fresh = self.job["fresh"]
        stale = bool(fresh) and fresh["mounted"] and holds(fresh["path"])
        self.tell("here", task=self.number, stale=stale)
        while not self.stop.is_set() and not self.go.wait(0.2):
            pass
        if not self.stop.is_set():
            self.work()
        if self.lost:
            self.tell("lost")
        if self.fed:
            self.drain()
        self.link.close()

    def work(self):
        """Starts the child, and tells the driver what became of it."""
        if getattr(self.ctx, "tmp_socket", None):
            self.ctx.release_port()
        argv, env, folder = self.command()
        shim = Shim() if self.job["shim"] else None
        self.stale = self.mark()
        if self.stale:
            say("%s was there before the start: it counts when it is written again" % self.role["ready"]["file"])
        try:
            child = start(argv, env, folder, shim and shim.events)
        except OSError as error:
            self.tell("ended", code=127, why=str(error), refused=True)
            return
        finally:
            shim and shim.listen()
        say("%s:%d is process %d" % (self.role["name"], self.index, child.pid))
        code = self.attend(child)
        if not self.lost:
            self.tell("ended", code=code, **(shim.last_words() if shim else {}))

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
        env["TFJOB_PEERS"] = json.dumps(self.peers, separators=(",", ":"), sort_keys=True)
        if self.job["scratch"]:
            # An absolute path is a volume of the pod: join leaves it alone.
            empty(os.path.join(self.here, self.job["scratch"]))
        if self.fed:
            env.update(TFJOB_FEED=self.ctx.mgr.address, TFJOB_FEED_KEY=bytes(self.ctx.mgr._authkey).hex())
        if self.job["shim"]:
            env["TFJOB_SUBMISSION"] = self.submission
            env["TFJOB_CONTRACT"] = spark_file(self.job["shim"]["contract"])
            return [spark_file(self.job["shim"]["program"])], env, self.here
        env.update((name, self.text(value)) for name, value in role["env"])
        folder = self.text(role["workdir"]) if role["workdir"] else self.here
        return [self.text(word) for word in role["argv"]], env, folder

    def text(self, parts):
        """A text whose missing parts are this executor's folder."""
        return "".join(self.here if part is None else part for part in parts)

    def attend(self, child):
        """Waits for the child: says when it is ready, passes on the end of the rows, and stops it in time."""
        ready, told, fed, grace = self.role["ready"] is None, None, not self.fed, self.job["grace"]
        # The grace is for what saves on TERM. TensorFlow swallows TERM since 2.15, and ends on INT.
        ladder = [(0, signal.SIGTERM), (grace, signal.SIGINT), (grace + LAST, signal.SIGKILL)]
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if not ready and self.probe():
                ready = True
                self.tell("ready")
            if not fed and self.rows_end.is_set():
                fed = True
                self.ctx.mgr.get_queue("input").put(None)
            if self.stop.is_set():
                told = told or time.monotonic()
                while ladder and time.monotonic() - told >= ladder[0][0]:
                    signal_group(child, ladder.pop(0)[1])
                time.sleep(0.1)
            else:
                self.stop.wait(0.2)
        # What the child left behind ends with it. Its number is not free before it is waited for.
        signal_group(child, signal.SIGKILL)
        return child.wait()

    def mark(self):
        """What tells the file of readiness from the one of another start; nothing where there is none."""
        try:
            found = os.stat((self.role["ready"] or {})["file"])
        except (KeyError, OSError):
            return None
        return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size

    def probe(self):
        """Whether the task is ready, by its role's own probe."""
        probe = self.role["ready"]
        if "file" in probe:
            return self.mark() not in (None, self.stale)
        port = probe["port"] or int(self.peers[self.role["name"]][self.index].rsplit(":", 1)[1])
        try:
            if "http" in probe:
                # The task itself answers, never a proxy of the node.
                direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                with direct.open("http://127.0.0.1:%d%s" % (port, probe["http"]), timeout=5) as answer:
                    return 200 <= answer.status < 300
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
            return True
        except (OSError, http.client.HTTPException):
            return False

    def drain(self):
        """Takes the rows that nobody reads any more, so that Spark's feeding tasks end."""
        from queue import Empty

        try:
            self.ctx.mgr.set("state", "terminating")
            rows = self.ctx.mgr.get_queue("input")
            while not self.stop.is_set():
                try:
                    rows.get(block=True, timeout=1)
                    rows.task_done()
                except Empty:
                    pass
        except (EOFError, OSError):
            pass


class Shim:
    """What tfjob-shim says, on a pipe of its own: all of it goes to the log, and its last words to the driver."""

    def __init__(self):
        self.said, self.events = os.pipe()
        self.running, self.refused, self.why = False, True, None

    def listen(self):
        """Begins to read, after the child has got its end of the pipe."""
        os.close(self.events)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        """Passes each line on, on a line of its own: a progress bar may have left one open."""
        with os.fdopen(self.said, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                open_line = "\n" if self.running else ""
                said = self.hear(line)
                sys.stderr.write(open_line + said)
                sys.stderr.flush()

    def hear(self, line):
        """One event; its line for the log."""
        try:
            event = json.loads(line)
        except ValueError:
            return line
        kind = event.get("event")
        if kind in ("started", "ended"):
            self.running, self.refused = kind == "started", False
        elif kind == "refused":
            self.refused = True
        elif kind == "exit":
            self.why = event.get("reason")
            return "tfjob-shim: %s\n" % self.why
        return line

    def last_words(self):
        """Why the shim ended, and whether it refused to start the program."""
        self.reader.join(5)
        return {"why": self.why, "refused": bool(self.why) and self.refused}


def peers(job, order, cluster):
    """The addresses of all tasks by role. Executors are numbered, and those that get no rows come first."""
    found = {role["name"]: [None] * role["count"] for role in job["roles"]}
    every = tasks(job)
    for address, number in zip(cluster.get("ps", []) + cluster.get("worker", []), order):
        role, index = every[number]
        found[role["name"]][index] = address
    return found


def used(names):
    """Whether there is anything in a folder but what its file system or the shim puts there, by the names in it."""
    return any(not name.startswith(".") and name != "lost+found" for name in names)


def holds(folder):
    """Whether somebody has left anything in a folder."""
    return os.path.isdir(folder) and used(os.listdir(folder))


def empty(folder):
    """The folder with nothing in it: an attempt before this one may have left its own."""
    os.makedirs(folder, exist_ok=True)
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


def spark_file(name):
    """Where Spark has put a file of the job."""
    from pyspark import SparkFiles

    return os.path.abspath(SparkFiles.get(name))


def platform_env():
    """The variables that image and platform gave this executor: importing TensorFlow has added its own since."""
    with open("/proc/self/environ", "rb") as file:
        pairs = [os.fsdecode(pair).partition("=") for pair in file.read().split(b"\0") if pair]
    env = {name: value for name, _, value in pairs}
    if "CLASSPATH" in os.environ:
        # TensorFlowOnSpark may have expanded Hadoop's jars in it.
        env["CLASSPATH"] = os.environ["CLASSPATH"]
    return env


def start(argv, env, folder, events=None):
    """A child in a group of its own, which dies with this process. The shim says its events there, if anywhere."""
    libc = ctypes.CDLL(None)

    def die_with_parent():
        libc.prctl(1, signal.SIGKILL)

    if events is not None:
        env = {**env, "TFJOB_EVENTS_FD": str(events)}
    return subprocess.Popen(
        argv,
        env=env,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=die_with_parent,
        pass_fds=[] if events is None else [events],
    )


def signal_group(child, number):
    """Signals the child and all that it started."""
    try:
        os.killpg(child.pid, number)
    except (ProcessLookupError, PermissionError):
        pass
