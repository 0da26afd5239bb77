//! TensorBoard is a separate app: tfjob refuses it unless its logs are available on every agent where it can run.
use super::{REFUSED, apps, marathon};
use crate::pitfalls::{Pitfall, Row, Seen, rows};
use serde_json::json;

const FOLDER: Seen = Seen::In("Mesos 1.9, isolators/volume/host_path.cpp");

/// Returns all pitfalls of this file.
pub fn pitfalls() -> Vec<Pitfall> {
    let own = "checkpoints \"file:///mnt/ck\" at=\"/ckpt\"\n tensorboard";
    let data = "data \"l\" \"file:///mnt/l\" at=\"/l\" writable=#true; env { LOGS \"{data.l}\"; }\n tensorboard logs=\"{data.l}\"";
    let pinned = "placement { node \"hostname\" \"10.0.0.5\" }";
    let logs = "tensorboard logs=\"/var/logs\"";
    let rest = |name, does, falls: String, words, says, near: String| -> Row {
        (name, "", FOLDER, does, falls, words, says, near)
    };
    let staged = |words: &str, job: &str| {
        let stage = format!("files \"venv\" \"https://example.com/v.tgz\"; checkpoints \"gs://b/ck\"; {job}");
        marathon(&stage, "")
            .replace("    image \"ml/mnist:1.0\"\n", "")
            .replace("\"python\" \"train.py\"", words)
    };
    let mut all = rows(
        "undelivered-file",
        vec![(
            "TensorBoard outside the Python environment of the tasks",
            "",
            Seen::In("Mesos, `PATH` of a task without an image"),
            "if the agent has no `tensorboard`, the app fails, and Marathon restarts it forever",
            staged("\"{files.venv}/bin/python\" \"/a.py\"", "tensorboard"),
            "tensorboard",
            "dcos: TensorBoard may not start, because `tensorboard` comes from the node, not from `{files.venv}`",
            staged("\"/opt/py/bin/python\" \"{files.venv}/a.py\"", "tensorboard"),
        )],
    );
    all.extend(rows(
        REFUSED,
        vec![
            rest(
                "TensorBoard with checkpoints in a directory of the agent",
                "Marathon may place TensorBoard on another agent: there, the directory is empty, or it is missing and the container fails",
                marathon(own, ""),
                "tensorboard",
                "TensorBoard is a separate app: on another agent than that of the task, it does not find the `file:` directory with the logs",
                marathon(own, pinned),
            ),
            rest(
                "TensorBoard with data in a directory of the agent",
                "on another agent, the directory is empty, or it is missing and the container fails",
                marathon(data, ""),
                "tensorboard logs=\"{data.l}\"",
                "TensorBoard is a separate app: on another agent than that of the task, it does not find the `file:` directory with the logs",
                marathon(data, pinned),
            ),
            rest(
                "TensorBoard logs at a path that is not mounted",
                "TensorBoard reads a directory of its own container, which is empty",
                marathon(logs, ""),
                logs,
                "nothing is mounted there at the path of the logs",
                marathon(
                    "data \"d\" \"file:///mnt/logs\" at=\"/var/logs\"\n tensorboard logs=\"/var/logs\"",
                    "",
                ),
            ),
        ],
    ));
    all
}

#[test]
fn it_runs_where_its_folder_is_and_mounts_nothing_else() {
    let node = "placement { node \"nfs\" \"mounted\" }";
    let storage = "checkpoints \"hdfs://n/ck\"; data \"d\" \"file:///mnt/d\" at=\"/d\"; data \"l\" \"file:///mnt/l\" at=\"/l\"";
    let board = |logs: &str, helper: &str| {
        let job = format!("{storage}\n tensorboard logs=\"{logs}\"\n {helper}");
        apps(&marathon(&job, node)).pop().unwrap_or_default()
    };
    let mount = json!([{"containerPath": "/l", "hostPath": "/mnt/l", "mode": "RO"}]);
    let helper = "helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"1GiB\" }";
    for app in [board("/l/tb", ""), board("{data.l}", helper)] {
        assert_eq!(app["container"]["volumes"], mount, "{app:#}");
        assert_eq!(app["constraints"], json!([["nfs", "CLUSTER", "mounted"]]), "{app:#}");
    }
    let remote = board("{checkpoints}", "");
    assert!(
        remote["container"].get("volumes").is_none() && remote.get("constraints").is_none(),
        "{remote:#}"
    );
}
