"""The protocol of the engines. Each case is one line of JSON, and so is each answer. The answers have the order of the cases."""
import json
import sys
import traceback


class Unavailable(Exception):
    """The engine is not available; the message says why."""


def finding(kind, words, artifact="", pointer="", document=0):
    """Returns a finding in the format of the protocol."""
    return {"artifact": artifact, "document": document, "pointer": pointer, "kind": kind, "words": str(words)}


def verdict(findings):
    """Returns the verdict that follows from the findings."""
    kinds = {found["kind"] for found in findings}
    if "refused" in kinds:
        return "refused"
    return "broken" if kinds - {"warning"} else "accepted"


def answer(case, findings, understood=None, tasks=None):
    """Returns the answer to a case."""
    said = {"case": case.get("case", ""), "verdict": verdict(findings), "findings": findings}
    said["understood"] = understood or {}
    if tasks is not None:
        said["tasks"] = tasks
    return said


def serve(commands, versions, argv):
    """Runs a command of an engine. A command is a context manager that returns a function from case to answer."""
    if len(argv) != 1 or argv[0] not in {"versions", *commands}:
        print("usage: engine versions|" + "|".join(commands), file=sys.stderr)
        return 2
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        if argv[0] == "versions":
            print(json.dumps(versions(), sort_keys=True), file=out, flush=True)
            return 0
        return each(commands[argv[0]], out)
    except Unavailable as why:
        print(f"engine not available, because {why}", file=sys.stderr)
        return 3


def each(command, out):
    """Answers all cases of standard input."""
    with command() as ask:
        for number, line in enumerate(sys.stdin, 1):
            if not line.strip():
                continue
            try:
                case = json.loads(line)
                if not isinstance(case, dict):
                    raise ValueError("not an object")
            except ValueError as fault:
                print(f"line {number} is no case: {fault}", file=sys.stderr)
                return 2
            print(json.dumps(settled(ask, case), sort_keys=True), file=out, flush=True)
    return 0


def settled(ask, case):
    """Returns the answer to one case. An internal error of the engine is no verdict on the case, but the case must not pass."""
    try:
        return ask(case)
    except Unavailable:
        raise
    except Exception as fault:
        traceback.print_exc()
        return answer(case, [finding("refused", f"the engine failed on this case: {type(fault).__name__}: {fault}")])
