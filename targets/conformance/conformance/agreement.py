"""Mutants before the engine: nothing that we accept may be refused, dropped or changed there."""
import collections
import re

from . import cases, compare, engines, report

# Of the mutants that are meant to be valid so many must compile.
FLOORS = {"yarn": 0.90, "kubernetes": 0.90, "spark": 0.70, "dcos": 0.50}
MEANT = ("valid", "odd", "wrong", "past")
BATCH = 200


class Agreement:
    """One target's mutants, what we said of each and what the engine said of those that we accepted."""

    def __init__(self, target, count, seed):
        self.target, self.count, self.mutants = target, count, cases.mutants(target, count, seed)
        self.versions = engines.versions(target)
        self.named = named(target)
        self.accepted = self.named + [case for case in self.mutants if case["artifacts"]]
        self.complaints = []
        for start in range(0, len(self.accepted), BATCH):
            batch = self.accepted[start : start + BATCH]
            for case, answer in zip(batch, engines.ask(target, "judge", batch)):
                self.complaints += told(target, case, answer)

    def of(self, meant):
        """How many were meant so, and how many of them compile."""
        all_of = [case for case in self.mutants if case["mutant"]["meant"] == meant]
        return len(all_of), sum(bool(case["artifacts"]) for case in all_of)

    def share(self):
        """The share of what was meant to be valid that compiles."""
        all_of, compiled = self.of("valid")
        return compiled / all_of

    def asks(self):
        """How many features the mutants asked for, of how many there are, and those that are missing."""
        features = self.mutants[0]["mutant"]["features"]
        asked = set(self.mutants[0]["mutant"]["made again"]).union(*(case["mutant"]["answers"] for case in self.mutants))
        return [name for name in features if name in asked], [name for name in features if name not in asked]

    def sentences(self):
        """How many of the target's own sentences the mutants were told, and how many there are."""
        told = [case["mutant"]["sentences"] for case in self.mutants]
        return len(set().union(*(one["met"] for one in told))), told[0]["of"]

    def refusals(self):
        """Why what was meant to be valid does not compile: the ask or the code, the sentence, its proof."""
        found = collections.Counter()
        for case in self.mutants:
            if case["mutant"]["meant"] == "valid" and not case["artifacts"]:
                asks = {(f"`{r['feature']}`", r["why"], r["evidence"]) for r in case["mutant"]["refusals"]}
                codes = {(f"[{t['code']}]({page(t['code'])})", t["why"], source(t["code"])) for t in case["mutant"]["told"]}
                found.update(asks | codes)
        return found

    def past(self):
        """Past the gate: how often words were taken away, by their place, and what is not judged there, by the code."""
        without, unjudged = collections.Counter(), collections.Counter()
        for case in self.mutants:
            if case["mutant"]["meant"] == "past":
                words = [one for one in case["mutant"]["given up"] if one.startswith("without ")]
                without["allowed" if not words else "taken away"] += 1
                if not case["artifacts"]:
                    unjudged.update({told["code"] for told in case["mutant"]["told"]} or {"unsupported-feature"})
        return without, unjudged

    def unproven(self):
        """The kinds of refusal that name no proof."""
        return [f"{ask}: {why}" for ask, why, proof in self.refusals() if not proof]

    def good(self):
        """Whether the promise holds for these mutants. Few of them say nothing of shares, nor reach every ask."""
        many, enough = self.count >= 200, self.count >= 1000
        refuses_too_much = many and self.share() < FLOORS[self.target]
        lacking = self.unproven() or (enough and self.asks()[1])
        return not self.complaints and not refuses_too_much and not lacking


# What a page of a code calls a source: a section of docs/evidence, a file or a name of the platform's own, in parentheses.
SOURCE = re.compile(r"\(([^()]*(?:evidence/|`|[A-Za-z]\.(?:java|cpp|go|py|scala|raml))[^()]*(?:\([^()]*\)[^()]*)*)\)")


def page(code):
    """The page of a code, as AGREEMENT.md links it."""
    pages = [f"../errors/{code}.md", f"../../compiler/lang/errors/{code}.md"]
    return next(one for one in pages if (engines.HERE / one).is_file())


def source(code):
    """The sources that the page of a code names before its first spec."""
    words = (engines.HERE / page(code)).read_text(encoding="utf-8").split("```", 1)[0]
    return "; ".join(dict.fromkeys(SOURCE.findall(words.replace("\n", " "))))


def named(target):
    """The specs that the target must take whatever the mutants are: among them each that was once a disagreement."""
    folder = engines.ROOT / "targets/tests/specs" / target
    return cases.of_paths(target, [folder]) if folder.is_dir() else []


def told(engine, case, answer):
    """All that is wrong with an accepted mutant, with what was done to it."""
    lines = wrong(engine, case, answer)
    lines += [f"{case['case']}: {engine}: {words}" for words in compare.disagreements(case, answer)]
    changes = "; ".join(case["mutant"]["changes"]) if "mutant" in case else "no change: a named case"
    return ["\n".join(lines)[:2000] + f"\n    after {changes}"[:2000]] if lines else []


def wrong(engine, case, answer):
    """Each thing that the engine refuses, drops or changes, or that does not run."""
    lines = [report.line(case, engine, f) for f in answer.get("findings", []) if f["kind"] != "warning"]
    return lines or ([f"{case['case']}: {engine}: {answer['verdict']}"] if answer["verdict"] != "accepted" else [])


REFUSED = "## What was meant to be valid and is refused: "


def kept(before, target):
    """What the document already says of a target: its row of the first table, of the second, and its section."""
    head, *sections = re.split(rf"\n(?={REFUSED})", before)
    rows = [line for line in head.splitlines() if line.startswith(f"| `{target}` |")]
    section = [one for one in sections if one.startswith(f"{REFUSED}`{target}`")]
    return (rows + ["", ""])[:2] + ["\n".join(section).strip("\n")]


def table(agreements, count, seed, before=""):
    """The document. What it said before of targets that were not asked stays."""
    parts = {target: kept(before, target) for target in engines.PLATFORMS}
    parts |= {one.target: written(one) for one in agreements}
    parts = [part for part in parts.values() if any(part)]
    lines = [
        "# Agreement of our verdicts with the engines'",
        "",
        f"Made by `targets/conformance/agreement --count {count} --seed {seed} --write`. Mutants of the examples, each with two to",
        "four words changed; half of them are meant to be valid at that target, a quarter holds odd, long or hostile words,",
        "a quarter a word that the language does not take. A false accept: we are silent, and the engine refuses, drops a",
        "key, changes a value, or gives a process another environment or other words than `tfjob show` claims. A sentence is",
        "a text of several words in the target's sources: each arm of an answer, a rule or a step has its own. `cargo test`",
        "holds that some spec of the test data is told each of them; the table says how many the mutants are told.",
        "",
        "A mutant that the gate refuses is judged past it, too: what `allow` may bear is allowed, and of any other finding",
        "the words that it complains of are taken away, or as much around them as the language needs to take the rest; never",
        "a role, the framework or, unless it is too long, the name. The engine must take all that is left. What still does not compile is not judged,",
        "and counted by its code; nor is what the language itself refuses: there is no plan of it.",
        "",
        "Each disagreement that was ever found stays as a named case: as a row of [the traps](../../docs/pitfalls.md) where a",
        "spec is told of it, else as a spec below `targets/tests/specs`, which is judged here before the mutants.",
        "",
        "| target | engine | mutants | compiled of valid (floor) | of odd | of wrong | past the gate, of refused | false accepts | asks reached | sentences reached |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [part[0] for part in parts]
    lines += ["", "| target | refused, judged with `allow` alone | with words taken away | not judged, by code |", "|---|---|---|---|"]
    lines += [part[1] for part in parts]
    return "\n".join(lines + [line for part in parts for line in ("", part[2])]) + "\n"


def written(one):
    """What the document says of one target: as [`kept`]."""
    how, unjudged = one.past()
    left = ", ".join(f"`{code}` {times}" for code, times in unjudged.most_common())
    lines = [f"{REFUSED}`{one.target}`", "", "| times | ask or code | why | proof |", "|---|---|---|---|"]
    for (feature, why, proof), times in sorted(one.refusals().items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"| {times} | {feature} | {cell(why)} | {cell(proof)} |")
    second = f"| `{one.target}` | {how['allowed']} | {how['taken away']} | {left or 'none'} |"
    return ["| " + " | ".join(row(one)) + " |", second, "\n".join(lines)]


def row(one):
    """A target's cells in the first table."""
    parts = {meant: "{1} of {0}".format(*one.of(meant)) for meant in MEANT}
    versions = ", ".join(f"{name} {spoken(version)}" for name, version in one.versions.items())
    (reached, missing), (met, sentences) = one.asks(), one.sentences()
    return (f"`{one.target}`", versions, str(one.count), f"{parts['valid']} ({FLOORS[one.target]:.0%})", parts["odd"],
            parts["wrong"], parts["past"], str(len(one.complaints)), f"{len(reached)} of {len(reached) + len(missing)}",
            f"{met} of {sentences}")


# The cells of the first table that no sample changes, or those parts of them: who judged, the floor and how many asks there
# are. The number of sentences changes with every edit of a message, and says nothing of the promise: it may be older.
FIXED = {"engine": (1, r".*"), "compiled of valid (floor)": (3, r"\(.*\)"), "asks reached": (8, r"of \d+")}


def amiss(one, text):
    """What the document says otherwise than it is now, whatever the sample."""
    rows = {cells[0]: cells for line in text.splitlines() if len(cells := line.strip("| ").split(" | ")) == len(row(one))}
    page = rows.get(f"`{one.target}`")
    if page is None:
        yield f"{one.target}: AGREEMENT.md has no row of it"
        return
    for name, (at, part) in FIXED.items():
        said, now = (re.search(part, cells[at])[0] for cells in (page, row(one)))
        if said != now:
            yield f"{one.target}: {name}: AGREEMENT.md says `{said}`, and it is `{now}`"


def spoken(version):
    """One version, or several that judge together."""
    return " and ".join(version) if isinstance(version, list) else version


def cell(text):
    """Text in a table."""
    return text.replace("|", "\\|").replace("\n", " ")
