// Made from the spec's types and the targets' options: `.ci/update`.
static JOB_FRAMEWORK: Object = Object {
    doc: "The training framework of the program.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "tensorflow", doc: "TensorFlow, with the rendezvous variable `TF_CONFIG`." },
                Choice { word: "pytorch", doc: "PyTorch, with rendezvous variables such as `MASTER_ADDR` and `RANK`." },
                Choice { word: "mxnet", doc: "MXNet, with rendezvous variables such as `DMLC_ROLE`." },
                Choice { word: "xgboost", doc: "XGBoost, with the variables of the Rabit tracker." },
                Choice { word: "horovod", doc: "Horovod, with Gloo." },
                Choice { word: "caffe", doc: "Caffe, without rendezvous variables." },
                Choice { word: "custom", doc: "Any other program, without rendezvous variables." },
            ]),
            doc: "Framework name.",
        },
        Field {
            name: "version", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "Framework version, such as `2.15`. If unset, version-specific rules assume the oldest supported version.",
        },
        Field {
            name: "strategy", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "single", doc: "One process on one device." },
                Choice { word: "mirrored", doc: "One process that uses all GPUs of its task." },
                Choice { word: "multi-worker-mirrored", doc: "Synchronous training on several workers: `MultiWorkerMirroredStrategy`." },
                Choice { word: "parameter-server", doc: "A chief, workers and parameter servers: `ParameterServerStrategy`." },
                Choice { word: "estimator", doc: "`tf.estimator`, up to TensorFlow 2.15." },
                Choice { word: "custom", doc: "Any other strategy: every `TF_CONFIG` contains every role." },
            ]),
            doc: "Distribution strategy, only for TensorFlow. Required if a TensorFlow job has more than one task.",
        },
    ],
};
static JOB_CODE: Object = Object {
    doc: "The program code. It is copied into every task.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI of an archive or a directory, or a path relative to the directory of the spec. A path with an extension, such as `./train.py`, is a file; a path without an extension, or with `/` at its end, is a directory. A `git+https:` URI needs `ref`. Downloads from `https:` and git use no password or token. So build private code into the image, or upload it as an archive to storage that the tasks can read, such as `hdfs:`.",
        },
        Field {
            name: "ref", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::GitRef),
            doc: "Tag or commit of a `git+https:` URI. A branch is accepted too, but each run may then download different code.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Directory for the code in each task. If unset, the target chooses one.",
        },
    ],
};
static JOB_FILES: Object = Object {
    doc: "A file or archive copied into every task before the task starts. Archives are unpacked: `.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`. All other files are copied unchanged.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI of the file or archive.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of the file, or of the unpacked archive, in each task. If unset, the target chooses one.",
        },
    ],
};
static JOB_DATA: Object = Object {
    doc: "Training data of the job.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI of the data.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path at which the data is mounted in each task. It is an error if the target cannot mount the URI. Without `at`, nothing is mounted: `{data.NAME}` expands to the URI, or for a `file:` URI to its path.",
        },
        Field {
            name: "writable", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Flag(false)),
            shape: Shape::Flag,
            doc: "Whether the program writes to the data.",
        },
    ],
};
static JOB_CHECKPOINTS: Object = Object {
    doc: "Checkpoint directory. All tasks that write checkpoints share it.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI of the directory.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path at which the checkpoint directory is mounted in each task. Without `at`, nothing is mounted: `{checkpoints}` expands to the URI, or for a `file:` URI to its path. A feature such as `no-progress-limit` needs `at`, because `tfjob-shim` reads the checkpoints for it.",
        },
        Field {
            name: "every", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Interval at which the program writes checkpoints. This field does not configure the program: tfjob only checks that the interval is shorter than `deadline`.",
        },
        Field {
            name: "if-exists", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Text("resume")),
            shape: Shape::Words(&[
                Choice { word: "resume", doc: "The job starts, and the program resumes from the checkpoints in the directory." },
                Choice { word: "fail", doc: "The job fails before the program starts." },
            ]),
            doc: "Behavior if the directory already contains files when the job starts.",
        },
    ],
};
static JOB_HADOOP: Object = Object {
    doc: "Hadoop installation in the image.",
    open: false,
    fields: &[
        Field {
            name: "home", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Hadoop directory in the image. It must have the layout of the Apache release: jars in `share/hadoop`, `libhdfs.so` in `lib/native`, configuration in `etc/hadoop`. CDH parcels and HDP stacks have another layout. For these, unpack the Apache release of the same version, and set `conf` to the configuration of the cluster.",
        },
        Field {
            name: "java", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Java directory in the image: a JDK, or the `jre` directory of a JDK.",
        },
        Field {
            name: "conf", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Directory of `core-site.xml` and `hdfs-site.xml`. Default: the variable `HADOOP_CONF_DIR` if the image or the node sets it, otherwise the directory `etc/hadoop` in `home`.",
        },
    ],
};
static JOB_PARAM: Object = Object {
    doc: "A parameter of the job.",
    open: false,
    fields: &[
        Field {
            name: "value", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Scalar,
            doc: "Default value. A value from `--set` must have the same type: string, number, or boolean.",
        },
    ],
};
static JOB_START: Object = Object {
    doc: "How the tasks start.",
    open: false,
    fields: &[
        Field {
            name: "timeout", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Maximum time that a task waits until all its peers are reachable. If unset, only the timeouts of the platform and of the program apply.",
        },
        Field {
            name: "gang", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Flag(false)),
            shape: Shape::Flag,
            doc: "Gang scheduling: either all tasks start, or none. For a role with `min`, `min` tasks are sufficient.",
        },
    ],
};
static JOB_STOP: Object = Object {
    doc: "How the tasks are stopped.",
    open: false,
    fields: &[
        Field {
            name: "grace", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Time between SIGTERM and SIGKILL.",
        },
    ],
};
static JOB_KEEP: Object = Object {
    doc: "Which containers are kept after job completion, and for how long.",
    open: false,
    fields: &[
        Field {
            name: "what", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "failed", doc: "Keeps the containers of failed tasks." },
                Choice { word: "all", doc: "Keeps all containers." },
                Choice { word: "none", doc: "Keeps no containers." },
            ]),
            doc: "Which containers to keep.",
        },
        Field {
            name: "for", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "How long the containers are kept. Default: the retention time of the platform.",
        },
    ],
};
static JOB_TENSORBOARD_RESOURCES: Object = Object {
    doc: "Resources of TensorBoard. Each amount is both the request and the limit.",
    open: false,
    fields: &[
        Field {
            name: "cpus", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Number(Number::Real { min: Some(0.1), max: Some(10000.0), cores: true }),
            doc: "CPU cores, in increments of 0.1.",
        },
        Field {
            name: "memory", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Memory, such as `2GiB`.",
        },
    ],
};
static JOB_TENSORBOARD: Object = Object {
    doc: "A TensorBoard instance of the job.",
    open: false,
    fields: &[
        Field {
            name: "logs", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Text("{checkpoints}")),
            shape: Shape::Text(Grammar::Text),
            doc: "Directory of the event files that TensorBoard shows.",
        },
        Field {
            name: "port", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Whole(6006)),
            shape: Shape::Number(Number::Whole { min: 1, max: 65535 }),
            doc: "Port of the web server.",
        },
        Field {
            name: "image", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Container image. Default: the image of the job.",
        },
        Field {
            name: "secrets", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Text(Grammar::EnvName) }),
            doc: "Secrets that TensorBoard gets: the environment variables of their `secret` entries. TensorBoard gets no other secrets. If roles set different secrets for the same variable, TensorBoard gets that of the first role in the spec.",
        },
        Field {
            name: "resources", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TENSORBOARD_RESOURCES),
            doc: "Resources. Default: 1 core and 4 GiB of memory.",
        },
    ],
};
static JOB_KERBEROS: Object = Object {
    doc: "Kerberos identity of the job.",
    open: false,
    fields: &[
        Field {
            name: "principal", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kerberos principal: `name/host@REALM` or `name@REALM`.",
        },
        Field {
            name: "keytab", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Keytab file: a URI, or `secret:NAME` for the entry `secret \"NAME\"` of this job, which must have `at`.",
        },
    ],
};
static JOB_ALLOW: Object = Object {
    doc: "Accepts that a target does not support a feature.",
    open: false,
    fields: &[
        Field {
            name: "feature", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Name of the feature as in the error, such as `gang`.",
        },
        Field {
            name: "on", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Target to which the exception applies. Default: all targets.",
        },
        Field {
            name: "because", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Reason why the job can run without the feature.",
        },
    ],
};
static JOB_ROLE_IMAGE: Object = Object {
    doc: "Container image.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Image reference: `registry/repository:tag@digest`.",
        },
        Field {
            name: "pull", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "missing", doc: "Pulls the image if it is not on the node." },
                Choice { word: "always", doc: "Pulls the image at each container start." },
                Choice { word: "never", doc: "Never pulls the image. The image must be on the node." },
            ]),
            doc: "When to pull the image. Default: the pull policy of the platform.",
        },
        Field {
            name: "pull-secret", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Name of the platform's secret that contains the credentials of the registry.",
        },
    ],
};
static JOB_ROLE_SECRET: Object = Object {
    doc: "An environment variable that gets its value from a secret of the platform. The value is never part of the spec.",
    open: false,
    fields: &[
        Field {
            name: "from", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Name of the secret on the platform.",
        },
        Field {
            name: "key", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Key of the value within the secret.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path at which the value is available as a file in each task. The variable then contains this path instead of the value.",
        },
    ],
};
static JOB_ROLE_RESOURCES_DEVICE: Object = Object {
    doc: "A number of devices other than GPUs.",
    open: false,
    fields: &[
        Field {
            name: "count", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Number of devices.",
        },
    ],
};
static JOB_ROLE_RESOURCES: Object = Object {
    doc: "Resources per task. Each amount is both the request and the limit.",
    open: false,
    fields: &[
        Field {
            name: "cpus", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Number(Number::Real { min: Some(0.1), max: Some(10000.0), cores: true }),
            doc: "CPU cores, in increments of 0.1.",
        },
        Field {
            name: "memory", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Memory, such as `16GiB`.",
        },
        Field {
            name: "gpus", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 1024 }),
            doc: "Number of GPUs. Default: 0. A task with 0 GPUs cannot see the GPUs of its node.",
        },
        Field {
            name: "gpu-model", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "GPU model, such as `a100`.",
        },
        Field {
            name: "gpu-memory", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Minimum memory of each GPU, as its driver reports it: an A100 with 40 GB reports 40536 MiB, which is less than `40GiB`.",
        },
        Field {
            name: "disk", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Local disk space for temporary files.",
        },
        Field {
            name: "shared-memory", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Size of `/dev/shm`. Data loaders with several processes use this shared memory.",
        },
        Field {
            name: "device", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_ROLE_RESOURCES_DEVICE) }),
            doc: "Device other than a GPU, such as `rdma/hca`. Its name is the name of the resource on the platform.",
        },
    ],
};
static JOB_ROLE_PORT: Object = Object {
    doc: "A named port of each task.",
    open: false,
    fields: &[
        Field {
            name: "number", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::NumberOr(Number::Whole { min: 1, max: 65535 }, &Shape::Words(&[
                Choice { word: "auto", doc: "" },
            ])),
            doc: "Port number, or `auto`: a free port is chosen when the task starts.",
        },
        Field {
            name: "link", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Text of a link to this port in the web UI of the platform.",
        },
    ],
};
static JOB_ROLE_RESTART: Object = Object {
    doc: "Restart policy: whether a task is restarted after a failure, or after every exit.",
    open: false,
    fields: &[
        Field {
            name: "policy", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "never", doc: "The task is never restarted." },
                Choice { word: "on-failure", doc: "The task is restarted if it exits with a code other than 0, or if its node is lost." },
                Choice { word: "always", doc: "The task is restarted after every exit." },
            ]),
            doc: "Whether a task is restarted: never, after each failure, or after every exit.",
        },
        Field {
            name: "limit", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Maximum number of restarts. Default: unlimited.",
        },
        Field {
            name: "within", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Time window in which restarts count toward `limit`. Older restarts do not count. Default: the whole job.",
        },
        Field {
            name: "backoff", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Delay before the first restart. The delay doubles with each further restart. Each delay is randomly shortened by up to a quarter (jitter), so that tasks that failed at the same time do not restart at the same time.",
        },
        Field {
            name: "max-backoff", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Maximum delay before a restart. The default depends on the target, and is at most 1h. If `backoff` is longer than this default, `backoff` is also the maximum.",
        },
        Field {
            name: "min-uptime", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Minimum uptime. A task that fails sooner is not restarted, because it would probably fail again.",
        },
        Field {
            name: "no-progress-limit", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Maximum number of consecutive restarts without a newer checkpoint. After that, the job fails.",
        },
        Field {
            name: "scope", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "task", doc: "Only the failed task is restarted." },
                Choice { word: "job", doc: "All tasks of the job are restarted." },
            ]),
            doc: "What is restarted after a failure: only the failed task (`task`), or all tasks of the job (`job`). With `task`, `limit` counts the restarts of each task separately; with `job`, the restarts of the whole job. Default: `job` if the failure of one task makes all its peers fail (`multi-worker-mirrored`, PyTorch, Horovod, XGBoost), otherwise `task`.",
        },
        Field {
            name: "codes", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Number(Number::Whole { min: 1, max: 255 }) }),
            doc: "Exit codes that cause a restart. Default: all exit codes to which the restart policy applies.",
        },
    ],
};
static JOB_ROLE_AFTER: Object = Object {
    doc: "Start order relative to another role.",
    open: false,
    fields: &[
        Field {
            name: "when", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Text("ready")),
            shape: Shape::Words(&[
                Choice { word: "started", doc: "All tasks of the role have started." },
                Choice { word: "ready", doc: "All tasks of the role are ready." },
                Choice { word: "done", doc: "All tasks of the role have succeeded." },
            ]),
            doc: "State that all tasks of the other role must have reached.",
        },
    ],
};
static JOB_ROLE_READY: Object = Object {
    doc: "Readiness probe: exactly one of `tcp`, `http`, and `file`.",
    open: false,
    fields: &[
        Field {
            name: "tcp", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PortName),
            doc: "Name of a port. The task is ready when the port accepts connections.",
        },
        Field {
            name: "http", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PortPath),
            doc: "Name of a port and a path, such as `web/health`. The task is ready when an HTTP GET returns a status of 200 to 299.",
        },
        Field {
            name: "file", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of a file. The task is ready when the file exists.",
        },
    ],
};
static JOB_ROLE_PLACEMENT_NODE: Object = Object {
    doc: "Name and value of a node label or attribute.",
    open: false,
    fields: &[
        Field {
            name: "value", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Value of the label or attribute. The value of a node label may be empty.",
        },
    ],
};
static JOB_ROLE_PLACEMENT: Object = Object {
    doc: "Placement constraints of the tasks. All of them must be met.",
    open: false,
    fields: &[
        Field {
            name: "node", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_ROLE_PLACEMENT_NODE) }),
            doc: "Label or attribute that a node must have to run the tasks, with the required value.",
        },
        Field {
            name: "partition", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Partition of the cluster in which the tasks run: a named group of nodes.",
        },
        Field {
            name: "spread", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "host", doc: "At most one task of the role per host." },
                Choice { word: "rack", doc: "At most one task of the role per rack." },
            ]),
            doc: "How far the tasks of a role are separated: on different hosts, or on different racks.",
        },
    ],
};
static JOB_ROLE_TARGET_YARN: Object = Object {
    doc: "Options of a role on YARN.",
    open: false,
    fields: &[
        Field {
            name: "patch", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "JSON or YAML that is merged into the component of the role (RFC 7386).",
        },
    ],
};
static JOB_ROLE_TARGET_KUBERNETES_TOLERATION: Object = Object {
    doc: "Toleration: a node taint that the pods tolerate.",
    open: false,
    fields: &[
        Field {
            name: "key", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Key of the taint.",
        },
        Field {
            name: "value", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Value of the taint. If unset, any value matches.",
        },
        Field {
            name: "effect", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "NoSchedule", doc: "New pods are not scheduled on the node." },
                Choice { word: "PreferNoSchedule", doc: "The scheduler avoids the node." },
                Choice { word: "NoExecute", doc: "Running pods are evicted." },
            ]),
            doc: "Effect of the taint. If unset, all effects match.",
        },
        Field {
            name: "seconds", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 4294967295 }),
            doc: "`tolerationSeconds`, for the effect `NoExecute`: how many seconds a pod stays on a node after the node gets the taint. If unset, the pod is not evicted.",
        },
    ],
};
static JOB_ROLE_TARGET_KUBERNETES: Object = Object {
    doc: "Options of a role on Kubernetes. Default: the options of the job. Annotations and tolerations of the job and of the role are combined.",
    open: false,
    fields: &[
        Field {
            name: "priority", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "`priorityClassName` of the pods.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "`serviceAccountName` of the pods.",
        },
        Field {
            name: "annotations", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Annotations of the pods.",
        },
        Field {
            name: "toleration", place: Place::List, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Object(&JOB_ROLE_TARGET_KUBERNETES_TOLERATION) }),
            doc: "Toleration: a node taint that the pods tolerate.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON that is merged into the replica spec of the role.",
        },
    ],
};
static JOB_ROLE_TARGET_DCOS: Object = Object {
    doc: "Options of a role on DC/OS.",
    open: false,
    fields: &[
        Field {
            name: "disk-type", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "ROOT", doc: "Part of the root disk of the agent." },
                Choice { word: "MOUNT", doc: "Dedicated disk, prepared by the cluster administrator." },
            ]),
            doc: "Disk type of the tasks: `ROOT` (part of the root disk of the agent) or `MOUNT` (a dedicated disk). Only with `as \"package\"`.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON that is merged into each app of the role, or into the section of the role in the options of the package.",
        },
    ],
};
static JOB_ROLE_TARGET_SPARK: Object = Object {
    doc: "Options of a role on Spark: none, because all executors of a job are identical.",
    open: false,
    fields: &[
    ],
};
static JOB_ROLE_TARGET_LOCAL: Object = Object {
    doc: "Options of a role on the local target: none.",
    open: false,
    fields: &[
    ],
};
static JOB_ROLE_TARGET: Object = Object {
    doc: "Options of one target. They apply only if the job is compiled for this target.",
    open: false,
    fields: &[
        Field {
            name: "yarn", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_YARN),
            doc: "Options of a role on YARN.",
        },
        Field {
            name: "kubernetes", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_KUBERNETES),
            doc: "Options of a role on Kubernetes. Default: the options of the job. Annotations and tolerations of the job and of the role are combined.",
        },
        Field {
            name: "dcos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_DCOS),
            doc: "Options of a role on DC/OS.",
        },
        Field {
            name: "spark", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_SPARK),
            doc: "Options of a role on Spark: none, because all executors of a job are identical.",
        },
        Field {
            name: "local", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_LOCAL),
            doc: "Options of a role on the local target: none.",
        },
    ],
};
static JOB_ROLE: Object = Object {
    doc: "A group of identical tasks.",
    open: false,
    fields: &[
        Field {
            name: "count", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Whole(1)),
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Number of tasks.",
        },
        Field {
            name: "min", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Minimum number of tasks. The job may start, and continue, with fewer tasks than `count`, but not with fewer than `min`.",
        },
        Field {
            name: "image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_IMAGE),
            doc: "Container image.",
        },
        Field {
            name: "run", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 1, item: Shape::Text(Grammar::Text) }),
            doc: "Program and its arguments, run without a shell. The task finishes when the program exits. Child processes that are still running at that time receive SIGTERM.",
        },
        Field {
            name: "shell", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Script that `/bin/sh -ec` runs. References such as `{index}` are not expanded in the script; use environment variables such as `$TFJOB_INDEX`.",
        },
        Field {
            name: "workdir", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Working directory: a path or a reference such as `{code}`. Default: `{code}` if the job has code, otherwise the working directory of the image. Platforms that ignore the working directory of the image use an empty directory.",
        },
        Field {
            name: "env", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Text(Grammar::Text) }),
            doc: "Environment variables of the tasks.",
        },
        Field {
            name: "secret", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Object(&JOB_ROLE_SECRET) }),
            doc: "Environment variable that gets its value from a secret of the platform.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::NumberOr(Number::Whole { min: 0, max: 4294967295 }, &Shape::Text(Grammar::UserName)),
            doc: "User that the program runs as: a user name or a UID.",
        },
        Field {
            name: "resources", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESOURCES),
            doc: "Resources per task. Each amount is both the request and the limit.",
        },
        Field {
            name: "port", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_PORT) }),
            doc: "Named port of each task. Tasks connect to each other at the port `rendezvous`. Default of this port: 2222.",
        },
        Field {
            name: "restart", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESTART),
            doc: "Restart policy: whether a task is restarted after a failure, or after every exit. Default: `\"never\"`.",
        },
        Field {
            name: "after", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_AFTER) }),
            doc: "Start order: names a role that must be ready, started, or done before the tasks start.",
        },
        Field {
            name: "ready", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_READY),
            doc: "Readiness probe: how to detect that a task is ready. By default, a role with `after` starts when all tasks of the other role are ready.",
        },
        Field {
            name: "placement", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_PLACEMENT),
            doc: "Placement constraints of the tasks. All of them must be met.",
        },
        Field {
            name: "target", place: Place::Targets, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET),
            doc: "Options of one target. They apply only if the job is compiled for this target.",
        },
    ],
};
static JOB_TARGET_YARN_SHIM: Object = Object {
    doc: "Source of `tfjob-shim`, the supervisor of tasks: a `url` on the default file system. If unset, a setup step uploads the `tfjob-shim` that is installed with tfjob.",
    open: false,
    fields: &[
        Field {
            name: "path", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of `tfjob-shim`: in the image of every task for target `kubernetes`, on the submitting host for target `spark`. The other targets do not support `path`.",
        },
        Field {
            name: "url", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI from which the platform downloads `tfjob-shim`.",
        },
        Field {
            name: "image", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Image that contains `tfjob-shim`. Each release of tfjob contains this image as a file; push it to your registry. Before a task starts, an init container with this image copies `tfjob-shim` into the pod. Only for target `kubernetes`.",
        },
    ],
};
static JOB_TARGET_YARN: Object = Object {
    doc: "Options of the YARN target. If an option is unset, checks assume the most restrictive cluster.",
    open: false,
    fields: &[
        Field {
            name: "hadoop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "Hadoop version of the cluster, such as `3.3.6` or `3.3`. Default: `3.1.2`, the oldest supported version.",
        },
        Field {
            name: "queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Queue of the job. Default: the default queue of the cluster.",
        },
        Field {
            name: "dns-domain", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "DNS domain of the YARN registry (`hadoop.registry.dns.domain-name`). The host names of all tasks end with it.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Name of the user who submits the job. It is a part of the host names of the tasks, so write it as in DNS: lower case, with `-` instead of `_`. If set, the output works only for this user. If unset, YARN inserts the name of the submitting user.",
        },
        Field {
            name: "default-fs", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Default file system of the cluster (`fs.defaultFS`), such as `hdfs://nn1`. The setup steps do not upload files that are already on it.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_YARN_SHIM),
            doc: "Source of `tfjob-shim`, the supervisor of tasks: a `url` on the default file system. If unset, a setup step uploads the `tfjob-shim` that is installed with tfjob.",
        },
        Field {
            name: "docker-config", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Docker `config.json` on the default file system, with the registry credentials for all images of the job.",
        },
        Field {
            name: "mounted", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Path) }),
            doc: "Mount points of shared file systems on each node: `mounted { \"nfs://filer/export\" \"/mnt/filer\" }`.",
        },
        Field {
            name: "placement-constraints", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether the cluster supports placement constraints: `yarn.resourcemanager.placement-constraints.handler` is `scheduler` or `placement-processor`. Default: `#false`.",
        },
        Field {
            name: "gpu-attribute", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Node attribute with the GPU model, such as `nm.yarn.io/gpu-model`.",
        },
        Field {
            name: "resource-manager", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Web address of the ResourceManager, such as `http://rm:8088`. Jobs with placement constraints are submitted to it over HTTP.",
        },
        Field {
            name: "kill-delay", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Time between SIGTERM and SIGKILL that the cluster has configured (`yarn.nodemanager.sleep-delay-before-sigkill.ms`). This option does not configure the cluster: tfjob only checks that `stop grace` is not longer. Default: 250 ms.",
        },
        Field {
            name: "keep-delay", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Time that a node keeps the files of finished containers, as configured in the cluster (`yarn.nodemanager.delete.debug-delay-sec`). This option does not configure the cluster: tfjob only checks that `for` of `keep` is not longer. Default: 0 s (files are deleted immediately). Docker containers are kept for the same time only if `yarn.nodemanager.runtime.linux.docker.delayed-removal.allowed` is `true`.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: false, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "JSON or YAML that is merged into the service (RFC 7386).",
        },
    ],
};
static JOB_TARGET_KUBERNETES_CSI: Object = Object {
    doc: "A CSI driver that creates an ephemeral volume per pod (`volumeLifecycleModes: Ephemeral`).",
    open: false,
    fields: &[
        Field {
            name: "driver", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Name of the driver. `gcsfuse.csi.storage.gke.io` also needs `annotations { \"gke-gcsfuse/volumes\" \"true\"; }` in the `target` block.",
        },
        Field {
            name: "attributes", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "`volumeAttributes` of the driver, such as `bucketName \"{host}\"`. `{host}` and `{path}` expand to the host and the path of the URI. If no attribute contains `{path}`, each task mounts only the path of the URI (`subPath`), not the whole volume.",
        },
    ],
};
static JOB_TARGET_KUBERNETES_SHIM: Object = Object {
    doc: "Source of `tfjob-shim`, the supervisor of tasks: a `path` in the image of every task, or an `image` that contains `tfjob-shim`. If unset, pods mount `tfjob-shim` from a ConfigMap.",
    open: false,
    fields: &[
        Field {
            name: "path", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of `tfjob-shim`: in the image of every task for target `kubernetes`, on the submitting host for target `spark`. The other targets do not support `path`.",
        },
        Field {
            name: "url", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI from which the platform downloads `tfjob-shim`.",
        },
        Field {
            name: "image", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Image that contains `tfjob-shim`. Each release of tfjob contains this image as a file; push it to your registry. Before a task starts, an init container with this image copies `tfjob-shim` into the pod. Only for target `kubernetes`.",
        },
    ],
};
static JOB_TARGET_KUBERNETES_ARGOCD: Object = Object {
    doc: "Prepares the job for Argo CD: a synchronization does not start a finished job again, and a changed job replaces the old one. The name of the TFJob then ends with a digest of the spec without `description`, `allow`, and `tensorboard`. The application must prune (`automated: { prune: true }`).",
    open: false,
    fields: &[
        Field {
            name: "wave", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: -32768, max: 32767 }),
            doc: "Sync wave of the TFJob. Its ConfigMap is in the wave before. Default: 0.",
        },
        Field {
            name: "hook", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "PreSync", doc: "Before the other objects of the application." },
                Choice { word: "Sync", doc: "Together with the other objects." },
                Choice { word: "PostSync", doc: "After the other objects are healthy." },
                Choice { word: "SyncFail", doc: "If the synchronization fails." },
            ]),
            doc: "Runs the job as a hook, again at every synchronization of the application. The name of the TFJob then has no digest.",
        },
    ],
};
static JOB_TARGET_KUBERNETES: Object = Object {
    doc: "Options of the Kubernetes target.",
    open: false,
    fields: &[
        Field {
            name: "namespace", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Namespace of the job. It is part of the DNS name of each pod. Default: `default`.",
        },
        Field {
            name: "local-queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kueue `LocalQueue` in the namespace. The configuration of Kueue must contain `kubeflow.org/tfjob` in `integrations.frameworks`, so that Kueue manages TFJobs. Since Kueue 0.19, this entry is absent by default.",
        },
        Field {
            name: "volcano-queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Queue of Volcano. Requires `gang \"volcano\"`.",
        },
        Field {
            name: "gang", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "volcano", doc: "Volcano." },
                Choice { word: "scheduler-plugins", doc: "Coscheduling plugin of scheduler-plugins." },
            ]),
            doc: "Gang scheduler that the training operator uses (its flag `--gang-scheduler-name`).",
        },
        Field {
            name: "priority", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "`priorityClassName` of the pods, including the TensorBoard pod.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "`serviceAccountName` of the pods. The TensorBoard pod has the account of the first role, but no token for the Kubernetes API. The pod can still read cloud storage that is bound to this account (workload identity).",
        },
        Field {
            name: "annotations", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Annotations of the job, its pods, and the TensorBoard pod.",
        },
        Field {
            name: "toleration", place: Place::List, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Object(&JOB_ROLE_TARGET_KUBERNETES_TOLERATION) }),
            doc: "Toleration: a node taint that the pods, including the TensorBoard pod, tolerate.",
        },
        Field {
            name: "gpu-resource", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Extended resource that counts GPUs. Default: `nvidia.com/gpu`.",
        },
        Field {
            name: "gpu-model-label", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Node label with the GPU model, such as `nvidia.com/gpu.product`.",
        },
        Field {
            name: "gpu-models", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Value of the GPU model label for each model name in the job: `a100 \"NVIDIA-A100-SXM4-80GB\"`. If a model is not listed, its name is used as the value of the label.",
        },
        Field {
            name: "gpu-memory-label", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Node label with the GPU memory in MiB, such as `nvidia.com/gpu.memory`. Its value is a few percent below the size in the product name: an A100 with 40 GB has the value 40536.",
        },
        Field {
            name: "rack-label", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Node label with the name of the rack. Required for `spread \"rack\"`.",
        },
        Field {
            name: "csi", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_TARGET_KUBERNETES_CSI) }),
            doc: "CSI driver that mounts the URIs of one scheme as inline volumes. Schemes: `hdfs`, `viewfs`, `s3`, `s3a`, `gs`, `abfs`.",
        },
        Field {
            name: "fs-group", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 4294967295 }),
            doc: "`fsGroup` of the pods: the ID of the group that owns the volumes. Some volume drivers ignore `fsGroup`.",
        },
        Field {
            name: "restricted", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether the namespace enforces the `restricted` Pod Security Standard. If the cluster file sets `#true`, a job cannot set `#false`. Default: `#false`.",
        },
        Field {
            name: "stage-image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Image of the init container that downloads `code` and `files`. Default: the image of the role. Downloads from `hdfs:` and `viewfs:` always use the image of the role, which contains the Hadoop client.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_KUBERNETES_SHIM),
            doc: "Source of `tfjob-shim`, the supervisor of tasks: a `path` in the image of every task, or an `image` that contains `tfjob-shim`. If unset, pods mount `tfjob-shim` from a ConfigMap.",
        },
        Field {
            name: "argocd", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_KUBERNETES_ARGOCD),
            doc: "Prepares the job for Argo CD: a synchronization does not start a finished job again, and a changed job replaces the old one. The name of the TFJob then ends with a digest of the spec without `description`, `allow`, and `tensorboard`. The application must prune (`automated: { prune: true }`).",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: false, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON that is merged into the TFJob.",
        },
    ],
};
static JOB_TARGET_DCOS_SERVICE_ACCOUNT: Object = Object {
    doc: "Service account of the scheduler. Only with `as \"package\"`.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Name of the account.",
        },
        Field {
            name: "secret", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Name of the secret that contains the private key of the account. Required if the cluster authenticates services.",
        },
    ],
};
static JOB_TARGET_DCOS_KDC: Object = Object {
    doc: "Kerberos key distribution center (KDC). Only with `as \"package\"`.",
    open: false,
    fields: &[
        Field {
            name: "host", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Host name of the KDC.",
        },
        Field {
            name: "port", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 65535 }),
            doc: "Port of the KDC. Default: 88.",
        },
    ],
};
static JOB_TARGET_DCOS_SHIM: Object = Object {
    doc: "Source of `tfjob-shim`, the supervisor of tasks: a `url` from which agents download it. Only with `as \"marathon\"`. Required if the job uses a feature that only `tfjob-shim` provides, such as `no-progress-limit`. If `shim` is then missing, `tfjob check` reports an error.",
    open: false,
    fields: &[
        Field {
            name: "path", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of `tfjob-shim`: in the image of every task for target `kubernetes`, on the submitting host for target `spark`. The other targets do not support `path`.",
        },
        Field {
            name: "url", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI from which the platform downloads `tfjob-shim`.",
        },
        Field {
            name: "image", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Image that contains `tfjob-shim`. Each release of tfjob contains this image as a file; push it to your registry. Before a task starts, an init container with this image copies `tfjob-shim` into the pod. Only for target `kubernetes`.",
        },
    ],
};
static JOB_TARGET_DCOS: Object = Object {
    doc: "Options of the DC/OS target.",
    open: false,
    fields: &[
        Field {
            name: "as", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "package", doc: "`options.json` of the package `beta-tensorflow`." },
                Choice { word: "marathon", doc: "`marathon.json`: a group of apps." },
            ]),
            doc: "Form of the output: options of the DC/OS package for TensorFlow, or a group of Marathon apps. `module` without `as` selects `package`. Default: `marathon`.",
        },
        Field {
            name: "version", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "DC/OS version, such as `2.1`. Default: `1.10`.",
        },
        Field {
            name: "enterprise", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether the cluster runs DC/OS Enterprise, which has a secret store. Default: `#false`.",
        },
        Field {
            name: "group", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Service group that contains the job, such as `/ml`. Default: `/`, the root group.",
        },
        Field {
            name: "module", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Python module of the program, without `.py`. Only with `as \"package\"`: each task calls `main(server, log_dir, context)` of this module.",
        },
        Field {
            name: "job-path", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Directory of the Python module `module`, relative to the unpacked code. Only with `as \"package\"`.",
        },
        Field {
            name: "hdfs-config", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI below which `core-site.xml` and `hdfs-site.xml` are served. Only with `as \"package\"`, which needs these files for `hdfs:` URIs.",
        },
        Field {
            name: "gcs-key-secret", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Only with `as \"package\"`: use the secret named `gcs_key` for access to `gs:` URIs. Default: `#false`.",
        },
        Field {
            name: "region", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Region of all tasks. Only with `as \"package\"`. Without `region`, tasks run in the region of the Mesos masters.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS_SERVICE_ACCOUNT),
            doc: "Service account of the scheduler. Only with `as \"package\"`.",
        },
        Field {
            name: "kdc", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS_KDC),
            doc: "Kerberos key distribution center (KDC). Only with `as \"package\"`.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS_SHIM),
            doc: "Source of `tfjob-shim`, the supervisor of tasks: a `url` from which agents download it. Only with `as \"marathon\"`. Required if the job uses a feature that only `tfjob-shim` provides, such as `no-progress-limit`. If `shim` is then missing, `tfjob check` reports an error.",
        },
        Field {
            name: "gpu-model-attribute", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Agent attribute that contains the GPU model. Only with `as \"marathon\"`.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: false, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON that is merged into the whole output: the group of apps, or the options of the package.",
        },
    ],
};
static JOB_TARGET_SPARK_FEED: Object = Object {
    doc: "Data that Spark feeds to chief and workers. Requires `input \"spark\"`.",
    open: false,
    fields: &[
        Field {
            name: "data", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Name of a `data` block of the job. Spark expands `*` and `?` in its URI as glob patterns.",
        },
        Field {
            name: "format", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "csv", doc: "Each row is a list of strings; values cannot contain line breaks." },
                Choice { word: "json", doc: "Each row is a list of values, in alphabetical order of the keys." },
                Choice { word: "parquet", doc: "Each row is a list of values." },
                Choice { word: "orc", doc: "Each row is a list of values." },
                Choice { word: "text", doc: "Each row is a line." },
            ]),
            doc: "Format of the rows. The values of a `json` row are sorted by their keys. A `csv` row is always one line: line breaks within quotes are not supported.",
        },
        Field {
            name: "epochs", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Number of passes over the rows. Default: 1.",
        },
        Field {
            name: "header", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether `csv` files have a header line. Default: `#false`.",
        },
        Field {
            name: "timeout", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Maximum time for the program to read one partition of the data. Default: `10m`.",
        },
    ],
};
static JOB_TARGET_SPARK_SHIM: Object = Object {
    doc: "Source of `tfjob-shim`, the supervisor of tasks: a `path` on the submitting host, or a `url`. If unset, a setup step copies `tfjob-shim` from the installation of tfjob into the directory of `submit.sh`.",
    open: false,
    fields: &[
        Field {
            name: "path", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of `tfjob-shim`: in the image of every task for target `kubernetes`, on the submitting host for target `spark`. The other targets do not support `path`.",
        },
        Field {
            name: "url", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI from which the platform downloads `tfjob-shim`.",
        },
        Field {
            name: "image", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Image that contains `tfjob-shim`. Each release of tfjob contains this image as a file; push it to your registry. Before a task starts, an init container with this image copies `tfjob-shim` into the pod. Only for target `kubernetes`.",
        },
    ],
};
static JOB_TARGET_SPARK: Object = Object {
    doc: "Options of the Spark target, with `TensorFlowOnSpark` 2.",
    open: false,
    fields: &[
        Field {
            name: "master", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Spark master: `yarn`, `spark://HOST:PORT` or `k8s://https://HOST:PORT`. Default: `yarn`.",
        },
        Field {
            name: "deploy-mode", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "cluster", doc: "The driver runs on the cluster." },
                Choice { word: "client", doc: "The driver runs on the submitting host." },
            ]),
            doc: "Deploy mode, which determines where the driver runs. A standalone master supports only `client`. Default: `client` on a standalone master, otherwise `cluster`.",
        },
        Field {
            name: "spark", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "Spark version of the cluster, such as `3.5`. The driver fails if the cluster runs another version. If unset, checks assume 3.1, the oldest supported version.",
        },
        Field {
            name: "tfos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "`TensorFlowOnSpark` version, such as `2.2.5`. The driver fails if another version is installed.",
        },
        Field {
            name: "python", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Python of driver and executors: version 3.6 or later, with `TensorFlowOnSpark` installed. The value is an absolute path, the name of a `files` entry with a virtual environment, or a path in such an entry, such as `{files.env}/bin/python3`. If unset, Spark uses the Python that `run` starts by its path, or that `shell` starts or activates in `files` or `code`; otherwise `python3`. In client mode, the driver runs on the submitting host, with the `python3` of this host. If `python` is an absolute path and executors run without containers, the driver uses this path on the host instead.",
        },
        Field {
            name: "input", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "tensorflow", doc: "The program reads the data with TensorFlow." },
                Choice { word: "spark", doc: "Spark reads the data and feeds the rows to the program." },
            ]),
            doc: "Component that reads the data: TensorFlow in the program, or Spark, which then feeds the rows to the program. Default: `tensorflow`.",
        },
        Field {
            name: "feed", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_SPARK_FEED),
            doc: "Data that Spark feeds to chief and workers. Requires `input \"spark\"`.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_SPARK_SHIM),
            doc: "Source of `tfjob-shim`, the supervisor of tasks: a `path` on the submitting host, or a `url`. If unset, a setup step copies `tfjob-shim` from the installation of tfjob into the directory of `submit.sh`.",
        },
        Field {
            name: "gpu-discovery", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "GPU discovery script on each node or in the image (`discoveryScript`). If unset, Spark uses a script that tfjob generates (`master \"yarn\"`), or the script of Spark's image (a `k8s://` master).",
        },
        Field {
            name: "queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YARN queue of the job. Only with `master \"yarn\"`.",
        },
        Field {
            name: "priority", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 2147483647 }),
            doc: "Priority of the job in the YARN queue. Jobs with higher values start first.",
        },
        Field {
            name: "namespace", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kubernetes namespace of the job. Only with a `k8s://` master.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kubernetes service account of the driver. It must have the right to create executor pods.",
        },
        Field {
            name: "upload", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Directory to which spark-submit uploads the files of the job (`spark.kubernetes.file.upload.path`). The driver must have access to this directory. Only with a `k8s://` master.",
        },
        Field {
            name: "gpu-vendor", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Vendor of the GPUs: the domain of the resource name, such as `amd.com`. Default: `nvidia.com`. Only with a `k8s://` master.",
        },
        Field {
            name: "conf", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Additional Spark properties, except those that `tfjob` generates.",
        },
    ],
};
static JOB_TARGET_LOCAL: Object = Object {
    doc: "Options of the local target: none.",
    open: false,
    fields: &[
    ],
};
static JOB_TARGET: Object = Object {
    doc: "Options of one target. They apply only if the job is compiled for this target.",
    open: false,
    fields: &[
        Field {
            name: "yarn", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_YARN),
            doc: "Options of the YARN target. If an option is unset, checks assume the most restrictive cluster.",
        },
        Field {
            name: "kubernetes", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_KUBERNETES),
            doc: "Options of the Kubernetes target.",
        },
        Field {
            name: "dcos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS),
            doc: "Options of the DC/OS target.",
        },
        Field {
            name: "spark", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_SPARK),
            doc: "Options of the Spark target, with `TensorFlowOnSpark` 2.",
        },
        Field {
            name: "local", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_LOCAL),
            doc: "Options of the local target: none.",
        },
    ],
};
static JOB: Object = Object {
    doc: "A training job: its roles, inputs, outputs, and lifecycle.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Name),
            doc: "Name of the job: a DNS label. Depending on the platform, it must be unique in the namespace, in the service group, or among the services of the user.",
        },
        Field {
            name: "description", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Description of the job, for people. It does not affect the tasks.",
        },
        Field {
            name: "labels", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Labels of the job on the platform, as names and values.",
        },
        Field {
            name: "framework", place: Place::Child, required: true, inherited: true, default: None,
            shape: Shape::Object(&JOB_FRAMEWORK),
            doc: "Training framework, its version, and its distribution strategy.",
        },
        Field {
            name: "code", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_CODE),
            doc: "Program code: an archive, a directory, or a script. It is copied into every task. `{code}` expands to the directory of the code in the task.",
        },
        Field {
            name: "files", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_FILES) }),
            doc: "File or archive copied into every task before the task starts, such as a virtual environment. Archives are unpacked (`.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`). All other files are copied unchanged.",
        },
        Field {
            name: "data", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_DATA) }),
            doc: "Training data. `{data.NAME}` expands to the path or URI of the data.",
        },
        Field {
            name: "checkpoints", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_CHECKPOINTS),
            doc: "Checkpoint directory. If it already contains a checkpoint, training resumes from it.",
        },
        Field {
            name: "hadoop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_HADOOP),
            doc: "Hadoop installation in the image. Programs need it to read `hdfs:` URIs through libhdfs.",
        },
        Field {
            name: "protocol", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "grpc", doc: "gRPC, part of every TensorFlow build." },
                Choice { word: "grpc+verbs", doc: "gRPC with InfiniBand verbs, only in custom builds." },
                Choice { word: "grpc+gdr", doc: "gRPC with GPUDirect RDMA, only in custom builds." },
                Choice { word: "grpc+mpi", doc: "gRPC with MPI, only in custom builds." },
                Choice { word: "grpc_rdma", doc: "gRPC with RDMA, only in Yahoo's fork of TensorFlow." },
            ]),
            doc: "Protocol between TensorFlow servers: `grpc`, or a protocol of a custom TensorFlow build.",
        },
        Field {
            name: "param", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::ParamName, item: Shape::Object(&JOB_PARAM) }),
            doc: "Parameter of the job. `{param.NAME}` expands to the value. `--set param.NAME=VALUE` overrides the value.",
        },
        Field {
            name: "start", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_START),
            doc: "How the tasks start: the startup timeout, and gang scheduling.",
        },
        Field {
            name: "stop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_STOP),
            doc: "How the tasks are stopped: the time between SIGTERM and SIGKILL.",
        },
        Field {
            name: "deadline", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Maximum duration of the job, from the start of its first task.",
        },
        Field {
            name: "success", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "chief", doc: "The chief, or worker 0 if there is no chief." },
                Choice { word: "workers", doc: "All workers, including the chief." },
                Choice { word: "all", doc: "All tasks, except those of helpers." },
            ]),
            doc: "Which tasks must succeed so that the job succeeds: the chief (without a chief: worker 0), all workers including the chief, or all tasks except helpers. Default: `chief` for parameter-server and estimator jobs, `workers` otherwise.",
        },
        Field {
            name: "keep", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_KEEP),
            doc: "Which containers are kept after job completion, and for how long. The logs of a kept container can still be read.",
        },
        Field {
            name: "tensorboard", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TENSORBOARD),
            doc: "TensorBoard instance of the job. It gets only those environment variables that have the same value in all roles, and the secrets that its block names. Depending on the target, TensorBoard stops when the job ends, or runs until you delete it.",
        },
        Field {
            name: "network", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Network of the containers: `host`, or the name of a container network of the platform.",
        },
        Field {
            name: "kerberos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_KERBEROS),
            doc: "Kerberos identity of the job.",
        },
        Field {
            name: "allow", place: Place::List, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Object(&JOB_ALLOW) }),
            doc: "Accepts that a target does not support a feature. The error becomes a warning, and the job runs without the feature.",
        },
        Field {
            name: "role", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE) }),
            doc: "A group of identical tasks that train together. The name is a role of the framework, such as `worker`.",
        },
        Field {
            name: "helper", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE) }),
            doc: "A group of identical tasks that do not train, such as a notebook. Helpers are stopped at job completion. They do not inherit the secrets of the job.",
        },
        Field {
            name: "image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_IMAGE),
            doc: "Container image.",
        },
        Field {
            name: "run", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 1, item: Shape::Text(Grammar::Text) }),
            doc: "Program and its arguments, run without a shell. The task finishes when the program exits. Child processes that are still running at that time receive SIGTERM.",
        },
        Field {
            name: "shell", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Script that `/bin/sh -ec` runs. References such as `{index}` are not expanded in the script; use environment variables such as `$TFJOB_INDEX`.",
        },
        Field {
            name: "workdir", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Working directory: a path or a reference such as `{code}`. Default: `{code}` if the job has code, otherwise the working directory of the image. Platforms that ignore the working directory of the image use an empty directory.",
        },
        Field {
            name: "env", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Text(Grammar::Text) }),
            doc: "Environment variables of the tasks.",
        },
        Field {
            name: "secret", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Object(&JOB_ROLE_SECRET) }),
            doc: "Environment variable that gets its value from a secret of the platform.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::NumberOr(Number::Whole { min: 0, max: 4294967295 }, &Shape::Text(Grammar::UserName)),
            doc: "User that the program runs as: a user name or a UID.",
        },
        Field {
            name: "resources", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESOURCES),
            doc: "Resources per task. Each amount is both the request and the limit.",
        },
        Field {
            name: "port", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_PORT) }),
            doc: "Named port of each task. Tasks connect to each other at the port `rendezvous`. Default of this port: 2222.",
        },
        Field {
            name: "restart", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESTART),
            doc: "Restart policy: whether a task is restarted after a failure, or after every exit. Default: `\"never\"`.",
        },
        Field {
            name: "after", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_AFTER) }),
            doc: "Start order: names a role that must be ready, started, or done before the tasks start.",
        },
        Field {
            name: "ready", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_READY),
            doc: "Readiness probe: how to detect that a task is ready. By default, a role with `after` starts when all tasks of the other role are ready.",
        },
        Field {
            name: "placement", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_PLACEMENT),
            doc: "Placement constraints of the tasks. All of them must be met.",
        },
        Field {
            name: "target", place: Place::Targets, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET),
            doc: "Options of one target. They apply only if the job is compiled for this target.",
        },
    ],
};
static FILE: Object = Object {
    doc: "A job spec file. It may extend another file.",
    open: false,
    fields: &[
        Field {
            name: "extends", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Path of the base file, relative to this file. `extends` must be before `job`. Entries of this file override those of the base. The blocks `job`, `role`, `helper`, and `target`, and blocks of names and values, such as `env`, are merged entry by entry. Entries that may occur several times, such as `data` and `after`, are added to those of the base. Any other block replaces the block of the base entirely.",
        },
        Field {
            name: "job", place: Place::Child, required: true, inherited: true, default: None,
            shape: Shape::Object(&JOB),
            doc: "The job.",
        },
    ],
};
