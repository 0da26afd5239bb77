#!/usr/bin/env python3
"""Measures the static shim, compared with tini in the same run: time, memory, size, and memory growth over 10,000 restarts.

    benches/shim.py [--shim PATH] [--write]

Prints a Markdown table; `--write` writes it to benches/README.md. Needs tini (Debian) in the PATH. Times are medians of whole
processes, as in `measure.py`. The overhead is the additional time over the program without a supervisor, including fork and wait.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from measure import ROOT, medians, tool  # noqa: E402

BINARY = ROOT / "target/x86_64-unknown-linux-musl/shim/tfjob-shim"
MARK = "<!-- shim -->\n"
ROUNDS = 400
RESTARTS = 10_000


def contract(run, duties=None):
    """Returns the contract of a job with one task."""
    role = {"name": "worker", "kind": "member", "count": 1, "port": 2222, "run": {"argv": [[{"text": word}] for word in run]}}
    if duties:
        role["duties"] = duties
    return json.dumps({
        "version": 2 if duties else 1, "job": "bench", "framework": {"name": "tensorflow", "strategy": "single"},
        "role": {"is": "worker"}, "index": {"is": "0"}, "peers": "alone", "roles": [role],
    })


def seen(argv):
    """Returns the resident KiB and the number of threads of a supervisor while its program sleeps."""
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL) as process:
        time.sleep(0.5)
        words = status(process.pid)
        process.terminate()
    return int(words["VmRSS"].split()[0]), int(words["Threads"])


def status(process):
    lines = pathlib.Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return dict(line.split(":", 1) for line in lines)


def restarted(shim, folder):
    """Returns the resident KiB after 100 and after 10,000 restarts, and the total seconds."""
    path = folder / "again.json"
    path.write_text(contract(["true"], {"restart": {"always": True, "backoff": 0, "max-backoff": 0}}), encoding="utf-8")
    with subprocess.Popen([shim, "--contract", str(path)], stderr=subprocess.PIPE, text=True) as process:
        found = {}
        begin = time.perf_counter()
        for line in process.stderr:
            # Each event starts with a line break, so there are empty lines between events.
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            if event["event"] == "started" and event["attempt"] in (100, RESTARTS):
                found[event["attempt"]] = int(status(process.pid)["VmRSS"].split()[0])
                if event["attempt"] == RESTARTS:
                    break
        took = time.perf_counter() - begin
        process.kill()
    return found[100], found[RESTARTS], took


def table(shim):
    tini = tool("tini")
    if not tini:
        sys.exit("tini is missing; run apt-get install tini")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # A short path, as for tini.
        shim = shutil.copy(shim, folder / "tfjob-shim")
        plain = folder / "plain.json"
        plain.write_text(contract(["true"]), encoding="utf-8")
        times = medians({
            "true": ["true"], "shim": [shim, "--", "true"], "tini": [tini, "-s", "--", "true"],
            "exec": [shim, "--contract", str(plain)],
        }, ROUNDS)
        first, last, took = restarted(shim, folder)
        resident, threads = seen([shim, "--", "sleep", "60"])
        size = pathlib.Path(shim).stat().st_size
    ours, theirs = times["shim"] - times["true"], times["tini"] - times["true"]
    peers, _ = seen([tini, "-s", "--", "sleep", "60"])
    static = tool("tini-static")
    also = f", tini-static {seen([static, '-s', '--', 'sleep', '60'])[0]} KiB" if static else ""
    return [
        ("`true` without a supervisor", f"{times['true']:.2f} ms", ""),
        ("overhead of the shim as a plain supervisor", f"{ours:.2f} ms, {ours / theirs:.2f} × tini's {theirs:.2f} ms", "≤ 0.5 ×"),
        ("time from start to exec, with a contract and no peers", f"{times['exec'] - times['true']:.2f} ms", "≤ 1 ms"),
        ("resident memory while the program runs", f"{resident} KiB (tini {peers} KiB{also})", "≤ 0.5 × tini's"),
        ("threads", f"{threads}", "1"),
        (f"resident memory after 100 and {RESTARTS:,} restarts", f"{first} and {last} KiB, {took:.0f} s", "no growth"),
        ("size of the static binary", f"{size / 1000:.0f} KB", "≤ 500 KB"),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shim", default=str(BINARY))
    parser.add_argument("--write", action="store_true", help="write the table to benches/README.md")
    options = parser.parse_args()
    rows = "".join(f"| {what} | {found} | {goal} |\n" for what, found, goal in table(options.shim))
    text = f"| what | measured | goal |\n|---|---|---|\n{rows}"
    print(text)
    if options.write:
        page = ROOT / "benches/README.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(MARK)
        _, _, after = rest.partition("\n\n")
        page.write_text(before + MARK + text + ("\n" + after if after else ""), encoding="utf-8")


if __name__ == "__main__":
    main()
