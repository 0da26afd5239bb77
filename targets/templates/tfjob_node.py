"""Executor of a compiled job: starts the program of its task as a child process, and stops it when the driver requests it.

This file is the same for every job; the driver passes the job. If this process ends, the child is killed.
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

# Seconds between SIGINT and SIGKILL: TensorFlow needs up to 12.
INT_GRACE = 15


def log(message):
    """Writes one line to the log of the driver or of an executor."""
    print("tfjob: " + message, file=sys.stderr, flush=True)


def reason(error):
    """Returns the root cause of an error as one line. Py4J prints the Java exception below its own message, and Java prints the
    Python exception below its own."""
    lines = [line for line in str(error).splitlines() if line.strip()] or ["?"]
    message = next((line[2:] for line in lines[1:] if line.startswith(": ")), lines[0])
    if message.endswith("Traceback (most recent call last):"):
        below = next(at for at, line in enumerate(lines) if line.endswith(message)) + 1
        message = next((line for line in lines[below:] if not line[0].isspace()), message)
    return message.strip()


def tasks(job):
    """Returns role and index of every task of the job. The number of a task is its position in this list."""
    return [(role, index) for role in job["roles"] for index in range(role["count"])]


def node(given, ctx):
    """Main function of each executor; TensorFlowOnSpark calls it."""
    Node(given, ctx).run()


class Node:
    """One executor, which runs the program of one task."""

    def __init__(self, given, ctx):
        self.job, self.ctx, self.here = given.job, ctx, os.getcwd()
        self.submission = given.submission
        self.number = given.order[ctx.executor_id]
        self.role, self.index = tasks(self.job)[self.number]
        self.fed = bool(self.job["feed"]) and self.role["fed"]
        self.peers = peers(self.job, given.order, ctx.cluster_spec)
        self.start_order, self.stop, self.rows_end = threading.Event(), threading.Event(), threading.Event()
        self.lost = False
        self.link = socket.create_connection(given.driver, timeout=60)
        self.link.settimeout(None)
        self.link.sendall(given.token.encode() + b"\n")

    def send(self, event, **fields):
        """Sends an event to the driver. If the connection is broken, stops the program."""
        try:
            self.link.sendall((json.dumps({"is": event, **fields}) + "\n").encode())
        except OSError:
            self.stop.set()

    def receive_orders(self):
        """Receives orders of the driver. If the driver disconnects, stops the program."""
        orders = {"start": self.start_order, "stop": self.stop, "fed": self.rows_end}
        try:
            for line in self.link.makefile():
                orders[json.loads(line)["do"]].set()
        except OSError:
            pass
        self.stop.set()

    def on_signal(self, *_):
        """Handles a signal by which Spark stops this executor: the exit code of the program is then not reported."""
        self.lost = self.lost or not self.stop.is_set()
        self.stop.set()

    def run(self):
        """Connects to the driver, runs the program when the driver requests it, and waits for its exit."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.on_signal)
        threading.Thread(target=self.receive_orders, daemon=True).start()
        fresh = self.job["fresh"]
        stale = bool(fresh) and fresh["mounted"] and is_used(fresh["path"])
        self.send("here", task=self.number, stale=stale)
        while not self.stop.is_set() and not self.start_order.wait(0.2):
            pass
        if not self.stop.is_set():
            self.run_program()
        if self.lost:
            self.send("lost")
        if self.fed:
            self.drain()
        self.link.close()

    def run_program(self):
        """Starts the program, waits for its exit, and reports it to the driver."""
        if getattr(self.ctx, "tmp_socket", None):
            self.ctx.release_port()
        argv, env, directory = self.command()
        shim = Shim() if self.job["shim"] else None
        self.old_ready_file = self.ready_file()
        if self.old_ready_file:
            log("%s already exists; the task is ready when the program writes it again" % self.role["ready"]["file"])
        try:
            child = start(argv, env, directory, shim and shim.events)
        except OSError as error:
            self.send("ended", code=127, why=str(error), refused=True)
            return
        finally:
            shim and shim.start_reader()
        log("%s:%d: started process %d" % (self.role["name"], self.index, child.pid))
        code = self.supervise(child)
        if not self.lost:
            self.send("ended", code=code, **(shim.result() if shim else {}))

    def command(self):
        """Returns arguments, environment, and working directory of the program."""
        env, role = platform_env(), self.role
        for name in ["TF_CONFIG", "PYTHON_WORKER_FACTORY_SECRET", *role["hide"]]:
            env.pop(name, None)
        if role["gpus"] is not None:
            # TensorFlowOnSpark sets the variable to all GPUs of the executor; a role may request fewer.
            visible = [gpu for gpu in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if gpu]
            env["CUDA_VISIBLE_DEVICES"] = ",".join(visible[: role["gpus"]])
        env.update(TFJOB_HERE=self.here, TFJOB_TASK_ROLE=role["name"], TFJOB_TASK_INDEX=str(self.index))
        env["TFJOB_PEERS"] = json.dumps(self.peers, separators=(",", ":"), sort_keys=True)
        if self.job["scratch"]:
            # If the path is absolute, it is a volume of the pod, and join returns it unchanged.
            clear_directory(os.path.join(self.here, self.job["scratch"]))
        if self.fed:
            env.update(TFJOB_FEED=self.ctx.mgr.address, TFJOB_FEED_KEY=bytes(self.ctx.mgr._authkey).hex())
        if self.job["shim"]:
            env["TFJOB_SUBMISSION"] = self.submission
            env["TFJOB_CONTRACT"] = spark_file(self.job["shim"]["contract"])
            return [spark_file(self.job["shim"]["program"])], env, self.here
        env.update((name, self.expand(value)) for name, value in role["env"])
        directory = self.expand(role["workdir"]) if role["workdir"] else self.here
        return [self.expand(argument) for argument in role["argv"]], env, directory

    def expand(self, parts):
        """Joins the parts of a string; None stands for the directory of this executor."""
        return "".join(self.here if part is None else part for part in parts)

    def supervise(self, child):
        """Waits for the exit of the program; returns its exit code, or the negative number of a signal. Meanwhile reports
        readiness, forwards the end of the rows, and stops the program when the driver requests it."""
        ready, stop_time, fed, grace = self.role["ready"] is None, None, not self.fed, self.job["grace"]
        # `grace` is the time to save after SIGTERM. TensorFlow ignores SIGTERM since 2.15, and exits on SIGINT.
        signals = [(0, signal.SIGTERM), (grace, signal.SIGINT), (grace + INT_GRACE, signal.SIGKILL)]
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if not ready and self.probe():
                ready = True
                self.send("ready")
            if not fed and self.rows_end.is_set():
                fed = True
                self.ctx.mgr.get_queue("input").put(None)
            if self.stop.is_set():
                stop_time = stop_time or time.monotonic()
                while signals and time.monotonic() - stop_time >= signals[0][0]:
                    signal_group(child, signals.pop(0)[1])
                time.sleep(0.1)
            else:
                self.stop.wait(0.2)
        # Kills processes that the program has left. Its PID is not reused before `wait`.
        signal_group(child, signal.SIGKILL)
        return child.wait()

    def ready_file(self):
        """Returns identity, time, and size of the readiness file, to detect whether it was written again, or None."""
        try:
            found = os.stat((self.role["ready"] or {})["file"])
        except (KeyError, OSError):
            return None
        return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size

    def probe(self):
        """Runs the readiness probe of the role; returns whether the task is ready."""
        probe = self.role["ready"]
        if "file" in probe:
            return self.ready_file() not in (None, self.old_ready_file)
        port = probe["port"] or int(self.peers[self.role["name"]][self.index].rsplit(":", 1)[1])
        try:
            if "http" in probe:
                # A proxy of the node must not answer instead of the task.
                direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                with direct.open("http://127.0.0.1:%d%s" % (port, probe["http"]), timeout=5) as answer:
                    return 200 <= answer.status < 300
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
            return True
        except (OSError, http.client.HTTPException):
            return False

    def drain(self):
        """Discards the remaining rows, so that the Spark tasks that feed them finish."""
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
    """Events of tfjob-shim, read from a pipe. All go to the log; the reason of its exit also goes to the driver."""

    def __init__(self):
        self.pipe, self.events = os.pipe()
        self.running, self.refused, self.why = False, True, None

    def start_reader(self):
        """Starts to read. Call it after the shim has inherited its end of the pipe."""
        os.close(self.events)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        """Writes each event to the log, on a new line: the progress bar of a running program may be an unterminated line."""
        with os.fdopen(self.pipe, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                open_line = "\n" if self.running else ""
                text = self.handle(line)
                sys.stderr.write(open_line + text)
                sys.stderr.flush()

    def handle(self, line):
        """Handles one event; returns its log line."""
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

    def result(self):
        """Returns the reason of the exit of the shim, and whether it exited without starting the program."""
        self.reader.join(5)
        return {"why": self.why, "refused": bool(self.why) and self.refused}


def peers(job, order, cluster):
    """Returns the addresses of all tasks by role. TensorFlowOnSpark lists executors without a feed first, as `ps`."""
    found = {role["name"]: [None] * role["count"] for role in job["roles"]}
    every = tasks(job)
    for address, number in zip(cluster.get("ps", []) + cluster.get("worker", []), order):
        role, index = every[number]
        found[role["name"]][index] = address
    return found


def has_user_files(names):
    """Whether a directory with these names has files other than those of its file system and of the shim."""
    return any(not name.startswith(".") and name != "lost+found" for name in names)


def is_used(directory):
    """Whether a directory exists and has files other than those of its file system and of the shim."""
    return os.path.isdir(directory) and has_user_files(os.listdir(directory))


def clear_directory(directory):
    """Creates a directory, and deletes files of an earlier attempt from it."""
    os.makedirs(directory, exist_ok=True)
    for entry in os.scandir(directory):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


def spark_file(name):
    """Returns the path of a file that Spark has copied to this executor."""
    from pyspark import SparkFiles

    return os.path.abspath(SparkFiles.get(name))


def platform_env():
    """Returns the initial environment of this process, from image and platform: importing TensorFlow adds variables."""
    with open("/proc/self/environ", "rb") as file:
        pairs = [os.fsdecode(pair).partition("=") for pair in file.read().split(b"\0") if pair]
    env = {name: value for name, _, value in pairs}
    if "CLASSPATH" in os.environ:
        # TensorFlowOnSpark may have added the JAR files of Hadoop.
        env["CLASSPATH"] = os.environ["CLASSPATH"]
    return env


def start(argv, env, directory, events=None):
    """Starts a child in its own process group; the kernel kills it when this process ends. `events` is the file descriptor for
    events of the shim."""
    libc = ctypes.CDLL(None)

    def die_with_parent():
        libc.prctl(1, signal.SIGKILL)

    if events is not None:
        env = {**env, "TFJOB_EVENTS_FD": str(events)}
    return subprocess.Popen(
        argv,
        env=env,
        cwd=directory,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=die_with_parent,
        pass_fds=[] if events is None else [events],
    )


def signal_group(child, number):
    """Sends a signal to the process group of the child."""
    try:
        os.killpg(child.pid, number)
    except (ProcessLookupError, PermissionError):
        pass
