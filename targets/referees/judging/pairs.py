"""Specs that hold every pair of boundary values before the engine; what it does not take is shrunk to the values behind it."""
import collections
import json
import re

from . import cases, engines
from .agreement import page, told

BATCH = 60
# So many different disagreements are shrunk in one run; the others are printed as they are.
SHRUNK = 12
# A row without the values of a known disagreement is judged again, so often at most.
AGAIN = 2


class Pairs:
    """One target's covering array: what we and the engine said of it."""

    def __init__(self, target, count, seed):
        self.target, self.count = target, count
        self.versions = engines.versions(target)
        found, self.summary = cases.pairs(target, count, seed)
        self.judged, self.reached, self.shrunk, self.complaints = 0, set(), {}, []
        bad = self.judge(found)
        for _ in range(AGAIN):
            self.shrink(bad)
            bad = self.judge(self.without(bad))
            if not bad:
                break
        self.complaints += [f"{words[0]}\n    not shrunk" for kind, words in kinds(bad).items() if kind not in self.shrunk]

    def judge(self, asked):
        """The cases of which the engine complains, with its words; of the others the pairs are reached."""
        bad = []
        for start in range(0, len(asked), BATCH):
            batch = asked[start : start + BATCH]
            for case, answer in zip(batch, engines.ask(self.target, "judge", batch)):
                words = told(self.target, {**case, "mutant": {"changes": []}}, answer)
                self.judged += 1
                if words:
                    bad.append((case, words[0]))
                else:
                    self.reached.update(pairs(case))
        return bad

    def shrink(self, bad):
        """Finds for each new disagreement the fewest values of a row that show it."""
        new = {kind: found for kind, found in kinds(bad, whole=True).items() if kind not in self.shrunk}
        running = {}
        for kind, (case, words) in list(new.items())[: SHRUNK - len(self.shrunk)]:
            search = smallest(case["mutant"]["levels"])
            running[kind] = (search, next(search), words)
        while running:
            asked = [(kind, levels) for kind, (_, wanted, _) in running.items() for levels in wanted]
            shown = self.shown(asked)
            for kind, (search, wanted, words) in list(running.items()):
                answers = [shown[kind, json.dumps(levels)] for levels in wanted]
                try:
                    running[kind] = (search, search.send(answers), words)
                except StopIteration as end:
                    del running[kind]
                    self.found(kind, end.value, words)

    def shown(self, asked):
        """Of each kind and its levels, whether the engine still complains so of them."""
        lines = [(str(number), levels) for number, (_, levels) in enumerate(asked)]
        made = [case for case in cases.chosen_levels(self.target, lines) if case["artefacts"]]
        told_of = {}
        for start in range(0, len(made), BATCH):
            batch = made[start : start + BATCH]
            for case, answer in zip(batch, engines.ask(self.target, "judge", batch)):
                told_of[int(case["case"])] = set(kinds([(case, words) for words in told(self.target, case, answer)]))
        return {(kind, json.dumps(levels)): kind in told_of.get(number, ()) for number, (kind, levels) in enumerate(asked)}

    def found(self, kind, levels, words):
        """Remembers a disagreement by its fewest values, and says it with its spec."""
        self.shrunk[kind] = [tuple(cell) for cell in levels]
        [case] = cases.chosen_levels(self.target, [("smallest", levels)])
        changes = "\n    ".join(case["mutant"]["changes"]) or "the plain job"
        self.complaints.append(f"{words.splitlines()[0][:600]}\n    {changes}\n    {json.dumps(case['mutant']['document'])[:1500]}")

    def without(self, bad):
        """The rows again, without one value of each known disagreement that they hold."""
        lines = []
        for case, _ in bad:
            levels = [tuple(cell) for cell in case["mutant"]["levels"]]
            for culprits in self.shrunk.values():
                if culprits and set(culprits) <= set(levels):
                    levels.remove(culprits[0])
            if len(levels) < len(case["mutant"]["levels"]):
                lines.append((case["case"], levels))
        return [case for case in cases.chosen_levels(self.target, lines) if case["artefacts"]] if lines else []

    def numbers(self):
        """How many pairs are reached, and how many there are."""
        there = self.summary["pairs"] + self.summary["beside"]["wanted"]
        return len(self.reached) + self.summary["refused together"] + self.summary["beside"]["guarded"], there

    def good(self):
        """Whether nothing that we accept is refused by the engine, and all of a whole array is reached."""
        reached, there = self.numbers()
        return not self.complaints and (self.count or reached == there)


def pairs(case):
    """The pairs of levels that a row holds."""
    levels = sorted(map(tuple, case["mutant"]["levels"]))
    return {(a, b) for place, a in enumerate(levels) for b in levels[place + 1 :]}


# What differs between two complaints of one cause: names, numbers, quoted texts, places.
OWN = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\S*[/:]\S*|[\d.]+|pairs\S*|\b[a-z]{50,}\b")


def kinds(bad, whole=False):
    """The first case (or only its words) of each kind of complaint: lines that differ in names and numbers are of one kind."""
    found = {}
    for case, words in bad:
        kind = OWN.sub("…", words.splitlines()[0])[:120]
        found.setdefault(kind, (case, words) if whole else (words,))
    return found


def smallest(levels):
    """Delta debugging: yields lists of parts of the levels, is sent which of them still show it, returns the smallest."""
    parts = 2
    while len(levels) > 1:
        size = -(-len(levels) // parts)
        chunks = [levels[start : start + size] for start in range(0, len(levels), size)]
        rest = [[cell for other in chunks if other is not chunk for cell in other] for chunk in chunks]
        candidates = chunks + rest if len(chunks) > 2 else chunks
        shown = yield candidates
        best = next((one for one, still in zip(candidates, shown) if still), None)
        if best is not None:
            levels, parts = best, 2 if best in chunks else max(parts - 1, 2)
        elif size == 1:
            break
        else:
            parts = min(parts * 2, len(levels))
    return levels


def section(found, seed):
    """The part of the document."""
    lines = [
        "",
        "## Pairs of values",
        "",
        f"Made by `targets/referees/agree --pairs {found[0].count} --seed {seed} --write`. Every property of the schema (of the job,",
        "of a role, of the target's block) with its boundary values: both ends of its range and the values beyond, empty, long,",
        "unusual characters, each enum value, absent. A covering array holds each pair of values of two properties. A pair is",
        "reached if a spec with it passes the gate and the engine accepts it, or if the gate refuses the two together though it",
        "accepts each alone. A value that the gate refuses alone stands next to every other value in a spec that has no second",
        "invalid value; the pair is reached if the spec is refused, or if the engine accepts it.",
        "",
        "| target | properties | values | refused alone, by language and target | pairs reached of all | refused together | specs judged | false accepts |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in found:
        reached, there = one.numbers()
        alone = collections.Counter(value["language"] for value in one.summary["alone"])
        share = f"{reached} of {there} ({int(1000 * reached / there) / 10} %)"
        cells = (f"`{one.target}`", one.summary["factors"], one.summary["levels"], f"{alone[True]}, {alone[False]}", share,
                 one.summary["refused together"], one.judged, len(one.complaints))
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    for one in found:
        lines += ["", f"### Values that `{one.target}` refuses alone", "", "Review these for false refusals: the engine was not asked.", ""]
        lines += ["| property | code | values | the first, and why |", "|---|---|---|---|"]
        rows = {}
        for value in one.summary["alone"]:
            if not value["language"]:
                code, _, why = value["why"].partition(": ")
                rows.setdefault((value["factor"], code), []).append(f"`{cell(value['value'])}`: {cell(why)[:160]}")
        lines += [f"| `{factor}` | [{code}]({page(code)}) | {len(why)} | {why[0]} |" for (factor, code), why in rows.items()]
    return "\n".join(lines) + "\n"


def cell(text):
    """Text in a table."""
    return text.replace("|", "\\|").replace("\n", " ")
