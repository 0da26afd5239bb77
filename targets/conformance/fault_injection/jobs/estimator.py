"""Trains with tf.estimator.train_and_evaluate: chief and workers train asynchronously, the evaluator reads their checkpoints."""
import own


def main():
    given = own.words()
    tf = own.tensorflow()
    v1 = tf.compat.v1
    v1.logging.set_verbosity(v1.logging.ERROR)

    class Tell(v1.train.SessionRunHook):
        """Logs the step where a session starts, and each step."""

        def after_create_session(self, session, coord):
            own.say("resumed", int(session.run(v1.train.get_global_step())))

        def before_run(self, context):
            return v1.train.SessionRunArgs(v1.train.get_global_step())

        def after_run(self, context, values):
            now = int(context.session.run(v1.train.get_global_step()))
            own.say("step", now)
            own.wait(lambda: (at := own.read("hold")) and now >= int(at))

    class Saved(v1.train.CheckpointSaverListener):
        """Logs saved checkpoints."""

        def after_save(self, session, global_step_value):
            own.say("saved", int(global_step_value))

    def model(features, labels, mode):
        weights = v1.get_variable("weights", (4, 1), initializer=v1.zeros_initializer())
        loss = tf.reduce_mean((tf.matmul(features, weights) - labels) ** 2)
        step = v1.train.get_or_create_global_step()
        learn = v1.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=learn)

    def rows():
        return tf.data.Dataset.from_tensors(own.batch(tf, 1)).repeat()

    config = tf.estimator.RunConfig(model_dir=str(given.folder), save_checkpoints_steps=given.every)
    train = tf.estimator.TrainSpec(rows, max_steps=given.steps, hooks=[Tell()], saving_listeners=[Saved()])
    score = tf.estimator.EvalSpec(rows, steps=1, start_delay_secs=0, throttle_secs=1)
    tf.estimator.train_and_evaluate(tf.estimator.Estimator(model, config=config), train, score)
    own.say("done", given.steps)


main()
