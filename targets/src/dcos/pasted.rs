//! Documents and command lines of DC/OS that users paste in place of a job spec.
use tfjob_lang::target::Pasted;

const FIELDS: &[(&str, &str)] = &[
    ("instances", "role \"worker\" count=4"),
    ("cmd", "shell \"exec python train.py\""),
    ("cpus", "resources cpus=4 memory=\"16GiB\""),
    ("mem", "resources cpus=4 memory=\"16GiB\""),
    ("gpus", "resources cpus=4 memory=\"16GiB\" gpus=1"),
    ("image", "image \"ml/mnist:1.0\""),
    ("env", "env { LOG_LEVEL \"info\" }"),
    ("fetch", "files \"venv\" \"https://files.example.com/venv.tar.gz\""),
    ("constraints", "placement { spread \"host\" }"),
];

pub const PASTED: &[Pasted] = &[
    Pasted { what: "a Marathon app definition", keys: &["id", "cmd"], programs: &[], fields: FIELDS },
    Pasted { what: "a Marathon app definition", keys: &["id", "container"], programs: &[], fields: FIELDS },
    Pasted { what: "a Marathon app definition", keys: &["id", "instances"], programs: &[], fields: FIELDS },
    Pasted { what: "a Marathon group definition", keys: &["id", "apps"], programs: &[], fields: FIELDS },
    Pasted {
        what: "the options of the DC/OS package",
        keys: &["service", "worker", "job_url"],
        programs: &[],
        fields: &[
            ("worker", "role \"worker\" count=4"),
            ("gpu_worker", "resources cpus=4 memory=\"16GiB\" gpus=1"),
            ("parameter_server", "role \"ps\" count=2"),
            ("job_url", "code \"https://files.example.com/code.zip\""),
        ],
    },
    Pasted { what: "a DC/OS command line", keys: &[], programs: &["dcos"], fields: &[] },
];
