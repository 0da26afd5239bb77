"""Reproduces the pitfalls with the engines. Each pitfall is one change of a plain artifact that a naive compiler might make,
with the expected reaction of the engine."""
import copy
import json
import tomllib

from . import engines
from .engines import HERE

FOLDER = HERE / "pitfalls.d"
KINDS = ("refused", "broken", "dropped", "changed", "warning")


def load(target):
    """Returns the table of a target: base artifacts, named prefixes of pointers, and pitfalls."""
    return tomllib.loads((FOLDER / f"{target}.toml").read_text(encoding="utf-8"))


def cases(target):
    """Returns each pitfall with its case."""
    table = load(target)
    return [(pitfall, _case(target, table, pitfall, number)) for number, pitfall in enumerate(table["pitfall"])]


def answers(target, asked):
    """Returns the answer to each case. Cases with `run` are executed, and all others are judged."""
    found = {}
    for how in ("judge", "run"):
        of_these = [case for pitfall, case in asked if pitfall.get("run", False) == (how == "run")]
        found |= {answer["case"]: answer for answer in engines.ask(target, how, of_these)}
    return [found[case["case"]] for _, case in asked]


def unseen(pitfall, answer):
    """Returns how the reaction of the engine differs from the table, or None if it does not."""
    sees, findings = pitfall["sees"], answer["findings"]
    if sees == "accepted" and answer["verdict"] != "accepted":
        return f"the verdict is {answer['verdict']}: {_words(findings)}"
    if sees in KINDS:
        of_kind = [finding for finding in findings if finding["kind"] == sees]
        if not any(pitfall.get("words", "") in finding["words"] for finding in of_kind):
            return f"no finding is `{sees}` with the text {pitfall.get('words')!r}; the verdict is {answer['verdict']}: {_words(findings)}"
    understood = answer["understood"]
    for name, value in pitfall.get("understood", {}).items():
        is_there = understood.get(name)
        if is_there != value and not (isinstance(value, dict) and value.items() <= (is_there or {}).items()):
            return f"{name} is understood as {is_there!r}"
    told = [_process(task) for task in answer.get("tasks") or []]
    for name, value in pitfall.get("process", {}).items():
        if not any(process.get(name) == value for process in told):
            return f"{name} is {value!r} in no process; it is {[process.get(name) for process in told]!r}"
    for name, value in pitfall.get("lost", {}).items():
        if not told or any(process.get(name) == value for process in told):
            return f"{name} is {value!r}, as written, but should be lost"
    return None


def _words(findings):
    return "; ".join(f"{finding['kind']} {finding['words']}" for finding in findings)[:600] or "no findings"


def _process(task):
    """Returns the environment variables of a process, and its arguments as `argv`."""
    return {**task.get("env", {}), "argv": task.get("argv")}


def _case(target, table, pitfall, number):
    base = table["base"][pitfall.get("base", "plain")]
    case = {"case": f"{number} {pitfall['name']}", "target": target, "options": {**base.get("options", {}), **pitfall.get("options", {})},
            "artifacts": [], "tasks": base.get("tasks", [])}
    if "json" in base:
        whole = _changed(json.loads(base["json"]), pitfall, table.get("places", {}))
        text = pitfall.get("text") or json.dumps(whole, ensure_ascii=False)
    else:
        whole, text = None, base["text"].replace("@@", pitfall.get("put", ""))
    if target == "tensorflow":
        return {**case, "tasks": [_task(task) for task in whole]}
    more = [{"path": path, "text": text, "executable": False} for path, text in base.get("beside", {}).items()]
    return {**case, "artifacts": [{"path": base["path"], "text": text, "executable": False}, *more]}


def _task(task):
    """Returns a row as a claim about a task. Variables that are objects are written as JSON text."""
    env = {name: value if isinstance(value, str) else json.dumps(value) for name, value in task["env"].items()}
    return {"argv": [], "workdir": None, **task, "env": env}


def _changed(document, pitfall, places):
    """Returns the document with the changes of the pitfall."""
    document = copy.deepcopy(document)
    for pointer in pitfall.get("unset", []):
        parent, key = _at(document, pointer, places)
        del parent[key]
    # In the table, a long text is written as `[text, times]`.
    long = {pointer: text * times for pointer, (text, times) in pitfall.get("repeat", {}).items()}
    for pointer, value in {**pitfall.get("set", {}), **long}.items():
        parent, key = _at(document, pointer, places)
        if isinstance(parent, list) and key == len(parent):
            parent.append(value)
        else:
            parent[key] = value
    return document


def _at(document, pointer, places):
    """Returns the parent of the value at a JSON pointer, and the key of the value there. A pointer may begin with a named
    prefix. `-` stands for the end of a list."""
    first, *rest = pointer.split("/")
    steps = [*places.get(first, first).split("/")[1:], *rest]
    for step in steps[:-1]:
        document = document[int(step)] if isinstance(document, list) else document.setdefault(_plain(step), {})
    last = steps[-1]
    if isinstance(document, list):
        return document, len(document) if last == "-" else int(last)
    return document, _plain(last)


def _plain(step):
    return step.replace("~1", "/").replace("~0", "~")
