//! Documents and command lines of YARN, Submarine, and TonY that users paste in place of a job spec.
use tfjob_lang::target::Pasted;

pub const PASTED: &[Pasted] = &[
    Pasted {
        what: "a YARN service definition",
        keys: &["components", "name"],
        programs: &[],
        fields: &[
            ("number_of_containers", "role \"worker\" count=4"),
            ("launch_command", "run \"python\" \"train.py\""),
            ("resource", "resources cpus=4 memory=\"16GiB\""),
            ("artifact", "image \"ml/mnist:1.0\""),
            ("env", "env { LOG_LEVEL \"info\" }"),
            ("queue", "target \"yarn\" { queue \"ml\" }"),
        ],
    },
    Pasted {
        what: "a Hadoop configuration file, such as TonY's",
        keys: &["configuration", "property"],
        programs: &[],
        fields: &[
            ("tony.worker.instances", "role \"worker\" count=4"),
            ("tony.ps.instances", "role \"ps\" count=2"),
            ("tony.worker.memory", "resources cpus=4 memory=\"16GiB\""),
            ("tony.worker.vcores", "resources cpus=4 memory=\"16GiB\""),
            ("tony.worker.gpus", "resources cpus=4 memory=\"16GiB\" gpus=1"),
            ("tony.worker.command", "run \"python\" \"train.py\""),
            ("tony.yarn.queue", "target \"yarn\" { queue \"ml\" }"),
            ("tony.docker.containers.image", "image \"ml/mnist:1.0\""),
        ],
    },
    Pasted {
        what: "a YARN command line",
        keys: &[],
        programs: &["yarn", "hadoop", "submarine", "tony"],
        fields: &[
            ("--num_workers", "role \"worker\" count=4"),
            ("--num_ps", "role \"ps\" count=2"),
            ("--worker_resources", "resources cpus=4 memory=\"16GiB\" gpus=1"),
            ("--worker_launch_cmd", "run \"python\" \"train.py\""),
            ("--docker_image", "image \"ml/mnist:1.0\""),
            ("--input_path", "data \"train\" \"hdfs://default/train\""),
            ("--checkpoint_path", "checkpoints \"hdfs://default/checkpoints\""),
            ("--queue", "target \"yarn\" { queue \"ml\" }"),
        ],
    },
];
