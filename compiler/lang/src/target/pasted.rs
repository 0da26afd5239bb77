//! Documents and command lines of other systems, as data of the targets.

/// What people paste where a job spec is due, and how to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pasted {
    /// What it is, with its article: `a pod manifest`.
    pub what: &'static str,
    /// The keys that all stand in such a document, in whatever format; none for a command line.
    pub keys: &'static [&'static str],
    /// The programs that such a command line starts; none for a document.
    pub programs: &'static [&'static str],
    /// Its words, and what stands for each in a spec: `("replicas", "role \"worker\" count=4")`.
    pub fields: &'static [(&'static str, &'static str)],
}

/// Command lines that belong to no platform.
pub(crate) const COMMANDS: Pasted = Pasted {
    what: "a command line",
    keys: &[],
    programs: &[
        "docker",
        "podman",
        "python",
        "python3",
        "torchrun",
        "horovodrun",
        "mpirun",
        "sbatch",
        "srun",
    ],
    fields: &[
        ("--gpus", "resources cpus=4 memory=\"16GiB\" gpus=1"),
        ("--memory", "resources cpus=4 memory=\"16GiB\""),
        ("-e", "env { LOG_LEVEL \"info\" }"),
        ("-v", "data \"train\" \"nfs://filer.example.com/train\" at=\"/data\""),
        ("python", "run \"python\" \"train.py\""),
        ("python3", "run \"python3\" \"train.py\""),
    ],
};
