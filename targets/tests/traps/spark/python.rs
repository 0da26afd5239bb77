//! The job's own Python, which Spark runs: traps that its lines keep the job out of, run by a real Python.

/// Runs lines of Python after the node's own, without its network.
fn node(lines: &str) {
    let program = format!("{}\n{lines}\n", include_str!("../../../templates/tfjob_node.py"));
    let done = std::process::Command::new("python3").args(["-c", &program]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

pub fn scratch_is_emptied_before_each_start() {
    node(
        "import tempfile\nwith tempfile.TemporaryDirectory() as top:\n    \
         folder = os.path.join(top, 'a', 'scratch')\n    empty(folder)\n    assert not holds(folder)\n    \
         os.makedirs(os.path.join(folder, 'deep', 'er'))\n    os.symlink('/', os.path.join(folder, 'link'))\n    \
         open(os.path.join(folder, 'file'), 'w').close()\n    assert holds(folder)\n    \
         empty(folder)\n    assert os.listdir(folder) == []\n    os.mkdir(os.path.join(folder, 'lost+found'))\n    \
         assert not holds(folder) and not holds(os.path.join(top, 'none'))",
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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    let lines = "
from driver import Lead
def role(name, *after):
    return {'name': name, 'count': 1, 'ready': None, 'decides': 1, 'after': [{'role': r, 'when': 'started'} for r in after]}
lead = Lead({'roles': [role('chief', 'worker'), role('worker', 'ps'), role('ps')], 'deadline': None})
for task in lead.tasks:
    task.here = True
lead.let_start()
assert all(task.started for task in lead.tasks), [task.name for task in lead.tasks if not task.started]
";
    let done = std::process::Command::new("python3")
        .args(["-B", "-c", lines])
        .env("PYTHONPATH", folder)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
