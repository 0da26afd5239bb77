"""Whether a job has ended as it must: by its exit codes, its words, and the own logs of its programs."""
import re

from .faults import ALL

LAST = 20


def faults(case, stage):
    """All that is not as it must be, a sentence each."""
    musts = [code if isinstance(code, tuple) else (code,) for code in case.codes]
    if len(musts) != len(stage.codes) or any(code not in must for code, must in zip(stage.codes, musts)):
        yield f"the runs ended with {stage.codes}, not {list(case.codes)}"
    said = stage.everything()
    for words in case.says:
        if not re.search(words, said):
            yield f"nobody said `{words}`"
    for task, steps in case.resumes().items():
        if not agree(resumed(stage, task), steps, case.job == "estimator"):
            yield f"{task} resumed at {resumed(stage, task)}, not {steps}"
    starts = max(sum(word == "started" for word, _ in stage.log(task)) for task in stage.tasks())
    if case.starts not in (None, starts):
        yield f"a program was started {starts} times, not {case.starts}"
    for task in ALL[case.job]:
        log = stage.log(task)
        if case.done and log[-1:] != [("done", LAST)]:
            yield f"the last word of {task} is {log[-1:]}"
        yield from (f"{task}: {why}" for why in lost(log, case.job == "estimator", case.torn))
    if left := stage.left():
        yield f"processes are left: {left}"


def resumed(stage, task):
    """At which steps a task has resumed."""
    return [number for word, number in stage.log(task) if word == "resumed"]


def agree(seen, steps, asynchronous):
    """Whether a task has resumed at these steps. In an asynchronous job the parameter servers are restored for all at
    once, and workers go on before the chief reads the step: it may resume at a later one."""
    if not asynchronous:
        return seen == steps
    return len(seen) == len(steps) and all(step <= number <= LAST * (step > 0) for number, step in zip(seen, steps))


def lost(log, apart=False, torn=False):
    """Where a log shows a step that nobody did. `apart`: the steps between two of a task are others'; `torn`: what was
    saved last may be gone."""
    done, at, high = 0, None, 0
    for word, number in log:
        if word == "resumed":
            if number > high and not apart:
                yield f"resumed at {number}, and no step after {high} was done"
            if number < done and not torn:
                yield f"resumed at {number}, and {done} was saved"
            at = number
        elif word == "step":
            if at is None or (number != at + 1 and not (apart and number > at)):
                yield f"step {number} after {at}"
            at, high = number, max(high, number)
        elif word == "saved":
            done = number


def quotes(case, said):
    """The lines that say why, without the names of tasks, without times and without the ports of this run."""
    found = []
    for words in case.says:
        line = next((line for line in said.splitlines() if re.search(words, line)), "")
        line = re.sub(r"^[a-z:0-9]+ +[|*] ", "", line)
        line = re.sub(r"\b(in|after) [0-9.]+ (ms|s|min)\b", r"\1 … s", line.split("; logs in")[0])
        line = re.sub(r" (in|after) … s: \d+ task.*", "", line)
        line = re.sub(r"[a-z]+-\d+\.log: \d+ bytes", "….log: … bytes", line)
        # A framework's own line begins with a time.
        line = line if len(line) < 160 and not line[:1].isdigit() else re.search(words, line).group()
        found.append(re.sub(r"\b127\.0\.0\.1:\d+", "127.0.0.1:…", line))
    return list(dict.fromkeys(filter(None, found)))
