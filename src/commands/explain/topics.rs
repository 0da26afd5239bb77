//! Terms of the documentation that are not keywords of the spec.

/// Terms and their explanations.
const TOPICS: &[(&str, &str)] = &[
    (
        "contract",
        "The job contract is the compiled job as a JSON document. `tfjob compile` writes it as a file or an environment variable. \
         `tfjob-shim` reads it in each task: it contains the arguments, the environment variables, and the restart rules of each \
         role. Details: docs/shim.md.",
    ),
    (
        "rendezvous",
        "The rendezvous is the step in which the tasks of a job find and connect to each other. Each task that takes part listens on \
         the port `rendezvous`, 2222 unless `port \"rendezvous\"` sets another one. The framework reads the addresses of all tasks \
         from environment variables, for example TensorFlow from `TF_CONFIG`.",
    ),
    (
        "shim",
        "`tfjob-shim` is a static program that starts and supervises the program of one task in its container. It writes the \
         environment variables of the framework, waits for peers, restarts the program, and repairs checkpoints. `tfjob compile` prints a line if a job \
         needs it. Details: docs/shim.md.",
    ),
];

/// Returns all terms.
pub fn names<'a>() -> impl Iterator<Item = &'a str> + Clone {
    TOPICS.iter().map(|(name, _)| *name)
}

/// Returns the explanation of a term; `None` if there is none.
pub fn page(word: &str) -> Option<String> {
    TOPICS.iter().find(|(name, _)| *name == word).map(|(_, text)| format!("{text}\n"))
}
