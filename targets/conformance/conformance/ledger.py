"""VALIDATED: which artifacts under snapshots/ which engine has accepted; RAN: which of them it has really run, and with
which shim. Only `judge` writes them."""
import functools
import hashlib
import json

from .engines import HERE, static_shim

PATHS = {"judge": HERE / "VALIDATED", "run": HERE / "RAN"}


def entry(case, engine, versions, answer, verdict):
    """One line: the digests of what was judged, who judged, what he said, and the digest of what he understood."""
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
    """What a case is, by digests: its artifacts, and what is claimed of its tasks."""
    files = {file["path"]: _digest(file["text"]) for file in case["artifacts"]}
    return {"artifacts": files, "claims": _digest(_plain(case["tasks"]))}


def proof(case, program):
    """One line of E2E: what was proven, by digests of the artifacts, the claims, the program and the shim."""
    return {"target": case["target"], **_asked(case), "program": _digest(program), "shim": shim()}


def ended(answer):
    """How each service ended that really ran, and how each of its containers, where the engine tells of them."""
    told = [one for one in answer["understood"].values() if isinstance(one, dict) and "containers" in one]
    return [
        {"state": one["state"], "exits": {part["instance"]: part["exit"] for part in one["containers"]}} for one in told
    ]


def has_run(case, engine):
    """Whether this engine has run these very artifacts with this very shim, and they did as is claimed now."""
    line = read("run").get((f"{case['case']}/{case['target']}", engine), {})
    wanted = {"verdict": "accepted", "shim": shim(), **_asked(case)}
    return all(line.get(key) == value for key, value in wanted.items())


@functools.cache
def shim():
    """The digest of the shim as it is shipped: what does not change the program makes no run stale,
    except another CARGO_HOME, whose path is in the places of panics."""
    return hashlib.sha256(static_shim().read_bytes()).hexdigest()


def read(how):
    """The entries by snapshot and engine."""
    if not PATHS[how].exists():
        return {}
    lines = map(json.loads, PATHS[how].read_bytes().splitlines())
    return {(line["snapshot"], line["engine"]): line for line in lines}


def write(how, entries, engines, kept):
    """Puts these entries, and those of `kept` snapshots, in the place of all that these engines said before."""
    lines = {key: line for key, line in read(how).items() if key[1] not in engines or key in kept}
    lines.update({(line["snapshot"], line["engine"]): line for line in entries if line})
    text = (json.dumps(lines[key], ensure_ascii=False) + "\n" for key in sorted(lines))
    PATHS[how].write_text("".join(text), encoding="utf-8")


def _plain(value):
    """One text for one value, the same as the test that reads the ledger makes of it."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
