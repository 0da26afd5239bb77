//! The names of what can be asked: the words of `allow`, of the capability table and of `tfjob explain`.
use crate::ask::{Ask, Identity, Job, Lifecycle, Network, Placement, Program, Resources, Storage};

/// Declares every feature once: its variant, its name and what it is.
macro_rules! features {
    ($($variant:ident = $area:ident::$ask:ident $name:literal $doc:literal;)*) => {
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
                match ask { $(Ask::$area($area::$ask { .. }) => Self::$variant,)* }
            }
        }
    };
}

features! {
    JobName = Job::Name "job-name" "The job's name, as the platform shows it.";
    Description = Job::Description "description" "Words about the job.";
    Label = Job::Label "label" "A label that the platform shows and filters by.";
    Framework = Job::Framework "framework" "The framework, its version and strategy.";
    Role = Job::Role "role" "A role of the rendezvous, with its number of tasks.";
    Evaluator = Job::Evaluator "evaluator" "TensorFlow's evaluator, which stands in its own TF_CONFIG only.";
    Helper = Job::Helper "helper" "A role outside the rendezvous that ends with the job.";
    Min = Job::Min "min" "A job that starts, and goes on, with fewer tasks.";
    Image = Program::Image "image" "A container image.";
    NoImage = Program::NoImage "no-image" "No image: the node's own software.";
    Pull = Program::Pull "pull" "When the image is pulled.";
    PullSecret = Identity::PullSecret "pull-secret" "The registry's credentials.";
    Run = Program::Run "run" "A program and its words, no shell.";
    Shell = Program::Shell "shell" "Text for a shell.";
    Workdir = Program::Workdir "workdir" "Where the program starts.";
    Env = Program::Env "env" "A variable.";
    SecretEnv = Identity::SecretEnv "secret-env" "A variable whose value is secret.";
    SecretFile = Identity::SecretFile "secret-file" "A file whose content is secret.";
    User = Identity::User "user" "Who the program runs as.";
    Cpus = Resources::Cpus "cpus" "Cores, in steps of 0.1.";
    Memory = Resources::Memory "memory" "Memory.";
    Gpus = Resources::Gpus "gpus" "Whole GPUs.";
    GpuModel = Resources::GpuModel "gpu-model" "The GPUs' model.";
    GpuMemory = Resources::GpuMemory "gpu-memory" "The GPUs' memory.";
    Disk = Resources::Disk "disk" "Scratch space.";
    SharedMemory = Resources::SharedMemory "shared-memory" "The size of /dev/shm.";
    Device = Resources::Device "device" "Another counted kind.";
    Port = Network::Port "port" "A port of each task, fixed or automatic.";
    PortLink = Network::PortLink "port-link" "A port that the platform's page shows.";
    Restart = Lifecycle::Restart "restart" "What brings back a process, a container or a node's task.";
    After = Lifecycle::After "after" "Start order.";
    Ready = Lifecycle::Ready "ready" "When a task counts as ready.";
    PlaceNode = Placement::Node "place-node" "A node's attribute.";
    PlacePartition = Placement::Partition "place-partition" "A partition of the cluster.";
    PlaceSpread = Placement::Spread "place-spread" "Tasks on different hosts or racks.";
    Code = Storage::Code "code" "The program, unpacked where the task starts.";
    Stage = Storage::Stage "stage" "Something copied into every task.";
    DataUri = Storage::DataUri "data-uri" "Data that the program opens by its uri.";
    DataMount = Storage::DataMount "data-mount" "Data whose files appear at a path.";
    CheckpointsUri = Storage::CheckpointsUri "checkpoints-uri" "State that the program reads and writes by its uri.";
    CheckpointsMount = Storage::CheckpointsMount "checkpoints-mount" "State whose files appear at a path.";
    CheckpointsEvery = Storage::CheckpointsEvery "checkpoints-every" "How often the program writes its state.";
    CheckpointsFresh = Storage::CheckpointsFresh "checkpoints-fresh" "A job that does not start on old state.";
    Scratch = Storage::Scratch "scratch" "A folder of the task's own.";
    Done = Lifecycle::Done "done" "A file by which the program says that its work is done.";
    Hadoop = Program::Hadoop "hadoop" "Hadoop's environment for libhdfs.";
    Protocol = Network::Protocol "protocol" "How TensorFlow's tasks talk.";
    StartTimeout = Lifecycle::StartTimeout "start-timeout" "How long peers may take to appear.";
    Gang = Lifecycle::Gang "gang" "All tasks start, or none.";
    StopGrace = Lifecycle::StopGrace "stop-grace" "The time between SIGTERM and the kill.";
    Deadline = Lifecycle::Deadline "deadline" "How long the job may take.";
    Success = Lifecycle::Success "success" "Whose success is the job's.";
    EndOfJob = Lifecycle::EndOfJob "end-of-job" "Servers, evaluators and helpers stop when the job is done.";
    Keep = Lifecycle::Keep "keep" "Which containers stay after the end.";
    Tensorboard = Job::Tensorboard "tensorboard" "A TensorBoard beside the job.";
    HostNetwork = Network::Host "host-network" "The node's network.";
    Network = Network::Container "network" "A container network of the platform.";
    Kerberos = Identity::Kerberos "kerberos" "The Kerberos identity of the job.";
    Patch = Job::Patch "patch" "Text merged into the platform's own object.";
}

impl Feature {
    /// The feature of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|f| f.name() == name)
    }
}
