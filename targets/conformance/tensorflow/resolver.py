"""A server that reads the TF_CONFIG of each task with TensorFlow's own code, and makes the checks of the strategy. Each request
is one line: {tasks: [{name, text}], strategy}. The response is {tasks: [{name, read, error}]}, in the same order."""
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf  # noqa: E402
from tensorflow.python.distribute import multi_worker_util  # noqa: E402
from tensorflow.python.distribute.parameter_server_strategy_v2 import ParameterServerStrategyV2  # noqa: E402


def multi_worker(resolver):
    """Makes the checks that MultiWorkerMirroredStrategy makes before it starts a server."""
    spec = multi_worker_util.normalize_cluster_spec(resolver.cluster_spec())
    kind, index = resolver.task_type, resolver.task_id
    if kind is None or index is None:
        raise ValueError("When `cluster_spec` is given, you must also specify `task_type` and `task_id`.")
    read = {"workers": multi_worker_util.worker_count(spec, kind),
            "chief": multi_worker_util.is_chief(spec, kind, index)}
    if not read["workers"]:
        raise ValueError("No `worker`, `chief` or `evaluator` tasks can be found in `cluster_spec`.")
    if kind != "evaluator":
        read["rank"] = multi_worker_util.id_in_cluster(spec, kind, index)
        read["leader"] = multi_worker_util.collective_leader(spec, kind, index)
    return read


def parameter_server(resolver):
    """Makes the checks of ParameterServerStrategy. Only its chief makes them."""
    if resolver.task_type not in ("worker", "ps", "evaluator"):
        strategy = ParameterServerStrategyV2.__new__(ParameterServerStrategyV2)
        strategy._verify_args_and_config(resolver)
    spec = multi_worker_util.normalize_cluster_spec(resolver.cluster_spec())
    return {"chief": multi_worker_util.is_chief(spec, resolver.task_type, resolver.task_id),
            "workers": multi_worker_util.task_count(spec, "worker"), "ps": multi_worker_util.task_count(spec, "ps")}


def estimator(_resolver):
    """Returns the values that the configuration of an estimator reads."""
    config = tf.estimator.RunConfig()
    return {"chief": config.is_chief, "workers": config.num_worker_replicas, "ps": config.num_ps_replicas,
            "type": config.task_type, "index": config.task_id, "global": config.global_id_in_cluster,
            "master": config.master, "evaluation": config.evaluation_master}


CHECKS = {"multi-worker-mirrored": multi_worker, "parameter-server": parameter_server, "estimator": estimator}


def read(text, strategy):
    """Returns how the resolver and the strategy interpret a TF_CONFIG."""
    os.environ.pop("TF_CONFIG", None)
    if text is not None:
        os.environ["TF_CONFIG"] = text
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    said = {"cluster": resolver.cluster_spec().as_dict(), "type": resolver.task_type, "index": resolver.task_id,
            "rpc_layer": resolver.rpc_layer, "accelerators": resolver.num_accelerators()}
    if said["cluster"] and said["type"] is not None:
        said["master"] = resolver.master()
    check = CHECKS.get(strategy)
    if check and (said["cluster"] or strategy == "estimator"):
        said["strategy"] = check(resolver)
    return said


def main():
    """Answers each line of standard input."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    out.write(json.dumps({"tensorflow": tf.__version__, "python": "%d.%d.%d" % sys.version_info[:3]}) + "\n")
    for line in sys.stdin:
        asked, said = json.loads(line), []
        for task in asked["tasks"]:
            one = {"name": task["name"]}
            try:
                one["read"] = read(task["text"], asked["strategy"])
            except Exception as fault:  # noqa: BLE001 (whatever TensorFlow raises is its verdict)
                one["error"] = "%s: %s" % (type(fault).__name__, fault)
            said.append(one)
        out.write(json.dumps({"tasks": said}) + "\n")


main()
