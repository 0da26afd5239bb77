"""Services on a cluster with the REST API of YARN: what `tfjob diff --live` says about them, and what changes of them really do."""
import copy
import json
import os
import re
import time
import urllib.error
import urllib.request
from concurrent import futures

from conformance import engines
from live_runs import comparison
from script_runs import hadoop

SPEC = """job "live" {
    description "one"
    framework "custom"
    run "sleep" "600"
    resources cpus=1 memory="128MiB"
    env { LEVEL "info" }
    stop grace="5s"
    deadline "2d"
    allow "restart" because="the test takes a minute"
    role "worker" count=2 { port "web" 8080 link="Web" }
    role "store" { restart "on-failure" }
    target "yarn" { hadoop "3.4"; dns-domain "ycluster"; queue "default"; kill-delay "5s" }
}
"""
ROOM = engines.HERE / "yarn" / "chosen"
SPECS = [ROOM / f"{name}.tfjob.kdl" for name in ("components", "files", "ports")]
# What this cluster does not have: the queue, Kerberos, a registry of images, and so much memory.
ABSENT = ((r'queue "root.ads"', 'queue "default"'), (r"\n *kerberos .*", ""), (r"\n *docker-config .*", ""), (' pull-secret="ads"', ""),
          (' shared-memory="8GiB"', ""), (r'memory="\d+GiB"', 'memory="128MiB"'), (r"cpus=\d+", "cpus=1"))
UNPROVEN = {"* **": "no artifact but the Yarnfile exists",
            "Yarnfile.json /lifetime": "a removed lifetime is not distinguishable from the default of the queue"}
# A service master that takes longer does not start.
STARTS = 300
# Seconds between two reports of a service.
PAUSE = 0.5
# Services that start at the same time as the one that is changed.
LANES = 2


class Services:
    """The REST API of YARN services, and the logs of the service masters."""

    def __init__(self, work, conf):
        site = (conf / "yarn-site.xml").read_text(encoding="utf-8")
        self.address = "http://" + re.search("<name>yarn.resourcemanager.webapp.address</name><value>([^<]+)", site).group(1)
        self.work = work

    def call(self, method, path, body=None):
        """Returns the status and the text of an answer."""
        request = urllib.request.Request(f"{self.address}{path}?user.name={os.environ.get('USER', 'root')}", method=method)
        for header in ("Accept", "Content-Type"):
            request.add_header(header, "application/json")
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, data, timeout=STARTS) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, name):
        """Returns the text with which YARN reports a service."""
        return self.call("GET", f"/app/v1/services/{name}")[1]

    def post(self, document):
        """Submits a service."""
        code, answer = self.call("POST", "/app/v1/services", document)
        if code != 202:
            raise engines.Unavailable(f"YARN rejects service {document['name']}: {code} {answer}")

    def delete(self, name):
        """Deletes a service, and kills its containers if it runs."""
        code, answer = self.call("DELETE", f"/app/v1/services/{name}")
        if code not in (200, 204):
            raise engines.Unavailable(f"YARN does not delete service {name}: {code} {answer}")

    def until(self, name, condition):
        """Waits until the report of a service fulfills a condition, and returns it."""
        end = time.monotonic() + STARTS
        while True:
            live = json.loads(self.get(name))
            if condition(live):
                return live
            if live.get("state") == "FAILED" or time.monotonic() > end:
                raise engines.Unavailable(f"service {name} does not run: {live}\n{self.logs(live.get('id'))}")
            time.sleep(PAUSE)

    def logs(self, application):
        """Returns the ends of the logs of a service master."""
        files = sorted(self.work.glob(f"log/{application}/container_*_000001/*"))
        return "\n".join(f"{file.name}: {file.read_text(encoding='utf-8', errors='replace')[-3000:]}" for file in files)


def check(folder, verbose):
    """Runs all comparisons, and returns them."""
    run = comparison.Comparison("yarn", folder, UNPROVEN, verbose)
    specs = submitted(run)
    (folder / "cluster").mkdir()
    with hadoop.cluster(folder / "cluster") as (_, conf, create), futures.ThreadPoolExecutor(LANES) as pool:
        services = Services(folder / "cluster", conf)
        create(files([document for _, document in specs]))
        reports = [pool.submit(reported, services, document) for _, document in specs]
        job = Job(run, services)
        changes(job)
        lifetime(job)
        people(job)
        answers(job)
        renewed(job)
        for (spec, document), report in zip(specs, reports):
            run.same(document["name"], spec, report.result())
            run.add(f"service {document['name']}", report.result(), document)
    return run


def submitted(run):
    """Returns specs that are only submitted, each with its Yarnfile."""
    text = (engines.ROOT / "targets/tests/specs/yarn/all.tfjob.kdl").read_text(encoding="utf-8")
    for pattern, other in ABSENT:
        text = re.sub(pattern, other, text)
    return [(spec, document(run, spec)) for spec in (*SPECS, run.spec(text, "all"))]


def document(run, spec):
    """Returns the Yarnfile of a spec."""
    return json.loads(next(run.compiled(spec).glob("*/yarn/Yarnfile.json")).read_text(encoding="utf-8"))


def files(documents):
    """Returns the files of HDFS that services read."""
    parts = [part for document in documents for part in (document, *document["components"])]
    found = {file["src_file"] for part in parts for file in part.get("configuration", {}).get("files", []) if "src_file" in file}
    return sorted(file for file in found if "://" not in file)


def reported(services, document):
    """Submits a service, and returns its first report."""
    services.post(document)
    live = services.until(document["name"], lambda live: live.get("components"))
    services.delete(document["name"])
    return live


class Job:
    """The service of which the spec changes."""

    def __init__(self, run, services):
        self.run, self.services, self.text = run, services, SPEC
        self.spec = run.spec(SPEC)
        self.submit()

    def submit(self):
        """Submits the service, and waits until all containers are ready."""
        wanted = document(self.run, self.spec)
        self.services.post(wanted)
        early = json.loads(self.services.get("live"))
        if not early.get("components"):
            self.run.refused("starting service", self.spec, early, "service live is in state ACCEPTED")
        live = self.live()
        self.run.same("submitted", self.spec, live)
        self.run.add("service live", live, wanted)

    def live(self):
        """Returns the report of the service when all of its containers are ready."""
        return self.services.until("live", is_ready)

    def edited(self, *edits):
        """Returns a spec with changes."""
        text = self.text
        for old, new in edits:
            if old not in text:
                raise ValueError(f"{old} is not in the spec")
            text = text.replace(old, new)
        return self.run.spec(text, "changed")

    def ignored(self, what, edits, expected):
        """YARN accepts a changed service, but changes nothing, except the lifetime."""
        spec, before = self.edited(*edits), self.live()
        self.run.differs(what, spec, before, {f"service live {pointer}": effect for pointer, effect in expected.items()})
        changed = document(self.run, spec)
        code, answer = self.services.call("PUT", "/app/v1/services/live", changed)
        after = self.live()
        if code not in (200, 204) or lasting(before) != lasting(after):
            self.run.fault(f"{what}: YARN answers {code} {answer}, and changes the service: {after}")


def is_ready(live):
    """Returns whether all containers of a service are ready. The state of the service does not tell: YARN sets it when a container
    becomes ready, but only afterwards the state of a component that restarts never or on failure. If this is the last container of
    the service, the service remains in the state STARTED."""
    return bool(live.get("components")) and all(
        part["state"] == "STABLE" and [one["state"] for one in part["containers"]] == ["READY"] * part["number_of_containers"]
        for part in live["components"])


def lasting(live):
    """Returns a report without the values that change by themselves."""
    return {key: value for key, value in live.items() if key not in ("lifetime", "state")}


def containers(live, name):
    """Returns the IDs of the containers of a component."""
    return {one["id"] for part in live["components"] if part["name"] == name for one in part["containers"]}


def changes(job):
    """Changes of all kinds: YARN ignores them, except the number of containers."""
    both = [f"/components/{index}" for index in range(2)]
    for what, edits, pointers in (
        ("description", [('"one"', '"two"')], ["/description"]),
        ("queue", [('queue "default"', 'queue "other"')], ["/queue"]),
        ("arguments", [('"600"', '"601"')], [f"{one}/launch_command" for one in both]),
        ("variable", [('LEVEL "info"', 'LEVEL "debug"')], [f"{one}/configuration/env/LEVEL" for one in both]),
        ("resources", [("128MiB", "256MiB")], [f"{one}/resource/memory" for one in both]),
        ("port", [("8080", "8081")], ["/quicklinks/Web 0", "/quicklinks/Web 1"]),
        ("restart policy", [('restart "on-failure"', 'restart "never"')], [
            f"/components/1/{field}" for field in ("restart_policy", "launch_command", "configuration/properties")]),
        ("added role", [('role "store"', 'role "other" { run "sleep" "1" }\n    role "store"')], ["/components/1"]),
    ):
        job.ignored(what, edits, {pointer: "recreate" for pointer in pointers})
    job.run.observed("name", job.spec, job.edited(('job "live"', 'job "second"')), "/name", "recreate")
    taken = job.services.call("POST", "/app/v1/services", document(job.run, job.spec))
    if taken[0] != 500 or "already taken" not in taken[1]:
        job.run.fault(f"YARN accepts a second service of the same name: {taken}")
    upgraded = {**document(job.run, job.spec), "version": "2", "state": "UPGRADING"}
    code, answer = job.services.call("PUT", "/app/v1/services/live", upgraded)
    if code != 400 or "Service upgrade is disabled" not in answer:
        job.run.fault(f"YARN upgrades the service: {code} {answer}")
    replicas(job)


def replicas(job):
    """The containers that remain are the same, so their programs have the old list of peers."""
    spec, before = job.edited(("count=2", "count=3")), job.live()
    pointer, link = "service live /components/0/number_of_containers", {"service live /quicklinks/Web 2": "recreate"}
    job.run.differs("replicas", spec, before, {pointer: "recreate", **link})
    for count in (3, 2):
        part = {"name": "worker", "number_of_containers": count}
        code, answer = job.services.call("PUT", "/app/v1/services/live/components/worker", part)
        after = job.services.until("live", lambda live: is_ready(live) and len(containers(live, "worker")) == count)
        if code != 200 or not containers(before, "worker") <= containers(after, "worker") or containers(before, "store") != containers(after, "store"):
            job.run.fault(f"flex to {count}: {code} {answer}: {after}")
        if count == 3:
            # The links of a service do not change.
            job.run.differs("flexed", spec, after, link)
            # What a person has changed.
            job.run.differs("changed by a person", job.spec, after, {pointer: "recreate"})


def lifetime(job):
    """YARN reports the remaining lifetime, and changes it while the service runs."""
    before = job.live()
    time.sleep(2)
    job.run.same("later", job.spec, job.live())
    job.run.differs("lifetime", job.edited(('"2d"', '"1d"')), job.live(), {"service live /lifetime": "in place"})
    # The lifetime may be the default of the queue.
    job.run.same("lifetime of the queue", job.edited(('    deadline "2d"\n', "")), job.live())
    code, answer = job.services.call("PUT", "/app/v1/services/live", {"lifetime": 86400})
    after = job.live()
    if code != 200 or "lifeTime is updated" not in answer or any(containers(before, name) != containers(after, name) for name in ("worker", "store")):
        job.run.fault(f"lifetime: {code} {answer}: {after}")
    job.run.same("shorter lifetime", job.edited(('"2d"', '"1d"')), after)
    job.run.differs("unlimited", job.spec, {**after, "lifetime": -1}, {"service live /lifetime": "in place"})


def people(job):
    """Values that differ from the defaults, or from what a component inherits."""
    live = job.live()
    for what, change, pointer in (
        ("privileged", lambda one: one.update(run_privileged_container=True), "/components/0/run_privileged_container"),
        ("variable", lambda one: one["configuration"]["env"].update(X="1"), "/components/0/configuration/env/X"),
        ("property", lambda one: one["configuration"]["properties"].update({"yarn.service.am-restart.max-attempts": "9"}),
         "/components/0/configuration/properties"),
        ("file", lambda one: one["configuration"]["files"].append({"dest_file": "x"}), "/components/0/configuration/files"),
    ):
        other = copy.deepcopy(live)
        change(other["components"][0])
        job.run.differs(what, job.spec, other, {f"service live {pointer}": "recreate"})
    link = {**live, "quicklinks": {name: link.replace(":8080", ":9090") for name, link in live["quicklinks"].items()}}
    job.run.differs("link", job.spec, link, {f"service live /quicklinks/Web {index}": "recreate" for index in range(2)})


def answers(job):
    """Answers that cannot be compared."""
    job.run.refused("missing service", job.spec, job.services.get("none"), "YARN reports an error: Service none not found")
    page = job.services.call("GET", "/ws/v1/cluster/apps/application_1_0001")[1]
    job.run.refused("page of the web interface", job.spec, page, "is HTML or XML")
    # The form of errors of the ResourceManager in its documentation.
    remote = {"RemoteException": {"exception": "NotFoundException", "message": "app not found", "javaClassName": "a.NotFoundException"}}
    job.run.refused("RemoteException", job.spec, remote, "YARN reports an error: app not found")
    for what, answer in (("wrong kinds", {"name": ["live"], "components": {"a": 1}}), ("another service", {"name": "b", "components": [{}]})):
        job.run.refused(what, job.spec, answer, "does not contain service live")


def renewed(job):
    """The service is stopped and deleted, and the changed one is submitted."""
    job.services.call("PUT", "/app/v1/services/live", {"state": "STOPPED"})
    stopped = job.services.until("live", lambda live: live.get("state") == "STOPPED")
    job.run.refused("stopped service", job.spec, stopped, "service live is in state STOPPED")
    job.services.delete("live")
    job.text = job.text.replace("count=2", "count=3").replace('"600"', '"601"').replace('LEVEL "info"', 'LEVEL "debug"')
    job.spec = job.run.spec(job.text)
    job.submit()
    job.services.delete("live")
