//! The traps of kubernetes-observed and kubernetes §7. Those that no spec can fall into are tested on what is written.
#[path = "kubernetes/around.rs"]
mod around;
#[path = "kubernetes/drivers.rs"]
mod drivers;
#[path = "kubernetes/limits.rs"]
mod limits;
#[path = "kubernetes/made.rs"]
mod made;
#[path = "kubernetes/merged.rs"]
mod merged;
#[path = "kubernetes/named.rs"]
mod named;
#[path = "kubernetes/patched.rs"]
mod patched;
#[path = "kubernetes/specs.rs"]
pub mod specs;
#[path = "kubernetes/table.rs"]
mod table;
#[path = "kubernetes/undone.rs"]
pub mod undone;

use crate::{Seen, holds};
pub use made::impossible;
pub use table::traps;

const TARGET: &str = "kubernetes";
/// The real API server, with the operator's controllers and webhooks.
const ENGINE: Seen = Seen::On("the training operator 1.9.4");

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds(TARGET, &traps());
}
