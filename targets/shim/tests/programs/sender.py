"""Asks processes to end as managers do. Arguments: PID LEVELS ORDER GAP.

LEVELS is how many generations have a letter of their own, from the process PID on: of `2`, `a` is PID, `b` all below it; of
`3`, `a` is PID, `b` its children, `c` all below them. ORDER is the letters in the order of their SIGTERM, with GAP
milliseconds after each signal: `ab` is a service manager that ends the processes of a control group, its main process first
(systemd's unit_kill_context). A letter that is left out gets none. `tree` is the order of Mesos' os::killtree: SIGSTOP to
each, SIGTERM to each, SIGCONT to each."""
import os
import signal
import sys
import time

first, levels, order, gap = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4]) / 1000


def below(pid):
    """The children of a process."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                if int(file.read().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(entry))
        except OSError:
            pass
    return sorted(found)


def send(pids, number, pause=0.0):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
        if pause:
            time.sleep(pause)


def tree():
    """All of the tree, each stopped before its children are looked for."""
    found = [first]
    for pid in found:
        send([pid], signal.SIGSTOP)
        found += below(pid)
    send(found, signal.SIGTERM)
    send(found, signal.SIGCONT)


if order == "tree":
    tree()
else:
    generations = [[first]]
    while generations[-1]:
        generations.append([child for pid in generations[-1] for child in below(pid)])
    letters = {chr(ord("a") + number): generations[number] for number in range(levels - 1)}
    letters[chr(ord("a") + levels - 1)] = sorted(sum(generations[levels - 1 :], []))
    for letter in order:
        send(letters[letter], signal.SIGTERM, gap)
