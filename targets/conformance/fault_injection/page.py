"""Whether docs/faults.md says of each fault what was seen of it."""
import re

from . import paper
from .faults import ALL

ROW = re.compile(r"^\| (.+?) \| `(\w+)` \| (.*?) \| (.*?) \| (.*) \|$", re.MULTILINE)


def amiss(results, every, apart=()):
    """A sentence for each row that says otherwise than what was seen; `every`: all cases have lived, so that none may be
    left over; `apart`: names of cases that are not to be had on this machine as the page has them."""
    written = {(fault, job): cells for fault, job, *cells in rows(paper.PAGE.read_text(encoding="utf-8"))}
    for result in results:
        case = result.case
        if not case.deed or case.name in apart:
            continue
        page = written.pop((case.fault, case.job), None)
        if page is None:
            yield f"{case.name}: no row says `{case.fault}` of `{case.job}`"
            continue
        (_, _, *seen), = rows(paper.row(result))
        differ = [what for what, same, mine, theirs in zip(WHAT, SAME, seen, page) if not same(case, mine, theirs)]
        yield from (f"{case.name}: {what}: the page says `{page[at]}`, and it was `{seen[at]}`"
                    for at, what in enumerate(WHAT) if what in differ)
    if every:
        yield from (f"no case is called `{fault}` of `{job}`" for fault, job in written)


def rows(text):
    """The cells of each row of a table."""
    return [tuple(match.groups()) for match in ROW.finditer(text)]


def codes(case, seen, page):
    """Each exit code is one of those that the table allows, where it allows several."""
    if not open_ended(case):
        return seen == page
    musts = [code if isinstance(code, tuple) else (code,) for code in case.codes]
    told = page.split(", then ")
    return len(told) == len(musts) and all(paper.code(one) in map(paper.code, must) for one, must in zip(told, musts))


def steps(case, seen, page):
    """The steps of those tasks of which the table knows them: who counts the steps of others may see any of them."""
    known = case.resumes()
    if not known:
        return seen == page
    return all(at(seen, task) == at(page, task) for task in known)


def at(cell, task):
    """Where a task resumed, by its own name or as one of all."""
    named = [part.rpartition(": ") for part in cell.split("; ")]
    return next((steps for names, _, steps in named if names in ("", "all") or task in names.split(", ")), None)


def said(case, seen, page):
    """The same words; where the table allows several ends, words that it asks for."""
    if not open_ended(case):
        return seen == page
    # A run begins its lines with the task's name, and the page leaves out names, times and ports.
    told = page.replace("…", "0")
    lines = [told, *(f"{task} {bar} {line}" for bar in "|*" for task in ALL[case.job] for line in re.findall(r"`([^`]+)`", told))]
    return all(any(re.search(words, line) for line in lines) for words in case.says)


def open_ended(case):
    """Whether a busy machine decides how it ends."""
    return any(isinstance(code, tuple) for code in case.codes)


WHAT, SAME = ("exit code", "resumed at", "what is said"), (codes, steps, said)
