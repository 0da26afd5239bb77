"""The test program on the small cluster: listens on the port of its probe, and exits when the whole service has started.

Environment: TFJOB_REFEREE_SELF is the instance, _TASKS the number of instances, _PORT the port of the probe, _FAIL the exit code
of the first attempt, and _LAST marks the instance whose exit ends the service.
"""
import http.server
import os
import pathlib
import socketserver
import sys
import threading
import time

LIMIT, TICK = 90, 0.1
UNMET = 75


class Fine(http.server.BaseHTTPRequestHandler):
    """Answers every request with 200."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        """Writes no log."""


class Shared(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A server that allows several instances of a component to use the same port on this machine."""

    allow_reuse_port, daemon_threads = True, True


def listen(port):
    """Opens a port that accepts connections and answers HTTP requests."""
    threading.Thread(target=Shared(("", port), Fine).serve_forever, daemon=True).start()


def wait(what):
    """Waits until a condition holds. A timeout means that a requirement of the job is not met."""
    until = time.monotonic() + LIMIT
    while not what():
        if time.monotonic() > until:
            sys.exit(UNMET)
        time.sleep(TICK)


def main():
    """Runs one attempt of an instance. The directory `there` has a file for each started instance, and `gone` one for each
    finished instance."""
    asked = {name: os.environ.get(f"TFJOB_REFEREE_{name}") for name in ("SELF", "TASKS", "PORT", "FAIL", "LAST")}
    service = os.environ["CONTAINER_ID"].rsplit("_", 2)[0]
    there, gone = (pathlib.Path(sys.argv[1]) / service / name for name in ("there", "gone"))
    for folder in (there, gone):
        folder.mkdir(parents=True, exist_ok=True)
    first = not (there / asked["SELF"]).exists()
    (there / asked["SELF"]).touch()
    if asked["FAIL"] and first:
        sys.exit(int(asked["FAIL"]))
    if asked["PORT"]:
        listen(int(asked["PORT"]))
    tasks = int(asked["TASKS"])
    wait(lambda: len(list(there.iterdir())) >= tasks)
    if asked["LAST"]:
        wait(lambda: len(list(gone.iterdir())) >= tasks - int(asked["LAST"]))
    (gone / asked["SELF"]).touch()


main()
