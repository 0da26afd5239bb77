"""Downloads the JAR files of an engine, compiles its sources, and starts its JVMs. Shared by the engines in Java."""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from toolchain import apart, cases  # noqa: E402

WRONG_USE, NOT_AVAILABLE = 2, 3
# Packages of Java 17 that Hadoop accesses by reflection.
OPENS = ("lang", "util", "io", "net", "nio", "util.concurrent", "security")


class Unavailable(Exception):
    """The engine is not available on this machine."""


def folder(engine):
    """Returns the directory for downloads and builds of an engine."""
    home = os.environ.get("TFJOB_CONFORMANCE")
    if not home:
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        home = pathlib.Path(cache) / "tfjob-conformance"
    return pathlib.Path(home).resolve() / engine


def build(room, target, properties=(), base=""):
    """Returns the class path of the engine in `room`. Builds the engine below `target` if its sources have changed. `base`: the class
    path of another engine, which is added to it."""
    for program in ("java", "javac", "mvn"):
        if shutil.which(program) is None:
            raise Unavailable(f"`{program}` is not on the PATH; the engine needs a JDK 17 and Maven")
    target.mkdir(parents=True, exist_ok=True)
    sources = sorted([*(HERE / "java").rglob("*.java"), *(room / "java").rglob("*.java")])
    with open(target / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        jars = _made(target, "jars", [room / "pom.xml"], lambda folder: _run(
            "mvn", "-B", "-q", "-f", str(room / "pom.xml"), *properties, "dependency:copy-dependencies",
            "-DincludeScope=runtime", f"-DoutputDirectory={folder}"))
        classes = _made(target, "classes", [room / "pom.xml", *sources], lambda folder: _run(
            "javac", "-nowarn", "-proc:none", "-d", str(folder), "-cp", ":".join([f"{jars}/*", *filter(None, [base])]), *map(str, sources)), base)
    return ":".join([str(classes), f"{jars}/*", *filter(None, [base])])


def _made(target, name, sources, make, base=""):
    """Returns a directory for these sources, which `make` fills only once. Directories of older sources stay, because other
    processes may still use them. `base`: the class path of another engine. The names of its directories contain digests of its
    sources."""
    parts = [*(source.read_bytes() for source in sources), *filter(None, [base.encode()])]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]
    folder = target / f"{name}-{digest}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=target) as fresh:
            made = pathlib.Path(fresh) / name
            made.mkdir()
            make(made)
            made.rename(folder)
    return folder


def isolated(prepare):
    """Starts this engine again in new namespaces, so that directories of a case are not created on the disk of this machine.
    `prepare` is called before that, while there is a network."""
    try:
        apart.enter(prepare)
        apart.covered()
    except cases.Unavailable as why:
        raise Unavailable(str(why)) from why


def command(path, main, heap, work, words=(), options=()):
    """Returns the arguments that start `main` in a JVM."""
    opens = [f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in OPENS]
    # Warnings of the JVM on standard output would mix with the answers. Files with performance data are named by process ID, and
    # two engines in different PID namespaces can have the same ID.
    quiet = ["-Xlog:disable", "-Xlog:all=warning:stderr", "-XX:-UsePerfData"]
    return ["java", *quiet, f"-Xmx{heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *opens,
            "-Dfile.encoding=UTF-8", f"-Djava.io.tmpdir={work}", f"-Dreferee.work={work}",
            f"-Dreferee.python={sys.executable}", *options, "-cp", path, main, *words]


def environment(**more):
    """Returns a minimal environment for a JVM, so that a node manager does not read variables of this machine."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TFJOB_SHIM") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", **more}


def main(program, able=("versions", "judge", "run")):
    """Calls `program(word)` for the argument `word` of the command line. The exit status is that of the protocol."""
    words = sys.argv[1:]
    if len(words) != 1 or words[0] not in able:
        print(f"usage: {sys.argv[0]} {'|'.join(able)}", file=sys.stderr)
        sys.exit(WRONG_USE)
    try:
        program(words[0])
    except Unavailable as why:
        print(f"engine not available, because {why}", file=sys.stderr)
        sys.exit(NOT_AVAILABLE)


def _run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr)
        raise Unavailable(f"`{words[0]}` exited with {done.returncode}; see its output above")
