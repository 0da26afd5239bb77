// Made from the spec's types and the targets' options: `.ci/update`.
static JOB_FRAMEWORK: Object = Object {
    doc: "The training framework of the program.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "tensorflow", doc: "TensorFlow: `TF_CONFIG`." },
                Choice { word: "pytorch", doc: "PyTorch: `MASTER_ADDR`, `RANK`, `WORLD_SIZE`." },
                Choice { word: "mxnet", doc: "MXNet: `DMLC_ROLE` and the like." },
                Choice { word: "xgboost", doc: "XGBoost: the variables of the rabit tracker." },
                Choice { word: "horovod", doc: "Horovod, with Gloo." },
                Choice { word: "caffe", doc: "Caffe: no rendezvous variables." },
                Choice { word: "custom", doc: "Any other program: no rendezvous variables." },
            ]),
            doc: "Framework name.",
        },
        Field {
            name: "version", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "Framework version, such as `2.15`. Version-specific rules assume the oldest supported version if unset.",
        },
        Field {
            name: "strategy", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "single", doc: "One process, one device." },
                Choice { word: "mirrored", doc: "One process, all its GPUs." },
                Choice { word: "multi-worker-mirrored", doc: "Synchronous training on several workers: `MultiWorkerMirroredStrategy`." },
                Choice { word: "parameter-server", doc: "A chief, workers and parameter servers: `ParameterServerStrategy`." },
                Choice { word: "estimator", doc: "`tf.estimator`, up to TensorFlow 2.15." },
                Choice { word: "custom", doc: "Any other strategy: every `TF_CONFIG` contains every role." },
            ]),
            doc: "Distribution strategy of TensorFlow. Required with more than one task.",
        },
    ],
};
static JOB_CODE: Object = Object {
    doc: "The program to run.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI of an archive or a directory, or the path of a script next to the spec. A name with an extension, such as `./train.py`, is a file; a name that ends in `/` is a directory. `git+https:` needs `ref`. It is fetched without credentials: build a private program into the image, or use an archive that the identity of the platform can read.",
        },
        Field {
            name: "ref", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::GitRef),
            doc: "Tag or commit of a `git+https:` URI. With a branch, each run may fetch a different program.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Directory to unpack to. Default: chosen by the target.",
        },
    ],
};
static JOB_FILES: Object = Object {
    doc: "Files or archives copied into every task before it starts. Archives are unpacked: `.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`; all other files are copied unchanged.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Source URI.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Destination path. Default: chosen by the target.",
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
            doc: "URI.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Mount path; an error if the target cannot mount the URI there. Default: not mounted; `{data.NAME}` expands to the URI, or to the path of a `file:` URI.",
        },
        Field {
            name: "writable", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Flag(false)),
            shape: Shape::Flag,
            doc: "Whether the program writes to it.",
        },
    ],
};
static JOB_CHECKPOINTS: Object = Object {
    doc: "Checkpoint directory; all tasks that write to it share it.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Mount path. Default: not mounted; `{checkpoints}` expands to the URI, or to the path of a `file:` URI, and only the program can read the checkpoints.",
        },
        Field {
            name: "every", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Interval at which the program writes checkpoints.",
        },
        Field {
            name: "if-exists", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Text("resume")),
            shape: Shape::Words(&[
                Choice { word: "resume", doc: "The program resumes from them." },
                Choice { word: "fail", doc: "The job fails before a program starts." },
            ]),
            doc: "Behavior if the location already has files when the job starts.",
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
            doc: "Hadoop directory in the image, in the layout of the Apache release: jars below `share/hadoop`, `lib/native` with `libhdfs.so`, `etc/hadoop`. CDH parcels and HDP stacks have another layout: unpack the Apache release of the same version, and set `conf` to the configuration of the cluster.",
        },
        Field {
            name: "java", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Java directory in the image: the JDK or its `jre`.",
        },
        Field {
            name: "conf", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Directory of `core-site.xml` and `hdfs-site.xml`. Default: `HADOOP_CONF_DIR` of the container, set by the image or the node; if unset, `etc/hadoop` of `home`.",
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
            doc: "Default value; it also defines the type.",
        },
    ],
};
static JOB_START: Object = Object {
    doc: "Startup of the tasks.",
    open: false,
    fields: &[
        Field {
            name: "timeout", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Maximum time until all peers are reachable. Default: the timeouts of the platform and the program.",
        },
        Field {
            name: "gang", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Flag(false)),
            shape: Shape::Flag,
            doc: "Gang scheduling: all tasks (the `min` of each role) start, or none.",
        },
    ],
};
static JOB_STOP: Object = Object {
    doc: "Termination of the tasks.",
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
    doc: "Retention of containers after job completion.",
    open: false,
    fields: &[
        Field {
            name: "what", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "failed", doc: "Containers of failed tasks." },
                Choice { word: "all", doc: "All containers." },
                Choice { word: "none", doc: "No containers." },
            ]),
            doc: "Containers to keep.",
        },
        Field {
            name: "for", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Retention time. Default: that of the platform.",
        },
    ],
};
static JOB_TENSORBOARD_RESOURCES: Object = Object {
    doc: "Resources of a helper program. Each amount is both the request and the limit.",
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
            doc: "Log directory.",
        },
        Field {
            name: "port", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Whole(6006)),
            shape: Shape::Number(Number::Whole { min: 1, max: 65535 }),
            doc: "Port.",
        },
        Field {
            name: "image", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Container image. Default: the image of the job.",
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
            doc: "Keytab: a URI, or `secret:ENV` for a secret of this job.",
        },
    ],
};
static JOB_ALLOW: Object = Object {
    doc: "Acceptance of a feature that a target does not support.",
    open: false,
    fields: &[
        Field {
            name: "feature", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Feature, as the error names it.",
        },
        Field {
            name: "on", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Target. Default: all targets.",
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
                Choice { word: "missing", doc: "If the image is not on the node." },
                Choice { word: "always", doc: "At each container start." },
                Choice { word: "never", doc: "Never; the image must be on the node." },
            ]),
            doc: "Pull policy. Default: that of the platform.",
        },
        Field {
            name: "pull-secret", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Secret of the platform with the credentials of the registry.",
        },
    ],
};
static JOB_ROLE_SECRET: Object = Object {
    doc: "An environment variable with its value in a secret of the platform. The value is never part of the spec.",
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
            doc: "Key within the secret.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of the file that holds the value; the variable then contains this path.",
        },
    ],
};
static JOB_ROLE_RESOURCES_DEVICE: Object = Object {
    doc: "An amount of an extended resource.",
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
            doc: "Number of GPUs. Default: 0; no GPU is visible.",
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
            doc: "Local scratch space.",
        },
        Field {
            name: "shared-memory", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Size of `/dev/shm`, for data loaders.",
        },
        Field {
            name: "device", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_ROLE_RESOURCES_DEVICE) }),
            doc: "Extended resource, such as `rdma/hca`.",
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
            doc: "Port number, or `auto` for a free port that is chosen when the task starts.",
        },
        Field {
            name: "link", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Label of the link to this port on the web page of the platform.",
        },
    ],
};
static JOB_ROLE_RESTART: Object = Object {
    doc: "Restart policy of failed tasks.",
    open: false,
    fields: &[
        Field {
            name: "policy", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "never", doc: "Never." },
                Choice { word: "on-failure", doc: "If it exits with a code other than 0, or its node is lost." },
                Choice { word: "always", doc: "Whenever it exits." },
            ]),
            doc: "When a task is restarted.",
        },
        Field {
            name: "limit", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Maximum number of restarts. Default: unlimited.",
        },
        Field {
            name: "within", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Time window in which restarts count toward `limit`. Default: the whole job.",
        },
        Field {
            name: "backoff", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "First delay before a restart; each further delay is twice as long. Each delay is shortened by up to a quarter at random (jitter), so that tasks that failed together do not restart together.",
        },
        Field {
            name: "max-backoff", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Maximum delay before a restart. Default: that of the target, at most 1h, or `backoff` if that is longer.",
        },
        Field {
            name: "min-uptime", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Minimum uptime. A task that fails sooner is not restarted.",
        },
        Field {
            name: "no-progress-limit", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Maximum number of consecutive restarts without a newer checkpoint; then the job fails.",
        },
        Field {
            name: "scope", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "task", doc: "The failed task." },
                Choice { word: "job", doc: "All tasks of the job." },
            ]),
            doc: "What is restarted and what `limit` counts. Default: `job` for collective strategies, `task` otherwise.",
        },
        Field {
            name: "codes", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Number(Number::Whole { min: 1, max: 255 }) }),
            doc: "Exit codes that cause a restart. Default: all that `policy` covers.",
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
                Choice { word: "started", doc: "Its tasks have started." },
                Choice { word: "ready", doc: "Its tasks are ready." },
                Choice { word: "done", doc: "Its tasks have succeeded." },
            ]),
            doc: "State that the other role must have reached.",
        },
    ],
};
static JOB_ROLE_READY: Object = Object {
    doc: "Readiness probe: exactly one of `tcp`, `http` and `file`.",
    open: false,
    fields: &[
        Field {
            name: "tcp", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PortName),
            doc: "Name of a port that must accept connections.",
        },
        Field {
            name: "http", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PortPath),
            doc: "`PORT-NAME/path` that must return status 2xx.",
        },
        Field {
            name: "file", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "File that must exist.",
        },
    ],
};
static JOB_ROLE_PLACEMENT_NODE: Object = Object {
    doc: "The required value of a node label or attribute.",
    open: false,
    fields: &[
        Field {
            name: "value", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Value; the value of a node label may be empty.",
        },
    ],
};
static JOB_ROLE_PLACEMENT: Object = Object {
    doc: "Placement constraints of the tasks; all must be met.",
    open: false,
    fields: &[
        Field {
            name: "node", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_ROLE_PLACEMENT_NODE) }),
            doc: "Node label or attribute that is required.",
        },
        Field {
            name: "partition", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Partition of the cluster.",
        },
        Field {
            name: "spread", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "host", doc: "At most one task per host." },
                Choice { word: "rack", doc: "At most one task per rack." },
            ]),
            doc: "Minimum separation of the tasks of a role.",
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
    doc: "A node taint that the pods tolerate (toleration).",
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
            doc: "Value of the taint. Default: any.",
        },
        Field {
            name: "effect", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "NoSchedule", doc: "New pods are not scheduled on the node." },
                Choice { word: "PreferNoSchedule", doc: "The scheduler avoids the node." },
                Choice { word: "NoExecute", doc: "Running pods are evicted." },
            ]),
            doc: "Effect of the taint. Default: all.",
        },
        Field {
            name: "seconds", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 4294967295 }),
            doc: "`tolerationSeconds`, for effect `NoExecute`. Default: indefinitely.",
        },
    ],
};
static JOB_ROLE_TARGET_KUBERNETES: Object = Object {
    doc: "Options of a role on Kubernetes. Default: the options of the job; annotations and tolerations of both are combined.",
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
            doc: "Node taint that the pods tolerate (toleration).",
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
            doc: "Package: disk type: `ROOT` (part of the root disk of the agent) or `MOUNT` (a dedicated disk).",
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
    doc: "Platform-specific options; the target defines the fields and their types.",
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
            doc: "Options of a role on Kubernetes. Default: the options of the job; annotations and tolerations of both are combined.",
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
            doc: "Minimum number of tasks with which the job starts and continues.",
        },
        Field {
            name: "image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_IMAGE),
            doc: "Container image.",
        },
        Field {
            name: "run", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 1, item: Shape::Text(Grammar::Text) }),
            doc: "Program and its arguments, run without a shell. The task finishes when the program exits; remaining child processes receive SIGTERM.",
        },
        Field {
            name: "shell", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Script for `/bin/sh -ec`, passed verbatim. References are not expanded; environment variables such as `$TFJOB_INDEX` are.",
        },
        Field {
            name: "workdir", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Working directory: a path or a reference. Default: `{code}` if the job has code, otherwise the working directory of the image; some targets use a directory of the container and report it.",
        },
        Field {
            name: "env", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Text(Grammar::Text) }),
            doc: "Environment variables of the tasks.",
        },
        Field {
            name: "secret", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Object(&JOB_ROLE_SECRET) }),
            doc: "Environment variable with its value in a secret of the platform.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::NumberOr(Number::Whole { min: 0, max: 4294967295 }, &Shape::Text(Grammar::UserName)),
            doc: "User of the program: a user name or a UID.",
        },
        Field {
            name: "resources", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESOURCES),
            doc: "Resources per task. Each amount is both the request and the limit.",
        },
        Field {
            name: "port", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_PORT) }),
            doc: "Port of each task. `rendezvous` is the port at which tasks connect to each other. Default: 2222.",
        },
        Field {
            name: "restart", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESTART),
            doc: "Restart policy of failed tasks. Default: no restarts.",
        },
        Field {
            name: "after", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_AFTER) }),
            doc: "Start order: the role that must be started, ready or finished before this one starts.",
        },
        Field {
            name: "ready", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_READY),
            doc: "Readiness probe.",
        },
        Field {
            name: "placement", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_PLACEMENT),
            doc: "Placement constraints of the tasks; all must be met.",
        },
        Field {
            name: "target", place: Place::Targets, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET),
            doc: "Platform-specific options; the target defines the fields and their types.",
        },
    ],
};
static JOB_TARGET_YARN_SHIM: Object = Object {
    doc: "Source of the shim: a `url` on the default file system. Default: a setup step uploads it.",
    open: false,
    fields: &[
        Field {
            name: "path", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of `tfjob-shim`: in the image of every task (Kubernetes), on the submitting host (Spark).",
        },
        Field {
            name: "url", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI from which the platform downloads `tfjob-shim`.",
        },
    ],
};
static JOB_TARGET_YARN: Object = Object {
    doc: "Options of the YARN target. For an unset option, rules assume the most restrictive cluster.",
    open: false,
    fields: &[
        Field {
            name: "hadoop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "Hadoop version, such as `3.3.6` or `3.3`. Default: 3.1.2, the oldest supported version.",
        },
        Field {
            name: "queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Queue. Default: that of the cluster.",
        },
        Field {
            name: "dns-domain", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "DNS domain of the YARN registry (`hadoop.registry.dns.domain-name`). Tasks resolve their peers in it.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "User who submits the job, as in DNS names. Default: any user.",
        },
        Field {
            name: "default-fs", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Default file system of the cluster (`fs.defaultFS`), such as `hdfs://nn1`. Files on it are used without copying.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_YARN_SHIM),
            doc: "Source of the shim: a `url` on the default file system. Default: a setup step uploads it.",
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
            doc: "Whether the cluster supports placement constraints: `yarn.resourcemanager.placement-constraints.handler` is `scheduler` or `placement-processor`. Default: no.",
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
            doc: "Time between SIGTERM and SIGKILL (`yarn.nodemanager.sleep-delay-before-sigkill.ms`). Default: 250 ms.",
        },
        Field {
            name: "keep-delay", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Time that a node keeps the files of finished containers (`yarn.nodemanager.delete.debug-delay-sec`). Docker containers are kept as long if `yarn.nodemanager.runtime.linux.docker.delayed-removal.allowed` is set. Default: not kept.",
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
            doc: "Name of the driver, such as `gcsfuse.csi.storage.gke.io`, which also needs `annotations { \"gke-gcsfuse/volumes\" \"true\"; }`.",
        },
        Field {
            name: "attributes", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "`volumeAttributes` of the driver, such as `bucketName \"{host}\"`. `{host}` and `{path}` expand to the parts of the URI. If no attribute contains `{path}`, that directory of the volume is mounted.",
        },
    ],
};
static JOB_TARGET_KUBERNETES_SHIM: Object = Object {
    doc: "Source of the shim: a `path` in the image of every task. Default: mounted from a ConfigMap.",
    open: false,
    fields: &[
        Field {
            name: "path", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of `tfjob-shim`: in the image of every task (Kubernetes), on the submitting host (Spark).",
        },
        Field {
            name: "url", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI from which the platform downloads `tfjob-shim`.",
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
            doc: "Namespace of the job. It is part of every DNS name of a pod. Default: `default`.",
        },
        Field {
            name: "local-queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kueue `LocalQueue` in the namespace. Kueue must manage TFJobs: `kubeflow.org/tfjob` in `integrations.frameworks`, which is off by default since Kueue 0.19.",
        },
        Field {
            name: "volcano-queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Volcano queue, with `gang \"volcano\"`.",
        },
        Field {
            name: "gang", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "volcano", doc: "Volcano." },
                Choice { word: "scheduler-plugins", doc: "Coscheduling plugin of scheduler-plugins." },
            ]),
            doc: "Gang scheduler of the training operator (`--gang-scheduler-name`).",
        },
        Field {
            name: "priority", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "`priorityClassName` of the pods, including TensorBoard.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "`serviceAccountName` of the pods.",
        },
        Field {
            name: "annotations", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Annotations of the job, its pods, and the TensorBoard pod.",
        },
        Field {
            name: "toleration", place: Place::List, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Object(&JOB_ROLE_TARGET_KUBERNETES_TOLERATION) }),
            doc: "Node taint that the pods tolerate (toleration), including TensorBoard.",
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
            doc: "Values of that label by the model name of the job: `a100 \"NVIDIA-A100-SXM4-80GB\"`. Other names are used unchanged.",
        },
        Field {
            name: "gpu-memory-label", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Node label with the GPU memory in MiB, such as `nvidia.com/gpu.memory`: a few percent less than the size in the product name.",
        },
        Field {
            name: "rack-label", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Node label with the rack.",
        },
        Field {
            name: "csi", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_TARGET_KUBERNETES_CSI) }),
            doc: "CSI driver that mounts URIs of a scheme as an inline volume: `hdfs`, `viewfs`, `s3`, `s3a`, `gs`, `abfs`.",
        },
        Field {
            name: "fs-group", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 4294967295 }),
            doc: "`fsGroup`: group ID that owns the volumes, if the driver supports it.",
        },
        Field {
            name: "restricted", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether the namespace enforces the `restricted` Pod Security Standard. Default: no.",
        },
        Field {
            name: "stage-image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Image of the init container that downloads `code` and `files`, except from `hdfs:` and `viewfs:`. Default: the image of the role.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_KUBERNETES_SHIM),
            doc: "Source of the shim: a `path` in the image of every task. Default: mounted from a ConfigMap.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: false, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON that is merged into the TFJob.",
        },
    ],
};
static JOB_TARGET_DCOS_SERVICE_ACCOUNT: Object = Object {
    doc: "Package: service account of the scheduler.",
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
            doc: "Secret with the key of the account; required if the cluster authenticates services.",
        },
    ],
};
static JOB_TARGET_DCOS_KDC: Object = Object {
    doc: "Package: Kerberos key distribution center (KDC).",
    open: false,
    fields: &[
        Field {
            name: "host", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Host name.",
        },
        Field {
            name: "port", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 65535 }),
            doc: "Port. Default: 88.",
        },
    ],
};
static JOB_TARGET_DCOS_SHIM: Object = Object {
    doc: "Marathon: source of the shim, a `url` from which agents download it. Required if a task needs the shim.",
    open: false,
    fields: &[
        Field {
            name: "path", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of `tfjob-shim`: in the image of every task (Kubernetes), on the submitting host (Spark).",
        },
        Field {
            name: "url", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI from which the platform downloads `tfjob-shim`.",
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
            doc: "Form of the output: options of the TensorFlow package, or Marathon apps. Default: `package` if `module` is set, otherwise `marathon`.",
        },
        Field {
            name: "version", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "DC/OS version, such as `2.1`. Default: 1.10.",
        },
        Field {
            name: "enterprise", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether the cluster runs the Enterprise edition, which has a secret store. Default: no.",
        },
        Field {
            name: "group", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Service group of the job, such as `/ml`. Default: the root group.",
        },
        Field {
            name: "module", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Package: Python module, without `.py`; each task calls its `main(server, log_dir, context)`.",
        },
        Field {
            name: "job-path", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Package: directory of the module inside the unpacked code.",
        },
        Field {
            name: "hdfs-config", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Package: URI below which `core-site.xml` and `hdfs-site.xml` are served, for `hdfs:` URIs.",
        },
        Field {
            name: "gcs-key-secret", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Package: whether the secret `gcs_key` (fixed name) grants access to `gs:` URIs. Default: no.",
        },
        Field {
            name: "region", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Package: region of all tasks. Default: the region of the masters.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS_SERVICE_ACCOUNT),
            doc: "Package: service account of the scheduler.",
        },
        Field {
            name: "kdc", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS_KDC),
            doc: "Package: Kerberos key distribution center (KDC).",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS_SHIM),
            doc: "Marathon: source of the shim, a `url` from which agents download it. Required if a task needs the shim.",
        },
        Field {
            name: "gpu-model-attribute", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Marathon: agent attribute with the GPU model.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: false, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON that is merged into the whole output: the group of apps, or the options of the package.",
        },
    ],
};
static JOB_TARGET_SPARK_FEED: Object = Object {
    doc: "Data that Spark feeds to chief and workers, with `input \"spark\"`.",
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
            doc: "Format of the rows. Values of a `json` row are in alphabetical order of the keys. A `csv` row ends at the end of its line, even within quotes.",
        },
        Field {
            name: "epochs", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "Number of passes over the rows. Default: 1.",
        },
        Field {
            name: "header", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether `csv` files have a header line. Default: no.",
        },
        Field {
            name: "timeout", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Maximum time to read one partition. Default: `10m`.",
        },
    ],
};
static JOB_TARGET_SPARK_SHIM: Object = Object {
    doc: "Source of the shim: a `path` on the submitting host, or a `url`. Default: next to `submit.sh`.",
    open: false,
    fields: &[
        Field {
            name: "path", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Path of `tfjob-shim`: in the image of every task (Kubernetes), on the submitting host (Spark).",
        },
        Field {
            name: "url", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "URI from which the platform downloads `tfjob-shim`.",
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
                Choice { word: "cluster", doc: "On the cluster." },
                Choice { word: "client", doc: "On the submitting host." },
            ]),
            doc: "Deploy mode: where the driver runs. Default: `cluster`; `client` on a standalone master.",
        },
        Field {
            name: "spark", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "Spark version, such as `3.5`; the driver fails on any other. Default: 3.1 for version-specific rules.",
        },
        Field {
            name: "tfos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "`TensorFlowOnSpark` version, such as `2.2.5`; the driver fails with any other.",
        },
        Field {
            name: "python", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Python 3.6 or later of driver and executors, with `TensorFlowOnSpark` installed: an absolute path, the name of `files` that are a virtual environment, or a path below one, such as `{files.env}/bin/python3`. Default: the Python in the `files` or `code` that the job runs or activates, otherwise `python3`. In client mode the driver runs on the submitting host: with the same absolute path if executors run without containers, otherwise with the `python3` of that host.",
        },
        Field {
            name: "input", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "tensorflow", doc: "The program." },
                Choice { word: "spark", doc: "Spark, which feeds rows to the program." },
            ]),
            doc: "Reader of the data. Default: `tensorflow`.",
        },
        Field {
            name: "feed", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_SPARK_FEED),
            doc: "Data that Spark feeds to chief and workers, with `input \"spark\"`.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_SPARK_SHIM),
            doc: "Source of the shim: a `path` on the submitting host, or a `url`. Default: next to `submit.sh`.",
        },
        Field {
            name: "gpu-discovery", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "GPU discovery script on each node (`discoveryScript`). Default: a script that is shipped with the job (YARN) or in the Spark image (Kubernetes).",
        },
        Field {
            name: "queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YARN: queue.",
        },
        Field {
            name: "priority", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 2147483647 }),
            doc: "YARN: priority in the queue; higher values first.",
        },
        Field {
            name: "namespace", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kubernetes: namespace.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kubernetes: service account of the driver, which creates the executor pods.",
        },
        Field {
            name: "upload", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Kubernetes: upload directory for the files of the job, readable by the driver (`spark.kubernetes.file.upload.path`).",
        },
        Field {
            name: "gpu-vendor", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kubernetes: GPU vendor. Default: `nvidia.com`.",
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
    doc: "Platform-specific options; the target defines the fields and their types.",
    open: false,
    fields: &[
        Field {
            name: "yarn", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_YARN),
            doc: "Options of the YARN target. For an unset option, rules assume the most restrictive cluster.",
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
            doc: "Name of the job: a DNS label, unique within its namespace, queue or service directory.",
        },
        Field {
            name: "description", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Description of the job, for people.",
        },
        Field {
            name: "labels", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Labels of the job on the platform.",
        },
        Field {
            name: "framework", place: Place::Child, required: true, inherited: true, default: None,
            shape: Shape::Object(&JOB_FRAMEWORK),
            doc: "Training framework, its version, and its distribution strategy.",
        },
        Field {
            name: "code", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_CODE),
            doc: "Program to run: an archive, a directory or a script. `{code}` expands to its directory.",
        },
        Field {
            name: "files", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_FILES) }),
            doc: "Files or archives copied into every task before it starts, such as a virtual environment. Archives are unpacked (`.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`); all other files are copied unchanged.",
        },
        Field {
            name: "data", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_DATA) }),
            doc: "Training data. `{data.NAME}` expands to its path or URI.",
        },
        Field {
            name: "checkpoints", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_CHECKPOINTS),
            doc: "Checkpoint directory. Training resumes from a checkpoint that exists there.",
        },
        Field {
            name: "hadoop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_HADOOP),
            doc: "Hadoop installation in the image, for programs that read `hdfs:` through libhdfs.",
        },
        Field {
            name: "protocol", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "grpc", doc: "gRPC, part of every TensorFlow build." },
                Choice { word: "grpc+verbs", doc: "Custom builds only: InfiniBand verbs." },
                Choice { word: "grpc+gdr", doc: "Custom builds only: GPU direct." },
                Choice { word: "grpc+mpi", doc: "Custom builds only: MPI." },
                Choice { word: "grpc_rdma", doc: "Custom builds only: RDMA of an older fork." },
            ]),
            doc: "TensorFlow server protocol: `grpc`, or one that a custom build adds.",
        },
        Field {
            name: "param", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::ParamName, item: Shape::Object(&JOB_PARAM) }),
            doc: "Parameter of the job; `--set param.NAME=VALUE` overrides it. `{param.NAME}` expands to its value.",
        },
        Field {
            name: "start", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_START),
            doc: "Startup of the tasks.",
        },
        Field {
            name: "stop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_STOP),
            doc: "Termination of the tasks.",
        },
        Field {
            name: "deadline", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "Maximum duration of the job, from the start of its first task.",
        },
        Field {
            name: "success", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "chief", doc: "The chief, or worker 0 if there is none." },
                Choice { word: "workers", doc: "All workers, including the chief." },
                Choice { word: "all", doc: "All tasks." },
            ]),
            doc: "Which tasks decide job success. Default: `chief` for parameter-server and estimator jobs, `workers` otherwise.",
        },
        Field {
            name: "keep", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_KEEP),
            doc: "Retention of containers after job completion, for their logs.",
        },
        Field {
            name: "tensorboard", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TENSORBOARD),
            doc: "TensorBoard instance of the job. It gets the environment variables and secrets that all roles share.",
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
            doc: "Acceptance of a feature that a target does not support: the error becomes a warning.",
        },
        Field {
            name: "role", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE) }),
            doc: "Role of the framework, such as `worker`: a group of identical tasks.",
        },
        Field {
            name: "helper", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE) }),
            doc: "Role outside the rendezvous, such as a notebook. It is stopped at job completion.",
        },
        Field {
            name: "image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_IMAGE),
            doc: "Container image.",
        },
        Field {
            name: "run", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 1, item: Shape::Text(Grammar::Text) }),
            doc: "Program and its arguments, run without a shell. The task finishes when the program exits; remaining child processes receive SIGTERM.",
        },
        Field {
            name: "shell", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Script for `/bin/sh -ec`, passed verbatim. References are not expanded; environment variables such as `$TFJOB_INDEX` are.",
        },
        Field {
            name: "workdir", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Working directory: a path or a reference. Default: `{code}` if the job has code, otherwise the working directory of the image; some targets use a directory of the container and report it.",
        },
        Field {
            name: "env", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Text(Grammar::Text) }),
            doc: "Environment variables of the tasks.",
        },
        Field {
            name: "secret", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Object(&JOB_ROLE_SECRET) }),
            doc: "Environment variable with its value in a secret of the platform.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::NumberOr(Number::Whole { min: 0, max: 4294967295 }, &Shape::Text(Grammar::UserName)),
            doc: "User of the program: a user name or a UID.",
        },
        Field {
            name: "resources", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESOURCES),
            doc: "Resources per task. Each amount is both the request and the limit.",
        },
        Field {
            name: "port", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_PORT) }),
            doc: "Port of each task. `rendezvous` is the port at which tasks connect to each other. Default: 2222.",
        },
        Field {
            name: "restart", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESTART),
            doc: "Restart policy of failed tasks. Default: no restarts.",
        },
        Field {
            name: "after", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_AFTER) }),
            doc: "Start order: the role that must be started, ready or finished before this one starts.",
        },
        Field {
            name: "ready", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_READY),
            doc: "Readiness probe.",
        },
        Field {
            name: "placement", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_PLACEMENT),
            doc: "Placement constraints of the tasks; all must be met.",
        },
        Field {
            name: "target", place: Place::Targets, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET),
            doc: "Platform-specific options; the target defines the fields and their types.",
        },
    ],
};
static FILE: Object = Object {
    doc: "A job spec file, optionally based on another file.",
    open: false,
    fields: &[
        Field {
            name: "extends", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Base file, relative to this file; stands before `job`. Entries of this file override those of the base: `job`, `role`, `helper`, `target` and blocks of names and values, such as `env`, are merged entry by entry. All other blocks are replaced whole.",
        },
        Field {
            name: "job", place: Place::Child, required: true, inherited: true, default: None,
            shape: Shape::Object(&JOB),
            doc: "The job.",
        },
    ],
};
