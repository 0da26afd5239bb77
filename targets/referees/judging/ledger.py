"""JUDGED: which artefacts under snapshots/ which engine has accepted. Only `judge` writes it."""
import hashlib
import json

from .engines import HERE

PATH = HERE / "JUDGED"


def entry(case, engine, versions, answer, verdict):
    """One line: the digests of what was judged, who judged, what he said, and the digest of what he understood."""
    files = {file["path"]: _digest(file["text"]) for file in case["artefacts"]}
    understood = json.dumps(answer.get("understood"), sort_keys=True, ensure_ascii=False)
    return {
        "snapshot": f"{case['case']}/{case['target']}",
        "engine": engine,
        "versions": versions,
        "verdict": verdict,
        "artefacts": files,
        "claims": _digest(json.dumps(case["tasks"], sort_keys=True, ensure_ascii=False)),
        "understood": _digest(understood),
        "tasks": len(answer.get("tasks") or []),
    }


def read():
    """The entries by snapshot and engine."""
    if not PATH.exists():
        return {}
    lines = map(json.loads, PATH.read_bytes().splitlines())
    return {(line["snapshot"], line["engine"]): line for line in lines}


def write(entries, engines):
    """Puts these entries in the place of all that these engines said before."""
    kept = {key: line for key, line in read().items() if key[1] not in engines}
    kept.update({(line["snapshot"], line["engine"]): line for line in entries})
    lines = (json.dumps(kept[key], ensure_ascii=False) + "\n" for key in sorted(kept))
    PATH.write_text("".join(lines), encoding="utf-8")


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
