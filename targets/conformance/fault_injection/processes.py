"""Finds the processes of a run in /proc: their parents and children, zombies, and processes that remain after the run."""
import contextlib
import os
import pathlib
import signal

MARK = "TFJOB_FAULTS"


def environment(pid):
    """Returns the environment of a process, or an empty one if the process no longer exists."""
    with contextlib.suppress(OSError):
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return dict(word.decode(errors="replace").split("=", 1) for word in words if b"=" in word)
    return {}


def command(pid):
    """Returns the arguments of a process."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    return []


def state(pid):
    """Returns the letter of the state of a process, such as `Z`, and the ID of its parent."""
    with contextlib.suppress(OSError):
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        letter, parent = stat.rpartition(")")[2].split()[:2]
        return letter, int(parent)
    return None, None


def everyone():
    """Returns all process IDs."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def marked(mark):
    """Returns the processes that a run has started, in any session and under any parent. `mark`: text in their environment."""
    return [pid for pid in everyone() if environment(pid).get(MARK) == mark]


def below(pid):
    """Returns all descendants of a process, including zombies."""
    parents = {child: state(child) for child in everyone()}
    found, open_ = [], [pid]
    while open_:
        above = open_.pop()
        children = [child for child, (_, parent) in parents.items() if parent == above]
        found += children
        open_ += children
    return [(child, parents[child][0]) for child in found]


def shims(runner):
    """Returns the process ID of the shim of each task, by names such as `worker:0`."""
    found = {}
    for pid in everyone():
        words = command(pid)
        if state(pid)[1] == runner and len(words) > 1 and words[1] == "shim":
            own = environment(pid)
            found[f"{own.get('TFJOB_TASK_ROLE')}:{own.get('TFJOB_TASK_INDEX')}"] = pid
    return found


def program(shim):
    """Returns the program that a shim supervises, if any. Processes that run a probe of the shim do not count."""
    children = [pid for pid in everyone() if state(pid)[1] == shim and state(pid)[0] not in (None, "Z")]
    return next((pid for pid in children if command(pid)[1:2] not in ([], ["shim"])), None)


def send(pid, number):
    """Sends a signal, if the process exists."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def kill(mark):
    """Kills all processes that a case left, so that the next case starts cleanly."""
    for pid in marked(mark):
        send(pid, signal.SIGKILL)
