//! Patches with valid fields that result in a pod that the API server refuses at every attempt.
use super::ENGINE;
use super::specs::{lone, options};
use crate::pitfalls::{Pitfall, rows};

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let pod = |text: &str| format!("template: {{spec: {text}}}");
    let own = |text: &str| format!("template: {{spec: {{containers: [{{name: tensorflow, {text}}}]}}}}");
    let row = |name, does, falls: String, says, neighbour: String| {
        let spec = |text: &str| lone("", &options(&format!("patch \"{text}\"")));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", ENGINE, does, spec(&falls), words, says, spec(&neighbour))
    };
    let refused = "the API server accepts the TFJob, but refuses its pods each time the operator creates them";
    let service = "the operator adds the port to the Service of the pod, and the API server refuses the Service, because each of its ports needs a name";
    rows("bad-patch", vec![
        row("a patched request above its limit", refused,
            own("resources: {requests: {memory: 64Gi}}"), "requests more `memory`", own("resources: {requests: {memory: 512Mi}}")),
        row("a patched limit below the request", refused,
            own("resources: {limits: {cpu: 500m}}"), "requests more `cpu`", own("resources: {limits: {cpu: 1500m}}")),
        row("a patched device request without a limit", refused,
            own("resources: {requests: {a.com/b: '1'}}"), "without a limit", own("resources: {requests: {a.com/b: '1'}, limits: {a.com/b: '1'}}")),
        row("a patched device limit above the request", refused,
            own("resources: {requests: {a.com/b: '1'}, limits: {a.com/b: '2'}}"), "requests less", own("resources: {requests: {a.com/b: '2'}, limits: {a.com/b: '2'}}")),
        row("a patched mount without a volume", refused,
            own("volumeMounts: [{name: v, mountPath: /v}]"), "which does not exist", pod("{volumes: [{name: v, emptyDir: {}}], containers: [{name: tensorflow, volumeMounts: [{name: v, mountPath: /v}]}]}")),
        row("a patched volume without a source", "Kubernetes treats a volume without a source as an empty directory, without a message",
            pod("{volumes: [{name: v}]}"), "has 0 sources", pod("{volumes: [{name: v, emptyDir: {}}]}")),
        row("a patched volume with two sources", refused,
            pod("{volumes: [{name: v, emptyDir: {}, hostPath: {path: /v}}]}"), "has 2 sources", pod("{volumes: [{name: v, hostPath: {path: /v}}]}")),
        row("a patched port without a name", service,
            own("ports: [{containerPort: 7000}]"), "has no name", own("ports: [{name: web, containerPort: 7000}]")),
        row("a patched port with the number of another port", "the API server refuses the TFJob: two ports of a container cannot have the same number and protocol",
            own("ports: [{name: a, containerPort: 7000}, {name: b, containerPort: 7000}]"), "have the number 7000", own("ports: [{name: a, containerPort: 7000}, {name: b, containerPort: 7001}]")),
        row("a patched container without an image", "the webhook of the operator refuses the TFJob",
            pod("{containers: [{name: side}]}"), "has no image", pod("{containers: [{name: side, image: 'ml/side:1'}]}")),
        row("a patched container name in uppercase", refused,
            pod("{containers: [{name: Side, image: 'ml/side:1'}]}"), "must be a DNS label", pod("{containers: [{name: side-1, image: 'ml/side:1'}]}")),
        row("a patched environment variable with value and valueFrom", refused,
            own("env: [{name: A, value: b, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]"), "has both `value` and `valueFrom`", own("env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]")),
        row("a patch that removes the command", "the entrypoint of the image runs without the shim, so the restart limit and the deadline have no effect",
            own("command: null"), "removes `command`, which another entry of the spec sets", own("workingDir: /w")),
        row("a patch that removes the resources", "the pod runs without the GPUs that the job requests",
            own("resources: null"), "removes `resources`, which another entry of the spec sets", own("resources: {limits: {example.com/nic: '1'}, requests: {example.com/nic: '1'}}")),
        row("a patch of the command", "the command of the patch runs in place of the shim and the program of the job",
            own("command: [python, t.py]"), "`command` of `tensorflow`", pod("{containers: [{name: side, image: 'ml/side:1', command: [a]}]}")),
        row("a patch of the arguments", "the patched arguments are appended to those of the shim, so the shim fails at startup",
            own("args: [--verbose]"), "`args` of `tensorflow`", own("env: [{name: VERBOSE, value: '1'}]")),
        row("a patched toleration of a taint key with a space", refused,
            pod("{tolerations: [{key: a b, operator: Exists}]}"), "must be a valid taint key", pod("{tolerations: [{key: a, operator: Exists}]}")),
    ])
}
