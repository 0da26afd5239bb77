//! Shape of a job file as a constant table. The test `tests/it/generated.rs` generates it from the spec types and the target
//! options.
use tfjob_lang::shape::{Choice, Field, Grammar, Keyed, List, Number, Object, Place, Preset, Shape};

include!("../../schemas/job.shape.rs");

/// Shape of the whole file.
pub const ROOT: &Object = &FILE;
