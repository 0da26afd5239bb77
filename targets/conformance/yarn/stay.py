"""Stands for a program on the small cluster: listens where its probe looks, and ends when its whole service has started.

The environment says the rest: TFJOB_REFEREE_SELF its instance, _TASKS how many the service has, _PORT where a probe looks,
_FAIL how it ends the first time, _LAST that the service ends with it.
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
    """Answers every request by 200."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        """Says nothing."""


class Shared(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """All instances of a component listen on one port of this machine, where each would have a node of its own."""

    allow_reuse_port, daemon_threads = True, True


def listen(port):
    """A port that accepts, and answers HTTP."""
    threading.Thread(target=Shared(("", port), Fine).serve_forever, daemon=True).start()


def wait(what):
    """Waits until that is true; whoever waits too long has not seen what a job needs."""
    until = time.monotonic() + LIMIT
    while not what():
        if time.monotonic() > until:
            sys.exit(UNMET)
        time.sleep(TICK)


def main():
    """One life of an instance; `there` holds a file for each that has started, `gone` for each that has ended."""
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
