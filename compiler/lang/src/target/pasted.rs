//! Documents and command lines of other systems that users paste into a spec by mistake.

/// A document or command line that users paste instead of a job spec, and how to recognize it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pasted {
    /// Noun phrase for the document or command line, with an article, such as `a pod manifest`.
    pub what: &'static str,
    /// Keys that identify the document, in any format. All of them must occur. Empty for a command line.
    pub keys: &'static [&'static str],
    /// Programs that the command line starts. Empty for a document.
    pub programs: &'static [&'static str],
    /// Fields of the document, each with its equivalent in a spec, such as `("replicas", "role \"worker\" count=4")`.
    pub fields: &'static [(&'static str, &'static str)],
}

/// Command lines that belong to no target.
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
