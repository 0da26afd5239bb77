"""Jobs that the driver of the templates leads without Spark: their roles, and tasks that say what a node would say."""
from tfjob_lead import Lead


class Link:
    """A connection that nobody reads."""

    def sendall(self, _):
        pass


def terms(**more):
    """The terms of a restart: once, after one second, unless told otherwise."""
    given = {"limit": 1, "within": None, "backoff": 1, "max_backoff": None, "min_uptime": None, "codes": []}
    return {**given, **more}


def role(name, after=(), **more):
    """A role of one task that decides the job, waits for `(role, when)`, and is not restarted, unless told otherwise."""
    given = {"count": 1, "decides": 1, "helper": False, "ready": None, "fed": False, "restart": None}
    return {"name": name, "after": [{"role": first, "when": when} for first, when in after], **given, **more}


def job(roles, **more):
    """A job of these roles, without a deadline unless told otherwise."""
    return {"roles": roles, "deadline": None, **more}


def attend(lead, count, stale=False):
    """An attempt whose first tasks are there."""
    for number in range(count):
        lead.receive(None, {"is": "here", "task": number, "stale": stale}, Link())
    return lead


def begin(job):
    """The first attempt of a job, whose tasks are all there."""
    lead = Lead(job)
    return attend(lead, len(lead.tasks))


def end(lead, task, code, **more):
    """The end of a task's program."""
    lead.receive(task, {"is": "ended", "code": code, **more}, None)
