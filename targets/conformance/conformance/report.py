"""An engine's complaint on the words of the spec that it is about; what it says of the processes that it started."""
import shlex


def place(case, finding):
    """`file:line:column` of the words behind a value, or behind the nearest thing that holds it; None without any."""
    origins = {
        origin["pointer"]: origin["at"]
        for origin in case["origins"]
        if origin["artifact"] == finding.get("artifact") and origin["document"] == finding.get("document", 0)
    }
    pointer = finding.get("pointer") or ""
    while pointer and pointer not in origins:
        pointer = pointer.rpartition("/")[0]
    return origins.get(pointer)


def line(case, engine, finding):
    """What a person reads."""
    at = place(case, finding) or case["spec"] or case["case"]
    where = f"{finding.get('artifact', '')}{finding.get('pointer') or ''}"
    return f"{at}: {engine} {finding['kind']} {where}: {finding['words']}"


def life(case, answer):
    """Lines for a person: how each service ended, and of each task its end, its files, its words and its variables."""
    services = [one for one in answer["understood"].values() if isinstance(one, dict) and "containers" in one]
    yield f"{case['case']}: " + ("; ".join(one["state"] for one in services) or answer["verdict"])
    ends = {part["instance"]: part for one in services for part in one["containers"]}
    for task in answer.get("tasks") or []:
        name = f"{task['role']}-{task['index']}"
        end = ends.get(name, {})
        yield f"  {name}" + (f": exit {end['exit']}, started {end['starts']} times" if end else "")
        yield from (f"    file {path}, {size} bytes" for path, size in end.get("files", {}).items())
        yield f"    in {task.get('workdir') or 'its own folder'}: {shlex.join(task.get('argv') or ['(partial)'])}"
        yield from (f"    {key}={value!r}" for key, value in sorted(task["env"].items()))
