"""Runs one compiled job on Spark: TensorFlowOnSpark brings up one executor a task, and each starts its program.

Nothing of the job stands here: all of it is read from job.json. The driver says when a task may start, whether a
failure is the job's, and when the job is over; `tfjob_node.py` obeys it in every executor.
"""
import argparse
import contextlib
import hmac
import importlib.metadata
import json
import math
import os
import secrets
import socket
import socketserver
import sys
import threading
import time

from tfjob_node import LAST, node, reason, say, tasks

# Seconds for a node to say that its child has ended, after the grace is over.
LAST_WORDS = 20
# Seconds of the longest pause before another start, where the job names none and its first is shorter.
LONGEST = 3600
# Refusals of tfjob-shim that another start may not meet: no room for checkpoints, missing peers, a port that is taken.
PASSING = (74, 75, 76)
# How far a task is, by the words of `after`. One that ended well is ready: nobody asks its probe again.
FAR = {"started": lambda t: t.started, "ready": lambda t: t.ready or t.code == 0, "done": lambda t: t.code == 0}


class Task:
    """What the driver knows of one task."""

    def __init__(self, role, index):
        self.role, self.index, self.name = role, index, "%s:%d" % (role["name"], index)
        self.link, self.here, self.started, self.ready, self.code = None, False, None, False, None
        self.refused, self.since = False, None

    def tell(self, order):
        """Sends an order; a node that is gone is noticed by its silence."""
        with contextlib.suppress(AttributeError, OSError):
            self.link.sendall((json.dumps({"do": order}) + "\n").encode())


class Lead:
    """One attempt: who is there, who may start, and whether it is over."""

    def __init__(self, job, first=True, until=None):
        self.job, self.first, self.until, self.token = job, first, until, secrets.token_hex(32)
        self.tasks = [Task(role, index) for role, index in tasks(job)]
        self.changed, self.why, self.over, self.fault = threading.Condition(), None, False, None

    def serve(self, host):
        """Listens for the nodes, and returns where."""
        lead = self

        class Talk(socketserver.StreamRequestHandler):
            def handle(self):
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                self.connection.settimeout(60)
                task = None
                with contextlib.suppress(OSError):
                    if not hmac.compare_digest(self.rfile.readline(200).strip(), lead.token.encode()):
                        return
                    self.connection.settimeout(None)
                    for line in self.rfile:
                        task = lead.hear(task, json.loads(line), self.connection)
                lead.lose(task)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, request_queue_size = True, 1024

        self.server = Server(("", 0), Talk)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return host, self.server.server_address[1]

    def hear(self, task, said, link):
        """One line of a node."""
        with self.changed:
            if said["is"] == "here":
                task = self.tasks[said["task"]]
                if task.here:
                    self.end(task.name + " was started twice: Spark lost its executor", task)
                task.here, task.link = True, link
                if said["stale"] and self.first:
                    self.end(self.job["fresh"]["path"] + " holds checkpoints, and the job wants to start afresh")
            elif said["is"] == "ready":
                task.ready = True
            elif said["is"] == "lost":
                self.lost(task)
            elif said["is"] == "ended":
                task.code, task.refused = said["code"], said.get("refused", False)
                self.judge(task, said.get("why"))
            self.let_start()
            self.changed.notify_all()
        return task

    def lose(self, task):
        """A node whose connection ended."""
        with self.changed:
            if task:
                self.lost(task)
            self.changed.notify_all()

    def lost(self, task):
        """What it means: nothing, where the task had ended before."""
        if task.code is None:
            task.code = "lost"
            self.end("the executor of %s is lost" % task.name, task)

    def let_start(self):
        """Starts every task whose turn it is. None starts before all are there."""
        if self.over or not all(task.here for task in self.tasks):
            return
        # Each start may be what another task waits for, and nobody else says a word about it.
        while turn := [task for task in self.tasks if self.may_start(task)]:
            for task in turn:
                task.started, task.ready = time.monotonic(), task.role["ready"] is None
                if self.job["deadline"] and self.until is None:
                    self.until = time.monotonic() + self.job["deadline"]
                say("%s starts" % task.name)
                task.tell("start")

    def may_start(self, task):
        """Whether a task waits for nothing any more."""
        return task.started is None and all(self.reached(first) for first in task.role["after"])

    def reached(self, first):
        """Whether all tasks of a role have come as far as another role waits for."""
        return all(FAR[first["when"]](task) for task in self.tasks if task.role["name"] == first["role"])

    def missed(self, first):
        """Whether a task of a role ended before it came so far."""
        ended = [task for task in self.tasks if task.role["name"] == first["role"] and task.code is not None]
        return not all(FAR[first["when"]](task) for task in ended)

    def behind(self, holds):
        """The names of roles that wait for one of which this holds, or for such a role."""
        waiting, names = [task.role for task in self.tasks if task.started is None], set()
        while more := {
            role["name"]
            for role in waiting
            if role["name"] not in names and any(first["role"] in names or holds(first) for first in role["after"])
        }:
            names |= more
        return names

    def spares(self, task):
        """Whether the job goes on without a task: a helper whose end is not the job's, and for which no role waits: that role
        would never start, nor would its peers end. Its own `restart` changes nothing: Spark can only start the whole job."""
        never = self.behind(self.missed)
        needed = [other for other in self.tasks if other.role["decides"] or not other.role["helper"]]
        own = not task.role["helper"] or task.index < task.role["decides"]
        return not own and not any(other.role["name"] in never for other in needed)

    def late(self):
        """A task that has waited for others as long as `start timeout` says. For their end it may wait for ever."""
        now, ends = time.monotonic(), self.behind(lambda f: f["when"] == "done" and not self.reached(f))
        there = all(task.here for task in self.tasks)
        for task in self.tasks:
            if task.since is None or task.role["name"] in ends or not there:
                task.since = now
        return next((t for t in self.tasks if t.started is None and now - t.since >= self.job["start"]), None)

    def judge(self, task, why):
        """What the end of a task means for the job."""
        if self.over:
            return
        if task.code != 0:
            end = "with code %d" % task.code if task.code > 0 else "by signal %d" % -task.code
            what = "was not started: tfjob-shim ended" if task.refused else "ended"
            words = "%s %s %s%s" % (task.name, what, end, ": " + why if why else "")
            if self.spares(task):
                say(words + "; the job goes on without this helper")
            else:
                self.end(words, task)
        elif all(t.code == 0 for t in self.tasks if t.index < t.role["decides"]):
            self.end("")

    def end(self, why, fault=None):
        """The first word on the end stands."""
        with self.changed:
            if not self.over:
                self.over, self.why, self.fault, self.ended = True, why, fault, time.monotonic()
                self.changed.notify_all()

    def watch(self, status):
        """Waits for the end of the attempt."""
        with self.changed:
            while not self.over:
                self.changed.wait(1)
                if self.until and time.monotonic() > self.until:
                    self.end("the deadline of %d s is over" % self.job["deadline"])
                late = self.job["start"] and self.late()
                if late:
                    names = " and ".join(f["role"] for f in late.role["after"] if not self.reached(f))
                    self.end("%s has waited %d s for %s" % (late.name, self.job["start"], names))
                if "error" in status and not self.over:
                    # A node that is gone says more than Spark does: its silence is a moment away.
                    self.changed.wait(5)
                    self.end("Spark ended the tasks: " + reason(status["error"]), "unknown")

    def left(self):
        """Whole seconds to the deadline, where it counts already."""
        return math.inf if self.until is None else max(0, int(self.until - time.monotonic()))

    def never_up(self, error):
        """The end of an attempt whose executors did not all come up. The loss of one is nobody's in particular."""
        why = "not all %d executors came up: %s" % (len(self.tasks), reason(error))
        why = why if self.left() else "the deadline of %d s is over" % self.job["deadline"]
        self.end(why, "unknown" if "ExecutorLostFailure" in why else None)

    def dismiss(self):
        """Stops what still runs, and waits until every node has said that its child is gone."""
        until = time.monotonic() + self.job["grace"] + LAST + LAST_WORDS
        with self.changed:
            for task in self.tasks:
                task.tell("stop")
            there = [task for task in self.tasks if task.here]
            while any(task.code is None and task.started for task in there) and time.monotonic() < until:
                self.changed.wait(1)
        self.server.shutdown()
        self.server.server_close()

    def takes_rows(self, patience):
        """Waits until every task that is fed has started, and whether the job still runs: TensorFlowOnSpark counts the time
        that rows lie in front of a task, and one that waits for another takes none. Where a task waits for one that first
        needs rows, they come after so many seconds all the same."""
        fed, until = [task for task in self.tasks if task.role["fed"]], None
        with self.changed:
            while not self.over and not all(task.started for task in fed):
                if until is None and any(task.started for task in fed):
                    until = time.monotonic() + patience
                if until and time.monotonic() > until:
                    break
                self.changed.wait(1)
            return not self.over


class Budget:
    """How often the job may start again, by the terms of the role whose task failed."""

    def __init__(self, job):
        self.job, self.starts = job, []

    def grants(self, lead):
        """Whether the job starts again after this attempt: the seconds to wait, or nothing."""
        roles = self.job["roles"]
        if lead.fault == "unknown":
            # Nobody knows whose executor it was: only terms that hold for all roles hold.
            role, lived, code = roles[0], None, "lost"
            if any(r["restart"] != role["restart"] for r in roles):
                return None
        elif lead.fault:
            role, code = lead.fault.role, lead.fault.code
            lived = lead.ended - (lead.fault.started or lead.ended)
        terms = lead.fault and role["restart"]
        if not terms or lead.until and time.monotonic() > lead.until:
            return None
        if lead.fault != "unknown" and lead.fault.refused and code not in PASSING:
            return None
        if code != "lost" and terms["codes"] and (code if code > 0 else 128 - code) not in terms["codes"]:
            return None
        if lived is not None and code != "lost" and lived < (terms["min_uptime"] or 0):
            return None
        # Each start is one of the whole job, whichever role's task failed.
        now = time.monotonic()
        starts = [at for at in self.starts if terms["within"] is None or now - at < terms["within"]]
        if terms["limit"] is not None and len(starts) >= terms["limit"]:
            return None
        first = terms["backoff"] or 1
        pause = min(first * 2 ** min(len(starts), 20), terms["max_backoff"] or max(LONGEST, first))
        if lead.until and now + pause >= lead.until:
            lead.why += "; the deadline of %d s is over before the next start, in %d s" % (self.job["deadline"], pause)
            return None
        self.starts.append(now)
        return pause


def find_job():
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
    try:
        found = {"spark": context.version, "tfos": job["tfos"] and importlib.metadata.version("tensorflowonspark")}
    except importlib.metadata.PackageNotFoundError:
        return "the job wants tensorflowonspark %s, and none is installed" % job["tfos"]
    for name in ("spark", "tfos"):
        # A distribution adds its own to the version: `3.5.0-amzn-1`.
        if job[name] and found[name] != job[name] and not found[name].startswith((job[name] + ".", job[name] + "-")):
            return "the job wants %s %s, and %s is installed" % (name, job[name], found[name])
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
        from pyspark.sql import SparkSession

        # Not textFile, which takes a comma for the end of a path.
        read = SparkSession(context).read.format(words["format"]).options(**words["options"])
        rows = read.load(words["path"]).rdd.map((lambda row: row[0]) if words["format"] == "text" else list)
        if rows.getNumPartitions() < fed:
            rows = rows.repartition(fed)
        if lead.takes_rows(words["patience"]):
            cluster.train(rows, num_epochs=words["epochs"], feed_timeout=words["patience"])
            for task in lead.tasks:
                task.tell("fed")
    except Exception as error:
        why = reason(error)
        if "Timeout while feeding partition" in why:
            why = "a task did not take the rows of a partition within %d s (the feed's `timeout`)" % words["patience"]
        lead.end("Spark could not feed the rows: " + why)


def attempt(context, job, lead):
    """The job from its first executor to its last; `lead` knows how it went."""
    from tensorflowonspark import TFCluster

    TFCluster.tf_status.clear()
    order = sorted(range(len(lead.tasks)), key=lambda n: bool(job["feed"]) and lead.tasks[n].role["fed"])
    unfed = sum(not task.role["fed"] for task in lead.tasks) if job["feed"] else 0
    driver = lead.serve(context.getConf().get("spark.driver.host"))
    given = argparse.Namespace(num_gpus=job["gpus"], job=job, order=order, driver=driver, token=lead.token)
    given.submission = context.applicationId
    mode = TFCluster.InputMode.SPARK if job["feed"] else TFCluster.InputMode.TENSORFLOW
    # A node that is fed forks: the port would stay with its parent, so TensorFlowOnSpark frees it itself.
    more = {"release_port": False} if not job["feed"] and "release_port" in TFCluster.run.__code__.co_varnames else {}
    # An executor that is lost meanwhile: TensorFlowOnSpark would end the context, and YARN takes no second one.
    more["reservation_timeout"], context.stop = min(job["wait"], lead.left()), lambda: None
    try:
        cluster = TFCluster.run(context, node, given, len(order), unfed, input_mode=mode, **more)
    except (Exception, SystemExit) as error:
        lead.never_up(TFCluster.tf_status.get("error", error))
        lead.dismiss()
        return context.cancelAllJobs()
    finally:
        del context.stop
    feeder = threading.Thread(target=feed, args=(context, cluster, job, lead), daemon=True)
    if job["feed"]:
        feeder.start()
    lead.watch(TFCluster.tf_status)
    lead.dismiss()
    until = time.monotonic() + LAST_WORDS
    while not job["feed"] and context.statusTracker().getActiveJobsIds() and time.monotonic() < until:
        time.sleep(0.5)
    context.cancelAllJobs()
    # What still feeds must not feed the next attempt.
    while feeder.is_alive() and time.monotonic() < until:
        feeder.join(0.5)
        context.cancelAllJobs()
    cluster.server.stop()


def run(context, job):
    """All attempts; returns why the job failed, or nothing."""
    budget, lead = Budget(job), Lead(job)
    while True:
        attempt(context, job, lead)
        pause = budget.grants(lead) if lead.why else None
        if pause is None:
            return lead.why
        say("%s: all tasks start again in %d s" % (lead.why, pause))
        time.sleep(pause)
        lead = Lead(job, first=False, until=lead.until)


def main():
    from pyspark import SparkContext

    context = SparkContext()
    job = find_job()
    why = check(job, context) or run(context, job)
    context.stop()
    say("the job failed: " + why if why else "the job is done")
    sys.exit(1 if why else 0)


if __name__ == "__main__":
    main()
