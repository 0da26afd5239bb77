"""Directories for downloads of the engines, and the installation of Python environments."""
import fcntl
import contextlib
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from toolchain.cases import Unavailable


def root():
    """Returns the directory for downloads."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(os.environ.get("TFJOB_CONFORMANCE") or os.path.join(cache, "tfjob-conformance"))


@contextlib.contextmanager
def alone(name):
    """Holds a lock, so that of two engines that start at the same time, only one installs."""
    root().mkdir(parents=True, exist_ok=True)
    with open(root() / f".{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def environment(name, requirements, proof):
    """Returns a Python environment with exactly these requirements. The file `proof` exists if the installation is complete."""
    home = root() / name
    if (home / proof).exists():
        return home
    python = tool("python3.11")
    with alone(name):
        if not (home / proof).exists():
            print(f"installing {name} below {root()}", file=sys.stderr)
            must([python, "-m", "venv", "--clear", home])
            must([home / "bin/pip", "install", "--quiet", "--no-cache-dir", "--no-deps", "-r", requirements])
    if not (home / proof).exists():
        raise Unavailable(f"{requirements} did not install {proof}")
    return home


def classes(home, sources, jars):
    """Returns the directory of the compiled Java sources. Compiles the sources if they have changed."""
    texts = sorted(sources.glob("*.java"))
    mark = hashlib.sha256(b"\0".join(text.read_bytes() for text in texts)).hexdigest()[:16]
    made = home / f"judge-{mark}"
    if not made.exists():
        with alone(f"{home.name}-classes"):
            if not made.exists():
                draft = home / f"judge-{mark}.draft"
                shutil.rmtree(draft, ignore_errors=True)
                draft.mkdir()
                must([tool("javac"), "-nowarn", "-d", draft, "-cp", jars, *texts])
                draft.rename(made)
    return made


def tool(name):
    """Returns the path of a required program."""
    path = shutil.which(name)
    if not path:
        raise Unavailable(f"program {name} not found")
    return path


def must(command):
    """Runs a command that the engine needs."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise Unavailable(f"{words[0]} exited with {done.returncode}: {last}")
