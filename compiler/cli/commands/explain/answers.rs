//! What the targets do with a feature: each is asked about small specs that ask for little else.
use crate::analysis::Target;
use crate::specimens::{SPECIMENS, Specimen, text};
use std::collections::BTreeSet;
use std::fmt::Write;
use tfjob_lang::feature::Feature;
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::Format;
use tfjob_lang::target::Verdict;

/// What the feature is, and each target's answer to each way of asking.
pub fn of_feature(feature: Feature) -> String {
    let mut out = format!("The feature: {}\n\n", feature.doc());
    for target in tfjob_targets::ALL.iter().copied() {
        for specimen in SPECIMENS.iter().filter(|specimen| specimen.feature == feature.name()) {
            let words =
                if specimen.words.is_empty() { String::new() } else { format!(", {}", specimen.words) };
            if let Some(verdict) = answer(target, specimen, feature) {
                let _ = writeln!(out, "- {}{words}: {}", target.name(), told(&verdict));
            }
        }
    }
    out
}

/// What the target is, its own words, and what it refuses.
pub fn of_target(target: Target, shape: &Shape) -> String {
    let mut out = format!("The target: {}\n", target.about());
    if let Some(block) = shape.block(&[("job", None), ("target", Some(target.name()))]) {
        out.push('\n');
        for field in block.fields {
            let _ = writeln!(out, "- `{}`: {}", field.form(), field.brief());
        }
    }
    let refused: BTreeSet<&str> = Feature::ALL
        .iter()
        .filter(|feature| {
            let mut specimens = SPECIMENS.iter().filter(|specimen| specimen.feature == feature.name());
            specimens.any(|s| matches!(answer(target, s, **feature), Some(Verdict::Refused(_))))
        })
        .map(|feature| feature.name())
        .collect();
    if !refused.is_empty() {
        let names: Vec<_> = refused.into_iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(out, "\nRefused, at least in part: {}.\n", names.join(", "));
    }
    out
}

/// The worst answer to the feature: other roles of the specimen may ask for it too.
fn answer(target: Target, specimen: &Specimen, feature: Feature) -> Option<Verdict> {
    let text = text(specimen, target.name());
    let analysis = tfjob_lang::analyse(&tfjob_lang::Request {
        name: "specimen",
        text: &text,
        format: Format::Kdl,
        set: &[],
        load: &|_, _| Err("a specimen stands alone".to_owned()),
        targets: tfjob_targets::ALL,
        shape: &tfjob_targets::SHAPE,
        cluster: None,
        one_machine: false,
    });
    let verdicts = target.check(analysis.plan.as_ref()?).verdicts;
    verdicts.into_iter().filter(|(asked, _, _)| *asked == feature).map(|(_, _, v)| v).max_by_key(badness)
}

const fn badness(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Native => 0,
        Verdict::Emulated(_) => 1,
        Verdict::Ignored(_) => 2,
        Verdict::Refused(_) => 3,
    }
}

fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Native => "its own means".to_owned(),
        Verdict::Emulated(how) => format!("by other means: {how}"),
        Verdict::Ignored(why) => format!("left out: it {why}"),
        Verdict::Refused(refusal) => format!("refused: it {}; {}", refusal.why, refusal.help),
    }
}
