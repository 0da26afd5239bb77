"""Decisions of the driver: when each task starts, whether a task failure fails the job, when the job finishes, and whether
it restarts.

This module does not use Spark: `driver.py` starts the executors, and the executors connect to `Lead.serve`.
"""
import contextlib
import hmac
import json
import math
import secrets
import socket
import socketserver
import threading
import time

from tfjob_node import INT_GRACE, log, reason, tasks

# Seconds for an executor to report the exit of its program, after `grace` and INT_GRACE.
EXIT_TIMEOUT = 20
# Default limit of the restart delay in seconds, if the first delay is not longer.
MAX_BACKOFF = 3600
# Exit codes of tfjob-shim for temporary conditions before the program starts: no space for checkpoints, peers not ready,
# port in use. The job may restart after them.
TRANSIENT = (74, 75, 76)
# Values of `Task.code` if the executor was lost, or replaced by Spark.
LOST_CODES = ("lost", None)
# Messages of Spark about a lost executor, and of TensorFlowOnSpark in an executor that replaces a lost one.
LOST_MESSAGES = ("ExecutorLostFailure", "No executor_id file found")
# Seconds to wait for a lost executor to disconnect after Spark reports an error: the connection identifies the task.
DISCONNECT_TIMEOUT = 5
# Conditions of `after`. A task that succeeded counts as ready, because it is not probed any more.
CONDITIONS = {"started": lambda t: t.started, "ready": lambda t: t.ready or t.code == 0, "done": lambda t: t.code == 0}


def is_loss(why):
    """Whether an error message of Spark reports a lost executor."""
    return any(message in why for message in LOST_MESSAGES)


class Task:
    """State of one task, as known to the driver."""

    def __init__(self, role, index):
        self.role, self.index, self.name = role, index, "%s:%d" % (role["name"], index)
        self.link, self.connected, self.started, self.ready, self.code = None, False, None, False, None
        self.refused, self.waiting_since = False, None

    def send(self, order):
        """Sends an order to the executor. Errors are ignored: `Lead.disconnected` handles a lost executor."""
        with contextlib.suppress(AttributeError, OSError):
            self.link.sendall((json.dumps({"do": order}) + "\n").encode())


class Lead:
    """State of one attempt of the job, and the decisions about it."""

    def __init__(self, job, first=True, until=None):
        self.job, self.first, self.until, self.token = job, first, until, secrets.token_hex(32)
        self.tasks = [Task(role, index) for role, index in tasks(job)]
        self.changed, self.why, self.finished, self.failed_task = threading.Condition(), None, False, None

    def next_attempt(self):
        """Returns the next attempt. If a task has started, it no longer checks for old checkpoints: they may be of this job."""
        first = self.first and not any(task.started for task in self.tasks)
        return Lead(self.job, first, self.until)

    def serve(self, host):
        """Listens for executors; returns host and port."""
        lead = self

        class Connection(socketserver.StreamRequestHandler):
            def handle(self):
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                self.connection.settimeout(60)
                task = None
                with contextlib.suppress(OSError):
                    if not hmac.compare_digest(self.rfile.readline(200).strip(), lead.token.encode()):
                        return
                    self.connection.settimeout(None)
                    for line in self.rfile:
                        task = lead.receive(task, json.loads(line), self.connection)
                lead.disconnected(task)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, request_queue_size = True, 1024

        self.server = Server(("", 0), Connection)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return host, self.server.server_address[1]

    def receive(self, task, message, link):
        """Handles one message of an executor; returns its task."""
        with self.changed:
            if message["is"] == "here":
                task = self.tasks[message["task"]]
                if task.connected:
                    self.end(task.name + " connected twice: Spark replaced its lost executor", task)
                task.connected, task.link = True, link
                if message["stale"] and self.first:
                    self.end(self.job["fresh"]["path"] + ' is not empty; `if-exists="fail"` requires an empty directory')
            elif message["is"] == "ready":
                task.ready = True
            elif message["is"] == "lost":
                self.executor_lost(task)
            elif message["is"] == "ended":
                task.code, task.refused = message["code"], message.get("refused", False)
                self.task_ended(task, message.get("why"))
            self.start_tasks()
            self.changed.notify_all()
        return task

    def disconnected(self, task):
        """Handles the end of a connection. `task` is None if the executor has not identified itself."""
        with self.changed:
            if task:
                self.executor_lost(task)
            self.changed.notify_all()

    def executor_lost(self, task):
        """Ends the attempt, unless the program of the task had exited before."""
        if task.code is None:
            task.code = "lost"
            self.end("the executor of %s was lost" % task.name, task)

    def start_tasks(self):
        """Starts every task that may start, after all executors have connected."""
        if self.finished or not all(task.connected for task in self.tasks):
            return
        # A task that starts may unblock another one, and executors do not report the start.
        startable = self.tasks
        while startable:
            startable = [task for task in self.tasks if self.may_start(task)]
            for task in startable:
                task.started, task.ready = time.monotonic(), task.role["ready"] is None
                if self.job["deadline"] and self.until is None:
                    self.until = time.monotonic() + self.job["deadline"]
                log("%s: starting" % task.name)
                task.send("start")

    def may_start(self, task):
        """Whether a task has not started and all its `after` conditions hold."""
        return task.started is None and all(self.reached(first) for first in task.role["after"])

    def reached(self, first):
        """Whether all tasks of a role meet an `after` condition."""
        return all(CONDITIONS[first["when"]](task) for task in self.tasks if task.role["name"] == first["role"])

    def missed(self, first):
        """Whether a task of a role exited before it met an `after` condition."""
        ended = [task for task in self.tasks if task.role["name"] == first["role"] and task.code is not None]
        return not all(CONDITIONS[first["when"]](task) for task in ended)

    def roles_behind(self, condition):
        """Returns the names of roles with an `after` entry that meets the condition, or that wait for such a role."""
        waiting, names = [task.role for task in self.tasks if task.started is None], set()
        while True:
            more = {
                role["name"]
                for role in waiting
                if role["name"] not in names and any(first["role"] in names or condition(first) for first in role["after"])
            }
            if not more:
                return names
            names |= more

    def is_optional(self, task):
        """Whether the job continues without a failed task. It does for a helper that does not decide job success, unless a
        role waits for the helper: that role would never start, and its peers would wait for it. `restart` of the helper has no
        effect, because Spark can restart only the whole job."""
        never = self.roles_behind(self.missed)
        needed = [other for other in self.tasks if other.role["decides"] or not other.role["helper"]]
        required = not task.role["helper"] or task.index < task.role["decides"]
        return not required and not any(other.role["name"] in never for other in needed)

    def overdue(self):
        """Returns a task that has waited for other tasks longer than `start timeout`, or None. The time until all executors are
        connected does not count. The wait for the end of a role (`done`) is unlimited."""
        now, unlimited = time.monotonic(), self.roles_behind(lambda f: f["when"] == "done" and not self.reached(f))
        complete = all(task.connected for task in self.tasks)
        for task in self.tasks:
            if task.waiting_since is None or task.role["name"] in unlimited or not complete:
                task.waiting_since = now
        limit = self.job["start"]
        return next((t for t in self.tasks if t.started is None and now - t.waiting_since >= limit), None)

    def task_ended(self, task, why):
        """Ends the attempt if the exit of a task fails the job, or completes it."""
        if self.finished:
            return
        if task.code != 0:
            end = "exited with code %d" % task.code if task.code > 0 else "was killed by signal %d" % -task.code
            subject = task.name + " was not started: tfjob-shim" if task.refused else task.name
            message = "%s %s%s" % (subject, end, ": " + why if why else "")
            if self.is_optional(task):
                log(message + "; the job continues without this helper")
            else:
                self.end(message, task)
        elif all(t.code == 0 for t in self.tasks if t.index < t.role["decides"]):
            self.end("")

    def end(self, why, failed_task=None):
        """Ends the attempt; later calls have no effect. An empty `why` means success. `failed_task` is "unknown" if the task of
        a lost executor is not known."""
        with self.changed:
            if not self.finished:
                self.finished, self.why, self.failed_task, self.ended = True, why, failed_task, time.monotonic()
                self.changed.notify_all()

    def watch(self, status):
        """Waits for the end of the attempt. `status` is `TFCluster.tf_status`."""
        with self.changed:
            while not self.finished:
                self.changed.wait(1)
                if self.until and time.monotonic() > self.until:
                    self.end("the deadline of %d s was exceeded" % self.job["deadline"])
                late = self.job["start"] and self.overdue()
                if late:
                    names = " and ".join(f["role"] for f in late.role["after"] if not self.reached(f))
                    self.end("%s waited %d s for %s, the limit of `start timeout`" % (late.name, self.job["start"], names))
                if "error" in status and not self.finished:
                    # The executor is about to disconnect, and its connection identifies the task; the error of Spark does not.
                    self.changed.wait(DISCONNECT_TIMEOUT)
                    self.end("the Spark job that runs the tasks failed: " + reason(status["error"]), "unknown")

    def seconds_left(self):
        """Returns the whole seconds until the deadline; infinity before it starts to count."""
        return math.inf if self.until is None else max(0, int(self.until - time.monotonic()))

    def startup_failed(self, error):
        """Ends an attempt in which not all executors started. A lost executor is not attributed to a task."""
        why = "not all %d executors started: %s" % (len(self.tasks), reason(error))
        why = why if self.seconds_left() else "the deadline of %d s was exceeded" % self.job["deadline"]
        self.end(why, "unknown" if is_loss(why) else None)

    def feed_failed(self, why):
        """Ends an attempt in which Spark failed to feed the rows. If an executor is lost, Spark reports it first; the executor
        disconnects only when its program has exited, and the program may still save a checkpoint."""
        with self.changed:
            self.changed.wait_for(lambda: self.finished, DISCONNECT_TIMEOUT)
            self.end("Spark failed to feed the rows: " + why, "unknown" if is_loss(why) else None)

    def stop_tasks(self):
        """Stops all running tasks, waits until their programs have exited, and closes the server."""
        until = time.monotonic() + self.job["grace"] + INT_GRACE + EXIT_TIMEOUT
        with self.changed:
            for task in self.tasks:
                task.send("stop")
            connected = [task for task in self.tasks if task.connected]
            while any(task.code is None and task.started for task in connected) and time.monotonic() < until:
                self.changed.wait(1)
        self.server.shutdown()
        self.server.server_close()

    def wait_for_readers(self, patience):
        """Waits until every task with a feed has started; returns whether the attempt still runs. The timeout of
        TensorFlowOnSpark includes the time in which a task does not read because it waits for another task. `patience` seconds
        after the first of these tasks has started, feeding begins anyway: a task may wait for one that needs rows first."""
        fed, until = [task for task in self.tasks if task.role["fed"]], None
        with self.changed:
            while not self.finished and not all(task.started for task in fed):
                if until is None and any(task.started for task in fed):
                    until = time.monotonic() + patience
                if until and time.monotonic() > until:
                    break
                self.changed.wait(1)
            return not self.finished


class Budget:
    """Restarts of the whole job, limited by `restart` of the role of the failed task."""

    def __init__(self, job):
        self.job, self.starts = job, []

    def next_pause(self, lead):
        """Returns the delay of the next attempt in seconds, or None if the job does not restart."""
        if not lead.failed_task or lead.until and time.monotonic() > lead.until:
            return None
        terms, unknown = [role["restart"] for role in self.job["roles"]], lead.failed_task == "unknown"
        if (unknown or lead.failed_task.code in LOST_CODES) and not any(task.started for task in lead.tasks):
            # Before the first task starts, the loss is not attributed to a role, so roles without `restart` are ignored.
            terms = [restart for restart in terms if restart]
        elif not unknown:
            terms = [lead.failed_task.role["restart"] if self.permits(lead) else None]
        # If the task of a lost executor is unknown, all roles must allow the restart.
        pauses = [self.pause(restart) for restart in terms]
        if not pauses or None in pauses:
            return None
        pause = max(pauses)
        if lead.until and time.monotonic() + pause >= lead.until:
            lead.why += "; not restarted: the deadline of %d s ends before the restart delay of %d s" % (
                self.job["deadline"],
                pause,
            )
            return None
        self.starts.append(time.monotonic())
        return pause

    def permits(self, lead):
        """Whether `restart` of the role of the failed task applies to its exit code and uptime."""
        task, terms = lead.failed_task, lead.failed_task.role["restart"]
        if not terms or task.refused and task.code not in TRANSIENT:
            return False
        if task.code in LOST_CODES:
            return True
        uptime = lead.ended - (task.started or lead.ended)
        code = task.code if task.code > 0 else 128 - task.code
        return (not terms["codes"] or code in terms["codes"]) and uptime >= (terms["min_uptime"] or 0)

    def pause(self, terms):
        """Returns the restart delay in seconds, or None if the limit is reached. Restarts of the job count for every role,
        because all tasks restart together."""
        if not terms:
            return None
        now = time.monotonic()
        starts = [start for start in self.starts if terms["within"] is None or now - start < terms["within"]]
        if terms["limit"] is not None and len(starts) >= terms["limit"]:
            return None
        first = terms["backoff"] or 1
        return min(first * 2 ** min(len(starts), 20), terms["max_backoff"] or max(MAX_BACKOFF, first))
