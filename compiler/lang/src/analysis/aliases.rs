//! Suggests a target if a spec names the platform by an alias that tfjob does not accept as a target.
use crate::codes::{UNKNOWN_TARGET, UNKNOWN_VALUE, WRONG_TYPE};
use crate::diagnostic::{Blocked, Diagnostic, Fix};
use crate::shape::{keys, literal};
use crate::sources::{Source, Sources};
use crate::target::AnyTarget;
use std::collections::BTreeSet;

/// Adds a suggestion to each error about an unknown target, if the name is an alias of one of `targets`.
pub fn suggest(diagnostics: &mut [Diagnostic], targets: &[&dyn AnyTarget], sources: &Sources) {
    let of_target = |d: &Diagnostic| {
        d.code == &UNKNOWN_TARGET || d.code == &UNKNOWN_VALUE && d.message.contains("`target`")
    };
    // The name is written without the object that JSON and YAML need.
    let is_name_only = |d: &Diagnostic| d.code == &WRONG_TYPE && d.message.contains("`target`");
    let of_target = |d: &Diagnostic| of_target(d) || is_name_only(d);
    for diagnostic in diagnostics.iter_mut().filter(|d| of_target(d) && d.fixes.is_empty()) {
        let at = diagnostic.span();
        let Some(source) = sources.find(at) else { continue };
        if is_name_only(diagnostic) && source.slice(at).starts_with('[') {
            list(diagnostic, targets, source);
            continue;
        }
        let name = plain(source.slice(at));
        let Some(target) = targets.iter().find(|target| target.aliases().contains(&name.as_str())) else {
            continue;
        };
        if let Some(block) = diagnostic.blocks.as_mut().filter(|block| block.whom == Blocked::Unconfigured) {
            block.whom = Blocked::Meant(target.name().to_owned());
        }
        let help = format!("did you mean `{}`?", target.name());
        let (help, text) = match is_name_only(diagnostic) {
            true => {
                let object = format!("{{ {}: {{}} }}", keys::key(target.name(), source.format));
                (format!("{help} write it as `{object}`"), object)
            }
            false => (help, literal::text(source.format, target.name())),
        };
        diagnostic.help = Some(help);
        diagnostic.fixes.push(Fix::replace(at, text).suggested());
    }
}

/// Returns a name without its quotes.
fn plain(name: &str) -> String {
    name.trim_matches(['"', '\'', '#']).to_lowercase()
}

/// Adds a suggestion to the error about a list such as `[k8s, local]`, if each item is the name or an alias of a target.
fn list(diagnostic: &mut Diagnostic, targets: &[&dyn AnyTarget], source: &Source) {
    let at = diagnostic.span();
    let meant = |name: &str| {
        let name = plain(name.trim());
        let is_meant =
            |target: &&&dyn AnyTarget| target.name() == name || target.aliases().contains(&name.as_str());
        Some(targets.iter().find(is_meant)?.name())
    };
    let all: Option<Vec<&str>> = source.slice(at).trim_matches(['[', ']']).split(',').map(meant).collect();
    let Some(mut all) = all else { return };
    let mut seen = BTreeSet::new();
    all.retain(|name| seen.insert(*name));
    let object = |name: &&str| format!("{}: {{}}", keys::key(name, source.format));
    let object = format!("{{ {} }}", all.iter().map(object).collect::<Vec<_>>().join(", "));
    diagnostic.help = Some(format!("write it as `{object}`"));
    diagnostic.fixes.push(Fix::replace(at, object).suggested());
}
