"""`engine prove`: starts and kills the apps of one group as the command executor of Mesos does. This executor is a reimplementation.

Source: Mesos 1.x, `src/launcher/executor.cpp` and `killtree.hpp` of stout, and the page of Marathon 1.7 on the variables of a task.
Each app gets its own session and `/bin/sh -c`. Its variables override those of the agent. A stop sends SIGTERM to the whole process
tree, and SIGKILL after the grace period.
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

# Timeout of the whole job in seconds, and default time between SIGTERM and SIGKILL.
LIMIT, GRACE, GLANCE = 200, 3, 0.1
ENDED = re.compile(r"^tfjob: \S+ exited with code (\d+)$", re.MULTILINE)
CHIEF = "chief-0"


def prove(work):
    """Reads one case, and runs its group until the app of the chief reports that its program has exited. Then removes the group."""
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
    said = f"{CHIEF} exited with code {chief.code()}"
    complaints = {"ended by themselves, and Marathon would start them again": early,
                  "did not end within the grace": forced}
    wrong = "; ".join(f"{', '.join(names)} {words}" for words, names in complaints.items() if names)
    state = f"{said}; {wrong}" if wrong else f"removed after `tfjob: {said}`"
    told = {"engine": "an executor of ours", "state": state, "diagnostics": wrong,
            "seconds": time.monotonic() - begin, "containers": [app.container() for app in apps]}
    print(json.dumps(told))


def remove(apps):
    """Stops all apps. Returns the names of the apps that needed SIGKILL."""
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
        # The DNS name in DC/OS consists of the segments of the ID in reverse order, separated by dashes.
        machine = "-".join(reversed(app["id"].strip("/").split("/")))
        words = ["nsenter", f"--net=/run/netns/{machine}", "/bin/sh", "-c", app["cmd"]]
        with open(self.sandbox / "stdout", "wb") as out, open(self.sandbox / "stderr", "wb") as err:
            self.shell = subprocess.Popen(words, cwd=self.sandbox, env=self.environment(), stdin=subprocess.DEVNULL,
                                          stdout=out, stderr=err, start_new_session=True)

    def fetch(self, file):
        """Copies the shim. It is the only file that is downloaded, and there is no network."""
        target = self.sandbox / file["destPath"]
        shutil.copy(os.environ["TFJOB_SHIM"], target)
        target.chmod(0o755 if file["executable"] else 0o644)

    def environment(self):
        """Returns the environment variables of the agent, then those of Marathon, then those of the app."""
        identity = self.app["id"].strip("/").replace("/", "_") + ".instance-0._app.1"
        agent = {"PATH": os.environ["PATH"], "MESOS_SANDBOX": str(self.sandbox), "MESOS_DIRECTORY": str(self.sandbox),
                 "MESOS_AGENT_ENDPOINT": "10.77.0.1:5051", "MESOS_EXECUTOR_ID": identity, "LIBPROCESS_PORT": "0",
                 "MESOS_HTTP_COMMAND_EXECUTOR": "0", "MESOS_ALLOCATION_ROLE": "*"}
        marathon = {"HOST": "agent.example.com", "MESOS_TASK_ID": identity, "MARATHON_APP_ID": self.app["id"],
                    "MARATHON_APP_VERSION": "2024-01-01T00:00:00.000Z", "MARATHON_APP_LABELS": ""}
        marathon |= {f"MARATHON_APP_RESOURCE_{name.upper()}": str(float(self.app.get(name, 0)))
                     for name in ("cpus", "mem", "disk")}
        # All ports are fixed numbers, because the app sets `requirePorts`.
        for number, port in enumerate(self.app["portDefinitions"]):
            names = (f"PORT{number}", f"PORT_{port['port']}", f"PORT_{port['name'].upper()}")
            marathon |= dict.fromkeys(names, str(port["port"]))
        ports = [str(port["port"]) for port in self.app["portDefinitions"]]
        return {**agent, **marathon, "PORT": ports[0], "PORTS": ",".join(ports), **self.app["env"]}

    def lives(self):
        """Returns whether the shell of the app still runs."""
        return self.shell.poll() is None

    def code(self):
        """Returns the exit code of the program, which the last output line of the app contains."""
        found = ENDED.search(self.said("stderr"))
        return int(found[1]) if found else None

    def said(self, name):
        """Returns the output of the app."""
        return (self.sandbox / name).read_text(encoding="utf-8", errors="replace")

    def signal(self, number):
        """Sends a signal to the whole process tree, as `killtree` of Mesos does: each process is stopped, gets the signal, and
        continues."""
        tree = sorted(processes(self.shell.pid))
        for each in (signal.SIGSTOP, number, signal.SIGCONT):
            for pid in tree:
                try:
                    os.kill(pid, each)
                except ProcessLookupError:
                    pass

    def container(self):
        """Returns the exit code and the output of the app."""
        role, _, index = self.name.rpartition("-")
        code = self.code()
        return {"role": role, "index": int(index), "exit": self.shell.returncode if code is None else code,
                "out": self.said("stdout"), "err": self.said("stderr")}


def processes(root):
    """Returns a process, its descendants, and all processes in the same process group or session as one of them."""
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
