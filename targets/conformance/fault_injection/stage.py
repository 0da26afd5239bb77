"""A folder with one job in it, `tfjob run` on it, and what the job's tasks wrote in their own logs."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from . import processes

JOBS = pathlib.Path(__file__).resolve().parent / "jobs"
ROOT = JOBS.parents[3]
# Nothing is asserted on it: it only ends what hangs, on a machine that may be very busy.
PATIENCE = 240
# How long what was told to end may be seen after its parent; the kernel needs a moment.
MOMENT = 10


class Trouble(Exception):
    """A case is not as it must be, and why."""


class Stage:
    """One case's job."""

    def __init__(self, job, mark, python):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"faults-{mark}-"))
        self.job, self.mark, self.runs, self.codes = job, mark, [], []
        self.env = {**os.environ, processes.MARK: mark, "PATH": f"{python.parent}:{os.environ['PATH']}",
                    "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1",
                    "TMPDIR": str(self.folder), "HOME": str(self.folder)}
        for program in JOBS.glob("*.py"):
            shutil.copy(program, self.folder)
        text = (JOBS / f"{job}.tfjob.kdl").read_text(encoding="utf-8").replace("/here/", f"{self.folder}/")
        (self.folder / "job.tfjob.kdl").write_text(text, encoding="utf-8")
        for name in ("own", "ckpt"):
            (self.folder / name).mkdir()

    def start(self, *sets, by=()):
        """Starts the job; `by`: the words of a program that starts it."""
        words = [*by, ROOT / "target/debug/tfjob", "run", "job.tfjob.kdl", *(f"--set={word}" for word in sets)]
        said = open(self.folder / f"run-{len(self.runs)}", "wb")
        with said:
            run = subprocess.Popen(words, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        self.runs.append(run)

    def finish(self):
        """The exit code of the run, once it has ended."""
        try:
            self.codes.append(self.runs[-1].wait(PATIENCE))
        except subprocess.TimeoutExpired:
            raise Trouble(f"the run goes on after {PATIENCE} s") from None
        return self.codes[-1]

    def said(self):
        """What the last run has printed."""
        return (self.folder / f"run-{len(self.runs) - 1}").read_text(encoding="utf-8", errors="replace")

    def everything(self):
        """What all runs have printed."""
        texts = (self.folder / f"run-{number}" for number in range(len(self.runs)))
        return "".join(text.read_text(encoding="utf-8", errors="replace") for text in texts)

    def until(self, what, must):
        """Waits until something is so."""
        end = time.monotonic() + PATIENCE
        while not (seen := must()):
            if time.monotonic() > end:
                raise Trouble(f"never seen: {what}")
            if self.runs[-1].poll() is not None and not (seen := must()):
                raise Trouble(f"the run ended with {self.runs[-1].returncode} before: {what}")
            time.sleep(0.05)
        return seen

    def hears(self, words, times=1):
        """Waits until the run has printed words so often."""
        return self.until(f"`{words}`", lambda: len(re.findall(words, self.said())) >= times)

    def output(self, task):
        """The log of a task that the run has written."""
        return (self.folder / ".tfjob" / self.job / "logs" / (task.replace(":", "-") + ".log")).read_bytes()

    def log(self, task):
        """The own log of a task: pairs of a word and a number."""
        path = self.folder / "own" / task.replace(":", "-")
        if not path.exists():
            return []
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        return [(word, int(number)) for word, number in (line.rsplit(" ", 1) for line in lines)]

    def writes(self, tasks, word, number=None, times=1):
        """Waits until each of these tasks has written that."""
        def seen(task):
            return sum(one == word and number in (None, other) for one, other in self.log(task)) >= times
        for task in tasks:
            self.until(f"`{word} {number}` of {task}", lambda task=task: seen(task))

    def tasks(self):
        """Those that have a log."""
        return sorted(path.name.replace("-", ":") for path in (self.folder / "own").iterdir())

    def put(self, name, words):
        """Writes a file beside the job, whole."""
        (self.folder / f"{name}.new").write_text(str(words), encoding="utf-8")
        (self.folder / f"{name}.new").rename(self.folder / name)

    def take(self, name):
        """Takes it away."""
        (self.folder / name).unlink()

    def shim(self, task):
        """The shim of a task."""
        return self.until(f"a shim of {task}", lambda: processes.shims(self.runs[-1].pid).get(task))

    def program(self, task):
        """The program of a task."""
        return self.until(f"a program of {task}", lambda: processes.program(self.shim(task)))

    def send(self, task, number=signal.SIGKILL):
        """Sends a signal to the program of a task."""
        processes.send(self.program(task), number)

    def left(self):
        """The processes that are still there a moment after the end, with their words."""
        end = time.monotonic() + MOMENT
        while (pids := processes.marked(self.mark)) and time.monotonic() < end:
            time.sleep(0.1)
        return [" ".join(processes.command(pid)) for pid in pids]

    def ends(self):
        """Waits until nothing of a run whose head is gone is there any more: its tasks have the time of a stop."""
        end = time.monotonic() + PATIENCE
        while processes.marked(self.mark):
            if time.monotonic() > end:
                raise Trouble(f"left {PATIENCE} s after the run was killed: {self.left()}")
            time.sleep(0.1)

    def close(self):
        """Ends what is left and takes the folder away."""
        processes.kill(self.mark)
        for run in self.runs:
            run.kill()
            run.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
