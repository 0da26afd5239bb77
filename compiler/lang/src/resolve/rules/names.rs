//! Rules about unique names, and about the features and targets of `allow`.
use super::Job;
use crate::allow::is_placeholder;
use crate::at::At;
use crate::codes::{
    DUPLICATE_NAME, DUPLICATE_VARIABLE, UNEXPLAINED_ALLOW, UNKNOWN_FEATURE, UNKNOWN_TARGET, UNUSED_ALLOW,
};
use crate::diagnostic::{Blocked, Diagnostic, Fix, nearest, only_near};
use crate::requirement::Feature;
use crate::sources::Span;
use crate::spec::values::Text;
use std::collections::BTreeMap;

/// Help for an `allow` with a name that is no feature, such as the code of a warning.
const NOT_A_FEATURE: &str = "write the name from an error that says \"is not supported\" about a feature, or from a help that names an \
     `allow`; `allow` accepts no other errors or warnings; to list all features, run `tfjob explain features`";

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let (spec, targets) = (job.spec, job.context.targets);
    for (name, _) in &spec.helper.0 {
        if let Some((role, _)) = spec.role.0.iter().find(|(role, _)| role.value == name.value) {
            out.push(
                Diagnostic::new(
                    &DUPLICATE_NAME,
                    name.span,
                    format!("helper `{}` has the same name as a role", name.value),
                )
                .here("same name")
                .label(role.span, "role with this name")
                .help("use another name for the helper"),
            );
        }
    }
    variables(job, out);
    repeated_allows(job, out);
    for allow in spec.allow.iter().map(|allow| &allow.value) {
        let feature = &allow.feature;
        out.extend(unexplained(feature.value.as_str(), &allow.because));
        if Feature::named(feature.value.as_str()).is_none() {
            let found = Diagnostic::new(
                &UNKNOWN_FEATURE,
                feature.span,
                format!("unknown feature `{}`", feature.value.as_str()),
            )
            .here("not a feature");
            let name = feature.value.as_str();
            let found = suggest(found, name, feature.span, Feature::ALL.iter().map(|f| f.name()));
            // A misspelled feature counts as the nearest known feature. Only an unknown feature prevents the check of targets.
            let known = !found.fixes.is_empty();
            let found = if known { found } else { found.help(NOT_A_FEATURE) };
            out.push(if known { found } else { found.blocks_targets(format!("allow {name:?}")) });
        }
        if let Some(on) = allow.on.as_ref().filter(|on| !targets.contains(&on.value.as_str())) {
            let name = on.value.as_str();
            let near = nearest(name, targets.iter().copied());
            let whom = near.map_or(Blocked::All, |near| Blocked::One(near.to_owned()));
            let found = Diagnostic::new(&UNKNOWN_TARGET, on.span, format!("unknown target `{name}`"))
                .blocks(format!("allow on={name:?}"), whom)
                .here("not a target");
            out.push(suggest(found, on.value.as_str(), on.span, targets.iter().copied()));
        }
    }
}

/// Reports a reason that is still a placeholder. An empty reason has another error.
fn unexplained(feature: &str, because: &At<Text>) -> Option<Diagnostic> {
    let text = because.value.as_str();
    if text.trim().is_empty() || !is_placeholder(text) {
        return None;
    }
    let fact = format!("the `allow` of `{feature}` has no reason yet: `because` is a placeholder");
    let help = "write the reason, such as `because=\"a failed run is submitted again\"`";
    Some(Diagnostic::new(&UNEXPLAINED_ALLOW, because.span, fact).here("placeholder").help(help))
}

/// Reports an `allow` without `on` for a feature that an earlier `allow` without `on` accepts.
fn repeated_allows(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for allow in job.spec.allow.iter().map(|allow| &allow.value).filter(|allow| allow.on.is_none()) {
        let (name, at) = (allow.feature.value.as_str(), allow.feature.span);
        if let Some(earlier) = first.get(name) {
            let fact = format!("another `allow` already accepts `{name}`, so this one has no effect");
            let found = Diagnostic::new(&UNUSED_ALLOW, at, fact).here("no effect");
            out.push(found.label(*earlier, "accepted here").help("remove one of them"));
        } else {
            first.insert(name, at);
        }
    }
}

/// Reports parameters with the same environment variable. The names of these variables are in upper case, so `lr` and `LR`
/// conflict.
fn variables(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<String, &At<String>> = BTreeMap::new();
    for (name, _) in &job.spec.param.0 {
        let variable = tfjob_contract::variable(&["param", &name.value]);
        if let Some(other) = first.get(&variable) {
            let fact = format!(
                "params `{}` and `{}` have the same environment variable `${variable}`",
                other.value, name.value
            );
            out.push(
                Diagnostic::new(&DUPLICATE_VARIABLE, name.span, fact)
                    .here("second param")
                    .label(other.span, "first param")
                    .help(
                        "rename one of them; the variable is `TFJOB_PARAM_` plus the name of the param in upper case, with `_` for each `-`",
                    ),
            );
        } else {
            first.insert(variable, name);
        }
    }
}

fn suggest<'a>(
    found: Diagnostic,
    word: &str,
    at: crate::sources::Span,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    match nearest(word, known.clone()) {
        Some(near) => {
            let fix = Fix::replace(at, format!("\"{near}\"")).if_sure(only_near(word, known));
            found.help(format!("did you mean `{near}`?")).fix(fix)
        }
        None if known.clone().count() > 16 => found
            .help("use the feature name from the error; to list all features, run `tfjob explain features`"),
        None => found.help(format!("targets: {}", known.collect::<Vec<_>>().join(", "))),
    }
}
