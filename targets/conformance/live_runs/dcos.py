"""Groups of apps as Marathon reports them. Marathon does not run here: a stand-in adds what its code adds to a group
(`AppNormalization`, the defaults of its RAML types, and the state of apps), after its published schema has judged each app."""
import copy
import json
import re

from conformance import engines
from live_runs import comparison

SPEC = """job "live" {
    labels { team "a" }
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "ml/mnist:1.0"
    code "https://example.com/code.tar.gz"
    run "python" "train.py" "--lr=1"
    resources cpus=1 memory="1GiB"
    env { LEVEL "info" }
    allow "restart" because="the job is short"
    role "chief"
    role "worker" count=2
    role "ps"
    target "dcos" { }
}
"""
SPECS = [f"examples/{name}.tfjob.kdl" for name in ("cifar10", "dist-mnist", "gpu", "minimal", "start-order")]
# Defaults of Marathon 1.7: of an app, and of the items of its lists.
APP = {
    "acceptedResourceRoles": ["*"], "backoffFactor": 1.15, "backoffSeconds": 1, "constraints": [], "dependencies": [], "disk": 0,
    "env": {}, "executor": "", "fetch": [], "gpus": 0, "healthChecks": [], "instances": 1, "killSelection": "YOUNGEST_FIRST",
    "labels": {}, "maxLaunchDelaySeconds": 300, "networks": [{"mode": "host"}], "portDefinitions": [], "readinessChecks": [],
    "requirePorts": False, "secrets": {}, "unreachableStrategy": {"inactiveAfterSeconds": 0, "expungeAfterSeconds": 0},
    "upgradeStrategy": {"minimumHealthCapacity": 1, "maximumOverCapacity": 1},
}
STATE = {
    "version": "2026-01-01T00:00:00.000Z", "versionInfo": {"lastScalingAt": "2026-01-01T00:00:00.000Z"}, "tasksStaged": 0,
    "tasksRunning": 1, "tasksHealthy": 0, "tasksUnhealthy": 0, "deployments": [],
}
ITEMS = {
    "fetch": {"cache": False, "executable": False, "extract": True},
    "healthChecks": {"delaySeconds": 15, "ipProtocol": "IPv4"},
    "portDefinitions": {"labels": {}, "protocol": "tcp"},
}
PORT_MAPPING = {"hostPort": 0, "labels": {}, "protocol": "tcp", "servicePort": 10000}
GROUP = {"dependencies": [], "groups": [], "pods": [], "version": "2026-01-01T00:00:00.000Z"}


def reported(document):
    """Returns a group as Marathon reports it. The apps of a group are a set."""
    live = {**copy.deepcopy(document), **GROUP}
    live["apps"] = [normal(app) for app in reversed(live["apps"])]
    return live


def normal(app):
    """Returns an app as Marathon reports it."""
    live = {**APP, **app, **STATE}
    for field, defaults in ITEMS.items():
        live[field] = [{**defaults, **item} for item in live[field]]
    live["dependencies"] = sorted(live["dependencies"], reverse=True)
    if "container" in live:
        docker = {"forcePullImage": False, "parameters": [], "privileged": False}
        live["container"] = {"volumes": [], **live["container"], "docker": {**docker, **live["container"]["docker"]}}
        if "portMappings" in live["container"]:
            live["container"]["portMappings"] = [{**PORT_MAPPING, **one} for one in live["container"]["portMappings"]]
    return live


def groups(run, *specs):
    """Returns the compiled groups by the name of their job."""
    paths = run.compiled(*specs).glob("*/dcos/marathon.json")
    return {path.parent.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def check(folder, verbose):
    """Runs all comparisons, and returns them."""
    run = comparison.Comparison("dcos", folder, unproven(), verbose)
    for spec in SPECS:
        name = re.search('job "([^"]+)"', (engines.ROOT / spec).read_text(encoding="utf-8")).group(1)
        group = groups(run, spec)[name]
        run.same(spec, spec, reported(group))
        run.add(f"group {name}", reported(group), group)
    spec = run.spec(SPEC)
    group = groups(run, spec)["live"]
    judged(run, group)
    changes(run, spec, group)
    answers(run, spec, group)
    return run


def judged(run, group):
    """The schema of Marathon accepts the apps."""
    artifact = {"path": "marathon.json", "text": json.dumps(group), "executable": False}
    case = {"case": "live", "target": "dcos", "options": {}, "artifacts": [artifact], "tasks": []}
    answer = engines.ask("dcos", "judge", [case])[0]
    if answer["verdict"] != "accepted":
        run.fault(f"the schema of Marathon refuses the group: {answer['findings']}")


def changes(run, spec, group):
    """What differs after a change of the spec or of the group."""
    live = reported(group)
    run.same("group", spec, live)
    run.add("group live", live, group)
    apps = [app["id"].rsplit("/", 1)[1] for app in group["apps"]]

    def edited(old, new):
        return run.spec(SPEC.replace(old, new), "changed")

    for what, old, new, pointer in (
        ("image", "mnist:1.0", "mnist:2.0", "container/docker/image"),
        ("arguments", "--lr=1", "--lr=2", "cmd"),
        ("variable", 'LEVEL "info"', 'LEVEL "debug"', "env/LEVEL"),
        ("resources", 'memory="1GiB"', 'memory="2GiB"', "mem"),
        ("labels", 'team "a"', 'team "b"', "labels/team"),
    ):
        expected = {f"group /live /apps/{index}/{pointer}": "restart" for index in range(len(apps))}
        run.differs(what, edited(old, new), live, expected)
    run.observed("replicas", spec, edited("count=2", "count=3"), f"/apps/{apps.index('worker-1') + 1}", "restart")
    run.observed("name", spec, edited('job "live"', 'job "second"'), "/id", "recreate")
    mapped = edited('role "chief"', 'network "dcos"\n    role "chief" { port "metrics" 9000; }')
    group_on_network = groups(run, mapped)["live"]
    run.same("port mappings", mapped, reported(group_on_network))
    run.add("group live", reported(group_on_network), group_on_network)
    other = copy.deepcopy(live)
    other["apps"][0]["env"]["X"] = "1"
    other["apps"][0]["killSelection"] = "OLDEST_FIRST"
    run.differs("changed by a person", spec, other, {"group /live /apps/0/env/X": "restart", "group /live /apps/0/killSelection": "restart"})


def answers(run, spec, group):
    """Answers that cannot be compared."""
    run.refused("missing group", spec, {"message": "Group '/live' does not exist"}, "DC/OS reports an error: Group '/live' does not exist")
    for what, answer in (("app", {"app": {"id": "/live"}}), ("another group", {**reported(group), "id": "/other"}), ("list", [1])):
        run.refused(what, spec, answer, "does not contain group /live")


def unproven():
    """Returns the rules and known values that neither the schema nor the stand-in shows."""
    cosmos, newer = "Cosmos and the package do not run here", "only some releases of Marathon report it"
    return {
        "* **": "no artifact but the document of Marathon or Cosmos exists", "options.json /service/name": cosmos, "options.json **": cosmos,
        "marathon.json ": cosmos, "options.json ": cosmos,
        **{f"group {pointer}": newer for pointer in ("/enforceRole", "/apps/*/role", "/apps/*/tty", "/apps/*/tasks", "/apps/*/lastTaskFailure")},
    }
