"""Scripts of a Spark job on YARN, run with the real spark-submit. The job is stopped while it runs."""
import re
import sys
import threading

from conformance import engines
from script_runs.shell import Done
from toolchain import home

sys.path.insert(0, str(engines.HERE / "spark"))
import place  # noqa: E402

# The program starts when Python has imported TensorFlow, and runs until the application is killed.
SPEC = """job "scripts" {
    framework "tensorflow" version="2.15" strategy="single"
    run "sh" "-c" "echo hello from {role}; exec sleep 600"
    resources cpus=1 memory="1GiB"
    role "worker"
    allow "restart" because="the test takes a minute"
    target "spark" { master "yarn"; python "VENV/bin/python"; conf { "spark.yarn.jars" "local:HOME/jars/*" } }
}
"""
# Seconds until the program has started on a busy machine.
START = 150


class Application:
    """An application from its submission to its end by delete.sh, which also runs before and after it."""

    nothing = r"^\w+ has no running application scripts of type SPARK$"

    def __init__(self, here, conf):
        """Submits the job in the background, because submit.sh waits for its end."""
        requirements = engines.HERE / "spark" / "requirements.txt"
        venv = home.environment(place.NAME, requirements, f"{place.SITE}/tensorflowonspark/TFCluster.py")
        spark = venv / place.SITE / "pyspark"
        here.env |= {"SPARK_HOME": str(spark), "HADOOP_CONF_DIR": str(conf), "SPARK_LOCAL_IP": "127.0.0.1"}
        self.here, self.submitted = here, None
        self.job = here.compiled(SPEC.replace("VENV", str(venv)).replace("HOME", str(spark)), "spark")
        if self.job.names() != ["delete.sh", "logs.sh", "status.sh", "submit.sh"]:
            here.fault(f"the scripts of Spark are {self.job.names()}")
        self.job.run("status.sh", code=1, has=["YARN lists no application of type SPARK with the name scripts"])
        self.job.run("delete.sh", has=[self.nothing])
        # A daemon, so that a failure of this test does not wait for the end of the application.
        self.submission = threading.Thread(target=self.submit, daemon=True)
        self.submission.start()

    def submit(self):
        """Runs submit.sh. A failure is a result too, because it would end only this thread."""
        try:
            self.submitted = self.here.call(self.job.folder / "submit.sh", folder=self.job.home, limit=3 * START)
        except Exception as why:
            self.submitted = Done(None, "", f"submit.sh did not run: {why!r}")

    def check(self):
        """Waits until the program runs, and stops it."""
        job = self.job
        job.until("logs.sh", "^hello from worker$", START)
        job.run("status.sh", has=[r"^\s*State : RUNNING$", r"^\s*Application-Type : SPARK$"])
        job.run("delete.sh", has=["^Killing application application_"])
        self.submission.join()
        if self.submitted.code != 1 or not re.search("killed|KILLED", self.submitted.err):
            self.here.fault(f"submit.sh of Spark does not report that the application was killed: {self.submitted}")
        job.run("delete.sh", has=[self.nothing])
        job.run("status.sh", has=[r"^\s*State : KILLED$"])
        job.until("logs.sh", "^hello from worker$")
