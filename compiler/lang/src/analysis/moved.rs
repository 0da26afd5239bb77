//! Suggests moving a refused default of the job into the only role for which the target supports it.
use crate::codes::UNSUPPORTED_FEATURE;
use crate::diagnostic::{Edit, Fix};
use crate::shape::removal;
use crate::sources::{Format, Source, Sources, Span};
use crate::syntax::{Node, Scalar, read_kdl};
use crate::target::{Compiled, Verdict};

/// To each refusal with a role in `move_into`, adds the fix that moves the refused default into this role.
pub(super) fn add_fixes(compiled: &mut Compiled, sources: &Sources) {
    for (_, at, verdict) in &compiled.verdicts {
        let Verdict::Unsupported(refusal) = verdict else { continue };
        let Some(role) = &refusal.move_into else { continue };
        let refused = compiled.diagnostics.iter_mut();
        for diagnostic in
            refused.filter(|d| d.span() == *at && d.code == &UNSUPPORTED_FEATURE && d.fixes.is_empty())
        {
            diagnostic.fixes.extend(sources.find(*at).and_then(|source| fix(source, *at, role)));
        }
    }
}

/// Returns the fix that moves the entry of the job at `at` to the start of the block of a role.
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
    // If the entry gets its own line in the role, the comment at the end of its old line moves with the entry.
    let moved = source.slice(with_comment(source, entry.span));
    let insert = match target.children.as_deref() {
        None => {
            let end = Span::new(target.span.end, target.span.end);
            Edit { span: end, text: format!(" {{ {} }}", source.slice(entry.span)) }
        }
        Some(block) => {
            let first = block.first()?.name_span.start;
            let line = source.text[..source.local(Span::new(first, first)).start].rsplit('\n').next()?;
            let text = if line.trim().is_empty() {
                format!("{moved}\n{line}")
            } else {
                format!("{}; ", source.slice(entry.span))
            };
            Edit { span: Span::new(first, first), text }
        }
    };
    let removed = removal(source, removed_span(source, entry.span, &insert));
    // This is only a suggestion: the other roles lose the default on all targets, although some targets may support it.
    Some(Fix::of(format!("move it into `role \"{role}\"`"), vec![removed, insert]).suggested())
}

/// Returns the span of an entry with the comment that follows on its line.
fn with_comment(source: &Source, entry: Span) -> Span {
    let rest = &source.text[source.local(entry).end..];
    let line = rest.split('\n').next().unwrap_or_default().trim_end();
    let comment = line.trim_start_matches([' ', '\t', ';']).starts_with("//");
    Span::new(entry.start, if comment { entry.end + line.len() as u32 } else { entry.end })
}

/// Returns the span to remove at the old place: the entry, and its comment if `insert` contains the comment.
fn removed_span(source: &Source, entry: Span, insert: &Edit) -> Span {
    let whole = with_comment(source, entry);
    if insert.text.contains(source.slice(whole)) { whole } else { entry }
}
