//! Reads what a platform reports, such as the output of `kubectl get`.
use super::STDIN;
use super::standard_input::{Input, read, standard_input};
use crate::outcome::Failure;
use std::fs::File;
use std::path::Path;

/// Maximum size in bytes: several objects of the maximum size of Kubernetes.
const MAX_BYTES: usize = 16 << 20;

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// Returns an error if the file cannot be read or has more than 16 MiB, or if standard input is a terminal.
pub fn read_answer(path: &Path) -> Result<Vec<u8>, Failure> {
    let input = if path == Path::new(STDIN) {
        standard_input(MAX_BYTES)
    } else {
        File::open(path).and_then(|file| read(file, MAX_BYTES))
    };
    match input.map_err(|error| Failure::at("cannot read", path, &error))? {
        Input::Bytes(bytes) => Ok(bytes),
        Input::TooLarge => Err(Failure::new(format!(
            "`{}` has more than 16 MiB: get only the objects of the job, by their names or with `kubectl get --selector`",
            path.display()
        ))),
        Input::Terminal => Err(Failure::new(
            "`--live -` reads the answer of the platform from standard input: write the command that gets it before a pipe, such as \
             `kubectl get tfjob,configmap --output json | tfjob diff …`",
        )),
    }
}
