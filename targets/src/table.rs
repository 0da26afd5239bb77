//! Shape of a job file as a constant table, generated from the spec types and the target options: see `tests/it/generated.rs`.
use tfjob_lang::shape::{Choice, Field, Grammar, Keyed, List, Number, Object, Place, Preset, Shape};

include!("../../schemas/job.shape.rs");

/// Shape of the whole file.
pub const ROOT: &Object = &FILE;
