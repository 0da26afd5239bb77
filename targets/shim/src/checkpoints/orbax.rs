//! Orbax checkpoints (JAX, Flax, Keras): one directory per step, with a temporary name until it is complete.
use std::fs::read_dir;
use std::path::Path;

/// Maximum number of entries that are checked in a step directory.
const MOST: usize = 64;
/// Orbax writes at least one of these files in each step directory, or in a direct subdirectory of it.
const MARKS: [&str; 2] = ["_CHECKPOINT_METADATA", "_METADATA"];

/// Whether the name of a directory is temporary: Orbax is still writing it, or was killed while it wrote.
pub fn is_unfinished(name: &str) -> bool {
    name.contains(".orbax-checkpoint-tmp")
}

/// Returns the step of a checkpoint directory: its name is a number, or ends with `_` and a number. `None` for any other
/// directory, and for an incomplete checkpoint.
pub fn step(path: &Path, name: &str) -> Option<u64> {
    let digits = name.rsplit('_').next()?;
    let step = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let marked = |folder: &Path| MARKS.iter().any(|mark| folder.join(mark).is_file());
    let mut items = read_dir(path).ok()?.flatten().take(MOST);
    (marked(path) || items.any(|item| marked(&item.path()))).then_some(step)
}
