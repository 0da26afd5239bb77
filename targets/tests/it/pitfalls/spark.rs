//! Pitfalls of Spark and TensorFlowOnSpark.
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

/// Observed with the classes of Spark, or in a job that ran on Spark.
const SPARK: Seen = Seen::On("Spark 3.5.9");
/// Observed in a job with several TensorFlow tasks.
const TFOS: Seen = Seen::On("TensorFlowOnSpark 2.2.5");
/// Observed on YARN, as the cluster manager of Spark.
const HADOOP: Seen = Seen::On("Hadoop 3.4.2");

/// Returns all rows of pitfalls that a spec can contain.
pub fn pitfalls() -> Vec<Pitfall> {
    table::pitfalls().into_iter().chain(pods::pitfalls()).chain(places::pitfalls()).collect()
}

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds("spark", &pitfalls());
}
