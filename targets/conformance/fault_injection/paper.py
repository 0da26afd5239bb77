"""What is written of the cases for people: docs/faults.md."""
import subprocess

from .stage import ROOT

PAGE = ROOT / "docs" / "faults.md"
HEAD = """# Faults, and what becomes of the job

Each fault below is dealt to a real job under `tfjob run`, by `targets/conformance/faults`: with TensorFlow 2.15.1 where the
job is `mwms` (three workers in step), `ps` and `meets` (chief, workers, ps, evaluator), `estimator`, `single` (one
process, mirrored) or `tutorial` (one, Keras), with Python alone where it is `plain` (three tasks that do not meet), `chance` (five) or `lone` (one).
Jobs, programs and the table stand in `targets/conformance/fault_injection`. Checkpoints are written at steps 5, 10, 15 and 20, and
the fault is dealt at step 12 unless it says otherwise. Steps and resumes are those of the programs' own logs. After each
run no process may be left. This page is written by `targets/conformance/faults --write`, when all is as the table says:
last on the tree of commit TREE.

| fault | job | exit code | resumed at | what is said |
|---|---|---|---|---|
"""

SHORT = """Without `start timeout`, a job of which one task never comes waits for ever, as TensorFlow does, or until `deadline`. A
chief that has lost a worker for good either fails with it, or does all steps, writes them, and does not end: then the job
ends as soon as the program has said by `{done}` that its work is done, else by `deadline` alone."""


def write(results, notes):
    """Writes the page of these results."""
    rows = "".join(row(result) for result in results if result.case.deed)
    more = [chance(result) for result in results if not result.case.deed] + [SHORT, *notes]
    tree = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=7", "HEAD"], capture_output=True, text=True)
    head = HEAD.replace("TREE", f"`{tree.stdout.strip() or 'unknown'}`")
    PAGE.write_text(head + rows + "".join(f"\n{note}\n" for note in more), encoding="utf-8")


def chance(result):
    """What befell by chance."""
    resumes = sum(map(len, result.resumed.values()))
    return (f"{result.case.fault}, one after the other: {result.quotes[0]}. In {len(result.codes)} runs the tasks "
            f"resumed {resumes} times. No step was lost, and no process left.")


def row(result):
    """One case."""
    case = result.case
    codes = ", then ".join(map(code, result.codes))
    said = "; ".join(f"`{words.replace('|', chr(92) + '|')}`" for words in result.quotes)
    return f"| {case.fault} | `{case.job}` | {codes} | {steps(result.resumed)} | {said} |\n"


def code(number):
    """An exit code, or the signal that was its end; what is written so already stays."""
    return f"signal {-number}" if isinstance(number, int) and number < 0 else str(number)


def steps(resumed):
    """Where the tasks have resumed, those together that did so alike."""
    alike = {}
    for task, numbers in resumed.items():
        if numbers:
            alike.setdefault(tuple(numbers), []).append(task)
    if len(alike) == 1:
        return "all: " * (len(next(iter(alike.values()))) > 1) + ", ".join(map(str, next(iter(alike))))
    return "; ".join(f"{', '.join(tasks)}: {', '.join(map(str, numbers))}" for numbers, tasks in alike.items())
