//! What may stand in a job file, as a table made from the spec's types and the targets' options: see `tests/it/generated.rs`.
use tfjob_lang::shape::{Choice, Field, Grammar, Keyed, List, Number, Object, Place, Preset, Shape};

include!("../../schemas/job.shape.rs");

/// The file.
pub const ROOT: &Object = &FILE;
