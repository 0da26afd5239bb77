"""Limits on disk space and memory for a case: a small volume, and a control group (cgroup)."""
import contextlib
import os
import pathlib

from toolchain import apart

ROOM = 1 << 20
# Memory limit in bytes. Three small programs, their shims, and `tfjob run` need about a third of it.
MEMORY = 160 << 20
# Limit on the address space in bytes. It is larger than the memory limit, because each process maps more than it uses.
ADDRESSES = 1 << 30
GROUPS = pathlib.Path("/sys/fs/cgroup")
# Notes for docs/faults.md if no control group is available, and the name of the case whose result then differs.
ABSENT, CASE = [], "memory"


@contextlib.contextmanager
def volume(folder):
    """Mounts a volume of one MiB on this directory."""
    apart.mount("none", str(folder), "tmpfs", data=f"size={ROOM}")
    try:
        yield
    finally:
        apart.unmount(str(folder))


def fill(folder):
    """Fills the volume. Returns the path of the file that takes up all space."""
    path = folder / "filler"
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 16, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while file.write(b"x" * size):
                    pass
    return path


@contextlib.contextmanager
def memory(name):
    """Yields the arguments that start a program with little memory, and the message of a program that exceeds it. The limit is a
    control group below that of this process. If none is available, it is a limit on the address space."""
    try:
        group, limit = made(name)
    except OSError as why:
        ABSENT.append(f"no control group can be created here ({why.strerror}), so each process has a limit instead")
        yield ["prlimit", f"--as={ADDRESSES}"], "MemoryError"
        return
    try:
        (group / limit).write_text(str(MEMORY), encoding="ascii")
        said = "killed by the kernel OOM killer|the kernel OOM killer killed a process"
        yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"], said
    finally:
        group.rmdir()


def made(name):
    """Creates a control group. Returns it with the name of the file that sets its memory limit."""
    own = [line.strip().split(":", 2) for line in open("/proc/self/cgroup", encoding="ascii")]
    for _, kinds, path in own:
        if "memory" in kinds.split(","):
            group = GROUPS / "memory" / path.lstrip("/") / f"faults-{name}"
            group.mkdir()
            return group, "memory.limit_in_bytes"
    for _, kinds, path in own:
        group = GROUPS / path.lstrip("/") / f"faults-{name}"
        if not kinds and "memory" in (group.parent / "cgroup.subtree_control").read_text(encoding="ascii").split():
            group.mkdir()
            return group, "memory.max"
    raise OSError(0, "no control group of this process supports a memory limit", os.fspath(GROUPS))
