"""Trains in one process, or synchronously with other workers; worker 0 writes the checkpoints."""
import own


def main():
    given = own.words()
    role, index = own.task()
    own.late(f"{role}:{index}")
    tf = own.tensorflow()
    strategy = tf.distribute.MultiWorkerMirroredStrategy() if role else tf.distribute.MirroredStrategy(["CPU:0"])
    with strategy.scope():
        weights = tf.Variable(tf.zeros((4, 1)))
        step = tf.Variable(0, dtype=tf.int64, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
    saved = tf.train.Checkpoint(weights=weights, step=step)
    # All workers must take part in saving. Files that workers other than worker 0 save are never read.
    folder = given.folder / f".{role}-{index}" if index else given.folder
    manager = tf.train.CheckpointManager(saved, str(folder), max_to_keep=3)
    own.resume(tf, given, saved, step)

    @tf.function
    def train(x, y):
        return strategy.reduce("mean", strategy.run(learn, args=(weights, x, y)), axis=None)

    def learn(weights, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.matmul(x, weights) - y) ** 2)
        context = tf.distribute.get_replica_context()
        weights.assign_sub(0.1 * context.all_reduce("mean", tape.gradient(loss, weights)))
        return loss

    own.train(given, step, lambda now: train(*own.batch(tf, now)), manager)


main()
