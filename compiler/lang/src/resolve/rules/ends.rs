//! Restarts that contradict themselves.
use super::roles;
use crate::codes::{STRAY_TERMS, UNWATCHED_STALLS};
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::sources::Span;
use crate::spec::{self, RestartOn};
use std::collections::BTreeSet;

pub(super) fn judge(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let mut said: BTreeSet<Span> = BTreeSet::new();
    for (written, _) in roles(spec, plan) {
        let Some(restart) = &written.restart else { continue };
        if !said.insert(restart.span) {
            continue;
        }
        let r = &restart.value;
        let durations = [&r.within, &r.backoff, &r.max_backoff, &r.min_uptime];
        let terms = durations
            .into_iter()
            .flatten()
            .map(|d| d.span)
            .chain(r.limit.as_ref().map(|l| l.span))
            .chain(r.stalls.as_ref().map(|s| s.span))
            .chain(r.codes.first().map(|c| c.span));
        if r.on.value == RestartOn::Never
            && let Some(first) = terms.min()
        {
            out.push(
                Diagnostic::new(&STRAY_TERMS, first, "nothing is restarted, so this is never used")
                    .here("no meaning with `never`")
                    .label(r.on.span, "never")
                    .help("write `restart \"on-failure\"`, or remove it"),
            );
        }
        if let Some(stalls) =
            r.stalls.as_ref().filter(|_| plan.storage.checkpoints.as_ref().is_none_or(|c| c.at.is_none()))
        {
            out.push(
                Diagnostic::new(
                    &UNWATCHED_STALLS,
                    stalls.span,
                    "no task can see whether a checkpoint is newer",
                )
                .here("needs checkpoints at a path")
                .help("write `checkpoints \"…\" at=\"/ckpt\"`, or remove `stalls`"),
            );
        }
        if let (Some(first), Some(longest)) = (&r.backoff, &r.max_backoff)
            && longest.value.seconds() < first.value.seconds()
        {
            out.push(
                Diagnostic::new(&STRAY_TERMS, longest.span, "the longest pause is shorter than the first")
                    .here("shorter")
                    .label(first.span, "the first")
                    .help("`max-backoff` is at least `backoff`"),
            );
        }
    }
}
