"""End-to-end test of the shim inside the platforms: one job runs, and its logs must show rendezvous, failure, restart, and completion."""
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
# Path of the test program, in the image or on the node.
PROGRAM = "/opt/proof/task.py"
# Values in claims that only a running cluster knows. Each run adds more.
KNOWN = {"yarn": {"$USER": "root"}, "kubernetes": {}, "spark": {}, "dcos": {}}
# Text at the end of the job state of each platform after success.
SUCCESS = {"yarn": "SUCCEEDED", "kubernetes": "Succeeded", "spark": "ended with 0, ['tfjob: job succeeded']",
           "dcos": "removed after `tfjob: chief-0 exited with code 0`"}
VICTIM, CHIEF, SERVER = ("worker", 1), ("chief", 0), ("ps", 0)


def prove(engine, changed, verbose):
    """Runs the job on an engine. Returns whether every run shows the expected behavior."""
    begin = time.monotonic()
    case = cases.of_paths(engine, [FOLDER / f"{engine}.tfjob.kdl"])[0]
    if case.get("refused"):
        raise engines.Unavailable("\n".join(case["refused"]))
    entry = ledger.proof(case, (FOLDER / "task.py").read_text(encoding="utf-8"))
    if changed and entry in _read():
        print(f"{engine}: unchanged since the last successful run", file=sys.stderr)
        return True
    lives = _run(engine, case)
    complaints = [f"{life['engine']}: {words}" for life in lives for words in lacking(engine, case, life)]
    print("\n".join(complaints), end="\n" if complaints else "")
    for life in lives if verbose or complaints else []:
        print("\n".join(_life(life)))
    for life in lives:
        print(f"{engine}: {life['engine']}: {life['state']}, {life['seconds']:.1f} s", file=sys.stderr)
    print(f"{engine}: {'passed' if not complaints else 'failed'}, {time.monotonic() - begin:.1f} s", file=sys.stderr)
    _write(engine, [] if complaints else [entry])
    return not complaints


def lacking(engine, case, life):
    """Returns the expected behavior that the logs do not show."""
    if not life["state"].endswith(SUCCESS[engine]):
        yield f"the job is {life['state']}: {life.get('diagnostics')}"
    found = {(one["role"], one["index"]): one for one in life["containers"]}
    if len(found) < len(life["containers"]):
        yield "a task was started in two containers"
    for task in case["tasks"]:
        who = (task["role"], task["index"])
        one = found.pop(who, None)
        if one is None:
            yield f"{_name(who)} did not run"
            continue
        said = one["out"].splitlines()
        for number in (1, 2) if who == VICTIM else (1,):
            wanted = f"{_name(who)}: attempt {number}, TF_CONFIG={_known(engine, task, life.get('known', {}))}"
            if wanted not in said:
                yield f"{_name(who)} did not print `{wanted}`"
        for peer in case["tasks"]:
            if peer is not task and not any(line.startswith(f"{_name(who)}: connected to {_name(_who(peer))} ") for line in said):
                yield f"{_name(who)} did not connect to {_name(_who(peer))}"
        yield from _ended(who, one, said)
    yield from (f"{_name(who)} was started, but is not claimed" for who in found)


def _ended(who, one, said):
    """Returns what is wrong with the end of one container, if anything."""
    if who == VICTIM:
        ours = one["err"]
        if "worker-1: killing itself" not in said or "killed by SIGKILL" not in ours or "restart 1 of 3" not in ours:
            yield f"the shim does not report the killed program of worker-1: {ours!r}"
    if who == CHIEF:
        # If a platform does not report the exit code of a task, it reports that of the job, which is the exit code of the chief.
        if said[-1:] != ["chief-0: done"] or one["exit"] not in (0, None):
            yield f"chief-0 ended with {one['exit']} after {said[-1:]}"
        if "chief:0: succeeded: the program reported completion before it was killed by SIGABRT" not in one["err"]:
            yield f"the shim does not report completion and SIGABRT of the chief: {one['err']!r}"
        if "chief-0: connected to worker-1 attempt 2" not in said:
            yield "chief-0 did not connect to worker-1 again"
    elif not any("stopped by signal 15" in line for line in said):
        yield f"{_name(who)} was not stopped by SIGTERM: exit code {one['exit']}, last line {said[-1:]}"


def _who(task):
    return task["role"], task["index"]


def _name(who):
    return f"{who[0]}-{who[1]}"


def _known(engine, task, more):
    """Returns the claimed TF_CONFIG with the values that the cluster knows."""
    text = task["env"]["TF_CONFIG"]
    for name, value in {**KNOWN[engine], **more}.items():
        text = text.replace(name, value)
    return text


def _hosts(engine, case):
    """Returns an IP address for each host name of the claims. Spark knows its host names only at run time."""
    if engine == "spark":
        return {}
    clusters = [json.loads(_known(engine, task, {}))["cluster"] for task in case["tasks"]]
    every = [address for cluster in clusters for all_ in cluster.values() for address in all_]
    hosts = dict.fromkeys(address.rpartition(":")[0] for address in every)
    return {host: f"10.77.0.{number}" for number, host in enumerate(hosts, 1)}


def _run(engine, case):
    """Runs the case with each version of an engine, in namespaces where the names of the tasks resolve."""
    asked = {"question": {key: case[key] for key in ("case", "target", "options", "artifacts", "tasks")},
             "hosts": _hosts(engine, case), "files": {PROGRAM: (FOLDER / "task.py").read_text(encoding="utf-8")}}
    env = {**os.environ, "TFJOB_SHIM": str(engines.static_shim())}
    engines.versions(engine)
    done = subprocess.run([sys.executable, "-B", FOLDER / "world.py", engine], input=json.dumps(asked).encode(),
                          stdout=subprocess.PIPE, env=env, cwd=engines.ROOT, check=False)
    if done.returncode:
        raise engines.Unavailable(f"world.py {engine} exited with {done.returncode}")
    lives = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    if broken := [life for life in lives if "state" not in life]:
        raise engines.Unavailable(f"{engine} could not run the job: {broken}")
    return lives


def _life(life):
    """Returns the output of one run."""
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
