"""Room and memory that a case may use: a small volume of its own, and a control group of its own."""
import contextlib
import os
import pathlib

from toolchain import apart

ROOM = 1 << 20
# Three small programs, their shims and the run need about a third of it.
MEMORY = 160 << 20
# Each of them maps more than it uses.
ADDRESSES = 1 << 30
GROUPS = pathlib.Path("/sys/fs/cgroup")
# What the page says where there is no group to be had, and the case that is another then.
ABSENT, CASE = [], "memory"


@contextlib.contextmanager
def volume(folder):
    """A volume of one MiB on this folder."""
    apart.mount("none", str(folder), "tmpfs", data=f"size={ROOM}")
    try:
        yield
    finally:
        apart.unmount(str(folder))


def fill(folder):
    """Leaves no room on it: the path of the file that has taken all."""
    path = folder / "filler"
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 16, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while file.write(b"x" * size):
                    pass
    return path


@contextlib.contextmanager
def memory(name):
    """The words of a program that starts another with little memory, and what is said of who takes more: in a group
    below that of this process, where one can be made, else by a limit on addresses."""
    try:
        group, limit = made(name)
    except OSError as why:
        ABSENT.append(f"no control group can be made here ({why.strerror}): a limit on each process instead")
        yield ["prlimit", f"--as={ADDRESSES}"], "MemoryError"
        return
    try:
        (group / limit).write_text(str(MEMORY), encoding="ascii")
        said = "killed by the kernel OOM killer|the kernel OOM killer killed a process"
        yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"], said
    finally:
        group.rmdir()


def made(name):
    """A new group, and the file in it that holds the limit."""
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
    raise OSError(0, "no group of this process has a limit on memory", os.fspath(GROUPS))
