"""Output for users: findings of an engine at the line of the spec, and the processes that it started."""
import shlex


def place(case, finding):
    """Returns `file:line:column` of the line that sets a value, or the nearest value that contains it. Returns None if no line
    does."""
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
    """Returns a finding as one line."""
    at = place(case, finding) or case["spec"] or case["case"]
    where = f"{finding.get('artifact', '')}{finding.get('pointer') or ''}"
    return f"{at}: {engine} {finding['kind']} {where}: {finding['words']}"


def life(case, answer):
    """Returns lines about a run: the final state of each service, and exit code, files, arguments, and variables of each task."""
    services = [one for one in answer["understood"].values() if isinstance(one, dict) and "containers" in one]
    yield f"{case['case']}: " + ("; ".join(one["state"] for one in services) or answer["verdict"])
    ends = {part["instance"]: part for one in services for part in one["containers"]}
    for task in answer.get("tasks") or []:
        name = f"{task['role']}-{task['index']}"
        end = ends.get(name, {})
        yield f"  {name}" + (f": exit {end['exit']}, started {end['starts']} times" if end else "")
        yield from (f"    file {path}, {size} bytes" for path, size in end.get("files", {}).items())
        yield f"    in {task.get('workdir') or 'its own directory'}: {shlex.join(task.get('argv') or ['(partial)'])}"
        yield from (f"    {key}={value!r}" for key, value in sorted(task["env"].items()))
