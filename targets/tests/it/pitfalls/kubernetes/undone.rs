//! Patches that override an entry of the spec: tfjob reports each of them.
use super::TARGET;
use super::specs::{options, step};
use crate::pitfalls::patch_is_told;

/// Entries of the job, the role, and the target, the patch of the role, and the patch of the job.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const UNDONE: [Row; 46] = [
    // Fields that the patch adds, while the entry of the spec sets another field.
    ("start gang=#true", "", "gang \"volcano\"", "template: {spec: {schedulerName: default-scheduler}}", ""),
    ("start gang=#true", "", "gang \"volcano\"", "", "spec: {tfReplicaSpecs: {Worker: {template: {spec: {schedulerName: packing}}}}}"),
    ("start gang=#true", "", "gang \"scheduler-plugins\"", "template: {spec: {schedulerName: default-scheduler}}", ""),
    ("start gang=#true", "", "gang \"volcano\"", "template: {spec: {nodeName: n1}}", ""),
    ("", "placement { spread \"host\"; }", "", "template: {spec: {nodeName: n1}}", ""),
    ("deadline \"1h\"", "", "", "", "spec: {runPolicy: {activeDeadlineSeconds: 10}}"),
    ("restart \"on-failure\"", "", "", "", "spec: {runPolicy: {backoffLimit: 1}}"),
    ("", "GPUS", "", "template: {spec: {containers: [{name: tensorflow, env: [{name: CUDA_VISIBLE_DEVICES, value: ''}]}]}}", ""),
    ("", "GPUS", "", "template: {spec: {containers: [{name: tensorflow, env: [{name: NVIDIA_VISIBLE_DEVICES, value: none}]}]}}", ""),
    ("user 1000", "", "", "template: {spec: {containers: [{name: tensorflow, securityContext: {runAsUser: 5}}]}}", ""),
    ("stop grace=\"60s\"", "", "", "template: {spec: {containers: [{name: tensorflow, lifecycle: {preStop: {sleep: {seconds: 50}}}}]}}", ""),
    ("keep \"failed\"", "", "", "", "spec: {runPolicy: {ttlSecondsAfterFinished: 60}}"),
    ("", "ready tcp=\"rendezvous\"", "", "template: {spec: {containers: [{name: tensorflow, startupProbe: {tcpSocket: {port: 1}}}]}}", ""),
    ("network \"host\"", "", "", "template: {spec: {dnsPolicy: Default}}", ""),
    // Fields that the patch overwrites.
    ("start gang=#true", "", "gang \"volcano\"", "", "spec: {runPolicy: {schedulingPolicy: {minAvailable: 1}}}"),
    ("start gang=#true", "", "gang \"volcano\"; priority \"high\"", "", "spec: {runPolicy: {schedulingPolicy: {priorityClass: low}}}"),
    ("start gang=#true", "", "gang \"volcano\"; volcano-queue \"q\"", "", "spec: {runPolicy: {schedulingPolicy: {queue: other}}}"),
    ("", "", "local-queue \"q\"", "", "metadata: {labels: {kueue.x-k8s.io/queue-name: other}}"),
    ("", "", "priority \"high\"", "template: {spec: {priorityClassName: low}}", ""),
    ("", "", "toleration \"a\"", "template: {spec: {tolerations: []}}", ""),
    ("", "", "fs-group 1000", "template: {spec: {securityContext: {fsGroup: 5}}}", ""),
    ("", "", "service-account \"a\"", "template: {spec: {serviceAccountName: b}}", ""),
    ("", "", "annotations { \"a/b\" \"c\"; }", "template: {metadata: {annotations: {a/b: d}}}", ""),
    ("", "placement { spread \"host\"; }", "", "template: {spec: {affinity: null}}", ""),
    ("", "placement { spread \"host\"; }", "", "template: {spec: {affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: []}}}}", ""),
    ("", "placement { node \"a\" \"b\"; }", "", "template: {spec: {nodeSelector: {a: c}}}", ""),
    ("", "MODEL", "gpu-model-label \"x/y\"", "template: {spec: {nodeSelector: {x/y: z}}}", ""),
    ("deadline \"1h\"", "", "", "template: {spec: {activeDeadlineSeconds: 10}}", ""),
    ("restart \"on-failure\"\ndeadline \"1h\"", "", "", "", "spec: {runPolicy: {activeDeadlineSeconds: 10}}"),
    ("restart \"on-failure\"", "", "", "restartPolicy: Never", ""),
    ("success \"workers\"", "", "", "", "spec: {successPolicy: ''}"),
    ("keep \"failed\"", "", "", "", "spec: {runPolicy: {cleanPodPolicy: All}}"),
    ("network \"host\"", "", "", "template: {spec: {hostNetwork: false}}", ""),
    ("user 1000", "", "", "template: {spec: {securityContext: {runAsUser: 5}}}", ""),
    ("stop grace=\"60s\"", "", "", "template: {spec: {terminationGracePeriodSeconds: 1}}", ""),
    ("image \"ml/a:1\" pull-secret=\"s\"", "", "", "template: {spec: {imagePullSecrets: []}}", ""),
    ("image \"ml/a:1\" pull=\"always\"", "", "", "template: {spec: {containers: [{name: tensorflow, imagePullPolicy: Never}]}}", ""),
    ("", "", "", "template: {spec: {containers: [{name: tensorflow, image: 'ml/b:1'}]}}", ""),
    ("", "GPUS", "", "template: {spec: {containers: [{name: tensorflow, resources: {limits: {nvidia.com/gpu: '2'}, requests: {nvidia.com/gpu: '2'}}}]}}", ""),
    ("secret \"A\" from=\"s\" key=\"k\"", "", "", "template: {spec: {containers: [{name: tensorflow, env: [{name: A, valueFrom: null, value: b}]}]}}", ""),
    ("data \"d\" \"pvc://c\" at=\"/d\"", "", "", "template: {spec: {volumes: [{name: data-d, persistentVolumeClaim: {claimName: e}}]}}", ""),
    ("checkpoints \"pvc://c\" at=\"/d\"", "", "", "template: {spec: {containers: [{name: tensorflow, volumeMounts: [{name: checkpoints, mountPath: /d, readOnly: true}]}]}}", ""),
    ("", "port \"web\" 8080", "", "template: {spec: {containers: [{name: tensorflow, ports: [{name: web, containerPort: 8081}]}]}}", ""),
    ("", "ready tcp=\"rendezvous\"", "", "template: {spec: {containers: [{name: tensorflow, readinessProbe: {tcpSocket: {port: 1}}}]}}", ""),
    ("", "env { A \"b\"; }", "", "template: {spec: {containers: [{name: tensorflow, env: [{name: A, value: c}]}]}}", ""),
    ("", "workdir \"/w\"", "", "template: {spec: {containers: [{name: tensorflow, workingDir: /x}]}}", ""),
];

/// Parts of the expected messages for some rows.
pub fn arms() -> Vec<(&'static str, String)> {
    [
        (2, "unless this scheduler has the coscheduling plugin, it schedules each pod on its own"),
        (3, "which bypasses the scheduler, so `start gang` has no effect"),
        (5, "which stops the job before `deadline`"),
        (6, "the operator fails the job after"),
        (7, "which hides the GPUs of `gpus`"),
    ]
    .map(|(row, says)| (says, written(UNDONE[row])))
    .to_vec()
}

fn written((job, role, block, own, whole): Row) -> String {
    let gpus = "resources cpus=1 memory=\"1GiB\" gpus=1";
    let role = role.replace("GPUS", gpus).replace("MODEL", &format!("{gpus} gpu-model=\"a\""));
    let patch = |text: &str| if text.is_empty() { String::new() } else { format!("patch \"{text}\"") };
    let role = format!("{role}\n{}", options(&patch(own)));
    let mut text = step(&format!("{job}\n{}", options(&format!("{block}\n{}", patch(whole)))), &role);
    if job.starts_with("image") {
        text = text.replacen("image \"ml/a:1\"\n", "", 1);
    }
    if role.contains("resources") {
        text = text.replacen("resources cpus=1 memory=\"1GiB\"\n", "", 1);
    }
    text
}

#[test]
fn no_patch_undoes_a_line_of_the_spec_in_silence() {
    let silent: Vec<_> = UNDONE.into_iter().filter(|row| !patch_is_told(TARGET, &written(*row))).collect();
    assert!(silent.is_empty(), "{silent:#?}");
}

/// The same patches in jobs without the overridden entry, and patches that override nothing.
#[test]
fn a_patch_that_undoes_nothing_is_not_told() {
    #[rustfmt::skip]
    let rows: [Row; 8] = [
        ("", "", "gang \"volcano\"", "template: {spec: {schedulerName: default-scheduler}}", ""),
        ("start gang=#true", "", "gang \"volcano\"", "template: {spec: {schedulerName: volcano}}", ""),
        ("", "", "", "template: {spec: {nodeName: n1}}", ""),
        ("", "", "", "", "spec: {runPolicy: {activeDeadlineSeconds: 10}}"),
        ("deadline \"1h\"", "", "", "", "spec: {runPolicy: {activeDeadlineSeconds: 7200}}"),
        ("", "", "", "", "spec: {runPolicy: {backoffLimit: 1}}"),
        ("", "GPUS", "", "template: {spec: {containers: [{name: tensorflow, env: [{name: CUDA_VISIBLE_DEVICES, value: '0'}]}]}}", ""),
        ("", "GPUS", "", "template: {spec: {containers: [{name: tensorflow, env: [{name: CUDA_DEVICE_ORDER, value: ''}]}]}}", ""),
    ];
    let told: Vec<_> = rows.into_iter().filter(|row| patch_is_told(TARGET, &written(*row))).collect();
    assert!(told.is_empty(), "{told:#?}");
}
