"""Pairwise tests. The engine judges specs that contain every pair of boundary values. A complaint is reduced to the values that
cause it."""
import collections
import hashlib
import itertools
import json
import re
import subprocess
import time

from . import cases, compare, culprits, engines
from .agreement import page, wrong
from .refusals import Refusals

# Number of cases per start of an engine. It is large, because some engines start servers, which takes longer than a case. It is
# limited, because the Kubernetes engine keeps about 11 MB per case.
BATCH = 500
# Minimum number of pairs in the first 40 specs of an array, for any seed. It is nine tenths of the number for seed 5.
SLICE = 40
FLOORS = {"yarn": 198_000, "kubernetes": 240_000, "dcos": 207_000, "spark": 166_000}


class Pairs:
    """The covering array of one target, with the verdicts of tfjob and the engine."""

    def __init__(self, target, count, seed):
        begin = time.monotonic()
        self.target, self.count = target, count
        self.versions = engines.versions(target)
        found, self.summary = cases.pairs(target, count, seed)
        self.rows = len(found)
        self.made = time.monotonic() - begin
        self.sources = sources(target)
        self.reached, self.complaints, self.lost = set(), [], collections.Counter()
        bad = self.judge(found)
        causes = culprits.of(bad, [case for case in found if case["case"] not in {one["case"] for one, _ in bad}], self.shown)
        for cause in causes:
            self.found(cause)
        self.again(bad, causes)
        self.refusals = Refusals(target, seed, bool(count), self.asked)
        self.accepts = len(self.complaints)
        self.complaints += self.refusals.complaints()
        self.seconds = time.monotonic() - begin

    def judge(self, asked):
        """Returns the cases with complaints of the engine. The pairs of all other cases count as reached."""
        bad = []
        for case, answer in self.answered(asked):
            words = self.kinds(case, answer)
            if words:
                bad.append((case, words))
            else:
                self.reached.update(counted(case))
        return bad

    def asked(self, cases_of):
        """Returns each case with the kinds of complaint of the engine."""
        return [(case, self.kinds(case, answer)) for case, answer in self.answered(cases_of)]

    def kinds(self, case, answer):
        """Returns the kinds of complaint about a case, each with its first line. If a task does not start, its variables are not
        compared."""
        lines = wrong(self.target, case, answer)
        if not lines and not case.get("unclaimed"):
            lines = [f"{case['case']}: {self.target}: {words}" for words in compare.disagreements(case, answer)]
        found = {}
        for line in lines:
            found.setdefault(kind_of(line), line)
        return found

    def answered(self, asked):
        """Returns each case with the answer of the engine."""
        for start in range(0, len(asked), BATCH):
            batch = asked[start : start + BATCH]
            yield from zip(batch, engines.ask(self.target, "judge", batch))

    def shown(self, asked):
        """Returns, for each list of levels, the kinds of complaint about a spec that has only these levels."""
        made = cases.chosen_levels(self.target, [(str(number), levels) for number, levels in enumerate(asked)])
        found = [set() for _ in asked]
        for case, answer in self.answered([case for case in made if case["artifacts"]]):
            found[int(case["case"])] = set(self.kinds(case, answer))
        return found

    def found(self, cause):
        """Adds a disagreement, with the fewest values that cause it and a spec that contains only them."""
        [case] = cases.chosen_levels(self.target, [("smallest", cause.levels)])
        changes = "\n    ".join(case["mutant"]["changes"]) or "the plain job"
        how = "" if cause.sure else " (not shrunk)"
        text = json.dumps(case["mutant"]["document"]) if cause.sure else ""
        self.complaints.append(f"{cause.words[:600]}{how}\n    in {cause.times} specs\n    {changes[:1500]}\n    {text[:1500]}")

    def again(self, bad, causes):
        """Lets the engine judge rows with known disagreements again, each without one of the values. If the engine still does
        not accept a row, its pairs count as not reached, by the kind of complaint. So no row is dropped silently."""
        lines, left = [], {}
        for case, words in bad:
            levels = [tuple(cell) for cell in case["mutant"]["levels"]]
            for cause in causes:
                if cause.sure and cause.levels and set(cause.levels) <= set(levels):
                    levels.remove(cause.levels[0])
            left[case["case"]] = case
            if len(levels) < len(case["mutant"]["levels"]):
                lines.append((case["case"], levels))
        made = [case for case in cases.chosen_levels(self.target, lines) if case["artifacts"]] if lines else []
        for case, answer in self.answered(made):
            if not self.kinds(case, answer):
                self.reached.update(set(counted(left[case["case"]])) & set(pairs(case)))
        told = set()
        for case, words in bad:
            left = set(counted(case)) - settled(self.reached, self.summary) - told
            self.lost[next(iter(words))] += len(left)
            told |= left

    def numbers(self):
        """Returns the number of reached pairs, and of all pairs."""
        return numbers(self.reached, self.summary)

    def good(self):
        """Returns whether there are no complaints, and the array reaches all pairs. For a slice of the array, its minimum is
        enough."""
        reached, there = self.numbers()
        enough = len(self.reached) >= FLOORS.get(self.target, 0) if self.count >= SLICE else True
        return not self.complaints and (enough if self.count else reached == there)

    def unreachable(self):
        """Returns the pairs that no spec can contain, by the rule that refuses them and the property."""
        groups = collections.Counter()
        examples = {}
        for one in self.summary["together"]:
            for factor in one["factors"]:
                groups[one["rule"], factor] += one["pairs"]
                examples.setdefault((one["rule"], factor), one["first"])
        # A pair has two properties. It is listed under the property that occurs in more pairs of the rule.
        main = collections.Counter()
        for one in self.summary["together"]:
            main[max(((one["rule"], factor) for factor in one["factors"]), key=lambda key: groups[key])] += one["pairs"]
        for (rule, factor), times in main.most_common():
            yield rule, factor, times, examples[rule, factor]

    def words(self):
        """Returns the lines that a run prints."""
        reached, there = self.numbers()
        yield from self.refusals.words()
        yield (f"{self.target}: {self.accepts} false accepts in {self.rows} specs; {reached} of {there} pairs reached,"
               f" {len(self.reached)} of them accepted by the engine; {self.seconds:.0f} s, including {self.made:.0f} s to generate"
               " the specs")
        for rule, factor, times, first in self.unreachable():
            yield f"{self.target}: {times} pairs of {factor} are refused together by {rule}, such as {first[:300]}"
        for kind, times in self.lost.most_common():
            yield f"{self.target}: {times} pairs are not reached because of this complaint of the engine: {kind[:300]}"
        sampled = "only a part of the specs was generated" if self.count else "no accepted or refused spec contains them"
        if left := there - reached - sum(self.lost.values()):
            yield f"{self.target}: {left} pairs are not reached: {sampled}"


def settled(reached, summary):
    """Returns the pairs that the engine accepts, or that tfjob refuses. Some pairs are both, because a third value decides."""
    return reached | {tuple(map(tuple, pair)) for pair in summary["refused together"]}


def numbers(reached, summary):
    """Returns the number of reached pairs, and of all pairs."""
    beside = summary["beside"]
    return len(settled(reached, summary)) + beside["guarded"], summary["pairs"] + beside["wanted"]


def sources(target):
    """Returns the digest of all sources that a row of the document depends on: language, target, cases, and judgement."""
    others = tuple(f"targets/src/{other}{end}" for other in engines.PLATFORMS if other != target for end in ("/", ".rs"))
    rooms = ("compiler/contract/src", "compiler/lang/src", "targets/src", "targets/templates", "targets/conformance/cases",
             "targets/conformance/conformance", "targets/conformance/refusals.d", f"targets/conformance/{target}", "schemas")
    listed = subprocess.run(["git", "ls-files", "-z", *rooms], cwd=engines.ROOT, stdout=subprocess.PIPE, check=True).stdout
    found = hashlib.sha256()
    for name in sorted(listed.decode().rstrip("\0").split("\0")):
        path = engines.ROOT / name
        if not name.startswith(others) and path.is_file():
            found.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()[:12]


def stale(before):
    """Returns the targets with rows in the document that were written with other sources."""
    return [target for target, row in kept(before)[0].items() if not row.endswith(f" {sources(target)} |")]


def pairs(case):
    """Returns the pairs of levels in a row."""
    return list(itertools.combinations(sorted(map(tuple, case["mutant"]["levels"])), 2))


def counted(case):
    """Returns the pairs for which a row counts. For a value that is refused alone, these are only pairs that no other row
    decides."""
    given = case["mutant"].get("counts")
    return [tuple(map(tuple, pair)) for pair in given] if given is not None else pairs(case)


# Parts of a complaint that may differ although the cause is the same: names, numbers, quoted texts, and positions.
OWN = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\S*[/:]\S*|[\d.]+|pairs\S*|\b[a-z]{50,}\b")


def kind_of(line):
    """Returns the kind of a complaint: the line without names and numbers."""
    variable = re.match(r"\S+: \S+: \S+: (\w+) is ", line)
    return (variable[1] + ": " if variable else "") + OWN.sub("…", line)[:120]


def section(found, seed, before):
    """Returns this part of the document. The rows of targets that this run has not checked stay."""
    lines = [
        "",
        "## Pairs of values",
        "",
        "Written by `targets/conformance/agreement TARGET --pairs N --seed S --write`; each row is of the last run of its target. Every",
        "property of the schema (of the job, a role, or the block of the target) has boundary values: both ends of its range and the",
        "values beyond, empty, long, unusual characters, each enum value, and absent. A covering array contains each pair of values of two",
        "properties. A pair is reached if a spec with it passes the gate and the engine accepts it, or if the gate refuses a spec",
        "because of one of the two. A value that the gate refuses alone is only in specs without a second invalid value. With N,",
        "only the first N specs of the array are generated, and one in 16 of the values that are refused alone is tried with others.",
        "Each value that is refused alone is put into the artifact of its nearest accepted value, and the engine judges the result.",
        "`sources` is a digest of the code of the language, the target, and the cases. A run of `agreement` lists the rows that were",
        "written with other sources.",
        "",
        "| target | N, S | properties | values | refused alone, by language and target | pairs reached of all | accepted by the engine | refused together | specs judged | false accepts | refused values asked, taken by the engine, without a reason | seconds | sources |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    rows, parts = kept(before)
    for one in found:
        reached, there = one.numbers()
        alone = collections.Counter(value["language"] for value in one.summary["alone"])
        share = f"{reached} of {there} ({int(1000 * reached / there) / 10} %)"
        cells = (f"`{one.target}`", f"{one.count or 'all'}, {seed}", one.summary["factors"], one.summary["levels"],
                 f"{alone[True]}, {alone[False]}", share, len(one.reached), len(one.summary["refused together"]), one.rows,
                 one.accepts, f"{one.refusals.asked} of {one.refusals.there}, {len(one.refusals.taken)}, {len(one.refusals.false())}",
                 f"{one.seconds:.0f}", one.sources)
        rows[one.target] = "| " + " | ".join(map(str, cells)) + " |"
        parts[one.target] = "\n".join([*lost(one), *together(one), *alone_of(one)])
    order = [target for target in engines.PLATFORMS if target in rows]
    return "\n".join([*lines, *(rows[target] for target in order), *(parts[target] for target in order)]) + "\n"


def kept(before):
    """Returns the row and the parts of the existing document for each target."""
    rows, parts = {}, collections.defaultdict(str)
    table, *blocks = re.split(r"\n(?=\n### )", before.rstrip("\n"))
    for target in engines.PLATFORMS:
        own = [line for line in table.splitlines() if line.startswith(f"| `{target}` |")]
        rows.update({target: line for line in own})
        parts[target] = "\n".join(block for block in blocks if f"`{target}`" in block.split("\n", 2)[1])
    return rows, parts


def lost(one):
    """Returns the table of pairs that are not reached, because the engine complains about every spec with them."""
    if one.lost:
        yield from ["", f"### Pairs of `{one.target}` that the engine does not accept", "", "| pairs | complaint |", "|---|---|"]
        yield from (f"| {times} | {cell(kind)[:200]} |" for kind, times in one.lost.most_common())


def together(one):
    """Returns the table of the pairs of values that are refused only together."""
    yield from ["", f"### Pairs that `{one.target}` refuses together", "", "No spec can contain them, because of these rules.", ""]
    yield from ["| property | code | pairs | the first, and why |", "|---|---|---|---|"]
    for rule, factor, times, first in one.unreachable():
        yield f"| `{factor}` | {linked(rule)} | {times} | {cell(first)[:240]} |"


def alone_of(one):
    """Returns the table of the values that are refused alone."""
    yield from ["", f"### Values that `{one.target}` refuses alone", "", "The engine judged each value that can be part of an artifact. For values that it accepts, `refusals.d/` has the reason.", ""]
    yield from ["| property | code | values | the first, and why |", "|---|---|---|---|"]
    rows = {}
    for value in one.summary["alone"]:
        if not value["language"]:
            code, _, why = value["why"].partition(": ")
            rows.setdefault((value["factor"], code), []).append(f"`{cell(value['value'])}`: {cell(why)[:160]}")
    yield from (f"| `{factor}` | {linked(code)} | {len(why)} | {why[0]} |" for (factor, code), why in rows.items())


def linked(code):
    """Returns a code with a link to its page."""
    return f"[{code}]({page(code)})"


def cell(text):
    """Returns a text as a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
