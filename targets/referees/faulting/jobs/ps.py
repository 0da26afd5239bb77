"""Trains with parameter servers: the chief leads, workers and servers serve, the evaluator follows."""
import own


def main():
    given = own.words()
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
    """The chief's part."""
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        weights, step = tf.Variable(tf.zeros((4, 1))), tf.Variable(0, dtype=tf.int64)
    saved = tf.train.Checkpoint(weights=weights, step=step)
    manager = tf.train.CheckpointManager(saved, str(given.folder), max_to_keep=3)
    if manager.latest_checkpoint:
        saved.restore(manager.latest_checkpoint)
    own.say("resumed", int(step.numpy()))

    @tf.function
    def train(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.matmul(x, weights) - y) ** 2)
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for now in range(int(step.numpy()) + 1, given.steps + 1):
        coordinator.schedule(train, args=own.batch(tf, now)).fetch()
        step.assign(now)
        own.say("step", now)
        if now % given.every == 0 or now == given.steps:
            manager.save(checkpoint_number=now)
            own.say("saved", now)
        own.hold(now)
    own.say("done", given.steps)


main()
