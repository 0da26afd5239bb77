"""The driver of a Spark job without Spark: its own Lead and Budget, and tasks that are lines of this file.

`fates` reads a list of jobs, each with the role whose first task ends and how; `graphs N` plays N jobs of three roles
that wait for each other in any order, with any end, and complains where the driver would wait for ever, end a job that
could still succeed, or call one done that is not. In half of these jobs the roles meet, as TensorFlow's do: none of them
succeeds before all of them have started. `losses N` plays N jobs whose executors are lost before and after their tasks
start, by the driver's own `run`, and complains where checkpoints that are not the job's are written over, or where the
job has not as many starts as its terms say.
"""
import json
import random
import sys

import driver
import played
import tfjob_lead
from played import attend, begin, end
from tfjob_lead import Budget

# More starts than any limit of the tests.
MANY = 20


class Clock:
    """The time of a job in which nothing takes time but a pause."""

    now = 1000.0

    @classmethod
    def monotonic(cls):
        return cls.now

    @classmethod
    def sleep(cls, pause):
        cls.now += pause


def attempt(lead, role, how):
    """Plays an attempt: the first task of a role ends as told as soon as it has started, all others well, after it."""
    subject = next(task for task in lead.tasks if task.role["name"] == role)
    while not lead.finished:
        running = [task for task in lead.tasks if task.started and task.code is None]
        if subject in running:
            if how == "deadline":
                Clock.now = lead.until + 1
                lead.end("the deadline")
            else:
                end(lead, subject, how)
            continue
        if not running:
            raise AssertionError("waits for ever")
        task = running[0]
        if not task.ready and subject.code is None:
            lead.receive(task, {"is": "ready"}, None)
        elif subject.code is None and len(running) > 1:
            for other in running:
                lead.receive(other, {"is": "ready"}, None)
        else:
            end(lead, task, 0)
    return subject


def fate(job, role, how):
    """How often the task starts, null without end, and whether the job fails."""
    Clock.now = 1000.0
    budget, lead, starts = Budget(job), begin(job), 0
    while starts < MANY:
        starts += bool(attempt(lead, role, how).started)
        pause = budget.next_pause(lead) if lead.why else None
        if pause is None:
            return starts, bool(lead.why)
        Clock.now += pause
        lead = attend(lead.next_attempt(), len(lead.tasks))
    return None, False


def roles(dice, meet):
    """Three roles, of which the first decides; each may wait for those before it in some order. Those that meet do not wait
    for each other's end, which the language refuses."""
    order, made = dice.sample(range(3), 3), []
    for at, name in enumerate("abc"):
        count, kind = dice.choice((1, 1, 2)), dice.choice(("decides", "counts", "helper")) if at else "decides"
        after = [
            ("abc"[other], dice.choice(("started", "ready", "done")))
            for other in order[: order.index(at)]
            if dice.random() < 0.5
        ]
        ready, decides = dice.choice((None, {"port": "p"})), count if kind == "decides" else 0
        helper = kind == "helper"
        made.append(played.role(name, after, count=count, decides=decides, helper=helper, ready=ready))
    helpers = [role["name"] for role in made if role["helper"]]
    for first in [first for role in made for first in role["after"]]:
        if meet and first["role"] not in helpers and first["when"] == "done":
            first["when"] = "ready"
    return made


def reached(first, task):
    """Whether a task has reached the state that another one waits for. A task that has succeeded also counts as ready."""
    return {"started": task.started, "ready": task.ready or task.code == 0, "done": task.code == 0}[first["when"]]


def never(lead):
    """The tasks that cannot start any more."""
    lost = set()
    while True:
        more = {
            task
            for task in lead.tasks
            if task.started is None and task not in lost
            for first in task.role["after"]
            for other in lead.tasks
            if other.role["name"] == first["role"]
            if other in lost or other.code is not None and not reached(first, other)
        }
        if not more:
            return lost
        lost |= more


def graph(seed):
    """Plays one job to its end, or to where nobody is left to end it."""
    dice = random.Random(seed)
    meet = dice.random() < 0.5
    lead, said = begin(played.job(roles(dice, meet))), []
    members = [task for task in lead.tasks if not task.role["helper"]]
    told = lambda what: "%s: seed %d, %s, %s" % (what, seed, said, lead.job["roles"])
    while not lead.finished:
        met = not meet or all(task.started for task in members)
        held = lambda task: not met and not task.role["helper"]
        live = [task for task in lead.tasks if task.started and task.code is None and not (held(task) and task.ready)]
        assert live, told("waits for ever")
        task = dice.choice(live)
        code = None if not task.ready and (held(task) or dice.random() < 0.5) else dice.choice((0, 0, 3))
        said.append((task.name, code))
        if code is None:
            lead.receive(task, {"is": "ready"}, None)
        else:
            end(lead, task, code)
        failed = [task for task in lead.tasks if task.code]
        # The failure of a role ends the job, and so does a role that cannot start.
        lost = any(not task.role["helper"] or task.index < task.role["decides"] for task in never(lead))
        if any(not task.role["helper"] for task in failed) or lost:
            assert lead.finished and lead.why, told("goes on")
        elif all(task.code == 0 for task in lead.tasks if task.index < task.role["decides"]):
            assert lead.finished and not lead.why, told("is not done")
        else:
            assert not lead.finished, told("ends")


class Losses:
    """One job whose attempts end with the loss of an executor, or well."""

    LOST = "Job aborted due to stage failure: Task 1 in stage 0.0 failed 1 times: ExecutorLostFailure (executor 2 exited)"

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.old, self.own, self.starts, self.granted, self.said = self.dice.random() < 0.5, False, 0, True, [seed]
        made, limits = roles(self.dice, True), self.dice.choice(((None, 0, 2, 3), (2, 3), (2,)))
        for role in made:
            limit = self.dice.choice(limits)
            codes = lambda: self.dice.choice(([], [137]))
            role.update(after=[], restart=None if limit is None else played.terms(limit=limit, codes=codes()))
        self.job = played.job(made, fresh={"path": "/ck", "mounted": True})

    # The words of Spark 3.5.9 and of TensorFlowOnSpark 2.2.5.
    FEEDS = (LOST, "Exception: No executor_id file found on this node, please ensure that:")

    def grants(self, role, started):
        """Whether the job starts again. Before the tasks start, an executor is no role's; later it may be any role's."""
        terms = [one["restart"] for one in ([role] if role else self.job["roles"])]
        terms = terms if started else [one for one in terms if one]
        return bool(terms) and all(one and self.starts <= one["limit"] for one in terms)

    def attempt(self, _context, _job, lead):
        """Stands in for the driver's: brings some tasks up, loses an executor, or all ends well."""
        assert self.granted, self.said
        self.starts += 1
        how, count = self.dice.choice(("coming", "here", "twice", "running", "feeding", "running", "done")), len(lead.tasks)
        there = self.dice.randint(how != "coming", count - 1) if how in ("coming", "here", "twice") else count
        self.said.append((how, there))
        attend(lead, there, self.old or self.own)
        if any(task.started for task in lead.tasks):
            assert not self.old, self.said
            self.own = True
        self.granted = not lead.finished and how != "done"
        if how == "done":
            for task in lead.tasks:
                end(lead, task, 0)
        elif how == "coming":
            lead.startup_failed(self.LOST)
        elif how == "twice":
            attend(lead, 1, self.old or self.own)
        elif how == "feeding":
            # Spark says it before the node does.
            lead.feed_failed(self.dice.choice(self.FEEDS))
        else:
            task = self.dice.choice(lead.tasks[:there])
            self.said.append((task.name, task.started))
            lead.disconnected(task)
        self.granted = self.granted and self.grants(task.role if how == "running" else None, how in ("running", "feeding"))

    def play(self):
        """The whole job."""
        driver.attempt, Clock.now = self.attempt, 1000.0
        why = driver.run(None, self.job)
        assert not self.granted, ("is given up", why, self.said, self.job["roles"])
        assert self.old or "is not empty" not in why, (why, self.said)


def waits():
    """`start timeout` bounds how long a task waits for others to start and to be ready, and not how long for their end."""
    expected = {("started", "ready"): "c:0", ("ready", "ready"): "b:0", ("ready", "done"): "b:0", ("done", "ready"): None}
    for (first, second), name in expected.items():
        order = {"a": [], "b": [("a", first)], "c": [("b", second)]}
        lead = begin(played.job([played.role(name, of, ready={"port": "p"}) for name, of in order.items()], start=6))
        assert not lead.overdue()
        Clock.now += 5
        assert not lead.overdue()
        Clock.now += 2
        late = lead.overdue()
        assert (late and late.name) == name, (first, second, late and late.name)


def main():
    for module in (driver, tfjob_lead):
        module.time, module.log = Clock, lambda message: None
    tfjob_lead.DISCONNECT_TIMEOUT = 0
    waits()
    if sys.argv[1] == "graphs":
        for seed in range(int(sys.argv[2])):
            graph(seed)
    elif sys.argv[1] == "losses":
        for seed in range(int(sys.argv[2])):
            Losses(seed).play()
    else:
        print(json.dumps([fate(*one) for one in json.load(sys.stdin)]))


main()
