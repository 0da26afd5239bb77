"""Jobs on a control plane with the operator: what `tfjob diff --live` says about them, and what changes of them really do."""
import itertools
import json
import os
import pathlib
import re
import subprocess
import time

from live_runs import comparison, kubernetes_changes
from script_runs.kubernetes import control_plane

SPEC = """job "live" {
    description "one"
    labels { team "a" }
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "ml/mnist:1.0"
    run "python" "train.py" "--lr=1"
    resources cpus=1 memory="1GiB"
    checkpoints "pvc://ckpt" at="/ckpt"
    env { LEVEL "info"; EMPTY "" }
    secret "TOKEN" from="store" key="token"
    secret "KEY" from="store" key="key" at="/etc/key"
    tensorboard logs="{checkpoints}" { secrets "TOKEN" "KEY"; resources cpus=0.5 memory="1GiB" }
    network "host"
    keep "failed" for="1d"
    start gang=#true
    allow "restart" because="the job is short"
    role "chief"
    role "worker" count=2 { port "web" 8080 }
    role "ps" { after "chief" when="started" }
    target "kubernetes" { namespace "live"; gang "volcano"; volcano-queue "q"; service-account "trainer" }
}
"""
# Without the shim: the operator writes TF_CONFIG, and the run policy has the deadline.
PLAIN = """job "plain" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "ml/mnist:1.0"
    run "python" "train.py"
    resources cpus=1 memory="1GiB"
    data "logs" "file:///mnt/logs" at="/logs"
    tensorboard logs="{data.logs}"
    deadline "2d"
    allow "restart" because="the job is short"
    role "worker" count=2 { port "web" 8080 }
    target "kubernetes" { namespace "live" }
}
"""
# Specs of the repository: one of each kind of object and feature.
SPECS = [f"examples/{name}.tfjob.kdl" for name in ("cifar10", "evaluator", "gpu", "minimal", "restart", "overlays/production")]
SPECS += [f"targets/tests/specs/kubernetes/{name}.tfjob.kdl" for name in (
    "custom", "drivers", "duties", "everything", "helpers", "hostile", "lost-workers", "patched", "restricted", "shell")]
SPECS += [f"targets/conformance/published/kubernetes-{name}.tfjob.kdl" for name in ("arena", "kueue-mnist", "pets", "rdma")]
# The operator has reacted to a change after this time in seconds.
SETTLE = 1
UNPROVEN = {
    "* **": "no artifact but the three manifests exists",
    "tfjob.yaml /metadata/labels/kueue.x-k8s.io~1queue-name": "Kueue does not run here",
    "tensorboard.yaml /spec/template/**": "no controller of Deployments runs here: the server accepts the change",
    "Deployment /metadata/annotations/deployment.kubernetes.io~1revision": "no controller of Deployments runs here",
    "TFJob /spec/tfReplicaSpecs/*/template/spec/nodeSelector/**": "Kueue does not run here",
    "/metadata/annotations/argocd.argoproj.io~1tracking-id": "argocd/scenarios observes it",
    "/metadata/labels/kustomize.toolkit.fluxcd.io~1name": "flux/scenarios observes it",
    "/metadata/labels/kustomize.toolkit.fluxcd.io~1namespace": "flux/scenarios observes it",
    "/metadata/labels/app.kubernetes.io~1instance": "argocd/scenarios observes it",
    "/metadata/labels/argocd.argoproj.io~1instance": "only a setting of Argo CD adds it",
    "/metadata/annotations/argocd.argoproj.io~1installation-id": "only a setting of Argo CD adds it",
    "TFJob /spec/tfReplicaSpecs/*/template/spec/tolerations": "Kueue does not run here",
    "TFJob /spec/tfReplicaSpecs/*/template/metadata/labels/kueue.x-k8s.io~1podset": "Kueue does not run here",
    "Service /metadata/annotations/cloud.google.com~1neg": "only GKE adds it",
    "Deployment /metadata/annotations/autopilot.gke.io~1warden-version": "only GKE Autopilot adds it",
    "Deployment /metadata/annotations/autopilot.gke.io~1resource-adjustment": "only GKE Autopilot adds it",
}


class Kubectl:
    """The real kubectl, on a running control plane."""

    def __init__(self, env):
        self.env = {**os.environ, **env}

    def __call__(self, *words, given=None):
        words = ["kubectl", *map(str, words)]
        text = given if given is None or isinstance(given, str) else json.dumps(given)
        return subprocess.run(words, env=self.env, input=text, capture_output=True, text=True, check=False)

    def get(self, *words):
        """Returns the answer in JSON, as a user would save it."""
        return json.loads(self("get", *words, "--output", "json").stdout or "{}")

    def pods(self, job, namespace="live"):
        """Returns the UID and the phase of each Pod of a job."""
        label = f"training.kubeflow.org/job-name={job}"
        items = self.get("--namespace", namespace, "pods", "--selector", label).get("items", [])
        return {one["metadata"]["name"]: (one["metadata"]["uid"], one["status"]["phase"]) for one in items}

    def condition(self, job):
        """Returns the condition of a job that holds last."""
        status = self.get("--namespace", "live", "tfjob", job).get("status", {})
        return ([one["type"] for one in status.get("conditions", []) if one["status"] == "True"] or [""])[-1]


def until(condition, limit=60):
    """Waits until a condition holds. Returns whether it does."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


def check(folder, verbose):
    """Runs all comparisons, and returns them."""
    run = comparison.Comparison("kubernetes", folder, UNPROVEN, verbose)
    with control_plane(folder) as (env, users, _):
        kubectl = Kubectl({**env, "KUBECONFIG": users["engine"]})
        job = Job(run, kubectl, SPEC)
        plain = Job(run, kubectl, PLAIN, "b")
        submitted(run, kubectl)
        for one in (job, plain):
            one.submit()
        kubernetes_changes.check(job, plain)
    return run


def submitted(run, kubectl):
    """Each spec has no difference to the job that was submitted from it: created, applied by the server, or applied by kubectl."""
    folders = {origin(path): path.parent for path in run.compiled(*SPECS).glob("*/kubernetes/tfjob.yaml")}
    files = {spec: manifests(folders[pathlib.Path(spec).name]) for spec in SPECS}
    everything = list(itertools.chain(*files.values()))
    prepare(kubectl, everything)
    for index, way in enumerate((("create",), ("apply", "--server-side"), ("apply",))):
        done = kubectl(*way, *named(itertools.chain(*[files[spec] for spec in SPECS[index::3]])))
        if done.returncode:
            run.fault(f"`kubectl {' '.join(way)}` fails: {done.stderr}")
    # The answer also contains the objects of the other jobs.
    live = kubectl.get(*named(everything))
    for spec in SPECS:
        run.same(spec, spec, live)
    record(run, kubectl, live, everything)


def origin(manifest):
    """Returns the name of the spec from which a manifest was compiled."""
    return manifest.read_text(encoding="utf-8").split("Generated by tfjob from ", 1)[1].split(". Edit", 1)[0]


def manifests(folder):
    """Returns the manifests of a job, the TFJob last."""
    return [path for path in (folder / f"{name}.yaml" for name in ("configmap", "tensorboard", "tfjob")) if path.exists()]


def named(files):
    """Returns the arguments that name the files."""
    return [word for path in files for word in ("--filename", path)]


def prepare(kubectl, files):
    """Creates the namespaces, service accounts, and priority classes that the objects of the files name."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    found = {key: set(re.findall(rf"^ *{key}: (\S+)$", text, re.M)) for key in ("namespace", "serviceAccountName", "priorityClassName")}
    meta = [("v1", "Namespace", None, name) for name in found["namespace"]]
    meta += [("v1", "ServiceAccount", space, name) for space in found["namespace"] for name in {*found["serviceAccountName"], "default"}]
    meta += [("scheduling.k8s.io/v1", "PriorityClass", None, name) for name in found["priorityClassName"]]
    items = [{"apiVersion": version, "kind": kind, "metadata": {"name": name, **({"namespace": space} if space else {})},
              **({"value": 1000} if kind == "PriorityClass" else {})} for version, kind, space, name in meta]
    kubectl("apply", "--server-side", "--filename", "-", given={"apiVersion": "v1", "kind": "List", "items": items})


def record(run, kubectl, live, files):
    """Records which values the server has added to the objects of the files."""
    text = kubectl("create", "--dry-run=client", "--output", "json", *named(files)).stdout
    decoder, wanted = json.JSONDecoder(), []
    while text.strip():
        one, end = decoder.raw_decode(text.lstrip())
        wanted, text = wanted + one.get("items", [one]), text.lstrip()[end:]
    by_name = {key(one): one for one in wanted}
    for one in live.get("items", [live]):
        if key(one) in by_name:
            run.add(f"{one['kind']} {one['metadata']['name']}", one, by_name[key(one)])


def key(document):
    """Returns what identifies an object."""
    return document["kind"], document["metadata"]["namespace"], document["metadata"]["name"]


class Job:
    """A job of which the spec changes."""

    def __init__(self, run, kubectl, text, name="a"):
        self.run, self.kubectl, self.text, self.name = run, kubectl, text, re.search('job "([^"]+)"', text).group(1)
        self.spec = run.spec(text, name)
        self.files = []

    def submit(self):
        """Submits the job, and waits until its Pods run."""
        self.files = self.other(self.spec)
        prepare(self.kubectl, self.files)
        done = self.kubectl("create", *named(self.files))
        if done.returncode:
            self.run.fault(f"{self.name}: `kubectl create` fails: {done.stderr}")
        self.wait()
        self.run.same(f"{self.name}, submitted", self.spec, self.live())
        record(self.run, self.kubectl, self.live(), self.files)

    def wait(self):
        """Waits until all Pods run."""
        def running():
            phases = [phase for _, phase in self.pods().values()]
            return phases and set(phases) == {"Running"} and self.kubectl.condition(self.name) == "Running"
        if not until(running):
            self.run.fault(f"{self.name}: the Pods do not run: {self.pods()}")

    def pods(self):
        return self.kubectl.pods(self.name)

    def live(self):
        """Returns the objects of the job, as the API server reports them."""
        return self.kubectl.get(*named(self.files))

    def edited(self, *edits):
        """Returns a spec with changes."""
        text = self.text
        for old, new in edits:
            if old not in text:
                raise ValueError(f"{old} is not in the spec")
            text = text.replace(old, new)
        return self.run.spec(text, "changed")

    def change(self, what, edits, expected, outcome, restored=True):
        """Compares a changed spec, and replaces the objects of the job with the changed ones. `outcome`: `accepted` if the Pods stay,
        `restart` if all are replaced, `settled` if they are not compared, or the message with which the server rejects the change."""
        spec = self.edited(*edits)
        self.run.differs(what, spec, self.live(), expected)
        changed, before = self.other(spec), self.pods()
        done = self.kubectl("replace", *named(changed))
        if outcome not in ("accepted", "restart", "settled"):
            if done.returncode == 0 or outcome not in done.stderr:
                self.run.fault(f"{what}: expected {outcome!r}, but the server answers {done.stdout}{done.stderr}")
            return
        if done.returncode:
            self.run.fault(f"{what}: the server rejects the change: {done.stderr}")
        if outcome == "restart" and not until(lambda: not set(before.values()) & set(self.pods().values())):
            self.run.fault(f"{what}: the Pods stay: {self.pods()}")
        self.settle()
        if outcome == "accepted" and any(self.pods().get(name) != pod for name, pod in before.items()):
            self.run.fault(f"{what}: the Pods change: {before}, then {self.pods()}")
        self.run.same(f"{what}, replaced", spec, self.live())
        if restored:
            self.restore()

    def restore(self):
        """Replaces the objects of the job with those of the spec."""
        done = self.kubectl("replace", *named(self.files))
        if done.returncode:
            self.run.fault(f"{self.name}: the objects cannot be restored: {done.stderr}")
        self.wait()
        self.run.same(f"{self.name}, restored", self.spec, self.live())

    def record(self, live):
        """Records which values the server has added."""
        record(self.run, self.kubectl, live, self.files)

    def other(self, spec):
        """Returns the manifests of another spec."""
        return manifests(next(self.run.compiled(spec).glob("*/kubernetes")))

    def settle(self):
        """Waits until the operator has reacted."""
        time.sleep(SETTLE)

    def succeed(self, pod):
        """Reports that the container of a Pod has exited with 0, as a kubelet does."""
        status = {"status": {"phase": "Succeeded", "containerStatuses": [{
            "name": "tensorflow", "image": "", "imageID": "", "ready": False, "restartCount": 0,
            "state": {"terminated": {"exitCode": 0}}}]}}
        words = ["patch", "pod", pod, "--subresource", "status", "--patch", json.dumps(status)]
        done = self.kubectl("--namespace", "live", *words)
        if done.returncode:
            self.run.fault(f"the status of {pod} cannot be set: {done.stderr}")

    def ends(self, condition):
        """The job must get this condition."""
        if not until(lambda: self.kubectl.condition(self.name) == condition):
            self.run.fault(f"{self.name} is {self.kubectl.condition(self.name)}, expected {condition}")

    def gone(self):
        """The operator must delete the job."""
        if not until(lambda: self.kubectl("--namespace", "live", "get", "tfjob", self.name).returncode):
            self.run.fault(f"{self.name}: the operator does not delete the finished job")

    def delete(self):
        """Deletes the objects of the job, and waits until its Pods are gone."""
        self.kubectl("delete", *named(self.files))
        until(lambda: not self.pods())
