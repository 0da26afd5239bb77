//! The pitfalls of Kubernetes. Those that no spec can fall into are tested on what is written.
mod around;
mod drivers;
mod limits;
mod made;
mod merged;
mod named;
mod patched;
pub mod specs;
mod table;
pub mod undone;

use crate::pitfalls::{Seen, holds};
pub use made::impossible;
pub use table::pitfalls;

const TARGET: &str = "kubernetes";
/// The real API server, with the operator's controllers and webhooks.
const ENGINE: Seen = Seen::On("the training operator 1.9.4");

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds(TARGET, &pitfalls());
}
