"""Writes docs/faults.md."""
import subprocess

from .stage import ROOT

PAGE = ROOT / "docs" / "faults.md"
HEAD = """# Faults

The program `targets/conformance/faults` runs real jobs with `tfjob run`. It injects a fault into each job, such as a KILL signal
to one task, and checks how the job ends. The table has one row per fault. These jobs run TensorFlow 2.15.1:

- `mwms`: three workers with synchronous training
- `ps`: chief, two workers, parameter server, and evaluator with ParameterServerStrategy
- `meets`: chief, worker, and parameter server; the chief starts only when the parameter server is ready
- `estimator`: chief, worker, parameter server, and evaluator with an Estimator
- `single`: one process with MirroredStrategy
- `tutorial`: one process with Keras

These jobs run plain Python programs without TensorFlow: `plain` (three independent tasks), `chance` (five), and `lone` (one).

Each program writes checkpoints at steps 5, 10, 15, and 20. The fault is injected at step 12 unless the row says otherwise. The
column "resumed at" lists the steps at which a task, or each task (`all`), started: `0, 10` means that it started at step 0 and
later resumed from step 10. These steps come from the logs of the programs. `faults` also checks that no process is left after a
run.

`targets/conformance/fault_injection` has the jobs, programs, and expected results. `targets/conformance/faults --write` writes this
page if all results are as expected. The page was last written for commit TREE.

| fault | job | exit code | resumed at | messages |
|---|---|---|---|---|
"""

SHORT = """Without `start timeout`, a job with a missing task waits until `deadline`, or indefinitely if it has no `deadline`. If a chief
permanently loses a worker, the chief either fails too, or finishes all steps and hangs. If it hangs, the job ends when the program
has reported completion with `{done}`, otherwise only at `deadline`."""


def write(results, notes):
    """Writes docs/faults.md with these results and notes."""
    rows = "".join(row(result) for result in results if result.case.deed)
    more = [chance(result) for result in results if not result.case.deed] + [SHORT, *notes]
    tree = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=7", "HEAD"], capture_output=True, text=True)
    head = HEAD.replace("TREE", f"`{tree.stdout.strip() or 'unknown'}`")
    PAGE.write_text(head + rows + "".join(f"\n{note}\n" for note in more), encoding="utf-8")


def chance(result):
    """Returns the paragraph about the random faults."""
    resumes = sum(map(len, result.resumed.values()))
    return (f"{result.case.fault}, one after the other: {result.quotes[0]}. In {len(result.codes)} runs, the tasks "
            f"resumed {resumes} times. No step was lost, and no process was left.")


def row(result):
    """Returns the row of a case."""
    case = result.case
    codes = ", then ".join(map(code, result.codes))
    said = "; ".join(f"`{words.replace('|', chr(92) + '|')}`" for words in result.quotes)
    return f"| {case.fault} | `{case.job}` | {codes} | {steps(result.resumed)} | {said} |\n"


def code(number):
    """Returns an exit code as text. If a signal killed the run, returns the name of the signal."""
    return f"signal {-number}" if isinstance(number, int) and number < 0 else str(number)


def steps(resumed):
    """Returns the steps where tasks resumed as text. Tasks with the same steps share an entry."""
    alike = {}
    for task, numbers in resumed.items():
        if numbers:
            alike.setdefault(tuple(numbers), []).append(task)
    if len(alike) == 1:
        return "all: " * (len(next(iter(alike.values()))) > 1) + ", ".join(map(str, next(iter(alike))))
    return "; ".join(f"{', '.join(tasks)}: {', '.join(map(str, numbers))}" for numbers, tasks in alike.items())
