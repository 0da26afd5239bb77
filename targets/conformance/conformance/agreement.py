"""Mutants of the examples. The engine must not refuse, drop, or change anything that tfjob accepts."""
import collections
import re

from . import cases, compare, engines, report

# Minimum share of mutants that compile, among those that are meant to be valid.
FLOORS = {"yarn": 0.90, "kubernetes": 0.90, "spark": 0.70, "dcos": 0.50}
MEANT = ("valid", "odd", "wrong", "past")
BATCH = 200


class Agreement:
    """The mutants of one target, with the verdicts of tfjob. For mutants that tfjob accepts, also the verdicts of the engine."""

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
        """Returns the number of mutants of a kind, and how many of them compile."""
        all_of = [case for case in self.mutants if case["mutant"]["meant"] == meant]
        return len(all_of), sum(bool(case["artifacts"]) for case in all_of)

    def share(self):
        """Returns the share of compiled mutants among those that are meant to be valid."""
        all_of, compiled = self.of("valid")
        return compiled / all_of

    def asks(self):
        """Returns the features that the mutants request, and those that they do not."""
        features = self.mutants[0]["mutant"]["features"]
        asked = set(self.mutants[0]["mutant"]["made again"]).union(*(case["mutant"]["answers"] for case in self.mutants))
        return [name for name in features if name in asked], [name for name in features if name not in asked]

    def sentences(self):
        """Returns how many messages of the target the mutants cause, and how many exist."""
        told = [case["mutant"]["sentences"] for case in self.mutants]
        return len(set().union(*(one["met"] for one in told))), told[0]["of"]

    def refusals(self):
        """Counts the reasons why mutants that are meant to be valid do not compile. A reason has the feature or code, the
        message, and the evidence."""
        found = collections.Counter()
        for case in self.mutants:
            if case["mutant"]["meant"] == "valid" and not case["artifacts"]:
                required = {(f"`{r['feature']}`", r["why"], r["evidence"]) for r in case["mutant"]["refusals"]}
                codes = {(f"[{t['code']}]({page(t['code'])})", t["why"], source(t["code"])) for t in case["mutant"]["told"]}
                found.update(required | codes)
        return found

    def past(self):
        """Counts the mutants that the engine judged after `allow` accepted their refused parts, or after these parts were
        removed. Also counts those that it did not judge, by code."""
        without, unjudged = collections.Counter(), collections.Counter()
        for case in self.mutants:
            if case["mutant"]["meant"] == "past":
                words = [one for one in case["mutant"]["given up"] if one.startswith("without ")]
                without["allowed" if not words else "taken away"] += 1
                if not case["artifacts"]:
                    unjudged.update({told["code"] for told in case["mutant"]["told"]} or {"unsupported-feature"})
        return without, unjudged

    def unproven(self):
        """Returns the kinds of refusal that cite no evidence."""
        return [f"{feature}: {why}" for feature, why, evidence in self.refusals() if not evidence]

    def good(self):
        """Returns whether there are no disagreements. Shares and features are checked only if there are enough mutants."""
        many, enough = self.count >= 200, self.count >= 1000
        refuses_too_much = many and self.share() < FLOORS[self.target]
        lacking = self.unproven() or (enough and self.asks()[1])
        return not self.complaints and not refuses_too_much and not lacking


# A source that the page of a code cites in parentheses: a section of docs/evidence, or a file or name of the platform.
SOURCE = re.compile(r"\(([^()]*(?:evidence/|`|[A-Za-z]\.(?:java|cpp|go|py|scala|raml))[^()]*(?:\([^()]*\)[^()]*)*)\)")


def page(code):
    """Returns the path of the page of a code, relative to AGREEMENT.md."""
    pages = [f"../errors/{code}.md", f"../../compiler/lang/errors/{code}.md"]
    return next(one for one in pages if (engines.HERE / one).is_file())


def source(code):
    """Returns the sources that the page of a code cites before its first example."""
    words = (engines.HERE / page(code)).read_text(encoding="utf-8").split("```", 1)[0]
    return "; ".join(dict.fromkeys(SOURCE.findall(words.replace("\n", " "))))


def named(target):
    """Returns the cases of fixed specs that the target must accept. They include all former disagreements."""
    folder = engines.ROOT / "targets/tests/specs" / target
    return cases.of_paths(target, [folder]) if folder.is_dir() else []


def told(engine, case, answer):
    """Returns the complaints about an accepted mutant, with its changes."""
    lines = wrong(engine, case, answer)
    lines += [f"{case['case']}: {engine}: {words}" for words in compare.disagreements(case, answer)]
    changes = "; ".join(case["mutant"]["changes"]) if "mutant" in case else "no change: a named case"
    return ["\n".join(lines)[:2000] + f"\n    after {changes}"[:2000]] if lines else []


def wrong(engine, case, answer):
    """Returns what the engine refuses, drops, or changes in a case, or that it does not run the case."""
    lines = [report.line(case, engine, f) for f in answer.get("findings", []) if f["kind"] != "warning"]
    return lines or ([f"{case['case']}: {engine}: {answer['verdict']}"] if answer["verdict"] != "accepted" else [])


REFUSED = "## What was meant to be valid and is refused: "


def kept(before, target):
    """Returns the parts of the existing document about a target: its rows of both tables, and its section."""
    head, *sections = re.split(rf"\n(?={REFUSED})", before)
    rows = [line for line in head.splitlines() if line.startswith(f"| `{target}` |")]
    section = [one for one in sections if one.startswith(f"{REFUSED}`{target}`")]
    return (rows + ["", ""])[:2] + ["\n".join(section).strip("\n")]


def table(agreements, count, seed, before=""):
    """Returns the new document. Parts about targets that this run has not checked stay."""
    parts = {target: kept(before, target) for target in engines.PLATFORMS}
    parts |= {one.target: written(one) for one in agreements}
    parts = [part for part in parts.values() if any(part)]
    lines = [
        "# Agreement of tfjob with the engines",
        "",
        f"Written by `targets/conformance/agreement --count {count} --seed {seed} --write`. A mutant is an example with two to",
        "four changed values. Half of the mutants are meant to be valid for the target, a quarter has unusual, long, or hostile",
        "values, and a quarter has a value that the language refuses. In a false accept, tfjob reports nothing, but the engine",
        "refuses the artifact, drops a key, changes a value, or starts a process with another environment or other arguments than",
        "`tfjob show` claims. A sentence is a message in the sources of the target. `cargo test` checks that the test data causes",
        "each message; the table says how many of them the mutants cause.",
        "",
        "A mutant that the gate refuses is judged too, after its refused parts are removed. Findings that `allow` can accept are",
        "allowed. For other findings, the values that they point at are removed, with as much around them as the language needs.",
        "Roles, the framework, and the name are kept, unless the name is too long. The engine must accept the rest. Mutants that still do",
        "not compile are not judged; they are counted by code. Mutants that the language refuses have no plan and are not judged.",
        "",
        "Each disagreement that was found stays as a named case: as a row of [the pitfalls](../../docs/pitfalls.md) if tfjob",
        "reports it, otherwise as a spec below `targets/tests/specs`, which is judged before the mutants.",
        "",
        "| target | engine | mutants | compiled of valid (floor) | of odd | of wrong | past the gate, of refused | false accepts | asks reached | sentences reached |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [part[0] for part in parts]
    lines += ["", "| target | refused, judged with `allow` alone | with words taken away | not judged, by code |", "|---|---|---|---|"]
    lines += [part[1] for part in parts]
    return "\n".join(lines + [line for part in parts for line in ("", part[2])]) + "\n"


def written(one):
    """Returns the new parts of the document about one target, in the form of `kept`."""
    how, unjudged = one.past()
    left = ", ".join(f"`{code}` {times}" for code, times in unjudged.most_common())
    lines = [f"{REFUSED}`{one.target}`", "", "| times | feature or code | why | evidence |", "|---|---|---|---|"]
    for (feature, why, evidence), times in sorted(one.refusals().items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"| {times} | {feature} | {cell(why)} | {cell(evidence)} |")
    second = f"| `{one.target}` | {how['allowed']} | {how['taken away']} | {left or 'none'} |"
    return ["| " + " | ".join(row(one)) + " |", second, "\n".join(lines)]


def row(one):
    """Returns the cells of a target in the first table."""
    parts = {meant: "{1} of {0}".format(*one.of(meant)) for meant in MEANT}
    versions = ", ".join(f"{name} {spoken(version)}" for name, version in one.versions.items())
    (reached, missing), (met, sentences) = one.asks(), one.sentences()
    return (f"`{one.target}`", versions, str(one.count), f"{parts['valid']} ({FLOORS[one.target]:.0%})", parts["odd"],
            parts["wrong"], parts["past"], str(len(one.complaints)), f"{len(reached)} of {len(reached) + len(missing)}",
            f"{met} of {sentences}")


# Cells of the first table, or parts of cells, that do not depend on the sample: engine versions, floors, and the number of
# features. The number of sentences is not checked, because it changes whenever a message changes.
FIXED = {"engine": (1, r".*"), "compiled of valid (floor)": (3, r"\(.*\)"), "asks reached": (8, r"of \d+")}


def amiss(one, text):
    """Returns the cells of the document that are outdated, whatever the sample is."""
    rows = {cells[0]: cells for line in text.splitlines() if len(cells := line.strip("| ").split(" | ")) == len(row(one))}
    page = rows.get(f"`{one.target}`")
    if page is None:
        yield f"{one.target}: AGREEMENT.md has no row for this target"
        return
    for name, (at, part) in FIXED.items():
        said, now = (re.search(part, cells[at])[0] for cells in (page, row(one)))
        if said != now:
            yield f"{one.target}: {name}: AGREEMENT.md has `{said}`, but the current value is `{now}`"


def spoken(version):
    """Returns a version as text, or several versions that judge together."""
    return " and ".join(version) if isinstance(version, list) else version


def cell(text):
    """Returns a text as a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
