"""The test program of every task. It records its environment, reads its rows, and exits as the case requires."""
import http.server
import json
import os
import pathlib
import signal
import sys
import threading
import time

SAID, PROGRAM = sys.argv[1:3]
ROLE, INDEX = os.environ["TFJOB_TASK_ROLE"], int(os.environ["TFJOB_TASK_INDEX"])
HERE = pathlib.Path(os.environ["TFJOB_HERE"])


class Fine(http.server.BaseHTTPRequestHandler):
    """Answers every request with 200."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        """Writes no log."""


def listen(port):
    """Opens a port that accepts connections and answers HTTP requests."""
    server = http.server.ThreadingHTTPServer(("", port), Fine)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def rows(most=None):
    """Counts the rows that Spark feeds to this task. Stops after about `most` rows while more rows are waiting."""
    from tensorflowonspark import TFManager, TFNode

    address, key = os.environ["TFJOB_FEED"], bytes.fromhex(os.environ["TFJOB_FEED_KEY"])
    feed, count = TFNode.DataFeed(TFManager.connect(address, key), True), 0
    while not feed.should_stop() and (most is None or count < most):
        count += len(feed.next_batch(16 if most is None else 2))
    return count


def lose_executor():
    """Kills the JVM of the executor, as if its node were lost."""
    pid = os.getpid()
    while b"CoarseGrainedExecutorBackend" not in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
        pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(pid, signal.SIGKILL)
    time.sleep(600)


def workdir():
    """Returns the path of this program in the directory of the executor, where an archive is a link."""
    here = pathlib.Path.cwd()
    for entry in HERE.iterdir():
        real = entry.resolve()
        if entry.is_dir() and (real == here or real in here.parents):
            return str(entry / here.relative_to(real))
    return str(here)


def main():
    """Runs one attempt of a task."""
    folder = pathlib.Path(SAID)
    attempt = len(list(folder.glob(f"{ROLE}.{INDEX}.*")))
    said = {"role": ROLE, "index": INDEX, "attempt": attempt, "argv": [PROGRAM, *sys.argv[3:]],
            "env": dict(os.environ), "workdir": workdir()}
    path = folder / f"{ROLE}.{INDEX}.{attempt}"

    def write():
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(said))
        draft.rename(path)

    job = json.loads((HERE / "job.json").read_text())
    role = next(role for role in job["roles"] if role["name"] == ROLE)
    # This lets a task become ready late.
    time.sleep(json.loads((folder / "slow").read_text()).get(f"{ROLE}:{INDEX}", 0))
    ready, own = role["ready"] or {}, json.loads(os.environ["TFJOB_PEERS"])[ROLE][INDEX]
    ports = {int(own.rpartition(":")[2])} | ({ready["port"]} if ready.get("port") else set())
    for port in ports:
        listen(port)
    if "file" in ready:
        pathlib.Path(ready["file"]).touch()
    write()
    deed, amid = (json.loads((folder / name).read_text()) for name in ("faults", "amid"))
    deed = deed.get(f"{ROLE}:{INDEX}")
    if "TFJOB_FEED" in os.environ:
        # Its peers are as slow, because they too still have rows.
        said["rows"] = rows(4 if amid and attempt == 0 else None)
        write()
    if deed is not None and attempt == 0:
        time.sleep(2)
        lose_executor() if deed == "lose" else sys.exit(int(deed))
    if amid and attempt == 0:
        time.sleep(600)
    if INDEX >= role["decides"]:
        time.sleep(600)
    # The task waits, because peers may still probe whether it is ready.
    time.sleep(2)
    said["done"] = True
    write()


main()
