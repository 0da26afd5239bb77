"""Mutants before the engine: nothing that we accept may be refused, dropped or changed there."""
import collections

from . import cases, compare, engines, report

# Of the mutants that are meant to be valid so many must compile.
FLOORS = {"yarn": 0.90, "kubernetes": 0.90, "spark": 0.70, "dcos": 0.50}
MEANT = ("valid", "odd", "wrong", "allowed")
BATCH = 200


class Agreement:
    """One target's mutants, what we said of each and what the engine said of those that we accepted."""

    def __init__(self, target, count, seed):
        self.target, self.count, self.mutants = target, count, cases.mutants(target, count, seed)
        self.versions = engines.versions(target)
        self.accepted = [case for case in self.mutants if case["artefacts"]]
        self.complaints = []
        for start in range(0, len(self.accepted), BATCH):
            batch = self.accepted[start : start + BATCH]
            for case, answer in zip(batch, engines.ask(target, "judge", batch)):
                self.complaints += told(target, case, answer)

    def of(self, meant):
        """How many were meant so, and how many of them compile."""
        all_of = [case for case in self.mutants if case["mutant"]["meant"] == meant]
        return len(all_of), sum(bool(case["artefacts"]) for case in all_of)

    def share(self):
        """The share of what was meant to be valid that compiles."""
        all_of, compiled = self.of("valid")
        return compiled / all_of

    def asks(self):
        """How many features the mutants asked for, of how many there are, and those that are missing."""
        features = self.mutants[0]["mutant"]["features"]
        asked = set().union(*(case["mutant"]["answers"] for case in self.mutants))
        return [name for name in features if name in asked], [name for name in features if name not in asked]

    def sentences(self):
        """How many of the target's own sentences the mutants were told, and how many there are."""
        told = [case["mutant"]["sentences"] for case in self.mutants]
        return len(set().union(*(one["met"] for one in told))), told[0]["of"]

    def refusals(self):
        """Why what was meant to be valid does not compile: the ask, the first words of the reason, its proof."""
        found = collections.Counter()
        for case in self.mutants:
            if case["mutant"]["meant"] == "valid" and not case["artefacts"]:
                reasons = {(r["feature"], r["why"], r["proof"]) for r in case["mutant"]["refusals"]}
                found.update(reasons or {("", line.split(": ", 1)[1], "") for line in case["refused"]})
        return found

    def good(self):
        """Whether the promise holds for these mutants. Few of them say nothing of shares, nor reach every ask."""
        many, enough = self.count >= 200, self.count >= 1000
        refuses_too_much = many and self.share() < FLOORS[self.target]
        return not self.complaints and not refuses_too_much and not (enough and self.asks()[1])


def told(engine, case, answer):
    """All that is wrong with an accepted mutant, with what was done to it."""
    lines = [report.line(case, engine, f) for f in answer.get("findings", []) if f["kind"] != "warning"]
    if answer["verdict"] != "accepted" and not lines:
        lines = [f"{case['case']}: {engine}: {answer['verdict']}"]
    lines += [f"{case['case']}: {engine}: {words}" for words in compare.disagreements(case, answer)]
    changes = "; ".join(case["mutant"]["changes"])
    return ["\n".join(lines)[:2000] + f"\n    after {changes}"[:2000]] if lines else []


def table(agreements, count, seed):
    """The document."""
    lines = [
        "# Agreement of our verdicts with the engines'",
        "",
        f"Made by `targets/referees/agree --count {count} --seed {seed} --write`. Mutants of the examples, each with two to",
        "four words changed; half of them are meant to be valid at that target, a quarter holds odd, long or hostile words,",
        "a quarter a word that the language does not take. A false accept: we are silent, and the engine refuses, drops a",
        "key, changes a value, or gives a process another environment or other words than `tfjob show` claims. A refused",
        "mutant is compiled once more with an `allow` for all that the target refuses: what can be given up leaves an artefact",
        "that the engine takes, too. A sentence is a text of several words in the target's sources: each arm of an answer, a",
        "rule or a step has its own. `cargo test` holds that some spec of the test data is told each of them; the table says",
        "how many the mutants are told.",
        "",
        "| target | engine | mutants | compiled of valid (floor) | of odd | of wrong | of refused, allowed | false accepts | asks reached | sentences reached |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for one in agreements:
        parts = {meant: "{1} of {0}".format(*one.of(meant)) for meant in MEANT}
        versions = ", ".join(f"{name} {spoken(version)}" for name, version in one.versions.items())
        reached, missing = one.asks()
        met, sentences = one.sentences()
        lines.append(
            f"| `{one.target}` | {versions} | {one.count} | {parts['valid']} ({FLOORS[one.target]:.0%}) |"
            f" {parts['odd']} | {parts['wrong']} | {parts['allowed']} | {len(one.complaints)} | {len(reached)} of {len(reached) + len(missing)} |"
            f" {met} of {sentences} |"
        )
    for one in agreements:
        lines += ["", f"## What was meant to be valid and is refused: `{one.target}`", "", "| times | ask | why | proof |"]
        lines.append("|---|---|---|---|")
        for (feature, why, proof), times in sorted(one.refusals().items(), key=lambda item: (-item[1], item[0])):
            lines.append(f"| {times} | {f'`{feature}`' if feature else ''} | {cell(why)} | {cell(proof)} |")
    return "\n".join(lines) + "\n"


def spoken(version):
    """One version, or several that judge together."""
    return " and ".join(version) if isinstance(version, list) else version


def cell(text):
    """Text in a table."""
    return text.replace("|", "\\|").replace("\n", " ")
