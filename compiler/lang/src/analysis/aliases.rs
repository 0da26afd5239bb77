//! Suggests a target if a spec names the platform by an alias that tfjob does not accept as a target.
use crate::codes::{UNKNOWN_TARGET, UNKNOWN_VALUE};
use crate::diagnostic::{Blocked, Diagnostic, Fix};
use crate::shape::literal;
use crate::sources::Sources;
use crate::target::AnyTarget;

/// Adds a suggestion to each error about an unknown target, if the name is an alias of one of `targets`.
pub fn suggest(diagnostics: &mut [Diagnostic], targets: &[&dyn AnyTarget], sources: &Sources) {
    let of_target = |d: &Diagnostic| {
        d.code == &UNKNOWN_TARGET || d.code == &UNKNOWN_VALUE && d.message.contains("`target`")
    };
    for diagnostic in diagnostics.iter_mut().filter(|d| of_target(d) && d.fixes.is_empty()) {
        let at = diagnostic.span();
        let Some(source) = sources.find(at) else { continue };
        let name = source.slice(at).trim_matches(['"', '\'', '#']).to_lowercase();
        let Some(target) = targets.iter().find(|target| target.aliases().contains(&name.as_str())) else {
            continue;
        };
        if let Some(block) = diagnostic.blocks.as_mut().filter(|block| block.whom == Blocked::Unconfigured) {
            block.whom = Blocked::Meant(target.name().to_owned());
        }
        diagnostic.help = Some(format!("did you mean `{}`?", target.name()));
        diagnostic.fixes.push(Fix::replace(at, literal::text(source.format, target.name())).suggested());
    }
}
