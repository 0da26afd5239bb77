//! Every trap of one machine for all tasks: the spec that would fall in, and its neighbour that does not.
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
