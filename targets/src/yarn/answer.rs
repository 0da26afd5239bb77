//! What YARN says to each ask, by subject.
pub(super) mod board;
pub(super) mod end;
pub(super) mod framework;
pub(super) mod network;
pub(super) mod place;
pub(super) mod resources;
pub(super) mod restart;
pub(super) mod start;
pub(super) mod storage;
pub(super) mod task;
pub(super) mod upload;

use super::means::Means;
use tfjob_lang::target::Answer as Of;

/// YARN's word on one ask.
pub(super) type Answer = Of<Means>;

/// The engine does it by itself.
pub(super) const fn inherent(why: &'static str) -> Answer {
    Of::Native(Means::Inherent(why))
}

/// What settles that tasks can find each other.
pub(super) const SAY_DOMAIN: &str = "say the registry's domain, as `hadoop.registry.dns.domain-name` has it: `target \"yarn\" { dns-domain \"…\" }`";
