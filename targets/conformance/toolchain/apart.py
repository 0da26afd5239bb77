"""Namespaces for an engine, with only a loopback network, and with a root file system where the engine can create files."""
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
# Name of an empty file in the root of each file system that this module mounts. It shows that the file system is from here.
OURS = ".played"
# Directories where images keep programs and data. Commands of a case may create directories in them.
IMAGES = ("/opt", "/srv", "/mnt", "/media", "/data", "/home")


def enter(prepare):
    """Starts this program again in new namespaces, and exits with its status. Returns only inside the namespaces. `prepare` is
    called before that, while there is a network."""
    if MARK in os.environ:
        return
    prepare()
    words = ["unshare", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    up = "ip link set lo up"
    check = subprocess.run([*words, "sh", "-c", up], capture_output=True, text=True, check=False)
    if check.returncode:
        raise Unavailable(f"cannot create namespaces: {check.stderr.strip()}")
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
    """Returns the temporary directory of this run."""
    return pathlib.Path(os.environ[MARK])


def mount(source, target, kind=None, flags=0, data=None):
    """Returns a system call by its name."""
    libc = ctypes.CDLL(None, use_errno=True)
    words = [word if word is None else os.fsencode(word) for word in (source, target, kind, data)]
    if libc.mount(words[0], words[1], words[2], flags, words[3]):
        raise OSError(ctypes.get_errno(), f"mount {target}")


def unmount(target):
    """Unmounts the last mount on a directory as soon as no process uses it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.umount2(os.fsencode(target), DETACH):
        raise OSError(ctypes.get_errno(), f"umount {target}")


def own_root():
    """Changes the root of this process to a new file system, where all directories of the root are bind-mounted."""
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
    """Changes the root of this process, and hides files that commands of a case create in directories such as those of images."""
    own_root()
    for name in IMAGES:
        if os.path.isdir(name) and not os.path.islink(name):
            cover(name)


def cover(folder):
    """Bind-mounts all entries of a directory on a new file system, where more can be created."""
    # The temporary directory of this run may be below the hidden directory, so the new directory is created in the root.
    behind = tempfile.mkdtemp(prefix=".behind-", dir="/")
    mount(folder, behind, flags=BIND | RECURSIVE)
    mount("none", folder, "tmpfs")
    for entry in os.scandir(behind):
        bind(entry, os.path.join(folder, entry.name))
    (pathlib.Path(folder) / OURS).touch()


def bind(entry, target):
    """Bind-mounts another path under this name."""
    if entry.is_symlink():
        os.symlink(os.readlink(entry.path), target)
    elif entry.is_dir():
        os.mkdir(target)
        mount(entry.path, target, flags=BIND | RECURSIVE)
    else:
        pathlib.Path(target).touch()
        mount(entry.path, target, flags=BIND)


def play(path):
    """Creates an empty file at an absolute path on the private root file system. Removes files of earlier cases that are in its
    way."""
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
    """Returns whether a directory is on a file system that this module has mounted, and not on a bind mount."""
    device = folder.stat().st_dev
    return any((above / OURS).exists() and above.stat().st_dev == device for above in (folder, *folder.parents))


def played(file):
    """Returns whether a file was created on the private file system. A bind-mounted file of the machine was not."""
    return ours(file.parent) and file.stat().st_dev == file.parent.stat().st_dev


def removed(folder):
    """Removes a directory that was created on the private file system. Does not remove directories of the machine, or one that
    contains them."""
    device = folder.stat().st_dev
    below = [entry for top, folders, files in os.walk(folder) for entry in (top, *(os.path.join(top, name) for name in folders + files))]
    if not ours(folder) or (folder / OURS).exists() or any(os.lstat(entry).st_dev != device for entry in below):
        return False
    shutil.rmtree(folder)
    return True
