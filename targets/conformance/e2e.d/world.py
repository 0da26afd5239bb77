"""Namespaces for an end-to-end test: each task name is a host with its own network, and the program is at its path. Then it starts
`prove` of an engine.

Reads {question, hosts, files} from standard input; the argument is the name of the engine."""
import json
import os
import pathlib
import socket
import subprocess
import sys

sys.dont_write_bytecode = True
REFEREES = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REFEREES))
from toolchain import apart  # noqa: E402


def ip(words):
    """Runs the command `ip`."""
    subprocess.run(["ip", *words.split()], check=True)


def machines(hosts):
    """Creates a network namespace with an address for each name, named by its first label, and connects all of them by a bridge."""
    apart.mount("none", "/run", "tmpfs")
    pathlib.Path("/run/netns").mkdir()
    ip("link add name meet type bridge")
    ip("link set meet up")
    for number, (name, address) in enumerate(hosts.items()):
        own = name.partition(".")[0]
        ip(f"netns add {own}")
        ip(f"link add name to{number} type veth peer name eth0 netns {own}")
        ip(f"link set to{number} master meet up")
        ip(f"-n {own} address add {address}/24 dev eth0")
        ip(f"-n {own} link set eth0 up")
        ip(f"-n {own} link set lo up")


def main():
    """Runs one job."""
    apart.enter(lambda: None)
    apart.own_root()
    asked = json.load(sys.stdin)
    names = {"localhost": "127.0.0.1", socket.gethostname(): "127.0.0.1", **asked["hosts"]}
    hosts = apart.scratch() / "hosts"
    hosts.write_text("".join(f"{address} {name}\n" for name, address in names.items()), encoding="ascii")
    apart.mount(str(hosts), "/etc/hosts", flags=apart.BIND)
    machines(asked["hosts"])
    for path, text in asked["files"].items():
        apart.play(path)
        pathlib.Path(path).write_text(text, encoding="utf-8")
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run([REFEREES / sys.argv[1] / "engine", "prove"], text=True, check=False,
                          input=json.dumps(asked["question"]) + "\n", env={**os.environ, "PATH": path})
    sys.exit(done.returncode)


main()
