//! The line that explains why the tasks run under the shim, which changes the manifests and adds steps.
use std::path::Path;
use tfjob_lang::lowered::TracedContract;
use tfjob_lang::sources::Sources;

/// Returns a line such as ``yarn: tfjob-shim runs in each task, for `restart` (line 12)``. If the contract has no duties, the shim only
/// sets variables, and the line has no reason.
///
/// `spec` is the path of the job; lines of other files get their path.
pub fn line(target: &str, (contract, origins): &TracedContract, sources: &Sources, spec: &Path) -> String {
    let mut reasons: Vec<String> = Vec::new();
    for (pointer, duty) in contract.requested_duties() {
        let Some(keyword) = duty.keyword() else { continue };
        let place = origins.blame(&pointer).and_then(|span| {
            let source = sources.find(span)?;
            let line = source.position(span.start).line;
            let own = Path::new(&source.name) == spec;
            Some(if own { format!(" (line {line})") } else { format!(" ({}:{line})", source.name) })
        });
        let reason = format!("`{keyword}`{}", place.unwrap_or_default());
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let list = match reasons.split_last() {
        None => return format!("{target}: tfjob-shim starts each task"),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    };
    format!("{target}: tfjob-shim runs in each task, for {list}")
}
