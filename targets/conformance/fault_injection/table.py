"""The table: each fault, the job it is dealt to, and what must be seen."""
import dataclasses
import signal
import typing

from . import faults
from .faults import ALL, NEWEST

KILLED = r"killed by SIGKILL"
ASIDE = r"newest complete TensorFlow checkpoint: ckpt-5 \(step 5\); ckpt-10 is incomplete"


@dataclasses.dataclass(frozen=True)
class Case:
    """One fault."""

    name: str
    job: str
    fault: str
    deed: typing.Callable
    # The exit code of each run, in their order; one of several where a busy machine decides which.
    codes: tuple = (0,)
    # What the runs must have said: the true reason.
    says: tuple = ()
    # At which steps each task has resumed; `every` stands for all that step.
    resumed: dict = dataclasses.field(default_factory=lambda: {"every": [0]})
    # Whether all that step have done all steps in the end.
    done: bool = True
    # Whether what was saved last was torn, so that steps are done again from the one before.
    torn: bool = False
    # How often the task that was started most often was.
    starts: int | None = None

    def resumes(self):
        """At which steps each task has resumed."""
        every = {task: self.resumed["every"] for task in ALL[self.job]} if "every" in self.resumed else {}
        return {**every, **{task: steps for task, steps in self.resumed.items() if task != "every"}}


BACK = {"every": [0, NEWEST]}
STOPPED = (r"job stopped by SIG",)
UPTIME, ENDLESS = "restart.min-uptime=5s", "restart.backoff=60s"
SOON = "stop.grace=8s"
# Each program leaves a child in a session of its own.
FAMILY = "param.more=--family=1"

CASES = (
    Case("mwms-leader", "mwms", "KILL of worker 0", faults.signalled("worker:0"), says=(KILLED,), resumed=BACK),
    Case("mwms-worker", "mwms", "KILL of worker 1", faults.signalled("worker:1"), says=(KILLED,), resumed=BACK),
    Case("ps-chief", "ps", "KILL of the chief", faults.signalled("chief:0"), says=(KILLED,), resumed=BACK),
    Case("ps-worker", "ps", "KILL of worker 1 of 2", faults.signalled("worker:1", back="serves"), says=(KILLED,)),
    # TensorFlow's chief does all steps with the worker that is left, says so, and then does not end by itself; or it
    # fails with the worker, and is started again to wait for it.
    Case("ps-lost", "ps", "KILL of worker 1 of 2, which never comes back",
         faults.lost("worker:1", "start.timeout=60s", SOON), ((0, 75),),
         (KILLED, r"reported completion, then killed by|worker-1 \(127\.0\.0\.1:\d+ does not answer\)"),
         done=False),
    Case("ps-hangs", "ps", "none: the chief says that its work is done, and does not end",
         faults.nothing("param.hang=3600"),
         says=("the program reported completion, but is still running", "reported completion, then killed by")),
    Case("ps-ps", "ps", "KILL of the ps", faults.signalled("ps:0", back="serves"), says=(KILLED,), resumed=BACK),
    Case("ps-evaluator", "ps", "KILL of the evaluator", faults.signalled("evaluator:0"), says=(KILLED,)),
    Case("ps-ends", "ps", "none: the chief ends", faults.nothing(),
         says=("job done; stopping long-running tasks",)),
    Case("single", "single", "KILL of the program", faults.signalled("worker:0"), says=(KILLED,), resumed=BACK),
    Case("term-mwms", "mwms", "TERM to the whole job, then again", faults.stopped(SOON), (143, 0), STOPPED, BACK),
    Case("term-ps", "ps", "TERM to the whole job, then again", faults.stopped(SOON), (143, 0), STOPPED, BACK),
    Case("int-plain", "plain", "INT to the whole job, then again", faults.stopped(number=signal.SIGINT), (130, 0),
         STOPPED, BACK),
    # TensorFlow swallows TERM, and ends on INT at half of the 24 seconds.
    Case("int-single", "single", "INT to the whole job without `stop grace`, then again",
         faults.stopped(number=signal.SIGINT), (130, 0), STOPPED, BACK),
    Case("term-task", "mwms", "TERM to the shim of worker 1, then again",
         faults.unshimmed("worker:1", SOON, number=signal.SIGTERM), ((130, 137), 0),
         (r"worker:1 +\* stopped by SIGTERM",), BACK),
    Case("term-chief", "ps", "TERM to the chief's program", faults.signalled("chief:0", signal.SIGTERM),
         says=(r"killed by SIGTERM",), resumed=BACK),
    Case("never-ready", "meets", "the ps never comes", faults.absent("ps:0", "start.timeout=8s"), (75,),
         (r"chief:0: peers not ready after 8 s \(`start timeout`\)",), {}, False),
    Case("late-ready", "meets", "the ps comes late", faults.late("ps:0")),
    Case("late-peer", "mwms", "worker 2 comes late", faults.late("worker:2")),
    Case("never-peer", "mwms", "worker 2 never comes", faults.absent("worker:2", "start.timeout=40s", SOON), (75,),
         (r"peers not ready 40 s after start \(`start timeout`\): .*worker-2 \(127\.0\.0\.1:\d+ does not answer\)",),
         {}, False),
    Case("port-taken", "mwms", "the port of worker 1 is taken for a while", faults.occupied("worker:1", True),
         says=("Could not start gRPC server", "; restart")),
    Case("port-kept", "mwms", "the port of worker 1 is taken for ever", faults.occupied("worker:1", False), (1,),
         ("Could not start gRPC server", "restart limit of 3 restarts within 3600 s reached"), {}, False, starts=4),
    Case("exit-at-once", "plain", "exit 1 at once, with `min-uptime`",
         faults.nothing("param.more=--exit-at=-1", UPTIME), (1,), ("uptime was below `min-uptime` of 5 s",), {}, False,
         starts=1),
    Case("exit-for-ever", "plain", "exit 1 at once, again and again", faults.nothing("param.more=--exit-at=-1"), (1,),
         (r"restart limit of 3 restarts within 3600 s reached",), {}, False, starts=4),
    Case("crash-later", "plain", "exit 1 seven steps after each start",
         faults.nothing("param.more=--lives=7", "restart.min-uptime=0s"), says=("; restart",),
         resumed={"every": [0, 5, 10, 15]}),
    Case("no-progress", "lone", "exit 1 after steps, and no newer checkpoint",
         faults.nothing("param.more=--lives=3"), (1,), ("no newer checkpoint after 2 restarts in a row",),
         {"every": [0, 0, 0]}, False, starts=3),
    Case("disk-full", "single", "no room for checkpoints; then there is, and again", faults.full(), (1, 0),
         ("No space left on device", "no newer checkpoint after 1 restart"), {"every": [0, 10, 10, 10]}),
    Case("torn-data", "single", "the newest checkpoint's data cut in half, KILL",
         faults.torn("ckpt-10.data*", faults.halve), says=(KILLED, ASIDE),
         resumed={"every": [0, 5]}, torn=True),
    Case("torn-index", "single", "the newest checkpoint's index cut in half, KILL",
         faults.torn("ckpt-10.index", faults.halve), says=(KILLED, ASIDE),
         resumed={"every": [0, 5]}, torn=True),
    Case("torn-mwms", "mwms", "the newest checkpoint's data cut in half, KILL of worker 0",
         faults.torn("ckpt-10.data*", faults.halve), says=(KILLED, ASIDE),
         resumed={"every": [0, 5]}, torn=True),
    Case("torn-tutorial", "tutorial", "the newest checkpoint's data cut in half, KILL",
         faults.torn("cp-0010.ckpt.data*", faults.halve),
         says=(KILLED, r"newest complete TensorFlow checkpoint: cp-0005\.ckpt.*; cp-0010\.ckpt is incomplete"),
         resumed={"every": [0, 5]}, torn=True),
    Case("memory", "plain", "one task takes more memory than there is", faults.starved("b:0"),
         says=("; restart",), resumed={"every": [0], "b:0": [0, NEWEST]}),
    Case("backoff", "plain", "TERM to the job between two starts, then again", faults.interrupted(ENDLESS), (143, 0),
         (*STOPPED, "; restart"), {"every": [0, 5]}),
    Case("family", "plain", "children of programs end, and others stay", faults.family()),
    Case("shim", "plain", "KILL of a task's shim, then again", faults.unshimmed("a:0", FAMILY), (137, 0),
         (r"a:0 +\* tfjob-shim was killed by SIGKILL",), BACK),
    Case("shim-mwms", "mwms", "KILL of a task's shim, then again", faults.unshimmed("worker:1", SOON), (137, 0),
         (r"worker:1 +\* tfjob-shim was killed by SIGKILL",), BACK),
    Case("run", "mwms", "KILL of `tfjob run`, then again", faults.beheaded(SOON), (-9, 0), (), BACK),
    Case("run-plain", "plain", "KILL of `tfjob run`, then again", faults.beheaded(FAMILY), (-9, 0), (), BACK),
    Case("flood", "plain", "30 MB of output from each task", faults.flooded(300_000),
         says=(r"lines were not shown on the terminal",)),
    Case("slow", "plain", "3 MB of output from each task, read at 1 MB/s", faults.flooded(30_000, slow=True),
         says=(r"\| END",)),
    Case("traceback", "lone", "3 MB of output, then a traceback, read at 1 MB/s", faults.traced(30_000, "restart.limit=1"),
         (1,), ("RuntimeError: the last words",), {}, False, starts=2),
    Case("hangup", "plain", "SIGHUP to the whole job, then again", faults.stopped(number=signal.SIGHUP), (129, 0),
         ("job stopped by SIGHUP",), BACK),
    Case("nohup", "plain", "SIGHUP to the whole job under `nohup`", faults.hung_up()),
    Case("logs-full", "plain", "no room for logs, then there is", faults.crowded("param.more=--pause=500"),
         says=("its log is incomplete", "incomplete log")),
    Case("deadline", "plain", "longer than it may, then again", faults.overdue("deadline=5s"), (124, 0),
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
