"""The TF_CONFIG that the compiler claims for each task of a case, and its translation to a cluster on the loopback interface."""
import contextlib
import json
import socket

LARGEST, SMALL = 8, 2
# Strategies that use TF_CONFIG for a rendezvous. All other strategies train in one process.
MEETING = ("multi-worker-mirrored", "parameter-server", "estimator", "custom")


class Task:
    """One task of a case: its role, its index, and its TF_CONFIG as text. Also the TF_CONFIG as JSON, if it is valid."""

    def __init__(self, said):
        self.role, self.index = said["role"], said["index"]
        self.name = f"{self.role}:{self.index}"
        self.text = said.get("env", {}).get("TF_CONFIG")
        self.config = {}
        with contextlib.suppress(ValueError, TypeError):
            read = json.loads(self.text)
            self.config = read if isinstance(read, dict) else {}

    def cluster(self):
        """Returns the valid addresses by role."""
        found = self.config.get("cluster")
        return found if isinstance(found, dict) else {}

    def kind(self):
        """Returns the role that TensorFlow reads from TF_CONFIG. If TF_CONFIG contains none, returns the role on the platform."""
        return (self.config.get("task") or {}).get("type", self.role)


def tasks(case):
    """Returns the tasks of a case, in order."""
    return [Task(said) for said in case.get("tasks") or []]


def strategy(case, all_):
    """Returns the strategy of the case, or the one that its roles imply."""
    named = case.get("options", {}).get("strategy")
    if named:
        return named
    roles = {role for task in all_ for role in task.cluster()}
    if "master" in roles:
        return "custom"
    return "parameter-server" if "ps" in roles else "multi-worker-mirrored"


class Loopback:
    """The claimed cluster on this machine: a few tasks of each role, each with a free port of 127.0.0.1."""

    def __init__(self, all_):
        have = {}
        for task in all_:
            have.setdefault(task.kind(), []).append(task)
            for role, addresses in task.cluster().items():
                have.setdefault(role, [])
        largest = {role: max([len(t.cluster().get(role, [])) for t in all_] + [len(have[role])]) for role in have}
        self.shrunk = {role: SMALL for role, count in largest.items() if count > LARGEST}
        self.tasks = [task for task in all_ if self.keeps(task)]
        self.addresses = {}
        with contextlib.ExitStack() as held:
            for task in self.tasks:
                for role, addresses in task.cluster().items():
                    for address in self.kept(role, addresses):
                        if address not in self.addresses:
                            self.addresses[address] = f"127.0.0.1:{free_port(held)}"

    def keeps(self, task):
        """Returns whether a task is started. Only the first few tasks of a role are."""
        index = (task.config.get("task") or {}).get("index", task.index)
        count = self.shrunk.get(task.kind())
        return count is None or not str(index).isdigit() or int(index) < count

    def kept(self, role, addresses):
        """Returns the addresses of the started tasks of a role."""
        return addresses[: self.shrunk.get(role, len(addresses))]

    def config(self, task):
        """Returns the TF_CONFIG of a task with the addresses of this machine. A text that is no JSON object is returned
        unchanged."""
        if not task.config:
            return task.text
        cluster = {role: [self.addresses[one] for one in self.kept(role, addresses)]
                   for role, addresses in task.cluster().items()}
        return json.dumps({**task.config, **({"cluster": cluster} if "cluster" in task.config else {})})

    def claimed(self, address):
        """Returns the claimed address for an address of this machine."""
        return next((name for name, real in self.addresses.items() if real == address), address)


def free_port(held):
    """Returns a free port. The port stays reserved in `held` until all ports are found, so that no port is used twice."""
    one = held.enter_context(socket.socket())
    one.bind(("127.0.0.1", 0))
    return one.getsockname()[1]
