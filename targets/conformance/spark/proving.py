"""`engine prove`: one job on the standalone cluster by its own `submit.sh`, with its own programs and the real shim."""
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
# How each node says which task it is, and TensorFlowOnSpark where each node is.
# Python ends its line by a write of its own: a line of the shim may come between.
TASK = re.compile(r"tfjob: (\S+):(\d+) is process \d+")
NODE = re.compile(r" node: (\{.*\})$")


@contextlib.contextmanager
def prove():
    """A cluster on loopback. Who starts this engine has made its world: nothing is fetched and nothing is mounted."""
    cluster = Standalone(place.Spark(), "proof").start()
    try:
        yield Proving(cluster).case
    finally:
        cluster.stop()


class Proving:
    """One run."""

    def __init__(self, cluster):
        self.cluster, self.folder = cluster, cluster.folder / "job"
        self.folder.mkdir()

    def case(self, case):
        """How the job and each of its executors ended, and what they said."""
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
    """One executor: Spark writes all that its task says into one log, and tells nobody what the shim ended with."""
    found = [match for line in lines if (match := TASK.search(line))]
    role, index = found[0].groups() if found else ("executor of no task", 0)
    own = f"{role}-{index}: "
    return {"role": role, "index": int(index), "exit": None,
            "out": "\n".join(line for line in lines if line.startswith(own)),
            "err": "\n".join(line for line in lines if not line.startswith(own))}


def addresses(job, executors):
    """Where each task is, by TensorFlowOnSpark's own word: it numbers its nodes in the order of job.json."""
    told = [ast.literal_eval(match[1]) for lines in executors for line in lines if (match := NODE.search(line))]
    nodes = {one["executor_id"]: f"{one['host']}:{one['port']}" for one in told}
    tasks = [f"{role['name']}-{index}" for role in job["roles"] for index in range(role["count"])]
    return {f"<{task}>:<port>": nodes[number] for number, task in enumerate(tasks) if number in nodes}
