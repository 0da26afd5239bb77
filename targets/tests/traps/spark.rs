//! Every trap of Spark and TensorFlowOnSpark that was seen: the spec that would fall in, and its neighbour that does not.
#![expect(clippy::unwrap_used, reason = "a test may")]

#[path = "spark/compiled.rs"]
pub mod compiled;
#[path = "spark/construction.rs"]
mod construction;
#[path = "spark/drivers.rs"]
mod drivers;
#[path = "spark/fed.rs"]
mod fed;
#[path = "spark/places.rs"]
mod places;
#[path = "spark/pods.rs"]
mod pods;
#[path = "spark/python.rs"]
mod python;
#[path = "spark/quoting.rs"]
mod quoting;
#[path = "spark/settings.rs"]
mod settings;
#[path = "spark/table.rs"]
mod table;
#[path = "spark/template.rs"]
mod template;
#[path = "spark/variables.rs"]
mod variables;

use crate::{Seen, Trap, holds};
pub use construction::impossible;

/// Its own classes, or a job run by it.
const SPARK: Seen = Seen::On("Spark 3.5.9");
/// A job of several nodes.
const TFOS: Seen = Seen::On("TensorFlowOnSpark 2.2.5");
/// Beneath it, on YARN.
const HADOOP: Seen = Seen::On("Hadoop 3.4.2");

/// Every row.
pub fn traps() -> Vec<Trap> {
    table::traps().into_iter().chain(pods::traps()).chain(places::traps()).collect()
}

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds("spark", &traps());
}
