//! `allow`: which refusals a job accepts by name.
use crate::codes::UNNEEDED_ALLOW;
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;

/// The number of the `allow` that covers this feature on this target.
pub(crate) fn find(plan: &Plan, target: &str, feature: &str) -> Option<usize> {
    plan.allows
        .iter()
        .position(|a| a.feature.value == feature && a.on.as_ref().is_none_or(|on| on.value == target))
}

/// Says of each `allow … on="<target>"` that met no refusal that it is not needed. One without `on` may be meant for
/// another target.
pub(crate) fn unneeded(target: &str, plan: &Plan, used: &[bool], out: &mut Vec<Diagnostic>) {
    for (allow, used) in plan.allows.iter().zip(used) {
        let here = allow.on.as_ref().is_some_and(|on| on.value == target);
        if here && !used && allow.feature.value != "protocol" {
            let fact = format!("{target} does not refuse `{}` here", allow.feature.value);
            out.push(Diagnostic::new(&UNNEEDED_ALLOW, allow.feature.span, fact).help("remove this line"));
        }
    }
}
