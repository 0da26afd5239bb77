"""Runs a program on a terminal of its own, as a shell would, and types.

Arguments: how, the steps as JSON, the program and its arguments. `leader`: it leads the session, as in a container.
`job`: it is a job in the foreground. `after`: the same, and then its shell reads. `suspended`: the same, and it is continued
when it has been stopped. `background`: it is a job in the background. `unattended`: the same, and it gets the foreground when
it has been stopped. Ends with the program's code."""
import json
import os
import pty
import signal
import sys
import time

how, steps, words = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]


def code(status):
    return os.waitstatus_to_exitcode(status)


def shell():
    """The shell of the session: gives the terminal to its job."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        if how not in ("background", "unattended"):
            os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(words[0], words)
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            break
        print("stopped by", os.WSTOPSIG(status), flush=True)
        time.sleep(0.3)
        os.tcsetpgrp(0, pid)
        os.killpg(pid, signal.SIGCONT)
    kept = os.tcgetpgrp(0) == os.getpgrp()
    if how == "background":
        print("foreground", "kept" if kept else "lost", flush=True)
    os.tcsetpgrp(0, os.getpgrp())
    if how == "after":
        print("again", flush=True)
        print("read", sys.stdin.readline().strip(), flush=True)
    sys.stdout.flush()
    os._exit(code(status) if code(status) >= 0 else 99)


child, terminal = pty.fork()
if child == 0:
    if how == "leader":
        os.execv(words[0], words)
    shell()

seen, begun = b"", time.monotonic()
os.set_blocking(terminal, False)
while True:
    if time.monotonic() - begun > 40:
        sys.stdout.buffer.write(seen)
        sys.stdout.flush()
        print("\nit hangs", flush=True)
        os.kill(child, signal.SIGKILL)
        sys.exit(98)
    try:
        part = os.read(terminal, 4096)
        if not part:
            break
        seen += part
    except BlockingIOError:
        time.sleep(0.02)
    except OSError:
        break
    if steps and steps[0][0].encode() in seen.replace(b"\r", b""):
        at = seen.replace(b"\r", b"").index(steps[0][0].encode()) + len(steps[0][0])
        sys.stdout.buffer.write(seen.replace(b"\r", b"")[:at])
        seen = seen.replace(b"\r", b"")[at:]
        time.sleep(0.2)
        os.write(terminal, steps.pop(0)[1].encode())
sys.stdout.buffer.write(seen)
sys.stdout.flush()
_, status = os.waitpid(child, 0)
sys.exit(code(status) if code(status) >= 0 else 97)
