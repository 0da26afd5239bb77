"""The ledgers. VALIDATED: the artifacts under snapshots/ that each engine accepted. RAN: the artifacts that it ran, with the
digest of the shim. Only `validate` writes them."""
import functools
import hashlib
import json

from .engines import HERE, static_shim

PATHS = {"judge": HERE / "VALIDATED", "run": HERE / "RAN"}


def entry(case, engine, versions, answer, verdict):
    """Returns one line of a ledger: digests of the inputs, the engine with its versions, its verdict, and the digest of what it
    has understood."""
    return {
        "snapshot": f"{case['case']}/{case['target']}",
        "engine": engine,
        "versions": versions,
        "verdict": verdict,
        **_asked(case),
        "understood": _digest(_plain(answer.get("understood"))),
        "tasks": len(answer.get("tasks") or []),
    }


def _asked(case):
    """Returns the digests of a case: those of its artifacts, and that of the claims about its tasks."""
    files = {file["path"]: _digest(file["text"]) for file in case["artifacts"]}
    return {"artifacts": files, "claims": _digest(_plain(case["tasks"]))}


def proof(case, program):
    """Returns one line of E2E: the digests of the artifacts, the claims, the program, and the shim."""
    return {"target": case["target"], **_asked(case), "program": _digest(program), "shim": shim()}


def ended(answer):
    """Returns the final state of each service and the exit codes of its containers, if the engine reports them."""
    told = [one for one in answer["understood"].values() if isinstance(one, dict) and "containers" in one]
    return [
        {"state": one["state"], "exits": {part["instance"]: part["exit"] for part in one["containers"]}} for one in told
    ]


def has_run(case, engine):
    """Returns whether this engine has run exactly these artifacts with exactly this shim, with the same claims, and with
    success."""
    line = read("run").get((f"{case['case']}/{case['target']}", engine), {})
    wanted = {"verdict": "accepted", "shim": shim(), **_asked(case)}
    return all(line.get(key) == value for key, value in wanted.items())


@functools.cache
def shim():
    """Returns the digest of the released shim. A source change that does not change the binary makes no run stale. Another
    CARGO_HOME does: its path is part of the panic locations."""
    return hashlib.sha256(static_shim().read_bytes()).hexdigest()


def read(how):
    """Returns the entries of a ledger by snapshot and engine."""
    if not PATHS[how].exists():
        return {}
    lines = map(json.loads, PATHS[how].read_bytes().splitlines())
    return {(line["snapshot"], line["engine"]): line for line in lines}


def write(how, entries, engines, kept):
    """Replaces all entries of these engines by new ones. Old entries of the snapshots in `kept` stay."""
    lines = {key: line for key, line in read(how).items() if key[1] not in engines or key in kept}
    lines.update({(line["snapshot"], line["engine"]): line for line in entries if line})
    text = (json.dumps(lines[key], ensure_ascii=False) + "\n" for key in sorted(lines))
    PATHS[how].write_text("".join(text), encoding="utf-8")


def _plain(value):
    """Returns a canonical text of a value. The test that reads the ledger computes the same text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
