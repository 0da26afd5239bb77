"""Compares what the compiler claims about each task with what the engine would pass to the task."""
import base64
import binascii
import re

# Prefixes of environment variables that only the compiler sets. If one is set but not claimed, this is an error.
OURS = ("TFJOB_", "TF_CONFIG")


def disagreements(case, answer):
    """Returns one line for each difference. Returns none if the engine reports no tasks."""
    told = {(task["role"], task["index"]): task for task in answer.get("tasks") or []}
    if not told:
        return []
    found = []
    for claim in case["tasks"]:
        name = f"{claim['role']}:{claim['index']}"
        task = told.get((claim["role"], claim["index"]))
        if task is None:
            found.append(f"{name}: the engine does not create this task")
        else:
            found += [f"{name}: {words}" for words in _task(claim, task, _carried(case))]
    return found


def _carried(case):
    """Returns the environment variables that the shim sets: those in a contract, as text or in base64. If the contract has
    Hadoop, also those of Hadoop."""
    texts = [file["text"].replace("\\", "") for file in case.get("artifacts", [])]
    texts += [_decoded(word) for text in texts for word in re.findall(r"[\w+/=-]{64,}", text)]
    hadoop = ("CLASSPATH", "LD_LIBRARY_PATH") if any('"hadoop"' in text for text in texts) else ()
    # A variable in a contract is a pair of its name and the list of the pieces of its value.
    return {name for text in texts for name in re.findall(r'\["(\w+)",\s*\[', text)}.union(hadoop)


def _decoded(word):
    try:
        return base64.b64decode(word, altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""


def _task(claim, task, carried):
    env, partial = task.get("env", {}), task.get("partial", False)
    for name, value in claim["env"].items():
        # If the shim was not started, it has not set its variables.
        if partial and (name.startswith(OURS) or name in carried):
            continue
        if name not in env:
            if not partial:
                yield f"{name} is claimed as {value!r}, but is not set"
        elif not _same(name, value, env):
            yield f"{name} is claimed as {value!r}, but is {env[name]!r} in the process"
    if partial:
        return
    for name in env:
        if name.startswith(OURS) and name not in claim["env"]:
            yield f"{name} is {env[name]!r} in the process, but is not claimed"
    argv = task.get("argv")
    fits = lambda word, claimed: word in (claimed, *_filled(claimed, env)) or _open(claimed, word)
    if argv is not None and not (len(argv) == len(claim["argv"]) and all(map(fits, argv, claim["argv"]))):
        yield f"the arguments are claimed as {claim['argv']!r}, but are {argv!r} in the process"


def _same(name, claim, env):
    """Returns whether an environment variable has the claimed value, as far as a claim can know it."""
    value = env[name]
    former = _put(claim, before(env, name), lambda found: "" if found[1] == name else found[0]).strip(":")
    filled = value in (claim, former, *_filled(claim, env), *_filled(claim, before(env, name)))
    return filled or _open(claim, value) or _former(name, claim, env)


def _former(name, claim, env):
    """Returns whether a value matches a claim for `NAME` that contains `$NAME`. This is the former value of the variable, which
    is unknown."""
    parts = re.split(rf"\$(?:{re.escape(name)}\b|\{{{re.escape(name)}\}})", claim)
    others, value = before(env, name), env[name]
    patterns = (".*".join(re.escape(_put(part, others, unknown)) for part in parts) for unknown in UNKNOWN)
    return len(parts) > 1 and any(re.fullmatch(pattern, value, re.DOTALL) for pattern in patterns)


def _open(claim, value):
    """Returns whether a value matches a claim with values that are picked at the start. `<port NAME>` stands for a number,
    `<done>` for the path of a file, and `<application>` for the ID of a YARN or Spark application."""
    known = {"<done>": r"/\S+/done", "<application>": r"(application_|app-)?\d+[_-]\d+"}
    parts = re.split(r"(<port [^<>]*>|<done>|<application>)", claim)
    fits = [re.escape(part) if at % 2 == 0 else known.get(part, r"\d+") for at, part in enumerate(parts)]
    return len(parts) > 1 and re.fullmatch("".join(fits), value) is not None


def before(env, name):
    """Returns the environment variables to which a value can refer. These are all others, because the former value of the
    variable itself is unknown."""
    return {other: value for other, value in env.items() if other != name}


# Texts that may replace a reference to a variable that is not set: the empty text, or the reference itself.
UNKNOWN = (lambda found: "", lambda found: found[0])


def _filled(text, env):
    """Returns a claim with `$NAME` and `${NAME}` replaced by values that only the platform knows. Empty items of a list are removed.
    User text can have the same form, so a reference without a variable may also stay."""
    for unknown in UNKNOWN:
        filled = _put(text, env, unknown)
        yield filled if filled == text else filled.strip(":")


def _put(text, env, unknown=lambda found: ""):
    filled = re.sub(r"\$\{(\w+)\}", lambda found: env.get(found[1], unknown(found)), text)
    for name in sorted(env, key=len, reverse=True):
        filled = filled.replace("$" + name, env[name])
    return filled
