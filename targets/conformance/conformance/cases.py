"""Sources of cases: specs and snapshots, which `tfjob-cases` compiles, and artifacts on disk."""
import atexit
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

from .engines import HERE, ROOT

SPEC = ".tfjob.kdl"
# Cargo profile for commands that compile very many specs.
FAST = "pairs"


def of_snapshots(target):
    """Returns the cases of all artifacts under snapshots/."""
    return _made("snapshots", target)


def published(target):
    """Returns the published jobs for this target. Their file names begin with its name."""
    specs = sorted((HERE / "published").glob(f"{target}-*{SPEC}"))
    return _made("specs", target, *(str(spec.relative_to(ROOT)) for spec in specs)) if specs else []


def chosen(target):
    """Returns the specs in the directory of an engine that the engine should run. Each shows another behavior."""
    folder = HERE / target / "chosen"
    if not folder.is_dir():
        return []
    cases = _made("specs", target, str(folder.relative_to(ROOT)))
    return [_told({**case, "case": f"chosen-{case['case']}"}) for case in cases]


def _told(case):
    """Adds the options in the JSON file next to the spec to the case, such as which task fails."""
    more = ROOT / (case["spec"].removesuffix(SPEC) + ".json")
    return {**case, "options": {**case["options"], **json.loads(more.read_text())}} if more.exists() else case


def of_paths(target, paths):
    """Returns the cases of these paths. A path is a spec, a directory with specs, an artifact, or a directory with artifacts
    only."""
    specs = [path for path in paths if path.name.endswith(SPEC) or any(path.glob(f"**/*{SPEC}"))]
    cases = _made("specs", target, *map(str, specs)) if specs else []
    return cases + [_artifact(target, path) for path in paths if path not in specs]


def patches(target, every, first):
    """Returns patches that are generated from the published types of the platform, but only every `every`-th of them."""
    return _made("patches", target, str(every), str(first))


def updates(target):
    """Returns the update rules of a target, and the values that its platform adds to an object."""
    lines = _made("updates", target)
    return [line["rule"] for line in lines if "rule" in line], [line["added"] for line in lines if "added" in line]


def types(target, published):
    """Returns the table of the published types, from the output of `engine types`."""
    return _started("types", target, input=published).stdout.decode()


def mutants(target, count, seed):
    """Returns mutants: examples with several changed values."""
    return _made("mutants", target, str(count), str(seed))


def pairs(target, count, seed):
    """Returns cases with pairs of boundary values, and the summary of the array. `count`: number of rows of the array, or all
    rows."""
    *found, last = _lines(_started("pairs", target, str(count), str(seed), profile=FAST))
    return found, last["summary"]


def alone(target):
    """Returns the cases of the plain job, and of each value that is accepted alone. Also returns the values that are refused
    alone."""
    *found, last = _lines(_started("alone", target, profile=FAST))
    return found, last["refused"]


def chosen_levels(target, rows):
    """Returns the cases of rows. A row has a name, and its levels with the numbers that `pairs` uses."""
    lines = "".join(json.dumps([name, list(levels)]) + "\n" for name, levels in rows)
    return _lines(_started("chosen", target, profile=FAST, input=lines.encode()))


def strings(target, count, seed):
    """Returns cases with hostile strings, and the number of refused strings for each reason."""
    done = _started("strings", target, str(count), str(seed), stderr=subprocess.PIPE)
    refused = [line.split("\t", 1) for line in done.stderr.decode().splitlines() if "\t" in line]
    return _lines(done), {why: int(times) for times, why in refused}


def _made(*words):
    return _lines(_started(*words))


# Several threads start the program, and the first one builds it.
_BUILD = threading.Lock()


def _started(*words, profile="dev", **how):
    with _BUILD:
        start = os.environ.get("TFJOB_CASES") or _program(profile)
    done = subprocess.run([start, *words], stdout=subprocess.PIPE, cwd=ROOT, **how)
    if done.returncode != 0:
        raise SystemExit((done.stderr or b"").decode() or 2)
    return done


@functools.cache
def _program(profile):
    """Builds the program and copies it, so that a long run uses the same version until its end."""
    build = ["cargo", "build", "--quiet", "--profile", profile, "--package", "tfjob-cases"]
    if subprocess.run(build, cwd=ROOT, check=False).returncode != 0:
        raise SystemExit(2)
    folder = tempfile.mkdtemp(prefix="tfjob-cases-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    built = target / ("debug" if profile == "dev" else profile) / "tfjob-cases"
    return shutil.copy(built, folder)


def _lines(done):
    return [json.loads(line) for line in done.stdout.split(b"\n") if line]


def _artifact(target, path):
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    base = path.parent if path.is_file() else path
    artifacts = [
        {
            "path": str(pathlib.Path(file).relative_to(base)),
            "text": file.read_text(encoding="utf-8"),
            "executable": os.access(file, os.X_OK),
        }
        for file in files
    ]
    return {
        "case": str(path), "target": target, "spec": "", "options": {}, "artifacts": artifacts, "tasks": [], "origins": [],
    }
