//! The language: from text to a plan that knows no platform. Pure: no I/O, no clock, no platform's name.
pub mod at;
pub mod codes;
pub mod diagnostic;
pub mod origin;
pub mod sources;
pub mod spec;
pub mod syntax;
pub mod tree;
