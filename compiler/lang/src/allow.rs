//! `allow`: exceptions by which a job accepts that a target does not support a feature.
use crate::codes::{ALLOWED_FEATURE, PROTOCOL_NEEDS_BUILD, UNUSED_ALLOW};
use crate::diagnostic::{Diagnostic, Fix, Label, Premise};
use crate::plan::Plan;
use crate::requirement::{Feature, Network, Required, Requirement};
use crate::sources::Span;
use crate::target::Refusal;

/// Reason of an `allow` that an editor adds. The author of the spec replaces it.
pub const PLACEHOLDER: &str = "TODO: say why the job can run without it";

/// Returns whether the reason of an `allow` says nothing yet: it begins with the word `TODO`, or has no other letter or digit than `todo`.
/// In Spanish, `Todo` begins a sentence, so another case counts only before a sign such as `:` or `(`.
pub(crate) fn is_placeholder(because: &str) -> bool {
    let text = because.trim_matches(|c: char| !c.is_alphanumeric());
    let Some((word, rest)) = text.split_at_checked("todo".len()) else { return text.is_empty() };
    let ends = |c: char| match word {
        "TODO" => !c.is_alphanumeric(),
        _ => !c.is_alphanumeric() && !c.is_whitespace() && c != ',',
    };
    word.eq_ignore_ascii_case("todo") && rest.chars().next().is_none_or(ends)
}

/// Returns the index in [`Plan::allows`] of the first `allow` that covers a feature on a target.
pub(crate) fn find(plan: &Plan, target: &str, feature: &str) -> Option<usize> {
    plan.allows
        .iter()
        .position(|a| a.feature.value == feature && a.on.as_ref().is_none_or(|on| on.value == target))
}

/// Returns the index in [`Plan::allows`] of the first `allow` that accepts a refusal; `None` if no `allow` accepts it.
pub(crate) fn accepts(plan: &Plan, target: &str, feature: Feature, refusal: &Refusal) -> Option<usize> {
    find(plan, target, feature.name()).filter(|_| refusal.is_allowable(feature))
}

impl Feature {
    /// Returns whether this is a secret of the program. If a target does not support it, the artifacts do not contain it.
    #[must_use]
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::SecretEnv | Self::SecretFile)
    }
}

impl Refusal {
    /// Returns whether an `allow` can accept this refusal of `feature`. No `allow` accepts that a target does not support `code`:
    /// without its code directory, the program could not start.
    #[must_use]
    pub fn is_allowable(&self, feature: Feature) -> bool {
        self.allowable && feature != Feature::Code
    }

    /// Returns the reason (`because`) of the `allow` that accepts this refusal; `None` if no `allow` accepts it.
    #[must_use]
    pub fn accepted<'p>(&self, plan: &'p Plan, target: &str, feature: Feature) -> Option<&'p str> {
        accepts(plan, target, feature, self).map(|number| plan.allows[number].because.value.as_str())
    }
}

/// Reports each `allow … on="TARGET"` that accepts no refusal. An `allow` without `on` is not reported, because another target may
/// need it. `used`: for each `allow`, whether it accepted a refusal.
pub(crate) fn unneeded(target: &str, plan: &Plan, used: &[bool], out: &mut Vec<Diagnostic>) {
    for (number, (allow, is_used)) in plan.allows.iter().zip(used).enumerate() {
        let is_for_target = allow.on.as_ref().is_some_and(|on| on.value == target);
        if !is_for_target || *is_used {
            continue;
        }
        // If several `allow` name the same feature, only the first one accepts the refusal, and the others have no effect.
        let name = &allow.feature.value;
        let first = find(plan, target, name).filter(|first| *first < number && used[*first]);
        let fact = match first {
            Some(_) => {
                format!("another `allow` already accepts `{name}` on {target}, so this one has no effect")
            }
            None => format!("{target} does not reject `{name}` in this job, so this `allow` has no effect"),
        };
        // The entry that an `allow` accepts may be the one with the error.
        let found = Diagnostic::new(&UNUSED_ALLOW, allow.feature.span, fact).given(Premise::Accepted);
        let found = found.help("remove this line");
        out.push(match first {
            Some(first) => found.label(plan.allows[first].feature.span, "has this effect"),
            None => found,
        });
    }
}

/// Turns each warning that an `allow` accepts into `allowed-feature`, which does not count for `--deny-warnings`.
pub(crate) fn warnings(target: &str, plan: &Plan, used: &mut [bool], found: &mut [Diagnostic]) {
    for warning in found {
        let number = warning.feature.and_then(|feature| find(plan, target, feature.name()));
        let Some(number) = number else { continue };
        used[number] = true;
        warning.code = &ALLOWED_FEATURE;
        warning.help = None;
        let begin = format!("{target}: ");
        if warning.message.starts_with(&begin) {
            warning.message.insert_str(begin.len(), "`allow` accepts that ");
        }
        let span = plan.allows[number].because.span;
        warning.labels.push(Label { span, text: "accepted by this `allow`".to_owned() });
    }
}

/// Returns the finding about a protocol that needs a custom TensorFlow build, for a target that can run such a build. By
/// `allow "protocol"`, the user states that the image for this target contains the build. Returns `None` if the job has no
/// `allow "protocol"` at all: then a rule in `resolve` reports the protocol.
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
        let found = needs_build(required.at, Some(target))
            .label(first.feature.span, format!("this `allow` does not cover {target}"));
        return Some(found);
    };
    used[number] = true;
    let fact = format!(
        "{target}: stock TensorFlow does not support this protocol; the image must contain a custom build"
    );
    let found = Diagnostic::new(&ALLOWED_FEATURE, required.at, fact).here("needs a custom build");
    Some(found.label(plan.allows[number].because.span, "allowed here"))
}

/// Returns the error about a protocol that stock TensorFlow does not support. `target`: the checked target, if the job has
/// `allow "protocol"`, but only for targets other than this one. `None` if the job has no `allow "protocol"`.
pub(crate) fn needs_build(at: Span, target: Option<&str>) -> Diagnostic {
    let fact = "stock TensorFlow does not support this protocol and exits at startup";
    let (fact, add) = match target {
        Some(target) => (
            format!("{target}: {fact}"),
            format!("another `allow \"protocol\" on=\"{target}\" because=\"…\"`"),
        ),
        None => (fact.to_owned(), "`allow \"protocol\" because=\"…\"`".to_owned()),
    };
    Diagnostic::new(&PROTOCOL_NEEDS_BUILD, at, fact)
        .here("needs a custom build")
        .help(format!(
            "write `protocol \"grpc\"`; or, if the image contains a TensorFlow build with this protocol, add {add}"
        ))
        .suggest(Fix::replace(at, "\"grpc\""))
}

#[cfg(test)]
mod tests {
    use super::{PLACEHOLDER, is_placeholder};

    #[test]
    fn a_placeholder_says_nothing() {
        for text in [
            PLACEHOLDER,
            "TODO",
            "todo",
            "Todo.",
            " TODO(ada): why",
            "TODO, later",
            "-",
            "…",
            "todo: explain",
            "Todo: later",
            "todo(ada)",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in [
            "Todo el equipo lo acepta",
            "todos",
            "TODOS lo aceptan",
            "Todo, hasta el final",
            "see the TODO list",
            "x",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
