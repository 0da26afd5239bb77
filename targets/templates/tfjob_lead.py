"""Leads one compiled job on Spark: which task may start, whether a failure is the job's, when the job is over, and whether
it starts again.

Nothing of Spark stands here: the nodes connect, `driver.py` brings them up.
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

from tfjob_node import LAST, reason, say, tasks

# Seconds for a node to say that its child has ended, after the grace is over.
LAST_WORDS = 20
# Seconds of the longest pause before another start, where the job names none and its first is shorter.
LONGEST = 3600
# Refusals of tfjob-shim that another start may not meet: no room for checkpoints, missing peers, a port that is taken.
PASSING = (74, 75, 76)
# What a task ended with whose executor is lost, or was replaced by Spark.
LOST = ("lost", None)
# What Spark says of an executor that is lost, and TensorFlowOnSpark of one that replaces it.
GONE = ("ExecutorLostFailure", "No executor_id file found")
# Seconds for a node that is gone to fall silent, after Spark has said so: the node says whose executor it was.
SILENCE = 5
# How far a task is, by the words of `after`. One that ended well is ready: nobody asks its probe again.
FAR = {"started": lambda t: t.started, "ready": lambda t: t.ready or t.code == 0, "done": lambda t: t.code == 0}


def lost(why):
    """Whether an executor is lost, by Spark's words."""
    return any(words in why for words in GONE)


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

    def again(self):
        """The next attempt. Old checkpoints are looked for until a task starts: from then on they are the job's own."""
        first = self.first and not any(task.started for task in self.tasks)
        return Lead(self.job, first, self.until)

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
        turn = self.tasks
        while turn:
            turn = [task for task in self.tasks if self.may_start(task)]
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
        while True:
            more = {
                role["name"]
                for role in waiting
                if role["name"] not in names and any(first["role"] in names or holds(first) for first in role["after"])
            }
            if not more:
                return names
            names |= more

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
                    self.changed.wait(SILENCE)
                    self.end("Spark ended the tasks: " + reason(status["error"]), "unknown")

    def left(self):
        """Whole seconds to the deadline, where it counts already."""
        return math.inf if self.until is None else max(0, int(self.until - time.monotonic()))

    def never_up(self, error):
        """The end of an attempt whose executors did not all come up. The loss of one is nobody's in particular."""
        why = "not all %d executors came up: %s" % (len(self.tasks), reason(error))
        why = why if self.left() else "the deadline of %d s is over" % self.job["deadline"]
        self.end(why, "unknown" if lost(why) else None)

    def not_fed(self, why):
        """The end of an attempt whose rows Spark could not feed. Where an executor is lost Spark says so first, and its node
        only when its program has ended: it may save for as long as it likes."""
        with self.changed:
            self.changed.wait_for(lambda: self.over, SILENCE)
            self.end("Spark could not feed the rows: " + why, "unknown" if lost(why) else None)

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
        if not lead.fault or lead.until and time.monotonic() > lead.until:
            return None
        terms, unknown = [role["restart"] for role in self.job["roles"]], lead.fault == "unknown"
        if (unknown or lead.fault.code in LOST) and not any(task.started for task in lead.tasks):
            # Before the first task starts, an executor belongs to no role: a helper without terms forbids nothing.
            terms = [one for one in terms if one]
        elif not unknown:
            terms = [lead.fault.role["restart"] if self.permits(lead) else None]
        # Where nobody knows whose executor it was, all terms hold.
        pauses = [self.pause(one) for one in terms]
        if not pauses or None in pauses:
            return None
        pause = max(pauses)
        if lead.until and time.monotonic() + pause >= lead.until:
            lead.why += "; the deadline of %d s is over before the next start, in %d s" % (self.job["deadline"], pause)
            return None
        self.starts.append(time.monotonic())
        return pause

    def permits(self, lead):
        """Whether the terms of a task's role allow a start after such an end."""
        task, terms = lead.fault, lead.fault.role["restart"]
        if not terms or task.refused and task.code not in PASSING:
            return False
        if task.code in LOST:
            return True
        lived = lead.ended - (task.started or lead.ended)
        code = task.code if task.code > 0 else 128 - task.code
        return (not terms["codes"] or code in terms["codes"]) and lived >= (terms["min_uptime"] or 0)

    def pause(self, terms):
        """Seconds before another start, or nothing where none is left. Each start is one of the whole job, whichever role's
        task failed."""
        if not terms:
            return None
        now = time.monotonic()
        starts = [at for at in self.starts if terms["within"] is None or now - at < terms["within"]]
        if terms["limit"] is not None and len(starts) >= terms["limit"]:
            return None
        first = terms["backoff"] or 1
        return min(first * 2 ** min(len(starts), 20), terms["max_backoff"] or max(LONGEST, first))
