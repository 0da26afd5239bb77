"""Counts steps without a framework, independently in each task, and fails as its arguments request."""
import os
import pathlib
import subprocess
import sys
import time

import own

# Shell text that leaves two processes: one that exits before its parent, and one that keeps running in a session of its own.
FAMILY = "true & setsid sleep 3600 & exit 0"


def main():
    given = own.words("pause", "exit-at", "lives", "silent", "family", "flood")
    state = given.folder / f"{given.log.name}.state"
    if given.family:
        subprocess.run(["sh", "-c", FAMILY], check=True)
    if given.flood:
        flood(given.flood)
    if lines := own.read("trace"):
        flood(int(lines))
        raise RuntimeError("the last words")
    if given.exit_at < 0:
        sys.exit(1)
    step = int(own.read(state) or 0)
    own.say("resumed", step)
    first = step
    while step < given.steps and own.read("enough") is None:
        step += 1
        own.say("step", step)
        if step % given.every == 0 and not given.silent:
            save(state, step)
            own.say("saved", step)
        own.hold(step)
        if lines := own.read("spill"):
            flood(int(lines))
        time.sleep(given.pause / 1000)
        if own.read("hungry") == given.log.name:
            eat()
        if step == given.exit_at or (given.lives and step - first == given.lives):
            sys.exit(1)
    own.say("done", step)


def flood(lines):
    """Prints this number of lines of 100 bytes, and a last line."""
    sys.stdout.buffer.write((b"x" * 99 + b"\n") * lines)
    sys.stdout.buffer.write(b"END\n")
    sys.stdout.buffer.flush()


def save(path, step):
    """Writes the step atomically."""
    new = pathlib.Path(f"{path}.new")
    with open(new, "w", encoding="utf-8") as file:
        file.write(str(step))
        file.flush()
        os.fsync(file.fileno())
    new.rename(path)


def eat():
    """Allocates memory while the file `hungry` exists."""
    taken = []
    while pathlib.Path("hungry").exists():
        taken.append(bytearray(os.urandom(1 << 20)))


main()
