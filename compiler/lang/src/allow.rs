//! `allow`: which refusals a job accepts by name.
use crate::codes::{ALLOWED_FEATURE, PROTOCOL_NEEDS_BUILD, UNUSED_ALLOW};
use crate::diagnostic::{Diagnostic, Fix};
use crate::plan::Plan;
use crate::requirement::{Feature, Network, Required, Requirement};
use crate::sources::Span;
use crate::target::Refusal;

/// The number of the `allow` that covers this feature on this target.
pub(crate) fn find(plan: &Plan, target: &str, feature: &str) -> Option<usize> {
    plan.allows
        .iter()
        .position(|a| a.feature.value == feature && a.on.as_ref().is_none_or(|on| on.value == target))
}

/// The number of the `allow` that accepts this refusal.
pub(crate) fn accepts(plan: &Plan, target: &str, feature: Feature, refusal: &Refusal) -> Option<usize> {
    // Without its code a program has not even the folder that it starts in.
    let allowable = refusal.allowable && feature != Feature::Code;
    find(plan, target, feature.name()).filter(|_| allowable)
}

impl Refusal {
    /// Why the job accepts it, in its own words, where an `allow` does.
    #[must_use]
    pub fn accepted<'p>(&self, plan: &'p Plan, target: &str, feature: Feature) -> Option<&'p str> {
        accepts(plan, target, feature, self).map(|number| plan.allows[number].because.value.as_str())
    }
}

/// Says of each `allow … on="<target>"` that met no refusal that it is not needed. One without `on` may be meant for
/// another target.
pub(crate) fn unneeded(target: &str, plan: &Plan, used: &[bool], out: &mut Vec<Diagnostic>) {
    for (allow, used) in plan.allows.iter().zip(used) {
        let here = allow.on.as_ref().is_some_and(|on| on.value == target);
        if here && !used {
            let fact = format!("{target} does not refuse `{}` here", allow.feature.value);
            out.push(Diagnostic::new(&UNUSED_ALLOW, allow.feature.span, fact).help("remove this line"));
        }
    }
}

/// What a target has to say of a protocol that only a custom build knows, where it does not refuse it by itself: whose
/// build the tasks of that target run is for `allow` to say. Without any `allow` of it the language has refused it.
pub(crate) fn protocol(
    target: &str,
    required: &Required,
    plan: &Plan,
    used: &mut [bool],
) -> Option<Diagnostic> {
    let Requirement::Network(Network::Protocol(protocol)) = &required.requirement else { return None };
    let feature = Feature::Protocol.name();
    let first = plan.allows.iter().find(|a| a.feature.value == feature).filter(|_| protocol.is_custom())?;
    let Some(number) = find(plan, target, feature) else {
        let told = needs_build(required.at).label(first.feature.span, format!("not said of {target}"));
        return Some(told);
    };
    used[number] = true;
    let fact = format!("{target} starts what the image holds, and stock TensorFlow dies at this protocol");
    let told = Diagnostic::new(&ALLOWED_FEATURE, required.at, fact).here("needs a custom build");
    Some(told.label(plan.allows[number].because.span, "allowed here"))
}

/// A protocol that stock TensorFlow has not.
pub(crate) fn needs_build(at: Span) -> Diagnostic {
    Diagnostic::new(
        &PROTOCOL_NEEDS_BUILD,
        at,
        "stock TensorFlow has no server for this protocol and dies at start",
    )
    .here("needs a custom build")
    .help("write `protocol \"grpc\"`; with a build that has it, add `allow \"protocol\" because=\"…\"`")
    .suggest(Fix::replace(at, "\"grpc\""))
}
