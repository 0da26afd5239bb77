"""What every program here shares: its words, its own log, and the places where a case lets it wait."""
import argparse
import json
import os
import pathlib
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")


def words(*more):
    """The words of a program: `more` are names of whole numbers that are 0 unless given."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", type=pathlib.Path, required=True, help="this task's own log")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="where checkpoints lie")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--every", type=int, default=5, help="steps from one checkpoint to the next")
    for name in more:
        parser.add_argument(f"--{name}", type=int, default=0)
    given = parser.parse_args()
    given.log.parent.mkdir(exist_ok=True)
    global LOG
    LOG = given.log
    say("started", os.getpid())
    return given


def say(what, number):
    """A line of the task's own log: it stays when the task is killed after it."""
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(f"{what} {number}\n")
    print(what, number, flush=True)


def hold(step):
    """Waits at this step as long as the file `hold` says so."""
    wait(lambda: read("hold") == str(step))


def late(task):
    """Waits before anything as long as the file `late` names this task."""
    wait(lambda: task in (read("late") or "").split())


def read(name):
    """The words of a file beside the job; none where it is not there."""
    try:
        return pathlib.Path(name).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def wait(must):
    """Waits as long as it must."""
    while must():
        time.sleep(0.05)


def task():
    """The role and the index of this task in TF_CONFIG; nothing where it is alone."""
    own = json.loads(os.environ.get("TF_CONFIG") or "{}").get("task", {})
    return own.get("type"), own.get("index", 0)


def tensorflow():
    """TensorFlow, with few threads: several tasks share a machine."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(2)
    return tf


def batch(tf, step):
    """Sixteen rows, the same for a step whenever it is taken: y is the sum of x."""
    x = tf.random.stateless_uniform((16, 4), seed=(3, step))
    return x, tf.reduce_sum(x, axis=1, keepdims=True)


def resume(tf, given, saved, step):
    """Goes on from the newest checkpoint, if there is one."""
    newest = tf.train.latest_checkpoint(str(given.folder))
    if newest:
        saved.restore(newest)
    say("resumed", int(step.numpy()))


def train(given, step, take, manager):
    """All steps that are left, each by `take`; it says each of them, and what it has saved."""
    while (now := int(step.numpy()) + 1) <= given.steps:
        take(now)
        step.assign(now)
        say("step", now)
        if now % given.every == 0 or now == given.steps:
            manager.save(checkpoint_number=now)
            say("saved", now)
        hold(now)
    say("done", int(step.numpy()))


def evaluate(tf, given):
    """Scores every new checkpoint until that of the last step."""
    weights, step = tf.Variable(tf.zeros((4, 1))), tf.Variable(0, dtype=tf.int64)
    saved, seen = tf.train.Checkpoint(weights=weights, step=step), None
    while int(step) < given.steps:
        newest = tf.train.latest_checkpoint(str(given.folder))
        if newest and newest != seen:
            saved.restore(newest).expect_partial()
            seen = newest
            say("evaluated", int(step))
        time.sleep(0.2)
    say("done", int(step))
