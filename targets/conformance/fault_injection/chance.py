"""A sequence of random faults in one job. After all of them, no step may be lost, and no process may still exist."""
import random
import re
import signal
import time

from . import processes, seen
from .stage import Trouble

TASKS = ["a:0", "a:1", "a:2", "b:0", "b:1"]
# Maximum time between two faults, in seconds.
PAUSE = 0.4


class Chance:
    """A job and its random faults."""

    def __init__(self, stage, seed, number):
        self.stage, self.drawn, self.number = stage, random.Random(seed), number
        self.dealt = dict.fromkeys((name for name, _, _ in KINDS), 0)

    def live(self):
        """Injects all faults. After that, the job must succeed."""
        self.stage.start()
        for _ in range(self.number):
            time.sleep(self.drawn.uniform(0, PAUSE))
            name, _, deal = self.drawn.choices(KINDS, [weight for _, weight, _ in KINDS])[0]
            deal(self, self.drawn.choice(TASKS))
            self.dealt[name] += 1
        self.stage.put("enough", "")
        self.ended(0)

    def ended(self, *codes):
        """Checks that the run exited with one of these codes and left no process."""
        code = self.stage.finish()
        if code not in codes:
            raise Trouble(f"the run exited with {code}, not {codes}")
        self.stage.ends()

    def program(self, task, number):
        """Kills a program by a signal and waits for its restart."""
        again = rf"(?m)^{task} +\* .*; restart"
        before = len(re.findall(again, self.stage.said()))
        self.stage.send(task, number)
        self.stage.hears(again, before + 1)

    def frozen(self, task):
        """Stops a program for a moment by SIGSTOP. It must not count as failed."""
        pid = self.stage.program(task)
        processes.send(pid, signal.SIGSTOP)
        time.sleep(self.drawn.uniform(0, PAUSE))
        processes.send(pid, signal.SIGCONT)

    def child(self, _):
        """Kills a child process that a program has left."""
        stay = lambda: [pid for pid in processes.marked(self.stage.mark) if processes.command(pid)[:1] == ["sleep"]]
        processes.send(self.drawn.choice(self.stage.until("a child that stays", stay)), signal.SIGKILL)

    def shim(self, task, number, *codes):
        """Sends a signal to the shim of a task, which ends the run. Then starts the run again."""
        processes.send(self.stage.shim(task), number)
        self.ended(*codes)
        self.stage.start()

    def run(self, number, code):
        """Sends a signal to `tfjob run`, and starts the run again."""
        self.stage.runs[-1].send_signal(number)
        self.ended(code)
        self.stage.start()


# Random faults, each with its name, its weight in percent, and its function.
KINDS = (
    ("KILL of a program", 30, lambda chance, task: chance.program(task, signal.SIGKILL)),
    ("TERM of a program", 15, lambda chance, task: chance.program(task, signal.SIGTERM)),
    ("STOP and later CONT of a program", 10, Chance.frozen),
    ("KILL of a program's child", 15, Chance.child),
    ("KILL of a shim", 10, lambda chance, task: chance.shim(task, signal.SIGKILL, 137)),
    # The second exit code is that of a program that another fault has killed by SIGKILL at the same moment.
    ("TERM of a shim", 5, lambda chance, task: chance.shim(task, signal.SIGTERM, 143, 137)),
    ("TERM of the run", 8, lambda chance, task: chance.run(signal.SIGTERM, 143)),
    ("KILL of the run", 7, lambda chance, task: chance.run(signal.SIGKILL, -9)),
)


def faults(stage):
    """Returns what is wrong at the end."""
    for task in TASKS:
        log = stage.log(task)
        if not log or log[-1][0] != "done":
            yield f"the last log entry of {task} is {log[-1:]}"
        yield from (f"{task}: {why}" for why in seen.lost(log))
    if left := stage.left():
        yield f"processes are left: {left}"
