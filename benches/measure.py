#!/usr/bin/env python3
"""Measures the static tfjob, compares it with taplo and kubeconform in the same run, and counts its instructions.

    benches/measure.py [--tfjob PATH] [--write]

Prints a Markdown table; `--write` writes it to benches/README.md. Needs valgrind (Debian), taplo (PyPI), and kubeconform
(a Go module) in the PATH or in $BENCH_TOOLS. kubeconform validates the same jobs, compiled for Kubernetes; its schema comes from
the module of the training-operator in the Go module cache. Comparisons with missing tools are skipped. Times are medians of whole
processes, which run alternately, in a new order in each round, so that load on the machine affects all of them equally.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = ROOT / "target/x86_64-unknown-linux-musl/dist/tfjob"
MARK = "<!-- measured -->\n"


def tool(name):
    return shutil.which(name, path=os.environ.get("BENCH_TOOLS", "") + ":" + os.environ["PATH"])


def once(argv):
    """Runs a command; returns its elapsed milliseconds and its peak memory in MiB. posix_spawn is cheaper than a fork of this process."""
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    begin = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=quiet)
    _, _, usage = os.wait4(pid, 0)
    return (time.perf_counter() - begin) * 1000, usage.ru_maxrss / 1024


def medians(commands, rounds):
    """Returns the median milliseconds of each command. The order changes in each round, because a large process evicts caches."""
    times = {name: [] for name in commands}
    for seed in range(rounds):
        turn = list(commands)
        random.Random(seed).shuffle(turn)
        for name in turn:
            times[name].append(once(commands[name])[0])
    return {name: statistics.median(t) for name, t in times.items()}


def instructions(argv):
    if not tool("valgrind"):
        return None
    with tempfile.NamedTemporaryFile() as out:
        run = subprocess.run(
            [tool("valgrind"), "--tool=callgrind", f"--callgrind-out-file={out.name}", *argv],
            capture_output=True, text=True, check=False,
        )
    found = re.search(r"Collected : (\d+)", run.stderr)
    return int(found.group(1)) if found else None


SPEC = """job "{name}" {{
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "registry.example.com/ml/tf:2.15"
    data "train" "gs://bucket/train"
    data "test" "gs://bucket/test"
    checkpoints "gs://bucket/ckpt" every="10m"
    param "lr" 0.001
    param "steps" 1000
    env {{
        LOG_LEVEL "info"
        MODE "fast"
        SHARD "{{index}}"
    }}

    role "chief" {{
        run "python" "train.py" "--data={{data.train}}" "--test={{data.test}}" "--out={{checkpoints}}" "--lr={{param.lr}}"
        resources cpus=4 memory="16GiB" gpus=1
        port "metrics" "auto"
    }}
    role "worker" count={count} {{
        run "python" "train.py" "--data={{data.train}}" "--steps={{param.steps}}"
        resources cpus=8 memory="32GiB" gpus=1
        port "metrics" "auto"
        ready tcp="rendezvous"
    }}
    role "ps" count=2 {{
        run "python" "train.py"
        resources cpus=4 memory="24GiB"
    }}
    deadline "2d"
{more}    target "yarn" {{
        hadoop "3.4"
        queue "ml"
        dns-domain "example.com"
    }}
    target "kubernetes" {{
        namespace "ml"
    }}
    target "dcos" {{
        shim url="https://files.example.com/tfjob-shim"
    }}
    // filling
{filling}}}
"""


# Lines for the spec with errors; each causes several messages.
FAULTS = """    labels { team "ml"; stage "bench" }
    keep "failed"
    deadlin "2d"
"""


def spec(name, count=4, more=""):
    """Returns a job of 60 lines without findings on two targets, and with a `port-conflict` warning on the other two."""
    missing = 60 - SPEC.format(name=name, count=count, more=more, filling="").count("\n")
    return SPEC.format(name=name, count=count, more=more, filling="    // a line\n" * max(missing, 0))


TOML = "\n".join(f'[role.r{i}]\ncount = {i}\nimage = "x"\ncommand = ["python", "train.py"]\n' for i in range(1, 13)) + "\n"
CRD = "github.com/kubeflow/training-operator@*/manifests/base/crds/kubeflow.org_tfjobs.yaml"


def peer_of_many(tfjob, folder):
    """Returns the commands of kubeconform for the same 1,000 jobs, compiled, with the schema of the operator; None if a tool is missing."""
    peer, go = tool("kubeconform"), shutil.which("go")
    cache = subprocess.run([go, "env", "GOMODCACHE"], capture_output=True, text=True).stdout.strip() if go else ""
    found = sorted(pathlib.Path(cache).glob(CRD)) if cache else []
    if not peer or not found:
        return None
    # In a separate process: memory of this one would count as memory of its children. Only this code needs PyYAML.
    words = "import json, sys, yaml; v = yaml.safe_load(open(sys.argv[1]))['spec']['versions'][0]; " \
            "json.dump(v['schema']['openAPIV3Schema'], open(sys.argv[2], 'w'))"
    subprocess.run([sys.executable, "-c", words, str(found[-1]), str(folder / "tfjob.json")], check=True)
    jobs = folder / "jobs"
    jobs.mkdir()
    one = folder / "one.tfjob.kdl"
    one.write_text(spec("j0"))
    text = subprocess.run([tfjob, "compile", str(one), "--target", "kubernetes", "--stdout"], capture_output=True, text=True).stdout
    job = next(part for part in text.split("---\n") if "kind: TFJob" in part)
    for i in range(1000):
        (jobs / f"p{i}.yaml").write_text(job.replace("name: j0\n", f"name: j{i}\n"))
    base = [peer, "-n", "2", "-schema-location", str(folder / "{{ .ResourceKind }}.json")]
    return {"kubeconform 1": [*base, str(jobs / "p0.yaml")], "kubeconform 1000": [*base, str(jobs)]}


def many(tfjob, folder, rows):
    """Measures 1,000 files, and kubeconform on their compiled manifests."""
    specs = folder / "specs"
    specs.mkdir()
    for i in range(1000):
        (specs / f"j{i}.tfjob.kdl").write_text(spec(f"j{i}"))
    commands = {"tfjob 1": [tfjob, "check", str(specs / "j0.tfjob.kdl")], "tfjob 1000": [tfjob, "check", str(specs)],
                "tfjob 1000, one core": ["taskset", "-c", "0", tfjob, "check", str(specs)]}
    peer = peer_of_many(tfjob, folder)
    commands.update(peer or {})
    found = medians(commands, 5)
    further = (found["tfjob 1000"] - found["tfjob 1"]) / 999
    rows.append(("time per additional file, up to 1,000 files", f"{further:.3f} ms", "≤ 0.30 ms"))
    rows.append(("1,000 files, two cores / one core", f"{found['tfjob 1000']:.0f} / {found['tfjob 1000, one core']:.0f} ms", "faster on two"))
    if peer:
        theirs = (found["kubeconform 1000"] - found["kubeconform 1"]) / 999
        rows.append(("ratio to kubeconform per file", f"{further / theirs:.2f} × ({theirs:.3f} ms)", "≤ 2 ×"))
    else:
        rows.append(("ratio to kubeconform per file", "kubeconform, Go, or the module of the operator is missing", "≤ 2 ×"))


SMALL = 'resources cpus=1 memory="1GiB"'


def small(body):
    """Returns a job with these lines that every target accepts."""
    return 'job "x" {\nframework "custom"\nimage "a/b:1"\nrun "a"\n' + body + "\n}\n"


def hostile(tfjob, folder, rows):
    """Measures 64 KiB of hostile input, without a target and for each target; reports the slowest time and the highest memory."""
    asked = [[], *(["--target", t] for t in ("yarn", "kubernetes", "dcos", "spark", "local"))]
    worst = (0, 0, "")
    kinds = {
        "nested slashdash": "a /- { " * 9000, "open braces": "a {\n" * 16000, "comments": "/* " * 21000,
        "unmatched closing braces": "}" * 65000, "equals": "a = 1\n" * 10900, "nodes": "a b=1 c=2\n" * 6500,
        "raw strings": "#" * 65000, "quotes": '"' * 65000, "env": "job \"x\" { env {\n" + "A \"1\"\n" * 9000 + "}}",
        "roles": "job \"x\" {\n" + "".join(f"role \"r{i}\" {{ run \"a\" }}\n" for i in range(2600)) + "}",
        "references": "job \"x\" { run \"" + "{a}" * 21000 + "\" }",
        "substitutions": small("run \"python\" \"" + "$(a" * 21000 + "\"\nrole \"worker\" { " + SMALL + "; }"),
        "one long name": "a" * 65536, "backslashes": "\\\\" * 32768, "combining marks": "a" + "\u0301" * 32767,
        "200 roles of 10,000 tasks": small("".join(f"role \"r{i}\" count=10000 {{ {SMALL}; }}\n" for i in range(200))),
        "200 roles of 50 tasks": small("".join(f"role \"r{i}\" count=50 {{ {SMALL}; }}\n" for i in range(200))),
        "3,000 lists of addresses": small("role \"worker\" count=10000 { " + SMALL + "; run \"a\" \"" + "{addresses.worker}" * 3000 + "\"; }"),
        "3,000 variables": small("role \"worker\" { " + SMALL + "\nenv {\n" + "".join(f"A{i} \"value {i}\"\n" for i in range(3000)) + "} }"),
        "900 HTTPS files": small("".join(f"files \"s{i}\" \"https://h.example/s{i}\" at=\"/opt/s{i}\"\n" for i in range(900)) + "role \"worker\" { " + SMALL + "; }"),
        "700 mounts in 900 roles": small(SMALL + "\nrole \"worker\"\n" + "".join(f"helper \"h{i}\"\n" for i in range(900)) + "".join(f"data \"d{i}\" \"pvc://c/d\" at=\"/d/{i}\"\n" for i in range(700))),
        "400 roles of 25 tasks with the shim": small(SMALL + "\ntarget \"dcos\" { shim url=\"https://h/s\"; }\n" + "".join(f"role \"r{i}\" count=25 {{ run \"a\" \"{{addresses.r0}}\"; }}\n" for i in range(400))),
        "unknown fields in 400 roles": small("".join(f"role \"r{i}\" count=25 {{ memory \"1GiB\"; cpu 1; }}\n" for i in range(400))),
        "300 mounts in 60 roles": small(SMALL + "\nrole \"worker\"\n" + "".join(f"helper \"h{i}\"\n" for i in range(60)) + "".join(f"data \"d{i}\" \"pvc://c/d\" at=\"/d/{i}\"\n" for i in range(300))),
        "70 mounts in 90 roles": small(SMALL + "\nrole \"worker\"\n" + "".join(f"helper \"h{i}\"\n" for i in range(90)) + "".join(f"data \"d{i}\" \"pvc://c/d\" at=\"/d/{i}\"\n" for i in range(70))),
        "700 labels in 60 roles": small(SMALL + "\nlabels {\n" + "".join(f"l{i} \"v\"\n" for i in range(700)) + "}\n" + "".join(f"role \"r{i}\"\n" for i in range(60))),
        "700 data in 60 roles": small(SMALL + "\n" + "".join(f"data \"d{i}\" \"hdfs://n/d{i}\"\n" for i in range(700)) + "".join(f"role \"r{i}\"\n" for i in range(60))),
        "400 secrets in 60 roles": small(SMALL + "\nsecret {\n" + "".join(f"S{i} from=\"s\" key=\"k\"\n" for i in range(400)) + "}\n" + "".join(f"role \"r{i}\"\n" for i in range(60))),
        "a long default in 1,500 roles": small("shell \"" + "x" * 30000 + "\"\n" + SMALL + "\n" + "".join(f"role \"r{i}\"\n" for i in range(1500))).replace("run \"a\"\n", "", 1),
        "a long default in 130 roles": small("shell \"" + "x" * 30000 + "\"\n" + SMALL + "\n" + "".join(f"role \"r{i}\"\n" for i in range(130))).replace("run \"a\"\n", "", 1),
        "3,000 references to a long parameter": small("param \"p\" \"" + "x" * 30000 + "\"\n" + SMALL + "\nrole \"worker\" { run \"a\" \"" + "{param.p}" * 3000 + "\"; }"),
        "3,000 references to long data": small("data \"p\" \"hdfs://n/" + "x" * 30000 + "\"\n" + SMALL + "\nrole \"worker\" { run \"a\" \"" + "{data.p}" * 3000 + "\"; }"),
        "a chain of 1,400 roles with `after`": small(SMALL + "\nrole \"r0\"\n" + "".join(f"role \"r{i}\" {{ after \"r{i - 1}\"; }}\n" for i in range(1, 1400))),
        "a chain of 250 helpers with `after`": small(SMALL + "\nnetwork \"overlay\"\ntarget \"yarn\" { dns-domain \"c\"; }\nrole \"worker\"\nhelper \"h0\" { restart \"always\"; }\n" + "".join(f"helper \"h{i}\" {{ after \"h{i - 1}\" when=\"started\"; restart \"always\"; }}\n" for i in range(1, 250))),
        "a chain of 900 helpers with `after`": small(SMALL + "\nnetwork \"overlay\"\ntarget \"yarn\" { dns-domain \"c\"; }\nrole \"worker\"\nhelper \"h0\" { restart \"always\"; }\n" + "".join(f"helper \"h{i}\" {{ after \"h{i - 1}\" when=\"started\"; restart \"always\"; }}\n" for i in range(1, 900))),
        "1,000 HTTPS files in one role": small("".join(f"files \"s{i}\" \"https://h.example/s{i}\" at=\"/opt/s{i}\"\n" for i in range(1000)) + "role \"worker\" { " + SMALL + "; }"),
        "1,800 files": small("".join(f"files \"s{i}\" \"hdfs:///a/{i}\"\n" for i in range(1800)) + "role \"worker\" { " + SMALL + "; }"),
    }
    for name, text in kinds.items():
        path = folder / "hostile.tfjob.kdl"
        path.write_text(text[:65536])
        seen = [min(once([tfjob, "check", "--format", "short", *of, str(path)]) for _ in range(3)) for of in asked]
        millis, mebibytes = max(m for m, _ in seen), max(m for _, m in seen)
        worst = max(worst, (millis, mebibytes, name))
        rows.append((f"hostile input, 64 KiB: {name}", f"{millis:.0f} ms, {mebibytes:.0f} MiB", "≤ 100 ms, 64 MiB"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tfjob", default=str(BINARY))
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    tfjob, rows = args.tfjob, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sixty, toml = folder / "sixty.tfjob.kdl", folder / "x.toml"
        sixty.write_text(spec("sixty"))
        toml.write_text(TOML)
        every = [w for t in ("yarn", "kubernetes", "dcos", "spark") for w in ("--target", t)]
        faulty = folder / "faulty.tfjob.kdl"
        faulty.write_text(spec("faulty", more=FAULTS))
        two = [w for t in ("kubernetes", "dcos") for w in ("--target", t)]
        quiet = [tfjob, "check", *two, str(sixty)]
        said = subprocess.run(quiet, capture_output=True, text=True)
        if said.stdout or said.stderr:
            sys.exit(f"the job of 60 lines has findings:\n{said.stdout}{said.stderr}")
        commands = {"check": quiet, "faulty": [tfjob, "check", str(faulty)], "true": ["true"], "all": [tfjob, "check", *every, str(sixty)]}
        if tool("taplo"):
            commands["taplo"] = [tool("taplo"), "lint", "--no-schema", str(toml)]
        for tasks in (1000, 10000):
            path = folder / f"n{tasks}.tfjob.kdl"
            path.write_text(spec("many", tasks - 3))
            commands[f"{tasks} tasks"] = [tfjob, "check", *every, str(path)]
        found = medians(commands, 40)
        rows.append(("`check` of 60 lines, including process startup", f"{found['check']:.2f} ms", "≤ 2 ms"))
        rows.append(("`true`, for comparison with other machines", f"{found['true']:.2f} ms", ""))
        if "taplo" in found:
            rows.append(("ratio to `taplo lint` on 60 lines", f"{found['check'] / found['taplo']:.2f} × ({found['taplo']:.2f} ms)", "≤ 0.5 ×"))
        rows.append(("`check` of 60 lines with errors, including output", f"{found['faulty']:.2f} ms", ""))
        rows.append(("`check` for four targets", f"{found['all']:.2f} ms", "≤ 4 ms"))
        rows.append(("`check` for four targets, 1,000 / 10,000 tasks", f"{found['1000 tasks']:.2f} / {found['10000 tasks']:.2f} ms", "≤ 20 ms, linear"))
        rows.append(("instructions, `check` of 60 lines", f"{instructions(quiet) or 0:,}", ""))
        rows.append(("instructions, `check` for four targets", f"{instructions([tfjob, 'check', *every, str(sixty)]) or 0:,}", ""))
        many(tfjob, folder, rows)
        hostile(tfjob, folder, rows)
    size = os.path.getsize(tfjob) / 1e6
    most = int(re.search(r"^most_bytes=(\d+)$", (ROOT / ".ci/run").read_text(), re.MULTILINE)[1]) / 1e6
    rows.append(("release binary, static", f"{size:.1f} MB", f"≤ {most:.1f} MB"))
    table = "| what | measured | goal |\n|---|---|---|\n" + "".join(f"| {a} | {b} | {c} |\n" for a, b, c in rows)
    print(table)
    if args.write:
        page = ROOT / "benches/README.md"
        text = page.read_text()
        before, _, rest = text.partition(MARK)
        _, _, after = rest.partition("\n\n")
        page.write_text(before + MARK + table.rstrip("\n") + "\n" + ("\n" + after if after else ""))


if __name__ == "__main__":
    sys.exit(main())
