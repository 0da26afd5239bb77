//! `tfjob run`: real processes under the shim, each fault as it is met on one machine.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may")]
#[path = "shared/able.rs"]
mod able;
#[path = "shared/place.rs"]
mod place;

#[path = "run/ends.rs"]
mod ends;
#[path = "run/folder.rs"]
mod folder;
#[path = "run/inherited.rs"]
mod inherited;
#[path = "run/left.rs"]
mod left;
#[path = "run/limited.rs"]
mod limited;
#[path = "run/linked.rs"]
mod linked;
#[path = "run/machine.rs"]
mod machine;
#[path = "run/order.rs"]
mod order;
#[path = "run/seen.rs"]
mod seen;
#[path = "run/sender.rs"]
mod sender;
#[path = "run/stops.rs"]
mod stops;
