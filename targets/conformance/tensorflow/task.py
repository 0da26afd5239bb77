"""One task of a job on loopback: creates the strategy of its TF_CONFIG, trains one step, and exits."""
import os
import time

import tensorflow as tf


def batch():
    """Returns sixteen rows. The label of a row is its sum."""
    x = tf.ones((16, 4))
    return x, tf.reduce_sum(x, axis=1, keepdims=True)


def together(say, strategy):
    """Trains one step with a strategy that reduces over its replicas."""
    say("ready", replicas=strategy.num_replicas_in_sync)
    with strategy.scope():
        weights = tf.Variable(tf.zeros((4, 1)))

    @tf.function
    def step(x, y):
        def replica(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.matmul(x, weights) - y) ** 2)
            gradient = tape.gradient(loss, weights)
            weights.assign_sub(0.1 * tf.distribute.get_replica_context().all_reduce("mean", gradient))
            return loss

        return strategy.reduce("mean", strategy.run(replica, args=(x, y)), axis=None)

    say("step", loss=round(float(step(*batch())), 5))


def multi_worker(say, resolver):
    """Runs synchronous training. Every task trains, except the evaluator."""
    if resolver.task_type != "evaluator":
        together(say, tf.distribute.MultiWorkerMirroredStrategy())


def serve(say, resolver, kind, index):
    """Runs a server for other tasks until the process is stopped."""
    server = tf.distribute.Server(resolver.cluster_spec(), job_name=kind, task_index=index,
                                  protocol=resolver.rpc_layer or "grpc", start=True)
    say("serving", target=server.target)
    return server


def parameter_server(say, resolver):
    """Runs parameter-server training. The chief runs the training, and workers and parameter servers run servers."""
    kind = resolver.task_type
    if kind in ("worker", "ps"):
        os.environ.setdefault("GRPC_FAIL_FAST", "use_caller")
        serve(say, resolver, kind, resolver.task_id).join()
    elif kind != "evaluator":
        strategy = tf.distribute.ParameterServerStrategy(resolver)
        coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
        say("ready", workers=strategy.extended._num_workers, ps=strategy.extended._num_ps)
        with strategy.scope():
            weights = tf.Variable(tf.zeros((4, 1)))

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.matmul(x, weights) - y) ** 2)
            weights.assign_sub(0.1 * tape.gradient(loss, weights))
            return loss

        say("step", loss=round(float(coordinator.schedule(step, args=batch()).fetch()), 5))


def estimator(say, resolver, folder):
    """Runs train_and_evaluate, as each task of an estimator job does."""
    v1 = tf.compat.v1

    def rows():
        return tf.data.Dataset.from_tensors(batch()).repeat()

    def model(features, labels, mode):
        weights = v1.get_variable("weights", (4, 1), initializer=v1.zeros_initializer())
        loss = tf.reduce_mean((tf.matmul(features, weights) - labels) ** 2)
        step = v1.train.get_or_create_global_step()
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    config = tf.estimator.RunConfig(model_dir=folder, save_checkpoints_steps=5)
    say("serving" if config.task_type == "ps" else "ready", workers=config.num_worker_replicas)
    spec = tf.estimator.TrainSpec(rows, max_steps=5)
    score = tf.estimator.EvalSpec(rows, steps=1, start_delay_secs=0, throttle_secs=1)
    tf.estimator.train_and_evaluate(tf.estimator.Estimator(model, config=config), spec, score)


def custom(say, resolver):
    """Runs a program that starts its own servers. Each waits until it sees the devices of all others."""
    kind, index = resolver.task_type, resolver.task_id
    if kind != "evaluator":
        server = serve(say, resolver, kind, index)
        with tf.compat.v1.Session(server.target) as session:
            tasks = {device.name.rpartition("/device:")[0] for device in session.list_devices()}
        say("step", tasks=len(tasks))
        # The devices of a task disappear when it exits, so the task keeps running.
        time.sleep(600)


def play(strategy, say, folder):
    """Runs this task with its strategy. TF_CONFIG must be set."""
    if not os.environ.get("TF_CONFIG"):
        alone = tf.distribute.MirroredStrategy(["CPU:0"]) if strategy == "mirrored" else tf.distribute.get_strategy()
        together(say, alone)
        return
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    say("read", cluster=resolver.cluster_spec().as_dict(), type=resolver.task_type, index=resolver.task_id)
    if strategy == "multi-worker-mirrored":
        multi_worker(say, resolver)
    elif strategy == "parameter-server":
        parameter_server(say, resolver)
    elif strategy == "estimator":
        estimator(say, resolver, folder)
    elif strategy == "mirrored":
        together(say, tf.distribute.MirroredStrategy(["CPU:0"]))
    elif strategy == "single":
        together(say, tf.distribute.get_strategy())
    else:
        custom(say, resolver)
