"""Compares docs/faults.md with the results of a run."""
import re

from . import paper
from .faults import ALL

ROW = re.compile(r"^\| (.+?) \| `(\w+)` \| (.*?) \| (.*?) \| (.*) \|$", re.MULTILINE)


def amiss(results, every, apart=()):
    """Returns one sentence for each row that differs from the results. `every`: whether all cases ran, so that rows without a
    case are reported. `apart`: names of cases that this machine cannot run as the page describes them."""
    written = {(fault, job): cells for fault, job, *cells in rows(paper.PAGE.read_text(encoding="utf-8"))}
    for result in results:
        case = result.case
        if not case.deed or case.name in apart:
            continue
        page = written.pop((case.fault, case.job), None)
        if page is None:
            yield f"{case.name}: the page has no row for `{case.fault}` of `{case.job}`"
            continue
        (_, _, *seen), = rows(paper.row(result))
        differ = [what for what, same, mine, theirs in zip(WHAT, SAME, seen, page) if not same(case, mine, theirs)]
        yield from (f"{case.name}: {what}: the page has `{page[at]}`, but the result is `{seen[at]}`"
                    for at, what in enumerate(WHAT) if what in differ)
    if every:
        yield from (f"no case for the row `{fault}` of `{job}`" for fault, job in written)


def rows(text):
    """Returns the cells of each row of a table."""
    return [tuple(match.groups()) for match in ROW.finditer(text)]


def codes(case, seen, page):
    """Returns whether the exit codes agree with the page. If the table of faults allows several codes, each code must be one of
    them."""
    if not open_ended(case):
        return seen == page
    musts = [code if isinstance(code, tuple) else (code,) for code in case.codes]
    told = page.split(", then ")
    return len(told) == len(musts) and all(paper.code(one) in map(paper.code, must) for one, must in zip(told, musts))


def steps(case, seen, page):
    """Returns whether the steps of the tasks in the table agree with the page. Other tasks share a step counter, and may see any
    step. The tasks of an asynchronous job resume at steps that depend on the load of the machine (`seen.agree`), so only their number
    is compared."""
    known = case.resumes()
    if not known:
        return seen == page
    kept = (lambda steps: steps and len(steps.split(", "))) if case.job == "estimator" else (lambda steps: steps)
    return all(kept(at(seen, task)) == kept(at(page, task)) for task in known)


def at(cell, task):
    """Returns the steps where a task resumed, from the cell of the page. The cell names the task, or says `all`."""
    named = [part.rpartition(": ") for part in cell.split("; ")]
    return next((steps for names, _, steps in named if names in ("", "all") or task in names.split(", ")), None)


def said(case, seen, page):
    """Returns whether the messages agree with the page. If the table of faults allows several results, only the required
    messages must occur."""
    if not open_ended(case):
        return seen == page
    # The run begins its lines with the name of the task. The page contains no names of tasks, times, and ports.
    told = page.replace("…", "0")
    lines = [told, *(f"{task} {bar} {line}" for bar in "|*" for task in ALL[case.job] for line in re.findall(r"`([^`]+)`", told))]
    return all(any(re.search(words, line) for line in lines) for words in case.says)


def open_ended(case):
    """Returns whether the result of a case depends on the load of the machine."""
    return any(isinstance(code, tuple) for code in case.codes)


WHAT, SAME = ("exit code", "resumed at", "what is said"), (codes, steps, said)
