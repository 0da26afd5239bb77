// Made from the spec's types and the targets' options: `.ci/update`.
static JOB_FRAMEWORK: Object = Object {
    doc: "The library that the program is written for.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "tensorflow", doc: "TensorFlow: `TF_CONFIG`." },
                Choice { word: "pytorch", doc: "PyTorch: `MASTER_ADDR`, `RANK`, `WORLD_SIZE`." },
                Choice { word: "mxnet", doc: "MXNet: `DMLC_ROLE` and the like." },
                Choice { word: "xgboost", doc: "XGBoost: the rabit tracker's variables." },
                Choice { word: "horovod", doc: "Horovod, with Gloo." },
                Choice { word: "caffe", doc: "Caffe: no rendezvous variables." },
                Choice { word: "custom", doc: "The program's own: no rendezvous variables." },
            ]),
            doc: "Which one.",
        },
        Field {
            name: "version", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "Its version, such as `2.15`. It decides rules; unstated counts as the oldest.",
        },
        Field {
            name: "strategy", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "single", doc: "One process, one device." },
                Choice { word: "mirrored", doc: "One process, all its GPUs." },
                Choice { word: "multi-worker-mirrored", doc: "Workers in step: `MultiWorkerMirroredStrategy`." },
                Choice { word: "parameter-server", doc: "A chief, workers and parameter servers: `ParameterServerStrategy`." },
                Choice { word: "estimator", doc: "`tf.estimator`, up to TensorFlow 2.15." },
                Choice { word: "custom", doc: "The program's own: every role stands in every `TF_CONFIG`." },
            ]),
            doc: "How TensorFlow distributes the work. Required with more than one task.",
        },
    ],
};
static JOB_CODE: Object = Object {
    doc: "The program.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "An archive, a folder, or one script beside the spec: a name with an extension, such as `./train.py`, is a file, and one that ends in `/` is a folder. `git+https:` needs `ref`. It is fetched without secrets: build a private program into the image, or name an archive that the platform's own identity may read.",
        },
        Field {
            name: "ref", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::GitRef),
            doc: "The tag or commit of a `git+https:` uri; with a branch each run may get another program.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Where it is unpacked; the target's choice unless given.",
        },
    ],
};
static JOB_STAGE: Object = Object {
    doc: "Something copied into every task. Archives are unpacked: `.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`; all other files are copied as they are.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Where it comes from.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Where it is put; the target's choice unless given.",
        },
    ],
};
static JOB_DATA: Object = Object {
    doc: "Training data.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Where it is.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Files must appear there, or the target refuses. Without it `{data.NAME}` is the uri, of `file:` the path.",
        },
        Field {
            name: "writable", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Flag(false)),
            shape: Shape::Flag,
            doc: "Whether the program writes there.",
        },
    ],
};
static JOB_CHECKPOINTS: Object = Object {
    doc: "Where the program keeps its state; shared by all tasks that write.",
    open: false,
    fields: &[
        Field {
            name: "uri", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Where it is.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Files appear there. Without it `{checkpoints}` is the uri, of `file:` the path, and only the program sees what is in it.",
        },
        Field {
            name: "every", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "How often the program promises to write one.",
        },
        Field {
            name: "fresh", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Flag(false)),
            shape: Shape::Flag,
            doc: "Refuses to start on what exists already.",
        },
    ],
};
static JOB_HADOOP: Object = Object {
    doc: "Hadoop in the image.",
    open: false,
    fields: &[
        Field {
            name: "home", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Hadoop's folder in the image, laid out as Apache's release is: jars below `share/hadoop`, `lib/native` with `libhdfs.so`, `etc/hadoop`. A parcel of CDH or a stack of HDP keeps them elsewhere: unpack Apache's release of the same version, and name the cluster's own settings by `conf`.",
        },
        Field {
            name: "java", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Java's folder in the image: that of the JDK or of its `jre`.",
        },
        Field {
            name: "conf", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "The folder of `core-site.xml` and `hdfs-site.xml`. Unless given, the folder of the container that its `HADOOP_CONF_DIR` names, be it of the image or of the node; where there is none, `etc/hadoop` of `home`.",
        },
    ],
};
static JOB_PARAM: Object = Object {
    doc: "A value of the job that can be set from outside.",
    open: false,
    fields: &[
        Field {
            name: "value", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Scalar,
            doc: "Its default, which is also its type.",
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
            doc: "How long peers may take to appear, and to listen; without it, as long as platform and program wait.",
        },
        Field {
            name: "gang", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Flag(false)),
            shape: Shape::Flag,
            doc: "All tasks (each role's `min`) start, or none.",
        },
    ],
};
static JOB_STOP: Object = Object {
    doc: "How the tasks stop.",
    open: false,
    fields: &[
        Field {
            name: "grace", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "Time between SIGTERM and the kill.",
        },
    ],
};
static JOB_KEEP: Object = Object {
    doc: "Which containers stay after the end.",
    open: false,
    fields: &[
        Field {
            name: "what", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "failed", doc: "Those that failed." },
                Choice { word: "all", doc: "All." },
                Choice { word: "none", doc: "None." },
            ]),
            doc: "Which.",
        },
        Field {
            name: "for", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "For how long.",
        },
    ],
};
static JOB_TENSORBOARD_RESOURCES: Object = Object {
    doc: "What a program beside the tasks gets, reserved and ceiling at once.",
    open: false,
    fields: &[
        Field {
            name: "cpus", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Number(Number::Real { min: Some(0.1), max: Some(10000.0), cores: true }),
            doc: "Cores, in steps of 0.1.",
        },
        Field {
            name: "memory", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Memory, such as `2GiB`.",
        },
    ],
};
static JOB_TENSORBOARD: Object = Object {
    doc: "A TensorBoard beside the job.",
    open: false,
    fields: &[
        Field {
            name: "logs", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Text("{checkpoints}")),
            shape: Shape::Text(Grammar::Text),
            doc: "The folder it reads; `{checkpoints}` unless given.",
        },
        Field {
            name: "port", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Whole(6006)),
            shape: Shape::Number(Number::Whole { min: 1, max: 65535 }),
            doc: "Where it listens; 6006 unless given.",
        },
        Field {
            name: "image", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "Its image; the job's unless given.",
        },
        Field {
            name: "resources", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TENSORBOARD_RESOURCES),
            doc: "What it gets; 1 core and 4 GiB unless given.",
        },
    ],
};
static JOB_KERBEROS: Object = Object {
    doc: "The Kerberos identity of the job.",
    open: false,
    fields: &[
        Field {
            name: "principal", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "`name/host@REALM` or `name@REALM`.",
        },
        Field {
            name: "keytab", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "A uri, or `secret:ENV` for a secret of this job.",
        },
    ],
};
static JOB_ALLOW: Object = Object {
    doc: "Accepts that a target refuses a feature.",
    open: false,
    fields: &[
        Field {
            name: "feature", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The feature, as the refusal names it.",
        },
        Field {
            name: "on", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The target; every target unless given.",
        },
        Field {
            name: "because", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "Why that is all right here.",
        },
    ],
};
static JOB_ROLE_IMAGE: Object = Object {
    doc: "The container image.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "`registry/repository:tag@digest`.",
        },
        Field {
            name: "pull", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "missing", doc: "Where the node does not have it." },
                Choice { word: "always", doc: "At each start." },
                Choice { word: "never", doc: "Never: the node must have it." },
            ]),
            doc: "When it is pulled.",
        },
        Field {
            name: "pull-secret", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "The platform's secret that holds the registry's credentials.",
        },
    ],
};
static JOB_ROLE_SECRET: Object = Object {
    doc: "A variable whose value the platform keeps secret. The value is never in the spec.",
    open: false,
    fields: &[
        Field {
            name: "from", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "The platform's secret.",
        },
        Field {
            name: "key", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "The entry of that secret.",
        },
        Field {
            name: "at", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "The file that holds it; the variable then holds this path.",
        },
    ],
};
static JOB_ROLE_RESOURCES_DEVICE: Object = Object {
    doc: "How many of a counted kind.",
    open: false,
    fields: &[
        Field {
            name: "count", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "How many.",
        },
    ],
};
static JOB_ROLE_RESOURCES: Object = Object {
    doc: "What each task gets, reserved and ceiling at once.",
    open: false,
    fields: &[
        Field {
            name: "cpus", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Number(Number::Real { min: Some(0.1), max: Some(10000.0), cores: true }),
            doc: "Cores, in steps of 0.1.",
        },
        Field {
            name: "memory", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Memory, such as `16GiB`.",
        },
        Field {
            name: "gpus", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 1024 }),
            doc: "GPUs. Without it none is visible.",
        },
        Field {
            name: "gpu-model", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "The model, such as `a100`.",
        },
        Field {
            name: "gpu-memory", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Minimum memory of each GPU, as its driver reports it: an A100 with 40 GB reports 40536 MiB, which is less than `40GiB`.",
        },
        Field {
            name: "disk", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "Scratch space of its own.",
        },
        Field {
            name: "shared-memory", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Memory),
            doc: "`/dev/shm`, for data loaders.",
        },
        Field {
            name: "device", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_ROLE_RESOURCES_DEVICE) }),
            doc: "Any other counted kind, such as `rdma/hca`.",
        },
    ],
};
static JOB_ROLE_PORT: Object = Object {
    doc: "A port of each task.",
    open: false,
    fields: &[
        Field {
            name: "number", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::NumberOr(Number::Whole { min: 1, max: 65535 }, &Shape::Words(&[
                Choice { word: "auto", doc: "" },
            ])),
            doc: "A number, or `auto`: a free one is found when the task starts.",
        },
        Field {
            name: "link", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The words under which the platform's page shows it.",
        },
    ],
};
static JOB_ROLE_RESTART: Object = Object {
    doc: "What happens when a task ends badly.",
    open: false,
    fields: &[
        Field {
            name: "on", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "never", doc: "Never." },
                Choice { word: "on-failure", doc: "When it ends with a code other than 0, or its node is lost." },
                Choice { word: "always", doc: "Whenever it ends." },
            ]),
            doc: "When it is started again.",
        },
        Field {
            name: "limit", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "How often at most; without it there is no end.",
        },
        Field {
            name: "within", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "The window in which `limit` counts; the whole job unless given.",
        },
        Field {
            name: "backoff", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "The first pause; each next one is twice as long. Up to a quarter of each is left out by chance, so that tasks which failed together do not come back together.",
        },
        Field {
            name: "max-backoff", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "The longest pause; where it is left out, the target's own, an hour at the most, or `backoff` where that is longer.",
        },
        Field {
            name: "min-uptime", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "A task that lived shorter is broken, not unlucky.",
        },
        Field {
            name: "stalls", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "So many restarts in a row without a newer checkpoint end it.",
        },
        Field {
            name: "scope", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "task", doc: "The task that ended." },
                Choice { word: "job", doc: "Every task." },
            ]),
            doc: "Who restarts, and what `limit` counts: by default the job for collectives, else the task.",
        },
        Field {
            name: "codes", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Number(Number::Whole { min: 1, max: 255 }) }),
            doc: "Only these exit codes.",
        },
    ],
};
static JOB_ROLE_AFTER: Object = Object {
    doc: "Starts only after another role.",
    open: false,
    fields: &[
        Field {
            name: "when", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Text("ready")),
            shape: Shape::Words(&[
                Choice { word: "started", doc: "Its tasks have been started." },
                Choice { word: "ready", doc: "Its tasks are ready." },
                Choice { word: "done", doc: "Its tasks have ended well." },
            ]),
            doc: "What has become of that role by then; `ready` unless given.",
        },
    ],
};
static JOB_ROLE_READY: Object = Object {
    doc: "When a task counts as ready: one of the three.",
    open: false,
    fields: &[
        Field {
            name: "tcp", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PortName),
            doc: "The name of a port that accepts connections.",
        },
        Field {
            name: "http", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PortPath),
            doc: "`PORT-NAME/path` that answers 2xx.",
        },
        Field {
            name: "file", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "A file that exists.",
        },
    ],
};
static JOB_ROLE_PLACE_NODE: Object = Object {
    doc: "The value of a node's attribute.",
    open: false,
    fields: &[
        Field {
            name: "value", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The value; that of a label may be empty.",
        },
    ],
};
static JOB_ROLE_PLACE: Object = Object {
    doc: "Where the tasks may run. All must hold.",
    open: false,
    fields: &[
        Field {
            name: "node", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_ROLE_PLACE_NODE) }),
            doc: "An attribute that the node must have.",
        },
        Field {
            name: "partition", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "A partition of the cluster.",
        },
        Field {
            name: "spread", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "host", doc: "No two on one host." },
                Choice { word: "rack", doc: "No two in one rack." },
            ]),
            doc: "Tasks of the role apart.",
        },
    ],
};
static JOB_ROLE_TARGET_YARN: Object = Object {
    doc: "What a role says of its component.",
    open: false,
    fields: &[
        Field {
            name: "patch", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "JSON or YAML merged into the role's component, after RFC 7386.",
        },
    ],
};
static JOB_ROLE_TARGET_KUBERNETES_TOLERATION: Object = Object {
    doc: "A taint that Pods bear.",
    open: false,
    fields: &[
        Field {
            name: "key", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The taint's key.",
        },
        Field {
            name: "value", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Its value; any unless given.",
        },
        Field {
            name: "effect", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "NoSchedule", doc: "Nothing new is placed." },
                Choice { word: "PreferNoSchedule", doc: "Rather not." },
                Choice { word: "NoExecute", doc: "What runs is evicted." },
            ]),
            doc: "Its effect; every one unless given.",
        },
        Field {
            name: "seconds", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 4294967295 }),
            doc: "For how many seconds, with `NoExecute`; for ever unless given.",
        },
    ],
};
static JOB_ROLE_TARGET_KUBERNETES: Object = Object {
    doc: "What a role says of its Pods. What the job says holds for each role that does not say it; annotations and tolerations are those of both.",
    open: false,
    fields: &[
        Field {
            name: "priority", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The Pods' priority class.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The Pods' service account.",
        },
        Field {
            name: "annotations", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Annotations of the Pods.",
        },
        Field {
            name: "toleration", place: Place::List, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Object(&JOB_ROLE_TARGET_KUBERNETES_TOLERATION) }),
            doc: "A taint that the Pods bear.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON that is merged into the role's replica spec.",
        },
    ],
};
static JOB_ROLE_TARGET_DCOS: Object = Object {
    doc: "What a role says of DC/OS.",
    open: false,
    fields: &[
        Field {
            name: "disk-type", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "ROOT", doc: "A share of the agent's disk." },
                Choice { word: "MOUNT", doc: "A disk of its own, prepared by the operator." },
            ]),
            doc: "Package: `ROOT`, a share of the agent's disk, or `MOUNT`, a disk of its own.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON merged into each app of the role, or into the role's part of the package's options.",
        },
    ],
};
static JOB_ROLE_TARGET_SPARK: Object = Object {
    doc: "A role has no words of its own: all executors of a job are alike.",
    open: false,
    fields: &[
    ],
};
static JOB_ROLE_TARGET_LOCAL: Object = Object {
    doc: "A role has no words of its own either.",
    open: false,
    fields: &[
    ],
};
static JOB_ROLE_TARGET: Object = Object {
    doc: "Words of one platform, typed by that target.",
    open: false,
    fields: &[
        Field {
            name: "yarn", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_YARN),
            doc: "What a role says of its component.",
        },
        Field {
            name: "kubernetes", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_KUBERNETES),
            doc: "What a role says of its Pods. What the job says holds for each role that does not say it; annotations and tolerations are those of both.",
        },
        Field {
            name: "dcos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_DCOS),
            doc: "What a role says of DC/OS.",
        },
        Field {
            name: "spark", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_SPARK),
            doc: "A role has no words of its own: all executors of a job are alike.",
        },
        Field {
            name: "local", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET_LOCAL),
            doc: "A role has no words of its own either.",
        },
    ],
};
static JOB_ROLE: Object = Object {
    doc: "Tasks that do the same work.",
    open: false,
    fields: &[
        Field {
            name: "count", place: Place::Prop, required: false, inherited: true, default: Some(Preset::Whole(1)),
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "How many tasks.",
        },
        Field {
            name: "min", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "The job starts, and goes on, with that many.",
        },
        Field {
            name: "image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_IMAGE),
            doc: "The container image.",
        },
        Field {
            name: "run", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 1, item: Shape::Text(Grammar::Text) }),
            doc: "The program and its arguments, without a shell. The task ends when the program does: processes that it leaves get TERM.",
        },
        Field {
            name: "shell", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Text for `/bin/sh -ec`, verbatim: no references, but variables such as `$TFJOB_INDEX`.",
        },
        Field {
            name: "workdir", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Where the program starts: a path or a reference. By default `{code}` if there is code, else the directory of the image; some targets start it in a directory of the container, and say so.",
        },
        Field {
            name: "env", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Text(Grammar::Text) }),
            doc: "Environment variables.",
        },
        Field {
            name: "secret", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Object(&JOB_ROLE_SECRET) }),
            doc: "A variable whose value the platform keeps secret.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::NumberOr(Number::Whole { min: 0, max: 4294967295 }, &Shape::Text(Grammar::UserName)),
            doc: "Who the program runs as: a name or a number.",
        },
        Field {
            name: "resources", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESOURCES),
            doc: "What each task gets, reserved and ceiling at once.",
        },
        Field {
            name: "port", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_PORT) }),
            doc: "A port of each task. `cluster` is the rendezvous, 2222 unless given.",
        },
        Field {
            name: "restart", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESTART),
            doc: "What happens when a task ends badly. Without it nothing is restarted.",
        },
        Field {
            name: "after", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_AFTER) }),
            doc: "Starts only after another role.",
        },
        Field {
            name: "ready", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_READY),
            doc: "When a task counts as ready.",
        },
        Field {
            name: "place", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_PLACE),
            doc: "Where the tasks may run. All must hold.",
        },
        Field {
            name: "target", place: Place::Targets, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_TARGET),
            doc: "Words of one platform, typed by that target.",
        },
    ],
};
static JOB_TARGET_YARN: Object = Object {
    doc: "What a job says of the cluster. Whatever is not said is taken as it would be worst.",
    open: false,
    fields: &[
        Field {
            name: "hadoop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "The release of Hadoop, such as `3.3.6` or `3.3`; 3.1.2, the oldest that is supported, unless given.",
        },
        Field {
            name: "queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The queue; the cluster's default unless given.",
        },
        Field {
            name: "dns-domain", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The domain of the registry's DNS, as `hadoop.registry.dns.domain-name` has it. Tasks find each other by it.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The user who submits the job, as DNS writes it; whoever it is unless given.",
        },
        Field {
            name: "default-fs", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The cluster's default file system, such as `hdfs://nn1`: what lies there is not copied before it is used.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Where the shim lies on the default file system; a step puts it there unless given.",
        },
        Field {
            name: "docker-config", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "A `config.json` of Docker on the default file system, with the registry's credentials for every image of the job.",
        },
        Field {
            name: "mounted", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Path) }),
            doc: "Where each node has a shared file system mounted: `mounted { \"nfs://filer/export\" \"/mnt/filer\" }`.",
        },
        Field {
            name: "placement-constraints", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "The cluster handles placement constraints: `yarn.resourcemanager.placement-constraints.handler` is `scheduler` or `placement-processor`.",
        },
        Field {
            name: "gpu-attribute", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The attribute in which nodes name the model of their GPUs, such as `nm.yarn.io/gpu-model`.",
        },
        Field {
            name: "resource-manager", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The web address of the resource manager, such as `http://rm:8088`: a job with constraints is posted to it.",
        },
        Field {
            name: "kill-delay", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "How long a node waits between SIGTERM and the kill: `yarn.nodemanager.sleep-delay-before-sigkill.ms`, a quarter of a second unless given.",
        },
        Field {
            name: "keep-delay", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "How long a node keeps what containers leave: `yarn.nodemanager.delete.debug-delay-sec`. Docker's own stay as long where the node grants it: `yarn.nodemanager.runtime.linux.docker.delayed-removal.allowed`. Neither unless given.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: false, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "JSON or YAML merged into the service, after RFC 7386.",
        },
    ],
};
static JOB_TARGET_KUBERNETES_CSI: Object = Object {
    doc: "A driver of the container storage interface that makes a volume for each Pod (`volumeLifecycleModes: Ephemeral`).",
    open: false,
    fields: &[
        Field {
            name: "driver", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The driver, such as `gcsfuse.csi.storage.gke.io`, which also needs `annotations { \"gke-gcsfuse/volumes\" \"true\"; }`.",
        },
        Field {
            name: "attributes", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "The driver's own words, such as `bucketName \"{host}\"`. `{host}` and `{path}` are the uri's; where no word has `{path}`, that folder of the volume is mounted.",
        },
    ],
};
static JOB_TARGET_KUBERNETES: Object = Object {
    doc: "What a job says of its cluster.",
    open: false,
    fields: &[
        Field {
            name: "namespace", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The namespace; `default` unless given. Every address holds it, so it is always written.",
        },
        Field {
            name: "queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kueue's queue in that namespace; with `gang \"volcano\"` Volcano's. Kueue must manage TFJobs: `kubeflow.org/tfjob` in its `integrations.frameworks`, which is off by default since Kueue 0.19.",
        },
        Field {
            name: "gang", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "volcano", doc: "Volcano." },
                Choice { word: "scheduler-plugins", doc: "The coscheduling plugin of scheduler-plugins, under whatever name it runs." },
            ]),
            doc: "The gang scheduler that the cluster's operator was started with.",
        },
        Field {
            name: "priority", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The priority class of the Pods, TensorBoard's among them.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The Pods' service account.",
        },
        Field {
            name: "annotations", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Annotations of the job, its Pods and TensorBoard's Pod.",
        },
        Field {
            name: "toleration", place: Place::List, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Object(&JOB_ROLE_TARGET_KUBERNETES_TOLERATION) }),
            doc: "A taint that the Pods bear, TensorBoard's among them.",
        },
        Field {
            name: "gpu-resource", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The resource that counts GPUs; `nvidia.com/gpu` unless given.",
        },
        Field {
            name: "gpu-model-label", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The label of nodes that holds their GPUs' model, such as `nvidia.com/gpu.product`.",
        },
        Field {
            name: "gpu-models", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "The values of that label by the job's words: `a100 \"NVIDIA-A100-SXM4-80GB\"`. Others stand for themselves.",
        },
        Field {
            name: "gpu-memory-label", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The label of nodes that holds their GPUs' memory in MiB, such as `nvidia.com/gpu.memory`: a few percent less than the size in the product's name.",
        },
        Field {
            name: "rack-label", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The label of nodes that holds their rack.",
        },
        Field {
            name: "csi", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Object(&JOB_TARGET_KUBERNETES_CSI) }),
            doc: "A driver that mounts uris of that scheme inline: `hdfs`, `viewfs`, `s3`, `s3a`, `gs`, `abfs`.",
        },
        Field {
            name: "fs-group", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 4294967295 }),
            doc: "The group that owns volumes, where the driver supports it.",
        },
        Field {
            name: "restricted", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether the namespace enforces the `restricted` Pod security standard.",
        },
        Field {
            name: "stage-image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Image),
            doc: "The image that fetches `code` and `stage`, but for `hdfs:` and `viewfs:`; each role's own unless given.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "Where the image holds the shim; unless given it comes from a ConfigMap.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: false, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON that is merged into the TFJob.",
        },
    ],
};
static JOB_TARGET_DCOS_SERVICE_ACCOUNT: Object = Object {
    doc: "Package: the account that the scheduler uses.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Its name.",
        },
        Field {
            name: "secret", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The secret with its key; needed where the cluster authenticates services.",
        },
    ],
};
static JOB_TARGET_DCOS_KDC: Object = Object {
    doc: "Package: the Kerberos key distribution centre.",
    open: false,
    fields: &[
        Field {
            name: "host", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Its host.",
        },
        Field {
            name: "port", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 65535 }),
            doc: "Its port; 88 unless given.",
        },
    ],
};
static JOB_TARGET_DCOS: Object = Object {
    doc: "What a job says of DC/OS.",
    open: false,
    fields: &[
        Field {
            name: "as", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "package", doc: "`options.json` for the package `beta-tensorflow`." },
                Choice { word: "marathon", doc: "`marathon.json`: a group of apps." },
            ]),
            doc: "What is written: the options of the TensorFlow package, or Marathon apps. The package where `module` is given, else Marathon.",
        },
        Field {
            name: "version", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "The version of DC/OS, such as `2.1`; unstated it counts as 1.10.",
        },
        Field {
            name: "enterprise", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether it is the Enterprise edition, which has a secret store.",
        },
        Field {
            name: "group", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The folder of services in which the job is installed, such as `/ml`; the root unless given.",
        },
        Field {
            name: "module", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Package: the module whose `main(server, log_dir, context)` each task calls, without `.py`.",
        },
        Field {
            name: "job-path", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Package: the folder of the module inside the unpacked code.",
        },
        Field {
            name: "hdfs-config", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Package: where `core-site.xml` and `hdfs-site.xml` are served, for `hdfs:` uris.",
        },
        Field {
            name: "gcs-key-secret", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Package: whether the secret `gcs_key`, which cannot have another name, opens `gs:` uris.",
        },
        Field {
            name: "region", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Package: the region in which all tasks run; the masters' own unless given.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS_SERVICE_ACCOUNT),
            doc: "Package: the account that the scheduler uses.",
        },
        Field {
            name: "kdc", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS_KDC),
            doc: "Package: the Kerberos key distribution centre.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Marathon: where agents fetch the shim, if a task needs it.",
        },
        Field {
            name: "gpu-model-attribute", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Marathon: the agents' attribute that holds the model of their GPUs.",
        },
        Field {
            name: "patch", place: Place::Child, required: false, inherited: false, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YAML or JSON merged into the whole: the group of apps, or the package's options.",
        },
    ],
};
static JOB_TARGET_SPARK_FEED: Object = Object {
    doc: "What Spark feeds to chief and workers, with `input \"spark\"`.",
    open: false,
    fields: &[
        Field {
            name: "data", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The name of a `data` of the job. In its address `*` and `?` match any characters, as in all paths of Spark's readers.",
        },
        Field {
            name: "format", place: Place::Prop, required: true, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "csv", doc: "Each row is a list of texts. A line is a row: no value holds the end of a line." },
                Choice { word: "json", doc: "Each row is a list of values, in the alphabetical order of the keys." },
                Choice { word: "parquet", doc: "Each row is a list of values." },
                Choice { word: "orc", doc: "Each row is a list of values." },
                Choice { word: "text", doc: "Each row is a line." },
            ]),
            doc: "How its rows are written. A row of `json` has its values in the alphabetical order of the keys; a row of `csv` ends with its line, also between quotes.",
        },
        Field {
            name: "epochs", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 1, max: 10000 }),
            doc: "How often all rows are fed; once unless given.",
        },
        Field {
            name: "header", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Flag,
            doc: "Whether a csv file begins with the names of its columns.",
        },
        Field {
            name: "timeout", place: Place::Prop, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Duration),
            doc: "How long a task may take to read one partition; `10m` unless given.",
        },
    ],
};
static JOB_TARGET_SPARK: Object = Object {
    doc: "Spark with `TensorFlowOnSpark` 2.",
    open: false,
    fields: &[
        Field {
            name: "master", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "`yarn`, `spark://HOST:PORT` or `k8s://https://HOST:PORT`; `yarn` unless given.",
        },
        Field {
            name: "deploy-mode", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "cluster", doc: "Beside the executors." },
                Choice { word: "client", doc: "On the host that submits." },
            ]),
            doc: "Where the driver runs; `cluster` unless given, on a standalone master `client`.",
        },
        Field {
            name: "spark", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "Spark's version, such as `3.5`: the driver refuses to start on another. Unstated counts as 3.1.",
        },
        Field {
            name: "tfos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Version),
            doc: "The version of `TensorFlowOnSpark`, such as `2.2.5`: the driver refuses to start with another.",
        },
        Field {
            name: "python", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The Python of driver and executors, 3.6 or newer, with `TensorFlowOnSpark` in it: an absolute path, the name of a `stage` that is a virtual environment, or a path below one such as `{stage.env}/bin/python3`. Unless given, the Python below a `stage` or the `code` that the job runs or activates, else `python3`. In client mode the host that submits runs the driver: by the same absolute path where executors have no containers, else by its own `python3`.",
        },
        Field {
            name: "input", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "tensorflow", doc: "The program." },
                Choice { word: "spark", doc: "Spark, which feeds its rows to the program." },
            ]),
            doc: "Who reads the data; `tensorflow` unless given.",
        },
        Field {
            name: "feed", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_SPARK_FEED),
            doc: "What Spark feeds to chief and workers, with `input \"spark\"`.",
        },
        Field {
            name: "shim", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Where the host that submits has `tfjob-shim`, or its uri; beside the script unless given.",
        },
        Field {
            name: "gpu-discovery", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Path),
            doc: "The program of each node that prints the GPUs of an executor as Spark wants them; unless given, one that comes with the job (YARN) or with Spark's own image (Kubernetes).",
        },
        Field {
            name: "queue", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "YARN: the queue.",
        },
        Field {
            name: "priority", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Number(Number::Whole { min: 0, max: 2147483647 }),
            doc: "YARN: the priority in the queue, higher first.",
        },
        Field {
            name: "namespace", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kubernetes: the namespace.",
        },
        Field {
            name: "service-account", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kubernetes: the service account of the driver, which makes the executors' pods.",
        },
        Field {
            name: "upload", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Uri),
            doc: "Kubernetes: a folder that submitter and driver share, where spark-submit puts the job's files.",
        },
        Field {
            name: "gpu-vendor", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Kubernetes: who makes the GPUs; `nvidia.com` unless given.",
        },
        Field {
            name: "conf", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Spark's own settings: none that follow from the job.",
        },
    ],
};
static JOB_TARGET_LOCAL: Object = Object {
    doc: "Processes on this machine.",
    open: false,
    fields: &[
    ],
};
static JOB_TARGET: Object = Object {
    doc: "Words of one platform, typed by that target.",
    open: false,
    fields: &[
        Field {
            name: "yarn", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_YARN),
            doc: "What a job says of the cluster. Whatever is not said is taken as it would be worst.",
        },
        Field {
            name: "kubernetes", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_KUBERNETES),
            doc: "What a job says of its cluster.",
        },
        Field {
            name: "dcos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_DCOS),
            doc: "What a job says of DC/OS.",
        },
        Field {
            name: "spark", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_SPARK),
            doc: "Spark with `TensorFlowOnSpark` 2.",
        },
        Field {
            name: "local", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET_LOCAL),
            doc: "Processes on this machine.",
        },
    ],
};
static JOB: Object = Object {
    doc: "A training job: its roles, what they read and write, and how they end.",
    open: false,
    fields: &[
        Field {
            name: "name", place: Place::Arg, required: true, inherited: true, default: None,
            shape: Shape::Text(Grammar::Name),
            doc: "The name: a DNS label, unique where it runs.",
        },
        Field {
            name: "description", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "What the job is for, in words.",
        },
        Field {
            name: "labels", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Filled, item: Shape::Text(Grammar::Text) }),
            doc: "Labels that the platform shows and filters by.",
        },
        Field {
            name: "framework", place: Place::Child, required: true, inherited: true, default: None,
            shape: Shape::Object(&JOB_FRAMEWORK),
            doc: "The library that the program is written for, and how it distributes the work.",
        },
        Field {
            name: "code", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_CODE),
            doc: "The program: an archive, a folder or a script, in the folder that `{code}` names.",
        },
        Field {
            name: "stage", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_STAGE) }),
            doc: "Something copied into every task, such as a virtual environment. Archives are unpacked (`.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`); all other files are copied as they are.",
        },
        Field {
            name: "data", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_DATA) }),
            doc: "Training data. `{data.NAME}` is where it is.",
        },
        Field {
            name: "checkpoints", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_CHECKPOINTS),
            doc: "Where the program keeps its state. What exists there is resumed.",
        },
        Field {
            name: "hadoop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_HADOOP),
            doc: "Hadoop in the image, for programs that read `hdfs:` through libhdfs.",
        },
        Field {
            name: "protocol", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "grpc", doc: "What every TensorFlow has." },
                Choice { word: "grpc+verbs", doc: "Custom builds only: InfiniBand verbs." },
                Choice { word: "grpc+gdr", doc: "Custom builds only: GPU direct." },
                Choice { word: "grpc+mpi", doc: "Custom builds only: MPI." },
                Choice { word: "grpc_rdma", doc: "Custom builds only: the older fork's RDMA." },
            ]),
            doc: "How TensorFlow's tasks talk: `grpc`, or one that a custom build adds.",
        },
        Field {
            name: "param", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::ParamName, item: Shape::Object(&JOB_PARAM) }),
            doc: "A value that `--set param.NAME=VALUE` can change. `{param.NAME}` is its text.",
        },
        Field {
            name: "start", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_START),
            doc: "How the tasks start.",
        },
        Field {
            name: "stop", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_STOP),
            doc: "How the tasks stop.",
        },
        Field {
            name: "deadline", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::PositiveDuration),
            doc: "How long the job may take, from the first task's start.",
        },
        Field {
            name: "success", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Words(&[
                Choice { word: "chief", doc: "The chief's; worker 0's where there is none." },
                Choice { word: "workers", doc: "Every worker's, the chief included." },
                Choice { word: "all", doc: "Every task's." },
            ]),
            doc: "Whose success is the job's: by default the chief's for parameter servers and estimators, else the workers'.",
        },
        Field {
            name: "keep", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_KEEP),
            doc: "Which containers stay after the end, for their logs.",
        },
        Field {
            name: "tensorboard", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TENSORBOARD),
            doc: "A TensorBoard beside the job, with the variables and secrets that every role has alike.",
        },
        Field {
            name: "network", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Filled),
            doc: "`host`, or the name of one of the platform's container networks.",
        },
        Field {
            name: "kerberos", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_KERBEROS),
            doc: "The Kerberos identity of the job.",
        },
        Field {
            name: "allow", place: Place::List, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 0, item: Shape::Object(&JOB_ALLOW) }),
            doc: "Accepts by name that a target refuses a feature: the refusal becomes a warning.",
        },
        Field {
            name: "role", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE) }),
            doc: "Tasks that do the same work, by the framework's word for it.",
        },
        Field {
            name: "helper", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE) }),
            doc: "A role outside the rendezvous, such as a notebook. It ends with the job.",
        },
        Field {
            name: "image", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_IMAGE),
            doc: "The container image.",
        },
        Field {
            name: "run", place: Place::Args, required: false, inherited: true, default: None,
            shape: Shape::List(&List { min: 1, item: Shape::Text(Grammar::Text) }),
            doc: "The program and its arguments, without a shell. The task ends when the program does: processes that it leaves get TERM.",
        },
        Field {
            name: "shell", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Text for `/bin/sh -ec`, verbatim: no references, but variables such as `$TFJOB_INDEX`.",
        },
        Field {
            name: "workdir", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "Where the program starts: a path or a reference. By default `{code}` if there is code, else the directory of the image; some targets start it in a directory of the container, and say so.",
        },
        Field {
            name: "env", place: Place::Pairs, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Text(Grammar::Text) }),
            doc: "Environment variables.",
        },
        Field {
            name: "secret", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::EnvName, item: Shape::Object(&JOB_ROLE_SECRET) }),
            doc: "A variable whose value the platform keeps secret.",
        },
        Field {
            name: "user", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::NumberOr(Number::Whole { min: 0, max: 4294967295 }, &Shape::Text(Grammar::UserName)),
            doc: "Who the program runs as: a name or a number.",
        },
        Field {
            name: "resources", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESOURCES),
            doc: "What each task gets, reserved and ceiling at once.",
        },
        Field {
            name: "port", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_PORT) }),
            doc: "A port of each task. `cluster` is the rendezvous, 2222 unless given.",
        },
        Field {
            name: "restart", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_RESTART),
            doc: "What happens when a task ends badly. Without it nothing is restarted.",
        },
        Field {
            name: "after", place: Place::Named, required: false, inherited: true, default: None,
            shape: Shape::Keyed(&Keyed { keys: Grammar::Name, item: Shape::Object(&JOB_ROLE_AFTER) }),
            doc: "Starts only after another role.",
        },
        Field {
            name: "ready", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_READY),
            doc: "When a task counts as ready.",
        },
        Field {
            name: "place", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_ROLE_PLACE),
            doc: "Where the tasks may run. All must hold.",
        },
        Field {
            name: "target", place: Place::Targets, required: false, inherited: true, default: None,
            shape: Shape::Object(&JOB_TARGET),
            doc: "Words of one platform, typed by that target.",
        },
    ],
};
static FILE: Object = Object {
    doc: "A file: one job, maybe built on another file.",
    open: false,
    fields: &[
        Field {
            name: "extends", place: Place::Child, required: false, inherited: true, default: None,
            shape: Shape::Text(Grammar::Text),
            doc: "The file that this one extends, relative to it; it stands before `job`. What stands here replaces what stands there: `job`, `role`, `helper`, `target` and blocks of names and values, such as `env`, merge entry by entry, any other block is replaced whole.",
        },
        Field {
            name: "job", place: Place::Child, required: true, inherited: true, default: None,
            shape: Shape::Object(&JOB),
            doc: "The job.",
        },
    ],
};
