//! Pitfalls of a local run, in which all tasks share one machine.
#![expect(clippy::unwrap_used, reason = "a test may")]

pub mod compiled;
mod construction;
mod table;

use crate::pitfalls::holds;
pub use construction::impossible;
pub use table::pitfalls;

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds("local", &pitfalls());
}
