//! The language: parses and checks a spec, and resolves it to a plan for any platform. No I/O, no clock, no platform names.
mod allow;
pub mod analysis;
pub mod at;
pub mod cluster;
pub mod codes;
pub mod diagnostic;
pub mod format;
pub mod glossary;
pub mod lowered;
pub mod merge;
pub mod origin;
pub mod plan;
pub mod project;
pub mod recovery;
pub mod references;
pub mod requirement;
pub mod resolve;
pub mod secrets;
pub mod shape;
pub mod sources;
pub mod spec;
pub mod syntax;
pub mod target;
pub mod tree;

pub use analysis::{Analysis, Loaded, Request, analyze};
pub use cluster::ClusterFile;
