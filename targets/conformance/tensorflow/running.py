"""`engine run`: runs each task of a case as a process on loopback, with its claimed TF_CONFIG."""
import contextlib
import json
import tempfile

import claims
import validation
import place
from toolchain import apart
from toolchain.cases import answer, finding

LIMIT = 90


@contextlib.contextmanager
def run():
    """Starts one process with TensorFlow for all cases."""
    apart.enter(place.environment)
    stage = place.server("stage.py")
    try:
        yield lambda case: settle(case, stage)
    finally:
        stage.close()


def settle(case, stage):
    """Returns the answer to one case."""
    all_ = claims.tasks(case)
    meeting = [task for task in all_ if task.text is not None]
    named = case.get("options", {}).get("strategy")
    if not meeting:
        found = list(validation.nobody(named, all_))
        return answer(case, found, {"not tensorflow": True} if not named else {"strategy": named})
    strategy = claims.strategy(case, meeting)
    here = claims.Loopback(meeting)
    with tempfile.TemporaryDirectory(dir=apart.scratch()) as folder:
        asked = [{"name": task.name, "text": here.config(task)} for task in here.tasks]
        said = stage.ask({"strategy": strategy, "tasks": asked, "limit": LIMIT, "folder": folder})["tasks"]
    findings = list(validation.version(case, stage))
    for one in said:
        findings += played(one, strategy)
    understood = {"strategy": strategy, "addresses": "127.0.0.1 and free ports in place of those claimed",
                  "shrunk": here.shrunk, "played": {one["name"]: brief(one) for one in said}}
    for task, one in zip(here.tasks, said):
        findings += saw(task, one, here)
    return answer(case, findings, understood)


def played(one, strategy):
    """Returns the findings about the run of one task."""
    events = {event["event"] for event in one["events"]}
    if one["error"]:
        yield finding("broken", one["error"], f"{one['name']} TF_CONFIG")
    elif "done" not in events and not ("serving" in events and (strategy != "custom" or "step" in events)):
        last = one["events"][-1]["event"] if one["events"] else "nothing"
        words = f"ended with {one['status']}" if one["status"] not in (None, -9) else f"still waited after {LIMIT} s"
        yield finding("broken", f"{one['name']} {words}; its last line was {last}", f"{one['name']} TF_CONFIG")


def brief(one):
    """Returns the output of a task, without the lines that another finding contains."""
    return [{key: value for key, value in event.items() if key not in ("cluster", "target")}
            for event in one["events"] if event["event"] != "read"]


def saw(task, one, here):
    """Returns the values of TF_CONFIG that the process read differently from the claim. Addresses are not compared."""
    read = next((event for event in one["events"] if event["event"] == "read"), None)
    if not read:
        return
    cluster = {role: [here.claimed(address) for address in all_] for role, all_ in read["cluster"].items()}
    claimed = {role: here.kept(role, addresses) for role, addresses in task.cluster().items() if addresses}
    own = task.config.get("task") or {}
    pairs = (("/cluster", claimed, cluster), ("/task/type", own.get("type"), read["type"]),
             ("/task/index", own.get("index"), read["index"]))
    for pointer, written, understood in pairs:
        if written != understood:
            words = f"{json.dumps(written)} is read as {json.dumps(understood)}"
            yield finding("changed", words, f"{task.name} TF_CONFIG", pointer)
