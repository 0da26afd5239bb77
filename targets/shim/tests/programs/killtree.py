"""Sends TERM to a process and all below it. Arguments: its number, the order, and the microseconds between two of them.

first: the process itself first (systemd's `unit_kill_context`). last: it last. frozen: all are stopped, signalled and
continued (`os::killtree` of Mesos)."""
import os
import signal
import sys
import time

root, order, gap = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]) / 1e6


def parent(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return None


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


parents = {pid: parent(pid) for pid in map(int, filter(str.isdigit, os.listdir("/proc")))}
tree = [root]
for above in tree:
    tree.extend(pid for pid, parent in parents.items() if parent == above)
if order == "last":
    tree.append(tree.pop(0))
if order == "frozen":
    for pid in tree:
        send(pid, signal.SIGSTOP)
for pid in tree:
    send(pid, signal.SIGTERM)
    if gap:
        time.sleep(gap)
for pid in tree:
    send(pid, signal.SIGCONT)
