"""Starts the engines: cases go in, answers come out, in the same order."""
import functools
import itertools
import json
import os
import pathlib
import subprocess
from concurrent import futures

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
# Each target's artifacts go to the engine of its name; every target's TF_CONFIGs go to TensorFlow.
PLATFORMS = ("yarn", "kubernetes", "dcos", "spark")
STATIC = "x86_64-unknown-linux-musl"
# What `tfjob run` reads has no engine but it: of these only the TF_CONFIGs are judged.
ENGINELESS = ("local",)
ENGINES = (*PLATFORMS, "tensorflow")
# Without a Mesos there is nothing of DC/OS that could run.
RUNS = tuple(engine for engine in ENGINES if engine != "dcos")
NOT_AVAILABLE = 3
# Runs wait more than they work: so many side by side, each with a network and clusters of its own.
LANES = {"spark": 2, "tensorflow": 3}


class Unavailable(Exception):
    """The engine cannot judge here, and says why."""


def versions(engine):
    """What judges, by name and version."""
    return json.loads(_run(engine, "versions", ""))


def ask(engine, how, cases):
    """The answer to each case. `how` is `judge` or `run`."""
    if not cases:
        return []
    lanes = min(LANES.get(engine, 1), len(cases)) if how == "run" else 1
    if lanes == 1:
        return _asked(engine, how, cases)
    with futures.ThreadPoolExecutor(lanes) as pool:
        answers = list(pool.map(lambda lane: _asked(engine, how, cases[lane::lanes]), range(lanes)))
    return [answer for row in itertools.zip_longest(*answers) for answer in row if answer]


def _asked(engine, how, cases):
    lines = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in map(_question, cases))
    answers = [json.loads(line) for line in _run(engine, how, lines).split(b"\n") if line]
    asked, answered = [case["case"] for case in cases], [answer["case"] for answer in answers]
    if asked != answered:
        raise Unavailable(f"engine {engine} answered {len(answered)} of {len(asked)} cases, or in another order")
    return answers


def _question(case):
    return {key: case[key] for key in ("case", "target", "options", "artifacts", "tasks")}


@functools.cache
def environment(how):
    """What an engine is started with: the shim that the artifacts start. Real runs get the one that is shipped, and what is
    only judged the one that `cargo build` makes."""
    if "TFJOB_SHIM" in os.environ:
        return os.environ
    if how == "run":
        return {**os.environ, "TFJOB_SHIM": str(static_shim())}
    subprocess.run(["cargo", "build", "--quiet", "--package", "tfjob-shim"], cwd=ROOT, check=True)
    return {**os.environ, "TFJOB_SHIM": str(ROOT / "target" / "debug" / "tfjob-shim")}


@functools.cache
def static_shim():
    """The shim as it is shipped, small and static: the same bytes wherever this toolchain builds these sources
    with the same CARGO_HOME, whose path is in the places of panics."""
    if "TFJOB_SHIM" in os.environ:
        return pathlib.Path(os.environ["TFJOB_SHIM"])
    words = ["cargo", "build", "--quiet", "--profile", "shim", "--package", "tfjob-shim", "--target", STATIC]
    subprocess.run(words, cwd=ROOT, check=True)
    return ROOT / "target" / STATIC / "shim" / "tfjob-shim"


def _run(engine, how, lines):
    done = subprocess.run(
        [HERE / engine / "engine", how], input=lines.encode(), stdout=subprocess.PIPE, cwd=ROOT, env=environment(how)
    )
    if done.returncode == NOT_AVAILABLE:
        raise Unavailable(f"engine {engine} is not available")
    if done.returncode != 0:
        raise Unavailable(f"engine {engine} broke: exit status {done.returncode}")
    return done.stdout
