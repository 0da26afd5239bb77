"""The shim inside the platforms: one job, really run, whose logs must say that it met, died, came back and ended."""
import json
import os
import pathlib
import subprocess
import sys
import time

from . import cases, engines, ledger

ENGINES = ("yarn", "kubernetes", "spark", "dcos")
FOLDER = engines.HERE / "e2e.d"
LEDGER = engines.HERE / "E2E"
# Where each platform's image or node holds the program.
PROGRAM = "/opt/proof/task.py"
# What only a running cluster knows, as the claims write it; more of it comes with each run.
KNOWN = {"yarn": {"$USER": "root"}, "kubernetes": {}, "spark": {}, "dcos": {}}
# How each platform's word on a job ends that has succeeded.
SUCCESS = {"yarn": "SUCCEEDED", "kubernetes": "Succeeded", "spark": "ended with 0, ['tfjob: the job is done']",
           "dcos": "removed after `tfjob: chief-0 ended with code 0`"}
VICTIM, CHIEF, SERVER = ("worker", 1), ("chief", 0), ("ps", 0)


def prove(engine, changed, told):
    """Whether every run of an engine shows all that the job promises."""
    begin = time.monotonic()
    case = cases.of_paths(engine, [FOLDER / f"{engine}.tfjob.kdl"])[0]
    if case.get("refused"):
        raise engines.Unavailable("\n".join(case["refused"]))
    entry = ledger.proof(case, (FOLDER / "task.py").read_text(encoding="utf-8"))
    if changed and entry in _read():
        print(f"{engine}: proven before", file=sys.stderr)
        return True
    lives = _run(engine, case)
    complaints = [f"{life['engine']}: {words}" for life in lives for words in lacking(engine, case, life)]
    print("\n".join(complaints), end="\n" if complaints else "")
    for life in lives if told or complaints else []:
        print("\n".join(_life(life)))
    for life in lives:
        print(f"{engine}: {life['engine']}: {life['state']}, {life['seconds']:.1f} s", file=sys.stderr)
    print(f"{engine}: {'all is' if not complaints else 'not'} proven, {time.monotonic() - begin:.1f} s", file=sys.stderr)
    _write(engine, [] if complaints else [entry])
    return not complaints


def lacking(engine, case, life):
    """What the logs do not show."""
    if not life["state"].endswith(SUCCESS[engine]):
        yield f"the job is {life['state']}: {life.get('diagnostics')}"
    found = {(one["role"], one["index"]): one for one in life["containers"]}
    if len(found) < len(life["containers"]):
        yield "a task was started in two containers"
    for task in case["tasks"]:
        who = (task["role"], task["index"])
        one = found.pop(who, None)
        if one is None:
            yield f"{_name(who)} never ran"
            continue
        said = one["out"].splitlines()
        for number in (1, 2) if who == VICTIM else (1,):
            wanted = f"{_name(who)}: life {number}, TF_CONFIG={_known(engine, task, life.get('known', {}))}"
            if wanted not in said:
                yield f"{_name(who)} does not say `{wanted}`"
        for peer in case["tasks"]:
            if peer is not task and not any(line.startswith(f"{_name(who)}: meets {_name(_who(peer))} ") for line in said):
                yield f"{_name(who)} does not meet {_name(_who(peer))}"
        yield from _ended(who, one, said)
    yield from (f"{_name(who)} was started, and nobody claims it" for who in found)


def _ended(who, one, said):
    """What is amiss in how one container ended."""
    if who == VICTIM:
        ours = one["err"]
        if "worker-1: dies" not in said or "killed by SIGKILL" not in ours or "restart 1 of 3" not in ours:
            yield f"the shim says nothing of the death of worker-1: {ours!r}"
    if who == CHIEF:
        # A platform that does not tell a task's end tells the job's, which is this one's.
        if said[-1:] != ["chief-0: is done"] or one["exit"] not in (0, None):
            yield f"chief-0 ended with {one['exit']} after {said[-1:]}"
        if "chief-0 had done its work, as it said; it was killed by signal 6" not in one["err"]:
            yield f"the shim says nothing of a chief that was done and fell: {one['err']!r}"
        if "chief-0: meets worker-1 in life 2" not in said:
            yield "chief-0 does not meet worker-1 again"
    elif not any("is stopped by signal 15" in line for line in said):
        yield f"{_name(who)} was not stopped politely: exit {one['exit']}, last {said[-1:]}"


def _who(task):
    return task["role"], task["index"]


def _name(who):
    return f"{who[0]}-{who[1]}"


def _known(engine, task, more):
    """The claimed TF_CONFIG, with what the cluster knows in place of its names."""
    text = task["env"]["TF_CONFIG"]
    for name, value in {**KNOWN[engine], **more}.items():
        text = text.replace(name, value)
    return text


def _hosts(engine, case):
    """An address for each name that the claims have; those of Spark are known only as it runs."""
    if engine == "spark":
        return {}
    clusters = [json.loads(_known(engine, task, {}))["cluster"] for task in case["tasks"]]
    every = [address for cluster in clusters for all_ in cluster.values() for address in all_]
    hosts = dict.fromkeys(address.rpartition(":")[0] for address in every)
    return {host: f"10.77.0.{number}" for number, host in enumerate(hosts, 1)}


def _run(engine, case):
    """How each version of an engine ran the case, in a world where the tasks' names resolve."""
    asked = {"question": {key: case[key] for key in ("case", "target", "options", "artifacts", "tasks")},
             "hosts": _hosts(engine, case), "files": {PROGRAM: (FOLDER / "task.py").read_text(encoding="utf-8")}}
    env = {**os.environ, "TFJOB_SHIM": str(engines.static_shim())}
    engines.versions(engine)
    done = subprocess.run([sys.executable, "-B", FOLDER / "world.py", engine], input=json.dumps(asked).encode(),
                          stdout=subprocess.PIPE, env=env, cwd=engines.ROOT, check=False)
    if done.returncode:
        raise engines.Unavailable(f"the world of {engine} ended with {done.returncode}")
    lives = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    if broken := [life for life in lives if "state" not in life]:
        raise engines.Unavailable(f"{engine} could not run the job: {broken}")
    return lives


def _life(life):
    """What a person reads of one run."""
    yield f"{life['engine']}: {life['state']} {life.get('diagnostics', '')}"
    for one in life["containers"]:
        yield f"  {one['role']}-{one['index']}: exit {one['exit']}"
        for name in ("out", "err"):
            yield from (f"    {name}: {line}" for line in one[name].splitlines())


def _read():
    return [json.loads(line) for line in LEDGER.read_text(encoding="utf-8").splitlines()] if LEDGER.exists() else []


def _write(engine, entries):
    lines = [entry for entry in _read() if entry["target"] != engine] + entries
    text = "".join(json.dumps(entry) + "\n" for entry in sorted(lines, key=lambda entry: entry["target"]))
    LEDGER.write_text(text, encoding="utf-8")
