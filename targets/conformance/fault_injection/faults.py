"""The faults. Each function runs a job to a certain step, injects the fault, and lets the job continue."""
import functools
import json
import signal
import socket
import time

from . import limits, processes
from .stage import Trouble

# Step at which programs wait for the fault, and the newest checkpoint at that time. Checkpoints are written at steps 5, 10, 15,
# and 20.
HOLD, NEWEST = 12, 10
ALL = {"mwms": ["worker:0", "worker:1", "worker:2"], "ps": ["chief:0"], "meets": ["chief:0"],
       "estimator": ["chief:0", "worker:0"], "single": ["worker:0"],
       "tutorial": ["worker:0"], "plain": ["a:0", "a:1", "b:0"], "lone": ["a:0"]}


def deed(function):
    """Decorator for a fault. The decorated function takes the arguments of the fault, and returns a function that injects it on
    a stage."""
    return lambda *words, **more: functools.partial(function, *words, **more)


def held(stage, *sets, **more):
    """Starts the job and waits until all training tasks have reached the step where they wait."""
    stage.put("hold", HOLD)
    stage.start(*sets, **more)
    steps = ALL[stage.job]
    # In this job, two tasks share a step counter, so one task does not see every step.
    if stage.job == "estimator":
        stage.until(f"step {HOLD}", lambda: all(high(stage.log(task)) >= HOLD for task in steps))
    else:
        stage.writes(steps, "step", HOLD)


def high(log):
    """Returns the highest step in a log."""
    return max((number for word, number in log if word == "step"), default=0)


def again(stage, *sets):
    """Starts the job again without a fault and waits for its end."""
    if (stage.folder / "hold").exists():
        stage.take("hold")
    stage.start(*sets)
    stage.finish()


@deed
def nothing(*sets, stage):
    """Runs the job to its end without a fault."""
    stage.start(*sets)
    stage.finish()


# Python program that reads the output of a run at 1 MB/s, and exits with the exit code of the run.
SLOW = """import subprocess, sys, time
with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE) as run:
    while piece := run.stdout.read(10000):
        sys.stdout.buffer.write(piece)
        sys.stdout.flush()
        time.sleep(0.01)
sys.exit(run.wait())
"""


@deed
def flooded(lines, *sets, slow=False, stage):
    """Each task prints more than a terminal can show. The log of the task must contain all of it."""
    stage.start(f"param.more=--flood={lines}", *sets, by=["python3", "-c", SLOW] if slow else ())
    stage.finish()
    for task in ALL[stage.job]:
        log = stage.output(task)
        if (log.count(b"x" * 99 + b"\n"), log.count(b"\nEND\n")) != (lines, 1):
            raise Trouble(f"the log of {task} has {log.count(b'x' * 99)} lines of {lines}: {log[-200:]}")


@deed
def traced(lines, *sets, stage):
    """A task prints a lot and fails with a traceback. A slow reader of the output must still get the traceback."""
    stage.put("trace", lines)
    stage.start(*sets, by=["python3", "-c", SLOW])
    stage.finish()
    if b"the last words" not in stage.output("a:0"):
        raise Trouble(f"the log of a:0 has no traceback: {stage.output('a:0')[-200:]}")


@deed
def hung_up(*sets, stage):
    """The terminal of a run under `nohup` is closed, and the job continues."""
    held(stage, *sets, by=["nohup"])
    stage.runs[-1].send_signal(signal.SIGHUP)
    time.sleep(2)
    stage.take("hold")
    stage.finish()


@deed
def crowded(*sets, stage):
    """From step 12 on, the volume with the logs is full. Later it has space again."""
    folder = stage.folder / ".tfjob"
    folder.mkdir()
    with limits.volume(folder):
        held(stage, *sets)
        filled = limits.fill(folder)
        # This is more than the free space in the last page of a log file.
        stage.put("spill", 100)
        stage.take("hold")
        stage.hears("the log of this task is incomplete")
        stage.take("spill")
        filled.unlink()
        stage.finish()


@deed
def signalled(task, number=signal.SIGKILL, back="started", *, stage):
    """The program of a task gets a signal. The job continues when the restarted program is ready."""
    held(stage)
    times = sum(word == back for word, _ in stage.log(task))
    stage.send(task, number)
    # In synchronous training, a restarted worker connects to its peers only after they have failed too.
    stage.writes([task], "started" if stage.job == "mwms" else back, times=times + 1)
    stage.take("hold")
    stage.finish()


@deed
def lost(task, *sets, stage):
    """The program of a task is killed. After its restart, it hangs."""
    held(stage, *sets)
    stage.put("late", task)
    stage.send(task)
    stage.hears("; restart")
    stage.take("hold")
    stage.finish()


@deed
def stopped(*sets, number=signal.SIGTERM, stage):
    """`tfjob run` gets a signal to stop the job. Then the job is started again."""
    held(stage, *sets)
    stage.runs[-1].send_signal(number)
    stage.finish()
    clean(stage)
    again(stage)


@deed
def unshimmed(task, *sets, number=signal.SIGKILL, stage):
    """The shim of one task gets a signal. Then the job is started again."""
    held(stage, *sets)
    processes.send(stage.shim(task), number)
    stage.finish()
    clean(stage)
    again(stage, *sets)


@deed
def beheaded(*sets, stage):
    """`tfjob run` itself is killed. Then the job is started again."""
    held(stage, *sets)
    stage.runs[-1].kill()
    stage.finish()
    stage.ends()
    again(stage, *sets)


def clean(stage):
    """Checks that all processes of a finished run have exited."""
    if left := stage.left():
        raise Trouble(f"processes left after the run: {left}")


@deed
def absent(task, *sets, stage):
    """A task never becomes ready."""
    stage.put("late", task)
    stage.start(*sets)
    stage.finish()


@deed
def late(task, *sets, stage):
    """A task becomes ready only after all other tasks have waited for it for a while."""
    stage.put("late", task)
    stage.start(*sets)
    others = [other for other in ALL[stage.job] if other != task]
    stage.writes([task, *(others if stage.job == "mwms" else [])], "started")
    time.sleep(5)
    if early := [other for other in others if any(word == "step" for word, _ in stage.log(other))]:
        raise Trouble(f"steps without {task}: {early}")
    stage.take("late")
    stage.finish()


@deed
def occupied(task, free, stage):
    """Another process takes the port of a task between the start of the run and the start of its server."""
    stage.put("late", task)
    stage.start()
    stage.writes([task], "started")
    config = json.loads(processes.environment(stage.program(task))["TF_CONFIG"])
    own = config["task"]
    host, port = config["cluster"][own["type"]][own["index"]].rsplit(":", 1)
    with socket.create_server((host, int(port))):
        stage.take("late")
        stage.hears("; restart")
        if not free:
            stage.finish()
    if free:
        stage.finish()


@deed
def interrupted(*sets, stage):
    """The job is stopped while its tasks pause before a restart. Then it is started again without the fault."""
    stage.start("param.more=--exit-at=7", *sets)
    stage.hears("; restart", times=3)
    stage.runs[-1].send_signal(signal.SIGTERM)
    stage.finish()
    clean(stage)
    again(stage)


@deed
def family(*, stage):
    """Programs leave children that exit and children that keep running."""
    held(stage, "param.more=--family=1")
    stays = lambda: [pid for pid in processes.marked(stage.mark) if processes.command(pid)[:2] == ["sleep", "3600"]]
    stage.until("three children that stay", lambda: len(stays()) == 3)
    # A child process that has just exited is a zombie for a moment, until the shim reaps it.
    dead = lambda: [pid for pid, letter in processes.below(stage.runs[-1].pid) if letter == "Z"]
    stage.until("all that ended are reaped", lambda: not dead())
    stage.take("hold")
    stage.finish()


@deed
def torn(name, how, stage):
    """A file of the newest checkpoint is damaged while the program runs. Then the program is killed."""
    held(stage)
    path = next((stage.folder / "ckpt").glob(name))
    how(path)
    stage.send(ALL[stage.job][0])
    stage.hears("; restart")
    stage.take("hold")
    stage.finish()
    prefix = path.name.removesuffix(".index").split(".data-")[0]
    if not (stage.folder / "ckpt" / f".tfjob-incomplete-{prefix}").exists():
        raise Trouble("the incomplete checkpoint was not moved")


def halve(path):
    """Truncates a file to half its size."""
    with open(path, "r+b") as file:
        file.truncate(path.stat().st_size // 2)


@deed
def full(*, stage):
    """From step 12 on, the volume with the checkpoints is full. Then it has space again, and the job is started again."""
    folder = stage.folder / "ckpt"
    with limits.volume(folder):
        held(stage)
        filled = limits.fill(folder)
        stage.take("hold")
        stage.finish()
        clean(stage)
        filled.unlink()
        again(stage)


@deed
def starved(task, stage):
    """A task exceeds its memory limit at its first start only."""
    with limits.memory(stage.mark) as (by, reason):
        held(stage, "restart.backoff=3s", by=by)
        stage.put("hungry", task.replace(":", "-"))
        stage.take("hold")
        stage.hears(reason)
        stage.take("hungry")
        stage.finish()


@deed
def overdue(*sets, stage):
    """The job exceeds its deadline. Then it is started again."""
    held(stage, *sets)
    stage.finish()
    clean(stage)
    again(stage)
