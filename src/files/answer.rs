//! Reads what a platform reports, such as the output of `kubectl get`.
use super::STDIN;
use crate::outcome::Failure;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Maximum size in bytes: several objects of the maximum size of Kubernetes.
const MAX_BYTES: u64 = 16 << 20;

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// Returns an error if the file cannot be read, or has more than 16 MiB.
pub fn answer(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new(STDIN) {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::at("cannot read", path, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::new(format!("`{}` has more than 16 MiB", path.display())));
    }
    Ok(bytes)
}
