//! A default of the job that a target takes of one role only: the fix that moves it there.
use crate::codes::FEATURE_REFUSED;
use crate::diagnostic::{Edit, Fix};
use crate::shape::whole_line;
use crate::sources::{Format, Source, Sources, Span};
use crate::syntax::{Node, Scalar, read_kdl};
use crate::target::{Compiled, Verdict};

/// Adds to each refusal that says where the words should stand the fix that moves them.
pub(super) fn offer(compiled: &mut Compiled, sources: &Sources) {
    for (_, at, verdict) in &compiled.verdicts {
        let Verdict::Refused(refusal) = verdict else { continue };
        let Some(role) = &refusal.move_into else { continue };
        let refused = compiled.diagnostics.iter_mut();
        for told in refused.filter(|d| d.span() == *at && d.code == &FEATURE_REFUSED && d.fixes.is_empty()) {
            told.fixes.extend(sources.find(*at).and_then(|source| fix(source, *at, role)));
        }
    }
}

/// Moves the entry of the job that holds `at` to the start of the block of a role.
fn fix(source: &Source, at: Span, role: &str) -> Option<Fix> {
    if source.format != Format::Kdl {
        return None;
    }
    let (kdl, _) = read_kdl(source);
    let job = kdl.nodes.iter().find(|node| node.name == "job" && node.span.contains(at))?;
    let children = job.children.as_ref()?;
    let entry = children.iter().find(|node| node.span.contains(at) && node.name != "role")?;
    let named = |node: &&Node| {
        let name = node.entries.iter().find(|entry| entry.key.is_none());
        node.name == "role" && name.is_some_and(|name| name.value == Scalar::Text(role.to_owned()))
    };
    let target = children.iter().find(named)?;
    let words = source.slice(entry.span);
    let insert = match target.children.as_deref() {
        None => Edit { span: Span::new(target.span.end, target.span.end), text: format!(" {{ {words} }}") },
        Some(block) => {
            let first = block.first()?.name_span.start;
            let line = source.text[..source.local(Span::new(first, first)).start].rsplit('\n').next()?;
            let ends = if line.trim().is_empty() { format!("\n{line}") } else { "; ".to_owned() };
            Edit { span: Span::new(first, first), text: format!("{words}{ends}") }
        }
    };
    let gone = Edit { span: whole_line(source, entry.span), text: String::new() };
    Some(Fix { title: format!("move it into `role \"{role}\"`"), edits: vec![gone, insert] })
}
