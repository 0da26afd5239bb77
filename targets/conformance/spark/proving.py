"""`engine prove`: runs one job on the standalone cluster, by its `submit.sh`, with its own programs and the real shim."""
import ast
import contextlib
import json
import os
import re
import shutil
import time

import validation
import place
from cluster import Standalone, read

LIMIT = 200
# Patterns of log lines that contain the task or the address of a node. Python writes the end of a line separately, so a line of
# the shim may come in between.
TASK = re.compile(r"tfjob: (\S+):(\d+): started process \d+")
NODE = re.compile(r" node: (\{.*\})$")


@contextlib.contextmanager
def prove():
    """Starts a cluster on the loopback interface. The caller has created the namespaces, so nothing is downloaded or mounted
    here."""
    cluster = Standalone(place.Spark(), "proof").start()
    try:
        yield Proving(cluster).case
    finally:
        cluster.stop()


class Proving:
    """One run of a job."""

    def __init__(self, cluster):
        self.cluster, self.folder = cluster, cluster.folder / "job"
        self.folder.mkdir()

    def case(self, case):
        """Runs the job of a case. Returns the exit codes and the output of the job and of its executors."""
        validation.lay_out(case, self.folder)
        submit = next(self.folder.rglob("submit.sh"))
        shutil.copy(os.environ["TFJOB_SHIM"], submit.parent / "tfjob-shim")
        begin = time.monotonic()
        status = self.cluster.call(["/bin/sh", submit], self.folder, LIMIT)
        seconds = time.monotonic() - begin
        driver = [line for line in self.cluster.said() if line.startswith("tfjob: ")]
        executors = [read([path]) for path in sorted((self.cluster.folder / "work").glob("*/*/stderr"))]
        known = addresses(json.loads((submit.parent / "job.json").read_text(encoding="utf-8")), executors)
        return {"engine": "standalone cluster", "seconds": seconds, "known": known,
                "state": f"the driver ended with {status}, {driver[-1:]}",
                "diagnostics": "; ".join(driver), "containers": [container(lines) for lines in executors]}


def container(lines):
    """Returns the report of one executor. Spark writes its output into one log, and does not report the exit code of the shim."""
    found = [match for line in lines if (match := TASK.search(line))]
    role, index = found[0].groups() if found else ("executor of no task", 0)
    own = f"{role}-{index}: "
    return {"role": role, "index": int(index), "exit": None,
            "out": "\n".join(line for line in lines if line.startswith(own)),
            "err": "\n".join(line for line in lines if not line.startswith(own))}


def addresses(job, executors):
    """Returns the address of each task from the log of TensorFlowOnSpark, which numbers its nodes in the order of job.json."""
    told = [ast.literal_eval(match[1]) for lines in executors for line in lines if (match := NODE.search(line))]
    nodes = {one["executor_id"]: f"{one['host']}:{one['port']}" for one in told}
    tasks = [f"{role['name']}-{index}" for role in job["roles"] for index in range(role["count"])]
    return {f"<{task}>:<port>": nodes[number] for number, task in enumerate(tasks) if number in nodes}
