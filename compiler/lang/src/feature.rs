//! The names of what can be asked: the words of `allow`, of the capability table and of `tfjob explain`.
use crate::ask::Ask;

/// Declares every feature once: its variant, its name and what it is.
macro_rules! features {
    ($($variant:ident $name:literal $doc:literal;)*) => {
        /// A kind of ask.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature { $(#[doc = $doc] $variant,)* }

        impl Feature {
            /// Every feature, in the order of the capability table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name that `allow` and `tfjob explain` take.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it is, in one sentence.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }

        impl From<&Ask> for Feature {
            fn from(ask: &Ask) -> Self {
                match ask { $(Ask::$variant { .. } => Self::$variant,)* }
            }
        }
    };
}

features! {
    JobName "job-name" "The job's name, as the platform shows it.";
    Description "description" "Words about the job.";
    Label "label" "A label that the platform shows and filters by.";
    Framework "framework" "The framework, its version and strategy.";
    Role "role" "A role of the rendezvous, with its number of tasks.";
    Evaluator "evaluator" "TensorFlow's evaluator, which stands in its own TF_CONFIG only.";
    Helper "helper" "A role outside the rendezvous that ends with the job.";
    Min "min" "A job that starts, and goes on, with fewer tasks.";
    Image "image" "A container image.";
    NoImage "no-image" "No image: the node's own software.";
    Pull "pull" "When the image is pulled.";
    PullSecret "pull-secret" "The registry's credentials.";
    Run "run" "A program and its words, no shell.";
    Shell "shell" "Text for a shell.";
    Workdir "workdir" "Where the program starts.";
    Env "env" "A variable.";
    SecretEnv "secret-env" "A variable whose value is secret.";
    SecretFile "secret-file" "A file whose content is secret.";
    User "user" "Who the program runs as.";
    Cpus "cpus" "Cores, in steps of 0.1.";
    Memory "memory" "Memory.";
    Gpus "gpus" "Whole GPUs.";
    GpuModel "gpu-model" "The GPUs' model.";
    GpuMemory "gpu-memory" "The GPUs' memory.";
    Disk "disk" "Scratch space.";
    SharedMemory "shared-memory" "The size of /dev/shm.";
    Device "device" "Another counted kind.";
    Port "port" "A port of each task, fixed or automatic.";
    PortLink "port-link" "A port that the platform's page shows.";
    Restart "restart" "What brings back a process, a container or a node's task.";
    After "after" "Start order.";
    Ready "ready" "When a task counts as ready.";
    PlaceNode "place-node" "A node's attribute.";
    PlacePartition "place-partition" "A partition of the cluster.";
    PlaceSpread "place-spread" "Tasks on different hosts or racks.";
    Code "code" "The program, unpacked where the task starts.";
    Stage "stage" "Something copied into every task.";
    DataUri "data-uri" "Data that the program opens by its uri.";
    DataMount "data-mount" "Data whose files appear at a path.";
    CheckpointsUri "checkpoints-uri" "State that the program reads and writes by its uri.";
    CheckpointsMount "checkpoints-mount" "State whose files appear at a path.";
    CheckpointsEvery "checkpoints-every" "How often the program writes its state.";
    CheckpointsFresh "checkpoints-fresh" "A job that does not start on old state.";
    Scratch "scratch" "A folder of the task's own.";
    Done "done" "A file by which the program says that its work is done.";
    Hadoop "hadoop" "Hadoop's environment for libhdfs.";
    Protocol "protocol" "How TensorFlow's tasks talk.";
    StartTimeout "start-timeout" "How long peers may take to appear.";
    Gang "gang" "All tasks start, or none.";
    StopGrace "stop-grace" "The time between SIGTERM and the kill.";
    Deadline "deadline" "How long the job may take.";
    Success "success" "Whose success is the job's.";
    EndOfJob "end-of-job" "Servers, evaluators and helpers stop when the job is done.";
    Keep "keep" "Which containers stay after the end.";
    Tensorboard "tensorboard" "A TensorBoard beside the job.";
    HostNetwork "host-network" "The node's network.";
    Network "network" "A container network of the platform.";
    Kerberos "kerberos" "The Kerberos identity of the job.";
    Patch "patch" "Text merged into the platform's own object.";
}

impl Feature {
    /// The feature of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|f| f.name() == name)
    }
}
