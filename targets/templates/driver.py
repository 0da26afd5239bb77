"""Driver of a compiled job on Spark: TensorFlowOnSpark starts one executor per task, and each runs the program of its task.

This file is the same for every job; job.json describes the job. `tfjob_lead.py` decides when tasks start and when the job
finishes; `tfjob_node.py` executes these decisions in each executor.
"""
import argparse
import json
import os
import sys
import threading
import time

from tfjob_lead import EXIT_TIMEOUT, Budget, Lead
from tfjob_node import has_user_files, log, node, reason


def find_job():
    """Reads job.json: next to this file, in the working directory of the driver, or from the files of Spark."""
    from pyspark import SparkFiles

    script_directory = os.path.dirname(os.path.abspath(__file__))
    for directory in (script_directory, os.getcwd(), SparkFiles.getRootDirectory()):
        path = os.path.join(directory, "job.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return json.load(file)
    sys.exit("tfjob: job.json not found next to driver.py, in the working directory, or in the files of Spark")


def installed_version(name):
    """Returns the version of a Python package, or None if it is not installed."""
    try:
        from importlib.metadata import distributions

        found = distributions(name=name)
    except ImportError:
        # Python before 3.8. TensorFlowOnSpark also needs setuptools.
        from pkg_resources import working_set

        found = [package for package in working_set if package.key == name]
    return next((package.version for package in found), None)


def check(job, context):
    """Returns why the job cannot start on this cluster, or None."""
    found = {"spark": context.version, "tfos": job["tfos"] and installed_version("tensorflowonspark")}
    if job["tfos"] and not found["tfos"]:
        return "the job requires tensorflowonspark %s, but it is not installed in the Python of the driver" % job["tfos"]
    for name, package in (("spark", "spark"), ("tfos", "tensorflowonspark")):
        # Vendors append a suffix to the version: `3.5.0-amzn-1`.
        if job[name] and found[name] != job[name] and not found[name].startswith((job[name] + ".", job[name] + "-")):
            return "the job requires %s %s, but %s is installed" % (package, job[name], found[name])
    fresh = job["fresh"]
    if fresh and not fresh["mounted"]:
        path = context._jvm.org.apache.hadoop.fs.Path(fresh["path"])
        files = path.getFileSystem(context._jsc.hadoopConfiguration())
        if files.exists(path) and has_user_files(entry.getPath().getName() for entry in files.listStatus(path)):
            return fresh["path"] + ' is not empty; `if-exists="fail"` requires an empty directory'
    return None


def feed(context, cluster, job, lead):
    """Feeds the rows to the tasks, then signals the end of the rows."""
    options, fed = job["feed"], sum(role["count"] for role in job["roles"] if role["fed"])
    try:
        from pyspark.sql import SparkSession
        from tensorflowonspark import TFSparkNode

        # textFile would split the path at commas.
        read = SparkSession(context).read.format(options["format"]).options(**options["options"])
        rows = read.load(options["path"]).rdd
        if rows.getNumPartitions() < fed:
            rows = rows.repartition(fed)
        # `cluster.train` calls union after map, so each Spark task has two Python workers. If feeding is cancelled, Spark also
        # closes the idle worker, but reuses it in the next attempt, which fails with "Socket is closed".
        rows = context.union([rows] * options["epochs"]).map((lambda row: row[0]) if options["format"] == "text" else list)
        if lead.wait_for_readers(options["patience"]):
            send = TFSparkNode.train(cluster.cluster_info, cluster.cluster_meta, feed_timeout=options["patience"])
            rows.foreachPartition(send)
            for task in lead.tasks:
                task.send("fed")
    except Exception as error:
        why = reason(error)
        if "Timeout while feeding partition" in why:
            why = "a task did not read the rows of a partition within %d s (`timeout` of the feed)" % options["patience"]
        lead.feed_failed(why)


def attempt(context, job, lead):
    """Runs one attempt of the job; the result is in `lead`."""
    from tensorflowonspark import TFCluster

    TFCluster.tf_status.clear()
    order = sorted(range(len(lead.tasks)), key=lambda n: bool(job["feed"]) and lead.tasks[n].role["fed"])
    unfed = sum(not task.role["fed"] for task in lead.tasks) if job["feed"] else 0
    driver = lead.serve(context.getConf().get("spark.driver.host"))
    given = argparse.Namespace(num_gpus=job["gpus"], job=job, order=order, driver=driver, token=lead.token)
    given.submission = context.applicationId
    mode = TFCluster.InputMode.SPARK if job["feed"] else TFCluster.InputMode.TENSORFLOW
    # An executor with a feed forks, and the parent would keep the port open, so TensorFlowOnSpark releases it in this case.
    more = {"release_port": False} if not job["feed"] and "release_port" in TFCluster.run.__code__.co_varnames else {}
    # If an executor is lost during startup, TensorFlowOnSpark stops the context. YARN does not allow a second one.
    more["reservation_timeout"], context.stop = min(job["wait"], lead.seconds_left()), lambda: None
    try:
        cluster = TFCluster.run(context, node, given, len(order), unfed, input_mode=mode, **more)
    except (Exception, SystemExit) as error:
        lead.startup_failed(TFCluster.tf_status.get("error", error))
        lead.stop_tasks()
        return context.cancelAllJobs()
    finally:
        del context.stop
    feeder = threading.Thread(target=feed, args=(context, cluster, job, lead), daemon=True)
    if job["feed"]:
        feeder.start()
    lead.watch(TFCluster.tf_status)
    lead.stop_tasks()
    until = time.monotonic() + EXIT_TIMEOUT
    while not job["feed"] and context.statusTracker().getActiveJobsIds() and time.monotonic() < until:
        time.sleep(0.5)
    context.cancelAllJobs()
    # A feeder that still runs would feed rows to the next attempt.
    while feeder.is_alive() and time.monotonic() < until:
        feeder.join(0.5)
        context.cancelAllJobs()
    cluster.server.stop()


def run(context, job):
    """Runs all attempts; returns why the job failed, or an empty string."""
    budget, lead = Budget(job), Lead(job)
    while True:
        attempt(context, job, lead)
        pause = budget.next_pause(lead) if lead.why else None
        if pause is None:
            return lead.why
        log("%s; restarting all tasks in %d s" % (lead.why, pause))
        time.sleep(pause)
        lead = lead.next_attempt()


def main():
    from pyspark import SparkContext

    context = SparkContext()
    job = find_job()
    why = check(job, context) or run(context, job)
    context.stop()
    log("job failed: " + why if why else "job succeeded")
    sys.exit(1 if why else 0)


if __name__ == "__main__":
    main()
