"""The TF_CONFIG that a case claims of each task, and the same for a cluster on loopback."""
import contextlib
import json
import socket

LARGEST, SMALL = 8, 2
# Strategies that meet over TF_CONFIG; the others train where they are.
MEETING = ("multi-worker-mirrored", "parameter-server", "estimator", "custom")


class Task:
    """One task of a case: who it is, and its TF_CONFIG as text and as far as it is JSON."""

    def __init__(self, said):
        self.role, self.index = said["role"], said["index"]
        self.name = f"{self.role}:{self.index}"
        self.text = said.get("env", {}).get("TF_CONFIG")
        self.config = {}
        with contextlib.suppress(ValueError, TypeError):
            read = json.loads(self.text)
            self.config = read if isinstance(read, dict) else {}

    def cluster(self):
        """The addresses by role, as far as they are such."""
        found = self.config.get("cluster")
        return found if isinstance(found, dict) else {}

    def kind(self):
        """The role that TensorFlow sees, which is the platform's where the task does not say."""
        return (self.config.get("task") or {}).get("type", self.role)


def tasks(case):
    """The tasks of a case, in its order."""
    return [Task(said) for said in case.get("tasks") or []]


def strategy(case, all_):
    """The strategy that the case names, or the one that its roles stand for."""
    named = case.get("options", {}).get("strategy")
    if named:
        return named
    roles = {role for task in all_ for role in task.cluster()}
    if "master" in roles:
        return "custom"
    return "parameter-server" if "ps" in roles else "multi-worker-mirrored"


class Loopback:
    """The claimed cluster on this machine: few tasks a role, every address a free port of 127.0.0.1."""

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
        """Whether a task takes part: those beyond the few do not."""
        index = (task.config.get("task") or {}).get("index", task.index)
        count = self.shrunk.get(task.kind())
        return count is None or not str(index).isdigit() or int(index) < count

    def kept(self, role, addresses):
        """The addresses of a role that take part."""
        return addresses[: self.shrunk.get(role, len(addresses))]

    def config(self, task):
        """The TF_CONFIG of a task for this machine; a text that is no JSON object stays as it is."""
        if not task.config:
            return task.text
        cluster = {role: [self.addresses[one] for one in self.kept(role, addresses)]
                   for role, addresses in task.cluster().items()}
        return json.dumps({**task.config, **({"cluster": cluster} if "cluster" in task.config else {})})

    def claimed(self, address):
        """The address that the case claims in place of this machine's."""
        return next((name for name, real in self.addresses.items() if real == address), address)


def free_port(held):
    """A port that nobody has; it is held until all are found, so that no two are one."""
    one = held.enter_context(socket.socket())
    one.bind(("127.0.0.1", 0))
    return one.getsockname()[1]
