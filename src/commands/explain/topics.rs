//! Terms that are not keywords of the spec: terms of the documentation, and names of other systems.

/// A topic: its names and its explanation. The overview lists only the first name.
type Topic = (&'static [&'static str], &'static str);

/// The topics.
const TOPICS: &[Topic] = &[
    (
        &["contract"],
        "The job contract is the compiled job as a JSON document. `tfjob compile` writes it as a file or an environment variable. \
         `tfjob-shim` reads it in each task. The contract contains the arguments, the environment variables, and the restart rules \
         of each role. Details: docs/shim.md.",
    ),
    (
        &["diff", "effect", "in-place", "recreate", "rejected"],
        "`tfjob diff` shows what changes between two versions of a job, and the effect on a submitted job: *in place* (no task restarts), \
         *restart* (the platform restarts tasks), *recreate* (running tasks keep the old values: delete the job and submit it again), \
         or *rejected* (the platform refuses the change). Details: docs/updates.md.",
    ),
    (
        &["exit-codes", "exit-code"],
        "Exit codes of `tfjob`: 0 success, 1 errors in a spec (with `--deny-warnings` also warnings, except `allowed-feature`), 2 usage or I/O error. `tfjob \
         run` exits with the exit code of the job: 0 if the job succeeds, otherwise the exit code of the task that failed, or 128 \
         plus the number of the signal that stopped the run. Details: docs/run.md.",
    ),
    (
        &["gitops", "argo-cd", "argo", "flux"],
        "In a GitOps repository, specs and their rendered manifests are in Git, and a tool such as Argo CD or Flux applies the manifests. \
         `tfjob explain argocd` describes the option for Argo CD. Details: docs/gitops.md.",
    ),
    (
        &["kdl"],
        "KDL is the document language of specs (`*.tfjob.kdl`): an entry is a name, arguments, properties, and a block in braces, \
         such as `role \"worker\" count=4 { … }`. Specs can also be JSON or YAML. Details: docs/formats.md.",
    ),
    (
        &["kueue"],
        "Kueue admits jobs to a Kubernetes cluster by queue. `target \"kubernetes\" { local-queue \"NAME\"; }` names the LocalQueue of \
         the job.",
    ),
    (
        &["rendezvous"],
        "The rendezvous is the step in which the tasks of a job find and connect to each other. Each task that takes part listens on \
         the port `rendezvous`, 2222 unless `port \"rendezvous\"` sets another one. The framework reads the addresses of all tasks \
         from environment variables, for example TensorFlow from `TF_CONFIG`.",
    ),
    (
        &["--set"],
        "`--set KEY=VALUE` replaces one field of the spec. The key is the path of the field in the job, such as \
         `role.worker.count=8`, `image=ml/mnist:1.1`, `param.lr=0.1`, or `target.kubernetes.namespace=ml`. `tfjob explain set` \
         describes the same settings in a project file.",
    ),
    (
        &["shim"],
        "`tfjob-shim` is a static program that starts and supervises the program of one task in its container. It writes the \
         environment variables of the framework, waits for peers, restarts the program, and repairs checkpoints. `tfjob compile` \
         prints a line if a job needs it. Details: docs/shim.md.",
    ),
    (
        &["units", "unit", "duration", "kib", "mib", "gib", "tib", "gb", "mb"],
        "Sizes have one of the units `KiB`, `MiB`, `GiB`, and `TiB` (powers of 1024), such as `\"16GiB\"`. Durations have the units \
         `s`, `m`, `h`, and `d`, such as `\"90s\"` or `\"1h30m\"`. Cores are numbers in increments of 0.1, without a unit.",
    ),
];

/// Returns the first name of each topic.
pub fn names<'a>() -> impl Iterator<Item = &'a str> + Clone {
    TOPICS.iter().filter_map(|(names, _)| names.first().copied())
}

/// Returns the explanation of a term; `None` if there is none. Upper and lower case are the same.
pub fn page(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    TOPICS.iter().find(|(names, _)| names.contains(&word.as_str())).map(|(_, text)| format!("{text}\n"))
}
