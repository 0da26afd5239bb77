//! Manifests and command lines of Kubernetes that users paste into a spec by mistake.
use tfjob_lang::target::Pasted;

pub const PASTED: &[Pasted] = &[
    Pasted {
        what: "a Kubernetes manifest",
        keys: &["apiVersion", "kind"],
        programs: &[],
        fields: &[
            ("replicas", "role \"worker\" count=4"),
            ("image", "image \"ml/mnist:1.0\""),
            ("command", "run \"python\" \"train.py\""),
            ("args", "run \"python\" \"train.py\""),
            ("restartPolicy", "restart \"on-failure\""),
            ("resources", "resources cpus=4 memory=\"16GiB\" gpus=1"),
            ("nodeSelector", "placement { node \"disktype\" \"ssd\" }"),
            ("persistentVolumeClaim", "data \"train\" \"pvc://train\" at=\"/data\""),
            ("env", "env { LOG_LEVEL \"info\" }"),
        ],
    },
    Pasted {
        what: "a kubectl command line",
        keys: &[],
        programs: &["kubectl", "helm", "oc", "kustomize"],
        fields: &[("replicas", "role \"worker\" count=4"), ("image", "image \"ml/mnist:1.0\"")],
    },
];
