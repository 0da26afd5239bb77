"""Trains with parameter servers: the chief runs the training, workers and parameter servers run servers, the evaluator reads checkpoints."""
import os
import pathlib
import threading
import time

import own


def main():
    given = own.words("hang")
    role, index = own.task()
    own.late(f"{role}:{index}")
    tf = own.tensorflow()
    if role == "evaluator":
        own.evaluate(tf, given)
        return
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if role != "chief":
        server = tf.distribute.Server(resolver.cluster_spec(), job_name=role, task_index=index, protocol="grpc")
        own.say("serves", index)
        server.join()
        return
    lead(tf, given, resolver)


def lead(tf, given, resolver):
    """Runs the training of the chief."""
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        weights, step = tf.Variable(tf.zeros((4, 1))), tf.Variable(0, dtype=tf.int64)
    saved = tf.train.Checkpoint(weights=weights, step=step)
    manager = tf.train.CheckpointManager(saved, str(given.folder), max_to_keep=3)
    own.resume(tf, given, saved, step)

    @tf.function
    def learn(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.matmul(x, weights) - y) ** 2)
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    own.train(given, step, lambda now: coordinator.schedule(learn, args=own.batch(tf, now)).fetch(), manager)
    pathlib.Path(os.environ["DONE"]).touch()
    # A running thread blocks the exit of the interpreter. A thread of TensorFlow does this after a worker was lost.
    threading.Thread(target=time.sleep, args=(given.hang,)).start()


main()
