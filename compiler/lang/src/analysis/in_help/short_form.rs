//! Properties of an entry whose JSON or YAML value is one scalar, the short form: `framework: tensorflow`. A further property needs the
//! object: `framework: { name: tensorflow, strategy: … }`.
use super::{is_name, named};
use crate::diagnostic::{Diagnostic, Edit, Fix, Step};
use crate::shape::literal;
use crate::sources::{Format, Sources, Span};
use crate::tree::{Tree, Value};

/// Rewrites each help "add `NAME=VALUE`" at a value in the short form: it then shows the whole entry, in KDL. Returns the numbers of
/// the findings for which the entry is complete.
pub(in crate::analysis) fn expand(found: &mut [Diagnostic], tree: &Tree, sources: &Sources) -> Vec<usize> {
    let mut complete = Vec::new();
    for (number, diagnostic) in found.iter_mut().enumerate() {
        let format = sources.find(diagnostic.span()).map_or(Format::Kdl, |source| source.format);
        let Some(help) = diagnostic.help.as_ref().filter(|_| matches!(format, Format::Json | Format::Yaml))
        else {
            continue;
        };
        let Some((property, rest)) = help.strip_prefix("add `").and_then(|help| help.split_once('`')) else {
            continue;
        };
        if !property.split_once('=').is_some_and(|(name, _)| is_name(name)) {
            continue;
        }
        let Some((key, value)) = short(tree, diagnostic.span()) else { continue };
        let is_complete = matches!(named(help), Some(Step::Add(code)) if code == property);
        let value = literal::text(Format::Kdl, value);
        diagnostic.help = Some(format!("write `{key} {value} {property}`{rest}"));
        if is_complete && diagnostic.fixes.is_empty() {
            complete.push(number);
        }
    }
    complete
}

/// Adds the edit that the help of a finding shows. The help is in the format of its text.
pub(in crate::analysis) fn add_fix(diagnostic: &mut Diagnostic) {
    let shown = diagnostic.help.as_deref().and_then(|help| help.strip_prefix("write `")?.split_once('`'));
    let Some((_, value)) = shown.and_then(|(entry, _)| entry.split_once(": ")) else { return };
    let edit = Edit { span: diagnostic.span(), text: value.to_owned() };
    let title = format!("write `{value}`");
    diagnostic.fixes.push(Fix::of(title, vec![edit]).suggested().in_help());
}

/// Returns the key and the text of the value in the short form at this span.
fn short(tree: &Tree, at: Span) -> Option<(&str, &str)> {
    let of_entry = |entry: &'_ crate::tree::Entry| match entry.tree.entries() {
        [only] if only.is_plain() && entry.tree.span == at && only.tree.span == at => {
            only.tree.text().is_some()
        }
        _ => false,
    };
    let entries = tree.entries();
    if let Some(entry) = entries.iter().find(|entry| of_entry(entry)) {
        return Some((&entry.key, entry.tree.entries().first()?.tree.text()?));
    }
    entries
        .iter()
        .filter(|entry| matches!(entry.tree.value, Value::Map(_)))
        .find_map(|entry| short(&entry.tree, at))
}
