//! Checkpoints of Orbax (JAX, Flax, Keras): a folder a step, under another name until it is whole.
use std::fs::read_dir;
use std::path::Path;

/// How many entries of a step's folder are looked at.
const MOST: usize = 64;
/// Files that Orbax leaves in every step, or in its items.
const MARKS: [&str; 2] = ["_CHECKPOINT_METADATA", "_METADATA"];

/// Whether a folder is being written, or was when its writer ended.
pub fn is_unfinished(name: &str) -> bool {
    name.contains(".orbax-checkpoint-tmp")
}

/// The step of a folder that Orbax has finished: the number that its name is, or ends with.
pub fn step(path: &Path, name: &str) -> Option<u64> {
    let digits = name.rsplit('_').next()?;
    let step = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let marked = |folder: &Path| MARKS.iter().any(|mark| folder.join(mark).is_file());
    let mut items = read_dir(path).ok()?.flatten().take(MOST);
    (marked(path) || items.any(|item| marked(&item.path()))).then_some(step)
}
