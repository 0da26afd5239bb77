"""Finds false refusals. Each value that tfjob refuses is put into the artifact of the most similar accepted value, and the
engine judges the result. If the engine accepts it, `refusals.d/` must have a row with a reason. Otherwise, the refusal is false.
"""
import collections
import difflib
import functools
import json
import tomllib

from . import cases, edits, engines
from .engines import HERE

FOLDER = HERE / "refusals.d"
# A sample contains one of this many refused values. Each seed selects other values.
SAMPLED = 16
# Number of characters of a long value that are compared.
COMPARED = 100
# Maximum number of pairs of accepted values that are compared to locate a value in the artifact.
TRIED = 24
WORDS = ("property", "rule", "says", "why", "evidence")


class Refusals:
    """The verdicts of the engine on values that tfjob refuses for a target."""

    def __init__(self, target, seed, sampled, judge):
        """`judge` takes cases and returns each with the kinds of complaint of the engine."""
        self.target, self.sampled = target, sampled
        accepted, refused = cases.alone(target)
        self.rows = rows(target)
        self.plain, self.own = accepted[0], collections.defaultdict(list)
        for case in accepted[1:]:
            self.own[case["mutant"]["alone"]["factor"]].append(case)
        chosen = [one for at, one in enumerate(refused) if not sampled or at % SAMPLED == seed % SAMPLED]
        self.there, self.unreached, self.known = len(refused), collections.Counter(), {}
        made = [(one, case) for one in chosen if (case := self.made(one))]
        self.asked = len(made)
        taken = [one for one, (_, words) in zip((one for one, _ in made), judge([case for _, case in made])) if not words]
        self.taken = [(one, self.listed(one)) for one in taken]

    def made(self, one):
        """Returns the case with the refused value. Returns None if the value is in no artifact, and counts the reason."""
        try:
            return self.edited(one)
        except edits.Impossible as why:
            self.unreached[str(why)] += 1
            return None

    def edited(self, one):
        value, own = one["value"], self.own[one["factor"]]
        if value is None:
            raise edits.Impossible("the property is absent, which is no value")
        if not own:
            raise edits.Impossible("no value of the property is accepted alone")
        why = None
        for case in sorted(own, key=lambda case: far(value, given(case))):
            try:
                return self.case(one, case)
            except edits.Impossible as found:
                why = why or found
        raise why

    def case(self, one, case):
        """Returns the case of an accepted value with the refused value in its place. Claims that cannot be derived from it are
        not compared."""
        found, claimed = self.places(one["factor"], case["case"])
        first, value = given(case), one["value"]
        edited = edits.applied(edits.tree(case), found, value, first)
        try:
            tasks = edits.applied(case["tasks"], [(path, edit) for path, edit in claimed], value, first)
        except (edits.Impossible, TypeError):
            tasks = None
        made = {**case, "case": f"refused-{one['factor']}-{one['level']}", "artifacts": edits.written(case, edited),
                "options": edited["options"], "tasks": tasks if tasks is not None else case["tasks"],
                "unclaimed": tasks is None, "mutant": {"changes": [f"{one['property']} = {one['words']}"], "levels": []}}
        json.dumps(made, ensure_ascii=False).encode()
        return made

    def places(self, factor, name):
        """Returns the places of an accepted value in the artifacts and in the claims. The claims may not contain it."""
        if (factor, name) not in self.known:
            try:
                self.known[factor, name] = self.compared(factor, name)
            except edits.Impossible as why:
                self.known[factor, name] = why
        found = self.known[factor, name]
        if isinstance(found, edits.Impossible):
            raise found
        return found

    def compared(self, factor, name):
        [case] = [case for case in self.own[factor] if case["case"] == name]
        others = [other for other in self.own[factor] if other is not case]
        why = edits.Impossible("the value is not in the artifact")
        for other in sorted(others, key=lambda other: far(given(case), given(other)))[:TRIED]:
            try:
                found = edits.places(edits.tree(case), edits.tree(other), given(case), given(other))
            except edits.Impossible as differs:
                why = differs
                continue
            if any(path[0] == "files" for path, _ in found):
                return found, claims(case, other)
        if others:
            raise why
        found = edits.only(edits.tree(case), edits.tree(self.plain), given(case))
        if not any(path[0] == "files" for path, _ in found):
            raise edits.Impossible("the value is not in the artifact")
        return found, UNKNOWN

    def listed(self, one):
        """Returns the row with the reason why tfjob refuses what the engine accepts. Returns None for a false refusal."""
        return next((row for row in self.rows if speaks(row, one)), None)

    def false(self):
        """Returns the refusals that the engine disproves."""
        return [one for one, row in self.taken if row is None]

    def idle(self):
        """Returns the rows of the table that apply to no refusal."""
        used = [row for _, row in self.taken]
        return [] if self.sampled else [row for row in self.rows if row["own"] and not any(row is one for one in used)]

    def good(self):
        """Returns whether each refusal that the engine disproves has a row with a reason."""
        return not self.false() and not self.idle()

    def words(self):
        """Returns the lines that a run prints."""
        yield (f"{self.target}: the engine judged {self.asked} of {self.there} values that are refused alone, and accepts"
               f" {len(self.taken)} of them; {len(self.false())} have no reason in refusals.d/")
        for why, times in self.unreached.most_common():
            yield f"{self.target}: {times} refused values were not judged: {why}"

    def complaints(self):
        """Returns the false refusals, and the rows that no refusal needs."""
        for one in self.false():
            yield (f"{self.target}: refused by us, accepted by the engine: {one['property']} = {one['words']}\n"
                   f"    {'language' if one['language'] else self.target}: {one['why'][:400]}")
        for row in self.idle():
            yield f"{self.target}: refusals.d/: no refusal needs the row of {row['property']} and {row['rule']}: {row['why']}"


UNKNOWN = [(("claims",), ("unknown",))]


def claims(case, other):
    """Returns the places of the value in the claims. Returns UNKNOWN if the claims differ in more than the value."""
    try:
        return edits.places(case["tasks"], other["tasks"], given(case), given(other))
    except edits.Impossible:
        return UNKNOWN


def given(case):
    """Returns the value of an accepted case."""
    return case["mutant"]["alone"]["value"]


def far(value, other):
    """Returns the distance of two values, as a sort key."""
    numbers = edits.quantity(value), edits.quantity(other)
    if None not in numbers:
        return type(value) is not type(other), abs(numbers[0] - numbers[1])
    return type(value) is not type(other), 1 - likeness(short(value), short(other))


@functools.cache
def likeness(one, other):
    """Returns the similarity of two texts, from 0 to 1."""
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def short(value):
    """Returns the beginning of a value, as text."""
    return (value if isinstance(value, str) else json.dumps(value))[:COMPARED]


def rows(target):
    """Returns the rows of a target, and those of the language, which apply to all targets."""
    found = []
    for name in ("language", target):
        text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
        for row in tomllib.loads(text).get("refusal", []):
            if missing := [word for word in ("property", "rule", "why", "evidence") if not row.get(word)]:
                raise SystemExit(f"refusals.d/{name}.toml: `{missing[0]}` is missing in a row: {row}")
            if unknown := set(row) - set(WORDS):
                raise SystemExit(f"refusals.d/{name}.toml: unknown key `{unknown.pop()}` in a row: {row}")
            found.append({**row, "own": name == target, "of": name})
    return found


def speaks(row, one):
    """Returns whether a row applies to a refusal: it must have the same property and code, and contain a part of the message."""
    code, _, words = one["why"].partition(": ")
    names = row["property"] if isinstance(row["property"], list) else [row["property"]]
    whose = (row["of"] == "language") == one["language"]
    return whose and code == row["rule"] and row.get("says", "") in words and bare(one["property"]) in names


def bare(name):
    """Returns the name of a property without the role, because properties of roles and of the job share their rows."""
    return name.removeprefix("role.worker.")
