"""Scripts of a TFJob on a control plane with the operator, run with the real kubectl."""
import contextlib
import json
import os
import subprocess

from conformance import engines
from script_runs.shell import Platform, first_line, stop

HERE = engines.HERE / "script_runs"
VERSION = "v1.36.3"
SPEC = """job "scripts" {
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "ml/mnist:1.0" pull-secret="registry"
    run "python" "train.py"
    resources cpus=1 memory="1GiB"
    checkpoints "pvc://ckpt" at="/ckpt"
    secret "STORE_TOKEN" from="store" key="token"
    tensorboard logs="{checkpoints}"
    stop grace="5s"
    role "chief"
    role "worker" count=2
    role "ps" { after "chief" when="started" }
    target "kubernetes" { namespace "ml" }
}
"""
QUEUED = """job "queued" {
    framework "tensorflow" version="2.15" strategy="single"
    image "ml/mnist:1.0"
    run "python" "train.py"
    role "worker" { resources cpus=1 memory="1GiB" }
    target "kubernetes" { namespace "ml"; local-queue "q" }
}
"""


def check(folder, verbose):
    """Runs all scripts, and returns the faults."""
    with control_plane(folder) as (env, users, finish):
        here = Platform("kubernetes", folder, {**env, "KUBECONFIG": users["engine"]}, verbose)
        job = here.compiled(SPEC)
        absent(here, job)
        whole(here, job, finish)
        changed(here, job)
        rights(here, job, users["visitor"])
        return here.faults


@contextlib.contextmanager
def control_plane(folder):
    """Starts the control plane. Yields the environment of clients, the kubeconfig of each user, and a function that lets the
    running jobs succeed."""
    programs = folder / "bin"
    programs.mkdir()
    kubectl(programs / "kubectl")
    shim = str(engines.static_shim())
    words = [engines.HERE / "kubernetes" / "engine", "serve"]
    with open(folder / "engine.log", "wb") as log:
        own = {**os.environ, "TFJOB_SHIM": shim}
        server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=own)

    def finish():
        server.stdin.write(b"exit\n")
        server.stdin.flush()

    try:
        line = first_line(server)
        if not line:
            said = (folder / "engine.log").read_text(errors="replace")[-2000:]
            raise engines.Unavailable(f"the control plane does not start: {said}")
        env = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), "TFJOB_SHIM": shim}
        yield env, json.loads(line), finish
    finally:
        stop(server, 60)


def kubectl(path):
    """Builds kubectl, which the Go cache keeps."""
    env = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-p=2 -buildvcs=false"}
    flags = f"-ldflags=-s -X k8s.io/component-base/version.gitVersion={VERSION}"
    words = ["go", "build", flags, "-o", path, "."]
    done = subprocess.run(words, cwd=HERE / "kubectl", env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise engines.Unavailable(f"kubectl cannot be built: {done.stderr[-2000:]}")


def absent(here, job):
    """The job, its Secrets, or its namespace do not exist."""
    if job.names() != ["delete.sh", "logs.sh", "status.sh", "submit.sh"]:
        here.fault(f"the scripts are {job.names()}")
    job.run("submit.sh", code=1, has=[r'namespaces "ml" not found', "the failed command checks that no job of this name exists"])
    job.run("status.sh", code=1, has=[r'namespaces "ml" not found'])
    job.run("delete.sh", lacks=["deleted"])
    for words in (["namespace", "ml"], ["--namespace", "ml", "serviceaccount", "default"]):
        here.call("kubectl", "create", *words)
    job.run("status.sh", code=1, has=[r'tfjobs.kubeflow.org "scripts" not found'])
    job.run("logs.sh", has=["No resources found in ml namespace"])
    purpose = "the failed command checks that this Secret of the job exists; create it with `kubectl create secret`"
    job.run("submit.sh", code=1, has=[r'secrets "registry" not found', purpose], lacks=["already exists", "deployment"])
    missing = here.call("kubectl", "--namespace", "ml", "get", "tfjobs,deployments")
    if "No resources found" not in missing.err:
        here.fault(f"submit.sh has created objects, although a Secret is missing: {missing}")
    here.call("kubectl", "--namespace", "ml", "create", "secret", "generic", "registry")
    job.run("submit.sh", code=1, has=[r'secrets "store" not found'])
    here.call("kubectl", "--namespace", "ml", "create", "secret", "generic", "store", "--from-literal=token=x")


def whole(here, job, finish):
    """A job from its submission to its deletion. Each script also runs twice."""
    dry = job.run("submit.sh", "--dry-run")
    job.run("status.sh", code=1, has=["not found"])
    job.run("submit.sh", has=["^tfjob.kubeflow.org/scripts created$", "^deployment.apps/scripts-tensorboard serverside-applied$"])
    job.run("submit.sh", code=1, has=[r'tfjobs.kubeflow.org "scripts" already exists'], lacks=["serverside-applied"])
    job.until("status.sh", r"^scripts +Running ")
    job.until("status.sh", r"^scripts-worker-1 +1/1 +Running ")
    pods = ("chief-0", "ps-0", "worker-0", "worker-1")
    job.run("logs.sh", has=[rf"^\[pod/scripts-{pod}/tensorflow\] output of scripts-{pod}/tensorflow$" for pod in pods])
    finish()
    job.until("status.sh", r"^scripts +Succeeded ")
    job.run("logs.sh", has=["output of scripts-chief-0/tensorflow"])
    job.run("submit.sh", code=1, has=["already exists"])
    job.run("delete.sh", has=['^tfjob.kubeflow.org "scripts" deleted', '^deployment.apps "scripts-tensorboard" deleted'])
    job.run("delete.sh", lacks=["deleted"])
    job.run("status.sh", code=1, has=[r'tfjobs.kubeflow.org "scripts" not found'])
    # The stand-in deletes the Pods of a deleted job a moment later.
    job.until("logs.sh", "No resources found")
    # The commands of a dry run do the same.
    done = here.call("sh", "-ec", dry.out, folder=job.home)
    if done.code or "tfjob.kubeflow.org/scripts created\n" not in done.out:
        here.fault(f"the commands that `submit.sh --dry-run` prints fail: {done}")
    job.until("status.sh", r"^scripts +Running ")


def changed(here, job):
    """Why there is no update.sh: the operator adds Pods of the changed job to the running ones, and replaces none."""
    other = here.compiled(SPEC.replace("count=2", "count=3").replace("mnist:1.0", "mnist:2.0"))
    other.run("submit.sh", code=1, has=["already exists"])
    applied = here.call("kubectl", "apply", "--server-side", "--filename", other.folder / "tfjob.yaml")
    if applied.code != 1 or 'conflicts with "kubectl-create"' not in applied.err:
        here.fault(f"`kubectl apply` of a changed job does not conflict with `kubectl create`: {applied}")
    here.call("kubectl", "replace", "--filename", other.folder / "tfjob.yaml")
    job.until("status.sh", "scripts-worker-2")
    columns = "custom-columns=N:.metadata.name,I:.spec.containers[0].image"
    listed = here.call("kubectl", "--namespace", "ml", "get", "pods", "--output", columns).out
    images = dict(line.split() for line in listed.splitlines()[1:])
    kept = {f"scripts-{pod}": "ml/mnist:1.0" for pod in ("chief-0", "ps-0", "worker-0", "worker-1")}
    if images != {**kept, "scripts-worker-2": "ml/mnist:2.0"}:
        here.fault(f"after the change of a running job, its Pods are {images}: docs/projects.md says why there is no update.sh")
    patch = '{"spec":{"runPolicy":{"managedBy":"kueue.x-k8s.io/multikueue"}}}'
    refused = here.call("kubectl", "--namespace", "ml", "patch", "tfjob", "scripts", "--type", "merge", "--patch", patch)
    if refused.code != 1 or "field is immutable" not in refused.err:
        here.fault(f"the server accepts a change of an immutable field: {refused}")
    other.run("delete.sh", has=['^tfjob.kubeflow.org "scripts" deleted'])


def rights(here, job, kubeconfig):
    """A user who may create jobs, but neither read Secrets nor other namespaces."""
    env = {"KUBECONFIG": kubeconfig}
    job.run("submit.sh", code=1, has=[r"\(Forbidden\).*tfjobs", "the failed command checks that no job of this name exists"], **env)
    admin = ["kubectl", "--namespace", "ml", "create"]
    verbs = "--verb=create,get,list,watch,patch,update,delete"
    here.call(*admin, "role", "trainer", verbs, "--resource=tfjobs.kubeflow.org,configmaps,services,deployments.apps")
    here.call(*admin, "role", "reader", "--verb=get,list,watch", "--resource=pods,pods/log,events")
    for role in ("trainer", "reader"):
        here.call(*admin, "rolebinding", role, f"--role={role}", "--user=visitor")
    get = "^skipped: kubectl --namespace ml get secret"
    skipped = [rf"{get} {name} \(this user may not read Secrets" for name in ("registry", "store")]
    job.run("submit.sh", has=[*skipped, "^tfjob.kubeflow.org/scripts created$"], **env)
    job.until("status.sh", r"^scripts +Running ")
    job.run("status.sh", has=[r"^scripts-chief-0 +1/1 +Running "], **env)
    job.run("logs.sh", has=["output of scripts-chief-0/tensorflow"], **env)
    job.run("delete.sh", has=['^tfjob.kubeflow.org "scripts" deleted'], **env)
    job.run("delete.sh", lacks=["deleted"], **env)
    queued = here.compiled(QUEUED)
    unread = "^skipped: .*kueue-system.* .this user cannot read the configuration of Kueue"
    for user, kueue in ((env, unread), ({}, "^unknown: the namespace kueue-system has no configuration of Kueue")):
        queued.run("submit.sh", has=[kueue, "^tfjob.kubeflow.org/queued created$"], **user)
        queued.run("delete.sh", has=['^tfjob.kubeflow.org "queued" deleted'], **user)
