//! Duties of a contract that the shim of this release does not carry out.
use crate::codes::UNSUPPORTED_BY_SHIM;
use crate::diagnostic::Diagnostic;
use crate::lowered::TracedContract;

/// Refuses each duty that the shim of this release does not carry out: it would refuse such a contract at start.
pub(super) fn behind(target: &str, (contract, origins): &TracedContract) -> Vec<Diagnostic> {
    let mut said: Vec<Diagnostic> = Vec::new();
    for (pointer, duty) in contract.requested_duties().into_iter().filter(|(_, duty)| !duty.is_supported()) {
        let Some(at) = origins.blame(&pointer).or_else(|| origins.blame("/job")) else { continue };
        if said.iter().all(|d| d.span() != at) {
            let fact = format!(
                "{target}: `{}` is the shim's part, and this release's shim does not do it",
                duty.spec_syntax()
            );
            said.push(
                Diagnostic::new(&UNSUPPORTED_BY_SHIM, at, fact)
                    .here("needs a newer shim")
                    .help("the task would refuse to start: remove this, or wait for a newer tfjob"),
            );
        }
    }
    said
}
