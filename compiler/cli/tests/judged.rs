//! The ledger: a real engine has accepted every artefact that the examples become, and `judge` has written that down.
#![expect(clippy::unwrap_used, reason = "a test may")]
#[path = "shared/specs.rs"]
mod specs;

use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::lowered::Lowered;
use tfjob_targets::ALL;

/// One line of `targets/referees/JUDGED`.
#[derive(serde::Deserialize)]
struct Line {
    snapshot: String,
    engine: String,
    verdict: String,
    artefacts: BTreeMap<String, String>,
}

fn ledger() -> Vec<Line> {
    let text = std::fs::read_to_string(specs::root().join("targets/referees/JUDGED")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn digests(lowered: &Lowered) -> BTreeMap<String, String> {
    let digest = |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    lowered.artefacts.iter().map(|a| (a.path.clone(), digest(&a.text))).collect()
}

/// What an example becomes, by `EXAMPLE/TARGET`.
fn compiled() -> BTreeMap<String, Lowered> {
    let mut all = BTreeMap::new();
    for folder in std::fs::read_dir(specs::root().join("snapshots")).unwrap().flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        for target in ALL {
            let path = folder.path().join(format!("{}.snap", target.name()));
            let Ok(snapshot) = std::fs::read_to_string(path) else { continue };
            let spec = snapshot.lines().find_map(|line| line.strip_prefix("description: ")).unwrap();
            let text = std::fs::read_to_string(specs::root().join(spec)).unwrap();
            if let Some(lowered) = specs::text_at(spec, &text).compile(*target).lowered {
                all.insert(format!("{name}/{}", target.name()), lowered);
            }
        }
    }
    all
}

#[test]
fn a_real_engine_has_accepted_every_artefact() {
    let ledger = ledger();
    let mut missing = Vec::new();
    for (snapshot, lowered) in compiled() {
        let target = snapshot.rsplit('/').next().unwrap();
        let digests = digests(&lowered);
        for engine in [target, "tensorflow"] {
            let judged = ledger.iter().find(|line| line.snapshot == snapshot && line.engine == engine);
            if judged.is_none_or(|line| line.verdict != "accepted" || line.artefacts != digests) {
                missing.push(format!("targets/referees/judge {engine}  # {snapshot}"));
            }
        }
    }
    assert!(missing.is_empty(), "not judged as they are now; run:\n{}", missing.join("\n"));
}

#[test]
fn the_ledger_lists_nothing_that_is_gone() {
    let there: BTreeSet<String> = compiled().into_keys().collect();
    for line in ledger() {
        assert!(there.contains(&line.snapshot), "{} is no snapshot any more", line.snapshot);
    }
}
