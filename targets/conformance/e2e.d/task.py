"""The program of every task of the proof: says what reached it, meets all its peers, and ends as its name says.

The chief is done when it has met every other task and the second life of `worker-1`, whose first dies by SIGKILL. It says
so, and falls. The others work until somebody ends them.
"""
import json
import os
import signal
import socket
import sys
import threading
import time

NAME, VICTIM, TICK, LIMIT = os.environ["DEED"], "worker-1", 0.2, 120
HERE = (os.environ["TFJOB_ADDRESS"], int(os.environ["TFJOB_PORT_RENDEZVOUS"]))
MARK = os.path.join(os.environ.get("PROOF_STATE", "."), f"{NAME}.lives")


def say(words):
    """One line of its log."""
    print(f"{NAME}: {words}", flush=True)


def life():
    """Which life of this task it is."""
    with open(MARK, "a+", encoding="ascii") as mark:
        mark.write("x")
        mark.flush()
        return mark.tell()


def answer(door, number):
    """Tells whoever asks who lives here, and which life it is."""
    while True:
        peer, _ = door.accept()
        with peer:
            peer.sendall(f"{NAME} in life {number}\n".encode())


def peers():
    """Every other task's address, as TF_CONFIG has it."""
    config = json.loads(os.environ["TF_CONFIG"])
    own = (config["task"]["type"], config["task"]["index"])
    return [address for role, all_ in config["cluster"].items() for index, address in enumerate(all_)
            if (role, index) != own]


def ask(address):
    """What a peer's program says; nothing where nobody answers, or only a shim that still waits."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=5) as peer:
            said = peer.makefile().readline().strip()
            return said if " in life " in said else ""
    except OSError:
        return ""


def meet(addresses, enough):
    """Asks all of them until what they said is enough."""
    met, until = set(), time.monotonic() + LIMIT
    while not enough(met):
        if time.monotonic() > until:
            say(f"has waited too long, and met {sorted(met)}")
            sys.exit(1)
        for found in filter(None, map(ask, addresses)):
            if found not in met:
                say(f"meets {found}")
            met.add(found)
        time.sleep(TICK)


def stopped(number, _frame):
    """Ends politely."""
    say(f"is stopped by signal {number}")
    sys.exit(0)


def main():
    """One life."""
    signal.signal(signal.SIGTERM, stopped)
    number = life()
    say(f"life {number}, TF_CONFIG={os.environ['TF_CONFIG']}")
    threading.Thread(target=answer, args=(socket.create_server(HERE), number), daemon=True).start()
    others = peers()
    meet(others, lambda met: len({found.split()[0] for found in met}) == len(others))
    if NAME == VICTIM and number == 1:
        say("dies")
        os.kill(os.getpid(), signal.SIGKILL)
    if NAME.startswith("chief"):
        meet(others, lambda met: f"{VICTIM} in life 2" in met)
        say("is done")
        with open(os.environ["DONE"], "w", encoding="ascii"):
            pass
        # As a program whose libraries fall while they are unloaded.
        os.abort()
    while True:
        # Where a whole tree is stopped and signalled, another thread may get the signal: only then is this one's turn.
        time.sleep(TICK)


main()
