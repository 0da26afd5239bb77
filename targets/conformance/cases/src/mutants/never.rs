//! Features that a target never supports: a realistic job for this target does not request them.
use crate::specs;
use std::collections::BTreeSet;
use tfjob_lang::analysis::Analysis;
use tfjob_lang::requirement::Feature;
use tfjob_lang::sources::Format;
use tfjob_lang::target::{AnyTarget, Verdict};
use tfjob_targets::specimens::{self, text};

/// The features for which the target refuses every specimen.
pub struct Never(BTreeSet<&'static str>);

/// Checks all specimens with the target.
pub fn given(target: &dyn AnyTarget) -> Never {
    let (mut refused, mut given) = (BTreeSet::new(), BTreeSet::new());
    for specimen in specimens::all() {
        let analysis = specs::analyzed("specimen", &text(&specimen, target.name()), Format::Kdl);
        for (feature, verdict) in verdicts(&analysis, target).filter(|(name, _)| *name == specimen.feature) {
            let set = if matches!(verdict, Verdict::Unsupported(_)) { &mut refused } else { &mut given };
            set.insert(feature);
        }
    }
    Never(refused.difference(&given).copied().collect())
}

impl Never {
    /// Returns the first such feature, if the target refuses a job for no other reason.
    pub fn of(&self, analysis: &Analysis, target: &dyn AnyTarget) -> Option<&'static str> {
        let refused =
            verdicts(analysis, target).filter(|(_, verdict)| matches!(verdict, Verdict::Unsupported(_)));
        let names: Vec<&'static str> = refused.map(|(name, _)| name).collect();
        names.first().copied().filter(|_| names.iter().all(|name| self.0.contains(name)))
    }
}

fn verdicts(analysis: &Analysis, target: &dyn AnyTarget) -> impl Iterator<Item = (&'static str, Verdict)> {
    let found = analysis.compile(target).verdicts;
    found.into_iter().map(|(feature, _, verdict): (Feature, _, _)| (feature.name(), verdict))
}
