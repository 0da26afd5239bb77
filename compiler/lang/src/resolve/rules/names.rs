//! Names that must differ, and `allow` lines that name what exists.
use super::Job;
use crate::codes::{REPEATED_NAME, UNKNOWN_FEATURE, UNKNOWN_TARGET};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::feature::Feature;

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let (spec, targets) = (job.spec, job.targets);
    for (name, _) in &spec.helper.0 {
        if let Some((role, _)) = spec.role.0.iter().find(|(role, _)| role.value == name.value) {
            out.push(
                Diagnostic::new(&REPEATED_NAME, name.span, format!("`{}` is a role already", name.value))
                    .here("same name")
                    .label(role.span, "the role")
                    .help("give the helper another name"),
            );
        }
    }
    for allow in spec.allow.iter().map(|allow| &allow.value) {
        let feature = &allow.feature;
        if Feature::named(feature.value.as_str()).is_none() {
            let found = Diagnostic::new(
                &UNKNOWN_FEATURE,
                feature.span,
                format!("there is no feature `{}`", feature.value.as_str()),
            )
            .here("unknown feature");
            out.push(suggest(
                found,
                feature.value.as_str(),
                feature.span,
                Feature::ALL.iter().map(|f| f.name()),
            ));
        }
        if let Some(on) = allow.on.as_ref().filter(|on| !targets.contains(&on.value.as_str())) {
            let found =
                Diagnostic::new(&UNKNOWN_TARGET, on.span, format!("there is no target `{}`", on.value))
                    .here("unknown target");
            out.push(suggest(found, on.value.as_str(), on.span, targets.iter().copied()));
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
            found.help(format!("did you mean `{near}`?")).fix(Fix::replace(at, format!("\"{near}\"")))
        }
        None => found.help(format!("known are {}", known.collect::<Vec<_>>().join(", "))),
    }
}
