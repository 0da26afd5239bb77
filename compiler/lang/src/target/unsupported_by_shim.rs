//! Duties of a job contract that the shim of this release does not support. A duty is a feature that the contract requires of the
//! shim.
use crate::codes::UNSUPPORTED_BY_SHIM;
use crate::diagnostic::Diagnostic;
use crate::lowered::TracedContract;

/// Reports each duty in a job contract that the shim of this release does not support. With such a duty, the shim exits at
/// startup.
pub(super) fn unsupported_by_shim(target: &str, (contract, origins): &TracedContract) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (pointer, duty) in contract.requested_duties().into_iter().filter(|(_, duty)| !duty.is_supported()) {
        let Some(at) = origins.blame(&pointer).or_else(|| origins.blame("/job")) else { continue };
        if found.iter().all(|d| d.span() != at) {
            let fact = format!(
                "{target}: {} needs tfjob-shim, but the shim of this release does not support it",
                duty.spec_syntax()
            );
            found.push(
                Diagnostic::new(&UNSUPPORTED_BY_SHIM, at, fact).here("not supported by the shim").help(
                    "remove this field, or upgrade tfjob; otherwise the shim exits with an error at startup",
                ),
            );
        }
    }
    found
}
