"""Runs rendered scripts, and compares what they print and return with what is expected."""
import os
import re
import select
import shutil
import subprocess
import sys
import time

from conformance import engines

TFJOB = os.environ.get("TFJOB", "target/x86_64-unknown-linux-musl/dist/tfjob")
# A script that takes longer is stuck.
LIMIT = 120


# A server that takes longer does not start. The first start also builds its program.
STARTS = 600


def first_line(server):
    """Returns the first line that a server prints when it is ready; empty if it ends before, or is not ready in time."""
    ready, _, _ = select.select([server.stdout], [], [], STARTS)
    return server.stdout.readline() if ready else b""


def stop(server, limit):
    """Closes the standard input of a server, which then ends, and kills it after `limit` seconds."""
    try:
        server.stdin.close()
        server.wait(limit)
    except (subprocess.TimeoutExpired, BrokenPipeError):
        server.kill()
        server.wait()


class Done:
    """A finished script: its exit code and its output."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return f"exit code {self.code}\n{self.out}{self.err}"


class Platform:
    """A running platform with its command line, and the scripts that run on it."""

    def __init__(self, name, folder, env, verbose):
        self.name, self.folder, self.env, self.verbose, self.faults = name, folder, env, verbose, []

    def compiled(self, spec, target=None):
        """Compiles a spec, and returns its job."""
        folder = self.folder / f"job-{len(list(self.folder.glob('job-*')))}"
        folder.mkdir()
        (folder / "a.tfjob.kdl").write_text(spec, encoding="utf-8")
        (folder / "src").mkdir()
        (folder / "src/train.py").write_text("print('trained')\n", encoding="utf-8")
        target = target or self.name
        words = [engines.ROOT / TFJOB, "compile", "--quiet", "a.tfjob.kdl", "--target", target, "--out", "out"]
        done = subprocess.run(words, cwd=folder, env={**os.environ, **self.env}, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"scripts: {self.name}: the spec does not compile:\n{done.stderr}")
        return Job(self, folder, next(folder.glob(f"out/*/{target}")))

    def call(self, *words, limit=LIMIT, folder=None, **env):
        """Runs a command with the programs of the platform."""
        begin = time.monotonic()
        try:
            how = {"cwd": folder or self.folder, "env": {**self.env, **env}, "timeout": limit, "check": False}
            ran = subprocess.run([str(word) for word in words], capture_output=True, text=True, **how)
            done = Done(ran.returncode, ran.stdout, ran.stderr)
        except subprocess.TimeoutExpired as late:
            done = Done(None, (late.stdout or b"").decode(), (late.stderr or b"").decode())
        if self.verbose:
            print(f"--- {self.name}: {words[0]}, {time.monotonic() - begin:.1f} s: {done}", flush=True)
        return done

    def fault(self, text):
        """Records a fault."""
        self.faults.append(text)
        print(f"FAILED {self.name}: {text}", flush=True)


class Job:
    """The scripts of a compiled job."""

    def __init__(self, platform, home, folder):
        self.platform, self.home, self.folder = platform, home, folder

    def add_shim(self):
        """Copies the released shim into the directory of the spec."""
        shutil.copy(engines.static_shim(), self.home / "tfjob-shim")

    def names(self):
        """Returns the names of the scripts."""
        return sorted(path.name for path in self.folder.glob("*.sh"))

    def run(self, script, *words, code=0, has=(), lacks=(), limit=LIMIT, **env):
        """Runs a script, and checks its exit code and its output. `has`: regular expressions that the output must match.
        `lacks`: those that it must not match."""
        done = self.platform.call(self.folder / script, *words, limit=limit, folder=self.home, **env)
        text = done.out + done.err
        problems = [] if done.code == code else [f"expected exit code {code}"]
        problems += [f"the output does not match {one!r}" for one in has if not re.search(one, text, re.M)]
        problems += [f"the output matches {one!r}" for one in lacks if re.search(one, text, re.M)]
        if problems:
            self.platform.fault(f"{script}: {'; '.join(problems)}: {done}")
        return done

    def until(self, script, pattern, limit=LIMIT):
        """Runs a script until its output matches."""
        end = time.monotonic() + limit
        while True:
            done = self.platform.call(self.folder / script, folder=self.home)
            if re.search(pattern, done.out + done.err, re.M):
                return done
            if time.monotonic() > end:
                self.platform.fault(f"{script}: after {limit} s, the output still does not match {pattern!r}: {done}")
                return done
            time.sleep(1)
