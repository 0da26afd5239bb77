//! Every trap of Spark and TensorFlowOnSpark that was seen: the spec that would fall in, and its neighbour that does not.
#![expect(clippy::unwrap_used, reason = "a test may")]

pub mod compiled;
mod construction;
mod drivers;
mod fed;
mod places;
mod pods;
mod python;
mod quoting;
mod settings;
mod table;
mod template;
mod variables;

use crate::pitfalls::{Pitfall, Seen, holds};
pub use construction::impossible;

/// Its own classes, or a job run by it.
const SPARK: Seen = Seen::On("Spark 3.5.9");
/// A job of several nodes.
const TFOS: Seen = Seen::On("TensorFlowOnSpark 2.2.5");
/// Beneath it, on YARN.
const HADOOP: Seen = Seen::On("Hadoop 3.4.2");

/// Every row.
pub fn pitfalls() -> Vec<Pitfall> {
    table::pitfalls().into_iter().chain(pods::pitfalls()).chain(places::pitfalls()).collect()
}

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds("spark", &pitfalls());
}
