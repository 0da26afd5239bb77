"""The processes of a run, as /proc shows them: who is whose, what is left, what has ended and was not reaped."""
import contextlib
import os
import pathlib
import signal

MARK = "TFJOB_FAULTS"


def environment(pid):
    """The variables that a process was started with; none of one that is gone."""
    with contextlib.suppress(OSError):
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return dict(word.decode(errors="replace").split("=", 1) for word in words if b"=" in word)
    return {}


def command(pid):
    """Its words."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    return []


def state(pid):
    """Its state's letter and its parent."""
    with contextlib.suppress(OSError):
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        letter, parent = stat.rpartition(")")[2].split()[:2]
        return letter, int(parent)
    return None, None


def everyone():
    """All process numbers."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def marked(mark):
    """The processes that a run of this mark has started, in any session and under any parent."""
    return [pid for pid in everyone() if environment(pid).get(MARK) == mark]


def below(pid):
    """All processes below one, those that have ended and were not reaped among them."""
    parents = {child: state(child) for child in everyone()}
    found, open_ = [], [pid]
    while open_:
        above = open_.pop()
        children = [child for child, (_, parent) in parents.items() if parent == above]
        found += children
        open_ += children
    return [(child, parents[child][0]) for child in found]


def shims(runner):
    """The shim of each task: `worker:0` to its number."""
    found = {}
    for pid in everyone():
        words = command(pid)
        if state(pid)[1] == runner and len(words) > 1 and words[1] == "shim":
            own = environment(pid)
            found[f"{own.get('TFJOB_TASK_ROLE')}:{own.get('TFJOB_TASK_INDEX')}"] = pid
    return found


def program(shim):
    """What a shim supervises at this moment, if it does: a look of its own at others has its words, and is none."""
    children = [pid for pid in everyone() if state(pid)[1] == shim and state(pid)[0] not in (None, "Z")]
    return next((pid for pid in children if command(pid)[1:2] not in ([], ["shim"])), None)


def send(pid, number):
    """Sends a signal, if there is somebody still."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def kill(mark):
    """Ends what a case left, so that the next begins on a clean machine."""
    for pid in marked(mark):
        send(pid, signal.SIGKILL)
