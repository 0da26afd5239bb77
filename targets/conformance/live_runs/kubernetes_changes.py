"""Changes of running jobs on Kubernetes: what `tfjob diff --live` says about each, and what the engine does."""
import copy
import json

ROLES = ("Chief", "PS", "Worker")
RUN_POLICY = "TFJob live /spec/runPolicy"


def check(job, plain):
    """Makes all changes. `job`: runs the shim and TensorBoard. `plain`: has no shim."""
    tasks(job)
    policies(job)
    tensorboard(job)
    people(job)
    applied(job)
    answers(job)
    names(job)
    success(plain)
    deadline(plain)
    replicas(job)
    renewed(job)


def of_roles(pointer, effect):
    """Returns the expected effect of a value in the template of each role."""
    return {f"TFJob live /spec/tfReplicaSpecs/{role}/{pointer}": effect for role in ROLES}


def tasks(job):
    """Changes of the tasks: the server accepts them, and no Pod changes."""
    container, env = "template/spec/containers/0", "ConfigMap live-tfjob /data/contract.json#/roles"
    board = "Deployment live-tensorboard /spec/template/spec/containers/0"
    job.change("image", [("mnist:1.0", "mnist:2.0")], {
        **of_roles(f"{container}/image", "recreate"), f"{board}/image": "restart"}, "accepted")
    job.change("description", [('"one"', '"two"')], {
        "TFJob live /metadata/annotations/kubernetes.io~1description": "in place"}, "accepted")
    job.change("labels", [('team "a"', 'team "b"')], {
        **of_roles("template/metadata/labels/team", "recreate"),
        **{f"{name} /metadata/labels/team": "in place" for name in (
            "TFJob live", "ConfigMap live-tfjob", "Deployment live-tensorboard", "Service live-tensorboard")},
        "Deployment live-tensorboard /spec/template/metadata/labels/team": "restart"}, "accepted")
    run = {f"{env}/{index}/run/argv": "recreate" for index in range(3)}
    job.change("arguments", [("--lr=1", "--lr=2")], run, "accepted")
    job.change("variable", [('LEVEL "info"', 'LEVEL "debug"')], {
        **{f"{env}/{index}/env": "recreate" for index in range(3)}, f"{board}/env/0/value": "restart"}, "accepted")
    job.change("resources", [('memory="1GiB"\n    check', 'memory="2GiB"\n    check')], {
        **of_roles(f"{container}/resources/limits/memory", "recreate"),
        **of_roles(f"{container}/resources/requests/memory", "recreate")}, "accepted")
    job.change("name of a port", [('port "web"', 'port "ui"')], {
        f"TFJob live /spec/tfReplicaSpecs/Worker/{container}/ports/0": "recreate",
        f"{env}/1/ports/ui": "recreate", f"{env}/1/ports/web": "recreate"}, "accepted")


def policies(job):
    """Changes of the run policy."""
    volcano = 'volcano-queue "q"'
    queue = f"{RUN_POLICY}/schedulingPolicy/queue"
    job.change("queue", [(volcano, 'volcano-queue "r"')], {queue: "rejected"}, "queue is immutable")
    job.change("no queue", [(f"{volcano}; ", "")], {queue: "recreate"}, "accepted")
    job.change("keep", [('for="1d"', 'for="2d"')], {f"{RUN_POLICY}/ttlSecondsAfterFinished": "in place"}, "accepted")
    job.change("managedBy", [(volcano, f'{volcano}; patch "spec: {{runPolicy: {{managedBy: kueue.x-k8s.io/multikueue}}}}"')],
               {f"{RUN_POLICY}/managedBy": "rejected"}, "field is immutable")
    # The default is `false`, so a patch with `true` changes the value.
    job.change("suspend", [(volcano, f'{volcano}; patch "spec: {{runPolicy: {{suspend: true}}}}"')],
               {f"{RUN_POLICY}/suspend": "restart"}, "restart")


def tensorboard(job):
    """Changes of TensorBoard."""
    name = "live-tensorboard"
    job.change("port of TensorBoard", [("tensorboard logs", "tensorboard port=6007 logs")], {
        f"Deployment {name} /spec/template/spec/containers/0/command": "restart",
        f"Deployment {name} /spec/template/spec/containers/0/ports/0/containerPort": "restart",
        f"Service {name} /spec/ports/0/port": "in place"}, "accepted")
    live = job.live()
    deployment = next(one for one in live["items"] if one["kind"] == "Deployment")
    for labels in (deployment["spec"]["selector"]["matchLabels"], deployment["spec"]["template"]["metadata"]["labels"]):
        labels["tfjob/tensorboard"] = "other"
    job.run.differs("selector", job.spec, live, {
        f"Deployment {name} /spec/selector/matchLabels/tfjob~1tensorboard": "rejected",
        f"Deployment {name} /spec/template/metadata/labels/tfjob~1tensorboard": "restart"})
    done = job.kubectl("replace", "--filename", "-", given=deployment)
    if done.returncode == 0 or "field is immutable" not in done.stderr:
        job.run.fault(f"the server accepts another selector: {done.stdout}{done.stderr}")
    whole = job.edited(('    tensorboard logs="{checkpoints}" { secrets "TOKEN" "KEY"; resources cpus=0.5 memory="1GiB" }\n', ""))
    job.run.between("no TensorBoard", job.spec, whole, {"tensorboard.yaml ": "in place"})


def people(job):
    """Values that a person has changed in the running job."""
    patch = [{"op": "add", "path": "/spec/tfReplicaSpecs/Chief/template/spec/containers/0/env/-", "value": {"name": "X", "value": "1"}}]
    job.kubectl("--namespace", "live", "patch", "tfjob", "live", "--type", "json", "--patch", json.dumps(patch))
    job.kubectl("--namespace", "live", "label", "configmap", "live-tfjob", "owner=me")
    job.kubectl("--namespace", "live", "scale", "deployment", "live-tensorboard", "--replicas=2")
    for path, value in (("/spec/strategy/type", "Recreate"), ("/spec/template/spec/restartPolicy", "Always")):
        step = [{"op": "replace", "path": path, "value": value}]
        step += [{"op": "remove", "path": "/spec/strategy/rollingUpdate"}] if value == "Recreate" else []
        job.kubectl("--namespace", "live", "patch", "deployment", "live-tensorboard", "--type", "json", "--patch", json.dumps(step))
    job.kubectl("--namespace", "live", "patch", "service", "live-tensorboard", "--patch",
                '{"spec": {"type": "NodePort", "ports": [{"port": 6006, "targetPort": 9999}]}}')
    raw = json.loads(job.kubectl("get", "--raw", "/apis/kubeflow.org/v1/namespaces/live/tfjobs/live").stdout)
    job.record({"items": [raw]})
    job.run.differs("changes of a person", job.spec, job.live(), {
        "TFJob live /spec/tfReplicaSpecs/Chief/template/spec/containers/0/env/4": "recreate",
        "ConfigMap live-tfjob /metadata/labels/owner": "in place",
        "Deployment live-tensorboard /spec/replicas": "in place",
        "Deployment live-tensorboard /spec/strategy": "in place",
        "Service live-tensorboard /spec/type": "in place",
        "Service live-tensorboard /spec/externalTrafficPolicy": "in place",
        "Service live-tensorboard /spec/ports/0/nodePort": "in place",
        "Service live-tensorboard /spec/ports/0/targetPort": "in place"})
    job.restore()
    edited = job.live()
    board = next(one for one in edited["items"] if one["kind"] == "Deployment")["spec"]["template"]["spec"]
    del board["automountServiceAccountToken"]
    board["containers"][0]["imagePullPolicy"] = "Always"
    board["terminationGracePeriodSeconds"] = 5
    pod = "Deployment live-tensorboard /spec/template/spec"
    job.run.differs("changed defaults", job.spec, edited, {
        f"{pod}/automountServiceAccountToken": "restart", f"{pod}/containers/0/imagePullPolicy": "restart",
        f"{pod}/terminationGracePeriodSeconds": "restart"})


def applied(job):
    """`kubectl apply` keeps the values that a person has added to maps, and removes those that it has applied before."""
    names = [word for path in job.files for word in ("--filename", str(path))]
    patch = ["--namespace", "live", "patch", "tfjob", "live", "--type", "merge", "--patch"]

    def value():
        return job.kubectl.get("--namespace", "live", "tfjob", "live")["spec"]["runPolicy"].get("backoffLimit")

    job.kubectl("apply", *names)
    job.run.same("applied", job.spec, job.live())
    job.kubectl(*patch, '{"spec": {"runPolicy": {"backoffLimit": 7}}}')
    job.kubectl("--namespace", "live", "label", "configmap", "live-tfjob", "owner=me")
    job.run.differs("set in the cluster", job.spec, job.live(), {
        f"{RUN_POLICY}/backoffLimit": "in place", "ConfigMap live-tfjob /metadata/labels/owner": "in place"})
    if "remove the value in the cluster" not in job.run.diff(job.spec, job.live())[1]:
        job.run.fault("set in the cluster: the report does not say that the values stay")
    done = job.kubectl("apply", *names)
    if done.returncode or value() != 7:
        job.run.fault(f"`kubectl apply` does not keep the value {value()}: {done.stderr}")
    tfjob = job.kubectl("create", "--dry-run=client", "--output", "json", "--filename", str(job.files[-1]))
    before = json.loads(tfjob.stdout)
    before["spec"]["runPolicy"]["backoffLimit"] = 6
    job.kubectl("apply", "--filename", "-", given=before)
    if "remove the value in the cluster" in job.run.diff(job.spec, job.kubectl.get("--namespace", "live", "tfjob", "live"))[1]:
        job.run.fault("applied before: the report says that the value stays")
    job.kubectl("apply", *names)
    if value() is not None:
        job.run.fault(f"`kubectl apply` does not remove the value {value()}")
    job.restore()


def answers(job):
    """Answers that cannot be compared."""
    refused, tfjob = job.run.refused, job.kubectl.get("--namespace", "live", "tfjob", "live")
    kubectl = job.kubectl
    missing = kubectl("get", "--raw", "/apis/kubeflow.org/v1/namespaces/live/tfjobs/none")
    if missing.returncode == 0:
        job.run.fault("the API server knows a job that does not exist")
    status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": 'tfjobs.kubeflow.org "none" not found', "code": 404}
    refused("Status", job.spec, status, 'the API server reports an error: tfjobs.kubeflow.org "none" not found')
    refused("YAML", job.spec, kubectl("--namespace", "live", "get", "tfjob", "live", "--output", "yaml").stdout, "--output json")
    refused("table", job.spec, kubectl("--namespace", "live", "get", "tfjob", "live").stdout, "is not JSON")
    others = kubectl.get("--namespace", "ml-team", "tfjobs")
    for what, answer in (("other jobs", others), ("empty list", {"kind": "List", "items": []}), ("number", 7), ("null", None),
                         ("string", "x"), ("list", []), ("wrong kinds", {"kind": 1, "metadata": [], "items": {"a": 1}})):
        refused(what, job.spec, json.dumps(answer), "does not contain TFJob live")
    refused("empty", job.spec, "", "is empty")
    refused("HTML", job.spec, "<!DOCTYPE html><html></html>", "is HTML or XML")
    refused("UTF-16", job.spec, json.dumps(tfjob).encode("utf-16"), "is UTF-16")
    refused("not UTF-8", job.spec, b'{"kind": "\xff"}', "is not JSON")
    refused("deep", job.spec, "[" * 200 + "]" * 200, "more than 127 nested")
    refused("huge number", job.spec, '{"kind": 1e999}', "number out of range")
    refused("large", job.spec, '"' + "x" * (16 << 20) + '"', "more than 16 MiB")
    text = json.dumps(job.live())
    job.run.same("byte order mark", job.spec, "\ufeff" + text)
    for number in ("2.5", "-1", "1e300", str(2**63), str(2**64 + 2)):
        live = text.replace('"replicas": 2', f'"replicas": {number}', 1)
        job.run.differs(f"{number} replicas", job.spec, live, {"TFJob live /spec/tfReplicaSpecs/Worker/replicas": "recreate"})
    deep = copy.deepcopy(tfjob)
    deep["spec"]["tfReplicaSpecs"]["Worker"] = json.loads("[" * 90 + "]" * 90)
    job.run.differs("deep value", job.spec, {"items": [deep, *job.live()["items"][:-1]]},
                    {"TFJob live /spec/tfReplicaSpecs/Worker": "recreate"})


def names(job):
    """Another name or namespace is another object."""
    other = job.edited(('job "live"', 'job "second"'))
    changed = job.other(other)
    done = job.kubectl("replace", "--filename", changed[-1])
    if done.returncode == 0 or "not found" not in done.stderr:
        job.run.fault(f"`kubectl replace` of another name: {done.stdout}{done.stderr}")
    job.run.observed("name", job.spec, other, "/metadata/name", "recreate")
    job.run.observed("namespace", job.spec, job.edited(('namespace "live"', 'namespace "other"')), "/metadata/namespace", "recreate")
    code, out, err = job.run.diff(job.edited(('namespace "live"', 'namespace "other"')), job.live())
    if code != 2 or "does not contain" not in err:
        job.run.fault(f"a job of another namespace is compared: {out}{err}")


def success(plain):
    """The operator reads a changed success policy when a Pod ends."""
    plain.succeed("plain-worker-0")
    plain.settle()
    if plain.kubectl.condition("plain") != "Running":
        plain.run.fault(f"with AllWorkers, the job is {plain.kubectl.condition('plain')} after one worker")
    plain.change("success policy", [('role "worker"', 'success "chief"\n    role "worker"')],
                 {"TFJob plain /spec/successPolicy": "in place"}, "settled", restored=False)
    plain.ends("Succeeded")
    plain.delete()


def deadline(plain):
    """The operator reads a changed deadline, and a changed time until it deletes the job."""
    plain.submit()
    patch = 'namespace "live"; patch "spec: {runPolicy: {activeDeadlineSeconds: 1}}"'
    plain.change("deadline", [('namespace "live"', patch)], {"TFJob plain /spec/runPolicy/activeDeadlineSeconds": "in place"},
                 "settled", restored=False)
    plain.ends("Failed")
    plain.kubectl("--namespace", "live", "patch", "tfjob", "plain", "--type", "merge", "--patch",
                  '{"spec": {"runPolicy": {"ttlSecondsAfterFinished": 1}}}')
    plain.gone()


def replicas(job):
    """More replicas: the operator adds a Pod, and the others stay. Fewer replicas: the job fails."""
    contract = "ConfigMap live-tfjob /data/contract.json#/roles"
    job.change("replicas", [("count=2", "count=3")], {
        "TFJob live /spec/tfReplicaSpecs/Worker/replicas": "recreate",
        f"{RUN_POLICY}/schedulingPolicy/minAvailable": "recreate",
        f"{contract}/1/count": "recreate"}, "accepted", restored=False)
    if "live-worker-2" not in job.pods():
        job.run.fault(f"the operator adds no Pod: {job.pods()}")
    job.kubectl("replace", "--filename", job.files[-1])
    job.ends("Failed")


def renewed(job):
    """The job is deleted, and the changed one is submitted."""
    job.delete()
    job.text = job.text.replace("count=2", "count=3").replace("mnist:1.0", "mnist:2.0").replace("--lr=1", "--lr=2")
    job.spec = job.run.spec(job.text)
    job.submit()
    being_deleted(job)
    job.delete()


def being_deleted(job):
    """A finalizer keeps a deleted job. The report names it, and no difference."""
    patch = ["--namespace", "live", "patch", "tfjob", "live", "--type", "merge", "--patch"]
    job.kubectl(*patch, '{"metadata": {"finalizers": ["argocd.argoproj.io/hook-finalizer"]}}')
    job.kubectl("--namespace", "live", "delete", "tfjob", "live", "--wait=false")
    live = job.live()
    code, out, err = job.run.diff(job.spec, live, "--format", "json")
    found = [(one["deleted"], target["changes"]) for one in json.loads(out or "{}").get("jobs", []) for target in one["targets"]]
    if code != 1 or found != [(["TFJob live"], [])]:
        job.run.fault(f"being deleted: the exit code is {code}: {out}{err}")
    job.record(live)
    job.kubectl(*patch, '{"metadata": {"finalizers": null}}')
