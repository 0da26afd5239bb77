"""What a naive compiler would write, one small change of a plain artifact a trap, and what the engine must make of it."""
import copy
import json
import tomllib

from . import engines
from .engines import HERE

FOLDER = HERE / "pitfalls.d"
KINDS = ("refused", "broken", "dropped", "changed", "warning")


def load(target):
    """The table of a target: its bases, the places that pointers may begin with, its traps."""
    return tomllib.loads((FOLDER / f"{target}.toml").read_text(encoding="utf-8"))


def cases(target):
    """Each trap with the case that falls in."""
    table = load(target)
    return [(trap, _case(target, table, trap, number)) for number, trap in enumerate(table["trap"])]


def answers(target, asked):
    """What the engine makes of each; of those that say `run`, when they really run."""
    found = {}
    for how in ("judge", "run"):
        of_these = [case for trap, case in asked if trap.get("run", False) == (how == "run")]
        found |= {answer["case"]: answer for answer in engines.ask(target, how, of_these)}
    return [found[case["case"]] for _, case in asked]


def unseen(trap, answer):
    """Why what the table says is not what the engine did; nothing where it did so."""
    sees, findings = trap["sees"], answer["findings"]
    if sees == "accepted" and answer["verdict"] != "accepted":
        return f"it is {answer['verdict']}: {_words(findings)}"
    if sees in KINDS:
        of_kind = [finding for finding in findings if finding["kind"] == sees]
        if not any(trap.get("words", "") in finding["words"] for finding in of_kind):
            return f"nothing is {sees}, with the words {trap.get('words')!r}; it is {answer['verdict']}: {_words(findings)}"
    understood = answer["understood"]
    for name, value in trap.get("understood", {}).items():
        is_there = understood.get(name)
        if is_there != value and not (isinstance(value, dict) and value.items() <= (is_there or {}).items()):
            return f"{name} is understood as {is_there!r}"
    told = [_process(task) for task in answer.get("tasks") or []]
    for name, value in trap.get("process", {}).items():
        if not any(process.get(name) == value for process in told):
            return f"{name} is {value!r} in no process, but {[process.get(name) for process in told]!r}"
    for name, value in trap.get("lost", {}).items():
        if not told or any(process.get(name) == value for process in told):
            return f"{name} is {value!r}, as it was written"
    return None


def _words(findings):
    return "; ".join(f"{finding['kind']} {finding['words']}" for finding in findings)[:600] or "without a word"


def _process(task):
    """The variables of a process, and its words as `argv`."""
    return {**task.get("env", {}), "argv": task.get("argv")}


def _case(target, table, trap, number):
    base = table["base"][trap.get("base", "plain")]
    case = {"case": f"{number} {trap['name']}", "target": target, "options": {**base.get("options", {}), **trap.get("options", {})},
            "artifacts": [], "tasks": base.get("tasks", [])}
    if "json" in base:
        whole = _changed(json.loads(base["json"]), trap, table.get("places", {}))
        text = trap.get("text") or json.dumps(whole, ensure_ascii=False)
    else:
        whole, text = None, base["text"].replace("@@", trap.get("put", ""))
    if target == "tensorflow":
        return {**case, "tasks": [_task(task) for task in whole]}
    more = [{"path": path, "text": text, "executable": False} for path, text in base.get("beside", {}).items()]
    return {**case, "artifacts": [{"path": base["path"], "text": text, "executable": False}, *more]}


def _task(task):
    """A claim whose TF_CONFIG may stand as an object."""
    env = {name: value if isinstance(value, str) else json.dumps(value) for name, value in task["env"].items()}
    return {"argv": [], "workdir": None, **task, "env": env}


def _changed(document, trap, places):
    """The document with what the trap sets and takes away."""
    document = copy.deepcopy(document)
    for pointer in trap.get("unset", []):
        parent, key = _at(document, pointer, places)
        del parent[key]
    # A text that is too long to stand in a table: `[text, times]`.
    long = {pointer: text * times for pointer, (text, times) in trap.get("repeat", {}).items()}
    for pointer, value in {**trap.get("set", {}), **long}.items():
        parent, key = _at(document, pointer, places)
        if isinstance(parent, list) and key == len(parent):
            parent.append(value)
        else:
            parent[key] = value
    return document


def _at(document, pointer, places):
    """What holds the value of a pointer, which may begin with a place's name; and its key there. `-` is a list's end."""
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
