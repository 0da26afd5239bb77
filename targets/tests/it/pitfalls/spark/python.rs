//! Pitfalls that the generated Python files prevent: tests run these files with a real Python.
use super::compiled::{SMALL, compile, good, one};

/// Runs lines of Python after the code of `tfjob_node.py`, without its network connection.
fn node(lines: &str) {
    let program = format!("{}\n{lines}\n", include_str!("../../../../templates/tfjob_node.py"));
    let done = std::process::Command::new("python3").args(["-c", &program]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

pub fn scratch_is_emptied_before_each_start() {
    node(
        "import tempfile\nwith tempfile.TemporaryDirectory() as top:\n    \
         folder = os.path.join(top, 'a', 'scratch')\n    clear_directory(folder)\n    assert not is_used(folder)\n    \
         os.makedirs(os.path.join(folder, 'deep', 'er'))\n    os.symlink('/', os.path.join(folder, 'link'))\n    \
         open(os.path.join(folder, 'file'), 'w').close()\n    assert is_used(folder)\n    \
         clear_directory(folder)\n    assert os.listdir(folder) == []\n    os.mkdir(os.path.join(folder, 'lost+found'))\n    \
         assert not is_used(folder) and not is_used(os.path.join(top, 'none'))",
    );
}

pub fn probes_go_to_the_task_itself() {
    node(
        "import http.server\n\
         class Quiet(http.server.BaseHTTPRequestHandler):\n    \
         def do_GET(self):\n        self.send_response(200 if self.path == '/ok' else 404)\n        self.end_headers()\n    \
         def log_message(self, *_):\n        pass\n\
         web = http.server.HTTPServer(('127.0.0.1', 0), Quiet)\n\
         threading.Thread(target=web.serve_forever, daemon=True).start()\n\
         raw = socket.create_server(('127.0.0.1', 0))\n\
         def mute():\n    link = raw.accept()[0]\n    link.recv(9)\n    link.sendall(b'SSH-2.0\\r\\n')\n    link.close()\n\
         threading.Thread(target=mute, daemon=True).start()\n\
         os.environ['http_proxy'] = 'http://127.0.0.1:9'\n\
         task = Node.__new__(Node)\n\
         def ready(port, path):\n    \
         task.role = {'name': 'a', 'ready': {'port': port, 'http': path}}\n    return task.probe()\n\
         assert ready(web.server_port, '/ok') and not ready(web.server_port, '/no')\n\
         assert not ready(raw.getsockname()[1], '/ok')\n\
         assert not ready(web.server_port, '/a b')",
    );
}

pub fn a_task_that_waits_for_a_start_starts_with_it() {
    let lines = "
from played import begin, job, role
lead = begin(job([role('chief', [('worker', 'started')]), role('worker', [('ps', 'started')]), role('ps')]))
assert all(task.started for task in lead.tasks), [task.name for task in lead.tasks if not task.started]
";
    driver(lines);
}

/// Runs lines of Python that can import the generated Python files.
pub(super) fn driver(lines: &str) {
    const FOLDERS: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/templates:", env!("CARGO_MANIFEST_DIR"), "/tests/shared");
    let done = std::process::Command::new("python3")
        .args(["-B", "-c", lines])
        .env("PYTHONPATH", FOLDERS)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Defines `lead()`: a `Lead` with one role of two tasks, with a restart budget that still allows a restart.
pub(super) const JOB: &str = "
import time
from played import end, job, role, terms
from tfjob_lead import Budget, Lead
def lead(**more):
    given = terms(limit=3, backoff=90, max_backoff=3600)
    return Lead(job([role('a', count=2, decides=2, fed=True, restart=given)], **more))
";

pub fn what_the_shim_refuses_is_not_started_again() {
    driver(&format!(
        "{JOB}
for code, refused, again in ((71, True, False), (76, True, True), (71, False, True)):
    one = lead()
    end(one, one.tasks[0], code, why='no jar', refused=refused)
    assert 'no jar' in one.why and ('tfjob-shim' in one.why) == refused, one.why
    assert (Budget(one.job).next_pause(one) is not None) == again, (code, refused)
"
    ));
}

pub fn the_last_words_of_the_shim_reach_the_driver() {
    driver(
        "
import sys
from tfjob_node import Shim, start
def run(events, code):
    said = ''.join('os.write(int(os.environ[\"TFJOB_EVENTS_FD\"]), b\\'{}\\\\n\\');'.format(event) for event in events)
    shim = Shim()
    child = start([sys.executable, '-c', 'import os;' + said + 'os._exit(%d)' % code], {}, '/', shim.events)
    shim.start_reader()
    assert child.wait() == code
    return shim.result()
last = '{\"event\":\"exit\",\"reason\":\"why\",\"code\":71}'
assert run([last], 71) == {'why': 'why', 'refused': True}
assert run(['{\"event\":\"started\"}', 'no JSON', '{\"event\":\"ended\"}', last], 71) == {'why': 'why', 'refused': False}
assert run([], 3) == {'why': None, 'refused': False}
",
    );
}

pub fn no_start_is_awaited_that_the_deadline_forbids() {
    driver(&format!(
        "{JOB}
for left, again in ((20, False), (200, True)):
    one = lead(deadline=left)
    one.until = time.monotonic() + left
    end(one, one.tasks[0], 3)
    assert (Budget(one.job).next_pause(one) is not None) == again, left
    assert ('deadline' in one.why) != again, one.why
"
    ));
}

/// Defines `attempt()`: an attempt whose executors do not start, because `TFCluster` fails with `said`, or times out if `said` is
/// not set. The attempt begins when `spent` seconds of the deadline have passed.
const NEVER_UP: &str = "
import sys, types
import driver
def attempt(said, spent=0, deadline=None):
    seen = []
    def bring(context, node, given, *_, reservation_timeout, **more):
        seen.append(reservation_timeout)
        if said:
            cluster.tf_status['error'] = said
            context.stop()
            sys.exit(1)
        raise Exception('timed out waiting for reservations to complete')
    cluster = types.SimpleNamespace(run=bring, tf_status={}, InputMode=types.SimpleNamespace(SPARK=1, TENSORFLOW=0))
    sys.modules['tensorflowonspark'] = types.SimpleNamespace(TFCluster=cluster)
    class Context:
        alive, idle, applicationId = True, False, 'application_1_1'
        def stop(self):
            self.alive = False
        def cancelAllJobs(self):
            self.idle = True
        def getConf(self):
            return {'spark.driver.host': '127.0.0.1'}
    one, context = lead(deadline=deadline, feed=None, gpus=0, wait=604800, grace=0), Context()
    one.until = deadline and time.monotonic() + deadline - spent
    driver.attempt(context, one.job, one)
    assert context.alive and context.idle and one.finished
    context.stop()
    assert not context.alive
    return one, seen[0]
";

pub fn executors_are_awaited_until_the_deadline() {
    driver(&format!(
        "{JOB}{NEVER_UP}
one, waited = attempt(None)
assert waited == 604800 and 'timed out' in one.why and Budget(one.job).next_pause(one) is None, one.why
one, waited = attempt(None, 20, 100)
assert 70 <= waited <= 80 and 'timed out' in one.why, (waited, one.why)
one, waited = attempt(None, 99.5, 100)
assert waited == 0 and one.why == 'the deadline of 100 s was exceeded', (waited, one.why)
"
    ));
}

pub fn an_executor_lost_while_others_come_up_counts_as_lost() {
    driver(&format!(
        "{JOB}{NEVER_UP}
java = 'An error occurred while calling z:c.\\n: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 failed 1 times: '
for words, again in (('ExecutorLostFailure (executor 0 exited)', True), ('Traceback (most recent call last):\\nImportError: x', False)):
    one, _ = attempt(java + words)
    assert one.why.startswith('not all 2 executors started: '), one.why
    assert (Budget(one.job).next_pause(one) is not None) == again, one.why
one, _ = attempt(java + 'ExecutorLostFailure', 99.5, 100)
assert one.why == 'the deadline of 100 s was exceeded' and Budget(one.job).next_pause(one) is None
"
    ));
}

pub fn a_distribution_s_own_version_is_that_version() {
    driver(
        "
import importlib.metadata, types
from driver import check
job = {'spark': '3.5.0', 'tfos': None, 'fresh': None}
for version, good in (('3.5.0', True), ('3.5.0-amzn-1', True), ('3.5.1', False), ('3.5.01', False)):
    assert (check(job, types.SimpleNamespace(version=version)) is None) == good, version
",
    );
}

pub fn what_java_and_python_say_is_the_reason() {
    driver(
        "
from tfjob_node import reason
java = 'An error occurred while calling o1.load.\\n: org.apache.spark.sql.AnalysisException: Path does not exist: x\\n\\tat a.b\\n'
assert reason(java) == 'org.apache.spark.sql.AnalysisException: Path does not exist: x', reason(java)
python = 'An error occurred while calling z:c.\\n: S: Task 0 failed: P: Traceback (most recent call last):\\n  File x\\n    y()\\nException: Timeout\\n\\n\\tat a.b\\n'
assert reason(python) == 'Exception: Timeout', reason(python)
assert reason('') == '?' and reason('a\\nb') == 'a'
",
    );
}

/// Effects of the end of a task, the same as with `tfjob run` (docs/run.md). Columns: kind of the role, levels of its `restart`,
/// exit code, states for which another role waits, and the effect: the waiting role starts, or the attempt goes on or ends.
const ENDS: &str = "
helper  none job role  0     nothing started        goes-on
helper  none job role  0     ready done             starts
helper  none job role  3     nothing started        goes-on
helper  none job role  lost  nothing started        ends
helper  none job role  3     ready done             ends
decides none job role  3     nothing started ready  ends
role    none job role  3     nothing started ready  ends
role    none job role  0     nothing started        goes-on
role    none job role  0     ready done             starts
";

pub fn the_end_of_a_task_means_what_it_means_under_tfjob_run() {
    driver(&format!(
        "
from played import begin, end, job, role, terms
TERMS = terms(codes=[137])
def played(kind, restart, code, when):
    whole = TERMS if restart == 'job' else None
    lead = begin(job([
        role('h', decides=int(kind == 'decides'), helper=kind != 'role', ready={{'file': '/nowhere'}},
             restart=None if restart == 'none' else TERMS),
        role('m', [] if when == 'nothing' else [('h', when)], decides=0, restart=whole),
        role('w', [('m', 'started')], restart=whole),
    ]))
    before = lead.tasks[2].started
    if code == 'lost':
        lead.disconnected(lead.tasks[0])
    else:
        end(lead, lead.tasks[0], int(code))
    if lead.finished:
        return 'ends'
    return 'goes-on' if before else 'starts' if lead.tasks[2].started else 'hangs'
wrong = []
for row in '''{ENDS}'''.strip().splitlines():
    words = row.split()
    kind, code, means = words[0], words[4], words[-1]
    for restart in words[1:4]:
        for when in words[5:-1]:
            if (got := played(kind, restart, code, when)) != means:
                wrong.append((kind, restart, code, when, got, means))
assert not wrong, wrong
def late(code):
    helper = role('h', decides=0, helper=True, ready={{'file': '/x'}}, restart=TERMS)
    lead = begin(job([helper, role('w', [('h', 'ready')], restart=TERMS)]))
    lead.receive(lead.tasks[0], {{'is': 'ready'}}, None)
    end(lead, lead.tasks[0], code)
    assert lead.tasks[1].started and not lead.finished
    end(lead, lead.tasks[1], 0)
    assert lead.finished and lead.why == ''
late(0)
late(3)
"
    ));
}

pub fn restarts_of_the_job_are_counted_together() {
    driver(
        "
import played
from tfjob_lead import Budget, Lead
terms = played.terms()
job = played.job([played.role(name, restart=terms) for name in 'ab'])
budget = Budget(job)
def fails(number):
    one = Lead(job)
    played.end(one, one.tasks[number], 3)
    return budget.next_pause(one)
assert fails(0) == 1 and fails(1) is None
terms['limit'] = 3
budget = Budget(job)
assert [fails(0), fails(1), fails(0), fails(1)] == [1, 2, 4, None]
",
    );
}

pub fn a_file_of_an_earlier_start_is_no_readiness() {
    driver(
        "
import os, tempfile
from tfjob_node import Node
node = Node.__new__(Node)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'ready')
    node.role = {'ready': {'file': path}}
    node.old_ready_file = node.ready_file()
    assert not node.probe()
    open(path, 'w').close()
    assert node.probe()
    node.old_ready_file = node.ready_file()
    assert not node.probe() and os.path.exists(path)
    os.utime(path, ns=(1, 1))
    assert node.probe()
    node.role = {'ready': None}
    assert node.ready_file() is None
",
    );
}

/// The program in the documentation connects with the same key as TensorFlowOnSpark's manager in the executor.
#[test]
fn the_documented_program_takes_the_rows_of_a_feed() {
    let page = include_str!("../../../../../docs/run.md");
    let program = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    node(&format!(
        "
import types
taken = []
class Feed:
    def __init__(self, manager, train):
        assert manager == ('/tmp/queue', bytes(range(250, 256))) and train
        self.left = [['1', 'a'], ['2', 'b']]
    def should_stop(self):
        return not self.left
    def next_batch(self, size):
        taken.append(self.left.pop(0))
        return taken[-1:]
stub = types.ModuleType('tensorflowonspark')
stub.TFManager = types.SimpleNamespace(connect=lambda address, key: (address, key))
stub.TFNode = types.SimpleNamespace(DataFeed=Feed)
sys.modules['tensorflowonspark'] = stub
one = Node.__new__(Node)
one.job = {{'scratch': None, 'shim': None}}
one.role = {{'name': 'worker', 'hide': [], 'gpus': None, 'env': [], 'workdir': None, 'argv': []}}
one.index, one.here, one.peers, one.fed = 0, os.getcwd(), {{}}, True
one.ctx = types.SimpleNamespace(mgr=types.SimpleNamespace(address='/tmp/queue', _authkey=bytes(range(250, 256))))
os.environ.update(one.command()[1])
exec({program:?})
assert taken == [['1', 'a'], ['2', 'b']]
"
    ));
    let explained = include_str!("../../../../errors/spark-feed.md");
    assert!(explained.contains("bytes.fromhex(os.environ[\"TFJOB_FEED_KEY\"])"));
}

#[test]
fn the_python_is_the_one_that_the_words_name() {
    let stage = "files \"tf\" \"hdfs://default/v.tar.gz\"; code \"hdfs://default/c.zip\"";
    let spark = |run: &str, target: &str| {
        let spec = one(stage, SMALL, target).replace("run \"python\" \"t.py\"", run);
        good(&spec).setting("spark.pyspark.python")
    };
    for (run, target, python) in [
        ("run \"{files.tf}/tf_env/bin/python\" \"t.py\"", "", "./files-tf/tf_env/bin/python"),
        ("run \"{files.tf}/bin/python3\" \"t.py\"", "", "./files-tf/bin/python3"),
        ("run \"{code}/env/bin/python3.11\" \"t.py\"", "", "./code/env/bin/python3.11"),
        ("shell \"exec $TFJOB_FILES_TF/e/bin/python t.py\"", "", "./files-tf/e/bin/python"),
        ("shell \"\\\"${TFJOB_FILES_TF}/bin/python\\\" t.py\"", "", "./files-tf/bin/python"),
        ("shell \". $TFJOB_FILES_TF/bin/activate && exec python t.py\"", "", "./files-tf/bin/python"),
        (
            "shell \"set -e; source \\\"$TFJOB_FILES_TF/e/bin/activate\\\"; python t.py\"",
            "",
            "./files-tf/e/bin/python",
        ),
        ("run \"python\" \"t.py\"", "python \"{files.tf}/e/bin/python\"", "./files-tf/e/bin/python"),
        ("run \"python\" \"t.py\"", "python \"tf\"", "./files-tf/bin/python"),
        ("run \"/opt/venv/bin/python3\" \"t.py\"", "", "/opt/venv/bin/python3"),
        ("run \"{files.tf}/bin/python\" \"t.py\"", "python \"/opt/e/bin/python\"", "/opt/e/bin/python"),
    ] {
        assert_eq!(spark(run, target).as_deref(), Some(python), "{run} {target}");
    }
    for run in
        ["run \"python\" \"t.py\"", "run \"{files.tf}/bin/train\"", "shell \"$TFJOB_FILES_TF/bin/train\""]
    {
        assert_eq!(spark(run, ""), None, "{run}");
    }
    // A folder of `PATH` may be that of an environment, or of other tools: nobody sees which.
    let path = |run: &str, target: &str| {
        let job = format!("{stage}; env {{ PATH \"{{files.tf}}/bin:{{env.PATH}}\"; }}");
        one(&job, SMALL, target).replace("run \"python\" \"t.py\"", run)
    };
    let told = compile(&path("run \"python\" \"t.py\"", "")).found;
    assert!(
        told.iter()
            .any(|(_, _, says)| says
                .contains("`PATH` may find a Python in this directory, but Spark does not")),
        "{told:?}"
    );
    let named = good(&path("run \"python\" \"t.py\"", "python \"tf\""));
    assert_eq!(named.setting("spark.pyspark.python").as_deref(), Some("./files-tf/bin/python"));
    assert_eq!(good(&path("run \"/usr/bin/train\"", "")).setting("spark.pyspark.python"), None);
}
