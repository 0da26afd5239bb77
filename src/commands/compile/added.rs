//! The line that explains why the tasks run under the shim. Under the shim, a job has different manifests and more steps.
use std::path::Path;
use tfjob_contract::Contract;
use tfjob_lang::origin::Origins;
use tfjob_lang::sources::Sources;

/// Returns a line such as ``yarn: tfjob-shim runs in each task, for `restart` (line 12)``. A duty is a feature that the contract
/// requires of the shim. Without duties, the shim only sets environment variables.
///
/// `spec` is the path of the job file. The number of a line in another file is preceded by the path of that file.
pub fn line(
    target: &str,
    (contract, origins): (&Contract, &Origins),
    sources: &Sources,
    spec: &Path,
) -> String {
    let place = |pointer: &str| {
        let span = origins.blame(pointer)?;
        let source = sources.find(span)?;
        let line = source.position(span.start).line;
        let own = Path::new(&source.name) == spec;
        Some(if own { format!(" (line {line})") } else { format!(" ({}:{line})", source.name) })
    };
    let mut reasons: Vec<(&str, Option<String>)> = Vec::new();
    for (pointer, duty) in contract.requested_duties() {
        let Some(keyword) = duty.keyword() else { continue };
        let place = place(&pointer);
        // One line of the spec may need several duties of the shim: `restart` also watches the checkpoints. Only the first duty
        // is reported, because it is the one that the line requests.
        if !reasons.iter().any(|(other, at)| *other == keyword || place.is_some() && *at == place) {
            reasons.push((keyword, place));
        }
    }
    let reasons: Vec<String> =
        reasons.into_iter().map(|(word, at)| format!("`{word}`{}", at.unwrap_or_default())).collect();
    let list = match (reasons.split_last(), &contract.hadoop) {
        (None, Some(_)) => format!("`hadoop`{}", place("/hadoop").unwrap_or_default()),
        (None, None) => "the environment variables of the rendezvous".to_owned(),
        (Some((only, [])), _) => only.clone(),
        (Some((last, others)), _) => format!("{} and {last}", others.join(", ")),
    };
    format!("{target}: tfjob-shim runs in each task, for {list}")
}
