"""Code that all programs share: arguments, log, and points where a case can make a program wait."""
import argparse
import json
import os
import pathlib
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")


def words(*more):
    """Parses the arguments of a program. `more`: names of integer arguments whose default is 0."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", type=pathlib.Path, required=True, help="log of this task")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="checkpoint directory")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--every", type=int, default=5, help="steps between checkpoints")
    for name in more:
        parser.add_argument(f"--{name}", type=int, default=0)
    given = parser.parse_args()
    given.log.parent.mkdir(exist_ok=True)
    global LOG
    LOG = given.log
    say("started", os.getpid())
    return given


def say(what, number):
    """Writes a line to the log of the task. The line is not lost if the task is killed immediately afterwards."""
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(f"{what} {number}\n")
    print(what, number, flush=True)


def hold(step):
    """Waits while the file `hold` contains this step."""
    wait(lambda: read("hold") == str(step))


def late(task):
    """Waits before startup while the file `late` names this task."""
    wait(lambda: task in (read("late") or "").split())


def read(name):
    """Returns the content of a file next to the job, or None if it does not exist."""
    try:
        return pathlib.Path(name).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def wait(must):
    """Waits as long as a condition holds."""
    while must():
        time.sleep(0.05)


def task():
    """Returns the role and the index of this task from TF_CONFIG. Without TF_CONFIG, the role is None."""
    own = json.loads(os.environ.get("TF_CONFIG") or "{}").get("task", {})
    return own.get("type"), own.get("index", 0)


def tensorflow():
    """Returns TensorFlow with few threads, because several tasks share a machine."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(2)
    return tf


def batch(tf, step):
    """Returns 16 rows that depend only on the step; y is the sum of x."""
    x = tf.random.stateless_uniform((16, 4), seed=(3, step))
    return x, tf.reduce_sum(x, axis=1, keepdims=True)


def resume(tf, given, saved, step):
    """Resumes from the newest checkpoint, if there is one."""
    newest = tf.train.latest_checkpoint(str(given.folder))
    if newest:
        saved.restore(newest)
    say("resumed", int(step.numpy()))


def train(given, step, take, manager):
    """Runs the remaining steps by calling `take`. Logs each step, and each checkpoint that is saved."""
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
    """Evaluates every new checkpoint, up to that of the last step."""
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
