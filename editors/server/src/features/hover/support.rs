//! What each target does with the requirements at the cursor, in this job.
use super::Place;
use super::field::Subject;
use super::spans::entry;
use crate::cursor::Cursor;
use crate::features::environments::grouped;
use std::collections::BTreeSet;
use std::ops::Range;
use tfjob_driver::Target;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::Feature;
use tfjob_lang::target::Verdict;

/// Returns the support of each target that is configured in any environment, with its reasons, and that of the other targets in
/// one line. `None` if the spec has errors, or nothing at the cursor is a requirement.
#[must_use]
pub fn parts(place: &Place<'_>, cursor: &Cursor) -> Option<String> {
    let plan = place.plan()?;
    let text = place.document.text.get(cursor.word.clone())?;
    Subject::of(cursor, place.root, text.trim_matches(['"', '\'', '#']))?;
    let within = entry(place, &cursor.word)?;
    let configured = place.configured();
    let registry = *place.session.host.driver().registry();
    let is_configured = |target: &Target| configured.iter().any(|(one, _)| one.name() == target.name());
    let others = registry.targets.iter().copied().filter(|target| !is_configured(target));
    let mut lines: Vec<String> = Vec::new();
    let mut native: Vec<&str> = Vec::new();
    for (target, places) in &configured {
        let own = |place: &Place<'_>| Some(support(place, place.plan()?, *target, &within).join("\n"));
        let own = places.iter().map(|(name, place)| (*name, own(place).filter(|lines| !lines.is_empty())));
        // In an environment that sets the value, the requirement is not at the cursor.
        let own: Vec<_> = own.filter(|(_, lines)| lines.is_some()).collect();
        let own = if let [(_, lines)] = &own[..] { vec![("", lines.clone())] } else { own };
        for (environments, own) in grouped(own) {
            match (environments.as_str(), own.as_str()) {
                ("", NATIVE) => native.push(target.name()),
                ("", own) => lines.push(own.to_owned()),
                (names, own) => {
                    let of = |line: &str| {
                        format!(
                            "- {} ({names}): {}",
                            target.name(),
                            line.trim_start_matches(&prefix(*target))
                        )
                    };
                    lines.extend(own.lines().map(of));
                }
            }
        }
    }
    if !native.is_empty() {
        lines.insert(0, format!("- {}: {NATIVE}", native.join(", ")));
    }
    let mut other = BTreeSet::new();
    for target in others {
        let kinds = verdicts(place, plan, target, &within).into_iter().map(|(_, verdict)| rank(&verdict));
        other.extend(kinds.max().map(|kind| (kind, target.name())));
    }
    if !other.is_empty() {
        let more = if configured.is_empty() { "Support" } else { "Other targets" };
        lines.push(format!("- {more}: {}", by_kind(&other)));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Returns the beginning of the lines of a target.
fn prefix(target: Target) -> String {
    format!("- {}: ", target.name())
}

/// Returns targets as text: `native on dcos and yarn; unsupported on spark`.
fn by_kind(targets: &BTreeSet<(usize, &str)>) -> String {
    let of = |kind: usize| {
        let names: Vec<&str> =
            targets.iter().filter(|(own, _)| *own == kind).map(|(_, name)| *name).collect();
        (!names.is_empty()).then(|| format!("{} on {}", KINDS[kind], names.join(", ")))
    };
    (0..KINDS.len()).filter_map(of).collect::<Vec<_>>().join("; ")
}

/// Native support of all requirements.
const NATIVE: &str = "native";

/// Names of the kinds of support, by [`rank`].
const KINDS: [&str; 4] = [NATIVE, "emulated", "ignored", "unsupported"];

fn rank(verdict: &Verdict) -> usize {
    usize::from(verdict.rank())
}

/// Returns the verdicts of a target on the requirements in a byte range of the document.
fn verdicts(
    place: &Place<'_>,
    plan: &Plan,
    target: Target,
    within: &Range<usize>,
) -> Vec<(Feature, Verdict)> {
    let is_in = |span| place.local(span).is_some_and(|at| within.start <= at.start && at.end <= within.end);
    let all = target.check(plan).verdicts.into_iter().filter(|(_, at, _)| is_in(*at));
    all.map(|(feature, _, verdict)| (feature, verdict)).collect()
}

/// Returns the lines of one target: one line per distinct answer. Only [`NATIVE`] if all requirements have native support.
fn support(place: &Place<'_>, plan: &Plan, target: Target, within: &Range<usize>) -> Vec<String> {
    let name = target.name();
    let verdicts = verdicts(place, plan, target, within);
    let features: BTreeSet<Feature> = verdicts.iter().map(|(feature, _)| *feature).collect();
    if !verdicts.is_empty() && verdicts.iter().all(|(_, verdict)| *verdict == Verdict::Native) {
        return vec![NATIVE.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for (feature, verdict) in verdicts {
        // The name of the only feature is omitted, because it is that of the field at the cursor.
        let of = if features.len() > 1 { format!(" (`{}`)", feature.name()) } else { String::new() };
        let reason = match &verdict {
            // Native support is shown only if all features are native.
            Verdict::Native => continue,
            Verdict::Emulated(how) => how.clone(),
            Verdict::Ignored(why) => why.clone(),
            Verdict::Unsupported(refusal) => match refusal.accepted(plan, name, feature) {
                Some(because) => format!("{} (accepted: \"{because}\")", refusal.why),
                None => refusal.why.clone(),
            },
        };
        let line = format!("{}{}{of}: {reason}", prefix(target), KINDS[rank(&verdict)]);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}
