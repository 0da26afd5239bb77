"""Strings that bite before the engine: what we carry reaches the process byte for byte, what we do not is told why."""
import collections

from . import cases, engines, report


class Strings:
    """One target's strings: how many came through, what we refused, and what was lost on the way."""

    def __init__(self, target, count, seed):
        self.target, self.count = target, count
        found, self.refused = cases.strings(target, count, seed)
        self.carried = sum(case["strings"]["count"] for case in found)
        self.complaints = []
        for case, answer in zip(found, engines.ask(target, "judge", found)):
            self.complaints += told(target, case, answer)


def told(engine, case, answer):
    """What the engine refuses or changes, and what does not reach the process as it was written."""
    lines = [report.line(case, engine, f) for f in answer.get("findings", []) if f["kind"] != "warning"]
    if answer["verdict"] != "accepted" and not lines:
        lines = [f"{case['case']}: {engine}: {answer['verdict']}"]
    wanted = case["strings"]
    tasks = answer.get("tasks") or []
    if not tasks and (wanted["env"] or wanted["argv"]):
        lines.append(f"{case['case']}: {engine} tells of no task")
    for task in tasks:
        env, argv = task.get("env", {}), task.get("argv")
        for name, text in wanted["env"].items():
            if env.get(name) != text:
                lines.append(f"{case['case']}: {engine}: {text!r:.200} is {env.get(name)!r:.200} in the process")
        if wanted["argv"] and argv is not None and argv[-len(wanted["argv"]) :] != wanted["argv"]:
            pairs = zip(wanted["argv"], argv[-len(wanted["argv"]) :])
            lines += [f"{case['case']}: {engine}: {a!r:.200} is {b!r:.200} in the words" for a, b in pairs if a != b]
        if wanted["argv"] and argv is None:
            lines.append(f"{case['case']}: {engine} tells of no words")
    return lines


def section(found, seed):
    """The part of the document."""
    lines = [
        "",
        "## Strings that bite",
        "",
        f"Made by `targets/conformance/agreement --strings {found[0].count} --seed {seed} --write`: strings of quotes, blanks, substitutions,",
        "comments, YAML's words, marks of direction, and once in a while 100 KB of them, each through a variable, an argument,",
        "a parameter or the description, and read back by the engine's own readers.",
        "",
        "| target | strings | came through | refused, and told so | lost or changed |",
        "|---|---|---|---|---|",
    ]
    for one in found:
        refused = sum(one.refused.values())
        lines.append(f"| `{one.target}` | {one.count} | {one.carried} | {refused} | {len(one.complaints)} |")
    for one in found:
        if one.refused:
            reasons = "; ".join(f"{why} ({times})" for why, times in collections.Counter(one.refused).most_common())
            lines += ["", f"Refused for `{one.target}`: {reasons}."]
    return "\n".join(lines) + "\n"
