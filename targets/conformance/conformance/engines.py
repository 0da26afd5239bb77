"""Starts the engines. Each engine gets cases, and returns its answers in the same order."""
import functools
import itertools
import json
import os
import pathlib
import subprocess
from concurrent import futures

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
# Engines that have the name of a target, and judge its artifacts. The engine `tensorflow` judges the TF_CONFIGs of all targets.
PLATFORMS = ("yarn", "kubernetes", "dcos", "spark")
STATIC = "x86_64-unknown-linux-musl"
# Targets without an engine, because only `tfjob run` reads their artifacts. Only their TF_CONFIGs are judged.
ENGINELESS = ("local",)
ENGINES = (*PLATFORMS, "tensorflow")
# Engines that can run cases. DC/OS cannot, because it needs Mesos.
RUNS = tuple(engine for engine in ENGINES if engine != "dcos")
NOT_AVAILABLE = 3
# Number of runs at the same time. Each run has its own network and clusters, and mostly waits.
LANES = {"spark": 2, "tensorflow": 3}


class Unavailable(Exception):
    """The engine is not available on this machine; the message says why."""


def versions(engine):
    """Returns the components of an engine with their versions."""
    return json.loads(_run(engine, "versions", ""))


def ask(engine, how, cases):
    """Returns the answer to each case. `how` is `judge` or `run`."""
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
    """Returns the environment of an engine, with the path of the shim. Runs use the released shim. Cases that are only judged
    use the shim of `cargo build`."""
    if "TFJOB_SHIM" in os.environ:
        return os.environ
    if how == "run":
        return {**os.environ, "TFJOB_SHIM": str(static_shim())}
    subprocess.run(["cargo", "build", "--quiet", "--package", "tfjob-shim"], cwd=ROOT, check=True)
    return {**os.environ, "TFJOB_SHIM": str(ROOT / "target" / "debug" / "tfjob-shim")}


@functools.cache
def static_shim():
    """Builds the released shim, which is static. The build is reproducible for the same toolchain, sources, and CARGO_HOME (its
    path is part of the panic locations)."""
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
        raise Unavailable(f"engine {engine} failed with exit status {done.returncode}")
    return done.stdout
