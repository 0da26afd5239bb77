"""What the compiler claims of each task, against what the engine says would reach it."""
import base64
import binascii
import re

# Names that are the compiler's alone: one of them beyond the claim is a leak.
OURS = ("TFJOB_", "TF_CONFIG")


def disagreements(case, answer):
    """One line for each difference; none where the engine tells of no tasks."""
    told = {(task["role"], task["index"]): task for task in answer.get("tasks") or []}
    if not told:
        return []
    found = []
    for claim in case["tasks"]:
        name = f"{claim['role']}:{claim['index']}"
        task = told.get((claim["role"], claim["index"]))
        if task is None:
            found.append(f"{name}: the engine makes no such task")
        else:
            found += [f"{name}: {words}" for words in _task(claim, task, _carried(case))]
    return found


def _carried(case):
    """The variables that the shim sets: those that a contract sets, as text or in base64, and those of Hadoop where the contract
    has it."""
    texts = [file["text"].replace("\\", "") for file in case.get("artifacts", [])]
    texts += [_decoded(word) for text in texts for word in re.findall(r"[\w+/=-]{64,}", text)]
    hadoop = ("CLASSPATH", "LD_LIBRARY_PATH") if any('"hadoop"' in text for text in texts) else ()
    # Each variable of a contract is a pair: its name, and the list of what its value is made of.
    return {name for text in texts for name in re.findall(r'\["(\w+)",\s*\[', text)}.union(hadoop)


def _decoded(word):
    try:
        return base64.b64decode(word, altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""


def _task(claim, task, carried):
    env, partial = task.get("env", {}), task.get("partial", False)
    for name, value in claim["env"].items():
        # A shim that was not started has not spoken yet.
        if partial and (name.startswith(OURS) or name in carried):
            continue
        if name not in env:
            if not partial:
                yield f"{name} is {value!r} by the claim, and not there"
        elif not _same(name, value, env):
            yield f"{name} is {value!r} by the claim, and {env[name]!r} in the process"
    if partial:
        return
    for name in env:
        if name.startswith(OURS) and name not in claim["env"]:
            yield f"{name} is {env[name]!r} in the process, and the claim does not know it"
    argv = task.get("argv")
    fits = lambda word, claimed: word in (claimed, *_filled(claimed, env)) or _open(claimed, word)
    if argv is not None and not (len(argv) == len(claim["argv"]) and all(map(fits, argv, claim["argv"]))):
        yield f"the words are {claim['argv']!r} by the claim, and {argv!r} in the process"


def _same(name, claim, env):
    """Whether a variable is what is claimed, as far as a claim can know it."""
    value = env[name]
    former = _put(claim, before(env, name), lambda found: "" if found[1] == name else found[0]).strip(":")
    filled = value in (claim, former, *_filled(claim, env), *_filled(claim, before(env, name)))
    return filled or _open(claim, value) or _former(name, claim, env)


def _former(name, claim, env):
    """`$NAME` in the claim of NAME itself stands for what it was before, of which we know nothing."""
    parts = re.split(rf"\$(?:{re.escape(name)}\b|\{{{re.escape(name)}\}})", claim)
    others, value = before(env, name), env[name]
    patterns = (".*".join(re.escape(_put(part, others, unknown)) for part in parts) for unknown in UNKNOWN)
    return len(parts) > 1 and any(re.fullmatch(pattern, value, re.DOTALL) for pattern in patterns)


def _open(claim, value):
    """What is picked when the task starts: `<port NAME>` stands in a claim for a number, `<done>` for the path of a file, and
    `<application>` for that of an application of YARN or Spark."""
    known = {"<done>": r"/\S+/done", "<application>": r"(application_|app-)?\d+[_-]\d+"}
    parts = re.split(r"(<port [^<>]*>|<done>|<application>)", claim)
    fits = [re.escape(part) if at % 2 == 0 else known.get(part, r"\d+") for at, part in enumerate(parts)]
    return len(parts) > 1 and re.fullmatch("".join(fits), value) is not None


def before(env, name):
    """What a variable can be made of: the others, and of its own former value we know nothing."""
    return {other: value for other, value in env.items() if other != name}


# What may stand for a variable that is not there: nothing, or the text as it is.
UNKNOWN = (lambda found: "", lambda found: found[0])


def _filled(text, env):
    """`$NAME` and `${NAME}` stand in a claim for what only the platform knows; a list forgets what is empty there. A text of the
    user's has the same form: where there is no such variable, it may stay as it is."""
    for unknown in UNKNOWN:
        filled = _put(text, env, unknown)
        yield filled if filled == text else filled.strip(":")


def _put(text, env, unknown=lambda found: ""):
    filled = re.sub(r"\$\{(\w+)\}", lambda found: env.get(found[1], unknown(found)), text)
    for name in sorted(env, key=len, reverse=True):
        filled = filled.replace("$" + name, env[name])
    return filled
