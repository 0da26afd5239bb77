//! The gate: asks one target for its support of each requirement of a job. The result is diagnostics and mechanisms.
use super::{
    Accepted, Refusal, Site, Support, Target, Verdict, concerns, length, local_checkpoints, verdict,
};
use crate::codes::{
    ALLOWED_FEATURE, EMULATED_FEATURE, IGNORED_FEATURE, IGNORED_LOCALLY, UNSUPPORTED_FEATURE, UNUSED_OPTION,
};
use crate::diagnostic::{Diagnostic, Premise};
use crate::plan::Plan;
use crate::requirement::{Dependency, Feature, Required};
use crate::sources::Span;
use std::cell::OnceCell;

/// The accepted plan, all diagnostics, and the verdict on each requirement.
type Gated<'p, T> = (Option<Accepted<'p, T>>, Vec<Diagnostic>, Vec<(Feature, Span, Verdict)>);

/// Evaluates all requirements of the plan for a target.
pub(super) fn gate<'p, T: Target + ?Sized>(target: &T, plan: &'p Plan, site: &'p Site<T>) -> Gated<'p, T> {
    let mut diagnostics = target.rules(plan, site);
    // A job need not use every option that the cluster file sets, so an unused option of that file is not reported.
    diagnostics.retain(|d| d.code != &UNUSED_OPTION || !plan.is_of_cluster(d.span()));
    // A job has thousands of requirements, and a mechanism is large: without these capacities, it would be copied several times.
    let mut mechanisms = Vec::with_capacity(plan.requirements.len());
    let (mut inherent, mut verdicts) = (Vec::new(), Vec::with_capacity(plan.requirements.len()));
    let mut used = vec![false; plan.allows.len()];
    crate::allow::warnings(T::NAME, plan, &mut used, &mut diagnostics);
    let (mut alone, context) = (None, target.context(plan, site));
    // A job without roles already has an error, so findings about its defaults are not reported.
    let stated = |required: &&Required| !(required.default && plan.roles.is_empty());
    for required in plan.requirements.iter().filter(|a| concerns(&a.requirement, T::NAME)).filter(stated) {
        let feature = Feature::from(&required.requirement);
        let (support, earlier) = (target.support(&required.requirement, &context), diagnostics.len());
        verdicts.push((feature, required.at, verdict(&support)));
        // `if let` copies nothing in the common case, unlike `extend`.
        if let Some(found) = crate::allow::protocol(T::NAME, required, plan, &mut used) {
            diagnostics.push(found);
        }
        if let Some(found) = local_checkpoints::judge::<T>(required, &support, plan) {
            diagnostics.push(found);
        }
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
            Support::Ignored(why) => diagnostics.push(ignored::<T>(required, feature, &why)),
            Support::Unsupported(refusal) => {
                let told = refuse(T::NAME, required, feature, &refusal, plan, &mut used);
                if refusal.decisive {
                    alone = alone.or_else(|| Some(told.clone()));
                }
                add(&mut diagnostics, told, refusal.option);
            }
        }
        for finding in diagnostics.iter_mut().skip(earlier) {
            finding.premises.extend(further.iter().cloned());
        }
    }
    if let Some(alone) = alone {
        return (None, vec![alone], verdicts);
    }
    crate::allow::unneeded(T::NAME, plan, &used, &mut diagnostics);
    deduplicate(&mut diagnostics);
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

/// Returns the premises about the values on which a requirement depends in addition to its own field ([`Dependency`]). Findings
/// about the requirement are reported only if these premises are true.
fn further<M>(required: &Required, support: &Support<M>) -> Vec<Premise> {
    match (&required.from, support) {
        (Some(Dependency::Always(at)), _) => vec![Premise::Value(*at)],
        (Some(Dependency::AlwaysAll(all)), _) => all.iter().copied().map(Premise::Value).collect(),
        (Some(Dependency::IfMarked(at)), Support::Unsupported(Refusal { depends_on_value: true, .. })) => {
            vec![Premise::Value(*at), Premise::Correct(*at)]
        }
        (Some(Dependency::IfMarked(_)) | None, _) => Vec::new(),
    }
}

fn emulated(target: &str, required: &Required, feature: Feature, how: &str) -> Diagnostic {
    Diagnostic::new(&EMULATED_FEATURE, required.at, format!("{target}: {how}"))
        .here(format!("how {target} handles `{}`", feature.name()))
}

/// Returns the finding for a field that the target ignores. If the target runs all tasks on one machine, the finding is only a
/// note: such a target is for test runs, and the spec needs the field for its cluster.
fn ignored<T: Target + ?Sized>(required: &Required, feature: Feature, why: &str) -> Diagnostic {
    let code = if T::ONE_MACHINE { &IGNORED_LOCALLY } else { &IGNORED_FEATURE };
    Diagnostic::new(code, required.at, format!("{}: {why}", T::NAME))
        .here(format!("feature `{}` has no effect", feature.name()))
}

fn refuse(
    target: &'static str,
    required: &Required,
    feature: Feature,
    refusal: &Refusal,
    plan: &Plan,
    used: &mut [bool],
) -> Diagnostic {
    if let Some(number) = crate::allow::accepts(plan, target, feature, refusal) {
        used[number] = true;
        let because = &plan.allows[number].because;
        // `refusal.why` may describe a failure that occurs only with the feature. So the message states it in a separate clause,
        // not as a result of the `allow`.
        let name = feature.name();
        let fact = format!("{target}: `allow` accepts incomplete support for `{name}`; {}", refusal.why);
        let here = match feature.is_secret() {
            true => "compiled without this secret".to_owned(),
            false => format!("compiled without full support for `{name}`"),
        };
        let found = Diagnostic::new(&ALLOWED_FEATURE, required.at, fact)
            .here(here)
            .label(because.span, "accepted by this `allow`");
        return Diagnostic { part: refusal.part, ..found };
    }
    let found = refused(target, required, feature, refusal, plan).help(refusal.help.clone());
    Diagnostic {
        feature: refusal.is_allowable(feature).then_some(feature),
        target: Some(target),
        part: refusal.part,
        remedies: refusal.remedies.clone(),
        ..found
    }
}

/// Returns the finding at the place of the edit: the block of the target if an option is missing there, otherwise the requirement.
fn refused(
    target: &str,
    required: &Required,
    feature: Feature,
    refusal: &Refusal,
    plan: &Plan,
) -> Diagnostic {
    let found = |at| Diagnostic::new(&UNSUPPORTED_FEATURE, at, format!("{target}: {}", refusal.why));
    let block = plan.target_names.get(target).filter(|at| !plan.is_of_cluster(**at));
    match (refusal.option, block) {
        (Some(option), Some(block)) => found(*block)
            .here(format!("`{option}` is not set"))
            .label(required.at, "needs this option")
            .from_value(required.at),
        (_, _) => {
            found(required.at).here(format!("this use of feature `{}` is not supported", feature.name()))
        }
    }
}

/// Adds a finding. Several uses of one missing option of the target are one finding, with a label for each use.
fn add(diagnostics: &mut Vec<Diagnostic>, mut told: Diagnostic, option: Option<&str>) {
    let is_same = |d: &&mut Diagnostic| d.code == told.code && d.labels.first() == told.labels.first();
    let may_be_same = option.is_some() && told.labels.len() > 1;
    match diagnostics.iter_mut().filter(|_| may_be_same).find(is_same) {
        Some(first) => {
            let uses = told.labels.split_off(1);
            first
                .labels
                .extend(uses.into_iter().filter(|label| !first.labels.contains(label)).collect::<Vec<_>>());
        }
        None => diagnostics.push(told),
    }
}

/// Removes duplicate findings, which occur because a default of the job applies to every role. The collector of all diagnostics
/// would remove them, but it is not used when the errors of one target are counted.
pub(super) fn deduplicate(diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = std::collections::BTreeSet::new();
    diagnostics.retain(|d| seen.insert((d.span(), d.code.name, d.message.clone())));
}
