"""The table of faults: each fault, its job, and the expected result."""
import dataclasses
import signal
import typing

from . import faults
from .faults import ALL, NEWEST

KILLED = r"killed by SIGKILL"
ASIDE = r"newest complete TensorFlow checkpoint: ckpt-5 \(step 5\); checkpoint ckpt-10 is incomplete"


@dataclasses.dataclass(frozen=True)
class Case:
    """One fault."""

    name: str
    job: str
    fault: str
    deed: typing.Callable
    # Exit code of each run, in order. It is a tuple of possible codes if the load of the machine decides.
    codes: tuple = (0,)
    # Regular expressions of messages that must occur.
    says: tuple = ()
    # Steps where each task resumes. The key `every` stands for all training tasks.
    resumed: dict = dataclasses.field(default_factory=lambda: {"every": [0]})
    # Whether all training tasks finish all steps.
    done: bool = True
    # Whether the last checkpoint is damaged, so that the program repeats the steps since the checkpoint before it.
    torn: bool = False
    # Number of starts of the task that starts most often.
    starts: int | None = None

    def resumes(self):
        """Returns the steps where each task resumes."""
        every = {task: self.resumed["every"] for task in ALL[self.job]} if "every" in self.resumed else {}
        return {**every, **{task: steps for task, steps in self.resumed.items() if task != "every"}}


BACK = {"every": [0, NEWEST]}
STOPPED = (r"job stopped by SIG",)
UPTIME, ENDLESS = "restart.min-uptime=5s", "restart.backoff=60s"
SOON = "stop.grace=8s"
# Each program leaves a child in a separate session.
FAMILY = "param.more=--family=1"

CASES = (
    Case("mwms-leader", "mwms", "KILL of worker 0", faults.signalled("worker:0"), says=(KILLED,), resumed=BACK),
    Case("mwms-worker", "mwms", "KILL of worker 1", faults.signalled("worker:1"), says=(KILLED,), resumed=BACK),
    Case("ps-chief", "ps", "KILL of the chief", faults.signalled("chief:0"), says=(KILLED,), resumed=BACK),
    Case("ps-worker", "ps", "KILL of worker 1 of 2", faults.signalled("worker:1", back="serves"), says=(KILLED,)),
    # There are two possible results. Either the chief finishes all steps with the other worker, reports completion, and hangs. Or
    # the chief fails together with the lost worker, restarts, and waits for it.
    Case("ps-lost", "ps", "KILL of worker 1 of 2, which hangs after its restart",
         faults.lost("worker:1", "start.timeout=60s", SOON), ((0, 75),),
         (KILLED, r"reported completion before it was killed by|worker:1 \(its program does not listen on its TF_CONFIG port, 127\.0\.0\.1:\d+\)"),
         done=False),
    Case("ps-hangs", "ps", "none: the chief reports completion and does not exit",
         faults.nothing("param.hang=3600"),
         says=("it reported completion, but is still running", "reported completion before it was killed by")),
    Case("ps-ps", "ps", "KILL of the ps", faults.signalled("ps:0", back="serves"), says=(KILLED,), resumed=BACK),
    Case("ps-evaluator", "ps", "KILL of the evaluator", faults.signalled("evaluator:0"), says=(KILLED,)),
    Case("ps-ends", "ps", "none: the chief exits", faults.nothing(),
         says=("the tasks that decide job success have succeeded; stopping the tasks that are still running",)),
    Case("single", "single", "KILL of the program", faults.signalled("worker:0"), says=(KILLED,), resumed=BACK),
    Case("term-mwms", "mwms", "TERM to the whole job, then a second run", faults.stopped(SOON), (143, 0), STOPPED, BACK),
    Case("term-ps", "ps", "TERM to the whole job, then a second run", faults.stopped(SOON), (143, 0), STOPPED, BACK),
    Case("int-plain", "plain", "INT to the whole job, then a second run", faults.stopped(number=signal.SIGINT), (130, 0),
         STOPPED, BACK),
    # TensorFlow ignores SIGTERM. It exits on SIGINT, which it gets after half of the 24 seconds.
    Case("int-single", "single", "INT to the whole job without `stop grace`, then a second run",
         faults.stopped(number=signal.SIGINT), (130, 0), STOPPED, BACK),
    Case("term-task", "mwms", "TERM to the shim of worker 1, then a second run",
         faults.unshimmed("worker:1", SOON, number=signal.SIGTERM), ((130, 137), 0),
         (r"worker:1 +\* stopped by SIGTERM",), BACK),
    Case("term-chief", "ps", "TERM to the program of the chief", faults.signalled("chief:0", signal.SIGTERM),
         says=(r"killed by SIGTERM",), resumed=BACK),
    Case("never-ready", "meets", "the ps never becomes ready", faults.absent("ps:0", "start.timeout=8s"), (75,),
         (r"chief:0 was not started, because the roles that it waits for were not ready within 8 s \(`start timeout`\)",), {}, False),
    Case("late-ready", "meets", "the ps becomes ready late", faults.late("ps:0")),
    Case("late-peer", "mwms", "worker 2 becomes ready late", faults.late("worker:2")),
    Case("never-peer", "mwms", "worker 2 never becomes ready", faults.absent("worker:2", "start.timeout=40s", SOON), (75,),
         (r"peers were not ready within 40 s \(`start timeout`\): .*worker:2 \(its program does not listen on its TF_CONFIG port, 127\.0\.0\.1:\d+\)",), {}, False),
    Case("port-taken", "mwms", "the port of worker 1 is in use for a while", faults.occupied("worker:1", True),
         says=("Could not start gRPC server", "; restart")),
    Case("port-kept", "mwms", "the port of worker 1 is in use permanently", faults.occupied("worker:1", False), (1,),
         ("Could not start gRPC server", "restart limit of 3 within 3600 s reached"), {}, False, starts=4),
    Case("exit-at-once", "plain", "exit 1 immediately, with `min-uptime`",
         faults.nothing("param.more=--exit-at=-1", UPTIME), (1,), ("uptime was below `min-uptime` of 5 s",), {}, False,
         starts=1),
    Case("exit-for-ever", "plain", "exit 1 immediately at each start", faults.nothing("param.more=--exit-at=-1"), (1,),
         (r"restart limit of 3 within 3600 s reached",), {}, False, starts=4),
    Case("crash-later", "plain", "exit 1 seven steps after each start",
         faults.nothing("param.more=--lives=7", "restart.min-uptime=0s"), says=("; restart",),
         resumed={"every": [0, 5, 10, 15]}),
    Case("no-progress", "lone", "exit 1 after some steps, without a newer checkpoint",
         faults.nothing("param.more=--lives=3"), (1,), ("no newer checkpoint after 2 restarts in a row",),
         {"every": [0, 0, 0]}, False, starts=3),
    Case("disk-full", "single", "no space for checkpoints, then a second run with space", faults.full(), (1, 0),
         ("No space left on device", "no newer checkpoint after 1 restart"), {"every": [0, 10, 10, 10]}),
    Case("torn-data", "single", "the data file of the newest checkpoint truncated, KILL",
         faults.torn("ckpt-10.data*", faults.halve), says=(KILLED, ASIDE),
         resumed={"every": [0, 5]}, torn=True),
    Case("torn-index", "single", "the index file of the newest checkpoint truncated, KILL",
         faults.torn("ckpt-10.index", faults.halve), says=(KILLED, ASIDE),
         resumed={"every": [0, 5]}, torn=True),
    Case("torn-mwms", "mwms", "the data file of the newest checkpoint truncated, KILL of worker 0",
         faults.torn("ckpt-10.data*", faults.halve), says=(KILLED, ASIDE),
         resumed={"every": [0, 5]}, torn=True),
    Case("torn-tutorial", "tutorial", "the data file of the newest checkpoint truncated, KILL",
         faults.torn("cp-0010.ckpt.data*", faults.halve),
         says=(KILLED, r"newest complete TensorFlow checkpoint: cp-0005\.ckpt.*; checkpoint cp-0010\.ckpt is incomplete"),
         resumed={"every": [0, 5]}, torn=True),
    Case("memory", "plain", "one task exceeds the memory limit", faults.starved("b:0"),
         says=("; restart",), resumed={"every": [0], "b:0": [0, NEWEST]}),
    Case("backoff", "plain", "TERM to the job during a restart delay, then a second run", faults.interrupted(ENDLESS), (143, 0),
         (*STOPPED, "; restart"), {"every": [0, 5]}),
    Case("family", "plain", "programs leave children that exit and children that keep running", faults.family()),
    Case("shim", "plain", "KILL of the shim of a task, then a second run", faults.unshimmed("a:0", FAMILY), (137, 0),
         (r"a:0 +\* tfjob-shim, which supervises this task, was killed by SIGKILL",), BACK),
    Case("shim-mwms", "mwms", "KILL of the shim of a task, then a second run", faults.unshimmed("worker:1", SOON), (137, 0),
         (r"worker:1 +\* tfjob-shim, which supervises this task, was killed by SIGKILL",), BACK),
    Case("run", "mwms", "KILL of `tfjob run`, then a second run", faults.beheaded(SOON), (-9, 0), (), BACK),
    Case("run-plain", "plain", "KILL of `tfjob run`, then a second run", faults.beheaded(FAMILY), (-9, 0), (), BACK),
    Case("flood", "plain", "30 MB of output from each task", faults.flooded(300_000), says=(r"lines were not shown on the terminal",)),
    Case("slow", "plain", "3 MB of output from each task, read at 1 MB/s", faults.flooded(30_000, slow=True),
         says=(r"\| END",)),
    Case("traceback", "lone", "3 MB of output, then a traceback, read at 1 MB/s", faults.traced(30_000, "restart.limit=1"),
         (1,), ("RuntimeError: the last words",), {}, False, starts=2),
    Case("hangup", "plain", "SIGHUP to the whole job, then a second run", faults.stopped(number=signal.SIGHUP), (129, 0),
         ("job stopped by SIGHUP",), BACK),
    Case("nohup", "plain", "SIGHUP to the whole job under `nohup`", faults.hung_up()),
    Case("logs-full", "plain", "no space for logs, then space again", faults.crowded("param.more=--pause=500"),
         says=("the log of this task is incomplete", "incomplete log")),
    Case("deadline", "plain", "`deadline` exceeded, then a second run", faults.overdue("deadline=5s"), (124, 0),
         (r"stopped because `deadline` \(5 s\) was exceeded",), BACK),
    Case("est-chief", "estimator", "KILL of the chief", faults.signalled("chief:0"), says=(KILLED,),
         resumed={"chief:0": BACK["every"]}),
    Case("est-worker", "estimator", "KILL of the worker", faults.signalled("worker:0"), says=(KILLED,),
         resumed={"chief:0": [0]}),
    Case("est-ps", "estimator", "KILL of the ps", faults.signalled("ps:0"), says=(KILLED,),
         resumed={"chief:0": BACK["every"]}),
    Case("est-evaluator", "estimator", "KILL of the evaluator", faults.signalled("evaluator:0"), says=(KILLED,),
         resumed={"chief:0": [0]}),
)
