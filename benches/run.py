#!/usr/bin/env python3
"""Measures `tfjob run` on tasks that print as fast as they can: throughput compared with cat in the same run, memory, and the
latency of a signal.

    benches/run.py [--tfjob PATH] [--write]

Prints a Markdown table; `--write` writes it to benches/README.md. Times are medians of whole processes, which run alternately.
"""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from measure import BINARY, ROOT, medians  # noqa: E402

MARK = "<!-- run -->\n"
SIZE, ROUNDS, TASKS = 400_000_000, 7, 40


def job(folder, role, shell):
    """Writes a job with this shell script; returns its path."""
    text = f'job "bench" {{\nframework "custom"\nstop grace="10s"\nrole "a" {role} {{ shell "{shell}"; resources cpus=1 memory="64MiB" }}\n}}\n'
    path = folder / "bench.tfjob.kdl"
    path.write_text(text, encoding="utf-8")
    return path


def throughput(tfjob, folder, line):
    """Returns the throughput in MB/s of a task into its log, and of cat into a file."""
    source = folder / "source"
    source.write_bytes((line * (SIZE // len(line) + 1))[:SIZE])
    spec = job(folder, "", f"cat {source}")
    copy = folder / "copy"
    times = medians({
        # Removes the previous output, because cat also overwrites its copy.
        "run": ["sh", "-c", f"rm -rf {folder}/.tfjob; exec {tfjob} run {spec}"],
        "cat": ["sh", "-c", f"cat {source} > {copy}"],
        "pipe": ["sh", "-c", f"cat {source} | cat > {copy}"],
    }, ROUNDS)
    log = folder / ".tfjob/bench/logs/a-0.log"
    if log.read_bytes() != source.read_bytes():
        sys.exit("the log differs from the output of the task")
    return {name: SIZE / took / 1000 for name, took in times.items()}


def flood(tfjob, folder):
    """Returns the peak resident MB of `tfjob run` with many tasks that print while the terminal blocks, and the seconds from
    a signal to the stop of a task."""
    # In bursts: more than a terminal can show, but not more than a disk can write.
    flood = "while :; do yes 'loss: 0.1' | head -c 4000000; sleep 1; done"
    spec = job(folder, f"count={TASKS}", f"trap 'touch heard-$TFJOB_INDEX; exit 0' TERM; {flood} & wait")
    for heard in folder.glob("heard-*"):
        heard.unlink()
    # The terminal is a pipe without a reader.
    with subprocess.Popen([tfjob, "run", str(spec)], stdout=subprocess.PIPE, cwd=folder) as process:
        time.sleep(8)
        begin = time.time()
        process.send_signal(signal.SIGINT)
        said = folder / ".tfjob/bench/events/a-0.jsonl"
        while '"stop"' not in said.read_text(encoding="utf-8"):
            time.sleep(0.005)
        took = time.time() - begin
        words = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines())
        process.stdout.read()
    if process.returncode != 130 or len(list(folder.glob("heard-*"))) != TASKS:
        sys.exit(f"the flood ended with {process.returncode}, {len(list(folder.glob('heard-*')))} programs received the signal")
    return int(words["VmHWM"].split()[0]) * 1024 / 1e6, took


def table(tfjob):
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what, line in (("lines of 100 bytes", b"x" * 99 + b"\n"), ("lines of 10 bytes", b"loss: 0.1\n"), ("no line breaks", b"x" * 4096)):
            rates = throughput(tfjob, folder, line)
            rows.append((
                f"throughput from a task into its log, {what}",
                f"{rates['run']:.0f} MB/s, {rates['run'] / rates['cat']:.2f} × cat's {rates['cat']:.0f} into a file "
                f"({rates['run'] / rates['pipe']:.2f} × two cats through a pipe)",
                "≥ 0.5 × cat's",
            ))
        times = [flood(tfjob, folder) for _ in range(3)]
    most, slowest = (max(column) for column in zip(*times))
    rows.append((f"peak resident memory, {TASKS} tasks that print, blocked terminal", f"{most:.1f} MB", "≤ 32 MB"))
    rows.append(("from SIGINT to the stop of a task, with the same tasks", f"{slowest * 1000:.0f} ms", "≤ 200 ms"))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tfjob", default=str(BINARY))
    parser.add_argument("--write", action="store_true", help="write the table to benches/README.md")
    options = parser.parse_args()
    rows = "".join(f"| {what} | {found} | {goal} |\n" for what, found, goal in table(os.path.abspath(options.tfjob)))
    text = f"| what | measured | goal |\n|---|---|---|\n{rows}"
    print(text)
    if options.write:
        page = ROOT / "benches/README.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(MARK)
        _, _, after = rest.partition("\n\n")
        page.write_text(before + MARK + text + ("\n" + after if after else ""), encoding="utf-8")


if __name__ == "__main__":
    main()
