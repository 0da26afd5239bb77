"""`engine judge`: reads the claimed TF_CONFIG of each task with the code of TensorFlow."""
import contextlib
import json

import claims
import place
from toolchain import apart
from toolchain.cases import answer, finding

# Keys of TF_CONFIG that TensorFlow reads.
READ = {"cluster", "task", "rpc_layer", "environment", "session_master", "eval_session_master", "model_dir",
        "service", "experimental_max_worker_delay_secs"}


@contextlib.contextmanager
def judge():
    """Starts one TensorFlow process for all cases."""
    apart.enter(place.environment)
    server = place.server("resolver.py")
    try:
        yield lambda case: settle(case, server)
    finally:
        server.close()


def settle(case, server):
    """Returns the answer to one case."""
    tasks = claims.tasks(case)
    meeting = [task for task in tasks if task.text is not None]
    named = case.get("options", {}).get("strategy")
    if not meeting:
        understood = {"strategy": named} if named else {"not tensorflow": True}
        return answer(case, list(nobody(named, tasks)), understood)
    strategy = claims.strategy(case, meeting)
    said = server.ask({"tasks": [{"name": t.name, "text": t.text} for t in meeting], "strategy": strategy})["tasks"]
    findings = list(version(case, server))
    understood = {"strategy": strategy, "tasks": {}}
    for task, one in zip(meeting, said):
        findings += compared(task, one)
        understood["tasks"][task.name] = one.get("read") or one["error"]
    findings += agreed(strategy, understood["tasks"])
    return answer(case, findings, understood)


def nobody(strategy, tasks):
    """Returns a finding if a distributed strategy has several tasks without TF_CONFIG, because each of them would train alone."""
    if strategy in claims.MEETING[:3] and len(tasks) > 1:
        yield finding("broken", f"{len(tasks)} tasks of {strategy} have no TF_CONFIG: each trains alone")


def version(case, server):
    """Warns if the case needs another TensorFlow version than that of the engine."""
    options, have = case.get("options", {}), server.versions["tensorflow"]
    wanted = options.get("version") if options.get("framework", "tensorflow") == "tensorflow" else None
    if wanted and not f"{have}.".startswith(f"{wanted}."):
        yield finding("warning", f"TensorFlow {have} judges a job for {wanted}")


def compared(task, one):
    """Returns the values in the TF_CONFIG of a task that TensorFlow refuses, or reads differently."""
    at = f"{task.name} TF_CONFIG"
    if "error" in one:
        yield finding("refused", one["error"], at)
        return
    read, own = one["read"], task.config.get("task") or {}
    for key in sorted(set(task.config) - READ):
        yield finding("dropped", f"TensorFlow does not read {key}", at, f"/{key}")
    pairs = [("/cluster", {k: v for k, v in task.cluster().items() if v}, read["cluster"]),
             ("/task/type", own.get("type"), read["type"]), ("/task/index", own.get("index"), read["index"])]
    if "rpc_layer" in task.config:
        pairs.append(("/rpc_layer", task.config["rpc_layer"], read["rpc_layer"]))
    for pointer, written, understood in pairs:
        if written != understood:
            yield finding("changed", f"{json.dumps(written)} is read as {json.dumps(understood)}", at, pointer)
    here = read["cluster"].get(read["type"] or "", [])
    if here and read.get("master") and isinstance(read["index"], int) and read["index"] < len(here):
        address = here[read["index"]]
        if not read["master"].endswith(address):
            yield finding("changed", f"the address of the task, {address}, is read as {read['master']}", at, "/task")


def agreed(strategy, read):
    """Returns a finding if the tasks have different clusters. They would wait for peers that do not exist."""
    members = {name: one for name, one in read.items() if isinstance(one, dict) and one["type"] != "evaluator"}
    clusters = {json.dumps(one["cluster"], sort_keys=True) for one in members.values() if one["cluster"]}
    if len(clusters) > 1:
        yield finding("broken", f"the tasks see {len(clusters)} different clusters", "TF_CONFIG", "/cluster")
    chiefs = sorted(name for name, one in members.items() if one.get("strategy", {}).get("chief"))
    whole = len(clusters) == 1 and all(isinstance(one, dict) for one in read.values())
    if strategy in claims.MEETING[:3] and len(chiefs) != 1 and whole:
        yield finding("broken", f"tasks that act as chief: {chiefs}", "TF_CONFIG")
    leaders = {one["strategy"]["leader"] for one in members.values() if "leader" in one.get("strategy", {})}
    if len(leaders) > 1:
        yield finding("broken", f"the tasks follow different leaders: {sorted(leaders)}", "TF_CONFIG")
    places = [(one["type"], one["index"]) for one in members.values()]
    for place_ in sorted({one for one in places if places.count(one) > 1}, key=str):
        yield finding("broken", f"two tasks are {place_[0]} {place_[1]}", "TF_CONFIG", "/task")
