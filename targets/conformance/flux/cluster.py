"""A control plane with Flux: a registry, one source, and one Kustomization; and a record of the Pods."""
import contextlib
import json
import os
import subprocess
import threading
import time

from conformance import engines
from script_runs.shell import LIMIT, first_line, stop

ENGINE = engines.HERE / "flux" / "engine"
HOME = "flux-system"
NAME = "training-east"


class Fault(Exception):
    """A statement that does not hold."""


def expect(holds, text):
    """Fails if a statement does not hold."""
    if not holds:
        raise Fault(text)


class Pods:
    """The Pods of a namespace, as the API server reports their changes: which exist, and which jobs had Pods at the same time."""

    def __init__(self, env, namespace):
        words = ["kubectl", "get", "pods", "--namespace", namespace, "--watch", "--output-watch-events", "--output", "json"]
        self.watch = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.alive, self.created, self.overlaps = {}, [], set()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.watch.stdout:
            self._event(json.loads(line))

    def _event(self, event):
        pod = event["object"]
        meta = pod["metadata"]
        uid, owner = meta["uid"], meta["ownerReferences"][0]["uid"]
        if event["type"] == "DELETED":
            self.alive.pop(uid, None)
            return
        if uid not in self.alive:
            self.created.append(meta["name"])
        self.alive[uid] = (owner, meta["name"], pod["spec"]["containers"][0]["image"])
        self.overlaps |= {frozenset((name, other)) for who, name, _ in self.alive.values()
                          for owned, other, _ in self.alive.values() if who != owned}

    def forget(self):
        """Starts a new record."""
        self.created, self.overlaps = [], set()

    def images(self):
        """Returns the image of each Pod."""
        return {name: image for _, name, image in list(self.alive.values())}


class Flux:
    """The Kustomization of examples/gitops/flux/oci.yaml on a control plane."""

    def __init__(self, env, folder, address, log):
        self.env, self.folder, self.log = env, folder, log
        self.repository = f"{address}/ml/{NAME}"

    def kubectl(self, *words, text=None, fails=False):
        """Runs kubectl, and returns its output."""
        done = subprocess.run(["kubectl", *words], env=self.env, input=text, capture_output=True, text=True, timeout=LIMIT, check=False)
        expect(bool(done.returncode) == fails, f"kubectl {' '.join(words)}: exit code {done.returncode}: {done.stdout}{done.stderr}")
        return done.stderr if fails else done.stdout

    def objects(self, kinds):
        """Returns the objects of the jobs by kind and name."""
        found = json.loads(self.kubectl("get", kinds, "--namespace", "training", "--output", "json"))["items"]
        return {f"{one['kind']}/{one['metadata']['name']}": one for one in found if one["metadata"]["name"] != "kube-root-ca.crt"}

    def uids(self):
        """Returns the UID of each TFJob."""
        return {name: one["metadata"]["uid"] for name, one in self.objects("tfjobs").items()}

    def create(self, fields=""):
        """Creates the source and the Kustomization, with more fields of its spec."""
        text = (engines.ROOT / "examples/gitops/flux/oci.yaml").read_text(encoding="utf-8")
        address = f"oci://{self.repository}\n  insecure: true"
        example = f"oci://registry.example.com/ml/{NAME}"
        expect(example in text, f"oci.yaml does not contain {example}")
        text = text.replace(example, address) + fields
        self.kubectl("apply", "--filename", "-", text=text)

    def push(self, folder):
        """Pushes a directory as an artifact, and returns its digest."""
        words = [ENGINE, "push", f"{self.repository}:main", folder]
        done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=False)
        expect(done.returncode == 0, f"push: {done.stderr}")
        return done.stdout.strip().rpartition("@")[2]

    def commit(self, folder):
        """Pushes a directory, and returns the message of the Kustomization after it was applied, and whether it is ready."""
        digest = self.push(folder)
        return self.until(lambda status: status.get("lastAttemptedRevision", "").endswith(digest))

    def reconcile(self):
        """Requests one more reconciliation, as `flux reconcile kustomization`. Returns what it has done with each object."""
        now = str(time.time())
        annotation = f"reconcile.fluxcd.io/requestedAt={now}"
        self.kubectl("annotate", "--overwrite", "--namespace", HOME, f"kustomization/{NAME}", annotation)
        message, ready = self.until(lambda status: status.get("lastHandledReconcileAt") == now)
        expect(ready, message)
        lines = [json.loads(line) for line in self.log.read_text(errors="replace").splitlines() if line.startswith("{")]
        return [line["output"] for line in lines if line["msg"] == "server-side apply completed"][-1]

    def until(self, holds):
        """Waits until the status of the Kustomization fulfills a condition, and a reconciliation has ended."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            found = self.kubectl("get", "kustomization", NAME, "--namespace", HOME, "--output", "json")
            status = json.loads(found).get("status", {})
            ready = next((one for one in status.get("conditions", ()) if one["type"] == "Ready"), {"status": "Unknown"})
            if holds(status) and ready["status"] != "Unknown":
                return ready["message"], ready["status"] == "True"
            time.sleep(0.1)
        raise Fault(f"the Kustomization is not reconciled: {status}")

    def wait(self, what, holds):
        """Waits until a condition holds."""
        end = time.monotonic() + 30
        while not holds():
            expect(time.monotonic() < end, f"{what}: not within 30 s")
            time.sleep(0.1)


@contextlib.contextmanager
def flux(env, kubeconfig, folder):
    """Starts Flux on a control plane. `env` is the environment of kubectl and tfjob."""
    log = folder / "flux.log"
    with open(log, "wb") as out:
        words = [ENGINE, "serve", "-kubeconfig", kubeconfig]
        server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=out)
    try:
        line = first_line(server)
        if not line:
            raise engines.Unavailable(f"Flux does not start: {log.read_text(errors='replace')[-2000:]}")
        yield Flux({**os.environ, **env, "KUBECONFIG": kubeconfig}, folder, json.loads(line)["registry"], log)
    finally:
        stop(server, 60)
