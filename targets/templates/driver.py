"""Runs one compiled job on Spark: TensorFlowOnSpark brings up one executor a task, and each starts its program.

Nothing of the job stands here: all of it is read from job.json. `tfjob_lead.py` says when a task may start and when the
job is over; `tfjob_node.py` obeys it in every executor.
"""
import argparse
import json
import os
import sys
import threading
import time

from tfjob_lead import LAST_WORDS, Budget, Lead
from tfjob_node import node, reason, say, used


def find_job():
    """job.json: beside this file, in the driver's folder, or among Spark's files."""
    from pyspark import SparkFiles

    beside = os.path.dirname(os.path.abspath(__file__))
    for folder in (beside, os.getcwd(), SparkFiles.getRootDirectory()):
        path = os.path.join(folder, "job.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return json.load(file)
    sys.exit("tfjob: job.json is neither beside the driver nor among its files")


def installed(name):
    """The version of a distribution, or nothing."""
    try:
        from importlib.metadata import distributions

        found = distributions(name=name)
    except ImportError:
        # Python before 3.8: setuptools, which TensorFlowOnSpark needs too.
        from pkg_resources import working_set

        found = [one for one in working_set if one.key == name]
    return next((one.version for one in found), None)


def check(job, context):
    """Why the job cannot start here, or nothing."""
    found = {"spark": context.version, "tfos": job["tfos"] and installed("tensorflowonspark")}
    if job["tfos"] and not found["tfos"]:
        return "the job wants tensorflowonspark %s, and none is installed" % job["tfos"]
    for name in ("spark", "tfos"):
        # A distribution adds its own to the version: `3.5.0-amzn-1`.
        if job[name] and found[name] != job[name] and not found[name].startswith((job[name] + ".", job[name] + "-")):
            return "the job wants %s %s, and %s is installed" % (name, job[name], found[name])
    fresh = job["fresh"]
    if fresh and not fresh["mounted"]:
        path = context._jvm.org.apache.hadoop.fs.Path(fresh["path"])
        files = path.getFileSystem(context._jsc.hadoopConfiguration())
        if files.exists(path) and used(one.getPath().getName() for one in files.listStatus(path)):
            return fresh["path"] + " holds checkpoints, and the job wants to start afresh"
    return None


def feed(context, cluster, job, lead):
    """Feeds the rows to the nodes, then says that there are no more."""
    words, fed = job["feed"], sum(role["count"] for role in job["roles"] if role["fed"])
    try:
        from pyspark.sql import SparkSession
        from tensorflowonspark import TFSparkNode

        # Not textFile, which takes a comma for the end of a path.
        read = SparkSession(context).read.format(words["format"]).options(**words["options"])
        rows = read.load(words["path"]).rdd
        if rows.getNumPartitions() < fed:
            rows = rows.repartition(fed)
        # Not cluster.train: its union comes after the map, so that a task has two processes of Python. Where the job stops
        # feeding, Spark closes the idle one too, and gives it to the next attempt: "Socket is closed".
        rows = context.union([rows] * words["epochs"]).map((lambda row: row[0]) if words["format"] == "text" else list)
        if lead.takes_rows(words["patience"]):
            take = TFSparkNode.train(cluster.cluster_info, cluster.cluster_meta, feed_timeout=words["patience"])
            rows.foreachPartition(take)
            for task in lead.tasks:
                task.tell("fed")
    except Exception as error:
        why = reason(error)
        if "Timeout while feeding partition" in why:
            why = "a task did not take the rows of a partition within %d s (the feed's `timeout`)" % words["patience"]
        lead.not_fed(why)


def attempt(context, job, lead):
    """The job from its first executor to its last; `lead` knows how it went."""
    from tensorflowonspark import TFCluster

    TFCluster.tf_status.clear()
    order = sorted(range(len(lead.tasks)), key=lambda n: bool(job["feed"]) and lead.tasks[n].role["fed"])
    unfed = sum(not task.role["fed"] for task in lead.tasks) if job["feed"] else 0
    driver = lead.serve(context.getConf().get("spark.driver.host"))
    given = argparse.Namespace(num_gpus=job["gpus"], job=job, order=order, driver=driver, token=lead.token)
    given.submission = context.applicationId
    mode = TFCluster.InputMode.SPARK if job["feed"] else TFCluster.InputMode.TENSORFLOW
    # A node that is fed forks: the port would stay with its parent, so TensorFlowOnSpark frees it itself.
    more = {"release_port": False} if not job["feed"] and "release_port" in TFCluster.run.__code__.co_varnames else {}
    # An executor that is lost meanwhile: TensorFlowOnSpark would end the context, and YARN takes no second one.
    more["reservation_timeout"], context.stop = min(job["wait"], lead.left()), lambda: None
    try:
        cluster = TFCluster.run(context, node, given, len(order), unfed, input_mode=mode, **more)
    except (Exception, SystemExit) as error:
        lead.never_up(TFCluster.tf_status.get("error", error))
        lead.dismiss()
        return context.cancelAllJobs()
    finally:
        del context.stop
    feeder = threading.Thread(target=feed, args=(context, cluster, job, lead), daemon=True)
    if job["feed"]:
        feeder.start()
    lead.watch(TFCluster.tf_status)
    lead.dismiss()
    until = time.monotonic() + LAST_WORDS
    while not job["feed"] and context.statusTracker().getActiveJobsIds() and time.monotonic() < until:
        time.sleep(0.5)
    context.cancelAllJobs()
    # What still feeds must not feed the next attempt.
    while feeder.is_alive() and time.monotonic() < until:
        feeder.join(0.5)
        context.cancelAllJobs()
    cluster.server.stop()


def run(context, job):
    """All attempts; returns why the job failed, or nothing."""
    budget, lead = Budget(job), Lead(job)
    while True:
        attempt(context, job, lead)
        pause = budget.grants(lead) if lead.why else None
        if pause is None:
            return lead.why
        say("%s: all tasks start again in %d s" % (lead.why, pause))
        time.sleep(pause)
        lead = lead.again()


def main():
    from pyspark import SparkContext

    context = SparkContext()
    job = find_job()
    why = check(job, context) or run(context, job)
    context.stop()
    say("the job failed: " + why if why else "the job is done")
    sys.exit(1 if why else 0)


if __name__ == "__main__":
    main()
