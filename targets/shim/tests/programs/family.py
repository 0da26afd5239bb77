"""A family of processes that log each signal they get. Arguments: the log, and how each member takes signals.

d: ends on TERM. s: ends half a second after TERM, as one that saves. i: swallows TERM and ends on INT. k: swallows both.
The leader has a child, the child has a child; of a second child, `apart` has a session of its own. `daemon` is apart and
has lost its parent."""
import os
import signal
import sys
import time

log, manners = sys.argv[1], dict(pair.split("=") for pair in sys.argv[2:])


def say(name, what):
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"{name} {what}\n")


def live(name):
    """Until a signal ends it."""
    got = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: (got.append(number), say(name, signal.Signals(number).name)))
    say(name, "up")
    manner = manners[name]
    while True:
        time.sleep(0.02)
        if signal.SIGTERM in got and manner in "ds":
            time.sleep(0.5 if manner == "s" else 0)
            break
        if signal.SIGINT in got and manner == "i":
            break
    say(name, "end")
    os._exit(0)


def fork(name, then=lambda: None, session=False):
    """Starts a member, which starts others first."""
    pid = os.fork()
    if pid == 0:
        if session:
            os.setsid()
        then()
        live(name)
    return pid


def orphan():
    """Starts one whose parent ends."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        fork("daemon")
        os._exit(0)
    os.waitpid(pid, 0)


for name, start in {
    "child": lambda: fork("child", lambda: "grandchild" in manners and fork("grandchild")),
    "apart": lambda: fork("apart", session=True),
    "daemon": orphan,
}.items():
    if name in manners:
        start()
live("leader")
