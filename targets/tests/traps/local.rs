//! Every trap of one machine for all tasks: the spec that would fall in, and its neighbour that does not.
#![expect(clippy::unwrap_used, reason = "a test may")]

#[path = "local/compiled.rs"]
pub mod compiled;
#[path = "local/construction.rs"]
mod construction;
#[path = "local/table.rs"]
mod table;

use crate::holds;
pub use construction::impossible;
pub use table::traps;

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds("local", &traps());
}
