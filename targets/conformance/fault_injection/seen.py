"""Checks of the result of a job: exit codes, messages, and the logs of its programs."""
import re

from .faults import ALL

LAST = 20


def faults(case, stage):
    """Returns one sentence for each difference from the expected result."""
    musts = [code if isinstance(code, tuple) else (code,) for code in case.codes]
    if len(musts) != len(stage.codes) or any(code not in must for code, must in zip(stage.codes, musts)):
        yield f"the runs exited with {stage.codes}, not {list(case.codes)}"
    said = stage.everything()
    for words in case.says:
        if not re.search(words, said):
            yield f"no message matches `{words}`"
    for task, steps in case.resumes().items():
        if not agree(resumed(stage, task), steps, case.job == "estimator"):
            yield f"{task} resumed at {resumed(stage, task)}, not {steps}"
    starts = max(sum(word == "started" for word, _ in stage.log(task)) for task in stage.tasks())
    if case.starts not in (None, starts):
        yield f"a program was started {starts} times, not {case.starts}"
    for task in ALL[case.job]:
        log = stage.log(task)
        if case.done and log[-1:] != [("done", LAST)]:
            yield f"the last log entry of {task} is {log[-1:]}"
        yield from (f"{task}: {why}" for why in lost(log, case.job == "estimator", case.torn))
    if left := stage.left():
        yield f"processes are left: {left}"


def resumed(stage, task):
    """Returns the steps where a task resumed."""
    return [number for word, number in stage.log(task) if word == "resumed"]


def agree(seen, steps, asynchronous):
    """Returns whether a task resumed at these steps. In an asynchronous job, workers continue after the parameter servers are
    restored and before the chief reads the step. So the chief may resume at a later step."""
    if not asynchronous:
        return seen == steps
    return len(seen) == len(steps) and all(step <= number <= LAST * (step > 0) for number, step in zip(seen, steps))


def lost(log, apart=False, torn=False):
    """Returns the positions in a log where a step is missing. `apart`: whether other tasks do the steps in between. `torn`:
    whether the last checkpoint may be lost."""
    done, at, high = 0, None, 0
    for word, number in log:
        if word == "resumed":
            if number > high and not apart:
                yield f"resumed at {number}, but the last step is {high}"
            if number < done and not torn:
                yield f"resumed at {number}, but {done} was saved"
            at = number
        elif word == "step":
            if at is None or (number != at + 1 and not (apart and number > at)):
                yield f"step {number} after {at}"
            at, high = number, max(high, number)
        elif word == "saved":
            done = number


def quotes(case, said):
    """Returns the messages that say why something happened, without names of tasks, times, and ports."""
    found = []
    for words in case.says:
        line = next((line for line in said.splitlines() if re.search(words, line)), "")
        line = re.sub(r"^[a-z:0-9]+ +[|*] ", "", line)
        line = re.sub(r"\b(in|after) [0-9.]+ (ms|s|min)\b", r"\1 … s", line.split("; logs in")[0])
        line = re.sub(r" (in|after) … s: \d+ task.*", "", line)
        line = re.sub(r"[a-z]+-\d+\.log: \d+ bytes", "….log: … bytes", line)
        # A line that begins with a time is from the framework.
        line = line if len(line) < 160 and not line[:1].isdigit() else re.search(words, line).group()
        found.append(re.sub(r"\b127\.0\.0\.1:\d+", "127.0.0.1:…", line))
    return list(dict.fromkeys(filter(None, found)))
