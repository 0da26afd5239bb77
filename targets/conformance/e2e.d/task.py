"""Program of every task of the end-to-end test: prints its TF_CONFIG, connects to all peers, and exits as its task requires.

The first attempt of `worker-1` kills itself with SIGKILL. The chief finishes when it has connected to every other task and to
the second attempt of `worker-1`: it reports completion, and aborts. All other tasks run until they are stopped.
"""
import json
import os
import signal
import socket
import sys
import threading
import time

NAME, VICTIM = os.environ["TASK_NAME"], "worker-1"
# Seconds between connection attempts, and for all connections.
INTERVAL, TIMEOUT = 0.2, 120
ADDRESS = (os.environ["TFJOB_ADDRESS"], int(os.environ["TFJOB_PORT_RENDEZVOUS"]))
# A file with one byte for each attempt.
ATTEMPTS = f"{NAME}.attempts"


def log(message):
    """Prints one line with the name of the task."""
    print(f"{NAME}: {message}", flush=True)


def next_attempt():
    """Counts this attempt; returns its number, starting with 1."""
    with open(ATTEMPTS, "a+", encoding="ascii") as attempts:
        attempts.write("x")
        attempts.flush()
        return attempts.tell()


def serve(listener, attempt):
    """Sends the name of the task and the number of the attempt to each client."""
    while True:
        client, _ = listener.accept()
        with client:
            client.sendall(f"{NAME} attempt {attempt}\n".encode())


def peers():
    """Returns the addresses of all other tasks from TF_CONFIG."""
    config = json.loads(os.environ["TF_CONFIG"])
    own = (config["task"]["type"], config["task"]["index"])
    return [address for role, all_ in config["cluster"].items() for index, address in enumerate(all_)
            if (role, index) != own]


def query(address):
    """Returns the answer of the program of a peer; empty if it does not run, or if only its shim listens."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=5) as peer:
            answer = peer.makefile().readline().strip()
            return answer if " attempt " in answer else ""
    except OSError:
        return ""


def connect(addresses, complete):
    """Queries all addresses until the set of answers is complete; exits with 1 after the timeout."""
    answers, until = set(), time.monotonic() + TIMEOUT
    while not complete(answers):
        if time.monotonic() > until:
            log(f"timed out after {TIMEOUT} s; connected to {sorted(answers)}")
            sys.exit(1)
        for answer in filter(None, map(query, addresses)):
            if answer not in answers:
                log(f"connected to {answer}")
            answers.add(answer)
        time.sleep(INTERVAL)


def on_sigterm(number, _frame):
    """Exits with 0."""
    log(f"stopped by signal {number}")
    sys.exit(0)


def main():
    """Runs one attempt."""
    signal.signal(signal.SIGTERM, on_sigterm)
    attempt = next_attempt()
    log(f"attempt {attempt}, TF_CONFIG={os.environ['TF_CONFIG']}")
    threading.Thread(target=serve, args=(socket.create_server(ADDRESS), attempt), daemon=True).start()
    others = peers()
    connect(others, lambda answers: len({answer.split()[0] for answer in answers}) == len(others))
    if NAME == VICTIM and attempt == 1:
        log("killing itself")
        os.kill(os.getpid(), signal.SIGKILL)
    if NAME.startswith("chief"):
        connect(others, lambda answers: f"{VICTIM} attempt 2" in answers)
        log("done")
        with open(os.environ["DONE"], "w", encoding="ascii"):
            pass
        # Simulates a program that crashes while its libraries are unloaded.
        os.abort()
    while True:
        # The kernel may deliver SIGTERM to the other thread; Python runs the handler only when the main thread wakes up.
        time.sleep(INTERVAL)


main()
