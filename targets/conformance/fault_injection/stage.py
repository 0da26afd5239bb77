"""A directory with one job, its runs under `tfjob run`, and the logs that its tasks write."""
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
# The program: $TFJOB, or the debug build.
TFJOB = os.environ.get("TFJOB")
PROGRAM = ROOT / (TFJOB or "target/debug/tfjob")
# Timeout in seconds. It is long enough for a busy machine, because it only ends cases that hang.
PATIENCE = 240
# Number of seconds for which processes may still exist after their parent has exited, because the kernel needs time to end them.
MOMENT = 10


class Trouble(Exception):
    """A case failed; the message says why."""


class Stage:
    """The job of one case."""

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
        """Starts the job. `by`: arguments of a program that starts `tfjob run`."""
        words = [*by, PROGRAM, "run", "job.tfjob.kdl", *(f"--set={word}" for word in sets)]
        said = open(self.folder / f"run-{len(self.runs)}", "wb")
        with said:
            run = subprocess.Popen(words, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        self.runs.append(run)

    def finish(self):
        """Waits for the run and returns its exit code."""
        try:
            self.codes.append(self.runs[-1].wait(PATIENCE))
        except subprocess.TimeoutExpired:
            raise Trouble(f"the run did not finish within {PATIENCE} s") from None
        return self.codes[-1]

    def said(self):
        """Returns the output of the last run of the job."""
        return (self.folder / f"run-{len(self.runs) - 1}").read_text(encoding="utf-8", errors="replace")

    def everything(self):
        """Returns the output of all runs."""
        texts = (self.folder / f"run-{number}" for number in range(len(self.runs)))
        return "".join(text.read_text(encoding="utf-8", errors="replace") for text in texts)

    def until(self, what, must):
        """Waits until the condition `must` holds, and returns its value. `what`: description of the condition, for the message
        after a timeout."""
        end = time.monotonic() + PATIENCE
        while not (seen := must()):
            if time.monotonic() > end:
                raise Trouble(f"timeout while waiting for: {what}")
            if self.runs[-1].poll() is not None and not (seen := must()):
                raise Trouble(f"the run exited with {self.runs[-1].returncode} before: {what}")
            time.sleep(0.05)
        return seen

    def hears(self, words, times=1):
        """Waits until the run has printed a message `times` times."""
        return self.until(f"`{words}`", lambda: len(re.findall(words, self.said())) >= times)

    def output(self, task):
        """Returns the log that `tfjob run` has written for a task."""
        return (self.folder / ".tfjob" / self.job / "logs" / (task.replace(":", "-") + ".log")).read_bytes()

    def log(self, task):
        """Returns the log that the program of a task has written, as pairs of a keyword and a number."""
        path = self.folder / "own" / task.replace(":", "-")
        if not path.exists():
            return []
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        return [(word, int(number)) for word, number in (line.rsplit(" ", 1) for line in lines)]

    def writes(self, tasks, word, number=None, times=1):
        """Waits until each of these tasks has logged an entry `times` times."""
        def seen(task):
            return sum(one == word and number in (None, other) for one, other in self.log(task)) >= times
        for task in tasks:
            self.until(f"`{word} {number}` of {task}", lambda task=task: seen(task))

    def tasks(self):
        """Returns the tasks that have a log."""
        return sorted(path.name.replace("-", ":") for path in (self.folder / "own").iterdir())

    def put(self, name, words):
        """Writes a file next to the job, atomically."""
        (self.folder / f"{name}.new").write_text(str(words), encoding="utf-8")
        (self.folder / f"{name}.new").rename(self.folder / name)

    def take(self, name):
        """Removes a file next to the job."""
        (self.folder / name).unlink()

    def shim(self, task):
        """Returns the process ID of a task's shim."""
        return self.until(f"a shim of {task}", lambda: processes.shims(self.runs[-1].pid).get(task))

    def program(self, task):
        """Returns the process ID of a task's program."""
        return self.until(f"a program of {task}", lambda: processes.program(self.shim(task)))

    def send(self, task, number=signal.SIGKILL):
        """Sends a signal to the program of a task."""
        processes.send(self.program(task), number)

    def left(self):
        """Returns the arguments of processes that still exist a moment after the end of the run."""
        end = time.monotonic() + MOMENT
        while (pids := processes.marked(self.mark)) and time.monotonic() < end:
            time.sleep(0.1)
        return [" ".join(processes.command(pid)) for pid in pids]

    def ends(self):
        """Waits until all processes of a killed run have exited. Its tasks may take as long as after a normal stop."""
        end = time.monotonic() + PATIENCE
        while processes.marked(self.mark):
            if time.monotonic() > end:
                raise Trouble(f"processes left {PATIENCE} s after the run was killed: {self.left()}")
            time.sleep(0.1)

    def close(self):
        """Kills remaining processes, and removes the directory of the case."""
        processes.kill(self.mark)
        for run in self.runs:
            run.kill()
            run.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
