"""Starts a shim whose standard error, or descriptor 7, nobody reads. Arguments: the kind of the descriptor, `2` or `7`, the folder,
whether the descriptor is full from the beginning (`full`) or fills with events (`fills`), then the shim's own words.

Sends TERM once the file `up` is there, waits for the end, then reads what was written. Prints one line of JSON."""
import ctypes
import fcntl
import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import termios
import time

kind, number, folder, when, *words = sys.argv[1:]


def until(there, longest):
    end = time.monotonic() + longest
    while not there():
        if time.monotonic() >= end:
            return False
        time.sleep(0.02)
    return True


def opened():
    """The end that is read and the end that is written."""
    if kind == "pipe":
        return os.pipe()
    if kind == "foreign":  # A pipe that cannot be opened again, as one of another user.
        read, write = os.pipe()
        os.fchmod(write, 0)
        return read, write
    if kind == "fifo":
        path = os.path.join(folder, "fifo")
        os.mkfifo(path)
        read = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        return read, os.open(path, os.O_WRONLY)
    if kind == "socket":
        return [end.detach() for end in socket.socketpair()]
    read, write = pty.openpty()
    attributes = termios.tcgetattr(write)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(write, termios.TCSANOW, attributes)
    return read, write


def flags(file, add=0, drop=0):
    before = fcntl.fcntl(file, fcntl.F_GETFL)
    fcntl.fcntl(file, fcntl.F_SETFL, (before | add) & ~drop)


def without_override():
    """Takes the right of root to open any file: PR_CAPBSET_DROP, CAP_DAC_OVERRIDE. Other users do not have it."""
    libc.prctl(24, 1, 0, 0, 0)


def status():
    """What the status file says."""
    try:
        with open(os.environ["TFJOB_STATUS"]) as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


libc = ctypes.CDLL(None)
os.environ["TFJOB_STATUS"] = os.path.join(folder, "status")
read, write = opened()
if when == "full":
    flags(write, add=os.O_NONBLOCK)
    for size in (4096, 1):
        try:
            while True:
                os.write(write, b"x" * size)
        except BlockingIOError:
            pass
    flags(write, drop=os.O_NONBLOCK)
if number == "7":
    os.dup2(write, 7)
    os.environ["TFJOB_EVENTS_FD"] = "7"
child = subprocess.Popen(
    words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=write if number == "2" else subprocess.DEVNULL, pass_fds=[7] if number == "7" else [],
    preexec_fn=without_override if kind == "foreign" else None)
up = until(lambda: os.path.exists(os.path.join(folder, "up")), 30)
room = bool(select.select([], [write], [], 0)[1])
shared = fcntl.fcntl(write, fcntl.F_GETFL) & os.O_NONBLOCK
begun = time.monotonic()
child.send_signal(signal.SIGTERM)
saved = until(lambda: os.path.exists(os.path.join(folder, "saved")), 10)
saved_at = time.monotonic()
noted = when == "full" and until(lambda: status().get("state") == "ended", 10)
noted_at = time.monotonic()
text = b""
flags(read, add=os.O_NONBLOCK)


def drained():
    """Reads what is there."""
    global text
    while select.select([read], [], [], 0.3)[0]:
        part = os.read(read, 65536)
        if not part:
            return
        text += part


if when == "fills":
    drained()
try:
    code = child.wait(15)
except subprocess.TimeoutExpired:
    code = None
    child.kill()
took = time.monotonic() - begun
lingered = {"saved": time.monotonic() - saved_at, "noted": time.monotonic() - noted_at}
drained()
events = [json.loads(line) for line in text.decode().splitlines() if line.startswith("{")]
print(json.dumps({
    "up": up, "saved": saved, "code": code, "took": took, "shared": shared, "room": room, "noted": noted,
    "lingered": lingered, "status": status(), "events": events}))
