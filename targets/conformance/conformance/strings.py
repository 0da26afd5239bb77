"""Hostile strings. Each accepted string must reach the process byte for byte, and each refused string must have a reason."""
import collections

from . import cases, engines, report


class Strings:
    """The strings of one target: the number that arrived, those that were refused, and those that were lost or changed."""

    def __init__(self, target, count, seed):
        self.target, self.count = target, count
        found, self.refused = cases.strings(target, count, seed)
        self.carried = sum(case["strings"]["count"] for case in found)
        self.complaints = []
        for case, answer in zip(found, engines.ask(target, "judge", found)):
            self.complaints += told(target, case, answer)


def told(engine, case, answer):
    """Returns what the engine refuses or changes, and which strings do not reach the process unchanged."""
    lines = [report.line(case, engine, f) for f in answer.get("findings", []) if f["kind"] != "warning"]
    if answer["verdict"] != "accepted" and not lines:
        lines = [f"{case['case']}: {engine}: {answer['verdict']}"]
    wanted = case["strings"]
    tasks = answer.get("tasks") or []
    if not tasks and (wanted["env"] or wanted["argv"]):
        lines.append(f"{case['case']}: {engine} reports no task")
    for task in tasks:
        env, argv = task.get("env", {}), task.get("argv")
        for name, text in wanted["env"].items():
            if env.get(name) != text:
                lines.append(f"{case['case']}: {engine}: {text!r:.200} is {env.get(name)!r:.200} in the process")
        if wanted["argv"] and argv is not None and argv[-len(wanted["argv"]) :] != wanted["argv"]:
            pairs = zip(wanted["argv"], argv[-len(wanted["argv"]) :])
            lines += [f"{case['case']}: {engine}: {a!r:.200} is {b!r:.200} in the arguments" for a, b in pairs if a != b]
        if wanted["argv"] and argv is None:
            lines.append(f"{case['case']}: {engine} reports no arguments")
    return lines


def section(found, seed):
    """Returns the part of the document about strings."""
    lines = [
        "",
        "## Strings that bite",
        "",
        f"Written by `targets/conformance/agreement --strings {found[0].count} --seed {seed} --write`: strings with quotes, blanks,",
        "substitutions, comments, keywords of YAML, direction marks, and sometimes 100 KB of them. Each is passed in a variable, an argument,",
        "a parameter, or the description, and read back by the parsers of the engine.",
        "",
        "| target | strings | arrived unchanged | refused with a reason | lost or changed |",
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
