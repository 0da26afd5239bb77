//! The answers of one target to all asks of a job, as diagnostics and as means.
use super::{Accepted, Refusal, Site, Support, Target, Verdict, concerns, elsewhere, length, verdict};
use crate::codes::{ALLOWED_FEATURE, EMULATED_FEATURE, IGNORED_FEATURE, UNSUPPORTED_FEATURE, UNUSED_OPTION};
use crate::diagnostic::{Diagnostic, Premise};
use crate::plan::Plan;
use crate::requirement::{Feature, Further, Required};
use crate::sources::Span;
use std::cell::OnceCell;

/// What the gate lets through, what it says, and the answer to each ask.
type Gated<'p, T> = (Option<Accepted<'p, T>>, Vec<Diagnostic>, Vec<(Feature, Span, Verdict)>);

/// Asks the target for every answer.
pub(super) fn gate<'p, T: Target + ?Sized>(target: &T, plan: &'p Plan, site: &'p Site<T>) -> Gated<'p, T> {
    let mut diagnostics = target.rules(plan, site);
    // What a site says of itself need not be of use to each of its jobs.
    diagnostics.retain(|d| d.code != &UNUSED_OPTION || !plan.is_of_cluster(d.span()));
    let (mut mechanisms, mut inherent, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    let mut used = vec![false; plan.allows.len()];
    let (mut alone, context) = (None, target.context(plan, site));
    // Of a job without roles the language has said what is missing: its defaults are nobody's words.
    let meant = |required: &&Required| !(required.default && plan.roles.is_empty());
    for required in plan.requirements.iter().filter(|a| concerns(&a.requirement, T::NAME)).filter(meant) {
        let feature = Feature::from(&required.requirement);
        let (support, earlier) = (target.support(&required.requirement, &context), diagnostics.len());
        verdicts.push((feature, required.at, verdict(&support)));
        diagnostics.extend(crate::allow::protocol(T::NAME, required, plan, &mut used));
        diagnostics.extend(elsewhere::judge::<T>(required, &support, plan));
        let further = further(required, &support);
        match support {
            Support::Native(m) => mechanisms.push((required, m)),
            Support::Emulated(m, how) => {
                diagnostics.push(emulated(T::NAME, required, feature, &how));
                mechanisms.push((required, m));
            }
            Support::Inherent { why, how } => {
                diagnostics.extend(how.map(|how| emulated(T::NAME, required, feature, &how)));
                inherent.push((required.at, why));
            }
            Support::Ignored(why) => diagnostics.push(
                Diagnostic::new(&IGNORED_FEATURE, required.at, format!("{}: {why}", T::NAME))
                    .here(feature.name()),
            ),
            Support::Unsupported(refusal) => {
                let told = refuse(T::NAME, required, feature, &refusal, plan, &mut used);
                if refusal.decisive {
                    alone = alone.or_else(|| Some(told.clone()));
                }
                diagnostics.push(told);
            }
        }
        for own in diagnostics.iter_mut().skip(earlier) {
            own.premises.extend(further.iter().cloned());
        }
    }
    if let Some(alone) = alone {
        return (None, vec![alone], verdicts);
    }
    crate::allow::unneeded(T::NAME, plan, &used, &mut diagnostics);
    once(&mut diagnostics);
    let clean = !diagnostics.iter().any(Diagnostic::is_error);
    let accepted = clean.then_some(Accepted { plan, site, mechanisms, inherent, lowered: OnceCell::new() });
    let judge = |job: &Accepted<'p, T>| match target.too_many(job) {
        Some(fault) => vec![fault],
        None => [length::judge(target, job), target.oversized(job)].concat(),
    };
    let long = accepted.as_ref().map(judge).unwrap_or_default();
    let accepted = accepted.filter(|_| long.is_empty());
    diagnostics.extend(long);
    (accepted, diagnostics, verdicts)
}

/// What findings about an answer depend on, beside the words that ask.
fn further<M>(required: &Required, support: &Support<M>) -> Vec<Premise> {
    match (required.from, support) {
        (Some(Further::All(at)), _) => vec![Premise::Value(at)],
        (Some(Further::Some(at)), Support::Unsupported(Refusal { of_further: true, .. })) => {
            vec![Premise::Value(at), Premise::Correct(at)]
        }
        (Some(Further::Some(_)) | None, _) => Vec::new(),
    }
}

fn emulated(target: &str, required: &Required, feature: Feature, how: &str) -> Diagnostic {
    Diagnostic::new(&EMULATED_FEATURE, required.at, format!("{target}: {how}")).here(feature.name())
}

fn refuse(
    target: &str,
    required: &Required,
    feature: Feature,
    refusal: &Refusal,
    plan: &Plan,
    used: &mut [bool],
) -> Diagnostic {
    let fact = format!("{target}: {}", refusal.why);
    if let Some(number) = crate::allow::accepts(plan, target, feature, refusal) {
        used[number] = true;
        let because = &plan.allows[number].because;
        return Diagnostic::new(&ALLOWED_FEATURE, required.at, fact)
            .here(format!("this part of `{}` is given up", feature.name()))
            .label(because.span, "allowed here");
    }
    Diagnostic::new(&UNSUPPORTED_FEATURE, required.at, fact).here(feature.name()).help(refusal.help.clone())
}

/// A default of the job reaches every role: what is said of it is said once. This is not for the collector: a plan is also
/// put to targets where there is none, and their errors are counted.
pub(super) fn once(diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = std::collections::BTreeSet::new();
    diagnostics.retain(|d| seen.insert((d.span(), d.code.name, d.message.clone())));
}
