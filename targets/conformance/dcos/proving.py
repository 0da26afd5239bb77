"""`engine prove`: the apps of one group, each started and killed as Mesos' command executor does it; this one is ours.

What it does is read in Mesos 1.x, `src/launcher/executor.cpp` and stout's `killtree.hpp`, and in Marathon 1.7's page on the
variables of a task: a session of its own, `/bin/sh -c`, the app's variables over the agent's; SIGTERM to the whole tree,
and SIGKILL after the grace.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

# Seconds for the whole job, and between SIGTERM and SIGKILL where an app names none.
LIMIT, GRACE, GLANCE = 200, 3, 0.1
ENDED = re.compile(r"^tfjob: \S+ ended with code (\d+)$", re.MULTILINE)
CHIEF = "chief-0"


def prove(work):
    """Reads one case, runs its group until the chief's app says that its program has ended, and removes it."""
    case = json.loads(sys.stdin.readline())
    groups = [json.loads(file["text"]) for file in case["artifacts"] if file["path"].endswith(".json")]
    apps = [App(app, pathlib.Path(work)) for group in groups for app in group["apps"]]
    begin = time.monotonic()
    chief = next(app for app in apps if app.name == CHIEF)
    try:
        while chief.code() is None and time.monotonic() < begin + LIMIT and all(app.lives() for app in apps):
            time.sleep(GLANCE)
        early = [app.name for app in apps if not app.lives()]
    finally:
        forced = remove(apps)
    said = f"{CHIEF} ended with code {chief.code()}"
    complaints = {"ended by themselves, and Marathon would start them again": early,
                  "did not end within the grace": forced}
    wrong = "; ".join(f"{', '.join(names)} {words}" for words, names in complaints.items() if names)
    state = f"{said}; {wrong}" if wrong else f"removed after `tfjob: {said}`"
    told = {"engine": "an executor of ours", "state": state, "diagnostics": wrong,
            "seconds": time.monotonic() - begin, "containers": [app.container() for app in apps]}
    print(json.dumps(told))


def remove(apps):
    """Kills all apps; the names of those that had to be killed for good."""
    for app in apps:
        app.signal(signal.SIGTERM)
    forced = []
    for app in apps:
        try:
            app.shell.wait(app.app.get("taskKillGracePeriodSeconds", GRACE))
        except subprocess.TimeoutExpired:
            app.signal(signal.SIGKILL)
            app.shell.wait()
            forced.append(app.name)
    return forced


class App:
    """One instance of an app, on a machine of its own."""

    def __init__(self, app, work):
        self.app, self.name = app, app["id"].rpartition("/")[2]
        self.sandbox = work / self.name
        self.sandbox.mkdir()
        for file in app.get("fetch", []):
            self.fetch(file)
        # DC/OS names it by the parts of its id, the last one first, with a dash between them.
        machine = "-".join(reversed(app["id"].strip("/").split("/")))
        words = ["nsenter", f"--net=/run/netns/{machine}", "/bin/sh", "-c", app["cmd"]]
        with open(self.sandbox / "stdout", "wb") as out, open(self.sandbox / "stderr", "wb") as err:
            self.shell = subprocess.Popen(words, cwd=self.sandbox, env=self.environment(), stdin=subprocess.DEVNULL,
                                          stdout=out, stderr=err, start_new_session=True)

    def fetch(self, file):
        """The shim is the one file that a proof fetches: there is no network."""
        target = self.sandbox / file["destPath"]
        shutil.copy(os.environ["TFJOB_SHIM"], target)
        target.chmod(0o755 if file["executable"] else 0o644)

    def environment(self):
        """The agent's variables, then Marathon's, then the app's own."""
        identity = self.app["id"].strip("/").replace("/", "_") + ".instance-0._app.1"
        agent = {"PATH": os.environ["PATH"], "MESOS_SANDBOX": str(self.sandbox), "MESOS_DIRECTORY": str(self.sandbox),
                 "MESOS_AGENT_ENDPOINT": "10.77.0.1:5051", "MESOS_EXECUTOR_ID": identity, "LIBPROCESS_PORT": "0",
                 "MESOS_HTTP_COMMAND_EXECUTOR": "0", "MESOS_ALLOCATION_ROLE": "*"}
        marathon = {"HOST": "agent.example.com", "MESOS_TASK_ID": identity, "MARATHON_APP_ID": self.app["id"],
                    "MARATHON_APP_VERSION": "2024-01-01T00:00:00.000Z", "MARATHON_APP_LABELS": ""}
        marathon |= {f"MARATHON_APP_RESOURCE_{name.upper()}": str(float(self.app.get(name, 0)))
                     for name in ("cpus", "mem", "disk")}
        # Fixed ports: `requirePorts` says so, and no other stands in the proof.
        for number, port in enumerate(self.app["portDefinitions"]):
            names = (f"PORT{number}", f"PORT_{port['port']}", f"PORT_{port['name'].upper()}")
            marathon |= dict.fromkeys(names, str(port["port"]))
        ports = [str(port["port"]) for port in self.app["portDefinitions"]]
        return {**agent, **marathon, "PORT": ports[0], "PORTS": ",".join(ports), **self.app["env"]}

    def lives(self):
        """Whether its shell has not ended."""
        return self.shell.poll() is None

    def code(self):
        """What its program ended with, by the app's own last line."""
        found = ENDED.search(self.said("stderr"))
        return int(found[1]) if found else None

    def said(self, name):
        """What it wrote there."""
        return (self.sandbox / name).read_text(encoding="utf-8", errors="replace")

    def signal(self, number):
        """To the whole tree at once, as Mesos' `killtree`: each is stopped, gets the signal, and goes on."""
        tree = sorted(processes(self.shell.pid))
        for each in (signal.SIGSTOP, number, signal.SIGCONT):
            for pid in tree:
                try:
                    os.kill(pid, each)
                except ProcessLookupError:
                    pass

    def container(self):
        """How it ended, and what it said."""
        role, _, index = self.name.rpartition("-")
        code = self.code()
        return {"role": role, "index": int(index), "exit": self.shell.returncode if code is None else code,
                "out": self.said("stdout"), "err": self.said("stderr")}


def processes(root):
    """A process, all below it, and whatever shares a group or a session with one of them."""
    every = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        every[int(path.parent.name)] = tuple(map(int, words[1:4]))
    found, more = set(), {root}
    while more:
        found |= more
        known = [every[pid] for pid in found if pid in every]
        groups, sessions = {group for _, group, _ in known}, {session for _, _, session in known}
        more = {pid for pid, (parent, group, session) in every.items()
                if parent in found or group in groups or session in sessions} - found
    return found
