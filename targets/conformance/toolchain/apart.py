"""A world of its own for an engine: loopback as its only network, and a root on which files can be played."""
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from toolchain.cases import Unavailable

MARK = "TFJOB_REFEREE_APART"
BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
DETACH = 2
# Marks a file system that this engine made.
OURS = ".played"
# Where images keep programs and data, so that commands create directories there.
IMAGES = ("/opt", "/srv", "/mnt", "/media", "/data", "/home")


def enter(prepare):
    """Starts this program again in namespaces of its own and ends with its status; returns only inside.

    `prepare` is called before, as long as there is a network to fetch from.
    """
    if MARK in os.environ:
        return
    prepare()
    words = ["unshare", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    up = "ip link set lo up"
    check = subprocess.run([*words, "sh", "-c", up], capture_output=True, text=True, check=False)
    if check.returncode:
        raise Unavailable(f"no namespaces can be had: {check.stderr.strip()}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="tfjob-") as scratch:
        inner = ["sh", "-c", up + ' && exec "$@"', "sh", sys.executable, *sys.argv]
        with subprocess.Popen([*words, *inner], env={**os.environ, MARK: scratch}) as child:
            try:
                status = child.wait()
            finally:
                child.kill()
    sys.exit(status)


def scratch():
    """The folder of this run, which ends with it."""
    return pathlib.Path(os.environ[MARK])


def mount(source, target, kind=None, flags=0, data=None):
    """The system call of that name."""
    libc = ctypes.CDLL(None, use_errno=True)
    words = [word if word is None else os.fsencode(word) for word in (source, target, kind, data)]
    if libc.mount(words[0], words[1], words[2], flags, words[3]):
        raise OSError(ctypes.get_errno(), f"mount {target}")


def unmount(target):
    """Takes away what was mounted last on a folder, as soon as nobody uses it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.umount2(os.fsencode(target), DETACH):
        raise OSError(ctypes.get_errno(), f"umount {target}")


def own_root():
    """Moves this process onto a root of its own, where every folder of the machine's root is bound."""
    new = str(scratch() / "root")
    os.mkdir(new)
    mount(None, "/", flags=PRIVATE | RECURSIVE)
    mount("none", new, "tmpfs")
    for entry in sorted(os.scandir("/"), key=lambda entry: entry.name):
        bind(entry, os.path.join(new, entry.name))
    (pathlib.Path(new) / OURS).touch()
    here = os.getcwd()
    os.chroot(new)
    os.chdir(here)


def covered():
    """Moves this process onto a root of its own, and hides what commands of a case create in the directories of the
    machine where images keep theirs."""
    own_root()
    for name in IMAGES:
        if os.path.isdir(name) and not os.path.islink(name):
            cover(name)


def cover(folder):
    """Binds all that a directory holds on a file system of its own, where more can be created."""
    # On the root itself: the folder of this run may lie below the one that is hidden now.
    behind = tempfile.mkdtemp(prefix=".behind-", dir="/")
    mount(folder, behind, flags=BIND | RECURSIVE)
    mount("none", folder, "tmpfs")
    for entry in os.scandir(behind):
        bind(entry, os.path.join(folder, entry.name))
    (pathlib.Path(folder) / OURS).touch()


def bind(entry, target):
    """Shows what another place holds under this name too."""
    if entry.is_symlink():
        os.symlink(os.readlink(entry.path), target)
    elif entry.is_dir():
        os.mkdir(target)
        mount(entry.path, target, flags=BIND | RECURSIVE)
    else:
        pathlib.Path(target).touch()
        mount(entry.path, target, flags=BIND)


def play(path):
    """Lets an absolute path exist, as an empty file of this engine's own root; the machine's disk stays as it is. What an
    earlier case played in its way is gone then: no two cases share a machine."""
    path = pathlib.Path(os.path.normpath(path))
    if path.is_file() or (path.is_dir() and not removed(path)):
        return
    base = next(place for place in path.parents if place.exists())
    if base.is_file():
        if not played(base):
            return
        base.unlink()
        base = base.parent
    if not ours(base):
        cover(str(base))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def ours(folder):
    """Whether a folder lies on a file system that this engine made, and not on one that is only bound below it."""
    device = folder.stat().st_dev
    return any((above / OURS).exists() and above.stat().st_dev == device for above in (folder, *folder.parents))


def played(file):
    """Whether a file was made here, and is not one of the machine's that is only bound."""
    return ours(file.parent) and file.stat().st_dev == file.parent.stat().st_dev


def removed(folder):
    """Removes a folder that was made here; not one of the machine's, nor one that holds anything of it."""
    device = folder.stat().st_dev
    below = [entry for top, folders, files in os.walk(folder) for entry in (top, *(os.path.join(top, name) for name in folders + files))]
    if not ours(folder) or (folder / OURS).exists() or any(os.lstat(entry).st_dev != device for entry in below):
        return False
    shutil.rmtree(folder)
    return True
