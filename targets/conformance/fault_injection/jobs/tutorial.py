"""Trains like the TensorFlow tutorial on saving: Keras writes weights as `cp-0005.ckpt`, and lists only the last checkpoint."""
import re

import own


class Weights:
    """Saves the weights of a model, as the callback `ModelCheckpoint` does."""

    def __init__(self, model, folder):
        self.model, self.folder = model, folder

    def save(self, checkpoint_number):
        self.model.save_weights(str(self.folder / f"cp-{checkpoint_number:04d}.ckpt"))


def main():
    given = own.words()
    tf = own.tensorflow()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile(optimizer="sgd", loss="mse")
    step = tf.Variable(0, dtype=tf.int64)
    if newest := tf.train.latest_checkpoint(str(given.folder)):
        model.load_weights(newest).expect_partial()
        step.assign(int(re.search(r"cp-(\d+)", newest).group(1)))
    own.say("resumed", int(step.numpy()))
    own.train(given, step, lambda now: model.train_on_batch(*own.batch(tf, now)), Weights(model, given.folder))


main()
