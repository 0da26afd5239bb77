//! Every trap of Spark and TensorFlowOnSpark that was seen: the spec that would fall in, and its neighbour that does not.
#![expect(clippy::unwrap_used, reason = "a test may")]

#[path = "spark/compiled.rs"]
mod compiled;
#[path = "spark/construction.rs"]
mod construction;
#[path = "spark/quoting.rs"]
mod quoting;
#[path = "spark/table.rs"]
mod table;
#[path = "spark/template.rs"]
mod template;
