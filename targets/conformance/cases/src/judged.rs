//! The ledger: a real engine must have accepted every artifact of the examples in its current form, with the current claims
//! about its tasks; `validate` writes the ledger.
use crate::case::Case;
use crate::specs;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use tfjob_targets::ALL;

/// One line of `targets/conformance/VALIDATED`.
#[derive(serde::Deserialize)]
struct Line {
    snapshot: String,
    engine: String,
    verdict: String,
    artifacts: BTreeMap<String, String>,
    claims: String,
}

/// Whether an engine judges a target. For a target that is one machine, `tfjob run` reads the artifacts with the types that
/// wrote them.
fn has_engine(target: &str) -> bool {
    ALL.iter().any(|known| known.name() == target && !known.one_machine())
}

/// The working directory of `tfjob-cases`: the root of the project.
fn from_the_root() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../..")).unwrap();
}

fn ledger() -> Vec<Line> {
    from_the_root();
    let text = std::fs::read_to_string("targets/conformance/VALIDATED").unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns each case of the snapshots, by `EXAMPLE/TARGET`.
fn cases() -> BTreeMap<String, Case> {
    from_the_root();
    let of = |target| specs::snapshots(target).unwrap();
    let named = |case: Case| (format!("{}/{}", case.case, case.target), case);
    ALL.iter().flat_map(|target| of(*target)).map(named).collect()
}

/// Fails if the ledger is outdated in `.ci/run`; elsewhere, where no engine may be available, it only prints a note.
fn stale(lines: &[String]) {
    if !lines.is_empty() {
        let text = format!("targets/conformance/VALIDATED is stale:\n{}\n", lines.join("\n"));
        assert!(std::env::var_os("TFJOB_SKIP_NOTHING").is_none(), "{text}");
        // Directly to stderr: the test harness hides the output of a test that passes.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

#[test]
fn a_real_engine_has_accepted_every_artifact() {
    let ledger = ledger();
    let mut missing = Vec::new();
    for (snapshot, case) in cases() {
        let artifacts = case.artifacts.iter().map(|file| (file.path.clone(), digest(&file.text))).collect();
        let mut claimed = serde_json::to_value(&case.tasks).unwrap();
        claimed.sort_all_objects();
        let claims = digest(&claimed.to_string());
        let own = Some(case.target).filter(|own| has_engine(own));
        for engine in own.into_iter().chain(["tensorflow"]) {
            let judged = ledger.iter().find(|line| line.snapshot == snapshot && line.engine == engine);
            if judged.is_none_or(|line| {
                (&*line.verdict, &line.artifacts, &line.claims) != ("accepted", &artifacts, &claims)
            }) {
                missing.push(format!(
                    "not judged as it is now: targets/conformance/validate {engine}  # {snapshot}"
                ));
            }
        }
    }
    stale(&missing);
}

#[test]
fn the_ledger_lists_nothing_that_is_gone() {
    let there: BTreeSet<String> = cases().into_keys().collect();
    let gone = ledger().into_iter().filter(|line| !there.contains(&line.snapshot));
    stale(&gone.map(|line| format!("no snapshot any more: {}", line.snapshot)).collect::<Vec<_>>());
}

#[test]
fn the_referees_ignore_nothing_that_is_lost() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let asked = ["-B", "-m", "unittest", "-q", "conformance.tests"];
    let done = std::process::Command::new("python3").args(asked).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
