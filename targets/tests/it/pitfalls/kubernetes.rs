//! Pitfalls of Kubernetes. Those that no spec can contain are tested on the artifacts.
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
/// Observed on a real API server with the controllers and webhooks of the training operator.
const ENGINE: Seen = Seen::On("the training operator 1.9.4");

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds(TARGET, &pitfalls());
}
