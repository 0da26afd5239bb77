//! One TensorFlow checkpoint: whether it is complete, and its training step.
use super::table::{self, Fault, varint};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Maximum number of shards of a checkpoint.
const SHARDS: u64 = 10_000;
/// Suffix of the keys of variables in an object-based checkpoint.
const VALUE: &str = "/.ATTRIBUTES/VARIABLE_VALUE";
/// Names of step counters in programs, estimators, and Keras, the most reliable first.
const STEPS: [&str; 5] = ["global_step", "step", "_iterations", "iterations", "iter"];

/// The state of the checkpoint with a prefix such as `/ckpt/ckpt-3`.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    /// Complete, with its step if known.
    Complete(Option<u64>),
    /// Incomplete, for this reason.
    Incomplete(String),
    /// No file exists.
    Absent,
    /// A read error or an unsupported format: it is unknown whether the checkpoint is complete.
    Unknown,
}

/// The content of an index file.
#[derive(Debug, Default)]
struct Index {
    /// Number of shards.
    shards: Option<u64>,
    /// Minimum size in bytes of each shard, by shard number.
    lengths: BTreeMap<u64, u64>,
    /// The step counter: position of its name in [`STEPS`], length of its key, and entry.
    step: Option<(usize, usize, Entry)>,
    /// The save counter.
    saves: Option<Entry>,
}

/// Location of a variable (`BundleEntryProto`).
#[derive(Debug, Default, Clone, Copy)]
struct Entry {
    kind: u64,
    shard: u64,
    offset: u64,
    size: u64,
}

/// Checks whether a checkpoint is complete. `shards`: whether a data file of the checkpoint exists.
pub fn judge(prefix: &Path, shards: bool) -> State {
    let index = with(prefix, ".index");
    let file = match open(&index) {
        Ok(file) => file,
        // The index is missing. This tells nothing if `prefix` itself is a file: a V1 checkpoint of TensorFlow has no index.
        Err(e) if e.kind() == ErrorKind::NotFound && !prefix.exists() => {
            return if shards {
                State::Incomplete("its index file is missing".to_owned())
            } else {
                State::Absent
            };
        }
        Err(_) => return State::Unknown,
    };
    let Ok(length) = file.metadata().map(|about| about.len()) else { return State::Unknown };
    let mut found = Index::default();
    match table::read(&file, length, &mut |key, value| found.take(key, value)) {
        Ok(()) => found.judge(prefix),
        Err(Fault::Incomplete(how)) => State::Incomplete(format!("{} {how}", name(&index))),
        Err(Fault::Unknown) => State::Unknown,
    }
}

impl Index {
    fn take(&mut self, key: &[u8], value: &[u8]) {
        if key.is_empty() {
            let number = |field| fields(value).find_map(|(known, value)| (known == field).then_some(value));
            // Big-endian checkpoints are not supported, so their state is unknown.
            self.shards = number(1).filter(|_| number(2).unwrap_or(0) == 0);
            return;
        }
        let mut entry = Entry::default();
        for (field, value) in fields(value) {
            match field {
                1 => entry.kind = value,
                3 => entry.shard = value,
                4 => entry.offset = value,
                5 => entry.size = value,
                _ => {}
            }
        }
        let end = entry.offset.saturating_add(entry.size);
        let length = self.lengths.entry(entry.shard).or_default();
        *length = end.max(*length);
        let Ok(key) = std::str::from_utf8(key) else { return };
        let variable = key.strip_suffix(VALUE).unwrap_or(key);
        let last = variable.rsplit('/').next().unwrap_or(variable);
        if variable == "save_counter" {
            self.saves = Some(entry);
        }
        if let Some(rank) = STEPS.iter().position(|known| *known == last) {
            let better = self.step.is_none_or(|(best, length, _)| (rank, key.len()) < (best, length));
            self.step = if better { Some((rank, key.len(), entry)) } else { self.step };
        }
    }

    fn judge(&self, prefix: &Path) -> State {
        let Some(shards) = self.shards.filter(|shards| *shards <= SHARDS) else { return State::Unknown };
        for shard in 0..shards {
            let path = data(prefix, shard, shards);
            let least = self.lengths.get(&shard).copied().unwrap_or(0);
            match path.metadata().map(|about| about.len()) {
                Ok(length) if length < least => {
                    let name = name(&path);
                    return State::Incomplete(format!("{name} has {length} of {least} bytes"));
                }
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::NotFound => {
                    return State::Incomplete(format!("{} is missing", name(&path)));
                }
                Err(_) => return State::Unknown,
            }
        }
        let value = |entry: Entry| entry.number(prefix, shards);
        let step = self.step.and_then(|(.., entry)| value(entry));
        // A number in the file name that equals the save counter is not a training step.
        let named = || number(prefix).filter(|number| self.saves.and_then(value) != Some(*number));
        State::Complete(step.or_else(named))
    }
}

impl Entry {
    /// Returns the value of an integer variable. `None` for other types.
    fn number(self, prefix: &Path, shards: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        // DT_INT32 and DT_INT64 (types.proto).
        let length = match (self.kind, self.size) {
            (3, 4) => 4,
            (9, 8) => 8,
            _ => return None,
        };
        let file = open(&data(prefix, self.shard, shards)).ok()?;
        file.read_exact_at(&mut bytes[..length], self.offset).ok()?;
        u64::try_from(i64::from_le_bytes(bytes)).ok()
    }
}

/// Opens a regular file. A special file is an error, because opening a FIFO would block the shim.
///
/// # Errors
/// Errors of `open`; `InvalidInput` for a special file.
pub fn open(path: &Path) -> Result<File, Error> {
    if path.metadata()?.is_file() { File::open(path) } else { Err(ErrorKind::InvalidInput.into()) }
}

/// Returns the number at the end of a prefix: 3 for `ckpt-3`. `None` if there is none.
pub fn number(prefix: &Path) -> Option<u64> {
    prefix.file_name()?.to_str()?.rsplit_once('-')?.1.parse().ok()
}

/// Returns the integer fields of a protobuf message as field number and value. Other fields are skipped.
fn fields(message: &[u8]) -> impl Iterator<Item = (u64, u64)> {
    let mut rest = message;
    std::iter::from_fn(move || {
        loop {
            let tag = varint(&mut rest)?;
            match tag & 7 {
                0 => return Some((tag >> 3, varint(&mut rest)?)),
                1 => rest = rest.get(8..)?,
                2 => {
                    let length = usize::try_from(varint(&mut rest)?).ok()?;
                    rest = rest.get(length..)?;
                }
                5 => rest = rest.get(4..)?,
                _ => return None,
            }
        }
    })
}

/// Returns the path of a shard.
fn data(prefix: &Path, shard: u64, shards: u64) -> PathBuf {
    with(prefix, &format!(".data-{shard:05}-of-{shards:05}"))
}

fn with(prefix: &Path, end: &str) -> PathBuf {
    let mut path = prefix.as_os_str().to_owned();
    path.push(end);
    path.into()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
