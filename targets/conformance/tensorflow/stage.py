"""A server that runs jobs. It has imported TensorFlow and forks for each task, so that tasks need not import it. Each request is
one line: {strategy, tasks: [{name, text}], limit, folder}. The response is {tasks: [{name, events, error, status}]}."""
import json
import os
import selectors
import signal
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import task  # noqa: E402

import tensorflow as tf  # noqa: E402
if tf.__version__.startswith("2.15"):
    tf.estimator.RunConfig  # The lazy part of the library is loaded before the forks.

STOP = 15


class Actor:
    """One process, its output, and its exit status."""

    def __init__(self, asked, strategy, folder):
        self.name, self.events, self.error, self.status, self.rest = asked["name"], [], None, None, b""
        self.heard, said = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.heard)
            live(asked, strategy, folder, said)
        os.close(said)

    def hear(self):
        """Reads new output of the process. Returns false at the end of the output."""
        data = os.read(self.heard, 65536)
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            event = json.loads(line)
            if event["event"] == "error":
                self.error = event["words"]
            else:
                self.events.append(event)
        return bool(data)

    def did(self, name):
        """Returns whether the process has printed a line with this name."""
        return any(event["event"] == name for event in self.events)

    def end(self, number=signal.SIGKILL):
        """Kills the process and returns its exit status."""
        if self.status is None:
            os.kill(self.pid, number)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def ended(self):
        """Returns whether the process exited on its own."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status is not None


def live(asked, strategy, folder, said):
    """Runs one task in a forked process."""
    def say(event, **words):
        os.write(said, (json.dumps({"event": event, **words}) + "\n").encode())

    os.environ.pop("TF_CONFIG", None)
    if asked["text"] is not None:
        os.environ["TF_CONFIG"] = asked["text"]
    try:
        task.play(strategy, say, folder)
        say("done")
        # A peer may still read data that this task has sent.
        time.sleep(2)
    except BaseException as fault:  # noqa: B902 (whatever it raises is the result)
        say("error", words="%s: %s" % (type(fault).__name__, str(fault).strip()[:600]))
        sys.stdout.flush()
        os._exit(1)
    os._exit(0)


def over(actors, strategy):
    """Returns whether the job is finished: all tasks that should exit have exited, and all servers still run."""
    if strategy == "custom":
        return all(a.did("step") or a.did("done") or a.error for a in actors)
    return all(a.did("done") or a.error or a.did("serving") for a in actors) and \
        (any(a.error for a in actors) or all(a.did("serving") or a.did("done") for a in actors))


def play(asked):
    """Runs all tasks of one job, until its end or the timeout."""
    actors = [Actor(one, asked["strategy"], asked["folder"]) for one in asked["tasks"]]
    until, begun = time.monotonic() + asked["limit"], time.monotonic()
    with selectors.DefaultSelector() as ears:
        for actor in actors:
            ears.register(actor.heard, selectors.EVENT_READ, actor)
        while time.monotonic() < until and ears.get_map() and not over(actors, asked["strategy"]):
            for key, _ in ears.select(0.2):
                if not key.data.hear():
                    ears.unregister(key.fileobj)
    for actor in actors:
        if not actor.did("done") and not actor.error:
            actor.ended()
        actor.end()
        os.close(actor.heard)
    return [{"name": a.name, "events": a.events, "error": a.error, "status": a.status,
             "seconds": round(time.monotonic() - begun, 1)} for a in actors]


def main():
    """Runs the job of each line."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    out.write(json.dumps({"tensorflow": tf.__version__, "python": "%d.%d.%d" % sys.version_info[:3]}) + "\n")
    for line in sys.stdin:
        out.write(json.dumps({"tasks": play(json.loads(line))}) + "\n")


main()
